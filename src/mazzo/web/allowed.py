"""Who may be seated from a browser. A request names agents; it never opens a file or runs a program of its choice.

Allowed are agents of the game's catalogue that say which of their parameters are safe (`Agent.safe`), model files of
one folder by their plain names, and the programs that the operator named when the server was started.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from mazzo.agent import (
    MODEL_SUFFIX,
    Agent,
    Between,
    agent_class,
    check_safe,
    create,
    parameters,
    safe_parameters,
    split_name,
)
from mazzo.errors import MazzoError, UnreadableError, did_you_mean
from mazzo.extras import MissingPartError
from mazzo.games import Entry
from mazzo.registry import meanings
from mazzo.seated import MakeAgent

__all__ = ["Allowed"]

_MOST_LISTED = 100
_MOST_NAME = 300


class Allowed:
    """The agents that a browser may name.

    Args:
        models: The folder of model files; None is the working directory.
        programs: Python files with agents that the operator allows.
    """

    def __init__(self, models: Path | None = None, programs: Iterable[Path] = ()) -> None:
        self.folder = models or Path()
        self._programs: dict[str, Path] = {}
        for path in programs:
            if path.suffix != ".py" or not path.is_file():
                raise UnreadableError(f"--allow must be a Python file with an agent in it, got {str(path)!r}")
            if path.name in self._programs:
                raise UnreadableError(f"two allowed programs are called {path.name!r}: rename one")
            self._programs[path.name] = path

    def models(self) -> list[str]:
        """The model files, by plain name."""
        found = sorted(p.name for p in self.folder.glob(f"*{MODEL_SUFFIX}") if p.is_file())
        return found[:_MOST_LISTED]

    def every_file(self) -> list[str]:
        """Model files and programs that may be seated, whatever game they play."""
        return [*self.models(), *self._programs]

    def files(self, entry: Entry, rules: Any = None) -> list[str]:
        """The model files that play a game, by these rules where they are given, and the programs."""
        playing = [name for name in self.models() if _agent_of(self.folder / name) in entry.AGENTS]
        return [*(name for name in playing if not self._refuses(name, entry, rules)), *self._programs]

    def agents(self, entry: Entry, rules: Any = None) -> list[str]:
        """The agents of a game that may be seated by name, and can play by these rules where they are given."""
        return [name for name in entry.AGENTS if _is_safe(name, entry) and not self._refuses(name, entry, rules)]

    def _refuses(self, name: str, entry: Entry, rules: Any) -> str:
        """Why an agent does not play by these rules; empty if it does."""
        if rules is None:
            return ""
        folder = self.folder if name.endswith(MODEL_SUFFIX) else Path()
        try:
            return create(name, entry.AGENTS, folder).unsupported_reason(rules)
        except MazzoError as error:
            return str(error)

    def form(self, name: str, entry: Entry) -> dict[str, Any]:
        """What an agent is, and which of its parameters can be chosen here: usual value, bounds or words, meaning."""
        found = agent_class(name, entry.AGENTS)
        known, means = parameters(found), meanings(found)
        keys = {p.name: (key, p.default) for key, p in known.items()}
        fields: list[dict[str, Any]] = []
        for field, bounds in (safe_parameters(found) or {}).items():
            key, usual = keys[field]
            about = {"name": key, "usual": str(usual).lower() if isinstance(usual, bool) else usual}
            within = {"low": bounds.low, "high": bounds.high} if isinstance(bounds, Between) else {"words": [*bounds]}
            fields.append({**about, **within, "whole": isinstance(usual, int), "means": means.get(key, "")})
        return {"name": name, "what": found.summary, "parameters": fields}

    def maker(self, entry: Entry) -> MakeAgent:
        """Makes agents of a game, each checked first."""
        return partial(self.make, entry=entry)

    def make(self, name: str, entry: Entry) -> Agent[Any]:
        """The agent of this name; UnreadableError if it may not be seated."""
        return create(name, entry.AGENTS, self._check(name, entry))

    def check(self, name: str, entry: Entry) -> None:
        """Refuse whoever may not be seated."""
        self._check(name, entry)

    def _check(self, name: str, entry: Entry) -> Path:
        """The folder that an allowed agent's file is in."""
        if len(name) > _MOST_NAME:
            raise UnreadableError(f"an agent's name has at most {_MOST_NAME} characters")
        base, given = split_name(name)
        if base in self._programs:
            folder = self._programs[base].parent
        elif base in self.models():
            folder = self.folder
        elif base in self.agents(entry):
            folder = Path()
        else:
            known = [*self.agents(entry), *self.every_file()]
            raise UnreadableError(f"there is no agent {base[:40]!r} to seat here; {did_you_mean(base[:40], known)}")
        if given:
            check_safe(name, agent_class(base, entry.AGENTS, folder))
        return folder


def _is_safe(name: str, entry: Entry) -> bool:
    """Whether an agent may be seated by name: not if a part of Mazzo that it needs is not installed."""
    try:
        return safe_parameters(agent_class(name, entry.AGENTS)) is not None
    except MissingPartError:
        return False


def _agent_of(path: Path) -> str:
    """The agent that plays a model file; empty for one that cannot be read."""
    from mazzo.model_file import read_model

    try:
        return read_model(path).agent
    except MazzoError:
        return ""
