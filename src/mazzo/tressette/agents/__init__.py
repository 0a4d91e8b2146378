"""Players of tressette. Names and where their classes are; `mazzo.agent.create` makes one from its name."""

from __future__ import annotations

__all__ = ["AGENTS"]

AGENTS = {
    "random": "mazzo.tressette.agents.baselines:Random",
    "greedy": "mazzo.tressette.agents.baselines:Greedy",
    "decision": "mazzo.tressette.agents.decision:Decision",
    "decision-improved": "mazzo.tressette.agents.decision:ImprovedDecision",
    "belief": "mazzo.tressette.agents.belief:Belief",
    "belief-improved": "mazzo.tressette.agents.belief:ImprovedBelief",
    "sampler": "mazzo.tressette.agents.sampler:Sampler",
}
