"""Bodon (2000), part 2: chapter 1's theorem and chapter 6, what to bet; every figure beside ours."""

from __future__ import annotations

import math
from typing import Any

from mazzo.blackjack.rules import PRESETS
from mazzo.studies.bodon_global import GLOBAL, global_rows, global_tasks, winnings_error, winnings_rows
from mazzo.studies.row import Another, Exact, Measured, Printed, Row

__all__ = ["TEXT_TABLE", "bets_rows", "bets_tasks", "run_bets"]

Task = dict[str, Any]
Result = dict[str, Any]

TEXT_TABLE: dict[int, tuple[int, int, int, int]] = {
    1: (1, 13, 13, 12), 2: (2, 91, 83, 77), 3: (3, 455, 410, 371), 4: (5, 1820, 1619, 1495),
    5: (7, 6188, 5557, 5001), 6: (7, 18564, 15684, 14412), 7: (11, 50388, 43514, 36425),
    8: (11, 125970, 100400, 92610), 9: (11, 293930, 217114, 191867), 10: (11, 646646, 439294, 380679),
    11: (11, 1352078, 843686, 696584), 12: (11, 2704156, 1471946, 1186921), 13: (11, 5200300, 2405626, 1843104),
    14: (29, 9657700, 4539891, 3287546), 15: (44, 17383860, 7728670, 6104855), 16: (59, 30421755, 13815785, 9889785),
    17: (103, 51895922, 22048758, 15461451), 18: (103, 86493056, 33597169, 26236651),
    19: (103, 141119342, 51200572, 38205023), 20: (124, 225786853, 81499098, 52372547),
}  # fmt: skip
"""Table of 6.3.6: bases, states, combinations at 95 % and at 90 %, for K = 1..20."""

_DEPTH = 250


def bets_tasks(full: bool) -> list[Task]:
    """Chapter 6 in parts; quick: K to 13 and a few hundred shoes."""
    made: list[Task] = [{"figure": "6.3.6", "cards": cards, "fill": "thesis"} for cards in range(1, 21 if full else 14)]
    made += [
        {"figure": "6.3.7 traversal", "cards": cards, "informed": informed, "exact": 60}
        for cards in (1, 2)
        if full or cards == 1
        for informed in (True, False)
    ]
    sizes = {"rounds": 2_000_000, "exact": 1600} if full else {"rounds": 40_000, "exact": 40}
    made.append({"figure": "6.3.7 depths", "control": "infinite", "seed": 1, **sizes})
    made.append({"figure": "6.3.7 depths", "control": "linear", "seed": 2, **sizes})
    made.append({"figure": "6.3.7 shoes", "shoes": 100_000 if full else 400, "exact": 800 if full else 40, "seed": 1})
    made.append({"figure": "6.3.7 counting"})
    return made + global_tasks(full)


def _traversed(task: Task) -> Result:
    from mazzo.blackjack.documents.traversal import THESIS_FILL, traverse

    most, less = (traverse(16, 13, task["cards"], mass, THESIS_FILL) for mass in (0.95, 0.90))
    return {
        "bases": most.bases,
        "states": most.states,
        "at_95": most.combinations,
        "at_90": less.combinations,
        "seconds": most.seconds,
    }


def _after(task: Task) -> Result:
    from mazzo.blackjack.documents.traversal_value import value_after

    found = value_after(PRESETS["hungarian"], task["cards"], 1.0, task["exact"], informed=task["informed"])
    return {"positive": found.positive.mean, "negative": found.negative.mean}


def _depths(task: Task) -> Result:
    from mazzo.blackjack.bets.estimate import depth_figures

    rules = PRESETS["hungarian"].changed(insurance=False)
    found = depth_figures(rules, _DEPTH, task["rounds"], task["exact"], task["seed"], control=task["control"])
    return found.as_dict()


def _shoes(task: Task) -> Result:
    from mazzo.blackjack.bets.estimate import shoe_figures

    return shoe_figures(PRESETS["hungarian"], task["shoes"], task["exact"], task["seed"]).as_dict()


def _counting(task: Task) -> Result:
    from mazzo.blackjack.counting.effects import betting_correlation, effects_of_removal
    from mazzo.blackjack.counting.systems import COUNTS

    effects = effects_of_removal(PRESETS["strip"]).effects
    return {
        "effects": (100 * effects).tolist(),
        "correlations": {name: betting_correlation(c.tags, effects) for name, c in COUNTS.items()},
    }


_RUN = {
    "6.3.6": _traversed,
    "6.3.7 traversal": _after,
    "6.3.7 depths": _depths,
    "6.3.7 shoes": _shoes,
    "6.3.7 counting": _counting,
    **GLOBAL,
}


def run_bets(task: Task) -> Result:
    """Do one part."""
    return {**task, **_RUN[task["figure"]](task)}


