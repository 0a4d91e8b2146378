"""The lab: live matches, studies, reports. All as plain data for the pages; a game's own pages are in `games`."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import Entry, entries, find_contest
from mazzo.web.allowed import Allowed
from mazzo.web.limits import RefusedError
from mazzo.words.texts import text

if TYPE_CHECKING:
    from mazzo.arena.match import MatchResult
    from mazzo.studies import Study
    from mazzo.web.hub import Hub

__all__ = ["contests", "live_match", "reports", "studies"]

_STEP = 0.02
"""Seconds between two drawings of a match, at least."""


def contests(allowed: Allowed) -> list[dict[str, Any]]:
    """Games that agents play against each other, with their agents."""
    out = []
    for entry in entries():
        for game in entry.games():
            try:
                found = entry.contest(game.name)
            except MazzoError:
                continue
            if found is not None:
                agents = sorted(allowed.agents(entry, getattr(found, "game", None)))
                out.append({"name": game.name, "what": game.what, "seats": found.seats, "agents": agents})
    return out


async def live_match(
    hub: Hub, game: str, agents: Sequence[str], hands: int, seed: int, send: Callable[[dict[str, Any]], None]
) -> None:
    """Play a match in the background and send its standing as it goes."""
    try:
        if hub.matches >= hub.limits.matches:
            raise RefusedError(text("refused.matches", {"most": hub.limits.matches}))
        if not 1 <= hands <= hub.limits.match_hands:
            raise UnreadableError(f"a match here has 1 to {hub.limits.match_hands} hands")
        if game not in {c["name"] for c in contests(hub.allowed)}:
            raise UnreadableError(f"there is no match at {game[:40]!r}")
        entry = next(e for e in entries() if game in {g.name for g in e.games()})
        for name in agents:
            hub.allowed.check(name, entry)
    except MazzoError as error:
        send({"type": "match", "failed": str(error)})
        return
    hub.matches += 1
    loop = asyncio.get_running_loop()
    steps: Iterator[MatchResult] | None = None
    try:
        steps = await loop.run_in_executor(hub.lab, _begin, hub.allowed, entry, game, agents, hands, seed)
        shown = -math.inf
        result: MatchResult | None = None
        while (step := await loop.run_in_executor(hub.lab, next, steps, None)) is not None:
            result = step
            if loop.time() - shown >= _STEP:
                shown = loop.time()
                send({"type": "match", "done": False, **_standing(result)})
        if result is not None:
            send({"type": "match", "done": True, **_standing(result)})
    except MazzoError as error:
        send({"type": "match", "failed": str(error)})
    finally:
        hub.matches -= 1


def _begin(
    allowed: Allowed, entry: Entry, game: str, agents: Sequence[str], hands: int, seed: int
) -> Iterator[MatchResult]:
    from mazzo.arena.match import stream_match

    contest, _ = find_contest(game)
    players = [allowed.make(name, entry) for name in agents]
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

    out = []
    for name, study in sorted(STUDIES.items()):
        paths = sorted(Path.cwd().glob(f"study-{name}-*.jsonl"))[:10]
        found = [{"file": path.name, **_study_results(study, path)} for path in paths]
        out.append({"name": name, "summary": study.SUMMARY, "document": study.DOCUMENT, "results": found})
    return out


def _study_results(study: Study, path: Path) -> dict[str, Any]:
    from mazzo.reports.runs import read_study

    try:
        _, results = read_study(path)
        rows = [row.as_dict() for row in study.rows(results)]
        charts = [asdict(chart) for chart in study.charts(results)]
    except Exception as error:  # a file of another study or version: say so, the page still shows the others
        return {"problem": f"{type(error).__name__}: {error}"[:300], "rows": [], "charts": []}
    return {"rows": rows, "charts": charts, "parts": len(results)}


def reports() -> list[str]:
    """The HTML reports in the working directory."""
    return sorted(path.name for path in Path.cwd().glob("*.html") if path.is_file())[:100]
