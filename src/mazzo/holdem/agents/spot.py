"""`spot`: plays a solved spot. Its file (`turn.mz`, by `mazzo solve spot`) is a name by itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import NO_ACTION, ActionChances

if TYPE_CHECKING:
    from mazzo.holdem.solver.spot.solution import SpotSolution

__all__ = ["SpotPlayer"]


@dataclass
class SpotPlayer(Agent[Observations]):
    """Draws its actions with the chances of a solution, in either position of its spot.

    A bet of a size that the solution does not have is taken for the nearest that it has.
    """

    summary: ClassVar[str] = "plays a solved spot (made by `mazzo solve spot`)"
    model: str = ""
    """The solution file."""

    def __post_init__(self) -> None:
        from mazzo.holdem.solver.spot.file import load

        if not self.model:
            raise UnreadableError("a solved spot is played from its file: give the file's name, such as turn.mz")
        self._begin(load(Path(self.model)), self.model)

    def _begin(self, solution: SpotSolution, name: str) -> None:
        self.solution, self.name = solution, name
        self._mixes: dict[tuple[int, tuple[int, ...]], Floats] = {}
        hands = solution.plan.hands
        self._place = np.full((2, 1326), -1, np.int64)
        for p in range(2):
            self._place[p, hands.numbers[p]] = np.arange(hands.size[p])

    @classmethod
    def playing(cls, solution: SpotSolution, name: str = "spot") -> SpotPlayer:
        """A player of a solution that has not been written to a file."""
        player = cls.__new__(cls)
        player.model = ""
        player._begin(solution, name)
        return player

    def unsupported_reason(self, game: Rules | None) -> str:
        """It knows the one spot that it was solved for."""
        own = self.solution.spot.rules
        if game is None or ((game.row == own.row).all() and game.stacks == own.stacks):
            return ""
        return "it was solved for one spot, which is played with `mazzo match --spot FILE`"

    def _node(self, actions: Ints) -> int:
        """The node of the solution's tree that the betting so far leads to; sizes it lacks go to the nearest."""
        betting = self.solution.plan.betting
        begin = int(betting.state[0, c.COUNT])
        at = 0
        for action in actions[begin:]:
            children = betting.nodes[at].children
            options = np.array([betting.nodes[k].action for k in children])
            if action >= c.RAISE:
                raises = np.flatnonzero(options >= c.RAISE)
                chosen = (
                    int(raises[np.abs(options[raises] - action).argmin()])
                    if len(raises)
                    else int((options == c.CALL).argmax())
                )
            else:
                chosen = int((options == action).argmax())
            at = children[chosen]
            if betting.nodes[at].kind == 4:
                at = betting.nodes[at].children[0]
        return at

    def _mix(self, node: int, cards: tuple[int, ...], player: int) -> Floats:
        from mazzo.holdem.solver.spot.path import path_at

        key = (node, cards)
        if key not in self._mixes:
            if len(self._mixes) > 5000:
                self._mixes.clear()
            self._mixes[key] = self.solution.mix_at(path_at(self.solution.plan, node, cards), player)
        return self._mixes[key]

    def policy(self, observations: Observations) -> ActionChances:
        """The chances of the solution."""
        o, betting = observations, self.solution.plan.betting
        rows = []
        for k in range(len(o)):
            count = int(o.state[k, c.COUNT])
            node = self._node(o.actions[k, :count])
            player = int(o.position[k])
            if betting.nodes[node].kind != player:
                raise UnreadableError(f"{self.name} was solved for a spot that has no such betting")
            rows.append((node, tuple(int(card) for card in o.board[k] if card >= 0), player))
        width = max((len(betting.nodes[node].children) for node, _, _ in rows), default=1)
        actions, p = np.full((len(o), width), NO_ACTION, np.int64), np.zeros((len(o), width))
        low, high = np.sort(o.hole.astype(np.int64), axis=1).T
        number = high * (high - 1) // 2 + low
        for k, (node, cards, player) in enumerate(rows):
            options = [betting.nodes[n].action for n in betting.nodes[node].children]
            actions[k, : len(options)] = self._legal(options, int(o.raise_low[k]), int(o.raise_high[k]))
            place = int(self._place[player, number[k]])
            if place >= 0:
                p[k, : len(options)] = self._mix(node, cards, player)[:, place]
            if p[k].sum() <= 0:
                p[k, options.index(c.CALL)] = 1.0
        return ActionChances(actions, p / p.sum(axis=1, keepdims=True))

    @staticmethod
    def _legal(options: list[int], low: int, high: int) -> list[int]:
        """The tree's amounts, brought within what may be raised now."""
        return [k if k < c.RAISE else c.CALL if high == 0 else min(max(k, low), high) for k in options]

    def decide(self, observations: Observations) -> Ints:
        """An action drawn by the chances of the solution."""
        return self.policy(observations).drawn(observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """How often the solution takes each action."""
        policy = self.policy(observation)
        there = policy.actions[0] != NO_ACTION
        words = [action_text(int(k), limit=False) for k in policy.actions[0, there]]
        options = [Option(word, terms={"chance": float(p)}) for word, p in zip(words, policy.p[0, there], strict=True)]
        action = action_text(int(self.decide(observation)[0]), limit=False)
        parts = ", ".join(f"{w} {o.terms['chance']:.1%}" for w, o in zip(words, options, strict=True))
        facts: dict[str, float | int | str | None] = {
            "pot": int(observation.pot[0]),
            "to call": int(observation.owed[0]),
            "exploitability_pct": self.solution.exploitability_pct,
        }
        return Explanation(action, f"the solution of the spot plays {parts}", options, facts)
