"""Weka's J48 on the study's data as rows: sizes and accuracies beside Kischka's (tables 8 to 12, trees of 7.1, B.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mazzo.holdem.notation import STREETS
from mazzo.statistics import wilson
from mazzo.studies.row import Another, Measured, Printed, Rank, Row, Sign, share_error

__all__ = ["rows"]

Result = dict[str, Any]


class _Tree(NamedTuple):
    """A printed tree of TunedFixedRichieRich: where, its leaves, and what its leaves say of where it was learned."""

    place: str
    line: int
    leaves: int
    wrong: float
    trained: int


_TREES = (
    _Tree("section 7.1", 811, 7, 283, 16_786),
    _Tree("section B.2.1", 1254, 8, 70, 7_167),
    _Tree("section B.2.2", 1276, 12, 75, 7_743),
    _Tree("section B.2.3", 1303, 21, 42, 8_993),
)
_TABLES: dict[tuple[str, str], tuple[int, tuple[tuple[float, float, float], ...]]] = {
    ("table 10", "no-ratio-base"): (
        697,
        ((99.99, 11051.9, 10698.7), (94.01, 269705, 266437), (94.45, 101369.7, 99775.5), (95.5, 21980.3, 21566.7)),
    ),
    ("table 10", "usual"): (
        702,
        ((99.98, 7757.3, 7409.4), (95.5, 366956, 358237), (95.7, 29776.6, 28587), (96.82, 12544, 12216)),
    ),
    ("table 12", "usual"): (
        739,
        (
            (99.99, 9441.7, 9036.2),
            (95.58, 207149.2, 202450.6),
            (95.77, 100913.86, 97693.57),
            (96.91, 48645.72, 47709.57),
        ),
    ),
    ("table 12", "simplified"): (
        744,
        ((97.19, 665, 355.14), (93.56, 3632.2, 2393.86), (95.32, 2384.57, 1542.43), (94.82, 12880, 8664.43)),
    ),
}
"""By table and list of attributes: the line of the first street, and per street accuracy, nodes and leaves."""
_TABLE_8 = (99.94, 97.32, 95.4, 96.2)
_OTHERS = {"tree": "tree", "rules": "rules", "bayes": "bayes", "knn": "knn", "svm": "svm"}


def rows(results: Sequence[Result]) -> list[Row]:
    """From whatever parts are done; results of other learners are looked at for table 8's ranking."""
    made = [row for r in results if r["figure"] == "7.1" for row in _tree_rows(r)]
    validated = [r for r in results if r["figure"] == "J48" and "trees" in r]
    made += [row for r in validated for row in _table_rows(r)]
    made += _smaller_rows(validated)
    made += _best_rows(validated, [r for r in results if r["figure"] == "8" and "skipped" not in r])
    return made + [
        Row(f"J48: {r['figure']}", "", undone=r["skipped"])
        for r in results
        if r["figure"] in ("7.1", "J48") and "skipped" in r
    ]


def _tree_rows(r: Result) -> list[Row]:
    """The trees that are printed are of a player whose rule is printed: they can be compared."""
    if "trees" not in r:
        return []
    tree, street = _TREES[r["street"]], STREETS[r["street"]]
    leaves = np.array([t["leaves"] for t in r["trees"]], float)
    trained = float(np.mean([t["trained"] for t in r["trees"]]))
    wrong = float(np.mean([1 - t["right_trained"] / t["trained"] for t in r["trees"]]))
    right = sum(t["right"] for t in r["trees"]) / sum(t["judged"] for t in r["trees"])
    # The trees share rows: only 1 / share of them could be of rows of their own.
    error = float(leaves.std(ddof=1)) * math.sqrt(min(1.0, r["share"]))
    another: tuple[Another, str] | None = None
    if r["equities"] == "exact":
        another = ("definition", "its equities are sampled from 10,000 deals there, exact here")
    why = f"{len(r['trees'])} trees of {trained:.0f} decisions each; right in {100 * right:.2f} % of the others"
    printed = Printed(str(tree.leaves), tree.place, tree.line)
    spread = float(leaves.std(ddof=1))
    test = Measured(float(tree.leaves), float(leaves.mean()), error, spread, len(leaves))
    what = f"{tree.place}: J48 of TunedFixedRichieRich, equities {r['equities']}, {street}"
    ours = f"{leaves.mean():.1f} ({leaves.min():.0f} to {leaves.max():.0f})"
    made = [Row(f"{what}: leaves", ours, "", why, printed, test, another)]
    share = 100 * tree.wrong / tree.trained
    printed = Printed(f"{tree.wrong:g} of {tree.trained} = {share:.2f}", tree.place, tree.line)
    theirs = 100 * share_error(tree.wrong, tree.trained)
    test = Measured(share, 100 * wrong, 100 * share_error(wrong * trained, round(trained)), theirs)
    return [*made, Row(f"{what}: wrong where it was learned, %", f"{100 * wrong:.2f}", "", "", printed, test, another)]


