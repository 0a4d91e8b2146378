"""`mazzo blackjack ...`: what approximates or retraces a document: climbing, Q-learning, pruning, a network."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from mazzo.cli.blackjack.group import changes, interval_text, read_setting, rules_name, shoe_text, table_path
from mazzo.cli.common import (
    Number,
    as_json,
    command,
    has_effect_only,
    note,
    print_json,
    print_table,
    progress,
    quiet,
    seed,
    workers,
)
from mazzo.confidence import LEVEL
from mazzo.files import folder_of, write_whole
from mazzo.workers import Workers

if TYPE_CHECKING:
    from mazzo.blackjack.documents.pruned import Cuts

__all__ = ["climb", "independent", "learn", "network", "prune"]


@command("mazzo blackjack independent", "mazzo blackjack independent --bets 10 --games 1000000 --json")
@click.option("--bets", type=click.IntRange(1, 40), default=10, show_default=True, help="Doubled bets in a row.")
@click.option("--games", type=click.IntRange(min=1000), default=200_000, show_default=True, help="Sequences played.")
@seed
@as_json
def independent(bets: int, games: int, seed: int, as_json: bool) -> None:
    """Show that no betting system beats independent games.

    Roulette, doubling up, and other systems.
    """
    from mazzo.blackjack.documents.independent_games import doubling, staking_systems

    found, systems = doubling(bets, games, seed), staking_systems(max(games // 10, 1000), 200, seed)
    if as_json:
        print_json(
            {
                "edge": -1 / 37,
                "doubling": {
                    "bets": bets,
                    "expected": found.expected,
                    "p_ruin": found.p_ruin,
                    "played": found.played.mean,
                    "ci95": list(found.played.ci95),
                },
                "seed": seed,
                "systems": [
                    {
                        "system": s.system,
                        "per_unit": s.per_unit.mean,
                        "ci95": list(s.per_unit.ci95),
                        "mean_stake": s.mean_stake,
                        "deviation": s.deviation,
                    }
                    for s in systems
                ],
            }
        )
        return
    click.echo(f"a unit on any numbers of the wheel earns -1/37 = {-1 / 37:.6f}")
    click.echo(
        f"doubling up at most {bets} times on red: 1-(1+1/37)^{bets} = {found.expected:.4f}, lost with chance "
        f"{found.p_ruin:.5f}; {games} played: {found.played.mean:.4f}, {LEVEL} {interval_text(found.played, 4)}"
    )
    print_table(
        ("system", "a unit staked earns", LEVEL, "mean stake", "deviation of an evening"),
        [
            (
                s.system,
                f"{s.per_unit.mean:+.5f}",
                interval_text(s.per_unit, 5),
                f"{s.mean_stake:.2f}",
                f"{s.deviation:.1f}",
            )
            for s in systems
        ],
    )


@command(
    "mazzo blackjack climb --rules hungarian --rounds 200000 --sweeps 2",
    "mazzo blackjack climb --rules thesis --table climbed.txt",
    "mazzo blackjack climb --shoe 6d-5,5,5,5,6,6 --rounds 500000",
)
@rules_name
@changes
@shoe_text
@table_path
@click.option("--rounds", type=click.IntRange(min=1000), default=200_000, show_default=True, help="Rounds per test.")
@click.option("--sweeps", type=click.IntRange(min=1), default=2, show_default=True, help="Passes over the table.")
@seed
@as_json
@quiet
def climb(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    table_path: Path | None,
    rounds: int,
    sweeps: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search a strategy by simulation alone, from a beginner's table."""
    from mazzo.blackjack.documents.climb import climb as search
    from mazzo.blackjack.documents.climb import start_table
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.strategy import ROWS, policy_of

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    with progress("cells", sweeps * len(ROWS) * 10, quiet) as advance:
        found = search(rules, None, rounds, sweeps, seed, None, advance, shoe)
    if table_path is not None:
        write_whole(table_path, f"{found.table}\n")
    before, after = (analyse(rules, shoe, policy_of(table, rules)).ev for table in (start_table(), found.table))
    if as_json:
        print_json(
            {
                "ev": after,
                "ev_before": before,
                "tried": found.tried,
                "kept": len(found.changes),
                "seed": seed,
                "rows": dict(zip(ROWS, found.table.letters, strict=True)),
            }
        )
        return
    click.echo(str(found.table))
    click.echo(
        f"{len(found.changes)} of {found.tried} changes kept; exact value {before:+.6f} before, {after:+.6f} now"
    )


