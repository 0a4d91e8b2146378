"""`mazzo match`: who wins, by how much, and how sure that is."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from mazzo.arena.workers import Workers
from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.errors import UnreadableError

__all__ = ["match", "new_log"]

_UNITS = {"bb_per_hand": "bb/hand", "points_per_deal": "points/deal"}


@command(
    "mazzo match holdem-limit-2p rich random --hands 100000 --seed 1",
    "mazzo match holdem-nolimit-6p rich chart random random call raise --hands 60000",
    "mazzo match holdem-limit-2p rich chart --until-sign --hands 1000000",
    "mazzo match tressette decision greedy --deals 10000",
    "mazzo match tressette cheat random --deals 100 --allow-cheats",
    "mazzo match leduc-2p random:raise=.8 call --log leduc.log --json",
)
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(min=1), help="Hands in all, at most.  [default: 10000]")
@click.option("--deals", type=click.IntRange(min=1), help="The same, counted in deals: each is played in every seat.")
@seed
@workers
@click.option("--until-width", type=click.FloatRange(min=0, min_open=True), help="Stop when the interval is so narrow.")
@click.option("--until-sign", is_flag=True, help="Stop when it is settled whether the first agent wins or loses.")
@click.option("--log", "log", type=click.Path(dir_okay=False, path_type=Path), help="Write every hand to this file.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep what was played in this file: the same command goes on where it stopped.",
)
@click.option("--allow-cheats", is_flag=True, help="Also agents that see all cards, where a game has them (cheat).")
@as_json
@quiet
def match(
    game: str,
    agents: tuple[str, ...],
    hands: int | None,
    deals: int | None,
    seed: int,
    workers: Workers,
    until_width: float | None,
    until_sign: bool,
    log: Path | None,
    checkpoint: Path | None,
    allow_cheats: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play AGENTS against each other at GAME: every deal in every seat; big blinds a hand, or points a deal."""
    from mazzo.agent import create
    from mazzo.arena.match import MatchResult, stream_match
    from mazzo.games import find_contest

    if checkpoint and log:
        raise UnreadableError("--log and --checkpoint do not go together: a log is written as the hands are played")
    if hands and deals:
        raise UnreadableError("--hands and --deals say the same thing twice: give one of them")
    contest, catalogue = find_contest(game, allow_cheats)
    players = [create(name, catalogue) for name in agents]
    if len(players) != contest.seats:
        raise UnreadableError(f"{game} seats {contest.seats} agents, {len(players)} were given")
    plays = deals * contest.plays_per_deal if deals else hands or 10_000
    for player in players:
        with progress(f"preparing {player.name}", 1.0, quiet) as advance:
            player.prepare(advance)
    standings = stream_match(
        contest, players, plays, seed,
        workers=workers, log=log is not None, checkpoint=checkpoint, until_width=until_width, until_sign=until_sign,
    )  # fmt: skip
    result: MatchResult | None = None
    curve: list[tuple[int, float, float, float]] = []
    interrupted = False
    with ExitStack() as stack:
        file = stack.enter_context(new_log(log, game, plays, seed)) if log else None
        advance = stack.enter_context(progress("playing", plays, quiet))
        done = 0
        try:
            for result in standings:
                if file:
                    file.writelines(line + "\n" for line in result.lines)
                curve.append((result.plays, result.first.mean, *result.first.ci95))
                advance(result.plays - done)
                done = result.plays
        except KeyboardInterrupt:
            interrupted = True
    if result is not None:
        _show(result, game, curve, as_json, quiet)
    if interrupted:
        more = "the same command goes on from here" if checkpoint else "with --checkpoint FILE a match can go on later"
        note(f"interrupted; the figures stand for the hands played; {more}")
        raise click.exceptions.Exit(130)
    if log and not quiet and not as_json:
        note(f"hands written to {log}")


def new_log(path: Path, game: str, hands: int, seed: int) -> Any:
    """A new log file with its header; never over another file."""
    try:
        file = path.open("x")
    except FileExistsError:
        raise UnreadableError(
            f"{path} exists already; hands are never written over others: name another file"
        ) from None
    except OSError as wrong:
        raise UnreadableError(f"cannot write {path}: {wrong}") from None
    file.write(f"# name/game/hands/seed {path.stem} {game} {hands} {seed}\n")
    return file


def _show(result: Any, game: str, curve: list[tuple[int, float, float, float]], as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"game": game, **result.as_dict(), "curve": curve[:: 1 + len(curve) // 200]})
        return
    rows = []
    for standing in result.standings:
        estimate = standing.estimate
        low, high = estimate.ci95
        rows.append((standing.name, f"{estimate.mean:+.4f}", f"{low:+.4f} .. {high:+.4f}"))
    print_table(("agent", _UNITS.get(result.unit, result.unit), "95 % interval"), rows)
    speed = result.plays / result.seconds
    what = f"{result.plays} hands ({result.deals} deals, each in every seat), seed {result.seed}"
    note(f"{what}, {speed:,.0f} hands a second", quiet)
