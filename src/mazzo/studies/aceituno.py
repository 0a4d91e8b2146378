"""Aceituno, UPV Valencia 2017: a no-limit bot that adapts. Trials 1 to 5, and what 400 tournaments can decide.

The text names neither the blinds nor N, the hands between two steps of learning: ours are 5/10 and 100. Every trial is
five players of 1,000 chips. What learns is played in order, so the sample of a learning trial is the whole sequence of
400 tournaments: it is repeated from other seeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from mazzo.agent import create
from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT, FOUND_AGAINST_A_MIXTURE, FOUND_BY_SEARCH
from mazzo.holdem.tournament.charts import drift_chart
from mazzo.holdem.tournament.format import TournamentFormat
from mazzo.holdem.tournament.run import TournamentResult, run_tournaments
from mazzo.statistics import Z95, Moments, wilson
from mazzo.studies.aceituno_grid import RAN_AWAY, grid_result, grid_rows, grid_tasks
from mazzo.studies.aceituno_tables import TABLES, fixed_rows, learning_rows, record_rows, sequences_played
from mazzo.studies.row import Another, Measured, Printed, Rank, Row, Sign, share_error

__all__ = ["DOCUMENT", "NOT_REPRODUCED", "SUMMARY", "charts", "chi_square", "rows", "run", "tasks", "trial_agents"]

SUMMARY = "a no-limit bot that adapts: five trials of 400 tournaments, and enough of them to decide"
DOCUMENT = "Aceituno: a no-limit Texas Hold'em bot that adapts, Universitat Politècnica de València, 2017"
NOT_REPRODUCED = (
    "The document names neither the blinds nor N, the hands between two steps of learning, nor the size of raises; "
    "these decide how many run away in trial 1. In none of 48 settings do those who run away win as little as it "
    "prints; why is not known. Small steps of learning are not clearly best in trial 2. The differences of trials 3 to "
    "5 are no larger than chance explains in 400 tournaments."
)

Task = dict[str, Any]
Result = dict[str, Any]

Weights = tuple[float, float, float, float]

_TEXT_WINS = {trial: tuple(line[0] for line in table) for trial, table in TABLES.items()}
_MUS = (0.1, 0.08, 0.06, 0.04, 0.02)
_MUS_BY_STREET = {
    "before the flop only": "0.05/0/0/0",
    "flop only": "0/0.05/0/0",
    "turn only": "0/0/0.05/0",
    "river only": "0/0/0/0.05",
    "all streets": "0.05",
}
"""The document says that each phase will be tried with a mu of its own (line 1331), and prints no such trial."""
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


def _play(names: Sequence[str], count: int, seed: int, form: TournamentFormat | None = None) -> TournamentResult:
    agents = [create(name, AGENTS) for name in names]
    return run_tournaments(form or TournamentFormat(len(agents)), agents, count, seed)


def _words(wins: Sequence[int]) -> str:
    return " ".join(str(int(k)) for k in wins)


def _share(wins: int, count: int) -> str:
    low, high = wilson(wins, count)
    return f"{low:.1%} to {high:.1%}"


_TRIAL_1 = ((100, "stack"), (100, "pot"), (50, "stack"), (500, "stack"))
_FOCUS = {3: "wV .7 .6 .5 .4 .3", 4: "wP .3 .25 .2 .15 .1", 5: "wB/wS .25/.05 ... .05/.25"}
_THRESHOLDS = {"stack": (0.65, 0.6), "pot": (0.75, 0.6)}
_PATIENT = {
    "the text's best": BEST_OF_THE_TEXT,
    "utility+ as found against the text's best": FOUND_BY_SEARCH,
    "utility+ as found against a mixture": FOUND_AGAINST_A_MIXTURE,
}


def tasks(full: bool) -> list[Task]:
    """Every trial. In the quick form a tenth of the tournaments, in seconds; the full form takes some minutes."""
    sequences, count = (100, 40_000) if full else (10, 4_000)
    made: list[Task] = [{"figure": "trial 1", "n": n, "size": size, "sequences": sequences} for n, size in _TRIAL_1]
    made.append({"figure": "trial 2", "sequences": sequences})
    made.append({"figure": "mu by street", "sequences": sequences})
    for trial in _FOCUS:
        made.append({"figure": f"trial {trial}", "trial": trial, "size": None, "count": 400})
        made += [{"figure": f"trial {trial}", "trial": trial, "size": k, "count": count} for k in ("stack", "pot")]
    made += grid_tasks(full)
    made += [{"figure": "tables", "trial": trial, "sequences": sequences // 5} for trial in (1, 2)]
    made += [{"figure": "thresholds", "size": size, "count": count} for size in _THRESHOLDS]
    made.append({"figure": "utility+", "count": count // 4})
    made += [{"figure": "person", "four": name, "count": 400} for name in _PATIENT]
    return [{**task, "seed": 0} for task in made]


def run(task: Task) -> Result:
    """Play one task's tournaments; the result is what was counted."""
    trial = task["figure"] if task["figure"] not in ("trial 3", "trial 4", "trial 5") else "fixed"
    measured: dict[str, Callable[[Task], Result]] = {
        "trial 1": _drift,
        "trial 2": _steps,
        "mu by street": _steps_by_street,
        "fixed": _fixed,
        "tables": _tables,
        "grid": _grid,
        "thresholds": _thresholds,
        "utility+": _found,
        "person": _person,
    }
    return {**task, **measured[trial](task)}


