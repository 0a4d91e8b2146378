"""`recorder`: plays as another agent does and writes every decision as a row of attributes (the text's Trainer-Bot)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, create
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import ActionChances

__all__ = ["Recorder"]

_ACTIONS = ("FOLD", "CALL", "RAISE")


@dataclass
class Recorder(Agent[Observations]):
    """Asks an agent, writes what it saw and chose to a folder, one CSV file a street, and plays it.

    Opponents' figures (HISTORY) are those known while it plays: in a match of the arena, of the batches before.
    """

    summary: ClassVar[str] = "another agent, its decisions written down as attributes (recorder:agent=rich,to=DIR)"
    learns: ClassVar[bool] = True
    agent: str = "rich"
    to: str = ""
    """The folder."""

    def __post_init__(self) -> None:
        from mazzo.holdem.agents import AGENTS
        from mazzo.holdem.attributes import Counts

        if not self.to:
            raise UnreadableError("a recorder needs a folder to write to: recorder:agent=rich,to=rows")
        self.played = create(self.agent, AGENTS)
        self.folds_free = self.played.folds_free
        self.counts = Counts()

    def unsupported_reason(self, game: Rules | None) -> str:
        """What the agent it plays refuses."""
        return self.played.unsupported_reason(game)

    def on_hands_finished(self, hands: Any) -> None:
        """Both learn."""
        self.counts.on_hands_finished(hands)
        if self.played.learns:
            self.played.on_hands_finished(hands)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """What the agent plays, after it was written down."""
        actions = np.asarray(self.played.decide(observations), np.int64)
        self._write(observations, actions)
        return actions

    def policy(self, observations: Observations) -> ActionChances:
        """What the agent does; nothing is written down."""
        return self.played.policy(observations)

    def _write(self, o: Observations, actions: NDArray[np.int64]) -> None:
        import polars as pl

        from mazzo.holdem.attributes import STREETS, Selection, columns_of, offered, situations_seen
        from mazzo.holdem.cloning.datasets import text_columns

        folder = Path(self.to)
        folder.mkdir(parents=True, exist_ok=True)
        seen = situations_seen(o, self.counts)
        for street, name in enumerate(STREETS):
            rows = np.flatnonzero(o.street == street)
            if not len(rows):
                continue
            columns = columns_of(offered(Selection(named="all"), street, o.game.players), [o.game])
            data = text_columns(columns, seen[rows])
            taken = [_ACTIONS[k] for k in c.kinds(actions[rows])]
            data["CLASS_HERO_ACTION_TAKEN"] = pl.Series(taken, dtype=pl.String)
            path = folder / f"{name.lower()}.csv"
            with path.open("a") as file:
                file.write(pl.DataFrame(data).write_csv(include_header=file.tell() == 0))

    def explain(self, observation: Observations) -> Explanation:
        """Why the agent plays it."""
        return self.played.explain(observation)
