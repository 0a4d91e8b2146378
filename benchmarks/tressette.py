"""Tressette: exact counting, sampling, knowledge and matches, timed; counting also against clingo in the same run."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

import numpy as np

from benchmarks.ratio import Ratio, seconds
from mazzo.arena.by_name import match
from mazzo.tressette.agents.network import BeliefNetwork
from mazzo.tressette.deals.sample import count_deals, hold_counts, sample_deals
from mazzo.tressette.observation import Observations
from mazzo.tressette.reasoning import Knowledge
from mazzo.tressette.round import Round
from mazzo.tressette.table import Table


def situations(n: int) -> Observations:
    """What seat 0 knows in n rounds at every stage, after random cards."""
    rows = Table.deal(1, range(n))
    rng = np.random.default_rng(1)
    parts = []
    for _ in range(38):
        seen = rows.observe(np.arange(n), np.zeros(n, np.int64))
        parts.append(seen)
        legal = [[k for k in range(40) if int(mask) >> k & 1] for mask in rows.legal()]
        rows.apply(np.arange(n), np.array([cards[rng.integers(len(cards))] for cards in legal]))
    return Observations(*[np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Observations)])


def ending() -> Round:
    table = Round(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(28):
        table.act(table.legal.cards[rng.integers(len(table.legal))])
    return table


def count_with_clingo(knowledge: Knowledge) -> int:
    program = knowledge._program
    program.configuration.solve.models = 0
    program.configuration.solve.enum_mode = "auto"
    n = 0
    with program.solve(yield_=True, assumptions=[(s, True) for s in knowledge._reasons.values()]) as handle:
        for _ in handle:
            n += 1
    return n


def run() -> list[Ratio]:
    seen = situations(200)
    rows = []
    for what, napoli, silence in (("voids only", False, False), ("declarations and silence", True, True)):
        span = seconds(partial(hold_counts, seen, napoli, silence)) / len(seen)
        rows.append(Ratio(f"count of deals with all chances, {what}", 1e6 * span, "us"))
    for stage in (0, 2000, 4000, 6000):
        span = seconds(partial(sample_deals, seen[stage : stage + 1], 20_000, 1)) / 20_000
        rows.append(Ratio(f"a sampled deal after {stage // 200} cards, silence included", 1e6 * span, "us"))
    view = ending().view(0)
    knowledge = Knowledge(view)
    assert int(count_deals(view.observe())[0]) == count_with_clingo(knowledge)
    ours, theirs = seconds(lambda: count_deals(view.observe())), seconds(lambda: count_with_clingo(knowledge))
    rows.append(Ratio("counting the deals of an ending", 1e6 * ours, "us", "clingo's enumeration", 1e6 * theirs))
    span = seconds(lambda: (Knowledge(view).known, Knowledge(view).possible))
    rows.append(Ratio("knowledge base: known and possible holders of all cards", 1e3 * span, "ms"))
    network = BeliefNetwork()
    span = seconds(lambda: [network.posterior(k % 4, 37 * k % 1024) for k in range(100)]) / 100
    rows.append(Ratio("belief network, one query", 1e3 * span, "ms"))
    span = seconds(lambda: match("tressette", ["greedy", "random"], deals=10_000), repeats=2)
    rows.append(Ratio("10,000 duplicate deals, greedy against random", span, "s"))
    return rows
