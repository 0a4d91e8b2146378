"""How often playing for the match changes the card that `search` would play for points, and what that is worth.

`python -m benchmarks tressette_match_sense`. Matches to 31 are played by `search`; at every decision it is asked twice
more: for points with the same random numbers, and for the match with others, as two searches differ by chance too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.ratio import Ratio
from mazzo.rng import forks
from mazzo.tressette.agents import agent
from mazzo.tressette.evaluation import distinct_cards
from mazzo.tressette.game import Game
from mazzo.tressette.rules import rules

MATCHES, WALKS, NEAR = 8, 1000, 11
"""Near: a side may win within this round by its cards alone."""


def changes(matches: int = MATCHES, walks: int = WALKS) -> dict[str, list[int]]:
    """By how the match stands: decisions, those changed by the match, those changed by chance alone."""
    found = {"near the end": [0, 0, 0], "earlier": [0, 0, 0]}
    player, pointwise = agent(f"search:walks={walks}"), agent(f"search:walks={walks},match=false")
    for seed in range(matches):
        game = Game(rules(a_monte=False), seed=seed)
        while game.winner is None:
            near = max(game.scores) + NEAR >= game.rules.target
            counts, table = found["near the end" if near else "earlier"], game.deal()
            while not table.over:
                seen = table.observe()
                card = int(player.decide(seen)[0])
                distinct = distinct_cards(seen)
                if distinct & (distinct - 1):
                    other = replace(seen, rng_key=forks(seen.rng_key, np.array([1])))
                    counts[0] += 1
                    counts[1] += int(pointwise.decide(seen)[0]) != card
                    counts[2] += int(player.decide(other)[0]) != card
                table.act(card)
            game.score(table)
    return found


def run() -> list[Ratio]:
    """The shares, in per cent."""
    rows = []
    for where, (n, match, chance) in changes().items():
        rows.append(
            Ratio(f"cards changed by the match, {where}, of {n}", 100 * match / n, "%", "by chance", 100 * chance / n)
        )
    return rows
