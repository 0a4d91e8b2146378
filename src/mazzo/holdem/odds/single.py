"""The equity of one hand: exact wherever counting is affordable, otherwise sampled with its standard error.

The slowest exact answer, a hand before the flop against two random ones, takes less than a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from mazzo.cards import FRENCH
from mazzo.document import Figure, Section, ShareBar, Shown
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import showdown
from mazzo.holdem.odds import exact
from mazzo.holdem.odds.matchups import count_matchups
from mazzo.holdem.odds.ranges import Hole, Range, parse_range
from mazzo.holdem.odds.sampled import MOST_OPPONENTS, mean_and_error, sample_counts
from mazzo.holdem.odds.several import sampled_shares
from mazzo.holdem.odds.three import count_three
from mazzo.holdem.odds.versus import count_versus
from mazzo.rng import stream

__all__ = ["DEFAULT_SAMPLES", "Equity", "equity", "equity_against"]

MOST_SAMPLES = 10**12
"""More deals than anybody waits for."""

DEFAULT_SAMPLES = 500_000
_MOST_SAMPLES_AGAINST = 10**8
Against = str | Range | Sequence[str | Range]
"""One opponent's hand or range, or a list of several opponents'."""
_MOST_STEPS = 2 * 10**10  # a minute or so


@dataclass(frozen=True)
class Equity(Shown):
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

    def section(self) -> Section:
        """The share of the pot with its error, and how often the hand wins, ties and loses as a bar."""
        how = f"standard error {self.standard_error:.4%}, {self.samples} deals"
        if self.exact:
            how = f"exact: {self.numerator:,} / {self.denominator:,}"
        often = (self.win, self.tie, 1 - self.win - self.tie)
        words = f"wins {often[0]:.4%}, ties {often[1]:.4%}, loses {often[2]:.4%}"
        figure = Figure(f"{self.equity:.4%}", "of the pot", how)
        bar = ShareBar("How often the hand wins", tuple(zip(("wins", "ties", "loses"), often, strict=True)))
        return Section("Equity", [words], [figure], bars=[bar])


def equity(
    hole: str | Sequence[int] | Range,
    board: str | Sequence[int] = (),
    opponents: int = 1,
    samples: int | None = None,
    seed: int | None = None,
    *,
    against: Against | None = None,
    dead: str | Sequence[int] = (),
) -> Equity:
    """The equity of a hand: exact against one or two random hands, hands or ranges; sampled against more.

    Args:
        hole: Its two cards, `"AsKd"`; with `against`, also a range.
        board: The 0, 3, 4 or 5 cards of the board.
        opponents: How many random hands it faces, 1 to 9.
        samples: Sample so many deals in any case; against three and more it is 500,000 by default.
        seed: For the sampling, 0 unless given; where every case is counted there is nothing to seed.
        against: One opponent's hand (`"QsQd"`) or range (`"QQ+,AKs"`) instead of random hands, or a list of several
            opponents' (`["QQ+", "AKs"]`): exact against one or two, sampled against more, or where samples are given.
        dead: With `against`, cards that nobody holds and that cannot come (`"2c"`).
    """
    if against is not None:
        if opponents != 1:
            raise IllegalError("against names the opponents: leave opponents out")
        return equity_against(hole, against, board, dead, samples, seed)
    if len(dead):
        raise IllegalError("dead cards go with against")
    if isinstance(hole, Range):
        raise IllegalError("a range is counted against a hand or a range: give against")
    hole, board = _checked(hole, board)
    if not 1 <= opponents <= MOST_OPPONENTS:
        raise IllegalError(f"a table seats 1 to {MOST_OPPONENTS} opponents, not {opponents}")
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise IllegalError(f"samples are 1 to {MOST_SAMPLES:,}, not {samples}")
    if samples is not None or opponents > 2:
        return _sampled(hole, board, opponents, DEFAULT_SAMPLES if samples is None else samples, seed or 0)
    if seed is not None:
        raise IllegalError("against one or two opponents every case is counted: leave seed out, or give samples too")
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


def equity_against(
    hole: str | Sequence[int] | Range,
    against: Against,
    board: str | Sequence[int] = (),
    dead: str | Sequence[int] = (),
    samples: int | None = None,
    seed: int | None = None,
) -> Equity:
    """The equity of a hand or a range against others, before or after any board: exact against one or two.

    Hands, one from each range, are as likely together as the product of their weights; none that share a card, or are
    among the dead cards. Against three or more, and where samples are given, deals are drawn.
    """
    mine = _hand_or_range(hole)
    ranges = [parse_range(one) if isinstance(one, str) else one for one in _listed(against)]
    gone = FRENCH.parse(dead) if isinstance(dead, str) else dead
    if samples is not None and not 2 <= samples <= _MOST_SAMPLES_AGAINST:
        raise IllegalError(f"samples against ranges are 2 to {_MOST_SAMPLES_AGAINST:,}, not {samples}")
    drawn = samples is not None or len(ranges) > 2
    if seed is not None and not drawn:
        raise IllegalError("against one or two opponents every case is counted: leave seed out, or give samples too")
    if drawn:
        return _drawn(mine, ranges, board, gone, DEFAULT_SAMPLES if samples is None else samples, seed or 0)
    if len(ranges) != 1:
        return _against_two(mine, ranges, board, gone)
    (given,) = ranges
    if isinstance(mine, Range):
        return _range_against(mine, given, _checked_board(board, gone), gone)
    hole, board = _checked(mine, board, gone)
    possible = given.without([*hole, *board, *gone])
    if not possible.weights:
        blockers = FRENCH.text([*hole, *board, *gone])
        raise IllegalError(
            f"every hand in the range {given.text!r} is blocked by your cards and the board ({blockers})"
        )
    return _counted({(min(hole), max(hole)): 1}, possible, board, gone)


def _drawn(
    mine: Sequence[int] | Range,
    against: Sequence[Range],
    board: str | Sequence[int],
    gone: Sequence[int],
    samples: int,
    seed: int,
) -> Equity:
    """From deals drawn against several ranges."""
    if not 1 <= len(against) <= MOST_OPPONENTS:
        raise IllegalError(f"a table seats 1 to {MOST_OPPONENTS} opponents, not {len(against)}")
    given, cards = _ranges_left(mine, against, board, gone)
    key = np.uint64(stream(seed, "equity"))
    share, won, tied = sampled_shares(given, [int(card) for card in cards], gone, samples, key)
    error = float(share.std(ddof=1) / len(share) ** 0.5)
    return Equity(float(share.mean()), float(won.mean()), float(tied.mean()), error, samples=samples)


def _ranges_left(
    hole: Sequence[int] | Range, against: Sequence[Range], board: str | Sequence[int], gone: Sequence[int]
) -> tuple[list[Range], Sequence[int]]:
    """My range and the others', without what lies on the board or is dead; and the board."""
    if isinstance(hole, Range):
        mine, cards = hole, _checked_board(board, gone)
    else:
        hand, cards = _checked(hole, board, gone)
        mine = parse_range(FRENCH.text(hand))
    left = [given.without([*cards, *gone]) for given in (mine, *against)]
    for given, possible in zip((mine, *against), left, strict=True):
        if not possible.weights:
            lies = FRENCH.text([*cards, *gone])
            raise IllegalError(f"every hand in the range {given.text!r} is blocked by the cards {lies}")
    return left, cards


