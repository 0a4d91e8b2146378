"""Q-learning on the text's state space (chapter 4): a learner that plays at random and remembers.

For each upcard: hard 4 to 21 and soft 12 to 21, each with two cards or with more, and ten pairs, where the only
question is to split or not: 66 states; with the end 661 (the text counts 641, one row of 27 for 28). A start state
whose only action is the deal learns the value of the whole strategy. Actions are uniformly random, rewards are in
stakes, the step is alpha = 1 / (1 + visits), and a split learns from the sum of its two hands' best values (4.16).
A blackjack is paid at the deal (it leaves nothing to learn but even money and insurance, which are not taken here), and
where the dealer peeks an early surrender is learned as a late one: the text's table has no peek.

The learner plays by the steps of `kernels`, as a table of people does, and learns between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.columns import (
    AT,
    DEALER,
    DOUBLE,
    DRAWN,
    FINISHED,
    FIRST,
    HANDS,
    HIT,
    LEFT,
    MOST_HANDS,
    PHASE,
    SPLIT,
    STAND,
    SURRENDER,
)
from mazzo.blackjack.dealing import INFINITE_SHOE, Dealing, cards_of, cut_of, dealing_of
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.hands import TableRules, cards_in, may, natural, result, settings_of, to_beat, total_of
from mazzo.blackjack.kernels import RoundState, apply, deal, legal, new_rounds, upcard_of
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import Rules, may_double, may_surrender
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of
from mazzo.blackjack.strategy import ROWS, Strategy, pair_row, policy_of, row_of
from mazzo.blackjack.table import enough_cards
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel, tight_helper
from mazzo.rng import below, fork, mix, stream

__all__ = ["END", "START", "STATES", "Difference", "Learner", "Progress", "compare_with_exact"]

_PER_UPCARD = 66
END = 10 * _PER_UPCARD
START = END + 1
STATES = START + 1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_NEEDED = 24
"""Cards that a deal, or one play with the dealer's after it, may take; a small shoe makes do with half of its own."""
_MOST_CARDS = 256
"""Room for a round's cards: more than twenty hands take."""
_MANY_DECKS = 1 << 20
"""An infinite shoe: so many decks that a round's cards do not change it."""


class Memory(NamedTuple):
    """What a learner knows, and room for one round."""

    q: Floats
    """[state, action]."""
    visits: Ints
    """How often each action was taken."""
    last: Ints
    """[hand, (state, action)]: what each hand of the round did last and has not learned yet; else `_NOTHING_YET`."""


_NOTHING_YET, _LEARNED = -1, -2
"""A hand that was not asked anything, and one that has learned what its last play brought."""


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
def _learn(memory: Memory, state: int, action: int, target: float) -> None:
    """Move one value towards a target."""
    q, visits = memory.q, memory.visits
    step = 1.0 / (1.0 + visits[state, action])
    visits[state, action] += 1
    q[state, action] += step * (target - q[state, action])


@kernel
def learn_block(
    key: np.uint64,
    start: int,
    amount: int,
    shoe: Ints,
    rules: TableRules,
    dealing: Dealing,
    state: RoundState,
    memory: Memory,
) -> int:
    """Learn from `amount` rounds (or shoes); the rounds played."""
    rounds, cards = 0, shoe.sum()
    for number in range(start, start + amount):
        counter = fork(key, number)
        dealt, cut = 0, cut_of(dealing, cards, counter)
        state.left[0, :] = state.cell[0, LEFT] = 0
        while dealt <= cut:
            _top_up(state, shoe, cards)
            state.key[0] = fork(counter, dealt)
            _learn_round(rules, state, memory, shoe, cards)
            dealt += state.cell[0, DRAWN]
            rounds += 1
    return rounds


