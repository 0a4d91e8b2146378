"""Batched evaluation of random seven-card hands beside phevaluator's raw C call and eval7."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.ratio import Ratio, seconds
from mazzo.holdem.showdown import evaluate, evaluate_one

__all__ = ["random_cards", "run"]

_OURS, _THEIRS = 400_000, 20_000


def random_cards(rows: int, cards: int, seed: int = 1) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((rows, 52)), axis=1)[:, :cards].astype(np.uint8)


def run() -> list[Ratio]:
    import eval7
    from phevaluator import _pheval

    hands = random_cards(_OURS, 7)
    few = hands[:_THEIRS].tolist()
    deck = [eval7.Card("23456789TJQKA"[card // 4] + "cdhs"[card % 4]) for card in range(52)]
    as_eval7 = [[deck[card] for card in hand] for hand in few]
    raw, theirs = _pheval.evaluate_7cards, eval7.evaluate

    def phevaluator_job() -> None:
        for hand in few:
            raw(*hand)

    def eval7_job() -> None:
        for hand in as_eval7:
            theirs(hand)

    def one_by_one() -> None:
        for hand in few:
            evaluate_one(hand)

    ours = seconds(lambda: evaluate(hands)) / _OURS * 1e9
    alone = seconds(one_by_one) / _THEIRS * 1e9
    what = "value of a random seven-card hand, ours in a batch, theirs one call a hand"
    called = "value of a random seven-card hand, one call a hand from Python"
    return [
        Ratio(what, ours, "ns", "phevaluator's raw C call", seconds(phevaluator_job) / _THEIRS * 1e9, 15),
        Ratio(called, alone, "ns", "phevaluator's raw C call", seconds(phevaluator_job) / _THEIRS * 1e9),
        Ratio(what, ours, "ns", "eval7.evaluate", seconds(eval7_job) / _THEIRS * 1e9, 75),
    ]
