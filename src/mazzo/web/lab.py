"""The lab: equities, charts, live matches, studies, models. All as plain data for the pages."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mazzo.agent import create
from mazzo.cards import FRENCH
from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import entries, find_contest
from mazzo.web.limits import RefusedError
from mazzo.web.texts import text

if TYPE_CHECKING:
    from mazzo.arena.match import MatchResult
    from mazzo.studies import Study
    from mazzo.web.hub import Hub

__all__ = ["blackjack_chart", "contests", "equity", "live_match", "model_tree", "models", "reports", "studies"]

_STEP = 0.02
"""Seconds between two drawings of a match, at least."""


def equity(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a hand wins on average: `hand`, `board`, and `opponents` (random hands) or `against` (a hand or range)."""
    from mazzo.holdem import equity as library

    hand, board = FRENCH.parse(_short(given, "hand", 20)), FRENCH.parse(_short(given, "board", 40))
    against = _short(given, "against", 4000)
    if against:
        found = library.equity_against(hand, against, board)
    else:
        opponents = given.get("opponents", 1)
        if not isinstance(opponents, int) or isinstance(opponents, bool):
            raise UnreadableError("opponents is a whole number from 1 to 9")
        found = library.equity(hand, board, opponents)
    out = {**asdict(found), "exact": found.exact, "hand": FRENCH.text(hand), "board": FRENCH.text(board)}
    out["numerator"], out["denominator"] = str(found.numerator), str(found.denominator)  # beyond what browsers count
    if len(board) >= 3:
        from mazzo.holdem.showdown import describe, evaluate_one

        out["now"] = describe(evaluate_one([*hand, *board]))
    return out


def _short(given: Mapping[str, Any], name: str, most: int) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise UnreadableError(f"{name} is a text of at most {most} characters")
    return value.strip()


def blackjack_chart(given: Mapping[str, str]) -> dict[str, Any]:
    """The chart of any rules, with what every play of every cell is worth."""
    from mazzo.blackjack.chart import _CODES, _ORDER, chart_of, shown_rows
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.rules import INFINITE
    from mazzo.blackjack.seated import RULE_FIELDS, rules_of
    from mazzo.blackjack.shoe import RANKS
    from mazzo.blackjack.strategy import LETTERS, ROWS
    from mazzo.seated import read_fields

    rules = rules_of(read_fields(RULE_FIELDS, given))
    if rules.decks == INFINITE:
        raise UnreadableError("charts are of real decks here: give decks = 1 to 8")
    best, exact = chart_of(rules), analyse(rules)
    sections = []
    for title, rows in shown_rows():
        lines = []
        for row in rows:
            letters = best.table.letters[ROWS.index(row)]
            hand = _example(row)
            cells = []
            for up in _ORDER:
                values = {k: round(v, 5) for k, v in exact.plays(hand, up).items()}
                letter = letters[up]
                cells.append({"code": _CODES[letter], "play": LETTERS[letter], "up": RANKS[up], "values": values})
            lines.append({"row": row, "hand": ",".join(RANKS[r] for r in hand), "cells": cells})
        sections.append({"title": title, "rows": lines})
    heads = [RANKS[up] for up in _ORDER]
    return {"sections": sections, "heads": heads, "ev": best.ev, "ev_exact": exact.ev, "rules": rules.as_dict()}


def _example(row: str) -> tuple[int, ...]:
    """Two cards that stand for a row: 16 is T,6; 13 is T,3; 7 is 5,2; A,6 and 8-8 are themselves."""
    from mazzo.blackjack.shoe import parse_cards

    if not row.isdigit():
        cards = parse_cards(re.sub(r"[-+]", ",", row))
        return cards if len(cards) == 2 else cards * 2
    high = min(10, int(row) - 2)
    return high - 1, int(row) - high - 1


def contests() -> list[dict[str, Any]]:
    """Games that agents play against each other, with their agents."""
    out = []
    for entry in entries():
        for game in entry.games():
            try:
                found = entry.contest(game.name)
            except MazzoError:
                continue
            if found is not None:
                out.append({"name": game.name, "what": game.what, "seats": found.seats, "agents": sorted(entry.AGENTS)})
    return out


async def live_match(
    hub: Hub, game: str, agents: Sequence[str], hands: int, seed: int, send: Callable[[dict[str, Any]], None]
) -> None:
    """Play a match in the background and send its standing as it goes."""
    from mazzo.web.hub import check_agent

    try:
        if hub.matches >= hub.limits.matches:
            raise RefusedError(text("refused.matches", {"most": hub.limits.matches}))
        if not 1 <= hands <= hub.limits.match_hands:
            raise UnreadableError(f"a match here has 1 to {hub.limits.match_hands} hands")
        if game not in {c["name"] for c in contests()}:
            raise UnreadableError(f"there is no match at {game[:40]!r}")
        entry = next(e for e in entries() if game in {g.name for g in e.games()})
        for name in agents:
            check_agent(name, entry)
    except MazzoError as wrong:
        send({"type": "match", "failed": str(wrong)})
        return
    hub.matches += 1
    loop = asyncio.get_running_loop()
    steps: Iterator[MatchResult] | None = None
    try:
        steps = await loop.run_in_executor(hub.workers, _begin, game, agents, hands, seed)
        shown = -math.inf
        result: MatchResult | None = None
        while (step := await loop.run_in_executor(hub.workers, next, steps, None)) is not None:
            result = step
            if loop.time() - shown >= _STEP:
                shown = loop.time()
                send({"type": "match", "done": False, **_standing(result)})
        if result is not None:
            send({"type": "match", "done": True, **_standing(result)})
    except MazzoError as wrong:
        send({"type": "match", "failed": str(wrong)})
    finally:
        hub.matches -= 1