@inlined
def _top_up(state: RoundState, shoe: Ints, cards: int) -> None:
    """Shuffle the shoe's cards in (again) before the last ones are drawn."""
    if state.cell[0, LEFT] < min(_NEEDED, cards // 2):
        state.cell[0, LEFT] += cards
        for rank in range(10):
            state.left[0, rank] += shoe[rank]


@tight_helper
def _learn_round(rules: TableRules, state: RoundState, memory: Memory, shoe: Ints, cards: int) -> None:
    """One round, every action at random."""
    counter = mix(state.key[0] ^ _GOLDEN)
    deal(rules, state, 1, 0)
    cell, hands = state.cell[0], state.hands[0]
    upcard = upcard_of(state, 0)
    memory.last[0, 0] = _NOTHING_YET
    if cell[PHASE] == FINISHED:
        blackjack = natural(cell[DEALER])
        _learn(memory, START, 0, result(rules, hands[0], to_beat(0, blackjack), blackjack))
        return
    _learn(memory, START, 0, _two_card_value(memory.q, rules, hands[0], upcard, 1))
    while cell[PHASE] != FINISHED:
        _top_up(state, shoe, cards)
        counter = _learn_play(rules, state, memory, upcard, counter)
    blackjack = natural(cell[DEALER])
    beat = to_beat(total_of(cell[DEALER])[0], blackjack)
    for k in range(cell[HANDS]):
        before, action = memory.last[k, 0], memory.last[k, 1]
        if before == _NOTHING_YET:
            before, action = state_of(upcard, hands[k]), STAND
        if before != _LEARNED:
            _learn(memory, before, action, result(rules, hands[k], beat, blackjack))


@tight_helper
def _learn_play(rules: TableRules, state: RoundState, memory: Memory, upcard: int, counter: np.uint64) -> np.uint64:
    """One play at random of the hand to act, and what it teaches at once; the moved counter."""
    at, hands, q = state.cell[0, AT], state.hands[0], memory.q
    hand, allowed = hands[at], legal(rules, state, 0)
    if (allowed >> SPLIT) & 1:
        pair = _pair_state(upcard, hand)
        counter += _GOLDEN
        if below(mix(counter), 2) == 1:
            apply(rules, state, 0, SPLIT)
            count = state.cell[0, HANDS]
            memory.last[count - 1, 0] = _NOTHING_YET
            one, other = hands[at], hands[at + 1]
            target = _two_card_value(q, rules, one, upcard, count) + _two_card_value(q, rules, other, upcard, count)
            _learn(memory, pair, SPLIT, target)
            return counter
        _learn(memory, pair, STAND, _best(q, rules, hand, upcard))
    action = SPLIT
    while action == SPLIT or (allowed >> action) & 1 == 0:
        counter += _GOLDEN
        action = int(below(mix(counter), 5))
    before = state_of(upcard, hand)
    memory.last[at, 0], memory.last[at, 1] = before, action
    apply(rules, state, 0, action)
    if total_of(hands[at])[0] > 21:
        memory.last[at, 0] = _LEARNED
        _learn(memory, before, action, result(rules, hands[at], 0, False))
    elif action == HIT:
        _learn(memory, before, HIT, _best(q, rules, hands[at], upcard))
    return counter


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
        shoe = self.shoe or shoe_of(self.rules)
        if not enough_cards(self.rules, shoe):
            raise UnreadableError(f"the shoe {shoe} is too small for a round: give one with more cards")
        dealing = dealing_of(self.rules, cards_of(shoe), self.through, "never")
        dealt_from = shoe.array() * (_MANY_DECKS if dealing.mode == INFINITE_SHOE else 1)
        rules = settings_of(self.rules, ends_at=22)
        rules = rules._replace(insurance=False, even_ace=False, even_ten=False, late=rules.late or rules.peek)
        state = new_rounds(np.zeros(1, np.uint64), MOST_HANDS + 1, _MOST_CARDS)
        memory = Memory(self.q, self.visits, np.zeros((MOST_HANDS + 1, 2), np.int64))
        key, end = stream(self.seed, "q-learning"), self.rounds + rounds
        table, same_since = self.table(), self.rounds
        while self.rounds < end:
            wanted = min(every, end - self.rounds)
            units = max(1, wanted * 6 // int(dealing.cut)) if self.through else wanted
            before = self.q.copy()
            played = learn_block(key, self.units, units, dealt_from, rules, dealing, state, memory)
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