def _table_rows(result: Result) -> list[Row]:
    cards = result["cards"]
    printed = dict(zip(("bases", "states", "at_95", "at_90"), TEXT_TABLE[cards], strict=True))
    misprint = f"{printed['states']:,} is a misprint: C(32,20) - 13 C(15,3) is {result['states']:,}"
    chance = "the document's run at 95 % filled the ranks in another order by chance, which is not known"
    columns = {
        "bases and states": (("bases", "states"), misprint),
        "visited at 95 %": (("at_95",), chance),
        "visited at 90 %": (("at_90",), ""),
    }
    made = []
    for what, (keys, reason) in columns.items():
        theirs, ours = [printed[key] for key in keys], [result[key] for key in keys]
        words = ", ".join(f"{value:,}" for value in theirs)
        made.append(
            Row(
                f"§6.3.6 K = {cards}: {what}",
                ", ".join(f"{value:,}" for value in ours),
                "exact",
                "" if theirs == ours else reason,
                Printed(words, "table of 6.3.6", 1155 + cards),
                Exact([str(value) for value in theirs], ours),
            )
        )
    return made


def _speed_row(results: list[Result]) -> Row:
    visited, seconds = sum(r["at_95"] for r in results), sum(r["seconds"] for r in results)
    another: tuple[Another, str] = ("quantity", "the time of another machine")
    printed = Printed("two and a half minutes for about 222 million", "section 6.3.6", 1177)
    what = f"§6.3.6 time of the probabilities to K = {max(r['cards'] for r in results)} at 95 %"
    why = "the table's column adds up to 219,974,889"
    return Row(what, f"{visited:,} in {seconds:.2f} s", "", why, printed, another=another)


def _interval(figure: dict[str, Any]) -> str:
    return f"{figure['ci95'][0]:.6f} .. {figure['ci95'][1]:.6f}"


_EVENLY: tuple[Another, str] = ("quantity", f"rounds after 0 to {_DEPTH} cards drawn evenly, not shoes played out")


def _value_rows(result: Result) -> list[Row]:
    shoes = result["figure"] == "6.3.7 shoes"
    what = "shoes played to the cut card" if shoes else f"rounds after 0 to {_DEPTH} cards, {result['control']} control"
    another = None if shoes else _EVENLY
    made = []
    for name, text, line in (("positive", 0.004735, 1191), ("negative", -0.006557, 1193)):
        found = result[name]
        printed = Printed(f"{text} (simulated)", "section 6.3.7", line)
        test = Measured(text, found["mean"], found["standard_error"], winnings_error(result, name))
        ours = f"{found['mean']:.6f}"
        made.append(Row(f"§6.3.7 E_{name[:3]}, {what}", ours, _interval(found), "", printed, test, another))
    positive, negative, ratio = result["positive"], result["negative"], result["break_even"]
    error = ratio * math.hypot(*(f["standard_error"] / f["mean"] for f in (positive, negative)))
    printed = Printed("1.38", "section 6.3.7", 1203)
    why = f"{100 * result['favourable']['mean']:.1f} % of rounds are favourable"
    test = Measured(1.38, ratio, error)
    made.append(Row(f"§6.3.7 break-even bet spread, {what}", f"{ratio:.3f}", "", why, printed, test, another))
    return made


def _after_row(result: Result) -> Row:
    kind = "splits at their best at every level" if result["informed"] else "splits as one strategy"
    what = f"§6.3.7 {result['cards']} card{'s' * (result['cards'] > 1)} gone from six decks, {kind}"
    ours = f"E_pos {result['positive']:.9f}, E_neg {result['negative']:.9f}"
    return Row(what, ours, "exact", "every composition counted exactly; the document gives no figure for one K")


def bets_rows(results: list[Result]) -> list[Row]:
    """Rows of whatever parts are done."""
    table = [r for r in results if r["figure"] == "6.3.6"]
    rows = [row for r in table for row in _table_rows(r)] + ([_speed_row(table)] if table else [])
    for result in results:
        if result["figure"] == "6.3.7 traversal":
            rows.append(_after_row(result))
        elif result["figure"] in ("6.3.7 depths", "6.3.7 shoes"):
            rows += _value_rows(result) + (winnings_rows(result) if result.get("won") else [])
        elif result["figure"] in GLOBAL:
            rows += global_rows(result)
        elif result["figure"] == "6.3.7 counting":
            listed = ", ".join(f"{name} {value:.4f}" for name, value in result["correlations"].items())
            effects = " ".join(f"{value:+.4f}" for value in result["effects"])
            what = "§6.3.7 slopes of f in each card (strip): effects of removal, %"
            rows.append(Row(what, effects, "exact", f"betting correlation: {listed}"))
    return rows
