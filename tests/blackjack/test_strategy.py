from __future__ import annotations

import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table, two_card_dependent
from mazzo.blackjack.strategy import ROWS, Strategy, policy_of
from mazzo.errors import UnreadableError

HUNGARIAN, STRIP = PRESETS["hungarian"], PRESETS["strip"]


def test_tables_survive_text() -> None:
    table = best_table(STRIP).table
    assert Strategy.parse(str(table)) == table


def test_the_best_table_is_basic_strategy() -> None:
    table = best_table(STRIP).table
    by_row = dict(zip(ROWS, table.letters, strict=True))  # columns A 2 .. T; Griffin, The Theory of Blackjack
    assert by_row["16"] == "hnnnnnhhhh"
    assert by_row["12"] == "hhhnnnhhhh"
    assert by_row["11"] == "hDDDDDDDDD"
    assert by_row["A,7"] == "hnddddnnhh"
    assert by_row["8-8"] == "ssssssssss"
    assert by_row["9-9"] == "nsssssnssn"
    assert by_row["4-4"] == "hhhhsshhhh"


def test_knowing_more_is_never_worth_less() -> None:
    for rules in (HUNGARIAN, STRIP):
        by_total, by_two, by_cards = best_table(rules), two_card_dependent(rules), analyse(rules)
        assert by_total.ev <= by_two.ev + 1e-12 <= by_cards.ev + 2e-12
        assert by_cards.ev - by_total.ev < 1e-4


def test_no_single_letter_improves_the_best_table() -> None:
    rules = STRIP.changed(max_hands=2)
    best = best_table(rules, Shoe.of_decks(2))
    for row, upcard, letter in [("16", 9, "n"), ("12", 3, "h"), ("11", 0, "D"), ("A,7", 1, "d"), ("9-9", 6, "s")]:
        other = best.table.changed(ROWS.index(row), upcard, letter)
        if other != best.table:
            assert analyse(rules, Shoe.of_decks(2), policy_of(other, rules)).ev < best.ev


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("16 nnnnnnnnnn", "lacks the rows"),
        ("99 nnnnnnnnnn", "'99' is no row"),
        ("16 nnnnnnnnnn\n16 nnnnnnnnnn", "duplicate row 16"),
    ],
)
def test_unreadable_tables_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        Strategy.parse(text)


def test_tables_with_wrong_letters_are_refused() -> None:
    table = best_table(STRIP).table
    with pytest.raises(UnreadableError, match="only pairs can be split"):
        table.changed(0, 0, "s")
    with pytest.raises(UnreadableError, match="ten of the letters"):
        table.changed(0, 0, "x")


def test_differences_name_the_cell() -> None:
    table = best_table(STRIP).table
    assert list(table.differences(table.changed(5, 3, "h"))) == [("16", "4", "n", "h")]