def _hand_or_range(given: str | Sequence[int] | Range) -> Sequence[int] | Range:
    if not isinstance(given, str):
        return given
    try:
        return FRENCH.parse(given)
    except UnreadableError:
        return parse_range(given)


def _listed(against: Against) -> Sequence[str | Range]:
    return [against] if isinstance(against, str | Range) else against


def _against_two(
    hole: Sequence[int] | Range, against: Sequence[Range], board: str | Sequence[int], gone: Sequence[int]
) -> Equity:
    if len(against) != 2:
        raise IllegalError("a hand or range is counted against one opponent or more: against is empty")
    left, cards = _ranges_left(hole, against, board, gone)
    whole = [possible.in_whole_numbers() for possible in left]
    won, one, both, dealt = count_three(whole[0], (whole[1], whole[2]), cards, showdown.tables(), gone)
    if not dealt:
        names = " and ".join(repr(given.text) for given in left)
        raise IllegalError(f"no hands of {names} can be held at once: they always share a card")
    return _from_counts(won, one + both, 6 * won + 3 * one + 2 * both, dealt, 6)


def _range_against(mine: Range, theirs: Range, board: Sequence[int], gone: Sequence[int]) -> Equity:
    left, facing = (one.without([*board, *gone]) for one in (mine, theirs))
    for given, possible in ((mine, left), (theirs, facing)):
        if not possible.weights:
            raise IllegalError(
                f"every hand in the range {given.text!r} is blocked by the board {FRENCH.text([*board, *gone])}"
            )
    if not any(facing.without(hole).weights for hole in left.weights):
        raise IllegalError(f"every hand of {mine.text!r} shares a card with every hand of {theirs.text!r}")
    return _counted(left.in_whole_numbers(), facing, board, gone)


