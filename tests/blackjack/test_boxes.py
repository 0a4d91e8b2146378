"""Several boxes against one dealer."""

from __future__ import annotations

import pytest

from mazzo.agent import create
from mazzo.blackjack.agents import AGENTS
from mazzo.blackjack.round import PlayerHand, Round, play_with
from mazzo.blackjack.rules import PRESETS
from mazzo.blackjack.shoe import ACE, TEN, Shoe
from mazzo.errors import IllegalError
from mazzo.luck import fork, stream

SIX_DECKS = Shoe.of_decks(6)


def three_boxes(hands: list[list[int]], dealer: list[int]) -> Round:
    game = Round(PRESETS["strip"], SIX_DECKS, stream(1, "boxes"), boxes=3)
    game.hands = [PlayerHand(cards, box=box) for box, cards in enumerate(hands)]
    game.dealer = dealer
    return game


@pytest.mark.parametrize("rules", PRESETS)
def test_no_card_is_made_or_lost_with_several_boxes(rules: str) -> None:
    agent = create("random", AGENTS)
    for k in range(100):
        game = Round(PRESETS[rules], SIX_DECKS, fork(stream(2, "boxes"), k), boxes=4)
        won = play_with(agent, game)
        out = [card for hand in game.hands for card in hand.cards] + game.dealer
        assert game.shoe_after == SIX_DECKS.without(out)
        assert won == pytest.approx(sum(game.won))
        assert len(game.won) == 4


def test_every_box_is_settled_against_the_same_dealer() -> None:
    game = three_boxes([[TEN, TEN], [TEN, 7], [ACE, TEN]], [TEN, 8])
    assert game.to_play is game.hands[0]
    game.play("stand")
    assert game.to_play is game.hands[1]
    game.play("stand")
    assert game.to_play is None
    game.settle()
    assert game.won == [1.0, -1.0, 1.5]


def test_insurance_is_each_boxs_own() -> None:
    game = three_boxes([[TEN, 7], [TEN, 7], [TEN, 7]], [ACE, TEN])
    game.insure(1)
    with pytest.raises(IllegalError):
        game.insure(1)
    game.settle()
    assert game.won == [-1.0, 0.0, -1.0]


def test_even_money_pays_one_box_and_the_others_play_on() -> None:
    game = three_boxes([[ACE, TEN], [TEN, 7], [TEN, 7]], [ACE, 8])
    game.take_even_money(0)
    game.play("stand")
    game.play("stand")
    game.settle()
    assert game.won == [1.0, -1.0, -1.0]


def test_a_box_splits_up_to_its_own_number_of_hands() -> None:
    game = Round(PRESETS["strip"].changed(max_hands=2), SIX_DECKS, stream(1, "boxes"), boxes=2)
    game.hands = [PlayerHand([7, 7], box=0), PlayerHand([7, 7], box=1)]
    game.dealer = [TEN, 6]
    game.play("split")
    assert [hand.box for hand in game.hands] == [0, 0, 1]


def test_the_value_of_a_side_bet_counts_the_cards_of_all_boxes() -> None:
    game = three_boxes([[TEN, TEN], [TEN, TEN], [TEN, TEN]], [ACE, 5])
    assert game.side_bet_gain(0) == pytest.approx(1.5 * (96 - 6) / (312 - 7) - 0.5)
