"""Q-learning on the text's state space (chapter 4): a learner that plays at random and remembers.

For each upcard: hard 4 to 21 and soft 12 to 21, each with two cards or with more, and ten pairs, where the only
question is to split or not: 66 states; with the end 661 (the text counts 641, one row of 27 for 28). A start state
whose only action is the deal learns the value of the whole strategy. Actions are uniformly random, rewards are in
stakes, the step is alpha = 1 / (1 + visits), and a split learns from the sum of its two hands' best values (4.16).
A blackjack is paid at the deal (it leaves nothing to learn but even money and insurance, which are not taken here), and
where the dealer peeks an early surrender is learned as a late one: the text's table has no peek.

Every rule here is one of `hands`, and cards and the dealer's play are those of `simulation`, but the walk over a round
is its own, not the steps of `kernels`. They draw cards by another method and play the first of split hands first, the
learner the last: the same seed would deal other cards, and what was learned before could not be learned again. And they
keep the whole round in arrays (who holds which card, the shoe by rank) that a learner never reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes
from mazzo.blackjack.columns import (
    DOUBLE,
    DOUBLED,
    FIRST,
    FROM_SPLIT,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
)
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.hands import (
    TableRules,
    cards_in,
    may,
    natural,
    one_card,
    result,
    second_card,
    settings_of,
    take,
    to_beat,
    total_of,
)
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import Rules, may_double, may_surrender
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of
from mazzo.blackjack.simulation import Cards, Dealing, cards_of, dealing_of, draw, open_shoe, play_dealer
from mazzo.blackjack.strategy import ROWS, Strategy, pair_row, policy_of, row_of
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel, tight_helper
from mazzo.rng import below, fork, mix, stream

__all__ = ["END", "START", "STATES", "Difference", "Learner", "Progress", "compare_with_exact"]

_PER_UPCARD = 66
END = 10 * _PER_UPCARD
START = END + 1
STATES = START + 1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Memory(NamedTuple):
    """What a learner knows, and room for one round."""

    q: Floats
    """[state, action]."""
    visits: Ints
    """How often each action was taken."""
    waiting: Ints
    """Hands still to play."""
    ended: Ints
    """[hand, (state, action, hand)] of hands that wait for the dealer."""


@inlined
def state_of(upcard: int, hand: int) -> int:
    """The state of a hand that is not asked whether it splits."""
    total, soft = total_of(hand)
    within = (18 + total - 12) if soft else total - 4
    return upcard * 66 + within + (0 if cards_in(hand) == 2 else 28)


@inlined
def _pair_state(upcard: int, hand: int) -> int:
    return upcard * 66 + 56 + ((hand >> FIRST) & 15)


@inlined
def _best(q: Floats, rules: TableRules, hand: int, upcard: int) -> float:
    """The best value of a hand's state among the plays allowed but splitting."""
    state, allowed = state_of(upcard, hand), may(rules, hand, upcard, 99)
    best: float = q[state, STAND]
    for action in range(HIT, SURRENDER + 1):
        if action != SPLIT and (allowed >> action) & 1:
            best = max(best, q[state, action])
    return best


@inlined
def _two_card_value(q: Floats, rules: TableRules, hand: int, upcard: int, hands: int) -> float:
    """The best value of two cards, a pair's own state where it may be split."""
    if (may(rules, hand, upcard, hands) >> SPLIT) & 1:
        pair = _pair_state(upcard, hand)
        return float(max(q[pair, STAND], q[pair, SPLIT]))
    return _best(q, rules, hand, upcard)


@inlined
def _learn(memory: Memory, state: int, action: int, target: float) -> float:
    """Move one value towards a target; how far it moved."""
    q, visits = memory.q, memory.visits
    step = 1.0 / (1.0 + visits[state, action])
    visits[state, action] += 1
    change = step * (target - q[state, action])
    q[state, action] += change
    return float(abs(change))


@kernel
def learn_block(
    key: np.uint64,
    start: int,
    amount: int,
    ranks: Bytes,
    rules: TableRules,
    dealing: Dealing,
    memory: Memory,
) -> tuple[int, float]:
    """Learn from `amount` rounds (or shoes); the rounds played and the largest late change of a value."""
    deck, used = ranks.copy(), np.full(ranks.shape[0], -1, np.int64)
    rounds, largest = 0, 0.0
    for shoe in range(amount):
        counter = fork(key, start + shoe)
        dealt, cut = 0, open_shoe(ranks, deck, used, dealing, counter)
        while dealt <= cut:
            cards = Cards(deck, used, shoe, dealing.mode)
            counter, drawn, change = _learn_round(cards, counter, rules, memory)
            dealt += drawn
            rounds += 1
            largest = max(largest, change)
    return rounds, largest


