"""Who is offered at a new table: the agents that may sit down there and can play what was chosen, with their forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mazzo.errors import MazzoError
from mazzo.games import find_entry
from mazzo.web.allowed import Allowed

__all__ = ["USUAL_SEATS", "agents_for", "menu", "named"]

USUAL_SEATS: Mapping[str, int] = {"holdem": 3, "blackjack": 1, "tressette": 4}
"""How many seats a new table has at first, where others are possible."""


def agents_for(allowed: Allowed, game: str, given: Mapping[str, str]) -> dict[str, Any]:
    """The agents and files that can play at a table of these fields and `seats`, and the parameters of each agent."""
    entry = find_entry(game)
    seating = entry.seating()
    options = {f.name: given[f.name] for f in seating.fields if f.name in given}
    wanted = given.get("seats", "")
    seats = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else USUAL_SEATS.get(game, 0)
    seats = min(max(seats, seating.least), seating.most)
    rules = None if seating.rules is None else seating.rules(seating.usual(options), seats)
    names = allowed.agents(entry, rules)
    return {"agents": [allowed.form(name, entry) for name in names], "models": allowed.files(entry, rules)}


def menu(allowed: Allowed, game: str, given: Mapping[str, str]) -> dict[str, Any]:
    """What the page of a new table offers: names only; everybody who might play, where what was given is wrong."""
    try:
        found = agents_for(allowed, game, given)
    except MazzoError:
        found = agents_for(allowed, game, {})
    return {"agents": [form["name"] for form in found["agents"]], "models": found["models"]}


def named(seat: int, who: str, given: Mapping[str, str]) -> str:
    """An agent with the parameters that a form gives for its seat: `p1.raise` belongs to seat 1."""
    start = f"p{seat}."
    chosen = [f"{key[len(start) :]}={value}" for key, value in given.items() if key.startswith(start) and value]
    return f"{who}:{','.join(chosen)}" if chosen else who
