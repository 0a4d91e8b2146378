"""Several ranges, dead cards and cards to come, against every deal counted one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem.odds import equity, parse_range, runouts
from mazzo.holdem.showdown import evaluate_one

TURN = "7h8h2c3s"


def counted(ranges: list[str], board: str, dead: str = "") -> float:
    """The first range's share of the pot over all deals."""
    known, gone = FRENCH.parse(board), FRENCH.parse(dead)
    total = won = Fraction(0)
    for hands in product(*(parse_range(text).weights.items() for text in ranges)):
        held = [card for hole, _ in hands for card in hole]
        used = {*held, *known, *gone}
        if len(used) < len(held) + len(known) + len(gone):
            continue
        weight = Fraction(1)
        for _, one in hands:
            weight *= one
        for rest in combinations(sorted(set(range(52)) - used), 5 - len(known)):
            values = [evaluate_one([*hole, *known, *rest]) for hole, _ in hands]
            total += weight
            if values[0] == max(values):
                won += weight / values.count(values[0])
    return float(won / total)


@pytest.mark.parametrize(
    ("ranges", "dead"),
    [
        (["AhKh", "QsQd"], "Qc9h"),
        (["AhKh", "QQ,77:0.5"], "Qc9hTd"),
        (["QQ:0.25,AKs", "JJ,98s:0.5"], "9s"),
        (["AhKh", "QsQd,9s9c", "JcTc,AsAd:0.5"], "9h"),
    ],
)
def test_dead_cards_are_in_no_hand_and_on_no_board(ranges: list[str], dead: str) -> None:
    hole, *others = ranges
    mine = parse_range(hole) if "," in hole else hole
    found = equity(mine, TURN, against=others, dead=dead)
    assert found.exact
    assert found.equity == pytest.approx(counted(ranges, TURN, dead), abs=1e-12)


def test_dead_cards_count_before_the_flop_too() -> None:
    alive, less = equity("AsAh", against="KsKh"), equity("AsAh", against="KsKh", dead="KdKc")
    assert less.equity > alive.equity + 0.1
    assert less.denominator == 2 * comb(46, 5)


def test_several_opponents_are_drawn_by_their_weights() -> None:
    ranges, dead = ["AhKh,AsKs:0.5", "QsQd,9s9c:0.25", "JcTc", "6h5h,AdAc:0.5"], "9h"
    mine = parse_range(ranges[0])
    found = equity(mine, TURN, against=ranges[1:], dead=dead, samples=200_000, seed=4)
    assert not found.exact
    assert 0 < found.standard_error < 0.002
    assert abs(found.equity - counted(ranges, TURN, dead)) < 5 * found.standard_error
    assert equity(mine, TURN, against=ranges[1:], dead=dead, samples=200_000, seed=4) == found


def test_shares_of_four_hands_add_up() -> None:
    hands = ["AhKh", "QsQd", "JcTc", "6h5h"]
    total = error = 0.0
    for k, hand in enumerate(hands):
        found = equity(hand, "7h8h2c", against=hands[:k] + hands[k + 1 :], samples=50_000, seed=k)
        total, error = total + found.equity, error + found.standard_error**2
    assert abs(total - 1) < 5 * error**0.5


@pytest.mark.parametrize("board", ["7h8h2c", TURN])
def test_cards_to_come_make_of_an_equity_what_they_do(board: str) -> None:
    spread = runouts("AhKh", "QQ+,AKo:0.5", board, dead="9h")
    assert sum(one.chance for one in spread.cards) == pytest.approx(1)
    whole = equity("AhKh", board, against="QQ+,AKo:0.5", dead="9h")
    assert spread.mean == pytest.approx(whole.equity, abs=1e-12)
    assert {one.card for one in spread.cards}.isdisjoint({"9h", "Ah", "Kh"})
    one = spread.cards[len(spread.cards) // 2]
    assert one.equity == equity("AhKh", board + one.card, against="QQ+,AKo:0.5", dead="9h").equity
    assert spread.cards[-1].equity <= spread.quantile(0.25) <= spread.quantile(0.75) <= spread.cards[0].equity


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "QQ", "dead": "As"}, "cannot be dealt twice"),
        ({"against": "QQ", "dead": "QsQdQc"}, "blocked"),
        ({"dead": "2c"}, "go with against"),
        ({"against": [], "dead": "2c"}, "against is empty"),
        ({"against": "QQ", "seed": 3}, "leave seed out"),
        ({"against": ["QQ", "JJ", "TT"], "samples": 1}, "samples against ranges"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(IllegalError, match=words):
        equity("AsKs", **options)  # type: ignore[arg-type]


def test_cards_to_come_need_a_board() -> None:
    with pytest.raises(IllegalError, match="a flop or a turn"):
        runouts("AhKh", "QQ", "")
