"""What an agent is, and how it is found by name.

An agent answers many decisions at a time: `decide(observations)` gives one action per row, and one decision is a
batch of one. It sees its observations and nothing else. It explains any single decision. One that learns is handed
the finished hands. Names carry parameters: `random`, `rich:margin=0.02`, `random:fold=.2,free_fold=true`.
"""

from __future__ import annotations

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean

__all__ = ["Agent", "Explanation", "Option", "create", "parameters", "split_name"]

Observations = TypeVar("Observations")

MODEL_SUFFIX = ".mz"
"""A name that ends so is a model file: the file says which agent plays it."""


@dataclass(frozen=True)
class Option:
    """One action an agent weighed: what it is worth to the agent, and the terms that made it so."""

    action: str
    value: float | None = None
    standard_error: float | None = None
    terms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Why an agent plays what it plays: the facts it saw, the options it weighed, one sentence."""

    action: str
    reason: str
    options: Sequence[Option] = ()
    facts: Mapping[str, float | int | str | None] = field(default_factory=dict)
    unit: str = ""
    """What the values of the options are counted in (`bb`), where they are worths of actions that can be compared."""

    def as_dict(self) -> dict[str, Any]:
        """The explanation as plain data, for JSON."""
        options = [
            {"action": o.action, "value": o.value, "standard_error": o.standard_error, "terms": dict(o.terms)}
            for o in self.options
        ]
        return {"action": self.action, "reason": self.reason, "options": options, "facts": dict(self.facts)}

    def __str__(self) -> str:
        lines = [f"{self.action}: {self.reason}"]
        lines += [f"  {name} = {_short(value)}" for name, value in self.facts.items()]
        for option in self.options:
            error = "" if option.standard_error is None else f" ± {_short(option.standard_error)}"
            terms = ", ".join(f"{name} {_short(value)}" for name, value in option.terms.items())
            lines.append(f"  {option.action:<12}{_short(option.value)}{error}{f'  ({terms})' if terms else ''}")
        return "\n".join(lines)


def _short(value: float | int | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Agent(ABC, Generic[Observations]):
    """A player of one game. Subclasses are dataclasses whose fields are the agent's parameters.

    Anything random is drawn from `observations.luck` (one 64-bit number a row), never from a generator of the
    agent's own: so the same seed gives the same play, and a batch of n decisions equals n batches of one.
    """

    summary: ClassVar[str] = ""
    """One line for the list of agents."""

    learns: ClassVar[bool] = False
    """True for an agent that changes with the hands it is handed: it is then played in order, on one worker."""

    plays_at_once: ClassVar[int] = 4096
    """Plays of a match that are one piece of work: few for an agent that thinks long, so that workers share them."""

    folds_free: bool = False
    """True for an agent that may fold where checking costs nothing; every other agent is refused such a fold."""

    name: str = ""
    """The name it was created by, parameters included."""

    def refuses(self, game: Any) -> str:
        """Why this agent cannot play a game, in words; empty if it can."""
        return ""

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Make or load what would make the first decision slow; `progress` is told each further part of one whole."""

    @abstractmethod
    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal action for every row."""

    @abstractmethod
    def explain(self, observation: Observations) -> Explanation:
        """Why it plays what it plays in a batch of one."""

    def hand_over(self, hands: Any) -> None:
        """Take note of finished hands, as this agent may know them."""


Catalogue = Mapping[str, str]
"""Names of a game's agents, each with where its class is: `"package.module:Class"`."""


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """`"utility:mu=.02,size=pot"` as `("utility", {"mu": ".02", "size": "pot"})`."""
    base, _, rest = name.partition(":")
    given: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals and item.endswith(MODEL_SUFFIX):  # `clone:rich.mz` is `clone:model=rich.mz`
            key, equals, value = "model", "=", item
        if not equals or not key.strip():
            raise UnreadableError(
                f"cannot read {item!r} in the agent {name!r}: parameters are written name=value, separated by commas"
            )
        if key.strip() in given:
            raise UnreadableError(f"the parameter {key.strip()!r} stands twice in the agent {name!r}")
        given[key.strip()] = value.strip()
    return base.strip(), given


def parameters(agent_class: type[Agent[Any]]) -> dict[str, inspect.Parameter]:
    """The parameters an agent's name may carry; a field `raise_` is written `raise`, a word Python keeps for itself."""
    return {key.rstrip("_"): p for key, p in inspect.signature(agent_class).parameters.items()}


def _class_by_name(base: str, catalogue: Catalogue) -> type[Agent[Any]]:
    if base not in catalogue:
        raise UnreadableError(f"there is no agent {base!r}; {did_you_mean(base, catalogue)}")
    module, _, class_name = catalogue[base].partition(":")
    found: type[Agent[Any]] = getattr(import_module(module), class_name)
    return found


def _class_in_file(path: Path) -> type[Agent[Any]]:
    """The one agent a Python file defines. The file is run: it is your program, not data."""
    import cloudpickle

    if not path.is_file():
        raise UnreadableError(f"there is no file {str(path)!r} with an agent in it")
    name = f"mazzo_agent_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnreadableError(f"{str(path)!r} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as wrong:
        raise UnreadableError(f"{path} does not run: {type(wrong).__name__}: {wrong}") from wrong
    cloudpickle.register_pickle_by_value(module)  # workers have never heard of this module
    found = [k for k in vars(module).values() if inspect.isclass(k) and issubclass(k, Agent) and k.__module__ == name]
    if len(found) != 1:
        raise UnreadableError(f"{path} should define one agent (a subclass of mazzo.agent.Agent), not {len(found)}")
    chosen: type[Agent[Any]] = found[0]
    return chosen


def _agent_of_model(path: Path) -> str:
    """The name of the agent that plays a model file."""
    from mazzo.learn.model_file import read_model

    return read_model(path).agent


def create(name: str, catalogue: Catalogue) -> Agent[Any]:
    """The agent of this name, parameters and all; of a model file (`hero.mz`); or in your own file: `mybot.py:x=.3`."""
    base, given = split_name(name)
    if base.endswith(MODEL_SUFFIX):
        base, given = _agent_of_model(Path(base)), {"model": base, **given}
    agent_class = _class_in_file(Path(base)) if base.endswith(".py") else _class_by_name(base, catalogue)
    known = parameters(agent_class)
    hints = get_type_hints(agent_class.__init__)
    values: dict[str, Any] = {}
    for key, text in given.items():
        if key not in known:
            raise UnreadableError(f"agent {base!r} has no parameter {key!r}; {did_you_mean(key, known)}")
        field_name = known[key].name
        values[field_name] = _convert(text, hints.get(field_name, str), f"parameter {key!r} of agent {base!r}")
    agent = agent_class(**values)
    agent.name = name
    return agent


def _convert(text: str, wanted: Any, what: str) -> Any:
    if wanted is bool:
        if text.lower() in ("true", "yes", "1"):
            return True
        if text.lower() in ("false", "no", "0"):
            return False
        raise UnreadableError(f"{what} is true or false, not {text!r}")
    if wanted in (int, float):
        try:
            return wanted(text)
        except ValueError:
            kind = "a whole number" if wanted is int else "a number"
            raise UnreadableError(f"{what} is {kind}, not {text!r}") from None
    return text
