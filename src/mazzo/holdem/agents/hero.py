"""`hero`: plays what a learned Q says is best. Its file (`hero.mz`) is a name by itself: `mazzo match ... hero.mz`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.decisions.attributes import ATTRIBUTES, BIG_BLIND, Seen, refuse_other_than_heads_up_limit
from mazzo.holdem.game import Game
from mazzo.holdem.hand import action_text
from mazzo.holdem.observation import Observations
from mazzo.learn.forest import Forest
from mazzo.learn.model_file import Model, read_model, write_model

__all__ = ["Hero", "Strategy"]

_ACTIONS = ("fold", "call", "raise")


@dataclass(frozen=True)
class Strategy:
    """What a hero knows: the attributes it looks at, Q as a forest, and how it was learned."""

    attributes: tuple[str, ...]
    forest: Forest
    settings: dict[str, Any]

    @property
    def pv_samples(self) -> int:
        """How many deals PV is sampled from; 0: exact."""
        return int(self.settings.get("pv_samples", 0))

    def q(self, seen: Seen, every: bool = False) -> NDArray[np.float64]:
        """Q of fold, call and raise in chips of a big blind of 10; minus infinity where not legal, unless all are."""
        from mazzo.learn.fitted_q import q_table

        return q_table(self.forest.predict, seen.matrix(self.attributes), 3, None if every else seen.legal)

    def save(self, path: Path) -> None:
        """Write the strategy to a model file."""
        forest = self.forest
        arrays: dict[str, NDArray[Any]] = {
            "thresholds": forest.thresholds,
            "links": forest.links,
            "values": forest.values,
            "starts": forest.starts,
            "depths": forest.depths,
            "numbers": np.array([forest.base, forest.divisor]),
        }
        write_model(path, Model("hero", {**self.settings, "attributes": list(self.attributes)}, arrays))

    @classmethod
    def load(cls, path: Path) -> Strategy:
        """Read a strategy from a model file."""
        model = read_model(path)
        try:
            attributes = tuple(model.settings["attributes"])
            a = model.arrays
            base, divisor = (float(k) for k in a["numbers"])
            forest = Forest(
                a["thresholds"], a["links"], a["values"], a["starts"], a["depths"], base, divisor, len(attributes) + 1
            )
            if model.agent != "hero" or not set(attributes) <= set(ATTRIBUTES):
                raise UnreadableError("it is of another kind of agent, or looks at attributes that are not known")
            forest.check()
        except (KeyError, ValueError, TypeError) as wrong:
            raise UnreadableError(f"{path} is not a hero's model: {wrong}") from None
        return cls(attributes, forest, model.settings)


@dataclass
class Hero(Agent[Observations]):
    """Plays the legal action of the highest Q; of equal ones the cheapest."""

    summary: ClassVar[str] = "plays what it learned from logged hands (heads-up limit; made by `mazzo learn`)"
    model: str = ""
    """The model file."""

    def __post_init__(self) -> None:
        if not self.model:
            raise UnreadableError("a hero plays from its model file: give the file's name, such as hero.mz")
        self.strategy = Strategy.load(Path(self.model))
        self.name = self.model

    @classmethod
    def playing(cls, strategy: Strategy, name: str = "hero") -> Hero:
        """A hero of a strategy that has not been written to a file."""
        hero = cls.__new__(cls)
        hero.model = ""
        hero.strategy = strategy
        hero.name = name
        return hero

    def refuses(self, game: Game | None) -> str:
        """Its attributes are those of heads-up limit Hold'em."""
        return refuse_other_than_heads_up_limit(game)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The best legal action by Q."""
        seen = Seen.of(observations, self.strategy.pv_samples)
        best = np.argmax(self.strategy.q(seen), axis=1)
        return np.where(best == c.RAISE, observations.raise_low, best)

    def explain(self, observation: Observations) -> Explanation:
        """Q of each legal action in big blinds, and which attributes the difference hangs on."""
        seen = Seen.of(observation, self.strategy.pv_samples)
        q = self.strategy.q(seen)[0] / BIG_BLIND
        order = np.argsort(-q, kind="stable")
        best, second = int(order[0]), int(order[1])
        row = seen.matrix(self.strategy.attributes)[0]
        facts: dict[str, float | int | str | None] = {
            name: round(float(value), 3) for name, value in zip(self.strategy.attributes, row, strict=True)
        }
        terms = [self._terms(row, int(k)) for k in order if np.isfinite(q[k])]
        reason = "it is the only legal action"
        if len(terms) > 1:
            lead = q[best] - q[second]
            reason = f"{_ACTIONS[best]} is worth {lead:.2f} big blinds more than {_ACTIONS[second]}"
            change = {name: terms[0][name] - terms[1][name] for name in self.strategy.attributes}
            names = sorted(change, key=lambda name: -abs(change[name]))[:3]
            reason += f"; the difference hangs most on {', '.join(names)}"
        options = [Option(_ACTIONS[k], float(q[k]), terms=t) for k, t in zip(order, terms, strict=False)]
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), reason, options, facts, unit="bb")

    def _terms(self, row: NDArray[np.float32], action: int) -> dict[str, float]:
        """What each attribute adds to Q of an action, in big blinds; they sum to Q."""
        parts = self.strategy.forest.contributions(np.append(row, np.float32(action))) / BIG_BLIND
        names = (*self.strategy.attributes, "action", "mean")
        return {name: float(part) for name, part in zip(names, parts, strict=True)}
