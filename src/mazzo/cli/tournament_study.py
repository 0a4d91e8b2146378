"""`mazzo tournament-study`: Aceituno's trials beside ours."""

from __future__ import annotations

import click

from mazzo.arena.workers import Workers
from mazzo.cli.common import as_json, command, note, print_json, seed, workers

__all__ = ["tournament_study"]


@command(
    "mazzo tournament-study --quick", "mazzo tournament-study --seed 1 --workers 2 --json", name="tournament-study"
)
@click.option("--quick", is_flag=True, help="A tenth of the tournaments.")
@seed
@workers
@as_json
def tournament_study(quick: bool, seed: int, workers: Workers, as_json: bool) -> None:
    """Regenerate the trials of Aceituno 2017 (five bots that adapt, 400 tournaments each), and decide them."""
    from mazzo.studies.aceituno import aceituno

    rows = []
    for row in aceituno(quick, seed, workers):
        rows.append(row)
        if as_json:
            continue
        click.echo(f"{row.what}\n  text   {row.text}\n  ours   {row.ours}\n  95 %   {row.interval}")
        click.echo(f"  {row.verdict}{': ' + row.why if row.why else ''}\n")
    if as_json:
        print_json({"study": "aceituno", "quick": quick, "seed": seed, "rows": [vars(row) for row in rows]})
    elif quick:
        note("Quick: a tenth of the tournaments. Without --quick the intervals are three times narrower.")