def _accuracy(r: Result) -> tuple[int, int]:
    return sum(t["right"] for t in r["trees"]), sum(t["judged"] for t in r["trees"])


def _table_rows(r: Result) -> list[Row]:
    right, judged = _accuracy(r)
    low, high = wilson(right, judged)
    size, leaves = (float(np.mean([t[key] for t in r["trees"]])) for key in ("size", "leaves"))
    ours = f"{100 * right / judged:.2f} %, {size:.0f} nodes, {leaves:.0f} leaves"
    trained = float(np.mean([t["trained"] for t in r["trees"]]))
    made = []
    for (table, name), (line, streets) in _TABLES.items():
        if name != r["list"]:
            continue
        accuracy, nodes, theirs = streets[r["street"]]
        printed = Printed(f"{accuracy:.2f} %, {nodes:.0f} nodes, {theirs:.0f} leaves", table, line + r["street"])
        what = f"{table}: {r['hero']}, J48, {name}, {STREETS[r['street']]}"
        interval = f"{100 * low:.2f} .. {100 * high:.2f}"
        made.append(Row(what, ours, interval, f"learned from {trained:.0f}", printed, another=_akuma(r["hero"])))
    return made


def _akuma(hero: str) -> tuple[Another, str]:
    return "player", f"Akuma there, {hero} here"


def _smaller_rows(results: Sequence[Result]) -> list[Row]:
    """Section 6.4: with few attributes trees have far fewer leaves; the same folds, so their logarithms are paired."""
    made = []
    found = {(r["hero"], r["street"], r["list"]): r for r in results}
    for (hero, street, name), r in found.items():
        whole = found.get((hero, street, "usual"))
        if name != "simplified" or whole is None:
            continue
        few, many = (np.array([t["leaves"] for t in each["trees"]], float) for each in (r, whole))
        apart = np.log(many / few)
        error = float(apart.std(ddof=1)) / math.sqrt(len(apart))
        ours = f"{many.mean():.0f} leaves to {few.mean():.0f}"
        told = _TABLES["table 12", "usual"][1][street][2], _TABLES["table 12", "simplified"][1][street][2]
        printed = Printed(f"far fewer leaves: {told[0]:.0f} to {told[1]:.0f}", "section 6.4", 719)
        what = f"6.4: {hero}, J48 with few attributes is smaller, {STREETS[street]}"
        test = Sign(float(apart.mean()), error, len(apart))
        why = "the difference is that of the logarithms of leaves, fold by fold"
        made.append(Row(what, ours, "", why, printed, test, _akuma(hero)))
    return made


def _best_rows(results: Sequence[Result], others: Sequence[Result]) -> list[Row]:
    """Section 6.1: "J48 mostly gives the best accuracy"."""
    made = []
    for r in results:
        same = [o for o in others if (o["hero"], o["street"]) == (r["hero"], r["street"]) and o["model"] in _OTHERS]
        if r["list"] != "usual" or not same:
            continue
        right, judged = _accuracy(r)
        means = {o["model"]: (o["accuracy"], share_error(o["accuracy"] * o["n"], o["n"])) for o in same}
        means["J48"] = (right / judged, share_error(right, judged))
        ours = ", ".join(f"{name} {100 * value:.2f}" for name, (value, _) in sorted(means.items()))
        text = f"{_TABLE_8[r['street']]:.2f}; mostly the best"
        printed = Printed(text, "table 8", 633 + r["street"])
        what = f"table 8: {r['hero']}, J48 is the best, {STREETS[r['street']]}, %"
        made.append(Row(what, ours, "", "", printed, Rank.of_means("J48", means), _akuma(r["hero"])))
    return made
