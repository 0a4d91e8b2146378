"""Tables 14 to 22 and figures 8 and 9 of Kischka (2014): single matches as he prints them, ours beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mazzo.document import Chart, Series
from mazzo.holdem.notation import STREETS
from mazzo.studies.kischka_printed import TABLE_14, TABLE_15, TABLE_16, TABLE_21, TABLE_22, TABLES_17_TO_20, Table
from mazzo.studies.row import Another, Measured, Printed, Row

__all__ = ["akuma_rows", "curve_charts", "largest_of_akuma", "match_rows", "showdowns_of_akuma"]

Result = dict[str, Any]

_COUNTS = (
    ("hands", "hands that see it"),
    ("wins", "hands won on it"),
    ("raises", "raises"),
    ("calls", "calls"),
    ("folds", "folds"),
)
_ACTIONS = tuple(enumerate(_COUNTS))[2:]
_HANDS = 1000
"""Of each of his matches."""
_CHIPS = 10
"""Chips of a big blind."""
_ENDS = (*STREETS, "showdown")


def match_rows(r: Result) -> list[Row]:
    """Tables 14 to 16: of one match there, of several repetitions here; the spread is that of single matches."""
    another: tuple[Another, str] | None = None
    if r["hero"] != "rich":
        another = ("player", f"TunedFixedRichieRich there, {r['hero']} here")
    elif r["play"] != _HANDS:
        another = ("quantity", f"matches of {_HANDS:,} hands there, of {r['play']} here")
    made = []
    for match in range(3):
        pairs = [repetition[match] for repetition in r["found"]]
        nets = np.array([[sum(s["net_bb"] for s in one) * _CHIPS for one in pair] for pair in pairs])
        where = f"{r['hero']}, match {match}"
        made += _pair_of_rows(f"table 14: {where}, chips won", "table 14", _entry(TABLE_14, match, 0), nets, another)
        for k, street in enumerate(STREETS):
            for c, (key, words) in enumerate(_COUNTS):
                if (k, key) == (0, "hands"):
                    continue  # a match is 1,000 hands
                counts = np.array([[one[k][key] for one in pair] for pair in pairs], float)
                entry = _entry(TABLE_15[k], match, c)
                made.append(_of_original(f"table 15: {where}, {street}, {words}", "table 15", entry, counts, another))
        for c, words in ((0, "showdowns"), (2, "showdowns won, %")):
            shown = np.array([[_showdowns(one)[c] for one in pair] for pair in pairs])
            made.append(
                _of_original(f"table 16: {where}, {words}", "table 16", _entry(TABLE_16, match, c), shown, another)
            )
    return made


def _showdowns(streets: Sequence[dict[str, Any]]) -> tuple[int, int, float]:
    last = streets[-1]
    return last["hands"], last["wins"], 100 * last["wins"] / max(last["hands"], 1)


def _entry(table: Table, match: int, column: int) -> tuple[int, float, float]:
    """Line, the original's figure and the model's."""
    line, pairs = table
    one, other = pairs[match]
    return line + 2 * match, one[column], other[column]


def _of_original(
    what: str, place: str, entry: tuple[int, float, float], found: Any, another: tuple[Another, str] | None
) -> Row:
    """The original's figure, judged; what the model did otherwise stands beside it."""
    line, printed, model = entry
    own, apart = found[:, 0], found[:, 1] - found[:, 0]
    why = f"the model there {_signed(model - printed)}, the clone here {apart.mean():+.1f} on average"
    words = f"{printed:g}; the model {_signed(model - printed)}"
    return Row(what, f"{own.mean():.1f}", "", why, Printed(words, place, line), _single(printed, own), another)


def _pair_of_rows(
    what: str, place: str, entry: tuple[int, float, float], found: Any, another: tuple[Another, str] | None
) -> list[Row]:
    """The original's figure and by how much the model's differs, each judged."""
    line, printed, model = entry
    own, apart = found[:, 0], found[:, 1] - found[:, 0]
    first = f"{own[0]:.1f} and {found[0, 1]:.1f} in the first repetition"
    one = Row(
        what, f"{own.mean():+.1f}", "", first, Printed(f"{printed:g}", place, line), _single(printed, own), another
    )
    test = _single(model - printed, apart)
    ours, text = f"{apart.mean():+.1f}", Printed(_signed(model - printed), place, line + 1)
    return [one, Row(f"{what}, the model less the original", ours, "", "", text, test, another)]


