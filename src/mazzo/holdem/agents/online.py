"""`online`: a hero that goes on learning while it plays, lets old hands fade, and notices when the opponent changes.

It begins with a model file, or by exploring. Whenever enough new hands have come in it learns again from all it
remembers, newer hands weighing more. Before that, the new hands are compared with what it expected of them: the
residual of a hand is what it brought less Q of its first decision. If the mean residual of the new hands differs from
that of the hands since the last change by more than `alarm` standard errors (Welch's test), the opponent has changed:
older hands are forgotten and the hero starts from the new ones. Hands played with the first Q after exploring or after
a change are not compared: they are no measure of what is usual. (The mean of squares would tell of changes sooner, but
also of the hero's own: learning again changes what it plays.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Between, Explanation, Safe
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.hero import Hero
from mazzo.holdem.agents.sizes import of_kinds
from mazzo.holdem.attributes import load_named, situations_seen
from mazzo.holdem.attributes.elementary import BIG_BLIND, LEARNING, refuse_other_than_heads_up_limit
from mazzo.holdem.learning.decisions import Decisions, decisions_of, joined
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.rules import Rules
from mazzo.learn.q_values import q_table
from mazzo.policy import ActionChances
from mazzo.statistics import Moments

__all__ = ["Online"]


@dataclass
class Online(Agent[Observations]):
    """Greedy on a Q that is fitted again and again to the hands it plays, with a share of random actions."""

    summary: ClassVar[str] = "a hero that keeps learning as it plays and notices when the opponent changes"
    safe: ClassVar[Safe | None] = {
        "explore": Between(0, 1),
        "every": Between(100, 100_000),
        "half_life": Between(1, 1e6),
        "alarm": Between(0.1, 100),
    }
    learns: ClassVar[bool] = True
    model: str = ""
    """A hero to begin with; without one it begins by exploring."""
    attributes: str = ""
    """Attributes of yours that this hero looks at: FILE.py:NAME, several with +."""
    explore: float = 0.05
    """The share of random legal actions, without which it would learn nothing new."""
    every: int = 2000
    """New hands after which it learns again."""
    half_life: float = 20_000.0
    """Hands after which a hand weighs half."""
    alarm: float = 3.5
    """Standard errors by which results must differ from what was expected to call it a change."""

    def __post_init__(self) -> None:
        if not 0 < self.explore <= 1 or self.every < 100 or self.half_life <= 0 or self.alarm <= 0:
            raise UnreadableError(
                "explore is a share above 0, every at least 100 hands, half_life and alarm above 0, "
                f"not {self.explore}, {self.every}, {self.half_life} and {self.alarm}"
            )
        load_named(self.attributes.split("+"))
        self.strategy = LearnedStrategy.load(Path(self.model)) if self.model else None
        first = self.strategy.attributes if self.strategy is not None else ()
        self._kept = tuple(dict.fromkeys((*LEARNING, *first)))
        self.changes: list[int] = []
        """After how many hands a change was noticed."""
        self.hands = 0
        self._memory: list[Decisions] = []
        self._fresh: list[Decisions] = []
        self._fresh_hands = 0
        self._usual = Moments()
        self._settling = not self.model

    def unsupported_reason(self, game: Rules | None) -> str:
        """Its attributes are those of heads-up limit Hold'em."""
        return refuse_other_than_heads_up_limit(game)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The best legal action by Q, or now and then any."""
        seen = situations_seen(observations, big_blind=BIG_BLIND)
        legal = seen.legal
        draws = (observations.rng_key >> np.uint64(11)).astype(np.float64) * 2.0**-53
        share = self.explore if self.strategy is not None else 1.0
        place = (draws / share * legal.sum(axis=1)).astype(np.int64)
        chosen = np.argmax(legal.cumsum(axis=1) > place[:, None], axis=1)
        if self.strategy is not None:
            chosen = np.where(draws < share, chosen, np.argmax(self.strategy.q(seen), axis=1))
        return np.where(chosen == c.KIND_RAISE, observations.raise_low, chosen + c.FOLD)

    def policy(self, observations: Observations) -> ActionChances:
        """Any legal action with the share it explores, the best by Q with the rest."""
        seen = situations_seen(observations, big_blind=BIG_BLIND)
        legal, rows = seen.legal, np.arange(len(observations))
        share = self.explore if self.strategy is not None else 1.0
        p = legal * (share / legal.sum(axis=1, keepdims=True))
        if self.strategy is not None:
            p[rows, np.argmax(self.strategy.q(seen), axis=1)] += 1 - share
        return of_kinds(observations, p)

    def explain(self, observation: Observations) -> Explanation:
        """Q of each action, if it has learned one."""
        played = action_text(int(self.decide(observation)[0]), observation.game.limit)
        if self.strategy is None:
            return Explanation(played, "it has not learned yet: any legal action")
        told = Hero.playing(self.strategy).explain(observation)
        reason = told.reason if told.action == played else f"it explores; {told.action} would be best: {told.reason}"
        return replace(told, action=played, reason=reason)

    def on_hands_finished(self, hands: Finished) -> None:
        """Remember its own decisions of finished hands, and learn again when enough have come in."""
        self._fresh.append(replace(decisions_of(Hands.of(hands), player="me", attributes=self._kept), fingerprint=""))
        self._fresh_hands += len(hands.state)
        self.hands += len(hands.state)
        if self._fresh_hands >= self.every:
            fresh = joined([replace(d, hand=d.hand + k * 10**6) for k, d in enumerate(self._fresh)])
            self._watch(fresh)
            self._memory.append(replace(fresh, hand=fresh.hand * 0 + self.hands, idle=fresh.idle[:0]))
            self._learn()
            self._fresh, self._fresh_hands = [], 0

    def _watch(self, fresh: Decisions) -> None:
        """Compare new hands with what was expected of them."""
        if self.strategy is None:
            return
        if self._settling:
            self._settling = False
            return
        new = Moments.of(_residuals(fresh, self.strategy))
        if _apart(new, self._usual) > self.alarm:
            self.changes.append(self.hands)
            self._memory, self._usual, self._settling = [], Moments(), True
            return
        self._usual += new

    def _learn(self) -> None:
        from mazzo.learn.fitted_q import FittedQ

        rows = joined(self._memory)
        weights = 0.5 ** ((self.hands - rows.hand) / self.half_life)
        fitted = FittedQ(trees_with_weights(), iterations=12)
        fitted.fit(rows.transitions(LEARNING), sample_weight=weights)
        assert fitted.forest_ is not None  # boosted trees are trees
        self.strategy = LearnedStrategy(LEARNING, fitted.forest_, {})


def trees_with_weights(trees: int = 100, rate: float = 0.05) -> Any:
    """Boosted trees for hands that fade: those of `mazzo.learn` take no weights."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        max_iter=trees, max_leaf_nodes=8, learning_rate=rate, min_samples_leaf=100, early_stopping=False, random_state=0
    )


def _apart(one: Moments, other: Moments) -> float:
    """By how many standard errors two means differ; 0 while one of them is not known."""
    if min(one.n, other.n) < 2:
        return 0.0
    error = np.sqrt(one.variance / one.n + other.variance / other.n)
    return float(abs(one.mean - other.mean) / error) if error > 0 else 0.0


def _residuals(decisions: Decisions, strategy: LearnedStrategy) -> NDArray[np.float64]:
    """What each hand brought from its first decision on, less Q of that decision."""
    # One player's rows of a hand stand together and in order, because only that player's rows are here.
    brought = np.bincount(np.cumsum(decisions.first) - 1, decisions.reward)
    first = np.flatnonzero(decisions.first)
    states = decisions.matrix(strategy.attributes)[first]
    taken = np.zeros((len(first), 3), np.bool_)
    taken[np.arange(len(first)), decisions.action[first]] = True
    residuals: NDArray[np.float64] = brought - q_table(strategy.forest.predict, states, 3, taken).max(axis=1)
    return residuals
