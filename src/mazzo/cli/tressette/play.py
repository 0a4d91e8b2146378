"""`mazzo play tressette`: a match in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import command, seed
from mazzo.cli.table import kept, run
from mazzo.names import parse_seats

__all__ = ["tressette"]


@command(
    "mazzo play tressette --seats me,decision,belief,greedy",
    "mazzo play tressette --seats me,greedy,me,greedy --to 21 --seed 7",
)
@click.option(
    "--seats",
    default="me,decision-improved,belief-improved,decision-improved",
    show_default=True,
    help="South, east, north, west: `me` for a person, or an agent.",
)
@click.option("--to", "target", type=click.Choice(["21", "31", "41", "51"]), default="31", show_default=True)
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--no-a-monte", is_flag=True, help="Poor hands may not be thrown in.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo (3d busso).")
@click.option("--reasons", is_flag=True, help="Agents say why they play what they play.")
@seed
@kept
def tressette(
    seats: str,
    target: str,
    named: bool,
    no_a_monte: bool,
    talk: bool,
    reasons: bool,
    seed: int,
    **kept: Path | int | None,
) -> None:
    """Play a match of tressette. Cards are typed as short as 3d, or chosen by number; ? gives advice."""
    options: dict[str, Any] = {"target": target, "named": named, "a_monte": not no_a_monte, "talk": talk}
    run(
        "tressette",
        lambda: (parse_seats(seats), options, seed),
        words="tressette",
        seats=seats,
        reasons=reasons,
        advisers=("decision-improved",),
        **kept,  # type: ignore[arg-type]  # click gives each of them its type
    )
