from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mazzo.cli import app
from mazzo.cli.app import mazzo
from mazzo.cli.common import print_json
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
        ["ev", "--method", "hybrid", "--states"],
        ["ev", "--method", "pruned"],
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


JSON_OF: dict[str, tuple[str, ...]] = {
    "bet": ("--set", "max_hands=1", "--set", "double_after_split=false", "--shoes", "20", "--min", "200"),
    "boxes": ("--rounds", "2000", "--quiet"),
    "chart": (),
    "climb": ("--rounds", "2000", "--quiet"),
    "compare": ("strip", "h17"),
    "counter": ("--ramp", "0:10,2:50", "--rounds", "2000", "--play", "basic"),
    "count": ("--indices", "--rules", "hungarian"),
    "edges": ("--quiet",),
    "ev": ("--states",),
    "hand": ("8,8", "v", "10"),
    "independent": ("--games", "1000"),
    "indices": ("--hand", "10,6 v T", "--play", "stand,hit"),
    "learn": ("--rounds", "20000", "--quiet"),
    "network": ("--points", "20", "--quiet"),
    "prune": ("--shoes", "3", "--quiet"),
    "rules": (),
    "shoes": ("--set", "max_hands=1", "--set", "double_after_split=false", "--shoes", "40", "--exact", "40"),
    "simulate": ("--rounds", "1000"),
    "traverse": ("--cards", "1-4"),
    "whole": ("0,0,0,0,0,0,0,4,2,5", "--set", "max_hands=1", "--set", "double_after_split=false"),
}
"""Every command of blackjack with --json, with little to do."""


