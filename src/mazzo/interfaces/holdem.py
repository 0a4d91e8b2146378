"""Hold'em (limit or not, 2-10 players, any `.game` file) as a PettingZoo environment: an episode is a hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.document import plain
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.sizes import raise_amounts
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import UNLIMITED, Rules, rules
from mazzo.holdem.table import Table, deal_cards, hand_keys
from mazzo.interfaces.table import Floats, Mask, TableEnv
from mazzo.rng import stream

__all__ = ["HoldemEnv"]

_DECK = 52
_SIZES = ("least", "pot", "most")
_LARGEST_MENU = 100_000


class HoldemEnv(TableEnv):
    """A table of Hold'em. Rewards are big blinds won.

    Actions are fold, call and raise in a limit game; fold, call, raise the least, the pot or everything in one without
    limit; or, with `every_raise`, 0 folds, 1 calls, n from 2 up raises to n chips in all. A fold where checking is
    free is not legal. `hand` is the hand itself.

    Args:
        game: A preset's name, a `.game` file, or a `Game`.
        every_raise: No-limit: an action for every amount.
        rotate: Player k moves one position on with every hand after a seed; else it keeps position k.
        render_mode: None or "ansi".
    """

    def __init__(
        self,
        game: Rules | str = "holdem-limit-2p",
        *,
        every_raise: bool = False,
        rotate: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.game = rules(game) if isinstance(game, str) else game
        self.rotate = rotate
        self._most = _most_wagered(self.game)
        self.every_raise = every_raise and not self.game.limit
        if self.every_raise and self._most > _LARGEST_MENU:
            raise UnreadableError(f"an action for each of {self._most} chips is too many: give smaller stacks")
        players, rounds = self.game.players, self.game.rounds
        width = 2 * _DECK + rounds + players * (5 + rounds) + 4
        high = max(13.0, (players * self._most + sum(self.game.antes)) / self.game.big_blind + rounds)
        actions = 3 if self.game.limit else self._most + 1 if self.every_raise else 2 + len(_SIZES)
        super().__init__(players, width, high, actions, render_mode)
        self.hand: Hand
        self._shift = 0

    def position(self, player: int) -> int:
        """Where a player sits in this hand."""
        return (player + self._shift) % self.game.players

    def player(self, position: int) -> int:
        """Who sits at a position in this hand."""
        return (position - self._shift) % self.game.players

    def _deal(self, seed: int, number: int) -> None:
        self._shift = number % self.game.players if self.rotate else 0
        cards = deal_cards(self.game, stream(seed, "deal"), [number])
        rng_key = hand_keys(stream(seed, "luck"), [number])
        seats = np.array([[self.player(p) for p in range(self.game.players)]], np.int16)
        table = Table(self.game, cards, rng_key=rng_key, seating=seats)
        self.hand = Hand.of_row(table, 0, number, [f"player_{k}" for k in seats[0]])

    def _to_act(self) -> int | None:
        return None if self.hand.actor is None else self.player(self.hand.actor)

    def _engine_actions(self) -> list[int]:
        """The engine's action for each of the environment's, but for the amounts of `every_raise`."""
        if self.every_raise:
            return [c.FOLD, c.CALL]
        if self.game.limit:
            return [c.FOLD, c.CALL, c.RAISE]
        seen = self.hand.observe()
        return [c.FOLD, c.CALL, *(int(raise_amounts(seen, size)[0]) for size in _SIZES)]

    def _legal(self) -> Mask:
        legal, mask = self.hand.legal, np.zeros(self._actions, np.int8)
        mask[c.KIND_FOLD], mask[c.KIND_CALL] = legal.fold, 1
        if self.every_raise and legal.raises:
            mask[max(legal.raises.start, c.KIND_RAISE) : legal.raises.stop] = 1
        elif legal.raises:
            mask[c.KIND_RAISE :] = 1
        return mask

    def _do(self, action: int) -> None:
        if not 0 <= action < self._actions:
            raise IllegalError(f"an action must be 0 to {self._actions - 1}, got {action}")
        chosen = action if self.every_raise and action >= c.KIND_RAISE else self._engine_actions()[action]
        # Where raising is not allowed no amount is right; the engine is asked with one that says why.
        self.hand.act(max(chosen, c.RAISE) if action >= c.KIND_RAISE else chosen)

    def _let(self, agent: Agent[Any]) -> None:
        self.hand.act(int(agent.decide(self.hand.observe())[0]))

    def _results(self) -> list[float]:
        payoffs = self.hand.payoffs
        return [payoffs[self.position(k)] / self.game.big_blind for k in range(self.game.players)]

    def _text(self) -> str:
        return plain(self.hand.section())

    def _more(self, player: int) -> dict[str, Any]:
        return {"position": self.position(player), "text": self.hand.line(viewer=self.position(player))}

    def _vector(self, player: int) -> Floats:
        """Own cards, board, street; of each player from oneself on: live, at the button's place, chips; the betting."""
        position, players = self.position(player), self.game.players
        seen = self.hand.observe(position)
        order = (position + np.arange(players)) % players
        chips = np.array([seen.pot[0], seen.owed[0], seen.raise_low[0], seen.raise_high[0]], np.float64)
        parts = [
            np.bincount(seen.hole[0], minlength=_DECK),
            np.bincount(seen.board[0][seen.board[0] >= 0], minlength=_DECK),
            np.arange(self.game.rounds) == seen.street[0],
            seen.live[0] >> order & 1,
            order == players - 1,
            np.asarray(self.game.blinds)[order] / self.game.big_blind,
            seen.spent[0, order] / self.game.big_blind,
            np.minimum(seen.behind[0, order], self._most) / self.game.big_blind,
            _raises(seen)[:, order].ravel(),
            np.minimum(chips, players * self._most + sum(self.game.antes)) / self.game.big_blind,
        ]
        return np.concatenate(parts).astype(np.float32)


def _most_wagered(game: Rules) -> int:
    """The most chips one player can have wagered in a hand."""
    stack = max(game.stacks)
    if not game.limit:
        return stack
    raised = sum(size * cap for size, cap in zip(game.raise_sizes, game.max_raises, strict=True))
    if min(stack, raised) >= UNLIMITED:
        raise UnreadableError(f"{game.name} has no cap on raises and no stacks: its observations would have no bounds")
    return min(stack, game.big_blind + raised)


def _raises(seen: Observations) -> Floats:
    """How often each position has bet or raised in each round."""
    count = np.zeros((seen.game.rounds, seen.game.players), np.float32)
    marks = seen.state[0, c.ROUND_AT : c.ROUND_AT + seen.game.rounds]
    for k, (action, actor) in enumerate(zip(seen.actions[0], seen.actors[0], strict=True)):
        if action >= c.RAISE:
            street = int(np.flatnonzero(marks[: int(seen.street[0]) + 1] <= k)[-1])
            count[street, actor] += 1
    return count
