"""Where the kernels keep what: columns of the rules rows and of the state rows.

A batch of hands is one array of 64-bit integers, a row a hand, and the rules of the games it plays another, a row a
game. Nothing secret is in either: cards lie in an array of their own.
"""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Ints

__all__ = [
    "ACTED", "ACTOR", "ACTOR_BITS", "ACTOR_MASK", "ALL_IN", "ANTE", "ANTE_DUE", "BASE", "BET", "BIG_BLIND",
    "BLIND", "BOARD_SEEN", "CALL", "CAP", "COUNT", "COUNT_MASK", "DEEP", "EQUAL_ANTES", "FIRST", "FIXED_MIN_RAISE",
    "FOLD", "FULL", "GAME", "GAME_MASK", "HALF", "HOLE_CARDS", "KIND_CALL", "KIND_FOLD", "KIND_RAISE",
    "LAST_RAISE", "LIMIT", "LIVE", "MAX_PLAYERS", "MAX_ROUNDS", "MIN_BET", "NO_ACTION", "OWED_WHOLE", "PENDING",
    "PLAYERS", "POT", "RAISE", "RAISES", "RAISE_SIZE", "ROOM", "ROUND", "ROUNDS", "ROUND_AT", "ROUND_MASK",
    "RULE_WIDTH", "SPENT", "STATE_WIDTH", "UNKNOWN", "kinds",
]  # fmt: skip

MAX_PLAYERS = 10
MAX_ROUNDS = 4

UNKNOWN = 255
"""A card that was dealt but is not known."""

# Masks that change nothing, but tell the compiler that an index is not negative: it then leaves out numpy's wrapping
# of negative indices, which would cost a fifth of the time.
ROUND_MASK = 3
GAME_MASK = 0xFFFF
COUNT_MASK = 0xFFFFF

# Actions. A raise is the total the player will have wagered in the hand ("raise to"), 1 or more; what is not an amount
# is negative. In a limit game, where the size is given, any number from 1 up means "raise". 0 is no action: an array
# that was left at zero is an error, and so is a fold by its code of old.
FOLD = -2
CALL = -1
NO_ACTION = 0
RAISE = 1

# Kinds of action, whatever the amount: what learners, models and counts index by. `kinds` here and `kind_of` in the
# kernels give them.
KIND_FOLD, KIND_CALL, KIND_RAISE = range(3)

# The record of a hand: one entry an action, `action << ACTOR_BITS | position of who took it`; 0 where there is none.
ACTOR_BITS = 4
ACTOR_MASK = (1 << ACTOR_BITS) - 1

# Rules: one row a game.
PLAYERS = 0
ROUNDS = 1
LIMIT = 2
MIN_BET = 3
HOLE_CARDS = 4
FIXED_MIN_RAISE = 5
EQUAL_ANTES = 6
FIRST = 7
RAISE_SIZE = FIRST + MAX_ROUNDS
CAP = RAISE_SIZE + MAX_ROUNDS
BOARD_SEEN = CAP + MAX_ROUNDS
BLIND = BOARD_SEEN + MAX_ROUNDS
ANTE_DUE = BLIND + MAX_PLAYERS
HALF = ANTE_DUE + MAX_PLAYERS  # per round, half of a limit raise where that reopens the betting, else 0
BIG_BLIND = HALF + MAX_ROUNDS  # the largest blind
OWED_WHOLE = BIG_BLIND + 1  # what is owed at least before the flop, however short the big blind is; or 0
RULE_WIDTH = OWED_WHOLE + 1

# State: one row a hand. Sets of players are bit masks by position.
GAME = 0  # the row of its rules
ROUND = 1
ACTOR = 2  # who is to act; -1 when the hand is over
BET = 3  # the most any player has wagered: what a caller matches
LAST_RAISE = 4  # size of the largest bet or raise of this round, 0 before the first; or HALF, where rules have it
RAISES = 5  # bets and raises made this round
BASE = 6  # BET when this round began
LIVE = 7  # players who have not folded
PENDING = 8  # players who must still act this round
ACTED = 9  # players who acted since the last full raise: a short all-in does not let them raise again
COUNT = 10  # actions taken in the hand
POT = 11  # all chips put in, antes included
ALL_IN = 12  # players with no chips left
DEEP = 13  # the second largest ROOM of LIVE players: no bet beyond it can be answered
FULL = 14  # BET after the last full bet or raise: in limit games the next one is counted from here
ROUND_AT = 15  # per round, COUNT when it began
SPENT = ROUND_AT + MAX_ROUNDS  # per player, wagered in the hand, blind included, ante not
ROOM = SPENT + MAX_PLAYERS  # per player, the most he can wager: his chips less his ante
ANTE = ROOM + MAX_PLAYERS  # per player, ante paid
STATE_WIDTH = ANTE + MAX_PLAYERS


def kinds(actions: Ints) -> Ints:
    """The kind of each action: 0 fold, 1 call or check, 2 bet or raise."""
    return np.minimum(actions, NO_ACTION) - FOLD
