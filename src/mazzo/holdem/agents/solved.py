"""`solved`: plays an equilibrium of a small game. Its file (`leduc.mz`, by `mazzo solve game`) is a name by itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.notation import action_text, verb
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import NO_ACTION, ActionChances

if TYPE_CHECKING:
    from mazzo.holdem.solver.small_game import SmallGame
    from mazzo.holdem.solver.solution import Solution

__all__ = ["SolvedPlayer"]


@dataclass
class SolvedPlayer(Agent[Observations]):
    """Draws its actions with the chances of an equilibrium, so that nobody wins from it in the long run."""

    summary: ClassVar[str] = "plays a small game's equilibrium (made by `mazzo solve game`)"
    model: str = ""
    """The model file."""

    def __post_init__(self) -> None:
        from mazzo.holdem.solver.solution import Solution

        if not self.model:
            raise UnreadableError("a solved game is played from its file: give the file's name, such as leduc.mz")
        self._begin(*Solution.load(Path(self.model)), self.model)

    def _begin(self, solution: Solution, game: SmallGame, name: str) -> None:
        self.solution, self.game, self.name = solution, game, name
        self._worths: Floats | None = None

    @classmethod
    def playing(cls, solution: Solution, game: SmallGame, name: str = "solved") -> SolvedPlayer:
        """A player of a solution that has not been written to a file."""
        player = cls.__new__(cls)
        player.model = ""
        player._begin(solution, game, name)
        return player

    def unsupported_reason(self, game: Rules | None) -> str:
        """It knows the one game that it was solved for."""
        if game is None or ((game.row == self.game.rules.row).all() and game.stacks == self.game.rules.stacks):
            return ""
        return f"it was solved for {self.game.rules.name}"

    def _rows(self, o: Observations) -> tuple[Ints, Ints]:
        """The node of every row, and where its entries begin."""
        nodes = self.game.find_nodes(o)
        if (nodes < 0).any():
            raise UnreadableError(f"{self.name} was solved for {self.game.rules.name}, which has no such betting")
        begin = np.empty(len(o), np.int64)
        for street in np.unique(o.street):
            rows = o.street == street
            views = self.game.views.find(int(street), o.hole[rows].astype(np.int64), o.board[rows].astype(np.int64))
            begin[rows] = self.game.tree.offset[nodes[rows]] + views * self.game.tree.actions[nodes[rows]]
        return nodes, begin

    def policy(self, observations: Observations) -> ActionChances:
        """The chances of the equilibrium."""
        tree = self.game.tree
        nodes, begin = self._rows(observations)
        width = int(tree.actions[nodes].max(initial=1))
        actions, p = np.full((len(nodes), width), NO_ACTION, np.int64), np.zeros((len(nodes), width))
        for a in range(width):
            rows = a < tree.actions[nodes]
            actions[rows, a] = tree.action[tree.first[nodes[rows]] + a]
            p[rows, a] = self.solution.strategy[begin[rows] + a]
        return ActionChances(actions, p)

    def decide(self, observations: Observations) -> Ints:
        """An action drawn by the chances of the equilibrium."""
        return self.policy(observations).drawn(observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """What each action is worth against opponents who play the equilibrium too, and how often it is taken."""
        from mazzo.holdem.solver.regrets import Walker

        if self._worths is None:
            self._worths, _ = Walker(self.game).worths(self.solution.strategy)
        (node,), (begin,) = self._rows(observation)
        policy, blind = self.policy(observation), self.game.rules.big_blind
        chances = policy.p[0, : self.game.tree.actions[node]]
        worths = self._worths[begin : begin + len(chances)] / blind
        words = [action_text(int(k), observation.game.limit) for k in policy.actions[0, : len(chances)]]
        options = [
            Option(word, float(worth), terms={"chance": float(chance), "regret": float(worths.max() - worth)})
            for word, worth, chance in zip(words, worths, chances, strict=True)
        ]
        mixed = np.flatnonzero(chances > 0.005)
        does = verb(int(policy.actions[0, int(chances.argmax())]), int(observation.owed[0]), int(observation.street[0]))
        reason = f"the equilibrium always {does} here"
        if len(mixed) > 1:
            parts = ", ".join(f"{words[k]} {chances[k]:.1%}" for k in mixed)
            reason = f"the equilibrium mixes here so that it cannot be exploited: {parts}"
        action = action_text(int(self.decide(observation)[0]), observation.game.limit)
        facts: dict[str, float | int | str | None] = {
            "pot": int(observation.pot[0]),
            "to call": int(observation.owed[0]),
            "exploitability": self.solution.exploitability,
        }
        return Explanation(action, reason, options, facts, unit="bb")
