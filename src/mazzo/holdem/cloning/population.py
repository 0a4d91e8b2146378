"""What the other players of a log did, described as the hero's decisions are: a hero with few rows borrows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mazzo.holdem.attributes import REGISTRY
from mazzo.holdem.attributes.situations import situations_in
from mazzo.holdem.cloning.data import Rows, rows_described
from mazzo.holdem.logs.hands import Hands

__all__ = ["FEW", "others_of"]

FEW = 5_000
"""A hero with fewer decisions on a street borrows from the others there."""
_MOST_PLAYERS = 20
_MOST_ROWS = 60_000


def others_of(batches: Sequence[Hands], hero: str, data: Sequence[Rows], few: int = FEW) -> list[Rows | None]:
    """The decisions of the players with most hands, street by street; None where the hero has decisions enough."""
    wanted = [len(rows) < few for rows in data]
    parts: list[list[Rows]] = [[] for _ in data]
    if any(wanted):
        history = any(REGISTRY[column.name].prefix == "HISTORY" for rows in data for column in rows.columns)
        big_blind = batches[0].games[0].big_blind
        for name in _players(batches, hero):
            for s in situations_in(batches, name, history, big_blind):
                for street, rows in enumerate(data):
                    here = s[s.street == street] if len(s) else s
                    if wanted[street] and len(here):
                        parts[street].append(rows_described(street, rows.columns, [here], True))
            wanted = [w and sum(map(len, p)) < _MOST_ROWS for w, p in zip(wanted, parts, strict=True)]
            if not any(wanted):
                break
    return [Rows.joined(found) if found else None for found in parts]


def _players(batches: Sequence[Hands], hero: str) -> list[str]:
    """The other players, those with most hands first."""
    hands: Counter[str] = Counter()
    for batch in batches:
        number, count = np.unique(batch.seating[batch.seating >= 0], return_counts=True)
        hands.update({batch.names[k]: n for k, n in zip(number.tolist(), count.tolist(), strict=True)})
    hands.pop(hero, None)
    return [name for name, _ in sorted(hands.items(), key=lambda each: (-each[1], each[0]))[:_MOST_PLAYERS]]
