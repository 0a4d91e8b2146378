"""Tressette as a PettingZoo environment: an episode is a round of ten tricks."""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.errors import IllegalError
from mazzo.interfaces.table import Floats, Mask, TableEnv
from mazzo.tressette.kernels import CORONA, SIGNALS, TOTAL_THIRDS
from mazzo.tressette.round import Round
from mazzo.tressette.rules import Rules

__all__ = ["TressetteEnv"]

_CARDS = 40
_WIDTH = 9 * _CARDS + 16 + 16 + 4 * (1 + 3 * (CORONA + 1)) + 16 + 2 + 10


class TressetteEnv(TableEnv):
    """Four players, player 0 and 2 against 1 and 3; the reward is the side's whole points less the other's.

    An action is a card (0-39, as `mazzo.cards.ITALIAN` numbers them); with `talk` a card + 40 times the signal of a
    leader. Deal n is led by player n modulo 4. Declarations are made and seen, but not scored. `round` is the round.

    Args:
        named: A declared napoli names its suit.
        talk: Leaders may signal (busso, striscio, volo).
        render_mode: None or "ansi".
    """

    def __init__(self, *, named: bool = False, talk: bool = False, render_mode: str | None = None) -> None:
        self.rules = Rules(named=named, talk=talk)
        super().__init__(4, _WIDTH, 1.0, _CARDS * (len(SIGNALS) if talk else 1), render_mode)
        self.round: Round

    def _deal(self, seed: int, number: int) -> None:
        self.round = Round(self.rules, leader=number % 4, seed=seed, number=number)

    def _to_act(self) -> int | None:
        return self.round.turn

    def _legal(self) -> Mask:
        mask = np.zeros(self._actions, np.int8)
        mask[list(self.round.legal)] = 1
        return mask

    def _do(self, action: int) -> None:
        if not 0 <= action < self._actions:
            raise IllegalError(f"an action must be 0 to {self._actions - 1}, got {action}")
        self.round.act(action)

    def _let(self, agent: Agent[Any]) -> None:
        self.round.act(agent)

    def _results(self) -> list[float]:
        return list(self.round.payoffs)

    def _text(self) -> str:
        return self.round.text()

    def _more(self, player: int) -> dict[str, Any]:
        seen = self.round.observe(player)
        return {"played": seen.played[0], "leaders": seen.leaders[0], "signals": seen.signals[0]}

    def _vector(self, player: int) -> Floats:
        """Own hand; of each seat from oneself on: cards shown, card on the table, voids, owed suits, declarations."""
        seen = self.round.observe(player)
        table = np.zeros((4, _CARDS))
        for seat, card in self.round.table:
            table[(seat - player) % 4, int(card)] = 1
        declared = seen.declared[0]
        parts = [
            _bits(seen.hand, _CARDS),
            _bits(seen.shown[0], _CARDS),
            table.ravel(),
            _bits(seen.voids[0], 4),
            _bits(seen.owed[0], 4),
            declared[:, 0] / 3,
            (declared[:, 1:, None] == np.arange(CORONA + 1)).ravel(),
            _bits(seen.napoli[0], 4),
            seen.thirds[0] / TOTAL_THIRDS,
            np.arange(1, 11) == self.round.trick,
        ]
        return np.concatenate(parts).astype(np.float32)


def _bits(masks: Any, width: int) -> Any:
    return (np.asarray(masks)[:, None] >> np.arange(width) & 1).ravel()
