"""Whose decisions a log allows to be learned from: hands of one kind of game, players whose cards are known."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.learning.choices import TableKind
from mazzo.holdem.logs.hands import Hands

if TYPE_CHECKING:
    from mazzo.holdem.learning.decisions import Decisions

__all__ = ["Seats", "fits", "known_cards", "player_numbers"]

_OPEN, _FEWEST = 0.9, 30
"""From this share of so many known hands on a player's cards count as known: the rest is damage, not choice."""
_BOARD = np.array((0, 3, 4, 5))
_NUMBERS = 1 << 16


def player_numbers(names: Sequence[str]) -> Ints:
    """Players as numbers that are the same in every read: most names share no number, and none has two."""
    return np.array([int.from_bytes(hashlib.blake2b(n.encode(), digest_size=2).digest()) for n in names], np.int64)


def fits(hands: Hands, kind: TableKind) -> NDArray[np.bool_]:
    """Which hands are of a kind of game; in a log of heads-up limit all must be."""
    reasons = [kind.unsupported_reason(game) for game in hands.games]
    used = np.unique(hands.state[:, c.GAME])
    if kind.heads_up_limit:
        for number in used:
            if reasons[number]:
                raise UnreadableError(
                    f"{hands.source} has hands of {hands.games[number].name}, which cannot be learned from: "
                    f"{reasons[number]}"
                )
    return np.array([not reason for reason in reasons])[hands.state[:, c.GAME]]


def known_cards(hands: Hands) -> NDArray[np.bool_]:
    """Where a player's cards are known, and the board as far as it was played; a column a position."""
    positions = hands.net.shape[1]
    holes = hands.cards[:, : 2 * positions]
    known = np.zeros((len(hands), positions), np.bool_)
    pairs = holes[:, : holes.shape[1] // 2 * 2].reshape(len(hands), -1, 2)
    known[:, : pairs.shape[1]] = (pairs != UNKNOWN).all(axis=2)
    players, most = hands.players, hands.cards.shape[1] - 1
    for k in range(5):
        card = hands.cards[np.arange(len(hands)), np.minimum(2 * players + k, most)]
        needed = _BOARD[_last_street(hands)] > k
        known &= ~(needed & (card == UNKNOWN))[:, None]
    return known


def _last_street(hands: Hands) -> Ints:
    """The last street on which anybody had something to decide."""
    begun = hands.state[:, c.ROUND_AT : c.ROUND_AT + c.MAX_ROUNDS] < hands.state[:, c.COUNT, None]
    reached = np.arange(c.MAX_ROUNDS) <= hands.state[:, c.ROUND, None]
    return np.asarray(np.where(begun & reached, np.arange(c.MAX_ROUNDS), 0).max(axis=1))


class Seats:
    """How often players were dealt in, and how often their cards are known."""

    def __init__(self) -> None:
        self._dealt = np.zeros(_NUMBERS, np.int64)
        self._known = np.zeros(_NUMBERS, np.int64)
        self.left_out = 0

    def count(self, hands: Hands, wanted: NDArray[np.bool_], fitting: NDArray[np.bool_]) -> None:
        """Count the wanted seats of some hands."""
        numbers = player_numbers(hands.names)[np.maximum(hands.seating[:, : wanted.shape[1]], 0)]
        self._dealt += np.bincount(numbers[wanted], minlength=_NUMBERS)
        self._known += np.bincount(numbers[wanted & known_cards(hands)], minlength=_NUMBERS)
        self.left_out += int((~fitting).sum())

    def open_ones(self, made: Decisions, idle_player: Ints) -> Decisions:
        """The decisions of players whose cards are known; of all where there are none such.

        A player whose cards a log shows only now and then shows those that went to a showdown.
        """
        known = (self._dealt >= _FEWEST) & (self._known >= _OPEN * self._dealt)
        if not known.any():
            return replace(made, shown=float(self._known.sum() / max(1, self._dealt.sum())))
        kept = made.rows(known[made.player])
        return replace(kept, idle=made.idle[known[idle_player]])