def _sequences(task: Task, trial: int, size: str = "stack", n: int = 100) -> Iterator[TournamentResult]:
    for k in range(task["sequences"]):
        yield _play(trial_agents(trial, size, n), 400, task["seed"] + k)


def _drift(task: Task) -> Result:
    away, gone, stays, limited = [], [], [], []
    first: list[Any] = []
    for result in _sequences(task, 1, task["size"], task["n"]):
        high = result.played.drift[-1, :, 0] >= RAN_AWAY
        away.append(int(high.sum()))
        limited.append(int(result.played.limited.sum()))
        first = first or [track[::4] for _, track in result.drift]
        if 0 < high.sum() < 5:
            gone.append(float(result.wins[high].mean() / 400))
            stays.append(float(result.wins[~high].mean() / 400))
    return {"away": away, "gone": gone, "stays": stays, "limited": limited, "drift": first}


def _steps(task: Task) -> Result:
    return {"wins": [[int(k) for k in result.wins] for result in _sequences(task, 2)]}


def _steps_by_street(task: Task) -> Result:
    start = trial_agents(2)[0].partition(",mu=")[0]
    agents = [f"{start},mu={mu},n=100" for mu in _MUS_BY_STREET.values()]
    played = sequences_played(lambda k: _play(agents, 400, task["seed"] + k), task["sequences"])
    return {"wins": played["wins"], "ends": played["ends"]}


def _grid(task: Task) -> Result:
    form = TournamentFormat(5, levels=(tuple(task["blinds"]),), min_raise_is_blind=task["simple"])
    agents = trial_agents(1, task["size"], task["n"])
    return grid_result([_play(agents, 400, task["seed"] + k, form) for k in range(task["sequences"])])


def _tables(task: Task) -> Result:
    agents = trial_agents(task["trial"])
    return sequences_played(lambda k: _play(agents, 400, task["seed"] + k), task["sequences"])


def _wins(names: Sequence[str], task: Task, shift: int) -> Result:
    return {"wins": [int(k) for k in _play(names, task["count"], task["seed"] + shift).wins]}


def _fixed(task: Task) -> Result:
    return _wins(trial_agents(task["trial"], task["size"] or "stack"), task, 1 if task["size"] else 0)


def _thresholds(task: Task) -> Result:
    raise_at, fold_at = _THRESHOLDS[task["size"]]
    text = BEST_OF_THE_TEXT + f",size={task['size']}"
    other = text.replace("raise=.55", f"raise={raise_at}").replace("fold=.3", f"fold={fold_at}")
    return _wins([other, *[text] * 4], task, 2)


