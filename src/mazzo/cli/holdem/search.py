"""`mazzo search`: look for better parameters of `utility+` in tournaments."""

from __future__ import annotations

from pathlib import Path

import click

from mazzo.cli.common import as_json, command, note, print_json, progress, quiet, seed, workers
from mazzo.workers import Workers

__all__ = ["search"]


@command(
    "mazzo search search.journal --trials 400",
    "mazzo search only-bluffs.journal --use bluff --trials 100 --check 20000",
    'mazzo search many.journal --against "chart*2,patient,random" --against "utility:mu=0*4" --use after --trials 50',
    "mazzo search steps.journal --use weights --use mu --use n --trials 100",
    "mazzo search search.journal --trials 1000 --workers 2 --json",
)
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--against",
    multiple=True,
    metavar="AGENT,...",
    help="Opponents in the tournaments; repeat for more tables.  [default: four of Aceituno's best]",
)
@click.option("--use", multiple=True, help="An improvement the search may use; repeat for more.  [default: all]")
@click.option("--trials", type=click.IntRange(min=1), default=200, show_default=True, help="Number of trials.")
@click.option(
    "--tournaments", type=click.IntRange(min=1), default=1500, show_default=True, help="Tournaments per trial."
)
@click.option(
    "--check",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Fresh tournaments to measure the best trial.",
)
@seed
@workers
@as_json
@quiet
def search(
    journal: Path,
    against: tuple[str, ...],
    use: tuple[str, ...],
    trials: int,
    tournaments: int,
    check: int,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search the parameters of utility+ by tournaments.

    Uses Optuna. The same JOURNAL resumes where it stopped.

    Improvements: profile, table, hidden, bluff, after, weights; `--use thresholds` alone searches the thresholds only.
    Only when asked for: mu, mu_by_street (the steps of learning) and n (hands between two of them), with which the one
    sought learns as it plays.
    """
    from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT
    from mazzo.holdem.tournament.format import TournamentFormat
    from mazzo.holdem.tournament.search import SWITCHES, Search, fresh_tournaments
    from mazzo.holdem.tournament.search import search as run_search
    from mazzo.names import parse_seats
    from mazzo.statistics import wilson

    opponents, *others = [tuple(parse_seats(table)) for table in against] or [(BEST_OF_THE_TEXT,) * 4]
    switches = tuple(name for name in use if name != "thresholds") if use else SWITCHES
    what = Search(opponents, tournaments, seed, switches, TournamentFormat(len(opponents) + 1), tuple(others))
    with progress("trials", trials, quiet or as_json) as advance:
        last = [0]

        def watch(done: int, best: float, name: str) -> None:
            advance(done - last[0])
            last[0] = done

        name, flattered = run_search(journal, what, trials, workers=workers, watch=watch)
    results = [fresh_tournaments(what, name, check, seed + 1, table=k) for k in range(len(what.tables))]
    par = 1 / len(results[0].names)
    if as_json:
        data = {"agent": name, "share_in_search": flattered, "fresh": results[0].as_dict(), "par": par}
        if what.others:
            data["others"] = [result.as_dict() for result in results[1:]]
        print_json(data)
        return
    click.echo(name)
    for table, result in zip(what.tables, results, strict=True):
        wins = int(result.wins[0])
        low, high = wilson(wins, check)
        where = f" with {', '.join(table)}" if what.others else ""
        said = (
            f"wins {wins / check:.1%} of {check} fresh tournaments{where} ({low:.1%} to {high:.1%}); par is {par:.0%}"
        )
        click.echo(said)
    note(f"in the search it was {flattered:.1%}. More trials: the same command with a higher --trials", quiet)
