"""`reader`: a sampler whose deals are weighted by how well they explain the cards that others played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mazzo.agent import Between, Safe
from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.rng import fork, uniform
from mazzo.tressette.agents.sampler import SAFE, Sampler
from mazzo.tressette.deals.sample import sample_deals
from mazzo.tressette.observation import Observations
from mazzo.tressette.players import log_likelihoods

__all__ = ["SignReader"]


@dataclass
class SignReader(Sampler):
    """A sampler that reads the cards played: deals that explain them badly by a model of players count for less.

    Attributes:
        pool: Deals drawn evenly for each one that is kept.
        trust: How much the model is believed: 0 not at all, 1 as if each player were the model.
    """

    summary: ClassVar[str] = "sampler whose deals are weighted by how well they explain the cards others played"
    safe: ClassVar[Safe | None] = {**SAFE, "pool": Between(1, 100), "trust": Between(0, 10)}

    pool: int = 25
    trust: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pool < 1 or not 0 <= self.trust <= 10:
            raise UnreadableError(
                f"a reader has pool from 1 up and trust from 0 to 10, not pool={self.pool}, trust={self.trust}"
            )

    def _facts(self) -> dict[str, float | int | str | None]:
        return {**super()._facts(), "trust in the model of players": self.trust}

    def _deals(self, one: Observations, n: int, key: int) -> Ints:
        """Deals drawn by their weight, from many drawn evenly."""
        many = sample_deals(one, n * self.pool, key)
        if int(one.count[0]) == 0:
            return many[:n]
        logs = log_likelihoods(one, many)
        weights = np.exp(self.trust * (logs - logs.max()))
        # One even comb over the weights: a deal of weight k/n comes k times, not k times on average.
        comb = (np.arange(n) + uniform(np.uint64(fork(np.uint64(key), 1)))) / n
        places = np.searchsorted(np.cumsum(weights) / weights.sum(), comb)
        return many[np.minimum(places, len(many) - 1)]
