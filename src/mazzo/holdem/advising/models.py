"""Who stands for each player at a table: its own policy, its clone, or a player of its statistics.

The best that is known is taken, and named in every sentence: an agent's own policy (which can be switched off), the
clone of a person if there is one, a stand-in by the person's statistics, a usual player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, check_safe, safe_parameters, split_name
from mazzo.arrays import Floats, Ints
from mazzo.errors import MazzoError, UnreadableError
from mazzo.folders import data_directory
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS, find_agent
from mazzo.holdem.agents.typical import USUAL_BETS, USUAL_FOLDS, Typical, usual_played
from mazzo.holdem.bayes import holdings
from mazzo.holdem.beliefs import HoldingChances, range_seen
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds import equities
from mazzo.holdem.statistics.tally import (
    CALLS,
    CHECKS,
    FACED,
    FOLDED,
    HANDS,
    RAISES,
    CountedHands,
    PlayerTally,
    counted,
)

__all__ = ["SeenFigures", "StandIn", "TableCompany", "clone_of", "figures_of", "harmless", "stand_in"]

_PRIOR = 30
"""Hands of usual play that are added to what was seen of a person, so that five hands do not make a portrait."""
_DOUBT = 0.02
_NAME = re.compile(r"[\w -]{1,40}", re.ASCII)
LOOSER, TIGHTER = 1.7, 0.6
"""How much more, or less, than the stand-in the loose and the tight one play."""
_TILT = 1.0


@dataclass(frozen=True)
class SeenFigures:
    """What was seen of a player, as counts."""

    hands: int = 0
    played: int = 0
    raised: int = 0
    bets: int = 0
    checks: int = 0
    calls: int = 0
    faced: int = 0
    folded: int = 0

    @classmethod
    def of_tally(cls, player: PlayerTally) -> SeenFigures:
        """From what was counted of one player of a log."""
        return cls.of(player.counts, player.voluntary, player.raised)

    @classmethod
    def of(cls, counts: Ints, voluntary: int, raised: int) -> SeenFigures:
        """From counts by street and kind."""
        after = counts[1:4]
        return cls(
            int(counts[0, HANDS]),
            int(voluntary),
            int(raised),
            int(after[:, RAISES].sum()),
            int(after[:, CHECKS].sum()),
            int(after[:, CALLS].sum()),
            int(after[:, FACED].sum()),
            int(after[:, FOLDED].sum()),
        )

    @classmethod
    def read(cls, given: Any) -> SeenFigures | None:
        """From plain data that anybody may have written; None where it is no such thing."""
        if not isinstance(given, Mapping):
            return None
        counts = {name: given.get(name, 0) for name in asdict(cls())}
        right = all(isinstance(k, int) and not isinstance(k, bool) and 0 <= k < 10**9 for k in counts.values())
        return cls(**counts) if right else None

    def __add__(self, other: SeenFigures) -> SeenFigures:
        return SeenFigures(*(a + b for a, b in zip(asdict(self).values(), asdict(other).values(), strict=True)))

    def agent(self, players: int) -> str:
        """The player of these figures, with some usual play added, by name."""
        usual = usual_played(players)
        played = (self.played + _PRIOR * usual) / (self.hands + _PRIOR)
        raised = min(played, (self.raised + _PRIOR * 0.72 * usual) / (self.hands + _PRIOR))
        bets = (0.9 * self.bets + _PRIOR * USUAL_BETS) / (self.bets + self.checks + _PRIOR)
        folds = (self.folded + _PRIOR * USUAL_FOLDS) / (self.faced + _PRIOR)
        return f"typical:played={played:.3f},raised={raised:.3f},bets={bets:.3f},folds={folds:.3f}"


@dataclass(frozen=True)
class TableCompany:
    """Who sits at a table, position by position, as everybody there may know it."""

    names: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """What plays in each position; empty for a person."""
    figures: tuple[SeenFigures | None, ...] = ()
    live: tuple[Agent[Any] | None, ...] = ()
    """Agents that learn, as they are now; for others the name says all."""

    def name(self, position: int) -> str:
        """What a player is called."""
        return self.names[position] if position < len(self.names) else f"position {position}"

    def as_dict(self) -> dict[str, Any]:
        """As plain data, for a record of a hand."""
        known = [None if f is None else asdict(f) for f in self.figures]
        return {"agents": list(self.agents), **({"figures": known} if any(known) else {})}

    @classmethod
    def read(cls, record: Mapping[str, Any], names: Sequence[str]) -> TableCompany:
        """Who sat at the table of a record; nothing in it is trusted. A player that is called as an agent is it."""
        given, known = record.get("agents"), record.get("figures")
        agents = given if isinstance(given, list) and len(given) == len(names) else names
        figures = known if isinstance(known, list) and len(known) == len(names) else [None] * len(names)
        plain = [re.sub(r"#\d{1,3}$", "", str(name)[:120]) for name in agents]
        return cls(tuple(names), tuple(a if harmless(a) else "" for a in plain), tuple(map(SeenFigures.read, figures)))


def figures_of(hand: Hand) -> list[SeenFigures]:
    """What each position did in a finished hand."""
    table, players = hand._table, hand.game.players
    row = slice(hand._row, hand._row + 1)
    unknown = np.full((1, players), np.nan)  # what was won is not asked
    state = table.state[row].copy()
    state[:, c.GAME] = 0
    hands = CountedHands(hand.game.row[None, :], state, table.history[row], np.arange(players)[None, :], unknown)
    found = counted(hands, players)
    counts = zip(found.counts, found.voluntary, found.raised, strict=True)
    return [SeenFigures.of(*of_player) for of_player in counts]


def harmless(name: str) -> bool:
    """Whether an agent of this name may be made of what a file or a link says: it reads no file and runs no program."""
    try:
        base, _ = split_name(name)
        if base not in AGENTS or safe_parameters(AGENTS[base]) is None:
            return False
        check_safe(name, AGENTS[base])
    except MazzoError:
        return False
    return True


def clone_of(name: str) -> Path | None:
    """The clone of a person of this name, where one was put among this user's: `clones/NAME.mz`."""
    if not _NAME.fullmatch(name):
        return None
    path = data_directory() / "clones" / f"{name}.mz"
    return path if path.is_file() else None


