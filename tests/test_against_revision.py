"""What `make bench BASE=` says of two runs: sameness of what they print, ratios, and which work belongs together."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import click
import pytest
from benchmarks import against_revision
from benchmarks.against_revision import Ran, Revision, checked_out, choose, compared, difference, interval, measure
from benchmarks.work import INPUTS, WORK, Work

from mazzo.cli.app import mazzo


def ran(out: object, code: int = 0, err: str = "", log: bytes | None = None) -> Ran:
    return Ran(1.0, code, out if isinstance(out, str) else json.dumps(out), err, {} if log is None else {"x.log": log})


def test_what_is_new_or_only_about_the_run_is_no_difference() -> None:
    before = {"mean": 0.5, "version": "0.1", "rows": [{"seconds": 3}]}
    after = {"mean": 0.5, "version": "0.2", "rows": [{"seconds": 9, "kind": "x"}], "new": 1}
    assert difference(before, after) == ""
    assert compared(ran(before), ran(after)) == ""


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": {"b": [1, 2.5]}}, {"a": {"b": [1, 2.5000001]}}, "a.b.1: 2.5 became 2.5000001"),
        ({"a": {"b": 1}}, {"a": {}}, "a.b is missing"),
        ({"a": [1, 2]}, {"a": [1]}, "a.has 1 items, had 2"),
        ({"a": 1}, {"a": "1"}, "a: 1 became '1'"),
        ("one\ntwo\n", "one\nthree\n", "line 1: 'two' became 'three'"),
    ],
)
def test_the_first_difference_is_named_with_its_place(before: object, after: object, said: str) -> None:
    assert compared(ran(before), ran(after)) == said


def test_a_failure_and_a_changed_file_are_differences() -> None:
    assert compared(ran({}), ran("", 2, "Error: no such option")) == "left with 2, before with 0: Error: no such option"
    assert compared(ran({}, log=b"1"), ran({}, log=b"2")) == "file x.log differs"
    assert compared(ran({}), ran({}, log=b"2")) == "file x.log differs"


def test_the_interval_of_a_ratio_is_student_s_on_logarithms() -> None:
    ratio, low, high = interval([1.0, 1.21, 1.1])
    assert ratio == pytest.approx(1.1)
    assert low * high == pytest.approx(1.1**2)  # symmetric in logarithms
    assert low == pytest.approx(1.1 * 1.1 ** (-4.302653 / 3**0.5), abs=1e-5)  # t of 2 degrees of freedom: 4.302653
    assert interval([2.0, 2.0, 2.0]) == pytest.approx((2.0, 2.0, 2.0))


def test_turns_alternate_and_the_first_run_of_each_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def run(self: Revision, work: Work) -> Ran:
        order.append(self.name)
        return ran({"turn": len(order)})

    monkeypatch.setattr(Revision, "run", run)
    base, now = (Revision(name, Path(), Path()) for name in ("base", "now"))
    before, after = measure(base, now, WORK[0], 2)
    assert order == ["now", "base", "base", "now", "now", "base"]
    assert [json.loads(one.out)["turn"] for one in (*before, *after)] == [3, 6, 4, 5]


def test_work_is_chosen_with_the_work_whose_files_it_reads() -> None:
    lines = [work.line for work in choose("boosted.mz pot.mz")]
    assert [line.split()[0] for line in lines] == ["learn", "learn", "match"]
    assert choose("") == list(WORK)


def test_every_command_of_the_work_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for work in (*map(Work, INPUTS), *WORK):
        for file in work.made:
            if "." in file:
                (tmp_path / file).touch()
    for line in (*INPUTS, *(work.line for work in WORK)):
        command: click.Command = mazzo
        context, words = click.Context(mazzo, info_name="mazzo"), Work(line).words
        while isinstance(command, click.Group):
            found = command.get_command(context, words[0])
            assert found is not None, line
            command, words = found, words[1:]
        command.make_context("mazzo", list(words))


def test_a_revision_is_checked_out_whole_and_an_unknown_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    (tmp_path / "src" / "mazzo").mkdir(parents=True)
    code = "import sys, json; print(json.dumps({'words': sys.argv[1:]}))"
    (tmp_path / "src" / "mazzo" / "__init__.py").touch()
    (tmp_path / "src" / "mazzo" / "__main__.py").write_text(code)
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    monkeypatch.setattr(against_revision, "ROOT", tmp_path)
    monkeypatch.setattr(against_revision, "KEPT", tmp_path / "kept")
    name, source = checked_out("HEAD")
    assert source == tmp_path / "kept" / name / "src"
    done = Revision(name, source, tmp_path).run(Work("match 'a b' --json"))
    assert (done.code, json.loads(done.out)) == (0, {"words": ["match", "a b", "--json"]})
    assert done.seconds > 0
    with pytest.raises(SystemExit, match="no revision 'nowhere'"):
        checked_out("nowhere")
