"""`mazzo icm`: what chips of a tournament are worth."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, print_table
from mazzo.errors import UnreadableError

__all__ = ["icm"]


@command("mazzo icm 5000 3000 2000 --prizes 50,30,20", "mazzo icm 12 9 4 1 --prizes 70,30 --json")
@click.argument("chips", nargs=-1, required=True, type=float)
@click.option("--prizes", required=True, help="Prizes from first place down, separated by commas.")
@as_json
def icm(chips: tuple[float, ...], prizes: str, as_json: bool) -> None:
    """Print the prize equity of each stack of CHIPS.

    Exact, by the independent chip model.
    Places are drawn by chips, the first place first (Malmuth-Harville); up to twelve players.
    """
    from mazzo.holdem.tournament.icm import icm as worth_of

    try:
        places = [float(word) for word in prizes.split(",")]
    except ValueError:
        raise UnreadableError(
            f"--prizes must be amounts separated by commas, such as 50,30,20; got {prizes!r}"
        ) from None
    worth = worth_of(chips, places)
    if as_json:
        print_json({"chips": list(chips), "prizes": places, "worth": worth})
    else:
        print_table(("chips", "worth"), [(f"{c:g}", f"{w:.6f}") for c, w in zip(chips, worth, strict=True)])
