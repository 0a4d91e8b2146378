"""A tight-aggressive bot for no-limit Hold'em: `mazzo match holdem-nolimit-2p-100bb examples/tag.py rich`.

Before the flop it plays by the place of its hand in a list; after it, by its equity against a share of hands that
becomes smaller with every bet it faces. Everything is done for many decisions at once, in plain numpy.
"""

from dataclasses import dataclass

import numpy as np

from mazzo.agent import Agent, Explanation
from mazzo.holdem import CALL, FOLD, Observations
from mazzo.holdem import columns as c
from mazzo.holdem.agents.starting import SHARES, starting_values
from mazzo.holdem.bayes import holdings
from mazzo.holdem.showdown import evaluate
from mazzo.rng import forks


def places(hole):
    """The share of deals that are at least as good as each hand, in the list of 169 hands."""
    a, b = hole[:, 0].astype(int), hole[:, 1].astype(int)
    high, low = np.maximum(a, b) >> 2, np.minimum(a, b) >> 2
    suited = (a & 3) == (b & 3)
    return starting_values()[SHARES][np.where(suited, high, low), np.where(suited, low, high)]


@dataclass
class Tag(Agent[Observations]):
    """Few hands, big bets: opens by position, reraises the best, continues where its equity pays."""

    bet: float = 0.67
    samples: int = 100

    def _before(self, o):
        """Chances are shares of hands: those it raises with and those it plays at all."""
        place, players = places(o.hole), o.game.players
        waiting = np.bitwise_count(o.state[:, c.PENDING]) - 1  # who speaks after it
        opens = (
            np.full(len(o), 0.7) if players == 2 else np.array([0.3, 0.4, 0.4, 0.28, 0.2, 0.15])[np.minimum(waiting, 5)]
        )
        calls = np.where(o.raises == 1, 0.45 if players == 2 else 0.18, 0.06)
        raise_with = np.choose(np.minimum(o.raises, 2), [opens, 0.08, 0.025])
        big, price = o.game.big_blind, o.owed / (o.pot + o.owed)
        calls *= np.clip(1.4 - 2 * np.maximum(price - 0.3, 0), 0.2, 1)  # dear calls need better hands
        to = np.where(o.raises == 0, 2.5 * big, 3 * o.state[:, c.BET])
        return place <= raise_with, (place <= calls) & (o.raises > 0), to

    def _equity(self, o):
        """Its share of the pot against hands drawn from the best `width`, the rest of the board drawn too."""
        order = holdings()[np.argsort(places(holdings()), kind="stable")].astype(np.int64)
        bets = (o.actions > 0).sum(axis=1)  # the more was raised in the hand, the better what the others hold
        width = np.clip(0.75 * 0.72 ** (bets + 2 * (o.owed > 0) * (o.owed > 0.8 * (o.pot - o.owed))), 0.08, 1)
        most, n = int(o.opponents.max()), self.samples
        draw = forks(np.repeat(o.rng_key, n), np.tile(np.arange(n), len(o)))
        unit = [(forks(draw, [k]) >> np.uint64(11)) * 2.0**-53 for k in range(most + 2)]
        rows = np.repeat(np.arange(len(o)), n)
        held = [order[(u * width[rows] * 1326).astype(int)] for u in unit[:most]]
        board = o.board[rows].astype(np.int64)
        for k, u in zip((3, 4), unit[most:], strict=True):
            board[:, k] = np.where(board[:, k] < 0, (u * 52).astype(int), board[:, k])
        own = o.hole[rows].astype(np.int64)
        cards = np.sort(np.concatenate([own, board], axis=1), axis=1)
        good = (cards[:, 1:] != cards[:, :-1]).all(axis=1)  # a draw in which a card is held twice counts for nothing
        mine, best, ties = (
            evaluate(np.concatenate([own, board], 1)).astype(int),
            np.zeros(len(rows), int),
            np.ones(len(rows)),
        )
        for k, theirs in enumerate(held):
            there = o.opponents[rows] > k
            others = np.concatenate([own, board, *held[:k]], axis=1)
            good &= ~there | ~(theirs[:, :, None] == others[:, None, :]).any(axis=(1, 2))
            value = np.where(there, evaluate(np.concatenate([theirs, board], 1)), 0)
            best, ties = np.maximum(best, value), ties + (there & (value == mine))
        won = np.where(good & (mine >= best), 1 / ties, 0).reshape(len(o), n).sum(axis=1)
        return (won + 1) / (good.reshape(len(o), n).sum(axis=1) + 2)

    def decide(self, observations: Observations) -> np.ndarray:
        """One action a row: `FOLD`, `CALL` (also a check), or the total to raise to."""
        o = observations
        up, flat, to = self._before(o)
        late = np.flatnonzero(o.street > 0)
        for some in np.array_split(late, max(1, len(late) // 500)) if len(late) else ():
            s = o[some]
            equity, fair = self._equity(s), 1 / (s.opponents + 1)
            up[some] = equity > np.where(s.owed > 0, 0.75 + 0.08 * (s.raises > 1), fair + 0.08)
            flat[some] = equity * (s.pot + s.owed) > s.owed
            to[some] = s.state[:, c.BET] + self.bet * (s.pot + s.owed)
        to = np.clip(to.astype(np.int64), o.raise_low, o.raise_high)
        return np.where(up & o.can_raise, to, np.where(up | flat | (o.owed == 0), CALL, FOLD))

    def explain(self, observation: Observations) -> Explanation:
        """Its place in the list, or its equity."""
        o, action = observation, int(self.decide(observation)[0])
        if o.street[0] == 0:
            reason = f"hand in the best {places(o.hole)[0]:.1%}, with {o.raises[0]} raises before it"
        else:
            reason = f"it takes its equity to be {self._equity(o)[0]:.2f}, with {o.owed[0]} to call into {o.pot[0]}"
        return Explanation({FOLD: "f", CALL: "c"}.get(action, f"r{action}"), reason)
