"""Tressette: exact counting, sampling, knowledge and matches, timed; counting also against clingo in the same run.

Run with `python -m benchmarks.tressette`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from time import perf_counter

import numpy as np

from mazzo.luck import stream
from mazzo.tressette.agents.network import BeliefNetwork
from mazzo.tressette.deals import count_deals, hold_counts, sample_deals
from mazzo.tressette.knowledge import Knowledge
from mazzo.tressette.match import play_match
from mazzo.tressette.observation import Observations, observe
from mazzo.tressette.round import Round
from mazzo.tressette.rules import Rounds, deal_hands


def best_of(times: int, work: Callable[[], object]) -> float:
    work()
    spans = []
    for _ in range(times):
        start = perf_counter()
        work()
        spans.append(perf_counter() - start)
    return min(spans)


def situations(n: int) -> Observations:
    """What seat 0 knows in n rounds at every stage, after random cards."""
    hands = np.empty((n, 4), np.int64)
    deal_hands(stream(1, "deal"), 0, hands)
    rows = Rounds.start(hands, 0)
    rng = np.random.default_rng(1)
    parts = []
    for _ in range(38):
        seen = observe(rows, np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.uint64))
        parts.append(seen)
        legal = [[k for k in range(40) if int(mask) >> k & 1] for mask in rows.legal()]
        rows.play(np.array([cards[rng.integers(len(cards))] for cards in legal]))
    return Observations(*[np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Observations)])


def ending() -> Round:
    table = Round.deal(3)
    rng = np.random.default_rng(3)
    for _ in range(28):
        table.act(table.legal[rng.integers(len(table.legal))])
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


def main() -> None:
    seen = situations(200)
    for what, napoli, silence in (("voids only", False, False), ("declarations and silence", True, True)):
        span = best_of(5, lambda n=napoli, s=silence: hold_counts(seen, n, s))  # type: ignore[misc]
        print(f"count with all chances, {what}: {1e6 * span / len(seen):.2f} µs")
    for stage in (0, 2000, 4000, 6000):
        one = seen.rows(slice(stage, stage + 1))
        span = best_of(5, lambda o=one: sample_deals(o, 20_000, 1))  # type: ignore[misc]
        print(f"sampled deal after {stage // 200} cards, silence included: {span / 20_000 * 1e6:.2f} µs")
    view = ending().view(0)
    span = best_of(10, lambda: (Knowledge(view).known, Knowledge(view).possible))
    print(f"knowledge base, known and possible holders of all cards: {1e3 * span:.1f} ms")
    knowledge = Knowledge(view)
    ours, theirs = best_of(5, lambda: count_deals(view.observe())), best_of(3, lambda: count_with_clingo(knowledge))
    deals = int(count_deals(view.observe())[0])
    assert deals == count_with_clingo(knowledge)
    print(f"counting {deals} deals: {1e6 * ours:.0f} µs; clingo's enumeration takes {theirs / ours:.0f} times as long")
    network = BeliefNetwork()
    span = best_of(3, lambda: [network.posterior(k % 4, 37 * k % 1024) for k in range(100)])
    print(f"belief network, one query: {1e3 * span / 100:.2f} ms")
    span = best_of(2, lambda: play_match("greedy", "random", 10_000))
    print(f"10,000 duplicate deals, greedy against random: {span:.2f} s")


if __name__ == "__main__":
    main()
