"""`mazzo generate`: a database of hands to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from mazzo.cli.common import as_json, command, note, print_json, progress, quiet, seed

__all__ = ["generate"]


@command(
    "mazzo generate holdem-limit-2p random random --hands 5000 -o random.log",
    "mazzo generate holdem-limit-2p random chart --hands 50000 --seed 1 -o chart.log",
)
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(min=1), default=5000, show_default=True, help="Hands to play.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Log file to write."
)
@seed
@as_json
@quiet
def generate(
    game: str, agents: tuple[str, ...], hands: int, output: Path, seed: int, as_json: bool, quiet: bool
) -> None:
    """Let AGENTS play GAME and write the hands to a log.

    Every deal is played once. Equal agents become name#1, name#2.
    """
    from mazzo.holdem.match import generate as play
    from mazzo.holdem.rules import rules

    definition = rules(game)
    with progress("playing", hands, quiet) as advance:
        play(definition, agents, hands, to=output, seed=seed, progress=advance)
    if as_json:
        print_json({"game": definition.name, "agents": list(agents), "hands": hands, "seed": seed, "log": str(output)})
        return
    note(f"{hands} hands in {output}; learn from them with: mazzo learn {output} -o hero.mz", quiet)
