"""Shoes played by somebody who counts: rounds by the million, cards seen as a player at the table sees them.

Before a round the count of all cards gone sets the bet; at every decision the count of all cards on the table but the
hole card sets the play. The rules of hands, the shoe and the dealer are those of `hands` and `simulation`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes, Floats, Ints
from mazzo.blackjack.columns import (
    ACE_BIT,
    DOUBLE,
    EVEN_MONEY,
    FROM_SPLIT,
    HIT,
    INSURE,
    LEAVE,
    POINTS,
    SPLIT,
    SURRENDER,
    SURRENDERED,
)
from mazzo.blackjack.counting.index_tables import CountedPlays
from mazzo.blackjack.dealing import THROUGH, Cards, Dealing, draw, open_shoe
from mazzo.blackjack.hands import (
    TableRules,
    ace_and_ten,
    hole_needed,
    most_hands,
    natural_result,
    offered,
    one_card,
    played_result,
    played_to,
    points,
    second_card,
    to_beat,
    total_of,
)
from mazzo.blackjack.simulation import play_dealer
from mazzo.jit import inlined, tight
from mazzo.rng import fork

__all__ = [
    "BINS",
    "COLUMNS",
    "DIVISORS",
    "LOWEST",
    "ROUNDINGS",
    "CounterBetting",
    "CounterRoom",
    "Player",
    "Tags",
    "play_counted",
]

DIVISORS = ("exact", "half", "deck", "running")
"""What the running count is divided by: decks unseen to the card, to the half or the whole deck by the discard tray;
or by nothing."""
EXACT, HALF, DECK, RUNNING = range(4)
ROUNDINGS = ("floor", "truncate", "round", "none")
FLOOR, TRUNCATE, ROUND, PLAIN = range(4)

BINS, LOWEST = 61, -30
"""Rounds are told apart by the count before them, floored: from 30 below zero to 30 above."""
COLUMNS = ("rounds", "won", "squares", "money", "money squares", "stakes", "played")
"""What is summed in each bin: rounds seen, results in bets and their squares, money and its squares, money staked,
rounds played."""


class Tags(NamedTuple):
    """A count as the kernel takes it."""

    play: Floats
    """[rank]: for plays."""
    bet: Floats
    """[rank]: for bets; aces counted beside are in it."""
    start: float
    divisor: int
    rounding: int


class Player(NamedTuple):
    """How a counter plays, and by which rules."""

    tags: Tags
    plays: CountedPlays
    rules: TableRules


class CounterBetting(NamedTuple):
    """What is bet, and where nothing is."""

    edges: Floats
    """The counts at which the next bet begins; below the first the first bet is made."""
    bets: Floats
    rise: float
    """A bet is at most this many times the last."""
    boxes: int
    others: int
    """Other players, who play basic strategy and act first."""
    enter: float
    """Join at this count; minus infinity: from the start."""
    leave: float
    """Leave below this count; minus infinity: never."""
    watched: int
    """1: a shoe that was left is watched on, and joined again at `enter`; 0: it is left for good."""


class CounterRoom(NamedTuple):
    """Room to work in."""

    deck: Bytes
    used: Ints
    first: Ints
    """[box]: the first card."""
    second: Ints
    hands: Ints
    """The hands of our boxes, in order."""
    ends: Ints
    """[box]: where its hands end."""
    sides: Ints
    """[box]: the side bet it took."""


@inlined
def _rounded(rounding: int, count: float) -> float:
    if rounding == FLOOR:
        return np.floor(count)  # type: ignore[no-any-return]
    if rounding == TRUNCATE:
        return np.trunc(count)  # type: ignore[no-any-return]
    return np.floor(count + 0.5) if rounding == ROUND else count


@inlined
def true_count(tags: Tags, running: float, unseen: int, in_shoe: int) -> float:
    """The count to act on.

    Args:
        tags: The count and its conventions.
        running: The running count.
        unseen: Cards not seen.
        in_shoe: Cards that are not in the discard tray.
    """
    if tags.divisor == RUNNING:
        return _rounded(tags.rounding, running + tags.start)
    decks = unseen / 52.0
    if tags.divisor == HALF:
        decks = max(0.5, np.floor(in_shoe / 26.0 + 0.5) / 2.0)
    elif tags.divisor == DECK:
        decks = max(1.0, np.floor(in_shoe / 52.0 + 0.5))
    return _rounded(tags.rounding, running / decks)


@inlined
def _stretch(edges: Floats, count: float) -> int:
    at = 0
    for k in range(edges.shape[0]):
        at += int(count >= edges[k])
    return at


class SeenCards(NamedTuple):
    """What is seen of a round's cards."""

    begun: int
    """Cards in the discard tray."""
    hidden: int
    """Cards dealt that are not seen: the hole card."""
    upcard: int
    counts: bool
    """Whether plays follow the count."""


