"""Sealed decks: no card can be exchanged, none is told before its time, every deck is a fair shuffle."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.cards import FRENCH, ITALIAN
from mazzo.errors import UnreadableError
from mazzo.sealed import SealedDeck, SealedDecks, opened_cards, seed_of

FRESH = list(map(str, FRENCH))
KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS, st.sets(st.integers(0, 51)), st.integers(0, 51), st.integers(1, 51))
@settings(max_examples=30, deadline=None)
def test_no_card_can_be_exchanged_once_the_deck_is_sealed(key: bytes, places: set[int], at: int, by: int) -> None:
    deck = SealedDeck(key, FRESH)
    proof = deck.opened(places | {at})
    seal, cards = opened_cards({"cards": proof}, FRESH)
    assert seal == deck.seal
    assert [k for k, card in enumerate(cards) if card is not None] == sorted(places | {at})
    assert cards[at] == deck.cards[at]
    other = FRESH[(FRESH.index(deck.cards[at]) + by) % 52]
    proof[at] = f"{other}:{proof[at].partition(':')[2]}"
    try:
        changed = opened_cards({"cards": proof}, FRESH)[0]
    except UnreadableError:  # a card that is opened elsewhere too
        return
    assert changed != deck.seal


@given(KEYS, st.sets(st.integers(0, 51), max_size=20))
@settings(max_examples=30, deadline=None)
def test_cards_that_are_not_opened_are_not_in_the_proof(key: bytes, places: set[int]) -> None:
    """A hash without its salt says nothing: no card of the deck, tried in its place, gives it."""
    import hashlib

    deck = SealedDeck(key, FRESH)
    guesses = {hashlib.sha256(salt + card.encode()).hexdigest() for card in FRESH for salt in (b"", deck.salt(99))}
    for place, entry in enumerate(deck.opened(places)):
        assert (":" in entry) == (place in places)
        assert entry not in guesses


@pytest.mark.parametrize(("fresh", "decks"), [(FRESH, 1), (FRESH, 6), (list(map(str, ITALIAN)), 1)])
def test_a_sealed_deck_has_the_cards_of_the_fresh_one(fresh: list[str], decks: int) -> None:
    deck = SealedDeck(b"k" * 32, fresh * decks)
    assert Counter(deck.cards) == Counter(fresh * decks)
    assert opened_cards({"key": deck.key.hex()}, fresh * decks) == (deck.seal, list(deck.cards))


def test_every_card_is_equally_likely_at_every_place() -> None:
    """Chi-square over 52 x 52 cells and 4,000 decks: mean 51 * 51, standard deviation about 72."""
    decks, counts = SealedDecks(bytes(32), FRESH), Counter[tuple[int, int]]()
    for number in range(4000):
        counts.update(enumerate(decks.deck(number).order))
    expected = 4000 / 52
    square = sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in range(52))
    assert abs(square - 51 * 51) < 5 * 72


def test_the_shuffle_and_the_seal_stay_what_they_are() -> None:
    """Proofs that people have saved must still be good."""
    deck = SealedDecks(bytes(range(32)), FRESH).deck(7)
    assert " ".join(deck.cards[:8]) == "4d 7h 3d 4c 4h 8s 3h Ac"
    assert deck.seal == "53940816d4989515ea51ae386dd1564a74634fd9a76d74cf2edcaa0a4d469987"


def test_one_key_says_nothing_of_another_and_nothing_of_the_secret() -> None:
    decks = SealedDecks(bytes(32), FRESH)
    keys = {decks.deck(number).key for number in range(100)}
    assert len(keys) == 100
    assert not any(key == bytes(32) for key in keys)
    assert seed_of(bytes(32)) != seed_of(b"1" * 32)


@pytest.mark.parametrize(
    "proof",
    [
        {},
        {"key": "ab"},
        {"key": 7},
        {"key": "z" * 64},
        {"cards": "As"},
        {"cards": []},
        {"cards": ["x"] * 52},
        {"cards": [None] * 52},
        {"cards": [f"As:{'0' * 32}"] * 52},
        {"cards": [f"Zz:{'0' * 32}"] * 52},
        {"cards": ["0" * 64] * 53},
    ],
)
def test_what_is_no_proof_is_refused(proof: dict[str, object]) -> None:
    with pytest.raises(UnreadableError):
        opened_cards(proof, FRESH)


def test_a_secret_of_another_length_is_refused() -> None:
    with pytest.raises(UnreadableError, match="32 bytes"):
        SealedDecks(b"short", FRESH)
