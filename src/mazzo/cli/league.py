"""`mazzo league`: everybody against everybody."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.cli.match import prepare_shown
from mazzo.workers import Workers

if TYPE_CHECKING:
    from mazzo.arena.league import League

__all__ = ["league"]


@command(
    "mazzo league holdem-limit-2p chart rich patient random --hands 20000",
    "mazzo league holdem-limit-2p chart rich hero.mz --aivat --workers 4 --checkpoint league.jsonl",
    "mazzo league leduc-2p leduc.mz call raise random --json > league.json",
)
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(min=1), default=10_000, show_default=True, help="Hands per pairing.")
@seed
@workers
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress in this file; the same command resumes from it.",
)
@click.option("--allow-cheats", is_flag=True, help="Allow agents that see all cards (cheat).")
@click.option("--aivat", is_flag=True, help="Reduce the variance by AIVAT, as `mazzo match --aivat` does.")
@as_json
@quiet
def league(
    game: str,
    agents: tuple[str, ...],
    hands: int,
    seed: int,
    workers: Workers,
    checkpoint: Path | None,
    allow_cheats: bool,
    aivat: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play all AGENTS against each other at GAME and rate them.

    Prints every match with its interval, one rating, and circles (A beats B beats C beats A).
    """
    from mazzo.arena.league import stream_league

    standings = stream_league(
        game,
        agents,
        hands=hands,
        seed=seed,
        workers=workers,
        checkpoint=checkpoint,
        aivat=aivat,
        allow_cheats=allow_cheats,
        prepare=partial(prepare_shown, quiet=quiet),
    )
    result: League | None = None
    interrupted = False
    with progress("playing", hands * len(agents) * (len(agents) - 1) / 2, quiet) as advance:
        done = 0
        try:
            for result in standings:
                played = sum(p.moments.n for p in result.pairings) * result.plays_per_deal
                advance(played - done)
                done = played
        except KeyboardInterrupt:
            interrupted = True
    if result is not None:
        _show(result, as_json, quiet)
    if interrupted:
        more = (
            "the same command resumes from here"
            if checkpoint
            else "with --checkpoint FILE a league can be resumed later"
        )
        note(f"interrupted; the figures stand for the hands played; {more}")
        raise click.exceptions.Exit(130)


def _show(result: League, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(result.as_dict())
        return
    section = result.section()
    for grid in section.tables:
        print_table(grid.head, grid.rows)
        click.echo()
    for line in section.words[1:]:
        click.echo(line)
    note(f"{section.words[0]} For a page: the same with --json > league.json, then mazzo report league.json", quiet)
