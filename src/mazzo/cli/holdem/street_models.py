"""Options of `mazzo clone` that give a street a model and attributes of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import click

from mazzo.cli.holdem.selection import words

__all__ = ["StreetPlan", "plans_of", "shares_of", "street_options"]

_F = TypeVar("_F", bound=Callable[..., Any])
_STREETS = ("preflop", "flop", "turn", "river")
_NUMBERS: dict[str, Callable[[str], float]] = {
    "bits": float,
    "c": float,
    "rate": float,
    "trees": int,
    "neighbours": int,
    "leaves": int,
    "leaf": int,
    "temperature": float,
}
"""Settings of learners."""


@dataclass(frozen=True)
class StreetPlan:
    """How a street is learned."""

    kind: str
    selection: Any
    settings: dict[str, Any] = field(default_factory=dict)


def street_options(function: _F) -> _F:
    """Add `--preflop`, `--flop`, `--turn` and `--river`."""
    for street in reversed(_STREETS):
        text = f"A model of its own for the {street}: boosting:trees=50, tree:list=simplified, knn:attributes=A+B."
        function = click.option(f"--{street}", help=text)(function)
    return function


def plans_of(kind: str, predicted: str, selection: Any, options: dict[str, Any]) -> list[StreetPlan]:
    """How each street is learned."""
    from mazzo.errors import UnreadableError, did_you_mean
    from mazzo.holdem.attributes import Selection
    from mazzo.holdem.cloning.auto import AUTO_LIST
    from mazzo.holdem.cloning.models import MODELS

    for name in () if selection.invert else selection.attributes:
        if name.startswith("CLASS_"):
            raise UnreadableError(f"{name} is a class, not an attribute to learn from: predict it with --class {name}")
    others = {MODELS[name].predicts: name for name in MODELS if MODELS[name].predicts != MODELS["tree"].predicts}
    if predicted != MODELS["tree"].predicts:
        if predicted not in others:
            known = [MODELS["tree"].predicts, *others]
            raise UnreadableError(f"there is no class {predicted!r}; {did_you_mean(predicted, known)}")
        if kind not in ("auto", "tree", "boosting", others[predicted]) or any(options[street] for street in _STREETS):
            raise UnreadableError(f"{predicted} is learned by boosted trees of numbers: give no other model")
        kind = others[predicted]
    if kind != "auto":
        MODELS[kind]
    elif selection == Selection():
        selection = replace(selection, named=AUTO_LIST)
    usual = StreetPlan(kind, selection)
    return [_plan(options[street], usual) if options[street] else usual for street in _STREETS]


def _plan(text: str, usual: StreetPlan) -> StreetPlan:
    from mazzo.errors import UnreadableError, did_you_mean
    from mazzo.holdem.attributes import Selection, load_named
    from mazzo.holdem.cloning.auto import AUTO_LIST
    from mazzo.holdem.cloning.models import MODELS
    from mazzo.registry import split_name

    kind, given = split_name(text, "model")
    if kind != "auto":
        MODELS[kind]
    settings: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for key, value in given.items():
        try:
            if key in _NUMBERS:
                settings[key] = _NUMBERS[key](value)
                continue
        except ValueError:
            raise UnreadableError(f"{key} of the model {text!r} must be a number, got {value!r}") from None
        if key == "list":
            chosen["named"] = value
        elif key == "attributes":
            chosen["attributes"] = load_named(words(value.replace("+", ",")))
        elif key == "categories":
            chosen["categories"] = words(value.replace("+", ","))
        else:
            known = [*_NUMBERS, "list", "attributes", "categories"]
            raise UnreadableError(f"a model has no setting {key!r}; {did_you_mean(key, known)}")
    if kind == "auto" and settings:
        raise UnreadableError(f"auto chooses its own settings: leave {', '.join(settings)} out of {text!r}")
    if kind != "auto":
        MODELS[kind].check_settings(settings)
    own = Selection() if usual.kind == "auto" and usual.selection == Selection(named=AUTO_LIST) else usual.selection
    selection = Selection(**chosen) if chosen else usual.selection if kind == "auto" else own
    return replace(usual, kind=kind, selection=selection, settings=settings)


def shares_of(text: str) -> list[float]:
    """`.66` or `.66,.36,.41,.52`: how much of the data each street learns from."""
    from mazzo.errors import UnreadableError

    try:
        found = [float(word) for word in words(text)]
    except ValueError:
        found = []
    if len(found) == 1:
        found *= len(_STREETS)
    if len(found) != len(_STREETS) or not all(0 < share <= 1 for share in found):
        raise UnreadableError(f"--share is one figure above 0 and at most 1, or four with commas; got {text!r}")
    return found
