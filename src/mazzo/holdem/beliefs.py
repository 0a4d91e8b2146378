"""What a player may hold, given all that it did: the exact chance of each of the 1,326 holdings, by Bayes' rule.

Each holding is as likely at first. For every decision the player took, its chance is multiplied by how likely a model
of the player was to do just that with it: the player's own policy if it is one of our agents, else that of a stand-in
(a clone, `chart`), and then everything said about the range is said about the stand-in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats
from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import find_agent
from mazzo.holdem.bayes import free_of, holdings, ranges_of, reasoned, with_all_holdings
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.ranges import ink

__all__ = ["HoldingChances", "holdings", "range_of", "range_seen", "ranges_of", "with_all_holdings"]

_RANKS = "AKQJT98765432"


@dataclass(frozen=True)
class HoldingChances(Shown):
    """The chance of each holding of one player."""

    p: Floats
    """By holding, in the order of `holdings()`; they add up to one."""
    model: str
    """Whose policy it was worked out by."""
    decisions: int
    """How many decisions of the player it rests on."""
    evidence: float
    """How likely the model was to act as the player did, the mean over all holdings that were possible."""
    exact: bool = True
    """Whether the model's chances are known exactly; else they are sampled."""

    def __getitem__(self, hand: str) -> float:
        """The chance of a holding, `AsKd`, or of a class, `AKs`."""
        from mazzo.holdem.odds.ranges import parse_range

        return float(sum(self.p[b * (b - 1) // 2 + a] for a, b in parse_range(hand).weights))

    def classes(self) -> list[list[float]]:
        """Chances by class of starting hand, a 13 x 13 grid: suited above the diagonal, offsuit below it."""
        from mazzo.holdem.odds.ranges import grid_places

        grid = np.zeros((13, 13))
        np.add.at(grid, grid_places(holdings()), self.p)
        return [[float(cell) for cell in row] for row in grid]

    def as_dict(self) -> dict[str, Any]:
        """The chances as plain data: of each class, and what they rest on."""
        grid = {
            f"{_RANKS[min(r, k)]}{_RANKS[max(r, k)]}{'' if r == k else 's' if r < k else 'o'}": cell
            for r, row in enumerate(self.classes())
            for k, cell in enumerate(row)
        }
        return {"model": self.model, "decisions": self.decisions, "exact": self.exact, "classes": grid}

    def section(self) -> Section:
        """The grid of classes in parts of a thousand, and what it rests on."""
        rows = [
            (_RANKS[k], *(f"{1000 * cell:.0f}" if cell else "." for cell in row))
            for k, row in enumerate(self.classes())
        ]
        sampled = "" if self.exact else ", whose choices are sampled"
        words = [
            f"{int((self.p > 0).sum())} of 1,326 holdings; by {self.decisions} decisions and the policy of "
            f"{self.model}{sampled}; in thousandths, suited above the diagonal"
        ]
        combinations = [[6 if r == k else 4 if r < k else 12 for k in range(13)] for r in range(13)]
        dense = np.array(self.classes()) / np.array(combinations)  # the chance of one holding of the class
        inks = [["", *(ink(float(share)) for share in row)] for row in dense / dense.max()]
        return Section("range", words, tables=[Grid(("", *_RANKS), rows, inks=inks)])


def range_of(
    agent: str | Agent[Any],
    hand: Hand | str,
    seat: int,
    *,
    dead: str | Sequence[Any] = (),
    doubt: float = 0.0,
    any_raise: bool = False,
) -> HoldingChances:
    """The chance of each holding of the player in a seat, given all it did in a hand.

    Args:
        agent: Whose policy stands for the player: the player itself, or a stand-in.
        hand: A hand under way or over; as text too.
        seat: The player's position, 0 is the first after the button.
        dead: Cards known to be elsewhere, such as one's own: `"AsKd"`. The board's are always left out.
        doubt: How much of every decision is put down to chance, 0 to 1: for a model of a person 0.01 to 0.02, so that
            one surprising action does not rule out what it had thought likely.
        any_raise: Whether raises of all amounts count as the same: for a model of a person, who bets other amounts.
    """
    played, model = Hand.parse(hand) if isinstance(hand, str) else hand, find_agent(agent)
    if reason := _why_not(model, played.rules, seat, doubt):  # before a seat that is not there is looked at
        raise UnreadableError(reason)
    gone = [int(card) for card in (FRENCH.parse(dead) if isinstance(dead, str) else dead)]
    seen = played._table.observe(np.array([played._row]), np.array([seat]))
    return range_seen(model, seen, seat, gone, doubt, any_raise)


def range_seen(
    model: Agent[Any],
    seen: Observations,
    seat: int,
    dead: Sequence[int] = (),
    doubt: float = 0.0,
    any_raise: bool = False,
) -> HoldingChances:
    """`range_of` by the public part of one observation: what the player in a seat may hold, given all it did."""
    if reason := _why_not(model, seen.game, seat, doubt):
        raise UnreadableError(reason)
    gone = [*(int(card) for card in seen.board[0] if card >= 0), *dead]
    possible = free_of(np.array([gone], np.int64).reshape(1, -1))
    if not possible.any():
        raise UnreadableError(f"no holding is left for position {seat} without {len(gone)} cards")
    chance, exact = reasoned(model, seen, np.array([seat]), possible, doubt, any_raise)
    total, decisions = float(chance.sum()), int((seen.actors[0, : int(seen.state[0, c.COUNT])] == seat).sum())
    if total <= 0:
        raise UnreadableError(f"{model.name} never plays as position {seat} did: no holding is left")
    return HoldingChances(chance[0] / total, model.name, decisions, total / float(possible.sum()), exact)


def _why_not(model: Agent[Any], rules: Any, seat: int, doubt: float) -> str:
    if rules.hole_cards != 2 or len(rules.deck) != 52:
        return f"ranges are of two cards of 52, not of {rules.name}"
    if not 0 <= seat < rules.players:
        return f"seat must be 0 to {rules.players - 1}, got {seat}"
    if not 0 <= doubt < 1:
        return f"doubt must be at least 0 and below 1, got {doubt}"
    return model.unsupported_reason(rules)
