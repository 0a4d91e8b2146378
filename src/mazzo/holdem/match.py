"""Playing numbered deals: in duplicate, every agent in every seat on the same cards, or once each to make a log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.files import new_log
from mazzo.holdem import columns as c
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.betting_graph import betting_graph, play_by_graph
from mazzo.holdem.agents.ignores_cards import IgnoresCards, play_rows
from mazzo.holdem.aivat import GRADES, VALUES, Aivat, check_fixed, known_agents, why_not
from mazzo.holdem.house import House
from mazzo.holdem.kernels import judge_rows, settle_into
from mazzo.holdem.logs.formats.acpc_write import table_lines
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.rules import Rules, rules
from mazzo.holdem.showdown import ShowdownTables, tables
from mazzo.holdem.table import Cards, Table, deal_cards, deal_into, hand_key, hand_keys
from mazzo.jit import tight
from mazzo.lockstep import play_out
from mazzo.names import distinct_names
from mazzo.rng import stream

__all__ = ["HoldemMatch", "LucklessMatch", "generate", "played_lines"]

_BATCH = 4096
_TRIAL_DEALS, _TRIAL_SEED = 32, 0x5EED


_HANDS_AT_ONCE = 64  # between players who ignore their cards: from deal to payoff they stay in the nearest memory

_spare = threading.local()
"""Each thread's last table, and its room for blocks, whose memory the next ones use again."""


@tight
def _by_deal(net: Ints, seating: NDArray[np.int16], plays: int, scale: float, out: NDArray[np.float64]) -> None:
    """Add up what each player of the match won over the plays of each deal."""
    for deal in range(len(out)):
        for i in range(deal * plays, (deal + 1) * plays):
            for position in range(net.shape[1]):
                out[deal, seating[i, position]] += net[i, position] * scale


class _Room(NamedTuple):
    """Room for a block of hands, used again for the next."""

    numbers: Ints
    dealt: Cards
    cards: Cards
    state: Ints
    history: Ints
    rng_key: NDArray[np.uint64]
    seating: NDArray[np.int16]
    rows: Ints
    strength: NDArray[np.int32]
    pots: Ints
    net: Ints


