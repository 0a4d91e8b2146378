"""Attributes of the betting and of the players: what was done in this hand and before (A.7, A.8 of the appendix)."""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem.attributes import betting as b
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.registry import STREETS, register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.watch import FIGURES, OPPONENTS

__all__: list[str] = []


def street_action(s: Situations, street: int) -> Ints:
    """The betting of a street so far, sizes dropped: r bet or raise, c call or check, f fold."""
    return s.betting[:, b.SEQUENCE + street]


def street_action_abstr(s: Situations, street: int) -> Ints:
    """What opponents still in did on a street since the hero's last action there."""
    return s.betting[:, b.ABSTRACTION + street]


def street_action_abstr_all(s: Situations, street: int) -> Ints:
    """What opponents still in did on a street as a whole."""
    return s.betting[:, b.ABSTRACTION_ALL + street]


def street_raises(s: Situations, street: int) -> Ints:
    """Bets and raises on a street."""
    return s.betting[:, b.RAISES + street]


def _now(s: Situations, column: int) -> Ints:
    return np.asarray(s.betting[np.arange(len(s)), column + s.street])


def current_street_action(s: Situations) -> Ints:
    """The betting of this street so far."""
    return _now(s, b.SEQUENCE)


def current_street_action_abstr(s: Situations) -> Ints:
    """What opponents still in did on this street since the hero's last action."""
    return _now(s, b.ABSTRACTION)


def current_street_action_abstr_all(s: Situations) -> Ints:
    """What opponents still in did on this street."""
    return _now(s, b.ABSTRACTION_ALL)


def history_figure(s: Situations, figure: int, k: int) -> Floats:
    """A share of opponent k over the match so far, as `mazzo hands --stats` counts it; missing at first."""
    return np.full(len(s), np.nan) if s.figures is None else s.figures[:, k, figure]


def raises_of_opponent(s: Situations, street: int, k: int) -> Floats:
    """Bets and raises of opponent k on a street of this hand."""
    return np.where(s.seated(k), s.of_opponent(b.RAISED + street, k), np.nan)


def calls_of_opponent(s: Situations, street: int, k: int) -> Floats:
    """Calls and checks of opponent k on a street of this hand."""
    return np.where(s.seated(k), s.of_opponent(b.CALLED + street, k), np.nan)


def raises_of_hero(s: Situations, street: int) -> Ints:
    """Bets and raises of the hero on a street of this hand."""
    return s.betting[:, b.RAISED + street]


def calls_of_hero(s: Situations, street: int) -> Ints:
    """Calls and checks of the hero on a street of this hand."""
    return s.betting[:, b.CALLED + street]


def folds_of_hero(s: Situations, street: int) -> Ints:
    """Folds of the hero on a street of this hand: none, while it is to act."""
    return s.betting[:, b.FOLDED]


_ABSTRACT = {"category": "OPPONENT_BETTING", "section": "A.7", "values": v.ABSTRACTIONS, "redundant": True}
for _s, _street in enumerate(STREETS):
    register(
        f"{_street}_ACTION",
        street_action,
        arguments=(_s,),
        section="A.7",
        category="GENERAL_GAME_INFO",
        sequence=True,
        fact=f"{_street} betting",
        from_street=_s,
    )
register(
    "CURRENT_STREET_ACTION",
    current_street_action,
    section="A.7",
    category="GENERAL_GAME_INFO",
    sequence=True,
    fact="current betting",
    redundant=True,
)
for _s, _street in enumerate(STREETS):
    register(
        f"{_street}_ACTION_ABSTR",
        street_action_abstr,
        arguments=(_s,),
        fact=f"{_street} betting",
        from_street=_s,
        **_ABSTRACT,
    )
register("CURRENT_STREET_ACTION_ABSTR", current_street_action_abstr, fact="current betting", **_ABSTRACT)
for _s, _street in enumerate(STREETS):
    register(
        f"{_street}_RAISES",
        street_raises,
        arguments=(_s,),
        section="A.7",
        category="GENERAL_GAME_INFO",
        fact=f"{_street} betting",
        redundant=True,
        from_street=_s,
    )
for _s, _street in enumerate(STREETS):
    register(
        f"{_street}_ACTION_ABSTR_ALL",
        street_action_abstr_all,
        arguments=(_s,),
        fact=f"{_street} betting",
        from_street=_s,
        **_ABSTRACT,
    )
register(
    "CURRENT_STREET_ACTION_ABSTR_ALL",
    current_street_action_abstr_all,
    fact="current betting",
    listed=False,
    **_ABSTRACT,
)
for _figure, _word in enumerate(FIGURES):
    for _k in range(OPPONENTS):
        register(
            f"HISTORY_{_word}_OPPONENT_{_k}",
            history_figure,
            arguments=(_figure, _k),
            section="A.8",
            category="OPPONENT_STATS",
            prefix="HISTORY",
            opponent=_k,
        )
for _word, _opponents in (("RAISES", raises_of_opponent), ("CALLS", calls_of_opponent)):
    for _s, _street in enumerate(STREETS):
        for _k in range(OPPONENTS):
            register(
                f"{_word}_{_street}_OPP_{_k}",
                _opponents,
                arguments=(_s, _k),
                section="A.8",
                category="OPPONENT_BETTING",
                opponent=_k,
                fact=f"{_street} betting",
                redundant=True,
                from_street=_s,
            )
for _word, _hero in (("RAISES", raises_of_hero), ("CALLS", calls_of_hero), ("FOLDS", folds_of_hero)):
    for _s, _street in enumerate(STREETS):
        register(
            f"{_word}_{_street}_HERO",
            _hero,
            arguments=(_s,),
            section="A.8",
            category="HERO_BETTING",
            fact=f"{_street} betting",
            redundant=True,
            from_street=_s,
        )
