"""A strategy as players print it: a table of letters, rows the hand, columns the dealer's card.

Letters are those of Bodon's tables 3.1 and 3.2: n stand, h hit, b surrender (else hit), D double (else hit), d double
(else stand), s split; and B surrender (else stand), which his rules never need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.columns import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.multisets import Flags, Ints, all_hands, hand_total, two_card_hands
from mazzo.blackjack.rules import Rules, may_double, may_surrender
from mazzo.blackjack.shoe import ACE, RANKS
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError

__all__ = [
    "LETTERS",
    "ROWS",
    "PlayArrays",
    "Policy",
    "Strategy",
    "charted_rows",
    "legend",
    "play_arrays",
    "policy_of",
    "row_of",
]

LETTERS = {
    "n": "stand",
    "h": "hit",
    "b": "surrender, else hit",
    "B": "surrender, else stand",
    "D": "double, else hit",
    "d": "double, else stand",
    "s": "split",
}
_HITTING = "hbD"

HARD_ROWS = tuple(str(total) for total in range(21, 3, -1))
SOFT_ROWS = (*(f"A,{RANKS[total - 12]}" for total in range(21, 12, -1)), "A+A")
PAIR_ROWS = tuple(f"{RANKS[rank]}-{RANKS[rank]}" for rank in (9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
ROWS = HARD_ROWS + SOFT_ROWS + PAIR_ROWS
"""Hard 21 to 4; an ace with 10 to 2 beside it, and A+A (a soft 12 that is not split); pairs."""


CODES = {"n": "S", "h": "H", "D": "D", "d": "Ds", "s": "P", "b": "R", "B": "Rs"}
"""The letters of printed charts."""
COLOURS = {
    "n": "#f4d35e",
    "h": "#f7f7f7",
    "D": "#7fb3ff",
    "d": "#7fb3ff",
    "s": "#8fd694",
    "b": "#f19c99",
    "B": "#f19c99",
}
_ANSI = {"n": "43;30", "h": "47;30", "D": "44;97", "d": "44;97", "s": "42;30", "b": "41;97", "B": "41;97"}
_CHARTS = (("hard totals", HARD_ROWS), ("soft totals", SOFT_ROWS), ("pairs", PAIR_ROWS))
_NOTHING_TO_DECIDE = ("4", "21", "A,T", "A+A")
UPCARDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
"""Columns as charts have them: 2 to T, then the ace."""


def charted_rows() -> list[tuple[str, list[str]]]:
    """The parts of a chart and their rows, without those that leave nothing to decide."""
    return [(title, [row for row in rows if row not in _NOTHING_TO_DECIDE]) for title, rows in _CHARTS]


def legend(letters: bool = False) -> str:
    """What the codes of a chart mean."""
    return ", ".join(f"{letter if letters else CODES[letter]} {name}" for letter, name in LETTERS.items())


def row_of(total: int, soft: bool) -> int:
    """The row of a total."""
    return len(HARD_ROWS) + 21 - total if soft else 21 - total


def pair_row(rank: int) -> int:
    """The row of a pair."""
    return len(HARD_ROWS) + len(SOFT_ROWS) + (9 - rank)


@dataclass(frozen=True)
class Strategy(Shown):
    """A strategy table: for each of `ROWS` ten letters, dealer's ace to ten."""

    letters: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.letters) != len(ROWS):
            raise UnreadableError(f"a strategy table has {len(ROWS)} rows, not {len(self.letters)}")
        for name, row in zip(ROWS, self.letters, strict=True):
            wrong = set(row) - set(LETTERS)
            if len(row) != 10 or wrong:
                raise UnreadableError(
                    f"row {name} of the strategy is {row!r}: it must be ten of the letters {' '.join(LETTERS)}"
                )
            if "s" in row and "-" not in name:
                raise UnreadableError(f"row {name} of the strategy splits, but only pairs can be split")

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """A table from lines `row letters`, spaces free; rows may come in any order, lines with # are remarks."""
        given: dict[str, str] = {}
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if not words or words == list(RANKS):
                continue
            if words[0] not in ROWS:
                raise UnreadableError(f"{words[0]!r} is no row of a strategy table; rows are {' '.join(ROWS)}")
            if words[0] in given:
                raise UnreadableError(f"duplicate row {words[0]} in the strategy")
            given[words[0]] = "".join(words[1:])
        missing = [name for name in ROWS if name not in given]
        if missing:
            raise UnreadableError(f"the strategy lacks the rows {' '.join(missing)}")
        return cls(tuple(given[name] for name in ROWS))

    @classmethod
    def read(cls, path: str | Path) -> Strategy:
        """The table of a file."""
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableError(f"cannot read the strategy {path}: {error}") from None

    def letter(self, row: int, upcard: int) -> str:
        """The letter of a row against an upcard."""
        return self.letters[row][upcard]

    def changed(self, row: int, upcard: int, letter: str) -> Strategy:
        """The table with one letter changed."""
        line = self.letters[row]
        rows = list(self.letters)
        rows[row] = line[:upcard] + letter + line[upcard + 1 :]
        return Strategy(tuple(rows))

    def differences(self, other: Strategy) -> Iterator[tuple[str, str, str, str]]:
        """(row, upcard, this letter, the other's letter) of every cell that differs."""
        for name, mine, theirs in zip(ROWS, self.letters, other.letters, strict=True):
            for upcard in range(10):
                if mine[upcard] != theirs[upcard]:
                    yield name, RANKS[upcard], mine[upcard], theirs[upcard]

    def __str__(self) -> str:
        lines = ["     " + " ".join(RANKS)]
        lines += [f"{name:<4} " + " ".join(row) for name, row in zip(ROWS, self.letters, strict=True)]
        return "\n".join(lines)

    def chart(self, colour: bool = False, letters: bool = False) -> str:
        """The chart for a terminal: S stand, H hit, D double, P split, R surrender; or the text's letters."""
        lines = []
        for title, rows in charted_rows():
            lines.append(f"{title:<12}" + " ".join(f"{RANKS[up]:<2}" for up in UPCARDS).rstrip())
            for row in rows:
                line, cells = self.letters[ROWS.index(row)], []
                for up in UPCARDS:
                    text = f"{line[up] if letters else CODES[line[up]]:<2}"
                    cells.append(f"\x1b[{_ANSI[line[up]]}m{text}\x1b[0m" if colour else text)
                lines.append(f"{row:<12}" + " ".join(cells).rstrip())
            lines.append("")
        return "\n".join([*lines, legend(letters)])

    def grids(self) -> list[Grid]:
        """The chart as data to draw: hard totals, soft totals, pairs, every cell in the colour of its play."""
        grids = []
        for title, rows in charted_rows():
            lines = [self.letters[ROWS.index(row)] for row in rows]
            cells = [(row, *(CODES[line[up]] for up in UPCARDS)) for row, line in zip(rows, lines, strict=True)]
            inks = [("", *(COLOURS[line[up]] for up in UPCARDS)) for line in lines]
            grids.append(Grid((title, *(RANKS[up] for up in UPCARDS)), cells, inks=inks))
        return grids

    def section(self) -> Section:
        """The chart."""
        return Section("A strategy", [legend()], tables=self.grids())

    def play(self, rules: Rules, low: int, high: int, upcard: int, after_split: bool) -> int:
        """The play of two cards under these rules, as a code."""
        total, soft = hand_total((low, high))
        below = self.letter(row_of(total, soft), upcard)
        letter = self.letter(pair_row(low), upcard) if low == high else below
        if letter == "s":
            if not after_split and rules.max_hands != 1:
                return SPLIT
            letter = below
        if letter in "Dd" and may_double(rules, total, soft, after_split):
            return DOUBLE
        if letter in "bB" and may_surrender(rules, upcard, after_split):
            return SURRENDER
        return HIT if letter in _HITTING else STAND

    def hits(self) -> Flags:
        """[soft, total, upcard]: draw with three cards or more. Totals of a bust are there too: they do not."""
        result = np.zeros((2, 32, 10), np.bool_)
        for soft in (False, True):
            for total in range(12 if soft else 4, 22):
                row = self.letters[row_of(total, soft)]
                result[int(soft), total] = [letter in _HITTING for letter in row]
        return result


