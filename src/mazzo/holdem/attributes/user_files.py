"""Attributes in files of the user's: `pot_odds.py:pot_odds` is the function `pot_odds` of that file.

The file is run: it is the user's program, as a bot in a file is. So it is only ever named by the user, on the command
line or as an agent's parameter; a model file keeps the attribute's name and never a path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.files import run_file
from mazzo.holdem.attributes.registry import REGISTRY, STREETS, Attribute
from mazzo.holdem.attributes.situations import Situations

__all__ = ["UnknownAttributeError", "attribute", "load_named"]

_F = TypeVar("_F", bound=Callable[..., Any])


def attribute(*, values: Sequence[str] | None = None, streets: Sequence[str] = STREETS) -> Callable[[_F], _F]:
    """A decorator for an attribute in a file that is more than a number on every street.

    Args:
        values: What it can be; the function then gives the place of the value, -1 where it is missing.
        streets: Where it means something: some of `STREETS`.
    """

    def keep(work: _F) -> _F:
        work.attribute_fields = {"values": None if values is None else tuple(values), "streets": tuple(streets)}  # type: ignore[attr-defined]
        return work

    return keep


def load_named(words: Sequence[str]) -> tuple[str, ...]:
    """The words with `FILE.py:NAME` as NAME, after the function of that name was registered; others as they are."""
    return tuple(_load(word) if ".py" in word else word for word in words)


def _load(word: str) -> str:
    file, _, name = word.strip().rpartition(":")
    if not file.endswith(".py"):
        raise UnreadableError(f"{word!r} names no function: write FILE.py:NAME, as pot_odds.py:pot_odds")
    path = Path(file)
    work = getattr(run_file(path, "attribute"), name, None)
    if not callable(work):
        raise UnreadableError(f"{path} defines no function {name!r}")
    doc = " ".join((work.__doc__ or "").split())
    if not doc:
        raise UnreadableError(f"the attribute {name!r} of {path} needs a docstring: one line that says what it is")
    where = str(path.resolve())
    if name in REGISTRY and REGISTRY[name].file != where:
        owner = REGISTRY[name].file or "mazzo itself"
        raise UnreadableError(f"there is an attribute {name!r} already, of {owner}: call the one of {path} otherwise")
    fields = {"streets": STREETS, **getattr(work, "attribute_fields", {})}
    made = Attribute(
        name, partial(_checked, work, name), "NO_CATEGORY", fact=name, listed=False, file=where, doc=doc, **fields
    )
    REGISTRY.register(name, again=True)(made)
    return name


def _checked(work: Callable[[Situations], Any], name: str, situations: Situations) -> NDArray[Any]:
    """What a user's function gives, if it is one number a decision."""
    try:
        found = np.asarray(work(situations))
    except Exception as error:
        raise UnreadableError(f"the attribute {name!r} does not run: {type(error).__name__}: {error}") from error
    if found.shape != (len(situations),) or found.dtype.kind not in "biuf":
        raise UnreadableError(
            f"the attribute {name!r} gave an array of shape {found.shape} and type {found.dtype} for "
            f"{len(situations)} decisions: one number a decision is needed"
        )
    return found.astype(np.int64) if found.dtype.kind == "b" else found


class UnknownAttributeError(UnreadableError):
    """A model looks at an attribute that is not registered."""

    def __init__(self, model: Path, name: str) -> None:
        shown = name[:60]
        super().__init__(
            f"{model} looks at an attribute {shown!r} that is not known; if it stands in a file of yours, name the "
            f"file too: {model}:attributes=FILE.py:{shown} for a player, --attributes FILE.py:{shown} for `mazzo read`"
        )
