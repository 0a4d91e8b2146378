"""Tressette's double-dummy solver: median times by cards a hand, and against plain minimax on endings, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.plain_minimax import minimax
from benchmarks.ratio import Ratio
from mazzo.tressette.solver.search import memory_for
from mazzo.tressette.solver.values import value_of_hands, values_of_rounds
from mazzo.tressette.table import Table

DEALS = {5: 9, 8: 60, 10: 25}
MOST_MS = {8: 20.0, 10: 450.0}


def endings(n: int, cards: int) -> np.ndarray:
    """Random hands of so many cards each."""
    rng = np.random.default_rng(cards)
    decks = rng.permuted(np.tile(np.arange(40), (n, 1)), axis=1)[:, : 4 * cards]
    return np.asarray(np.bitwise_or.reduce(np.int64(1) << decks.reshape(n, 4, cards), axis=2))


def median_ms(job: Callable[[np.ndarray], object], deals: np.ndarray) -> float:
    """The median of processor time over deals, nothing remembered from one to the next."""
    times = []
    for hands in deals:
        memory_for(10)[:] = 0
        start = time.process_time()
        job(hands)
        times.append(1000 * (time.process_time() - start))
    return float(np.median(times))


def value(hands: np.ndarray) -> int:
    return value_of_hands([int(hand) for hand in hands])


def run() -> list[Ratio]:
    small = endings(DEALS[5], 5)
    value(small[0])
    minimax(small[0], 0)
    rows = [
        Ratio(
            "value of a five-card ending, median",
            median_ms(value, small),
            "ms",
            "plain minimax",
            median_ms(lambda hands: minimax(hands, 0), small),
            bar=50,
        )
    ]
    for cards, most in MOST_MS.items():
        deals = endings(DEALS[cards], cards)
        rows.append(Ratio(f"value of a deal of {cards} cards each, median", median_ms(value, deals), "ms", most=most))
        span = median_ms(lambda hands: values_of_rounds(Table.begin(hands[None])), deals)
        rows.append(Ratio(f"values of all cards, {cards} cards each, median", span, "ms"))
    return rows
