"""What was learned, as a hero plays it and keeps it in its file: attributes, Q as a forest, settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import REGISTRY, Attribute, Situations, situations_seen
from mazzo.holdem.attributes.elementary import BIG_BLIND, matrix
from mazzo.holdem.attributes.user_files import UnknownAttributeError
from mazzo.holdem.learning.choices import HEADS_UP_LIMIT, HeroChoices, TableKind, as_sizes, kind_named, known_worth
from mazzo.holdem.learning.decisions import Decisions
from mazzo.holdem.learning.support import Support
from mazzo.holdem.observation import Observations
from mazzo.learn.behaviour import shares
from mazzo.learn.forest import Forest
from mazzo.learn.formulas import Formula
from mazzo.learn.q_values import greedy, q_table
from mazzo.model_file import Model, read_model, write_model

__all__ = ["LearnedStrategy"]

_SUPPORT = "support/"


@dataclass(frozen=True)
class LearnedStrategy:
    """What a hero knows: the attributes it looks at, Q as a forest, and how it was learned."""

    attributes: tuple[str, ...]
    forest: Forest | Formula
    """Q of a state's attributes and an action: a forest, or a formula of another regressor."""
    settings: dict[str, Any]
    support: Support | None = None
    """Which actions the log supports; None if all are believed."""

    @property
    def kind(self) -> TableKind:
        """The kind of game it plays."""
        return kind_named(str(self.settings.get("game", HEADS_UP_LIMIT.name)))

    @property
    def choices(self) -> HeroChoices:
        """What it chooses from."""
        return HeroChoices(as_sizes(self.settings["sizes"]) if self.settings.get("sizes") else ())

    @property
    def pv_samples(self) -> int:
        """How many deals PV is sampled from; 0: exact."""
        return int(self.settings.get("pv_samples", 0))

    def __reduce__(self) -> Any:
        """With the attributes themselves, so that another process knows the user's too."""
        looks = tuple(REGISTRY[name] for name in self.attributes)
        if self.support is not None:
            looks += tuple(REGISTRY[name] for name in self.support.attributes)
        return _strategy, (looks, len(self.attributes), self.forest, self.settings, self.support)

    def see(self, observations: Observations) -> Situations:
        """What it looks at, in its chips."""
        return situations_seen(observations, big_blind=BIG_BLIND, pv_samples=self.pv_samples)

    def q(self, seen: Situations, every: bool = False) -> NDArray[np.float64]:
        """Q of each of its choices in chips of a big blind of 10; minus infinity where not legal or not believed.

        With `every`, what is legal but not believed has its Q too.
        """
        every = every or self.support is None
        wanted = self.choices.legal(seen) if every or self.support is None else self.support.believed(seen)
        return self._q(matrix(seen, self.attributes), wanted)

    def _q(self, states: NDArray[np.float32], wanted: NDArray[np.bool_]) -> NDArray[np.float64]:
        return q_table(self.forest.predict, states, self.choices.count, wanted, known_worth(self.kind))

    def played(self, decisions: Decisions) -> NDArray[np.int64]:
        """What it would play in logged decisions, by the number of its choice."""
        return greedy(self.q_logged(decisions))

    def q_logged(self, decisions: Decisions, every: bool = False) -> NDArray[np.float64]:
        """Q in logged decisions, as `q` gives it."""
        wanted = decisions.legal
        if self.support is not None and not every:
            wanted = self.support.believed_of(self.shares_logged(decisions), wanted)
        return self._q(decisions.matrix(self.attributes), wanted)

    def shares_logged(self, decisions: Decisions) -> NDArray[np.float64]:
        """How often each choice was taken in situations like the logged ones; 1 of each where all is believed."""
        if self.support is None:
            return np.ones(decisions.legal.shape)
        return shares(self.support.forest, decisions.matrix(self.support.attributes), decisions.legal)

    def save(self, path: Path) -> None:
        """Write the strategy to a model file."""
        forest, settings = self.forest, {**self.settings, "attributes": list(self.attributes)}
        arrays: dict[str, NDArray[Any]] = {}
        if self.support is not None:
            settings["support"] = {"attributes": list(self.support.attributes), "caution": self.support.caution}
            arrays |= {_SUPPORT + name: array for name, array in _arrays(self.support.forest).items()}
        if isinstance(forest, Formula):
            settings["formula"] = {"steps": list(forest.steps), "final": forest.final, "settings": forest.settings}
            write_model(path, Model("hero", settings, arrays | forest.arrays))
            return
        write_model(path, Model("hero", settings, arrays | _arrays(forest)))

    @classmethod
    def load(cls, path: Path) -> LearnedStrategy:
        """Read a strategy from a model file."""
        model = read_model(path)
        try:
            attributes = tuple(model.settings["attributes"])
            a = model.arrays
            forest = _formula(model) if "formula" in model.settings else _forest(a, len(attributes) + 1)
            made = cls(attributes, forest, model.settings)
            support = _support(model, made)
            if model.agent != "hero":
                raise UnreadableError("it is of another kind of agent")
            forest.check()
        except (KeyError, ValueError, TypeError) as error:
            raise UnreadableError(f"{path} is not a hero's model: {error}") from None
        for name in (*attributes, *(support.attributes if support is not None else ())):
            if name not in REGISTRY:
                raise UnknownAttributeError(path, str(name))
        return replace(made, support=support)


def _arrays(forest: Forest) -> dict[str, NDArray[Any]]:
    return {
        "thresholds": forest.thresholds,
        "links": forest.links,
        "values": forest.values,
        "starts": forest.starts,
        "depths": forest.depths,
        "numbers": np.array([forest.base, forest.divisor]),
    }


def _support(model: Model, hero: LearnedStrategy) -> Support | None:
    """What the file says of support; what was damaged is refused."""
    kept = model.settings.get("support")
    if kept is None:
        return None
    attributes = tuple(str(name) for name in kept["attributes"])
    arrays = {name.removeprefix(_SUPPORT): a for name, a in model.arrays.items() if name.startswith(_SUPPORT)}
    forest = _forest(arrays, len(attributes) + 1)
    forest.check()
    caution = float(kept["caution"])
    if not 0 < caution <= 1:
        raise ValueError(f"a caution of {caution}")
    return Support(attributes, forest, caution, hero.kind, hero.choices)


def _forest(a: dict[str, NDArray[Any]], inputs: int) -> Forest:
    base, divisor = (float(k) for k in a["numbers"])
    return Forest(a["thresholds"], a["links"], a["values"], a["starts"], a["depths"], base, divisor, inputs)


def _formula(model: Model) -> Forest | Formula:
    kept = model.settings["formula"]
    arrays = {name: a for name, a in model.arrays.items() if not name.startswith(_SUPPORT)}
    steps = tuple(str(step) for step in kept["steps"])
    inputs = len(model.settings["attributes"]) + 1
    return Formula(inputs, steps, str(kept["final"]), dict(kept["settings"]), arrays)


def _strategy(
    looks: tuple[Attribute, ...], own: int, forest: Forest | Formula, settings: dict[str, Any], support: Support | None
) -> LearnedStrategy:
    return LearnedStrategy(tuple(attribute.name for attribute in looks[:own]), forest, settings, support)
