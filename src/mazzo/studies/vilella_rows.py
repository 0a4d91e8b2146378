"""What the study of Vilella (2011) found, as rows beside the text's figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mazzo.statistics import Z95
from mazzo.studies import vilella_online, vilella_support
from mazzo.studies.row import Another, Measured, Printed, Row, Sign, Test
from mazzo.studies.vilella_found import (
    CHIPS_A_BLIND,
    FREE,
    PRINTED,
    Found,
    Mean,
    Result,
    block_error,
    mean_of,
)

__all__ = ["rows"]

_PLACES = {"5.1": (38, "figure 5.1"), "5.1 exact": (None, "section 5.1"), "5.2": (39, "figure 5.2"),
           "5.3": (40, "figure 5.3"), "5.4": (41, "figure 5.4")}  # fmt: skip
_NOT_HIS_RANDOM = (
    "his random player folds also where checking is free (section 4.1, line 673); see the rows of random:free_fold=true"
)
_NOT_HIS_CHART = "his bot follows a handout of pokerstrategy.com that is not public; ours is the chart of docs/chart.md"
_WHAT = {
    "5.1": "5.1: n_min {x}, sampled PV",
    "5.1 exact": "5.1: n_min {x}, exact PV",
    "5.2": "5.2: only stage, turn, PV, pot; n_min {x}",
    "5.3": "5.3: n_min 10, exact PV, several seeds",
    "5.4": "5.4: {x} trees",
    "his 5.1": "5.1 in his setting (his reward code): n_min {x}, sampled PV",
    "his 5.1 exact": "5.1 in his setting (his reward code): n_min {x}, exact PV",
    "his 5.2": "5.2 in his setting (his reward code, sampled PV): only stage, turn, PV, pot; n_min {x}",
    "his 5.4": "5.4 in his setting (his reward code): {x} trees",
    "printed 5.1": "5.1 by his printed program: n_min {x}, exact PV",
    "printed 5.1 exact": "5.1 by his printed program: n_min {x}, exact PV",
    "printed 5.2": "5.2 by his printed program: only stage, turn, PV, pot; n_min {x}, exact PV",
    "printed 5.4": "5.4 by his printed program: {x} trees",
    "uncut 5.1": "5.1 by his printed program, but the betting whole: n_min {x}, exact PV",
    "uncut 5.1 exact": "5.1 by his printed program, but the betting whole: n_min {x}, exact PV",
    "uncut 5.2": "5.2 by his printed program, but the betting whole: only stage, turn, PV, pot; n_min {x}, exact PV",
    "more hands": "5.1: a data base of {x:,} hands, n_min 30",
    "other data": "3.2: another data set at each of {x} iterations, n_min 30",
    "repeated": "5.3: the same hero in another match of seed 33, number {x}",
    "adaptive": "chapter 6: {x}",
    "continuous": "chapter 6: {x}, n_min 30",
    "again": "5,000 hands more, of the hero against random",
    "reward": "n_min 10, reward {x}",
    "equity": "n_min {x}, reward equity",
    "best": "{x}",
    "5.5": "5.5: 50 trees, n_min {x}",
    "5.5 both": "5.5: n_min {x}, rows of both players",
    "5.6": "5.6: n_min 300, without {x}",
    "raise": "always raising",
}


def rows(results: Sequence[Result]) -> list[Row]:
    """Vilella's figures beside ours, from whatever tasks are done."""
    found = Found([r for r in results if r["kind"] not in vilella_support.KINDS | vilella_online.KINDS])
    made = [row for result in found.bandits for row in _bandit_rows(result)]
    for opponent in found.opponents():
        for figure in _WHAT:
            made += [_row(found, figure, x, group, opponent) for x, group in found.points(figure, opponent)]
        made += [_log_row(group, opponent) for _, group in found.points("log", opponent)]
    made += _exact_against_sampled(found)
    made += [_blocks_row(result) for result in found.blocks]
    made += vilella_online.rows(results)
    made += [_bound_row(opponent, bound) for opponent, bound in found.bounds.items()]
    return made + vilella_support.rows(results)


def _row(found: Found, figure: str, x: Any, group: list[Result], opponent: str) -> Row:
    ours = mean_of(group)
    bound = found.bounds.get(opponent)
    told = f"{ours.value:+.3f} bb/hand"
    if bound:
        told += f", {100 * ours.value / bound:.0f} % of {bound:.4f}"
    printed, test, why = _judged(found, figure, x, ours, group)
    another: tuple[Another, str] | None = None
    if printed is not None and opponent != FREE:
        another = ("opponent", _NOT_HIS_CHART if opponent == "chart" else _NOT_HIS_RANDOM)
    interval = f"± {ours.half:.3f} ({ours.seeds} seed{'s' * (ours.seeds > 1)}, {group[0]['play']} hands each)"
    return Row(f"{_WHAT[figure].format(x=x)}, against {opponent}", told, interval, why, printed, test, another)


