"""What an agent is, and how it is found by name.

An agent answers many decisions at a time: `decide(observations)` gives one action per row, and one decision is a
batch of one. It sees its observations and nothing else. It explains any single decision. One that learns is handed
the finished hands. Names carry parameters: `random`, `rich:margin=0.02`, `random:fold=.2,free_fold=true`.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from mazzo import registry
from mazzo.document import Grid, Section, Shown, settings
from mazzo.errors import IllegalError, UnreadableError, did_you_mean
from mazzo.files import run_file
from mazzo.policy import ActionChances, asked
from mazzo.registry import Registry, parameters, read_parameters

__all__ = [
    "YES_NO",
    "Agent",
    "Between",
    "Explanation",
    "Option",
    "Safe",
    "agent_class",
    "check_safe",
    "create",
    "parameters",
    "safe_parameters",
    "split_name",
]

Observations = TypeVar("Observations")

MODEL_SUFFIX = ".mz"
"""A name that ends so is a model file: the file says which agent plays it."""


@dataclass(frozen=True)
class Between:
    """Numbers that may be taken from a stranger: both bounds included, so that nobody asks for an endless search."""

    low: float
    high: float


YES_NO = ("true", "false")
"""The choices of a switch."""

Safe = Mapping[str, "Between | Sequence[str]"]
"""By parameter the numbers or the words that may be taken from a stranger."""


@dataclass(frozen=True)
class Option:
    """One action an agent weighed: what it is worth to the agent, and the terms that made it so."""

    action: str
    value: float | None = None
    standard_error: float | None = None
    terms: Mapping[str, float] = field(default_factory=dict)
    support: float | None = None
    """How often the action was taken in like situations of the log that its worth was learned from."""
    behind: float | None = None
    """What it gives away against the action that is played, both weighed in the same deals."""
    behind_error: float | None = None
    """The standard error of that difference."""


@dataclass(frozen=True)
class Explanation(Shown):
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
            {
                "action": o.action,
                "value": o.value,
                "standard_error": o.standard_error,
                "terms": dict(o.terms),
                **({} if o.support is None else {"support": o.support}),
                **({} if o.behind is None else {"behind": o.behind, "behind_standard_error": o.behind_error}),
            }
            for o in self.options
        ]
        return {"action": self.action, "reason": self.reason, "options": options, "facts": dict(self.facts)}

    def section(self) -> Section:
        """What it plays and why, what it weighed, what it saw."""
        weighed = [
            (o.action, _short(o.value), "" if o.standard_error is None else f"± {_short(o.standard_error)}", _terms(o))
            for o in self.options
        ]
        seen = [(name, _short(value)) for name, value in self.facts.items()]
        grids = [Grid(("play", f"value {self.unit}".strip(), "", "from"), weighed)] if weighed else []
        grids += [Grid(("what it saw", "value"), seen)] if seen else []
        return Section(self.action, [self.reason], tables=grids)

    def __str__(self) -> str:
        lines = [f"{self.action}: {self.reason}"]
        lines += [f"  {name} = {_short(value)}" for name, value in self.facts.items()]
        for option in self.options:
            error = "" if option.standard_error is None else f" ± {_short(option.standard_error)}"
            terms = _terms(option)
            lines.append(f"  {option.action:<12}{_short(option.value)}{error}{f'  ({terms})' if terms else ''}")
        return "\n".join(lines)


def _terms(option: Option) -> str:
    seen = [] if option.support is None else [f"taken in {option.support:.1%} of like situations"]
    if option.behind is not None:
        seen.append(f"behind by {_short(option.behind)} ± {_short(option.behind_error)}")
    return ", ".join([*seen, *(f"{name} {_short(value)}" for name, value in option.terms.items())])


def _short(value: float | int | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _game_of(observations: type) -> str:
    """The game whose observations these are: the folder that their module lies in."""
    return observations.__module__.split(".")[-2:][0]


def _taking_text(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of an agent that takes its observations also as a hand, or as the text of one."""

    @functools.wraps(method)
    def taking(self: Agent[Any], observations: Any, *more: Any, **named: Any) -> Any:
        if not isinstance(observations, str) and not hasattr(observations, "observe"):
            return method(self, observations, *more, **named)
        from mazzo.games import situation

        deal, seen = situation(self, observations)
        if self.sees_all and name == "explain":
            return self.explain_open(deal, seen)
        return method(self, seen, *more, **named)

    return taking


_RENAMED = {"refuses": "unsupported_reason", "hand_over": "on_hands_finished"}


