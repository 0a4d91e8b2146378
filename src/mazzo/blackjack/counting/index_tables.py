"""Plays by the count: a chart, and the true counts from which single cells are played otherwise.

An index play says from which count on a hand is stood on, doubled, split or given up; below it the hand is not. In a
file a line is `16 v T stand 0` or `insurance 3`; lines `row letters` replace rows of the chart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes, Flags, Floats
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, parse_cards
from mazzo.blackjack.strategy import ROWS, Strategy, play_arrays
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError

__all__ = ["EIGHTEEN", "FOUR", "CountedPlays", "IndexPlay", "IndexTable", "illustrious", "read_index_plays"]

_PLAYS = ("stand", "hit", "double", "split", "surrender")
NEVER = float("inf")


@dataclass(frozen=True)
class IndexPlay:
    """From which count on a cell of the chart is played in a certain way."""

    row: str
    """A row of a strategy table: `16`, `A,7`, `T-T`."""
    upcard: int
    """0 the ace to 9 the tens."""
    play: str
    index: float

    def __str__(self) -> str:
        return f"{self.row} v {RANKS[self.upcard]} {self.play} {self.index:+g}"


def _plays(*lines: str) -> tuple[IndexPlay, ...]:
    return tuple(_read_line(line) for line in lines)


@dataclass(frozen=True)
class IndexTable(Shown):
    """A chart with index plays and the count from which insurance is taken."""

    chart: Strategy
    plays: tuple[IndexPlay, ...] = ()
    insurance: float = NEVER

    def section(self) -> Section:
        """The index plays."""
        rows = [(p.row, RANKS[p.upcard], p.play, f"{p.index:+g}") for p in self.plays]
        if self.insurance < NEVER:
            rows.insert(0, ("insurance", "A", "insure", f"{self.insurance:+g}"))
        return Section("Index plays", tables=[Grid(("hand", "upcard", "play", "from"), rows)])

    def __str__(self) -> str:
        first = [f"insurance {self.insurance:+g}"] if self.insurance < NEVER else []
        return "\n".join([*first, *map(str, self.plays)])


def _with_play(letter: str, play: str, on: bool) -> str:
    """A cell's letter where a play is made or not made; what else it says is kept."""
    stands, special = (
        letter in "nBd",
        {"b": "surrender", "B": "surrender", "D": "double", "d": "double"}.get(letter, ""),
    )
    if play in ("stand", "hit"):
        stands = on == (play == "stand")
    elif on:
        special = play
    elif special == play:
        special = ""
    return {"surrender": "bB", "double": "Dd", "": "hn"}[special][stands]


def chart_at(table: IndexTable, count: float) -> Strategy:
    """The chart that the table plays at a count."""
    base = table.chart
    letters = {name: list(row) for name, row in zip(ROWS, base.letters, strict=True)}
    splits = []
    for play in table.plays:
        on = count >= play.index
        if play.play == "split":
            splits.append((play, on))
        else:
            row = letters[play.row]
            row[play.upcard] = _with_play(row[play.upcard], play.play, on)
    for rank in range(10):  # pairs that are not split follow their total where the chart has them do so
        pair, total = f"{RANKS[rank]}-{RANKS[rank]}", "A+A" if rank == 0 else str(2 * rank + 2)
        for upcard in range(10):
            if base.letters[ROWS.index(pair)][upcard] == base.letters[ROWS.index(total)][upcard]:
                letters[pair][upcard] = letters[total][upcard]
    for play, on in splits:
        total = "A+A" if play.row == "A-A" else str(2 * RANKS.index(play.row[0]) + 2)
        letters[play.row][play.upcard] = "s" if on else letters[total][play.upcard]
    return Strategy(tuple("".join(letters[name]) for name in ROWS))


class CountedPlays(NamedTuple):
    """An index table as the simulation takes it: for each stretch of counts a strategy."""

    edges: Floats
    """The counts at which the next stretch begins."""
    first: Bytes
    """[stretch, card, card, upcard]: the play of two cards."""
    after_split: Bytes
    hits: Flags
    """[stretch, soft, total, upcard]: draw with three cards or more."""
    insurance: float
    base: int
    """The stretch of a count of zero."""


def counted_plays(table: IndexTable, rules: Rules) -> CountedPlays:
    """The table under these rules."""
    edges = sorted({play.index for play in table.plays if play.index < NEVER})
    points = [edges[0] - 1 if edges else 0.0, *edges]
    arrays = [play_arrays(chart_at(table, count), rules) for count in points]
    return CountedPlays(
        np.array(edges, np.float64),
        np.stack([a.first for a in arrays]).astype(np.uint8),
        np.stack([a.after_split for a in arrays]).astype(np.uint8),
        np.stack([a.hits for a in arrays]),
        table.insurance,
        int(np.searchsorted(edges, 0.0, side="right")),
    )


