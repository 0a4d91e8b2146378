from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import _pheval

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem.odds import equities, equity, equity_against, parse_range, sampled_equity
from mazzo.holdem.showdown import evaluate
from mazzo.rng import stream

Cards = Sequence[int]


def strength(*cards: int) -> int:
    """Theirs counts from the strongest; ours is the judge's word turned round."""
    return -int(_pheval.evaluate_7cards(*(int(card) for card in cards)))


def plain_against_one(hole: Cards, board: Cards) -> Fraction:
    """Every board to come, every hand of the opponent, one by one."""
    deck = [card for card in range(52) if card not in {*hole, *board}]
    won, dealt = Fraction(0), 0
    for rest in combinations(deck, 5 - len(board)):
        full = (*board, *rest)
        mine = strength(*hole, *full)
        for other in combinations([card for card in deck if card not in rest], 2):
            theirs = strength(*other, *full)
            won += 1 if mine > theirs else Fraction(mine == theirs, 2)
            dealt += 1
    return won / dealt


def plain_against_two(hole: Cards, board: Cards) -> Fraction:
    """The whole board is known: every pair of opponents' hands, one by one."""
    deck = [card for card in range(52) if card not in {*hole, *board}]
    mine = strength(*hole, *board)
    hands = [(set(hand), strength(*hand, *board)) for hand in combinations(deck, 2)]
    shares = {(False, False): 6, (True, False): 3, (False, True): 3, (True, True): 2}
    sixths, dealt = 0, 0
    for (first, value_1), (second, value_2) in combinations(hands, 2):
        if not first & second:
            dealt += 1
            if value_1 <= mine and value_2 <= mine:
                sixths += shares[value_1 == mine, value_2 == mine]
    return Fraction(sixths, 6 * dealt)


def padded(board: Cards) -> list[int]:
    return [*(int(card) for card in board), *[-1] * (5 - len(board))]


def cards(text: str) -> tuple[int, ...]:
    return tuple(int(card) for card in FRENCH.parse(text))


RIVERS = [
    ("AhKh", "2c7dTh3sQc"),
    ("AhKh", "2h7hTh3sQc"),
    ("AcKd", "2h7hTh3sQc"),
    ("AcKh", "2h7hTh3hQc"),
    ("2c2d", "2h7hTh3hQc"),
    ("AcKd", "2h7hTh3hQh"),
    ("8h9h", "2h7hTh3hQh"),
    ("AcKd", "TsJsQsKsAs"),
    ("7c7d", "7h7sAcAdKs"),
    ("3c4d", "AsAhAdAc2s"),
    ("5c6d", "2s3h4dTsJs"),
]


@pytest.mark.parametrize(("hand", "board"), RIVERS)
def test_on_the_river_counting_kinds_equals_dealing_every_opponent(hand: str, board: str) -> None:
    found = equity(cards(hand), cards(board))
    assert found.numerator is not None
    assert found.denominator is not None
    assert Fraction(found.numerator, found.denominator) == plain_against_one(cards(hand), cards(board))


@pytest.mark.parametrize(("hand", "board"), [RIVERS[k] for k in (0, 1, 3, 5, 8)])
def test_on_the_river_two_opponents_equal_dealing_every_pair(hand: str, board: str) -> None:
    found = equity(cards(hand), cards(board), opponents=2)
    assert found.numerator is not None
    assert found.denominator is not None
    assert Fraction(found.numerator, found.denominator) == plain_against_two(cards(hand), cards(board))


def test_on_the_turn_counting_kinds_equals_dealing_every_opponent() -> None:
    found = equity(cards("9h8h"), cards("7hTh2c2d"))
    assert found.numerator is not None
    assert found.denominator is not None
    assert Fraction(found.numerator, found.denominator) == plain_against_one(cards("9h8h"), cards("7hTh2c2d"))


