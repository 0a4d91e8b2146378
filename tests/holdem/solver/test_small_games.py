"""Small games: values, best responses and equilibria against known figures and a plain recursion."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, Rules, rules
from mazzo.holdem.agents import AGENTS, find_agent
from mazzo.holdem.agents.solved import SolvedPlayer
from mazzo.holdem.best_response.exact import exploit_exactly as exploit
from mazzo.holdem.best_response.exact import strategy_of
from mazzo.holdem.solver.regrets import METHODS, Walker, uniform_strategy
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.holdem.solver.solution import Solution, solve_game
from mazzo.testing import check_agent

KUHN, KUHN_3, LEDUC = rules("kuhn-2p"), rules("kuhn-3p"), rules("leduc-2p")
LEDUC_VALUE = -0.085606424078
NO_LIMIT = Rules(
    "tiny-nolimit", False, (1, 2), (0, 0), (5, 6), ranks=3, suits=2, hole_cards=1, board_cards=(0, 1)
)  # fmt: skip
TWO_CARDS = Rules(
    "two-cards", True, (1, 1), (0, 0), (), (1, 1), (1, 1), ranks=3, suits=2, hole_cards=2, board_cards=(0, 1)
)  # fmt: skip


def random_strategy(game: SmallGame, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    out = np.zeros(game.entries)
    for node in np.flatnonzero(game.tree.actor >= 0):
        rows = game.rows(out, int(node))
        rows[:] = rng.dirichlet(np.full(rows.shape[1], 0.5), len(rows))
    return out


def plain_values(game: SmallGame, strategy: Any) -> Any:
    """What every player wins: each deal by itself, through `Hand`, node by node."""

    def value(hand: Hand, node: int, deal: int) -> Any:
        if hand.turn is None:
            return np.array(hand.payoffs, float)
        view = game.seen[game.tree.street[node], hand.turn, deal]
        chances = game.rows(strategy, node)[view]
        total = np.zeros(game.players)
        for a, chance in enumerate(chances):
            child = int(game.tree.first[node]) + a
            after = Hand.parse(hand.text())
            after.act(int(game.tree.action[child]))
            total += chance * value(after, child, deal)
        return total

    found = np.zeros(game.players)
    for deal, weight in enumerate(game.weight):
        cards = " ".join(
            str(game.rules.deck[[int(k) for k in game.rules.deck].index(int(c))]) for c in game.cards[deal]
        )
        found += weight * value(Hand(game.rules, cards.replace(" ", "")), 0, deal)
    return found


@pytest.mark.parametrize("symmetric", [False, True])
def test_leduc_has_the_sizes_and_the_values_of_the_literature(symmetric: bool) -> None:
    game = SmallGame(LEDUC, symmetric=symmetric)
    walker, uniform = Walker(game), uniform_strategy(game)
    assert game.information_sets == (288 if symmetric else 936)
    values = walker.values(uniform)
    assert values == pytest.approx([-0.078125, 0.078125], abs=1e-12)
    assert (walker.best_responses(uniform) - values).sum() == pytest.approx(4.747222222222, abs=1e-9)


def test_kuhn_has_the_sizes_and_the_values_of_the_literature() -> None:
    game = SmallGame(KUHN)
    walker, uniform = Walker(game), uniform_strategy(game)
    assert game.information_sets == 12
    assert walker.values(uniform) == pytest.approx([1 / 8, -1 / 8], abs=1e-12)
    assert walker.best_responses(uniform) == pytest.approx([1 / 2, 5 / 12], abs=1e-12)
    three = SmallGame(KUHN_3)
    walker, uniform = Walker(three), uniform_strategy(three)
    assert three.information_sets == 48
    assert walker.values(uniform) == pytest.approx([15 / 64, -3 / 64, -3 / 16], abs=1e-12)
    assert (walker.best_responses(uniform) - walker.values(uniform)).sum() == pytest.approx(33 / 16, abs=1e-12)


@pytest.mark.parametrize("played", [KUHN, KUHN_3], ids=["kuhn-2p", "kuhn-3p"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_values_are_those_of_hands_played_one_by_one(played: Rules, seed: int) -> None:
    game = SmallGame(played)
    strategy = random_strategy(game, seed)
    assert Walker(game).values(strategy) == pytest.approx(plain_values(game, strategy), abs=1e-12)


def test_a_no_limit_game_has_every_amount_and_its_values_are_those_of_hands_played_one_by_one() -> None:
    game = SmallGame(NO_LIMIT, symmetric=True)
    assert game.tree.actions.max() >= 4
    strategy = random_strategy(game, 3)
    assert Walker(game).values(strategy) == pytest.approx(plain_values(game, strategy), abs=1e-12)


def best_pure(game: SmallGame, strategy: Any, player: int) -> float:
    """The best response of a player by trying every pure strategy of that player."""
    tree = game.tree
    spots = [
        (int(node), view)
        for node in np.flatnonzero(tree.actor == player)
        for view in np.unique(game.seen[tree.street[node], player])
    ]
    walker, best = Walker(game), -np.inf
    for choice in itertools.product(*(range(int(tree.actions[node])) for node, _ in spots)):
        tried = strategy.copy()
        for (node, view), action in zip(spots, choice, strict=True):
            game.rows(tried, node)[view] = np.eye(int(tree.actions[node]))[action]
        best = max(best, walker.values(tried)[player])
    return float(best)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=3, deadline=None)
def test_a_best_response_is_the_best_of_all_pure_strategies(seed: int) -> None:
    game = SmallGame(KUHN)
    strategy = random_strategy(game, seed)
    best = Walker(game).best_responses(strategy)
    assert best == pytest.approx([best_pure(game, strategy, p) for p in range(2)], abs=1e-12)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_joining_suits_loses_nothing(seed: int) -> None:
    small, large = SmallGame(TWO_CARDS), SmallGame(TWO_CARDS, symmetric=False)
    assert len(small.weight) < len(large.weight)
    strategy = random_strategy(small, seed)
    solution = Solution(TWO_CARDS, strategy, (0.0, 0.0), (0.0, 0.0), "cfr", 0, 0.0)
    spread, exact = strategy_of([SolvedPlayer.playing(solution, small)] * 2, large)
    assert exact
    few, all_ = Walker(small), Walker(large)
    assert few.values(strategy) == pytest.approx(all_.values(spread), abs=1e-12)
    assert few.best_responses(strategy) == pytest.approx(all_.best_responses(spread), abs=1e-12)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "mccfr"])
def test_every_method_comes_close_to_kuhns_value(method: str) -> None:
    found = solve_game(KUHN, method=method, until=0, rounds=3000)
    assert found.run is not None
    assert found.run.rounds == 3000
    assert found.values[0] == pytest.approx(-1 / 18, abs=5e-4)
    assert found.exploitability < 6e-3


def test_sampling_comes_close_and_repeats_by_its_seed() -> None:
    first, again, other = (solve_game(KUHN, method="mccfr", until=0, rounds=200_000, seed=seed) for seed in (1, 1, 2))
    assert first.exploitability < 0.01
    assert (first.strategy == again.strategy).all()
    assert (first.strategy != other.strategy).any()


def test_leduc_is_solved_to_nine_digits() -> None:
    found = solve_game(LEDUC, until=1e-7)
    assert found.exploitability <= 1e-7
    assert found.values[0] == pytest.approx(LEDUC_VALUE, abs=5e-10)


def test_kuhns_solution_is_of_the_known_family() -> None:
    game = SmallGame(KUHN)
    found = solve_game(game, until=1e-9)
    root = game.rows(found.strategy, 0)  # check, bet; by card J Q K
    a = root[0, 1]
    assert -1e-6 <= a <= 1 / 3 + 1e-6
    assert root[1, 1] == pytest.approx(0, abs=1e-4)
    assert root[2, 1] == pytest.approx(3 * a, abs=1e-3)


def test_three_players_reach_a_point_from_which_nobody_gains_much() -> None:
    found = solve_game(KUHN_3, until=1e-6)
    assert found.nash_conv <= 3e-6
    u = found.values
    b = -24 * (u[0] + 1 / 48)
    assert -1e-3 <= b <= 0.25 + 1e-3
    assert u[1:] == pytest.approx((-1 / 48, 1 / 24 + b / 24), abs=1e-3)


def test_a_solution_is_an_agent_whose_play_and_file_are_its_policy(tmp_path: Path) -> None:
    found = solve_game(LEDUC, until=1e-3)
    path = tmp_path / "leduc.mz"
    found.save(path)
    again, _ = Solution.load(path)
    assert (again.strategy == found.strategy).all()
    check_agent(lambda: create(str(path), AGENTS), LEDUC, deals=30)
    judged = exploit([find_agent(str(path))], LEDUC)
    assert judged.exact
    assert judged.value == pytest.approx(found.exploitability, abs=1e-9)
    with pytest.raises(UnreadableError, match="solved for leduc-2p"):
        exploit([find_agent(str(path))], KUHN)


def test_work_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = solve_game(LEDUC, until=0, rounds=200)
    part = solve_game(LEDUC, until=0, rounds=100)
    part.save(tmp_path / "part.mz")
    start, _ = Solution.load(tmp_path / "part.mz")
    rest = solve_game(LEDUC, until=0, rounds=200, start=start)
    assert rest.rounds <= 200
    assert rest.run is not None
    assert whole.run is not None
    assert rest.run.regret == pytest.approx(whole.run.regret)
    with pytest.raises(UnreadableError, match="cannot go on"):
        solve_game(KUHN, start=start)


def test_a_file_with_wrong_chances_or_sizes_is_refused(tmp_path: Path) -> None:
    from mazzo.model_file import Model, read_model, write_model

    solve_game(KUHN, until=1e-2).save(tmp_path / "kuhn.mz")
    model = read_model(tmp_path / "kuhn.mz")
    bad: list[dict[str, Any]] = [
        {"strategy": model.arrays["strategy"] * 2},
        {"strategy": model.arrays["strategy"][:-1]},
        {"regret": model.arrays["regret"] * np.nan},
        {"mean": model.arrays["mean"].astype(np.float32)},
    ]
    for change in bad:
        write_model(tmp_path / "bad.mz", Model("solved", model.settings, {**model.arrays, **change}))
        with pytest.raises(UnreadableError, match="not a solved game"):
            Solution.load(tmp_path / "bad.mz")
    for change in ({"game": "GAMEDEF"}, {"method": "magic"}, {"values": [0.0]}):
        write_model(tmp_path / "bad.mz", Model("solved", {**model.settings, **change}, model.arrays))
        with pytest.raises(UnreadableError):
            Solution.load(tmp_path / "bad.mz")


def test_what_is_won_from_agents_that_ignore_their_cards_is_known() -> None:
    fold = exploit([find_agent("fold")], LEDUC)
    assert fold.nash_conv == pytest.approx(2)
    call = exploit([find_agent("call")], rules("holdem-limit-2p"))
    assert call.value == pytest.approx(1.16348, abs=5e-6)
    free = exploit([find_agent("random:fold=1,call=0,raise=0,free_fold=true")], KUHN)
    assert free.nash_conv == pytest.approx(2)


def test_what_is_too_large_or_wrongly_seated_is_refused_with_its_size() -> None:
    with pytest.raises(UnreadableError, match="55,627,620,048,000 deals"):
        solve_game("holdem-limit-2p")
    with pytest.raises(UnreadableError, match="2 seats"):
        exploit([find_agent("random")] * 3, LEDUC)
    with pytest.raises(UnreadableError, match="52 cards"):
        exploit([find_agent("chart")], LEDUC)
    with pytest.raises(UnreadableError, match="did you mean"):
        solve_game(KUHN, method="cfr++")
