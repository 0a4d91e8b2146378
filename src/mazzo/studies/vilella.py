"""Vilella (2011): bandits (chapter 2), heroes learned by fitted Q-iteration and what they earn (chapter 5).

The text reports chips over one block of 3,000 hands at a big blind of 10; 30,000 of them are one big blind a hand. One
such block has a standard error of a tenth of a big blind a hand or more. Ours are means over
several logs with exact rewards, each hero playing duplicate deals.

One hero stands in several figures: n_min 10 with 100 trees and exact PV is learned once, as figure 5.3, and shown in
5.1 and 5.4 too. n_min 300 with all attributes is learned as part of 5.5 and shown in 5.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from mazzo.agent import create
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.rules import rules
from mazzo.studies import vilella_online, vilella_support
from mazzo.studies.vilella_charts import charts
from mazzo.studies.vilella_found import FREE, RANDOM
from mazzo.studies.vilella_rows import rows

if TYPE_CHECKING:
    from mazzo.agent import Agent
    from mazzo.holdem.learning import Decisions
    from mazzo.holdem.learning.hero import Settings
    from mazzo.holdem.learning.strategy import LearnedStrategy

__all__ = ["DOCUMENT", "NOT_REPRODUCED", "SUMMARY", "charts", "database", "rows", "run", "tasks"]

SUMMARY = "heroes learned from logged hands against random and chart players (figures 5.1-5.6), bandits (2.3-2.7)"
DOCUMENT = "Vilella, Apprendimento off-line nel poker (batch learning), Politecnico di Milano, 2011"
NOT_REPRODUCED = (
    "Vilella's figures against the random player come out only in part. Heroes learned from rewards that sum to "
    "what was won earn more than he prints at every point of figures 5.1 to 5.4, mostly twice as much or more. "
    "Looked for as causes, each with its rows: his reward code, which counts stakes twice and has a sign wrong, "
    "takes away a third; his printed program besides learns and plays the best of all three actions, so that it "
    "folds for nothing, and takes away about another tenth; and it has an error that he does not speak of. It "
    "keeps the place of the last `/` from the street before, so that the betting of the street being played is "
    "cut to the length of that street; the pot, the small blind's raises and whose turn it is are then wrong. "
    "Figure 4.5 shows it: after `cc/rc/cc/crr` it gives the small blind's decision to the big blind. With that "
    "error heroes earn what he prints at n_min 30 of figure 5.1 and at n_min 4 with exact PV, as near as one of "
    "his matches can tell; without it, at n_min 10 with exact PV; no one setting gives all his points. His "
    "negative points (n_min 100 in 5.1; 20 and 100 in 5.2) do not appear in any setting: by his program figure "
    "5.2 falls where his rises. Nor do they follow from PV sampled from 1,000 deals, which changes a few per cent"
    " at most, not his 25, nor from the chance of a match of 3,000 hands, about a tenth of a big blind. How many "
    "deals his PV was sampled from and the code of his matches are not printed, so the cause of the negative "
    "points is open. That his random player also folds where checking is free is read from section 4.1 (line "
    "673), which says that such folds are in the data and are learned from. His conclusions about 100 and 20 "
    "trees, more hands and hands of the hero's own hold here. Against his second opponent nothing can be judged: "
    "its rules are not public."
)

_GAME = "holdem-limit-2p"
_FOUR = ("stage", "turn", "pv", "pot")
_SAMPLED = 1000
"""Deals from which PV is sampled in figure 5.1; the document does not say how many it took."""

_FIRST = ("bound", "raise", "his 5.1", "5.1", "5.1 exact", "5.2", "5.3", "5.4")

Task = dict[str, Any]


def _hero(figure: str, x: float | str, **settings: Any) -> Task:
    """A hero to be learned; x is what the figure varies."""
    return {"kind": "hero", "figure": figure, "x": x, "settings": settings}


def _against_random() -> list[Task]:
    made = [_hero("5.1", leaf, leaf=leaf, pv_samples=_SAMPLED) for leaf in (4, 10, 20, 30, 40, 100)]
    made += [_hero("5.1 exact", leaf, leaf=leaf) for leaf in (4, 20, 30)]
    made += [_hero("5.2", leaf, leaf=leaf, attributes=_FOUR) for leaf in (20, 100, 400, 800, 1200)]
    made += [_hero("5.3", 10, leaf=10)]
    made += [_hero("5.4", trees, leaf=10, trees=trees) for trees in (20, 10, 1)]
    made += [{**_hero("again", 10, leaf=10), "again": True}]
    made += [_hero("reward", name, leaf=10, reward=name) for name in ("document", "final", "equity")]
    made += [_hero("equity", 30, leaf=30, reward="equity")]
    made += [_hero("best", "boosted, pot x equity", regressor="boosted", reward="equity", iterations=12)]
    made += [{"kind": "bound", "figure": "bound"}, {"kind": "player", "figure": "raise", "player": "raise"}]
    return made


def _his() -> list[Task]:
    """Vilella's own setting at every point of figures 5.1 to 5.4: his reward code, his attributes, 11 iterations."""
    made = [
        _hero("his 5.1", leaf, leaf=leaf, pv_samples=_SAMPLED, reward="document") for leaf in (4, 10, 20, 30, 40, 100)
    ]
    made += [_hero("his 5.1 exact", leaf, leaf=leaf, reward="document") for leaf in (4, 20)]
    made += [
        _hero("his 5.2", leaf, leaf=leaf, attributes=_FOUR, pv_samples=_SAMPLED, reward="document")
        for leaf in (20, 100, 400, 800, 1200)
    ]
    made += [_hero("his 5.4", trees, leaf=10, trees=trees, reward="document") for trees in (20, 10, 1)]
    return made


