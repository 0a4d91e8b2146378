"""What chips are worth in prizes: the independent chip model of Malmuth and Harville, exactly."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.errors import IllegalError

__all__ = ["MOST_PLAYERS", "icm"]

MOST_PLAYERS = 12


def icm(chips: Sequence[float], prizes: Sequence[float]) -> list[float]:
    """Each player's share of the prizes, if places are drawn by chips, the first place first.

    Counted over sets of players that took the places before, not over orders: exact for up to twelve players.
    """
    players = len(chips)
    if not 1 <= players <= MOST_PLAYERS:
        raise IllegalError(f"prizes can be divided among 1 to {MOST_PLAYERS} players, got {players}")
    if min(chips) <= 0 or not all(amount < float("inf") for amount in (*chips, *prizes)):
        raise IllegalError("chips are positive and prizes are amounts")
    worth = [0.0] * players
    total = float(sum(chips))
    gone: dict[int, float] = {0: 1.0}  # by the set of players who took the places so far, its chance
    for prize in list(prizes)[:players]:
        after: dict[int, float] = {}
        for taken, chance in gone.items():
            left = total - sum(amount for p, amount in enumerate(chips) if taken >> p & 1)
            for p, amount in enumerate(chips):
                if not taken >> p & 1:
                    share = chance * amount / left
                    worth[p] += share * prize
                    after[taken | 1 << p] = after.get(taken | 1 << p, 0.0) + share
        gone = after
    return worth
