from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mazzo.errors import AmbiguousError, UnreadableError
from mazzo.holdem import find_game
from mazzo.holdem.attributes import REGISTRY, Selection, find, offered, parse_selection, read_selection, schema_names
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.columns import columns_of
from mazzo.holdem.attributes.elementary import ATTRIBUTES, CONTINUOUS
from tests.data_files import DATA


def test_a_table_of_three_has_113_attributes_and_other_tables_as_many_as_their_opponents_need() -> None:
    assert len(schema_names(3)) == 113
    assert schema_names(2) == schema_names(3)
    per_opponent = len([a for a in REGISTRY.values() if a.opponent == 2])
    assert len(schema_names(6)) == 113 + 3 * per_opponent


def test_attributes_are_those_of_the_list() -> None:
    listed = {a["name"]: a for a in map(json.loads, (DATA / "attributes.jsonl").read_text().splitlines())}
    assert set(schema_names(3)) == set(listed)
    for name, said in listed.items():
        ours = REGISTRY[name]
        hole_cards = name.startswith("FUTURE_HOLE_CARDS")  # nominal here, as everywhere else
        assert ours.type == ("nominal" if hole_cards else said["type"]), name
        assert (ours.prefix, ours.category, ours.section) == (said["prefix"], said["category"], said["section"])
        assert list(ours.streets) == said["streets"], name
        (column,) = columns_of([name], [find_game("holdem-limit-3p")])
        if said.get("n_values"):
            assert len(column.values or ()) == said["n_values"], name
        if said.get("values"):
            assert list(column.values or ()) == said["values"], name


def test_every_attribute_is_documented_and_every_fact_has_one_representative() -> None:
    facts: dict[str, list[bool]] = {}
    for attribute in REGISTRY.values():
        assert attribute.doc, attribute.name
        facts.setdefault(attribute.fact, []).append(attribute.redundant)
    for fact, redundant in facts.items():
        assert redundant.count(False) <= 1, fact


def test_names_are_found_in_any_spelling_and_wrong_ones_are_explained() -> None:
    assert find("potOddsToAllInEquityRatio").name == "POT_ODDS_TO_ALL_IN_EQUITY_RATIO"
    assert find("HERO-HOLE-CARDS").name == "HERO_HOLE_CARDS"
    with pytest.raises(UnreadableError, match="did you mean 'POT_SIZE'"):
        find("POT_SIZ")


def test_names_that_differ_only_in_case_are_told_apart_by_their_spelling() -> None:
    assert find("turn_card").type == "numeric"
    assert find("TURN_CARD").type == "nominal"
    with pytest.raises(AmbiguousError, match="turn_card"):
        find("Turn_Card")
    plain: dict[str, list[str]] = {}
    for name in REGISTRY:
        plain.setdefault(name.upper(), []).append(name)
    assert sum(len(names) > 1 for names in plain.values()) == 6


def test_lists_of_heroes_and_of_clones_are_of_one_registry() -> None:
    assert set(ATTRIBUTES) <= set(REGISTRY)
    assert len(set(ATTRIBUTES)) == 70
    assert not set(ATTRIBUTES) & set(schema_names(10))
    assert set(ATTRIBUTES) <= set(schema_names(3, own=True))
    assert offered(Selection(named="continuous"), 2, 2) == CONTINUOUS


def test_attributes_of_heads_up_betting_are_refused_at_other_tables() -> None:
    assert columns_of(["bet_flop", "pv"], [find_game("holdem-limit-2p")])
    assert columns_of(["pv", "chips_other_flop"], [find_game("holdem-nolimit-6p")])
    with pytest.raises(UnreadableError, match=r"'bet_flop' does not describe holdem-limit-3p: .*heads-up"):
        columns_of(["pv", "bet_flop"], [find_game("holdem-limit-3p")])


@pytest.mark.parametrize(("raises", "values"), [((3, 4, 4, 4), (178, 370)), ((2, 3, 3, 3), (82, 178))])
def test_the_betting_that_can_occur_follows_from_the_raise_cap_of_the_rules(
    raises: tuple[int, ...], values: tuple[int, int]
) -> None:
    game = replace(find_game("holdem-limit-3p"), max_raises=raises)
    columns = columns_of(["PREFLOP_ACTION", "RIVER_ACTION", "CURRENT_STREET_ACTION"], [game])
    assert [len(column.values or ()) for column in columns] == [*values, values[1]]
    uncapped = replace(game, max_raises=())
    assert [column.values for column in columns_of(["PREFLOP_ACTION"], [uncapped])] == [None]


