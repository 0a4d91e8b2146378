"""`explorer`: another agent that now and then does something else, so that a log of it holds what it would not do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, create
from mazzo.arrays import Flags, Floats
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.sizes import of_kinds, raise_amounts
from mazzo.holdem.learning.choices import drawn_amounts
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import NO_ACTION, ActionChances
from mazzo.rng import forks

__all__ = ["POTS", "UNIFORM", "Explorer"]

UNIFORM, POTS = "uniform", "pots"


@dataclass
class Explorer(Agent[Observations]):
    """Plays as an agent does but for a share of decisions, in which every legal kind of action is as likely."""

    summary: ClassVar[str] = "another agent with a share of random actions (explorer:agent=chart,explore=0.1)"
    agent: str = "chart"
    """Whom it plays as."""
    explore: float = 0.1
    """The share of decisions in which it does anything."""
    size: str = UNIFORM
    """How much a random raise is in no-limit: `uniform`, any amount, or `pots`, one of the classes heroes learn."""

    def __post_init__(self) -> None:
        from mazzo.holdem.agents import AGENTS

        if not 0 <= self.explore <= 1:
            raise UnreadableError(f"explore must be from 0 to 1, got {self.explore}")
        if self.size not in (UNIFORM, POTS):
            raise UnreadableError(f"size must be {UNIFORM} or {POTS}, got {self.size!r}")
        self._play_as(create(self.agent, AGENTS))

    def _play_as(self, agent: Agent[Any]) -> None:
        self.played, self.folds_free = agent, agent.folds_free
        self.learns = agent.learns  # type: ignore[misc]  # it is handed the hands if that agent is

    @classmethod
    def of(cls, agent: Agent[Any], explore: float, name: str, size: str = UNIFORM) -> Explorer:
        """An explorer of an agent that exists."""
        made = cls.__new__(cls)
        made.agent, made.explore, made.name, made.size = agent.name, explore, name, size
        made._play_as(agent)
        return made

    def unsupported_reason(self, game: Rules | None) -> str:
        """What the agent it plays refuses."""
        return self.played.unsupported_reason(game)

    def prepare(self, progress: Callable[[float], None]) -> None:
        """What makes that agent's first decision slow."""
        self.played.prepare(progress)

    def learned(self) -> dict[str, Any] | None:
        """What that agent knows now."""
        return self.played.learned()

    def _random(self, o: Observations) -> tuple[Flags, NDArray[np.int64]]:
        """Where it explores, and what it does there: drawn apart from what the agent draws."""
        legal = _legal(o)
        kind = np.argmax(legal.cumsum(axis=1) > (_uniform(o, 2) * legal.sum(axis=1)).astype(np.int64)[:, None], axis=1)
        return _uniform(o, 1) < self.explore, np.where(kind == c.KIND_RAISE, self._raises(o), kind + c.FOLD)

    def _raises(self, o: Observations) -> NDArray[np.int64]:
        """How much it raises to where it does so at random."""
        if self.size == UNIFORM or o.game.limit:
            return raise_amounts(o, UNIFORM)
        return drawn_amounts(o, _uniform(o, 3))

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """What the agent plays, or anything."""
        explores, anything = self._random(observations)
        return np.where(explores, anything, self.played.decide(observations))

    def policy(self, observations: Observations) -> ActionChances:
        """Every legal kind with the share it explores, with the rest what the agent plays; exact where the agent is.

        With raises by classes of pots it is sampled.
        """
        o, own = observations, self.played.policy(observations)
        if not own.exact or own.nearest or (self.size == POTS and not o.game.limit):
            return super().policy(o)
        legal = _legal(o)
        kinds = self.explore * legal / legal.sum(axis=1, keepdims=True)
        actions, p = own.actions, (1 - self.explore) * own.p
        alike = [(c.KIND_FOLD, actions == c.FOLD), (c.KIND_CALL, actions == c.CALL)]
        if o.game.limit:
            alike.append((c.KIND_RAISE, actions >= c.RAISE))
        elif own.spread is not None:  # its amounts are as likely as those that are explored
            alike.append((c.KIND_RAISE, np.arange(actions.shape[1]) == np.full((len(o), 1), actions.shape[1] - 1)))
        for kind, there in alike:
            kinds[:, kind] += np.where(there, p, 0.0).sum(axis=1)
            p = np.where(there, 0.0, p)
        anything = of_kinds(o, kinds, "uniform")
        actions = np.where(p > 0, actions, NO_ACTION)
        return replace(anything, actions=np.hstack([actions, anything.actions]), p=np.hstack([p, anything.p]))

    def on_hands_finished(self, hands: Any) -> None:
        """The agent learns, if it does."""
        if self.played.learns:
            self.played.on_hands_finished(hands)

    def explain(self, observation: Observations) -> Explanation:
        """Why the agent plays it, and whether it explores."""
        told = self.played.explain(observation)
        if not self._random(observation)[0][0]:
            return told
        from mazzo.holdem.notation import action_text

        action = action_text(int(self.decide(observation)[0]), observation.game.limit)
        return replace(told, action=action, reason=f"it explores; {self.played.name} would play {told.action}")


def _legal(o: Observations) -> Flags:
    """By row whether folding, calling and raising are possible; folding where something is owed."""
    return np.column_stack([o.owed > 0, np.ones(len(o), np.bool_), o.can_raise])


def _uniform(o: Observations, number: int) -> Floats:
    keys = forks(o.rng_key, np.full(len(o), number))
    return np.asarray((keys >> np.uint64(11)).astype(np.float64) * 2.0**-53)
