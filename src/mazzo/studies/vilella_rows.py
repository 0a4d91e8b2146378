"""What the study of Vilella (2011) found, as rows beside the text's figures and as charts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.statistics import Z95, student
from mazzo.studies.row import Row, Verdict, verdict

__all__ = ["FREE", "RANDOM", "charts", "rows"]

RANDOM, FREE = "random", "random:free_fold=true"

Result = dict[str, Any]

_CHIPS_A_BLIND = 30_000
_BLOCK = 10_000 / _CHIPS_A_BLIND
"""Half of the 95 % interval of one of the text's blocks of 3,000 hands, in big blinds a hand."""

_SHARED = {"5.1 exact": [("5.3", 10)], "5.4": [("5.3", 10)], "5.6": [("5.5", 300)]}
"""Heroes that stand in a figure but were learned for another."""

_WHAT = {
    "5.1": "5.1: n_min {x}, sampled PV",
    "5.1 exact": "5.1: n_min {x}, exact PV",
    "5.2": "5.2: only stage, turn, PV, pot; n_min {x}",
    "5.3": "5.3: n_min 10, exact PV, several seeds",
    "5.4": "5.4: {x} trees",
    "again": "5,000 hands more, of the hero against random",
    "reward": "n_min 10, reward {x}",
    "equity": "n_min {x}, reward equity",
    "best": "{x}",
    "5.5": "5.5: 50 trees, n_min {x}",
    "5.5 both": "5.5: n_min {x}, rows of both players",
    "5.6": "5.6: n_min 300, without {x}",
    "raise": "always raising",
}


class Mean(NamedTuple):
    """A mean over seeds with half of its 95 % interval."""

    value: float
    half: float
    seeds: int


def _mean(group: Sequence[Result]) -> Mean:
    """Between logs there is more chance than within a match; with one log only the match's own error is known."""
    values = np.array([r["bb_per_hand"] for r in group])
    if len(values) == 1:
        return Mean(float(values[0]), Z95 * group[0]["standard_error"], 1)
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Mean(float(values.mean()), student(len(values)) * error, len(values))


class Found:
    """Results by figure, what varies and opponent."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.groups: dict[tuple[str, Any, str], list[Result]] = {}
        self.bounds: dict[str, float] = {}
        self.bandits: list[Result] = []
        self.online: list[Result] = []
        for r in results:
            if r["kind"] == "bound":
                self.bounds[r["opponent"]] = r["bound"]
            elif r["kind"] == "bandit":
                self.bandits.append(r)
            elif r["kind"] == "online":
                self.online.append(r)
            else:
                self.groups.setdefault((r["figure"], r.get("x", ""), r["opponent"]), []).append(r)

    def mean(self, figure: str, x: Any, opponent: str) -> Mean | None:
        """What was found for one point of a figure, if it was done."""
        group = self.groups.get((figure, x, opponent))
        return _mean(group) if group else None

    def points(self, figure: str, opponent: str) -> list[tuple[Any, list[Result]]]:
        """All points of a figure against an opponent, in order where they are numbers."""
        own = [(x, group) for (f, x, o), group in self.groups.items() if (f, o) == (figure, opponent)]
        for other, x in _SHARED.get(figure, []):
            shared = self.groups.get((other, x, opponent))
            if shared and (own or figure == "5.4"):
                own.append(({"5.4": 100, "5.6": "nothing"}.get(figure, x), shared))
        return sorted(own, key=lambda point: point[0] if isinstance(point[0], int) else 0)

    def opponents(self) -> list[str]:
        """Those that were played against."""
        known = {opponent for _, _, opponent in self.groups}
        return [name for name in (RANDOM, FREE, "chart") if name in known]


def rows(results: Sequence[Result]) -> list[Row]:
    """The text's figures beside ours, from whatever tasks are done."""
    found = Found(results)
    made = [_bandit_row(result) for result in found.bandits]
    for opponent in found.opponents():
        for figure in _WHAT:
            made += [_row(found, figure, x, group, opponent) for x, group in found.points(figure, opponent)]
        made += [_log_row(group, opponent) for _, group in found.points("log", opponent)]
    made += [_online_row(result) for result in found.online]
    made += [_bound_row(opponent, bound) for opponent, bound in found.bounds.items()]
    return made


