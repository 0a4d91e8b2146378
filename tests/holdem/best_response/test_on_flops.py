"""Best responses of the whole heads-up limit game on sampled flops."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.agent import Agent, Explanation
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, kernels, rules
from mazzo.holdem.agents import find_agent
from mazzo.holdem.aivat.showdowns import HOLDINGS, apart, edges_on
from mazzo.holdem.best_response.on_flops import best_response_on_flops
from mazzo.holdem.best_response.streets import StreetByStreet, free_of
from mazzo.holdem.observation import Observations
from mazzo.holdem.showdown import tables

GAME = "holdem-limit-2p"
BOARD = [int(card) for card in FRENCH.parse("2c7dTh3sJc")]


def test_what_beats_what_is_counted_as_by_comparing_every_pair() -> None:
    weights = np.random.default_rng(1).random((2, len(HOLDINGS))) * free_of(BOARD)
    weights[1, 100:] = 0
    judged, rival = edges_on(np.array(BOARD), weights), apart(weights)
    game = rules(GAME)
    ended = Hand(game, "QsQd" + "AhKc" + "2c7dTh3sJc")
    for _ in range(8):
        ended.act("c")
    for own in (0, 57, 700, 1325):
        for row in range(2):
            won = together = 0.0
            for other in np.flatnonzero(weights[row]):
                if set(HOLDINGS[own]) & set(HOLDINGS[other]):
                    continue
                together += weights[row, other]
                cards = np.array([[*HOLDINGS[own], *HOLDINGS[other], *BOARD]], np.uint8)
                state = ended._table.state[[ended._row]]
                net = kernels.settle_rows(game.row[None, :], state, cards, np.arange(1), tables())
                won += weights[row, other] * np.sign(net[0, 0])
            assert rival[row, own] == pytest.approx(together)
            assert judged[row, own] == pytest.approx(won if free_of(BOARD)[own] else 0.0)


class _Plain:
    """The best response on a river for one holding, by plain recursion over a few holdings of the agent."""

    def __init__(self, walk: StreetByStreet, agent: Agent[Any], own: int) -> None:
        self.walk, self.agent, self.own = walk, agent, own

    def value(self, node: int, weights: dict[int, float]) -> float:
        tree, walk = self.walk.tree, self.walk
        if tree.actor[node] < 0:
            return sum(weight * self._paid(node, other) for other, weight in weights.items())
        children = [int(tree.first[node]) + a for a in range(tree.actions[node])]
        if tree.actor[node] == walk.seat:
            return max(self.value(child, weights) for child in children)
        shares = {other: self._shares(node, other, len(children)) for other in weights}
        return sum(
            self.value(child, {other: weight * shares[other][a] for other, weight in weights.items()})
            for a, child in enumerate(children)
        )

    def _paid(self, node: int, other: int) -> float:
        hands = (self.own, other) if self.walk.seat == 0 else (other, self.own)
        cards = np.array([[*HOLDINGS[hands[0]], *HOLDINGS[hands[1]], *BOARD]], np.uint8)
        net = kernels.settle_rows(self.walk.rules.row[None, :], self.walk.state[[node]], cards, np.arange(1), tables())
        return float(net[0, self.walk.seat])

    def _shares(self, node: int, other: int, actions: int) -> list[float]:
        first, second = (self.own, other) if self.walk.seat == 0 else (other, self.own)
        hand = Hand(self.walk.rules, [*HOLDINGS[first], *HOLDINGS[second], *BOARD])
        for record in self.walk.history[node]:
            if record:
                hand.act(int(record) >> 4)
        policy = self.agent.policy(hand.observe())
        tree = self.walk.tree
        taken = [int(tree.action[tree.first[node] + a]) for a in range(actions)]
        return [float(policy.share(np.array([action]), any_raise=True)[0]) for action in taken]


@pytest.mark.parametrize("name", ["chart", "random", "rich"])
@pytest.mark.parametrize("seat", [0, 1])
def test_on_a_river_it_is_the_best_response_that_plain_recursion_finds(name: str, seat: int) -> None:
    agent = find_agent(name)
    walk = StreetByStreet(rules(GAME), agent, seat)
    held = [40, 57, 701, 702, 900, 1225]
    weights = {other: 1.0 + k for k, other in enumerate(held)}
    reach = np.zeros((1, len(HOLDINGS)))
    reach[0, list(weights)] = list(weights.values())
    reach *= free_of(BOARD)
    block = np.array([31])
    reached = walk.reached(3, block, BOARD, reach)
    paid = walk.paid(3, block, BOARD, reached)
    found = walk.best(3, paid, paid)[0]
    for own in np.flatnonzero(free_of(BOARD))[[9, 541, 1000]]:
        apart_from = {
            other: weight
            for other, weight in weights.items()
            if reach[0, other] and not set(HOLDINGS[own]) & set(HOLDINGS[other])
        }
        plain = _Plain(walk, agent, own).value(int(walk.streets[3].nodes[31, 0]), apart_from)
        assert found[own] == pytest.approx(plain, abs=1e-9)


def test_it_chooses_by_some_cards_and_counts_by_others() -> None:
    walk = StreetByStreet(rules(GAME), find_agent("call"), 1)
    shape = walk.streets[0]
    leaves = {place: np.array([[float(place)]]) for place in (*shape.entries, *shape.ends)}
    zero = {place: np.array([[-1.0]]) for place in leaves}
    assert walk.best(0, leaves, leaves)[0, 0] > 0
    assert walk.best(0, leaves, zero)[0, 0] < 0


def test_who_always_folds_loses_exactly_the_blinds() -> None:
    found = best_response_on_flops("fold", GAME, flops=2, turns=4, rivers=4)
    assert [seat.mean for seat in found.by_seat] == pytest.approx([0.5, 1.0])
    assert found.estimate.mean == pytest.approx(0.75)
    assert found.estimate.standard_error == pytest.approx(0)


def test_what_is_won_from_one_who_always_calls_is_what_is_known_exactly(tmp_path: Path) -> None:
    kept = tmp_path / "call.jsonl"
    best_response_on_flops("call", GAME, flops=3, turns=4, rivers=4, seed=1, checkpoint=kept)
    begun = kept.read_text()
    found = best_response_on_flops("call", GAME, flops=8, turns=4, rivers=4, seed=1, checkpoint=kept)
    assert kept.read_text().startswith(begun)  # what was done is not done again
    low, high = found.estimate.student95
    assert low < 1.16348 < high < 1.6
    assert found.by_seat[0].mean == pytest.approx(found.by_seat[1].mean, abs=0.1)  # it never bets: seats are alike
    told = found.as_dict()
    assert (told["unit"], told["kind"], told["ci95"]) == ("bb/hand", "lower bound", [low, high])
    assert json.loads(json.dumps(told)) == told


class _Whim(Agent[Observations]):
    """Draws, and does not say by which chances."""

    def decide(self, observations: Observations) -> Any:
        return np.full(len(observations), -1)

    def explain(self, observation: Observations) -> Explanation:
        return Explanation("c", "on a whim")


def test_who_cannot_be_answered_so_is_refused() -> None:
    with pytest.raises(UnreadableError, match="only sampled"):
        best_response_on_flops(_Whim(), GAME, flops=2, turns=4, rivers=4)
    with pytest.raises(UnreadableError, match="heads-up limit"):
        best_response_on_flops("call", "holdem-nolimit-2p")
    with pytest.raises(UnreadableError, match="turns"):
        best_response_on_flops("call", GAME, turns=3)
    with pytest.raises(UnreadableError, match="flops must be at least 2"):
        best_response_on_flops("call", GAME, flops=1)
