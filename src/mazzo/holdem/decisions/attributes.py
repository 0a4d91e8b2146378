"""What a decision looks like in numbers: every attribute by name, for hands being played and for hands from logs.

Elementary attributes (33) are the cards as rank and suit and the betting action by action; derived ones (18) say the
same in fewer numbers; `LEARNING` are the 11 of the derived ones that a hero learns from by default; `CONTINUOUS`
describes the betting by who put in how much, when, instead of by numbers of sequences. Chips are counted as if the big
blind were 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.game import Game
from mazzo.holdem.kernels import legal
from mazzo.holdem.observation import Observations
from mazzo.jit import inlined, tight

__all__ = [
    "ATTRIBUTES",
    "BIG_BLIND",
    "CONTINUOUS",
    "DERIVED",
    "ELEMENTARY",
    "LEARNING",
    "SEQUENCES",
    "Seen",
    "attribute_names",
    "betting_row",
    "refuse_other_than_heads_up_limit",
    "sequence_numbers",
]

Ints = NDArray[np.int64]

BIG_BLIND = 10
"""Chips of the big blind in which attributes and rewards are counted."""

STREETS = ("preflop", "flop", "turn", "river")
_SLOTS = (4, 5, 5, 5)
_CARDS = ("hole_1", "hole_2", "flop_1", "flop_2", "flop_3", "turn_card", "river_card")

ELEMENTARY: tuple[str, ...] = (
    *(f"{card}_{part}" for card in _CARDS for part in ("rank", "suit")),
    *(f"{street}_action_{k + 1}" for street, slots in zip(STREETS, _SLOTS, strict=True) for k in range(slots)),
)
"""Cards (rank 2-14, suit 1-4, 0 where not dealt) and actions (0 none, 1 call, 2 raise), each by itself."""

LEARNING: tuple[str, ...] = (
    "stage", "raises", "raises_sb", "raise_before", "turn", "pv", "pot",
    "bet_preflop", "bet_flop", "bet_turn", "bet_river",
)  # fmt: skip
"""The state that a hero learns from by default."""

DERIVED: tuple[str, ...] = (*_CARDS, *LEARNING)
"""Cards by number (1-52, 0 where not dealt) and the state in fewer numbers."""

_MORE = (
    "owed", "may_raise", "initiative",
    *(f"{what}_{street}" for what in ("raises_me", "raises_other", "chips_me", "chips_other") for street in STREETS),
)  # fmt: skip

CONTINUOUS: tuple[str, ...] = ("stage", "turn", "pv", "pot", "owed", *_MORE[2:])
"""The betting on a continuous scale: per street the raises and chips of either player, who raised last, position."""

ATTRIBUTES: tuple[str, ...] = (*ELEMENTARY, *DERIVED, *_MORE)
"""Every attribute by name."""

ATTRIBUTE_SETS = {"learning": LEARNING, "continuous": CONTINUOUS, "elementary": ELEMENTARY, "derived": DERIVED}

# Columns of the betting as the kernel writes it: all attributes that are not cards or PV.
_BETTING = (
    "stage", "raises", "raises_sb", "raise_before", "turn", "pot",
    "bet_preflop", "bet_flop", "bet_turn", "bet_river", *_MORE, *ELEMENTARY[14:],
)  # fmt: skip
WIDTH = len(_BETTING)
_BET, _OWED, _MAY_RAISE, _INITIATIVE = 6, 10, 11, 12
_RAISES_ME, _RAISES_OTHER, _CHIPS_ME, _CHIPS_OTHER, _SLOT = 13, 17, 21, 25, 29
_SLOT_AT = np.cumsum([0, *_SLOTS])
_IN_CHIPS = [k for k, name in enumerate(_BETTING) if name in ("pot", "owed") or name.startswith("chips_")]

_FIRST_SEQUENCES = (
    "f - c r cc cr rf rc rr crf crc crr rrf rrc rrr crrf crrc crrr rrrf rrrc crrrf crrrc crrrr rrrr crrrrf crrrrc "
    "rrrrf rrrrc"
)
SEQUENCES: dict[str, int] = {text.strip("-"): number for number, text in enumerate(_FIRST_SEQUENCES.split(), start=1)}
"""The betting of one street as one number, as the appendix of Vilella (2011) numbers it; 2 is no action yet."""

CAPPED = np.array([[15, 18, 15, 18]] + [[23, 24, 23, 24]] * 3)
"""Per street, the numbers after which no further raise is allowed."""


@cache
def sequence_numbers() -> Ints:
    """The number of every sequence by its code: a leading 1, then a digit of base 3 an action."""
    table = np.zeros(2 * 3**7, np.int64)
    for text, number in SEQUENCES.items():
        code = 1
        for action in text:
            code = 3 * code + "fcr".index(action)
        table[code] = number
    return table


def refuse_other_than_heads_up_limit(game: Game | None) -> str:
    """Why decisions of a game cannot be described here, in words; empty if they can."""
    if game is None:
        return ""
    shape = (game.limit, game.players, len(game.deck), game.hole_cards, game.board_cards, game.first, game.max_raises)
    if shape == (True, 2, 52, 2, (0, 3, 1, 1), (1, 0, 0, 0), (3, 4, 4, 4)) and game.blinds[0] > game.blinds[1]:
        return ""
    return (
        "it plays heads-up limit Hold'em: big blind first in position, at most 3 raises before the flop and 4 after it"
    )


@inlined
def betting_row(rules: Ints, state: Ints, history: Ints, i: int, numbers: Ints, out: Ints, at: int) -> None:
    """Describe the betting of row i, as the player to act sees it, in out[at]."""
    g, me = state[i, c.GAME], state[i, c.ACTOR]
    owed, _, high = legal(rules, state, i)
    for k in range(out.shape[1]):
        out[at, k] = 0
    street, code, slot, bet, last = 0, 1, 0, 0, -1
    spent_0, spent_1 = rules[g, c.BLIND], rules[g, c.BLIND + 1]
    bet = max(spent_0, spent_1)
    out[at, _CHIPS_ME], out[at, _CHIPS_OTHER] = (spent_1, spent_0) if me else (spent_0, spent_1)
    for j in range(state[i, c.COUNT] + 1):
        while street < state[i, c.ROUND] and state[i, c.ROUND_AT + street + 1] <= j:
            out[at, _BET + street] = numbers[code]
            street, code, slot = street + 1, 1, 0
        if j == state[i, c.COUNT]:
            break
        action, who = history[i, j] >> c.ACTOR_BITS, history[i, j] & c.ACTOR_MASK
        raised = action >= c.RAISE
        code = min(3 * code + min(action, 2), len(numbers) - 1)
        bet = action if raised else bet
        paid = bet - (spent_1 if who else spent_0)
        if who:
            spent_1 = bet
        else:
            spent_0 = bet
        out[at, (_CHIPS_ME if who == me else _CHIPS_OTHER) + street] += paid
        if raised:
            out[at, 1] += 1
            out[at, 2] += who
            out[at, (_RAISES_ME if who == me else _RAISES_OTHER) + street] += 1
            last = who
        if slot < (4 if street == 0 else 5):
            out[at, _SLOT + (0 if street == 0 else 5 * street - 1) + slot] = min(action, 2)
        slot += 1
    out[at, 0], out[at, 4], out[at, 5] = street, me, state[i, c.POT]
    out[at, 3] = state[i, c.RAISES] > 0
    out[at, _BET + street] = numbers[code]
    out[at, _OWED], out[at, _MAY_RAISE] = owed, high > 0
    out[at, _INITIATIVE] = 0 if last < 0 else 1 if last == me else -1


@tight
def _betting_rows(rules: Ints, state: Ints, history: Ints, numbers: Ints, out: Ints) -> None:
    for i in range(len(state)):
        betting_row(rules, state, history, i, numbers, out, i)


@dataclass(frozen=True)
class Seen:
    """What many decisions look like: own cards, open board and betting, from which every attribute follows."""

    hole: NDArray[np.uint8]
    board: NDArray[np.int8]
    """Open board cards, -1 where nothing is dealt."""
    betting: Ints
    pv: NDArray[np.float64]
    """Equity against one random hand, in thousandths."""
    scale: float = 1.0
    """What one chip of the game is in chips of a big blind of 10."""

    def __len__(self) -> int:
        return len(self.hole)

    @classmethod
    def of(cls, observations: Observations, pv_samples: int = 0) -> Seen:
        """What the players to act see."""
        o = observations
        betting = np.empty((len(o), WIDTH), np.int64)
        rules = o.game.row[None, :]
        _betting_rows(rules, o.state, o.history, sequence_numbers(), betting)
        pv = win_probability(o.hole, o.board, pv_samples, o.luck)
        return cls(o.hole, o.board, betting, pv, BIG_BLIND / o.game.big_blind)

    def matrix(self, names: Sequence[str]) -> NDArray[np.float32]:
        """The attributes of these names, one row a decision; 32 bits, as trees compare."""
        out = np.empty((len(self), len(names)), np.float32)
        for k, name in enumerate(names):
            out[:, k] = self.attribute(name)
        return out

    def attribute(self, name: str) -> NDArray[Any]:
        """One attribute of every decision."""
        if name == "pv":
            return self.pv
        if name in _BETTING:
            at = _BETTING.index(name)
            return self.betting[:, at] * self.scale if at in _IN_CHIPS else self.betting[:, at]
        if name in _CARDS:
            return self._card(name) + 1
        if name in ELEMENTARY:
            card, _, part = name.rpartition("_")
            index = self._card(card)
            return np.where(index < 0, 0, index // 4 + 2 if part == "rank" else index % 4 + 1)
        raise UnreadableError(f"there is no attribute {name!r}; {did_you_mean(name, ATTRIBUTES)}")

    def _card(self, name: str) -> Ints:
        at = _CARDS.index(name)
        cards = self.hole[:, at] if at < 2 else self.board[:, at - 2]
        return cards.astype(np.int64)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which of fold, call and raise our agents may choose: a fold only where something is owed."""
        out = np.ones((len(self), 3), np.bool_)
        out[:, c.FOLD] = self.betting[:, _OWED] > 0
        out[:, c.RAISE] = self.betting[:, _MAY_RAISE] > 0
        return out


def win_probability(
    hole: NDArray[np.uint8], board: NDArray[np.int8], samples: int, luck: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """PV in thousandths: exact, or from so many sampled deals a row."""
    from mazzo.holdem.equity import equities, sampled_equity

    if samples:
        return sampled_equity(hole, board, 1, samples, luck)[0] * 1000
    numerators, denominators = equities(hole, board, 1)
    return numerators / denominators * 1000


def attribute_names(text: str | None) -> tuple[str, ...]:
    """Attributes from a set's name or a list with commas; by default those of `LEARNING`."""
    if not text:
        return LEARNING
    names: list[str] = []
    for word in text.replace(" ", "").lower().split(","):
        given = ATTRIBUTE_SETS.get(word, (word,))
        for name in given:
            if name not in ATTRIBUTES:
                raise UnreadableError(
                    f"there is no attribute {name!r}; {did_you_mean(name, [*ATTRIBUTES, *ATTRIBUTE_SETS])}"
                )
            if name not in names:
                names.append(name)
    return tuple(names)
