"""`mazzo compare`: how alike two agents play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, quiet, seed
from mazzo.confidence import INTERVAL, LEVEL
from mazzo.files import write_whole

__all__ = ["compare"]


@command(
    "mazzo compare rich rich.mz --against rich rich --hands 3000",
    "mazzo compare Pluribus pluribus.mz --log pluribus.phhs",
    "mazzo compare chart chart.mz --game holdem-limit-2p --against random --hands 20000 --svg winnings.svg",
)
@click.argument("original")
@click.argument("clone")
@click.option("--against", help="The opponents: --against rich rich.")
@click.option("--log", help="ORIGINAL is a player in this log: the clone plays its hands, the others as logged.")
@click.argument("more", nargs=-1)
@click.option("--game", default="holdem-limit-3p", show_default=True, help="What is played.")
@click.option("--hands", type=click.IntRange(min=1), default=3000, show_default=True, help="Hands each plays.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw both curves of winnings.")
@seed
@as_json
@quiet
def compare(
    original: str,
    clone: str,
    against: str | None,
    log: str | None,
    more: tuple[str, ...],
    game: str,
    hands: int,
    svg: Path | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let ORIGINAL and CLONE play the same cards in every seat against the same opponents, and compare them."""
    from mazzo.agent import create
    from mazzo.errors import UnreadableError
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.comparing.likeness import likeness
    from mazzo.holdem.rules import rules
    from mazzo.holdem.statistics.figures import winnings_chart
    from mazzo.reports.draw import svg as drawn

    if (against is None) == (log is None):
        raise UnreadableError("say whom they play with --against AGENTS, or with --log FILE where ORIGINAL was logged")
    if log is not None:
        found = _replay(original, clone, log, quiet or as_json)
    else:
        opponents = [create(name, AGENTS) for name in (*(against or "").split(), *more)]
        found = likeness(rules(game), create(original, AGENTS), create(clone, AGENTS), opponents, hands, seed)
    if svg:
        write_whole(svg, drawn(winnings_chart([found.original, found.clone]), standalone=True))
    data = found.as_dict()
    if as_json:
        print_json({"original": original, "clone": clone, "game": game, "hands": hands, "seed": seed, **data})
        return
    _show(data, original, clone)
    if svg:
        note(f"picture written to {svg}", quiet)


def _replay(hero: str, clone: str, log: str, silent: bool) -> Any:
    """The clone in the place of a logged player; a log of the reference dealer with its seed gives all cards."""
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.comparing.in_log import reference_seed, replayed, with_reference_cards
    from mazzo.holdem.logs import read_hands

    reader = read_hands(log)
    seeds = [seed for path in reader.paths if (seed := reference_seed(path)) is not None]
    batches = [with_reference_cards(hands, seeds[0]) if len(seeds) == 1 else hands for hands in reader]
    found = replayed(batches, hero, create(clone, AGENTS))
    note(f"{found.hands} hands replayed, {found.left_out} left out because cards are hidden", silent)
    return found.likeness


def _show(data: dict[str, Any], original: str, clone: str) -> None:
    rows = []
    for row in data["rows"]:
        interval = row["ci95"]
        counts = [f"{n:+.1f}" if isinstance(n, float) else str(n) for n in row["counts"]]
        rows.append(
            (
                row["street"],
                row["figure"],
                *counts,
                _signed(row["difference"]),
                _signed(row["percent"], 1),
                "-" if interval is None else f"{interval[0]:+.4f} .. {interval[1]:+.4f}",
            )
        )
    print_table(("street", "figure", original, clone, "difference of shares", "%", INTERVAL), rows)
    click.echo()
    print_table(
        ("showdowns", "played", "won", "share"),
        [(s["player"], s["played"], s["won"], f"{s['share']:.4f}") for s in data["showdowns"]],
    )
    click.echo()
    lines = [
        (
            s["street"],
            s["decisions"],
            f"{100 * s['share']:.2f}",
            f"{100 * s['ci95'][0]:.2f} .. {100 * s['ci95'][1]:.2f}",
        )
        for s in data["by_street"]
    ]
    whole = data["agreement"]
    low, high = (100 * k for k in whole["ci95"])
    lines.append(("all", whole["decisions"], f"{100 * whole['share']:.2f}", f"{low:.2f} .. {high:.2f}"))
    print_table(("agreement", "decisions", "%", INTERVAL), lines)
    d = data["difference_bb_per_hand"]
    click.echo(
        f"{clone} wins {d['mean']:+.4f} bb/hand more than {original}, "
        f"{LEVEL} {d['ci95'][0]:+.4f} .. {d['ci95'][1]:+.4f}"
    )


def _signed(value: float | None, places: int = 4) -> str:
    return "-" if value is None else f"{value:+.{places}f}"
