"""`mazzo match`: who wins, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from mazzo.cli.common import Number, as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.confidence import INTERVAL
from mazzo.errors import UnreadableError
from mazzo.files import new_log
from mazzo.workers import Workers

if TYPE_CHECKING:
    from mazzo.arena.match import MatchResult

__all__ = ["match", "prepare_shown"]


@command(
    "mazzo match holdem-limit-2p rich random --hands 100000 --seed 1",
    "mazzo match holdem-nolimit-6p rich chart random random call raise --hands 60000",
    "mazzo match holdem-limit-2p rich chart --until-sign --hands 1000000",
    "mazzo match tressette decision greedy --deals 10000",
    "mazzo match tressette cheat random --deals 100 --allow-cheats",
    "mazzo match leduc-2p random:raise=.8 call --log leduc.log --json",
    "mazzo match holdem-limit-2p chart rich --hands 10000 --aivat",
    "mazzo match holdem-nolimit-2p-100bb solid chart --rake 5%:3 --run-twice --hands 2000",
    "mazzo match --spot turn.toml answer.mz chart --hands 20000",
    "mazzo match leduc-2p leduc.mz chart --hands 10000 --aivat --aivat-grade ranges --aivat-value leduc.mz",
)
@click.argument("game")
@click.argument("agents", nargs=-1)
@click.option(
    "--spot",
    type=click.Path(dir_okay=False),
    help="Start every hand in this spot; then name only the agents: out of position, in position.",
)
@click.option("--hands", type=click.IntRange(min=1), help="Maximum number of hands.  [default: 10000]")
@click.option("--deals", type=click.IntRange(min=1), help="Maximum number of deals; each is played in every seat.")
@seed
@workers
@click.option(
    "--until-width", type=Number(min=0, min_open=True), help=f"Stop when the {INTERVAL} is at most this wide."
)
@click.option("--until-sign", is_flag=True, help="Stop when it is decided whether the first agent wins or loses.")
@click.option("--log", "log", type=click.Path(dir_okay=False, path_type=Path), help="Write every hand to this file.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress in this file; the same command resumes from it.",
)
@click.option("--allow-cheats", is_flag=True, help="Allow agents that see all cards (cheat).")
@click.option(
    "--aivat", is_flag=True, help="Reduce the variance by AIVAT: unbiased, with smaller errors (Hold'em games)."
)
@click.option(
    "--aivat-grade",
    type=click.Choice(["chance", "actions", "ranges"]),
    help="Luck removed: of the cards; also of random actions; also of hole cards (slow).  [default: actions]",
)
@click.option(
    "--aivat-value",
    metavar="VALUE",
    help="Values of states: equity; in small games also policies, or an agent such as leduc.mz.  [default: equity]",
)
@click.option(
    "--rake",
    metavar="SHARE[:CAP]",
    help="The room's share of each pot that saw a flop, at most CAP big blinds: 5%:3; by players 5%:1@2,3@4.",
)
@click.option("--run-twice", is_flag=True, help="Deal two boards to players who are all-in before the river.")
@as_json
@quiet
def match(
    game: str,
    agents: tuple[str, ...],
    spot: str | None,
    hands: int | None,
    deals: int | None,
    seed: int,
    workers: Workers,
    until_width: float | None,
    until_sign: bool,
    log: Path | None,
    checkpoint: Path | None,
    allow_cheats: bool,
    aivat: bool,
    aivat_grade: str | None,
    aivat_value: str | None,
    rake: str | None,
    run_twice: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play AGENTS against each other at GAME: who wins how much?

    Every deal is played in every seat; results are in big blinds per hand, or points per deal.
    """
    from mazzo.arena.by_name import stream

    if spot is not None:
        game, agents = f"spot:{spot}", (game, *agents)
    if not agents:
        raise click.UsageError("Missing argument 'AGENTS...'.")
    if checkpoint and log:
        raise UnreadableError("--log and --checkpoint do not go together: a log is written as the hands are played")
    if (aivat_grade or aivat_value) and not aivat:
        raise UnreadableError("--aivat-grade and --aivat-value say how --aivat works: give it too")
    plays = _plays(game, hands, deals)
    standings = stream(
        game,
        agents,
        hands=plays,
        seed=seed,
        allow_cheats=allow_cheats,
        prepare=partial(prepare_shown, quiet=quiet),
        workers=workers,
        log=log is not None,
        checkpoint=checkpoint,
        until_width=until_width,
        until_sign=until_sign,
        aivat=aivat and (aivat_grade or "actions"),
        aivat_value=aivat_value,
        rake=rake,
        run_twice=run_twice,
    )
    with ExitStack() as stack:
        file = stack.enter_context(new_log(log, game, plays, seed)) if log else None
        followed = _follow(standings, file, stack.enter_context(progress("playing", plays, quiet)))
    if followed.result is not None:
        _show(followed.result, game, followed.curve, _House(rake, run_twice), as_json, quiet)
    if followed.interrupted:
        more = (
            "the same command resumes from here"
            if checkpoint
            else "with --checkpoint FILE a match can be resumed later"
        )
        note(f"interrupted; the figures stand for the hands played; {more}")
        raise click.exceptions.Exit(130)
    if log and not quiet and not as_json:
        note(f"hands written to {log}")