@dataclass(frozen=True)
class StandIn:
    """Who answers for a player, and how that is said."""

    agent: Agent[Any]
    kind: str
    """`own`, `clone`, `figures` or `usual`."""
    words: str
    name: str = ""
    """Of the player."""
    notes: tuple[str, ...] = ()
    tilt: float = 0.0
    """Above 0 stronger holdings are likelier than the model says, below 0 weaker ones."""

    @property
    def own(self) -> bool:
        """Whether it is the player's own policy: then nothing is put down to chance, and no other range is tried."""
        return self.kind == "own"

    def chances(self, seen: Observations, position: int, dead: Sequence[int] = ()) -> HoldingChances:
        """The chance of each holding of the player, given all it did."""
        if self.own:
            return range_seen(self.agent, seen, position, dead)
        doubt = _DOUBT if self.kind == "clone" else 0.0  # a typical player has its own doubts
        found = range_seen(self.agent, seen, position, dead, doubt, any_raise=True)
        return found if not self.tilt else replace(found, p=_tilted(found.p, seen.board[0], self.tilt))

    def range(self, seen: Observations, position: int, dead: Sequence[int] = ()) -> Floats:
        """The chances alone."""
        return self.chances(seen, position, dead).p

    def scaled(self, factor: float, players: int) -> StandIn:
        """A looser or tighter one in its place: of a clone, a usual player so much looser or tighter.

        The tight one has stronger holdings and the loose one weaker ones than what they play would make them have.
        """
        base = self.agent if isinstance(self.agent, Typical) else Typical()
        tilt = _TILT if factor < 1 else -_TILT
        return StandIn(base.scaled(factor, players), self.kind, self.words, self.name, (), tilt)


def _tilted(p: Floats, board: NDArray[np.int8], tilt: float) -> Floats:
    """A range with stronger holdings likelier: the strongest e^tilt times, the weakest e^-tilt times."""
    held = np.flatnonzero(p > 0)
    won, of = equities(holdings()[held], np.tile(board, (len(held), 1)), 1)
    place = np.argsort(np.argsort(won / of)) / max(len(held) - 1, 1)
    out = np.zeros_like(p)
    out[held] = p[held] * np.exp(tilt * (2 * place - 1))
    return np.asarray(out / out.sum())


def _figures_agent(company: TableCompany, position: int, players: int) -> tuple[Typical, str, str]:
    figures = company.figures[position] if position < len(company.figures) else None
    if figures is None or not figures.hands:
        agent = find_agent("typical")
        assert isinstance(agent, Typical)
        return agent, "usual", f"a usual player in place of {company.name(position)}, of whom nothing is known"
    agent = find_agent(figures.agent(players))
    assert isinstance(agent, Typical)
    played, raised = agent.shares(players)
    seen = f"{figures.hands} {'hands' if figures.hands > 1 else 'hand'}"
    plays = f"plays {played:.0%} of hands and raises {raised:.0%}"
    words = f"a player in place of {company.name(position)} who by {seen} {plays}"
    return agent, "figures", words


def stand_in(company: TableCompany, position: int, seen: Observations, own: bool = True) -> StandIn:
    """The best that is known to stand for the player at a position.

    Args:
        company: Who sits at the table.
        position: The player.
        seen: The decision: what stands in must be able to play its game, and to have done what the player did.
        own: Whether agents' own policies are used.
    """
    players = seen.game.players
    notes: list[str] = []
    name = company.agents[position] if own and position < len(company.agents) else ""
    if name:
        try:
            agent = _own_agent(name, seen, company.live[position] if position < len(company.live) else None)
            range_seen(agent, seen, position)
            person = company.name(position)
            known = "" if person == name else f", {name}"
            return StandIn(agent, "own", f"the policy of {person} itself{known}", person)
        except MazzoError as error:
            notes.append(f"the own policy of {company.name(position)} is not used: {error}")
    elif path := clone_of(company.name(position)):
        try:
            agent = find_agent(f"clone:model={path},mix=true")
            range_seen(agent, seen, position, (), _DOUBT, any_raise=True)
            return StandIn(agent, "clone", f"the clone of {company.name(position)}", company.name(position))
        except MazzoError as error:
            notes.append(f"the clone of {company.name(position)} is not used: {error}")
    typical, kind, words = _figures_agent(company, position, players)
    return StandIn(typical, kind, words, company.name(position), tuple(notes))


def _own_agent(name: str, seen: Observations, live: Agent[Any] | None) -> Agent[Any]:
    """An agent whose policy can be asked for all holdings within a moment."""
    if re.search(r"\.py\b", name):
        raise UnreadableError("a program is not asked for its policy")
    agent = live or find_agent(name)
    if reason := agent.unsupported_reason(seen.game):
        raise UnreadableError(reason)
    if agent.learns and live is None:
        raise UnreadableError("it learns, and what it has learned by now is not known here")
    if bool(agent.draws(seen).any()) and type(agent).policy is Agent.policy:
        raise UnreadableError("its choices are drawn, and sampling them for every holding takes too long")
    return agent
