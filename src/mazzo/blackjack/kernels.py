"""Rounds advanced by one action: begin, legal, apply, settle, over rows of arrays. The rules of a hand are `hands`.

`simulation.play_out` plays whole rounds by the same rules; a test holds both equal, card by card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes, Floats, Ints
from mazzo.blackjack.columns import (
    ACTED,
    ANSWERED,
    AT,
    COLUMNS,
    DEALER,
    DEALERS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    EVEN,
    EVEN_MONEY,
    FINISHED,
    FIRST,
    FROM_SPLIT,
    GIVEN,
    HANDS,
    HOLE,
    INSURE,
    INSURED,
    LEAVE,
    LEFT,
    OVER,
    PHASE,
    PLAYING,
    SIDE_BETS,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    TURN,
)
from mazzo.blackjack.hands import (
    TableRules,
    box_of,
    cards_in,
    dealer_draws,
    ends,
    hole_needed,
    may,
    natural,
    offered,
    one_card,
    result,
    second_card,
    take,
    to_beat,
    total_of,
)
from mazzo.jit import inlined, kernel, tight_helper
from mazzo.rng import below, fork

__all__ = ["RoundState", "apply", "begin", "deal", "legal", "new_rounds", "settle"]


class RoundState(NamedTuple):
    """Rounds in progress, a row each."""

    cell: Ints
    """[row, column]: see `columns`."""
    hands: Ints
    """[row, hand]: a box's hands are side by side."""
    left: Ints
    """[row, rank]: the cards in the shoe."""
    dealt: Bytes
    """[row, number]: the rank of each card drawn; beforehand those that are given."""
    owner: Ints
    """[row, number]: the hand that each card drawn belongs to; `DEALERS` the dealer's."""
    key: np.ndarray[tuple[int], np.dtype[np.uint64]]
    """[row]: the round's chance."""


def new_rounds(keys: np.ndarray[tuple[int], np.dtype[np.uint64]], hands: int, cards: int) -> RoundState:
    """Room for rounds of these keys, each of so many hands and cards at the most."""
    rows = len(keys)
    return RoundState(
        np.zeros((rows, COLUMNS), np.int64),
        np.zeros((rows, hands), np.int64),
        np.zeros((rows, 10), np.int64),
        np.zeros((rows, cards), np.uint8),
        np.full((rows, cards), DEALERS, np.int64),
        keys,
    )


@inlined
def _draw(state: RoundState, i: int, owner: int) -> int:
    """One card: the one given, else any that is left, as likely as there are cards of its rank."""
    number = state.cell[i, DRAWN]
    if number >= state.dealt.shape[1]:
        raise IndexError("the shoe is empty")  # endless splits of a small shoe; the table says it in its own words
    rank = 0
    if number < state.cell[i, GIVEN]:
        rank = int(state.dealt[i, number])
    else:
        place, before = below(fork(state.key[i], number), state.cell[i, LEFT]), 0
        for r in range(9):
            before += state.left[i, r]
            rank += int(place >= before)
    state.left[i, rank] -= 1
    state.dealt[i, number] = rank
    state.owner[i, number] = owner
    state.cell[i, DRAWN] = number + 1
    state.cell[i, LEFT] -= 1
    return rank


@inlined
def upcard_of(state: RoundState, i: int) -> int:
    """The dealer's open card."""
    return int((state.cell[i, DEALER] >> FIRST) & 15)


@inlined
def _hands_of(state: RoundState, i: int, box: int) -> int:
    count = 0
    for k in range(state.cell[i, HANDS]):
        count += int(box_of(state.hands[i, k]) == box)
    return count


@kernel
def begin(rules: TableRules, state: RoundState, boxes: int, rows: Ints) -> None:
    """Deal these rounds: a card to each box, the upcard, a second card to each box, the hole card under a peek."""
    for i in rows:
        deal(rules, state, boxes, i)


