"""What a learner of Q takes: decisions with their reward and the state after, knowing no game."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Transitions"]


@dataclass(frozen=True)
class Transitions:
    """One row a decision. Where `terminal`, the next state and what is legal there mean nothing."""

    states: NDArray[np.float32]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]
    next_states: NDArray[np.float32]
    terminal: NDArray[np.bool_]
    next_legal: NDArray[np.bool_]
    """A column an action."""
    episodes: NDArray[np.int64]
    """Equal for decisions of one player in one episode: what is drawn again when an interval is bootstrapped."""
    first: NDArray[np.bool_]
    """Where an episode begins."""

    def __len__(self) -> int:
        return len(self.actions)

    def _arrays(self) -> list[NDArray[Any]]:
        return [getattr(self, field.name) for field in fields(self)]

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Transitions:
        """Some of the decisions."""
        return Transitions(*(array[chosen] for array in self._arrays()))

    def __add__(self, other: Transitions) -> Transitions:
        """These and others; the episodes of the others are numbered after these."""
        shift = int(self.episodes.max(initial=-1)) + 1
        moved = replace(other, episodes=other.episodes + shift)
        return Transitions(*(np.concatenate(pair) for pair in zip(self._arrays(), moved._arrays(), strict=True)))
