"""`mazzo solve`: equilibria."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import Group, Number, as_json, command, note, print_json, quiet, seed
from mazzo.cli.holdem.solve_blueprint import BlueprintOptions, is_for_a_blueprint, read_buckets, train_blueprint
from mazzo.cli.holdem.solve_show import compare_spots, push_fold, show_spot
from mazzo.cli.holdem.solve_spot import solve_spot

__all__ = ["solve"]


@click.group(cls=Group)
def solve() -> None:
    """Find the equilibrium of a small game or of a spot."""


@command("mazzo solve methods", "mazzo solve methods --json", name="methods")
@as_json
def methods(as_json: bool) -> None:
    """List the ways to solve a game."""
    from mazzo.cli.common import print_table
    from mazzo.holdem.solver.regrets import METHODS

    if as_json:
        print_json({"methods": {name: method.summary for name, method in METHODS.items()}})
    else:
        print_table(("method", "what it does"), [(name, method.summary) for name, method in METHODS.items()])


@command(
    "mazzo solve game leduc-2p -o leduc.mz",
    "mazzo solve game kuhn-2p --until 1e-9 --json",
    "mazzo solve game my.game --method cfr+ -o mine.mz --resume",
    "mazzo solve game holdem-limit-2p -o mine.mz --minutes 60 --threads 2",
    name="game",
)
@click.argument("game")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the solution: an agent.")
@click.option("--method", help="How: `mazzo solve methods` lists the ways.  [default: pcfr+]")
@click.option(
    "--until",
    type=Number(min=0),
    help="Stop when a best response gains no more than this, in big blinds per hand.  [default: 1e-06]",
)
@click.option("--rounds", type=click.IntRange(min=1), default=10_000_000, show_default=True, help="Stop after so many.")
@click.option("--buckets", help="A blueprint's hands on flop, turn and river.  [default: 1500,1000,1000]")
@click.option("--minutes", type=Number(min=0), help="Train a blueprint for so long.")
@click.option("--judge", type=click.IntRange(min=0), help="Hands that measure a blueprint, 0: none.  [default: 1000]")
@click.option("--threads", type=click.IntRange(min=1), help="Threads that train a blueprint.  [default: 1]")
@click.option("--resume", is_flag=True, help="Go on from what the output file holds.")
@seed
@quiet
@as_json
def solve_whole(
    game: str,
    output: Path | None,
    method: str | None,
    until: float | None,
    rounds: int,
    resume: bool,
    seed: int,
    quiet: bool,
    as_json: bool,
    **blueprint: Any,
) -> None:
    """Solve GAME as a whole.

    A preset or a .game file that is small enough (Kuhn, Leduc and the like). Of heads-up limit Hold'em a blueprint is
    trained: the whole betting, with hands that are alike in buckets. It gets the better the longer it is trained, and
    a local best response measures it each time the rounds have doubled.

    Ctrl-C stops and keeps the best strategy found so far; --resume goes on from it.
    """
    from mazzo.errors import UnreadableError

    given = {name: value for name, value in blueprint.items() if value is not None}
    if is_for_a_blueprint(game):
        if method is not None or until is not None:
            raise UnreadableError(
                f"--method and --until are for small games; {game} is trained for --minutes or --rounds"
            )
        if output is None:
            raise UnreadableError("a blueprint is kept as it is trained: name its file with --output")
        buckets = read_buckets(given.get("buckets", "1500,1000,1000"))
        judge, threads = given.get("judge", 1000), given.get("threads", 1)
        settings = (output, buckets, rounds, given.get("minutes"), judge, threads, resume, seed, quiet, as_json)
        train_blueprint(game, BlueprintOptions(*settings))
        return
    if given:
        raise UnreadableError(
            f"--{', --'.join(given)}: these are for a blueprint of heads-up limit Hold'em, not {game}"
        )
    _solve_small(
        game, output, method or "pcfr+", 1e-6 if until is None else until, rounds, resume, seed, quiet, as_json
    )


def _solve_small(
    game: str,
    output: Path | None,
    method: str,
    until: float,
    rounds: int,
    resume: bool,
    seed: int,
    quiet: bool,
    as_json: bool,
) -> None:
    from mazzo.errors import UnreadableError
    from mazzo.holdem.rules import rules
    from mazzo.holdem.solver.small_game import SmallGame
    from mazzo.holdem.solver.solution import Solution, solve_game

    start = None
    if resume:
        if output is None:
            raise UnreadableError("--resume goes on from the file that --output names: name one")
        start, _ = Solution.load(output) if output.exists() else (None, None)
    grown = SmallGame(rules(game))
    tree = grown.tree
    note(
        f"{grown.rules.name}: {len(tree.actor):,} nodes, {grown.information_sets:,} situations, "
        f"{len(grown.weight):,} deals that differ",
        quiet,
    )
    told = _Teller(quiet)
    found = solve_game(grown, method=method, until=until, rounds=rounds, seed=seed, start=start, progress=told)
    if output is not None:
        found.save(output)
    if as_json:
        print_json({**found.as_dict(), "output": None if output is None else str(output)})
        return
    click.echo(str(found))
    if found.exploitability > until:
        click.echo(f"it stopped before {until:g} was reached; --resume goes on")
    if output is not None:
        click.echo(f"wrote {output}; play it: mazzo match {game} {output} random")


solve.add_command(solve_whole)
solve.add_command(methods)
solve.add_command(solve_spot)
solve.add_command(show_spot)
solve.add_command(compare_spots)
solve.add_command(push_fold)


class _Teller:
    """Prints how far the work is: each time the distance from equilibrium has halved, or half a minute has passed."""

    def __init__(self, silent: bool) -> None:
        self._silent, self._told, self._at = silent, float("inf"), 0.0

    def __call__(self, found: Any) -> None:
        if found.exploitability < self._told / 2 or found.seconds > self._at + 30:
            self._told, self._at = found.exploitability, found.seconds
            text = f"{found.seconds:8.2f} s  {found.rounds:>10,} rounds  exploitability {found.exploitability:.3e}"
            note(text, self._silent)
