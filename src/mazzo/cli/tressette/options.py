"""Options that the commands of tressette share: who advises, and what is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mazzo.errors import UnreadableError

__all__ = ["adviser", "adviser_name", "rules", "seat_number"]

_F = TypeVar("_F", bound=Callable[..., Any])


def adviser(function: _F) -> _F:
    """Who advises, and how long it may think."""
    function = click.option(
        "--seconds", type=click.FloatRange(min=0, min_open=True), help="Seconds the advisor thinks about a card."
    )(function)
    return click.option(
        "--advisor", "--adviser", "advisor", default="search", show_default=True, help="The agent that advises."
    )(function)


def adviser_name(name: str, seconds: float | None) -> str:
    """The agent with its time: `search` and 1 are `search:seconds=1`."""
    if seconds is None:
        return name
    from mazzo.agent import agent_class, parameters, split_name
    from mazzo.tressette.agents import AGENTS

    base, given = split_name(name)
    if "seconds" not in parameters(agent_class(base, AGENTS)):
        raise UnreadableError(
            f"the agent {base} takes no seconds: leave out --seconds, or ask search, sampler or reader"
        )
    if "seconds" in given:
        raise UnreadableError(f"{name} has seconds of its own: leave out --seconds")
    return f"{name}{',' if given else ':'}seconds={seconds:g}"


def rules(function: _F) -> _F:
    """What is played."""
    return click.option(
        "--rules",
        "game",
        default="tressette",
        show_default=True,
        help="Rules: a preset (mazzo games lists them), changes to one (tressette:target=21), a .toml file.",
    )(function)


def seat_number(table: Any, name: str) -> int:
    """A seat of a round by its name."""
    names = [str(seat) for seat in table.names]
    if name not in names:
        raise UnreadableError(f"{name!r} is no seat of this round: one of {', '.join(names)}")
    return names.index(name)
