"""What a player may hold, given all that it did: the exact chance of each of the 1,326 holdings, by Bayes' rule.

Each holding is as likely at first. For every decision the player took, its chance is multiplied by how likely a model
of the player was to do just that with it: the player's own policy if it is one of our agents, else that of a stand-in
(a clone, `chart`), and then everything said about the range is said about the stand-in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Flags, Floats, Ints
from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.agents import find_agent
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.ranges import ink
from mazzo.holdem.rules import Rules

__all__ = ["HoldingChances", "holdings", "range_of", "range_seen", "ranges_of", "with_all_holdings"]

_RANKS = "AKQJT98765432"


@cache
def holdings() -> NDArray[np.uint8]:
    """The 1,326 holdings, lower card first; holding {a < b} stands at b (b - 1) / 2 + a."""
    pairs = holes().astype(np.uint8)
    pairs.flags.writeable = False
    return pairs


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
        low, high = holdings().T.astype(np.int64)
        ranks, suited = np.sort([12 - (low >> 2), 12 - (high >> 2)], axis=0), (low & 3) == (high & 3)
        rows, columns = np.where(suited, ranks, ranks[::-1])
        grid = np.zeros((13, 13))
        np.add.at(grid, (rows, columns), self.p)
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


def _decisions(rules: Rules, state: Ints, history: Ints, seat: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The decisions that the players in `seat` took in some hands, from the public record of each.

    Gives by decision the row of its hand, state and history as they were, and what was done.
    """
    row, now = rules.row[None, :], np.zeros_like(state)
    now[:, c.GAME] = 0
    players = slice(c.ROOM, c.ROOM + rules.players)
    now[:, players] = state[:, players] + state[:, c.ANTE : c.ANTE + rules.players]
    kernels.begin_rows(row, now, np.arange(len(now)))
    record = np.zeros((len(now), history.shape[1] + 1), np.int64)
    found: list[tuple[Ints, Ints, Ints, Ints]] = []
    for k in range(history.shape[1]):
        going = np.flatnonzero(k < state[:, c.COUNT])
        taken = history[going, k] >> c.ACTOR_BITS
        own = now[going, c.ACTOR] == seat[going]
        found.append((going[own], now[going[own]], record[going[own]].copy(), taken[own]))
        kernels.apply_rows(row, now, record, going, taken)
    if not found:
        return np.zeros(0, np.int64), state[:0], history[:0], np.zeros(0, np.int64)
    rows, states, records, done = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, states, records[:, : history.shape[1]], done