def _judged(
    found: Found, figure: str, x: Any, ours: Mean, group: list[Result]
) -> tuple[Printed | None, Test | None, str]:
    """What Vilella prints of a point, how ours is held against it, and what else is to be said."""
    if figure == "5.5":
        words = "effective policies for n_min from 10 to 3000"
        return Printed(words, "figure 5.5", 756, 41), Sign(ours.value, ours.error, ours.repetitions), ""
    if figure in ("again", "more hands", "other data"):
        return _gain(found, figure, ours, group)
    if figure == "reward" and x == "document":
        figure, x = "his 5.1 exact", 10
    if figure == "5.6":
        return _missing(found, ours, group)
    own = figure.removeprefix("his ").removeprefix("printed ").removeprefix("uncut ")
    text, line = PRINTED.get((own, x), ((), 0))
    if not text:
        return None, None, ""
    page, place = _PLACES[own]
    value = float(np.mean(text)) / CHIPS_A_BLIND
    printed = Printed(f"{' '.join(map(str, text))} chips = {value:+.2f} bb/hand", place, line, page)
    error = block_error(group, found) / math.sqrt(len(text))
    why = ""
    if "shares" in group[0]:
        told = np.mean([r["shares"] for r in group], axis=0)
        why = f"in its log's situations it folds {told[0]:.0%}, calls {told[1]:.0%}, raises {told[2]:.0%}"
    return printed, Measured(value, ours.value, ours.error, error, ours.repetitions), why


_GAINS = {"again": ("5.3", 10, 731), "more hands": ("5.1 exact", 30, 701), "other data": ("5.1 exact", 30, 0)}
"""Heroes that a gain is counted from, and the line that says there is none."""


def _gain(found: Found, figure: str, ours: Mean, group: list[Result]) -> tuple[Printed | None, Test | None, str]:
    base, x, line = _GAINS[figure]
    before = found.mean(base, x, group[0]["opponent"])
    if before is None:
        return None, None, ""
    if not line:
        return (
            None,
            None,
            f"{ours.value - before.value:+.3f} beside one data set; he says it can be done, not that it helps",
        )
    gain, error = ours.value - before.value, math.hypot(ours.error, before.error)
    why = f"{gain:+.3f} beside the hero without them; resolution: a tenth of what that hero earns"
    printed = Printed("no significant gain", "section 5.1", line)
    return printed, Measured(0.0, gain, error, 0.0, ours.repetitions, abs(before.value) / 10), why


_CLAIMS = {
    "stage": ("fundamental", 776), "raises": ("fundamental", 776), "raises_sb": ("fundamental", 776),
    "turn": ("a little", 776), "pv": ("of low importance", 778), "bet_preflop": ("of very low importance", 780),
    "bet_flop": ("of very low importance", 780), "bet_turn": ("of very low importance", 780),
    "bet_river": ("of very low importance", 780),
}  # fmt: skip
"""What Vilella says of each attribute that a hero does without, and the line."""


def _missing(found: Found, ours: Mean, group: list[Result]) -> tuple[Printed | None, Test | None, str]:
    name, whole = group[0]["x"], found.mean("5.5", 300, group[0]["opponent"])
    if not isinstance(name, str) or whole is None:
        return None, None, "all eleven attributes, for comparison"
    loss, error = whole.value - ours.value, math.hypot(whole.error, ours.error)
    why = f"costs {loss:+.3f} beside all eleven"
    if name not in _CLAIMS:
        return None, None, why
    words, line = _CLAIMS[name]
    printed = Printed(words, "figure 5.6", line, 42)
    if "low" in words:
        resolution = abs(whole.value) / 10
        return printed, Measured(0.0, loss, error, 0.0, ours.repetitions, resolution), why
    return printed, Sign(loss, error, ours.repetitions), why


