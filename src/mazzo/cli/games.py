"""`mazzo games`: what can be played."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, print_table

__all__ = ["games"]


@command("mazzo games", "mazzo games holdem-limit-2p", "mazzo games my/leduc.game --json")
@click.argument("game", required=False)
@as_json
def games(game: str | None, as_json: bool) -> None:
    """List the games, or print the definition of one (a name or the path of a .game file)."""
    from mazzo.holdem.game import PRESETS, find_game

    if game is not None:
        found = find_game(game)
        if as_json:
            print_json({"name": found.name, "players": found.players, "definition": str(found)})
        else:
            click.echo(str(found), nl=False)
        return
    rows = [
        (
            g.name,
            g.players,
            "limit" if g.limit else "no-limit",
            "/".join(str(b) for b in sorted(b for b in g.blinds if b)),
            "-" if max(g.stacks) > 10**9 else max(g.stacks),
        )
        for g in PRESETS.values()
    ]
    if as_json:
        keys = ("name", "players", "betting", "blinds", "stack")
        print_json({"games": [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        print_table(("game", "players", "betting", "blinds", "stack"), rows)
