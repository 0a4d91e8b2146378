from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem.odds import equity, equity_against, parse_range
from mazzo.holdem.odds.ranges import Range
from mazzo.holdem.showdown import evaluate


def dealt_out(ranges: list[Range], board: tuple[int, ...]) -> list[Fraction]:
    """The share of the pot of each of three, by dealing every case."""
    shares, total = [Fraction(0)] * 3, Fraction(0)
    for hands in product(*(one.weights for one in ranges)):
        held = {card for hand in hands for card in hand}
        if len(held) < 6 or held & set(board):
            continue
        weight = Fraction(1)
        for given_range, hand in zip(ranges, hands, strict=True):
            weight *= given_range.weights[hand]
        rest = [card for card in range(52) if card not in held and card not in board]
        boards = np.array([[*board, *more] for more in combinations(rest, 5 - len(board))], np.uint8)
        cards = np.empty((3, len(boards), 7), np.uint8)
        cards[:, :, :2], cards[:, :, 2:] = np.array(hands)[:, None], boards
        values = evaluate(cards.reshape(-1, 7)).reshape(3, -1)
        best = values == values.max(axis=0)
        for seat in range(3):
            for winners in (1, 2, 3):
                shares[seat] += weight * Fraction(int((best[seat] & (best.sum(axis=0) == winners)).sum()), winners)
        total += weight * len(boards)
    return [share / total for share in shares]


HANDS = ["AhKh", "AA:0.5", "QJs", "QQ", "AKo:0.25", "76s", "JJ"]
ranges = st.lists(st.sampled_from(HANDS), min_size=1, max_size=2, unique=True).map(",".join)


@settings(max_examples=12, deadline=None)
@given(ranges, ranges, ranges, st.sampled_from(["2c7dTh3s", "QhJhTh3h", "AsAdKd2c", "Ah2c7dTh3s", "QcJcTc9c8c"]))
def test_three_ranges_share_the_pot_as_dealing_every_case_does(mine: str, first: str, second: str, board: str) -> None:
    cards, texts = FRENCH.parse(board), (mine, first, second)
    left = [parse_range(text).without(cards) for text in texts]
    possible = all(one.weights for one in left) and any(
        len({card for hand in hands for card in hand}) == 6 for hands in product(*(one.weights for one in left))
    )
    if not possible:
        with pytest.raises(IllegalError):
            equity(parse_range(mine), board, against=[first, second])
        return
    expected = dealt_out([parse_range(text) for text in texts], cards)
    for seat in range(3):
        others = [texts[other] for other in range(3) if other != seat]
        found = equity(parse_range(texts[seat]), board, against=others)
        assert found.numerator is not None
        assert found.denominator is not None
        assert Fraction(found.numerator, found.denominator) == expected[seat]


def test_on_a_flop_the_three_shares_make_a_whole_and_random_hands_are_the_two_random_opponents() -> None:
    texts = ["QQ+,AKs", "JJ,T9s:0.5", "random"]
    shares = [
        equity(parse_range(text), "7h8h2c", against=[other for other in texts if other is not text]).equity
        for text in texts
    ]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    two = equity("AsKd", "7h8h2c", 2)
    ranged = equity_against("AsKd", ["random", "random"], "7h8h2c")
    assert (ranged.equity, ranged.win, ranged.tie) == pytest.approx((two.equity, two.win, two.tie), abs=1e-15)


def test_three_hands_before_the_flop_are_counted_and_large_ranges_are_refused_with_a_way_out() -> None:
    # Aces against kings and queens, three suits: known to a hundredth of a percent from any calculator.
    found = equity_against("AsAh", ["KdKc", "QsQd"])
    assert found.exact
    assert found.equity == pytest.approx(0.667, abs=0.01)
    with pytest.raises(IllegalError, match="give the flop"):
        equity_against("QQ+", ["random", "random"])


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(IllegalError, match="1 to 9 opponents, not 10"):
        equity_against("QQ+", ["AA"] * 10, "7h8h2c")
    with pytest.raises(IllegalError, match="always share a card"):
        equity_against("AsAh", ["AsKd", "QQ"], "7h8h2c")
    with pytest.raises(IllegalError, match="every hand in the range 'AsKd' is blocked"):
        equity_against("QQ", ["AsKd", "JJ"], "As8h2c")
    with pytest.raises(IllegalError, match="too many decimals"):
        equity_against("QQ", ["AA:0.123457,KK", "random,JJ:0.654321"], "7h8h2c")
