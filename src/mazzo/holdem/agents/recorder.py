"""`recorder`: plays as another agent does and writes every decision as a row of attributes (the text's Trainer-Bot)."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, create
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import ActionChances

__all__ = ["Recorder"]

_ACTIONS = ("FOLD", "CALL", "RAISE")


@dataclass
class Recorder(Agent[Observations]):
    """Asks an agent, writes what it saw and chose to a folder, one file per street, and plays it.

    Opponents' figures (HISTORY) are those known while it plays: in a match of the arena, of the batches before. A
    player does not know which deals are the same with the seats rotated, but these are played in one batch: the key
    CARD_SET is the batch. `mazzo clone FOLDER` learns from it. Rows are appended as CSV while it plays; another form
    (`form=arff`, `form=parquet`) is made of them when it ends.
    """

    summary: ClassVar[str] = (
        "another agent, its decisions written down as attributes (recorder:agent=rich,to=DIR,form=arff)"
    )
    learns: ClassVar[bool] = True
    agent: str = "rich"
    to: str = ""
    """The folder."""
    form: str = "csv"
    """csv, arff or parquet."""
    plays_at_once: ClassVar[int] = 300

    def __post_init__(self) -> None:
        from mazzo.holdem.agents import AGENTS
        from mazzo.holdem.attributes import Counts
        from mazzo.holdem.cloning.datasets import FORMATS

        if not self.to:
            raise UnreadableError("a recorder needs a folder to write to: recorder:agent=rich,to=rows")
        if self.form not in FORMATS:
            raise UnreadableError(f"a recorder writes {', '.join(FORMATS)}; {did_you_mean(self.form, FORMATS)}")
        self.played = create(self.agent, AGENTS)
        self.batch = self.match = _recorded(Path(self.to))
        weakref.finalize(self, _finish, Path(self.to), self.form)
        self.folds_free = self.played.folds_free
        self.counts = Counts()

    def unsupported_reason(self, game: Rules | None) -> str:
        """What the agent it plays refuses."""
        return self.played.unsupported_reason(game)

    def prepare(self, progress: Callable[[float], None]) -> None:
        """What makes that agent's first decision slow."""
        self.played.prepare(progress)

    def on_hands_finished(self, hands: Any) -> None:
        """Both learn, and the next rows are of another batch."""
        self.batch += 1
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
            data = {key: pl.Series(np.full(len(rows), number)) for key, number in self._keys()}
            data |= text_columns(columns, seen[rows])
            taken = [_ACTIONS[k] for k in c.kinds(actions[rows])]
            data["CLASS_HERO_ACTION_TAKEN"] = pl.Series(taken, dtype=pl.String)
            path = folder / f"{name.lower()}.csv"
            with path.open("a") as file:
                file.write(pl.DataFrame(data).write_csv(include_header=file.tell() == 0))

    def _keys(self) -> tuple[tuple[str, int], ...]:
        return ("CARD_SET", self.batch), ("MATCH", self.match), ("HAND", self.batch)

    def explain(self, observation: Observations) -> Explanation:
        """Why the agent plays it."""
        return self.played.explain(observation)


def _recorded(folder: Path) -> int:
    """The number of the first new batch: rows are added to those that are there."""
    import polars as pl

    path = folder / "preflop.csv"
    if not path.is_file():
        return 0
    try:
        return int(pl.read_csv(path, columns=["CARD_SET"])["CARD_SET"].max() or 0) + 1  # type: ignore[arg-type]
    except (pl.exceptions.PolarsError, ValueError, TypeError) as error:
        raise UnreadableError(f"{path} is not a file of a recorder: {error}; name another folder") from None


def _finish(folder: Path, form: str) -> None:
    """Make the wanted form of the rows that were written down."""
    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.stored import read_frame, write_frame

    if form == "csv":
        return
    for street in STREETS:
        path = folder / f"{street.lower()}.csv"
        if path.is_file():
            write_frame(read_frame(path), path.with_suffix(f".{form}"), street)
