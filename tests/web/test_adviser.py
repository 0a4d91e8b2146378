"""Advisers think in a process of their own: it gives way, is started again when it dies, and can be ended."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from mazzo.agent import Explanation
from mazzo.errors import IllegalError
from mazzo.games import entries
from mazzo.seated import Advice
from mazzo.web.adviser import AdviserError, AdviserProcess


@pytest.fixture
def advisers() -> Iterator[AdviserProcess]:
    with closing(AdviserProcess()) as process:
        yield process


def about_itself(adviser: str, played: str | None = None) -> Advice:
    """A question whose answer says which process gave it, and how much it gives way."""
    return Advice(Explanation(str(os.getpid()), adviser, facts={"nice": os.nice(0)}), {}, "unit.bb")


def failing(adviser: str, played: str | None = None) -> Advice:
    raise ZeroDivisionError


def refusing(adviser: str, played: str | None = None) -> Advice:
    raise IllegalError(f"{adviser} cannot say")


def dying(adviser: str, played: str | None = None) -> Advice:
    os._exit(3)


def never_ending(sign: str, adviser: str, played: str | None = None) -> Advice:
    Path(sign).touch()
    signal.pause()
    raise AssertionError


def test_advice_comes_from_one_other_process_that_gives_way(advisers: AdviserProcess) -> None:
    first, second = (advisers.ask(about_itself, "chart") for _ in range(2))
    assert first.explanation.action == second.explanation.action == str(advisers.process_id)
    assert advisers.process_id != os.getpid()
    assert first.explanation.facts["nice"] == min(os.nice(0) + 10, 19)


def test_what_an_adviser_refuses_or_fails_at_is_told_and_the_process_lives_on(advisers: AdviserProcess) -> None:
    with pytest.raises(IllegalError, match="chart cannot say"):
        advisers.ask(refusing, "chart")
    before = advisers.process_id
    with pytest.raises(AdviserError, match="ZeroDivisionError"):
        advisers.ask(failing, "chart")
    assert advisers.ask(about_itself, "chart").explanation.action == str(before)


def test_a_process_that_dies_is_started_again_with_the_next_question(advisers: AdviserProcess) -> None:
    first = advisers.ask(about_itself, "chart").explanation.action
    with pytest.raises(AdviserError, match="ended"):
        advisers.ask(dying, "chart")
    again = advisers.ask(about_itself, "chart").explanation.action
    assert again != first
    os.kill(int(again), signal.SIGKILL)  # also one that dies while nobody asks
    while advisers._process is not None and advisers._process.is_alive():
        threading.Event().wait(0.01)
    assert advisers.ask(about_itself, "chart").explanation.action != again


def test_a_question_without_end_is_ended_from_another_thread(advisers: AdviserProcess, tmp_path: Path) -> None:
    sign, heard = tmp_path / "begun", list[str]()

    def ask() -> None:
        try:
            advisers.ask(partial(never_ending, str(sign)), "chart")
        except AdviserError as error:
            heard.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while not sign.exists():
        threading.Event().wait(0.01)
    advisers.drop()
    asking.join()
    assert heard == ["ended"]
    assert advisers.ask(about_itself, "chart").explanation.reason == "chart"


def test_a_closed_one_starts_nothing() -> None:
    advisers = AdviserProcess()
    advisers.close()
    with pytest.raises(AdviserError, match="closed"):
        advisers.ask(about_itself, "chart")
    assert advisers.process_id is None


@pytest.mark.parametrize("game", [entry.NAME for entry in entries()])
def test_every_game_is_advised_as_it_would_be_here(advisers: AdviserProcess, game: str) -> None:
    seating = next(entry for entry in entries() if game == entry.NAME).seating()
    table = seating.table(["me:A", *["random"] * (max(seating.least, 2) - 1)], {}, 3)
    while table.seat != 0 or table.forced:
        table.act("next" if table.seat is None else table.give_up() if table.seat == 0 else table.agent_action())
    question = table.question()
    there, here = advisers.ask(question, seating.advisers[0]), question(seating.advisers[0])
    assert there.worth == here.worth
    assert there.explanation == here.explanation
