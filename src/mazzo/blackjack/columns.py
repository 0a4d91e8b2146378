"""Codes of actions, the bits of a hand, and the columns of a round's state.

A hand is one integer: kernels keep it in a register. From the lowest bit on: points with aces as one (5 bits), whether
there is an ace, how many cards (5), the ranks of the first and the second card (4 each), the box (4), then whether it
comes from a split, was doubled, was given up, and is played to its end.
"""

from __future__ import annotations

from typing import Any

__all__ = ["ACTIONS", "PLAYS", "best_points"]

PLAYS = ("stand", "hit", "double", "split", "surrender")
"""The plays in the order of their codes."""
ACTIONS = (*PLAYS, "insure", "even money", "leave")
"""All actions in the order of their codes: plays, and the answers where a side bet is offered."""
STAND, HIT, DOUBLE, SPLIT, SURRENDER, INSURE, EVEN_MONEY, LEAVE = range(len(ACTIONS))

POINTS = 31
"""The mask of the points."""
ACE_BIT = 5
CARDS, FIRST, SECOND, BOX = 6, 11, 15, 19
"""Where these fields begin."""
FROM_SPLIT, DOUBLED, SURRENDERED, OVER = 1 << 23, 1 << 24, 1 << 25, 1 << 26

PHASE, TURN, AT, HANDS, DEALER, DRAWN, LEFT, GIVEN, HOLE, ACTED, ANSWERED, INSURED, EVEN = range(13)
"""The columns of a round: what is decided now; the box to act (-1 when over); the hand to play; how many hands there
are; the dealer's hand; cards drawn; cards left in the shoe; cards that were given beforehand; which card is the hole
card (-1: none). The last four are masks by box: it has made a play; it has answered the offer of a side bet; it is
insured; it was paid even money."""
COLUMNS = 13
SIDE_BETS, PLAYING, FINISHED = range(3)
"""Phases of a round."""
DEALERS = -1
"""The owner of the dealer's cards."""

MOST_BOXES = 15
MOST_HANDS = 20
"""Hands of one box where the rules set no limit: one in 10**15 rounds would have more."""


def best_points(hard: Any, ace: Any) -> tuple[Any, Any]:
    """The points of a hand, an ace as eleven where that helps, and whether one is (the hand is soft).

    Args:
        hard: Points with aces as one; a number, or an array of them.
        ace: Whether there is an ace.
    """
    soft = ace & (hard <= 11)
    return hard + 10 * soft, soft
