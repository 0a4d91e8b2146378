"""Matches analysed: what each player did street by street, where the chips came from, and the curve of winnings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.logs import tally as t
from mazzo.holdem.logs.tally import PlayerTally, Tally

__all__ = ["STREETS", "compare", "curves_svg", "find_player", "statistics_of", "streets_of"]

STREETS = ("preflop", "flop", "turn", "river", "showdown")

_COLOURS = (
    "#1f77b4",
    "#d62728",
    "#2ca02c",
    "#9467bd",
    "#ff7f0e",
    "#8c564b",
    "#e377c2",
    "#7f7f7f",
    "#bcbd22",
    "#17becf",
)
_POINTS = 800


def statistics_of(player: PlayerTally) -> dict[str, Any]:
    """The usual figures of one player; None where there is nothing to divide by."""
    rate = player.win_rate
    figures = {
        "vpip": player.vpip,
        "pfr": player.pfr,
        "aggression": player.aggression,
        "fold_to_bet": player.fold_to_bet,
        "went_to_showdown": player.went_to_showdown,
        "won_at_showdown": player.won_at_showdown,
        "bb_per_hand": rate.mean if rate.n else float("nan"),
        "standard_error": rate.standard_error,
    }
    plain = {name: float(value) if np.isfinite(value) else None for name, value in figures.items()}
    interval = [float(end) if np.isfinite(end) else None for end in rate.ci95]
    return {"name": player.name, "hands": player.hands, **plain, "ci95": interval}


def streets_of(player: PlayerTally) -> list[dict[str, Any]]:
    """Per street, and at showdown: hands, hands won there, raises, calls (checks too), folds, big blinds won there.

    A hand counts on every street the player saw; its result counts where it ended for him.
    """
    return [
        {
            "street": street,
            "hands": int(player.counts[row, t.HANDS]),
            "wins": int(player.counts[row, t.WINS]),
            "raises": int(player.counts[row, t.RAISES]),
            "calls": int(player.counts[row, t.CALLS] + player.counts[row, t.CHECKS]),
            "folds": int(player.counts[row, t.FOLDS]),
            "net_bb": float(player.results[row]),
        }
        for row, street in enumerate(STREETS)
    ]


def compare(one: PlayerTally, other: PlayerTally) -> list[dict[str, Any]]:
    """Two players side by side, such as an original and its clone: the same figures as shares, and how they differ.

    Actions are shares of the actions on that street, hands and wins shares of all hands; `percent` is the difference
    relative to the first player.
    """
    rows = []
    for a, b in zip(streets_of(one), streets_of(other), strict=True):
        for figure in ("hands", "wins", "raises", "calls", "folds", "net_bb"):
            first, second = _relative(a, figure, one.hands), _relative(b, figure, other.hands)
            if a["street"] == "showdown" and figure in ("raises", "calls", "folds"):
                continue
            rows.append(
                {
                    "street": a["street"],
                    "figure": figure,
                    "counts": [a[figure], b[figure]],
                    "shares": [first, second],
                    "difference": None if first is None or second is None else second - first,
                    "percent": None if not first or second is None else 100 * (second - first) / abs(first),
                }
            )
    return rows


def _relative(street: dict[str, Any], figure: str, hands: int) -> float | None:
    actions = street["raises"] + street["calls"] + street["folds"]
    whole = actions if figure in ("raises", "calls", "folds") else hands
    return street[figure] / whole if whole else None


def find_player(counted: Tally, name: str) -> PlayerTally:
    """A player by name."""
    if name not in counted.players:
        raise UnreadableError(f"no player {name!r} in these hands; {did_you_mean(name, counted.players)}")
    return counted.players[name]


def curves_svg(players: Sequence[PlayerTally], title: str = "Cumulative winnings") -> str:
    """The players' winnings hand by hand as a picture; the tally must have kept its curves."""
    width, height, left, right, top, bottom = 900, 480, 70, 180, 40, 50
    curves = [np.concatenate([[0.0], *p.curve]).cumsum() for p in players]
    longest = max((len(curve) for curve in curves), default=1) - 1 or 1
    low = min((float(curve.min()) for curve in curves), default=0.0)
    high = max((float(curve.max()) for curve in curves), default=0.0)
    span = (high - low) or 1.0

    def x(hand: float) -> float:
        return left + (width - left - right) * hand / longest

    def y(value: float) -> float:
        return top + (height - top - bottom) * (high - value) / span

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" role="img"><title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="24" font-size="16">{escape(title)} (big blinds)</text>',
    ]
    for value in _ticks(low, high):
        parts.append(
            f'<line x1="{left}" x2="{width - right}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    for hand in _ticks(0, longest):
        parts.append(f'<text x="{x(hand):.1f}" y="{height - bottom + 18}" text-anchor="middle">{hand:g}</text>')
    parts.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 10}" text-anchor="middle">hands</text>')
    for number, (player, curve) in enumerate(zip(players, curves, strict=True)):
        at = np.unique(np.linspace(0, len(curve) - 1, min(len(curve), _POINTS)).astype(int))
        points = " ".join(f"{x(float(n)):.1f},{y(float(curve[n])):.1f}" for n in at)
        colour = _COLOURS[number % len(_COLOURS)]
        legend = top + 18 * number + 10
        parts.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>'
            f'<line x1="{width - right + 12}" x2="{width - right + 32}" y1="{legend}" y2="{legend}" stroke="{colour}" '
            f'stroke-width="3"/><text x="{width - right + 38}" y="{legend + 4}">{escape(player.name[:22])} '
            f"{curve[-1]:+.1f}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers across a range."""
    span = (high - low) or 1.0
    step = 10.0 ** np.floor(np.log10(span / 5))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= 6)
    return [float(v) for v in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]
