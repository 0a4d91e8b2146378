"""Things by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mazzo.errors import UnreadableError
from mazzo.registry import Registry


def test_a_thing_is_imported_when_it_is_asked_for_and_a_module_can_be_one() -> None:
    things: Registry[Any] = Registry("thing", {"dumps": "json:dumps", "json": "json", "gone": "no.such.module:thing"})
    assert things["dumps"] is json.dumps
    assert things["json"] is json
    assert list(things) == ["dumps", "json", "gone"]
    with pytest.raises(ModuleNotFoundError):
        things["gone"]


def test_an_unknown_name_is_an_error_that_suggests_the_nearest() -> None:
    things: Registry[Any] = Registry("thing", {"dumps": "json:dumps"})
    with pytest.raises(UnreadableError, match="there is no thing 'dump'; did you mean 'dumps'"):
        things["dump"]


def test_a_name_is_given_once_and_can_be_taken_back() -> None:
    things: Registry[Callable[[], int]] = Registry("thing", {"dumps": "json:dumps"})

    @things.register("one")
    def one() -> int:
        return 1

    assert things["one"] is one
    assert things.make("one") == 1
    for name in ("one", "dumps"):
        with pytest.raises(ValueError, match="two things called"):
            things.register(name)(one)
    things.forget("one")
    assert "one" not in things
    assert len(things) == 1


def test_parameters_are_read_by_the_types_of_the_thing() -> None:
    things: Registry[Any] = Registry("thing")

    @things.register("sum")
    def add(times: int, of: float = 0.5, up: bool = False) -> tuple[int, float, bool]:
        return times, of, up

    assert things.make("sum:times=3,up=yes") == (3, 0.5, True)
    for text in ("sum:times=x", "sum:time=3", "sum:times", "sum:times=1,times=2", "sum:times=1,up=maybe"):
        with pytest.raises(UnreadableError):
            things.make(text)
