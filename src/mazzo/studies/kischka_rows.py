"""What the study of Kischka (2014) found, as rows beside the document's figures and as charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.holdem.notation import STREETS
from mazzo.statistics import Moments
from mazzo.studies import kischka_j48_rows, kischka_tables
from mazzo.studies.row import Another, Exact, Measured, Printed, Rank, Row, Sign, share_error

__all__ = ["charts", "rows"]

Result = dict[str, Any]

_TABLE_1 = (55, 79, 93, 106)
_TABLE_7 = (19, 26, 33, 40)
_TABLE_8 = {
    "knn": (99.7, 85.45, 90.44, 93.14),
    "tree": (99.94, 97.32, 95.4, 96.2),
    "rules": (99.38, 94.55, 95.35, 96.31),
    "bayes": (85.89, 83.2, 83.07, 87.2),
    "svm": (99.89, 91.21, None, 94.65),
}
_TABLE_10 = {"no-ratio-base": (99.99, 94.01, 94.45, 95.5), "usual": (99.98, 95.5, 95.7, 96.82)}
_TABLE_12 = {"usual": (99.99, 95.58, 95.77, 96.91), "simplified": (97.19, 93.56, 95.32, 94.82)}
_TABLE_13 = (25_433, 19_907, 18_885, 17_294)
_LINES = {("10", "no-ratio-base"): 697, ("10", "usual"): 702, ("12", "usual"): 739, ("12", "simplified"): 744}
"""The line of the first street; the others follow."""
_DEVIATIONS = {"preflop": "2.7", "flop": "5.6", "river": "9.1"}


def _akuma(hero: str) -> tuple[Another, str]:
    return "player", f"Akuma there, {hero} here"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _interval(result: Result) -> str:
    low, high = result["ci95"]
    return f"{100 * low:.2f} .. {100 * high:.2f}"


def rows(results: Sequence[Result]) -> list[Row]:
    """Kischka's figures beside ours, from whatever tasks are done."""
    made: list[Row] = []
    for r in results:
        if r["figure"] in ("7.1", "J48"):
            continue
        if "skipped" in r:
            made.append(Row(f"table {r['figure']}", "", undone=r["skipped"]))
        else:
            made += _ROWS[r["figure"]](r)
    made += kischka_j48_rows.rows(results)
    made += _dropping_rows([r for r in results if r["figure"] == "7"])
    return made + _best_form_rows([r for r in results if r["figure"] == "6.3.1"])


def _best_form_rows(results: Sequence[Result]) -> list[Row]:
    """Section 6.3.1: form c is best, before the flop and after it."""
    made = []
    for key in dict.fromkeys((r["equities"], r["street"]) for r in results):
        found = {r["form"]: r for r in results if (r["equities"], r["street"]) == key}
        if len(found) < 3:
            continue
        kept = "all other attributes" if key[0] else "equities left out"
        means = {form: (r["accuracy"], share_error(r["accuracy"] * r["n"], r["n"])) for form, r in found.items()}
        ours = ", ".join(f"{form} {100 * value:.2f}" for form, (value, _) in sorted(means.items()))
        printed = Printed("c is best", "section 6.3.1", 689)
        what = f"6.3.1: the best form of the hole cards, {kept}, {STREETS[key[1]]}, %"
        made.append(Row(what, ours, "", "", printed, Rank.of_means("c", means), _akuma("rich")))
    return made


def _accuracy_row(r: Result, what: str, why: str, printed: Printed | None = None) -> Row:
    another = None if printed is None else _akuma(r["hero"])
    return Row(what, f"{100 * r['accuracy']:.2f}", _interval(r), why, printed, another=another)


def _rows_1(r: Result) -> list[Row]:
    made = []
    for k, street in enumerate(STREETS):
        printed = Printed(str(_TABLE_1[k]), "table 1", 447 + k)
        test = Exact(str(_TABLE_1[k]), r["attributes"][k])
        made.append(Row(f"table 1: attributes, {street}", str(r["attributes"][k]), "", "with the class", printed, test))
    for k, street in enumerate(STREETS):
        printed = Printed(str(_TABLE_7[k]), "table 7", 597 + k)
        another: tuple[Another, str] = ("definition", "our list is this table, not found anew by a selection")
        ours = str(r["unimportant"][k])
        made.append(Row(f"table 7: unimportant attributes, {street}", ours, printed=printed, another=another))
    return made


