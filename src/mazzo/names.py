"""Names of who plays: told apart, and seats written as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

__all__ = ["distinct_names", "is_person", "parse_seats", "person_name", "table_names"]

_FIRST_NAMES = (
    "Ada", "Dario", "Elsa", "Fausto", "Gilda", "Hugo", "Irma", "Leo", "Livia", "Mara", "Nico", "Olga", "Otto", "Piero",
    "Rita", "Sandro", "Tea", "Ugo", "Vera", "Zeno",
)  # fmt: skip
"""For agents at a table; more than a table has seats."""


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names by which equal agents can be told apart: `random#1`, `random#2`."""
    out = []
    for k, name in enumerate(names):
        number = names[: k + 1].count(name)
        out.append(f"{name}#{number}" if names.count(name) > 1 else name)
    return out


def person_name(seat: str) -> str | None:
    """The name of the person a seat is kept for (`me:Anna`); None where an agent sits."""
    who, _, name = seat.partition(":")
    return (name or "me") if who == "me" else None


def is_person(seat: str) -> bool:
    """Whether a seat is a person's: `me` or `me:NAME`."""
    return person_name(seat) is not None


def table_names(seats: Sequence[str]) -> list[str]:
    """What the seats of a table are called: people by their names, each agent by a first name nobody else there has.

    An agent's first name follows from what it is: the first `utility` of a table is always called the same.
    """
    people = distinct_names([name for seat in seats if (name := person_name(seat)) is not None])
    used = {name.casefold() for name in people}
    in_order, out = iter(people), []
    for seat in seats:
        if is_person(seat):
            out.append(next(in_order))
            continue
        at = crc32(seat.partition(":")[0].encode()) % len(_FIRST_NAMES)
        name = next(n for n in (*_FIRST_NAMES[at:], *_FIRST_NAMES[:at], f"{seat}?") if n.casefold() not in used)
        used.add(name.casefold())
        out.append(name)
    return out


def parse_seats(text: str) -> list[str]:
    """Seats from `me:Anna,utility:raise=.6,fold=.2,rich,call*3`: a comma before `name=value` is part of the agent."""
    out: list[str] = []
    for piece in text.split(","):
        if "=" in piece.partition(":")[0] and out and ":" in out[-1]:
            out[-1] += "," + piece.strip()
        elif piece.strip():
            out.append(piece.strip())
    seats: list[str] = []
    for name in out:
        found = re.fullmatch(r"(.+)\*(\d{1,2})", name)
        seats += [found[1]] * int(found[2]) if found else [name]
    return seats
