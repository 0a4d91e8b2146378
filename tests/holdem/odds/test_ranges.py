from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem.odds import parse_range


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AA", 6),
        ("QQ+", 18),
        ("22-55", 24),
        ("55-22", 24),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("ats+", 16),
        ("A2s-A5s", 16),
        ("T9s-76s", 16),
        ("J9o-86o", 48),
        ("AsKd", 1),
        ("Kd As", 0),
        ("QQ+,AKs,AKo,T9s,22-55,AsKd", 18 + 4 + 12 + 4 + 24),
        ("random", 1326),
        ("AA:0,KK", 6),
    ],
)
def test_a_range_has_the_hands_people_mean(text: str, hands: int) -> None:
    if not hands:
        with pytest.raises(UnreadableError):
            parse_range(text)
    else:
        assert len(parse_range(text)) == hands


def test_suited_hands_share_a_suit_and_offsuit_hands_do_not() -> None:
    assert all(a % 4 == b % 4 for a, b in parse_range("AKs,T2s+").weights)
    assert all(a % 4 != b % 4 for a, b in parse_range("AKo,T2o+").weights)


def test_the_last_weight_given_to_a_hand_counts() -> None:
    weights = parse_range("AKs,AsKs:0.25").weights
    low, high = sorted(FRENCH.parse("AsKs"))
    assert weights[low, high] == Fraction(1, 4)
    assert sorted(set(weights.values())) == [Fraction(1, 4), 1]


def test_weights_become_whole_numbers_in_proportion() -> None:
    whole = parse_range("AA:0.5,KK:0.125,QQ").in_whole_numbers()
    assert sorted(set(whole.values())) == [1, 4, 8]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no hand is in the range"),
        ("AAs", "neither suited nor offsuit"),
        ("AX", "cannot read 'AX'"),
        ("A", "cannot read 'A'"),
        ("AKs-QJo", "cannot read 'AKs-QJo'"),
        ("AKs-Q2s", "goes between"),
        ("AKs:2", "a weight is a number from 0 to 1"),
        ("AKs:x", "a weight is a number from 0 to 1"),
        ("AKs:1e-3", "a weight is a number from 0 to 1"),
        ("AKs:0.0000001", "at most 6 decimals"),
        ("AKs:", "a weight is a number from 0 to 1"),
        ("AsAs", "duplicate card"),
        ("AsKdQh", "cannot read 'AsKdQh'"),
        ("+", "cannot read"),
        ("-", "cannot read"),
    ],
)
def test_what_is_no_range_is_named_with_what_would_be_right(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        parse_range(text)


@given(st.text(alphabet="AKQJT92sdhco+-:,. 01random", max_size=14))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        found = parse_range(text)
    except UnreadableError:
        return
    assert all(0 <= a < b < 52 and 0 < weight <= 1 for (a, b), weight in found.weights.items())