class Agent(Shown, Generic[Observations]):
    """A player of one game. Subclasses are dataclasses whose fields are the agent's parameters.

    `decide`, `policy` and `explain` are written for observations; they also take a hand or round, or its text (what
    `mazzo explain` takes), and then speak of what its player to act sees.

    Anything random is drawn from `observations.rng_key` (one 64-bit number a row), never from a generator of the
    agent's own: so the same seed gives the same play, and a batch of n decisions equals n batches of one.
    """

    summary: ClassVar[str] = ""
    """One line for the list of agents."""

    learns: ClassVar[bool] = False
    """True for an agent that changes with the hands it is handed: it is then played in order, on one worker."""

    randomises: ClassVar[bool] = True
    """False for an agent whose choice hangs on nothing but what it sees: its policy is then known exactly."""

    plays_at_once: ClassVar[int] = 4096
    """Plays of a match that are one piece of work: few for an agent that thinks long, so that workers share them."""

    sees_all: bool = False
    """True for one that is shown all cards (`decide_open`): a measure of what could be won, for the arena only."""

    kernel: ClassVar[str] = ""
    """The kind of compiled code that plays whole tables of agents of this kind; empty for none."""

    folds_free: bool = False
    """True for an agent that may fold where checking costs nothing; every other agent is refused such a fold."""

    safe: ClassVar[Safe | None] = None
    """What somebody in a browser may choose: parameters that are numbers or words, each with its bounds.

    A parameter that is not named here is refused, and so is an agent that says nothing itself. Never name a parameter
    that is a path or another agent: it would open files or run programs of the server's.
    """

    observes: ClassVar[type | None] = None
    """The class of the observations it takes, as its base `Agent[Observations]` says; None where that says nothing."""

    name: str = ""
    """The name it was created by, parameters included."""

    def __init_subclass__(cls, **given: Any) -> None:
        """An agent written for 0.1 may still call these by their old names; it is told the new ones."""
        super().__init_subclass__(**given)
        for base in vars(cls).get("__orig_bases__", ()):
            if get_origin(base) is Agent and isinstance(seen := get_args(base)[0], type) and seen is not Any:
                cls.observes = seen
        for name in ("decide", "policy", "explain"):
            if inspect.isfunction(method := vars(cls).get(name)):
                setattr(cls, name, _taking_text(name, method))
        if "decide" in vars(cls) and "kernel" not in vars(cls):
            cls.kernel = ""  # it decides otherwise than the class whose compiled code it would inherit
        if "decide" in vars(cls):  # and so what it would inherit of chances is not its own either
            for name in ("randomises", "draws", "policy"):
                if name not in vars(cls):
                    setattr(cls, name, getattr(Agent, name))
        for old, new in _RENAMED.items():
            if old in vars(cls) and new not in vars(cls):
                warnings.warn(f"{cls.__name__}.{old} is now called {new}", DeprecationWarning, stacklevel=2)
                setattr(cls, new, vars(cls)[old])

    def section(self) -> Section:
        """Its name, what it does, and its parameters."""
        values = {key: getattr(self, p.name, None) for key, p in parameters(type(self)).items()}
        return settings(self.name or type(self).__name__, values, [self.summary] if self.summary else [])

    def check_observes(self, observations: Any) -> None:
        """Refuse observations of another game than this agent's."""
        if self.observes is not None and not isinstance(observations, self.observes):
            name = self.name or type(self).__name__
            own, other = _game_of(self.observes), _game_of(type(observations))
            raise IllegalError(f"{name} is an agent of {own}, it cannot play {other}")

    def unsupported_reason(self, game: Any) -> str:
        """Why this agent cannot play a game, in words; empty if it can."""
        return ""

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Make or load what would make the first decision slow; `progress` is told each further part of one whole."""

    @abstractmethod
    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal action for every row."""

    def draws(self, observations: Observations) -> NDArray[np.bool_]:
        """In which rows its choice hangs on the random key; elsewhere what it sees decides alone."""
        return np.full(len(observations), self.randomises)  # type: ignore[arg-type]  # a batch has a length

    def policy(self, observations: Observations) -> ActionChances:
        """The chance of each action in every row.

        Asking changes nothing: an agent that learns answers as of now. Where the choice is drawn, it is sampled under
        many random keys, unless the agent states its chances itself.
        """
        return asked(self.decide, observations, self.draws(observations))

    def decide_open(self, table: Any, rows: NDArray[np.int64], observations: Observations) -> NDArray[np.int64]:
        """One legal action for every row, knowing the whole table: only asked of an agent that `sees_all`."""
        return self.decide(observations)

    def learned(self) -> dict[str, Any] | None:
        """What an agent that learns knows now, as plain data; None for one that has nothing to show.

        Under `rivals` stands a row for each player it has watched: `player` is the number at the table.
        """
        return None

    @abstractmethod
    def explain(self, observation: Observations) -> Explanation:
        """Why it plays what it plays in a batch of one."""

    def explain_open(self, deal: Any, observation: Observations) -> Explanation:
        """Why it plays what it plays, knowing the whole deal: only asked of an agent that `sees_all`."""
        return self.explain(observation)

    def on_hands_finished(self, hands: Any) -> None:
        """Take note of finished hands, as this agent may know them."""


