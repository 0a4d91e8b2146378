"""How decisions are rewarded: by name, one function each. A new kind of reward is one more function here.

A function takes what came of all decisions (`Outcomes`) and gives a number for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.elementary import BIG_BLIND
from mazzo.holdem.learning.showdowns import SURE, Showdowns, ignores_cards_p_value
from mazzo.holdem.notation import STREETS
from mazzo.registry import Registry

__all__ = ["REWARDS", "Outcomes", "Reward", "Rewarded", "reward"]


@dataclass(frozen=True)
class Outcomes:
    """Decisions in the order they were taken, and what came of them; chips are those of a big blind of 10."""

    action: Ints
    """0 fold, 1 call or check, 2 bet or raise."""
    next: Ints
    """The row of the same player's next decision in the hand, or -1 after the last."""
    hand: Ints
    position: Ints
    chips: Floats
    """Minus what the decision put in; the last one of a hand also gets all that the player collected."""
    big_blind_net: Floats
    """What the big blind won or lost in the hand."""
    facts: Mapping[str, NDArray[Any]]
    """By name, the attributes that the reward looks at."""
    showdowns: Showdowns
    """Those of the hands, if the reward looks at them."""


class Rewarded(NamedTuple):
    """The rewards of all decisions."""

    reward: Floats
    kind: str
    """Which kind they are; where one chooses, what it chose."""
    p_value: float | None = None
    """Where that was chosen from the results: their probability if the others ignored their cards."""


@dataclass(frozen=True)
class Reward:
    """A kind of reward, and what it needs to know."""

    work: Callable[[Outcomes], Rewarded]
    attributes: tuple[str, ...]
    showdowns: bool
    heads_up: bool = False
    """Whether it is one of heads-up limit Hold'em only."""

    @property
    def doc(self) -> str:
        """What it gives, in a sentence or two."""
        return " ".join((self.work.__doc__ or "").split())


REWARDS: Registry[Reward] = Registry("reward")
"""Every kind of reward by name."""

_Work = Callable[[Outcomes], Rewarded]


def reward(
    name: str, *, attributes: tuple[str, ...] = (), showdowns: bool = False, heads_up: bool = False
) -> Callable[[_Work], _Work]:
    """A decorator that registers a kind of reward.

    Args:
        name: What it is called.
        attributes: Attributes of the decisions that it looks at (`Outcomes.facts`).
        showdowns: Whether it looks at showdowns, which are worked out only then.
        heads_up: Whether it is right in heads-up limit Hold'em only.
    """

    def keep(work: _Work) -> _Work:
        REWARDS.register(name)(Reward(work, attributes, showdowns, heads_up))
        return work

    return keep


@reward("auto", attributes=tuple(f"raises_other_{street}" for street in STREETS), showdowns=True)
def auto(o: Outcomes) -> Rewarded:
    """Equity if nothing in the results says that the others' betting told of their cards, else chips."""
    raises = np.column_stack([o.facts[f"raises_other_{street}"][o.showdowns.row] for street in STREETS])
    p_value = ignores_cards_p_value(o.showdowns, raises, o.hand)
    chosen = equity if p_value is not None and p_value >= SURE else chips
    return chosen(o)._replace(p_value=p_value)


@reward("chips")
def chips(o: Outcomes) -> Rewarded:
    """Minus what a decision puts in; the last one of a hand also gets all that is collected."""
    return Rewarded(o.chips, "chips")


@reward("equity", showdowns=True, heads_up=True)
def equity(o: Outcomes) -> Rewarded:
    """As chips, but at a showdown the pot times the equity against a random hand is collected, whatever the other held.

    Less noise, and right against opponents who do not look at their cards.
    """
    rewards = o.chips.copy()
    rewards[o.showdowns.row] -= o.showdowns.pot * o.showdowns.excess
    return Rewarded(rewards, "equity")


@reward("final")
def final(o: Outcomes) -> Rewarded:
    """Nothing until the last decision of a hand, which gets the sum."""
    episode = o.hand * c.MAX_PLAYERS + o.position
    total = np.bincount(episode, o.chips)
    return Rewarded(np.where(o.next < 0, total[episode], 0.0), "final")


@reward("document", attributes=("stage", "raise_before", "bet_preflop", "turn"), heads_up=True)
def document(o: Outcomes) -> Rewarded:
    """As the code in the appendix of Vilella (2011) has it: stakes count twice, and a sign is wrong."""
    folding, raising = o.action == c.KIND_FOLD, o.action == c.KIND_RAISE
    paid = BIG_BLIND * (o.facts["raise_before"] + raising) * np.where(o.facts["stage"] > 1, 2, 1)
    opening = o.facts["bet_preflop"] == 2
    paid = np.where(opening, np.where(raising, 1.5, 0.5) * BIG_BLIND, paid)
    last = 2 * o.big_blind_net - BIG_BLIND
    last = np.where(o.facts["turn"] == 1, -last + 0.5 * BIG_BLIND, last)
    return Rewarded(np.where(folding, 0.0, np.where(o.next < 0, last, -paid)), "document")
