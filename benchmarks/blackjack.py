"""Blackjack: an exact shoe, an infinite one, and rounds a second beside OpenSpiel's blackjack played in its own C++."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from typing import Any

import numpy as np

from benchmarks.ratio import Ratio, seconds
from mazzo.blackjack import PRESETS, Shoe, counter
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.infinite import infinite_evs, new_tables
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.simulation import simulate
from mazzo.blackjack.strategy import play_arrays

__all__ = ["run"]

HUNGARIAN = PRESETS["hungarian"]
ROUNDS = 1_000_000


def _infinite() -> Ratio:
    shoes = np.tile(Shoe.of_decks(6).array() / 312, (1000, 1))
    rules, tables, result = settings_of(HUNGARIAN), new_tables(), np.zeros(1000)
    took = seconds(lambda: infinite_evs(shoes, rules, tables, result)) / 1000 * 1e6
    return Ratio("infinite deck, value of a shoe", took, "us", most=15)


def _openspiel_rounds(rounds: int, chart: bool) -> float:
    """Seconds a round in OpenSpiel's own C++ loop: with its random player, or with a bot that plays the chart.

    Its states are the exact cards, so a strategy by totals is a bot of one's own, as its documentation has it.
    """
    import pyspiel

    class ChartBot(pyspiel.Bot):  # type: ignore[misc]
        def __init__(self) -> None:
            pyspiel.Bot.__init__(self)

        def restart_at(self, state: object) -> None:
            pass

        def step(self, state: Any) -> int:
            """The same chart; of its plays this game has only hit (0) and stand (1)."""
            *cards, upcard = [min(int(card) % 13, 9) for card in state.information_state_string(0).split()]
            total, soft = hand_total(cards)
            return 0 if hits[int(soft), total, upcard] else 1

    hits = best_table(HUNGARIAN).table.hits()
    game = pyspiel.load_game("blackjack")
    bot = ChartBot() if chart else pyspiel.make_uniform_random_bot(0, 1)

    def job() -> None:
        for k in range(rounds):
            pyspiel.evaluate_bots(game.new_initial_state(), [bot], k)

    return seconds(job) / rounds


def _simulation() -> list[Ratio]:
    play = play_arrays(best_table(HUNGARIAN).table, HUNGARIAN)
    ours = ROUNDS / seconds(lambda: simulate(HUNGARIAN, play, ROUNDS)) / 1e6
    through = ROUNDS / seconds(lambda: simulate(HUNGARIAN, play, ROUNDS, through=True)) / 1e6
    chart, chance = 1e-6 / _openspiel_rounds(1000, True), 1e-6 / _openspiel_rounds(1000, False)
    name, unit = "OpenSpiel, a bot of one's own", "million/s"
    return [
        Ratio("rounds by a strategy, each from a fresh shoe", ours, unit, name, chart, 200, more_is_better=True),
        Ratio("the same", ours, unit, "OpenSpiel, its random player", chance, more_is_better=True),
        Ratio("the same", ours, unit, "ten million a second", 10, 1, more_is_better=True),
        Ratio("rounds by a strategy, shoes to the cut card", through, unit, name, chart, more_is_better=True),
    ]


def _npm_rounds(hands: int) -> float | None:
    """Million rounds a second of the npm package @blackjacktrainer/blackjack-simulator, where it is installed."""
    program = shutil.which("blackjack-simulator")
    if program is None:
        return None
    rules = ["--deck-count", "6", "--hit-soft17", "false", "--allow-late-surrender", "true"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(
        [program, "simulate", "--hands", str(hands), *rules],
        env={**os.environ, "CORES": "1"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return hands / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / 1e6


def _counting() -> list[Ratio]:
    """The 18 + 4 of Hi-Lo on six decks, processor time; the other program plays the same indices and rules."""
    rules = PRESETS["strip"].changed(surrender="late")
    played = counter(rules, "hi-lo", "0:10,1:20,2:40,3:60,4:80", "i18", ROUNDS).rounds
    took = seconds(lambda: counter(rules, "hi-lo", "0:10,1:20,2:40,3:60,4:80", "i18", ROUNDS))
    ours, theirs, name = played / took / 1e6, _npm_rounds(3 * ROUNDS), "npm @blackjacktrainer/blackjack-simulator"
    rows = [Ratio("rounds by a count", ours, "million/s", "five million a second", 5, 1, more_is_better=True)]
    if theirs is not None:
        rows.append(Ratio("the same", ours, "million/s", name, theirs, more_is_better=True))
    return rows


def run() -> list[Ratio]:
    depleted = Shoe.parse("6d-7,8,2,8,3,5,2,T,T,9,A,5,6,4,T,3,2")
    no_splits = HUNGARIAN.changed(max_hands=1, double_after_split=False, resplit_aces=False)
    return [
        Ratio("exact value of a fresh six-deck shoe, four hands", seconds(lambda: analyse(HUNGARIAN)), "s", most=0.2),
        Ratio(
            "exact value of a depleted shoe, four hands", seconds(lambda: analyse(HUNGARIAN, depleted)), "s", most=0.2
        ),
        Ratio("exact value without splits", 1e3 * seconds(lambda: analyse(no_splits)), "ms", most=15),
        _infinite(),
        *_simulation(),
        *_counting(),
    ]
