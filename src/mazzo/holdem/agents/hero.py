"""`hero`: plays what a learned Q says is best. Its file (`hero.mz`) is a name by itself: `mazzo match ... hero.mz`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats
from mazzo.document import Grid, Section
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import load_named
from mazzo.holdem.attributes.elementary import BIG_BLIND, matrix
from mazzo.holdem.learning.choices import SIZES, as_sizes, kind_of_games, known_worth
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules

if TYPE_CHECKING:
    from mazzo.holdem.logs import Hands, LogReader
    from mazzo.learn.fitted_q import Progress
    from mazzo.workers import Workers

__all__ = ["Hero", "learn"]


@dataclass
class Hero(Agent[Observations]):
    """Plays the legal action of the highest Q among those that its log supports; of equal ones the cheapest."""

    summary: ClassVar[str] = "plays what it learned from logged hands (made by `mazzo learn`)"
    randomises: ClassVar[bool] = False
    model: str = ""
    """The model file."""
    attributes: str = ""
    """Attributes of yours that it looks at: FILE.py:NAME, several with +."""

    def __post_init__(self) -> None:
        if not self.model:
            raise UnreadableError("a hero plays from its model file: give the file's name, such as hero.mz")
        load_named(self.attributes.split("+"))
        self.strategy = LearnedStrategy.load(Path(self.model))
        self.name = self.model

    @classmethod
    def playing(cls, strategy: LearnedStrategy, name: str = "hero") -> Hero:
        """A hero of a strategy that has not been written to a file."""
        hero = cls.__new__(cls)
        hero.model = hero.attributes = ""
        hero.strategy = strategy
        hero.name = name
        return hero

    def save(self, path: str | Path) -> None:
        """Write what it knows to a model file, whose name then is an agent: `hero.mz`."""
        self.strategy.save(Path(path))

    def section(self) -> Section:
        """What it was learned from and what it looks at."""
        known = self.strategy.settings
        learned = f"learned from {known.get('decisions', '?')} decisions of {known.get('hands', '?')} hands"
        plays = "it plays the legal action of the highest Q"
        if self.strategy.support is not None:
            plays += f" that the log supports (caution {self.strategy.support.caution:g})"
        words = [f"{learned} by {known.get('regressor', 'a regressor')}", plays]
        attributes = Grid(("it looks at",), [(name,) for name in self.strategy.attributes])
        return Section(self.name, words, tables=[attributes])

    def unsupported_reason(self, game: Rules | None) -> str:
        """It plays the kind of game that it was learned from."""
        return self.strategy.kind.unsupported_reason(game)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The best legal action by Q."""
        seen = self.strategy.see(observations)
        best = np.argmax(self.strategy.q(seen), axis=1)
        return self.strategy.choices.actions(observations, best)

    def explain(self, observation: Observations) -> Explanation:
        """Q of each legal action in big blinds, how often like situations saw it, and what the difference hangs on."""
        seen = self.strategy.see(observation)
        support = self.strategy.support
        every = self.strategy.q(seen, every=True)[0] / BIG_BLIND
        q = self.strategy.q(seen)[0] / BIG_BLIND
        share = None if support is None else support.shares(seen)[0]
        legal = np.flatnonzero(np.isfinite(every))
        order = sorted(legal.tolist(), key=lambda k: (-q[k], -every[k], k))
        row = matrix(seen, self.strategy.attributes)[0]
        facts: dict[str, float | int | str | None] = {
            name: round(float(value), 3) for name, value in zip(self.strategy.attributes, row, strict=True)
        }
        terms = {k: self._terms(row, k) for k in order}
        names = self._names(observation)
        reason = self._reason(names, order, q, every, terms)
        doubted = [k for k in order if not np.isfinite(q[k])]
        if share is not None and doubted:
            words = (f"{names[k]} ({share[k]:.1%} of like decisions in the log)" for k in doubted)
            reason += f"; not believed: {', '.join(words)}"
        options = [
            Option(names[k], float(every[k]), terms=terms[k], support=None if share is None else float(share[k]))
            for k in order
        ]
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), reason, options, facts, unit="bb")

    def _names(self, observation: Observations) -> list[str]:
        """Its choices in words, raises with the amount that each comes to."""
        choices = self.strategy.choices
        if not choices.sizes:
            return list(choices.names)
        amounts = choices.actions(observation[np.zeros(choices.count, np.int64)], np.arange(choices.count))
        raises = [f"raise to {amount}" for amount in amounts.tolist()]
        return [*choices.names[: c.KIND_RAISE], *raises[c.KIND_RAISE :]]

    def _reason(
        self, names: list[str], order: list[int], q: Floats, every: Floats, terms: dict[int, dict[str, float]]
    ) -> str:
        """Why the first of these actions is played, in words."""
        if len(order) == 1:
            return "it is the only legal action"
        best, second = order[:2]
        if not np.isfinite(q[second]):
            return f"{names[best]} is the only action that the log supports here"
        change = {name: terms[best][name] - terms[second][name] for name in self.strategy.attributes}
        driven = sorted(change, key=lambda name: -abs(change[name]))[:3]
        lead = f"{names[best]} is worth {every[best] - every[second]:.2f} big blinds more than {names[second]}"
        return f"{lead}; driven mainly by {', '.join(driven)}"

    def _terms(self, row: NDArray[np.float32], action: int) -> dict[str, float]:
        """What each attribute adds to Q of an action, in big blinds; they sum to Q."""
        if action in known_worth(self.strategy.kind):
            return dict.fromkeys(self.strategy.attributes, 0.0)
        parts = self.strategy.forest.contributions(np.append(row, np.float32(action))) / BIG_BLIND
        names = (*self.strategy.attributes, "action", "mean")
        return {name: float(part) for name, part in zip(names, parts, strict=True)}


