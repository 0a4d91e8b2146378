import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.cards import FRENCH, ITALIAN, Card, Deck
from mazzo.errors import UnreadableError

DECKS = [FRENCH, ITALIAN]


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_every_card_survives_text_and_mask(deck: Deck) -> None:
    for card in deck:
        assert deck.card(str(card)) == card
        assert deck.index(card.rank, card.suit) == card
        assert deck.unmask(deck.mask([card])) == (card,)
        assert pickle.loads(pickle.dumps(card)) == card


def test_a_card_is_made_of_its_text_or_its_index_in_a_french_deck_unless_another_is_given() -> None:
    assert Card("As") == FRENCH.card("As") == Card(51)
    assert (Card("As").deck, Card("4d", ITALIAN).deck) == (FRENCH, ITALIAN)
    assert str(Card("4d", ITALIAN)) == str(Card(0, ITALIAN)) == "4d"
    for wrong in (52, -1):
        with pytest.raises(UnreadableError, match="the French deck has the cards 0 to 51"):
            Card(wrong)
    with pytest.raises(UnreadableError, match="2 cards; one was expected"):
        Card("AsKd")


def test_french_cards_count_rank_by_rank_from_the_two_of_clubs() -> None:
    assert FRENCH.text(range(6)) == "2c2d2h2s3c3d"
    assert len(FRENCH) == 52


def test_italian_cards_rise_in_power_within_each_suit() -> None:
    assert ITALIAN.text(range(11)) == "4d5d6d7d8d9d10dAd2d3d4c"
    assert len(ITALIAN) == 40


def test_ten_and_ace_may_be_written_as_people_do() -> None:
    assert FRENCH.parse("10h") == FRENCH.parse("Th")
    assert ITALIAN.parse("1d Rc Fs") == ITALIAN.parse("Ad10c8s")
    assert FRENCH.parse("aSkD") == FRENCH.parse("AsKd")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AsAs", "duplicate card As"),
        ("Ax", "after the rank A comes a suit, one of c \\(clubs\\)"),
        ("A", "after the rank A"),
        ("Zs", "a card is a rank"),
        ("As/Kd", "at '/Kd'"),
    ],
)
def test_bad_cards_are_named_with_what_would_be_right(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        FRENCH.parse(text)


@given(st.text(max_size=12))
def test_no_text_breaks_the_parser(text: str) -> None:
    for deck in DECKS:
        try:
            cards = deck.parse(text)
        except UnreadableError:
            continue
        assert deck.parse(deck.text(cards)) == cards


@given(st.lists(st.integers(0, 51), unique=True))
def test_masks_are_sets_of_cards(cards: list[int]) -> None:
    assert list(FRENCH.unmask(FRENCH.mask(cards))) == sorted(cards)
