"""What may be typed beside `--resume FILE`: the file says what is played, so what differs from it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mazzo.errors import UnreadableError
from mazzo.names import parse_seats
from mazzo.sitting import Sitting

__all__ = ["check_same", "refuse_without_effect"]

_WHEN_RESUMED = {"resume", "replay", "game", "seats"}
_WHILE_PLAYING = {"hands", "rounds", "coach", "reasons", "adviser"}
"""Options that say how one sits at a table, not what is played there."""


def _typed() -> dict[str, str]:
    """What was typed, by its name in the program: the word for it."""
    context = click.get_current_context(silent=True)
    if context is None:
        return {}
    given = ParameterSource.COMMANDLINE
    typed = [p for p in context.command.params if p.name and context.get_parameter_source(p.name) is given]
    # Of options that set the same thing (--cash, --tournament) the one that gave its value was typed.
    meant = [p for p in typed if getattr(p, "flag_value", None) in (None, True, False, context.params[p.name or ""])]
    return {str(p.name): p.opts[0] for p in [*typed, *meant]}


def refuse_without_effect(replay: bool) -> None:
    """A table that is gone on with is what its file says: options of a new one would change nothing."""
    effective = _WHEN_RESUMED if replay else _WHEN_RESUMED | _WHILE_PLAYING
    vain = [option for name, option in _typed().items() if name not in effective]
    if vain:
        only = "with --replay one hand is printed" if replay else "the file says what is played there"
        raise UnreadableError(f"{', '.join(vain)} has no effect with --resume: {only}; leave it out")


def check_same(
    sitting: Sitting,
    path: Path,
    seats: str | None,
    words: str,
    wanted: tuple[Sequence[str], Mapping[str, Any]] | None,
    fixed: Sequence[str],
) -> None:
    """Refuse seats or a game that are not those of the file."""
    there = list(sitting.header["seats"])
    if "seats" in _typed() and parse_seats(seats or "") != there:
        raise UnreadableError(f"{path} seats {','.join(there)}: a session keeps its seats, leave out --seats")
    if wanted is None:
        return
    chosen, options = wanted
    had = {key: sitting.header["options"].get(key, options[key]) for key in fixed}
    if len(chosen) != len(there) or any(str(had[key]).lower() != str(options[key]).lower() for key in fixed):
        kinds = [f"{len(there)} seats", *(f"{key.replace('_', ' ')} {value}" for key, value in had.items())]
        raise UnreadableError(f"{path} is not a session of {words}: it is one of {', '.join(kinds)}")
