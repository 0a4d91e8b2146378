"""The strategy chart of a set of rules: as text, HTML and SVG, in the colours charts usually have."""

from __future__ import annotations

from html import escape

from mazzo.blackjack.exact.total import TotalDependent, best_table
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe
from mazzo.blackjack.strategy import HARD_ROWS, LETTERS, PAIR_ROWS, ROWS, SOFT_ROWS, Table

__all__ = ["COLOURS", "chart_html", "chart_of", "chart_svg", "chart_text", "shown_rows"]

COLOURS = {
    "n": "#f4d35e",
    "h": "#f7f7f7",
    "D": "#7fb3ff",
    "d": "#7fb3ff",
    "s": "#8fd694",
    "b": "#f19c99",
    "B": "#f19c99",
}
_CODES = {"n": "S", "h": "H", "D": "D", "d": "Ds", "s": "P", "b": "R", "B": "Rs"}
_ANSI = {"n": "43;30", "h": "47;30", "D": "44;97", "d": "44;97", "s": "42;30", "b": "41;97", "B": "41;97"}
_SECTIONS = (("hard totals", HARD_ROWS), ("soft totals", SOFT_ROWS), ("pairs", PAIR_ROWS))
_HIDDEN = ("4", "21", "A,T", "A+A")
_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
"""Columns as charts have them: 2 to T, then the ace."""


def chart_of(rules: Rules, shoe: Shoe | None = None) -> TotalDependent:
    """The best table of these rules."""
    return best_table(rules, shoe)


def shown_rows() -> list[tuple[str, list[str]]]:
    """The sections of a chart and their rows, without those that leave nothing to decide."""
    return [(title, [row for row in rows if row not in _HIDDEN]) for title, rows in _SECTIONS]


def chart_text(table: Table, colour: bool = False, letters: bool = False) -> str:
    """The chart for a terminal: S stand, H hit, D double, P split, R surrender; or the text's letters."""
    lines = []
    for title, rows in shown_rows():
        lines.append(f"{title:<12}" + " ".join(f"{RANKS[up]:<2}" for up in _ORDER).rstrip())
        for row in rows:
            line = table.letters[ROWS.index(row)]
            cells = []
            for up in _ORDER:
                text = f"{line[up] if letters else _CODES[line[up]]:<2}"
                cells.append(f"\x1b[{_ANSI[line[up]]}m{text}\x1b[0m" if colour else text)
            lines.append(f"{row:<12}" + " ".join(cells).rstrip())
        lines.append("")
    lines.append(_legend(letters))
    return "\n".join(lines)


def _legend(letters: bool) -> str:
    return ", ".join(f"{letter if letters else _CODES[letter]} {name}" for letter, name in LETTERS.items())


def chart_svg(table: Table, title: str = "") -> str:
    """The chart as one SVG picture."""
    cell, left, top = 34, 70, 56
    sections = shown_rows()
    height = top + sum(len(rows) + 1.4 for _, rows in sections) * 24 + 30
    width = left + 10 * cell + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
        f'height="{height:.0f}" font-family="system-ui, sans-serif" font-size="13" role="img" '
        f'aria-label="{escape(title or "blackjack strategy", quote=True)}">',
        f'<rect width="{width}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text x="{left}" y="24" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    y = float(top)
    for name, rows in sections:
        out.append(f'<text x="8" y="{y:.0f}" font-weight="600">{name}</text>')
        for k, up in enumerate(_ORDER):
            out.append(
                f'<text x="{left + k * cell + cell / 2:.0f}" y="{y:.0f}" text-anchor="middle">{RANKS[up]}</text>'
            )
        y += 8
        for row in rows:
            out.append(f'<text x="{left - 8}" y="{y + 16:.0f}" text-anchor="end">{row}</text>')
            for k, up in enumerate(_ORDER):
                letter = table.letters[ROWS.index(row)][up]
                x = left + k * cell
                out.append(
                    f'<rect x="{x}" y="{y:.0f}" width="{cell}" height="24" fill="{COLOURS[letter]}" stroke="#999">'
                    f"<title>{row} v {RANKS[up]}: {LETTERS[letter]}</title></rect>"
                    f'<text x="{x + cell / 2:.0f}" y="{y + 16:.0f}" text-anchor="middle">{_CODES[letter]}</text>'
                )
            y += 24
        y += 1.4 * 24 - 8
    out.append(f'<text x="8" y="{height - 10:.0f}" font-size="10">{escape(_legend(False))}</text></svg>')
    return "\n".join(out)


def chart_html(table: Table, title: str, note: str = "") -> str:
    """The chart as one self-contained page with real tables, readable without colours."""
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        "<style>body{font-family:system-ui,sans-serif;margin:2rem;color:#111;background:#fff}"
        "table{border-collapse:collapse;margin:0 0 1.2rem}caption{text-align:left;font-weight:600;padding:.3rem 0}"
        "th,td{border:1px solid #999;min-width:2.2rem;padding:.25rem;text-align:center}"
        + "".join(f".{name}{{background:{COLOURS[letter]}}}" for letter, name in _class_names().items())
        + "</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(note)}</p>" if note else "",
    ]
    for name, rows in shown_rows():
        heads = "".join(f'<th scope="col">{RANKS[up]}</th>' for up in _ORDER)
        parts.append(f'<table><caption>{name}</caption><thead><tr><th scope="col">hand</th>{heads}</tr></thead><tbody>')
        for row in rows:
            line = table.letters[ROWS.index(row)]
            cells = "".join(
                f'<td class="{_class_names()[line[up]]}" title="{LETTERS[line[up]]}">{_CODES[line[up]]}</td>'
                for up in _ORDER
            )
            parts.append(f'<tr><th scope="row">{row}</th>{cells}</tr>')
        parts.append("</tbody></table>")
    parts.append(f"<p>{escape(_legend(False))}</p></body></html>")
    return "\n".join(part for part in parts if part)


def _class_names() -> dict[str, str]:
    return {"n": "stand", "h": "hit", "D": "double", "d": "double", "s": "split", "b": "surrender", "B": "surrender"}
