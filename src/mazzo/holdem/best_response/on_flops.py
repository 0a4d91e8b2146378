"""The best response of the whole heads-up limit game on sampled flops: what can be won from an agent.

On each flop, turns and rivers are all walked, or some that are drawn. All holdings of both are looked at at once, the
agent's weighed by how likely it plays so. Whoever chooses by cards that were drawn and counts what it wins on the same
cards counts luck as skill. So a choice before the river rests on the other cards of its sample alone, and is counted
on the one that was left out, each being left out in turn; before the flop so with the flops. What is counted is won by
a strategy that could be played: the best response wins at least as much in the mean. On the river nothing is drawn any
more, and the choice is the best.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.confidence import INTERVAL
from mazzo.document import Grid, Section, Shown, between
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import find_agent
from mazzo.holdem.aivat.showdowns import HOLDINGS, edges_on
from mazzo.holdem.best_response.streets import StreetByStreet, free_of
from mazzo.holdem.odds.isomorphism import HOLE
from mazzo.holdem.rules import UNLIMITED, Rules, find_game
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["FEWEST", "OnFlops", "best_response_on_flops", "stream_on_flops", "time_of_a_flop"]

FEWEST = 4
"""Turns or rivers at least: one is left out, two may be in the hand, and one must remain to choose by."""

TURNS = RIVERS = 8
"""Walked of each flop, and of each turn, unless more are wanted."""

_FLOPS = comb(52, 3)
_FLOPS_FOR_ONE, _FLOPS_FOR_TWO = comb(50, 3), comb(48, 3)
"""All flops, those that miss one hand, and those that miss two."""


@dataclass(frozen=True)
class OnFlops(Shown):
    """What a response to an agent wins, chosen and counted on different cards."""

    game: str
    agent: str
    by_seat: tuple[Estimate, Estimate]
    """By seat of the response, in big blinds a hand."""
    estimate: Estimate
    """The mean over both seats."""
    flops: int
    turns: int
    rivers: int

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "game": self.game,
            "agents": [self.agent],
            "value": self.estimate.mean,
            "unit": "bb/hand",
            "kind": "lower bound",
            "ci95": list(self.estimate.student95),
            "standard_error": self.estimate.standard_error,
            "best_responses": [seat.mean for seat in self.by_seat],
            "flops": self.flops,
            "turns": self.turns,
            "rivers": self.rivers,
        }

    def section(self) -> Section:
        """By seat and in the mean what is won, with the interval."""
        seats = (("position 1", self.by_seat[0]), ("position 2", self.by_seat[1]), ("mean of both", self.estimate))
        rows = [(name, f"{found.mean:+.4f}", between(found.student95)) for name, found in seats]
        cards = f"{self.flops} flops, {self.turns} turns of each, {self.rivers} rivers of each of these"
        words = [
            f"a response to {self.agent} wins this much; the best response wins at least as much, but for what the "
            f"sample of {cards} leaves open"
        ]
        table = Grid(("seat", "bb per hand", INTERVAL), rows)
        return Section(f"what can be won from {self.agent} at {self.game}", words, tables=[table])


@dataclass(frozen=True)
class _OneFlop:
    """All that is needed to walk one flop: a piece of work."""

    rules: Rules
    agent: Agent[Any]
    seed: int
    turns: int
    rivers: int

    def __call__(self, number: int) -> dict[str, Any]:
        """What each class of starting hand wins on a flop, by seat and way to it; and how many holdings it is."""
        cards = np.random.default_rng([self.seed, number]).permutation(52)
        flop = [int(card) for card in cards[:3]]
        free = free_of(flop)
        won = []
        for seat in range(2):
            walk = StreetByStreet(self.rules, self.agent, seat)
            found = _Walk(walk, self.turns, self.rivers, [self.seed, number]).flop(flop)
            won.append([_by_class(row * free).tolist() for row in found])
        return {"won": won, "holdings": _by_class(free).tolist()}


def _by_class(values: Floats) -> Floats:
    """Sums over the holdings of each of the 169 classes."""
    return np.asarray(np.bincount(HOLE.index(HOLDINGS), values, minlength=HOLE.size), np.float64)


@dataclass(frozen=True)
class _Walk:
    """The walk through the turns and rivers of a flop."""

    walk: StreetByStreet
    turns: int
    rivers: int
    seeds: list[int]

    def flop(self, board: Sequence[int]) -> Floats:
        """By way to the flop and holding of the responder what it wins from there on."""
        before = self.walk.reached(0, np.arange(1), (), np.ones((1, len(HOLDINGS))))
        return self._from(1, board, _onward(self.walk, 0, np.arange(1), before))

    def _from(self, street: int, board: Sequence[int], reach: Floats) -> Floats:
        """By block of a street and holding what is won from its beginning on."""
        walk, out = self.walk, np.zeros(reach.shape)
        reach = reach * free_of(board)
        blocks = np.flatnonzero(reach.any(axis=1))
        if not len(blocks):
            return out
        reached = walk.reached(street, blocks, board, reach[blocks])
        paid = walk.paid(street, blocks, board, reached)
        if street == 3:
            out[blocks] = walk.best(street, paid, paid)
            return out
        cards = self._drawn(street, board)
        onward = _onward(walk, street, blocks, reached)
        after = np.array([self._from(street + 1, [*board, card], onward) for card in cards])
        ways = len(walk.streets[street].entries)
        kept = after.reshape(len(cards), -1, ways, len(HOLDINGS))[:, blocks]
        luck = np.zeros_like(kept)
        if len(cards) < 52 - len(board):
            down = self._checked_down(street, board, onward, cards)
            luck = down.reshape(len(cards), -1, ways, len(HOLDINGS))[:, blocks]
        out[blocks] = self._over(street, kept, cards, paid, luck)
        return out

    def _checked_down(self, street: int, board: Sequence[int], onward: Floats, cards: Sequence[int]) -> Floats:
        """By drawn card, block of the next street and holding how much more it would win than in the mean of all cards.

        That is if nobody bet again, which is known for all cards; and for one's own hand, which the card must miss.
        """
        left = [card for card in range(52) if card not in board]
        rows = np.flatnonzero(onward.any(axis=1))
        by_card = {card: np.zeros((len(rows), len(HOLDINGS))) for card in cards}
        whole = np.zeros((len(rows), len(HOLDINGS)))
        for more in combinations(left, 5 - len(board)):
            edge = edges_on(np.array([*board, *more]), onward[rows])
            whole += edge
            for card in set(more) & by_card.keys():
                by_card[card] += edge
        to_come = 5 - len(board)
        after = len(left) - 5 if to_come == 2 else 1  # cards that may still follow, and miss both hands
        mean = to_come * whole / (after * (len(left) - 2))
        chips = self.walk.chips_at(street + 1)[rows, None]
        out = np.zeros((len(cards), *onward.shape))
        for k, card in enumerate(cards):
            out[k, rows] = chips * (by_card[card] / after - mean) * free_of([card])
        return out

    def _drawn(self, street: int, board: Sequence[int]) -> list[int]:
        """The cards that come next: all, or some that are drawn."""
        left = [card for card in range(52) if card not in board]
        wanted = self.turns if street == 1 else self.rivers
        if wanted >= len(left):
            return left
        draw = np.random.default_rng([*self.seeds, *board])
        return [int(card) for card in draw.choice(left, wanted, replace=False)]

    def _over(self, street: int, after: Floats, cards: Sequence[int], paid: dict[int, Floats], luck: Floats) -> Floats:
        """What is won in the mean over the next card; `after` and `luck` are by card, block, way onward and holding."""
        walk, entries = self.walk, self.walk.streets[street].entries
        free = np.array([free_of([card]) for card in cards])
        after = after * free[:, None, None, :]
        left = 52 - (2 + street)  # cards that are not on the board
        scale = (left - 2) / (left - 4)  # cards that miss the own hand, for one that misses both
        total, count = (after - luck).sum(axis=0), free.sum(axis=0)

        def leaves(values: Floats) -> dict[int, Floats]:
            return {**paid, **{place: values[:, k] for k, place in enumerate(entries)}}

        if len(cards) == left:
            mean = leaves(total * scale / count)
            return walk.best(street, mean, mean)
        won = np.zeros((after.shape[1], after.shape[3]))
        for k in range(len(cards)):
            others = leaves((total - after[k] + luck[k]) * scale / np.maximum(count - free[k], 1))
            won += walk.best(street, others, leaves(after[k] * scale)) * free[k]
        return np.asarray(won / count)


def _onward(walk: StreetByStreet, street: int, blocks: Ints, reached: Sequence[Floats]) -> Floats:
    """By block of the next street and holding the chance to be at its beginning."""
    shape = walk.streets[street]
    out = np.zeros((len(shape.nodes), len(shape.entries), reached[0].shape[1]))
    out[blocks] = np.stack([reached[place] for place in shape.entries], axis=1)
    return out.reshape(-1, out.shape[2])


def _before_flop(walk: StreetByStreet, won: Floats, holdings: Floats) -> Floats:
    """By flop what a response wins a hand in chips, which chooses before the flop by the other flops.

    Args:
        walk: The betting.
        won: By flop, way to it and class of starting hand the sum over its holdings.
        holdings: By flop and class how many holdings it leaves.
    """
    start = np.arange(1)
    paid = walk.paid(0, start, (), walk.reached(0, start, (), np.ones((1, len(HOLDINGS)))))
    ends = {place: _by_class(values[0])[None] for place, values in paid.items()}
    sizes, out = _by_class(np.ones(len(HOLDINGS))), []

    def leaves(values: Floats) -> dict[int, Floats]:
        return {**ends, **{place: values[k][None] for k, place in enumerate(walk.streets[0].entries)}}

    for k in range(len(won)):
        there = np.maximum(holdings.sum(axis=0) - holdings[k], 1)
        others = (won.sum(axis=0) - won[k]) * sizes / there * (_FLOPS_FOR_ONE / _FLOPS_FOR_TWO)
        out.append(walk.best(0, leaves(others), leaves(won[k] * (_FLOPS / _FLOPS_FOR_TWO))).sum())
    return np.array(out) / (len(HOLDINGS) * comb(50, 2))


def _judged(work: _OneFlop, found: Sequence[dict[str, Any]]) -> OnFlops:
    holdings = np.array([flop["holdings"] for flop in found])
    by_seat = [
        _before_flop(StreetByStreet(work.rules, work.agent, seat), np.array([f["won"][seat] for f in found]), holdings)
        / work.rules.big_blind
        for seat in range(2)
    ]
    estimates = [Moments.of(values).estimate() for values in (*by_seat, np.mean(by_seat, axis=0))]
    seats, cards = (estimates[0], estimates[1]), (len(found), work.turns, work.rivers)
    return OnFlops(work.rules.name, work.agent.name, seats, estimates[2], *cards)


def _work(agent: str | Agent[Any], game: str | Rules, seed: int, turns: int, rivers: int) -> _OneFlop:
    rules, rival = find_game(game), find_agent(agent)
    shape = (rules.players, rules.limit, rules.hole_cards, rules.board_cards, len(rules.deck))
    if shape != (2, True, 2, (0, 3, 1, 1), 52) or rules.stacks != (UNLIMITED,) * 2:
        raise UnreadableError(f"flops are sampled at heads-up limit Hold'em, not at {rules.name}")
    if reason := rival.unsupported_reason(rules):
        raise UnreadableError(f"agent {rival.name!r} cannot play {rules.name}: {reason}")
    if min(turns, rivers) < FEWEST or turns > 49 or rivers > 48:
        raise UnreadableError(f"of a flop there are {FEWEST} to 49 turns, of a turn {FEWEST} to 48 rivers")
    return _OneFlop(rules, rival, seed, turns, rivers)


def time_of_a_flop(
    agent: str | Agent[Any], game: str | Rules, *, turns: int = TURNS, rivers: int = RIVERS, seed: int = 0
) -> float:
    """About how many seconds a flop takes on one core here: a smaller one is walked and timed."""
    work = _work(agent, game, seed, turns, rivers)
    small = _OneFlop(work.rules, work.agent, seed, FEWEST, FEWEST)
    small(0)  # kernels are loaded before the clock starts
    began = time.monotonic()
    small(0)
    return (time.monotonic() - began) * turns * rivers / FEWEST**2


def stream_on_flops(
    agent: str | Agent[Any],
    game: str | Rules = "holdem-limit-2p",
    *,
    flops: int = 40,
    turns: int = TURNS,
    rivers: int = RIVERS,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: Path | None = None,
) -> Iterator[OnFlops]:
    """What can be won from an agent, again and again as flop after flop is walked; options as below."""
    work = _work(agent, game, seed, turns, rivers)
    if flops < 2:
        raise UnreadableError(f"flops must be at least 2 (some choose the response, others measure it), got {flops}")
    numbers, found = range(flops), []
    if checkpoint is None:
        results = run(work, numbers, workers)
    else:
        named = {"game": str(work.rules), "agent": work.agent.name, "seed": seed, "turns": turns, "rivers": rivers}
        results = Checkpoint(checkpoint, {"on flops": named}).run(work, numbers, workers)
    for flop in results:
        found.append(flop)
        if len(found) > 1:
            yield _judged(work, found)
        if len(found) == flops:
            return


def best_response_on_flops(
    agent: str | Agent[Any],
    game: str | Rules = "holdem-limit-2p",
    *,
    progress: Callable[[float], None] = lambda amount: None,
    **settings: Any,
) -> OnFlops:
    """What can be won from an agent at heads-up limit Hold'em: a response of the whole game, on sampled flops.

    Args:
        agent: Any agent whose chances are known exactly.
        game: A heads-up limit game of Hold'em.
        progress: Is told each further part of the whole.
        settings: `flops`, `turns` of each flop and `rivers` of each turn that are walked (49 and 48 are all), `seed`,
            `workers`, and `checkpoint`, a file that keeps what was found, so that the work can go on with more flops.
    """
    found = []
    for standing in stream_on_flops(agent, game, **settings):
        found.append(standing)
        progress(1 / settings.get("flops", 40))
    return found[-1]
