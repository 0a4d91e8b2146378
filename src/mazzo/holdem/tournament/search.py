"""A search over the parameters of `utility+` by tournaments at one or more tables of fixed opponents, with Optuna.

Every trial plays the same tournaments (same cards), so candidates differ by their play and less by their luck. The
journal is a file: a search goes on where it stopped, and several processes may work on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT
from mazzo.holdem.tournament.format import TournamentFormat
from mazzo.holdem.tournament.run import TournamentResult, run_tournaments
from mazzo.workers import Workers, run

if TYPE_CHECKING:
    import optuna

__all__ = ["LEARNING", "SWITCHES", "Search", "candidate", "fresh_tournaments", "search"]

SWITCHES = ("profile", "table", "hidden", "bluff", "after", "weights")
"""What a search may use besides the two thresholds; each can be left out, to see what it adds."""
LEARNING = ("mu", "mu_by_street", "n")
"""What a search may use only when asked to, because then the one sought learns and is played in order: the step of
learning, one step a street, the hands between two steps."""

_NAME = "utility+"
_STREETS = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class Search:
    """What is searched: the opponents, how many tournaments decide a trial, and which improvements may be used."""

    opponents: tuple[str, ...] = (BEST_OF_THE_TEXT,) * 4
    tournaments: int = 2000
    seed: int = 0
    switches: tuple[str, ...] = SWITCHES
    form: TournamentFormat = field(default_factory=TournamentFormat)
    others: tuple[tuple[str, ...], ...] = ()
    """More tables of opponents: a trial plays so many tournaments at each, and the mean share of wins decides."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.switches if name not in SWITCHES + LEARNING]
        if unknown:
            known = ", ".join(SWITCHES + LEARNING)
            raise UnreadableError(f"there is no improvement {unknown[0]!r}; there are: {known}")
        if {"mu", "mu_by_street"} <= set(self.switches):
            raise UnreadableError("mu is one step for all streets, mu_by_street four of them: use one of the two")
        if "n" in self.switches and not {"mu", "mu_by_street"} & set(self.switches):
            raise UnreadableError("n, the hands between two steps, has no meaning without mu or mu_by_street")
        if any(self.form.players != len(table) + 1 for table in self.tables):
            raise UnreadableError(
                f"{self.form.players} seats are for {self.form.players - 1} opponents and the one sought"
            )

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Every table of opponents."""
        return (self.opponents, *self.others)

    def work(self) -> dict[str, Any]:
        """What a journal belongs to: another search's journal is refused."""
        return {
            "opponents": list(self.opponents),
            "tournaments": self.tournaments,
            "seed": self.seed,
            "switches": list(self.switches),
            "form": [self.form.players, self.form.chips, [list(k) for k in self.form.levels], self.form.hand_limit],
            **({"others": [list(table) for table in self.others]} if self.others else {}),
        }


def candidate(found: dict[str, Any]) -> str:
    """The agent that a trial's parameters describe, by name."""
    weights = [found.get(f"weight_{k}", usual) for k, usual in zip("vpbs", (0.6, 0.1, 0.2, 0.1), strict=True)]
    whole = sum(weights)
    v, p, b = (round(weight / whole, 3) for weight in weights[:3])
    s = round(1 - v - p - b, 3)
    given: dict[str, Any] = {
        "raise": round(found["raise"], 3),
        "fold": round(min(found["raise"] * found["fold_share"], found["raise"] - 0.011), 3),
        "v": round(v + min(s, 0.0), 3),  # three weights rounded up may make more than 1
        "p": p,
        "b": b,
        "s": max(s, 0.0),
        "size": found["size"],
    }
    for key in ("share", "profile", "table", "bluff", "after_raise", "after_fold"):
        if key in found:
            given[key] = round(found[key], 3)
    steps = [found[key] for key in ("mu", *(f"mu_{street}" for street in _STREETS)) if key in found]
    if steps:
        given["mu"] = "/".join(f"{round(step, 4):g}" for step in steps)
    if "n" in found:
        given["n"] = found["n"]
    return "utility+:" + ",".join(f"{key}={value}" for key, value in given.items())