@pytest.mark.parametrize(
    ("hand", "board", "opponents", "known"),
    [
        ("AsAh", "", 1, 0.852037133),
        ("AhKh", "", 1, 0.670446323),
        ("7h2c", "", 1, 0.345836473),
        ("AhKh", "2c7dTh", 1, 0.564717),
        ("AhKh", "2c7dTh3s", 1, 0.474901),
        ("AhKh", "2c7dTh3sQc", 1, 0.392424),
        ("AhKh", "2c7dTh3s", 2, 0.249721),
        ("AhKh", "2c7dTh3sQc", 2, 0.146757),
    ],
)
def test_equity_is_what_is_known(hand: str, board: str, opponents: int, known: float) -> None:
    digits = 6 if board else 9
    assert round(equity(cards(hand), cards(board), opponents).equity, digits) == known


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]))
def test_every_deal_is_won_tied_or_lost_by_someone(deck: list[int], known: int) -> None:
    hole, board = deck[:2], deck[2 : 2 + known]
    one, two = equity(hole, board), equity(hole, board, opponents=2)
    assert 0 <= two.equity <= one.equity <= 1
    assert one.equity == pytest.approx(one.win + one.tie / 2)
    assert two.win + two.tie / 3 <= two.equity + 1e-12
    assert two.equity <= two.win + two.tie / 2 + 1e-12


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(52)))
def test_a_river_against_the_evaluator_alone(deck: list[int]) -> None:
    hole, board = deck[:2], deck[2:7]
    others = np.array([(*pair, *board) for pair in combinations(deck[7:], 2)])
    mine = int(evaluate(np.array([[*hole, *board]]))[0])
    values = evaluate(others).astype(int)
    numerators, denominators = equities([hole], [board], 1)
    assert numerators[0] == 2 * (values < mine).sum() + (values == mine).sum()
    assert denominators[0] == 2 * 990


def test_over_all_hands_of_a_river_the_average_against_one_is_a_half_and_against_two_a_third() -> None:
    for text in ("2h7hTh3hQc", "2h7hTh3sQc", "2c7dTh3sQc"):
        board = cards(text)
        holes = list(combinations([card for card in range(52) if card not in board], 2))
        for opponents in (1, 2):
            numerators, denominators = equities(holes, [board] * len(holes), opponents)
            total = sum(numerators.tolist())
            assert total * (opponents + 1) == len(holes) * int(denominators[0])


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(52)), st.sampled_from([4, 5]))
def test_a_batch_says_what_single_questions_say(deck: list[int], known: int) -> None:
    boards = [padded(deck[4 : 4 + known])] * 4
    holes = [deck[:2], deck[2:4], deck[:2], deck[1::-1]]
    numerators, denominators = equities(holes, boards, [1, 1, 2, 2])
    for row in range(4):
        single = equity(holes[row], deck[4 : 4 + known], 1 if row < 2 else 2)
        assert (numerators[row], denominators[row]) == (single.numerator, single.denominator)


def test_hand_against_hand_on_the_flop_equals_dealing_every_board() -> None:
    hero, villain, board = cards("AhKh"), cards("QsQd"), cards("2hTh7c")
    deck = [card for card in range(52) if card not in {*hero, *villain, *board}]
    won = Fraction(0)
    boards = [(*board, *rest) for rest in combinations(deck, 2)]
    for full in boards:
        mine, theirs = strength(*hero, *full), strength(*villain, *full)
        won += 1 if mine > theirs else Fraction(mine == theirs, 2)
    found = equity_against(hero, "QsQd", board)
    assert found.numerator is not None
    assert found.denominator is not None
    assert Fraction(found.numerator, found.denominator) == won / len(boards)


def test_two_hands_share_the_pot_before_the_flop() -> None:
    mine, theirs = equity_against(cards("AhKh"), "QsQd"), equity_against(cards("QsQd"), "AhKh")
    assert mine.numerator is not None
    assert theirs.numerator is not None
    assert mine.denominator == theirs.denominator == 2 * 1_712_304
    assert mine.numerator + theirs.numerator == mine.denominator


def test_a_range_of_all_hands_is_a_random_hand() -> None:
    against_range = equity_against(cards("AhKh"), "random", cards("2c7dTh"))
    against_one = equity(cards("AhKh"), cards("2c7dTh"))
    assert (against_range.numerator, against_range.denominator) == (against_one.numerator, against_one.denominator)


def test_a_range_is_the_weighted_mean_of_its_hands() -> None:
    hero, board = cards("AhKh"), cards("2c7dTh3s")
    whole = equity_against(hero, "QQ:0.5,AsKs", board)
    hands = [*combinations(cards("QcQdQhQs"), 2)]
    expected = Fraction(0)
    for hand, weight in [*((hand, Fraction(1, 2)) for hand in hands), (cards("KsAs"), Fraction(1))]:
        one = equity_against(hero, FRENCH.text(hand), board)
        assert one.numerator is not None
        assert one.denominator is not None
        expected += weight * Fraction(one.numerator, one.denominator)
    assert whole.numerator is not None
    assert whole.denominator is not None
    assert Fraction(whole.numerator, whole.denominator) == expected / 4


def test_symmetry_of_suits_changes_no_preflop_count() -> None:
    # A range that is symmetric is counted by classes of boards; one odd weight forces every board to be dealt.
    symmetric = equity_against(cards("AhKh"), "22,AhKh")
    pieces = [equity_against(cards("AhKh"), FRENCH.text(hand)) for hand in combinations(cards("2c2d2h2s"), 2)]
    assert symmetric.numerator == sum(piece.numerator or 0 for piece in pieces)
    assert symmetric.denominator == sum(piece.denominator or 0 for piece in pieces)