def _plays(game: str, hands: int | None, deals: int | None) -> int:
    """How many hands are played at most."""
    from mazzo.games import find_contest

    if hands and deals:
        raise UnreadableError("--hands and --deals say the same thing twice: give one of them")
    contest, _ = find_contest(game)
    return deals * contest.plays_per_deal if deals else hands or 10_000


def prepare_shown(agent: Any, quiet: bool) -> None:
    """Prepare an agent, with a progress bar."""
    with progress(f"preparing {agent.name}", 1.0, quiet) as advance:
        agent.prepare(advance)


_Curve = list[tuple[int, float, float, float]]
"""After each batch: hands, the first agent's mean and its interval."""


@dataclass(frozen=True)
class _House:
    """A room's terms, as given."""

    rake: str | None
    run_twice: bool


@dataclass
class _Followed:
    """A match as far as it was played."""

    result: MatchResult | None = None
    curve: _Curve = field(default_factory=list)
    interrupted: bool = False


def _follow(standings: Iterable[MatchResult], file: TextIO | None, advance: Callable[[float], None]) -> _Followed:
    """Take the standings one after the other, until the last or an interrupt."""
    followed, done = _Followed(), 0
    try:
        for result in standings:
            followed.result = result
            if file:
                file.writelines(line + "\n" for line in result.lines)
            followed.curve.append((result.plays, result.first.mean, *result.first.ci95))
            advance(result.plays - done)
            done = result.plays
    except KeyboardInterrupt:
        followed.interrupted = True
    return followed


def _show(result: MatchResult, game: str, curve: _Curve, house: _House, as_json: bool, quiet: bool) -> None:
    if as_json:
        terms = {"rake": house.rake, "run_twice": house.run_twice}
        print_json({"game": game, **terms, **result.as_dict(), "curve": curve[:: 1 + len(curve) // 200]})
        return
    rows = []
    for standing in result.standings:
        estimate = standing.estimate
        low, high = estimate.ci95
        rows.append((standing.name, f"{estimate.mean:+.4f}", f"{low:+.4f} .. {high:+.4f}"))
    print_table(("agent", result.unit.replace("_per_", "/"), INTERVAL), rows)
    if result.without_luck is not None:
        grid = result.without_luck.grid(result.unit.replace("_per_", "/"))
        click.echo()
        print_table(grid.head, grid.rows)
        note(grid.caption, quiet)
    if house.rake:
        taken = -sum(standing.estimate.mean for standing in result.standings)
        note(f"the house took {taken:.4f} big blinds a hand", quiet)
    speed = result.plays / result.seconds
    what = f"{result.plays} hands ({result.deals} deals, each in every seat), seed {result.seed}"
    note(f"{what}, {speed:,.0f} hands a second", quiet)
