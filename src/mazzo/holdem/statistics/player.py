"""One player's hands as a report: figures by position, stake, depth and session, curves, and where he loses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Grid, Section, Series
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.statistics.tracker import FIGURES, POSITIONS, PlayedHand, figures_of

__all__ = ["curves", "leak_rows", "parse_filter", "player_report", "player_section", "rows_by_position"]

_POINTS = 800
_DEPTHS = (
    (0, 20, "under 20 bb"),
    (20, 50, "20 to 50 bb"),
    (50, 100, "50 to 100 bb"),
    (100, float("inf"), "100 bb and more"),
)

_VALUES: dict[str, Callable[[PlayedHand], Any]] = {
    "position": lambda hand: hand.position,
    "stakes": lambda hand: hand.stakes,
    "session": lambda hand: hand.session,
    "net": lambda hand: hand.net,
    "adjusted": lambda hand: hand.adjusted,
    "pot": lambda hand: hand.pot,
    "depth": lambda hand: hand.depth,
    "rake": lambda hand: hand.rake,
    "showdown": lambda hand: hand.showdown,
    **{figure: (lambda hand, figure=figure: hand.chances.get(figure)) for figure in FIGURES},  # type: ignore[misc]
}
_TERM = re.compile(r"\s*(?P<not>-)?(?P<name>[a-z_]+)\s*(?:(?P<op>>=|<=|!=|=|>|<)\s*(?P<value>[^,]+?))?\s*")


def parse_filter(text: str) -> Callable[[PlayedHand], bool]:
    """Which hands are wanted: terms with commas that must all hold, as `position=BTN, pot>=20, three_bet, -showdown`.

    A name alone asks that the player did it (a minus before it: had the chance and did not); numbers are big blinds.
    """
    terms = [_term(word) for word in text.split(",") if word.strip()]
    return lambda hand: all(holds(hand) for holds in terms)


def _term(word: str) -> Callable[[PlayedHand], bool]:
    found = _TERM.fullmatch(word)
    if found is None or found["name"] not in _VALUES:
        name = found["name"] if found else word.strip()
        raise UnreadableError(f"cannot filter by {word.strip()!r}; {did_you_mean(name, _VALUES)}")
    value, wanted = _VALUES[found["name"]], found["not"] is None
    if found["op"] is None:
        return lambda hand: value(hand) is not None and bool(value(hand)) == wanted
    return _comparison(value, found["op"], found["value"], word)


def _comparison(value: Callable[[PlayedHand], Any], op: str, given: str, word: str) -> Callable[[PlayedHand], bool]:
    if op in ("=", "!="):
        return lambda hand: (str(value(hand)).lower() == given.strip().lower()) == (op == "=")
    try:
        number = float(given)
    except ValueError:
        raise UnreadableError(f"cannot filter by {word.strip()!r}: {given!r} is not a number") from None
    compare = {">": np.greater, "<": np.less, ">=": np.greater_equal, "<=": np.less_equal}[op]

    def holds(hand: PlayedHand) -> bool:
        found = value(hand)
        return isinstance(found, float | int) and bool(compare(found, number))

    return holds


def player_report(name: str, hands: Sequence[PlayedHand]) -> dict[str, Any]:
    """All figures of one player as plain data; keys are stable."""
    groups = {
        "positions": _grouped(hands, lambda h: h.position, POSITIONS),
        "stakes": _grouped(hands, lambda h: h.stakes),
        "depths": _grouped(hands, lambda h: next(label for low, high, label in _DEPTHS if low <= h.depth < high)),
        "sessions": _grouped(hands, lambda h: h.session),
    }
    return {"name": name, "all": figures_of(list(hands)), **groups}


def _grouped(
    hands: Sequence[PlayedHand], key: Callable[[PlayedHand], str], order: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    parts: dict[str, list[PlayedHand]] = {name: [] for name in order}
    for hand in hands:
        parts.setdefault(key(hand), []).append(hand)
    return {name: figures_of(part) for name, part in parts.items() if part}


def curves(hands: Sequence[PlayedHand]) -> Chart:
    """Big blinds won hand by hand: all, at showdown, and all-in adjusted."""
    won = np.nan_to_num([h.net for h in hands])
    shown = np.where([h.showdown for h in hands], won, 0.0)
    adjusted = np.nan_to_num([h.adjusted for h in hands])
    series = []
    for label, values in (("won", won), ("won at showdown", shown), ("all-in adjusted", adjusted)):
        line = np.concatenate([[0.0], np.asarray(values, float)]).cumsum()
        at = np.unique(np.linspace(0, len(line) - 1, min(len(line), _POINTS)).astype(int))
        series.append(Series(f"{label} {line[-1]:+.1f}", at.tolist(), line[at].tolist()))
    return Chart("Winnings", "hands", "big blinds", series)


def player_section(
    report: dict[str, Any], hands: Sequence[PlayedHand], leaks: Sequence[dict[str, Any]] = ()
) -> Section:
    """The report as a section of a page."""
    tables = [Grid(*rows_by_position(report))]
    if leaks:
        tables.append(Grid(*leak_rows(leaks)))
    words = [f"{len(hands):,} hands of {report['name']}. Shares with their chances and {INTERVAL}."]
    return Section(f"Hands of {report['name']}", words, charts=[curves(hands)], tables=tables)


def rows_by_position(report: dict[str, Any]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Head and rows of a table: each figure in all and by position, with its chances and interval."""
    groups = [report["all"], *report["positions"].values()]
    rows: list[tuple[Any, ...]] = [(f.replace("_", " "), *(_share_text(g[f]) for g in groups)) for f in FIGURES]
    factors = [g["aggression"]["factor"] for g in groups]
    rows += [("aggression", *("-" if factor is None else f"{factor:.2f}" for factor in factors))]
    rows += [("bb/100", *(_rate_text(g["won"]) for g in groups))]
    rows += [("bb/100, all-in adjusted", *(_rate_text(g["all_in_adjusted"]) for g in groups))]
    rows += [("rake, bb", *(f"{g['rake_bb']:.1f}" for g in groups)), ("hands", *(g["hands"] for g in groups))]
    return ("figure", "all", *report["positions"]), rows