def _room(table: Table) -> _Room:
    """Room for as many hands as a table has, deals and their rotations; `table` gives the seats."""
    players, hands = table.game.players, len(table)
    return _Room(
        numbers=np.empty(hands // players, np.int64),
        dealt=table.cards[::players].copy(),
        cards=table.cards,
        state=table.state.copy(),
        history=table.history,
        rng_key=table.rng_key,
        seating=table.seating,
        rows=np.arange(hands),
        strength=np.empty((hands, players), np.int32),
        pots=np.empty((2, c.MAX_PLAYERS), np.int64),
        net=np.empty((hands, players), np.int64),
    )


@tight
def _begin_block(keys: NDArray[np.uint64], decks: Cards, start: Ints, room: _Room, deals: int) -> None:
    """Deal the numbered deals of a block, each to all its rotations, and post the blinds."""
    deal_into(keys[0], room.numbers[:deals], decks[0], decks[1], room.dealt)
    plays = room.seating.shape[1]
    for i in range(deals * plays):
        deal, rotation = i // plays, i % plays
        for k in range(room.cards.shape[1]):
            room.cards[i, k] = room.dealt[deal, k]
        for k in range(len(start)):
            room.state[i, k] = start[k]
        room.rng_key[i] = hand_key(keys[1], room.numbers[deal] * plays + rotation)


@tight
def _play_deals(
    rules: Ints,
    start: Ints,
    first: int,
    keys: NDArray[np.uint64],
    decks: Cards,
    room: _Room,
    mixtures: NDArray[np.float64],
    judge: ShowdownTables,
    scale: float,
    out: NDArray[np.float64],
) -> int:
    """Play numbered deals block by block; gives how many it finished: all, or those before one for which room lacks."""
    plays = room.seating.shape[1]
    for begin in range(0, len(out), len(room.numbers)):
        deals = min(len(room.numbers), len(out) - begin)
        for k in range(deals):
            room.numbers[k] = first + begin + k
        _begin_block(keys, decks, start, room, deals)
        state, rows = room.state[: deals * plays], room.rows[: deals * plays]
        if not play_rows(rules, state, room.history, room.rng_key, room.seating, mixtures):
            return begin
        judge_rows(rules, state, room.cards, rows, judge, room.strength)
        settle_into(rules, state, rows, room.strength, room.pots[0], room.pots[1], room.net)
        _by_deal(room.net, room.seating, plays, scale, out[begin : begin + deals])
    return len(out)


@dataclass(frozen=True, repr=False)
class HoldemMatch:
    """How the arena plays a Hold'em game: deals by number, each once per rotation of the seats."""

    game: Rules
    house: House | None = None
    """A room that takes a rake, or deals an all-in more than one board."""
    unit = "bb_per_hand"

    def __repr__(self) -> str:
        return f"HoldemMatch(game={self.game!r}{'' if self.house is None else f', house={self.house!r}'})"

    def by_terms(self, rake: str | None, run_twice: bool) -> HoldemMatch:
        """The same match in a room that takes a rake (`5%:3`) or deals an all-in two boards."""
        house = House.of(rake, run_twice)
        if reason := house.why_not(self.game):
            raise UnreadableError(reason)
        return replace(self, house=house)

    @property
    def seats(self) -> int:
        """How many agents play."""
        return self.game.players

    @property
    def plays_per_deal(self) -> int:
        """How often each deal is played, so that every agent has held every hand."""
        return self.game.players

    def table(self, deals: range, seed: int, spare: Table | None = None) -> Table:
        """The hands of some deals: deal by deal, rotation by rotation."""
        players = self.game.players
        cards = np.repeat(
            deal_cards(self.game, stream(seed, "deal"), np.arange(deals.start, deals.stop)), players, axis=0
        )
        numbers = np.arange(deals.start * players, deals.stop * players)
        rotations = (np.arange(players)[:, None] + np.arange(players)) % players
        seating = np.tile(rotations.astype(np.int16), (len(deals), 1))
        rng_key = hand_keys(stream(seed, "luck"), numbers)
        return Table(self.game, cards, rng_key=rng_key, seating=seating, spare=spare)

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Mean results by (deal, agent) in big blinds a hand, and the hands as text if wanted."""
        if log and self.house is not None:
            raise UnreadableError("a competition's log has no rake and one board: leave out --log")
        if not log and self.house is None and all(agent.kernel == IgnoresCards.kernel for agent in agents):
            return self._play_ignoring_cards(cast(Sequence[IgnoresCards], agents), deals, seed), []
        table, net = self._played(agents, deals, seed)
        lines = self._lines(table, net, agents, deals.start) if log else []
        values = self._values(table, net, len(deals))
        if not any(agent.learns for agent in agents):  # a learner may have kept the arrays it was handed
            _spare.table = table
        return values, lines

    def _played(self, agents: Sequence[Agent[Observations]], deals: range, seed: int) -> tuple[Table, Ints]:
        """The hands of some deals, played to their end, and what each position won."""
        table = self.table(deals, seed, _spare.__dict__.pop("table", None))
        house = self.house
        if house is None:
            return table, _play(table, agents)
        return table, _play(table, agents, lambda played: self._settled(house, played, deals, seed))

    def _settled(self, house: House, table: Table, deals: range, seed: int) -> Ints:
        """What each position won by the room's terms; further boards are the next cards of the same decks."""
        key, numbers = stream(seed, "deal"), np.arange(deals.start, deals.stop)
        dealt = deal_cards(self.game, key, numbers, house.cards_dealt(self.game))
        return house.settle(table, np.repeat(dealt, self.plays_per_deal, axis=0))

    def _values(self, table: Table, net: Ints, deals: int) -> NDArray[np.float64]:
        values = np.zeros((deals, self.seats))
        _by_deal(net, table.seating, self.plays_per_deal, self._scale, values)
        return values

    def without_luck(self, agents: Sequence[Agent[Observations]], grade: str, value: str = "equity") -> LucklessMatch:
        """The same match with its luck taken out as it is played; `mazzo.holdem.aivat` says how.

        Args:
            agents: Who plays.
            grade: `chance`, `actions` or `ranges`.
            value: `equity` (times the pot); at small games also `policies`, or the name of an agent: a solved game.
        """
        if self.house is not None:
            raise UnreadableError("AIVAT takes luck out of hands without a rake, on one board: leave out --aivat")
        if grade not in GRADES:
            raise UnreadableError(f"luck is taken out by {', '.join(GRADES)}, not by {grade!r}")
        worth = value if value in VALUES else find_agent(value)
        if reason := why_not(self.game, worth, grade):
            raise UnreadableError(reason)
        check_fixed(agents)  # before a trial would teach one that learns
        table, _ = self._played(agents, range(_TRIAL_DEALS), _TRIAL_SEED)
        known = tuple(agent is not None for agent in known_agents(agents, table))
        return LucklessMatch(self, Aivat(grade, worth), known)

    @property
    def _scale(self) -> float:
        """What a chip won in one play of a deal adds to the deal's mean."""
        return 1 / (self.plays_per_deal * self.game.big_blind)

    def _play_ignoring_cards(self, agents: Sequence[IgnoresCards], deals: range, seed: int) -> NDArray[np.float64]:
        """The same between agents that ignore their cards, where nobody asks for the hands afterwards."""
        if (graph := betting_graph(self.game)) is not None:
            return play_by_graph(self.game, graph, agents, deals, seed, self._scale)
        game, values = self.game, np.zeros((len(deals), self.seats))
        if game not in (kept := _spare.__dict__.setdefault("rooms", {})):
            block = self.table(range(max(1, _HANDS_AT_ONCE // self.plays_per_deal)), seed)
            kept.clear()
            kept[game] = block.state[0].copy(), np.stack([game.deck_array] * 2), _room(block)
        start, decks, room = kept[game]
        keys, mixtures = np.array([stream(seed, "deal"), stream(seed, "luck")]), np.array([a.mixture() for a in agents])
        constants, done = (mixtures, tables(), self._scale), 0
        while True:
            done += _play_deals(
                game.row[None, :], start, deals.start + done, keys, decks, room, *constants, values[done:]
            )
            if done == len(deals):
                return values
            # A hand has more actions than there is room for: its block begins again.
            room = room._replace(history=np.empty((len(room.rows), 2 * room.history.shape[1]), np.int64))
            kept[game] = start, decks, room

    def _lines(self, table: Table, net: Ints, agents: Sequence[Agent[Observations]], first: int) -> list[str]:
        names, number = [agent.name for agent in agents], first * self.plays_per_deal
        return table_lines(self.game, table.state, table.history, table.cards, net, table.seating, number, names)


@dataclass(frozen=True)
class LucklessMatch:
    """A match whose hands are looked at once more, to take luck out of their results."""

    match: HoldemMatch
    aivat: Aivat
    known: tuple[bool, ...]
    """By player of the match whether its policy is known exactly."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The estimates, by name."""
        return ("plain", *self.aivat.grades)

    @property
    def value(self) -> str:
        """What states are taken to be worth, by name."""
        return self.aivat.value if isinstance(self.aivat.value, str) else self.aivat.value.name

    @property
    def plays_at_once(self) -> int:
        """Plays that are one piece of work."""
        return 128 if self.aivat.grade == "ranges" else 4096 if self.match.seats == 2 else 1200

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str], NDArray[np.float64]]:
        """As `HoldemMatch.play`, and what the first agent won by deal, play and estimate, in big blinds."""
        match = self.match
        table, net = match._played(agents, deals, seed)
        asked = [agent if known else None for agent, known in zip(agents, self.known, strict=True)]
        found = self.aivat.of_first(table, net, asked, match.plays_per_deal) / match.game.big_blind
        lines = match._lines(table, net, agents, deals.start) if log else []
        values = match._values(table, net, len(deals))
        return values, lines, found.reshape(len(deals), match.plays_per_deal, -1)


def _play(table: Table, agents: Sequence[Agent[Observations]], settle: Callable[[Table], Ints] = Table.settle) -> Ints:
    """Play hands to their end and tell those who learn of them; gives what each position won."""
    play_out(table, agents)
    net = settle(table)
    for player, agent in enumerate(agents):
        if agent.learns:
            agent.on_hands_finished(Finished.of(table, player, net))
    return net


def played_lines(game: Rules, agents: Sequence[Agent[Observations]], hands: int, seed: int = 0) -> Iterator[list[str]]:
    """Let agents play so many hands, every deal once, the seats going round; gives a log's lines, batch by batch.

    Equal names are told apart by number.
    """
    if len(agents) != game.players:
        raise UnreadableError(f"{game.name} seats {game.players} agents, {len(agents)} were given")
    for agent in agents:
        reason = agent.unsupported_reason(game)
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    names = distinct_names([agent.name for agent in agents])
    for begin in range(0, hands, _BATCH):
        numbers = np.arange(begin, min(begin + _BATCH, hands))
        cards = deal_cards(game, stream(seed, "deal"), numbers)
        seating = ((numbers[:, None] + np.arange(game.players)) % game.players).astype(np.int16)
        table = Table(game, cards, rng_key=hand_keys(stream(seed, "luck"), numbers), seating=seating)
        net = _play(table, agents)
        yield table_lines(game, table.state, table.history, table.cards, net, seating, begin, names)


def generate(
    game: str | Rules,
    agents: Sequence[str | Agent[Observations]],
    hands: int,
    *,
    to: str | Path,
    seed: int = 0,
    progress: Callable[[int], None] = lambda hands: None,
) -> Path:
    """Let agents play and write the hands to a new log: every deal is played once, the seats going round.

    Args:
        game: Its rules, the name of a preset or the path of a `.game` file.
        agents: As many as the game seats, each a name (`"rich"`, `"hero.mz"`, `"mybot.py"`) or an agent.
        hands: How many hands.
        to: The log's path; a file that exists is never written over.
        seed: Same seed, same cards and same random choices.
        progress: Is told how many more hands were written.
    """
    definition, path = rules(game), Path(to)
    batches = played_lines(definition, [find_agent(one) for one in agents], hands, seed)
    first = next(batches)  # what is wrong with the request is said before a file is begun
    with new_log(path, definition.name, hands, seed) as file:
        for lines in chain([first], batches):
            file.writelines(line + "\n" for line in lines)
            progress(len(lines))
    return path
