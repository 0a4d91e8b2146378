"""Equilibria of small games: found by regret minimisation, kept in a file, played by the agent `solved`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.rules import Rules, parse_game, rules
from mazzo.holdem.solver.regrets import METHODS, Regrets, Walker
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.model_file import Model, read_model, write_model

__all__ = ["Solution", "solve_game"]

_FIRST, _GROWTH = 16, 1.25
"""Rounds before the distance from equilibrium is first measured, and how much longer each time until the next."""

_DEFAULT = "pcfr+"


@dataclass(frozen=True)
class Solution(Shown):
    """A strategy for every seat of a small game, with how far it is from an equilibrium."""

    rules: Rules
    strategy: Floats
    """The chance of every action, by entry of the game's tree."""
    values: tuple[float, ...]
    """What each player wins a hand, in big blinds."""
    gains: tuple[float, ...]
    """What each player could win more by a best response, in big blinds per hand."""
    method: str
    rounds: int
    seconds: float
    run: Regrets | None = None
    """Where the work stands, to go on from."""

    @property
    def exploitability(self) -> float:
        """What a player gains by the best response to this strategy, averaged over seats, in big blinds per hand."""
        return sum(self.gains) / len(self.gains)

    @property
    def nash_conv(self) -> float:
        """The sum of what all players could gain."""
        return sum(self.gains)

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "game": self.rules.name,
            "value": self.values[0],
            "values": list(self.values),
            "unit": "bb/hand",
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "method": self.method,
            "iterations": self.rounds,
            "seconds": self.seconds,
        }

    def section(self) -> Section:
        """Values and gains by position."""
        rows = [
            (str(p + 1), f"{value:+.9f}", f"{gain:.2e}")
            for p, (value, gain) in enumerate(zip(self.values, self.gains, strict=True))
        ]
        done = f"after {self.rounds:,} iterations of {self.method}"
        words = [f"exploitability {self.exploitability:.2e} big blinds per hand {done}"]
        header = ("position", "value, bb per hand", "gain by a best response")
        return Section(f"{self.rules.name}, solved", words, tables=[Grid(header, rows)])

    def save(self, path: str | Path) -> None:
        """Write it to a model file, whose name then is an agent."""
        if self.run is None:
            raise UnreadableError("this solution was read from a file; it is there")
        arrays = {"strategy": self.strategy, "regret": self.run.regret, "mean": self.run.mean, "next": self.run.sigma}
        settings: dict[str, Any] = {
            "game": str(self.rules),
            "name": self.rules.name,
            "values": self.values,
            "gains": self.gains,
        }
        settings |= {"method": self.method, "rounds": self.rounds, "run_rounds": self.run.rounds}
        write_model(Path(path), Model("solved", {**settings, "seconds": self.seconds}, arrays))

    @classmethod
    def load(cls, path: str | Path) -> tuple[Solution, SmallGame]:
        """Read a solution, and the game it is of, from its file."""
        model = read_model(Path(path))
        try:
            if model.agent != "solved":
                raise UnreadableError(f"it is played by {model.agent!r}")
            s, arrays = model.settings, model.arrays
            played = parse_game(str(s["game"]), str(s["name"])[:80], str(path))
            numbers = {key: tuple(float(k) for k in s[key]) for key in ("values", "gains")}
            run = Regrets(arrays["next"], arrays["regret"], arrays["mean"], int(s["run_rounds"]))
            found = cls(
                played,
                arrays["strategy"],
                numbers["values"],
                numbers["gains"],
                str(s["method"]),
                int(s["rounds"]),
                float(s["seconds"]),
                run,
            )
            game = SmallGame(played)
            _check(found, game)
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise UnreadableError(f"{path} is not a solved game: {error}") from None
        return found, game


def _check(found: Solution, game: SmallGame) -> None:
    """Nothing of a file is believed: every row of chances must be one."""
    run = found.run
    arrays = [] if run is None else [found.strategy, run.sigma, run.regret, run.mean]
    if any(a.shape != (game.entries,) or a.dtype != np.float64 or not np.isfinite(a).all() for a in arrays):
        raise ValueError("its arrays are not those of its game")
    if len(found.values) != game.players or len(found.gains) != game.players or found.method not in METHODS:
        raise ValueError("its figures are not those of its game")
    for node in np.flatnonzero(game.tree.actor >= 0):
        rows = game.rows(found.strategy, int(node))
        if (rows < 0).any() or (np.abs(rows.sum(axis=1) - 1) > 1e-9).any():
            raise ValueError("its chances do not add up to one")


def _judged(game: SmallGame, walker: Walker, strategy: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Values and gains by position, in big blinds."""
    values = walker.values(strategy)
    gains = np.maximum(walker.best_responses(strategy) - values, 0.0)
    blind = game.rules.big_blind
    return tuple(float(v) / blind for v in values), tuple(float(g) / blind for g in gains)


def solve_game(
    game: str | Rules | SmallGame,
    *,
    method: str = _DEFAULT,
    until: float = 1e-6,
    rounds: int = 10_000_000,
    seed: int = 0,
    start: Solution | None = None,
    progress: Callable[[Solution], None] = lambda found: None,
) -> Solution:
    """Find an equilibrium of a small game; with three players or more, strategies from which nobody gains by much.

    Interrupted (Ctrl-C), it gives the best strategy so far.

    Args:
        game: Its name, the path of a `.game` file, its rules, or a game grown already.
        method: How regret is minimised: `mazzo.holdem.solver.regrets.METHODS`.
        until: Stop when a best response gains no more than this on average, in big blinds per hand.
        rounds: Stop after so many rounds at most.
        seed: For the method that samples.
        start: Go on from this solution of the same game, by the same method.
        progress: Is told the state at times.
    """
    if method not in METHODS:
        raise UnreadableError(f"there is no method {method!r}; {did_you_mean(method, METHODS)}")
    if not until >= 0 or rounds < 1:
        raise UnreadableError("until must be 0 or more, and rounds at least 1")
    played = game if isinstance(game, SmallGame) else SmallGame(rules(game))
    walker, run = Walker(played), _begin(played, method, start)
    _judged(played, walker, run.strategy(played))  # and so compiled before the clock starts
    walker.improve(METHODS[method], Regrets.begin(played), 1, seed)
    best, began, before = None, time.monotonic(), start.seconds if start else 0.0
    try:
        while best is None or (best.exploitability > until and run.rounds < rounds):
            more = _FIRST if not run.rounds else max(1, int(run.rounds * (_GROWTH - 1)))
            walker.improve(METHODS[method], run, max(1, min(more, rounds - run.rounds)), seed)
            strategy = run.strategy(played)
            values, gains = _judged(played, walker, strategy)
            spent = before + time.monotonic() - began
            now = Solution(played.rules, strategy, values, gains, method, run.rounds, spent, run)
            best = now if best is None or now.exploitability <= best.exploitability else best
            progress(now)
    except KeyboardInterrupt:
        if best is None:
            raise
    return best


def _begin(game: SmallGame, method: str, start: Solution | None) -> Regrets:
    if start is None:
        return Regrets.begin(game)
    if start.run is None or str(start.rules) != str(game.rules) or start.method != method:
        raise UnreadableError(
            f"this is a solution of {start.rules.name} by {start.method}; "
            f"work on {game.rules.name} by {method} cannot go on from it"
        )
    return start.run