def _rows_13(r: Result) -> list[Row]:
    """Decisions on a street for each before the flop: the document does not say how many hands were played."""
    made = []
    first, ours_first = _TABLE_13[0], r["decisions"][0]
    for k, street in enumerate(STREETS):
        n, printed_n, fold = r["decisions"][k], _TABLE_13[k], r["folds"][k]
        why = (
            f"{n} decisions in {r['hands']} hands, seed {r['seed']}; a fold (tables 2-5) has {min(fold)} to {max(fold)}"
        )
        if k == 0:
            printed = Printed(str(printed_n), "table 13", 753)
            another: tuple[Another, str] = ("quantity", "the number of hands is not printed; ours was set to come near")
            made.append(Row(f"table 13: decisions of rich, {street}", str(n), "", why, printed, another=another))
            continue
        text, ours = printed_n / first, n / ours_first
        printed = Printed(f"{printed_n} : {first} = {text:.4f}", "table 13", 753 + k)
        test = Measured(text, ours, _ratio_error(n, ours_first), _ratio_error(printed_n, first))
        what = f"table 13: decisions of rich on the {street} for each before the flop"
        made.append(Row(what, f"{ours:.4f}", "", why, printed, test))
    return made


def _ratio_error(one: int, other: int) -> float:
    """The standard error of a ratio of two counts, each with the spread of a Poisson count."""
    return one / other * math.sqrt(1 / one + 1 / other)


def _rows_8(r: Result) -> list[Row]:
    text = _TABLE_8.get(r["model"], (None,) * 4)[r["street"]]
    cap = ", capped" if r["capped"] else ""
    why = f"majority-class baseline {_percent(r['majority'])}; learned from {r['trained_on']}{cap}"
    printed = None if text is None else Printed(f"{text:.2f}", "table 8", 633 + r["street"])
    return [_accuracy_row(r, f"table 8: {r['hero']}, {r['model']}, {STREETS[r['street']]}, %", why, printed)]


def _rows_lists(r: Result) -> list[Row]:
    text = (_TABLE_10 if r["figure"] == "10" else _TABLE_12)[r["list"]][r["street"]]
    why = f"tree of {r['size']:.0f} nodes, {r['leaves']:.0f} leaves"
    printed = Printed(f"{text:.2f}", f"table {r['figure']}", _LINES[r["figure"], r["list"]] + r["street"])
    what = f"table {r['figure']}: {r['hero']}, {r['list']}, {STREETS[r['street']]}, %"
    return [_accuracy_row(r, what, why, printed)]


def _rows_curve(r: Result) -> list[Row]:
    what = f"figures 3-7: {r['hero']}, {STREETS[r['street']]}, {r['share']:.0%} of the data, %"
    return [_accuracy_row(r, what, f"{r['trained_on']} rows, {r['size']:.0f} nodes, {r['leaves']:.0f} leaves")]


def _rows_forms(r: Result) -> list[Row]:
    kept = "all other attributes" if r["equities"] else "equities left out"
    what = f"6.3.1: hole cards in form {r['form']}, {kept}, {STREETS[r['street']]}, %"
    return [_accuracy_row(r, what, f"{r['leaves']:.0f} leaves")]


def _rows_7(r: Result) -> list[Row]:
    """Table 7 tested: all attributes beside those that are left, one match left out at a time."""
    what = (
        f"table 7: {r['hero']}, {'all attributes' if r['list'] == 'all' else 'without them'}, {STREETS[r['street']]}, %"
    )
    return [
        _accuracy_row(
            r, what, f"{r['matches']} matches of {r['hands']} hands, one left out at a time; {r['leaves']:.0f} leaves"
        )
    ]


