"""Lab -> Tressette at a real table: cards are clicked as they fall; who can hold what, why, and what is advised.

Nothing is kept on the server: the page sends the round's text each time, which is what the seat knows and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse

from mazzo.errors import IllegalError, UnreadableError
from mazzo.seated import Advice
from mazzo.statistics import Z95
from mazzo.web.advice import advice_shown, play_name
from mazzo.web.adviser import AdviserError
from mazzo.words.texts import text as words

if TYPE_CHECKING:
    from mazzo.tressette.view import View
    from mazzo.web.app import Pages

__all__ = ["add_pages", "advice_asked", "look"]

_MOST = 2000
"""Characters of a round's text."""


def add_pages(pages: Pages) -> None:
    """The assistant's page and what it asks for."""

    @pages.app.get("/lab/tressette")
    async def assistant_page(request: Request) -> HTMLResponse:
        from mazzo.tressette.observation import PLACES
        from mazzo.tressette.rules import PRESETS
        from mazzo.tressette.seated import ADVISERS

        return pages.page(request, "tressette", presets=list(PRESETS), places=PLACES, advisers=ADVISERS)

    @pages.app.post("/api/tressette/look")
    async def looked(request: Request) -> JSONResponse:
        return JSONResponse(await pages.work(look, await pages.json(request)))

    @pages.app.post("/api/tressette/advice")
    async def advised(request: Request) -> JSONResponse:
        question, adviser = await pages.work(advice_asked, await pages.json(request))
        try:
            advice: Advice = await pages.hub().workers.advise("replays", question, adviser, None)
        except AdviserError as error:
            raise IllegalError(words("coach.failed", {"what": str(error)})) from None
        return JSONResponse({**_advice(advice), "adviser": adviser})


def _view(given: Mapping[str, Any]) -> View:
    """The round that a page sends, as its seat knows it."""
    from mazzo.tressette.reasoning import reasons
    from mazzo.tressette.rules import PRESETS
    from mazzo.tressette.view import View

    said, preset = given.get("round"), str(given.get("rules", "tressette"))
    if not isinstance(said, str) or len(said) > _MOST:
        raise UnreadableError(f"round must be a text of at most {_MOST} characters")
    if preset not in PRESETS:
        raise UnreadableError(f"the rules must be one of {', '.join(PRESETS)}, got {preset[:40]!r}")
    with reasons():
        return View.parse(said, PRESETS[preset])


def look(given: Mapping[str, Any]) -> dict[str, Any]:
    """How the round stands: what may fall, who can hold what with which chance, and what is known for which reasons."""
    from mazzo.cards import ITALIAN
    from mazzo.tressette.deals.sample import hold_counts
    from mazzo.tressette.observation import PLACES
    from mazzo.tressette.reasoning import Knowledge

    view = _view(given)
    total, holds = hold_counts(view.observe())
    seen = {*view.hand(), *(card for _, card in view.plays)}
    chances = {
        str(card): [float(holds[0, place, card] / total[0]) for place in (1, 2, 3)]
        for card in ITALIAN
        if card not in seen
    }
    known = [
        {"place": d.place, "cards": [str(card) for card in d.cards], "kind": d.kind, "said": str(d)}
        for d in Knowledge(view).deductions()
    ]
    asks = view.rules.declarations == "after" and len(view.plays) >= 4 and view.observe().declared[0, 1, 0] < 0
    return {
        "turn": None if view.turn is None else PLACES[view.turn],
        "trick": view.trick,
        "table": [{"place": PLACES[seat], "card": str(card)} for seat, card in view.table],
        "last": [{"place": PLACES[seat], "card": str(card)} for seat, card in view.plays[-4:]],
        "hand": [str(card) for card in view.hand()],
        "played": [str(card) for _, card in view.plays],
        "legal": sorted({text.partition(":")[0] for text in view.legal.by_text}),
        "points": [thirds / 3 for thirds in view.thirds],
        "declared": [view.declarations(seat) for seat in range(4)],
        "ask_declarations": bool(asks),
        "deals": int(total[0]),
        "chances": chances,
        "known": known,
        "over": view.over,
        "text": str(view),
    }


def advice_asked(given: Mapping[str, Any]) -> tuple[Any, str]:
    """The decision that a page asks an adviser about."""
    from mazzo.tressette.seated import ADVISERS, asked

    view, adviser = _view(given), str(given.get("adviser", ADVISERS[0]))
    if adviser not in ADVISERS:
        raise UnreadableError(f"the adviser must be one of {', '.join(ADVISERS)}, got {adviser[:40]!r}")
    if view.turn != 0:
        raise IllegalError(words("assistant.not_mine"))
    return asked(view.observe()), adviser


def _advice(advice: Advice) -> dict[str, Any]:
    shown = advice_shown(advice, "italian")
    options = []
    for o in advice.explanation.options:
        behind = None if o.behind is None else [o.behind, Z95 * (o.behind_error or 0.0)]
        terms = {name: float(value) for name, value in o.terms.items()}
        label = play_name(o.action, advice, "italian")
        options.append({"card": o.action, "label": label, "value": o.value, "behind": behind, "terms": terms})
    return {**shown, "card": advice.explanation.action, "options": options}
