"""Q-learning on the text's state space (chapter 4): a learner that plays at random and remembers.

For each upcard: hard 4 to 21 and soft 12 to 21, each with two cards or with more, and ten pairs, where the only
question is to split or not: 66 states; with the end 661 (the text counts 641, one row of 27 for 28). A start state
whose only action is the deal learns the value of the whole strategy. Actions are uniformly random, rewards are in
stakes, the step is alpha = 1 / (1 + visits), and a split learns from the sum of its two hands' best values (4.16).
A blackjack is paid at the deal (it leaves nothing to learn but even money and insurance, which are not taken here), and
where the dealer peeks an early surrender is learned as a late one: the text's table has no peek.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.exact.analysis import analyse, can_double, can_surrender
from mazzo.blackjack.exact.split import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.hands import Flags, Floats, Ints
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of
from mazzo.blackjack.simulation import (
    Bytes,
    TableRules,
    cards_of,
    draw,
    open_shoe,
    play_dealer,
    table_rules,
)
from mazzo.blackjack.strategy import ROWS, Table, pair_row, policy_of, row_of
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel
from mazzo.luck import below, fork, mix, stream

__all__ = ["END", "START", "STATES", "Difference", "Learner", "Progress", "compare_with_exact"]

_PER_UPCARD = 66
END = 10 * _PER_UPCARD
START = END + 1
STATES = START + 1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Allowed(NamedTuple):
    """Which actions the rules allow with two cards."""

    double: Flags
    """[soft, total]."""
    surrender: Flags
    """[upcard]."""
    double_after_split: bool
    surrender_after_split: bool
    hit_split_aces: bool


@inlined
def state_of(upcard: int, total: int, soft: bool, two: bool) -> int:
    """The state of a total."""
    within = (18 + total - 12) if soft else total - 4
    return upcard * 66 + within + (0 if two else 28)


@inlined
def _may(action: int, total: int, soft: bool, upcard: int, two: bool, split: bool, allowed: Allowed) -> bool:
    """Whether an action other than a split is allowed."""
    if action < DOUBLE:
        return True
    if action == SPLIT or not two:
        return False
    if action == DOUBLE:
        return bool(allowed.double[1 if soft else 0, total]) and (allowed.double_after_split or not split)
    return bool(allowed.surrender[upcard]) and (allowed.surrender_after_split or not split)


@inlined
def _best(q: Floats, upcard: int, total: int, soft: bool, two: bool, split: bool, allowed: Allowed) -> float:
    """The best value of a total's state among the actions allowed."""
    state = state_of(upcard, total, soft, two)
    best: float = max(q[state, 0], q[state, 1])
    if two:
        for action in range(DOUBLE, SURRENDER + 1):
            if _may(action, total, soft, upcard, two, split, allowed):
                best = max(best, q[state, action])
    return best


@inlined
def _learn(q: Floats, visits: Ints, state: int, action: int, target: float) -> float:
    """Move one value towards a target; how far it moved."""
    step = 1.0 / (1.0 + visits[state, action])
    visits[state, action] += 1
    change = step * (target - q[state, action])
    q[state, action] += change
    return float(abs(change))


@inlined
def _of_two(low: int, high: int) -> tuple[int, bool]:
    hard = low + high + 2
    soft = (low == 0 or high == 0) and hard <= 11
    return (hard + 10 if soft else hard), soft


@inlined
def _two_card_value(q: Floats, low: int, high: int, upcard: int, split: bool, again: bool, allowed: Allowed) -> float:
    """The best value of two cards, a pair's own state included where it may be split."""
    total, soft = _of_two(low, high)
    if low == high and again:
        pair = upcard * 66 + 56 + low
        return float(max(q[pair, STAND], q[pair, SPLIT]))
    if split and low == 0 and not allowed.hit_split_aces:
        return float(q[state_of(upcard, total, soft, True), STAND])
    return _best(q, upcard, total, soft, True, split, allowed)