def _dropping_rows(results: Sequence[Result]) -> list[Row]:
    """Table 7 as a claim: leaving these attributes out costs nothing."""
    made = []
    found = {(r["hero"], r["street"], r["list"]): r for r in results}
    for (hero, k, name), whole in found.items():
        without = found.get((hero, k, "usual"))
        if name != "all" or without is None:
            continue
        errors = (share_error(r["accuracy"] * r["n"], r["n"]) for r in (whole, without))
        cost = 100 * (whole["accuracy"] - without["accuracy"])
        test = Measured(0.0, cost, 100 * math.hypot(*errors), resolution=1.0)
        why = f"ours: {test.judge()[1]}; a point is the resolution; errors as of separate decisions"
        what = f"table 7: {hero}, what leaving them out costs, {STREETS[k]}, points"
        printed = Printed("unimportant", "table 7", 597 + k)
        made.append(Row(what, f"{cost:+.2f}", f"± {test.half:.2f}", why, printed, test, _akuma(hero)))
    return made


_MOST = (("2.7", 861), ("5.6", 861), ("2.6", 903), ("9.1", 861))
"""The largest deviation of raises, calls and folds by street, over three matches; the turn's is by table 15."""


def _rows_matches(r: Result) -> list[Row]:
    """Tables 14-16 in Kischka's form: three matches, seats apart, the largest deviation of a count."""
    made = []
    for k, street in enumerate(STREETS):
        largest = [max(_deviations(pairs, k)) for pairs in r["found"]]
        found = Moments.of(largest)
        spread = math.sqrt(found.variance)
        text, line = _MOST[k]
        first = r["found"][0]
        folds = " ".join(f"{one[k]['folds']}:{other[k]['folds']}" for one, other in first)
        why = f"{r['repetitions']} times three matches of {r['play']} hands; folds of the first three {folds}"
        what = f"table 15: {r['hero']}, largest deviation of a count in three matches, {street}, %"
        printed = Printed(text, "table 15", line)
        # One set of three matches there, the mean of several here: the spread is that of one set.
        test = Measured(float(text), found.mean, found.estimate().standard_error, spread, len(largest))
        another = None if r["hero"] == "rich" else ("player", f"TunedFixedRichieRich there, {r['hero']} here")
        if another is None and r["play"] != 1000:
            another = ("quantity", f"matches of 1,000 hands there, of {r['play']} here")
        made.append(Row(what, f"{found.mean:.1f}", "", why, printed, test, another))  # type: ignore[arg-type]
    return made + kischka_tables.match_rows(r)


def _deviations(pairs: Any, street: int) -> list[float]:
    """By how many per cent counts of actions differ, in all matches."""
    found = [0.0]
    for one, other in pairs:
        for action in ("raises", "calls", "folds"):
            if one[street][action]:
                found.append(100 * abs(other[street][action] / one[street][action] - 1))
    return found


def _rows_6(r: Result) -> list[Row]:
    what, ours = f"table 6: {STREETS[r['street']]}, best subset", ", ".join(r["best_first"])
    return [Row(what, ours, "", f"greedy: {', '.join(r['greedy'])}")]


_BETTING = (
    ("rfc, frc, ccc", "223", 1340),
    ("rcc, crc, cc", "463", 1344),
    ("rc, crc, cc", "463", 1347),
    ("-, r, crc, cr", "463", 1351),
)
"""Figures 10 to 13: the values of the great bars, how many values there are, and the line."""


def _rows_betting(r: Result) -> list[Row]:
    """The commonest sequences of another player; how many can occur is counted, and he gives it twice."""
    k = r["street"]
    ours = ", ".join(f"{text} {100 * share:.1f} %" for text, share in r["values"][: 4 if k == 3 else 3])
    text, possible, line = _BETTING[k]
    why = f"{r['occur']} of {r['possible']} values occur; before a river decision"
    what = f"figure {10 + k}: commonest betting, {STREETS[k]}"
    made = [Row(what, ours, "", why, Printed(text, f"figure {10 + k}", line), another=_akuma(r["hero"]))]
    why = "section 5.2.1 (line 604) itself has 178 before the flop and 370 after it, as here"
    test = Exact(possible, r["possible"])
    what = f"figure {10 + k}: values that {STREETS[k].upper()}_ACTION can have"
    return [*made, Row(what, str(r["possible"]), "", why, Printed(possible, f"figure {10 + k}", line), test)]


