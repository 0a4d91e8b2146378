from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import showdown
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.ignores_cards import IgnoresCards
from mazzo.holdem.hand import Hand
from mazzo.holdem.odds import equities
from mazzo.holdem.odds.build import holes
from mazzo.holdem.rules import find_game
from mazzo.holdem.solver import ignores_cards as br

LIMIT = find_game("holdem-limit-2p")
OPPONENTS = ("random", "random:free_fold=true", "call", "raise", "fold", "random:fold=.5,call=.2,raise=.3")


def chances(name: str) -> np.ndarray:
    agent = create(name, AGENTS)
    assert isinstance(agent, IgnoresCards)
    return br.chances_of(agent)


def by_the_rules(hand: Hand, hero: int, p: np.ndarray, street: int, after: dict[int, float]) -> float:
    """Best value for the hero by trying every action on the engine; `after` by chips in when the street is over."""
    if hand.over and any(hand.folded):
        other = 1 - hero
        return -hand.spent[hero] / 10 if hand.folded[hero] else hand.spent[other] / 10
    if hand.over or hand.street > street:
        return after[hand.spent[0]]

    def then(action: str) -> float:
        if action == "f":
            hand.fold_anyway()
        else:
            hand.act(action)
        value = by_the_rules(hand, hero, p, street, after)
        hand.undo()
        return value

    legal = hand.legal
    if hand.actor == hero:
        return max(then(a) for a in ("f" * legal.fold + "c" + "r" * bool(legal.raises)))
    p_fold = p[0] if legal.fold or p[2] else 0.0
    p_raise = 1 - p[0] - p[1] if legal.raises else 0.0
    value = p_raise * then("r") if p_raise else 0.0
    value += p_fold * then("f") if p_fold else 0.0
    return value + (1 - p_fold - p_raise) * then("c")


CARDS = "AsKd 7h7c 2c7dTh 3s Qc"


@pytest.mark.parametrize("name", OPPONENTS)
def test_a_river_is_worth_what_trying_every_action_finds(name: str) -> None:
    p = chances(name)
    table = br.river_values(p)
    for hero in range(2):
        for opening, chips in (("cc/cc/cc/", 1), ("rrrc/rrrrc/rrrrc/", 16)):
            for part in (0, 500, 990, 1400, 1980):
                edge = 2 * part / 1980 - 1
                after = {10 * k: edge * k for k in range(1, 25)}
                hand = Hand.parse(f"STATE:0:{opening}:AsKd|7h7c/2c7dTh/3s/Qc", LIMIT)
                found = by_the_rules(hand, hero, p, 3, after)
                assert table[part, hero * 16 + chips - 1] == pytest.approx(found)


@pytest.mark.parametrize("name", OPPONENTS)
def test_betting_before_the_flop_is_worth_what_trying_every_action_finds(name: str) -> None:
    p = chances(name)
    ends = np.random.default_rng(1).normal(size=8) * np.tile([1, 2, 3, 4], 2)
    for hero in range(2):
        after = {10 * k: float(ends[hero * 4 + k - 1]) for k in range(1, 5)}
        found = by_the_rules(Hand(LIMIT, CARDS), hero, p, 0, after)
        assert br.before_flop(p, ends, hero) == pytest.approx(found)


def test_hands_on_a_turn_are_worth_the_mean_over_rivers_put_through_the_betting() -> None:
    p = chances("random")
    board = [int(k) for k in FRENCH.parse("2c7dThTs")]
    pairs, out = holes(), np.zeros((1326, 16))
    values = br.river_values(p)
    possible = br.turn_values(np.array(board), p, values, pairs, showdown.tables(), out)
    assert possible.sum() == len(list(combinations(range(48), 2)))
    for hole in ([int(k) for k in FRENCH.parse("AhKh")], [int(k) for k in FRENCH.parse("3s2d")]):
        rivers = [k for k in range(52) if k not in (*board, *hole)]
        numerators, denominators = equities([hole] * 46, [[*board, r] for r in rivers], 1)
        assert set(denominators.tolist()) == {1980}
        mean = values[numerators].mean(axis=0)
        row = int(np.flatnonzero((pairs == sorted(hole)).all(axis=1))[0])
        for hero in range(2):
            after = {10 * k: float(mean[hero * 16 + k - 1]) for k in range(1, 17)}
            hand = Hand.parse("STATE:0:cc/cc/:AsKd|7h7c/2c7dTh/3s", LIMIT)
            assert out[row, hero * 8] == pytest.approx(by_the_rules(hand, hero, p, 2, after))


def test_a_stored_result_is_taken_and_a_damaged_one_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    result = br.BestResponse(1.0, 0.5, 1.5, [[0.0] * 169] * 2)
    path = br._path(chances("call"))
    br._keep(path, result)
    assert br.best_response(create("call", AGENTS)) == result
    path.write_text("{")
    assert br._stored(path) is None


def test_an_opponent_who_looks_at_its_cards_is_refused() -> None:
    with pytest.raises(UnreadableError, match="ignore their cards"):
        br.best_response(create("chart", AGENTS))
