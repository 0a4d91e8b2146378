"""Several boxes against one dealer."""

from __future__ import annotations

import pytest

from mazzo.blackjack.columns import INSURE
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import PRESETS
from mazzo.errors import IllegalError


def three_boxes(hands: str, dealer: str) -> Round:
    return Round("strip", f"{hands} v {dealer}")


def test_every_box_is_settled_against_the_same_dealer() -> None:
    game = three_boxes("T,T / T,8 / A,T", "T,9")
    assert (game.turn, game.at) == (0, 0)
    game.act("stand")
    assert (game.turn, game.at) == (1, 1)
    game.act("stand")
    assert game.over
    assert game.payoffs == (1.0, -1.0, 1.5)


def test_insurance_is_each_boxs_own() -> None:
    game = three_boxes("T,8 / T,8 / T,8", "A,T").act("leave").act("insure")
    assert game.turn == 2
    game.act("leave")
    assert game.payoffs == (-1.0, 0.0, -1.0)


def test_nobody_plays_before_all_boxes_were_asked() -> None:
    game = three_boxes("T,8 / T,8 / T,8", "A,9")
    with pytest.raises(IllegalError, match="first say whether the side bet is taken"):
        game.act("stand")


def test_even_money_pays_one_box_and_the_others_play_on() -> None:
    game = three_boxes("A,T / T,8 / T,8", "A,9").act("even money").act("leave").act("leave")
    game.act("stand").act("stand")
    assert game.payoffs == (1.0, -1.0, -1.0)


def test_a_box_splits_up_to_its_own_number_of_hands() -> None:
    game = Round(PRESETS["strip"].changed(max_hands=2), "8,8 / 8,8 v T,7").act("split")
    assert [hand.box for hand in game.hands] == [0, 0, 1]
    while game.turn == 0:
        assert "split" not in game.legal.by_text
        game.act("stand")
    assert "split" in game.legal.by_text


def test_the_value_of_a_side_bet_counts_the_cards_of_all_boxes() -> None:
    bet, gain = three_boxes("T,T / T,T / T,T", "A,6").side_bet()
    assert bet == INSURE
    assert gain == pytest.approx(1.5 * (96 - 6) / (312 - 7) - 0.5)
