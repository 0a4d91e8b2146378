from __future__ import annotations

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.distribution import round_moments
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.infinite import infinite_deck, infinite_ev
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.shoe import parse_situation
from mazzo.errors import IllegalError

HUNGARIAN = PRESETS["hungarian"]


def test_the_texts_infinite_deck_gives_its_figure_to_nine_decimals() -> None:
    rules = HUNGARIAN.changed(max_hands="unlimited", surrender_after_split=True)
    assert f"{infinite_ev(rules):.9f}" == "-0.002845385"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"peek": True, "surrender": "late"},
        {"peek": True, "surrender": "early", "hit_soft_17": True},
        {"double": "10-11", "double_after_split": False, "surrender": "late", "max_hands": 3},
        {"hit_split_aces": True, "surrender_after_split": True, "even_money": "ace-ten"},
        {"max_hands": 2, "resplit_aces": False, "blackjack_pays": 1.2},
    ],
)
def test_many_decks_tend_to_the_infinite_deck(changes: dict[str, object]) -> None:
    rules = HUNGARIAN.changed(**changes)
    two, four, eight = (analyse(rules, Shoe.of_decks(decks)).ev for decks in (2, 4, 8))
    limit = (8 * eight - 6 * four + two) / 3  # takes out the terms in 1 / decks and its square
    assert limit == pytest.approx(infinite_ev(rules), abs=3e-5)


def test_single_plays_tend_to_the_infinite_deck() -> None:
    rules = PRESETS["strip"]
    infinite, finite = infinite_deck(rules), analyse(rules, Shoe.of_decks(8))
    for cards, upcard in [((9, 5), 9), ((7, 7), 9), ((0, 6), 2), ((4, 5), 0)]:
        gone = infinite.tables.ends[upcard, 5]
        for name, value in infinite.plays(cards, upcard).items():
            assert value / (1 - gone) == pytest.approx(finite.plays(cards, upcard)[name], abs=0.02)


def test_a_shoe_half_of_tens_does_not_break_endless_splitting() -> None:
    rules = HUNGARIAN.changed(max_hands="unlimited")
    for tens in (9, 10, 30):
        deck = infinite_deck(rules, Shoe((1,) * 9 + (tens,)))
        assert np.isfinite(deck.tables.split).all()
        assert abs(deck.tables.split).max() < 2 * 16


@pytest.mark.parametrize("name", PRESETS)
def test_exact_analysis_counts_an_endless_shoe(name: str) -> None:
    rules = PRESETS[name].changed(decks="infinite")
    found = analyse(rules)
    assert found.ev == pytest.approx(infinite_ev(rules), abs=1e-10)
    deck = infinite_deck(rules)
    for cards, upcard in [((9, 5), 9), ((7, 7), 9), ((0, 6), 2), ((4, 5), 0), ((1, 2, 3), 5)]:
        gone = deck.tables.ends[upcard, 5] if rules.peek else 0.0
        for play, value in deck.plays(cards, upcard).items():
            assert found.plays(cards, upcard)[play] == pytest.approx(value / (1 - gone), abs=1e-10)


def test_only_whether_a_hand_has_two_cards_matters_beyond_its_total_in_an_endless_shoe() -> None:
    rules = PRESETS["strip"].changed(decks="infinite")
    plays = analyse(rules)
    for one, other in [((5, 9), (6, 8)), ((1, 2, 9), (4, 4, 4)), ((0, 1, 3), (0, 2, 2))]:
        for upcard in range(10):
            assert plays.plays(one, upcard)["hit"] == pytest.approx(plays.plays(other, upcard)["hit"], abs=1e-11)
    assert best_table(rules).ev == pytest.approx(plays.ev, abs=1e-10)


def test_an_endless_shoe_keeps_the_proportions_given() -> None:
    rules, poor = PRESETS["h17"].changed(decks="infinite"), Shoe((4,) * 9 + (12,))
    assert analyse(rules, poor).ev == pytest.approx(infinite_ev(rules, poor), abs=1e-10)


def test_the_moments_of_an_endless_shoe_are_those_of_its_value() -> None:
    rules = PRESETS["strip"].changed(decks="infinite", insurance=False, even_money="none", max_hands=3)
    mean, variance = round_moments(rules)
    assert mean == pytest.approx(infinite_ev(rules), abs=1e-10)
    assert 1.2 < variance < 1.4


def test_pairs_that_split_without_end_are_refused() -> None:
    rules = PRESETS["thesis"].changed(decks="infinite")
    with pytest.raises(IllegalError, match="set max_hands"):
        analyse(rules, Shoe((1,) * 9 + (30,)))


@pytest.mark.parametrize("name", ["strip", "hungarian", "thesis", "european"])
def test_the_infinite_deck_answers_as_an_exact_shoe_does(name: str) -> None:
    rules = PRESETS[name].changed(decks="infinite")
    endless, eight = analyse(rules), analyse(PRESETS[name].changed(decks=8))
    worth = 0.0
    for state in endless.states():
        plays: dict[str, float] = state["plays"]  # type: ignore[assignment]
        cards, upcard = parse_situation(f"{state['hand']} v {state['upcard']}")
        other = eight.plays(cards, upcard)
        assert set(plays) == set(other)
        assert all(abs(plays[play] - other[play]) < 0.05 for play in plays)
        gone = endless.blackjack[all_hands().of(cards), upcard]
        insured = max(1.5 * 4 / 13 - 0.5, 0.0) if rules.insurance and upcard == 0 else 0.0
        value = max(plays.values())
        worth += float(state["chance"]) * (insured + (value * (1 - gone) - gone if rules.peek else value))  # type: ignore[arg-type]
        if rules.peek and set(cards) == {0, 9}:
            worth += float(state["chance"]) * gone  # type: ignore[arg-type]  # two blackjacks are no loss
    assert worth == pytest.approx(endless.ev, abs=1e-6)
    assert len(list(best_table(rules).table.differences(best_table(PRESETS[name].changed(decks=8)).table))) <= 4
