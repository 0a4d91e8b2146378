"""Players of briscola: names and where their classes are."""

from __future__ import annotations

from mazzo.agent import Catalogue
from mazzo.registry import Registry

__all__ = ["AGENTS"]

AGENTS: Catalogue = Registry("agent", {"random": f"{__name__}.random:Random", "greedy": f"{__name__}.greedy:Greedy"})
