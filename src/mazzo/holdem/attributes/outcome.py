"""Classes and attributes known only afterwards (A.1 and A.10 of the text's appendix)."""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.registry import register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.watch import OPPONENTS
from mazzo.holdem.columns import UNKNOWN

__all__: list[str] = []


_CLASS_OF = np.array([v.ACTIONS.index("FOLD"), v.ACTIONS.index("CALL"), v.ACTIONS.index("RAISE")])


def class_hero_action_taken(s: Situations) -> Ints:
    """What the hero did; INVALID while it is not known."""
    if s.taken is None:
        return np.full(len(s), v.ACTIONS.index(v.INVALID))
    return _CLASS_OF[s.taken.action]


def class_to_invest(s: Situations) -> Floats:
    """Chips the hero puts in on this street from this decision on."""
    return np.full(len(s), np.nan) if s.taken is None else s.taken.to_invest


def future_hero_outcome(s: Situations) -> Floats:
    """Chips the hero won or lost in the hand."""
    return np.full(len(s), np.nan) if s.taken is None else s.taken.net


def future_hole_cards_opponent(s: Situations, k: int) -> Ints:
    """The hole cards of opponent k, where the log shows them."""
    if s.taken is None:
        return np.full(len(s), -1)
    cards = s.taken.opponents_hole[:, k]
    known = (cards != UNKNOWN).all(axis=1)
    return np.where(known, v.hole_numbers()[np.where(known, cards[:, 0], 0), np.where(known, cards[:, 1], 1)], -1)


def future_outcome_opponent(s: Situations, k: int) -> Floats:
    """Chips opponent k won or lost in the hand."""
    return np.full(len(s), np.nan) if s.taken is None else s.taken.opponents_net[:, k]


_NONE = {"category": "NO_CATEGORY", "section": "A.1"}
_FUTURE = {"prefix": "FUTURE", "section": "A.10"}
register("CLASS_HERO_ACTION_TAKEN", class_hero_action_taken, values=v.ACTIONS, **_NONE)
register("CLASS_TO_INVEST", class_to_invest, **_NONE)
register("FUTURE_HERO_OUTCOME", future_hero_outcome, category="HERO_INFO", **_FUTURE)
for _k in range(OPPONENTS):
    register(
        f"FUTURE_HOLE_CARDS_OPPONENT_{_k}",
        future_hole_cards_opponent,
        arguments=(_k,),
        category="OPPONENT_INFO",
        values=v.hole_texts(),
        opponent=_k,
        **_FUTURE,
    )
for _k in range(OPPONENTS):
    register(
        f"FUTURE_OUTCOME_OPPONENT_{_k}",
        future_outcome_opponent,
        arguments=(_k,),
        category="OPPONENT_INFO",
        opponent=_k,
        **_FUTURE,
    )