def learn(
    hands: LogReader | Hands | Iterable[Hands] | str | Path,
    *,
    player: str | None = None,
    against: str | None = None,
    attributes: str | Sequence[str] | None = None,
    sizes: str | Sequence[float] = SIZES,
    reward: str = "auto",
    name: str = "hero",
    workers: Workers = 1,
    progress: Progress = lambda number, residual: None,
    **settings: Any,
) -> Hero:
    """Learn the strategy that earns most against the players in some hands of Hold'em, limit or not.

    Args:
        hands: What `mazzo.holdem.hands` gives, or the path of a log.
        player: Only decisions of this player.
        against: Only decisions of those who faced this player.
        attributes: What the hero looks at: names and lists (`learning`, `continuous` ...), with commas; one of
            yours as `FILE.py:NAME`.
        sizes: No-limit: classes of raises as fractions of the pot after the call, such as `.5,1,2,all`.
        reward: What a decision brought: `auto`, `chips`, `equity`, `final` or `document`.
        name: What the hero is called.
        workers: Processes to use.
        progress: Is told the number and residual of every iteration.
        **settings: `regressor`, `trees`, `caution`, `seed` and the others of `mazzo.holdem.learning.hero.Settings`.
    """
    from mazzo.holdem.learning import attribute_names, decisions_of
    from mazzo.holdem.learning.hero import Settings, in_the_same_chips, learn_hero, make_regressor
    from mazzo.holdem.learning.support import to_keep
    from mazzo.holdem.logs.reading import batches_of

    known = {field.name for field in fields(Settings)}
    for key in settings:
        if key not in known:
            raise UnreadableError(f"there is no setting {key!r} of learning; {did_you_mean(key, known)}")
    words = attributes.split(",") if isinstance(attributes, str) else attributes or ()
    batches = batches_of(hands)
    kind = kind_of_games(batches[0].games) if batches else None
    usual = kind.usual if kind else "learning"
    looked_at = attribute_names(load_named([word.strip() for word in words if word.strip()]), usual)
    made = Settings(attributes=looked_at, reward=reward, **settings)
    make_regressor(made)  # what cannot be made is said before anything is read
    decisions = decisions_of(
        in_the_same_chips(batches),
        player=player,
        against=against,
        attributes=to_keep(looked_at, made.caution),
        reward=reward,
        pv_samples=made.pv_samples,
        seed=made.seed,
        sizes=as_sizes(sizes),
    )
    return Hero.playing(learn_hero(decisions, made, workers=workers, progress=progress), name)
