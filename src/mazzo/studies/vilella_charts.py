"""The figures of the study of Vilella (2011), drawn from what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.statistics import Z95
from mazzo.studies import vilella_online, vilella_support
from mazzo.studies.vilella_found import (
    CHIPS_A_BLIND,
    PRINTED,
    Found,
    Result,
    block_error,
    mean_of,
)

__all__ = ["charts"]


def charts(results: Sequence[Result]) -> list[Chart]:
    """The figures worth drawing, from whatever tasks are done."""
    found = Found([r for r in results if r["kind"] not in vilella_support.KINDS | vilella_online.KINDS])
    made = [_bandit_chart(result) for result in found.bandits]
    for opponent in found.opponents():
        made += _hero_charts(found, opponent)
    return made + vilella_online.charts(results)


_FIGURES = (
    ("figure 5.1", "n_min", (("5.1", "sampled PV"), ("5.1 exact", "exact PV")), True),
    ("figure 5.2: only stage, turn, PV and pot", "n_min", (("5.2", "four attributes"),), True),
    ("figure 5.4", "trees", (("5.4", "n_min 10"),), True),
    ("figure 5.5", "n_min", (("5.5", "50 trees"),), True),
    ("figure 5.6", "attribute left out", (("5.6", "n_min 300"),), False),
)


def _hero_charts(found: Found, opponent: str) -> list[Chart]:
    made = []
    references = _references(found, opponent)
    for title, varies, parts, log_x in _FIGURES:
        series = [s for figure, label in parts for s in _series(found, figure, label, opponent)]
        if series:
            made.append(
                Chart(
                    f"{title}, against {opponent}",
                    varies,
                    "big blinds per hand",
                    series,
                    kind="line" if log_x else "bars",
                    references=references,
                    log_x=log_x,
                    caption=_caption(found, [figure for figure, _ in parts], opponent),
                )
            )
    return (
        made + _seed_chart(found, opponent, references) + _residual_chart(found, opponent) + _log_chart(found, opponent)
    )


def _references(found: Found, opponent: str) -> list[tuple[str, float]]:
    references = [("the most that can be won", found.bounds[opponent])] if opponent in found.bounds else []
    always = found.mean("raise", "", opponent)
    return references + ([("always raising", always.value)] if always else [])


def _caption(found: Found, figures: Sequence[str], opponent: str) -> str:
    group = next(group for figure in figures for _, group in found.points(figure, opponent))
    seeds = sorted(r["seed"] for r in group)
    named = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"
    return (
        f"Learned from {group[0]['hands']:,} hands, {named}; each hero played {group[0]['play']:,} in duplicate; "
        f"{INTERVAL}s {'over seeds' if len(seeds) > 1 else 'of the match alone'}."
    )


def _series(found: Found, figure: str, label: str, opponent: str) -> list[Series]:
    points = found.points(figure, opponent)
    if not points:
        return []
    x = [point for point, _ in points]
    means = [mean_of(group) for _, group in points]
    made = [
        Series(label, x, [m.value for m in means], [m.value - m.half for m in means], [m.value + m.half for m in means])
    ]
    printed = [(point, PRINTED[figure, point][0], group) for point, group in points if (figure, point) in PRINTED]
    if printed:
        values = [float(np.mean(text)) / CHIPS_A_BLIND for _, text, _ in printed]
        halves = [Z95 * block_error(group) / math.sqrt(len(text)) for _, text, group in printed]
        made.append(
            Series(
                f"the document, {label}",
                [point for point, _, _ in printed],
                values,
                [v - h for v, h in zip(values, halves, strict=True)],
                [v + h for v, h in zip(values, halves, strict=True)],
            )
        )
    return made


def _seed_chart(found: Found, opponent: str, references: list[tuple[str, float]]) -> list[Chart]:
    group = found.groups.get(("5.3", 10, opponent), [])
    if not group:
        return []
    values = {r["seed"]: (r["bb_per_hand"], Z95 * r["standard_error"]) for r in group}
    blocks = PRINTED["5.3", 10][0]
    text = {33: float(np.mean(blocks[:3])), 34: blocks[3], 35: blocks[4]}
    ours = Series(
        "ours",
        [str(seed) for seed in values],
        [v for v, _ in values.values()],
        [v - h for v, h in values.values()],
        [v + h for v, h in values.values()],
    )
    theirs = [text[seed] / CHIPS_A_BLIND for seed in text]
    half = Z95 * block_error(group)
    other = Series(
        "the document", [str(s) for s in text], theirs, [v - half for v in theirs], [v + half for v in theirs]
    )
    caption = f"n_min 10; each hero played {group[0]['play']:,} hands; {INTERVAL}s of the matches."
    title = f"figure 5.3, against {opponent}"
    return [
        Chart(title, "seed", "big blinds per hand", [ours, other], kind="bars", references=references, caption=caption)
    ]


def _residual_chart(found: Found, opponent: str) -> list[Chart]:
    points = [*found.points("5.1 exact", opponent), *found.points("5.5", opponent)]
    series = []
    for x, group in points:
        mean = np.mean([r["residuals"] for r in group], axis=0)
        series.append(Series(f"n_min {x}", list(range(1, len(mean) + 1)), [float(k) for k in mean]))
    if not series:
        return []
    caption = "Root mean square over the logged decisions of what each iteration's target adds to the Q before; chips."
    return [Chart(f"Bellman residuals, against {opponent}", "iteration", "chips", series, caption=caption)]


def _log_chart(found: Found, opponent: str) -> list[Chart]:
    points = found.points("log", opponent)
    if not points:
        return []
    group = points[0][1]
    seeds = [str(r["seed"]) for r in group]
    series = []
    for label, value, error in (
        ("the arena", "bb_per_hand", "standard_error"),
        ("fitted Q evaluation of the log", "from_log", None),
    ):
        own = [r[value] for r in group]
        if error is None:
            series.append(Series(label, seeds, own))
            continue
        low, high = ([r[value] + side * Z95 * r[error] for r in group] for side in (-1, 1))
        series.append(Series(label, seeds, own, low, high))
    caption = f"{INTERVAL}s of the match. Fitted Q evaluation has none: no interval of it is known to hold the truth."
    title = f"judged from the log and played, against {opponent}"
    return [Chart(title, "seed", "big blinds per hand", series, kind="bars", caption=caption)]


def _bandit_chart(result: Result) -> Chart:
    series = []
    for name in result["ways"]:
        mean, error = np.array(result["mean"][name]), Z95 * np.array(result["error"][name])
        series.append(Series(name, result["plays"], mean.tolist(), (mean - error).tolist(), (mean + error).tolist()))
    step = "sample averages" if result["step"] is None else f"constant step {result['step']}"
    caption = f"Mean of {result['runs']:,} ten-armed bandits, seed {result['seed']}; {INTERVAL}s of the mean."
    title = f"figures {result['figure'].split()[0]}: average reward, {step}"
    return Chart(title, "plays", "average reward", series, log_x=True, caption=caption)
