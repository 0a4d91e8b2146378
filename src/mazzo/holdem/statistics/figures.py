"""Matches analysed: what each player did street by street, where the chips came from, and the curve of winnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mazzo.document import Chart, Series
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import notation
from mazzo.holdem.statistics import tally as t
from mazzo.holdem.statistics.tally import PlayerTally, Tally

__all__ = ["STREETS", "compare", "find_player", "statistics_of", "streets_of", "winnings_chart"]

STREETS = (*notation.STREETS, "showdown")

_POINTS = 800
_LONGEST = 22


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
    counts = {"hands": player.hands, "unknown_results": player.unknown}
    return {"name": player.name, **counts, **plain, "ci95": interval}


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


def winnings_chart(players: Sequence[PlayerTally], title: str = "Cumulative winnings") -> Chart:
    """The players' winnings hand by hand; the tally must have kept its curves."""
    series = []
    for player in players:
        curve = np.concatenate([[0.0], *player.curve]).cumsum()
        at = np.unique(np.linspace(0, len(curve) - 1, min(len(curve), _POINTS)).astype(int))
        label = f"{player.name[:_LONGEST]} {curve[-1]:+.1f}"
        series.append(Series(label, at.tolist(), curve[at].tolist()))
    return Chart(title, "hands", "big blinds", series)
