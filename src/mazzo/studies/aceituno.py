"""Aceituno, UPV Valencia 2017: a no-limit bot that adapts. Trials 1 to 5, and what 400 tournaments can decide.

The text names neither the blinds nor N, the hands between two steps of learning: ours are 5/10 and 100. Every trial is
five players of 1,000 chips. What learns is played in order, so the sample of a learning trial is the whole sequence of
400 tournaments: it is repeated from other seeds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import create
from mazzo.arena.statistics import Moments, wilson
from mazzo.arena.workers import Workers
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT, FOUND_AGAINST_A_MIXTURE, FOUND_BY_SEARCH
from mazzo.holdem.tournament.format import Format
from mazzo.holdem.tournament.run import TournamentResult, run_tournaments
from mazzo.studies.row import Row

__all__ = ["aceituno", "chi_square", "drift_svg", "trial_agents"]

Weights = tuple[float, float, float, float]

_TEXT_WINS = {
    1: (202, 3, 2, 188, 5),
    2: (2, 11, 5, 187, 195),
    3: (91, 93, 75, 66, 75),
    4: (75, 83, 73, 73, 96),
    5: (72, 96, 89, 67, 76),
}
_MUS = (0.1, 0.08, 0.06, 0.04, 0.02)
_WEIGHTS: dict[int, tuple[Weights, ...]] = {
    3: (
        (0.7, 0.1, 0.1, 0.1),
        (0.6, 0.1, 0.15, 0.15),
        (0.5, 0.15, 0.15, 0.2),
        (0.4, 0.2, 0.2, 0.2),
        (0.3, 0.2, 0.25, 0.25),
    ),
    4: tuple((0.6, p, (0.4 - p) / 2, (0.4 - p) / 2) for p in (0.3, 0.25, 0.2, 0.15, 0.1)),
    5: tuple((0.6, 0.1, b, round(0.3 - b, 2)) for b in (0.25, 0.2, 0.15, 0.1, 0.05)),
}
_RAN_AWAY = 0.8
"""Who ends with a threshold to raise this high has run away."""


def trial_agents(trial: int, size: str = "stack", n: int = 100) -> list[str]:
    """The five agents of a trial, by name."""
    one = "v=.5,p=.15,b=.1,s=.25"
    if trial == 1:
        return [f"utility:raise=.6,fold=.25,{one},mu=.05,n={n},size={size}"] * 5
    if trial == 2:
        return [f"utility:raise=.55,fold=.3,{one},mu={mu},n={n},size={size}" for mu in _MUS]
    return [
        f"utility:raise=.55,fold=.3,v={v:g},p={p:g},b={b:g},s={s:g},mu=0,size={size}" for v, p, b, s in _WEIGHTS[trial]
    ]


def chi_square(wins: Sequence[int]) -> tuple[float, float]:
    """Chi-square of five equal players' wins, and its p (four degrees of freedom, where it has a closed form)."""
    even = sum(wins) / len(wins)
    statistic = sum((k - even) ** 2 / even for k in wins)
    if len(wins) != 5:
        raise ValueError(f"this closed form is for five players, not {len(wins)}")
    return statistic, math.exp(-statistic / 2) * (1 + statistic / 2)


def _play(names: Sequence[str], count: int, seed: int, workers: Workers = 1) -> TournamentResult:
    agents = [create(name, AGENTS) for name in names]
    return run_tournaments(Format(len(agents)), agents, count, seed, workers=workers)


def _words(wins: Sequence[int] | NDArray[np.int64]) -> str:
    return " ".join(str(int(k)) for k in wins)


def _interval(wins: int, count: int) -> str:
    low, high = wilson(wins, count)
    return f"{low:.1%} to {high:.1%}"


def aceituno(quick: bool = False, seed: int = 0, workers: Workers = 1) -> Iterator[Row]:
    """Every trial beside ours. Quick: a tenth of the tournaments, in seconds; full: some minutes."""
    yield from _drift(quick, seed)
    yield from _steps(quick, seed)
    for trial, focus in ((3, "wV .7 .6 .5 .4 .3"), (4, "wP .3 .25 .2 .15 .1"), (5, "wB/wS .25/.05 ... .05/.25")):
        yield from _fixed(trial, focus, 4000 if quick else 40_000, seed, workers)
    yield from _thresholds(4000 if quick else 40_000, seed, workers)
    yield from _person(seed)