@kernel
def learn_block(
    key: np.uint64, start: int, amount: int, ranks: Bytes, rules: TableRules, allowed: Allowed, q: Floats, visits: Ints
) -> tuple[int, float]:
    """Learn from `amount` rounds (or shoes); the rounds played and the largest late change of a value."""
    deck, used = ranks.copy(), np.full(ranks.shape[0], -1, np.int64)
    pending = np.zeros((32, 3), np.int64)
    ended = np.zeros((32, 4), np.int64)
    rounds, largest = 0, 0.0
    for shoe in range(amount):
        counter = fork(key, start + shoe)
        dealt, cut = 0, open_shoe(ranks, deck, used, rules, counter)
        while dealt <= cut:
            counter, drawn, change = _learn_round(deck, used, shoe, counter, rules, allowed, q, visits, pending, ended)
            dealt += drawn
            rounds += 1
            largest = max(largest, change)
    return rounds, largest


@kernel
def _learn_round(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, rules: TableRules, allowed: Allowed, q: Floats,
    visits: Ints, pending: Ints, ended: Ints,
) -> tuple[np.uint64, int, float]:  # fmt: skip
    """One round at random. `pending` holds hands to play, `ended` (state, action, total, stake) of hands that wait."""
    low, counter = draw(ranks, used, shoe, counter, rules.mode)
    upcard, counter = draw(ranks, used, shoe, counter, rules.mode)
    high, counter = draw(ranks, used, shoe, counter, rules.mode)
    hole, counter = draw(ranks, used, shoe, counter, rules.mode)
    drawn = 4
    blackjack = upcard + hole == 9 and (upcard == 0 or hole == 0)
    if low + high == 9 and (low == 0 or high == 0):
        _learn(q, visits, START, 0, 0.0 if blackjack else rules.blackjack_pays)
        return counter, drawn, 0.0
    if blackjack and rules.peek:
        _learn(q, visits, START, 0, -1.0)
        return counter, drawn, 0.0
    _learn(q, visits, START, 0, _two_card_value(q, low, high, upcard, False, rules.max_hands > 1, allowed))
    counter, more, hands, change = _learn_hands(
        ranks, used, shoe, counter, rules, allowed, q, visits, pending, ended, low, high, upcard
    )
    drawn += more
    dealer = 0
    if hands > 0 and not blackjack:
        dealer, counter, more = play_dealer(ranks, used, shoe, counter, rules.mode, upcard, hole, rules.hit_soft_17)
        drawn += more
    for k in range(hands):
        stake = ended[k, 3]
        won = 0.0
        if ended[k, 1] == SURRENDER:
            won = -1.0 if blackjack and rules.late else -0.5
        elif blackjack or (dealer <= 21 and dealer > ended[k, 2]):
            won = -1.0 * stake
        elif dealer > 21 or dealer < ended[k, 2]:
            won = 1.0 * stake
        change = max(change, _learn(q, visits, ended[k, 0], ended[k, 1], won))
    return counter, drawn, change


@kernel
def _learn_hands(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, rules: TableRules, allowed: Allowed, q: Floats,
    visits: Ints, pending: Ints, ended: Ints, low: int, high: int, upcard: int,
) -> tuple[np.uint64, int, int, float]:  # fmt: skip
    """The player's hands, every action at random; cards drawn, hands that wait for the dealer, the largest change."""
    pending[0, 0], pending[0, 1], pending[0, 2] = low, high, 0
    waiting, hands, drawn, over, change = 1, 1, 0, 0, 0.0
    most = rules.max_aces if low == 0 else rules.max_hands
    while waiting > 0:
        waiting -= 1
        a, b, split = pending[waiting, 0], pending[waiting, 1], pending[waiting, 2] == 1
        if a == b and hands < most:
            pair = upcard * 66 + 56 + a
            counter += _GOLDEN
            if below(mix(counter), 2) == 1:
                hands += 1
                target = 0.0
                for _ in range(2):
                    card, counter = draw(ranks, used, shoe, counter, rules.mode)
                    drawn += 1
                    pending[waiting, 0], pending[waiting, 1], pending[waiting, 2] = a, card, 1
                    waiting += 1
                    target += _two_card_value(q, a, card, upcard, True, hands < most, allowed)
                change = max(change, _learn(q, visits, pair, SPLIT, target))
                continue
            kept = _two_card_value(q, a, b, upcard, split, False, allowed)
            change = max(change, _learn(q, visits, pair, STAND, kept))
        counter, more, state, action, total, moved = _learn_hand(
            ranks, used, shoe, counter, rules, allowed, q, visits, a, b, upcard, split
        )
        drawn += more
        change = max(change, moved)
        if state >= 0:
            ended[over, 0], ended[over, 1], ended[over, 2] = state, action, total
            ended[over, 3] = 2 if action == DOUBLE else 1
            over += 1
    return counter, drawn, over, change


