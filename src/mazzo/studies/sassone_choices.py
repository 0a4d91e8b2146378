"""Sassone's own program beside ours in 80 situations: the card it chose, ours, and by kind why they differ.

The kind of a difference is found, not written down. For the decision network one part of its utilities after another
is replaced by ours; the first with which ours is its best card too explains the difference. For the belief network
ours chooses again without what it knows of its own cards played, which the program forgets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from mazzo.agent import Explanation, create
from mazzo.cards import ITALIAN
from mazzo.studies.row import Row
from mazzo.tressette.observation import Observations

__all__ = ["choice_rows", "choice_run", "choice_tasks", "situations"]

_SAME = 1e-9
_FAILS = "its program fails"
_TIE = "of equal utility in ours"
_TOGETHER = "several parts of the utility together"
_PARTS = (
    "its chance to take is another",
    "it expects other points in the trick",
    "its DT (masters later) is another",
    "its V (taking the rest) is another",
)
_FORGETS = "it forgets its own cards played"
_NOT_LOWEST = "it takes with one that is not the lowest to take, which its text asks for"
_OTHER_SUIT = "it takes in another suit"
_THROWS = "it throws one where by its text's rule another takes"
_CHEAP = "nothing takes and both are worth the same"
_ELSE = "cause not known"


def situations() -> list[dict[str, Any]]:
    """What the program chose: a view, the card and terms of its decision network, the cards of its belief network."""
    found = json.loads(files("mazzo.studies").joinpath("sassone_choices.json").read_text(encoding="utf-8"))
    return list(found["situations"])


def choice_tasks() -> list[dict[str, Any]]:
    """One part for each network."""
    return [{"figure": "choices", "agents": [name]} for name in ("decision", "belief")]


def choice_run(task: dict[str, Any]) -> dict[str, Any]:
    """By kind of difference the situations where ours plays another card than the program; "" where the same."""
    from mazzo.tressette.agents import AGENTS
    from mazzo.tressette.view import View

    agent = create(task["agents"][0], AGENTS)
    kinds: dict[str, list[int]] = {}
    for found in situations():
        seen = View.parse(found["view"]).observe()
        why = agent.explain(seen)
        if task["agents"][0] == "decision":
            kind = decision_kind(found, why)
        else:
            kind = belief_kind(found["belief"], why, agent.explain(_forgetful(seen)))
        kinds.setdefault(kind, []).append(found["id"])
    return {"kinds": kinds}


def decision_kind(found: Mapping[str, Any], why: Explanation) -> str:
    """Why the decision networks differ: "" if they do not."""
    his, ours = found["decision"], why.action
    if his is None:
        return _FAILS
    if his == ours:
        return ""
    options = {option.action: option for option in why.options}
    values = {card: option.value or 0.0 for card, option in options.items()}
    if values[his] > values[ours] - _SAME:
        return _TIE
    terms = {card: list(of) for card, of in found["terms"].items() if of is not None}
    for part, name in enumerate(_PARTS):
        mixed = {card: _utility(_replaced(of, part, options[card].terms)) for card, of in terms.items()}
        if ours in mixed and mixed[ours] > max(mixed.values()) - _SAME:
            return name
    return _TOGETHER


def _replaced(his: Sequence[float], part: int, ours: Mapping[str, float]) -> list[float]:
    """The program's terms of a card with one part as ours has it."""
    takes, partner, table, points, masters, rest = his
    if part == 0:
        takes, partner = ours["P(c takes)"], ours["P(partner takes)"]
    elif part == 1:
        table, points = round(3 * table) / 3, ours["estimate"]  # it has .334 for a third
    elif part == 2:
        masters = ours["DT"]
    else:
        rest = ours["V"]
    return [takes, partner, table, points, masters, rest]


def _utility(terms: Sequence[float]) -> float:
    takes, partner, table, points, masters, rest = terms
    return max(takes, partner) * (table + points) + masters + rest


def _forgetful(seen: Observations) -> Observations:
    """What a seat sees that has forgotten which cards it played itself."""
    shown = seen.shown.copy()
    shown[:, 0] = 0
    return replace(seen, shown=shown)


def belief_kind(his: Sequence[str], why: Explanation, forgetful: Explanation) -> str:
    """Why the belief networks differ, where ours is none of the cards among which the program draws."""
    ours = why.action
    if ours in his:
        return ""
    if forgetful.action in his:
        return _FORGETS
    takes = {option.action for option in why.options if any(option.terms.values())}
    taking = takes & set(his)
    if any(other[-1] == card[-1] and _power(other) < _power(card) for card in taking for other in takes):
        return _NOT_LOWEST
    if takes:
        return _OTHER_SUIT if taking else _THROWS
    return _CHEAP if {_thirds(card) for card in his} == {_thirds(ours)} else _ELSE


def _power(card: str) -> int:
    return int(ITALIAN.card(card)) % 10


def _thirds(card: str) -> int:
    from mazzo.tressette.kernels import thirds_of

    return int(thirds_of(ITALIAN.mask(ITALIAN.parse(card))))


def choice_rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """How often the same card, then the situations of each kind of difference."""
    made = []
    for result in results:
        if result["figure"] != "choices":
            continue
        name, kinds = result["agents"][0], dict(result["kinds"])
        failed, same = kinds.pop(_FAILS, []), kinds.pop("", [])
        asked = len(same) + sum(map(len, kinds.values()))
        why = "its choices stand in no table of the document; its program was run for this"
        if failed:
            why += f"; in {len(failed)} more its program fails (situation {', '.join(map(str, failed))})"
        made.append(Row(f"{name}: the card that Sassone's own program plays", f"{len(same)} of {asked}", "", why))
        for kind, where in sorted(kinds.items(), key=lambda item: -len(item[1])):
            told = f"situation{'s' if len(where) > 1 else ''} {', '.join(map(str, where))}"
            told += "; with ours in its place the program's best card is ours" if kind in _PARTS else ""
            made.append(Row(f"{name}: another card, {kind}", str(len(where)), "", told))
    return made