def _blocks_row(result: Result) -> Row:
    what = f"5.3: spread of one match of 3,000 hands, n_min 10, against {result['opponent']}"
    text = PRINTED["5.3", 10][0][:3]
    why = f"over {result['blocks']} matches; of three there"
    chips, theirs = result["block_sd"] * CHIPS_A_BLIND, float(np.std(text, ddof=1))
    printed = Printed(f"{' '.join(map(str, text))}: spread {theirs:.0f} chips", "section 5.1", 737)
    # The error of a spread of n normal numbers: the spread by the root of 2 (n - 1).
    errors = [chips / math.sqrt(2 * (n - 1)) for n in (result["blocks"], len(text))]
    ours = f"{chips:.0f} chips = {result['block_sd']:.3f} bb/hand"
    return Row(what, ours, "", why, printed, Measured(theirs, chips, *errors))


def _exact_against_sampled(found: Found) -> list[Row]:
    """Section 5.1: with exact PV "results about 25 % better"."""
    pairs = []
    for x in (4, 20):
        exact, sampled = found.mean("5.1 exact", x, FREE), found.mean("5.1", x, FREE)
        if exact is not None and sampled is not None:
            pairs.append((exact, sampled))
    if not pairs:
        return []
    gains = [100 * (e.value / s.value - 1) for e, s in pairs]
    errors = [100 * e.value / s.value * math.hypot(e.error / e.value, s.error / s.value) for e, s in pairs]
    error = math.sqrt(sum(k * k for k in errors)) / len(errors)
    printed = Printed("about 25 % better", "section 5.1", 733)
    test = Measured(25.0, float(np.mean(gains)), error)
    what = "5.1: exact PV beside sampled PV, n_min 4 and 20, %"
    return [Row(what, f"{np.mean(gains):+.1f}", "", f"sampled from {_SAMPLED} deals here", printed, test)]


_SAMPLED = 1000


def _log_row(group: list[Result], opponent: str) -> Row:
    arena = mean_of(group)
    told = float(np.mean([r["from_log"] for r in group]))
    apart = told - arena.value
    return Row(
        f"judged from the log alone (fitted Q evaluation), n_min 10, against {opponent}",
        f"{told:+.3f} bb/hand; the arena: {arena.value:+.3f}",
        f"the arena: ± {arena.half:.3f}",
        f"off by {apart:+.2f}: so it is given without an interval, and `mazzo learn` does not print it",
    )


def _bound_row(opponent: str, bound: float) -> Row:
    why = "best response by backward induction; the document has no bound"
    return Row(f"the most that can be won against {opponent}", f"{bound:.4f} bb/hand", "exact", why)


def _bandit_rows(result: Result) -> list[Row]:
    """Each way above random: so the curves of figures 2.3-2.7 show it, after 1,000 plays."""
    step = "sample averages" if result["step"] is None else f"constant step {result['step']}"
    low, low_error = result["mean"]["random"][-1], result["error"]["random"][-1]
    made = []
    for name in result["ways"]:
        value, error = result["mean"][name][-1], result["error"][name][-1]
        what = f"{result['figure'].split()[0]}: average reward after 1,000 plays, {name}, {step}"
        interval, why = f"± {Z95 * error:.3f}", f"mean of {result['runs']} bandits; the document shows single ones"
        if name == "random" or result["step"] is not None:
            made.append(Row(what, f"{value:.3f}", interval, why))
            continue
        figure, line, page = (
            ("figures 2.6-2.7", 273, 17) if name.startswith("softmax") else ("figures 2.3-2.5", 212, 13)
        )
        printed = Printed("its curve ends above random's", figure, line, page)
        test = Sign(value - low, math.hypot(error, low_error))
        made.append(Row(what, f"{value:.3f}", interval, why, printed, test))
    return made + (_exploring_rows(result) if result["figure"] == "2.3-2.5" else [])


_EXPLORING = (
    (100, "epsilon 0.1", "epsilon 0.01", "a large epsilon soon finds the good states"),
    (1000, "epsilon 0.01", "epsilon 0.1", "and in the end it has the smaller average reward"),
)


def _exploring_rows(result: Result) -> list[Row]:
    """Section 2.1: exploring more is better at first and worse in the end."""
    made = []
    for after, better, worse, words in _EXPLORING:
        at = int(np.searchsorted(result["plays"], after))
        one, other = (result["mean"][name][at] for name in (better, worse))
        error = math.hypot(*(result["error"][name][at] for name in (better, worse)))
        what = f"2.3-2.5: after {result['plays'][at]:,} plays, {better} beside {worse}"
        why = f"mean of {result['runs']} bandits; a single one, as he shows it, may be otherwise"
        printed = Printed(words, "section 2.1", 216)
        made.append(Row(what, f"{one:.3f} and {other:.3f}", "", why, printed, Sign(one - other, error)))
    return made