def test_sequences_are_the_texts_178_and_370() -> None:
    assert len(v.sequences(3)) == 178
    assert len(v.sequences(4)) == 370
    assert v.sequences(3)[:5] == ("", "r", "rr", "rrr", "rrrf")
    assert v.sequences(3)[-4:] == ("ccrcf", "ccrcc", "ccf", "ccc")
    assert all(v.sequence_text(v.sequence_code(text)) == text for text in v.sequences(4))


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("holdem-limit-2p", ["BB", "SB"]),
        ("holdem-limit-3p", ["SB", "BB", "BU"]),
        ("holdem-limit-6p", ["SB", "BB", "MP_2", "MP_3", "CO", "BU"]),
        ("holdem-nolimit-10p", list(v.POSITIONS[:10])),
    ],
)
def test_positions_are_named_from_the_button_backwards(game: str, names: list[str]) -> None:
    assert [v.POSITIONS[k] for k in v.position_numbers(find_game(game))] == names


def test_categories_are_intersected() -> None:
    chosen = Selection(categories=("ODDS_AND_OUTS", "RIVER")).of(schema_names())
    assert chosen == (
        "ALL_IN_EQUITY",
        "ALL_IN_EQUITY_2PLAYERS",
        "POT_ODDS",
        "POT_ODDS_TO_ALL_IN_EQUITY_RATIO",
        "POTENTIAL_OUTS",
    )


def test_inverting_nothing_selects_everything_and_inverting_something_the_rest() -> None:
    assert Selection(invert=True).of(schema_names()) == schema_names()
    assert Selection(categories=("EMPTY_CATEGORY",)).of(schema_names()) == ()
    rest = Selection(attributes=("CLASS_TO_INVEST",), invert=True).of(schema_names())
    assert set(schema_names()) - set(rest) == {"CLASS_TO_INVEST"}


def test_without_redundancy_a_fact_is_said_once() -> None:
    chosen = Selection(no_redundant=True).of(schema_names())
    assert "HERO_HOLE_CARDS" in chosen
    assert "HERO_HOLE_CARD_HIGH" not in chosen
    assert "FLOP_ACTION" in chosen
    assert not {"FLOP_ACTION_ABSTR", "CURRENT_STREET_ACTION", "FLOP_CARD1_RANK", "FOLDS"} & set(chosen)


@pytest.mark.parametrize("street", range(4))
@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(named="all"),
        Selection(invert=True),
        Selection(prefix="FUTURE"),
        Selection(categories=("HERO_INFO",)),
        Selection(attributes=("POT_ODDS",), invert=True),
    ],
)
def test_nothing_that_looks_ahead_reaches_a_learner_unasked(selection: Selection, street: int) -> None:
    assert not [name for name in offered(selection, street, 3) if REGISTRY[name].looks_ahead]


def test_what_looks_ahead_is_offered_when_it_is_named() -> None:
    chosen = offered(Selection(attributes=("FUTURE_HERO_OUTCOME", "POT_ODDS")), 0, 3)
    assert set(chosen) == {"POT_ODDS", "FUTURE_HERO_OUTCOME"}


def test_learners_are_offered_as_many_attributes_as_the_texts_table_1_counts() -> None:
    # 55, 79, 93 and 106 with the class; the class is not offered.
    assert [len(offered(Selection(named="all"), street, 3)) for street in range(4)] == [54, 78, 92, 105]


def test_a_selection_can_stand_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "chosen.txt"
    path.write_text("-categories HERO_INFO,FLOP  # comment\n-noRedundant\n")
    assert read_selection(path) == Selection(categories=("HERO_INFO", "FLOP"), no_redundant=True)
    with pytest.raises(UnreadableError, match="not part of a selection"):
        parse_selection(["--attribute", "POT_ODDS"])
    with pytest.raises(UnreadableError, match="did you mean 'HERO_INFO'"):
        parse_selection(["--categories", "HERO_INF"])