def test_sampling_two_opponents_agrees_with_counting_them() -> None:
    holes = [cards("AhKh"), cards("7h2c"), cards("JsTs"), cards("2c2d")]
    boards = [padded(cards("2c7dTh")), padded(cards("AsKsQs3d")), padded(cards("2s3s4s5d9h")), padded(cards("AcAdAh"))]
    mean, error = sampled_equity(holes, boards, 2, 40_000, stream(1, "test"))
    for row in range(4):
        exact = equity(holes[row], [card for card in boards[row] if card >= 0], 2).equity
        assert abs(mean[row] - exact) <= 4 * error[row] + 1e-12


def test_sampling_many_opponents_agrees_with_dealing_them_plainly() -> None:
    rng = np.random.default_rng(5)
    hole, opponents, deals = cards("AhKh"), 5, 4_000
    deck = np.array([card for card in range(52) if card not in hole])
    shares = []
    for _ in range(deals):
        dealt = rng.permutation(deck)[: 5 + 2 * opponents].tolist()
        mine = strength(*hole, *dealt[:5])
        others = [strength(*dealt[5 + 2 * k : 7 + 2 * k], *dealt[:5]) for k in range(opponents)]
        shares.append(0.0 if max(others) > mine else 1 / (1 + others.count(mine)))
    mean, error = sampled_equity([hole], [padded(())], opponents, 40_000, stream(2, "test"))
    plain_error = np.std(shares) / np.sqrt(deals)
    assert abs(mean[0] - np.mean(shares)) < 4 * np.hypot(error[0], plain_error)


def test_the_standard_error_is_the_spread_of_repeated_samples() -> None:
    rng_key = np.array([stream(seed, "test") for seed in range(300)])
    mean, error = sampled_equity([cards("AhKh")] * 300, [padded(())] * 300, 3, 500, rng_key)
    assert np.std(mean) == pytest.approx(error.mean(), rel=0.15)


def test_a_sampled_batch_is_its_rows_sampled_alone() -> None:
    holes, boards = [cards("AhKh"), cards("9c9d")], [padded(()), padded(cards("2c7dTh"))]
    rng_key = np.array([7, 8], dtype=np.uint64)
    together = sampled_equity(holes, boards, [4, 9], 500, rng_key)
    for row in range(2):
        alone = sampled_equity(
            holes[row : row + 1], boards[row : row + 1], 9 if row else 4, 500, rng_key[row : row + 1]
        )
        assert (alone[0][0], alone[1][0]) == (together[0][row], together[1][row])


@pytest.mark.parametrize(
    ("hole", "board", "complaint"),
    [
        ([0, 0], [-1] * 5, "none of them twice"),
        ([0, 52], [-1] * 5, "from 0 to 51"),
        ([0, -1], [-1] * 5, "from 0 to 51"),
        ([0, 300], [-1] * 5, "from 0 to 51"),
        ([0, 1], [1, 5, 6, -1, -1], "none of them twice"),
        ([0, 1], [5, 6, -1, -1, -1], "0, 3, 4 or 5 cards"),
        ([0, 1], [5, 6, 7, -1, 9], "undealt places"),
        ([0, 1], [5, 6, 7], "rows of five board cards"),
    ],
)
def test_a_batch_with_impossible_cards_is_refused(hole: list[int], board: list[int], complaint: str) -> None:
    with pytest.raises(IllegalError, match=complaint):
        equities([hole], [board], 1)


def test_opponents_beyond_counting_or_seating_are_refused() -> None:
    with pytest.raises(IllegalError, match="1 or 2 opponents"):
        equities([[0, 1]], [[5, 6, 7, 8, 9]], 3)
    with pytest.raises(IllegalError, match="1 to 9 opponents"):
        sampled_equity([[0, 1]], [[5, 6, 7, 8, 9]], 10, 100, 1)
    with pytest.raises(IllegalError, match="at least 2 samples"):
        sampled_equity([[0, 1]], [[5, 6, 7, 8, 9]], 3, 1, 1)


def test_a_range_whose_every_hand_is_blocked_is_refused() -> None:
    with pytest.raises(IllegalError, match="every hand in the range 'AA' is blocked"):
        equity_against(cards("AsAh"), "AA", cards("AcKdQd"))


def test_a_range_knows_how_many_hands_it_has() -> None:
    assert len(parse_range("QQ+,AKs")) == 3 * 6 + 4
