"""`mazzo games`: what can be played."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, print_table

__all__ = ["games"]


@command("mazzo games", "mazzo games holdem-limit-2p", "mazzo games my/leduc.game --json")
@click.argument("game", required=False)
@as_json
def games(game: str | None, as_json: bool) -> None:
    """List the games, or print the definition of a Hold'em game (a name or the path of a .game file)."""
    from mazzo.games import entries
    from mazzo.holdem.game import find_game

    if game is not None:
        found = find_game(game)
        if as_json:
            print_json({"name": found.name, "players": found.players, "definition": str(found)})
        else:
            click.echo(str(found), nl=False)
        return
    rows = [(g.name, g.players, g.what) for entry in entries() for g in entry.games()]
    if as_json:
        keys = ("name", "players", "what")
        print_json({"games": [dict(zip(keys, row, strict=True)) for row in rows]})
    else:
        print_table(("game", "players", "what"), rows)
