"""What a player of a replayed hand of Hold'em may hold: the grid of 169 classes beside the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.responses import JSONResponse

from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import find_entry
from mazzo.web.allowed import Allowed
from mazzo.web.replays import unpacked
from mazzo.words.texts import text

if TYPE_CHECKING:
    from mazzo.web.app import Pages

__all__ = ["MOST_RANGE", "add_ranges", "held_at", "model_names", "model_of"]

MOST_RANGE = 20_000
"""Letters of a range as text: 1,326 holdings with a weight each fit."""
_STAND_IN, _DOUBT = "chart", 0.02
"""Who stands in for a player whose policy is not known, and how much of what it did is then put down to chance."""


def add_ranges(pages: Pages) -> None:
    """What the page of a replayed hand asks for."""

    @pages.app.get("/api/held")
    async def held(h: str, step: int, seat: int, model: str = "") -> JSONResponse:
        return JSONResponse(await pages.work(held_at, pages.hub().allowed, h, step, seat, model))


def held_at(allowed: Allowed, link: str, step: int, seat: int, model: str = "") -> dict[str, Any]:
    """The chances of what a seat holds at a step of a hand, and by whose policy they are.

    A player that bears the name of an agent is taken to be it; for any other its clone or a player of its statistics
    answers, and it is said.
    """
    from mazzo.holdem.replay import held, held_by_stand_in

    record, entry = unpacked(link), find_entry("holdem")
    if record["of"] != entry.NAME:
        raise UnreadableError(text("refused.link"))
    names = record.get("names")
    name = str(names[seat])[:60] if isinstance(names, list) and 0 <= seat < len(names) else ""
    if model or not name:
        chosen = model or _STAND_IN
        own = chosen == name
        found = held(record, step, seat, allowed.make(chosen, entry), 0.0 if own else _DOUBT)
        words = {"name": name, "model": chosen, "doubt": f"{100 * _DOUBT:g}"}
        said = [text("held.own" if own else "held.stand_in", words)]
    else:
        stands, found = held_by_stand_in(record, step, seat)
        chosen, own = stands.agent.name, stands.own
        key = "held.own" if own else "held.usual" if stands.kind == "usual" else "held.by"
        said = [text(key, {"name": name, "model": chosen, "by": stands.words})]
    count = {"holdings": int((found.p > 0).sum()), "decisions": found.decisions}
    said += [text("held.count", count), *([] if found.exact else [text("held.sampled", {"model": chosen})])]
    return {**found.as_dict(), "model": chosen, "own": own, "said": said, "models": model_names(allowed)}


def model_of(allowed: Allowed, name: str) -> str:
    """Whose policy a player's is taken to be: the agent's or the model's that bears the name, else a stand-in's."""
    return name if _may_play(allowed, name) else _STAND_IN


def _may_play(allowed: Allowed, name: str) -> bool:
    try:
        allowed.check(name, find_entry("holdem"))
    except MazzoError:
        return False
    return True


def model_names(allowed: Allowed) -> list[str]:
    """Who can stand for a player."""
    entry = find_entry("holdem")
    return [*sorted(allowed.agents(entry)), *allowed.files(entry)]