def _as_printed() -> list[Task]:
    """By his printed program (appendix B): everything it does otherwise, and all but the cut betting."""
    points: list[tuple[str, int, dict[str, Any]]] = [
        ("5.1 exact", leaf, {"leaf": leaf, "trees": 100}) for leaf in (4, 10, 20)
    ]
    points += [("5.1", leaf, {"leaf": leaf, "trees": 100}) for leaf in (30, 100)]
    points += [("5.2", leaf, {"leaf": leaf, "trees": 100, "attributes": _FOUR}) for leaf in (20, 100, 400, 800, 1200)]
    points += [("5.4", trees, {"leaf": 10, "trees": trees}) for trees in (20, 10, 1)]
    some = {("5.1 exact", 10), ("5.1", 100), ("5.2", 20), ("5.2", 100), ("5.2", 800)}
    common = {"kind": "appendix", "reward": "document"}
    made = [{"figure": f"printed {name}", "x": x, "settings": s, "cut": True, **common} for name, x, s in points]
    return made + [
        {"figure": f"uncut {name}", "x": x, "settings": s, "cut": False, **common}
        for name, x, s in points
        if (name, x) in some
    ]


def _more(seed: int) -> list[Task]:
    """What the text says and figures do not show: more hands, other data at every iteration, its future work."""
    made = [{**_hero("more hands", 25_000, leaf=30), "hands": 25_000}]
    made += [{**_hero("other data", 11, leaf=30), "other_data": True}]
    made += [_hero("adaptive", "n_min by variance", regressor="adaptive", leaf=10)]
    made += [_hero("continuous", "continuous betting", attributes="continuous", leaf=30)]
    if seed == 33:
        made += [{**_hero("repeated", k, leaf=10), "repetition": k} for k in range(5)]
        made += [{"kind": "blocks", "figure": "blocks", "x": 10, "settings": {"leaf": 10}, "blocks": 60}]
    return made