def _found(task: Task) -> Result:
    return _wins([FOUND_BY_SEARCH, *[BEST_OF_THE_TEXT] * 4], task, 3)


def _person(task: Task) -> Result:
    return _wins(["patient", *[_PATIENT[task["four"]]] * 4], task, 0)


def rows(results: Sequence[Result]) -> list[Row]:
    """The text's trials beside ours."""
    told: dict[str, Callable[[Result], Row]] = {
        "trial 1": _drift_row,
        "trial 2": _steps_row,
        "thresholds": _thresholds_row,
        "utility+": _found_row,
        "person": _person_row,
    }
    made = grid_rows(results)
    for result in results:
        if result["figure"] == "grid":
            continue
        if result["figure"] == "mu by street":
            made += _street_rows(result)
            continue
        if result["figure"] == "tables":
            made += [*learning_rows(result), *record_rows(result)]
            continue
        made.append(told.get(result["figure"], _fixed_row)(result))
        if result.get("trial") in _FOCUS and result["size"] is None:
            made += fixed_rows(result["trial"], result["wins"])
    return made


def _drift_row(result: Result) -> Row:
    away, gone, stays = result["away"], result["gone"], result["stays"]
    told = f"{np.mean(away):.1f} of 5 run away; in {len(gone)} of {len(away)} sequences some do and others stay"
    if gone:
        told += f", and win {np.mean(gone):.1%} each against {np.mean(stays):.1%}"
    told += f"; {np.mean(result['limited']):.0f} of 400 ended by the hand limit"
    found = Moments.of(away)
    low, high = found.estimate().ci95
    interval = f"{max(0.0, low):.1f} to {high:.1f} run away"
    if (result["n"], result["size"]) != _TRIAL_1[0]:
        why = "the document names neither N nor the size of raises, and they decide"
        return Row(f"trial 1, N {result['n']}, size={result['size']}", told, interval, why)
    printed = Printed("3 of 5 end at .95/.90 and win 2-5 of 400, two stay and win 188, 202", "trial 1", 1467)
    # The document plays one sequence: its error is the spread of one.
    test = Measured(3.0, found.mean, found.estimate().standard_error, math.sqrt(found.variance))
    return Row(
        "trial 1, N 100: how many run away", told, interval, "N, blinds and sizes are not printed", printed, test
    )


def _steps_row(result: Result) -> Row:
    wins = np.array(result["wins"], dtype=float)
    means = Moments.of_columns(wins)
    leads = [Moments.of(wins[:, 4] - wins[:, k]).estimate() for k in range(4)]
    return Row(
        "trial 2, mu .1 .08 .06 .04 .02: wins of 400",
        " ".join(f"{m.mean:.0f}" for m in means),
        " ".join(f"±{Z95 * m.estimate().standard_error:.0f}" for m in means),
        f"mean of {len(wins)} sequences; the best of a sequence has the smallest mu in "
        f"{np.mean(wins.argmax(axis=1) == 4):.0%}",
        Printed(f"{_words(_TEXT_WINS[2])}: mu .02 is best", "trial 2", 1505),
        Rank(tuple((lead.mean, lead.standard_error) for lead in leads)),
    )


def _street_rows(result: Result) -> list[Row]:
    wins, ends = np.array(result["wins"], dtype=float), np.array(result["ends"], dtype=float)
    made = []
    for k, where in enumerate(_MUS_BY_STREET):
        won = Moments.of(wins[:, k]).estimate()
        raise_at, fold_at = ends[:, k].mean(axis=0)
        made.append(
            Row(
                f"mu .05 {where}: wins of 400, raise, fold at the end",
                f"{won.mean:.0f}, {raise_at:.2f}, {fold_at:.2f}",
                f"± {Z95 * won.standard_error:.0f} wins",
                f"five at one table, each learning on other streets; mean of {len(wins)} sequences; the document means "
                "to try a mu for each phase and prints no such trial",
            )
        )
    return made


_LINES = {3: 1545, 4: 1585, 5: 1627}


