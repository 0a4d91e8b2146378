"""Local best response: a lower bound on what can be won from an agent at a game that is too large to be walked whole.

It knows the agent's policy. By Bayes' rule it keeps the exact range of what the agent may hold, and takes the action
that would be best if both checked and called from there on; what it wins in real play is a bound from below of what
the best response wins (Lisy and Bowling 2017). It says nothing about safety: a bad bound may mean a good agent or a
short-sighted responder, and against a good agent it may well lose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mazzo.agent import Agent, Explanation, Option
from mazzo.arrays import Floats, Ints
from mazzo.confidence import INTERVAL
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.agents import find_agent
from mazzo.holdem.aivat import Aivat
from mazzo.holdem.beliefs import ranges_of, with_all_holdings
from mazzo.holdem.match import HoldemMatch, LucklessMatch
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.by_holding import shares_by_holding
from mazzo.holdem.rules import Rules, find_game
from mazzo.holdem.solver.small_game import too_large
from mazzo.statistics import Estimate, Moments

__all__ = ["LocalBestResponse", "LowerBound", "local_best_response", "read_sizes"]

_AT_ONCE = 64
"""Decisions whose ranges are worked out together: each is a thousand rows for the agent's policy."""

_CHUNK = 50
"""Deals between two reports of progress."""


def read_sizes(text: str) -> tuple[float, ...]:
    """Bet sizes from their text, in pots: `0.5+1+most`; `most` is everything."""
    sizes = []
    for word in text.split("+"):
        try:
            size = np.inf if word == "most" else float(word)
        except ValueError:
            size = -1.0
        if not size > 0:
            raise UnreadableError(
                f"a bet size must be a number of pots above 0, or most, got {word!r}; for example 0.5+1+most"
            )
        sizes.append(size)
    return tuple(sizes)


@dataclass
class LocalBestResponse(Agent[Observations]):
    """Plays the action that is best against the agent's range if nobody bets again; heads-up only."""

    summary: ClassVar[str] = "local best response to an agent whose policy it knows"
    randomises: ClassVar[bool] = False
    plays_at_once: ClassVar[int] = 64
    against: str | Agent[Any] = ""
    """The agent it answers."""
    sizes: str = "0.5+1+most"
    """No-limit: the bets and raises it considers, in pots."""
    start: int = 0
    """The round from which on it bets and raises; before it only calls."""

    def __post_init__(self) -> None:
        self.rival = find_agent(self.against)
        self._sizes = read_sizes(self.sizes)

    def unsupported_reason(self, game: Rules | None) -> str:
        """Two players, two cards of 52 each."""
        if game is not None and (game.players != 2 or game.hole_cards != 2 or len(game.deck) != 52):
            return "a local best response is known at heads-up Hold'em only"
        return self.rival.unsupported_reason(game)

    def decide(self, observations: Observations) -> Ints:
        """The action of the highest worth; a fold if none is worth more."""
        out = np.empty(len(observations), np.int64)
        for begin in range(0, len(observations), _AT_ONCE):
            some = observations[slice(begin, begin + _AT_ONCE)]
            for k, options in enumerate(self._weigh(some)):
                out[begin + k] = max(options, key=lambda option: option[1])[0]
        return out

    def explain(self, observation: Observations) -> Explanation:
        """The worth of each action it considers, in big blinds from here on."""
        (options,) = self._weigh(observation)
        blind, limit = observation.game.big_blind, observation.game.limit
        action = max(options, key=lambda option: option[1])[0]
        weighed = [Option(action_text(a, limit), worth / blind) for a, worth in options]
        reason = f"it is worth most against what {self.rival.name} may hold, if nobody bets again"
        return Explanation(action_text(action, limit), reason, weighed, unit="bb")

    def _weigh(self, o: Observations) -> list[list[tuple[int, float]]]:
        """By row the actions it considers and their worth in chips, a fold being worth 0."""
        ranges = ranges_of(self.rival, o, 1 - o.position)
        shares = np.array([shares_by_holding(o.hole[k], o.board[k], o.rng_key[k]) for k in range(len(o))]).reshape(
            len(o), -1
        )
        equity = (ranges * shares).sum(axis=1)
        called = equity * o.pot - (1 - equity) * o.owed
        options = [[(c.CALL, float(worth))] for worth in called]
        for row in np.flatnonzero(o.owed > 0):
            options[row].insert(0, (c.FOLD, 0.0))
        may = np.flatnonzero(o.can_raise & (o.street >= self.start))
        for to in self._raises(o) if len(may) else ():
            worth = self._raised(o[may], to[may], ranges[may], shares[may])
            for row, amount, value in zip(may, to[may], worth, strict=True):
                options[row].append((int(amount), float(value)))
        return options

    def _raises(self, o: Observations) -> list[Ints]:
        if o.game.limit:
            return [o.raise_low]
        after = o.state[:, c.BET]
        wanted = [np.minimum(size * (o.pot + o.owed), 2.0**40) for size in self._sizes]
        return [np.clip(after + np.rint(more).astype(np.int64), o.raise_low, o.raise_high) for more in wanted]

    def _raised(self, o: Observations, to: Ints, ranges: Floats, shares: Floats) -> Floats:
        """The worth of a raise: the pot where the agent folds, else the showdown against what it goes on with."""
        state, room = o.state.copy(), np.pad(o.history, ((0, 0), (0, 1)))
        kernels.apply_rows(o.game.row[None, :], state, room, np.arange(len(o)), to)
        folds = np.zeros(ranges.shape)
        asked = np.flatnonzero(state[:, c.ACTOR] >= 0)
        possible = ranges[asked] > 0
        policy = self.rival.policy(with_all_holdings(o[asked], state[asked], room[asked], possible))
        chance = np.zeros(possible.shape)
        chance[possible] = policy.share(np.full(len(policy), c.FOLD))
        folds[asked] = chance
        gone = (ranges * folds).sum(axis=1)
        stays = ranges * (1 - folds)
        equity = np.divide((stays * shares).sum(axis=1), 1 - gone, out=np.zeros(len(o)), where=gone < 1 - 1e-12)
        position = o.position
        more = state[np.arange(len(o)), c.SPENT + position] - o.state[np.arange(len(o)), c.SPENT + position] - o.owed
        kept = equity * (o.pot + more) - (1 - equity) * (o.owed + more)
        return np.asarray(gone * o.pot + (1 - gone) * kept)