def _sequences(trial: int, quick: bool, seed: int, n: int = 100, size: str = "stack") -> Iterator[TournamentResult]:
    for k in range(10 if quick else 100):
        yield _play(trial_agents(trial, size, n), 400, seed + k)


def _high(result: TournamentResult) -> NDArray[np.bool_]:
    return result.played.drift[-1, :, 0] >= _RAN_AWAY


def _drift(quick: bool, seed: int) -> Iterator[Row]:
    """Trial 1 as the text has it (N and the size of raises are ours), and for other N and sizes."""
    yield _drift_row(quick, seed, 100, "stack")
    for n, size in ((100, "pot"), (50, "stack"), (500, "stack")):
        yield _drift_row(quick, seed, n, size)


def _drift_row(quick: bool, seed: int, n: int, size: str) -> Row:
    away, gone, stays, limited = [], [], [], []
    for result in _sequences(1, quick, seed, n, size):
        high = _high(result)
        away.append(int(high.sum()))
        limited.append(int(result.played.limited.sum()))
        if 0 < high.sum() < 5:
            gone.append(result.wins[high].mean() / 400)
            stays.append(result.wins[~high].mean() / 400)
    told = f"{np.mean(away):.1f} of 5 run away; in {len(gone)} of {len(away)} sequences some do and others stay"
    if gone:
        told += f", and win {np.mean(gone):.1%} each against {np.mean(stays):.1%}"
    told += f"; {np.mean(limited):.0f} of 400 ended by the hand limit"
    low, high_end = Moments.of(away).estimate().ci95
    interval = f"{max(0.0, low):.1f} to {high_end:.1f} run away"
    if (n, size) != (100, "stack"):
        why = "the text names neither N nor the size of raises, and they decide"
        return Row(f"trial 1, N {n}, size={size}", "-", told, interval, "added", why)
    return Row(
        "trial 1, N 100",
        "3 of 5 run away to .95/.90 and win 2-5 of 400, two stay and win 188, 202",
        told,
        interval,
        "agrees in kind" if len(gone) > len(away) // 5 else "differs",
        "a losing window pushes both thresholds up where raises and calls lose; a player who folds nearly all loses "
        "blinds only, so nearly every window loses and nothing brings him back. Those who stay then win; where all "
        "run away nobody plays, and the hand limit ends it",
    )


def _steps(quick: bool, seed: int) -> Iterator[Row]:
    wins = np.array([result.wins for result in _sequences(2, quick, seed)])
    means = Moments.of_columns(wins.astype(float))
    order = [m.mean for m in means]
    ours = " ".join(f"{m:.0f}" for m in order)
    spread = " ".join(f"±{1.96 * m.estimate().standard_error:.0f}" for m in means)
    small = order[4] > max(order[:3])
    yield Row(
        "trial 2, mu .1 .08 .06 .04 .02: wins of 400",
        _words(_TEXT_WINS[2]),
        ours,
        spread,
        "agrees in kind" if small else "differs",
        f"mean of {len(wins)} sequences; small steps run away less, but one sequence of 400 decides little: "
        f"the best of a sequence has the smallest mu in {np.mean(wins.argmax(axis=1) == 4):.0%}",
    )


def _fixed(trial: int, focus: str, count: int, seed: int, workers: Workers) -> Iterator[Row]:
    text = _TEXT_WINS[trial]
    _, p_text = chi_square(text)
    first = _play(trial_agents(trial), 400, seed)
    _, p_first = chi_square([int(k) for k in first.wins])
    yield Row(
        f"trial {trial}, {focus}: wins of 400",
        f"{_words(text)} (chi-square p = {p_text:.2f})",
        f"{_words(first.wins)} (p = {p_first:.2f})",
        "about ± 32 wins each",
        "undecided",
        "the text's differences are no larger than chance explains: 400 tournaments do not decide this",
    )
    for size in ("stack", "pot"):
        many = _play(trial_agents(trial, size), count, seed + 1, workers)
        _, p = chi_square([int(k) for k in many.wins])
        shares = [int(k) / count for k in many.wins]
        best, said = int(np.argmax(shares)), int(np.argmax(text))
        low, high = wilson(int(many.wins[best]), count)
        rival_low = wilson(int(many.wins[said]), count)
        same = best == said or rival_low[1] >= low
        yield Row(
            f"trial {trial}, size={size}, {count} tournaments",
            f"best: player {said + 1}",
            " ".join(f"{share:.1%}" for share in shares) + f" (p = {p:.2g})",
            f"best: player {best + 1}, {low:.1%} to {high:.1%}",
            "agrees" if same else "differs",
            "" if same else f"player {said + 1} wins {shares[said]:.1%}",
        )


