"""The tab-separated numbers of Vilella (2011): state, action, next state and reward of every decision, in and out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes.elementary import LEARNING, capped_sequences
from mazzo.holdem.learning.decisions import Decisions
from mazzo.learn.transitions import Transitions

__all__ = ["read_export", "write_export"]

_HEAD = "12\t12"
_ENDED = "\t".join(["123.456"] * len(LEARNING))
_STAGE, _RAISE_BEFORE, _BET = 0, 3, 7


def write_export(decisions: Decisions, path: Path) -> None:
    """Write the decisions with the 11 attributes of learning, PV rounded to whole thousandths."""
    states = decisions.matrix(LEARNING)
    whole = np.floor(states.astype(np.float64) + 0.5).astype(np.int64)
    texts = ["\t".join(map(str, row)) for row in whole.tolist()]
    with path.open("w") as file:
        file.write(_HEAD + "\n")
        for row, after in enumerate(decisions.next.tolist()):
            ahead = _ENDED if after < 0 else texts[after]
            file.write(f"{texts[row]}\t{decisions.action[row]}\t{ahead}\t{decisions.reward[row]:.12g}\n")


def read_export(path: Path) -> Transitions:
    """Read such a file. What a next state allows follows from its betting."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"cannot read {path}: {error}") from None
    if not lines or lines[0].split() != _HEAD.split():
        raise UnreadableError(f"{path} is not an export of decisions: its first line is not 12, a tab, 12")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            values = [float(word) for word in line.split("\t")]
        except ValueError:
            values = []
        if len(values) != 24 or values[11] not in (0, 1, 2):
            raise UnreadableError(
                f"{path}, line {number}: a decision is 24 numbers (11 of the state, the action 0-2, 11 of the next "
                f"state, the reward), not {line[:80]!r}"
            )
        rows.append(values)
    table = np.array(rows, np.float64).reshape(-1, 24)
    ahead = table[:, 12:23]
    ended = (ahead == 123.456).all(axis=1)
    episode = np.concatenate([[0], np.cumsum(ended[:-1])]) if len(ended) else np.zeros(0)
    first = np.concatenate([[True], ended[:-1]]) if len(ended) else np.zeros(0, np.bool_)
    return Transitions(
        table[:, :11].astype(np.float32),
        table[:, 11].astype(np.int64),
        table[:, 23].copy(),
        ahead.astype(np.float32),
        ended,
        _legal(ahead, ended),
        episode.astype(np.int64),
        first.astype(np.bool_),
    )


def _legal(states: np.ndarray, ended: np.ndarray) -> np.ndarray:
    legal = np.ones((len(states), 3), np.bool_)
    stage = np.where(ended, 0, states[:, _STAGE]).astype(np.int64).clip(0, 3)
    bet = np.take_along_axis(states, _BET + stage[:, None], 1)
    opening = (stage == 0) & (states[:, _BET] == 2)
    legal[:, 0] = (states[:, _RAISE_BEFORE] == 1) | opening
    for k in range(4):
        legal[stage == k, 2] = ~np.isin(bet[stage == k, 0], capped_sequences(k))
    return legal
