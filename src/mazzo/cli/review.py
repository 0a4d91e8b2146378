"""`mazzo review`: what a player's decisions gave away, the dearest first."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from mazzo.cli.common import as_json, command, note, print_json, progress, quiet
from mazzo.errors import UnreadableError

__all__ = ["review"]

_SHOWN = 10


@command(
    "mazzo review session.jsonl",
    "mazzo review hands.log --player Anna --hands 100 -o review.html",
    "mazzo review hands.log --player Anna --adviser ranges:seconds=0.3 --json",
)
@click.argument("played", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--player", default="me", show_default=True, help="Whose decisions; me is the person of a session.")
@click.option("--adviser", help="Who is asked.  [default: the usual one of the game]")
@click.option("--hands", type=click.IntRange(min=1), help="Only the last so many hands.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write a page to read; .md for Markdown."
)
@click.option("--seats", default="", help="Seats of the session that are programs of yours, which may then be run.")
@as_json
@quiet
def review(
    played: Path,
    player: str,
    adviser: str | None,
    hands: int | None,
    output: Path | None,
    seats: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Price every decision of a player: what did mistakes cost?

    PLAYED is a session of `mazzo play` or `mazzo serve`, or a log. The dearest decisions come first, then totals by
    street and kind; -o writes a page to read.
    """
    from mazzo.games import find_entry
    from mazzo.names import parse_seats
    from mazzo.reports.page import write_html, write_markdown
    from mazzo.review import decisions_of, read_played
    from mazzo.review import review as reviewed
    from mazzo.words.sentences import log_line

    records, name = read_played(played, player, parse_seats(seats) if seats else ())
    chosen = adviser or find_entry(records[0]["of"]).seating().advisers[0]
    mine = [record for record in records if name in record.get("names", ())]
    mine = mine[-hands:] if hands else mine
    count = sum(1 for record in mine for _ in decisions_of(record, name))
    if not count:
        raise UnreadableError(f"{name} decides nothing in these hands whose cards are known")
    note(
        f"{count:,} decisions of {name} in {len(mine):,} hands, up to some seconds each; Ctrl-C keeps what is done",
        quiet,
    )
    with progress("pricing", count, quiet or as_json) as advance:
        found = reviewed(mine, name, chosen, lambda so_far: advance(1), log_line)
    if output is not None:
        page = found.report(commands=[shlex.join(["mazzo", *sys.argv[1:]])])
        (write_markdown if output.suffix == ".md" else write_html)(page, output)
        note(f"written to {output}", quiet)
    if as_json:
        print_json(found.as_dict())
        return
    from mazzo.document import Section, plain

    whole = found.section()
    dear = whole.tables[2]
    shown = type(dear)(dear.head, dear.rows[:_SHOWN], f"The {_SHOWN} dearest of {len(dear.rows)} decisions.")
    click.echo(plain(Section(whole.title, whole.words, whole.figures, (), [*whole.tables[:2], shown])))
