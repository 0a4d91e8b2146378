"""Hands a second of whole matches between random players, against OpenSpiel's own C++ loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.ratio import Ratio
from mazzo.agent import create
from mazzo.arena.match import match
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import Rules, rules

__all__ = ["run"]

_ROUNDS = 7


def _universal_poker(game: Rules, abstraction: str) -> str:
    """The same game as OpenSpiel's universal_poker takes it."""
    fields = [
        f"betting={'limit' if game.limit else 'nolimit'}",
        f"numPlayers={game.players}",
        f"numRounds={game.rounds}",
        f"blind={' '.join(map(str, game.blinds))}",
        f"firstPlayer={' '.join(str(p + 1) for p in game.first)}",
        f"numSuits={game.suits}",
        f"numRanks={game.ranks}",
        f"numHoleCards={game.hole_cards}",
        f"numBoardCards={' '.join(map(str, game.board_cards))}",
    ]
    if game.limit:
        fields += [f"raiseSize={' '.join(map(str, game.raise_sizes))}"]
        fields += [f"maxRaises={' '.join(map(str, game.max_raises))}"]
    else:
        fields += [f"stack={' '.join(map(str, game.stacks))}", f"bettingAbstraction={abstraction}"]
    return f"universal_poker({','.join(fields)})"


def _openspiel(game: Rules, abstraction: str) -> Callable[[int], float]:
    import pyspiel

    theirs: Any = pyspiel.load_game(_universal_poker(game, abstraction))
    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(game.players)]

    def play(hands: int) -> float:
        started = time.process_time()
        for seed in range(hands):
            pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)
        return hands / (time.process_time() - started)

    return play


def _ours(game: Rules, name: str) -> Callable[[int], float]:
    def play(hands: int) -> float:
        agents = [create(name, AGENTS) for _ in range(game.players)]
        started = time.process_time()
        plays = match(HoldemMatch(game), agents, hands, 1).plays
        return plays / (time.process_time() - started)

    return play


def _compare(what: str, game: str, agent: str, abstraction: str, bar: float) -> Ratio:
    definition = rules(game)
    ours, theirs = _ours(definition, agent), _openspiel(definition, abstraction)
    # Turn about, and the best of each: whatever else the machine does then hits both alike.
    speeds = [(ours(300_000), theirs(5_000)) for _ in range(_ROUNDS)]
    return Ratio(
        what,
        max(mine for mine, _ in speeds),
        "hands/s",
        "OpenSpiel evaluate_bots, uniform random",
        max(other for _, other in speeds),
        bar,
        more_is_better=True,
    )


def run() -> list[Ratio]:
    uniform = "random:fold=1,call=1,raise=1"
    return [
        _compare("random v random, heads-up limit", "holdem-limit-2p", "random", "", 100),
        _compare("the same, uniform over actions as the peer", "holdem-limit-2p", uniform, "", 100),
        _compare("six random players, no-limit", "holdem-nolimit-6p", "random", "fcpa", 40),
    ]
