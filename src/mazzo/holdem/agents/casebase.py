"""`casebase`: the nearest situations of a logged player vote (the text's description of Sartre).

Hand strength is compared as a number, betting and board by steps: alike, nearly alike, or not at all. Only situations
with as many players left count, so that after a fold the two-player cases serve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.agents.clone import carry_out
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.sizes import raise_amounts
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules

__all__ = ["CaseBase"]


_SAME_BETTING, _AS_MANY_RAISES = 1.0, 0.8
_SAME_BOARD, _SAME_BUT_PAIRS, _OTHER_BOARD = 1.0, 0.9, 0.7
VOTES = ("majority", "outcome")


def _cases(s: Any) -> dict[str, NDArray[Any]]:
    """What cases are compared by."""
    from mazzo.holdem.attributes import betting as b
    from mazzo.holdem.attributes import made as m

    return {
        "street": s.street,
        "players": s.betting[:, b.ACTIVE],
        "strength": s.equities[1],
        "sequences": s.betting[:, b.SEQUENCE : b.SEQUENCE + 4],
        "raises": s.betting[:, b.RAISES : b.RAISES + 4],
        "owes": s.owed > 0,
        "board": s.cards[:, m.FLUSHES] * 9 + s.cards[:, m.STRAIGHTS] * 3 + s.cards[:, m.PAIRS],
    }


@dataclass
class CaseBase(Agent[Observations]):
    """Remembers a player's decisions; the most similar ones say what to do."""

    summary: ClassVar[str] = "the nearest past situations of a logged player vote (casebase:log=FILE,hero=NAME)"
    randomises: ClassVar[bool] = False
    log: str = ""
    hero: str = ""
    vote: str = "majority"
    """majority: the action taken most; outcome: the one that brought most on average."""
    nearest: int = 15

    def __post_init__(self) -> None:
        if not self.log or not self.hero:
            raise UnreadableError("a case base needs a log and a hero: casebase:log=match.log,hero=Alice")
        if self.vote not in VOTES or self.nearest < 1:
            raise UnreadableError(
                f"vote must be majority or outcome and nearest at least 1, got {self.vote!r} and {self.nearest}"
            )
        from mazzo.holdem.attributes import situations_in
        from mazzo.holdem.logs import read_hands

        parts, actions, nets = [], [], []
        for s in situations_in(read_hands(self.log), self.hero, history=False):
            if len(s) and s.taken is not None:
                parts.append(_cases(s))
                actions.append(s.taken.action)
                nets.append(s.taken.net)
        if not parts:
            raise UnreadableError(f"no decision of {self.hero!r} is in {self.log}")
        self.cases = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        self.action, self.net = np.concatenate(actions), np.concatenate(nets)

    def unsupported_reason(self, game: Rules | None) -> str:
        """Strength needs Hold'em's cards."""
        return refuse_other_than_holdem(game)

    def _scores(self, o: Observations) -> Floats:
        """By row what speaks for fold, call and raise."""
        from mazzo.holdem.attributes import situations_seen

        now, base = _cases(situations_seen(o)), self.cases
        out = np.zeros((len(o), 3))
        for i in range(len(o)):
            rows = np.flatnonzero(
                (base["street"] == now["street"][i])
                & (base["players"] == now["players"][i])
                & (base["owes"] == now["owes"][i])
            )
            if not len(rows):
                out[i] = (0, 1, 0)
                continue
            out[i] = self._vote(rows, self._similarity(rows, now, i))
        return out

    def _similarity(self, rows: NDArray[np.int64], now: dict[str, NDArray[Any]], i: int) -> Floats:
        base = self.cases
        strength = 1 - np.abs(base["strength"][rows] - now["strength"][i])
        same = (base["sequences"][rows] == now["sequences"][i]).all(axis=1)
        as_many = (base["raises"][rows] == now["raises"][i]).all(axis=1)
        betting = np.where(same, _SAME_BETTING, np.where(as_many, _AS_MANY_RAISES, 0.0))
        texture, mine = base["board"][rows], now["board"][i]
        board = np.where(
            texture == mine, _SAME_BOARD, np.where(texture // 3 == mine // 3, _SAME_BUT_PAIRS, _OTHER_BOARD)
        )
        # Betting that is not alike counts for next to nothing, but better an unlike case than none.
        return np.asarray(strength**8 * np.maximum(betting, 0.01) * board)

    def _vote(self, rows: NDArray[np.int64], similarity: Floats) -> Floats:
        order = np.argsort(-similarity, kind="stable")[: self.nearest]
        chosen, weight = rows[order], similarity[order]
        votes = np.bincount(self.action[chosen], weight, 3)
        if self.vote == "majority":
            return np.asarray(votes / max(votes.sum(), 1e-300))
        brought = np.bincount(self.action[chosen], weight * self.net[chosen], 3)
        return np.where(votes > 0, brought / np.maximum(votes, 1e-300), -np.inf)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """The action the nearest cases speak for."""
        o = observations
        best = self._scores(o).argmax(axis=1)
        return carry_out(o, np.array([1, 2, 0])[best], raise_amounts(o, "pot"))

    def explain(self, observation: Observations) -> Explanation:
        """What the nearest cases say."""
        scores = self._scores(observation)[0]
        action = int(self.decide(observation)[0])
        options = [Option(word, float(scores[k])) for k, word in enumerate(("fold", "call", "raise"))]
        reason = f"{self.vote} vote of {self.hero}'s {self.nearest} most similar decisions"
        return Explanation(action_text(action, observation.game.limit), reason, options)