def _betting_chart(r: Result) -> Chart:
    """How often every value occurs."""
    values = [text for text, _ in r["values"]]
    series = [Series("share", values, [share for _, share in r["values"]])]
    title = f"figure {10 + r['street']}: betting of {r['hero']}, {STREETS[r['street']]}"
    caption = f"Before river decisions; {len(values)} of {r['possible']} values occur."
    return Chart(title, "betting", "share of decisions", series, kind="bars", caption=caption)


def _rows_alike(r: Result) -> list[Row]:
    low, high = r["agreement"]["ci95"]
    why = f"{r['agreement']['decisions']} decisions"
    what = f"{'tables 14-16' if r['hero'] == 'rich' else 'tables 17-22'}: {r['hero']}, agreement of actions, %"
    made = [Row(what, f"{100 * r['agreement']['share']:.2f}", f"{100 * low:.2f} .. {100 * high:.2f}", why)]
    for street in STREETS:
        made.append(_deviation_row(r, street))
    one, other = r["showdowns"]
    why = f"{one['played']} and {other['played']} showdowns"
    ours = f"{100 * (other['share'] - one['share']):+.2f}"
    if r["hero"] == "rich":
        made.append(Row("table 16: rich, showdowns won, points", ours, "", why, *_three("within 0.5", 16, 870)))
    else:
        printed, another = kischka_tables.showdowns_of_akuma(), _akuma(r["hero"])
        made.append(Row(f"table 21: {r['hero']}, showdowns won, points", ours, "", why, printed, another=another))
    d = r["difference_bb_per_hand"]
    table = "table 14" if r["hero"] == "rich" else "table 22"
    what = f"{table}: {r['hero']}, net of the clone less the original's, bb/hand"
    interval = f"{d['ci95'][0]:+.4f} .. {d['ci95'][1]:+.4f}"
    made.append(Row(what, f"{d['mean']:+.4f}", interval, f"{d['deals']} deals, each in every seat"))
    return made


def _deviation_row(r: Result, street: str) -> Row:
    moved = [
        abs(k["percent"])
        for k in r["rows"]
        if k["street"] == street and k["figure"] in ("raises", "calls", "folds") and k["percent"] is not None
    ]
    ours = f"{max(moved, default=0.0):.1f}"
    if r["hero"] != "rich":  # a player that adapts is held beside Akuma, which does too
        number = STREETS.index(street)
        what = f"table {17 + number}: {r['hero']}, largest deviation of an action, {street}, %"
        return Row(what, ours, "", "", kischka_tables.largest_of_akuma(number), another=_akuma(r["hero"]))
    what = f"table 15: {r['hero']}, largest deviation of an action, {street}, %"
    text = _DEVIATIONS.get(street)
    return Row(what, ours) if text is None else Row(what, ours, "", "", *_three(text, 15, 861))


def _three(words: str, table: int, line: int) -> tuple[Printed, None, tuple[Another, str]]:
    """A largest deviation of three matches: ours is over many more hands, of which the largest is smaller."""
    another: tuple[Another, str] = ("quantity", "the largest of three matches of 1,000 hands")
    return Printed(words, f"table {table}", line), None, another


def _rows_real(r: Result) -> list[Row]:
    if r["street"] is None:
        return _rows_alike(r)
    why = (
        f"majority-class baseline {_percent(r['majority'])}; {r['single']} alone {_percent(r['single_accuracy'])}; "
        f"ceiling by nearest neighbours {_percent(r['ceiling']['high'])}; the model expects "
        f"{_percent(r['mean_chance'])} of itself"
    )
    return [_accuracy_row(r, f"tables 17-22: Pluribus, {r['model']}, {STREETS[r['street']]}, %", why)]


