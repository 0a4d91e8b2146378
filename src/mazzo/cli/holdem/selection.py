"""The options by which commands choose attributes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = ["make_selection", "selecting", "words"]

_F = TypeVar("_F", bound=Callable[..., Any])


def selecting(function: _F) -> _F:
    """Add the options that choose attributes."""
    options = (
        click.option("--attributes", "-attributes", help="Attributes separated by commas; your own as FILE.py:NAME."),
        click.option(
            "--categories",
            "-categories",
            help="Attributes that belong to all of these categories, separated by commas.",
        ),
        click.option("--prefix", "-prefix", help="Attributes with the prefix PRESENT, HISTORY or FUTURE."),
        click.option(
            "--list",
            "named",
            help="List to select from: usual, all, simplified, no-ratio-base, suitless, or a hero's (learning ...).",
        ),
        click.option("--no-redundant", "-noRedundant", is_flag=True, help="Keep only one representation of each fact."),
        click.option(
            "--invert",
            "-invert",
            is_flag=True,
            help="Use every attribute except the selected ones; with nothing selected, use all.",
        ),
        click.option(
            "--selection", type=click.Path(dir_okay=False, path_type=Path), help="Read these options from a file."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def make_selection(options: dict[str, Any]) -> Any:
    """The selection that the options ask for."""
    from mazzo.errors import UnreadableError
    from mazzo.holdem.attributes import Selection, load_named, read_selection

    given = Selection(
        load_named(words(options["attributes"])),
        words(options["categories"]),
        options["prefix"] or "NOT_SPECIFIED",
        options["no_redundant"],
        options["invert"],
        options["named"] or "",
    )
    if options["selection"] is None:
        return given
    if given != Selection():
        raise UnreadableError("--selection FILE says which attributes: give no other option that chooses them")
    return read_selection(options["selection"])


def words(text: str | None) -> tuple[str, ...]:
    """What stands between the commas of an option."""
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())