def _against_chart() -> list[Task]:
    from mazzo.holdem.learning import LEARNING

    made = [_hero("5.5", leaf, leaf=leaf, trees=50) for leaf in (10, 100, 300, 1000, 3000)]
    made += [{**_hero("5.5 both", 300, leaf=300, trees=50), "both": True}]
    for name in LEARNING:
        rest = tuple(k for k in LEARNING if k != name)
        made.append(_hero("5.6", name, leaf=300, trees=50, attributes=rest))
    return made


def _bandits(runs: int) -> list[Task]:
    greedy = ["random", "epsilon 0.01", "epsilon 0.1"]
    return [
        {"kind": "bandit", "figure": figure, "ways": ways, "step": step, "runs": runs, "seed": 33}
        for figure, ways, step in (
            ("2.3-2.5", greedy, None),
            ("2.6-2.7", [*greedy, "softmax 0.05"], None),
            ("2.3-2.7 constant step", [*greedy, "softmax 0.05"], 0.1),
        )
    ]


def tasks(full: bool) -> list[Task]:
    """Everything to be done: five seeds in full; in the quick form one seed, a fifth of the hands and of the trees."""
    made = _bandits(2000 if full else 200)
    for seed in range(33, 38) if full else (33,):
        for opponent in (RANDOM, FREE) if full else (RANDOM,):
            common = {"opponent": opponent, "hands": 5_000, "seed": seed, "play": 40_000}
            made += [{**task, **common} for task in _against_random() if task["kind"] != "bound" or seed == 33]
            if opponent == FREE:
                made += [{**common, **task} for task in (*_his(), *_more(seed))]
            if opponent == FREE and seed <= 35:
                made += [{**common, **task, "play": 12_000} for task in _as_printed()]
            if opponent == RANDOM:
                made.append({**_hero("log", 10, leaf=10, trees=50), **common, "kind": "log", "repetitions": 4})
        common = {"opponent": "chart", "hands": 50_000, "seed": seed, "play": 40_000}
        made += [{**task, **common} for task in _against_chart()]
    made += vilella_online.tasks(full)
    if not full:  # of his own setting, the point that is hardest to explain, and how far one of his matches can be off
        common = {"opponent": FREE, "hands": 5_000, "seed": 33, "play": 40_000}
        some = [
            task for task in (*_his(), *_more(33)) if (task["figure"], task["x"]) in (("his 5.1", 100), ("blocks", 10))
        ]
        made += [{**common, **task} for task in some]
    made += vilella_support.tasks(full)
    made.sort(key=lambda task: task["figure"] not in _FIRST)  # what is stopped early has whole figures
    return made if full else [_smaller(task) for task in made]


