"""How much can be won from agents: exact best responses in games small enough to be walked whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mazzo.agent import Agent
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import find_agent
from mazzo.holdem.rules import PRESETS, Rules, find_game
from mazzo.holdem.solver.ignores_cards import best_response
from mazzo.holdem.solver.regrets import Walker
from mazzo.holdem.solver.small_game import SmallGame, too_large
from mazzo.holdem.solver.strategies import strategy_of

__all__ = ["Exploitability", "can_be_exact", "exploit_exactly", "strategy_of"]


@dataclass(frozen=True)
class Exploitability(Shown):
    """What can be won from agents in given seats, in big blinds per hand."""

    game: str
    agents: tuple[str, ...]
    """By position."""
    best: tuple[float, ...]
    """By position what the best response wins there against the others."""
    values: tuple[float, ...] = ()
    """What each agent wins, playing the others; empty where that was not worked out."""
    exact: bool = True
    """Whether the agents' chances are known exactly; else they are sampled, and so are the figures."""

    @property
    def value(self) -> float:
        """What a best response gains over the agent in its seat, the mean over the seats."""
        return self.nash_conv / len(self.best)

    @property
    def nash_conv(self) -> float:
        """The sum of what all could gain: what agents win of each other adds up to nothing."""
        return sum(self.best)

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "value": self.value,
            "unit": "bb/hand",
            "kind": "exact" if self.exact else "sampled policy",
            "ci95": [self.value, self.value] if self.exact else None,
            "nash_conv": self.nash_conv,
            "values": list(self.values),
            "best_responses": list(self.best),
        }

    def section(self) -> Section:
        """By position what the agent wins, and what could be won."""
        wins = [f"{value:+.6f}" for value in self.values] or ["-"] * len(self.best)
        rows = [
            (str(p + 1), name, won, f"{best:+.6f}")
            for p, (name, won, best) in enumerate(zip(self.agents, wins, self.best, strict=True))
        ]
        words = [
            f"a best response gains {self.value:.6f} big blinds per hand, the mean over the seats"
            + ("" if self.exact else " (by sampled choices: its true figure differs)")
        ]
        header = ("position", "agent", "wins", "best response wins")
        return Section(f"exploitability at {self.game}", words, tables=[Grid(header, rows)])


def _ignores_cards(seats: Sequence[Agent[Any]], rules: Rules) -> bool:
    """Whether this is heads-up limit Hold'em against agents that ignore their cards, which is known exactly."""
    known = PRESETS["holdem-limit-2p"]
    return replace(rules, name=known.name) == known and all(agent.kernel == "mixture" for agent in seats)


def can_be_exact(agent: str | Agent[Any], rules: Rules) -> bool:
    """Whether what can be won from an agent can be worked out exactly."""
    return not too_large(rules) or _ignores_cards([find_agent(agent)], rules)


def exploit_exactly(agents: str | Agent[Any] | Sequence[str | Agent[Any]], game: str | Rules) -> Exploitability:
    """Exactly what can be won from agents, one a position; one agent alone plays in every seat.

    Works for every game that is small enough to be walked whole, and at heads-up limit Hold'em for an agent that
    ignores its cards. Agents and the game may be given by name.
    """
    rules = find_game(game)
    named = [agents] if isinstance(agents, (str, Agent)) else list(agents)
    seats = [find_agent(agent) for agent in (named * rules.players if len(named) == 1 else named)]
    if len(seats) != rules.players:
        raise UnreadableError(f"{rules.name} has {rules.players} seats: name one agent, or one for each seat")
    for agent in seats:
        if reason := agent.unsupported_reason(rules):
            raise UnreadableError(f"agent {agent.name!r} cannot play {rules.name}: {reason}")
    names = tuple(agent.name for agent in seats)
    if _ignores_cards(seats, rules):
        first, second = (best_response(agent) for agent in (seats[1], seats[0]))
        return Exploitability(rules.name, names, (first.big_blind, second.small_blind))
    if reason := too_large(rules):
        raise UnreadableError(reason)
    whole = SmallGame(rules, symmetric=False, free_folds=any(agent.folds_free for agent in seats))
    strategy, exact = strategy_of(seats, whole)
    walker, blind = Walker(whole), rules.big_blind
    values, best = (
        tuple(map(float, found / blind)) for found in (walker.values(strategy), walker.best_responses(strategy))
    )
    return Exploitability(rules.name, names, best, values, exact)
