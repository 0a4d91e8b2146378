"""`utility`: four facts, weighed, against two thresholds that it moves by its own results; and `utility+`.

Aceituno 2017. U = v V + p P + b B + s S, where V is the worth of its cards, P its place in the order of speaking, B
what the pot offers for the call, S its share of the chips. It folds below `fold` and raises above `raise`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Flags, Floats, Ints
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.agents import utility_kernels as u
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.starting import LISTS, starting_values
from mazzo.holdem.kernels import legal
from mazzo.holdem.notation import STREETS_IN_WORDS, action_text
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import ShowdownTables, tables
from mazzo.jit import kernel, tight, tight_helper

__all__ = ["BEST_OF_THE_TEXT", "FOUND_AGAINST_A_MIXTURE", "FOUND_BY_SEARCH", "Utility", "UtilityPlus", "worths"]


BEST_OF_THE_TEXT = "utility:raise=.55,fold=.3,v=.6,p=.1,b=.2,s=.1,mu=0"
"""The configuration Aceituno ends with, its thresholds fixed."""

FOUND_BY_SEARCH = (
    "utility+:raise=0.686,fold=0.637,v=0.496,p=0.152,b=0.341,s=0.011,size=hidden,share=1.966,profile=0.491,"
    "table=-0.538,after_raise=-0.219,after_fold=-0.02"
)
"""What `mazzo search` found against four of these: it wins 73 % of tournaments (docs/adapt.md)."""

FOUND_AGAINST_A_MIXTURE = (
    "utility+:raise=0.797,fold=0.541,v=0.559,p=0.14,b=0.279,s=0.022,size=stack,profile=0.091,table=-0.181,"
    "after_raise=-0.121,after_fold=-0.081"
)
"""What it found against two of these and two that wait: less of a specialist."""

_ACTIONS = ("fold", "call", "raise")
_SIZES = ("stack", "pot", "hidden")
_SAFE: Safe = {
    "raise_": Between(0, 1), "fold": Between(0, 1), "v": Between(0, 1), "p": Between(0, 1), "b": Between(0, 1),
    "s": Between(0, 1), "mu": Between(0, 1), "n": Between(1, 100_000), "size": _SIZES[:2], "list": LISTS,
    "gap": Between(0, 1),
}  # fmt: skip


@tight_helper
def _worth(
    hole: NDArray[np.uint8], board: NDArray[np.int8], k: int, listed: int, starting: Floats, judge: ShowdownTables
) -> float:
    """V of one row: by the list before the flop, by the hand made after it."""
    if board[k, 0] < 0:
        return u.starting_value(hole[k, 0], hole[k, 1], listed, starting)
    key = judge.keys[hole[k, 0]] + judge.keys[hole[k, 1]]
    suits = judge.suits[hole[k, 0]] | judge.suits[hole[k, 1]]
    for j in range(5):
        if board[k, j] >= 0:
            key += judge.keys[board[k, j]]
            suits |= judge.suits[board[k, j]]
    return u.made_value(key, suits, judge.table)


@kernel
def worths(
    hole: NDArray[np.uint8], board: NDArray[np.int8], listed: int, starting: Floats, judge: ShowdownTables
) -> Floats:
    """V of many rows."""
    out = np.empty(len(hole))
    for k in range(len(hole)):
        out[k] = _worth(hole, board, k, listed, starting, judge)
    return out


@tight
def _choose_rows(
    rules: Ints,
    state: Ints,
    history: Ints,
    value: Floats,
    seating: NDArray[np.int16],
    rng_key: NDArray[np.uint64],
    player: u.Players,
    actions: Ints,
    facts: Floats,
) -> None:
    for k in range(len(state)):
        action, utility, place, price, wealth, raise_at, fold_at = u.choose(
            rules, state, history, k, value[k], legal(rules, state, k), player, 0, seating, k, rng_key[k]
        )
        actions[k] = action
        facts[k, 0], facts[k, 1], facts[k, 2], facts[k, 3] = utility, place, price, wealth
        facts[k, 4], facts[k, 5] = raise_at, fold_at


@tight
def _take_note(
    rules: Ints,
    state: Ints,
    history: Ints,
    seating: NDArray[np.int16],
    cards: NDArray[np.uint8],
    net: Ints,
    player: int,
    settings: Floats,
    thresholds: Floats,
    record: Ints,
    known: Ints,
    judge: ShowdownTables,
) -> None:
    for i in range(len(state)):
        for position in range(rules[state[i, c.GAME], c.PLAYERS]):
            if seating[i, position] == player:
                u.learn(state, history, i, position, net[i, position], record, thresholds, settings, 0)
                if settings[0, u.WATCHES] > 0.0:
                    u.watch(rules, state, history, i, seating, i, cards, 0, known, judge.table, judge.keys, judge.suits)


def _four(text: str) -> tuple[float, ...]:
    """A step for every street: `.02`, or four separated by slashes."""
    words = text.split("/")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 4) or not all(0 <= n < 1 for n in numbers):
        raise UnreadableError(
            f"mu is a number from 0 up to 1, or four of them for the streets, .1/.08/.06/.04: {text!r}"
        )
    return tuple(numbers * (4 // len(numbers)))


@dataclass
class Utility(Agent[Observations]):
    """A weighed utility against two thresholds, which move by its own results every `n` hands."""

    kernel: ClassVar[str] = "utility"
    summary: ClassVar[str] = "a utility of cards, place, pot and chips against two thresholds that learn"
    safe: ClassVar[Safe | None] = _SAFE
    raise_: float = 0.55
    """It raises where its utility is at least this."""
    fold: float = 0.3
    """It folds where its utility is below this."""
    v: float = 0.6
    """The weight of the value of its hand."""
    p: float = 0.1
    """The weight of its position in the betting order."""
    b: float = 0.2
    """The weight of what the pot offers for the call."""
    s: float = 0.1
    """The weight of its share of the chips."""
    mu: str = ".02"
    """The step of learning: one number, or four for the streets (.1/.08/.06/.04); 0 keeps the thresholds."""
    n: int = 100
    """Hands between two steps of learning."""
    size: str = "stack"
    """A raise grows with the excess over the threshold up to all chips (stack) or to the pot (pot)."""
    list: str = "corrected"
    """The values of starting hands: corrected, or as the text prints them (printed)."""
    gap: float = 0.01
    """How far apart the thresholds stay."""

    def __post_init__(self) -> None:
        self.settings_ = np.zeros((1, u.SETTINGS_WIDTH))
        self.thresholds_ = np.array([[self.raise_, self.fold]])
        self.record_ = np.zeros((1, u.RECORD_WIDTH), np.int64)
        self.known_ = np.zeros((1, c.MAX_PLAYERS, u.PROFILE_WIDTH), np.int64)
        self._check()
        row = self.settings_[0]
        row[u.WEIGHTS : u.WEIGHTS + 4] = self.v, self.p, self.b, self.s
        row[u.MU : u.MU + 4] = _four(self.mu)
        row[u.GAP], row[u.WINDOW], row[u.SHARE] = self.gap, self.n, 1
        row[u.SIZE], row[u.LIST] = _SIZES.index(self.size), LISTS.index(self.list)
        self.learns = bool(row[u.MU : u.MU + 4].any())  # type: ignore[misc]  # fixed thresholds are as good as none

    def _check(self) -> None:
        weights = self.v + self.p + self.b + self.s
        for wrong, reason in (
            (abs(weights - 1) > 1e-6, f"the weights v, p, b, s come to 1 together, not to {weights:g}"),
            (min(self.v, self.p, self.b, self.s) < 0, "weights are not negative"),
            (self.gap <= 0, f"gap must be above 0, got {self.gap:g}"),
            (not 0 <= self.fold <= self.raise_ < 1, "0 <= fold < raise < 1 does not hold"),
            (self.raise_ - self.fold < self.gap - 1e-9, f"raise and fold are at least {self.gap:g} apart"),
            (self.n < 1, f"n must be at least 1, got {self.n}"),
        ):
            if wrong:
                raise UnreadableError(f"agent utility:raise={self.raise_:g},fold={self.fold:g}: {reason}")
        sizes = _SIZES if isinstance(self, UtilityPlus) else _SIZES[:2]
        for what, given, known in (("size", self.size, sizes), ("list", self.list, LISTS)):
            if given not in known:
                raise UnreadableError(f"{what} {given!r} is not known; {did_you_mean(given, known)}")

    def unsupported_reason(self, game: Rules | None) -> str:
        """Only Hold'em has the hands it values."""
        return refuse_other_than_holdem(game)

    def weighed(self, o: Observations) -> tuple[Ints, Floats, Floats]:
        """Actions, V, and the other facts."""
        listed = int(self.settings_[0, u.LIST])
        value = worths(o.hole, o.board, listed, starting_values(), tables())
        actions, facts = np.empty(len(o), np.int64), np.empty((len(o), 6))
        _choose_rows(
            o.game.row[None, :],
            o.state,
            o.history,
            value,
            o.seating,
            o.rng_key,
            u.Players(self.settings_, self.thresholds_, self.known_),
            actions,
            facts,
        )
        return actions, value, facts

    def draws(self, observations: Observations) -> Flags:
        """Bluffs, and sizes that hide the hand."""
        settings = self.settings_[0]
        return np.full(len(observations), bool(settings[u.BLUFF] > 0 or _SIZES[int(settings[u.SIZE])] == "hidden"))

    def decide(self, observations: Observations) -> Ints:
        """Fold, call or raise by the utility."""
        return self.weighed(observations)[0]

    def on_hands_finished(self, hands: Any) -> None:
        """Take note of what its actions brought; every `n` hands the thresholds move."""
        finished: Finished = hands
        _take_note(
            finished.game.row[None, :],
            finished.state,
            finished.history,
            finished.seating,
            finished.cards,
            finished.net,
            finished.player,
            self.settings_,
            self.thresholds_,
            self.record_,
            self.known_,
            tables(),
        )

    def explain(self, observation: Observations) -> Explanation:
        """The four facts with their weights, the thresholds, and what follows."""
        actions, value, facts = self.weighed(observation)
        utility, place, price, wealth, raise_at, fold_at = (float(k) for k in facts[0])
        owed, action = int(observation.owed[0]), int(actions[0])
        expected = c.RAISE if utility > raise_at or (owed == 0 and utility == raise_at) else c.CALL
        expected = c.FOLD if owed and utility < fold_at else expected
        if action >= c.RAISE and expected != c.RAISE:
            reason = f"U = {utility:.3f} would not raise: this is a bluff"
        elif expected == c.RAISE:
            reason = f"U = {utility:.3f} is above the threshold to raise, {raise_at:.3f}"
            reason += "" if action >= c.RAISE else "; no raise is allowed, so it calls"
        elif expected == c.FOLD:
            reason = f"U = {utility:.3f} is below the threshold to fold, {fold_at:.3f}"
        else:
            reason = f"U = {utility:.3f} is below the threshold to raise, {raise_at:.3f}"
            reason += ", and checking is free" if not owed else f", and not below that to fold, {fold_at:.3f}"
        seen = {"V cards": float(value[0]), "P place": place, "B pot": price, "S chips": wealth}
        weights = (self.v, self.p, self.b, self.s)
        terms = {f"{w:g} {name}": w * fact for w, (name, fact) in zip(weights, seen.items(), strict=True)}
        options = [Option("utility", utility, terms=terms), Option("raise at", raise_at), Option("fold below", fold_at)]
        return Explanation(action_text(action, observation.game.limit), reason, options, seen)

    def learned(self) -> dict[str, Any]:
        """The thresholds as they stand and the table of what each action on each street has brought, as plain data."""
        totals = self.record_[0, u.TOTAL :]
        table = [
            {
                "street": street,
                "action": action,
                "times": int(totals[u.RECORD + 2 * (3 * r + a)]),
                "net": int(totals[u.RECORD + 2 * (3 * r + a) + 1]),
            }
            for r, street in enumerate(STREETS_IN_WORDS)
            for a, action in enumerate(_ACTIONS)
        ]
        raise_at, fold_at = (float(k) for k in self.thresholds_[0])
        rivals = self._profiles()
        return {
            "raise": raise_at,
            "fold": fold_at,
            "hands": int(totals[u.HANDS]),
            "net": int(totals[u.NET]),
            "table": table,
            **({"rivals": rivals} if rivals else {}),
        }

    def _profiles(self) -> Sequence[dict[str, Any]]:
        """What is known of each player it has watched, by its number at the table."""
        counts = [[int(k) for k in row] for row in self.known_[0]]
        return [
            {
                "player": player,
                "actions": acts,
                "raises": f"{raises} of {acts}",
                "folds to raises": f"{folded} of {faced}",
                "bluffs shown": f"{bluffs} of {shown}",
            }
            for player, (acts, raises, faced, folded, shown, bluffs) in enumerate(counts)
            if acts
        ]


