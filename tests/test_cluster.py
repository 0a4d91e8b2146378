"""A real Dask cluster on this machine: a scheduler and two workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo import cluster
from mazzo.agent import create
from mazzo.arena.match import match
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import find_game
from mazzo.workers import Checkpoint, joblib_jobs, run

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as here:
        yield here


@pytest.fixture(scope="module")
def address(nodes: Any) -> str:
    found: str = nodes.scheduler_address
    return found


def square(number: int) -> int:
    return number * number


def where(number: int) -> tuple[int, int]:
    return number, os.getpid()


def fail_at_three(number: int) -> int:
    if number == 3:
        raise UnreadableError("three is not wanted here")
    return number


def die_once(mark: Path, number: int) -> tuple[int, int]:
    """The first to come to 5 ends its whole process, as a machine that is switched off does."""
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number, os.getpid()


def test_results_are_those_of_one_worker_in_order(address: str) -> None:
    assert list(run(square, range(40), address)) == list(run(square, range(40), 1))


def test_a_match_on_a_cluster_is_the_match_on_one_worker(address: str) -> None:
    game = HoldemMatch(find_game("holdem-limit-2p"))
    here, there = (
        match(game, [create(name, AGENTS) for name in ("chart", "random")], 20_000, 3, workers=workers)
        for workers in (1, address)
    )
    assert [s.moments for s in here.standings] == [s.moments for s in there.standings]


def test_work_is_spread_over_all_workers_and_none_of_it_is_done_here(address: str) -> None:
    done = list(run(where, range(40), address))
    assert [number for number, _ in done] == list(range(40))
    processes = {process for _, process in done}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_a_checkpoint_goes_on_where_another_number_of_workers_stopped(address: str, tmp_path: Path) -> None:
    path, work = tmp_path / "kept.jsonl", {"what": "squares"}
    begun = Checkpoint(path, work).run(square, range(30), address)
    assert [next(begun) for _ in range(7)] == [k * k for k in range(7)]
    begun.close()  # type: ignore[attr-defined]  # a generator
    again = Checkpoint(path, work)
    assert len(again.results) == 7
    assert list(again.run(square, range(30))) == [k * k for k in range(30)]


def test_only_some_tasks_are_under_way_and_the_rest_is_cancelled_when_nobody_asks(address: str, nodes: Any) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = run(square, tasks(), address)
    assert [next(results), next(results)] == [0, 1]
    assert len(taken) < 30
    results.close()  # type: ignore[attr-defined]  # a generator
    assert not [key for key in nodes.scheduler.tasks if str(key).startswith("_apply")]


def test_an_interrupt_cancels_what_is_under_way(address: str, nodes: Any) -> None:
    results = run(square, range(1000), address)
    assert next(results) == 0
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]  # as Ctrl-C raises it while a result is awaited
    assert not [key for key in nodes.scheduler.tasks if str(key).startswith("_apply")]


def test_an_error_of_a_task_is_raised_here_as_it_was_there(address: str) -> None:
    results = run(fail_at_three, range(10), address)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(UnreadableError, match="three is not wanted here"):
        next(results)


def test_trees_grown_on_a_cluster_started_for_them_are_the_same_trees() -> None:
    from mazzo.learn.regressors import extra_trees

    rng = np.random.default_rng(1)
    x, y = rng.random((200, 3)), rng.random(200)
    here = extra_trees(8, seed=3).fit(x, y)
    with joblib_jobs("local") as jobs:
        there = extra_trees(8, seed=3, workers=jobs).fit(x, y)
    for mine, theirs in zip(here.as_forest(), there.as_forest(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_the_command_line_plays_on_a_cluster(address: str) -> None:
    done = CliRunner().invoke(
        mazzo, ["match", "leduc-2p", "call", "random", "--hands", "200", "--cluster", address, "--quiet"]
    )
    alone = CliRunner().invoke(mazzo, ["match", "leduc-2p", "call", "random", "--hands", "200", "--quiet"])
    assert done.exit_code == 0
    assert done.stdout == alone.stdout


def test_workers_and_a_cluster_together_are_refused(address: str) -> None:
    args = ["match", "leduc-2p", "call", "random", "--workers", "2", "--cluster", address]
    done = CliRunner().invoke(mazzo, args)
    assert done.exit_code == 2
    assert "do not go together" in done.stderr


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(UnreadableError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        list(run(square, [1], "tcp://127.0.0.1:9"))


@pytest.mark.parametrize("address", ["", "nonsense://x", "host"])
def test_what_is_no_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(UnreadableError, match="no Dask scheduler answers"):
        list(run(square, [1], address))


@pytest.mark.parametrize("address", ["", "nonsense://x", "host", "tcp://127.0.0.1:9"])
def test_no_client_is_started_where_nobody_listens(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that failed closes itself when it is collected: while another starts, both would wait for ever for a lock."""
    monkeypatch.setattr(distributed, "Client", lambda *given, **named: pytest.fail("a client was started"))
    with pytest.raises(UnreadableError, match="no Dask scheduler answers"):
        list(run(square, [1], address))


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnreadableError, match=r"pip install 'mazzo\[cluster\]'"):
        list(run(square, [1], "tcp://127.0.0.1:9"))


def test_a_worker_killed_in_mid_run_loses_nothing(address: str, tmp_path: Path) -> None:
    # The last here: the worker that comes in the dead one's place would load everything anew.
    mark = tmp_path / "killed"
    done = list(run(partial(die_once, mark), range(40), address))
    assert mark.exists()
    assert [result for result, _ in done] == [k * k for k in range(40)]
