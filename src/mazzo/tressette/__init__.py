"""Tressette: rules, exact counting, knowledge with reasons, open hands solved, agents and matches.

>>> from mazzo import tressette
>>> r = tressette.Round(seed=1)
>>> print(r.legal)
4d, 5d, 6d, 8d, 10d, Ad, 5c, 7s, 7b, 9b
"""

from typing import TYPE_CHECKING

from mazzo.lazy import lazy
from mazzo.tressette.rules import Rules, rules

if TYPE_CHECKING:
    from mazzo.tressette.agents import agent
    from mazzo.tressette.game import Game
    from mazzo.tressette.observation import Observations
    from mazzo.tressette.reasoning.base import knowledge
    from mazzo.tressette.round import Round
    from mazzo.tressette.solver.values import solve
    from mazzo.tressette.table import Table
    from mazzo.tressette.view import View

__all__ = ["Game", "Observations", "Round", "Rules", "Table", "View", "agent", "knowledge", "rules", "solve"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Game": "mazzo.tressette.game:Game",
        "Observations": "mazzo.tressette.observation:Observations",
        "Round": "mazzo.tressette.round:Round",
        "Table": "mazzo.tressette.table:Table",
        "View": "mazzo.tressette.view:View",
        "agent": "mazzo.tressette.agents:agent",
        "knowledge": "mazzo.tressette.reasoning.base:knowledge",
        "solve": "mazzo.tressette.solver.values:solve",
    },
)
