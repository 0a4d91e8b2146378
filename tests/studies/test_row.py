"""The one rule of all studies, and every row of every study held against it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mazzo.studies
from mazzo.reports.runs import read_study
from mazzo.studies import STUDIES
from mazzo.studies.parts import in_order, missing, open_results, part_name, run_parts
from mazzo.studies.report import HEAD, cells, counted
from mazzo.studies.row import RULE, Exact, Measured, Printed, Rank, Row, Sign, Verdict, judge

PAGES = Path(__file__).parents[2] / "docs" / "studies"
PRINTED = Printed("1.5", "table 3", 12, 7)


def _kept(name: str) -> list[Row]:
    _, results = read_study(PAGES / f"{name}.jsonl")
    return STUDIES[name].rows(in_order(name, True, results))


def _every_row() -> Iterator[tuple[str, Row]]:
    for name in sorted(STUDIES):
        for row in _kept(name):
            yield name, row


def test_every_row_of_every_study_says_where_its_figure_is_printed() -> None:
    for name, row in _every_row():
        shown = row.as_dict()
        assert shown["verdict"] in get_args(Verdict)
        if shown["text"]:
            assert re.search(r"(table|figure|section|equation|trial|footnote|evaluation|conclusions)", shown["where"])
            assert re.search(r", line [1-9][0-9]*$", shown["where"]), f"{name}: {row.what}"
        else:
            assert shown["verdict"] in ("added", "not done"), f"{name}: {row.what} is judged without a figure"
        if shown["verdict"] in ("agrees", "differs", "undecided"):
            assert row.test is not None
            assert shown["text"]
        if shown["verdict"] == "not comparable":
            assert re.search(r"another (player|opponent|quantity|definition): \S", shown["why"]), f"{name}: {row.what}"
        if isinstance(row.test, Measured) and row.test.half:
            assert shown["interval"], f"{name}: {row.what} hides its interval"


def test_no_study_writes_a_verdict_itself() -> None:
    words = {word for word in get_args(Verdict) if word not in ("added", "not done")}
    for path in Path(inspect.getfile(mazzo.studies)).parent.glob("*.py"):
        if path.name in ("row.py", "report.py"):
            continue
        source = path.read_text()
        found = {word for word in words if f'"{word}"' in source}
        assert not found, f"{path.name} holds the verdict {found}"
        assert "verdict(" not in source, path.name


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_the_page_of_a_study_shows_what_the_rule_says_of_its_kept_numbers(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    rows = _kept(name)
    assert counted([row.as_dict() for row in rows]) in page
    assert RULE in page
    assert STUDIES[name].NOT_REPRODUCED in page
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    shown = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert shown[0] == list(HEAD)
    verdicts = [line[HEAD.index("verdict")] for line in shown[1:] if len(line) == len(HEAD)]
    assert verdicts == [cells(row)[HEAD.index("verdict")] for row in rows]


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("-0.0019634", -0.001963436, "agrees"),
        ("-0.0028453", -0.002845385, "agrees"),
        ("-0.0028453", -0.002845399, "agrees"),
        ("-0.0028453", -0.0028455, "differs"),
        ("-0.0028453", -0.0028452, "differs"),
        ("0.76", 0.7647, "agrees"),
        ("0.76", 0.7747, "differs"),
        ("225,786,853", 225_786_925, "differs"),
        ("5,200,300", 5_200_300, "agrees"),
        ("1/500", "1/500", "agrees"),
        ("1/500", "1/499", "differs"),
    ],
)
def test_exact_quantities_agree_at_the_printed_digits(printed: str, ours: float | str, verdict: str) -> None:
    assert Row("x", str(ours), printed=PRINTED, test=Exact(printed, ours)).verdict == verdict


def test_every_one_of_several_exact_figures_must_agree() -> None:
    assert Exact(["1", "13"], [1, 13]).judge()[0] == "agrees"
    assert Exact(["1", "13"], [1, 12]).judge() == ("differs", "1 of 2 figures differ")


@given(st.floats(0.5, 100), st.floats(-50, 50), st.floats(1e-3, 20), st.floats(0, 20))
def test_measured_quantities_are_judged_by_both_errors_and_the_width(
    printed: float, moved: float, error: float, other: float
) -> None:
    verdict = Measured(printed, printed + moved, error, other).judge()[0]
    allowed = 1.959963984540054 * (error**2 + other**2) ** 0.5
    expected = "differs" if abs(moved) > allowed else "agrees" if allowed <= printed / 10 else "undecided"
    if abs(abs(moved) - allowed) > 1e-9 and abs(allowed - printed / 10) > 1e-9:
        assert verdict == expected


def test_few_repetitions_widen_an_interval_by_students_factor() -> None:
    assert Measured(1.0, 1.3, 0.1).judge()[0] == "differs"
    assert Measured(1.0, 1.3, 0.1, repetitions=2).judge()[0] == "undecided"
    assert Measured(1.0, 1.3, 0.1, repetitions=2).half == pytest.approx(1.2706, abs=1e-3)


def test_a_figure_near_zero_is_judged_by_a_stated_resolution() -> None:
    assert Measured(0.0, 0.01, 0.01).judge()[0] == "undecided"
    assert Measured(0.0, 0.01, 0.01, resolution=0.05).judge()[0] == "agrees"


@pytest.mark.parametrize(
    ("difference", "error", "verdict"),
    [
        (0.3, 0.1, "agrees"),
        (0.1, 0.1, "undecided"),
        (-0.1, 0.1, "undecided"),
        (-0.3, 0.1, "differs"),
        (0, 0, "differs"),
    ],
)
def test_a_sign_is_judged_by_whether_its_interval_excludes_zero(difference: float, error: float, verdict: str) -> None:
    assert Sign(difference, error).judge()[0] == verdict


def test_the_best_of_several_must_lead_all_of_them() -> None:
    means = {"a": (1.0, 0.01), "b": (0.9, 0.01), "c": (0.5, 0.2)}
    assert Rank.of_means("a", means).judge()[0] == "agrees"
    assert Rank.of_means("b", means).judge()[0] == "differs"
    assert Rank.of_means("c", {**means, "c": (0.9, 0.2)}).judge()[0] == "undecided"
    assert Rank.of_counts(0, [8660, 8444, 8028, 7572, 7296]).judge()[0] == "undecided"
    assert Rank.of_counts(4, [7551, 7636, 7977, 8211, 8625]).judge()[0] == "agrees"
    assert Rank.of_counts(1, [7389, 7735, 8048, 8236, 8592]).judge()[0] == "differs"


def test_the_order_of_the_rule() -> None:
    test = Measured(1.0, 9.0, 0.1)
    assert Row("x", "9", printed=PRINTED, test=test).verdict == "differs"
    assert Row("x", "9", printed=PRINTED, test=test, another=("player", "Ann, not Bob")).verdict == "not comparable"
    assert Row("x", "9").verdict == "added"
    assert Row("x", "", printed=PRINTED, undone="no data here").verdict == "not done"
    assert judge(Row("x", "", undone="no data here")) == ("not done", "no data here")


def test_a_row_that_could_flatter_is_refused() -> None:
    with pytest.raises(ValueError, match="where the document prints it"):
        Row("x", "1", test=Exact("1", 1))
    with pytest.raises(ValueError, match="needs a test"):
        Row("x", "1", printed=PRINTED)
    with pytest.raises(ValueError, match="is another"):
        Row("x", "1", printed=PRINTED, another=("mood", "bad"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs words, a place and a line"):
        Printed("1", "", 0)


class _Counting:
    """A study of three parts that counts what is done."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        self.done.append(task["x"])
        return {**task, "y": task["x"] ** 2}


def test_parts_are_resumed_by_name_in_whatever_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study, tasks = _Counting(), [{"figure": "1", "x": x} for x in range(3)]
    monkeypatch.setitem(STUDIES._found, "counting", study)
    path = tmp_path / "counting.jsonl"
    list(run_parts(open_results(path, "counting", True), "counting", tasks[2:]))
    again = open_results(path, "counting", True)
    assert missing(tasks, again.results) == tasks[:2]
    found = list(run_parts(again, "counting", tasks))
    assert study.done == [2, 0, 1]
    assert [result["part"] for result in found] == [part_name(tasks[k]) for k in (2, 0, 1)]
    [first] = run_parts(open_results(path, "counting", True), "counting", tasks[:1])
    assert first["y"] == 0
    assert study.done == [2, 0, 1]