@command(
    "mazzo blackjack learn --rules hungarian --rounds 50000000",
    "mazzo blackjack learn --through --unchanged-for 20000000 --json",
    "mazzo blackjack learn --rules thesis --table learned.txt",
    "mazzo blackjack learn --shoe 6d-7,8,2,8,3,5,2 --rounds 5000000",
)
@rules_name
@changes
@shoe_text
@table_path
@click.option(
    "--rounds", type=click.IntRange(min=1), default=20_000_000, show_default=True, help="Maximum number of rounds."
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=2_000_000,
    show_default=True,
    help="Rounds between points of the learning curve.",
)
@click.option(
    "--change-below",
    type=Number(min=0),
    default=0.0,
    help="Stop when no value changes by more than this between two points.",
)
@click.option("--unchanged-for", type=int, default=0, help="Stop when the table has not changed for this many rounds.")
@click.option("--through", is_flag=True, help="Play shoes to the cut card instead of reshuffling every round.")
@seed
@as_json
@quiet
def learn(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    table_path: Path | None,
    rounds: int,
    every: int,
    change_below: float,
    unchanged_for: int,
    through: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Learn a strategy by Q-learning, from random play."""
    from mazzo.blackjack.documents.qlearning import Learner, compare_with_exact
    from mazzo.blackjack.strategy import ROWS

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    learner = Learner(rules, through, seed, shoe)
    with progress("rounds", rounds, quiet) as advance:
        curve = list(learner.learn(rounds, every, change_below, unchanged_for, True, advance))
    if table_path is not None:
        write_whole(table_path, f"{learner.table()}\n")
    differences = compare_with_exact(learner)
    if as_json:
        print_json(
            {
                "ev": curve[-1].ev,
                "curve": [vars(point) for point in curve],
                "seed": seed,
                "differences": [vars(difference) for difference in differences],
                "rows": dict(zip(ROWS, learner.table().letters, strict=True)),
            }
        )
        return
    print_table(
        ("rounds", "Q of the start", "exact value of the table", "largest change"),
        [(p.rounds, f"{p.start:+.6f}", f"{p.ev:+.6f}", f"{p.largest_change:.4f}") for p in curve],
    )
    click.echo(str(learner.table()))
    print_table(
        ("hand", "upcard", "learned", "exact", "cost"),
        [(d.row, d.upcard, d.learned, d.exact, f"{d.cost:.7f}") for d in differences],
    )


@command(
    "mazzo blackjack prune --rules hungarian --shoes 100 --json",
    "mazzo blackjack prune --rules hungarian --years 100 --checkpoint burn-in.jsonl --save cuts.mz",
)
@rules_name
@changes
@click.option(
    "--shoes",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Random shoes to test on, each valued exactly.",
)
@click.option(
    "--years",
    type=Number(min=0, min_open=True),
    help="Instead: all that a table deals in these years, valued by the infinite deck.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the cuts to a file that `ev --method pruned --cuts` reads.",
)
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress of --years in this file; the same command resumes from it.",
)
@seed
@workers
@as_json
@quiet
def prune(
    rules_name: str,
    changes: tuple[str, ...],
    shoes: int,
    years: float | None,
    save: Path | None,
    checkpoint: Path | None,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Leave out plays that are never best, and say what it saves.

    With the evidence, and what it costs.
    """
    from mazzo.blackjack.documents.long_burn_in import LIFETIME, long_burn_in, save_cuts
    from mazzo.blackjack.documents.pruned import burn_in

    if years is None:
        has_effect_only("with --years", "workers", "checkpoint")
    else:
        has_effect_only("without --years", "shoes")
        shoes = max(1, round(LIFETIME * years / 100))
    rules, _ = read_setting(rules_name, changes, None)
    if save is not None:
        folder_of(save)
    with progress("shoes", shoes, quiet) as advance:
        if years is None:
            cuts = burn_in(rules, shoes, seed, advance)
        else:
            cuts = long_burn_in(rules, shoes, seed, workers, checkpoint, advance)
    if save is not None:
        save_cuts(cuts, save)
    errors, seconds = _tried(cuts, seed + 1)
    worst = max(map(abs, errors))
    if as_json:
        print_json(
            {
                "shoes": shoes,
                "seed": seed,
                "hands_valued": int(cuts.rows.sum()),
                "worst_error": worst,
                "seconds_exact": seconds[0] / 10,
                "seconds_pruned": seconds[1] / 10,
                "evidence": list(cuts.evidence()),
            }
        )
        return
    click.echo(f"{int(cuts.rows.sum())} of 3082 hands need the dealer's chances after the cuts ({shoes} random shoes)")
    click.echo(f"on 10 other shoes: worst error {worst:.2e}, {seconds[1] / 10:.3f} s against {seconds[0] / 10:.3f} s")


def _tried(cuts: Cuts, seed: int) -> tuple[list[float], list[float]]:
    """On ten shoes: the errors the cuts make, and the seconds without and with them."""
    from mazzo.blackjack.documents.pruned import pruned_analysis
    from mazzo.blackjack.documents.sampling import played_shoes
    from mazzo.blackjack.exact.analysis import analyse

    errors, seconds = [], [0.0, 0.0]
    pruned_analysis(cuts)
    for shoe in played_shoes(cuts.rules, 10, seed):
        began = perf_counter()
        full = analyse(cuts.rules, shoe)
        middle = perf_counter()
        errors.append(full.ev - pruned_analysis(cuts, shoe).ev)
        seconds[0] += middle - began
        seconds[1] += perf_counter() - middle
    return errors, seconds


@command(
    "mazzo blackjack network --rules hungarian --points 500 --workers 2",
    "mazzo blackjack network --rules hungarian --drawn traversal --teacher fast --points 10000 --save values.mz",
)
@rules_name
@changes
@click.option("--points", type=click.IntRange(min=20), default=400, show_default=True, help="Shoes to learn from.")
@click.option(
    "--drawn",
    type=click.Choice(["play", "traversal"]),
    default="play",
    show_default=True,
    help="Shoes as play draws them, or as the traversal visits them.",
)
@click.option(
    "--teacher",
    type=click.Choice(["exact", "fast"]),
    default="exact",
    show_default=True,
    help="Values to learn: exact, or the corrected infinite deck's.",
)
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the network to a file.")
@seed
@workers
@as_json
@quiet
def network(
    rules_name: str,
    changes: tuple[str, ...],
    points: int,
    drawn: str,
    teacher: str,
    save: Path | None,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a neural network to estimate a shoe's EV.

    Says whether it is worth it.
    """
    from mazzo.blackjack.documents.neural import train_network

    rules, _ = read_setting(rules_name, changes, None)
    if save is not None:
        folder_of(save)
    with progress("exact shoes", points if teacher == "exact" else 100, quiet) as advance:
        report = train_network(rules, points, seed, workers, advance=advance, way=drawn, teacher=teacher)
    if save is not None:
        report.network.save(save)
        note(f"written to {save}; use it with --control network --network {save}", quiet or as_json)
    errors = {
        "network": report.rmse_network,
        "infinite": report.rmse_infinite,
        "corrected_infinite": report.rmse_corrected,
    }
    if as_json:
        trained = {"trained_on": report.trained_on, "held_out": report.held_out, "drawn": drawn, "teacher": teacher}
        print_json({**trained, "worth_it": report.worth_it, "rmse": errors, "seed": seed})
        return
    names = ("network", "infinite deck", "infinite deck + (EV0 - inf0) n0/n")
    rows = [(name, f"{error:.6f}") for name, error in zip(names, errors.values(), strict=True)]
    print_table(("method", "error (root mean square)"), rows)
    click.echo(
        "the network is worth it" if report.worth_it else "the network is not worth it: the correction is better"
    )
