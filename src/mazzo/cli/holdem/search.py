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
    "mazzo search steps.journal --use weights --use mu --use n --trials 100",
    "mazzo search search.journal --trials 1000 --workers 2 --json",
)
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--against", metavar="AGENT,...", help="Four opponents, say.  [default: four of Aceituno's best]")
@click.option("--use", multiple=True, help="An improvement that may be used (again for more).  [default: all]")
@click.option("--trials", type=click.IntRange(min=1), default=200, show_default=True, help="Trials in all.")
@click.option("--tournaments", type=click.IntRange(min=1), default=1500, show_default=True, help="Tournaments a trial.")
@click.option(
    "--check", type=click.IntRange(min=1), default=10_000, show_default=True, help="Fresh ones for the winner."
)
@seed
@workers
@as_json
@quiet
def search(
    journal: Path,
    against: str | None,
    use: tuple[str, ...],
    trials: int,
    tournaments: int,
    check: int,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search the parameters of utility+ by tournaments, with Optuna. The same JOURNAL goes on where it stopped.

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

    opponents = tuple(parse_seats(against)) if against else (BEST_OF_THE_TEXT,) * 4
    switches = tuple(name for name in use if name != "thresholds") if use else SWITCHES
    what = Search(opponents, tournaments, seed, switches, TournamentFormat(len(opponents) + 1))
    with progress("trials", trials, quiet or as_json) as advance:
        last = [0]

        def watch(done: int, best: float, name: str) -> None:
            advance(done - last[0])
            last[0] = done

        name, flattered = run_search(journal, what, trials, workers=workers, watch=watch)
    result = fresh_tournaments(what, name, check, seed + 1)
    wins = int(result.wins[0])
    low, high = wilson(wins, check)
    if as_json:
        data = {"agent": name, "share_in_search": flattered, "fresh": result.as_dict(), "par": 1 / len(result.names)}
        print_json(data)
        return
    click.echo(name)
    par = 1 / len(result.names)
    click.echo(f"wins {wins / check:.1%} of {check} fresh tournaments ({low:.1%} to {high:.1%}); par is {par:.0%}")
    note(f"in the search it was {flattered:.1%}. More trials: the same command with a higher --trials", quiet)
