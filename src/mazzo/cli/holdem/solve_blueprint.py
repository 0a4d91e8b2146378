"""`mazzo solve game` of heads-up limit Hold'em: a blueprint, trained for as long as one likes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import note, print_json, progress
from mazzo.errors import UnreadableError

__all__ = ["BlueprintOptions", "is_for_a_blueprint", "read_buckets", "train_blueprint"]

_FIRST = 1000  # rounds before the first measurement; then they double
_KEPT = 300.0  # seconds between two times all is written


@dataclass(frozen=True)
class BlueprintOptions:
    """How a blueprint is trained."""

    output: Path
    buckets: tuple[int, int, int]
    rounds: int
    minutes: float | None
    judge: int
    threads: int
    resume: bool
    seed: int
    quiet: bool
    as_json: bool


def read_buckets(text: str) -> tuple[int, int, int]:
    """Buckets on flop, turn and river from their text: `1500,1000,1000`."""
    try:
        numbers = tuple(int(word) for word in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != 3 or min(numbers) < 8 or max(numbers) > 20_000:
        raise UnreadableError(
            f"--buckets are three numbers from 8 to 20000, for flop, turn and river: 1500,1000,1000, not {text!r}"
        )
    return numbers[0], numbers[1], numbers[2]


def is_for_a_blueprint(game: str) -> bool:
    """Whether a game is heads-up limit Hold'em, too large to be solved whole."""
    from mazzo.holdem.rules import UNLIMITED, find_game

    rules = find_game(game)
    shape = (rules.players, rules.limit, rules.hole_cards, rules.board_cards, len(rules.deck))
    return shape == (2, True, 2, (0, 3, 1, 1), 52) and rules.stacks == (UNLIMITED,) * 2


def _state_file(output: Path) -> Path:
    return output.with_name(output.name + ".training")


def _begun(game: str, options: BlueprintOptions) -> Any:
    """The training: new, or as it was left."""
    from mazzo.holdem.rules import find_game
    from mazzo.holdem.solver.blueprint.buckets import make_buckets
    from mazzo.holdem.solver.blueprint.training import Training

    kept = _state_file(options.output)
    if options.resume:
        if not kept.exists():
            raise UnreadableError(f"there is nothing to go on from: {kept} does not exist")
        return Training.load(kept, options.threads)
    if options.output.exists():
        raise UnreadableError(f"{options.output} is there: name another file, or go on from it with --resume")
    with progress("putting hands into buckets", 1.0, options.quiet) as advance:
        buckets = make_buckets(*options.buckets, seed=options.seed, progress=advance)
    return Training(find_game(game), buckets, seed=options.seed, threads=options.threads)


class _Follower:
    """Keeps the work, measures it, and says how far it is."""

    def __init__(self, options: BlueprintOptions) -> None:
        self.options, self.began, self.kept, self.told = options, time.monotonic(), time.monotonic(), 0.0

    def __call__(self, training: Any) -> bool:
        now = time.monotonic()
        if now - self.told > 30:
            self.told = now
            text = f"{training.rounds:>9,} rounds  {training.seconds:8.0f} s of processor time"
            note(f"{text}  value {training.value:+.4f} bb a hand to the big blind", self.options.quiet)
        times, rest = divmod(training.rounds, _FIRST)
        if rest == 0 and times.bit_count() == 1:
            self.judge(training)
        if now - self.kept > _KEPT:
            self.keep(training)
        return self.options.minutes is None or now - self.began < 60 * self.options.minutes

    def keep(self, training: Any) -> None:
        """Write the blueprint, and all that is needed to go on."""
        training.save(_state_file(self.options.output))
        training.blueprint().save(self.options.output)
        self.kept = time.monotonic()

    def judge(self, training: Any) -> None:
        """Measure what a local best response wins from it as it is now, always on the same deals."""
        from mazzo.holdem.agents.balanced import Balanced
        from mazzo.holdem.best_response import local_best_response

        if not self.options.judge or any(row["rounds"] == training.rounds for row in training.curve):
            return
        agent = Balanced.playing(training.blueprint(), self.options.output.name)
        found = local_best_response(agent, training.layout.rules, hands=self.options.judge, aivat=True).as_dict()
        low, high = found["ci95"]
        row = {"rounds": training.rounds, "seconds": training.seconds, "local_best_response": found["value"]}
        training.curve.append({**row, "low": low, "high": high, "hands": found["hands"]})
        text = f"{training.rounds:>9,} rounds  a local best response wins {found['value']:+.0f}"
        note(f"{text} ({low:+.0f} .. {high:+.0f}) thousandths of a big blind a hand", self.options.quiet)


def train_blueprint(game: str, options: BlueprintOptions) -> None:
    """Train, measure, write."""
    training = _begun(game, options)
    layout = training.layout
    note(
        f"{layout.rules.name}: {len(layout.tree.actor):,} nodes of betting, buckets by street "
        f"{', '.join(map(str, layout.sizes))}, {layout.situations:,} situations, {8 * layout.entries / 1e6:.0f} MB "
        "while it is trained; a round takes some 10 thousandths of a second, and ten thousands are wanted",
        options.quiet,
    )
    follower = _Follower(options)
    finished = training.improve(max(0, options.rounds - training.rounds), follower)
    if finished or options.minutes is not None:
        follower.judge(training)
    follower.keep(training)
    found = training.blueprint().facts
    if options.as_json:
        print_json({"game": layout.rules.name, **found, "situations": layout.situations, "output": str(options.output)})
    else:
        click.echo(
            f"{found['rounds']:,} rounds in {found['processor_seconds']:.0f} s of processor time; value to the big "
            f"blind {found['value']:+.4f} bb a hand"
        )
        click.echo(f"wrote {options.output}; play it: mazzo match {game} {options.output} chart")
        note(f"{_state_file(options.output).name} is what --resume goes on from; remove it when done", options.quiet)
    if not finished and options.minutes is None:
        raise click.exceptions.Exit(130)