def _signed(value: float) -> str:
    return "0" if not value else f"{value:+.10g}" if abs(value) >= 1 else f"{value:+.1f}"


def _single(printed: float, ours: Any) -> Measured:
    """One match there, the mean of several here: the printed figure has the spread of our single matches."""
    spread = float(ours.std(ddof=1)) if len(ours) > 1 else math.inf
    return Measured(printed, float(ours.mean()), spread / math.sqrt(len(ours)), spread, len(ours))


def akuma_rows(r: Result) -> list[Row]:
    """Tables 17 to 22 in the same form: another player among other opponents, so nothing is judged."""
    one, two = r["others"]
    another: tuple[Another, str] = (
        "player",
        f"Akuma between CMURingLimit and Bluechip there, {r['hero']} between {one} and {two} here",
    )
    made = []
    for k, street in enumerate(STREETS):
        for match, pair in enumerate(r["found"]):
            ours = [[streets[k][key] for key, _ in _COUNTS] for streets in pair]
            what = f"table {17 + k}: match {match}, {street}, hands, wins, raises, calls, folds"
            made.append(_both(what, TABLES_17_TO_20[k], match, ours, another, 17 + k))
    for match, pair in enumerate(r["found"]):
        shown = [_showdowns(streets) for streets in pair]
        made.append(_both(f"table 21: match {match}, showdowns, won, %", TABLE_21, match, shown, another, 21))
    for match, pair in enumerate(r["found"]):
        nets = [[s["net_bb"] * _CHIPS for s in streets] for streets in pair]
        won = [[sum(each), *each] for each in nets]
        made.append(_both(f"table 22: match {match}, chips", TABLE_22, match, won, another, 22))
    return made


def _both(what: str, table: Table, match: int, ours: Any, another: tuple[Another, str], number: int) -> Row:
    line, pairs = table
    printed = Printed(_told(pairs[match]), f"table {number}", line + 2 * match)
    return Row(what, _told(ours), "", "", printed, another=another)


def _told(pair: Any) -> str:
    """The original's figures, and where the model's are others, by how much."""
    words = []
    for one, other in zip(*pair, strict=True):
        apart = f" ({other - one:+.4g})" if abs(other - one) > 1e-9 else ""
        words.append(f"{one:.5g}{apart}")
    return ", ".join(words)


def largest_of_akuma(street: int) -> Printed:
    """Of the actions in all six matches together, the one that Akuma's model takes most otherwise (tables 17 to 20)."""
    line, pairs = TABLES_17_TO_20[street]
    totals: list[tuple[str, float, float]] = []
    for k, (action, _) in _ACTIONS:
        theirs, models = (sum(pair[side][k] for pair in pairs) for side in range(2))
        totals.append((action, theirs, models))
    name, one, other = max(totals, key=lambda each: abs(each[2] / each[1] - 1))
    return Printed(f"{name} {one:g} to {other:g}: {100 * abs(other / one - 1):.1f}", f"table {17 + street}", line)


def showdowns_of_akuma() -> Printed:
    """Showdowns won in all six matches, of the model less of Akuma (table 21)."""
    line, pairs = TABLE_21
    shares = [100 * sum(p[side][1] for p in pairs) / sum(p[side][0] for p in pairs) for side in range(2)]
    return Printed(f"{shares[0]:.1f} to {shares[1]:.1f}: {shares[1] - shares[0]:+.1f}", "table 21", line)


def curve_charts(results: Sequence[Result]) -> list[Chart]:
    """Figures 8 and 9: winnings hand by hand."""
    made = []
    for r in results:
        if r["figure"] == "8-9":
            for k, (one, other) in enumerate(zip(r["original"], r["clone"], strict=True)):
                series = [Series("the original", r["at"], one), Series("the clone", r["at"], other)]
                title = f"figure 8: {r['hero']}, match {k}"
                made.append(Chart(title, "hands", "big blinds", series, caption="The same cards; seed 1007."))
        if r["figure"] == "7.2" and r["curves"]:
            series = [
                Series(name, list(range(len(curve))), curve)
                for name, curve in zip(("the original", "the clone"), r["curves"], strict=True)
            ]
            caption = "Hands of the log that reached the river, the others doing what they did there."
            made.append(Chart(f"figure 9: {r['hero']}, match 0", "hands", "big blinds", series, caption=caption))
    return made
