"""Draw the pictures of the documentation: `python docs/make_pictures.py`, or some: `... layers game-layers`."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parent / "images"
ROOT = Path(__file__).parents[1]
CELL, MARGIN = 46, 10
WIDTH, ROW, BOX = 760, 34, 26


def colour(equity: float) -> str:
    """From cool grey-blue (weak) over sand (even) to warm red (strong)."""
    low, mid, high = (84, 118, 153), (238, 226, 200), (190, 62, 44)
    a, b, t = (low, mid, (equity - 0.32) / 0.18) if equity < 0.5 else (mid, high, (equity - 0.5) / 0.35)
    mixed = [round(x + (y - x) * min(max(t, 0), 1)) for x, y in zip(a, b, strict=True)]
    return f"rgb({mixed[0]},{mixed[1]},{mixed[2]})"


def equity_grid() -> str:
    """The exact equity of the 169 starting hands against one random hand."""
    import numpy as np

    from mazzo.cards import FRENCH
    from mazzo.holdem.odds import equities

    ranks = range(12, -1, -1)
    cells = [(high, low) for high in ranks for low in ranks]
    # above the diagonal suited, below it offsuit, as players draw it
    hole = [(FRENCH.index(r, 3), FRENCH.index(s, 3 if r > s else 2)) for r, s in cells]
    won, of = equities(np.array(hole), np.full((169, 5), -1), np.ones(169, np.int64))
    size = 13 * CELL + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif" '
        f'text-anchor="middle" role="img" aria-label="Exact equity of the 169 starting hands">',
        f'<rect width="{size}" height="{size}" rx="8" fill="#fbfaf7"/>',
    ]
    for k, (first, second) in enumerate(cells):
        x, y = MARGIN + k % 13 * CELL, MARGIN + k // 13 * CELL
        equity = float(won[k] / of[k])
        ends = "s" if first > second else "o" if first < second else ""
        high, low = max(first, second), min(first, second)
        parts.append(
            f'<g><rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="4" fill="{colour(equity)}"/>'
            f'<text x="{x + CELL / 2}" y="{y + 21}" font-size="13" font-weight="600" fill="#20242a">'
            f"{FRENCH.ranks[high]}{FRENCH.ranks[low]}{ends}</text>"
            f'<text x="{x + CELL / 2}" y="{y + 36}" font-size="10.5" fill="#20242a">{100 * equity:.1f}</text></g>'
        )
    return "\n".join([*parts, "</svg>", ""])


def contract(name: str) -> dict[str, Any]:
    """One of the contracts on imports, from pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return next(one for one in contracts if one["name"].startswith(name))


def layers_of(one: dict[str, Any]) -> list[list[str]]:
    """The names of each layer, highest first; of optional ones those that there are."""
    places = [ROOT / "src" / Path(*container.split(".")) for container in one["containers"]]

    def there(name: str) -> bool:
        return any((place / name).is_dir() or (place / f"{name}.py").is_file() for place in places)

    rows = [[name.strip(" ()") for name in re.split(r" [:|] ", layer)] for layer in one["layers"]]
    found = [[name for name in row if there(name)] for row in rows]
    return [row for row in found if row]


def layers_picture(begins: str, title: str) -> str:
    """The layers of a contract from top to bottom: each part may import from those in lower rows only."""
    parts, y = [], MARGIN + 26
    for number, names in enumerate(layers_of(contract(begins))):
        x, top = MARGIN + 12.0, y
        boxes = []
        for name in names:
            width = 16 + 7.4 * len(name)
            if x + width > WIDTH - MARGIN - 8:
                x, y = MARGIN + 12.0, y + ROW
            boxes.append(
                f'<rect x="{x:.1f}" y="{y + 4}" width="{width:.1f}" height="{BOX}" rx="4" fill="#fbfaf7" '
                f'stroke="#8b6b4a"/>'
                f'<text x="{x + width / 2:.1f}" y="{y + 21}">{name}</text>'
            )
            x += width + 8
        y += ROW
        shade = ("#efe7d8", "#e6dcc8")[number % 2]
        parts.append(f'<rect x="{MARGIN}" y="{top}" width="{WIDTH - 2 * MARGIN}" height="{y - top}" fill="{shade}"/>')
        parts += boxes
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN}" font-family="monospace" '
        f'font-size="12" text-anchor="middle" fill="#20242a" role="img" aria-label="{title}">',
        f'<rect width="{WIDTH}" height="{y + MARGIN}" rx="8" fill="#fbfaf7"/>',
        f'<text x="{WIDTH / 2:g}" y="{MARGIN + 14}" font-family="sans-serif" font-size="13">{title}</text>',
    )
    return "\n".join([*head, *parts, "</svg>", ""])


_METHOD_COLOURS = ("#8a5a44", "#2f6f9f", "#6b8e23", "#b03a48", "#3d3d8f", "#777777")


def convergence() -> str:
    """How far each method is from equilibrium at Leduc, by rounds; both axes in powers of ten."""
    from math import log10

    from mazzo.holdem import rules
    from mazzo.holdem.solver.regrets import METHODS, Regrets, Walker
    from mazzo.holdem.solver.small_game import SmallGame

    game = SmallGame(rules("leduc-2p"))
    walker = Walker(game)
    most, left, top, wide, high = 5.0, 56, 16, 560, 360

    def place(rounds: float, gain: float) -> tuple[float, float]:
        return left + wide * (log10(rounds) - 1) / (most - 1), top + high * -log10(min(max(gain, 1e-8), 1.0)) / 8

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 76} {top + high + 44}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="Exploitability at Leduc by rounds">',
        f'<rect width="{left + wide + 76}" height="{top + high + 44}" rx="8" fill="#fbfaf7"/>',
    ]
    for power in range(9):
        y = place(10, 10.0**-power)[1]
        parts.append(f'<line x1="{left}" x2="{left + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd6c8"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#20242a">1e-{power}</text>')
    for power in range(1, 6):
        x = place(10.0**power, 1)[0]
        parts.append(
            f'<text x="{x:.1f}" y="{top + high + 20}" text-anchor="middle" fill="#20242a">{10**power:,}</text>'
        )
    parts.append(f'<text x="{left + wide / 2}" y="{top + high + 38}" text-anchor="middle" fill="#20242a">rounds</text>')
    ends = []
    for colour_, (name, method) in zip(_METHOD_COLOURS, METHODS.items(), strict=True):
        run, points = Regrets.begin(game), []
        for step in range(33):
            rounds = round(10 ** (1 + step / 8))
            walker.improve(method, run, rounds - run.rounds)
            strategy = run.strategy(game)
            gain = float((walker.best_responses(strategy) - walker.values(strategy)).sum()) / 2
            points.append(place(rounds, gain))
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour_}" stroke-width="2"/>')
        ends.append([points[-1][1], name, colour_])
    below = -99.0
    for y, name, colour_ in sorted(ends):
        below = max(float(y) + 4, below + 14)  # names that would lie on each other are moved apart
        parts.append(f'<text x="{left + wide + 8}" y="{below:.1f}" fill="{colour_}" font-weight="600">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


PICTURES: dict[str, Callable[[], str]] = {
    "convergence": convergence,
    "equity-grid": equity_grid,
    "layers": lambda: layers_picture("Layers", "mazzo: a part imports only from lower rows"),
    "game-layers": lambda: layers_picture("Inside a game", "inside a game: the same, where the game has the part"),
}


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        (IMAGES / f"{name}.svg").write_text(PICTURES[name]())
