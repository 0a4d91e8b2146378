import json
from pathlib import Path

import pytest

from mazzo.errors import UnreadableError
from mazzo.workers import Checkpoint, run


def square(number: int) -> int:
    return number * number


def square_or_stop(number: int) -> int:
    if number == 3:
        raise KeyboardInterrupt
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_whatever_the_number_of_workers(workers: int) -> None:
    assert list(run(square, range(20), workers)) == [k * k for k in range(20)]


def test_one_worker_works_only_as_far_as_it_is_asked() -> None:
    asked: list[int] = []

    def note_and_return(number: int) -> int:
        asked.append(number)
        return number

    results = run(note_and_return, range(100), 1)
    assert [next(results), next(results)] == [0, 1]
    assert asked == [0, 1]


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(UnreadableError, match="from 1 up"):
        run(square, [1], 0)


def test_interrupted_work_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, work = tmp_path / "work.jsonl", {"what": "squares", "seed": 1}
    with pytest.raises(KeyboardInterrupt):
        list(Checkpoint(path, work).run(square_or_stop, range(6)))
    again = Checkpoint(path, work)
    assert again.results == [0, 1, 4]
    assert list(again.run(square, range(6))) == [0, 1, 4, 9, 16, 25]


def test_a_line_cut_short_by_a_crash_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "work.jsonl"
    list(Checkpoint(path, {"a": 1}).run(square, range(4)))
    path.write_bytes(path.read_bytes()[:-2])
    again = Checkpoint(path, {"a": 1})
    assert again.results == [0, 1, 4]
    assert list(again.run(square, range(4))) == [0, 1, 4, 9]
    assert json.loads(path.read_text().splitlines()[-1]) == 9


def test_the_checkpoint_of_other_work_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "work.jsonl"
    list(Checkpoint(path, {"seed": 1}).run(square, range(4)))
    before = path.read_bytes()
    with pytest.raises(UnreadableError, match="belongs to other work"):
        Checkpoint(path, {"seed": 2})
    (tmp_path / "notes.txt").write_text("dear diary\n")
    with pytest.raises(UnreadableError, match="not a checkpoint"):
        Checkpoint(tmp_path / "notes.txt", {"seed": 2})
    assert path.read_bytes() == before
