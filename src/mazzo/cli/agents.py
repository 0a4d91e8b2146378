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
    from mazzo.games import entries

    listed = [_describe(entry.NAME, name, where) for entry in entries() for name, where in sorted(entry.AGENTS.items())]
    if as_json:
        print_json({"agents": listed})
        return
    rows = [
        (entry["game"], entry["name"], entry["summary"], ",".join(f"{k}={v}" for k, v in entry["parameters"].items()))
        for entry in listed
    ]
    print_table(("game", "agent", "what it does", "parameters"), rows)


def _describe(game: str, name: str, where: str) -> dict[str, Any]:
    from mazzo.agent import parameters

    module, _, class_name = where.partition(":")
    agent_class = getattr(import_module(module), class_name)
    values = {
        key: p.default if p.default is not inspect.Parameter.empty else None
        for key, p in parameters(agent_class).items()
    }
    return {"name": name, "game": game, "summary": agent_class.summary, "parameters": values}
