"""Vilella (2011), chapter 5: heroes learned by fitted Q-iteration with extremely randomized trees, and what they earn.

The text reports chips over one block of 3,000 hands at a big blind of 10; 30,000 of them are one big blind a hand. One
such block has a 95 % interval of about +-10,000 chips, so most of the text's differences are noise. Ours are means over
several logs with exact rewards, each hero playing duplicate deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np

from mazzo.agent import create
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.game import find_game

__all__ = ["SUMMARY", "run", "table", "tasks"]

SUMMARY = "heroes learned from logged hands against random and chart players (figures 5.1-5.6)"

_GAME = "holdem-limit-2p"
_RANDOM, _FREE = "random", "random:free_fold=true"
_BOUNDS = {_RANDOM: 2.4384, _FREE: 2.9083}
_FOUR = ("stage", "turn", "pv", "pot")
_CHIPS_A_BLIND = 30_000
_SAMPLED = 1000

Task = dict[str, Any]


def _row(figure: str, label: str, text: str = "", **settings: Any) -> Task:
    return {"figure": figure, "label": label, "text": text, "settings": settings}


def _rows() -> list[Task]:
    rows = []
    for leaf, text in ((4, 11925), (10, 14865), (20, 23335), (30, 23480), (40, 22540), (100, -11150)):
        rows.append(_row("5.1", f"n_min {leaf}, sampled PV", str(text), leaf=leaf, pv_samples=_SAMPLED))
    for leaf, text in ((10, 36825), (20, 30550), (4, 31175)):
        rows.append(_row("5.1 exact", f"n_min {leaf}, exact PV", str(text), leaf=leaf))
    for leaf, text in ((20, -31645), (100, -25510), (400, 16695), (800, 20165), (1200, 16955)):
        rows.append(_row("5.2", f"stage turn pv pot, n_min {leaf}", str(text), leaf=leaf, attributes=_FOUR))
    rows.append(_row("5.3", "n_min 10, several seeds", "33350 38870 26880", leaf=10))
    for trees, words in ((100, "33300"), (20, "32110 33410"), (10, "22060 19960"), (1, "3155 6195")):
        rows.append(_row("5.4", f"{trees} trees", words, leaf=10, trees=trees))
    rows.append({**_row("-", "with 5,000 hands of the hero", "no significant gain", leaf=10), "again": True})
    rows.append(_row("ours", "boosted, pot x equity", "", regressor="boosted", reward="equity", iterations=12))
    return rows


def _chart_rows() -> list[Task]:
    from mazzo.holdem.decisions import LEARNING

    rows = [
        _row("5.5", f"against chart, n_min {leaf}", "profitable", leaf=leaf, trees=50)
        for leaf in (10, 100, 300, 1000, 3000)
    ]
    for name in LEARNING:
        rest = tuple(k for k in LEARNING if k != name)
        rows.append(_row("5.6", f"against chart, without {name}", "", leaf=300, trees=50, attributes=rest))
    return rows


def tasks(full: bool) -> list[Task]:
    """Everything to be done: five seeds in full; in the quick form one seed, a fifth of the hands and of the trees."""
    made = []
    for seed in range(33, 38) if full else (33,):
        for opponent in (_RANDOM, _FREE) if full else (_RANDOM,):
            made += [{**row, "opponent": opponent, "hands": 5_000, "seed": seed} for row in _rows()]
        made += [{**row, "opponent": "chart", "hands": 50_000, "seed": seed} for row in _chart_rows()]
    for task in made:
        task["play"] = 100_000 if full else 4_000
        if not full:
            task["hands"] //= 5 if task["opponent"] != "chart" else 25
            if "regressor" not in task["settings"]:  # boosted trees correct each other: a fifth of them is no model
                task["settings"] = {**task["settings"], "trees": max(1, task["settings"].get("trees", 100) // 5)}
    return made


def _database(names: Sequence[Any], hands: int, seed: int) -> list[Any]:
    """Hands between agents, given by name or as they are."""
    from mazzo.holdem.generate import generate
    from mazzo.holdem.logs.acpc import read_acpc

    game = find_game(_GAME)
    agents = [create(name, AGENTS) if isinstance(name, str) else name for name in names]
    lines = [line for batch in generate(game, agents, hands, seed) for line in batch]
    file = BytesIO(("\n".join(lines) + "\n").encode())
    return [read for read, _ in read_acpc(file, "study", game) if read is not None]


def run(task: Task) -> dict[str, Any]:
    """Learn one hero and let it play: big blinds a hand with the standard error."""
    from mazzo.arena.match import match
    from mazzo.holdem.agents.hero import Hero
    from mazzo.holdem.decisions import decisions_of
    from mazzo.holdem.decisions.rows import joined
    from mazzo.holdem.learning import Settings, learn_hero
    from mazzo.holdem.play import HoldemMatch

    settings = replace(Settings(cuts=11, iterations=11, seed=task["seed"]), **_given(task["settings"]))
    options: dict[str, Any] = {
        "reward": settings.reward, "pv_samples": settings.pv_samples, "seed": task["seed"]
    }  # fmt: skip
    opponent, seed = task["opponent"], task["seed"]
    if opponent == "chart":
        rows = decisions_of(_database((_RANDOM, "chart"), task["hands"], seed), against="chart", **options)
    else:
        rows = decisions_of(_database((opponent, opponent), task["hands"], seed), **options)
    strategy = learn_hero(rows, settings)
    if task.get("again"):
        more = _database((Hero.playing(strategy, "hero"), opponent), task["hands"], seed + 1000)
        played = decisions_of(more, player="hero", **options)
        strategy = learn_hero(joined([rows, replace(played, hand=played.hand + task["hands"])]), settings)
    players = [Hero.playing(strategy, "hero"), create(opponent, AGENTS)]
    estimate = match(HoldemMatch(find_game(_GAME)), players, task["play"], seed).standings[0].estimate
    keys = ("figure", "label", "text", "opponent", "seed", "hands", "play")
    return {**{k: task[k] for k in keys}, "bb_per_hand": estimate.mean, "standard_error": estimate.standard_error}


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}


def table(results: Iterable[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The text's figures beside ours: mean over seeds, its 95 % interval, and the share of what can be won."""
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault((result["figure"], result["label"], result["opponent"]), []).append(result)
    head = ("figure", "what", "against", "text, chips / 3,000", "text, bb", "ours, bb", "95 %", "of the bound", "seeds")
    return head, [_line(key, group) for key, group in groups.items()]


def _line(key: tuple[str, str, str], group: list[dict[str, Any]]) -> tuple[str, ...]:
    figure, label, opponent = key
    values = np.array([r["bb_per_hand"] for r in group])
    # Between logs there is more chance than within a match; with one log only the match's own error is known.
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else group[0]["standard_error"]
    text = group[0]["text"]
    numbers = [int(k) for k in text.split()] if text.replace("-", "").replace(" ", "").isdigit() else []
    blinds = f"{sum(numbers) / len(numbers) / _CHIPS_A_BLIND:+.2f}" if numbers else ""
    mean = float(values.mean())
    bound = _BOUNDS.get(opponent)
    share = f"{100 * mean / bound:.1f} % of {bound}" if bound else ""
    return (
        figure, label, opponent, text, blinds, f"{mean:+.3f}", f"+- {1.96 * error:.3f}", share, str(len(values))
    )  # fmt: skip
