"""Players of tressette. Names and where their classes are; `mazzo.agent.create` makes one from its name."""

from __future__ import annotations

__all__ = ["AGENTS", "CHEATS"]

AGENTS = {
    "random": "mazzo.tressette.agents.baselines:Random",
    "greedy": "mazzo.tressette.agents.baselines:Greedy",
    "decision": "mazzo.tressette.agents.decision:Decision",
    "decision-improved": "mazzo.tressette.agents.decision:ImprovedDecision",
    "belief": "mazzo.tressette.agents.belief:Belief",
    "belief-improved": "mazzo.tressette.agents.belief:ImprovedBelief",
    "reader": "mazzo.tressette.agents.sampler:Reader",
    "sampler": "mazzo.tressette.agents.sampler:Sampler",
}

CHEATS = {"cheat": "mazzo.tressette.agents.cheat:Cheat"}
"""Players that see all cards: a measure of what could be won, for the arena only and only where it is told so."""