@dataclass(frozen=True)
class LowerBound(Shown):
    """What a local best response won from an agent."""

    game: str
    agent: str
    estimate: Estimate
    """In big blinds a hand, the mean over both seats."""
    hands: int
    exact: bool
    """Whether the agent's chances are known exactly; sampled ones weaken the bound, but it stays one."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data, in thousandths of a big blind a hand."""
        return {
            "game": self.game,
            "agents": [self.agent],
            "value": 1000 * self.estimate.mean,
            "unit": "mbb/hand",
            "kind": "lower bound",
            "ci95": [1000 * end for end in self.estimate.ci95],
            "standard_error": 1000 * self.estimate.standard_error,
            "hands": self.hands,
            "at_least": max(0.0, 1000 * self.estimate.mean),
        }

    def section(self) -> Section:
        """The bound and its interval, and what it means."""
        low, high = self.estimate.ci95
        mean = self.estimate.mean
        rows = [(self.agent, f"{1000 * mean:+.1f}", f"{1000 * low:+.1f} .. {1000 * high:+.1f}", f"{self.hands:,}")]
        words = [
            "local best response wins this much: the best response wins at least as much"
            if low > 0
            else "no more than nothing is shown to be won: this is a lower bound and says nothing about safety"
        ]
        header = ("agent", "thousandths of a big blind a hand", INTERVAL, "hands")
        return Section(f"lower bound of what can be won at {self.game}", words, tables=[Grid(header, rows)])


def _known(agent: Agent[Any], match: HoldemMatch) -> bool:
    """Whether an agent's chances are known exactly."""
    return match.without_luck([agent, agent], "actions").known[0]


def local_best_response(
    agent: str | Agent[Any],
    game: str | Rules,
    *,
    hands: int = 2000,
    seed: int = 0,
    sizes: str = "0.5+1+most",
    start: int = 0,
    aivat: bool = False,
    progress: Callable[[float], None] = lambda amount: None,
) -> LowerBound:
    """A lower bound of what can be won from an agent at heads-up Hold'em, with its interval.

    Args:
        agent: The agent, by name or itself.
        game: A heads-up game.
        hands: How many hands are played, every deal in both seats.
        seed: Of the deals.
        sizes: No-limit: bets that are considered, in pots.
        start: The round from which on it bets and raises.
        aivat: Whether the luck of the cards and of the agent's own draws is taken out: the same mean, a smaller error.
        progress: Is told each further part of the whole.
    """
    rules, rival = find_game(game), find_agent(agent)
    responder = LocalBestResponse(rival, sizes, start)
    responder.name = "local best response"
    if reason := responder.unsupported_reason(rules):
        size = f" ({large})" if (large := too_large(rules)) else ""
        raise UnreadableError(f"agent {rival.name!r} cannot be judged at {rules.name}: {reason}{size}")
    deals, match, found = max(1, hands // 2), HoldemMatch(rules), Moments()
    exact = True
    players = [responder, rival]
    luckless = LucklessMatch(match, Aivat("actions"), (False, _known(rival, match))) if aivat else None
    for begin in range(0, deals, _CHUNK):
        part = range(begin, min(begin + _CHUNK, deals))
        if luckless is None:
            by_deal = match.play(players, part, seed)[0][:, 0]
        else:
            by_deal = luckless.play(players, part, seed)[2][:, :, -1].mean(axis=1)
        found = found + Moments.of(by_deal)
        progress(len(part) / deals)
    return LowerBound(rules.name, rival.name, found.estimate(), 2 * deals, exact)