@inlined
def _now(player: Player, view: SeenCards, running: float, cards: Cards) -> int:
    """The stretch of counts of this moment."""
    in_all = cards.ranks.shape[0]
    count = true_count(player.tags, running, in_all - cards.used[0] + view.hidden, in_all - view.begun)
    return _stretch(player.plays.edges, count)


@inlined
def _play_hand(
    cards: Cards, counter: np.uint64, player: Player, view: SeenCards, running: float, hand: int, action: int
) -> tuple[int, np.uint64, float]:
    """Draw as the count says; the hand as `played_to`, the counter, the running count."""
    hard, ace = hand & POINTS, (hand >> ACE_BIT) & 1
    while action in (HIT, DOUBLE):
        card, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        running += player.tags.play[card]
        hard += card + 1
        ace |= int(card == 0)
        total, soft = points(hard, ace)
        if (action == DOUBLE) | (total > 20):
            break
        at = player.plays.base
        if view.counts and total > 11:
            at = _now(player, view, running, cards)
        if not player.plays.hits[at, soft, total, view.upcard]:
            break
    return played_to(hard, ace, action == DOUBLE), counter, running


@inlined
def _play_splits(
    cards: Cards,
    counter: np.uint64,
    player: Player,
    view: SeenCards,
    running: float,
    low: int,
    hands: Ints,
    done: int,
) -> tuple[int, int, int, np.uint64, float]:
    """The hands of a split pair, written to `hands` from `done` on: their end; waiting, given up; counter, count."""
    to_play = number = 2
    most, waiting, given_up = most_hands(player.rules, low), 0, 0
    while to_play > 0:
        high, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        running += player.tags.play[high]
        if high == low and number < most:
            number += 1
            to_play += 1
            continue
        to_play -= 1
        at = _now(player, view, running, cards) if view.counts else player.plays.base
        action = int(player.plays.after_split[at, low, high, view.upcard])
        hand = second_card(one_card(low, 0) | FROM_SPLIT, high)
        if action == SURRENDER:
            hand |= SURRENDERED
            given_up += 1
        else:
            hand, counter, running = _play_hand(cards, counter, player, view, running, hand, action)
            waiting += int(total_of(hand)[0] <= 21)
        hands[done] = hand
        done += 1
    return done, waiting, given_up, counter, running


@inlined
def _side_bet(rules: TableRules, plays: CountedPlays, count: float, hand: int, upcard: int) -> int:
    """The side bet taken: even money rather than insurance, from the same count."""
    bets = offered(rules, hand, upcard)
    if bets == 0 or upcard != 0 or count < plays.insurance:
        return LEAVE
    return EVEN_MONEY if (bets >> EVEN_MONEY) & 1 else INSURE


@inlined
def _deal(room: CounterRoom, cards: Cards, counter: np.uint64, tags: Tags, boxes: int) -> tuple[float, np.uint64]:
    """The first two cards of every box: what they count."""
    seen = 0.0
    for box in range(boxes):
        room.first[box], counter = draw(cards.ranks, cards.used, 0, counter, THROUGH)
        room.second[box], counter = draw(cards.ranks, cards.used, 0, counter, THROUGH)
        seen += tags.play[room.first[box]] + tags.play[room.second[box]]
    return seen, counter


@inlined
def _settle(rules: TableRules, room: CounterRoom, boxes: int, others: int, beat: int, blackjack: bool) -> float:
    """What our boxes win together."""
    won, begins = 0.0, room.ends[others - 1] if others > 0 else 0
    for box in range(others, boxes + others):
        if room.sides[box] == EVEN_MONEY:
            won += 1.0
        elif ace_and_ten(room.first[box], room.second[box]):
            won += natural_result(rules, blackjack)
        else:
            for k in range(begins, room.ends[box]):
                won += played_result(rules, room.hands[k], beat, blackjack)
        if room.sides[box] == INSURE:
            won += 1.0 if blackjack else -0.5
        begins = room.ends[box]
    return won