Agent.policy = _taking_text("policy", Agent.policy)  # type: ignore[method-assign]  # as those of its subclasses

Catalogue = Registry[type[Agent[Any]]]
"""A game's agents by name."""


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """An agent's name and its parameters; `clone:rich.mz` is short for `clone:model=rich.mz`."""
    return registry.split_name(name, bare=lambda item: "model" if item.endswith(MODEL_SUFFIX) else None)


def _class_in_file(path: Path) -> type[Agent[Any]]:
    """The one agent a Python file defines. The file is run: it is your program, not data."""
    module = run_file(path, "agent")
    classes = [k for k in vars(module).values() if inspect.isclass(k) and issubclass(k, Agent)]
    found = [k for k in classes if k.__module__ == module.__name__]
    if len(found) != 1:
        raise UnreadableError(f"{path} should define one agent (a subclass of mazzo.agent.Agent), not {len(found)}")
    chosen: type[Agent[Any]] = found[0]
    return chosen


def _class_of_model(path: Path, catalogue: Catalogue) -> type[Agent[Any]]:
    """The agent that plays a model file. The file is data: it may name an agent of the catalogue and nothing else."""
    from mazzo.block_file import BlockFile, is_block_file
    from mazzo.model_file import read_model

    named = str(BlockFile(path).settings.get("agent")) if is_block_file(path) else read_model(path).agent
    if named not in catalogue:
        raise UnreadableError(f"{path.name} names the agent {named[:40]!r}; {did_you_mean(named[:40], catalogue)}")
    return catalogue[named]


def agent_class(base: str, catalogue: Catalogue, folder: Path = Path()) -> type[Agent[Any]]:
    """The class behind a name without parameters; files (`hero.mz`, `mybot.py`) are looked for from `folder` on."""
    if base.endswith(MODEL_SUFFIX):
        return _class_of_model(folder / base, catalogue)
    return _class_in_file(folder / base) if base.endswith(".py") else catalogue[base]


def safe_parameters(found: type[Agent[Any]]) -> Safe | None:
    """What an agent itself says is safe. It does not inherit that: a subclass may do more with what it is given."""
    said: Safe | None = vars(found).get("safe")
    return said


def check_safe(name: str, found: type[Agent[Any]]) -> None:
    """Refuse parameters that may not be taken from a stranger: the class says which may, and within what bounds."""
    _, given = split_name(name)
    safe = safe_parameters(found) or {}
    for key, value in given.items():
        field_name = parameters(found)[key].name if key in parameters(found) else key
        bounds = safe.get(field_name)
        if bounds is None:
            raise UnreadableError(f"{key[:20]!r} cannot be chosen here; {did_you_mean(key[:20], sorted(safe))}")
        if isinstance(bounds, Between):
            _check_number(key, value, bounds)
        elif value not in bounds:
            raise UnreadableError(f"{key} must be one of {', '.join(bounds)}, got {value[:20]!r}")


def _check_number(key: str, value: str, bounds: Between) -> None:
    try:
        inside = bounds.low <= float(value) <= bounds.high  # nan is not
    except ValueError:
        inside = False
    if not inside:
        raise UnreadableError(f"{key} must be {bounds.low:g} to {bounds.high:g}, got {value[:20]!r}")


def create(name: str, catalogue: Catalogue, folder: Path = Path(), allow_cheats: bool = False) -> Agent[Any]:
    """The agent of this name, parameters and all; of a model file (`hero.mz`); or in your own file: `mybot.py:x=.3`.

    One that sees all cards (`sees_all`) is only made where that is allowed.
    """
    base, given = split_name(name)
    found = agent_class(base, catalogue, folder)
    if found.sees_all and not allow_cheats:
        raise UnreadableError(f"the agent {base!r} sees all cards: it plays only where --allow-cheats is given")
    if base.endswith(MODEL_SUFFIX):
        given = {"model": str(folder / base), **given}
    agent = found(**read_parameters(found, given, f"agent {base!r}"))
    agent.name = name
    return agent
