"""What was learned, as a hero plays it and keeps it in its file: attributes, Q as a forest, settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import REGISTRY, Attribute, Situations, situations_seen
from mazzo.holdem.attributes.elementary import BIG_BLIND, matrix
from mazzo.holdem.attributes.user_files import UnknownAttributeError
from mazzo.holdem.observation import Observations
from mazzo.learn.forest import Forest
from mazzo.learn.formulas import Formula
from mazzo.learn.q_values import q_table
from mazzo.model_file import Model, read_model, write_model

__all__ = ["LearnedStrategy"]


@dataclass(frozen=True)
class LearnedStrategy:
    """What a hero knows: the attributes it looks at, Q as a forest, and how it was learned."""

    attributes: tuple[str, ...]
    forest: Forest | Formula
    """Q of a state's attributes and an action: a forest, or a formula of another regressor."""
    settings: dict[str, Any]

    @property
    def pv_samples(self) -> int:
        """How many deals PV is sampled from; 0: exact."""
        return int(self.settings.get("pv_samples", 0))

    def __reduce__(self) -> Any:
        """With the attributes themselves, so that another process knows the user's too."""
        return _strategy, (tuple(REGISTRY[name] for name in self.attributes), self.forest, self.settings)

    def see(self, observations: Observations) -> Situations:
        """What it looks at, in its chips."""
        return situations_seen(observations, big_blind=BIG_BLIND, pv_samples=self.pv_samples)

    def q(self, seen: Situations, every: bool = False) -> NDArray[np.float64]:
        """Q of fold, call and raise in chips of a big blind of 10; minus infinity where not legal, unless all are."""
        return q_table(self.forest.predict, matrix(seen, self.attributes), 3, None if every else seen.legal)

    def save(self, path: Path) -> None:
        """Write the strategy to a model file."""
        forest = self.forest
        if isinstance(forest, Formula):
            kept = {"steps": list(forest.steps), "final": forest.final, "settings": forest.settings}
            settings = {**self.settings, "attributes": list(self.attributes), "formula": kept}
            write_model(path, Model("hero", settings, forest.arrays))
            return
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
    def load(cls, path: Path) -> LearnedStrategy:
        """Read a strategy from a model file."""
        model = read_model(path)
        try:
            attributes = tuple(model.settings["attributes"])
            a = model.arrays
            forest = _formula(model) if "formula" in model.settings else _forest(a, len(attributes) + 1)
            if model.agent != "hero":
                raise UnreadableError("it is of another kind of agent")
            forest.check()
        except (KeyError, ValueError, TypeError) as error:
            raise UnreadableError(f"{path} is not a hero's model: {error}") from None
        for name in attributes:
            if name not in REGISTRY:
                raise UnknownAttributeError(path, str(name))
        return cls(attributes, forest, model.settings)


def _forest(a: dict[str, NDArray[Any]], inputs: int) -> Forest | Formula:
    base, divisor = (float(k) for k in a["numbers"])
    return Forest(a["thresholds"], a["links"], a["values"], a["starts"], a["depths"], base, divisor, inputs)


def _formula(model: Model) -> Forest | Formula:
    kept = model.settings["formula"]
    steps = tuple(str(step) for step in kept["steps"])
    inputs = len(model.settings["attributes"]) + 1
    return Formula(inputs, steps, str(kept["final"]), dict(kept["settings"]), dict(model.arrays))


def _strategy(attributes: tuple[Attribute, ...], forest: Forest | Formula, settings: dict[str, Any]) -> LearnedStrategy:
    return LearnedStrategy(tuple(attribute.name for attribute in attributes), forest, settings)
