"""`mazzo tressette fit`: the table that `policy` plays by, made from rounds that a teacher plays."""

from __future__ import annotations

from pathlib import Path

import click

from mazzo.cli.common import as_json, command, note, print_json, progress, quiet, seed, workers
from mazzo.workers import Workers

__all__ = ["fit"]


@command(
    "mazzo tressette fit -o mine.json",
    "mazzo tressette fit --teacher search:walks=2000 --rounds 2000 --workers 2 -o mine.json",
    "mazzo tressette fit --rules tressette-a-perdere --teacher search:walks=1000 -o losing.json",
)
@click.option("--teacher", default="sampler", show_default=True, help="Agent whose choices are learned.")
@click.option("--rounds", type=click.IntRange(min=10), default=800, show_default=True, help="Rounds the teacher plays.")
@click.option("--rules", "game", default="tressette", show_default=True, help="Rules: a preset, or changes to one.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write.")
@seed
@workers
@as_json
@quiet
def fit(
    teacher: str, rounds: int, game: str, output: Path, seed: int, workers: Workers, as_json: bool, quiet: bool
) -> None:
    """Fit the agent `policy` to rounds that a teacher plays.

    Rounds are kept beside the output until all are played: the same command resumes where it was stopped.
    """
    from mazzo.tressette.fitting import fit_to_teacher, write_weights
    from mazzo.tressette.rules import rules as find_rules

    rules = find_rules(game)
    kept = output.with_name(output.name + ".rounds")
    with progress("playing rounds", rounds, quiet) as advance:
        weights, figures = fit_to_teacher(teacher, rounds, seed, kept, workers, advance, rules)
    write_weights(output, weights, {"teacher": teacher, "rounds": rounds, "seed": seed, "rules": str(rules)})
    kept.unlink()
    if as_json:
        print_json({"teacher": teacher, "rounds": rounds, "seed": seed, "file": str(output), **figures})
        return
    click.echo(
        f"Fitted to {figures['decisions']:,.0f} decisions. In {figures['judged']:,.0f} others the likeliest card is "
        f"the one played in {figures['same_card']:.1%}; log-loss {figures['log_loss']:.3f}, of any legal card "
        f"{figures['log_loss_of_any_card']:.3f}."
    )
    note(f"play it: mazzo match tressette policy:file={output} greedy --deals 2000", quiet)
