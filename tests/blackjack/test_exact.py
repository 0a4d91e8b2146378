from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Rules, Shoe, parse_situation
from mazzo.blackjack.exact.analysis import analyse, dealer_chances
from mazzo.blackjack.exact.informed import SPLIT_PLAYS, informed_ev, informed_splits
from mazzo.blackjack.multisets import all_hands, hand_total
from mazzo.errors import IllegalError
from tests.blackjack.brute import Brute, draws

HUNGARIAN, STRIP = PRESETS["hungarian"], PRESETS["strip"]

EIGHTS = (0, 0, 2, 0, 3, 0, 0, 6, 0, 6)
ACES = (5, 0, 0, 0, 0, 2, 0, 0, 4, 7)
THREES = (0, 0, 6, 3, 0, 0, 0, 5, 0, 6)
SMALL_GAMES: dict[str, tuple[Rules, tuple[int, ...]]] = {
    "hungarian eights": (HUNGARIAN.changed(max_hands=3), EIGHTS),
    "hungarian aces resplit": (HUNGARIAN.changed(max_hands=3), ACES),
    "strip eights": (STRIP.changed(max_hands=3), EIGHTS),
    "strip aces": (STRIP.changed(max_hands=3), ACES),
    "strip four hands": (STRIP, (0, 0, 0, 0, 0, 0, 4, 8, 0, 7)),
    "european threes": (PRESETS["european"].changed(max_hands=2), THREES),
    "h17 threes": (PRESETS["h17"].changed(max_hands=3), THREES),
    "h17 aces played on": (PRESETS["h17"].changed(max_hands=2, hit_split_aces=True), ACES),
    "10-11, no double after split, late": (
        HUNGARIAN.changed(max_hands=3, double="10-11", double_after_split=False, surrender="late"),
        EIGHTS,
    ),
    "early surrender before the peek": (STRIP.changed(max_hands=2, surrender="early"), ACES),
    "surrender after a split": (HUNGARIAN.changed(max_hands=3, surrender_after_split=True), EIGHTS),
    "surrender after a split and a peek": (
        STRIP.changed(max_hands=3, surrender="late", surrender_after_split=True),
        EIGHTS,
    ),
    "formula 5.12": (
        HUNGARIAN.changed(max_hands="unlimited", surrender_after_split=True),
        (0, 0, 2, 0, 3, 0, 0, 6, 0, 9),
    ),
    "formula 5.12 for aces": (HUNGARIAN.changed(max_hands="unlimited"), (4, 0, 0, 0, 0, 3, 0, 3, 4, 9)),
    "9-11, even money against ten": (STRIP.changed(max_hands=2, double="9-11", even_money="ace-ten"), ACES),
}


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_play_agrees_with_brute_force(name: str) -> None:
    rules, counts = SMALL_GAMES[name]
    analysis, brute = analyse(rules, Shoe(counts)), Brute(rules, counts)
    compared = 0
    for a, _, left_a in draws(counts):
        for b, _, left_b in draws(left_a):
            for up, _, _ in draws(left_b):
                if a <= b and (a, b) != (1, 10):
                    expected = brute.plays((a, b), up)
                    assert analysis.plays((a - 1, b - 1), up - 1) == pytest.approx(expected, abs=1e-12)
                    compared += len(expected)
    assert compared > 60
    assert analysis.ev == pytest.approx(brute.ev(), abs=1e-12)


def test_six_decks_give_the_published_figures_to_nine_decimals() -> None:
    assert f"{analyse(HUNGARIAN).ev:.9f}" == "-0.001998570"
    assert f"{analyse(STRIP).ev:.9f}" == "-0.004028702"


def test_the_texts_unlimited_formula_gives_its_figure() -> None:
    rules = HUNGARIAN.changed(max_hands="unlimited", surrender_after_split=True)
    assert f"{analyse(rules).ev:.9f}" == "-0.001963436"


@pytest.mark.parametrize(
    ("situation", "play", "value"),
    [("10,6 v T", "stand", "-0.576608463"), ("10,6 v T", "hit", "-0.570817266"), ("9,9 v 6", "split", "0.463966650")],
)
def test_single_hands_of_six_decks_to_nine_decimals(situation: str, play: str, value: str) -> None:
    assert f"{analyse(HUNGARIAN).plays(*parse_situation(situation))[play]:.9f}" == value


def test_after_the_texts_first_round_the_player_is_ahead() -> None:
    ev = analyse(HUNGARIAN, Shoe.parse("6d-7,8,2,8,3,5,2")).ev
    assert f"{ev:.9f}" == "0.002102561"


def test_dealer_chances_are_chances() -> None:
    chances = dealer_chances(STRIP, Shoe.of_decks(1)).reshape(-1, 10, 6)
    assert chances.min() >= 0
    assert chances.sum(2).max() <= 1
    empty_shoe_like = analyse(STRIP, Shoe.of_decks(1))
    assert empty_shoe_like.blackjack[all_hands().of((0, 9)), 0] == pytest.approx(15 / 49)


