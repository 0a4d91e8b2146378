"""The equity of one hand: exact wherever counting is affordable, otherwise sampled with its standard error.

No tables are needed or made: the slowest exact answer, a hand before the flop, takes less than a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem import showdown
from mazzo.holdem.equity import exact
from mazzo.holdem.equity.ranges import Range, parse_range
from mazzo.holdem.equity.sampled import MOST_OPPONENTS, mean_and_error, sample_counts
from mazzo.holdem.equity.versus import count_versus
from mazzo.luck import stream

__all__ = ["DEFAULT_SAMPLES", "Equity", "equity", "equity_against"]

DEFAULT_SAMPLES = 500_000


@dataclass(frozen=True)
class Equity:
    """The share of the pot a hand wins on average if nobody bets any more."""

    equity: float
    win: float
    """How often it is best alone."""
    tie: float
    """How often it shares the best hand."""
    standard_error: float = 0.0
    """Of the equity; 0 where it is exact."""
    numerator: int | None = None
    denominator: int | None = None
    """The exact equity as a fraction, not reduced; none where it is sampled."""
    samples: int | None = None

    @property
    def exact(self) -> bool:
        """Whether every case was counted."""
        return self.samples is None


def equity(
    hole: Sequence[int], board: Sequence[int] = (), opponents: int = 1, samples: int | None = None, seed: int = 0
) -> Equity:
    """The equity of a hand against random hands: exact for one and two opponents, sampled for more.

    Where `samples` is given it is sampled in any case.
    """
    _check(hole, board)
    if not 1 <= opponents <= MOST_OPPONENTS:
        raise IllegalError(f"a table seats 1 to {MOST_OPPONENTS} opponents, not {opponents}")
    if samples is not None or opponents > 2:
        return _sampled(hole, board, opponents, DEFAULT_SAMPLES if samples is None else samples, seed)
    cards, known = np.array(hole, dtype=np.int64), np.array(board, dtype=np.int64)
    full = np.zeros(5, dtype=np.int64)
    full[: len(known)] = known
    counts = np.zeros(exact.COUNTS, dtype=np.int64)
    exact.count_hand(cards, full, len(known), counts, *showdown.tables(), *exact.scratch())
    beaten, tied, pairs_beaten, pairs_not_lost, pairs_tied = (int(count) for count in counts)
    boards = exact.BOARDS_TO_COME[len(known)]
    if opponents == 1:
        return _from_counts(beaten, tied, 2 * beaten + tied, boards * exact.ONE_TOTAL, 2)
    # Pairs of opponents are counted without order here: each was counted twice.
    numerator = (3 * (pairs_beaten + pairs_not_lost) - pairs_tied) // 2
    won, shared = pairs_beaten // 2, (pairs_not_lost - pairs_beaten) // 2
    return _from_counts(won, shared, numerator, boards * exact.TWO_TOTAL // 2, 6)


def equity_against(hole: Sequence[int], against: str | Range, board: Sequence[int] = ()) -> Equity:
    """The exact equity of a hand against another hand, or against a range, before or after any board."""
    _check(hole, board)
    given = parse_range(against) if isinstance(against, str) else against
    possible = given.without([*hole, *board])
    if not possible.weights:
        raise IllegalError(f"no hand of {given.text!r} is left when {FRENCH.text([*hole, *board])} are out")
    known = np.array(board, dtype=np.int64)
    villains = possible.in_whole_numbers()
    won, tied, dealt = count_versus(np.array(hole, dtype=np.int64), known, villains, showdown.tables())
    return _from_counts(won, tied, 2 * won + tied, dealt, 2)


def _from_counts(won: int, tied: int, numerator: int, deals: int, parts: int) -> Equity:
    denominator = parts * deals
    return Equity(
        equity=float(Fraction(numerator, denominator)),
        win=won / deals,
        tie=tied / deals,
        numerator=numerator,
        denominator=denominator,
    )


def _sampled(hole: Sequence[int], board: Sequence[int], opponents: int, samples: int, seed: int) -> Equity:
    row = np.full((1, 5), -1, dtype=np.int8)
    row[0, : len(board)] = board
    counts = sample_counts(np.array([hole]), row, opponents, samples, stream(seed, "equity"))
    mean, error = mean_and_error(counts)
    return Equity(
        equity=float(mean[0]),
        win=float(counts[0, 1] / samples),
        tie=float(counts[0, 2:].sum() / samples),
        standard_error=float(error[0]),
        samples=samples,
    )


def _check(hole: Sequence[int], board: Sequence[int]) -> None:
    if len(hole) != 2:
        raise IllegalError(f"a hand is two cards; {_text(hole)} is {len(hole)}")
    if len(board) not in exact.BOARDS_TO_COME:
        raise IllegalError(f"a board has 0, 3, 4 or 5 cards; {_text(board)} is {len(board)}")
    every = [int(card) for card in (*hole, *board)]
    if min(every) < 0 or max(every) >= len(FRENCH):
        raise IllegalError(f"cards are whole numbers from 0 to {len(FRENCH) - 1}, not {every}")
    twice = sorted({card for card in every if every.count(card) > 1})
    if twice:
        raise IllegalError(f"{_text(twice)} cannot be dealt twice: hand {_text(hole)}, board {_text(board)}")


def _text(cards: Iterable[int]) -> str:
    return FRENCH.text(cards) or "nothing"