def _suggest(trial: optuna.Trial, switches: Sequence[str]) -> dict[str, Any]:
    """The parameters of one trial."""
    found: dict[str, Any] = {
        "raise": trial.suggest_float("raise", 0.35, 0.95),
        "fold_share": trial.suggest_float("fold_share", 0.2, 0.98),
    }
    sizes = ["stack", "pot", "hidden"] if "hidden" in switches else ["stack", "pot"]
    found["size"] = trial.suggest_categorical("size", sizes)
    if "hidden" in switches:
        found["share"] = trial.suggest_float("share", 0.3, 5.0, log=True)
    if "weights" in switches:
        for key, high in zip("vpbs", (1.0, 0.3, 0.5, 0.3), strict=True):
            found[f"weight_{key}"] = trial.suggest_float(f"weight_{key}", 0.4 if key == "v" else 0.0, high)
    for key, span in (("profile", 0.6), ("table", 0.6)):
        if key in switches:
            found[key] = trial.suggest_float(key, -span, span)
    if "bluff" in switches:
        found["bluff"] = trial.suggest_float("bluff", 0.0, 0.3)
    if "after" in switches:
        found["after_raise"] = trial.suggest_float("after_raise", -0.4, 0.2)
        found["after_fold"] = trial.suggest_float("after_fold", -0.4, 0.2)
    steps = (
        ["mu"] if "mu" in switches else [f"mu_{street}" for street in _STREETS] if "mu_by_street" in switches else []
    )
    for key in steps:
        found[key] = trial.suggest_float(key, 0.001, 0.1, log=True)
    if "n" in switches:
        found["n"] = trial.suggest_int("n", 10, 1000, log=True)
    return found


def fresh_tournaments(
    what: Search, name: str, count: int, seed: int, workers: Workers = 1, table: int = 0
) -> TournamentResult:
    """Tournaments of an agent in the first seat against the search's opponents at one of its tables."""
    agents = [create(k, AGENTS) for k in (name, *what.tables[table])]
    return run_tournaments(what.form, agents, count, seed, workers=workers)


def _objective(what: Search, trial: optuna.Trial) -> float:
    name, wins = candidate(_suggest(trial, what.switches)), 0
    for table in range(len(what.tables)):
        wins += int(fresh_tournaments(what, name, what.tournaments, what.seed, table=table).wins[0])
    return wins / (what.tournaments * len(what.tables))


def _open(path: Path, what: Search, seed: int) -> optuna.Study:
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    path.parent.mkdir(parents=True, exist_ok=True)
    storage = optuna.storages.JournalStorage(JournalFileBackend(str(path)))
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=False, constant_liar=True)
    try:
        study = optuna.create_study(
            study_name=_NAME, storage=storage, sampler=sampler, direction="maximize", load_if_exists=True
        )
    except (ValueError, KeyError) as error:
        raise UnreadableError(f"{path} is not the journal of a search; move it away or name another") from error
    work = study.user_attrs.get("work")
    if work is None:
        study.set_user_attr("work", what.work())
    elif work != what.work():
        raise UnreadableError(f"{path} belongs to another search ({work}); move it away or name another")
    return study


def _finished(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    return [trial for trial in study.get_trials(deepcopy=False) if trial.value is not None]


def _batch(path: Path, what: Search, task: tuple[int, int]) -> int:
    """Some trials in one process; gives how many."""
    trials, number = task
    study = _open(path, what, seed=1000 * what.seed + number)
    study.optimize(partial(_objective, what), n_trials=trials)
    return trials


def search(
    path: Path,
    what: Search,
    trials: int,
    *,
    workers: Workers = 1,
    watch: Callable[[int, float, str], None] | None = None,
) -> tuple[str, float]:
    """Search until the journal holds so many trials; gives the best agent by name and its share of wins in the search.

    With one worker and a fresh journal the same seed gives the same search. The share found is that of the best of
    many: it flatters. Play fresh tournaments to know.
    """
    study = _open(path, what, what.seed)
    done = len(_finished(study))
    size = 10
    tasks = [(min(size, trials - first), first) for first in range(done, trials, size)]
    for count in run(partial(_batch, path.resolve(), what), tasks, workers):
        done += count
        if watch is not None:
            best = study.best_trial
            watch(done, float(best.value or 0), candidate(best.params))
    if not _finished(study):
        raise UnreadableError(f"the number of trials must be at least 1, got {trials}")
    best = study.best_trial
    return candidate(best.params), float(best.value or 0)
