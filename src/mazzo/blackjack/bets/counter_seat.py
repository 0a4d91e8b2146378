"""What somebody who counts wins: any count, its conventions, plays, bets and table, simulated shoe by shoe.

>>> from mazzo import blackjack as bj
>>> found = bj.counter("strip", ramp="-1:10,1:20,2:40,3:60,4:80", rounds=200_000, seed=1)
>>> found.rounds >= 200_000
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.bets.earnings import Earnings
from mazzo.blackjack.bets.staking import Ramp, read_ramp
from mazzo.blackjack.counting.effects import centred
from mazzo.blackjack.counting.index_tables import (
    IndexTable,
    basic,
    counted_plays,
    illustrious,
    read_index_plays,
)
from mazzo.blackjack.counting.kernel import (
    BINS,
    COLUMNS,
    DIVISORS,
    ROUNDINGS,
    CounterBetting,
    CounterRoom,
    Player,
    Tags,
    play_counted,
)
from mazzo.blackjack.counting.systems import Count, read_count
from mazzo.blackjack.dealing import cards_of, dealing_of
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import must_change, shoe_of
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.rng import stream
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["Seat", "counter", "plays_of"]

GROUPS = 256
"""Independent groups of shoes, from which intervals are found."""
_MOST_BOXES = 7


@dataclass(frozen=True)
class Seat:
    """Who sits where and does what: all that a simulation of a counter needs beside the rules."""

    count: Count
    ramp: Ramp
    table: IndexTable
    divisor: str = "exact"
    rounding: str = "floor"
    side_aces: bool = False
    boxes: int = 1
    others: int = 0
    rise: float = math.inf
    enter: float = -math.inf
    leave: float = -math.inf
    watch: bool = False

    def __post_init__(self) -> None:
        for name, allowed in (("divisor", DIVISORS), ("rounding", ROUNDINGS)):
            if getattr(self, name) not in allowed:
                raise UnreadableError(
                    f"the {name} of a true count must be one of {', '.join(allowed)}, got {getattr(self, name)!r}; "
                    f"{did_you_mean(str(getattr(self, name)), allowed)}"
                )
        if not 1 <= self.boxes <= _MOST_BOXES or not 0 <= self.others <= _MOST_BOXES - self.boxes:
            raise UnreadableError(
                f"a table has {_MOST_BOXES} boxes; {self.boxes} of yours and {self.others} others do not fit"
            )
        if not self.rise >= 1:
            raise UnreadableError(f"rise must be at least 1, got {self.rise}")
        if math.isnan(self.enter) or math.isnan(self.leave):
            raise UnreadableError("the counts to join and to leave at are numbers")
        if self.leave > -math.inf and self.enter < self.leave and self.enter > -math.inf:
            raise UnreadableError(f"joining at {self.enter:g} and leaving below {self.leave:g}: join at or above it")
        if self.side_aces and not self.count.aces:
            raise UnreadableError(f"{self.count.name} counts aces already: a side count of them adds nothing")
        if max(bet for _, bet in self.ramp.steps) <= 0:
            raise UnreadableError("the ramp bets nothing at any count")

    def tags(self, decks: int) -> Tags:
        """The count as the kernel takes it; a true count takes an unbalanced one as balanced."""
        bet = self.count.betting_tags if self.side_aces else self.count.tags
        if self.divisor == "running":
            plain, bets, start = np.array(self.count.tags), np.array(bet), self.count.start(decks)
        else:
            plain, bets, start = centred(self.count.tags), centred(bet), 0.0
        return Tags(
            plain.astype(np.float64),
            bets.astype(np.float64),
            float(start),
            DIVISORS.index(self.divisor),
            ROUNDINGS.index(self.rounding),
        )

    def betting(self) -> CounterBetting:
        """The bets as the kernel takes them."""
        counts, bets = np.array(self.ramp.steps, np.float64).T
        return CounterBetting(
            np.ascontiguousarray(counts),
            np.ascontiguousarray(bets),
            float(self.rise),
            self.boxes,
            self.others,
            float(self.enter),
            float(self.leave),
            int(self.watch),
        )


def plays_of(text: str | Path | IndexTable, rules: Rules, count: Count, divisor: str = "exact") -> IndexTable:
    """What is played by the count: `basic`, `i18` (the 18 + 4), `generated`, a file, or a table.

    `i18` are the published indices for Hi-Lo; for another count, those of the same plays generated for it.
    """
    if isinstance(text, IndexTable):
        return text
    if text == "basic":
        return basic(rules)
    if text == "i18" and count.name == "hi-lo":
        return illustrious(rules)
    if text in ("i18", "generated"):
        from mazzo.blackjack.counting.generate import generated_table

        return generated_table(rules, count, every=text == "generated", running=divisor == "running")
    return read_index_plays(Path(text), rules)


def _room(ranks: Any) -> CounterRoom:
    boxes = 2 * _MOST_BOXES
    small = [np.zeros(boxes, np.int64) for _ in range(4)]
    return CounterRoom(
        ranks.copy(), np.zeros(len(ranks), np.int64), small[0], small[1], np.zeros(20 * boxes, np.int64), *small[2:]
    )


@dataclass(frozen=True)
class _Work:
    rules: Rules
    seat: Seat
    seed: int
    size: int
    _made: list[Any] = field(default_factory=list, compare=False, repr=False)

    def group(self, number: int) -> list[list[float]]:
        """Sums [bin, column] of one group of shoes."""
        if not self._made:
            ranks = cards_of(shoe_of(self.rules))
            settings = settings_of(self.rules, sparing=True, ends_at=22)
            player = Player(self.seat.tags(self.rules.decks), counted_plays(self.seat.table, self.rules), settings)
            dealing = dealing_of(self.rules, ranks, True, "never")
            self._made.extend([ranks, player, dealing, self.seat.betting(), _room(ranks)])
        ranks, player, dealing, betting, room = self._made
        sums = np.zeros((BINS, len(COLUMNS)))
        key = stream(self.seed, "counter")
        play_counted(key, number * self.size, self.size, ranks, player, dealing, betting, room, sums)
        found: list[list[float]] = sums.tolist()
        return found


def _shoes_needed(rules: Rules, seat: Seat, rounds: int) -> int:
    """Shoes that give at least about so many rounds."""
    cards = 2.72 * (seat.boxes + seat.others) + 2.9
    return math.ceil(rounds * cards / (shoe_of(rules).cards * rules.penetration + cards / 2))


def _one_group(work: _Work, number: int) -> list[list[float]]:
    return work.group(number)


def simulate_seat(
    rules: Rules,
    seat: Seat,
    rounds: int = 1_000_000,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
) -> tuple[Floats, float]:
    """Sums [group, bin, column] of about so many rounds, and the seconds it took."""
    must_change(rules)
    if rounds < 1:
        raise UnreadableError(f"rounds must be a whole number of at least 1, got {rounds}")
    size = max(1, math.ceil(1.02 * _shoes_needed(rules, seat, rounds) / GROUPS))
    work = _Work(rules, seat, seed, size)
    if workers == 1:
        replace(work, size=0).group(0)  # compiles on first use, which is not the simulation's time
    began = perf_counter()
    tasks, one = range(GROUPS), partial(_one_group, work)
    results: Iterable[list[list[float]]]
    if checkpoint is None:
        results = run(one, tasks, workers)
    else:
        kept = {"work": "counter", "rules": rules.as_dict(), "seat": repr(seat), "seed": seed, "size": size}
        results = Checkpoint(checkpoint, kept).run(one, tasks, workers)
    found = []
    for group in results:
        found.append(group)
        if advance:
            advance(1)
    return np.array(found), perf_counter() - began


def counter(
    rules: Rules | str = "strip",
    count: Count | str = "hi-lo",
    ramp: Ramp | str = "1:1",
    play: str | Path | IndexTable = "i18",
    rounds: int = 1_000_000,
    seed: int = 0,
    *,
    bankroll: float = 10_000.0,
    per_hour: float = 80.0,
    tips: float = 0.0,
    workers: Workers = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
    **seat: Any,
) -> Earnings:
    """Play about `rounds` rounds as somebody who counts and say what they brought, each figure with its interval.

    Args:
        rules: The rules, by name or as an object; their penetration and cut card are the shoe's.
        count: A count, by name or as ten tags.
        ramp: Bets by count, `-1:10,1:20,2:40`; a bet of 0 is a round not played.
        play: `basic`, `i18`, `generated`, a file of index plays, or a table.
        rounds: Rounds to see.
        seed: Same seed, same shoes.
        bankroll: For ruin and the certainty equivalent.
        per_hour: Rounds seen in an hour.
        tips: Given to the dealer in an hour.
        workers: Processes, or a cluster.
        checkpoint: A file to go on from.
        advance: Told after each of 256 groups of shoes.
        seat: Fields of `Seat`: divisor, rounding, side_aces, boxes, others, rise, enter, leave, watch.
    """
    rules = read_rules(rules)
    tags = read_count(count) if isinstance(count, str) else count
    steps = read_ramp(ramp) if isinstance(ramp, str) else ramp
    if tags.imbalance and "divisor" not in seat:
        seat["divisor"] = "running"
    table = plays_of(play, rules, tags, seat.get("divisor", "exact"))
    who = Seat(tags, steps, table, **seat)
    sums, seconds = simulate_seat(rules, who, rounds, seed, workers, checkpoint, advance)
    return Earnings(sums, who.boxes, bankroll, per_hour, tips, seed, seconds)
