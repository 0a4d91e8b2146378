"""The model of players, made again: a teacher plays all four seats, and weights are fitted to its choices."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.errors import UnreadableError
from mazzo.files import write_whole
from mazzo.lockstep import play_out
from mazzo.tressette.agents import agent
from mazzo.tressette.players import PlayedChoices, choices_of, fit_weights
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.table import Table
from mazzo.version import __version__
from mazzo.workers import Checkpoint, Workers

__all__ = ["fit_to_teacher", "write_weights"]

_ROUNDS_A_TASK = 20


def fit_to_teacher(
    teacher: str,
    rounds: int,
    seed: int,
    kept: Path,
    workers: Workers = 1,
    progress: Callable[[float], None] = lambda part: None,
    rules: Rules = PRESETS["tressette"],
) -> tuple[Any, dict[str, float]]:
    """Weights fitted to rounds that a teacher plays with itself, and how well they foretell other rounds of it.

    One round in five is kept apart: the figures are of those, and say how much is lost to chance.

    Args:
        teacher: The agent that plays, by name.
        rounds: How many rounds it plays, at least ten.
        seed: Of the deals.
        kept: Where rounds are kept as they are played, so that this can go on where it stopped.
        workers: How many at a time.
        progress: Told how many more rounds were played.
        rules: What is played.
    """
    if reason := agent(teacher).unsupported_reason(rules):  # refused before anything is written
        raise UnreadableError(f"agent {teacher!r} cannot play {rules}: {reason}")
    work = {"kind": "tressette fit", "teacher": teacher, "rounds": rounds, "seed": seed, "version": __version__}
    work |= {} if rules == PRESETS["tressette"] else {"rules": str(rules)}
    tasks = [(first, min(first + _ROUNDS_A_TASK, rounds)) for first in range(0, rounds, _ROUNDS_A_TASK)]
    parts = []
    for part in Checkpoint(kept, work).run(partial(_rounds, teacher, seed, rules), tasks, workers):
        parts.append(part)
        progress(len(part["leaders"]))
    dealt, played, leaders = (np.concatenate([np.array(p[name]) for p in parts]) for name in _ARRAYS)
    apart = np.arange(rounds) % 5 == 4
    learned = choices_of(dealt[~apart], played[~apart], leaders[~apart])
    judged = choices_of(dealt[apart], played[apart], leaders[apart])
    weights = fit_weights(learned)
    return weights, {"decisions": float(learned.decisions), **_figures(judged, weights)}


_ARRAYS = ("dealt", "played", "leaders")


def _rounds(teacher: str, seed: int, rules: Rules, deals: tuple[int, int]) -> dict[str, Any]:
    player, numbers = agent(teacher), range(*deals)
    table = Table.deal(seed, numbers, (np.arange(numbers.start, numbers.stop) % 4).astype(np.int8), rules)
    play_out(table, [player] * 4)
    return {name: getattr(table, name).tolist() for name in _ARRAYS}


def _figures(judged: PlayedChoices, weights: Any) -> dict[str, float]:
    p = judged.chances(weights)
    first = np.maximum.reduceat(p, judged.starts)
    return {
        "judged": float(judged.decisions),
        "log_loss": float(-np.log(p[judged.taken]).mean()),
        "log_loss_of_any_card": float(np.log(judged.lengths).mean()),
        "same_card": float((p[judged.taken] == first).mean()),
    }


def write_weights(path: Path, weights: Any, made_by: dict[str, Any]) -> None:
    """A file that `policy:file=...` reads."""
    rounded = [float(f"{weight:.5g}") for weight in weights]
    write_whole(path, json.dumps({"made by": made_by, "weights": rounded}) + "\n")
