"""Heroes: decisions and learning, against the same work done with scikit-learn alone in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesRegressor

from benchmarks.ratio import Ratio, seconds
from mazzo.agent import create
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.learning import LEARNING, Decisions, decisions_of
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.match import played_lines
from mazzo.holdem.rules import rules
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.q_values import q_table
from mazzo.learn.regressors import extra_trees
from mazzo.learn.transitions import Transitions

__all__ = ["run"]

_ITERATIONS = 4


def database(hands: int) -> Decisions:
    game = rules("holdem-limit-2p")
    agents = [create("random", AGENTS) for _ in range(2)]
    lines = [line for batch in played_lines(game, agents, hands, 1) for line in batch]
    file = BytesIO(("\n".join(lines) + "\n").encode())
    return decisions_of([read for read, _ in read_acpc(file, "benchmark", game) if read is not None])


def plain_iteration(batch: Transitions, regressor: Any) -> Any:
    """Fitted Q-iteration as one writes it with scikit-learn alone."""
    inputs = np.column_stack([batch.states, batch.actions])
    ahead = np.flatnonzero(~batch.terminal)
    target = batch.rewards
    for number in range(_ITERATIONS):
        model = clone(regressor).fit(inputs, target)
        if number < _ITERATIONS - 1:
            ahead_q = q_table(model.predict, batch.next_states[ahead], 3, batch.next_legal[ahead])
            target = batch.rewards.copy()
            target[ahead] += ahead_q.max(axis=1)
    return model


def _once(job: Callable[[], object]) -> float:
    started = time.process_time()
    job()
    return time.process_time() - started


def run() -> list[Ratio]:
    decisions = database(5000)
    batch = decisions.transitions(LEARNING)
    part = batch.rows(batch.episodes < 2000)
    regressor = extra_trees(100, 11, 30)
    peers = ExtraTreesRegressor(100, max_features=11, min_samples_split=30, random_state=0)
    rows = []
    forest_q = FittedQ(regressor, 3, 1).fit(batch)
    assert forest_q.forest_ is not None
    theirs = clone(peers).fit(np.column_stack([batch.states, batch.actions]), batch.rewards)
    seen, legal = batch.states[:10_000], decisions.legal[:10_000]
    for what, count, most in (("10,000 decisions", 10_000, 0.1), ("one decision", 1, 0.001)):
        ours = seconds(partial(q_table, forest_q.forest_.predict, seen[:count], 3, legal[:count]))
        peer = seconds(partial(q_table, theirs.predict, seen[:count], 3, legal[:count]))
        rows.append(
            Ratio(f"{what} of a hero of 100 trees, n_min 30", ours, "s", "scikit-learn predict", peer, 2, most=most)
        )
    ours = min(_once(lambda: FittedQ(regressor, 3, _ITERATIONS).fit(part)) for _ in range(3))
    peer = min(_once(lambda: plain_iteration(part, peers)) for _ in range(3))
    what = f"learning, {_ITERATIONS} iterations of {len(part):,} decisions, 100 trees"
    rows.append(Ratio(what, ours, "s", "the same with scikit-learn alone", peer, 2))
    return rows
