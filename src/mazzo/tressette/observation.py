"""What a seat may know of a round, and nothing else.

Everything is told from the observer's place: seat 0 is the observer ("me"), 1 the opponent who plays after it
("avv1"), 2 its partner ("compagno"), 3 the other opponent ("avv2").
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.document import CardRow, InWords
from mazzo.jit import kernel
from mazzo.tressette.declarations import in_words
from mazzo.tressette.kernels import State, legal_cards
from mazzo.tressette.rules import SIGNALS, Rules

__all__ = ["ALL_POINTS_WIN", "A_PERDERE", "DECLARED", "PLACES", "Observations", "cards_text", "look", "may_say"]

A_PERDERE, ALL_POINTS_WIN, DECLARED = 1, 2, 4
"""What the rules say of winning: points are lost; all eleven win the match; declarations are scored."""

_MAY_SAY = 3
"""Above those, a bit for each signal that the rules know; none where there is no talking."""

PLACES = ("me", "avv1", "compagno", "avv2")
"""Names of the four seats as the observer sees them, in order of play."""


@dataclass(frozen=True, repr=False, eq=False)
class Observations(InWords):
    """A batch of decisions; row i of every array is one of them."""

    hand: Ints
    """[n] the observer's cards."""
    legal: Ints
    """[n] those it may play now (0 where it is not its turn)."""
    shown: Ints
    """[n, 4] the cards each seat has played."""
    voids: Ints
    """[n, 4] suits (bits) each seat was seen not to follow, or said to have no more of."""
    owed: Ints
    """[n, 4] suits (bits) each seat said to hold more of, and has not shown since."""
    signals: NDArray[np.int8]
    """[n, 10] what the leader of each trick said (see `SIGNALS` of the rules); -1 where there is no talking."""
    declared: NDArray[np.int8]
    """[n, 4, 4] of each seat: how many napoli, then what it declared of aces, twos and threes; -1 before it is said."""
    napoli: Ints
    """[n, 4] suits (bits) of the napoli, where they are named; else 0."""
    played: NDArray[np.int8]
    """[n, 40] the cards in order of play, -1 where none yet."""
    leaders: NDArray[np.int8]
    """[n, 11] who leads each trick, -1 where not known yet."""
    count: Ints
    """[n] how many cards have been played."""
    thirds: Ints
    """[n, 2] thirds taken by the observer's side and by the other."""
    rng_key: NDArray[np.uint64]
    """[n] a random number for an agent that randomises."""
    match: Ints
    """[n, 4] of the match: points of the observer's side and of the other before this round, the target (0 where the
    round stands alone), and what the rules say of winning (`A_PERDERE`, `ALL_POINTS_WIN`, `DECLARED`) and of talking
    (see `may_say`)."""

    @property
    def luck(self) -> NDArray[np.uint64]:
        """The old name of `rng_key`."""
        return self.rng_key

    def __len__(self) -> int:
        return len(self.hand)

    def __getitem__(self, rows: NDArray[np.intp] | slice) -> Observations:
        """Some of the decisions: a slice or an array of their numbers."""
        return Observations(*[getattr(self, f.name)[rows] for f in fields(self)])

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions so far (a card + 40 times its leader's signal) in a batch of one."""
        signals = np.maximum(self.signals[0], 0)
        cards = self.played[0, : self.count[0]]
        return tuple(int(card) + (0 if k % 4 else 40 * int(signals[k // 4])) for k, card in enumerate(cards))

    def words(self) -> list[str]:
        """What the seat sees, in words."""
        shown, count = self.played[0, : self.count[0]], int(self.count[0])
        told = [
            f"{PLACES[seat]} declared {words}"
            for seat in range(4)
            if (words := in_words(self.declared[0, seat], int(self.napoli[0, seat])))
        ]
        table = " ".join(map(str, ITALIAN.cards(shown[count - count % 4 :])))
        parts = [f"my hand {cards_text(int(self.hand[0]))}", *told]
        parts.append(f"trick {min(count // 4 + 1, 10)}, {f'on the table {table}' if table else 'nothing on the table'}")
        parts.append(f"taken {self.thirds[0, 0] / 3:.1f} to {self.thirds[0, 1] / 3:.1f}")
        ours, theirs, target, _ = self.match[0]
        parts += [f"the match {ours} to {theirs}, to {target}"] if target else []
        may = cards_text(int(self.legal[0]))
        return [*parts, f"may play {may}" if may else "not to play"]

    def card_rows(self) -> list[CardRow]:
        """The seat's own cards and those on the table."""
        count = int(self.count[0])
        table = ITALIAN.cards(self.played[0, count - count % 4 : count])
        rows = (("my hand", ITALIAN.unmask(int(self.hand[0]))), ("on the table", table))
        return [CardRow(label, "italian", [str(card) for card in cards]) for label, cards in rows if cards]


def cards_text(mask: int) -> str:
    """The cards of a mask: `4d 5d As`."""
    return " ".join(map(str, ITALIAN.unmask(mask)))


def look(state: State, rules: Rules, match: Ints, rows: Ints, seats: Ints, rng_key: NDArray[np.uint64]) -> Observations:
    """What seat `seats[k]` knows of round `rows[k]`; napoli are told by their suits where they are `named`.

    `match` [n, 3]: points of seats 0 and 2 and of seats 1 and 3 before each round, and the target.
    """
    n = len(rows)
    flags = A_PERDERE * rules.a_perdere + ALL_POINTS_WIN * rules.stramazzo + DECLARED * (rules.declarations != "none")
    if rules.talk:
        flags |= sum(1 << _MAY_SAY + SIGNALS.index(word) for word in set(rules.may_be_said))
    standing = np.empty((n, 4), np.int64)
    standing[:, 0], standing[:, 1] = match[rows, seats & 1], match[rows, ~seats & 1]
    standing[:, 2], standing[:, 3] = match[rows, 2], flags
    o = Observations(
        hand=np.empty(n, np.int64),
        legal=np.empty(n, np.int64),
        shown=np.empty((n, 4), np.int64),
        voids=np.empty((n, 4), np.int64),
        owed=np.empty((n, 4), np.int64),
        signals=np.take(state.signals, rows, axis=0),  # several times as fast as indexing by rows
        declared=np.empty((n, 4, 4), np.int8),
        napoli=np.zeros((n, 4), np.int64),
        played=np.take(state.played, rows, axis=0),
        leaders=np.empty((n, 11), np.int8),
        count=np.take(state.plays, rows),
        thirds=np.empty((n, 2), np.int64),
        rng_key=rng_key,
        match=standing,
    )
    own, seen = (o.hand, o.legal), (o.shown, o.voids, o.owed, o.napoli, o.thirds)
    _turn_to(state, rules.named, rows, seats, own, seen, o.played, o.declared, o.leaders)
    if rules.declarations != "before":
        untold = o.count < 4 if rules.declarations == "after" else np.ones(n, np.bool_)
        o.declared[untold] = -1
        o.napoli[untold] = 0
    return o


def may_say(observations: Observations) -> Ints:
    """[n] bits of the signals that may be given by the rules: 1 << 1 busso, 1 << 2 striscio, 1 << 3 volo."""
    return np.asarray(observations.match[:, 3] >> _MAY_SAY)


@kernel
def _turn_to(
    state: State,
    named: bool,
    rows: Ints,
    seats: Ints,
    own: tuple[Ints, ...],
    seen: tuple[Ints, ...],
    played: NDArray[np.int8],
    declared: NDArray[np.int8],
    leaders: NDArray[np.int8],
) -> None:
    """Turn the table so that the observer sits at seat 0."""
    hand, legal = own
    shown, voids, owed, napoli, thirds = seen
    for k in range(len(rows)):
        i, me = rows[k], seats[k]
        count = state.plays[i]
        hand[k] = state.hands[i, me]
        place = count & 3
        led = played[k, count - place] // 10 if place else -1
        legal[k] = legal_cards(hand[k], led) if state.turn[i] == me else 0
        for seat in range(4):
            other = (me + seat) & 3
            shown[k, seat] = state.shown[i, other]
            voids[k, seat] = state.voids[i, other]
            owed[k, seat] = state.owed[i, other]
            if named:
                napoli[k, seat] = state.napoli[i, other]
            for j in range(4):
                declared[k, seat, j] = state.declared[i, other, j]
        for side in range(2):
            thirds[k, side] = state.thirds[i, (me + side) & 1]
        for trick in range(11):
            leader = state.leaders[i, trick]
            leaders[k, trick] = (leader - me) & 3 if leader >= 0 else -1
