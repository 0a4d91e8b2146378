from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import MazzoError


def run(*words: str, text: str | None = None) -> str:
    result = CliRunner().invoke(mazzo, list(words), input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_ev_gives_value_method_seconds_and_states() -> None:
    data = json.loads(run("blackjack", "ev", "--rules", "hungarian", "--json", "--states"))
    assert f"{data['ev']:.9f}" == "-0.001998570"
    assert data["method"] == "exact"
    assert data["seconds"] > 0
    assert len(data["states"]) == 550
    assert sum(state["chance"] for state in data["states"]) == pytest.approx(1)
    state = next(s for s in data["states"] if (s["hand"], s["upcard"]) == ("9,9", "6"))
    assert f"{state['plays']['split']:.9f}" == "0.463966650"
    assert state["best"] == "split"


@pytest.mark.parametrize("method", ["two-card", "total", "infinite", "hybrid"])
def test_every_method_has_a_value(method: str) -> None:
    data = json.loads(run("blackjack", "ev", "--method", method, "--depth", "3", "--json"))
    assert -0.006 < data["ev"] < -0.003


def test_an_infinite_shoe_is_valued_as_one() -> None:
    data = json.loads(run("blackjack", "ev", "--set", "decks=infinite", "--json"))
    assert data["method"] == "infinite"
    assert data["ev"] == pytest.approx(-0.005117, abs=1e-6)


def test_ev_prints_its_states_as_a_table() -> None:
    lines = run("blackjack", "ev", "--states").splitlines()
    assert lines[0].startswith("-0.004028702 of the bet a round")
    assert len(lines) == 552


def test_hand_says_what_a_wrong_play_costs() -> None:
    text = run("blackjack", "hand", "8,8", "v", "10")
    assert text.startswith("8,8 against T: split, given that the dealer has no blackjack")
    data = json.loads(run("blackjack", "hand", "10,6 v A", "--rules", "hungarian", "--shoe", "6d-5,5", "--json"))
    assert data["best"] == "hit"
    assert data["plays"][0]["cost"] == 0
    assert data["insurance"] < 0


def test_charts_are_written_in_every_form(tmp_path: Path) -> None:
    assert "pairs" in run("blackjack", "chart", "--rules", "hungarian")
    path = tmp_path / "chart.svg"
    run("blackjack", "chart", "--format", "svg", "--output", str(path))
    assert path.read_text().startswith("<svg")
    letters = tmp_path / "mine.txt"
    run("blackjack", "chart", "--format", "letters", "--output", str(letters))
    words = ("blackjack", "simulate", "--strategy", str(letters), "--rounds", "300000", "--json")
    data = json.loads(run(*words))
    assert abs(data["ev"] - data["exact"]) < 5 * data["standard_error"]
    rows = json.loads(run("blackjack", "chart", "--json"))["rows"]
    assert rows["16"] == "hnnnnnhhhh"


def test_compare_names_the_cells_that_differ() -> None:
    text = run("blackjack", "compare", "strip", "h17")
    assert "3 cells differ" in text


def test_rules_print_what_they_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run("blackjack", "rules", "--set", "decks=8", "--set", "blackjack-pays=6:5"))
    data = json.loads(run("blackjack", "rules", "--rules", str(path), "--json"))
    assert data["rules"]["decks"] == 8
    assert data["rules"]["blackjack_pays"] == 1.2


@pytest.mark.parametrize(
    "words",
    [
        ["ev", "--rules", "strp"],
        ["ev", "--set", "decks"],
        ["ev", "--method", "infinite", "--states"],
        ["hand", "8,8"],
        ["simulate", "--strategy", "no-such-file"],
    ],
)
def test_wrong_words_are_errors_one_can_act_on(words: list[str]) -> None:
    with pytest.raises(MazzoError):
        CliRunner().invoke(mazzo, ["blackjack", *words], catch_exceptions=False)


def test_learning_and_climbing_run_from_the_command_line() -> None:
    learned = json.loads(run("blackjack", "learn", "--rounds", "200000", "--every", "100000", "--json"))
    assert len(learned["curve"]) == 2
    assert learned["differences"]
    assert "hands need the dealer's chances" in run("blackjack", "prune", "--shoes", "2")


def test_a_strategy_learned_or_climbed_is_a_file_that_simulate_reads(tmp_path: Path) -> None:
    words = {"learn": ("--rounds", "100000", "--every", "100000"), "climb": ("--rounds", "1000", "--sweeps", "1")}
    for name, more in words.items():
        path = tmp_path / f"{name}.txt"
        found = json.loads(run("blackjack", name, "--table", str(path), *more, "--json"))
        played = json.loads(run("blackjack", "simulate", "--strategy", str(path), "--rounds", "1000", "--json"))
        assert played["exact"] == pytest.approx(found["ev"], abs=1e-12)


def test_bodons_strategy_warns_under_rules_that_are_not_his() -> None:
    words = ["blackjack", "simulate", "--strategy", "bodon", "--rounds", "1000"]
    for rules in ("hungarian", "thesis"):
        assert "warning" not in CliRunner().invoke(mazzo, [*words, "--rules", rules]).stderr
    told = CliRunner().invoke(mazzo, [*words, "--rules", "strip"]).stderr
    assert "peek is true, not false" in told
    assert "surrender is none, not early-not-ace" in told


def test_the_thesis_is_a_set_of_rules_with_its_printed_value() -> None:
    data = json.loads(run("blackjack", "ev", "--rules", "thesis", "--json"))
    assert data["rules"]["max_hands"] == "unlimited"
    assert data["ev"] == pytest.approx(-0.0019634, abs=5e-8)


def test_ranks_fill_in_the_order_that_is_given() -> None:
    words = ("blackjack", "traverse", "--cards", "5", "--mass", "0.9", "--json")
    [row] = json.loads(run(*words, "--fill", "thesis"))["rows"]
    assert row["visited"] == 5001
    [row] = json.loads(run(*words))["rows"]
    assert row["visited"] == 4996
    for wrong in (("--fill", "1,x"), ("--fill", "1,2"), ("--fill", "thesis", "--way", "best-first")):
        with pytest.raises(MazzoError):
            CliRunner().invoke(mazzo, [*words, *wrong], catch_exceptions=False)
