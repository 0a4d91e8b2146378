"""Beyond Vilella (2011): heroes learned where nobody explored, and what a log alone can say of a hero.

A hero is learned from hands of a player against itself; what it earns against some opponents, less what that player
earns on the same deals, says whether caution kept it from believing what the log does not hold. Of judging from the
log, the question is how often the interval holds what the hero truly earns, over many logs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mazzo.agent import create
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.rules import rules
from mazzo.statistics import Z95, Estimate, Moments, wilson
from mazzo.studies.row import Row

if TYPE_CHECKING:
    from mazzo.holdem.learning import Decisions
    from mazzo.holdem.learning.strategy import LearnedStrategy

__all__ = ["KINDS", "rows", "tasks"]

_GAME = "holdem-limit-2p"
_WATCHED = ("rich", "chart")
_JUDGED = (("chart", 1_000), ("explorer:agent=chart,explore=0.2", 1_000), ("random", 1_000))
"""Who is watched, and in how many hands, where heroes are judged from logs."""

Task = dict[str, Any]


def tasks(full: bool) -> list[Task]:
    """Five logs of each watched player; a hundred logs to judge from. The quick form has one and four, smaller."""
    made: list[Task] = []
    for watched in _WATCHED:
        for seed in range(1, 6) if full else (1,):
            hands, deals = (20_000, 5_000) if full else (2_000, 1_000)
            made.append(
                {
                    "kind": "caution",
                    "figure": "caution",
                    "watched": watched,
                    "hands": hands,
                    "deals": deals,
                    "seed": seed,
                }
            )
    deals = 10_000 if full else 500
    for watched, hands in _JUDGED:
        for first in range(0, 100 if full else 2, 10 if full else 2):
            logs = list(range(first, first + (10 if full else 2)))
            made.append(
                {
                    "kind": "judged",
                    "figure": "judged",
                    "watched": watched,
                    "hands": hands,
                    "logs": logs,
                    "seed": 1,
                    "deals": deals,
                }
            )
    return made


def _decisions(watched: str, hands: int, seed: int) -> Decisions:
    from mazzo.holdem.learning import LEARNING, decisions_of
    from mazzo.holdem.learning.support import AUTO, to_keep
    from mazzo.studies.vilella import database

    read = database((watched, watched), hands, seed)
    return decisions_of(read, attributes=to_keep(LEARNING, AUTO), reward="auto")


def _earned(player: Any, opponent: str, deals: int, seed: int) -> Any:
    from mazzo.holdem.match import HoldemMatch

    return HoldemMatch(rules(_GAME)).play([player, create(opponent, AGENTS)], range(deals), seed)[0][:, 0]


def _learned(decisions: Decisions, seed: int) -> LearnedStrategy:
    from mazzo.holdem.learning.hero import Settings, learn_hero

    return learn_hero(decisions, Settings(seed=seed))


def _caution(task: Task) -> dict[str, Any]:
    """What a hero earns less what the watched player earns, deal by deal, against three opponents."""
    from mazzo.holdem.agents.hero import Hero

    watched, deals, seed = task["watched"], task["deals"], task["seed"] + 500
    strategy = _learned(_decisions(watched, task["hands"], task["seed"]), task["seed"])
    found = {}
    for opponent in (watched, "random", "call"):
        own = _earned(Hero.playing(strategy), opponent, deals, seed)
        theirs = _earned(create(watched, AGENTS), opponent, deals, seed)
        apart = Moments.of(own - theirs).estimate()
        found[opponent] = [float(own.mean()), float(theirs.mean()), apart.mean, apart.standard_error]
    return {"earned": found, "explored": strategy.settings["explored"]}


def _judged(task: Task) -> dict[str, Any]:
    """A hero learned from one log, judged from others; and what it earns in a long match."""
    from mazzo.holdem.agents.hero import Hero
    from mazzo.holdem.learning.judge import judge

    watched, hands = task["watched"], task["hands"]
    strategy = _learned(_decisions(watched, hands, 10_000 + task["seed"]), task["seed"])
    true = Moments.of(_earned(Hero.playing(strategy), watched, task["deals"], 777)).estimate()
    found = []
    for log in task["logs"]:
        said = judge(_decisions(watched, hands, 20_000 + log), strategy)
        robust, weighted = said.doubly_robust, said.weighted
        found.append(
            {
                "why_not": said.why_not,
                "sure": said.sure,
                "bound": list(said.bound),
                "robust": [robust.mean, robust.standard_error],
                "weighted": [weighted.mean, weighted.standard_error],
                "effective": said.effective,
            }
        )
    return {"true": [true.mean, true.standard_error], "found": found}


KINDS: dict[str, Callable[[Task], dict[str, Any]]] = {"caution": _caution, "judged": _judged}


def rows(results: Iterable[Task]) -> list[Row]:
    """What was found, from whatever is done."""
    done = list(results)
    made = []
    for watched in dict.fromkeys(r["watched"] for r in done if r["kind"] == "caution"):
        group = [r for r in done if r["kind"] == "caution" and r["watched"] == watched]
        made += [_caution_row(group, watched, opponent) for opponent in group[0]["earned"]]
    for watched in dict.fromkeys(r["watched"] for r in done if r["kind"] == "judged"):
        made.append(_judged_row([r for r in done if r["kind"] == "judged" and r["watched"] == watched], watched))
    return made


def over_logs(earned: Sequence[Sequence[float]]) -> Estimate:
    """The mean difference over logs: their spread where it is larger than the error of the matches."""
    apart = np.array([each[2] for each in earned])
    within = float(np.sqrt(np.sum([each[3] ** 2 for each in earned]))) / len(earned)
    between = float(apart.std(ddof=1)) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
    return Estimate(float(apart.mean()), max(within, between), len(apart))


def _caution_row(group: list[Task], watched: str, opponent: str) -> Row:
    earned = [r["earned"][opponent] for r in group]
    apart = over_logs(earned)
    low, high = apart.student95 if apart.n > 1 else apart.ci95
    own, theirs = (float(np.mean([each[k] for each in earned])) for k in (0, 1))
    return Row(
        f"learned from {watched} v {watched}, against {opponent}: what the hero earns less what {watched} earns",
        f"{apart.mean:+.3f} bb/hand ({own:+.3f} less {theirs:+.3f})",
        f"{low:+.3f} .. {high:+.3f} ({apart.n} logs of {group[0]['hands']:,} hands, {group[0]['deals']:,} deals each)",
        "same deals; the default caution, chosen from the log",
    )


def _judged_row(group: list[Task], watched: str) -> Row:
    true, error = group[0]["true"]
    found = [each for r in group for each in r["found"]]
    said = [each for each in found if not each["why_not"]]
    held = sum(each["bound"][0] <= true <= each["bound"][1] for each in said)
    name = (
        f"a hero judged from logs of {group[0]['hands']:,} hands of {watched} (earns {true:+.3f} ± {Z95 * error:.3f})"
    )
    if not said:
        return Row(name, f"none of {len(found)} logs can judge it", "", found[0]["why_not"])
    low, high = wilson(held, len(said))
    width = float(np.mean([(each["bound"][1] - each["bound"][0]) / 2 for each in said]))
    off = float(np.mean([each["robust"][0] for each in said])) - true
    return Row(
        name,
        f"the interval holds it in {held} of {len(said)} logs; {len(found) - len(said)} cannot judge it",
        f"{low:.0%} .. {high:.0%}",
        f"doubly robust; half width {width:.3f} on average, off by {off:+.3f} on average",
    )