def _begin(game: str, agents: Sequence[str], hands: int, seed: int) -> Iterator[MatchResult]:
    from mazzo.arena.match import stream_match

    contest, catalogue = find_contest(game)
    players = [create(name, catalogue) for name in agents]
    for player in players:
        player.prepare(lambda share: None)
    return stream_match(contest, players, hands, seed)


def _standing(result: MatchResult) -> dict[str, Any]:
    data = result.as_dict()
    players = [
        {"name": p["name"], "mean": p[result.unit], "low": _finite(p["ci95"][0]), "high": _finite(p["ci95"][1])}
        for p in data["players"]
    ]
    return {"players": players, "hands": data["hands"], "deals": data["deals"], "unit": text(f"unit.{result.unit}")}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def studies() -> list[dict[str, Any]]:
    """Every study, with what the results in the working directory say."""
    from mazzo.studies import STUDIES
    from mazzo.studies.report import find_study

    out = []
    for name in sorted(STUDIES):
        study = find_study(name)
        paths = sorted(Path.cwd().glob(f"study-{name}-*.jsonl"))[:10]
        found = [{"file": path.name, **_study_results(study, path)} for path in paths]
        out.append({"name": name, "summary": study.SUMMARY, "document": study.DOCUMENT, "results": found})
    return out


def _study_results(study: Study, path: Path) -> dict[str, Any]:
    from mazzo.reports.runs import read_study

    try:
        _, results = read_study(path)
        rows, charts = ([asdict(found) for found in part(results)] for part in (study.rows, study.charts))
    except Exception as wrong:  # a file of another study or version: say so, the page still shows the others
        return {"problem": f"{type(wrong).__name__}: {wrong}"[:300], "rows": [], "charts": []}
    return {"rows": rows, "charts": charts, "parts": len(results)}


def reports() -> list[str]:
    """The HTML reports in the working directory."""
    return sorted(path.name for path in Path.cwd().glob("*.html") if path.is_file())[:100]


def models() -> list[dict[str, Any]]:
    """The model files in the working directory and what they are."""
    from mazzo.learn.model_file import read_model
    from mazzo.web.hub import models_here

    out = []
    for name in models_here():
        try:
            model = read_model(Path(name))
            trees = (
                len(_clone_streets(name)) if model.agent == "clone" else max(0, len(model.arrays.get("starts", ())) - 1)
            )
            out.append({"name": name, "agent": model.agent, "trees": trees, "made_by": model.made_by})
        except MazzoError as wrong:
            out.append({"name": name, "problem": str(wrong)})
    return out


def _clone_streets(name: str) -> list[Any]:
    """The models of a clone that are trees, one a street."""
    from mazzo.clone.clone import Clone

    return [street for street in Clone.load(Path(name)).streets if street.kind == "tree"]


def model_tree(name: str, tree: int, depth: int = 6) -> dict[str, Any]:
    """One tree of a model, down to a depth: what it looks at, where it turns, what it says."""
    from mazzo.learn.model_file import read_model
    from mazzo.web.hub import models_here

    if name not in models_here():
        raise UnreadableError(f"there is no model {name[:60]!r} in the working directory")
    model = read_model(Path(name))
    shown = _clone_tree(name, tree, depth) if model.agent == "clone" else _forest_tree(name, model, tree, depth)
    settings = {k: v for k, v in model.settings.items() if isinstance(v, str | int | float | bool)}
    return {"name": name, "agent": model.agent, "tree": tree, "settings": settings, **shown}


def _check_number(name: str, tree: int, count: int) -> None:
    if not 0 <= tree < count:
        raise UnreadableError(
            f"{name} has trees 0 to {count - 1}, not {tree}" if count else f"{name} is not made of trees"
        )


def _clone_tree(name: str, tree: int, depth: int) -> dict[str, Any]:
    from mazzo.clone.reading import tree_nodes

    streets = _clone_streets(name)
    _check_number(name, tree, len(streets))
    root = tree_nodes(streets[tree], depth)
    return {"trees": len(streets), "nodes": len(streets[tree].arrays["left"]), "depth": _depth(root), "root": root}


def _depth(node: dict[str, Any]) -> int:
    return 1 + max(_depth(node["low"]), _depth(node["high"])) if "low" in node else 0


def _forest_tree(name: str, model: Any, tree: int, depth: int) -> dict[str, Any]:
    from mazzo.learn.forest import Forest

    a = model.arrays
    needed = ("thresholds", "links", "values", "starts", "depths")
    if any(key not in a for key in needed):
        raise UnreadableError(f"{name} is not made of trees")
    names = [str(k) for k in model.settings.get("attributes", ())]
    inputs = max(len(names) + 1, int((a["links"] & 0xFF).max()) + 1)
    Forest(a["thresholds"], a["links"], a["values"], a["starts"], a["depths"], 0.0, 1.0, inputs).check()
    count = len(a["starts"]) - 1
    _check_number(name, tree, count)
    names += ["action"] * (inputs - len(names))
    root = int(a["starts"][tree])

    def node(at: int, left: int) -> dict[str, Any]:
        link = int(a["links"][root + at])
        child, value = link >> 8, float(a["values"][root + at])
        if child == at:
            return {"value": value}
        out: dict[str, Any] = {"value": value, "input": names[link & 0xFF]}
        out["threshold"] = float(a["thresholds"][root + at])
        if left > 0:
            out["low"], out["high"] = node(child, left - 1), node(child + 1, left - 1)
        else:
            out["cut"] = True
        return out

    return {
        "trees": count, "nodes": int(a["starts"][tree + 1]) - root, "depth": int(a["depths"][tree]),
        "attributes": names, "root": node(0, depth),
    }  # fmt: skip
