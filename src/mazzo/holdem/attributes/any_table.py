"""Attributes of decisions at tables of any size, limit or not, in numbers: what heroes beyond heads-up limit see."""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.elementary import BIG_BLIND
from mazzo.holdem.attributes.registry import register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.notation import STREETS

__all__ = ["DEEPEST", "TABLE"]

TABLE: tuple[str, ...] = (
    "stage",
    "pv",
    "ACTIVE_PLAYER_COUNT",
    "still_to_act",
    "acts_after",
    "owed",
    "pot",
    "POT_ODDS",
    "stack",
    "stack_to_pot",
    "opponents_all_in",
    "initiative",
    *(f"raises_me_{street}" for street in STREETS),
    *(f"raises_other_{street}" for street in STREETS),
    "HAND_TYPE",
    "POTENTIAL_OUTS",
    "DRAWS",
    "HERO_HOLE_CARD_HIGH",
    "HERO_HOLE_CARD_LOW",
    "HERO_HOLE_CARDS_SUITEDNESS",
)
"""What a hero looks at by default where the game is not heads-up limit."""

DEEPEST = 1000 * BIG_BLIND
"""Stacks beyond so many chips, and those that a log does not tell, count as this."""
_AFTER_THE_FLOP = c.FIRST + 1


def still_to_act(s: Situations) -> Ints:
    """Opponents who must still act on this street as the betting stands."""
    return np.asarray(np.bitwise_count(s.state[:, c.PENDING] & ~_me(s)), np.int64)


def acts_after(s: Situations) -> Ints:
    """Opponents still in who act after the player on the flop, turn and river."""
    players = s.rules[s.state[:, c.GAME], c.PLAYERS]
    first = s.rules[s.state[:, c.GAME], _AFTER_THE_FLOP]
    own = (s.state[:, c.ACTOR] - first) % players
    total = np.zeros(len(s), np.int64)
    for position in range(int(players.max(initial=0))):
        later = (position < players) & ((position - first) % players > own)
        total += later & (s.state[:, c.LIVE] >> position & 1)
    return total


def stack(s: Situations) -> Floats:
    """Chips the player can still put in and another can answer; those of a thousand big blinds at most."""
    rows, positions = np.arange(len(s)), np.arange(c.MAX_PLAYERS)
    room, spent = s.state[:, c.ROOM : c.ROOM + c.MAX_PLAYERS], s.state[:, c.SPENT : c.SPENT + c.MAX_PLAYERS]
    others = ((s.state[:, c.LIVE] & ~_me(s))[:, None] >> positions & 1).astype(np.bool_)
    most = np.where(others, room, 0).max(axis=1)
    actor = s.state[:, c.ACTOR]
    behind = np.minimum(room[rows, actor], most) - spent[rows, actor]
    return np.asarray(np.clip(behind * s.scale, 0.0, float(DEEPEST)))


def stack_to_pot(s: Situations) -> Floats:
    """The stack (as `stack` counts it) in pots as they are after a call."""
    return stack(s) / ((s.state[:, c.POT] + s.owed) * s.scale)


def opponents_all_in(s: Situations) -> Ints:
    """Opponents still in who have no chips left."""
    return np.asarray(np.bitwise_count(s.state[:, c.LIVE] & s.state[:, c.ALL_IN] & ~_me(s)), np.int64)


def _me(s: Situations) -> Ints:
    return np.asarray(np.int64(1) << s.state[:, c.ACTOR])


_OURS = {"listed": False}
register("still_to_act", still_to_act, category="GENERAL_GAME_INFO", **_OURS)
register("acts_after", acts_after, category="HERO_INFO", **_OURS)
register("stack", stack, category="HERO_INFO", **_OURS)
register("stack_to_pot", stack_to_pot, category="HERO_INFO", redundant=True, fact="stack", **_OURS)
register("opponents_all_in", opponents_all_in, category="OPPONENT_INFO", **_OURS)