@pytest.mark.parametrize("hit_soft_17", [False, True])
def test_dealer_chances_of_one_deck_agree_with_drawing_card_by_card(hit_soft_17: bool) -> None:
    shoe = Shoe.of_decks(1)
    rules = STRIP.changed(hit_soft_17=hit_soft_17)
    hand = (4, 4, 0)
    chances = dealer_chances(rules, shoe)[all_hands().of(hand)].reshape(10, 6)
    for upcard in (0, 5, 9):
        brute = Brute(rules, shoe.counts)
        ends = brute.dealer((upcard + 1,), shoe.without((*hand, upcard)).counts)
        expected = [ends.get(total, 0.0) for total in (17, 18, 19, 20, 21, 0)]
        assert chances[upcard] == pytest.approx(expected, abs=1e-13)


def test_following_the_best_policy_is_worth_the_best_value() -> None:
    best = analyse(STRIP, Shoe.of_decks(2))
    followed = analyse(STRIP, Shoe.of_decks(2), best.policy)
    assert followed.ev == best.ev
    np.testing.assert_array_equal(followed.split, best.split)


def test_hands_know_their_totals() -> None:
    hands = all_hands()
    assert len(hands) == 3083
    for hand in range(0, len(hands), 7):
        assert (hands.arrays.total[hand], hands.arrays.soft[hand]) == hand_total(hands.ranks(hand))
        assert hands.of(hands.ranks(hand)) == hand


@pytest.mark.parametrize(
    ("shoe", "complaint"), [("0,0,0,0,0,0,0,4,0,0", "could run out of cards"), ("0,0,0,0,0,0,0,0,0,0", "has 0 points")]
)
def test_a_shoe_that_a_round_could_empty_is_refused(shoe: str, complaint: str) -> None:
    with pytest.raises(IllegalError, match=complaint):
        analyse(STRIP, Shoe.parse(shoe))


def test_a_hand_that_the_shoe_cannot_give_is_refused() -> None:
    analysis = analyse(STRIP, Shoe.parse("6d"))
    with pytest.raises(IllegalError, match="has no A left"):
        analyse(STRIP, Shoe((1, *[24] * 8, 96))).plays((0, 0), 5)
    with pytest.raises(IllegalError, match="more than 21"):
        analysis.plays((9, 9, 9), 5)


def test_more_hands_are_never_worth_less_in_a_fresh_shoe() -> None:
    values: list[Any] = [analyse(STRIP.changed(max_hands=n)).ev for n in (2, 3, 4)]
    assert values == sorted(values)


def test_an_ace_on_split_tens_stands_as_the_blackjack_it_would_be_unsplit() -> None:
    rules = STRIP.changed(insurance=False, even_money="none")
    assert f"{analyse(rules, '5,6,3,3,5,4,5,2,3,29').ev:.6f}" == "0.064113"


def test_splits_by_each_definition_give_the_published_figures() -> None:
    shoe = Shoe.parse("6d-7,8,2,8,3,5,2")
    found = [f"{informed_ev(HUNGARIAN, shoe, splits):.9f}" for splits in SPLIT_PLAYS]
    assert found == ["0.002102561", "0.002103134", "0.002103215", "0.002103230"]


@pytest.mark.parametrize("seed", range(6))
def test_more_knowledge_is_never_worth_less_than_zero_memory(seed: int) -> None:
    rules = STRIP.changed(decks=1, resplit_aces=bool(seed % 2))
    counts = np.random.default_rng(seed).multivariate_hypergeometric([4] * 9 + [16], 30)
    shoe = Shoe(tuple(counts.tolist())) if seed else Shoe.parse("3,3,0,1,2,1,3,3,2,10")
    unsplit, first, best, known = (informed_splits(rules, shoe, splits) for splits in SPLIT_PLAYS)
    assert (best >= np.maximum(unsplit, first)).all()
    assert (known >= np.maximum(unsplit, first) - 1e-12).all()


def test_with_two_hands_at_most_there_is_one_level_and_those_who_know_more_play_alike() -> None:
    rules, counts = STRIP.changed(max_hands=2), (0, 0, 2, 0, 3, 0, 0, 2, 0, 9)
    known = informed_splits(rules, Shoe(counts), "known")
    first = informed_splits(rules, Shoe(counts), "first")
    assert known[7] == pytest.approx(first[7], abs=1e-12)


def test_even_money_under_a_peek_is_on_the_footing_of_the_other_plays() -> None:
    """All plays are given that there is no dealer blackjack: a sure 1 is then worth 1 / (1 - p)."""
    shoe = Shoe.parse("5,6,3,3,5,4,5,2,3,29")
    plays = analyse(STRIP, shoe).plays("A,T v A")
    p = 28 / 62
    assert plays == pytest.approx({"even money": 1 / (1 - p), "stand": 1.5})
    assert next(iter(plays)) == "even money"
    fresh = analyse(STRIP).plays("A,T v A")
    assert next(iter(fresh)) == "stand"
    without = analyse(PRESETS["european"], shoe).plays("A,T v A")
    assert without["even money"] == 1


def test_insurance_is_not_advised_against_even_money_that_is_worth_more() -> None:
    shoe = Shoe.parse("5,6,3,3,5,4,5,2,3,29")
    assert analyse(STRIP, shoe).side_bet("A,T v A") == "even money"
    assert analyse(STRIP.changed(blackjack_pays=2), shoe).side_bet("A,T v A") == "insure"
    assert analyse(STRIP.changed(even_money="none"), shoe).side_bet("A,T v A") == "insure"
    assert analyse(STRIP, shoe).side_bet("T,9 v A") == "insure"
    assert analyse(STRIP).side_bet("A,T v A") == "leave"
    assert analyse(STRIP, shoe).side_bet("T,9 v 5") == "leave"
