"""The agents that play Hold'em, by name."""

from __future__ import annotations

from typing import Any

from mazzo.agent import Agent, Catalogue, create
from mazzo.registry import Registry

__all__ = ["AGENTS", "find_agent"]

AGENTS: Catalogue = Registry(
    "agent",
    {
        "balanced": "mazzo.holdem.agents.balanced:Balanced",
        "call": "mazzo.holdem.agents.ignores_cards:Call",
        "casebase": "mazzo.holdem.agents.casebase:CaseBase",
        "chart": "mazzo.holdem.agents.chart:ChartPlayer",
        "clone": "mazzo.holdem.agents.clone:ClonePlayer",
        "explorer": "mazzo.holdem.agents.explorer:Explorer",
        "fold": "mazzo.holdem.agents.ignores_cards:Fold",
        "hero": "mazzo.holdem.agents.hero:Hero",
        "online": "mazzo.holdem.agents.online:Online",
        "patient": "mazzo.holdem.agents.patient:Patient",
        "raise": "mazzo.holdem.agents.ignores_cards:Raise",
        "random": "mazzo.holdem.agents.ignores_cards:Random",
        "reader": "mazzo.holdem.agents.reader:RangeReader",
        "recorder": "mazzo.holdem.agents.recorder:Recorder",
        "replayer": "mazzo.holdem.agents.replayer:Replayer",
        "rich": "mazzo.holdem.agents.rich:Rich",
        "solid": "mazzo.holdem.agents.solid:Solid",
        "solved": "mazzo.holdem.agents.solved:SolvedPlayer",
        "spot": "mazzo.holdem.agents.spot:SpotPlayer",
        "typical": "mazzo.holdem.agents.typical:Typical",
        "utility": "mazzo.holdem.agents.utility:Utility",
        "utility+": "mazzo.holdem.agents.utility:UtilityPlus",
    },
)
"""Every agent and where its class is. A new agent is one class and one line here."""


def find_agent(name: str | Agent[Any]) -> Agent[Any]:
    """An agent by name, parameters and all (`"rich:margin=.02"`), of a model file (`"hero.mz"`) or in a file of yours.

    An agent is given back as it is.
    """
    return create(name, AGENTS) if isinstance(name, str) else name