@dataclass
class UtilityPlus(Utility):
    """`utility` with what the text wishes for; each improvement is off at 0 and can be switched on alone."""

    summary: ClassVar[str] = "utility with profiles of opponents, the table's aggression, hidden sizes, bluffs"
    safe: ClassVar[Safe | None] = {
        **_SAFE,
        "size": _SIZES,
        "profile": Between(-2, 2),
        "table": Between(-2, 2),
        "bluff": Between(0, 1),
        "after_raise": Between(-2, 2),
        "after_fold": Between(-2, 2),
        "share": Between(0, 10),
    }
    raise_: float = 0.55
    fold: float = 0.3
    mu: str = "0"
    profile: float = 0.0
    """How far the thresholds follow the opponents: the last raiser's aggression and bluffs, others' folds to raises."""
    table: float = 0.0
    """How far both thresholds follow the aggression of all opponents in the hand."""
    bluff: float = 0.0
    """The chance to raise where it would check, call or fold."""
    after_raise: float = 0.0
    """Added to the threshold to raise after the flop, where hands are valued on another scale."""
    after_fold: float = 0.0
    """Added to the threshold to fold after the flop."""
    share: float = 1.0
    """The pot's share that a raise goes up to (size=pot), or on average (size=hidden: whatever the hand)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.bluff <= 1 or self.share <= 0:
            raise UnreadableError("agent utility+: bluff is a chance from 0 to 1, and share is above 0")
        row = self.settings_[0]
        row[u.PROFILE], row[u.TABLE], row[u.BLUFF] = self.profile, self.table, self.bluff
        row[u.AFTER_RAISE], row[u.AFTER_FOLD], row[u.SHARE] = self.after_raise, self.after_fold, self.share
        row[u.WATCHES] = self.profile != 0 or self.table != 0
        if row[u.WATCHES]:
            self.learns = True  # type: ignore[misc]  # it is handed the hands to watch the others
