"""A clone in the place of a logged player: on the logged cards, the others doing what they did in the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.agents.replayer import Replayer
from mazzo.holdem.attributes import Situations, Watch, situations_of
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.comparing.likeness import Agreement, Likeness
from mazzo.holdem.dealer.reference import ReferenceDeck
from mazzo.holdem.kernels import legal_rows
from mazzo.holdem.logs.files import open_bytes
from mazzo.holdem.logs.formats.acpc import header_of
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Observations
from mazzo.holdem.statistics.tally import Tally
from mazzo.holdem.table import Table
from mazzo.lockstep import play_out
from mazzo.rng import stream
from mazzo.statistics import Moments

__all__ = ["Replayed", "agreement_in_log", "observed", "reference_seed", "replayed", "with_reference_cards"]


@dataclass(frozen=True)
class Replayed:
    """A likeness found on logged hands, and how many hands could not be replayed because cards are hidden."""

    likeness: Likeness
    hands: int
    left_out: int


def observed(s: Situations, game: int) -> Iterator[tuple[NDArray[np.int64], Observations]]:
    """The situations of one game as the player saw them."""
    rows = np.flatnonzero(s.state[:, c.GAME] == game)
    if not len(rows):
        return
    definition, state = s.games[game], s.state[rows].copy()
    state[:, c.GAME] = 0
    legal = legal_rows(definition.row[None, :], state, np.arange(len(rows)))
    rng_key = stream(0, "replay") + rows.astype(np.uint64)
    seating = np.tile(np.arange(definition.players, dtype=np.int16), (len(rows), 1))
    yield (
        rows,
        Observations(
            definition,
            state,
            s.history[rows],
            s.hole[rows],
            s.board[rows],
            legal[0],
            legal[1],
            legal[2],
            rng_key,
            seating,
        ),
    )


def agreement_in_log(batches: Iterable[Hands], hero: str, agent: Agent[Observations]) -> Agreement:
    """How often an agent would do in a logged player's situations what the player did."""
    watch, found = Watch(hero, history=False), Agreement()
    for hands in batches:
        s = situations_of(hands, watch)
        assert s.taken is not None
        for game in range(len(s.games)):
            for rows, seen in observed(s, game):
                found.note(seen.street, s.taken.action[rows], c.kinds(np.asarray(agent.decide(seen), np.int64)))
    return found


def reference_seed(path: Path) -> int | None:
    """The dealer's seed, where the first line of a log gives it."""
    with open_bytes(path) as (file, _):
        line = file.readline(1000).decode(errors="replace").strip()
    header = header_of(line)
    return header.seed if header else None


def with_reference_cards(hands: Hands, seed: int) -> Hands:
    """The hands with all cards, as the reference dealer dealt them; unchanged if the log's cards are not those."""
    if len(hands.games) != 1 or not len(hands):
        return hands
    game = hands.games[0]
    dealt = ReferenceDeck(game, seed).deal(int(hands.number.max()) + 1)[hands.number]
    known = hands.cards[:, : game.cards_dealt]
    if ((known != dealt) & (known != UNKNOWN)).any():
        return hands
    return replace(hands, cards=dealt)


def _again(hands: Hands, game: int, hero: int, agent: Agent[Observations], others: Replayer) -> Hands:
    """Hands of one game, all cards known, played again with an agent in the hero's place."""
    definition = hands.games[game]
    players = definition.players
    room = hands.state[:, c.ROOM : c.ROOM + players] + hands.state[:, c.ANTE : c.ANTE + players]
    seating = np.where(hands.seating[:, :players] == hero, 0, 1).astype(np.int16)
    table = Table(definition, hands.cards[:, : definition.cards_dealt].copy(), room, seating=seating)
    play_out(table, [agent, others])
    net = np.full(hands.net.shape, np.nan)
    net[:, :players] = table.settle()
    history = np.where(np.arange(table.history.shape[1]) < table.state[:, c.COUNT, None], table.history, c.NO_ACTION)
    state = table.state.copy()
    state[:, c.GAME] = game
    return replace(hands, state=state, history=history, net=net)


def replayed(batches: Iterable[Hands], hero: str, agent: Agent[Observations]) -> Replayed:
    """Let an agent play a logged player's hands again, where the log shows every card, and compare what both did."""
    every = list(batches)
    names = {name for hands in every for name in hands.names}
    if hero not in names:
        raise UnreadableError(f"no player {hero!r} is in these hands; {did_you_mean(hero, names)}")
    one, other, moments = Tally(curves=True), Tally(curves=True), Moments()
    used, total = 0, 0
    for hands in every:
        number = hands.names.index(hero) if hero in hands.names else -2
        there = (hands.seating == number).any(axis=1)
        others = Replayer.of([hands], hero)
        for name in sorted({hands.names[k] for k in np.unique(hands.seating[hands.seating >= 0])} - {hero}):
            others.learn(hands, name)
        total += int(there.sum())
        for game, definition in enumerate(hands.games):
            full = (hands.cards[:, : definition.cards_dealt] != UNKNOWN).all(axis=1)
            rows = there & full & (hands.state[:, c.GAME] == game) & ~np.isnan(hands.net[:, 0])
            if not rows.any():
                continue
            part = hands[rows]
            again = _again(part, game, number, agent, others)
            one.add(part)
            other.add(again)
            used += len(part)
            moments += Moments.of(_net_of(again, number) - _net_of(part, number))
    if not used:
        raise UnreadableError(f"no hand of {hero!r} shows every card: none can be played again")
    both = one.players[hero], other.players[hero]
    both[1].name = agent.name
    agreed = agreement_in_log(every, hero, agent)
    return Replayed(Likeness(agreed, *both, moments.estimate()), used, total - used)


def _net_of(hands: Hands, number: int) -> Any:
    """What a player won in each hand, in big blinds."""
    at = (hands.seating == number).argmax(axis=1)
    blinds = np.array([game.big_blind for game in hands.games])[hands.state[:, c.GAME]]
    return hands.net[np.arange(len(hands)), at] / blinds