def with_all_holdings(o: Observations, state: Ints, history: Ints, possible: Flags) -> Observations:
    """What the players to act would see with each possible holding: row by row, holding by holding.

    Args:
        o: Observations of the same hands, for their rules and board; a row a hand.
        state: The public state of each, with the player to act.
        history: The record of each.
        possible: By row and holding whether it may be held.
    """
    row, holding = np.nonzero(possible)
    states = state[row]
    board = o.board[row].copy()
    for street in range(o.game.rounds):
        board[states[:, c.ROUND] == street, o.game.board_seen(street) :] = -1
    owed, low, high = (k[row] for k in kernels.legal_rows(o.game.row[None, :], state, np.arange(len(state))))
    keys = (np.arange(1, len(states) + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    return Observations(
        o.game, states, history[row], holdings()[holding], board, owed, low, high, keys, o.seating[row]
    )  # fmt: skip


def ranges_of(model: Agent[Any], o: Observations, seat: Ints, doubt: float = 0.0) -> Floats:
    """What the players in `seat` may hold, as the owner of each observation can know it: rows of 1,326 chances.

    A row that the model never plays so is spread evenly over what is possible.
    """
    possible = _free(np.concatenate([o.hole.astype(np.int64), o.board.astype(np.int64)], axis=1))
    chance, _ = _reasoned(model, o, seat, possible, doubt)
    total = chance.sum(axis=1, keepdims=True)
    even = possible / possible.sum(axis=1, keepdims=True)
    return np.where(total > 0, chance / np.where(total > 0, total, 1.0), even)


def _reasoned(model: Agent[Any], o: Observations, seat: Ints, possible: Flags, doubt: float) -> tuple[Floats, bool]:
    """By row and holding how likely the model is to have done all that was done; and whether that is exact."""
    rows, states, records, taken = _decisions(o.game, o.state, o.history, seat)
    chance, exact = possible.astype(np.float64), True
    order = np.argsort(rows, kind="stable")
    for some in np.array_split(order, max(1, len(order) // 64)):
        if len(some):
            asked = with_all_holdings(o[rows[some]], states[some], records[some], possible[rows[some]])
            policy = model.policy(asked)
            exact &= policy.exact
            which, holding = np.nonzero(possible[rows[some]])
            likely = (1 - doubt) * policy.likelihood(taken[some][which]) + doubt / 3
            np.multiply.at(chance, (rows[some][which], holding), likely)
    return chance, exact


def _free(gone: Ints) -> Flags:
    """By row and holding whether neither card is among those that are gone; -1 is no card."""
    used = np.zeros((len(gone), 53), np.bool_)
    used[np.arange(len(gone))[:, None], gone] = True  # -1 falls on the last column, which no holding has
    low, high = holdings().T.astype(np.int64)
    return ~(used[:, low] | used[:, high])


def range_of(
    agent: str | Agent[Any], hand: Hand | str, seat: int, *, dead: str | Sequence[Any] = (), doubt: float = 0.0
) -> HoldingChances:
    """The chance of each holding of the player in a seat, given all it did in a hand.

    Args:
        agent: Whose policy stands for the player: the player itself, or a stand-in.
        hand: A hand under way or over; as text too.
        seat: The player's position, 0 is the first after the button.
        dead: Cards known to be elsewhere, such as one's own: `"AsKd"`. The board's are always left out.
        doubt: How much of every decision is put down to chance, 0 to 1: for a model of a person 0.01 to 0.02, so that
            one surprising action does not rule out what it had thought likely.
    """
    played, model = Hand.parse(hand) if isinstance(hand, str) else hand, find_agent(agent)
    if reason := _why_not(model, played.rules, seat, doubt):  # before a seat that is not there is looked at
        raise UnreadableError(reason)
    gone = [int(card) for card in (FRENCH.parse(dead) if isinstance(dead, str) else dead)]
    seen = played._table.observe(np.array([played._row]), np.array([seat]))
    return range_seen(model, seen, seat, gone, doubt)


def range_seen(
    model: Agent[Any], seen: Observations, seat: int, dead: Sequence[int] = (), doubt: float = 0.0
) -> HoldingChances:
    """`range_of` by the public part of one observation: what the player in a seat may hold, given all it did."""
    if reason := _why_not(model, seen.game, seat, doubt):
        raise UnreadableError(reason)
    gone = [*(int(card) for card in seen.board[0] if card >= 0), *dead]
    possible = _free(np.array([gone], np.int64).reshape(1, -1))
    if not possible.any():
        raise UnreadableError(f"no holding is left for position {seat} without {len(gone)} cards")
    chance, exact = _reasoned(model, seen, np.array([seat]), possible, doubt)
    total, decisions = float(chance.sum()), int((seen.actors[0, : int(seen.state[0, c.COUNT])] == seat).sum())
    if total <= 0:
        raise UnreadableError(f"{model.name} never plays as position {seat} did: no holding is left")
    return HoldingChances(chance[0] / total, model.name, decisions, total / float(possible.sum()), exact)


def _why_not(model: Agent[Any], rules: Any, seat: int, doubt: float) -> str:
    if rules.hole_cards != 2 or len(rules.deck) != 52:
        return f"ranges are of two cards of 52, not of {rules.name}"
    if not 0 <= seat < rules.players:
        return f"seat is 0 to {rules.players - 1}, not {seat}"
    if not 0 <= doubt < 1:
        return f"doubt is from 0 to below 1, not {doubt}"
    return model.unsupported_reason(rules)
