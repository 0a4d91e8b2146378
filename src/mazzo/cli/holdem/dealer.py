"""`mazzo dealer`: a match over the network, as the competition's dealer runs it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import Number, as_json, command, note, print_json, print_table, quiet, seed
from mazzo.errors import UnreadableError
from mazzo.holdem.dealer.limits import DealerLimits

if TYPE_CHECKING:
    from mazzo.holdem.dealer.server import DealerSeat
    from mazzo.holdem.rules import Rules

__all__ = ["dealer"]


@command(
    "mazzo dealer holdem-limit-3p --seats alice:20001 bob:20002 rich --hands 1000 --seed 7 --log match.log",
    "mazzo dealer holdem-nolimit-2p --seats mine:0 random --hands 100",
    "mazzo dealer holdem-limit-2p --seats a:20001 b:20002 --duplicate --hands 3000",
)
@click.argument("game")
@click.option(
    "--seats",
    multiple=True,
    required=True,
    metavar="NAME:PORT|AGENT ...",
    help="All seats in order: NAME:PORT for a program, or an agent.",
)
@click.argument("more_seats", nargs=-1, metavar="")
@click.option("--hands", type=click.IntRange(min=1), default=1000, show_default=True, help="Hands to play.")
@seed
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Write every hand to this file.")
@click.option("--old", is_flag=True, help="Write the log in the old format (players first).")
@click.option("--reference-deal", is_flag=True, help="Deal the cards that the reference dealer deals from --seed.")
@click.option("--duplicate", is_flag=True, help="Play every deal once in every seating, as `mazzo match` does.")
@click.option("--fixed-seats", is_flag=True, help="Do not rotate the seats from hand to hand.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--t-response", type=Number(), default=DealerLimits.response, show_default=True, help="Seconds allowed per answer."
)
@click.option(
    "--t-hand",
    type=Number(),
    default=DealerLimits.hand,
    show_default=True,
    help="Seconds allowed for all answers of one hand.",
)
@click.option(
    "--t-per-hand",
    type=Number(),
    default=DealerLimits.per_hand,
    show_default=True,
    help="Seconds allowed per hand, on average.",
)
@click.option(
    "--t-start", type=Number(), default=DealerLimits.start, show_default=True, help="Seconds allowed to connect."
)
@click.option(
    "--on-failure",
    type=click.Choice(["fold", "end"]),
    default="fold",
    show_default=True,
    help="After a timeout or disconnection: the seat checks or folds to the end, or the match ends.",
)
@as_json
@quiet
def dealer(game: str, seats: tuple[str, ...], more_seats: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Run a match of GAME for programs that connect.

    One port per program; Mazzo's agents take the other seats.
    """
    from mazzo.holdem.dealer.match import DealerMatch
    from mazzo.holdem.dealer.server import serve
    from mazzo.holdem.rules import rules

    definition = rules(game)
    silent = options["quiet"]
    taken = _seats((*seats, *more_seats), definition)
    match = DealerMatch(
        definition,
        options["hands"],
        options["seed"],
        [seat.name for seat in taken],
        reference=options["reference_deal"],
        duplicate=options["duplicate"],
        rotate=not options["fixed_seats"],
    )
    limits = DealerLimits(options["t_response"], options["t_hand"], options["t_per_hand"], options["t_start"])
    with ExitStack() as stack:
        log = _log(stack, definition, options, limits)
        outcome = asyncio.run(
            serve(
                match,
                taken,
                limits=limits,
                log=log,
                host=options["host"],
                waiting=lambda seat: note(f"waiting for {seat.name} on {options['host']} port {seat.port}", silent),
                ends_on_failure=options["on_failure"] == "end",
            )
        )
    if as_json:
        print_json({"game": definition.name, "seed": options["seed"], **outcome.as_dict()})
        return
    rows = [
        (name, f"{total:g}", outcome.replaced.get(name, 0), outcome.ignored.get(name, 0), outcome.failed.get(name, ""))
        for name, total in outcome.totals.items()
    ]
    print_table(("player", "chips", "answers replaced", "lines ignored", "failure"), rows)
    written = f", written to {options['log']}" if options["log"] else ""
    note(f"{outcome.hands} hands{written}", silent)


def _seats(words: tuple[str, ...], game: Rules) -> list[DealerSeat]:
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.dealer.server import DealerSeat
    from mazzo.names import distinct_names

    seats = []
    for word in words:
        found = re.fullmatch(r"([^:|\s]+):(\d{1,5})", word)
        if found:
            if int(found[2]) > 65535:
                raise UnreadableError(f"a port must be 0 to 65535, got {found[2]}")
            seats.append(DealerSeat(found[1], int(found[2])))
        else:
            agent = create(word, AGENTS)
            reason = agent.unsupported_reason(game)
            if reason:
                raise UnreadableError(f"agent {word!r} cannot play here: {reason}")
            seats.append(DealerSeat(word, agent=agent))
    if len(seats) != game.players:
        raise UnreadableError(f"{game.name} seats {game.players} players, {len(seats)} were given")
    for seat, name in zip(seats, distinct_names([seat.name for seat in seats]), strict=True):
        seat.name = name
    return seats


def _log(stack: ExitStack, game: Rules, options: dict[str, Any], limits: Any) -> Callable[[str], None]:
    from mazzo.holdem.logs.files import new_file
    from mazzo.holdem.logs.formats.acpc_write import old_line

    path = options["log"]
    if path is None:
        return lambda line: None
    file = stack.enter_context(new_file(path))

    def write(line: str) -> None:
        file.write((old_line(line) if options["old"] else line).encode() + b"\n")
        file.flush()

    write(f"# name/game/hands/seed {path.stem} {game.name} {options['hands']} {options['seed']}")
    for name, value in (("response", limits.response), ("hand", limits.hand), ("per_hand", limits.per_hand)):
        write(f"#--t_{name} {value * 1000:.0f}")
    return write
