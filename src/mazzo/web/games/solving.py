"""Lab -> Solve: spots are solved on the server, one after the other, and looked at in the page."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse

from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import find_entry
from mazzo.web import replays
from mazzo.web.allowed import Allowed
from mazzo.web.games.holdem_ranges import MOST_RANGE, model_names, model_of
from mazzo.web.limits import RefusedError
from mazzo.words.texts import text

if TYPE_CHECKING:
    from mazzo.web.app import Pages

__all__ = ["Solves", "add_pages"]

_MOST_BYTES = 300_000_000
_MOST_SECONDS = 120.0
_KEPT, _RUNNING = 6, 4
_LEAST_TO = 0.01
_ID = re.compile(r"[0-9a-f]{16}")
_KEYS = ("board", "oop", "ip", "bets", "raises", "donks")
_NUMBERS = ("pot", "stack", "rake", "rake_cap", "add_allin", "raise_cap")


@dataclass
class _Job:
    """A spot that was asked for."""

    visitor: str
    state: str = "waiting"
    curve: list[tuple[int, float, float]] = field(default_factory=list)
    """Rounds, seconds, exploitability in per cent of the pot."""
    estimate: str = ""
    problem: str = ""
    solution: Any = None
    stopped: bool = False

    def shown(self) -> dict[str, Any]:
        """How far it is, as plain data."""
        data: dict[str, Any] = {"state": self.state, "curve": self.curve, "estimate": self.estimate}
        if self.problem:
            data["problem"] = self.problem
        if self.solution is not None:
            s = self.solution
            data |= {
                "oop_ev": s.ev[0],
                "ip_ev": s.ev[1],
                "exploitability_pct": s.exploitability_pct,
                "notes": s.notes,
                "iterations": s.iterations,
                "seconds": s.seconds,
                "spot": s.spot.as_dict(),
            }
        return data


class Solves:
    """Spots under work and solved, a few at a time; the oldest that are done are forgotten."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="solve")
        self._lock = threading.Lock()

    def begin(self, given: Mapping[str, Any], visitor: str) -> str:
        """Take on a spot; gives the name by which it is found again."""
        spot, locks, to = _spot(given), _locks(given), _number(given, "to", 0.3)
        with self._lock:
            under_way = [job for job in self._jobs.values() if job.state in ("waiting", "solving")]
            if any(job.visitor == visitor for job in under_way) or len(under_way) >= _RUNNING:
                raise RefusedError(text("solve.refused.busy"))
            done = [name for name, job in self._jobs.items() if job.state in ("done", "failed")]
            for name in done[: max(0, len(self._jobs) - _KEPT + 1)]:
                del self._jobs[name]
            name, job = secrets.token_hex(8), _Job(visitor)
            self._jobs[name] = job
        self._pool.submit(copy_context().run, self._work, job, spot, locks, max(to, _LEAST_TO))
        return name

    def find(self, name: str) -> _Job:
        """A spot by its name."""
        job = self._jobs.get(name) if _ID.fullmatch(name) else None
        if job is None:
            raise RefusedError(text("solve.refused.gone"))
        return job

    def solved(self, name: str) -> Any:
        """The solution of a spot."""
        job = self.find(name)
        if job.solution is None:
            raise RefusedError(text("solve.refused.waiting"))
        return job.solution

    def _work(self, job: _Job, spot: Any, locks: tuple[Any, ...], to: float) -> None:
        from mazzo.holdem.solver.spot.engine import Plan
        from mazzo.holdem.solver.spot.solving import estimate, run
        from mazzo.holdem.spots import solution_of

        def progress(found: Any) -> None:
            job.curve.append((found.rounds, found.seconds, 100 * found.now / spot.pot))
            if job.stopped or found.seconds > _MOST_SECONDS:
                raise KeyboardInterrupt  # what there is by then is kept

        def told(found: Any) -> None:
            job.estimate = str(found)

        job.state = "solving"
        try:
            packed = estimate(Plan(spot, symmetric=not locks)).bytes > _MOST_BYTES
            found = run(spot, to=to, packed=packed, locks=locks, memory=_MOST_BYTES, progress=progress, told=told)
            job.solution, job.state = solution_of(found), "done"
        except MazzoError as error:
            job.problem, job.state = str(error)[:1000], "failed"
        except Exception:
            job.problem, job.state = text("solve.refused.failed"), "failed"
            raise


