"""Matches between two agents: the same deals twice, with the pairs exchanged.

Points a deal: the first agent's side minus the second's in whole points (each side's thirds rounded down), the mean of
the two plays of a deal with the pairs exchanged and the same leader. Declarations are made, so that agents know them,
but not scored; no deal is sent a monte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, create
from mazzo.arena.match import MatchResult, match
from mazzo.errors import IllegalError
from mazzo.jit import kernel
from mazzo.luck import fork, stream
from mazzo.tressette.agents import AGENTS, CHEATS
from mazzo.tressette.agents.cheat import Cheat
from mazzo.tressette.observation import Observations, observe
from mazzo.tressette.round import Round
from mazzo.tressette.rules import SUIT, Ints, Rounds, deal_hands

__all__ = ["TressetteMatch", "luck_of_rounds", "play_match", "play_rounds"]


@dataclass(frozen=True)
class TressetteMatch:
    """How the arena plays tressette: two agents, each holding a pair of seats; every deal twice, pairs exchanged."""

    named: bool = False
    """A declared napoli names its suit."""
    talk: bool = False
    """Leaders may signal (busso, striscio, volo); else the game is muto."""
    unit = "points_per_deal"
    seats = 2
    plays_per_deal = 2

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Points of each agent over the other by deal, and the rounds as text if wanted."""
        hands = np.empty((len(deals), 4), np.int64)
        deal_hands(stream(seed, "deal"), deals.start, hands)
        leaders = np.repeat(np.arange(deals.start, deals.stop) % 4, 2).astype(np.int8)
        twice = Rounds.start(np.repeat(hands, 2, axis=0), leaders, self.named, self.talk)
        # Row 2k is deal k with the first agent at seats 0 and 2, row 2k + 1 the same with the pairs exchanged.
        exchanged = np.arange(2 * len(deals)) % 2
        seated = np.stack([exchanged, 1 - exchanged, exchanged, 1 - exchanged], axis=1)
        play_rounds(twice, agents, seated, luck_of_rounds(seed, 2 * deals.start, 2 * len(deals)))
        points = twice.points()
        mine = np.where(exchanged == 0, points[:, 0], points[:, 1])
        difference = (2 * mine - points.sum(axis=1)).reshape(-1, 2).mean(axis=1)
        lines = [str(Round.of_row(twice, row)) for row in range(len(twice))] if log else []
        return np.stack([difference, -difference], axis=1), lines


def play_match(first: str, second: str, deals: int, seed: int = 0, **options: Any) -> MatchResult:
    """Let two agents play `deals` deals twice, exchanging places.

    Args:
        first: The name of an agent, as `mazzo.agent.create` reads it.
        second: The name of the other.
        deals: How many deals; each is played twice.
        seed: Same seed, same deals and same luck.
        **options: `named` and `talk` of `TressetteMatch`, `allow_cheats` (agents that see all cards may play), and
            those of `mazzo.arena.match.stream_match`.
    """
    variant = TressetteMatch(options.pop("named", False), options.pop("talk", False))
    catalogue = {**AGENTS, **CHEATS} if options.pop("allow_cheats", False) else AGENTS
    agents = [create(name, catalogue) for name in (first, second)]
    return match(variant, agents, 2 * deals, seed, **options)


def play_rounds(rounds: Rounds, agents: Sequence[Agent[Observations]], seated: Ints, keys: NDArray[np.uint64]) -> None:
    """Play many rounds in lockstep to their end: agent `seated[i, s]` has seat s of round i.

    Args:
        rounds: Rounds at the same stage; advanced in place.
        agents: The players.
        seated: [n, 4] which of them sits where.
        keys: [n] a key of chance for each round; luck is drawn from it decision by decision.
    """
    everyone = np.arange(len(rounds))
    cards, luck = np.empty(len(rounds), np.int64), np.empty(len(rounds), np.uint64)
    for step in range(int(rounds.count[0]), 40):
        _forks(keys, step, luck)
        acting = seated[everyone, rounds.turn]
        for k, agent in enumerate(agents):
            rows = np.flatnonzero(acting == k)
            if not len(rows):
                continue
            seen = observe(rounds, rows, rounds.turn[rows].astype(np.int64), luck[rows])
            if getattr(agent, "sees_all", False):
                chosen = cast(Cheat, agent).decide_open(rounds, rows, seen)
            else:
                chosen = agent.decide(seen)
            _must_be_legal(agent, seen, chosen)
            cards[rows] = chosen
        rounds.play(cards)


def luck_of_rounds(seed: int, first: int, n: int) -> NDArray[np.uint64]:
    """[n] keys of chance for the plays `first`, `first` + 1, ... under a seed."""
    keys = np.empty(n, np.uint64)
    _keys(stream(seed, "luck"), first, keys)
    return keys


def _must_be_legal(agent: Agent[Observations], seen: Observations, chosen: NDArray[np.int64]) -> None:
    if chosen.shape != seen.hand.shape:
        raise IllegalError(f"{agent.name} gave {chosen.shape} cards for {len(seen)} decisions: one each is right")
    cards, signal = chosen % 40, chosen // 40
    wrong = (chosen < 0) | (chosen >= 160) | ((seen.legal >> cards) & 1 == 0)
    more = seen.hand & ~(np.int64(1) << cards) & (np.int64(SUIT) << 10 * (cards // 10))
    may_say = (seen.signals[:, 0] >= 0) & (seen.count % 4 == 0) & ((more == 0) == (signal == 3))
    wrong |= (signal > 0) & ~may_say
    if wrong.any():
        from mazzo.cards import ITALIAN

        i = int(np.argmax(wrong))
        raise IllegalError(
            f"{agent.name} played {int(chosen[i])} in trick {int(seen.count[i]) // 4 + 1}, where it may play "
            f"{ITALIAN.text(ITALIAN.unmask(int(seen.legal[i])))}"
        )


@kernel
def _keys(key: np.uint64, first: int, keys: NDArray[np.uint64]) -> None:
    for i in range(len(keys)):
        keys[i] = fork(key, first + i)


@kernel
def _forks(keys: NDArray[np.uint64], counter: int, luck: NDArray[np.uint64]) -> None:
    for i in range(len(keys)):
        luck[i] = fork(keys[i], counter)
