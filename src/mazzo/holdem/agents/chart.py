"""`chart`: a beginner's fixed-limit strategy, as a handout would print it. Its rules are written down in docs/chart.md.

Every decision comes with the number of the rule that made it, so that explaining is looking the rule up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Safe
from mazzo.arrays import Flags, Ints
from mazzo.cards import FRENCH
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.sizes import SIZES, raise_amounts, size_number
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import CATEGORIES, ShowdownTables, hand_value, tables
from mazzo.jit import helper, inlined, kernel, tight_helper

__all__ = ["ChartPlayer", "starting_class"]


_STARTING_CLASSES = (
    "AA KK QQ AKs AKo",
    "JJ TT 99 AQs AQo AJs ATs KQs",
    "88 77 66 55 44 33 22 AJo ATo A9s A8s A7s A6s A5s A4s A3s A2s KJs KTs K9s KQo KJo QJs QTs JTs T9s",
    "A9o A8o A7o A6o A5o A4o A3o A2o K8s K7s K6s K5s K4s K3s K2s KTo QJo QTo JTo 98s 87s 76s 65s 54s 43s 32s",
)
"""Starting hands by class 0 to 3; every other hand is of class 4."""

_RULES = (
    "a hand to cap the betting with (AA-QQ, AK)",
    "a hand to raise and reraise once with (JJ-99, AQ, AJs, ATs, KQs); it has, so it calls",
    "a hand to raise first in with and to call one raise",
    "a hand to limp with and to call one raise",
    "once in, it calls",
    "two raises or more are too many for this hand",
    "not a hand to play; checking is free",
    "not a hand to play",
    "two pair or better raises to the cap",
    "top pair or an overpair bets and raises once",
    "top pair or an overpair has raised once; it calls",
    "the board plays a straight or better: check and call",
    "a lower pair bets the flop",
    "a lower pair calls one bet at 4:1 or better",
    "a draw of eight outs or more bets",
    "a draw calls: the pot pays (46 - outs) : outs",
    "nothing, but it raised before the flop: it bets the flop once",
    "nothing worth a bet; checking is free",
    "nothing that pays to call",
    "a hand to raise and reraise once with (JJ-99, AQ, AJs, ATs, KQs)",
)
_FOLD, _CALL, _RAISE = c.FOLD, c.CALL, c.RAISE
_TWO_PAIR, _STRAIGHT = CATEGORIES.index("two pair"), CATEGORIES.index("straight")


@cache
def _classes() -> Ints:
    """The class of every two ranks: [high, low] suited, [low, high] offsuit."""
    table = np.full((13, 13), len(_STARTING_CLASSES))
    for number, hands in enumerate(_STARTING_CLASSES):
        for hand in hands.split():
            high, low = FRENCH.ranks.index(hand[0]), FRENCH.ranks.index(hand[1])
            if hand.endswith("o"):
                high, low = low, high
            table[high, low] = number
    return table


def starting_class(hand: str) -> int:
    """The class (0 best to 4) of a starting hand such as `AKs`, `72o` or `TT`."""
    high, low = sorted((FRENCH.ranks.index(hand[0]), FRENCH.ranks.index(hand[1])), reverse=True)
    return int(_classes()[(high, low) if not hand.endswith("o") else (low, high)])


@inlined
def _before_flop(cls: int, owed: int, raises: int, own_raises: int, acted: bool) -> tuple[int, int]:
    """Action and rule before the flop."""
    if cls == 0:
        return _RAISE, 0
    if cls == 1:
        return (_RAISE, 19) if own_raises < 2 else (_CALL, 1)
    if cls == 4:
        return (_CALL, 6) if owed == 0 else (_FOLD, 7)
    if raises == 0:
        return (_RAISE, 2) if cls == 2 else (_CALL, 3)
    if acted:
        return _CALL, 4
    return (_CALL, cls) if raises == 1 or owed == 0 else (_FOLD, 5)


@inlined
def _straight_outs(mine: int, shared: int) -> int:
    """Ranks that would complete a straight which the board alone would not have, times four cards."""
    outs = 0
    if _has_straight(mine):
        return 0
    for rank in range(13):
        bit = 1 << rank
        if not mine & bit and _has_straight(mine | bit) and not _has_straight(shared | bit):
            outs += 4
    return outs


@tight_helper
def _has_straight(ranks: int) -> bool:
    wheel = ranks << 1 | (ranks >> 12 & 1)
    return (wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4) != 0


@helper
def _outs(hole: NDArray[np.uint8], board: NDArray[np.int8], k: int, paired: bool) -> float:
    """Flush 9, straight 4 a rank, overcard 1.5 each, four more for a lower pair; none on the river."""
    mine = shared = top = 0
    suits = np.zeros(4, np.int64)
    for j in range(5):
        card = board[k, j]
        if card >= 0:
            shared |= 1 << (card >> 2)
            suits[card & 3] += 1
            top = max(top, card >> 2)
    if board[k, 4] >= 0:
        return 0.0
    mine = shared | 1 << (hole[k, 0] >> 2) | 1 << (hole[k, 1] >> 2)
    outs = 4.0 * paired + _straight_outs(mine, shared)
    for j in range(2):
        suits[hole[k, j] & 3] += 1
        if not paired and hole[k, j] >> 2 > top:
            outs += 1.5
    if suits[hole[k, 0] & 3] == 4 or suits[hole[k, 1] & 3] == 4:
        outs += 9
    return outs


@tight_helper
def _pair_kind(hole: NDArray[np.uint8], board: NDArray[np.int8], k: int) -> int:
    """2 for top pair or an overpair, 1 for a lower pair made with an own card, 0 for none."""
    top, found = -1, 0
    for j in range(5):
        if board[k, j] >= 0:
            top = max(top, board[k, j] >> 2)
    a, b = hole[k, 0] >> 2, hole[k, 1] >> 2
    if a == b:
        return 2 if a > top else 1
    for j in range(5):
        if board[k, j] >= 0 and (board[k, j] >> 2 == a or board[k, j] >> 2 == b):
            found = max(found, 2 if board[k, j] >> 2 == top else 1)
    return found


@tight_helper
def _values(hole: NDArray[np.uint8], board: NDArray[np.int8], k: int, judge: ShowdownTables) -> tuple[int, int]:
    """Category of the whole hand and of the board alone."""
    key = suits = np.uint64(0)
    for j in range(5):
        if board[k, j] >= 0:
            key += judge.keys[board[k, j]]
            suits |= judge.suits[board[k, j]]
    alone = hand_value(key, suits, judge.table)
    for j in range(2):
        key += judge.keys[hole[k, j]]
        suits |= judge.suits[hole[k, j]]
    return hand_value(key, suits, judge.table) >> 12, alone >> 12


@inlined
def _with_pair(
    kind: int, flop: bool, owed: int, pot: int, one_bet: int, raises: int, own: int, opened: bool
) -> tuple[int, int]:
    """Action and rule with a pair; rule -1 where the pair says nothing."""
    if kind == 2:
        return (_RAISE, 9) if raises == 0 or own - opened < 1 else (_CALL, 10)
    if flop and raises == 0:
        return _RAISE, 12
    if owed > 0 and raises == 1 and pot >= 4 * owed:
        return _CALL, 13
    return _CALL, -1


@helper
def _after_flop(
    state: Ints,
    hole: NDArray[np.uint8],
    board: NDArray[np.int8],
    k: int,
    owed: int,
    one_bet: int,
    own: int,
    opened: bool,
    led: bool,
    judge: ShowdownTables,
) -> tuple[int, int]:
    """Action and rule after the flop."""
    pot, raises = state[k, c.POT], state[k, c.RAISES]
    whole, alone = _values(hole, board, k, judge)
    if whole >= _TWO_PAIR and whole > alone:
        return _RAISE, 8
    if alone >= _STRAIGHT:
        return _CALL, 11
    kind = _pair_kind(hole, board, k)
    if kind:
        action, rule = _with_pair(kind, state[k, c.ROUND] == 1, owed, pot, one_bet, raises, own, opened)
        if rule >= 0:
            return action, rule
    outs = _outs(hole, board, k, kind == 1)
    if raises == 0 and outs >= 8:
        return _RAISE, 14
    if owed > 0 and outs > 0 and pot * outs >= (46 - outs) * owed:
        return _CALL, 15
    if led and state[k, c.ROUND] == 1 and raises == 0:
        return _RAISE, 16
    return (_CALL, 17) if owed == 0 else (_FOLD, 18)


@kernel
def _play(
    state: Ints,
    history: Ints,
    hole: NDArray[np.uint8],
    board: NDArray[np.int8],
    owed: Ints,
    bets: Ints,
    classes: Ints,
    judge: ShowdownTables,
) -> Ints:
    """Actions (fold, call, raise without its size) and the rules that made them."""
    out = np.empty((len(state), 2), np.int64)
    for k in range(len(state)):
        me, street = state[k, c.ACTOR], state[k, c.ROUND]
        own = opener = 0
        acted = led = opened = False
        for j in range(state[k, c.COUNT]):
            mine = (history[k, j] & c.ACTOR_MASK) == me
            raised = history[k, j] >> c.ACTOR_BITS >= c.RAISE
            if j < state[k, c.ROUND_AT + 1] and street > 0 and raised:
                led = mine
            if j >= state[k, c.ROUND_AT + street]:
                acted |= mine
                own += mine and raised
                if raised:
                    opened |= opener == 0 and mine
                    opener += 1
        if street == 0:
            a, b = hole[k, 0] >> 2, hole[k, 1] >> 2
            suited = (hole[k, 0] & 3) == (hole[k, 1] & 3)
            high, low = max(a, b), min(a, b)
            cls = classes[high, low] if suited or high == low else classes[low, high]
            out[k, 0], out[k, 1] = _before_flop(cls, owed[k], state[k, c.RAISES], own, acted)
        else:
            out[k, 0], out[k, 1] = _after_flop(state, hole, board, k, owed[k], bets[street], own, opened, led, judge)
    return out


@dataclass
class ChartPlayer(Agent[Observations]):
    """A beginner's chart: starting hands by class, then made hands, draws and pot odds."""

    summary: ClassVar[str] = "a beginner's fixed-limit chart (its rules are in docs/chart.md)"
    safe: ClassVar[Safe | None] = {"size": SIZES}
    size: str = "pot"
    """No-limit: least, pot, most or uniform."""

    def __post_init__(self) -> None:
        size_number(self.size)

    def unsupported_reason(self, game: Rules | None) -> str:
        """Only Hold'em has the hands the chart speaks of."""
        return refuse_other_than_holdem(game)

    def _rules(self, o: Observations) -> Ints:
        # Without fixed sizes "one bet" is the pot: anything up to it is a bet, anything beyond is more than one.
        bets = np.array(o.game.raise_sizes if o.game.limit else (2**60,) * 4, np.int64)
        return _play(o.state, o.history, o.hole, o.board, o.owed, bets, _classes(), tables())

    def draws(self, observations: Observations) -> Flags:
        """Only the amount, where that is drawn."""
        return np.full(len(observations), self.size == "uniform" and not observations.game.limit)

    def decide(self, observations: Observations) -> Ints:
        """What the chart says; a raise that is not allowed is a call."""
        wanted = self._rules(observations)[:, 0]
        raises = np.where(observations.can_raise, raise_amounts(observations, self.size), c.CALL)
        return np.where(wanted == c.RAISE, raises, wanted)

    def explain(self, observation: Observations) -> Explanation:
        """The rule of the chart that applies."""
        wanted, rule = self._rules(observation)[0]
        action = int(self.decide(observation)[0])
        reason = _RULES[rule]
        if wanted == c.RAISE and action == c.CALL:
            reason += "; no further raise is allowed, so it calls"
        facts: dict[str, float | int | str | None] = {
            "to call": int(observation.owed[0]),
            "pot": int(observation.pot[0]),
            "raises this street": int(observation.raises[0]),
        }
        if observation.street[0]:
            whole = _values(observation.hole, observation.board, 0, tables())[0]
            paired = _pair_kind(observation.hole, observation.board, 0) == 1
            facts["hand"] = CATEGORIES[whole]
            facts["outs"] = float(_outs(observation.hole, observation.board, 0, paired))
        return Explanation(action_text(action, observation.game.limit), reason, (), facts)
