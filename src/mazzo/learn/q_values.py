"""Q of many states and actions at once, and the best action by it: all that playing needs, without scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats

__all__ = ["AT_ONCE", "greedy", "q_table"]

AT_ONCE = 500_000
"""States whose Q is asked for at a time: with every action each takes several times its room."""


def greedy(q: Floats, legal: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """The best legal action of every row; of equals the first, which is the cheapest where actions stand in order."""
    if legal is not None:
        q = np.where(legal, q, -np.inf)
    best: NDArray[np.int64] = np.argmax(q, axis=1)
    return best


def q_table(
    predict: Callable[[NDArray[np.float32]], Floats],
    states: NDArray[np.float32],
    actions: int,
    wanted: NDArray[np.bool_] | None = None,
    worth: Mapping[int, float] | None = None,
) -> Floats:
    """Q of every action in every state, a column an action; minus infinity where it is not wanted.

    `worth` gives the Q of actions for which nothing is predicted.
    """
    size, width = states.shape
    mask = np.ones((size, actions), np.bool_) if wanted is None else wanted
    if size > AT_ONCE:
        cuts = range(AT_ONCE, size, AT_ONCE)
        parts = zip(np.split(states, cuts), np.split(mask, cuts), strict=True)
        return np.concatenate([q_table(predict, some, actions, asked, worth) for some, asked in parts])
    out = np.full((size, actions), -np.inf)
    for known, value in (worth or {}).items():
        out[mask[:, known], known] = value
    if worth:
        mask = mask.copy()
        mask[:, list(worth)] = False
    action, row = np.nonzero(mask.T)  # rows that are alike side by side go down a tree together
    inputs = np.empty((len(row), width + 1), np.float32)
    inputs[:, :width] = states[row]
    inputs[:, width] = action
    out[row, action] = predict(inputs)
    return out
