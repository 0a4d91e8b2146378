"""`mazzo generate`: a database of hands to learn from."""

from __future__ import annotations

from itertools import chain
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
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The log to write."
)
@seed
@as_json
@quiet
def generate(
    game: str, agents: tuple[str, ...], hands: int, output: Path, seed: int, as_json: bool, quiet: bool
) -> None:
    """Let AGENTS play GAME, every deal once, and write the hands to a log. Equal agents become name#1, name#2."""
    from mazzo.agent import create
    from mazzo.cli.match import new_log
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.game import find_game
    from mazzo.holdem.generate import generate as play

    definition = find_game(game)
    batches = play(definition, [create(name, AGENTS) for name in agents], hands, seed)
    first = next(batches)  # what is wrong with the request is said before a file is begun
    with new_log(output, definition.name, hands, seed) as file, progress("playing", hands, quiet) as advance:
        for lines in chain([first], batches):
            file.writelines(line + "\n" for line in lines)
            advance(len(lines))
    if as_json:
        print_json({"game": definition.name, "agents": list(agents), "hands": hands, "seed": seed, "log": str(output)})
        return
    note(f"{hands} hands in {output}; learn from them with: mazzo learn {output} -o hero.mz", quiet)