def _text(given: Mapping[str, Any], key: str, most: int) -> str:
    value = given.get(key, "")
    if not isinstance(value, str) or len(value) > most:
        raise UnreadableError(f"{key} must be a text of at most {most} characters")
    return value.strip()


def _number(given: Mapping[str, Any], key: str, usual: float) -> float:
    value = given.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise UnreadableError(f"{key} must be a number")
    return value


def _spot(given: Mapping[str, Any]) -> Any:
    from mazzo.holdem.solver.spot.spot import read_setting
    from mazzo.holdem.spots import find_spot

    keys: dict[str, Any] = {key: words for key in _KEYS if (words := _text(given, key, MOST_RANGE))}
    keys |= {key: _number(given, key, 0) for key in _NUMBERS if key in given}
    keys |= dict(read_setting(item) for item in re.split("[;\n]", _text(given, "others", 2000)) if item.strip())
    return find_spot(None, **keys)


def _locks(given: Mapping[str, Any]) -> tuple[Any, ...]:
    from mazzo.holdem.solver.spot.locks import Lock

    locks = given.get("locks", [])
    if not isinstance(locks, list) or len(locks) > 50 or not all(isinstance(lock, dict) for lock in locks):
        raise UnreadableError("locks must be a list of at most 50 tables")
    out = []
    for lock in locks:
        mix = lock.get("mix")
        if not isinstance(mix, dict) or len(mix) > 20:
            raise UnreadableError("the mix of a lock must be a table of actions and shares")
        shares = {str(name)[:12]: float(_number(mix, name, 0)) for name in mix}
        out.append(Lock(_text(lock, "at", 400), {_text(lock, "hands", 4000) or "all": shares}))
    return tuple(out)


