"""`mazzo tournament`: many tournaments, who wins how often, and where learning leads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.confidence import INTERVAL
from mazzo.files import write_whole
from mazzo.workers import Workers

if TYPE_CHECKING:
    from mazzo.holdem.tournament import TournamentResult

__all__ = ["tournament"]


@command(
    "mazzo tournament --seats 'utility*5' --count 400 --chips 1000 --blinds 5/10 --seed 1",
    "mazzo tournament --seats patient,'utility:mu=0*4' --count 400 --json",
    "mazzo tournament --seats 'utility*5' --count 20 --min-raise-is-blind --log hands.parquet",
    "mazzo tournament --seats 'utility*5' --count 20 --vectors vectors.parquet",
    "mazzo tournament --seats rich,chart,random,call --blinds 5/10,10/20,25/50 --level-hands 20",
)
@click.option(
    "--seats", required=True, metavar="AGENT,AGENT,...", help="Agents, separated by commas; 'call*3' seats three."
)
@click.option("--count", type=click.IntRange(min=1), default=400, show_default=True, help="Number of tournaments.")
@click.option(
    "--chips", type=click.IntRange(min=1), default=1000, show_default=True, help="Starting stack of each player."
)
@click.option("--blinds", default="5/10", show_default=True, help="Small/big blind; further levels after commas.")
@click.option(
    "--level-hands", type=click.IntRange(min=1), default=100, show_default=True, help="Hands per level of blinds."
)
@click.option(
    "--hand-limit",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Hands after which a tournament ends; the biggest stack wins.",
)
@click.option("--min-raise-is-blind", is_flag=True, help="Minimum raise is one big blind, whatever was raised before.")
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write every hand to this new file (.phhs or .parquet); tournaments then follow one another, which is slower.",
)
@click.option(
    "--vectors",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what utility agents weighed (V, P, B, S) and did per hand, and the result: a new .parquet file.",
)
@click.option(
    "--drift", type=click.Path(dir_okay=False, path_type=Path), help="Draw how the thresholds move: an SVG file."
)
@seed
@workers
@as_json
@quiet
def tournament(
    seats: str,
    count: int,
    chips: int,
    blinds: str,
    level_hands: int,
    hand_limit: int,
    min_raise_is_blind: bool,
    log: Path | None,
    vectors: Path | None,
    drift: Path | None,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play tournaments of no-limit Hold'em and count the wins.

    A tournament ends when one player has all the chips.
    Agents that learn (utility) go on learning from tournament to tournament, so they are played in order on one worker.
    """
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.tournament import TournamentFormat, run_tournaments
    from mazzo.holdem.tournament.format import parse_blinds
    from mazzo.names import parse_seats

    agents = [create(name, AGENTS) for name in parse_seats(seats)]
    form = TournamentFormat(
        len(agents), chips, parse_blinds(blinds), level_hands, hand_limit, min_raise_is_blind=min_raise_is_blind
    )
    for agent in agents:
        agent.prepare(lambda part: None)
    with progress("tournaments", count, quiet) as advance:
        result = run_tournaments(form, agents, count, seed, workers=workers, watch=advance, log=log, vectors=vectors)
    if drift is not None:
        _draw(result, drift)
    if as_json:
        print_json(result.as_dict())
    else:
        _print(result, quiet)


def _draw(result: TournamentResult, path: Path) -> None:
    from mazzo.errors import UnreadableError
    from mazzo.holdem.tournament.charts import drift_chart
    from mazzo.reports.draw import svg

    if not result.drift:
        raise UnreadableError("--drift plots thresholds over time, but none of these agents learns")
    write_whole(path, svg(drift_chart(result.drift), standalone=True))


def _print(result: TournamentResult, quiet: bool) -> None:
    data = result.as_dict()
    rows = []
    for entry in data["seats"]:
        low, high = entry["ci95"]
        final = entry["final"]
        row = [entry["name"], entry["wins"], f"{entry['share']:.1%}", f"{low:.1%} to {high:.1%}"]
        row += [" ".join(map(str, entry["places"]))]
        rows.append([*row, f"{final['raise']:.2f} / {final['fold']:.2f}" if final else "-"])
    print_table(("agent", "wins", "share", INTERVAL, "places 1, 2, ...", "raise / fold at the end"), rows)
    for entry in data["seats"]:
        if entry["final"]:
            click.echo(f"\n{entry['name']}: what each action brought in {entry['final']['hands']} hands")
            table = entry["final"]["table"]
            print_table(("street", "action", "times", "net"), [list(line.values()) for line in table])
    limit = data["hand_limit_reached"]
    note(
        f"{data['tournaments']} tournaments, {data['hands']} hands, {data['seconds']:.1f} s, seed {data['seed']}; "
        f"{limit} ended by the hand limit",
        quiet,
    )
