"""The values nominal attributes can take, in the order in which data sets number them."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import FRENCH
from mazzo.holdem.rules import Rules

__all__ = [
    "ABSTRACTIONS",
    "ACTIONS",
    "BOARD_TEXTURES",
    "CARDS",
    "DRAWS",
    "HAND_RANKS",
    "HAND_TYPES",
    "INVALID",
    "OTHER",
    "POSITIONS",
    "RANKS",
    "SIMPLE_TEXTURES",
    "SUITS",
    "TRUTH",
    "card_numbers",
    "hole_numbers",
    "hole_texts",
    "position_numbers",
    "rank_pair_numbers",
    "rank_pair_texts",
    "sequence_code",
    "sequence_text",
    "sequences",
]

INVALID = "INVALID"
OTHER = "OTHER"
TRUTH = ("true", "false")
ACTIONS = ("RAISE", "FOLD", "CALL", INVALID)
POSITIONS = ("SB", "BB", "UTG_1", "UTG_2", "UTG_3", "MP_1", "MP_2", "MP_3", "CO", "BU", INVALID)
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", INVALID)
SUITS = ("c", "d", "h", "s", INVALID)
CARDS = (*(rank + suit for suit, rank in product(SUITS[:4], RANKS[:13])), INVALID)
"""Suit by suit, as the text lists them."""
ABSTRACTIONS = ("ACTIVE_ACTIVE", "ACTIVE_PASSIVE", "PASSIVE_PASSIVE", "FIRST_TO_ACT", "ACTIVE", "PASSIVE", INVALID)
HAND_RANKS = (
    "HIGH_CARD",
    "PAIR",
    "TWO_PAIR",
    "THREE_OF_A_KIND",
    "STRAIGHT",
    "FLUSH",
    "FULL_HOUSE",
    "FOUR_OF_A_KIND",
    "STRAIGHT_FLUSH",
)
HAND_TYPES = (
    "NOTHING",
    "PAIR",
    "TOPPAIR",
    "OVERPAIR",
    "TWOPAIR",
    "TRIPS",
    "STRAIGHT",
    "FLUSH",
    "FULLHOUSE",
    "QUADS",
    "STRAIGHTFLUSH",
)
DRAWS = ("STRAIGHT_DRAW", "FLUSH_DRAW", "STRAIGHT_AND-FLUSH_DRAW", "NO_DRAW")


def _textures(pairs: bool) -> tuple[str, ...]:
    kinds = product(("", "F", "F+"), ("", "S", "S+"), ("", "H", "H+") if pairs else ("",))
    return tuple("_".join(filter(None, kind)) or "NO_SALIENT" for kind in kinds)


BOARD_TEXTURES = _textures(pairs=True)
"""Number 9 F + 3 S + H, each 0, 1 or 2 (with a plus)."""
SIMPLE_TEXTURES = ("NO_SALIENT", "F", "F+", "S", "S+", "F_S", "F+_S", "F_S+", "F+_S+")


@cache
def card_numbers() -> NDArray[np.int64]:
    """The place in `CARDS` of each card by its index."""
    return np.array([CARDS.index(str(card)) for card in FRENCH])


@cache
def hole_texts() -> tuple[str, ...]:
    """All 1,326 pairs of hole cards, the higher first (of a pair the higher suit), and INVALID."""
    texts = []
    for high, low in product(CARDS[:52], repeat=2):
        ranks, suits = (RANKS.index(high[0]), RANKS.index(low[0])), (SUITS.index(high[1]), SUITS.index(low[1]))
        if ranks[0] > ranks[1] or (ranks[0] == ranks[1] and suits[0] > suits[1]):
            texts.append(high + low)
    return (*texts, INVALID)


@cache
def hole_numbers() -> NDArray[np.int64]:
    """The place in `hole_texts` of two cards by their indices, in either order."""
    table = np.full((52, 52), len(hole_texts()) - 1)
    for number, text in enumerate(hole_texts()[:-1]):
        high, low = (int(card) for card in FRENCH.parse(text))
        table[high, low] = table[low, high] = number
    return table


@cache
def rank_pair_texts() -> tuple[str, ...]:
    """The 91 pairs of ranks, 22 33 32 44 42 43 ... AK, and INVALID."""
    texts = []
    for high in range(13):
        texts.append(RANKS[high] * 2)
        texts += [RANKS[high] + RANKS[low] for low in range(high)]
    return (*texts, INVALID)


@cache
def rank_pair_numbers() -> NDArray[np.int64]:
    """The place in `rank_pair_texts` by higher and lower rank."""
    table = np.full((13, 13), len(rank_pair_texts()) - 1)
    for number, text in enumerate(rank_pair_texts()[:-1]):
        table[RANKS.index(text[0]), RANKS.index(text[1])] = number
    return table


@cache
def position_numbers(game: Rules) -> tuple[int, ...]:
    """The place in `POSITIONS` of each position of a game.

    The blinds are who posts them; the others are named from the button backwards (BU, CO, MP_3 ...), so that a name
    says how many act behind it. Heads-up the button is the small blind.
    """
    big = max(range(game.players), key=lambda p: game.blinds[p])
    small = next((p for p in range(game.players) if p != big and game.blinds[p]), None)
    names = [-1] * game.players
    names[big] = POSITIONS.index("BB")
    if small is not None:
        names[small] = POSITIONS.index("SB")
    name = POSITIONS.index("BU")
    for p in reversed(range(game.players)):
        if names[p] < 0:
            names[p] = name
            name = max(name - 1, POSITIONS.index("UTG_1"))
    return tuple(names)


def sequence_code(text: str) -> int:
    """The betting of a street as a number: a leading 1, then a digit of base 3 an action (f, c, r)."""
    code = 1
    for action in text:
        code = 3 * code + "fcr".index(action)
    return code


def sequence_text(code: int) -> str:
    """The betting of a street from its number; OTHER for 0, betting too long to have one."""
    if code <= 0:
        return OTHER
    text = ""
    while code > 1:
        code, action = divmod(code, 3)
        text = "fcr"[action] + text
    return text


@cache
def sequences(raises: int, players: int = 3, folds: int = 1) -> tuple[str, ...]:
    """What can be bet on one street of limit Hold'em, with folds allowed even where checking is free.

    With three players, one fold at most, and 3 or 4 raises these are the text's 178 and 370 values.
    """
    found: list[str] = []

    def follow(text: str, pending: int, live: int, raised: int) -> None:
        found.append(text)
        if pending == 0:
            return
        if raised < raises:
            follow(text + "r", live - 1, live, raised + 1)
        if players - live < folds:
            follow(text + "f", pending - 1, live - 1, raised)
        follow(text + "c", pending - 1, live, raised)

    follow("", players, players, 0)
    return tuple(found)