def _row(text: str) -> str:
    """A row by its name; a pair also as `T,T`, a soft hand as `A,7` or `soft 18`."""
    if text in ROWS:
        return text
    soft = re.fullmatch(r"(?:s|soft)\s*(\d\d)", text, flags=re.IGNORECASE)
    if soft and 13 <= int(soft[1]) <= 21:
        return f"A,{RANKS[int(soft[1]) - 12]}"
    cards = () if text.isdigit() else parse_cards(text.replace("-", ","))
    if len(cards) == 2:
        low, high = sorted(cards)
        name = f"{RANKS[low]}-{RANKS[low]}" if low == high else f"A,{RANKS[high]}" if low == 0 else str(low + high + 2)
        if name in ROWS:
            return name
    raise UnreadableError(f"{text!r} is no hand of a chart: write 16, A,7 or T,T")


def _read_line(line: str) -> IndexPlay:
    found = re.fullmatch(r"(.+?)\s+vs?\.?\s+(\S+)\s+(\w+)\s+([+-]?\d+(?:\.\d+)?)", line.strip(), flags=re.IGNORECASE)
    if not found or found[3].lower() not in _PLAYS:
        raise UnreadableError(
            f"cannot read the index play {line!r}: write hand v upcard play index, such as 16 v T stand 0, "
            f"with one of {', '.join(_PLAYS)}"
        )
    upcard = parse_cards(found[2])
    if len(upcard) != 1:
        raise UnreadableError(f"the dealer shows one card in the index play {line!r}")
    play, row = found[3].lower(), _row(found[1])
    if play == "split" and "-" not in row:
        raise UnreadableError(f"only pairs are split: {line!r}")
    return IndexPlay(row, upcard[0], play, float(found[4]))


EIGHTEEN = _plays(
    "16 v T stand 0", "15 v T stand 4", "T-T v 5 split 5", "T-T v 6 split 4", "10 v T double 4", "12 v 3 stand 2",
    "12 v 2 stand 3", "11 v A double 1", "9 v 2 double 1", "10 v A double 4", "9 v 7 double 3", "16 v 9 stand 5",
    "13 v 2 stand -1", "12 v 4 stand 0", "12 v 5 stand -2", "12 v 6 stand -1", "13 v 3 stand -2",
)  # fmt: skip
"""Schlesinger's Illustrious 18 for Hi-Lo but insurance, which is taken from +3 (Blackjack Attack)."""
FOUR = _plays("14 v T surrender 3", "15 v T surrender 0", "15 v 9 surrender 2", "15 v A surrender 1")
"""His Fab 4: surrender by Hi-Lo where it is allowed."""
INSURANCE = 3.0


@cache
def _chart(rules: Rules) -> Strategy:
    return best_table(rules).table


def basic(rules: Rules) -> IndexTable:
    """Basic strategy: no play depends on the count, insurance is never taken."""
    return IndexTable(_chart(rules))


def illustrious(rules: Rules) -> IndexTable:
    """Basic strategy with the 18 + 4 of Hi-Lo as published."""
    plays: Sequence[IndexPlay] = (*EIGHTEEN, *FOUR) if rules.surrender != "none" else EIGHTEEN
    return IndexTable(_chart(rules), tuple(plays), INSURANCE)


def parse_index_plays(lines: Iterable[str], chart: Strategy) -> IndexTable:
    """A chart with what lines of text change in it."""
    letters, plays, insurance = list(chart.letters), [], NEVER
    for line in lines:
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].lower() == "insurance":
            try:
                insurance = float(words[1])
            except (IndexError, ValueError):
                raise UnreadableError(f"cannot read {line.strip()!r}: write insurance and a count") from None
        elif words[0] in ROWS and re.fullmatch(r"[nhbBDds]{10}", "".join(words[1:])):
            letters[ROWS.index(words[0])] = "".join(words[1:])
        else:
            plays.append(_read_line(" ".join(words)))
    seen = {(p.row, p.upcard, p.play) for p in plays}
    if len(seen) < len(plays):
        raise UnreadableError("the file has a duplicate index play")
    return IndexTable(Strategy(tuple(letters)), tuple(plays), insurance)


def read_index_plays(path: Path, rules: Rules) -> IndexTable:
    """Basic strategy of these rules with what a file changes in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"cannot read the plays in {path}: {error}; or say basic or i18") from None
    return parse_index_plays(text.splitlines(), _chart(rules))
