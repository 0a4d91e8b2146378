"""A strategy as players print it: a table of letters, rows the hand, columns the dealer's card.

Letters are those of Bodon's tables 3.1 and 3.2: n stand, h hit, b surrender (else hit), D double (else hit), d double
(else stand), s split; and B surrender (else stand), which his rules never need.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.exact.analysis import Policy, can_double, can_surrender, two_card_hands
from mazzo.blackjack.exact.split import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.hands import Flags, Ints, all_hands, hand_total
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import ACE, RANKS
from mazzo.errors import UnreadableError

__all__ = ["LETTERS", "ROWS", "PlayArrays", "Table", "play_arrays", "policy_of", "row_of"]

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


def row_of(total: int, soft: bool) -> int:
    """The row of a total."""
    return len(HARD_ROWS) + 21 - total if soft else 21 - total


def pair_row(rank: int) -> int:
    """The row of a pair."""
    return len(HARD_ROWS) + len(SOFT_ROWS) + (9 - rank)


@dataclass(frozen=True)
class Table:
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
    def parse(cls, text: str) -> Table:
        """A table from lines `row letters`, spaces free; rows may come in any order, lines with # are remarks."""
        given: dict[str, str] = {}
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if not words or words == list(RANKS):
                continue
            if words[0] not in ROWS:
                raise UnreadableError(f"{words[0]!r} is no row of a strategy table; rows are {' '.join(ROWS)}")
            if words[0] in given:
                raise UnreadableError(f"row {words[0]} stands twice in the strategy")
            given[words[0]] = "".join(words[1:])
        missing = [name for name in ROWS if name not in given]
        if missing:
            raise UnreadableError(f"the strategy lacks the rows {' '.join(missing)}")
        return cls(tuple(given[name] for name in ROWS))

    def letter(self, row: int, upcard: int) -> str:
        """The letter of a row against an upcard."""
        return self.letters[row][upcard]

    def changed(self, row: int, upcard: int, letter: str) -> Table:
        """The table with one letter changed."""
        line = self.letters[row]
        rows = list(self.letters)
        rows[row] = line[:upcard] + letter + line[upcard + 1 :]
        return Table(tuple(rows))

    def differences(self, other: Table) -> Iterator[tuple[str, str, str, str]]:
        """(row, upcard, this letter, the other's letter) of every cell that differs."""
        for name, mine, theirs in zip(ROWS, self.letters, other.letters, strict=True):
            for upcard in range(10):
                if mine[upcard] != theirs[upcard]:
                    yield name, RANKS[upcard], mine[upcard], theirs[upcard]

    def __str__(self) -> str:
        lines = ["     " + " ".join(RANKS)]
        lines += [f"{name:<4} " + " ".join(row) for name, row in zip(ROWS, self.letters, strict=True)]
        return "\n".join(lines)

    def play(self, rules: Rules, low: int, high: int, upcard: int, after_split: bool) -> int:
        """The play of two cards under these rules, as a code."""
        total, soft = hand_total((low, high))
        below = self.letter(row_of(total, soft), upcard)
        letter = self.letter(pair_row(low), upcard) if low == high else below
        if letter == "s":
            if not after_split and rules.max_hands != 1:
                return SPLIT
            letter = below
        if letter in "Dd" and can_double(rules, total, soft) and (rules.double_after_split or not after_split):
            return DOUBLE
        if letter in "bB" and can_surrender(rules, upcard) and (rules.surrender_after_split or not after_split):
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


class PlayArrays(NamedTuple):
    """A strategy as the simulation takes it."""

    first: Ints
    """[card, card, upcard]: the play of two cards."""
    after_split: Ints
    hits: Flags
    """[soft, total up to 31, upcard]: draw with three cards or more."""


def play_arrays(table: Table, rules: Rules) -> PlayArrays:
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


def policy_of(table: Table, rules: Rules) -> Policy:
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
