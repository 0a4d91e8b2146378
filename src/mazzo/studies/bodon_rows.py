"""Bodon (2000), chapters 1 to 5: the document's figures beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from mazzo.statistics import Z95
from mazzo.studies.row import Another, Exact, Measured, Printed, Row, Sign

__all__ = ["chapter_rows"]

Result = dict[str, Any]

_MACHINE: tuple[Another, str] = ("quantity", "the time of another machine, not of the method")
_SIMULATED = 180e6
"""Rounds of the document's simulation."""
_DEVIATION = 1.12
"""The standard deviation of a round, which that of a start state's values cannot exceed."""


def chapter_rows(result: Result) -> Iterator[Row]:
    """Rows of one chapter."""
    yield from {"1": _roulette, "3": _chart, "4": _learning, "5": _exact, "5.3": _same}[result["figure"]](result)
    if result["figure"] == "5":
        yield from _approximations(result)
        yield from _speed(result)
        yield from _people(result)


def _roulette(r: Result) -> Iterator[Row]:
    edge = max(r["edges"], key=lambda e: abs(e + 1 / 37))
    ours = "-1/37" if abs(edge + 1 / 37) < 1e-12 else f"{edge:.6f}"
    printed = Printed("-1/37", "equation 1.2", 127)
    yield Row("§1.3 roulette, any bet, a unit", ours, "exact", "", printed, Exact("-1/37", ours))
    truth = 1 - (1 + 1 / 37) ** 10
    ours = f"{r['doubling']:.4f} (formula {truth:.4f})"
    printed = Printed("1-(1+1/37)^n < 0", "equation 1.3", 137)
    why = f"n = 10, {r['games']:,} games"
    test = Measured(truth, r["doubling"], r["doubling_error"])
    yield Row("§1.3 doubling up ten times", ours, "", why, printed, test)


def _chart(r: Result) -> Iterator[Row]:
    another: tuple[Another, str] = (
        "quantity",
        "the Q of the start state after learning there, the chart's exact value here",
    )
    why = f"the best chart is worth {r['best_ev']:.6f}; cells that differ: {', '.join(r['cells'])}"
    printed = Printed("-0.002157", "section 4.3", 489)
    yield Row("§3.1-3.2 the printed chart", f"{r['printed_ev']:.6f}", "exact", why, printed, another=another)
    printed = Printed("-0.0021655 (180 million rounds)", "section 5.3", 723)
    for name, found in r["simulated"].items():
        exact = r[f"{name}_ev"]
        error = found["error"] * math.sqrt(r["rounds"] / _SIMULATED)
        ours = f"{exact:.6f} exact; {found['mean']:.6f} in {r['rounds'] / 1e6:g} million rounds"
        interval = f"{found['mean'] - Z95 * found['error']:.6f} .. {found['mean'] + Z95 * found['error']:.6f}"
        test = Measured(-0.0021655, exact, 0.0, error)
        yield Row(f"§5.3 simulation of the {name} chart", ours, interval, "", printed, test)
    spread = found["error"] * math.sqrt(r["rounds"])
    half = Z95 * spread / math.sqrt(1e7)
    printed = Printed("of the order of ten million rounds settle four decimals", "section 3.1", 213)
    why = f"the standard deviation of a round is {spread:.2f}; four decimals need ± 0.00005"
    yield Row("§3.1 rounds that settle four decimals", f"± {half:.5f}", "", why, printed, Sign(0.00005 - half, 0.0))


def _learning(r: Result) -> Iterator[Row]:
    why = "hard 4-21 and soft 12-21 are 28 rows, not 27"
    yield Row("§4.3 states", str(r["states"]), "", why, Printed("641", "section 4.2", 456), Exact("641", r["states"]))
    error = _DEVIATION / math.sqrt(r["rounds"])
    printed = Printed("-0.002157", "section 4.3", 489)
    why = f"{r['rounds'] / 1e6:g} million rounds, one run; the mean over all of them holds the values of the first ones"
    test = Measured(-0.002157, r["start"], error)
    yield Row("§4.3 Q-learning, Q of the start state", f"{r['start']:.6f}", "", why, printed, test)
    why = f"the best chart is worth {r['best_ev']:.6f}"
    yield Row("§4.3 Q-learning, exact value of the chart learned", f"{r['learned_ev']:.6f}", "exact", why)


