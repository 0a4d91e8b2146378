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
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.arena.statistics import Moments
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.hero import Hero, Strategy
from mazzo.holdem.decisions.attributes import LEARNING, Seen, refuse_other_than_heads_up_limit
from mazzo.holdem.decisions.rows import Decisions, decisions_of, joined
from mazzo.holdem.game import Game
from mazzo.holdem.hand import action_text
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Observations
from mazzo.holdem.play import Finished
from mazzo.learn.fitted_q import FittedQ, boosted_trees, q_table

__all__ = ["Online"]


@dataclass
class Online(Agent[Observations]):
    """Greedy on a Q that is fitted again and again to the hands it plays, with a share of random actions."""

    summary: ClassVar[str] = "a hero that keeps learning as it plays and notices when the opponent changes"
    learns: ClassVar[bool] = True
    model: str = ""
    """A hero to begin with; without one it begins by exploring."""
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
        self.strategy = Strategy.load(Path(self.model)) if self.model else None
        self.changes: list[int] = []
        """After how many hands a change was noticed."""
        self.hands = 0
        self._memory: list[Decisions] = []
        self._fresh: list[Decisions] = []
        self._fresh_hands = 0
        self._usual = Moments()
        self._settling = not self.model

    def refuses(self, game: Game | None) -> str:
        """Its attributes are those of heads-up limit Hold'em."""
        return refuse_other_than_heads_up_limit(game)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The best legal action by Q, or now and then any."""
        seen = Seen.of(observations)
        legal = seen.legal
        draws = (observations.luck >> np.uint64(11)).astype(np.float64) * 2.0**-53
        share = self.explore if self.strategy is not None else 1.0
        place = (draws / share * legal.sum(axis=1)).astype(np.int64)
        chosen = np.argmax(legal.cumsum(axis=1) > place[:, None], axis=1)
        if self.strategy is not None:
            chosen = np.where(draws < share, chosen, np.argmax(self.strategy.q(seen), axis=1))
        return np.where(chosen == c.RAISE, observations.raise_low, chosen)

    def explain(self, observation: Observations) -> Explanation:
        """Q of each action, if it has learned one."""
        played = action_text(int(self.decide(observation)[0]), observation.game.limit)
        if self.strategy is None:
            return Explanation(played, "it has not learned yet: any legal action")
        told = Hero.playing(self.strategy).explain(observation)
        reason = told.reason if told.action == played else f"it explores; {told.action} would be best: {told.reason}"
        return replace(told, action=played, reason=reason)

    def hand_over(self, hands: Finished) -> None:
        """Remember its own decisions of finished hands, and learn again when enough have come in."""
        self._fresh.append(replace(decisions_of(_as_hands(hands), player="me"), fingerprint=""))
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
        rows = joined(self._memory)
        weights = 0.5 ** ((self.hands - rows.hand) / self.half_life)
        fitted = FittedQ(boosted_trees(100), iterations=12)
        fitted.fit(rows.transitions(LEARNING), sample_weight=weights)
        assert fitted.forest_ is not None  # boosted trees are trees
        self.strategy = Strategy(LEARNING, fitted.forest_, {})


def _apart(one: Moments, other: Moments) -> float:
    """By how many standard errors two means differ; 0 while one of them is not known."""
    if min(one.n, other.n) < 2:
        return 0.0
    error = np.sqrt(one.variance / one.n + other.variance / other.n)
    return float(abs(one.mean - other.mean) / error) if error > 0 else 0.0


def _residuals(decisions: Decisions, strategy: Strategy) -> NDArray[np.float64]:
    """What each hand brought from its first decision on, less Q of that decision."""
    # One player's rows of a hand stand together and in order, because only that player's rows are here.
    brought = np.bincount(np.cumsum(decisions.first) - 1, decisions.reward)
    first = np.flatnonzero(decisions.first)
    states = decisions.seen.matrix(strategy.attributes)[first]
    taken = np.zeros((len(first), 3), np.bool_)
    taken[np.arange(len(first)), decisions.action[first]] = True
    residuals: NDArray[np.float64] = brought - q_table(strategy.forest.predict, states, 3, taken).max(axis=1)
    return residuals


def _as_hands(hands: Finished) -> Hands:
    """Finished hands in the form of a log, the player told being called `me`."""
    size = len(hands.state)
    numbers = np.arange(size)
    return Hands(
        games=(hands.game,),
        state=hands.state,
        history=hands.history,
        cards=hands.cards,
        net=hands.net.astype(np.float64),
        seating=(hands.seating != hands.player).astype(np.int32),
        names=("me", "other"),
        number=numbers,
        line=numbers,
        flags=np.zeros(size, np.uint8),
        unit=np.ones(size, np.int64),
        card_set=numbers.astype(np.uint64),
        match_of=np.zeros(size, np.int64),
        matches=("match",),
        source="the match",
    )
