"""Where the kernels keep what: columns of the rules rows and of the state rows.

A batch of hands is one array of 64-bit integers, a row a hand, and the rules of the games it plays another, a row a
game. Nothing secret is in either: cards lie in an array of their own.
"""

from __future__ import annotations

__all__ = [
    "ACTED", "ACTOR", "ACTOR_BITS", "ACTOR_MASK", "ALL_IN", "ANTE", "ANTE_DUE", "BASE", "BET", "BLIND",
    "BOARD_SEEN", "CALL", "CAP", "COUNT", "COUNT_MASK", "DEEP", "EQUAL_ANTES", "FIRST", "FIXED_MIN_RAISE", "FOLD",
    "GAME", "GAME_MASK", "HOLE_CARDS", "LAST_RAISE", "LIMIT", "LIVE", "MAX_PLAYERS", "MAX_ROUNDS", "MIN_BET",
    "PENDING", "PLAYERS", "POT", "RAISE", "RAISES", "RAISE_SIZE", "ROOM", "ROUND", "ROUNDS", "ROUND_AT",
    "ROUND_MASK", "RULE_WIDTH", "SPENT", "STATE_WIDTH",
]  # fmt: skip

MAX_PLAYERS = 10
MAX_ROUNDS = 4

# Masks that change nothing, but tell the compiler that an index is not negative: it then leaves out numpy's wrapping
# of negative indices, which would cost a fifth of the time.
ROUND_MASK = 3
GAME_MASK = 0xFFFF
COUNT_MASK = 0xFFFFF

# Actions. A raise is the total the player will have wagered in the hand ("raise to"); as blinds are at least 1 that is
# always 2 or more. In a limit game, where the size is given, any number from 2 up means "raise".
FOLD = 0
CALL = 1
RAISE = 2

# The record of a hand: one entry an action, `action << ACTOR_BITS | position of who took it`.
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
RULE_WIDTH = ANTE_DUE + MAX_PLAYERS

# State: one row a hand. Sets of players are bit masks by position.
GAME = 0  # the row of its rules
ROUND = 1
ACTOR = 2  # who is to act; -1 when the hand is over
BET = 3  # the most any player has wagered: what a caller matches
LAST_RAISE = 4  # size of the largest bet or raise of this round, 0 before the first
RAISES = 5  # bets and raises made this round
BASE = 6  # BET when this round began
LIVE = 7  # players who have not folded
PENDING = 8  # players who must still act this round
ACTED = 9  # players who acted since the last full raise: a short all-in does not let them raise again
COUNT = 10  # actions taken in the hand
POT = 11  # all chips put in, antes included
ALL_IN = 12  # players with no chips left
DEEP = 13  # the second largest ROOM of LIVE players: no bet beyond it can be answered
ROUND_AT = 14  # per round, COUNT when it began
SPENT = ROUND_AT + MAX_ROUNDS  # per player, wagered in the hand, blind included, ante not
ROOM = SPENT + MAX_PLAYERS  # per player, the most he can wager: his chips less his ante
ANTE = ROOM + MAX_PLAYERS  # per player, ante paid
STATE_WIDTH = ANTE + MAX_PLAYERS