def _rows_outlook(r: Result) -> list[Row]:
    if r["what"] == "steer":
        return [_steered(r)]
    if r["what"] == "small":
        return [_accuracy_row(r, "outlook: 500 rows, leaves of 12 bits, flop, %", f"{r['leaves']:.0f} leaves")]
    if r["what"] == "winnings":
        interval = f"{r['ci95'][0]:+.3f} .. {r['ci95'][1]:+.3f}"
        why = f"against two {r['hero']}, {r['plays']} hands; it has only seen what {r['hero']} itself does"
        return [Row("outlook: playing the action that brings most, bb/hand", f"{r['bb_per_hand']:+.3f}", interval, why)]
    why = f"the median alone errs by {r['error_of_the_median']:.2f}"
    return [Row("outlook: chips to invest on the flop, mean error", f"{r['mean_error']:.2f}", "", why)]


def _steered(r: Result) -> Row:
    before, after = r["recall"]
    ours = f"recall {_percent(before)} to {_percent(after)}"
    why = f"folds weigh ten times; precision {_percent(r['precision'][0])} to {_percent(r['precision'][1])}"
    printed = Printed("recall of one class can be raised", "section 7.2", 940)
    another: tuple[Another, str] = ("definition", "by choosing attributes there, by weights of the classes here")
    return Row("outlook: steering folds on the flop, %", ours, "", why, printed, Sign(after - before, 0.0), another)


_ROWS = {
    "1": _rows_1, "13": _rows_13, "8": _rows_8, "10": _rows_lists, "12": _rows_lists, "3-7": _rows_curve,
    "6.3.1": _rows_forms, "6": _rows_6, "10-13": _rows_betting, "14-16": _rows_alike, "7": _rows_7,
    "matches": _rows_matches, "8-9": lambda r: [], "7.2": kischka_tables.akuma_rows,
    "17-22": _rows_real, "outlook": _rows_outlook,
}  # fmt: skip


def charts(results: Sequence[Result]) -> list[Chart]:
    """Learning curves with their intervals, and the classifiers side by side."""
    made = []
    curves = [r for r in results if r["figure"] == "3-7"]
    for hero in dict.fromkeys(r["hero"] for r in curves):
        for y, title in (("accuracy", "accuracy"), ("leaves", "leaves of the tree")):
            series = [_series(sorted(_of(curves, hero, k), key=lambda r: r["trained_on"]), y, k) for k in range(4)]
            made.append(
                Chart(
                    f"{hero}: {title} by rows learned from",
                    "rows",
                    title,
                    [s for s in series if s.x],
                    log_x=True,
                    caption=f"seven folds by card set; {INTERVAL}s of the accuracy (Wilson)",
                )
            )
    made += kischka_tables.curve_charts(results)
    made += [_betting_chart(r) for r in results if r["figure"] == "10-13"]
    judged = [r for r in results if r["figure"] == "8"]
    for hero in dict.fromkeys(r["hero"] for r in judged):
        series = []
        for k in range(4):
            mine = _of(judged, hero, k)
            series.append(
                Series(
                    STREETS[k],
                    [r["model"] for r in mine],
                    [r["accuracy"] for r in mine],
                    [r["ci95"][0] for r in mine],
                    [r["ci95"][1] for r in mine],
                )
            )
        made.append(Chart(f"{hero}: classifiers", "model", "accuracy", series, kind="bars", caption="table 8; seed 7"))
    return made


def _of(results: Sequence[Result], hero: str, street: int) -> list[Result]:
    return [r for r in results if r["hero"] == hero and r["street"] == street]


def _series(mine: list[Result], y: str, street: int) -> Series:
    x, values = [float(r["trained_on"]) for r in mine], [float(r[y]) for r in mine]
    if y != "accuracy":
        return Series(STREETS[street], x, values)
    return Series(STREETS[street], x, values, [r["ci95"][0] for r in mine], [r["ci95"][1] for r in mine])
