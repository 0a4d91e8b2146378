"""`clone`: plays what a model of another player's decisions predicts. Its file is a name by itself: `clone.mz`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.game import Game
from mazzo.holdem.hand import action_text
from mazzo.holdem.observation import Observations

__all__ = ["ClonePlayer", "carry_out"]

Ints = NDArray[np.int64]
_RAISE, _FOLD, _CALL = range(3)


def carry_out(o: Observations, classes: Ints, raise_to: Ints) -> Ints:
    """Predicted actions as legal ones: a fold for nothing becomes a check, a raise beyond the cap a call."""
    actions = np.where(classes == _FOLD, c.FOLD, c.CALL)
    actions = np.where((actions == c.FOLD) & (o.owed == 0), c.CALL, actions)
    sizes = np.clip(raise_to, o.raise_low, np.maximum(o.raise_high, o.raise_low))
    return np.where((classes == _RAISE) & o.can_raise, sizes, actions)


@dataclass
class ClonePlayer(Agent[Observations]):
    """Describes its situation by the attributes of the model of the street and plays the likeliest action."""

    summary: ClassVar[str] = "plays what a model of a logged player predicts (made by `mazzo clone`)"
    model: str = ""
    """The model file."""

    def __post_init__(self) -> None:
        from mazzo.clone.clone import Clone

        if not self.model:
            raise UnreadableError("a clone plays from its model file: give the file's name, such as clone.mz")
        self._begin(Clone.load(Path(self.model)), self.model)

    def _begin(self, clone: Any, name: str) -> None:
        from mazzo.holdem.attributes import Counts

        self.clone, self.name = clone, name
        self.counts = Counts() if clone.watches else None
        self.learns = clone.watches  # type: ignore[misc]  # it depends on the file: opponents' figures need the hands

    @classmethod
    def playing(cls, clone: Any, name: str = "clone") -> ClonePlayer:
        """A player of a clone that has not been written to a file."""
        player = cls.__new__(cls)
        player.model = ""
        player._begin(clone, name)
        return player

    def refuses(self, game: Game | None) -> str:
        """Attributes need Hold'em's cards."""
        return refuse_other_than_holdem(game)

    def hand_over(self, hands: Any) -> None:
        """Note what the opponents did."""
        if self.counts is not None:
            self.counts.hand_over(hands)

    def shares(self, o: Observations) -> NDArray[np.float64]:
        """How much speaks for RAISE, FOLD and CALL in each row."""
        from mazzo.holdem.attributes import describe, situations_seen

        seen = situations_seen(o, self.counts, self.clone.big_blind)
        out = np.zeros((len(o), 3))
        for street, model in enumerate(self.clone.streets):
            rows = np.flatnonzero(o.street == street)
            if len(rows):
                out[rows] = model.shares(describe(seen[rows], model.columns))
        return out

    def decide(self, observations: Observations) -> Ints:
        """The likeliest action of the player it was learned from."""
        o = observations
        after_call = o.state[:, c.BET]
        usual = np.array(self.clone.raise_shares)[o.street] * (o.pot + o.owed)
        return carry_out(o, self.shares(o).argmax(axis=1), after_call + np.rint(usual).astype(np.int64))

    def explain(self, observation: Observations) -> Explanation:
        """How much speaks for each action, and the attributes it looked at; for a tree the path."""
        from mazzo.clone.reading import reasons
        from mazzo.holdem.attributes import describe, situations_seen

        model = self.clone.streets[int(observation.street[0])]
        x = describe(situations_seen(observation, self.counts, self.clone.big_blind), model.columns)
        shares = model.shares(x)[0]
        action = int(self.decide(observation)[0])
        options = [Option(word, float(shares[k])) for k, word in enumerate(("raise", "fold", "call"))]
        said, facts = reasons(model, x)
        return Explanation(action_text(action, observation.game.limit), said, options, facts)
