"""`mazzo agents`: who can play."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from mazzo.cli.common import as_json, command, print_json, print_table

if TYPE_CHECKING:
    from mazzo.games import Entry

__all__ = ["agents"]


@command("mazzo agents", "mazzo agents --json")
@as_json
def agents(as_json: bool) -> None:
    """List the agents with their parameters and defaults. Parameters go behind a colon: random:fold=.2,call=.4."""
    from mazzo.games import entries

    listed = [_describe(entry, name) for entry in entries() for name in sorted(entry.AGENTS)]
    if as_json:
        print_json({"agents": listed})
        return
    rows = [
        (entry["game"], entry["name"], entry["summary"], ",".join(f"{k}={v}" for k, v in entry["parameters"].items()))
        for entry in listed
    ]
    print_table(("game", "agent", "what it does", "parameters"), rows)


def _describe(entry: Entry, name: str) -> dict[str, Any]:
    from mazzo.extras import MissingPartError
    from mazzo.registry import parameters

    try:
        agent_class = entry.AGENTS[name]
    except MissingPartError as missing:
        return {"name": name, "game": entry.NAME, "summary": str(missing), "parameters": {}}
    values = {
        key: p.default if p.default is not inspect.Parameter.empty else None
        for key, p in parameters(agent_class).items()
    }
    return {"name": name, "game": entry.NAME, "summary": agent_class.summary, "parameters": values}
