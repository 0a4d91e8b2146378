"""Draw the pictures of the documentation: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mazzo.cards import FRENCH
from mazzo.holdem.equity import equities

IMAGES = Path(__file__).parent / "images"
CELL, MARGIN = 46, 10


def colour(equity: float) -> str:
    """From cool grey-blue (weak) over sand (even) to warm red (strong)."""
    low, mid, high = (84, 118, 153), (238, 226, 200), (190, 62, 44)
    a, b, t = (low, mid, (equity - 0.32) / 0.18) if equity < 0.5 else (mid, high, (equity - 0.5) / 0.35)
    mixed = [round(x + (y - x) * min(max(t, 0), 1)) for x, y in zip(a, b, strict=True)]
    return f"rgb({mixed[0]},{mixed[1]},{mixed[2]})"


def equity_grid() -> str:
    """The exact equity of the 169 starting hands against one random hand."""
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


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "equity-grid.svg").write_text(equity_grid())
