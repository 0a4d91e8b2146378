"""What is sent to the pages as plain data: a seat's view in words, advice, and what a person's mistakes came to."""

from __future__ import annotations

import json
from typing import Any

from mazzo.agent import Agent, Explanation, parameters, safe_parameters
from mazzo.registry import meanings
from mazzo.seated import Advice, SeatedGame
from mazzo.sitting import Coach
from mazzo.words.bots import style_of
from mazzo.words.sentences import card_name, is_card, verdict, with_texts
from mazzo.words.texts import catalogue, text

__all__ = [
    "advice_shown",
    "bot_shown",
    "coach_total",
    "explanation_shown",
    "judged_shown",
    "play_name",
    "undealt",
    "view_shown",
]

_WHO = ("name", "kind", "agent", "style", "side")
"""What a seat is before it has cards."""


def view_shown(game: SeatedGame, name: str, seat: int | None, all_open: bool = False) -> dict[str, Any]:
    """What a seat knows (or all cards, for who may see them), in words, with a line about every agent."""
    view: dict[str, Any] = with_texts(game.open_view() if all_open else game.view(seat))
    for place in view["seats"]:
        if "agent" in place:
            place["style"] = style_of(name, place["agent"])
    return view


def undealt(view: dict[str, Any]) -> dict[str, Any]:
    """The table before the first hand: who sits where, and nothing that a deal decides."""
    seats = [{**{key: place[key] for key in _WHO if key in place}, "hands": []} for place in view["seats"]]
    centre = {**view["centre"], "cards": []}
    bare = {name: value for name, value in view.items() if name not in ("pot", "places")}
    return {**bare, "seats": seats, "centre": centre, "turn": None, "facts": [], "choices": [], "hand_over": False}


def bot_shown(game: SeatedGame, seat: int, agent: Agent[Any]) -> dict[str, Any]:
    """What an agent says of itself: its parameters, what it has learned, and what it makes of each rival."""
    known, means = parameters(type(agent)), meanings(type(agent))
    safe = safe_parameters(type(agent)) or {}
    shown = [
        {"name": name, "value": getattr(agent, f.name), "means": means.get(name, "")}
        for name, f in known.items()
        if f.name in safe
    ]
    learned = agent.learned()
    if learned is not None and "rivals" in learned:
        others = [row for row in learned["rivals"] if row["player"] != seat and row["player"] < len(game.names)]
        rivals = [{**row, "player": game.names[row["player"]]} for row in others]
        learned = {**learned, "rivals": rivals}
    return {"what": type(agent).summary, "parameters": shown, "learned": learned}


def explanation_shown(game: SeatedGame, seat: int, explained: Explanation) -> dict[str, Any]:
    """Why an agent played what it played, as plain data."""
    options = [{"label": o.action, "value": o.value, "terms": dict(o.terms)} for o in explained.options]
    facts = [[name, value] for name, value in explained.facts.items() if value is not None]
    who = {"seat": seat, "name": game.names[seat], "agent": game.seats[seat]}
    shown = {**who, "action": explained.action, "reason": explained.reason, "options": options, "facts": facts}
    plain: dict[str, Any] = json.loads(json.dumps(shown, default=float))  # agents may give numbers of numpy
    return plain


def coach_total(coach: Coach) -> dict[str, Any]:
    """What a person's mistakes came to, in words."""
    return {
        "decisions": coach.decisions,
        "mistakes": coach.mistakes,
        "cost": round(coach.cost, 6),
        "unit": text(coach.unit) if coach.unit else "",
    }


def play_name(action: str, advice: Advice, deck: str) -> str:
    """A play as people call it."""
    card, _, signal = action.partition(":")
    if deck == "italian" and is_card(card, deck):
        return f"{card_name(card, deck)}{f' ({signal})' if signal else ''}"
    label = advice.labels.get(action, action)
    words, _, amount = label.rpartition(" ") if label[-1:].isdigit() else (label, "", "")
    key = f"play.{words.replace(' ', '_')}"
    return f"{text(key)} {amount}".strip() if key in catalogue("en") else label


def judged_shown(advice: Advice, action: str) -> dict[str, Any]:
    """What is said of a play that was made: what it cost, what the adviser calls it, and that in words."""
    cost = advice.cost(action)
    said = {} if cost is None else {"said": verdict(advice, action)}
    return {"cost": cost, "agrees": action == advice.explanation.action, "mistake": advice.mistake(action), **said}


def advice_shown(advice: Advice, deck: str, coach: Coach | None = None) -> dict[str, Any]:
    """Advice as plain data."""
    e = advice.explanation
    options: list[dict[str, Any]] = [
        {
            "action": action,
            "label": play_name(action, advice, deck),
            "value": float(value),
            "error": float(advice.errors[action]) if action in advice.errors else None,
        }
        for action, value in sorted(advice.worth.items(), key=lambda item: -item[1])
    ]
    if not options:
        options = [
            {
                "action": o.action,
                "label": play_name(o.action, advice, deck),
                "value": o.value,
                "terms": {k: float(v) for k, v in o.terms.items()},
            }
            for o in e.options
        ]
    facts = [[name, value] for name, value in e.facts.items() if value is not None]
    return {
        "adviser": coach.adviser if coach else "",
        "advised": play_name(e.action, advice, deck),
        "reason": e.reason,
        "options": options,
        "weighed": bool(advice.worth),
        "unit": text(advice.unit),
        "facts": facts,
        "standard_error": advice.standard_error,
    }
