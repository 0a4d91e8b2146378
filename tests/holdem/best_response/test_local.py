"""Local best response: never above what the best response wins, and near it where that is simple."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, rules
from mazzo.holdem.best_response.local import LocalBestResponse, local_best_response, read_sizes
from mazzo.holdem.best_response.local_whole import local_values
from mazzo.holdem.odds.single import equity_against
from mazzo.holdem.solver.regrets import Walker, uniform_strategy
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.holdem.solver.solution import solve_game

EXACT = {"call": 1.16348, "raise": 3.69769}


@pytest.mark.parametrize("name", EXACT)
def test_what_it_wins_is_near_and_not_beyond_the_exact_best_response(name: str) -> None:
    found = local_best_response(name, "holdem-limit-2p", hands=160, seed=3)
    low, high = found.estimate.ci95
    assert low < EXACT[name] < high + 1.0
    assert low > 0
    told = found.as_dict()
    assert told["kind"] == "lower bound"
    assert told["unit"] == "mbb/hand"


def test_on_the_river_a_call_is_worth_its_equity_against_what_the_agent_holds() -> None:
    hand = Hand("holdem-limit-2p", "QsQd" + "AhKc" + "2c7dTh" + "3s" + "Jc")
    for action in ["r", "c", "c", "c", "c", "c", "c", "r"]:
        hand.act(action)
    responder = LocalBestResponse("call")
    (options,) = responder._weigh(hand.observe())
    assert hand.turn == 0
    equity = equity_against("QsQd", "random", "2c7dTh3sJc").equity
    pot, owed = hand.pot, 20
    assert dict(options)[-1] == pytest.approx(equity * pot - (1 - equity) * owed, abs=1e-9)
    assert dict(options)[-2] == 0.0


def test_it_raises_who_folds_too_much_with_anything() -> None:
    hand = Hand("holdem-limit-2p", "7c2d" + "AhKc" + "2cTdTh" + "3s" + "Jc")
    hand.act("c")
    assert LocalBestResponse("fold").decide(hand.observe())[0] > 0


def test_one_decision_is_that_of_a_batch() -> None:
    responder = LocalBestResponse("chart")
    seen = [Hand("holdem-limit-2p", seed=k).observe() for k in range(4)]
    alone = [int(responder.decide(one)[0]) for one in seen]
    from mazzo.holdem.match import HoldemMatch

    table = HoldemMatch(rules("holdem-limit-2p")).table(range(4), 0)
    rows = np.arange(len(table))
    batch = table.observe(rows)
    assert [int(responder.decide(batch[k : k + 1])[0]) for k in rows] == responder.decide(batch).tolist()
    assert len(alone) == 4


def test_no_limit_sizes_are_read_and_kept_legal() -> None:
    assert read_sizes("0.5+1+most") == (0.5, 1.0, np.inf)
    for wrong in ("", "0", "-1", "big", "nan"):
        with pytest.raises(UnreadableError, match="number of pots"):
            read_sizes(wrong)
    found = local_best_response("fold", "holdem-nolimit-2p", hands=8, sizes="1+most")
    assert found.estimate.mean == pytest.approx(0.75)


def test_more_players_and_other_games_are_refused() -> None:
    for game in ("holdem-limit-3p", "leduc-2p"):
        with pytest.raises(UnreadableError, match="heads-up"):
            local_best_response("call", game, hands=2)


@pytest.mark.parametrize("name", ["kuhn-2p", "leduc-2p"])
def test_against_an_equilibrium_of_a_small_game_it_wins_nothing(name: str) -> None:
    game = SmallGame(rules(name))
    found = solve_game(game, until=1e-7)
    assert local_values(game, found.strategy).sum() <= 2e-7
    assert local_values(game, uniform_strategy(game)).sum() > 0.1


@pytest.mark.parametrize("name", ["kuhn-2p", "leduc-2p"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_in_a_small_game_it_never_wins_more_than_the_best_response(name: str, seed: int) -> None:
    game, rng = SmallGame(rules(name)), np.random.default_rng(seed)
    strategy = np.zeros(game.entries)
    for node in np.flatnonzero(game.tree.actor >= 0):
        rows = game.rows(strategy, int(node))
        rows[:] = rng.dirichlet(np.ones(rows.shape[1]), len(rows))
    assert (local_values(game, strategy) <= Walker(game).best_responses(strategy) + 1e-12).all()


def test_a_small_game_of_three_is_refused() -> None:
    game = SmallGame(rules("kuhn-3p"))
    with pytest.raises(UnreadableError, match="two players"):
        local_values(game, uniform_strategy(game))


def test_a_game_that_is_too_large_is_refused_with_its_size() -> None:
    with pytest.raises(UnreadableError, match="50,231,740,903,344,000 deals"):
        local_best_response("call", "holdem-limit-3p", hands=2)


def test_heads_up_limit_by_another_name_is_known_exactly_too() -> None:
    from dataclasses import replace

    from mazzo.holdem.best_response.exact import can_be_exact

    assert can_be_exact("call", replace(rules("holdem-limit-2p"), name="mine"))
    assert not can_be_exact("call", replace(rules("holdem-limit-2p"), name="mine", blinds=(20, 10)))
    assert not can_be_exact("chart", replace(rules("holdem-limit-2p"), name="mine"))
