"""`replayer`: a logged player's own actions on the logged cards; where the hand has left the log, it calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations

__all__ = ["Replayer"]

Key = tuple[int, bytes, bytes, bytes]


def _key(position: int, hole: NDArray[Any], board: NDArray[Any], history: NDArray[np.int64]) -> Key:
    """What a player sees, as something to look up: position, cards, open board, what was done."""
    return position, hole.tobytes(), board.astype(np.int8).tobytes(), history.astype(np.int64).tobytes()


@dataclass
class Replayer(Agent[Observations]):
    """Looks its situation up in a log and does what the player did there; else it calls."""

    summary: ClassVar[str] = "a logged player's actions on the logged cards, else calls (replayer:log=FILE,player=NAME)"
    randomises: ClassVar[bool] = False
    log: str = ""
    player: str = ""

    def __post_init__(self) -> None:
        if not self.log or not self.player:
            raise UnreadableError("a replayer needs a log and a player: replayer:log=match.log,player=Alice")
        from mazzo.holdem.logs import read_hands

        names: set[str] = set()
        self.known: dict[Key, int] = {}
        for hands in read_hands(self.log):
            names.update(hands.names)
            self.learn(hands, self.player)
        if self.player not in names:
            raise UnreadableError(f"no player {self.player!r} is in {self.log}; {did_you_mean(self.player, names)}")

    @classmethod
    def of(cls, batches: Any, player: str) -> Replayer:
        """A replayer of hands that were read already."""
        made = cls.__new__(cls)
        made.log, made.player, made.name, made.known = "", player, player, {}
        for hands in batches:
            made.learn(hands, player)
        return made

    def learn(self, hands: Any, player: str) -> None:
        """Note a player's situations and actions in some hands."""
        from mazzo.holdem.attributes import Watch, situations_of

        s = situations_of(hands, Watch(player, history=False))
        assert s.taken is not None
        actions = np.where(s.taken.action == c.KIND_RAISE, s.taken.size, s.taken.action + c.FOLD)
        counts = s.state[:, c.COUNT]
        for i in range(len(s)):
            key = _key(int(s.state[i, c.ACTOR]), s.hole[i], s.board[i], s.history[i, : counts[i]])
            self.known.setdefault(key, int(actions[i]))

    def _logged(self, o: Observations, i: int) -> int | None:
        count = int(o.state[i, c.COUNT])
        return self.known.get(_key(int(o.position[i]), o.hole[i], o.board[i], o.history[i, :count]))

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The logged action where there is one and it is legal, else a call."""
        o = observations
        out = np.full(len(o), c.CALL, np.int64)
        for i in range(len(o)):
            action = self._logged(o, i)
            if action is None or (action == c.FOLD and o.owed[i] == 0):
                continue
            if action >= c.RAISE:
                allowed = o.raise_high[i] > 0
                action = int(np.clip(action, o.raise_low[i], o.raise_high[i])) if allowed else c.CALL
            out[i] = action
        return out

    def explain(self, observation: Observations) -> Explanation:
        """Whether the log has this situation."""
        found = self._logged(observation, 0) is not None
        reason = f"{self.player} did so in the log" if found else "the hand has left the log, so it calls"
        return Explanation(action_text(int(self.decide(observation)[0]), observation.game.limit), reason)