def _exact(r: Result) -> Iterator[Row]:
    printed = Printed("-0.0019634", "table 5.1", 719)
    why = "resplit without limit (5.12), surrender also after a split"
    test = Exact("-0.0019634", r["ev"])
    yield Row("§5.1 first round, full formulas", f"{r['ev']:.9f}", "exact", why, printed, test)
    why = "a cap of four hands, no surrender after a split"
    yield Row("§5.1 the same at a table with four hands", f"{r['four']:.9f}", "exact", why)
    values = ", ".join(f"depth {depth}: {ev:.6f}" for depth, ev in r["hybrid"].items())
    another: tuple[Another, str] = ("definition", "exact for some cards, infinite below; how deep is not printed")
    printed = Printed("-0.002091", "table 5.1", 720)
    tried = ", ".join(f"{name}: {ev:.6f}" for name, ev in r.get("hybrid_of_hands", {}).items())
    why = f"`splitmelyseg` read as the number of hands: {tried}" if tried else ""
    yield Row("§5.1 two-second version", values, "exact", why, printed, another=another)
    printed, test = Printed("-0.0028453", "table 5.1", 721), Exact("-0.0028453", r["infinite"])
    yield Row("§5.1 infinite deck", f"{r['infinite']:.9f}", "exact", "", printed, test)
    printed, test = Printed("0.001998", "section 5.3", 729), Exact("0.001998", r["after"])
    why = f"four hands {r['after_four']:+.9f}; a hybrid gives {r['after_hybrid']:+.6f}"
    yield Row("§5.3 after 7,8,2 v 8,3,5,2", f"{r['after']:+.9f}", "exact", why, printed, test)


def _same(r: Result) -> Iterator[Row]:
    cells = r["cells"]
    printed = Printed("none: all three approximations gave the same strategy", "section 5.3", 723)
    why = f"the printed chart has the infinite deck's play in {r['like_infinite']} of them"
    what = "§5.3 cells where the infinite deck plays otherwise than the full formulas"
    ours = f"{len(cells)}: {'; '.join(cells)}" if cells else "none"
    yield Row(what, ours, "exact", why if cells else "", printed, Exact("0", float(len(cells))))


def _approximations(r: Result) -> Iterator[Row]:
    error = 100 * abs(r["infinite"] / r["ev"] - 1)
    why = "of the value of a fresh shoe, which is itself near zero"
    printed = Printed("5-20 %", "section 5.3.1", 701)
    yield Row("§5.3.1 error of the infinite deck", f"{error:.0f} %", "exact", why, printed, Sign(20 - error, 0.0))
    ratio = (4 / 52 * 3 / 51) / (1 / 13) ** 2
    printed = Printed("0.76", "section 5.3.1", 671)
    what = "§5.3.1 two aces, one deck against infinite"
    yield Row(what, f"{ratio:.4f}", "exact", "", printed, Exact("0.76", ratio))


def _speed(r: Result) -> Iterator[Row]:
    why = "each hand is counted once, not once for every order of its cards"
    printed = Printed("32 h", "section 5.3", 713)
    yield Row("§5.3 time of the full recursion", f"{r['four_seconds']:.2f} s", "", why, printed, another=_MACHINE)
    why = f"value {r['pruned']:.9f}; {r['rows_left']} of 3082 hands are left to value"
    printed = Printed("14 min", "section 5.3", 713)
    what = "§5.3.2 time with the strategy burned in"
    yield Row(what, f"{r['pruned_seconds']:.2f} s", "", why, printed, another=_MACHINE)


def _people(r: Result) -> Iterator[Row]:
    printed = Printed("far from the optimum", "footnote of section 5.3", 725)
    why = f"soft hands, doubles, splits and surrender still by the best chart ({r['best_ev']:.6f})"
    test = Sign(r["best_ev"] - r["careful"], 0.0)
    yield Row("§5.3 never drawing above 11", f"{r['careful']:.6f}", "exact", why, printed, test)
    another: tuple[Another, str] = ("player", "people in casinos there, two charts here")
    ours = f"1/{-1 / r['careful']:.0f} to 1/{-1 / r['bare']:.0f}"
    why = "the chart of the row above, and the same without doubles, splits and surrender"
    printed = Printed("1/20", "footnote of section 5.3", 725)
    yield Row("§5.3 what players lose", ours, "exact", why, printed, another=another)
    printed, ours = Printed("1/500", "footnote of section 5.3", 725), f"1/{-1 / r['four']:.0f}"
    yield Row("§5.3 the optimum", ours, "exact", f"1/{-1 / r['four']:.1f}", printed, Exact("1/500", ours))
    printed = Printed("1.5 times", "footnote of section 5.3", 725)
    what = "§5.3 blackjack's 1/20 against roulette's 1/37"
    yield Row(what, f"{37 / 20:.2f} times", "exact", "", printed, Exact("1.5", 37 / 20))
