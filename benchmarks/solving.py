"""Rounds a second of CFR+ on Leduc poker against OpenSpiel in C++, after both agree what a strategy is worth."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.ratio import Ratio
from mazzo.holdem.best_response.exact import exploit_exactly
from mazzo.holdem.rules import rules
from mazzo.holdem.solver.regrets import METHODS, Regrets, Walker
from mazzo.holdem.solver.small_game import SmallGame

__all__ = ["run"]


def _ours(seconds: float) -> float:
    game = SmallGame(rules("leduc-2p"))
    walker, run_ = Walker(game), Regrets.begin(game)
    walker.improve(METHODS["cfr+"], run_, 10)  # compiles
    started, rounds = time.process_time(), run_.rounds
    while time.process_time() - started < seconds:
        walker.improve(METHODS["cfr+"], run_, 1000)
    return (run_.rounds - rounds) / (time.process_time() - started)


def _theirs(seconds: float) -> float:
    import pyspiel

    solver: Any = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    started, rounds = time.process_time(), 0
    while time.process_time() - started < seconds:
        solver.evaluate_and_update_policy()
        rounds += 1
    return rounds / (time.process_time() - started)


def _uniform() -> tuple[float, float]:
    """NashConv of the strategy that takes every legal action with the same chance: by us and by OpenSpiel."""
    import pyspiel

    from mazzo.holdem.solver.regrets import uniform_strategy

    game = SmallGame(rules("leduc-2p"), symmetric=False)
    walker, strategy = Walker(game), uniform_strategy(game)
    ours = float((walker.best_responses(strategy) - walker.values(strategy)).sum())
    theirs = pyspiel.load_game("leduc_poker")
    return ours, float(pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs)))


def run() -> Iterator[Ratio]:
    """CFR+ on Leduc, in turns, the best of each."""
    ours, theirs = _uniform()
    if abs(ours - theirs) > 1e-9:
        raise AssertionError(f"NashConv of the uniform strategy is {ours} by us and {theirs} by OpenSpiel")
    turns = [(_ours(1.0), _theirs(3.0)) for _ in range(3)]
    fast, peer = max(a for a, _ in turns), max(b for _, b in turns)
    yield Ratio("CFR+ on Leduc", fast, "rounds/s", "OpenSpiel, C++", peer, bar=100, more_is_better=True)
    started = time.process_time()
    exploit_exactly("random", "leduc-2p")
    yield Ratio("exploitability of an agent at Leduc", time.process_time() - started, "s")
