"""`sampler`: what each card is worth on average over deals drawn from all that agree with what was seen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import YES_NO, Between, Explanation, Safe
from mazzo.errors import UnreadableError
from mazzo.rng import fork
from mazzo.tressette.agents.paired import paired_options, paired_reason
from mazzo.tressette.agents.signalling import reason_with_answer, with_signals
from mazzo.tressette.agents.taking import TakesPoints
from mazzo.tressette.agents.winning import points_lead
from mazzo.tressette.choosing import best_card, cheapest, legal_list
from mazzo.tressette.deals.sample import count_deals, sample_deals
from mazzo.tressette.evaluation import distinct_cards, points_of_deals
from mazzo.tressette.kernels import Ints
from mazzo.tressette.observation import Observations

__all__ = ["SAFE", "Sampler"]

_CHUNK = 8

SAFE: Safe = {"samples": Between(1, 200), "seconds": Between(0, 2), "full": Between(1, 7), "signals": YES_NO}
"""What somebody in a browser may choose."""


@dataclass
class Sampler(TakesPoints):
    """Solves sampled deals double-dummy, and plays the card that is best on average.

    What it cannot know: in each deal it is told who holds what, so it never sees the worth of hiding or of finding
    out, and believes it will play every deal differently where in truth it must play all of them alike (strategy
    fusion).

    Attributes:
        samples: Deals drawn for one decision.
        seconds: If more than 0, it goes on drawing until so much time has passed; then play cannot be repeated.
        full: From so many cards a hand on, deals are solved at once; before, they are played on to that length.
        signals: Where talking is allowed, say busso, striscio or volo when leading, and answer the partner's busso.
    """

    summary: ClassVar[str] = "deals drawn evenly from all that agree with what was seen, solved and averaged"
    safe: ClassVar[Safe | None] = SAFE

    plays_at_once: ClassVar[int] = 32

    samples: int = 20
    seconds: float = 0.0
    full: int = 6
    signals: bool = False

    def __post_init__(self) -> None:
        if self.samples < 1 or not 1 <= self.full <= 10 or not 0 <= self.seconds < float("inf"):
            raise UnreadableError(
                "a sampler has samples from 1 up, seconds from 0 up and full from 1 to 10, not "
                f"samples={self.samples}, seconds={self.seconds}, full={self.full}"
            )

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        cards = np.empty(len(observations), np.int64)
        for i in range(len(observations)):
            one = observations[i : i + 1]
            distinct = distinct_cards(one)
            if distinct & (distinct - 1) == 0:
                cards[i] = cheapest(np.int64(one.legal[0]))
            else:
                cards[i] = best_card(self._outcomes(one).sum(axis=0), int(one.legal[0]))
        return with_signals(observations, cards) if self.signals else cards

    def explain(self, observation: Observations) -> Explanation:
        """The mean difference in points by card, and how far each is behind the best in the same deals."""
        outcomes, legal = self._outcomes(observation), legal_list(observation)
        distinct = distinct_cards(observation)
        choice = int(cheapest(np.int64(observation.legal[0])))
        if distinct & (distinct - 1):
            choice = best_card(outcomes.sum(axis=0), int(observation.legal[0]))
        best = outcomes[:, legal].max(axis=1)
        terms = {card: {"best in": float((outcomes[:, card] == best).mean())} for card in legal}
        options = paired_options(outcomes.astype(np.float64), choice, legal, points_lead(), None, terms)
        facts = {"deals sampled": len(outcomes), "deals possible": int(count_deals(observation)[0]), **self._facts()}
        action = int(with_signals(observation, np.array([choice]))[0]) if self.signals else choice
        said, reason = reason_with_answer(action, choice, paired_reason(options, "points"))
        return Explanation(said, reason, options, facts, unit="points")

    def _facts(self) -> dict[str, float | int | str | None]:
        return {"unit": "points of the round, our side minus theirs"}

    def _deals(self, one: Observations, n: int, key: int) -> Ints:
        return sample_deals(one, n, key)

    def _outcomes(self, one: Observations) -> NDArray[np.int64]:
        """[deals, 40] points of our side by deal and card."""
        key, end = np.uint64(one.rng_key[0]), time.perf_counter() + self.seconds
        found = [points_of_deals(one, self._deals(one, self.samples, int(key)), self.full)]
        while self.seconds > 0 and time.perf_counter() < end:
            key = np.uint64(fork(key, 0))
            found.append(points_of_deals(one, self._deals(one, _CHUNK, int(key)), self.full))
        return np.concatenate(found)