@dataclass(frozen=True)
class Policy:
    """A strategy that decides by the cards of the hand and the upcard."""

    hits: Flags
    """[hand, upcard]: draw a card, where nothing else may be done."""
    first: Ints
    """[hand, upcard]: the play with two cards."""
    after_split: Ints
    """[hand, upcard]: the play with two cards after a split, where splitting again is not possible."""


class PlayArrays(NamedTuple):
    """A strategy as the simulation takes it."""

    first: Ints
    """[card, card, upcard]: the play of two cards."""
    after_split: Ints
    hits: Flags
    """[soft, total up to 31, upcard]: draw with three cards or more."""


def play_arrays(table: Strategy, rules: Rules) -> PlayArrays:
    """The table under these rules: every play it names is one that may be made."""
    first, again = np.zeros((10, 10, 10), np.int64), np.zeros((10, 10, 10), np.int64)
    for low in range(10):
        for high in range(low, 10):
            for upcard in range(10):
                first[low, high, upcard] = first[high, low, upcard] = table.play(rules, low, high, upcard, False)
                again[low, high, upcard] = again[high, low, upcard] = table.play(rules, low, high, upcard, True)
    if not rules.hit_split_aces:
        again[ACE] = STAND
    return PlayArrays(first, again, table.hits())


def policy_of(table: Strategy, rules: Rules) -> Policy:
    """The table as a policy over hands, whose value `analyse` counts exactly."""
    every = all_hands()
    hands = every.arrays
    hits = table.hits()[hands.soft.astype(np.int64), np.minimum(hands.total, 21)]
    first, again = np.zeros(hits.shape, np.int64), np.zeros(hits.shape, np.int64)
    for hand in two_card_hands().tolist():
        low, high = every.ranks(hand)
        for upcard in range(10):
            first[hand, upcard] = table.play(rules, low, high, upcard, False)
            again[hand, upcard] = table.play(rules, low, high, upcard, True)
    return Policy(hits, first, again)
