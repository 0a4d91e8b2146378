"""How often `solid` bets weak hands for every strong one it bets, by street: `python -m benchmarks.bluffs`.

It plays itself heads-up. A bet is of a strong hand where its equity, by its own reckoning, is a half or more. With bets
of s pots a solver bets s / (1 + s) weak hands for every strong one on the river, and more of them before.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import numpy as np

from mazzo.agent import Agent, Explanation
from mazzo.arena.match import match
from mazzo.arrays import Floats, Ints
from mazzo.games import find_contest
from mazzo.holdem.agents.solid import Solid
from mazzo.holdem.agents.solid_kernels import EQUITY
from mazzo.holdem.columns import RAISE
from mazzo.holdem.notation import STREETS
from mazzo.holdem.observation import Observations


@dataclass
class Counting(Agent[Observations]):
    """`solid`, its bets counted: by street those of weak hands and of strong ones."""

    player: Solid = field(default_factory=Solid)
    counts: Floats = field(default_factory=lambda: np.zeros((4, 2)))

    def decide(self, observations: Observations) -> Ints:
        """What `solid` does."""
        actions = self.player.decide(observations)
        bets = np.flatnonzero((observations.street > 0) & (observations.owed == 0) & (actions >= RAISE))
        if bets.size:
            seen = observations[bets]
            strong = (self.player._after(seen)[1][:, EQUITY] >= 0.5).astype(int)
            np.add.at(self.counts, (seen.street, strong), 1)
        return actions

    def explain(self, observation: Observations) -> Explanation:
        """What `solid` says."""
        return self.player.explain(observation)


def main() -> None:
    """Play and say it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="holdem-nolimit-2p-100bb")
    given = parser.parse_args()
    both = Counting(), Counting()
    match(find_contest(given.game)[0], both, given.hands, given.seed)
    counts = both[0].counts + both[1].counts
    for street in (1, 2, 3):
        weak, strong = counts[street]
        print(f"{STREETS[street]}: {weak:.0f} weak and {strong:.0f} strong, {weak / strong:.2f} for each")


if __name__ == "__main__":
    main()
