"""`import mazzo`: what it costs, and that every name it offers is there and stays what it is."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from types import ModuleType

import pytest

import mazzo
from mazzo.games import ENTRIES

GAMES = [where.split(".")[1] for where in ENTRIES]
FUNCTION_AND_MODULE = {"rules"}
"""Bound to the function before anything can import the module of that name."""


def package(game: str) -> ModuleType:
    return import_module(f"mazzo.{game}")


def loaded_by(program: str) -> set[str]:
    show = f"{program}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_mazzo_loads_neither_numpy_nor_numba() -> None:
    assert not {"numpy", "numba", "sklearn", "polars"} & loaded_by("import mazzo")


def test_naming_a_game_of_holdem_loads_no_compiled_code() -> None:
    assert not {"numba", "sklearn"} & loaded_by("import mazzo; mazzo.holdem.rules('holdem-limit-2p')")


@pytest.mark.parametrize("name", ["", *GAMES])
def test_every_name_of_a_door_is_there_and_listed(name: str) -> None:
    door = package(name) if name else mazzo
    for offered in door.__all__:
        assert getattr(door, offered) is not None, offered
        assert offered in dir(door)


@pytest.mark.parametrize("game", GAMES)
def test_no_name_of_a_door_is_the_name_of_a_module_beside_it(game: str) -> None:
    door = package(game)
    beside = {module.name for module in iter_modules(door.__path__)}
    assert set(door.__all__) & beside <= FUNCTION_AND_MODULE


@pytest.mark.parametrize("game", GAMES)
def test_names_of_a_door_stay_what_they_are_when_every_module_has_been_imported(game: str) -> None:
    door = package(game)
    before = {name: getattr(door, name) for name in door.__all__}
    for module in walk_packages(door.__path__, f"{door.__name__}."):
        import_module(module.name)
    for name, thing in before.items():
        assert getattr(door, name) is thing, name
        assert not isinstance(thing, ModuleType), name


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'mazzo.holdem' has no attribute 'hold'"):
        mazzo.holdem.hold  # noqa: B018 - asking is the test


def test_dir_shows_the_public_names_only() -> None:
    assert [name for name in dir(mazzo) if not name.startswith("__")] == sorted(
        name for name in mazzo.__all__ if not name.startswith("__")
    )
