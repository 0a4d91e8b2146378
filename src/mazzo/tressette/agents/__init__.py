"""Players of tressette: names and where their classes are. `agent` makes one from its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazzo.agent import Agent, Catalogue, create
from mazzo.registry import Registry

if TYPE_CHECKING:
    from mazzo.tressette.observation import Observations

__all__ = ["AGENTS", "agent"]

AGENTS: Catalogue = Registry(
    "agent",
    {
        "random": "mazzo.tressette.agents.random:Random",
        "greedy": "mazzo.tressette.agents.greedy:Greedy",
        "decision": "mazzo.tressette.agents.decision:Decision",
        "decision-improved": "mazzo.tressette.agents.decision:ImprovedDecision",
        "belief": "mazzo.tressette.agents.belief:Belief",
        "belief-improved": "mazzo.tressette.agents.belief:ImprovedBelief",
        "policy": "mazzo.tressette.agents.policy:FittedPolicy",
        "reader": "mazzo.tressette.agents.reader:SignReader",
        "search": "mazzo.tressette.agents.search:TreeSearch",
        "sampler": "mazzo.tressette.agents.sampler:Sampler",
        "cheat": "mazzo.tressette.agents.cheat:Cheat",
    },
)


def agent(name: str | Agent[Observations]) -> Agent[Observations]:
    """The agent of this name, parameters and all: `sampler:samples=50`. An agent is given back as it is."""
    return create(name, AGENTS) if isinstance(name, str) else name
