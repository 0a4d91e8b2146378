"""`online`: a hero that goes on learning while it plays, lets old hands fade, and notices when the opponent changes.

It begins with a model file, or by exploring. Whenever enough new hands have come in it learns again from all it
remembers, newer hands weighing more. As finished hands come in, what the opponent did in them is compared with what it
did since the last change, sequence of betting by sequence of betting (`mazzo.holdem.learning.drift`). If they differ
by more than `alarm` standard errors, the opponent has changed: older hands are forgotten and the hero starts from the
new ones. (What the hero wins would be no measure: it changes with the hero's own learning, and two opponents may cost
the same.)
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
from mazzo.holdem.learning.drift import Conduct, conduct_of, latest_surprises
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import ActionChances

__all__ = ["Online"]

_LOOK = 500
"""New hands after which they are compared with the usual ones."""
_LOOKS = 5
"""So many of the last looks are not yet usual: a small change shows only in several of them together."""


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
    alarm: float = 5.0
    """Standard errors by which the opponent's actions must differ from its usual ones to call it a change."""

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
        self._usual = self._new = Conduct.empty()
        self._recent: list[Conduct] = []
        self._new_hands = 0

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
            return Explanation(played, "it has not learned yet, so it takes any legal action")
        told = Hero.playing(self.strategy).explain(observation)
        reason = told.reason if told.action == played else f"it explores; {told.action} would be best: {told.reason}"
        return replace(told, action=played, reason=reason)

    def on_hands_finished(self, hands: Finished) -> None:
        """Remember its own decisions of finished hands, and learn again when enough have come in."""
        finished, count = Hands.of(hands), len(hands.state)
        self.hands += count
        self._watch(finished, count)
        self._fresh.append(replace(decisions_of(finished, player="me", attributes=self._kept), fingerprint=""))
        self._fresh_hands += count
        if self._fresh_hands >= self.every:
            fresh = joined([replace(d, hand=d.hand + k * 10**6) for k, d in enumerate(self._fresh)])
            self._memory.append(replace(fresh, hand=fresh.hand * 0 + self.hands, idle=fresh.idle[:0]))
            self._learn()
            self._fresh, self._fresh_hands = [], 0

    def _watch(self, finished: Hands, count: int) -> None:
        """Compare what the opponent did in new hands with what it does; after a change nothing older counts."""
        self._new, self._new_hands = self._new + conduct_of(finished, "me"), self._new_hands + count
        if self._new_hands < _LOOK:
            return
        self._recent.append(self._new)
        self._new, self._new_hands = Conduct.empty(), 0
        if max(latest_surprises(self._usual, self._recent)) > self.alarm:
            self.changes.append(self.hands)
            # The hands of this look may be of both opponents: they are learned from, but are no measure.
            self._memory, self._fresh, self._fresh_hands = [], [], 0
            self._usual, self._recent = Conduct.empty(), []
        elif len(self._recent) == _LOOKS:
            self._usual += self._recent.pop(0)

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
