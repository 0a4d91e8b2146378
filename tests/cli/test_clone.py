"""`mazzo clone`, `rank` and `describe --folds` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.clone import Clone
from mazzo.holdem.cloning.stored import find_dataset, read_frame


def _run(*words: str) -> Any:
    result = CliRunner().invoke(mazzo, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("clone") / "rich.log"
    _run("match", "holdem-limit-3p", "rich", "rich", "rich", "--hands", "450", "--log", str(path))
    return str(path)


def test_a_street_has_a_model_and_attributes_of_its_own(log: str, tmp_path: Path) -> None:
    file = tmp_path / "c.mz"
    words = (
        "clone",
        log,
        "--hero",
        "rich#1",
        "-o",
        str(file),
        "--folds",
        "2",
        "--share",
        ".9,.8,.7,.6",
        "--model",
        "tree",
    )
    found = json.loads(
        _run(
            *words, "--flop", "boosting:trees=5", "--river", "tree:list=simplified", "--curve", ".5,1", "--json"
        ).stdout
    )
    streets = found["streets"]
    assert [s["validation"]["model"] for s in streets.values()] == ["tree", "boosting", "tree", "tree"]
    assert [step["share"] for step in streets["TURN"]["curve"]] == [0.5, 1.0]
    made = Clone.load(file)
    assert [model.kind for model in made.streets] == ["tree", "boosting", "tree", "tree"]
    assert len(made.streets[3].columns) < len(made.streets[2].columns)
    assert made.streets[3].settings["rows"] < 0.75 * streets["RIVER"]["decisions"]


def test_confusion_precision_and_recall_are_in_the_usual_output(log: str, tmp_path: Path) -> None:
    shown = _run(
        "clone", log, "--hero", "rich#1", "-o", str(tmp_path / "c.mz"), "--folds", "2", "--model", "tree"
    ).stdout
    assert "Confusion" in shown
    assert "precision %" in shown
    assert "recall %" in shown


def test_a_learning_curve_is_drawn(log: str, tmp_path: Path) -> None:
    chart = tmp_path / "curve.svg"
    _run(
        "clone",
        log,
        "--hero",
        "rich#1",
        "-o",
        str(tmp_path / "c.mz"),
        "--folds",
        "2",
        "--model",
        "tree",
        "--chart",
        str(chart),
    )
    assert "<svg" in chart.read_text()


@pytest.mark.parametrize("name", ["CLASS_TO_INVEST", "CLASS_WINNINGS"])
def test_other_classes_are_learned_and_play(name: str, log: str, tmp_path: Path) -> None:
    file = tmp_path / "c.mz"
    _run("clone", log, "--hero", "rich#1", "-o", str(file), "--class", name, "--folds", "0")
    assert f"{file}" in _run("match", "holdem-limit-3p", str(file), "rich", "rich", "--hands", "30").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--class", "CLASS_TO_INVET"], "did you mean 'CLASS_TO_INVEST'"),
        (["--class", "CLASS_TO_INVEST", "--model", "bayes"], "give no other model"),
        (["--attributes", "CLASS_TO_INVEST"], "predict it with --class CLASS_TO_INVEST"),
        (["--flop", "bosting"], "did you mean 'boosting'"),
        (["--flop", "boosting:tres=4"], "did you mean 'trees'"),
        (["--flop", "tree:rate=3"], "the model 'tree' has no setting 'rate'; known: bits, weights"),
        (["--flop", "auto:trees=3"], "auto chooses its own settings: leave trees out"),
        (["--flop", "boosting:trees=many"], "must be a number"),
        (["--share", "0"], "above 0 and at most 1"),
        (["--share", ".5,.5"], "or four with commas"),
        (["--curve", "2"], "above 0 and at most 1"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_read(words: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=message):
        _run("clone", "none.log", "--hero", "x", "-o", str(tmp_path / "c.mz"), *words)


def test_attributes_are_ranked_in_a_table_and_a_chart(log: str, tmp_path: Path) -> None:
    chart = tmp_path / "gain.svg"
    shown = _run("rank", log, "--hero", "rich#1", "--top", "3", "--subsets", "--chart", str(chart)).stdout
    assert "information gain" in shown
    assert "best first:" in shown
    assert "<svg" in chart.read_text()
    data = json.loads(_run("rank", log, "--hero", "rich#1", "--json").stdout)["streets"]
    gains = [bits for _, bits in data["PREFLOP"]["information_gain"]]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("kind", ["arff", "parquet", "csv"])
def test_files_of_a_fold_hold_every_row_once_and_never_tear_a_card_set(kind: str, log: str, tmp_path: Path) -> None:
    _run("describe", log, "--hero", "rich#1", "--to", kind, "-o", str(tmp_path), "--folds", "3")
    for street, path in find_dataset(tmp_path).items():
        whole = read_frame(path)
        sets, rows = [], 0
        for fold in (1, 2, 3):
            train, test = (read_frame(tmp_path / f"{street.lower()}-{fold}-{p}.{kind}") for p in ("train", "test"))
            assert len(train) + len(test) == len(whole)
            assert not set(train["CARD_SET"]) & set(test["CARD_SET"])
            sets.append(set(test["CARD_SET"]))
            rows += len(test)
        assert rows == len(whole)
        assert not sets[0] & sets[1]


@pytest.mark.parametrize("kind", ["arff", "parquet", "csv"])
def test_a_clone_of_a_data_set_is_the_clone_of_its_log(kind: str, log: str, tmp_path: Path) -> None:
    _run("describe", log, "--hero", "rich#1", "--to", kind, "-o", str(tmp_path / "d"))
    for source, name in ((log, "a"), (str(tmp_path / "d"), "b")):
        _run("clone", source, "--hero", "rich#1", "-o", str(tmp_path / f"{name}.mz"), "--folds", "0", "--model", "tree")
    one, other = (Clone.load(tmp_path / f"{name}.mz") for name in "ab")
    assert [m.size for m in one.streets] == [m.size for m in other.streets]
    assert [m.settings["actions"] for m in one.streets] == [m.settings["actions"] for m in other.streets]


def test_a_recorder_and_a_clone_of_what_it_recorded(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    _run("match", "holdem-limit-3p", f"recorder:agent=rich,to={rows}", "rich", "rich", "--hands", "900")
    frame = read_frame(rows / "preflop.csv")
    assert frame["CARD_SET"].n_unique() == 3
    _run("clone", str(rows), "-o", str(tmp_path / "c.mz"), "--folds", "3", "--model", "tree")
    assert len(Clone.load(tmp_path / "c.mz").streets) == 4


def test_a_folder_without_a_data_set_is_explained(tmp_path: Path) -> None:
    (tmp_path / "preflop.arff").write_text("nothing")
    with pytest.raises(UnreadableError):
        _run("clone", str(tmp_path), "-o", str(tmp_path / "c.mz"))


def test_a_clone_is_chosen_judged_on_other_logs_read_and_knows_its_hands(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mazzo.holdem.cloning import tuning

    monkeypatch.setattr(tuning, "_ROUNDS", 20)
    monkeypatch.setattr(tuning, "_SHAPES", tuning._SHAPES[:1])
    other, file, chart = tmp_path / "other.log", tmp_path / "c.mz", tmp_path / "r.svg"
    _run("match", "holdem-limit-3p", "rich", "rich", "rich", "--hands", "90", "--seed", "9", "--log", str(other))
    words = ("clone", log, "--hero", "rich#1", "-o", str(file), "--test", log, "--test", str(other))
    found = json.loads(_run(*words, "--reliability", str(chart), "--json").stdout)
    for street in ("PREFLOP", "FLOP", "TURN", "RIVER"):
        assert {"accuracy", "log_loss", "brier", "decisions"} <= set(found["test"][street])
        assert found["streets"][street]["choice"]["tried"]
    assert found["test"]["PREFLOP"]["decisions"] < 0.5 * found["streets"]["PREFLOP"]["decisions"]  # the log is left out
    assert "<svg" in chart.read_text()
    shown = _run("read", str(file)).stdout
    assert "if " in _run("read", str(file), "--rules").stdout
    assert "ALL_IN_EQUITY" in shown
    told = json.loads(_run("compare", "rich#1", str(file), "--log", log, "--json").stdout)["learned_from"]
    assert told["hands"] == told["of"]
    assert [s["street"] for s in told["held_out"]] == ["preflop", "flop", "turn", "river"]


def test_where_two_agents_differ_is_said_in_words() -> None:
    words = ("compare", "rich", "call", "--game", "holdem-limit-2p", "--against", "chart", "--hands", "200", "--words")
    shown = _run(*words).stdout
    assert "For example" in shown
    assert "call folds 0 %, calls 100 %, raises 0 %" in shown
