"""`balanced`: plays a blueprint of heads-up limit Hold'em, an approximate equilibrium; made by `mazzo solve game`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.notation import action_text, verb
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import NO_ACTION, ActionChances
from mazzo.wide import EIGHT

if TYPE_CHECKING:
    from mazzo.holdem.solver.blueprint.strategy import Blueprint
    from mazzo.holdem.solver.blueprint.worths import ActionWorths

__all__ = ["Balanced"]


@lru_cache(maxsize=4)
def _loaded(path: Path, changed: float) -> Blueprint:
    from mazzo.holdem.solver.blueprint.strategy import Blueprint

    return Blueprint.load(path)


@dataclass
class Balanced(Agent[Observations]):
    """Draws its actions with the chances of a blueprint, so that little can be won from it whoever plays against it."""

    summary: ClassVar[str] = "heads-up limit: an approximate equilibrium of the whole game (docs/solve.md)"
    model: str = ""
    """The model file; the blueprint that comes with Mazzo if none is named."""

    def __post_init__(self) -> None:
        from mazzo.holdem.solver.blueprint.strategy import SHIPPED

        path = Path(self.model) if self.model else SHIPPED
        self.blueprint: Blueprint = _loaded(path, path.stat().st_mtime if path.exists() else 0.0)

    @cached_property
    def _worths(self) -> ActionWorths:
        from mazzo.holdem.solver.blueprint.worths import ActionWorths

        return ActionWorths(self.blueprint)

    @classmethod
    def playing(cls, blueprint: Blueprint, name: str = "balanced") -> Balanced:
        """A player of a blueprint that has not been written to a file."""
        player = cls.__new__(cls)
        player.model, player.blueprint, player.name = "", blueprint, name
        return player

    def __reduce__(self) -> tuple[Callable[[str, str], Balanced], tuple[str, str]]:
        """Workers read the file themselves."""
        return _again, (self.model, self.name)

    def unsupported_reason(self, game: Rules | None) -> str:
        """It knows the one game that it was trained for."""
        own = self.blueprint.rules
        if game is None or ((game.row == own.row).all() and game.stacks == own.stacks):
            return ""
        return f"its blueprint is of {own.name}"

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Load the table of the turn's buckets, or make it, which takes less than a minute, once."""
        self.blueprint.buckets.turn(progress)

    def _looked_up(self, o: Observations) -> tuple[Ints, Ints, Floats]:
        """By row the node, its actions (fold, call, raise; `NO_ACTION` where there is none) and their chances."""
        from mazzo.holdem.solver.blueprint.strategy import LEVELS

        tree, chances = self.blueprint.layout.tree, self.blueprint.chances
        nodes, begin = self.blueprint.entries(o)
        actions, p = np.full((len(nodes), 3), NO_ACTION, np.int64), np.zeros((len(nodes), 3))
        for a in range(3):
            rows = np.flatnonzero(a < tree.actions[nodes])
            taken = tree.action[tree.first[nodes[rows]] + a]
            kind = c.kinds(taken)
            actions[rows, kind], p[rows, kind] = taken, chances[begin[rows] + a * EIGHT] / LEVELS
        return nodes, actions, p

    def policy(self, observations: Observations) -> ActionChances:
        """The chances of the blueprint."""
        _, actions, p = self._looked_up(observations)
        return ActionChances(actions, p)

    def decide(self, observations: Observations) -> Ints:
        """An action drawn by the chances of the blueprint."""
        return self.policy(observations).drawn(observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """What each action is worth against one who plays the blueprint too, and how often it is taken."""
        (node,), actions, p = self._looked_up(observation)
        worths, errors = self._worths(observation, int(node))
        there = np.flatnonzero(actions[0] != NO_ACTION)
        words = [action_text(int(actions[0, k]), True) for k in there]
        owed, street = int(observation.owed[0]), int(observation.street[0])
        does = [verb(int(actions[0, k]), owed, street) for k in there]
        options = [
            Option(word, *_numbers(worths[k], errors[k]), terms={"chance": float(p[0, there[k]])})
            for k, word in enumerate(words)
        ]
        mixed = [k for k in range(len(there)) if p[0, there[k]] > 0]
        reason = f"its strategy always {does[mixed[0]]} with hands like this one here"
        if len(mixed) > 1:
            parts = ", ".join(f"{does[k]} {p[0, there[k]]:.0%}" for k in mixed)
            reason = f"its strategy mixes here, so that opponents cannot read its hand: {parts}"
        bucket = int(self.blueprint.buckets.find(street, observation.hole, observation.board)[0])
        facts: dict[str, float | int | str | None] = {
            "pot": int(observation.pot[0]),
            "to call": owed,
            "group of like hands": f"{bucket + 1} of {self.blueprint.layout.sizes[street]}",
        }
        action = action_text(int(self.decide(observation)[0]), True)
        return Explanation(action, reason, options, facts, unit="bb")


def _numbers(worth: float, error: float) -> tuple[float | None, float | None]:
    """A worth and its error; none where the other player would never have played to here."""
    return (float(worth), float(error)) if np.isfinite(worth) else (None, None)


def _again(model: str, name: str) -> Balanced:
    agent = Balanced(model)
    agent.name = name
    return agent
