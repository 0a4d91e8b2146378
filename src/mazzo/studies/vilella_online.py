"""Beyond Vilella (2011), as he suggests it: a hero that learns on-line and notices when its opponent becomes another.

How often it is wrong, how surely and how late it notices: with learning over fifty seeds for one change, and of the
detector alone, on a hero that only explores, for changes from plain to one that hardly shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mazzo.agent import create
from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.rules import rules as rules_of
from mazzo.statistics import Z95, wilson
from mazzo.studies.row import Row

__all__ = ["KINDS", "charts", "rows", "tasks"]

_GAME = "holdem-limit-2p"
_RANDOM = "random"

Task = dict[str, Any]
Result = dict[str, Any]


def _online(full: bool, seed: int) -> Task:
    """A hero that goes on learning, against an opponent that becomes another after so many hands."""
    hands, switch, every = (12_000, 5_000, 1_000) if full else (4_000, 2_500, 500)
    return {
        "kind": "online",
        "figure": "online",
        "opponents": [_RANDOM, "raise"],
        "hands": hands,
        "switch": switch,
        "every": every,
        "batch": every,
        "watches": "actions",
        "seed": seed,
    }


_CHANGES = (
    (_RANDOM, "raise"),
    (_RANDOM, "random:fold=.05,call=.5,raise=.45"),
    (_RANDOM, "random:fold=.12,call=.48,raise=.4"),
    ("chart", "rich"),
    ("rich", "rich:margin=2"),
)
"""Opponents that become others, from plain changes to one that 6,000 hands hardly show."""


def _noticing(full: bool) -> list[Task]:
    """How soon and how surely a change is noticed, by an on-line hero that only explores: fifty seeds a change."""
    hands, seeds = (12_000, 50) if full else (4_000, 2)
    common = {"kind": "noticing", "figure": "noticing", "hands": hands, "switch": hands // 2, "batch": 500}
    return [{**common, "opponents": list(pair), "seed": 1, "seeds": seeds} for pair in _CHANGES]


def tasks(full: bool) -> list[Task]:
    """One change with learning, drawn and counted; several without."""
    seeds = range(33, 38) if full else (33,)
    made = [_online(full, seed) for seed in seeds]
    if full:  # alarms are rare: they are counted over fifty seeds
        rarely = {"figure": "alarms", "every": 4_000}
        made += [{**_online(full, seed), **rarely} for seed in range(38, 83)]
    return made + _noticing(full)


def _play_online(task: Task) -> dict[str, Any]:
    """What the hero earns between one learning and the next, and when it notices that the opponent is another."""
    from mazzo.holdem.agents.online import Online
    from mazzo.holdem.match import HoldemMatch
    from mazzo.statistics import Moments

    hero, game = Online(every=task["every"]), HoldemMatch(rules_of(_GAME))
    hero.name = "online"
    first, second = (create(name, AGENTS) for name in task["opponents"])
    means, errors = [], []
    deals = task["batch"] // 2
    for part in range(task["hands"] // task["batch"]):
        opponent = first if hero.hands < task["switch"] else second
        values, _ = game.play([hero, opponent], range(part * deals, (part + 1) * deals), task["seed"])
        estimate = Moments.of(values[:, 0]).estimate()
        means.append(estimate.mean)
        errors.append(estimate.standard_error)
    return {"mean": means, "error": errors, "noticed": hero.changes}


def _notice(task: Task) -> dict[str, Any]:
    """The hands after which each of some heroes that only explore called a change."""
    never = 10 * task["hands"]
    every = [{**task, "every": never, "seed": task["seed"] + k} for k in range(task["seeds"])]
    return {"noticed": [_play_online(each)["noticed"] for each in every]}


KINDS: dict[str, Callable[[Task], dict[str, Any]]] = {"online": _play_online, "noticing": _notice}


def rows(results: Sequence[Result]) -> list[Row]:
    """What was found, from whatever is done."""
    learned = [r for r in results if r["kind"] == "online"]
    made = [_online_row(r) for r in learned if r["figure"] == "online"]
    made += _alarm_rows(learned)
    return made + [_noticing_row(r) for r in results if r["kind"] == "noticing"]


def charts(results: Sequence[Result]) -> list[Chart]:
    """What each hero of the first seeds earned as it learned."""
    return [_online_chart(r) for r in results if r["figure"] == "online"]


def _online_row(result: Result) -> Row:
    """Earnings before the switch (after exploring), until it was noticed, and after learning anew."""
    every, switch = result["batch"], result["switch"]
    noticed = [hand for hand in result["noticed"] if hand > switch]
    until = (noticed[0] if noticed else result["hands"]) // every
    parts = [result["mean"][2 : switch // every], result["mean"][switch // every : until], result["mean"][until:]]
    told = [f"{np.mean(part):+.2f}" if part else "-" for part in parts]
    false, _ = _alarms(result)
    after = f"noticed {noticed[0] - switch} hands later" if noticed else "not noticed"
    first, second = result["opponents"]
    return Row(
        f"online, {first} becomes {second} after {switch} hands, seed {result['seed']}",
        f"{told[0]} before, {told[1]} until it is noticed, {told[2]} after, bb/hand; {after}, {false} false alarms",
        f"± {Z95 * np.mean(result['error']):.2f} for every {every} hands",
        "every alarm but the first after the change counts as false; Vilella suggests it (chapter 6), and did not try",
    )


def _alarms(result: Result) -> tuple[int, int | None]:
    """False alarms, and hands until the change was noticed: every alarm but the first after it is false."""
    before = [hand for hand in result["noticed"] if hand <= result["switch"]]
    after = [hand for hand in result["noticed"] if hand > result["switch"]]
    return len(before) + len(after[1:]), after[0] - result["switch"] if after else None


def _alarm_rows(results: Sequence[Result]) -> list[Row]:
    """How often the online hero is wrong, how often it notices, and how late, over all seeds."""
    if not results:
        return []
    found = [_alarms(result) for result in results]
    hands, false = sum(result["hands"] for result in results), sum(wrong for wrong, _ in found)
    delays = [delay for _, delay in found if delay is not None]
    low, high = wilson(len(delays), len(found))
    told = f"{1e5 * false / hands:.1f} false alarms in 100,000 hands; noticed {len(delays)} of {len(found)}"
    if delays:
        told += f", after {np.median(delays):.0f} hands (median)"
    interval = f"noticed {low:.0%} .. {high:.0%}"
    return [Row(f"online: alarms over {len(found)} seeds", told, interval, f"{false} false alarms in {hands:,} hands")]


def _noticing_row(result: Result) -> Row:
    """False alarms, power and delay of the detector alone; every alarm but the first after the change is false."""
    found = [_alarms({**result, "noticed": noticed}) for noticed in result["noticed"]]
    hands, false = result["hands"] * len(found), sum(wrong for wrong, _ in found)
    delays = [delay for _, delay in found if delay is not None]
    low, high = wilson(len(delays), len(found))
    first, second = result["opponents"]
    told = f"{1e5 * false / hands:.2f} false alarms in 100,000 hands; noticed {len(delays)} of {len(found)}"
    if delays:
        told += f", after {np.median(delays):.0f} hands (median; {min(delays)} to {max(delays)})"
    what = f"online: {first} becomes {second} after {result['switch']:,} hands, a hero that only explores"
    why = f"{false} false alarms in {hands:,} hands; looked at every {result['batch']:,} hands"
    return Row(what, told, f"noticed {low:.0%} .. {high:.0%}", why)


def _online_chart(result: Result) -> Chart:
    mean, error = np.array(result["mean"]), Z95 * np.array(result["error"])
    hands = [result["batch"] * (k + 1) for k in range(len(mean))]
    series = [Series("online", hands, mean.tolist(), (mean - error).tolist(), (mean + error).tolist())]
    first, second = result["opponents"]
    told = ", ".join(map(str, result["noticed"])) or "never"
    caption = (
        f"Means of {result['batch']:,} hands with {INTERVAL}s, seed {result['seed']}; {first} becomes {second} "
        f"after {result['switch']:,} hands; a change was noticed after hand: {told}."
    )
    title = f"a hero that goes on learning, seed {result['seed']}"
    return Chart(title, "hands", "big blinds per hand", series, caption=caption)
