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
        click.option("--attributes", "-attributes", help="These, with commas; one of yours as FILE.py:NAME."),
        click.option("--categories", "-categories", help="Those that are in all of these categories, with commas."),
        click.option("--prefix", "-prefix", help="PRESENT, HISTORY or FUTURE."),
        click.option(
            "--list",
            "named",
            help="usual, all, simplified, no-ratio-base, or one of heroes (learning ...); the others choose from it.",
        ),
        click.option("--no-redundant", "-noRedundant", is_flag=True, help="One representation of a fact."),
        click.option("--invert", "-invert", is_flag=True, help="All but those; alone: all."),
        click.option(
            "--selection", type=click.Path(dir_okay=False, path_type=Path), help="A file with these options in it."
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
