"""What the environments of several players share: PettingZoo's turns around a table that one of our engines holds."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from mazzo.agent import Agent
from mazzo.errors import IllegalError

__all__ = ["TableEnv"]

Floats = NDArray[np.float32]
Mask = NDArray[np.int8]


class TableEnv(AECEnv):  # type: ignore[misc]  # PettingZoo's types are not looked at
    """One deal an episode; everybody's reward comes with its end.

    Deal n after `reset(seed=s)` is deal n of seed s, as in a match of that seed. What a seat observes is what it may
    know: the vector, a mask of its legal actions (all zero where it is not its turn), and more in `infos`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, players: int, width: int, high: float, actions: int, render_mode: str | None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = [f"player_{k}" for k in range(players)]
        self.agents: list[str] = []
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.possible_agents}
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, high, (width,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.possible_agents
        }
        self._actions = actions
        self._seed: int | None = None
        self._number = 0

    # ---- what a game says of itself

    @abstractmethod
    def _deal(self, seed: int, number: int) -> None:
        """Deal the numbered deal of a seed."""

    @abstractmethod
    def _to_act(self) -> int | None:
        """Which player is to act; None when the deal is over."""

    @abstractmethod
    def _vector(self, player: int) -> Floats:
        """What a player knows, as numbers."""

    @abstractmethod
    def _legal(self) -> Mask:
        """The legal actions of the player to act."""

    @abstractmethod
    def _more(self, player: int) -> dict[str, Any]:
        """What else a player may know."""

    @abstractmethod
    def _do(self, action: int) -> None:
        """Carry out an action of the environment."""

    @abstractmethod
    def _let(self, agent: Agent[Any]) -> None:
        """Carry out what an agent decides."""

    @abstractmethod
    def _results(self) -> list[float]:
        """What every player won, when the deal is over."""

    @abstractmethod
    def _text(self) -> str:
        """The table, for people."""

    # ---- PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next deal, or with a seed its first."""
        if seed is not None:
            self._seed, self._number = seed, 0
        elif self._seed is None:
            self._seed = int(np.random.default_rng().integers(2**62))
        self._deal(self._seed, self._number)
        self._number += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent's seat knows."""
        player = self.possible_agents.index(agent)
        mine = self._to_act() == player
        mask = self._legal() if mine else np.zeros(self._actions, np.int8)
        return {"observation": self._vector(player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent whose turn it is acts; an illegal action is refused with the reason."""
        if self._dead(action):
            return
        if action is None:
            raise IllegalError(f"it is the turn of {self.agent_selection}, who must act")
        self._do(int(action))
        self._after()

    def let_play(self, agent: Agent[Any]) -> None:
        """Take the turn as an agent of Mazzo decides, who sees only what that seat may."""
        if not self._dead(None):
            self._let(agent)
            self._after()

    def render(self) -> str | None:
        """The table with all cards, as a spectator sees it."""
        return self._text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _dead(self, action: int | None) -> bool:
        if not self.agents:
            raise IllegalError("nothing is dealt: reset the environment")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return True
        return False

    def _after(self) -> None:
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self._to_act() is None:
            self.rewards = dict(zip(self.agents, self._results(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        player = self._to_act()
        self.agent_selection = self.possible_agents[0 if player is None else player]
        self.infos = {name: self._more(k) for k, name in enumerate(self.agents)}
