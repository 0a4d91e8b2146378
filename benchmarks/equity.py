"""Exact equity: counting kinds of opponents beside dealing every case with the same evaluator, and what a row costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.ratio import Ratio, seconds
from benchmarks.showdown import random_cards
from mazzo.cards import FRENCH
from mazzo.holdem import showdown
from mazzo.holdem.odds import batch, equities, equity, prepare
from mazzo.holdem.showdown import hand_value
from mazzo.jit import kernel

__all__ = ["run"]


@kernel
def plain_flop(hole: Any, flop: Any, keys: Any, suits: Any, table: Any) -> tuple[int, int]:
    """Every turn and river, every hand of the opponent: the board's and the hero's part are summed once."""
    live, rest = np.empty(47, dtype=np.int64), np.empty(45, dtype=np.int64)
    count = 0
    for card in range(52):
        if card not in hole and card not in flop:
            live[count] = card
            count += 1
    flop_key = keys[flop[0]] + keys[flop[1]] + keys[flop[2]]
    flop_suits = suits[flop[0]] | suits[flop[1]] | suits[flop[2]]
    won, tied = 0, 0
    for i in range(47):
        for j in range(i):
            rest[:j], rest[j : i - 1], rest[i - 1 :] = live[:j], live[j + 1 : i], live[i + 1 :]
            key = flop_key + keys[live[i]] + keys[live[j]]
            bits = flop_suits | suits[live[i]] | suits[live[j]]
            hero = hand_value(key + keys[hole[0]] + keys[hole[1]], bits | suits[hole[0]] | suits[hole[1]], table)
            for a in range(45):
                key_a, bits_a = key + keys[rest[a]], bits | suits[rest[a]]
                for b in range(a):
                    value = hand_value(key_a + keys[rest[b]], bits_a | suits[rest[b]], table)
                    won += value < hero
                    tied += value == hero
    return won, tied


def _flop_against_one() -> Ratio:
    hole, flop = (np.array(FRENCH.parse(text), dtype=np.int64) for text in ("AhKh", "2c7dTh"))
    evaluator = showdown.tables()
    won, tied = plain_flop(hole, flop, *evaluator)
    if equity(hole.tolist(), flop.tolist()).numerator != 2 * won + tied:
        raise ArithmeticError("counting and dealing disagree: nothing to compare")
    ours = seconds(lambda: equity(hole.tolist(), flop.tolist())) * 1e6
    plain = seconds(lambda: plain_flop(hole, flop, *evaluator)) * 1e6
    return Ratio("exact flop equity against one random hand", ours, "us", "dealing every case, numba", plain, 5)


def _boards(hands: NDArray[np.uint8], known: int) -> NDArray[np.int8]:
    boards = hands[:, 2:].astype(np.int8)
    boards[:, known:] = -1
    return boards


def _row(street: str, known: int, rows: int, most: float) -> Ratio:
    hands = random_cards(rows, 7, seed=known)

    def job() -> None:
        batch.forget()
        equities(hands[:, :2], _boards(hands, known), 2)

    took = seconds(job) / rows * 1e6
    return Ratio(f"equity of a row in a batch, two opponents, {street}", took, "us", most=most)


def run() -> list[Ratio]:
    prepare()
    return [
        _flop_against_one(),
        _row("preflop (table)", 0, 100_000, 1),
        _row("flop (table)", 3, 100_000, 1),
        _row("turn (counted)", 4, 5_000, 50),
        _row("river (counted)", 5, 50_000, 3),
    ]