@tight_helper
def _learn_round(cards: Cards, counter: np.uint64, rules: TableRules, memory: Memory) -> tuple[np.uint64, int, float]:
    """One round at random: the counter, the cards drawn, the largest change of a value."""
    low, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    upcard, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    high, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    hole, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    hand, dealer = second_card(one_card(low, 0), high), second_card(one_card(upcard, 0), hole)
    drawn, blackjack = 4, natural(dealer)
    if natural(hand) or (blackjack and rules.peek):
        _learn(memory, START, 0, result(rules, hand, to_beat(0, blackjack), blackjack))
        return counter, drawn, 0.0
    _learn(memory, START, 0, _two_card_value(memory.q, rules, hand, upcard, 1))
    counter, more, hands, change = _learn_hands(cards, counter, rules, memory, hand, upcard)
    drawn += more
    total = 0
    if hands > 0 and not blackjack:
        total, counter, more = play_dealer(cards, counter, rules, dealer)
        drawn += more
    beat = to_beat(total, blackjack)
    for k in range(hands):
        state, action, ended = memory.ended[k]
        change = max(change, _learn(memory, state, action, result(rules, ended, beat, blackjack)))
    return counter, drawn, change


@tight_helper
def _learn_hands(
    cards: Cards, counter: np.uint64, rules: TableRules, memory: Memory, hand: int, upcard: int
) -> tuple[np.uint64, int, int, float]:
    """The player's hands, every action at random; cards drawn, hands that wait for the dealer, the largest change."""
    waiting = memory.waiting
    waiting[0] = hand
    to_play, hands, drawn, over, change = 1, 1, 0, 0, 0.0
    while to_play > 0:
        to_play -= 1
        hand = waiting[to_play]
        if (may(rules, hand, upcard, hands) >> SPLIT) & 1:
            pair, rank = _pair_state(upcard, hand), (hand >> FIRST) & 15
            counter += _GOLDEN
            if below(mix(counter), 2) == 1:
                hands += 1
                target = 0.0
                for _ in range(2):
                    card, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
                    drawn += 1
                    waiting[to_play] = second_card(one_card(rank, 0) | FROM_SPLIT, card)
                    target += _two_card_value(memory.q, rules, waiting[to_play], upcard, hands)
                    to_play += 1
                change = max(change, _learn(memory, pair, SPLIT, target))
                continue
            change = max(change, _learn(memory, pair, STAND, _best(memory.q, rules, hand, upcard)))
        counter, more, moved = _learn_hand(cards, counter, rules, memory, hand, upcard, over)
        drawn += more
        change = max(change, moved)
        over += int(memory.ended[over, 0] >= 0)
    return counter, drawn, over, change


@inlined
def _random_action(counter: np.uint64, allowed: int) -> tuple[int, np.uint64]:
    """One of the allowed actions but splitting, each as likely."""
    action = SPLIT
    while action == SPLIT or (allowed >> action) & 1 == 0:
        counter += _GOLDEN
        action = int(below(mix(counter), 5))
    return action, counter


@tight_helper
def _learn_hand(
    cards: Cards, counter: np.uint64, rules: TableRules, memory: Memory, hand: int, upcard: int, place: int
) -> tuple[np.uint64, int, float]:
    """One hand: counter, cards drawn, largest change. What waits for the dealer is `ended[place]` (state -1: none)."""
    drawn, change, ended = 0, 0.0, memory.ended[place]
    while True:
        state, allowed = state_of(upcard, hand), may(rules, hand, upcard, 99) & ~(1 << SPLIT)
        action = STAND
        if allowed != 1 << STAND:
            action, counter = _random_action(counter, allowed)
        ended[0], ended[1] = state, action
        if action == SURRENDER:
            hand |= SURRENDERED
        if action in (HIT, DOUBLE):
            card, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
            drawn += 1
            hand = take(hand, card) | (DOUBLED if action == DOUBLE else 0)
            if total_of(hand)[0] > 21:
                ended[0] = -1
                return counter, drawn, max(change, _learn(memory, state, action, result(rules, hand, 0, False)))
        ended[2] = hand
        if action != HIT:
            return counter, drawn, change
        change = max(change, _learn(memory, state, HIT, _best(memory.q, rules, hand, upcard)))


@dataclass(frozen=True)
class Progress:
    """One point of a learning curve."""

    rounds: int
    start: float
    """Q of the start state: what the learner believes a round is worth."""
    largest_change: float
    """Between this point and the last, over all states and actions."""
    unchanged: int
    """For how many rounds the learned table has not changed."""
    ev: float | None
    """The exact value of the learned table, where asked for."""


