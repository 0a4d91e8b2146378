"""Attributes of the table: players, chips and positions (A.2-A.4 of the text's appendix)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import betting as b
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.registry import register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.watch import OPPONENTS

__all__: list[str] = []


def _or_missing(s: Situations, k: int, values: NDArray[np.int64] | Floats) -> Floats:
    return np.where(s.seated(k), values, np.nan)


def active_player_count(s: Situations) -> Ints:
    """Players who have not folded, the hero included."""
    return s.betting[:, b.ACTIVE]


def player_count(s: Situations) -> Ints:
    """Players who were dealt in."""
    return np.asarray(s.rules[s.state[:, c.GAME], c.PLAYERS])


def folds(s: Situations) -> Ints:
    """Players who have folded."""
    return player_count(s) - active_player_count(s)


def opponent_has_folded(s: Situations, k: int) -> Ints:
    """Whether opponent k has folded in this hand."""
    return np.where(s.seated(k), 1 - s.of_opponent(b.FOLDED, k), -1)


def max_bet_size_this_street(s: Situations) -> Floats:
    """The most one player has put in on this street, blind included: what a caller matches."""
    return s.betting[:, b.MAX_BET] * s.scale


def pot_size(s: Situations) -> Floats:
    """All chips put in so far, this street's included."""
    return s.state[:, c.POT] * s.scale


def call_amount(s: Situations) -> Floats:
    """Chips a call costs the hero; 0 for a check."""
    return s.owed * s.scale


def invested_this_street(s: Situations) -> Floats:
    """Chips all players have put in on this street."""
    return s.betting[:, b.INVESTED] * s.scale


def hero_invested_this_street(s: Situations) -> Floats:
    """Chips the hero has put in on this street."""
    return s.betting[:, b.HERO_INVESTED] * s.scale


def invested_this_street_opponent(s: Situations, k: int) -> Floats:
    """Chips opponent k has put in on this street."""
    return _or_missing(s, k, s.of_opponent(b.IN_STREET, k) * s.scale)


def _position_name(s: Situations, position: Ints) -> Ints:
    """The place in `POSITIONS` of a position; INVALID for -1."""
    names = np.full((len(s.games), c.MAX_PLAYERS + 1), len(v.POSITIONS) - 1)
    for g, game in enumerate(s.games):
        names[g, : game.players] = v.position_numbers(game)
    return np.asarray(names[s.state[:, c.GAME], position])


def last_raise_position(s: Situations) -> Ints:
    """Where the last player to bet or raise in this hand sits; INVALID if nobody has."""
    return _position_name(s, s.betting[:, b.LAST_RAISER])


def hero_position(s: Situations) -> Ints:
    """Where the hero sits."""
    return _position_name(s, s.state[:, c.ACTOR])


def opponent_position(s: Situations, k: int) -> Ints:
    """Where opponent k sits; INVALID if there is none."""
    return _position_name(s, s.where[:, k])


_GENERAL = {"category": "GENERAL_GAME_INFO"}
_EVERYONE = range(OPPONENTS)
register("ACTIVE_PLAYER_COUNT", active_player_count, section="A.2", fact="folds", **_GENERAL)
register("PLAYER_COUNT", player_count, section="A.2", **_GENERAL)
register("FOLDS", folds, section="A.2", fact="folds", redundant=True, **_GENERAL)
for _k in _EVERYONE:
    register(
        f"OPPONENT_HAS_FOLDED_{_k}",
        opponent_has_folded,
        arguments=(_k,),
        section="A.2",
        category="OPPONENT_INFO",
        values=v.TRUTH,
        opponent=_k,
    )
register("MAX_BET_SIZE_THIS_STREET", max_bet_size_this_street, section="A.3", **_GENERAL)
register("POT_SIZE", pot_size, section="A.3", **_GENERAL)
register("CALL_AMOUNT", call_amount, section="A.3", **_GENERAL)
register("INVESTED_THIS_STREET", invested_this_street, section="A.3", **_GENERAL)
register("HERO_INVESTED_THIS_STREET", hero_invested_this_street, section="A.3", category="HERO_INFO")
for _k in _EVERYONE:
    register(
        f"INVESTED_THIS_STREET_OPPONENT_{_k}",
        invested_this_street_opponent,
        arguments=(_k,),
        section="A.3",
        category="OPPONENT_INFO",
        opponent=_k,
    )
register("LAST_RAISE_POSITION", last_raise_position, section="A.4", values=v.POSITIONS, **_GENERAL)
register("HERO_POSITION", hero_position, section="A.4", category="HERO_INFO", values=v.POSITIONS)
for _k in _EVERYONE:
    register(
        f"OPPONENT_POSITION_{_k}",
        opponent_position,
        arguments=(_k,),
        section="A.4",
        category="OPPONENT_INFO",
        values=v.POSITIONS,
        opponent=_k,
    )