def leak_rows(leaks: Sequence[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Head and rows of a table: the surest departures from the reference, and what they cost."""
    head = (
        "decision",
        "position",
        "share",
        "reference",
        "corrected p",
        "costs bb per hand",
        INTERVAL,
        "hands to replay",
    )
    return head, [_leak_row(leak) for leak in leaks[:15]]


def _share_text(share: dict[str, Any]) -> str:
    if share["share"] is None:
        return "-"
    low, high = share["ci95"]
    return f"{100 * share['share']:.0f} % of {share['chances']} ({100 * low:.0f} to {100 * high:.0f})"


def _rate_text(rate: dict[str, Any]) -> str:
    if rate["bb_per_100"] is None:
        return "-"
    ends = "" if None in rate["ci95"] else f" ({rate['ci95'][0]:+.0f} to {rate['ci95'][1]:+.0f})"
    return f"{rate['bb_per_100']:+.1f}{ends}"


def _leak_row(leak: dict[str, Any]) -> tuple[Any, ...]:
    cost = "-" if leak["cost_bb"] is None else f"{leak['cost_bb']:+.2f}"
    ends = "-" if None in leak["cost_ci95"] else " to ".join(f"{end:+.2f}" for end in leak["cost_ci95"])
    where = "; ".join(f"{hand['file'].rpartition('/')[2]}:{hand['line']}" for hand in leak["hands"][:3])
    share, usual = (f"{100 * leak[key]:.0f} %" for key in ("share", "reference_share"))
    sure = "" if leak["sure"] else " (may be chance)"
    name = leak["figure"].replace("_", " ")
    return f"{name}{sure}", leak["position"], share, usual, f"{leak['p_corrected']:.3g}", cost, ends, where