@inlined
def play_round(
    room: CounterRoom, counter: np.uint64, player: Player, running: float, boxes: int, others: int
) -> tuple[float, np.uint64]:
    """One round: what our boxes win together in bets, and the moved counter. Ours act last."""
    rules, plays = player.rules, player.plays
    cards, begun = Cards(room.deck, room.used, 0, THROUGH), room.used[0]
    seen, counter = _deal(room, cards, counter, player.tags, boxes + others)
    upcard, counter = draw(cards.ranks, cards.used, 0, counter, THROUGH)
    running += seen + player.tags.play[upcard]
    hole, dealer = -1, one_card(upcard, 0)
    if rules.peek:
        hole, counter = draw(cards.ranks, cards.used, 0, counter, THROUGH)
        dealer = second_card(dealer, hole)
    in_all, hidden = room.deck.shape[0], int(rules.peek)
    count = true_count(player.tags, running, in_all - room.used[0] + hidden, in_all - begun)
    insured, blackjack = False, ace_and_ten(upcard, hole)
    waiting, given_up, naturals, done = 0, 0, 0, 0
    for box in range(boxes + others):
        view = SeenCards(begun, hidden, upcard, box >= others)
        low, high = room.first[box], room.second[box]
        hand = second_card(one_card(low, 0), high)
        room.sides[box] = _side_bet(rules, plays, count, hand, upcard) if view.counts else LEAVE
        insured |= room.sides[box] == INSURE
        if ace_and_ten(low, high):
            naturals += 1
        else:
            at = _now(player, view, running, cards) if view.counts else plays.base
            action = int(plays.first[at, low, high, upcard])
            if action == SURRENDER:  # with a dealer's blackjack this is an early one, or it does not count
                hand |= 0 if blackjack and rules.late else SURRENDERED
                given_up += 1
            elif action == SPLIT and not blackjack:
                done, more, gone, counter, running = _play_splits(
                    cards, counter, player, view, running, low, room.hands, done
                )
                waiting += more
                given_up += gone
                room.ends[box] = done
                continue
            elif not blackjack:
                hand, counter, running = _play_hand(cards, counter, player, view, running, hand, action)
                waiting += int(total_of(hand)[0] <= 21)
        room.hands[done] = hand
        done += 1
        room.ends[box] = done
    if hole < 0 and hole_needed(rules, waiting, naturals, given_up, insured, True):
        hole, counter = draw(cards.ranks, cards.used, 0, counter, THROUGH)
        dealer = second_card(dealer, hole)
        blackjack = ace_and_ten(upcard, hole)
    total = 0
    if waiting > 0 and not blackjack:
        total, counter, _ = play_dealer(cards, counter, rules, dealer)
    return _settle(rules, room, boxes, others, to_beat(total, blackjack), blackjack), counter


@tight
def play_counted(
    key: np.uint64,
    start: int,
    amount: int,
    ranks: Bytes,
    player: Player,
    dealing: Dealing,
    betting: CounterBetting,
    room: CounterRoom,
    sums: Floats,
) -> None:
    """Play `amount` shoes and add what each round brought to `sums[bin, column]`.

    Args:
        key: The key of the seed.
        start: The number of the first shoe.
        amount: Shoes.
        ranks: The rank of every card of the shoe.
        player: The count, the plays, the rules.
        dealing: Where the cut card lies.
        betting: What is bet by the count.
        room: Room to work in.
        sums: [BINS, COLUMNS].
    """
    for shoe in range(start, start + amount):
        counter = fork(key, shoe)
        cut = open_shoe(ranks, room.deck, room.used, dealing, counter)
        running, for_bets, last = 0.0, 0.0, betting.bets[0]
        playing = betting.enter == -np.inf
        while room.used[0] <= cut:
            begun = room.used[0]
            left = ranks.shape[0] - begun
            count = true_count(player.tags, for_bets, left, left)
            if playing and count < betting.leave:
                if betting.watched == 0:
                    break
                playing = False
            playing |= count >= betting.enter and betting.enter > -np.inf
            bet = 0.0
            if playing:
                bet = min(betting.bets[max(_stretch(betting.edges, count) - 1, 0)], betting.rise * last)
                last = bet if bet > 0.0 else last
            boxes = betting.boxes if bet > 0.0 else 0
            others = betting.others if boxes > 0 else max(betting.others, 1)
            won, counter = play_round(room, counter, player, running, boxes, others)
            for k in range(begun, room.used[0]):
                running += player.tags.play[room.deck[k]]
                for_bets += player.tags.bet[room.deck[k]]
            at = min(max(int(np.floor(count)) - LOWEST, 0), BINS - 1)
            money = bet * won
            sums[at, 0] += 1.0
            sums[at, 1] += won
            sums[at, 2] += won * won
            sums[at, 3] += money
            sums[at, 4] += money * money
            sums[at, 5] += bet * boxes
            sums[at, 6] += int(boxes > 0)
