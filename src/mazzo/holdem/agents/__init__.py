"""The agents that play Hold'em, by name."""

from __future__ import annotations

__all__ = ["AGENTS"]

AGENTS: dict[str, str] = {
    "call": "mazzo.holdem.agents.blind:Call",
    "casebase": "mazzo.holdem.agents.casebase:CaseBase",
    "chart": "mazzo.holdem.agents.chart:Chart",
    "clone": "mazzo.holdem.agents.clone:ClonePlayer",
    "fold": "mazzo.holdem.agents.blind:Fold",
    "hero": "mazzo.holdem.agents.hero:Hero",
    "online": "mazzo.holdem.agents.online:Online",
    "patient": "mazzo.holdem.agents.patient:Patient",
    "raise": "mazzo.holdem.agents.blind:Raise",
    "random": "mazzo.holdem.agents.blind:Random",
    "reader": "mazzo.holdem.agents.reader:Reader",
    "recorder": "mazzo.holdem.agents.recorder:Recorder",
    "replayer": "mazzo.holdem.agents.replayer:Replayer",
    "rich": "mazzo.holdem.agents.rich:Rich",
    "utility": "mazzo.holdem.agents.utility:Utility",
    "utility+": "mazzo.holdem.agents.utility:UtilityPlus",
}
"""Every agent and where its class is. A new agent is one class and one line here."""
