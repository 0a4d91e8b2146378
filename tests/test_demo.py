from __future__ import annotations

import json
from pathlib import Path

import pytest

from mazzo import __version__
from mazzo.demo import Step, run_demo, steps
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
    monkeypatch.setattr("mazzo.demo._do", lambda step, folder, path: {"games": []})
    assert [took > 0 for _, _, took in run_demo(tmp_path, done)] == [True, True, False]


def test_a_step_that_fails_stops_the_demo_and_says_which(tmp_path: Path) -> None:
    wrong = Step("wrong", "nothing", ("agents", "--game", "nothing-2p", "--json"), lambda run: "")
    with pytest.raises(MazzoError, match="mazzo agents --game nothing-2p --json failed"):
        list(run_demo(tmp_path, [wrong]))
    assert not (tmp_path / "wrong.json").exists()


def test_the_quick_demo_has_all_the_parts_of_the_full_one() -> None:
    assert [step.key for step in steps(True)] == [step.key for step in steps(False)]
    assert sum("--hands" in step.arguments for step in steps(True)) > 0
