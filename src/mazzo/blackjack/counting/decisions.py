"""What every decision is worth at every true count: exact values of shoes that have, on average, that count.

Given a true count, ranks are short on average in proportion to their tags. The exact value of such a shoe needs whole
cards; what rounding to them changes is taken off by the effects of single cards. The true count of a decision counts
the player's own cards and the upcard too, which are gone by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.blackjack.counting.effects import centred
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.exact.total import hand_weights
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.rules import Rules, may_double, may_surrender
from mazzo.blackjack.shoe import Shoe, must_change, shoe_of
from mazzo.errors import UnreadableError

__all__ = ["CountedValues", "PartShoe", "around", "decisions", "depth_of", "play_values", "reach"]

GRID = np.arange(-12.0, 12.5, 3.0)
"""The true counts, before the round, at which values are counted."""


@dataclass(frozen=True)
class PartShoe:
    """A shoe part of the way through, with every rank in proportion."""

    rules: Rules
    each: int
    """Cards left of each rank; four times as many tens."""

    @property
    def cards(self) -> int:
        """Cards left."""
        return 13 * self.each

    @property
    def shoe(self) -> Shoe:
        """The shoe."""
        return Shoe((self.each,) * 9 + (4 * self.each,))


def depth_of(rules: Rules, gone: float | None = None) -> PartShoe:
    """A shoe with this share of its cards gone; without it, half of what is dealt before the cut card."""
    must_change(rules)
    gone = rules.penetration / 2 if gone is None else gone
    if not 0 <= gone < 1:
        raise UnreadableError(f"the depth must be a share of the shoe from 0 to 1, got {gone}")
    each = round(shoe_of(rules).cards * (1 - gone) / 13)
    if each < 2:
        raise UnreadableError(f"with {gone:g} of the shoe gone too few cards are left to value plays; go less deep")
    return PartShoe(rules, each)


def reach(rules: Rules, count: Count) -> float:
    """The largest true count that matters: four standard deviations at the cut card."""
    cards = shoe_of(rules).cards
    left = max((1 - rules.penetration) * cards, 20.0)
    spread = np.sqrt(WEIGHTS @ centred(count.tags) ** 2 * left * (cards - left) / (cards - 1))
    return float(4 * spread / (left / 52))


def play_values(analysis: Analysis) -> Floats:
    """[play, hand, upcard] on one footing; splits at pairs of two cards, minus infinity where a play is not allowed."""
    every, rules = all_hands(), analysis.rules
    hands = every.arrays
    two = (hands.cards == 2)[:, None]
    doubles = np.array(
        [may_double(rules, t, s) for t, s in zip(hands.total.tolist(), hands.soft.tolist(), strict=True)]
    )
    gives_up = np.array([may_surrender(rules, up) for up in range(10)])
    early = rules.peek and rules.surrender.startswith("early")
    surrender = analysis.blackjack - 0.5 if early else analysis.surrender
    split = np.full(analysis.stand.shape, -np.inf)
    if rules.max_hands != 1:
        for rank in range(10):
            split[every.of((rank, rank))] = analysis.split[rank]
    never = np.full(analysis.stand.shape, -np.inf)
    return np.stack(
        [
            analysis.stand,
            analysis.hit,
            np.where(two & doubles[:, None], analysis.double, never),
            split,
            np.where(two & gives_up[None, :], surrender, never),
        ]
    )


@cache
def around(rules: Rules, each: int) -> tuple[Floats, Floats, Floats]:
    """Values of the shoe in proportion, [rank, play, hand, upcard] what one card less changes, and hands' chances."""
    shoe = PartShoe(rules, each).shoe
    base = analyse(rules, shoe)
    values = play_values(base)
    less = []
    for rank in range(10):
        with np.errstate(invalid="ignore"):
            change = play_values(analyse(rules, shoe.without([rank]))) - values
        less.append(np.nan_to_num(change, nan=0.0, posinf=0.0, neginf=0.0))
    dealt, reached = hand_weights(base)
    return values, np.array(less), dealt + reached


def _whole_cards(wanted: Floats) -> Ints:
    """Whole numbers of cards near those wanted, as many in all."""
    counts = np.floor(wanted).astype(np.int64)
    rest = round(float(wanted.sum())) - int(counts.sum())
    for rank in np.argsort(counts - wanted, kind="stable")[:rest].tolist():
        counts[rank] += 1
    return counts


@dataclass(frozen=True, eq=False)
class CountedValues:
    """Values of every play at the true counts of `GRID`, before the round, for one count and depth."""

    rules: Rules
    depth: PartShoe
    tags: Floats
    """The count's tags, balanced."""
    values: Floats
    """[count, play, hand, upcard]"""
    chances: Floats
    """[hand, upcard]: how often a round comes to a decision with this hand."""
    effects: Floats
    """[rank, play, hand, upcard]: what one card less of a rank changes."""

    def before(self, counts: Floats, hands: Ints, upcard: int) -> Floats:
        """[count, hand]: the true count before the round that makes it that of `counts` at the decision."""
        held = all_hands().arrays
        seen = held.counts[hands] @ self.tags + self.tags[upcard]
        left = self.depth.cards - held.cards[hands] - 1
        return np.asarray((counts[:, None] * left / 52 - seen) * 52 / self.depth.cards)

    def at(self, counts: Floats, hands: Ints, upcard: int) -> Floats:
        """[count, hand, play]: what plays are worth at true counts of the decision."""
        place = (self.before(counts, hands, upcard) - GRID[0]) / (GRID[1] - GRID[0])
        low = np.clip(np.floor(place).astype(np.int64), 0, len(GRID) - 2)
        part = (place - low)[:, :, None]
        here = self.values[:, :, hands, upcard]
        each = np.arange(len(hands))
        below, above = here[low, :, each], here[low + 1, :, each]
        with np.errstate(invalid="ignore"):
            found = below + part * (above - below)
        return np.where(np.isfinite(below) & np.isfinite(above), found, -np.inf)

    def tens(self, count: float) -> float:
        """The share of tens among unseen cards at a true count of the decision, the dealer showing an ace."""
        left = self.depth.cards - 3
        spread = WEIGHTS @ self.tags**2
        other = (WEIGHTS @ self.tags) * 2 + self.tags[0]  # two cards of one's own and the ace, on average
        running = count * left / 52 - other
        tens = self.depth.cards * WEIGHTS[9] - WEIGHTS[9] * self.tags[9] * running / spread
        return float((tens - 2 * WEIGHTS[9]) / left)


@cache
def decisions(rules: Rules, count: Count, gone: float | None = None) -> CountedValues:
    """Values of every play by true count."""
    depth = depth_of(rules, gone)
    tags = centred(count.tags)
    values, effects, chances = around(rules, depth.each)
    found = []
    for at in GRID.tolist():
        running = at * depth.cards / 52
        wanted = depth.shoe.array() - WEIGHTS * tags * running / (WEIGHTS @ tags**2)
        whole = _whole_cards(np.maximum(wanted, 2.0))
        exact = values if at == 0 else play_values(analyse(rules, Shoe(tuple(whole.tolist()))))
        correction = np.tensordot(whole - wanted, effects, axes=1)
        found.append(exact + correction)
    return CountedValues(rules, depth, tags, np.array(found), chances, effects)
