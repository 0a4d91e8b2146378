"""Hold'em's part of the lab: the equity page, and clones shown as trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse

from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.web.games.holdem_ranges import MOST_RANGE, add_ranges
from mazzo.web.trees import check_number

if TYPE_CHECKING:
    from mazzo.web.app import Pages

__all__ = ["add_pages", "clone_tree", "clone_trees", "equity", "range_shares"]


def add_pages(pages: Pages) -> None:
    """The equity page and what it asks for, and ranges beside replayed hands."""
    add_ranges(pages)

    @pages.app.get("/lab/equity")
    async def equity_page(request: Request) -> HTMLResponse:
        return pages.page(request, "equity")

    @pages.app.post("/api/equity")
    async def equity_of(request: Request) -> JSONResponse:
        return JSONResponse(await pages.work(equity, await pages.json(request)))

    @pages.app.post("/api/range")
    async def range_of(request: Request) -> JSONResponse:
        return JSONResponse(await pages.work(range_shares, await pages.json(request)))


def equity(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a hand wins on average: `hand`, `board`, and `opponents` (random hands) or `against` (a hand or range)."""
    from mazzo.holdem import odds as library

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


def range_shares(given: Mapping[str, Any]) -> dict[str, Any]:
    """What of each of the 169 starting hands is in a range (`AKs`: 0 to 1), and what of all hands."""
    from mazzo.holdem.odds.ranges import Range

    weights = Range.parse(_short(given, "range", MOST_RANGE)).weights
    shares: dict[str, float] = {}
    for (first, second), weight in weights.items():
        high, low = sorted((FRENCH.text([first]), FRENCH.text([second])), key=lambda k: -FRENCH.ranks.index(k[0]))
        kind = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
        whole = {"": 6, "s": 4, "o": 12}[kind]
        name = f"{high[0]}{low[0]}{kind}"
        shares[name] = shares.get(name, 0.0) + float(weight) / whole
    return {
        "hands": {name: round(share, 9) for name, share in shares.items()},
        "share": float(sum(weights.values())) / 1326,
    }


def _short(given: Mapping[str, Any], name: str, most: int) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise UnreadableError(f"{name} is a text of at most {most} characters")
    return value.strip()


def clone_trees(path: Path) -> int:
    """How many trees a clone has."""
    return len(_clone_streets(path))


def _clone_streets(path: Path) -> list[Any]:
    """The models of a clone that are trees, one a street."""
    from mazzo.holdem.cloning.clone import Clone

    return [street for street in Clone.load(path).streets if street.kind == "tree"]


def clone_tree(path: Path, tree: int, depth: int) -> dict[str, Any]:
    """One street's tree of a clone, down to a depth."""
    from mazzo.holdem.cloning.reading import tree_nodes

    streets = _clone_streets(path)
    check_number(path.name, tree, len(streets))
    root = tree_nodes(streets[tree], depth)
    return {"trees": len(streets), "nodes": len(streets[tree].arrays["left"]), "depth": _depth(root), "root": root}


def _depth(node: dict[str, Any]) -> int:
    return 1 + max(_depth(node["low"]), _depth(node["high"])) if "low" in node else 0
