"""Players of blackjack, one file each."""

from __future__ import annotations

from typing import Any

from mazzo.agent import Agent, Catalogue, create
from mazzo.registry import Registry

__all__ = ["AGENTS", "agent"]

AGENTS: Catalogue = Registry(
    "agent",
    {
        "count": "mazzo.blackjack.agents.count:CountingAgent",
        "basic": "mazzo.blackjack.agents.basic:BasicAgent",
        "chart": "mazzo.blackjack.agents.basic:BasicAgent",
        "random": "mazzo.blackjack.agents.random:RandomAgent",
    },
)
"""The agents by name, for `mazzo.agent.create`; `chart` is another name of `basic`."""


def agent(name: str | Agent[Any]) -> Agent[Any]:
    """The agent of this name: `count`, `basic`, `random`, or one in your own file, `mybot.py:x=.3`.

    An agent is given back as it is.
    """
    return create(name, AGENTS) if isinstance(name, str) else name
