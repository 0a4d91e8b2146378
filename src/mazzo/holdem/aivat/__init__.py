"""Results of hands with luck taken out: unbiased and of less variance.

This is AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018). To what a hand paid is added, for every card that
fell and every action drawn by a player whose policy is known, the mean worth of what could have come less the worth of
what came. Each of these has mean zero whatever worths are taken, as long as they were fixed before the hands were seen.
Three grades: `chance` (cards only), `actions` (and actions), `ranges` (and, instead of the cards that a known player
held, all it might have held, given what it did).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.aivat.ranges import with_ranges
from mazzo.holdem.aivat.real_cards import edges, with_real_cards
from mazzo.holdem.aivat.replaying import steps
from mazzo.holdem.aivat.several import of_several
from mazzo.holdem.aivat.small_games import GRADES, Grade, of_small_game
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.small_game import too_large
from mazzo.holdem.table import Table

__all__ = ["GRADES", "VALUES", "Aivat", "check_fixed", "known_agents", "why_not"]

VALUES = ("equity", "policies")
"""What states may be worth, but for an agent's winnings."""


@dataclass(frozen=True)
class Aivat:
    """How luck is taken out of a match."""

    grade: Grade = "actions"
    """The last of the grades that are worked out."""
    value: str | Agent[Any] = "equity"
    """What states are worth: `equity` times the pot; at small games also `policies` (what the agents of the match win
    from there) or an agent (what it wins from there against itself), such as a solved game."""

    @property
    def grades(self) -> tuple[Grade, ...]:
        """All that are worked out."""
        return GRADES[: GRADES.index(self.grade) + 1]

    def estimates(self, table: Table, net: Ints, agents: Sequence[Agent[Observations] | None], plays: int) -> Floats:
        """What position 0 won, in chips, by hand: as it was paid, then by grade.

        Args:
            table: Finished hands; the plays of one deal follow each other.
            net: What each position won in them.
            agents: By player of the match the agent, None for one whose policy is not known.
            plays: How often each deal was played.
        """
        if not too_large(table.game):
            small = of_small_game(table, agents, self.value, self.grades)
            return np.column_stack([net[:, 0].astype(np.float64), small])
        reached = table.state[:, c.ROUND].reshape(-1, plays).max(axis=1)
        first = slice(None, None, plays)
        edge = np.repeat(edges(table.cards[first], reached, table.rng_key[first]), plays, axis=0)
        chance, acts = with_real_cards(table, net, list(agents), edge)
        found: list[Floats] = [net[:, 0].astype(np.float64), chance, acts]
        if self.grade == "ranges":
            found.append(with_ranges(table, agents, plays))
        return np.column_stack(found[: len(self.grades) + 1])

    def of_first(self, table: Table, net: Ints, agents: Sequence[Agent[Observations] | None], plays: int) -> Floats:
        """What the first player of a match won, as `estimates` gives it for position 0; any number of players."""
        if table.game.players == 2:
            return self.estimates(table, net, agents, plays) * np.where(table.seating[:, :1] == 0, 1, -1)
        found = [net.astype(np.float64), *of_several(table, net, agents, plays)][: len(self.grades) + 1]
        first = table.seating.argmin(axis=1)
        return np.column_stack([values[np.arange(len(table)), first] for values in found])


def why_not(game: Rules, value: str | Agent[Any] = "equity", grade: str = "actions") -> str:
    """Why luck cannot be taken out of a game's results, in words; empty if it can."""
    small = not too_large(game)
    if small and game.players != 2:
        return f"luck is taken out of small games for two players, not of {game.name} for {game.players}"
    if game.players != 2 and grade == "ranges":
        return f"ranges are between two players; at {game.name} luck is taken out by chance or actions"
    if not small and (game.hole_cards, game.board_cards, len(game.deck)) != (2, (0, 3, 1, 1), 52):
        return f"luck is taken out of Hold'em and of games small enough to be listed whole, not of {game.name}"
    if isinstance(value, str) and value not in VALUES:
        return f"states are worth {' or '.join(VALUES)}, or what an agent wins, not {value!r}"
    if not small and value != "equity":
        return f"{game.name} is too large to be walked whole: its states are worth equity times the pot"
    return ""


def check_fixed(agents: Sequence[Agent[Observations]]) -> None:
    """Refuse agents that learn."""
    for agent in agents:
        if agent.learns:
            raise UnreadableError(
                f"luck cannot be taken out of a match with {agent.name!r}: it learns, so that when the hands are "
                "looked at its policy is no longer the one that played them"
            )


def known_agents(agents: Sequence[Agent[Observations]], table: Table) -> list[Agent[Observations] | None]:
    """The agents whose policies are known exactly, None in the place of others.

    Args:
        agents: The players of the match.
        table: Some finished hands of theirs, to ask about.
    """
    known: list[Agent[Observations] | None] = [None if agent.sees_all else agent for agent in agents]
    for step in steps(table):
        for player, agent in enumerate(agents):
            at = step.of(player)
            if len(at) and known[player] is not None:
                policy = agent.policy(step.seen[at])
                if not policy.exact or policy.spread is not None:
                    known[player] = None
    return known
