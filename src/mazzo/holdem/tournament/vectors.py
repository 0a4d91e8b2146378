"""What `utility` saw and did on every street of a hand, and what the hand brought (Aceituno, 4.3.2), as Parquet.

One row a hand and player: for each street its last action there, the four facts V, P, B, S it weighed, their utility
and the thresholds as they stood; then the chips won or lost. Tournaments follow one another, so that a row is known by
its tournament and hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.files import folder_of
from mazzo.holdem import columns as c
from mazzo.holdem.agents.utility import Utility
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table
from mazzo.holdem.tournament.fast import PlayedTournaments
from mazzo.holdem.tournament.format import NUMBER_BITS, TournamentFormat
from mazzo.holdem.tournament.lockstep import play_lockstep
from mazzo.names import distinct_names

__all__ = ["FACTS", "check_vectors", "play_vectors"]

FACTS = ("v", "p", "b", "s", "utility", "raise_at", "fold_at")
_STREETS = ("preflop", "flop", "turn", "river")
_ACTIONS = {c.FOLD: "fold", c.CALL: "call"}


class _Noting(Agent[Observations]):
    """A utility agent whose decisions of the present hand are kept."""

    def __init__(self, played: Utility) -> None:
        self.played, self.name, self.learns = played, played.name, played.learns  # type: ignore[misc]
        self.hand: dict[int, tuple[str, list[float]]] = {}

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """What it plays; there is one hand at a time."""
        actions, value, facts = self.played.weighed(observations)
        utility, place, price, wealth, raise_at, fold_at = (float(k) for k in facts[0])
        seen = [float(value[0]), place, price, wealth, utility, raise_at, fold_at]
        action = _ACTIONS.get(int(actions[0]), "raise")
        self.hand[int(observations.state[0, c.ROUND])] = (action, seen)
        return actions

    def draws(self, observations: Observations) -> NDArray[np.bool_]:
        """What it draws."""
        return self.played.draws(observations)

    def on_hands_finished(self, hands: Any) -> None:
        """It learns."""
        self.played.on_hands_finished(hands)

    def explain(self, observation: Observations) -> Explanation:
        """Why it plays it."""
        return self.played.explain(observation)

    @property
    def thresholds_(self) -> Any:
        """Where its thresholds stand."""
        return self.played.thresholds_


def check_vectors(path: Path, agents: Sequence[Agent[Observations]]) -> None:
    """Refuse before anything is played what cannot be written."""
    if path.suffix != ".parquet":
        raise UnreadableError(f"{path}: vectors are written as Parquet; name a .parquet file")
    if path.exists():
        raise UnreadableError(f"{path} exists already; nothing is written over: name another file")
    folder_of(path)
    if not any(isinstance(agent, Utility) for agent in agents):
        raise UnreadableError(
            "vectors of V, P, B, S are those of utility and utility+; none of these agents weighs them"
        )


def play_vectors(
    form: TournamentFormat,
    agents: Sequence[Agent[Observations]],
    count: int,
    seed: int,
    path: Path,
    watch: Callable[[int], None] | None = None,
) -> list[PlayedTournaments]:
    """Play tournaments one after the other and write what every utility agent weighed in each hand."""
    import polars as pl

    names = distinct_names([agent.name for agent in agents])
    noting = [_Noting(agent) if isinstance(agent, Utility) else agent for agent in agents]
    rows: list[dict[str, Any]] = []

    def note(table: Table, net: Ints, numbers: Ints) -> None:
        tournament, hand = int(numbers[0]) >> NUMBER_BITS, int(numbers[0]) & (1 << NUMBER_BITS) - 1
        for position, player in enumerate(table.seating[0].tolist()):
            agent = noting[player]
            if isinstance(agent, _Noting):
                where = {"tournament": tournament + 1, "hand": hand + 1, "player": player, "name": names[player]}
                rows.append({**where, **_cells(agent.hand), "result": int(net[0, position])})
                agent.hand = {}

    parts = []
    for number in range(count):
        parts.append(play_lockstep(form, noting, range(number, number + 1), seed, note))
        if watch is not None:
            watch(1)
    part = path.with_name(f"{path.name}.part")
    pl.DataFrame(rows, schema=_schema()).write_parquet(part, compression="zstd")
    part.replace(path)
    return parts


def _cells(hand: dict[int, tuple[str, list[float]]]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for number, street in enumerate(_STREETS):
        action, seen = hand.get(number, (None, [None] * len(FACTS)))
        cells[street] = action
        cells |= {f"{street}_{fact}": value for fact, value in zip(FACTS, seen, strict=True)}
    return cells


def _schema() -> dict[str, Any]:
    import polars as pl

    schema: dict[str, Any] = {"tournament": pl.Int64, "hand": pl.Int64, "player": pl.Int64, "name": pl.String}
    for street in _STREETS:
        schema |= {street: pl.String, **{f"{street}_{fact}": pl.Float64 for fact in FACTS}}
    return {**schema, "result": pl.Int64}
