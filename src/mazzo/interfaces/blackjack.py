"""Blackjack under any rules as a Gymnasium environment: an episode is a round, the reward what it won in bets."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.blackjack.columns import EVEN_MONEY, INSURE, LEAVE, PLAYS
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import INFINITE, Rules, named_rules
from mazzo.blackjack.shoe import shoe_of, text_of
from mazzo.errors import IllegalError, UnreadableError

__all__ = ["ACTIONS", "BlackjackEnv"]

ACTIONS = (*PLAYS, "insure", "even money", "pass")
"""`pass` declines insurance or even money, and ends a round that leaves nothing to decide."""
_PASS = LEAVE
_SIDE_BETS, _PLAY, _NOTHING, _OVER = range(4)
_MOST_CARDS = 8 * 16
_MOST_TOTAL = 31

Step = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


class BlackjackEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One player against the dealer.

    Insurance and even money, where the rules offer them, are a decision of their own before play, so that a mask
    never tells what the dealer has looked at. `game` is the round itself, as `mazzo.blackjack.round` plays it.

    Args:
        rules: A preset's name, a `.toml` file, or `Rules`; with a real number of decks.
        through: Play the shoe down to the cut card over the episodes; else every round is dealt from a fresh one.
        strict: Refuse an action the mask does not allow; else the first that it allows is played in its stead.
        render_mode: None or "ansi".
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]  # theirs is no ClassVar

    def __init__(
        self,
        rules: Rules | str = "strip",
        *,
        through: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.rules = named_rules(rules) if isinstance(rules, str) else rules
        if self.rules.decks == INFINITE:
            raise UnreadableError("rounds are dealt from real decks: give rules with decks of 1 to 8")
        self.through, self.strict, self.render_mode = through, strict, render_mode
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = spaces.Dict(
            {
                "cards": spaces.Box(0, _MOST_CARDS, (10,), np.int64),
                "total": spaces.Discrete(_MOST_TOTAL + 1),
                "soft": spaces.Discrete(2),
                "upcard": spaces.Discrete(10),
                "after_split": spaces.Discrete(2),
                "shoe": spaces.Box(0, _MOST_CARDS, (10,), np.int64),
                "action_mask": spaces.MultiBinary(len(ACTIONS)),
            }
        )
        self._fresh = shoe_of(self.rules)
        self._shoe = self._fresh
        self._phase = _OVER
        self.game: Round | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a round. A seed also opens a fresh shoe."""
        super().reset(seed=seed)
        left = self.game.shoe_after if self.game is not None else self._fresh
        low = left.cards <= (1 - self.rules.penetration) * self._fresh.cards
        fresh = seed is not None or not self.through or low or not Round.enough(self.rules, left)
        shoe = self._fresh if fresh else left
        self.game = Round(self.rules, shoe=shoe, key=np.uint64(self.np_random.integers(2**63)))
        if self.game.over:
            self._phase = _NOTHING
        else:
            self._phase = _PLAY if self.game.asked is None else _SIDE_BETS
        return self._observation(), self._info()

    def step(self, action: np.int64) -> Step:
        """Carry out one action; the round's result is the reward of its last one."""
        game, chosen = self._round(), self._allowed(int(action))
        if not game.over:
            game.act(chosen)
        self._phase = _OVER if game.over else _PLAY
        won = game.payoffs[0] if game.over else 0.0
        return self._observation(), won, game.over, False, self._info()

    def let_play(self, agent: Agent[Observations]) -> Step:
        """Take one step as an agent of Mazzo decides; it takes neither insurance nor even money."""
        game = self._round()
        if self.action_mask()[_PASS]:
            return self.step(np.int64(_PASS))
        return self.step(agent.decide(game.observe())[0])

    def action_mask(self) -> NDArray[np.int8]:
        """Which of `ACTIONS` are allowed now; none when the round is over."""
        game, mask = self._round(), np.zeros(len(ACTIONS), np.int8)
        if self._phase == _PLAY:
            mask[: len(PLAYS)] = game.observe().legal[0, : len(PLAYS)]
        elif self._phase == _SIDE_BETS:
            mask[[INSURE, EVEN_MONEY]] = game.observe().legal[0, [INSURE, EVEN_MONEY]]
        mask[_PASS] = self._phase in (_SIDE_BETS, _NOTHING)
        return mask

    def render(self) -> str | None:
        """The table as the player sees it."""
        if self.render_mode != "ansi":
            return None
        game = self._round()
        dealer = game.dealer if self._phase == _OVER else game.dealer[:1]
        return f"{'; '.join(map(str, game.hands))} against {text_of(dealer)}"

    def _round(self) -> Round:
        if self.game is None:
            raise IllegalError("nothing is dealt yet: reset the environment")
        return self.game

    def _allowed(self, action: int) -> int:
        mask = self.action_mask()
        if not mask.any():
            raise IllegalError("the round is over: reset the environment")
        if 0 <= action < len(ACTIONS) and mask[action]:
            return action
        allowed = np.flatnonzero(mask)
        if self.strict:
            what = ACTIONS[action] if 0 <= action < len(ACTIONS) else action
            names = ", ".join(ACTIONS[k] for k in allowed)
            raise IllegalError(f"{what!r} is not allowed with {self._round().hands[-1]}; allowed: {names}")
        return int(allowed[0])

    def _observation(self) -> dict[str, Any]:
        game = self._round()
        playing = self._phase == _PLAY and game.to_play is not None
        hand = game.to_play or game.hands[-1]
        total, soft = hand_total(hand.cards)
        return {
            "cards": np.bincount(hand.cards, minlength=10),
            "total": np.int64(total),
            "soft": np.int64(soft),
            "upcard": np.int64(game.upcard),
            "after_split": np.int64(hand.split),
            "shoe": game.observe().shoe[0] if playing else game.before.array(),
            "action_mask": self.action_mask(),
        }

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_mask()}
        if self._phase == _OVER:
            info |= {"dealer": text_of(self._round().dealer), "hands": [str(hand) for hand in self._round().hands]}
        return info
