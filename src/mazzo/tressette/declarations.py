"""Declarations in words: `napoli`, `napoli d` (where suits are named), `bongioco 2 without c`, `corona A`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError
from mazzo.tressette.kernels import CORONA

__all__ = ["in_words", "parse"]

_RANKS = ("A", "2", "3")
_SHAPES = "napoli, napoli d, bongioco 2 without c, corona A"


def in_words(declared: NDArray[np.int8], napoli: int = 0) -> str:
    """One seat's declarations; `napoli` holds the suits (bits) where they are named."""
    if declared[0] < 0:  # not said yet
        return ""
    named = [suit for suit in range(4) if napoli >> suit & 1]
    words = [f"napoli {ITALIAN.suits[suit]}" for suit in named]
    words += ["napoli"] * (int(declared[0]) - len(named))
    for rank, what in zip(_RANKS, declared[1:], strict=True):
        if what == CORONA:
            words.append(f"corona {rank}")
        elif what:
            words.append(f"bongioco {rank} without {ITALIAN.suits[what - 1]}")
    return ", ".join(words)


def parse(text: str) -> tuple[NDArray[np.int8], int]:
    """Declarations from their words, as `in_words` writes them: what was declared, and the suits of named napoli."""
    declared, napoli = np.zeros(4, np.int8), 0
    for item in filter(None, (part.strip().lower() for part in text.split(","))):
        words = item.replace("without", " ").split()
        kind = words[0]
        if kind == "napoli" and len(words) <= 2:
            declared[0] += 1
            if len(words) == 2:
                napoli |= 1 << _suit(words[1], item)
        elif (kind == "bongioco" and len(words) == 3) or (kind == "corona" and len(words) == 2):
            rank = _rank(words[1], item)
            if declared[1 + rank]:
                raise UnreadableError(f"{_RANKS[rank]} is declared twice in {text!r}: a corona replaces its bongioco")
            declared[1 + rank] = CORONA if kind == "corona" else 1 + _suit(words[2], item)
        else:
            raise UnreadableError(f"cannot read the declaration {item!r}: write it like one of: {_SHAPES}")
    return declared, napoli


def _suit(text: str, item: str) -> int:
    names = [*ITALIAN.suits, *ITALIAN.suit_names]
    if text not in names:
        raise UnreadableError(f"{text!r} in the declaration {item!r} is no suit: one of {', '.join(ITALIAN.suits)}")
    return names.index(text) % 4


def _rank(text: str, item: str) -> int:
    rank = {"1": "A", "a": "A"}.get(text, text)
    if rank not in _RANKS:
        raise UnreadableError(f"{text!r} in the declaration {item!r} is no rank that is declared: A, 2 or 3")
    return _RANKS.index(rank)