@tight_helper
def deal(rules: TableRules, state: RoundState, boxes: int, i: int) -> None:
    """`begin` one round."""
    cell = state.cell[i]
    cell[DRAWN] = cell[ACTED] = cell[ANSWERED] = cell[INSURED] = cell[EVEN] = cell[AT] = 0
    cell[HANDS], cell[PHASE], cell[HOLE], cell[LEFT] = boxes, SIDE_BETS, -1, 0
    for rank in range(10):
        cell[LEFT] += state.left[i, rank]
    for box in range(boxes):
        state.hands[i, box] = one_card(_draw(state, i, box), box)
    cell[DEALER] = one_card(_draw(state, i, DEALERS), 0)
    for box in range(boxes):
        state.hands[i, box] = second_card(state.hands[i, box], _draw(state, i, box))
    if rules.peek:
        cell[HOLE] = cell[DRAWN]
        cell[DEALER] = second_card(cell[DEALER], _draw(state, i, DEALERS))
    _advance(rules, state, i)


@inlined
def _asked(rules: TableRules, state: RoundState, i: int) -> int:
    """The next box that is offered a side bet and has not answered; -1 if there is none. No hand is split yet."""
    for box in range(state.cell[i, HANDS]):
        open_ = (state.cell[i, ANSWERED] >> box) & 1 == 0
        if open_ and offered(rules, state.hands[i, box], upcard_of(state, i)) != 0:
            return box
    return -1


@tight_helper
def _waits(rules: TableRules, state: RoundState, i: int, k: int) -> bool:
    """Whether a hand is still to be played, as the dealer knows it."""
    hand, cell = state.hands[i, k], state.cell[i]
    if (hand & OVER) != 0 or natural(hand):
        return False
    if not rules.peek or not natural(cell[DEALER]):
        return True
    # Early surrender under a peek: a box's first decision comes before the dealer looks.
    early = not rules.late and rules.surrenders[0, upcard_of(state, i)]
    return early and (cell[ACTED] >> box_of(hand)) & 1 == 0


@tight_helper
def _advance(rules: TableRules, state: RoundState, i: int) -> None:
    """Find who is to decide; when nobody is, the dealer plays."""
    cell = state.cell[i]
    if cell[PHASE] == SIDE_BETS:
        box = _asked(rules, state, i)
        if box >= 0:
            cell[TURN] = cell[AT] = box
            return
        cell[PHASE] = PLAYING
    for k in range(cell[HANDS]):
        if not _waits(rules, state, i, k):
            continue
        box = box_of(state.hands[i, k])
        if cards_in(state.hands[i, k]) == 1:
            state.hands[i, k] = second_card(state.hands[i, k], _draw(state, i, k))
        if ends(rules, state.hands[i, k], upcard_of(state, i), _hands_of(state, i, box)):
            state.hands[i, k] |= OVER
            continue
        cell[TURN], cell[AT] = box, k
        return
    _finish(rules, state, i)


@tight_helper
def _finish(rules: TableRules, state: RoundState, i: int) -> None:
    """The dealer takes his cards."""
    cell = state.cell[i]
    waiting, naturals, given_up, unpaid = 0, 0, 0, False
    for k in range(cell[HANDS]):
        hand = state.hands[i, k]
        paid = (cell[EVEN] >> box_of(hand)) & 1 == 1
        unpaid |= not paid
        naturals += int(natural(hand))
        given_up += int((hand & SURRENDERED) != 0)
        alive = (hand & SURRENDERED) == 0 and not natural(hand) and total_of(hand)[0] <= 21
        waiting += int(alive)
    if cards_in(cell[DEALER]) == 1 and hole_needed(rules, waiting, naturals, given_up, cell[INSURED] != 0, unpaid):
        cell[DEALER] = second_card(cell[DEALER], _draw(state, i, DEALERS))
    while waiting > 0 and not natural(cell[DEALER]):
        total, soft = total_of(cell[DEALER])
        if not dealer_draws(rules, total, soft):
            break
        cell[DEALER] = take(cell[DEALER], _draw(state, i, DEALERS))
    cell[PHASE], cell[TURN], cell[AT] = FINISHED, -1, -1