@dataclass
class Learner:
    """A Q-learner of one set of rules. `learn` goes on from where it stands.

    Attributes:
        rules: The table's rules.
        through: Play shoes through (one strategy for the whole shoe) instead of reshuffling every round.
        seed: The seed of the cards and of the random actions.
        q: [state, action].
        visits: How often each action was taken.
    """

    rules: Rules
    through: bool = False
    seed: int = 0
    shoe: Shoe | None = None
    q: Floats = field(default_factory=lambda: np.zeros((STATES, 5)))
    visits: Ints = field(default_factory=lambda: np.zeros((STATES, 5), np.int64))
    rounds: int = 0
    units: int = 0
    """Rounds, or shoes, dealt so far."""

    def learn(
        self,
        rounds: int,
        every: int = 1_000_000,
        change_below: float = 0.0,
        unchanged_for: int = 0,
        exact: bool = False,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Progress]:
        """Learn, giving a point of the curve every so many rounds.

        Stops at the first of three: `rounds` are played; no value moved by `change_below` between two points; the
        learned table stayed the same for `unchanged_for` rounds. A bound of 0 is no bound.
        """
        if rounds < 1 or every < 1:
            raise UnreadableError(f"rounds and every are whole numbers from 1 up, not {rounds} and {every}")
        ranks = cards_of(self.shoe or shoe_of(self.rules))
        rules, dealing = settings_of(self.rules, ends_at=22), dealing_of(self.rules, ranks, self.through, "never")
        memory = Memory(self.q, self.visits, np.zeros(64, np.int64), np.zeros((64, 3), np.int64))
        key, end = stream(self.seed, "q-learning"), self.rounds + rounds
        table, same_since = self.table(), self.rounds
        while self.rounds < end:
            wanted = min(every, end - self.rounds)
            units = max(1, wanted * 6 // int(dealing.cut)) if self.through else wanted
            before = self.q.copy()
            played, _ = learn_block(key, self.units, units, ranks, rules, dealing, memory)
            self.units += units
            self.rounds += played
            largest = float(abs(self.q - before).max())
            found = self.table()
            if found != table:
                table, same_since = found, self.rounds
            ev = analyse(self.rules, self.shoe, policy_of(table, self.rules)).ev if exact else None
            if advance:
                advance(played)
            yield Progress(self.rounds, float(self.q[START, 0]), largest, self.rounds - same_since, ev)
            if largest < change_below or 0 < unchanged_for <= self.rounds - same_since:
                return

    def table(self) -> Strategy:
        """The strategy learned so far: in every state the action of the highest Q."""
        letters = [[""] * 10 for _ in ROWS]
        for upcard in range(10):
            for soft in (False, True):
                for total in range(12 if soft else 4, 22):
                    letters[row_of(total, soft)][upcard] = self._letter(total, soft, upcard)
            for rank in range(10):
                total, soft = (12, True) if rank == 0 else (2 * (rank + 1), False)
                pair = self.q[upcard * _PER_UPCARD + 56 + rank]
                split = self.rules.max_hands != 1 and pair[SPLIT] > pair[STAND]
                letters[pair_row(rank)][upcard] = "s" if split else letters[row_of(total, soft)][upcard]
        return Strategy(tuple("".join(row) for row in letters))

    def _letter(self, total: int, soft: bool, upcard: int) -> str:
        within = upcard * _PER_UPCARD + ((18 + total - 12) if soft else total - 4)
        two, more = self.q[within], self.q[within + 28]
        hit_more = bool(more[HIT] > more[STAND])
        best = max(two[HIT], two[STAND])
        if may_double(self.rules, total, soft) and two[DOUBLE] > best:
            best = two[DOUBLE]
            letter = "D" if hit_more else "d"
        else:
            seen = self.visits[within, HIT] > 0
            letter = "h" if (two[HIT] > two[STAND] if seen else hit_more) else "n"
        if may_surrender(self.rules, upcard) and two[SURRENDER] > best:
            letter = "b" if hit_more else "B"
        return letter


@dataclass(frozen=True)
class Difference:
    """A cell where the learned table differs from the exact one, and what that costs per round."""

    row: str
    upcard: str
    learned: str
    exact: str
    cost: float


def compare_with_exact(learner: Learner) -> list[Difference]:
    """The learned table beside the best one, cell by cell, the dearest difference first."""
    best = best_table(learner.rules, learner.shoe)
    result = []
    for row, upcard, learned, exact in learner.table().differences(best.table):
        other = best.table.changed(ROWS.index(row), RANKS.index(upcard), learned)
        ev = analyse(learner.rules, learner.shoe, policy_of(other, learner.rules)).ev
        result.append(Difference(row, upcard, learned, exact, best.ev - ev))
    return sorted(result, key=lambda difference: -difference.cost)
