from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.blackjack import PRESETS, Rules, Shoe, named_rules, parse_cards, parse_situation, read_rules
from mazzo.errors import IllegalError, MazzoError, UnreadableError


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_being_printed_and_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(str(PRESETS[name]))
    assert read_rules(path) == PRESETS[name]
    assert named_rules(str(path)) == PRESETS[name]


def test_a_file_may_change_a_preset(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('preset = "h17"\ndecks = "infinite"\nblackjack_pays = "6:5"\nmax_hands = "unlimited"\n')
    rules = read_rules(path)
    assert rules == PRESETS["h17"].changed(decks="infinite", blackjack_pays=1.2, max_hands="unlimited")
    assert read_rules_text(rules, tmp_path) == rules


def read_rules_text(rules: Rules, folder: Path) -> Rules:
    path = folder / "again.toml"
    path.write_text(str(rules))
    return read_rules(path)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"max_hands": 1}, "double_after_split has no meaning where max_hands = 1"),
        ({"max_hands": 2, "resplit_aces": True}, "needs a third hand"),
        ({"surrender_after_split": True}, "surrender_after_split needs surrender"),
        ({"blackjack_pays": 1}, "even money is never less"),
        ({"decks": 9}, "decks must be 1 to 8"),
        ({"decks": "infinite", "cut_sigma": 10}, "an infinite shoe has no cut card"),
        ({"penetration": 1.5}, "between 0 and 1"),
    ],
)
def test_impossible_rules_are_refused_with_the_reason(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(IllegalError, match=complaint):
        PRESETS["strip"].changed(**changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"deck": 6}, "did you mean 'decks'"),
        ({"surrender": "sometimes"}, "surrender must be one of none, late"),
        ({"peek": "perhaps"}, "peek must be true or false"),
        ({"decks": "six"}, "decks must be a whole number"),
        ({"decks": 0}, "or 'infinite'"),
        ({"blackjack_pays": "3:x"}, "such as 1.5 or 3:2"),
        ({"double": 3}, "double must be one of any"),
    ],
)
def test_unreadable_rules_are_refused_with_what_would_be_right(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        PRESETS["strip"].changed(**changes)


def test_unknown_names_of_rules_suggest_the_nearest() -> None:
    with pytest.raises(UnreadableError, match="did you mean 'hungarian'"):
        named_rules("hungaryan")


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("decks: 6")
    with pytest.raises(UnreadableError, match="is not TOML"):
        read_rules(path)
    with pytest.raises(UnreadableError, match="cannot read the rules"):
        read_rules(tmp_path / "none.toml")


def test_shoes_are_read_as_players_write_them() -> None:
    assert Shoe.parse("6d").counts == (24,) * 9 + (96,)
    assert Shoe.parse("6d-7,8,2,8,3,5,2").counts == (24, 22, 23, 24, 23, 24, 23, 22, 24, 96)
    assert Shoe.parse("1D - 10 K A").counts == (3,) + (4,) * 8 + (14,)
    assert Shoe.parse("1,2,3,4,5,6,7,8,9,10").counts == tuple(range(1, 11))
    assert Shoe.parse(str(Shoe.parse("2d"))) == Shoe.parse("2d")


@pytest.mark.parametrize("text", ["", "6", "9d", "1,2,3", "6d-x", "0d", "-1,0,0,0,0,0,0,0,0,0", "1d-2,2,2,2,2"])
def test_bad_shoes_are_refused(text: str) -> None:
    with pytest.raises(MazzoError):
        Shoe.parse(text)


def test_situations_are_read_as_players_write_them() -> None:
    assert parse_situation("8,8 v 10") == ((7, 7), 9)
    assert parse_situation("A 7 vs. 2") == ((0, 6), 1)
    assert parse_cards("ATT10q") == (0, 9, 9, 9, 9)
    for bad in ("8,8", "8 v T", "8,8 v 9,9", "8,x v 9"):
        with pytest.raises(UnreadableError):
            parse_situation(bad)


@given(st.text(max_size=14))
def test_no_text_breaks_the_readers(text: str) -> None:
    for reader in (Shoe.parse, parse_situation, parse_cards):
        try:
            reader(text)
        except MazzoError:
            continue