def _row(found: Found, figure: str, x: Any, group: list[Result], opponent: str) -> Row:
    ours = _mean(group)
    bound = found.bounds.get(opponent)
    told = f"{ours.value:+.3f} bb/hand"
    if bound:
        told += f", {100 * ours.value / bound:.0f} % of {bound:.4f}"
    text = _text_of(figure, x, group)
    printed = " ".join(map(str, text)) + f" chips = {np.mean(text) / _CHIPS_A_BLIND:+.2f} bb/hand" if text else "-"
    agreed, why = _verdict(found, figure, ours, text, group)
    if figure in ("5.5", "again"):
        printed = {"5.5": "profitable", "again": "no significant gain"}[figure]
    interval = f"+- {ours.half:.3f} ({ours.seeds} seed{'s' * (ours.seeds > 1)}, {group[0]['play']} hands each)"
    return Row(f"{_WHAT[figure].format(x=x)}, against {opponent}", printed, told, interval, agreed, why)


def _text_of(figure: str, x: Any, group: list[Result]) -> list[int]:
    if figure == "5.1 exact" and x == 10:
        return [36825]
    if figure == "5.4" and x == 100:
        return [33300]
    return [] if figure == "5.6" else list(group[0].get("text", []))


def _verdict(found: Found, figure: str, ours: Mean, text: list[int], group: list[Result]) -> tuple[Verdict, str]:
    if figure == "5.5":
        return ("agrees", "") if ours.value - ours.half > 0 else ("differs", "the interval does not exclude zero")
    opponent = group[0]["opponent"]
    if figure == "again":
        before = found.mean("5.3", 10, opponent)
        if before is None:
            return "added", ""
        gain, half = ours.value - before.value, math.hypot(ours.half, before.half)
        why = f"{gain:+.3f} +- {half:.3f} beside the hero without them"
        return verdict(gain <= half), why
    if figure == "5.6":
        return _missing(found, ours, group)
    if not text:
        return "added", ""
    printed, half = float(np.mean(text)) / _CHIPS_A_BLIND, math.hypot(_BLOCK / math.sqrt(len(text)), ours.half)
    if abs(ours.value - printed) <= half:
        return "agrees", f"within +- {half:.2f}, most of it the text's own chance over {len(text)} x 3,000 hands"
    if ours.value < printed:
        return "differs", "the text's one block of hands was lucky, or its random player folds more"
    by_print = found.mean("reward", "document", opponent)
    why = "rewards here sum to what was won; the text's code counts stakes twice and has a sign wrong"
    return "differs", why + (f" (with it, at n_min 10: {by_print.value:+.2f})" if by_print else "")


def _missing(found: Found, ours: Mean, group: list[Result]) -> tuple[Verdict, str]:
    name, whole = group[0]["x"], found.mean("5.5", 300, group[0]["opponent"])
    if not isinstance(name, str):
        return "added", "all eleven attributes, for comparison"
    if whole is None:
        return "added", ""
    loss, half = whole.value - ours.value, math.hypot(whole.half, ours.half)
    why = f"costs {loss:+.3f} +- {half:.3f} beside all eleven"
    if name in ("stage", "raises", "raises_sb"):
        return verdict(loss > half), f"the text: matters most; {why}"
    if name == "pv":
        return verdict(loss <= half), f"the text: matters little; {why}"
    return "added", why


def _log_row(group: list[Result], opponent: str) -> Row:
    arena = _mean(group)
    judged = [{"bb_per_hand": r["from_log"], "standard_error": r["from_log_error"]} for r in group]
    told = _mean(judged)
    apart = told.value - arena.value
    return Row(
        f"judged from the log alone (fitted Q evaluation), n_min 10, against {opponent}",
        "-",
        f"{told.value:+.3f} bb/hand; the arena: {arena.value:+.3f}",
        f"+- {told.half:.3f}; the arena: +- {arena.half:.3f}",
        "added",
        f"off by {apart:+.2f}: its interval is of the log's chance, not of the regressor's bias; the arena decides",
    )


