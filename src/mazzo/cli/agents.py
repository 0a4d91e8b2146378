"""`mazzo agents`: who can play."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from mazzo.cli.common import as_json, command, print_json, print_table

__all__ = ["agents"]


@command("mazzo agents", "mazzo agents --json")
@as_json
def agents(as_json: bool) -> None:
    """List the agents with their parameters and defaults. Parameters go behind a colon: random:fold=.2,call=.4."""
    from mazzo.holdem.agents import AGENTS

    listed = [_describe(name, where) for name, where in sorted(AGENTS.items())]
    if as_json:
        print_json({"agents": listed})
        return
    rows = [
        (entry["name"], entry["game"], entry["summary"], ",".join(f"{k}={v}" for k, v in entry["parameters"].items()))
        for entry in listed
    ]
    print_table(("agent", "game", "what it does", "parameters"), rows)


def _describe(name: str, where: str) -> dict[str, Any]:
    from mazzo.agent import parameters

    module, _, class_name = where.partition(":")
    agent_class = getattr(import_module(module), class_name)
    values = {
        key: p.default if p.default is not inspect.Parameter.empty else None
        for key, p in parameters(agent_class).items()
    }
    return {"name": name, "game": "holdem", "summary": agent_class.summary, "parameters": values}