def _smaller(task: Task) -> Task:
    """A part of the quick form: a fifth of the hands and trees (a twenty-fifth of hands against chart)."""
    if "play" not in task:
        return task
    task = {**task, "play": 4_000, "repetitions": 2, **({"blocks": 8} if "blocks" in task else {})}
    task["hands"] //= 5 if task["opponent"] != "chart" else 25
    settings = task.get("settings", {})
    if settings.get("pv_samples"):
        settings = {**settings, "pv_samples": 200}
    if "regressor" not in settings:  # boosted trees correct each other: a fifth of them is no model
        settings = {**settings, "trees": max(1, settings.get("trees", 100) // 5)}
    return {**task, "settings": settings}


def run(task: Task) -> dict[str, Any]:
    """Do one part: learn a hero and let it play, judge one from its log, play on-line or bandits, or count a bound."""
    return {**task, **(_KINDS | vilella_online.KINDS | vilella_support.KINDS)[task["kind"]](task)}


def database(names: Sequence[Any], hands: int, seed: int) -> list[Any]:
    """Hands between agents, given by name or as they are."""
    from mazzo.holdem.logs.formats.acpc import read_acpc
    from mazzo.holdem.match import played_lines

    game = rules(_GAME)
    agents = [create(name, AGENTS) if isinstance(name, str) else name for name in names]
    lines = [line for batch in played_lines(game, agents, hands, seed) for line in batch]
    file = BytesIO(("\n".join(lines) + "\n").encode())
    return [read for read, _ in read_acpc(file, "study", game) if read is not None]


@lru_cache(maxsize=4)
def _decisions(opponent: str, hands: int, both: bool, seed: int, **asked: Any) -> Decisions:
    """Decisions of a database; tasks that follow each other mostly ask for the same."""
    from mazzo.holdem.learning import decisions_of

    names = (RANDOM, "chart") if opponent == "chart" else (opponent, opponent)
    against = "chart" if opponent == "chart" and not both else None
    return decisions_of(database(names, hands, seed), against=against, seed=seed, **asked)


def _asked(s: Settings) -> dict[str, Any]:
    return {key: getattr(s, key) for key in ("attributes", "reward", "pv_samples", "seed")}


def _settings(task: Task) -> Settings:
    from mazzo.holdem.attributes.elementary import CONTINUOUS
    from mazzo.holdem.learning.hero import Settings

    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in task["settings"].items()}
    if given.get("attributes") == "continuous":
        given["attributes"] = CONTINUOUS
    usual = Settings(regressor="extra", iterations=11, seed=task["seed"], caution="none")
    if given.get("regressor") != "boosted":  # boosting looks at all cuts
        given = {"cuts": 11, **given}
    return replace(usual, **given)


def _learned(task: Task) -> tuple[Decisions, LearnedStrategy]:
    from mazzo.holdem.agents.hero import Hero
    from mazzo.holdem.learning import decisions_of
    from mazzo.holdem.learning.decisions import joined
    from mazzo.holdem.learning.hero import learn_hero

    s, seed = _settings(task), task["seed"]
    if task.get("other_data"):
        return _learned_from_many(task, s)
    made = _decisions(task["opponent"], task["hands"], task.get("both", False), **_asked(s))
    strategy = learn_hero(made, s)
    if task.get("again"):
        more = database((Hero.playing(strategy, "hero"), task["opponent"]), task["hands"], seed + 1000)
        played = decisions_of(more, player="hero", **_asked(s))
        strategy = learn_hero(joined([made, replace(played, hand=played.hand + task["hands"])]), s)
    return made, strategy


def _learned_from_many(task: Task, s: Settings) -> tuple[Decisions, LearnedStrategy]:
    """Another data set at every iteration (section 3.2): each is as large as the one of the other heroes."""
    from mazzo.holdem.learning.hero import make_regressor
    from mazzo.holdem.learning.strategy import LearnedStrategy
    from mazzo.learn.fitted_q import FittedQ
    from mazzo.learn.q_values import q_table

    fitted: FittedQ | None = None
    made = None
    residuals: list[float] = []
    for number in range(s.iterations):
        made = _decisions(task["opponent"], task["hands"], False, **{**_asked(s), "seed": task["seed"] + 100 * number})
        batch = made.transitions(s.attributes)
        target = batch.rewards.copy()
        if fitted is not None:
            ahead = np.flatnonzero(~batch.terminal)
            q = q_table(fitted._predict, batch.next_states[ahead], 3, batch.next_legal[ahead])
            target[ahead] += q.max(axis=1)
        last = replace(batch, rewards=target, terminal=np.ones(len(batch), np.bool_))
        fitted = FittedQ(make_regressor(s), 3, 1).fit(last)
        residuals += fitted.residuals_
    assert fitted is not None
    assert fitted.kept_ is not None
    assert made is not None
    return made, LearnedStrategy(s.attributes, fitted.kept_, {"residuals": residuals})


def _learn_as_printed(task: Task) -> dict[str, Any]:
    """A hero of the printed program, which folds for nothing where its Q says so."""
    from mazzo.holdem.learning import LEARNING
    from mazzo.holdem.learning.hero import make_regressor
    from mazzo.studies.vilella_appendix import AsPrinted, learn_as_printed, printed_decisions

    s = _settings(task)
    logged = _decisions(task["opponent"], task["hands"], False, attributes=LEARNING, reward="chips", seed=task["seed"])
    made = printed_decisions(logged, task["cut"])
    fitted = learn_as_printed(made, make_regressor(s), s.attributes, s.iterations)
    assert fitted.forest_ is not None
    chosen = fitted.predict(made.matrix(s.attributes))
    shares = np.bincount(chosen, minlength=3) / len(chosen)
    return {
        **_result(task, AsPrinted(fitted.forest_, s.attributes, task["cut"], 0)),
        "shares": shares.round(4).tolist(),
    }


def _play_blocks(task: Task) -> dict[str, Any]:
    """The spread of what a hero wins in blocks of 3,000 hands, as Vilella counts it: no deal is played twice."""
    from mazzo.holdem.agents.hero import Hero
    from mazzo.holdem.match import played_lines

    _, strategy = _learned(task)
    agents = [Hero.playing(strategy, "hero"), create(task["opponent"], AGENTS)]
    won = []
    for batch in played_lines(rules(_GAME), agents, 3_000 * task["blocks"], task["seed"] + 5000):
        for line in batch:
            _, _, _, _, net, names = line.split(":", 5)  # a name may have parameters, and so a colon
            won.append(float(net.split("|")[names.split("|").index("hero")]) / 10)
    blocks = np.array(won).reshape(task["blocks"], -1).mean(axis=1)
    return {"bb_per_hand": float(blocks.mean()), "block_sd": float(blocks.std(ddof=1))}


def _result(task: Task, player: Agent[Any]) -> dict[str, Any]:
    from mazzo.arena.match import match
    from mazzo.holdem.match import HoldemMatch

    players = [player, create(task["opponent"], AGENTS)]
    seed = task["seed"] + 7000 * task.get("repetition", 0)  # the same hero in another match
    estimate = match(HoldemMatch(rules(_GAME)), players, task["play"], seed).standings[0].estimate
    return {"bb_per_hand": estimate.mean, "standard_error": estimate.standard_error}


def _learn_and_play(task: Task) -> dict[str, Any]:
    from mazzo.holdem.agents.hero import Hero

    _, strategy = _learned(task)
    residuals = [round(residual, 4) for residual in strategy.settings["residuals"]]
    return {**_result(task, Hero.playing(strategy, "hero")), "residuals": residuals}


def _judge_from_log(task: Task) -> dict[str, Any]:
    """What fitted Q evaluation says of a hero from the log alone, beside what it earns."""
    from mazzo.holdem.agents.hero import Hero
    from mazzo.holdem.learning.hero import estimate_from_log

    made, strategy = _learned(task)
    estimate = estimate_from_log(made, strategy, _settings(task), repetitions=task["repetitions"])
    return {
        **_result(task, Hero.playing(strategy, "hero")),
        "from_log": estimate.mean,
        "from_log_error": estimate.standard_error,
    }


def _play(task: Task) -> dict[str, Any]:
    return _result(task, create(task["player"], AGENTS))


def _bound(task: Task) -> dict[str, Any]:
    from mazzo.holdem.solver.ignores_cards import best_response

    return {"bound": best_response(create(task["opponent"], AGENTS)).value}


def _play_bandits(task: Task) -> dict[str, Any]:
    from mazzo.learn.bandits import FIGURES, compare

    ways = {name: replace(FIGURES[name], step=task["step"]) for name in task["ways"]}  # type: ignore[type-var]
    curves = compare(ways, runs=task["runs"], seed=task["seed"])
    plays = np.unique(np.geomspace(1, 1000, 60).astype(np.int64))
    return {
        "plays": plays.tolist(),
        "mean": {name: curve.mean[plays - 1].round(5).tolist() for name, curve in curves.items()},
        "error": {name: curve.standard_error[plays - 1].round(5).tolist() for name, curve in curves.items()},
    }


_KINDS = {
    "hero": _learn_and_play,
    "log": _judge_from_log,
    "player": _play,
    "bound": _bound,
    "appendix": _learn_as_printed,
    "bandit": _play_bandits,
    "blocks": _play_blocks,
}
