"""Checks that any agent must pass, ours or yours: legal always, observation only, repeatable, the same in any batch.

    from mazzo.testing import check_holdem_agent
    check_holdem_agent(lambda: MyAgent(), find_game("holdem-limit-2p"))

Each check raises AssertionError with what went wrong.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np

from mazzo.agent import Agent
from mazzo.holdem import columns as c
from mazzo.holdem.agents.blind import Random
from mazzo.holdem.game import Game
from mazzo.holdem.hand import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.play import HoldemMatch, play_table
from mazzo.holdem.table import Table

__all__ = ["check_holdem_agent"]

Maker = Callable[[], Agent[Observations]]


class _Recorder(Agent[Observations]):
    """Plays for another agent and keeps what it saw and did."""

    def __init__(self, agent: Agent[Observations]) -> None:
        self.agent, self.name = agent, agent.name
        self.folds_free = agent.folds_free
        self.seen: list[tuple[Observations, np.ndarray]] = []

    def decide(self, observations: Observations) -> np.ndarray:
        actions = np.asarray(self.agent.decide(observations))
        self.seen.append((observations, actions))
        return actions

    def explain(self, observation: Observations) -> object:  # type: ignore[override]  # never asked
        raise AssertionError("the recorder explains nothing")


def check_holdem_agent(make: Maker, game: Game, deals: int = 50, seed: int = 1) -> None:
    """Let fresh copies of an agent play, and check all that is asked of an agent."""
    recorder = _Recorder(make())
    _play(recorder, game, deals, seed)  # an illegal action or a free fold raises
    assert recorder.seen, "the agent was never asked"
    _check_batches(make, recorder)
    _check_repeats(make, game, deals, seed, recorder)
    _check_hidden_cards(make, game, deals, seed)
    _check_explanations(make, recorder, game)


def _opponents(game: Game) -> list[Agent[Observations]]:
    return [Random(size="pot") for _ in range(game.players - 1)]


def _play(agent: Agent[Observations], game: Game, deals: int, seed: int) -> None:
    table = HoldemMatch(game).table(range(deals), seed)
    play_table(table, [agent, *_opponents(game)])
    assert table.over
    assert (table.settle().sum(axis=1) == 0).all(), "chips were won that nobody lost"


def _check_batches(make: Maker, recorder: _Recorder) -> None:
    """A batch of n decides like n batches of one."""
    for observations, actions in recorder.seen[:3]:
        agent = make()
        for k in range(min(len(observations), 40)):
            single = np.asarray(agent.decide(observations[k : k + 1]))
            assert single.shape == (1,), f"one decision gave {single.shape} actions"
            assert single[0] == actions[k], f"alone it plays {single[0]}, in a batch {actions[k]}"


def _check_repeats(make: Maker, game: Game, deals: int, seed: int, recorder: _Recorder) -> None:
    """The same seed gives the same play."""
    again = _Recorder(make())
    _play(again, game, deals, seed)
    for (_, first), (_, second) in zip(recorder.seen, again.seen, strict=True):
        assert (first == second).all(), "the same seed gave another play"


def _check_hidden_cards(make: Maker, game: Game, deals: int, seed: int) -> None:
    """First decisions do not change when the cards it cannot see do; and they survive a copy of the observation."""
    table = HoldemMatch(game).table(range(deals), seed)
    width = game.hole_cards
    other = table.cards.copy()
    deck = np.array(game.deck, np.uint8)
    rng = np.random.default_rng(seed)
    for row, actor in enumerate(table.actor):
        own = slice(actor * width, (actor + 1) * width)
        rest = rng.permutation(np.setdiff1d(deck, table.cards[row, own]))
        hidden = np.ones(game.cards_dealt, bool)
        hidden[own] = False
        other[row, hidden] = rest[: hidden.sum()]
    rows = np.arange(len(table))
    first = table.observe(rows)
    second = Table(game, other, luck=table.luck, seating=table.seating).observe(rows)
    actions = make().decide(first)
    assert (actions == make().decide(second)).all(), "its play depends on cards it cannot see"
    assert (actions == make().decide(pickle.loads(pickle.dumps(first)))).all(), (
        "its play depends on more than what it saw"
    )


def _check_explanations(make: Maker, recorder: _Recorder, game: Game) -> None:
    """An explanation names the action that is played."""
    agent = make()
    for observations, actions in recorder.seen[:20]:
        explanation = agent.explain(observations[:1])
        assert explanation.action == action_text(int(actions[0]), game.limit), "it explains another action"
        assert explanation.reason, "it gives no reason"
        assert str(explanation)
        assert explanation.as_dict()["action"] == explanation.action
        assert observations.state[0, c.ACTOR] >= 0
