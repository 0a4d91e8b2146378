"""`mazzo play tressette`: a match in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from mazzo.cli.common import command
from mazzo.cli.table import kept, run
from mazzo.cli.tressette.options import adviser, adviser_name, rules
from mazzo.names import parse_seats

__all__ = ["tressette"]

_SEED_BITS = 48
"""Of a fresh deal; small enough to be typed again."""


@command(
    "mazzo play tressette --seats me,search,policy,policy --advisor search --seconds 1",
    "mazzo play tressette --rules tressette-stakes",
    "mazzo play tressette --seats me,greedy,me,greedy --to 21 --seed 7",
)
@click.option(
    "--seats",
    default="me,policy,policy,policy",
    show_default=True,
    help="South, east, north, west: `me` for a person, or an agent.",
)
@rules
@click.option(
    "--to", "target", type=click.Choice(["21", "31", "41", "51"]), help="Points to win.  [default: the rules']"
)
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--no-a-monte", is_flag=True, help="Poor hands may not be thrown in.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo (3d busso).")
@adviser
@click.option("--reasons", is_flag=True, help="Agents say why they play what they play.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the deals.  [default: fresh random deals]")
@kept
def tressette(
    seats: str,
    game: str,
    target: str | None,
    named: bool,
    no_a_monte: bool,
    talk: bool,
    advisor: str,
    seconds: float | None,
    reasons: bool,
    seed: int | None,
    **kept: Path | int | None,
) -> None:
    """Play a match of tressette.

    Cards are typed as 3d, Rc or re di coppe, or chosen by number; ? gives advice, review says after a round what your
    cards have cost.
    """
    from mazzo.agent import create
    from mazzo.tressette.agents import AGENTS
    from mazzo.tressette.seated import options_of

    changed = {"named": "true" * named, "talk": "true" * talk, "a_monte": "false" * no_a_monte, "target": target or ""}
    options = options_of(game) | {name: value for name, value in changed.items() if value}
    name = adviser_name(advisor, seconds)
    create(name, AGENTS)  # a name that is none is refused before a table is opened
    deals = secrets.randbits(_SEED_BITS) if seed is None else seed
    run(
        "tressette",
        lambda: (parse_seats(seats), options, deals),
        words="tressette",
        seats=seats,
        reasons=reasons,
        advisers=(name,),
        **kept,  # type: ignore[arg-type]  # click gives each of them its type
    )
