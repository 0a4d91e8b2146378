"""`mazzo play tressette`: a match in the terminal."""

from __future__ import annotations

import click

from mazzo.cli.common import command, note, seed

__all__ = ["tressette"]


def ask(prompt: str) -> str:
    """A line from the terminal; the end of the input is a person leaving."""
    from mazzo.tressette.session import Leave

    try:
        line: str = click.prompt(prompt.rstrip(), prompt_suffix=" ", default="", show_default=False)
    except (click.Abort, EOFError):
        raise Leave from None
    return line


@command(
    "mazzo play tressette --seats me,decision,belief,greedy",
    "mazzo play tressette --seats me,greedy,me,greedy --to 21 --seed 7",
)
@click.option(
    "--seats",
    default="me,decision-improved,belief-improved,decision-improved",
    show_default=True,
    help="South, east, north, west: me (a person, more than one may be) or an agent.",
)
@click.option("--to", "target", type=click.Choice(["21", "31", "41", "51"]), default="31", show_default=True)
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--no-a-monte", is_flag=True, help="Poor hands may not be thrown in.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo (3d busso).")
@click.option("--reasons", is_flag=True, help="Agents say why they play what they play.")
@seed
def tressette(seats: str, target: str, named: bool, no_a_monte: bool, talk: bool, reasons: bool, seed: int) -> None:
    """Play a match of tressette. Cards are typed as short as 3d, or chosen by number; ? gives advice."""
    from mazzo.tressette.session import Leave, PlayTable

    names = [name.strip() for name in _split(seats)]
    table = PlayTable(
        names, ask, click.echo, seed, int(target), named, a_monte=not no_a_monte, talk=talk, show_reasons=reasons
    )
    try:
        table.play()
    except Leave:
        note(f"You left the table. The same deals again: mazzo play tressette --seats {seats} --seed {seed}")


def _split(seats: str) -> list[str]:
    """Names separated by commas; a piece with = but no : before it belongs to the agent before it."""
    names: list[str] = []
    for piece in seats.split(","):
        if names and "=" in piece and ":" not in piece:
            names[-1] += f",{piece}"
        else:
            names.append(piece)
    return names