def _counted(mine: Mapping[Hole, int], theirs: Range, board: Sequence[int], gone: Sequence[int]) -> Equity:
    """From all boards to come: looked up before the flop, dealt after it, for one of my hands after the other."""
    steps = comb(52 - len(board) - len(gone), 5 - len(board)) * len(mine) * len(theirs)
    if len(gone) and steps > _MOST_STEPS:
        raise IllegalError(
            f"with dead cards before the flop these ranges are {steps:,} steps, more than {_MOST_STEPS:,}: give the "
            "flop with board, smaller ranges, or samples"
        )
    if not board and not len(gone):
        won, tied, dealt = count_matchups(mine, theirs.in_whole_numbers())
        return _from_counts(won, tied, 2 * won + tied, dealt, 2)
    known, out, total = np.array(board, dtype=np.int64), np.array(gone, dtype=np.int64), [0, 0, 0]
    whole = theirs.in_whole_numbers()
    for hole, weight in mine.items():
        facing = {theirs: n for theirs, n in whole.items() if not set(hole) & set(theirs)}
        if facing:
            counts = count_versus(np.array(hole, dtype=np.int64), known, facing, showdown.tables(), out)
            total = [so_far + weight * more for so_far, more in zip(total, counts, strict=True)]
    won, tied, dealt = total
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


def _checked(
    hole: str | Sequence[int], board: str | Sequence[int], gone: Sequence[int] = ()
) -> tuple[Sequence[int], Sequence[int]]:
    hole, board = (FRENCH.parse(cards) if isinstance(cards, str) else cards for cards in (hole, board))
    if len(hole) != 2:
        raise IllegalError(f"a hand is two cards; {_text(hole)} is {len(hole)}")
    _check_cards(hole, board, gone)
    return hole, board


def _checked_board(board: str | Sequence[int], gone: Sequence[int] = ()) -> Sequence[int]:
    cards = FRENCH.parse(board) if isinstance(board, str) else board
    _check_cards((), cards, gone)
    return cards


def _check_cards(hole: Sequence[int], board: Sequence[int], gone: Sequence[int]) -> None:
    if len(board) not in exact.BOARDS_TO_COME:
        raise IllegalError(f"a board has 0, 3, 4 or 5 cards; {_text(board)} is {len(board)}")
    every = [int(card) for card in (*hole, *board, *gone)]
    if min(every, default=0) < 0 or max(every, default=0) >= len(FRENCH):
        raise IllegalError(f"cards are whole numbers from 0 to {len(FRENCH) - 1}, not {every}")
    twice = sorted({card for card in every if every.count(card) > 1})
    if twice:
        out = f", dead {_text(gone)}" if len(gone) else ""
        raise IllegalError(f"{_text(twice)} cannot be dealt twice: hand {_text(hole)}, board {_text(board)}{out}")


def _text(cards: Iterable[int]) -> str:
    return FRENCH.text(cards) or "nothing"