@tight_helper
def legal(rules: TableRules, state: RoundState, i: int) -> int:
    """The legal actions of a round, a bit each.

    While side bets are offered, a box whose hand is the next to play may play it at once, which leaves the offer: so
    what is legal does not tell what the dealer has looked at.
    """
    cell = state.cell[i]
    if cell[PHASE] == FINISHED:
        return 0
    hand, upcard = state.hands[i, cell[AT]], upcard_of(state, i)
    if cell[PHASE] == PLAYING:
        return may(rules, hand, upcard, _hands_of(state, i, box_of(hand)))
    allowed = offered(rules, hand, upcard) | (1 << LEAVE)
    for box in range(cell[HANDS]):
        other = state.hands[i, box]
        before = box < cell[TURN] and not natural(other)
        after = box > cell[TURN] and offered(rules, other, upcard) != 0
        if before or after:
            return allowed
    return allowed if natural(hand) else allowed | may(rules, hand, upcard, 1)


@tight_helper
def apply(rules: TableRules, state: RoundState, i: int, action: int) -> None:
    """Carry out a legal action in one round."""
    cell = state.cell[i]
    if cell[PHASE] == SIDE_BETS:
        box = cell[TURN]
        cell[ANSWERED] |= 1 << box
        if action == INSURE:
            cell[INSURED] |= 1 << box
        elif action == EVEN_MONEY:
            cell[EVEN] |= 1 << box
        _advance(rules, state, i)
        if action > SURRENDER or cell[PHASE] != PLAYING:
            return
    _play(rules, state, i, action)
    _advance(rules, state, i)


@tight_helper
def _play(rules: TableRules, state: RoundState, i: int, action: int) -> None:
    cell, at = state.cell[i], state.cell[i, AT]
    hand = state.hands[i, at]
    cell[ACTED] |= 1 << box_of(hand)
    if action == SURRENDER:
        hand |= SURRENDERED | OVER
    elif rules.sparing and rules.peek and natural(cell[DEALER]):
        return  # the dealer has looked: nothing is drawn any more
    elif action == SPLIT:
        hand = _split(rules, state, i, at)
    elif action == STAND:
        hand |= OVER
    else:
        hand = take(hand, _draw(state, i, at))
        if action == DOUBLE:
            hand |= DOUBLED | OVER
    state.hands[i, at] = hand


@tight_helper
def _split(rules: TableRules, state: RoundState, i: int, at: int) -> int:
    """Move the second card to a new hand beside this one; both hands' second cards at once, or each in its turn."""
    cell, hand = state.cell[i], state.hands[i, at]
    for k in range(cell[HANDS], at + 1, -1):
        state.hands[i, k] = state.hands[i, k - 1]
    moved = False
    for number in range(cell[DRAWN] - 1, -1, -1):
        owner = state.owner[i, number]
        if owner > at or (owner == at and not moved):
            state.owner[i, number] = owner + 1
            moved |= owner == at
    cell[HANDS] += 1
    rank, box = (hand >> FIRST) & 15, box_of(hand)
    one = other = one_card(rank, box) | FROM_SPLIT
    if not rules.sparing:
        one = second_card(one, _draw(state, i, at))
        other = second_card(other, _draw(state, i, at + 1))
    state.hands[i, at + 1] = other
    return one


@tight_helper
def settle(rules: TableRules, state: RoundState, i: int, won: Floats) -> None:
    """Fill what each box of a finished round won, in units of the bet."""
    cell = state.cell[i]
    blackjack = natural(cell[DEALER])
    beat = to_beat(total_of(cell[DEALER])[0], blackjack)
    won[:] = 0.0
    for k in range(cell[HANDS]):
        hand = state.hands[i, k]
        box = box_of(hand)
        paid = (cell[EVEN] >> box) & 1 == 1
        won[box] += 1.0 if paid else result(rules, hand, beat, blackjack)
    for box in range(won.shape[0]):
        if (cell[INSURED] >> box) & 1:
            won[box] += 1.0 if blackjack else -0.5
