"""Agents that know only how to take points."""

from __future__ import annotations

from typing import Any

from mazzo.agent import Agent
from mazzo.tressette.observation import Observations

__all__ = ["TakesPoints"]


class TakesPoints(Agent[Observations]):
    """An agent that plays to take points, and so cannot play where they are lost."""

    def unsupported_reason(self, game: Any) -> str:
        """Refuses a perdere."""
        if getattr(game, "a_perdere", False):
            return "it plays to take points, and a perdere they are lost; search, policy and random can play it"
        return ""