@inlined
def _random_action(
    counter: np.uint64, total: int, soft: bool, upcard: int, two: bool, split: bool, allowed: Allowed
) -> tuple[int, np.uint64]:
    """One of the allowed actions, each as likely."""
    action = SPLIT
    while not _may(action, total, soft, upcard, two, split, allowed):
        counter += _GOLDEN
        action = int(below(mix(counter), 5))
    return action, counter


@kernel
def _learn_hand(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, rules: TableRules, allowed: Allowed, q: Floats,
    visits: Ints, low: int, high: int, upcard: int, split: bool,
) -> tuple[np.uint64, int, int, int, int, float]:  # fmt: skip
    """One hand: cards drawn, then (state, action, total) that wait for the dealer, state -1 where nothing does."""
    hard = low + high + 2
    ace = low == 0 or high == 0
    two, drawn, change = True, 0, 0.0
    while True:
        soft = ace and hard <= 11
        total = hard + 10 if soft else hard
        state = state_of(upcard, total, soft, two)
        if split and low == 0 and not allowed.hit_split_aces:
            return counter, drawn, state, STAND, total, change
        action, counter = _random_action(counter, total, soft, upcard, two, split, allowed)
        if action in (STAND, SURRENDER):
            return counter, drawn, state, action, total, change
        card, counter = draw(ranks, used, shoe, counter, rules.mode)
        drawn += 1
        hard += card + 1
        ace |= card == 0
        two = False
        if hard > 21:
            lost = -2.0 if action == DOUBLE else -1.0
            change = max(change, _learn(q, visits, state, action, lost))
            return counter, drawn, -1, action, hard, change
        soft = ace and hard <= 11
        total = hard + 10 if soft else hard
        if action == DOUBLE:
            return counter, drawn, state, action, total, change
        target = _best(q, upcard, total, soft, False, split, allowed)
        change = max(change, _learn(q, visits, state, HIT, target))


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

    def _allowed(self) -> Allowed:
        double = np.array([[can_double(self.rules, t, bool(s)) for t in range(22)] for s in range(2)])
        surrender = np.array([can_surrender(self.rules, upcard) for upcard in range(10)])
        rules = self.rules
        return Allowed(double, surrender, rules.double_after_split, rules.surrender_after_split, rules.hit_split_aces)

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
        rules, allowed = table_rules(self.rules, ranks, self.through, "never"), self._allowed()
        key, end = stream(self.seed, "q-learning"), self.rounds + rounds
        table, same_since = self.table(), self.rounds
        while self.rounds < end:
            wanted = min(every, end - self.rounds)
            units = max(1, wanted * 6 // int(rules.cut)) if self.through else wanted
            before = self.q.copy()
            played, _ = learn_block(key, self.units, units, ranks, rules, allowed, self.q, self.visits)
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

    def table(self) -> Table:
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
        return Table(tuple("".join(row) for row in letters))

    def _letter(self, total: int, soft: bool, upcard: int) -> str:
        within = upcard * _PER_UPCARD + ((18 + total - 12) if soft else total - 4)
        two, more = self.q[within], self.q[within + 28]
        hit_more = bool(more[HIT] > more[STAND])
        best = max(two[HIT], two[STAND])
        if can_double(self.rules, total, soft) and two[DOUBLE] > best:
            best = two[DOUBLE]
            letter = "D" if hit_more else "d"
        else:
            seen = self.visits[within, HIT] > 0
            letter = "h" if (two[HIT] > two[STAND] if seen else hit_more) else "n"
        if can_surrender(self.rules, upcard) and two[SURRENDER] > best:
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
