"""Vilella's printed program (appendix B of the thesis), as far as it makes what a hero learns from and how it plays.

Three things in it differ from what the text says. Rewards charge stakes twice and have a sign wrong (the reward
`document`). Nothing keeps a hero from folding where checking is free: of all three actions the one of the highest Q is
learned and played. And the betting of the street that is being played is cut to the length of the street before, since
the place of the last `/` is kept from there; raises of the small blind, pot, the number of the street's betting and
who is to act are read from what is left. Figure 4.5 shows it: after `cc/rc/cc/crr` it is not the big blind's turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import situations_seen
from mazzo.holdem.attributes.elementary import (
    BIG_BLIND,
    LEARNING,
    SEQUENCES,
    matrix,
    refuse_other_than_heads_up_limit,
)
from mazzo.holdem.learning.decisions import Decisions
from mazzo.holdem.learning.rewards import REWARDS, Outcomes
from mazzo.holdem.learning.showdowns import Showdowns
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.forest import Forest
from mazzo.learn.q_values import greedy, q_table

__all__ = ["AsPrinted", "cut_states", "learn_as_printed", "printed_decisions"]

_STAGE, _RAISES_SB, _TURN, _PV, _POT = (LEARNING.index(k) for k in ("stage", "raises_sb", "turn", "pv", "pot"))
_BET = LEARNING.index("bet_preflop")


class _Betting(NamedTuple):
    """Of every sequence after the flop, by its number: what the printed program reads from it."""

    length: Ints
    raises_sb: Ints
    bets: Ints
    """What both have put in, in bets."""
    cut: Ints
    """By a length: the number of what is left of the sequence."""


@cache
def _betting() -> _Betting:
    size = 1 + max(SEQUENCES.values())
    longest = max(map(len, SEQUENCES))
    length, raises_sb, bets = (np.zeros(size, np.int64) for _ in range(3))
    cut = np.zeros((size, longest + 1), np.int64)
    for text, number in SEQUENCES.items():
        length[number] = len(text)
        raises_sb[number] = text[1::2].count("r")  # after the flop the big blind acts first
        paid = [0, 0]
        for k, action in enumerate(text):
            if action != "f":
                paid[k % 2] = max(paid) + (action == "r")
        bets[number] = sum(paid)
        cut[number] = [SEQUENCES.get(text[:k], number) for k in range(longest + 1)]
    return _Betting(length, raises_sb, bets, cut)


def cut_states(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """States of `LEARNING` as the printed program has them: the street's betting cut to the length of the last one."""
    facts, row = _betting(), np.arange(len(states))
    stage = states[:, _STAGE].astype(np.int64)
    now = states[row, _BET + stage].astype(np.int64)
    before = states[row, _BET + np.maximum(stage - 1, 0)].astype(np.int64)
    left = np.where(stage > 0, facts.cut[now, facts.length[before]], now)
    out = states.copy()
    out[row, _BET + stage] = left
    out[:, _RAISES_SB] -= facts.raises_sb[now] - facts.raises_sb[left]
    out[:, _POT] -= (facts.bets[now] - facts.bets[left]) * np.where(stage > 1, 2, 1) * BIG_BLIND
    out[:, _TURN] = np.where(left == now, states[:, _TURN], facts.length[left] % 2)
    return out


def printed_decisions(made: Decisions, cut: bool = True) -> Decisions:
    """Decisions of both players with the printed program's rewards; with `cut`, as it has states and turns too.

    Then each decision belongs to whose turn the program takes it to be, with the PV of that player's cards.

    Args:
        made: decisions of both players with the attributes of `LEARNING` and chips as rewards.
        cut: whether the betting is cut.
    """
    if made.attributes != LEARNING or made.rewarded != "chips":
        raise ValueError("the printed program is followed from decisions with the attributes of LEARNING and chips")
    states, turn, after = made.states, made.position, made.next
    if cut:
        states = cut_states(states)
        turn = states[:, _TURN].astype(np.int64)
        states[:, _PV] = _pv_of(made, turn)
        after = _next_of(made.hand * 2 + turn)
    facts = {name: states[:, LEARNING.index(name)] for name in REWARDS["document"].attributes}
    outcomes = Outcomes(
        made.action, after, made.hand, turn, made.reward, _big_blind_net(made)[made.hand], facts, Showdowns.none()
    )
    reward = REWARDS["document"].work(outcomes).reward
    return replace(made, states=states, position=turn, next=after, reward=reward, rewarded="document")


def _pv_of(made: Decisions, turn: Ints) -> NDArray[np.float32]:
    """The PV of these players' cards: where the betting is cut, both have acted on the street."""
    stage = made.states[:, _STAGE].astype(np.int64)
    pv = np.full((int(made.hand.max()) + 1, 4, 2), np.nan, np.float32)
    pv[made.hand, stage, made.position] = made.states[:, _PV]
    return np.where(turn == made.position, made.states[:, _PV], pv[made.hand, stage, turn])


def _next_of(episode: Ints) -> Ints:
    """The row of the next decision of the same player in the hand, -1 after the last."""
    after = np.full(len(episode), -1, np.int64)
    order = np.argsort(episode, kind="stable")
    same = episode[order][1:] == episode[order][:-1]
    after[order[:-1][same]] = order[1:][same]
    return after


def _big_blind_net(made: Decisions) -> Floats:
    """What the big blind won in each hand; where it had no decision, the small blind."""
    mine = made.position == 0
    hands = int(made.hand.max()) + 1
    net = np.bincount(made.hand[mine], made.reward[mine], hands) - BIG_BLIND
    return np.where(np.bincount(made.hand[mine], minlength=hands) > 0, net, BIG_BLIND / 2)


def learn_as_printed(made: Decisions, regressor: Any, names: Sequence[str], iterations: int) -> FittedQ:
    """Fitted Q-iteration where the greatest Q is that of all three actions, legal or not."""
    batch = made.transitions(names)
    return FittedQ(regressor, 3, iterations).fit(replace(batch, next_legal=np.ones_like(batch.next_legal)))


class AsPrinted(Agent[Observations]):
    """Plays the action of the highest Q of all three: it may fold for nothing, and a raise beyond the cap is a call."""

    summary: ClassVar[str] = "plays as the program that Vilella (2011) printed"
    randomises: ClassVar[bool] = False
    folds_free = True

    def __init__(self, forest: Forest, names: Sequence[str], cut: bool, pv_samples: int) -> None:
        self.forest, self.names, self.cut, self.pv_samples = forest, tuple(names), cut, pv_samples
        self.name = "hero"

    def unsupported_reason(self, game: Rules | None) -> str:
        """Its attributes are those of heads-up limit Hold'em."""
        return refuse_other_than_heads_up_limit(game)

    def decide(self, observations: Observations) -> Ints:
        """The action of the highest Q."""
        states = matrix(situations_seen(observations, big_blind=BIG_BLIND, pv_samples=self.pv_samples), LEARNING)
        if self.cut:
            states = cut_states(states)
        seen = np.ascontiguousarray(states[:, [LEARNING.index(name) for name in self.names]])
        best = greedy(q_table(self.forest.predict, seen, 3))
        raising = (best == c.KIND_RAISE) & (observations.raise_high > 0)
        return np.where(raising, observations.raise_low, np.minimum(best, c.KIND_CALL) + c.FOLD)

    def explain(self, observation: Observations) -> Explanation:
        """Says only what it plays."""
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), "the highest Q of all three actions", [], {})