def _thresholds(count: int, seed: int, workers: Workers) -> Iterator[Row]:
    for size, raise_at, fold_at in (("stack", 0.65, 0.6), ("pot", 0.75, 0.6)):
        text = BEST_OF_THE_TEXT + f",size={size}"
        other = text.replace("raise=.55", f"raise={raise_at}").replace("fold=.3", f"fold={fold_at}")
        wins = int(_play([other, *[text] * 4], count, seed + 2, workers).wins[0])
        low, _ = wilson(wins, count)
        yield Row(
            f"thresholds {raise_at}/{fold_at} against four of .55/.30, size={size}",
            ".55/.30 is best",
            f"{wins / count:.1%} of {count} (par 20 %)",
            _interval(wins, count),
            "differs" if low > 0.2 else "agrees",
            "the text never tried thresholds apart from where learning led them",
        )
    wins = int(_play([FOUND_BY_SEARCH, *[BEST_OF_THE_TEXT] * 4], count // 4, seed + 3).wins[0])
    yield Row(
        "utility+ as found by search, against four of the text's best",
        "-",
        f"{wins / (count // 4):.1%} of {count // 4} (par 20 %)",
        _interval(wins, count // 4),
        "added",
        "profiles of opponents, the table's aggression, sizes that hide the hand, thresholds and weights by search",
    )


def _person(seed: int, played: int = 400) -> Iterator[Row]:
    for name, four in (
        ("the text's best", BEST_OF_THE_TEXT),
        ("utility+ as found against the text's best", FOUND_BY_SEARCH),
        ("utility+ as found against a mixture", FOUND_AGAINST_A_MIXTURE),
    ):
        wins = int(_play(["patient", *[four] * 4], played, seed).wins[0])
        low, high = wilson(wins, played)
        against_text = four == BEST_OF_THE_TEXT
        yield Row(
            f"patient against four of {name}",
            "a person wins 6 of 10 (31 % to 83 %)" if against_text else "-",
            f"{wins} of {played}",
            f"{low:.1%} to {high:.1%}",
            ("agrees" if low > 0.2 and high > wilson(6, 10)[0] else "differs") if against_text else "added",
            "an agent that waits for the best hands and then overbets stands in for the person",
        )


_INKS = ("#1b6ca8", "#c8553d", "#4a7c59", "#8d5a97", "#b8860b", "#555555", "#0f8b8d", "#a23b72", "#3a5a40", "#7f4f24")


def drift_svg(drift: NDArray[np.float32], names: Sequence[str]) -> str:
    """The thresholds after every tournament as a picture: raise as a full line, fold as a broken one."""
    width, height, left = 760, 300, 40
    count = max(1, len(drift) - 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 60} {height + 60}" font-family="sans-serif" '
        'font-size="11"><title>Thresholds after every tournament</title>'
    ]
    for tick in range(0, 11, 2):
        y = 10 + height * (1 - tick / 10)
        lines.append(
            f'<path d="M{left} {y:.0f}H{left + width}" stroke="#ddd"/><text x="8" y="{y + 4:.0f}">{tick / 10}</text>'
        )
    for seat, name in enumerate(names):
        ink = _INKS[seat % len(_INKS)]
        for which, dashes in ((0, ""), (1, ' stroke-dasharray="4 3"')):
            points = " ".join(
                f"{left + width * t / count:.1f},{10 + height * (1 - float(value)):.1f}"
                for t, value in enumerate(drift[:, seat, which])
                if not np.isnan(value)
            )
            lines.append(f'<polyline points="{points}" fill="none" stroke="{ink}"{dashes}/>')
        label = name.replace("&", "&amp;").replace("<", "&lt;")
        label = label if len(label) < 24 else f"{label.partition(':')[0]} {seat + 1}"
        lines.append(
            f'<text x="{left + 150 * (seat % 5)}" y="{height + 30 + 16 * (seat // 5)}" fill="{ink}">{label}</text>'
        )
    return "\n".join(
        [*lines, f'<text x="{left + width - 90}" y="{height + 56}">{len(drift)} tournaments</text>', "</svg>", ""]
    )