def _fixed_row(result: Result) -> Row:
    trial, wins, count = result["trial"], result["wins"], result["count"]
    text = _TEXT_WINS[trial]
    _, p = chi_square(wins)
    _, p_text = chi_square(text)
    best, printed = int(np.argmax(wins)), int(np.argmax(text))
    size = f", size={result['size']}" if result["size"] else ""
    halves = [Z95 * math.sqrt(k * (1 - k / count)) for k in wins]
    return Row(
        f"trial {trial}{size}, {_FOCUS[trial]}: wins of {count}",
        f"{_words(wins)} (chi-square p = {p:.2g}), best: player {best + 1}",
        " ".join(f"±{half:.0f}" for half in halves),
        "",
        Printed(f"{_words(text)} (p = {p_text:.2f}), best: player {printed + 1}", f"trial {trial}", _LINES[trial]),
        Rank.of_counts(printed, wins),
    )


def _thresholds_row(result: Result) -> Row:
    raise_at, fold_at = _THRESHOLDS[result["size"]]
    wins, count = result["wins"][0], result["count"]
    return Row(
        f"thresholds {raise_at}/{fold_at} against four of .55/.30, size={result['size']}",
        f"{wins / count:.1%} of {count} (par 20 %)",
        _share(wins, count),
        "the document never tried thresholds apart from where learning led them",
        Printed(".55/.30 is best", "trial 1", 1481),
        Sign(0.2 - wins / count, share_error(wins, count)),
    )


def _found_row(result: Result) -> Row:
    wins, count = result["wins"][0], result["count"]
    return Row(
        "utility+ as found by search, against four of the document's best",
        f"{wins / count:.1%} of {count} (par 20 %)",
        _share(wins, count),
        "profiles of opponents, the table's aggression, sizes that hide the hand, thresholds and weights by search",
    )


def _person_row(result: Result) -> Row:
    wins, count = result["wins"][0], result["count"]
    low, high = wilson(wins, count)
    what, ours, interval = f"patient against four of {result['four']}", f"{wins} of {count}", f"{low:.1%} to {high:.1%}"
    if _PATIENT[result["four"]] != BEST_OF_THE_TEXT:
        return Row(what, ours, interval)
    another: tuple[Another, str] = ("player", "a person there; an agent that waits for strong hands and overbets here")
    return Row(what, ours, interval, "", Printed("a person wins 6 of 10", "section 6.3", 1672), another=another)


def charts(results: Sequence[Result]) -> list[Chart]:
    """The thresholds of trial 1 as they drift, and who wins in the trials of fixed settings."""
    drawn = []
    for result in results:
        if result["figure"] == "trial 1" and (result["n"], result["size"]) == _TRIAL_1[0]:
            caption = f"Trial 1, the first of {result['sequences']} sequences, seed {result['seed']}."
            tracks = [(f"player {k + 1}", track) for k, track in enumerate(result["drift"])]
            drawn.append(drift_chart(tracks, caption, every=4))
    many = [r for r in results if r.get("trial") in _FOCUS and r["size"] is not None]
    trials = sorted({r["trial"] for r in many})
    return drawn + [_shares_chart(trial, [r for r in many if r["trial"] == trial]) for trial in trials]


def _shares_chart(trial: int, results: Sequence[Result]) -> Chart:
    players = [f"player {k + 1}" for k in range(5)]
    series = [Series("the document, 400", players, [k / 4 for k in _TEXT_WINS[trial]], *_ends(_TEXT_WINS[trial], 400))]
    for r in results:
        shares = [100 * k / r["count"] for k in r["wins"]]
        label = f"ours, size={r['size']}, {r['count']}"
        series.append(Series(label, players, shares, *_ends(r["wins"], r["count"])))
    return Chart(
        f"Trial {trial}: tournaments won",
        _FOCUS[trial],
        "% won",
        series,
        "points",
        [("par", 20.0)],
        caption=f"Bars are {INTERVAL}s (Wilson).",
    )


def _ends(wins: Sequence[int], count: int) -> tuple[list[float], list[float]]:
    intervals = [wilson(k, count) for k in wins]
    return [100 * low for low, _ in intervals], [100 * high for _, high in intervals]
