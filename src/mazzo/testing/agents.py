"""What is asked of an agent: legal always, its observation only, repeatable, the same in any batch, with reasons."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from mazzo.agent import Agent, create
from mazzo.arrays import Floats, Ints
from mazzo.deal import Deal
from mazzo.errors import IllegalError
from mazzo.games import Entry, entries, find_rules
from mazzo.lockstep import play_out
from mazzo.rng import one_way
from mazzo.testing.common import first_difference, positions
from mazzo.testing.tables import check_settled

__all__ = ["check_agent", "check_explanation", "check_holdem_agent", "check_policy"]

Maker = Callable[[], Agent[Any]]
_ALONE = 40
"""Decisions of a batch that are asked again one by one."""
_ASKED = 4
"""Decisions of a batch whose policy is compared with choices under many keys."""
_OFF = 5.0
"""Standard errors by which a share of choices may differ from the chance the policy gives."""


def check_agent(agent: str | Agent[Any] | Maker, game: Any, deals: int = 50, seed: int = 1) -> None:
    """Let fresh copies of an agent play, and check all that is asked of an agent.

    It plays only what is legal, decides by its observation and by nothing else, plays the same again and in any
    batch, explains what it plays, and its policy says how often it plays what.

    Args:
        agent: What makes it: its class, a function, its name in the game's catalogue; or the agent itself.
        game: A game's name, or the `Rules` of one.
        deals: How many deals it plays against `random`, in each of its seats in turn.
        seed: Of the deals.
    """
    entry, rules = find_rules(game) if isinstance(game, str) else (_entry_of(rules=game), game)
    make = _maker(agent, entry)
    reason = make().unsupported_reason(rules)
    assert not reason, f"it cannot play {game}: {reason}"
    assert not make().sees_all, "it asks to see all cards (sees_all): an agent decides by its observation"
    played = _play(entry, rules, make(), deals, seed)
    assert played.seen, "the agent was never asked"
    _check_batches(make, played)
    _check_repeats(played, _play(entry, rules, make(), deals, seed))
    _check_observation_only(make, entry, rules, deals, seed)
    explaining, deal = make(), entry.deal(rules, seed)
    for observations, _ in played.seen[:20]:
        check_explanation(explaining, observations[:1], deal)
    _check_kernel(make, entry, rules, deals, seed)
    check_policy(make(), [observations for observations, _ in played.seen[:6]])


def check_policy(agent: Agent[Any], seen: Sequence[Any], keys: int = 200) -> None:
    """What an agent does under many random keys agrees with its policy, a few decisions of each batch.

    One that says nothing is drawn plays the same under every key. Shares that an agent states itself are compared
    with its choices by a chi-squared test; those that are counted from its choices need no test.
    """
    for observations in (batch[:_ASKED] for batch in seen):
        drawn, policy = agent.draws(observations), agent.policy(observations)
        assert np.allclose(policy.p.sum(axis=1), 1), "the chances of its policy do not add up to one"
        stated = type(agent).policy is not Agent.policy
        for row in np.flatnonzero(~drawn | stated):
            many = keys if stated else 5
            asked = observations[np.full(many, row)]
            asked = replace(asked, rng_key=one_way(np.arange(many) + (int(row) + 1) * 2**32, "keys"))
            choices = np.asarray(agent.decide(asked))
            if not drawn[row] and not stated:
                assert len(set(choices.tolist())) == 1, "it says that nothing is drawn, but its choice follows the key"
            _check_shares(policy.share_of(int(row), choices), choices)


def _check_shares(chances: Floats, choices: Ints) -> None:
    """Choices, and the chance the policy gives each of them: none that it rules out, none far too often."""
    assert (chances > 0).all(), "it plays what its policy rules out"
    found, counts = np.unique(choices, return_counts=True)
    for action, count in zip(found, counts, strict=True):
        p = float(chances[choices == action][0])
        spread = max(np.sqrt(p * (1 - p) / len(choices)), 1 / len(choices))
        off = abs(count / len(choices) - p) / spread
        assert off < _OFF, f"it plays {action} {count / len(choices):.3f} of the time, its policy says {p:.3f}"


def check_holdem_agent(make: Maker, game: Any, deals: int = 50, seed: int = 1) -> None:
    """The old name of `check_agent`."""
    check_agent(make, game, deals, seed)


def _entry_of(rules: Any) -> Entry:
    """The entry that stands in the same package as the rules."""
    package = type(rules).__module__.rpartition(".")[0]
    found = [entry for entry in entries() if getattr(entry, "__name__", "").rpartition(".")[0] == package]
    assert found, f"no game known here has rules of the kind {type(rules).__module__}.{type(rules).__name__}"
    return found[0]


def _maker(agent: str | Agent[Any] | Maker, entry: Entry) -> Maker:
    if isinstance(agent, str):
        return lambda: create(agent, entry.AGENTS, allow_cheats=True)
    if isinstance(agent, Agent):
        fresh = copy.deepcopy(agent)
        return lambda: copy.deepcopy(fresh)
    return agent


class _Recorder(Agent[Any]):
    """Plays for another agent and keeps what it saw and did."""

    def __init__(self, agent: Agent[Any]) -> None:
        self.agent, self.name = agent, agent.name or type(agent).__name__
        self.folds_free = agent.folds_free
        self.seen: list[tuple[Any, Ints]] = []

    def decide(self, observations: Any) -> Ints:
        before = copy.deepcopy(observations)
        actions = np.asarray(self.agent.decide(observations))
        changed = first_difference(before, observations)
        assert not changed, f"it changes {changed} of the observation that it is handed"
        self.seen.append((observations, actions))
        return actions

    def explain(self, observation: Any) -> Any:
        raise AssertionError("the recorder explains nothing")


def _play(entry: Entry, rules: Any, agent: Agent[Any], deals: int, seed: int) -> _Recorder:
    """An agent against `random`; it goes round the seats. An illegal action is said to be one."""
    recorder, table = _Recorder(agent), entry.table(rules, range(deals), seed)
    seats = table.seating.shape[1]
    table.seating[:] = (np.arange(deals)[:, None] + np.arange(seats)) % seats
    try:
        play_out(table, [recorder, *(create("random", entry.AGENTS) for _ in range(seats - 1))])
    except IllegalError as error:
        raise AssertionError(f"it played what is not legal: {error}") from error
    check_settled(entry, table)
    return recorder


def _check_batches(make: Maker, played: _Recorder) -> None:
    """A batch of n decides like n batches of one."""
    for observations, actions in played.seen[:3]:
        agent = make()
        assert actions.shape == (len(observations),), f"{len(observations)} decisions gave {actions.shape} actions"
        for k in range(min(len(observations), _ALONE)):
            single = np.asarray(agent.decide(observations[k : k + 1]))
            assert single.shape == (1,), f"one decision gave {single.shape} actions"
            assert single[0] == actions[k], f"alone it plays {single[0]}, in a batch {actions[k]}"


def _check_repeats(first: _Recorder, second: _Recorder) -> None:
    same = len(first.seen) == len(second.seen) and all(
        np.array_equal(a, b) for (_, a), (_, b) in zip(first.seen, second.seen, strict=True)
    )
    assert same, "the same seed gave another play"


def _check_observation_only(make: Maker, entry: Entry, rules: Any, deals: int, seed: int) -> None:
    """The same decision where what it cannot see is otherwise, and from a copy of its observation."""
    first, second = make(), make()
    for number in range(min(deals, 20)):
        for deal, rng in islice(positions(entry, rules, seed, number), number % 12, None, 12):
            if deal.turn is None:
                break
            other = deal.redealt(deal.turn, int(rng.integers(2**31)))
            here, there = deal.observe(), other.observe()
            action = _decide(first, here, deal)
            assert action == _decide(second, there, other), f"its play depends on what it cannot see: {deal}"
            again = _decide(first, pickle.loads(pickle.dumps(here)), None)
            assert action == again, f"its play depends on more than its observation: {deal}"


def _decide(agent: Agent[Any], seen: Any, deal: Deal | None) -> int:
    """What an agent decides; the deal is only here so that one who looks where it should not would find it."""
    return int(agent.decide(seen)[0])


def check_explanation(agent: Agent[Any], seen: Any, deal: Deal) -> None:
    """An explanation of one decision names the action that is played, with a reason, as text and as data."""
    action, explanation = deal.action_text(int(agent.decide(seen)[0])), agent.explain(seen)
    name = agent.name or type(agent).__name__
    assert explanation.action == action, f"{name} plays {action} and explains {explanation.action}"
    assert explanation.reason, f"{name} plays {action} and gives no reason"
    assert action in str(explanation), f"{name} plays {action}, but its explanation reads {explanation}"
    assert json.loads(json.dumps(explanation.as_dict()))["action"] == action


def _check_kernel(make: Maker, entry: Entry, rules: Any, deals: int, seed: int) -> None:
    """Compiled code that plays whole tables plays as the agent decides."""
    table, again = (entry.table(rules, range(deals), seed) for _ in range(2))
    agents = [make() for _ in range(table.seating.shape[1])]
    if agents[0].kernel in table.compiled:
        play_out(table, agents)
        play_out(again, [_Recorder(make()) for _ in agents])
        assert np.array_equal(table.settle(), again.settle()), "its compiled code plays otherwise than it decides"
