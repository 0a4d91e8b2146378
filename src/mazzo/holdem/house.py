"""What a room does when a hand is over: it takes its rake, and deals the rest of an all-in's board more than once.

The rules of the game say who wins what (`kernels.settle`); a second board settles every pot once more by the same
rules, and each board decides half of what is in the pots. What does not divide goes to the first winner of the first
board. The rake is taken from what was matched, never from a bet that nobody called, and not from a hand that ended
before any card lay on the board ("no flop, no drop"); those who collect pay it, in proportion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables
from mazzo.holdem.table import Cards, Table

__all__ = ["House", "rake_of"]

_RAKE = r"(\d+(?:\.\d+)?)\s*%(?::(.+))?"
_CAP = r"(\d+(?:\.\d+)?)(?:@(\d+))?"


@dataclass(frozen=True)
class House:
    """A room's terms."""

    rake: float = 0.0
    """The share of the pot that it takes."""
    caps: tuple[tuple[int, float], ...] = ()
    """(players at the table from which it counts, the most that is taken in big blinds); none: no cap."""
    boards: int = 1
    """How many boards an all-in before the river is dealt."""

    @classmethod
    def of(cls, rake: str | None, run_twice: bool = False) -> House:
        """From text: `5%`, `5%:3` (a cap in big blinds), `5%:1@2,3@4` (by players: one for two, three from four on)."""
        share, caps = _read(rake) if rake is not None else (0.0, ())
        return cls(share, caps, 2 if run_twice else 1)

    def cap(self, players: int) -> float:
        """The most that is taken of a pot, in big blinds."""
        known = [most for least, most in self.caps if players >= least]
        return known[-1] if known else float("inf")

    def why_not(self, game: Rules) -> str:
        """Why these terms do not go with a game; empty where they do."""
        if self.boards > 1 and game.cards_dealt + self._extra(game) > len(game.deck):
            return f"the deck of {game.name} has no cards for a second board"
        return ""

    def _extra(self, game: Rules) -> int:
        return sum(game.board_cards) * (self.boards - 1)

    def cards_dealt(self, game: Rules) -> int:
        """Cards a hand may need."""
        return game.cards_dealt + self._extra(game)

    def settle(self, table: Table, dealt: Cards) -> Ints:
        """What every player won or lost, by position; `dealt` are the table's cards and those of further boards."""
        net = table.settle()
        if self.boards > 1:
            _run_again(table, dealt, self.boards, net)
        if self.rake:
            cap = self.cap(table.game.players) * table.game.big_blind
            net -= rake_of(table, net, self.rake, cap)
        return net


def _read(text: str) -> tuple[float, tuple[tuple[int, float], ...]]:
    found = re.fullmatch(_RAKE, text.strip())
    caps = [re.fullmatch(_CAP, part.strip()) for part in found[2].split(",")] if found and found[2] else []
    if found is None or not all(caps) or not 0 <= float(found[1]) < 100:
        raise UnreadableError(
            f"cannot read the rake {text!r}: write 5%, 5%:3 (at most three big blinds), or 5%:1@2,3@4 "
            "(at most one with two or three players, three from four players on)"
        )
    read = [(int(cap[2] or 0), float(cap[1])) for cap in caps if cap]
    if [least for least, _ in read] != sorted({least for least, _ in read}):
        raise UnreadableError(f"the caps of the rake {text!r} must be by number of players, the fewest first")
    return float(found[1]) / 100, tuple(read)


def _put_in(table: Table) -> Ints:
    players = table.game.players
    return np.asarray(table.state[:, c.SPENT : c.SPENT + players] + table.state[:, c.ANTE : c.ANTE + players])


def _acted_last(table: Table) -> Ints:
    """The street of each hand's last action; cards of later streets were dealt to players who could not bet."""
    rounds = table.game.rounds
    began = table.state[:, c.ROUND_AT : c.ROUND_AT + rounds]
    open_ = (began < table.state[:, c.COUNT : c.COUNT + 1]) & (np.arange(rounds) <= table.state[:, c.ROUND, None])
    return np.asarray(np.where(open_, np.arange(rounds), 0).max(axis=1))


def _run_again(table: Table, dealt: Cards, boards: int, net: Ints) -> None:
    """Settle hands that were all-in before the last street by all boards; `net` holds the first one's results."""
    game, last = table.game, _acted_last(table)
    live = table.state[:, c.LIVE]
    rows = np.flatnonzero((live & (live - 1) != 0) & (last < game.rounds - 1))
    if not len(rows):
        return
    first, board = game.players * game.hole_cards, sum(game.board_cards)
    put_in = _put_in(table)[rows]
    shares = [net[rows] + put_in]
    for k in range(1, boards):
        cards = dealt[rows, : game.cards_dealt].copy()
        again = dealt[rows, game.cards_dealt + (k - 1) * board : game.cards_dealt + k * board]
        for street in range(game.rounds - 1):
            here, seen = np.flatnonzero(last[rows] == street), game.board_seen(street)
            cards[here, first + seen :] = again[here, seen:]
        state = np.ascontiguousarray(table.state[rows])
        shares.append(
            kernels.settle_rows(table.rules, state, np.ascontiguousarray(cards), np.arange(len(rows)), tables())
            + put_in
        )
    won = np.sum([share // boards for share in shares], axis=0)
    winner = (shares[0] > 0).argmax(axis=1)
    won[np.arange(len(rows)), winner] += put_in.sum(axis=1) - won.sum(axis=1)
    net[rows] = won - put_in


def rake_of(table: Table, net: Ints, share: float, cap: float) -> Ints:
    """By (hand, position) what those who collected pay the house."""
    put_in = _put_in(table)
    two = np.sort(put_in, axis=1)[:, -2:]
    alone = two[:, 1] - two[:, 0]
    back = np.where(put_in == two[:, 1:], alone[:, None], 0)  # the part of the largest bet that nobody called
    pot = put_in.sum(axis=1) - alone
    seen = table.state[:, c.ROUND] > 0
    taken = np.where(seen, np.floor(np.minimum(share * pot + 1e-9, cap)), 0).astype(np.int64)
    collected: NDArray[np.int64] = np.maximum(net + put_in - back, 0)
    paid: Ints = collected * taken[:, None] // np.maximum(collected.sum(axis=1), 1)[:, None]
    most = collected.argmax(axis=1)
    paid[np.arange(len(net)), most] += taken - paid.sum(axis=1)
    return paid