def _node(solution: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of a place."""
    from mazzo.holdem.solver.spot.betting import CHANCE
    from mazzo.holdem.solver.spot.reports import defence

    view = solution.at(_text(given, "at", 400))
    node = view.plan.betting.nodes[view.path.node]
    bet = defence(view)
    return {
        **view.as_dict(hands=True),
        "words": view.words,
        "chance": node.kind == CHANCE,
        "over": not node.children,
        "bet": None if bet is None else {"minimum": bet.minimum, "actual": bet.actual, "bluffs": bet.bluffs_per_value},
    }


def _compared(first: Any, second: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    from mazzo.holdem.solver.spot.reports import compare

    found = compare(first, second, _text(given, "at", 400)).as_dict()
    return {**found, "hands": dict(list(found["hands"].items())[:20])}


def _from_hand(allowed: Allowed, given: Mapping[str, Any]) -> dict[str, Any]:
    """A spot from the text of a hand or from a replay, ranges by agents that may be chosen in a browser.

    Where no model is chosen for a player of a replay, it is the one that bears the player's name, if there is one.
    """
    from mazzo.holdem.spots import DOUBT, spot_of_hand

    preflop, link = given.get("preflop") is True, _text(given, "h", 20_000)
    record = replays.unpacked(link) if link else {"of": "holdem"}
    if record["of"] != "holdem":
        raise UnreadableError(text("solve.refused.hand"))
    step = int(_number(given, "step", 0))
    players = _players(record, step) if link else []
    names, entry = _models_chosen(allowed, given, players), find_entry("holdem")
    models = [allowed.make(name, entry) for name in names]
    said = text("solve.ranges.preflop" if preflop else "solve.ranges.by", {"oop": names[0], "ip": names[1]})
    if link:
        found = _from_replay(record, step, models, preflop)
        said += f" {text('solve.fewer')}" if found["fewer"] else ""
    else:
        spot = spot_of_hand(_text(given, "hand", 4000), models, DOUBT, preflop)
        found = {**spot.as_dict(), **(_by_street(spot) if spot.sizes else {})}
    return {**found, "said": said}


def _players(record: Mapping[str, Any], step: int) -> list[str]:
    """The names of the two players of the street of a decision, the one out of position first."""
    from mazzo.holdem.replay import hand_of
    from mazzo.holdem.spots import players_of_spot, street_before

    names = record.get("names")
    known = names if isinstance(names, list) else []
    return [str(known[p])[:80] if p < len(known) else "" for p in players_of_spot(street_before(hand_of(record), step))]


def _models_chosen(allowed: Allowed, given: Mapping[str, Any], players: list[str]) -> list[str]:
    """Who stands for each position: whoever was chosen, else the one that bears the player's name."""
    chosen = [_text(given, f"{position}_model", 80) for position in ("oop", "ip")]
    return [model or model_of(allowed, name) for model, name in zip(chosen, players or ["", ""], strict=True)]


def _from_replay(record: Mapping[str, Any], step: int, models: list[Any], preflop: bool) -> dict[str, Any]:
    """The spot of a decision in a replay, where it stands, what was played and with what."""
    from mazzo.holdem.replay import hand_of
    from mazzo.holdem.spots import players_of_spot, smaller_spot, spot_before, street_before

    hand = hand_of(record)
    players = players_of_spot(street_before(hand, step))
    spot, where, played = spot_before(hand, step, models, preflop=preflop)
    cards = hand.hole(players[len(where.split()) % 2])
    hole, (low, high) = "".join(map(str, cards)), sorted(map(int, cards)) or (0, 1)
    street = ("flop", "turn", "river")[spot.street - 1]
    sizes = {"bets": spot.sizes[f"{street}_bet"], "raises": spot.sizes[f"{street}_raise"]}
    less = smaller_spot(spot, f"{where} {played}", high * (high - 1) // 2 + low, _MOST_BYTES)
    if hand.rules.limit or less is not spot:
        sizes = _by_street(less)
    return {**less.as_dict(), **sizes, "at": where, "played": played, "hole": hole, "fewer": less is not spot}


def _by_street(spot: Any) -> dict[str, str]:
    """Sizes that differ by street, as the form has them."""
    keys = {**spot.sizes, **({"raise_cap": spot.raise_cap} if spot.raise_cap else {}), **spot.by_street}
    return {"bets": "", "raises": "", "others": "; ".join(f"{key}={value}" for key, value in keys.items())}


def _costs(solution: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    from mazzo.holdem.spots import costs_of

    return {"costs": costs_of(solution, _text(given, "at", 400), _text(given, "hole", 10))}


def add_pages(pages: Pages) -> None:
    """The page and what it asks for."""
    solves = Solves()

    @pages.app.get("/lab/solve")
    async def solve_page(request: Request) -> HTMLResponse:
        return pages.page(request, "solve", models=await pages.work(model_names, pages.hub().allowed))

    @pages.app.post("/api/solve")
    async def begin(request: Request) -> JSONResponse:
        visitor = request.client.host if request.client else ""
        given = await pages.json(request)
        return JSONResponse({"id": await pages.work(solves.begin, given, visitor)})

    @pages.app.get("/api/solve/{name}")
    async def state(name: str) -> JSONResponse:
        return JSONResponse(solves.find(name).shown())

    @pages.app.post("/api/solve/{name}/stop")
    async def stop(name: str) -> JSONResponse:
        solves.find(name).stopped = True
        return JSONResponse({})

    @pages.app.post("/api/solve/{name}/at")
    async def at(request: Request, name: str) -> JSONResponse:
        return JSONResponse(await pages.work(_node, solves.solved(name), await pages.json(request)))

    @pages.app.post("/api/solve/{name}/compare/{other}")
    async def compared(request: Request, name: str, other: str) -> JSONResponse:
        both = solves.solved(name), solves.solved(other)
        return JSONResponse(await pages.work(_compared, *both, await pages.json(request)))

    @pages.app.post("/api/solve/{name}/costs")
    async def costs(request: Request, name: str) -> JSONResponse:
        return JSONResponse(await pages.work(_costs, solves.solved(name), await pages.json(request)))

    @pages.app.post("/api/spot")
    async def from_hand(request: Request) -> JSONResponse:
        return JSONResponse(await pages.work(_from_hand, pages.hub().allowed, await pages.json(request)))
