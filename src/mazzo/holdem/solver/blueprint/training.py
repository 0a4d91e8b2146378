"""Training: regrets are minimised on boards that are drawn, one after the other, with all hands on each.

A round draws a board and walks it for both players in turn. Regrets and means count the more the later they come, as
the number of the round. A round is a function of seed and number: work that is broken off and taken up again gives the
same numbers, and so do several threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.rules import Rules, parse_game
from mazzo.holdem.solver.blueprint.buckets import HoldemBuckets
from mazzo.holdem.solver.blueprint.kernels import BoardHands, Learned
from mazzo.holdem.solver.blueprint.layout import VALUE, BlueprintLayout
from mazzo.holdem.solver.blueprint.strategy import Blueprint, chances_of
from mazzo.holdem.solver.blueprint.walking import BoardWalker, CardBuckets, board_hands
from mazzo.model_file import Model, read_model, write_model
from mazzo.rng import forks, stream
from mazzo.wide import EIGHT

__all__ = ["VISIT", "Training"]

VISIT = 1.0
"""A tile that the other player reaches in fewer ways than this, on average, is visited as much more seldom."""


class Training:
    """A blueprint while it is trained."""

    def __init__(
        self, rules: Rules, buckets: CardBuckets, *, seed: int = 0, threads: int = 1, visit: float = VISIT
    ) -> None:
        """Begin.

        Args:
            rules: A heads-up limit game.
            buckets: Which hands are played alike.
            seed: Of the boards and visits.
            threads: How many work; the result is the same.
            visit: See `VISIT`; 0 visits every tile.
        """
        self.layout = BlueprintLayout(rules, buckets.sizes)
        self.buckets, self.seed, self.visit = buckets, seed, visit
        self.walker = BoardWalker(self.layout, threads)
        self.regret: NDArray[np.float32] = np.zeros(self.layout.entries, np.float32)
        self.mean: NDArray[np.float32] = np.zeros(self.layout.entries, np.float32)
        self.rounds = 0
        self.value = 0.0
        """What the first player won on average, in big blinds a hand: near the value of the game after many rounds."""
        self.seconds = 0.0
        """Of processor time."""
        self.curve: list[dict[str, float]] = []
        """What was measured on the way; plain data."""

    def board(self, number: int) -> Ints:
        """The board of a round."""
        key = forks(stream(self.seed, "blueprint"), np.array([number]))[0]
        deck = np.array([int(card) for card in self.layout.rules.deck])
        return np.asarray(np.random.default_rng(int(key)).permutation(deck)[: sum(self.layout.rules.board_cards)])

    def _hands(self, number: int) -> BoardHands:
        return board_hands(self.layout.rules, self.buckets, self.board(number))

    def round(self, hands: BoardHands | None = None) -> None:
        """One more round: a board, both players in turn."""
        began, t = time.process_time(), self.rounds + 1
        met = self._hands(t) if hands is None else hands
        weights = np.array([t, t, self.visit], np.float64)
        keys = forks(forks(stream(self.seed, "visits"), np.array([t]))[0], np.arange(2))
        for player in range(2):
            space = self.walker.walk(met, Learned(self.regret, self.mean), player, weights, keys[player])
            if player == 0:
                self._count(t, space.values[0])
        self.rounds = t
        self.seconds += time.process_time() - began

    def _count(self, t: int, values: NDArray[np.float32]) -> None:
        """Keep the value of the game up to date: the mean, a round counting as its number."""
        stride = self.walker.hands * EIGHT
        begin = self.layout.tables.places[0, 0, VALUE] * stride
        left = len(self.layout.rules.deck) - sum(self.layout.rules.board_cards) - 2
        won = float(values[begin : begin + stride : EIGHT].sum(dtype=np.float64)) / (self.walker.hands * comb(left, 2))
        self.value += (won - self.value) * 2 / (t + 1)

    def improve(self, rounds: int, progress: Callable[[Training], bool] = lambda training: True) -> bool:
        """So many more rounds; whether they were all done. An interrupt (Ctrl-C) waits for the round to end.

        Args:
            rounds: How many.
            progress: Is told the state after each; says whether to go on.
        """
        last = self.rounds + rounds
        with ThreadPoolExecutor(2) as pool:  # the next board is made ready while this one is walked
            coming = pool.submit(self._hands, self.rounds + 1)
            while self.rounds < last:
                hands, coming = coming.result(), pool.submit(self._hands, self.rounds + 2)
                done = pool.submit(self.round, hands)
                try:
                    done.result()
                    if not progress(self):
                        return False
                except KeyboardInterrupt:
                    done.result()
                    return False
        return True

    def blueprint(self) -> Blueprint:
        """What has been found so far, to be played."""
        if not isinstance(self.buckets, HoldemBuckets):
            raise UnreadableError("only a blueprint of Hold'em can be kept and played")
        facts = {"rounds": self.rounds, "seed": self.seed, "value": self.value, "processor_seconds": self.seconds}
        chances = chances_of(self.layout, self.mean, self.regret)
        return Blueprint(self.layout, self.buckets, chances, {**facts, "curve": self.curve})

    def save(self, path: Path) -> None:
        """Keep all that is needed to go on."""
        if not isinstance(self.buckets, HoldemBuckets):
            raise UnreadableError("only a blueprint of Hold'em can be kept and played")
        settings: dict[str, Any] = {"game": str(self.layout.rules), "name": self.layout.rules.name, "seed": self.seed}
        settings |= {"visit": self.visit, "rounds": self.rounds, "value": self.value, "seconds": self.seconds}
        arrays = {**self.buckets.arrays(), "regret": self.regret, "mean": self.mean}
        write_model(path, Model("training", {**settings, "curve": self.curve}, arrays))

    @classmethod
    def load(cls, path: Path, threads: int = 1) -> Training:
        """Go on from what was kept."""
        model = read_model(path)
        try:
            s, arrays = model.settings, model.arrays
            if model.agent != "training":
                raise ValueError("it is not work to go on with")
            rules = parse_game(str(s["game"]), str(s["name"])[:80], str(path))
            buckets = HoldemBuckets.of_arrays(arrays)
            found = cls(rules, buckets, seed=int(s["seed"]), threads=threads, visit=float(s["visit"]))
            for name in ("regret", "mean"):
                given, own = arrays[name], getattr(found, name)
                if given.shape != own.shape or given.dtype != own.dtype or not np.isfinite(given).all():
                    raise ValueError("its arrays are not those of its game")
                own[:] = given
            found.rounds, found.value, found.seconds = int(s["rounds"]), float(s["value"]), float(s["seconds"])
            found.curve = [{str(k): float(v) for k, v in row.items()} for row in s["curve"]]
        except (KeyError, ValueError, TypeError, OverflowError, AttributeError) as error:
            raise UnreadableError(f"{path} is not a blueprint in training: {error}") from None
        return found
