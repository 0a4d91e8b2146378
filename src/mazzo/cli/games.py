"""`mazzo games`: what can be played."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, print_table

__all__ = ["games"]


@command("mazzo games", "mazzo games holdem-limit-2p", "mazzo games my/leduc.game --json")
@click.argument("game", required=False)
@as_json
def games(game: str | None, as_json: bool) -> None:
    """List the games, or print the definition of one.

    A game is a name or the path of a file such as my.game.
    """
    from mazzo.games import entries, find_rules

    if game is not None:
        entry, found = find_rules(game)
        definition = str(found).rstrip("\n") + "\n"
        if as_json:
            players = {g.name: g.players for g in entry.games()}.get(game, "")
            about = {"name": getattr(found, "name", game), "players": getattr(found, "players", players)}
            print_json({**about, "definition": definition})
        else:
            click.echo(definition, nl=False)
        return
    rows = [(g.name, g.players, g.what) for entry in entries() for g in entry.games()]
    if as_json:
        keys = ("name", "players", "what")
        print_json({"games": [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        print_table(("game", "players", "what"), rows)