def strict(text: str) -> dict[str, object]:
    """JSON as the standard has it: Python's reader would take Infinity and NaN."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    data: dict[str, object] = json.loads(text, parse_constant=refuse)
    return data


def test_every_command_with_json_is_among_those_read_strictly() -> None:
    from mazzo.cli.blackjack.group import blackjack

    context = click.Context(blackjack)
    named = {name: blackjack.get_command(context, name) for name in blackjack.list_commands(context)}
    with_json = {name for name, found in named.items() if found and any(p.name == "as_json" for p in found.params)}
    assert with_json == set(JSON_OF)


@pytest.mark.parametrize("name", JSON_OF)
def test_json_is_strict(name: str) -> None:
    assert strict(run("blackjack", name, *JSON_OF[name], "--json"))["kind"] == f"blackjack {name}"


def test_what_json_has_no_number_for_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    with click.Context(click.Command("x")):
        print_json({"a": [float("inf"), {"b": float("nan")}], "c": (-float("inf"), 1.5)})
    assert strict(capsys.readouterr().out)["a"] == [None, {"b": None}]


def test_all_json_of_the_command_line_is_printed_by_one_function() -> None:
    folder = Path(app.__file__).parent
    writers = {path.name for path in folder.rglob("*.py") if "json.dumps" in path.read_text(encoding="utf-8")}
    assert writers <= {"common.py", "play.py"}  # the log of a game played on is no answer to --json


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("bet", "--bankroll", "nan"), "finite"),
        (("bet", "--bankroll", "-5"), "range"),
        (("bet", "--min", "inf"), "finite"),
        (("bet", "--staking", "ramp", "--ramp", "nan:5"), "ramp"),
        (("ev", "--set", "penetration=nan"), "penetration"),
        (("ev", "--set", "cut_sigma=-1"), "cut_sigma"),
        (("ev", "--set", "blackjack_pays=nan"), "blackjack_pays"),
        (("ev", "--shoe", ""), "shoe"),
        (("hand", "11,3", "v", "T"), "'11'"),
        (("chart", "--format", "svg", "--output", "not/there/chart.svg"), "no folder"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: tuple[str, ...], complaint: str) -> None:
    result = CliRunner().invoke(mazzo, ["blackjack", *words])
    assert result.exit_code != 0
    assert complaint in result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, (MazzoError, SystemExit))


@pytest.mark.parametrize("name", ["strip", "h17", "european", "hungarian"])
def test_an_infinite_shoe_goes_with_every_preset(name: str) -> None:
    data = strict(run("blackjack", "ev", "--rules", name, "--set", "decks=infinite", "--json"))
    assert -0.01 < float(str(data["ev"])) < 0
    for words in (["chart"], ["hand", "8,8", "v", "T"], ["chart", "--exceptions"], ["ev", "--states"]):
        found = strict(run("blackjack", *words, "--rules", name, "--set", "decks=infinite", "--json"))
        assert found["rules"]["decks"] == "infinite"  # type: ignore[index]
        assert found.get("exceptions", []) == []


@pytest.mark.parametrize("words", [["count"], ["train"], ["prune", "--shoes", "5"], ["network", "--points", "20"]])
def test_what_counts_cards_refuses_an_infinite_shoe(words: list[str]) -> None:
    result = CliRunner().invoke(mazzo, ["blackjack", *words, "--set", "decks=infinite"])
    assert "an infinite shoe never changes" in str(result.exception) + result.output


def test_the_picture_of_a_chart_holds_its_title_headings_and_legend() -> None:
    changes = ("--set", "decks=8", "--set", "surrender=late", "--set", "penetration=0.8")
    text = run("blackjack", "chart", "--rules", "hungarian", *changes, "--format", "svg")
    width = float(re.findall(r'width="([\d.]+)"', text)[0])
    for x, size, words in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="start"(.*?)>(.*?)<', text):
        letter = 9 if "15" in size else 6 if "10" in size else 8
        assert float(x) + letter * len(words) <= width, words
    column = float(re.findall(r'<rect x="([\d.]+)"', text)[0])
    assert column > 8 + 8 * len("hard totals")


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


def test_a_tiny_shoe_is_counted_through_and_a_large_one_refused() -> None:
    words = ("--set", "max_hands=1", "--set", "double_after_split=false", "--set", "penetration=0.3")
    found = json.loads(run("blackjack", "whole", "0,0,0,0,0,0,0,6,4,9", *words, "--json"))
    assert found["positive"] + found["negative"] == pytest.approx(found["won"], abs=1e-9)
    assert found["rounds"] > 1
    with pytest.raises(MazzoError, match="would take years"):
        run("blackjack", "whole", "1d")


def test_several_numbers_of_cards_become_one_figure() -> None:
    words = ("traverse", "--value", "--rules", "hungarian", "--cards", "4-6", "--weights", "rounds", "--mass", "0.5")
    found = json.loads(run("blackjack", *words, "--exact", "2", "--json", "--quiet"))
    whole, rows = found["together"], found["rows"]
    weights = [row["weight"] for row in rows]
    assert whole["rounds"] == pytest.approx(sum(weights))
    mean = sum(w * row["negative"] for w, row in zip(weights, rows, strict=True)) / sum(weights)
    assert whole["negative"]["mean"] == pytest.approx(mean)
    assert whole["left"][0]["mean"] > 0
    with pytest.raises(MazzoError, match="cards must be 0 to 292"):
        run("blackjack", "traverse", "--value", "--cards", "290-300")


def test_the_infinite_deck_has_a_chart_and_hands() -> None:
    assert "split" in run("blackjack", "hand", "8,8 v 10", "--set", "decks=infinite")
    assert "worth -0.005117" in run("blackjack", "chart", "--set", "decks=infinite")
    assert "0 exceptions" in run("blackjack", "chart", "--set", "decks=infinite", "--exceptions")


def test_the_hybrid_shows_the_depth_it_reached() -> None:
    found = json.loads(
        run("blackjack", "ev", "--method", "hybrid", "--tolerance", "0.0002", "--rules", "thesis", "--json")
    )
    assert found["depth"] == 3
    assert [step["depth"] for step in found["steps"]] == [0, 3]
    assert abs(found["steps"][-1]["error"]) <= 0.0002