def _online_row(result: Result) -> Row:
    """Earnings before the switch (after exploring), until it was noticed, and after learning anew."""
    every, switch = result["every"], result["switch"]
    noticed = [hand for hand in result["noticed"] if hand > switch]
    until = (noticed[0] if noticed else result["hands"]) // every
    parts = [result["mean"][2 : switch // every], result["mean"][switch // every : until], result["mean"][until:]]
    told = [f"{np.mean(part):+.2f}" if part else "-" for part in parts]
    false = sum(hand <= switch for hand in result["noticed"])
    after = f"noticed {noticed[0] - switch} hands later" if noticed else "not noticed"
    first, second = result["opponents"]
    return Row(
        f"on-line, {first} becomes {second} after {switch} hands, seed {result['seed']}",
        "suggested, not tried",
        f"{told[0]} before, {told[1]} until it is noticed, {told[2]} after, bb/hand; {after}, {false} false alarms",
        f"about +- {Z95 * np.mean(result['error']):.2f} for every {every} hands",
        "added",
        "mean residual of new hands beside the usual, by Welch's test at 3.5 standard errors",
    )


def _online_chart(result: Result) -> Chart:
    mean, error = np.array(result["mean"]), Z95 * np.array(result["error"])
    hands = [result["every"] * (k + 1) for k in range(len(mean))]
    series = [Series("online", hands, mean.tolist(), (mean - error).tolist(), (mean + error).tolist())]
    first, second = result["opponents"]
    told = ", ".join(map(str, result["noticed"])) or "never"
    caption = (
        f"Means of {result['every']:,} hands with {INTERVAL}s, seed {result['seed']}; {first} becomes {second} "
        f"after {result['switch']:,} hands; a change was noticed after hand: {told}."
    )
    title = f"a hero that goes on learning, seed {result['seed']}"
    return Chart(title, "hands", "big blinds a hand", series, caption=caption)


def _bound_row(opponent: str, bound: float) -> Row:
    return Row(
        f"the most that can be won against {opponent}",
        "-",
        f"{bound:.4f} bb/hand",
        "exact",
        "added",
        "best response by backward induction; the text has no bound",
    )


def _bandit_row(result: Result) -> Row:
    last = {name: (result["mean"][name][-1], result["error"][name][-1]) for name in result["ways"]}
    order = sorted(last, key=lambda name: -last[name][0])
    random = last["random"]
    better = all(
        mean - Z95 * error > random[0] + Z95 * random[1] for name, (mean, error) in last.items() if name != "random"
    )
    step = "sample averages" if result["step"] is None else f"constant step {result['step']}"
    return Row(
        f"{result['figure'].split()[0]}: average reward after 1,000 plays, {step}",
        "each way far above random; none is best everywhere",
        "; ".join(f"{name} {last[name][0]:.3f}" for name in order),
        "; ".join(f"+- {Z95 * last[name][1]:.3f}" for name in order),
        verdict(better),
        f"mean of {result['runs']} bandits; the text shows single ones",
    )


def charts(results: Sequence[Result]) -> list[Chart]:
    """The figures worth drawing, from whatever tasks are done."""
    found = Found(results)
    made = [_bandit_chart(result) for result in found.bandits]
    for opponent in found.opponents():
        made += _hero_charts(found, opponent)
    return made + [_online_chart(result) for result in found.online]


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
                    "big blinds a hand",
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
    means = [_mean(group) for _, group in points]
    made = [
        Series(label, x, [m.value for m in means], [m.value - m.half for m in means], [m.value + m.half for m in means])
    ]
    printed = [(point, _text_of(figure, point, group)) for point, group in points]
    printed = [(point, text) for point, text in printed if text]
    if printed:
        values = [float(np.mean(text)) / _CHIPS_A_BLIND for _, text in printed]
        halves = [_BLOCK / math.sqrt(len(text)) for _, text in printed]
        made.append(
            Series(
                f"the text, {label}",
                [point for point, _ in printed],
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
    text = dict(zip((33, 34, 35), group[0]["text"], strict=False))
    ours = Series(
        "ours",
        [str(seed) for seed in values],
        [v for v, _ in values.values()],
        [v - h for v, h in values.values()],
        [v + h for v, h in values.values()],
    )
    theirs = [text[seed] / _CHIPS_A_BLIND for seed in text]
    other = Series(
        "the text", [str(s) for s in text], theirs, [v - _BLOCK for v in theirs], [v + _BLOCK for v in theirs]
    )
    caption = f"n_min 10; each hero played {group[0]['play']:,} hands; {INTERVAL}s of the matches."
    title = f"figure 5.3, against {opponent}"
    return [
        Chart(title, "seed", "big blinds a hand", [ours, other], kind="bars", references=references, caption=caption)
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
        ("fitted Q evaluation of the log", "from_log", "from_log_error"),
    ):
        low = [r[value] - Z95 * r[error] for r in group]
        high = [r[value] + Z95 * r[error] for r in group]
        series.append(Series(label, seeds, [r[value] for r in group], low, high))
    caption = f"{INTERVAL}s: of the match; of hands drawn again from the log, which says nothing of the bias."
    title = f"judged from the log and played, against {opponent}"
    return [Chart(title, "seed", "big blinds a hand", series, kind="bars", caption=caption)]


def _bandit_chart(result: Result) -> Chart:
    series = []
    for name in result["ways"]:
        mean, error = np.array(result["mean"][name]), Z95 * np.array(result["error"][name])
        series.append(Series(name, result["plays"], mean.tolist(), (mean - error).tolist(), (mean + error).tolist()))
    step = "sample averages" if result["step"] is None else f"constant step {result['step']}"
    caption = f"Mean of {result['runs']:,} ten-armed bandits, seed {result['seed']}; {INTERVAL}s of the mean."
    title = f"figures {result['figure'].split()[0]}: average reward, {step}"
    return Chart(title, "plays", "average reward", series, log_x=True, caption=caption)
