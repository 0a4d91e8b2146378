from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from mazzo import __version__
from mazzo.cli.demo import _arrives, _has_screen
from mazzo.demo import Step, report_of, run_demo, running, steps
from mazzo.document import Run
from mazzo.errors import MazzoError


def listing(key: str = "games", *, makes: str = "") -> Step:
    return Step(key, "the games", ("games", "--json"), lambda run: f"{len(run['games'])}", makes)


def test_a_step_done_before_is_not_done_again(tmp_path: Path) -> None:
    ((_, first, took),) = run_demo(tmp_path, [listing()])
    ((_, second, again),) = run_demo(tmp_path, [listing()])
    assert took > 0
    assert again == 0
    assert first == second


def test_another_command_under_the_same_name_is_done(tmp_path: Path) -> None:
    list(run_demo(tmp_path, [listing()]))
    other = Step("games", "the agents", ("agents", "--json"), lambda run: "")
    ((_, run, took),) = run_demo(tmp_path, [other])
    assert took > 0
    assert "agents" in run


def test_a_step_whose_file_has_gone_is_done_again_and_what_reads_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Step("two", "what reads it", ("read", "model.mz", "--json"), lambda run: "")
    done = [listing("one", makes="model.mz"), reads, listing("three")]
    (tmp_path / "model.mz").touch()
    for step in done:
        kept = {"command": step.command, "version": __version__, "games": []}
        (tmp_path / f"{step.key}.json").write_text(json.dumps(kept))
    assert [took for _, _, took in run_demo(tmp_path, done)] == [0, 0, 0]
    (tmp_path / "model.mz").unlink()
    monkeypatch.setattr("mazzo.demo.running._do", lambda step, folder, path: {"games": []})
    assert [took > 0 for _, _, took in run_demo(tmp_path, done)] == [True, True, False]


def test_a_step_that_fails_stops_the_demo_and_says_which(tmp_path: Path) -> None:
    wrong = Step("wrong", "nothing", ("agents", "--game", "nothing-2p", "--json"), lambda run: "")
    with pytest.raises(MazzoError, match="mazzo agents --game nothing-2p --json failed"):
        list(run_demo(tmp_path, [wrong]))
    assert not (tmp_path / "wrong.json").exists()


def test_the_quick_demo_has_all_the_parts_of_the_full_one() -> None:
    assert [step.key for step in steps(True)] == [step.key for step in steps(False)]
    assert sum("--hands" in step.arguments for step in steps(True)) > 0


def made(key: str, *reads: str, makes: str = "", more: bool = False) -> Step:
    return Step(key, key, (*reads, makes), lambda run: key, makes, more=more)


def test_steps_are_told_in_order_and_none_begins_before_what_it_reads_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    todo = [made("log", makes="a.log"), made("hero", "a.log", makes="b.mz"), made("match", "b.mz"), made("other")]
    both, begun = threading.Event(), []

    def do(step: Step, folder: Path, path: Path) -> Run:
        begun.append(step.key)
        if step.key == "log":
            assert both.wait(60)  # ends only because another step is done beside it
        elif step.key == "other":
            both.set()
        return {"key": step.key}

    monkeypatch.setattr(running, "_do", do)
    assert [run["key"] for _, run, _ in run_demo(tmp_path, todo, workers=2)] == ["log", "hero", "match", "other"]
    assert begun == ["log", "other", "hero", "match"]


def test_a_step_that_needs_more_packages_waits_for_them_and_fails_if_they_never_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def do(step: Step, folder: Path, path: Path) -> Run:
        begun.append(step.key)
        return {}

    monkeypatch.setattr(running, "_do", do)
    monkeypatch.setattr(running, "_LOOK", 0.01)
    todo = [made("clone", more=True), made("shoe")]
    told = run_demo(tmp_path, todo, is_complete=_arrives(tmp_path / "ready"))
    (tmp_path / "ready-failed").touch()
    with pytest.raises(MazzoError, match="make setup"):
        next(told)
    (tmp_path / "ready-failed").unlink()
    begun.clear()
    (tmp_path / "ready").touch()
    assert [step.key for step, _, _ in run_demo(tmp_path, todo, is_complete=_arrives(tmp_path / "ready"))] == [
        "clone",
        "shoe",
    ]
    assert begun == ["clone", "shoe"]


def test_a_step_that_fails_beside_another_is_said_and_no_more_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def do(step: Step, folder: Path, path: Path) -> Run:
        begun.append(step.key)
        if step.key == "wrong":
            raise MazzoError("it went wrong")
        return {}

    monkeypatch.setattr(running, "_do", do)
    with pytest.raises(MazzoError, match="it went wrong"):
        list(run_demo(tmp_path, [made("one"), made("wrong"), made("three")]))
    assert begun == ["one", "wrong"]


def test_the_page_has_a_section_as_soon_as_its_steps_are_done_and_says_that_more_will_come() -> None:
    explained = {
        "command": ["mazzo", "explain"],
        "agent": "hero",
        "game": "holdem-limit-2p",
        "hand": "a hand",
        "action": "c",
        "reason": "it is cheap",
        "facts": {},
        "options": [],
    }
    assert report_of({}, quick=True).sections == []
    report = report_of({"explain-flop": explained}, quick=True)
    assert [section.title for section in report.sections] == ["Why? Three aces on the flop"]
    assert "still running" in report.words[-1]


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_page_is_opened_only_where_there_is_a_screen_and_never_in_ci(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not _has_screen()
    monkeypatch.setenv(variable, ":0")
    assert _has_screen()
    monkeypatch.setenv("CI", "true")
    assert not _has_screen()
