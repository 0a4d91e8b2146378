"""Luck taken out of small games: unbiased by complete enumeration, and without variance where values are true."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mazzo.holdem import Rules, rules
from mazzo.holdem.aivat.small_games import GRADES, Grade, SmallGameEstimates, called_values, no_values, played_values
from mazzo.holdem.solver.regrets import Walker
from mazzo.holdem.solver.small_game import SmallGame

GAMES = {
    "kuhn": rules("kuhn-2p"),
    "leduc": rules("leduc-2p"),
    "all-in": Rules("tiny", False, (1, 2), (0, 0), (3, 4), ranks=3, suits=1, hole_cards=1, board_cards=(0, 1)),
}
VALUES = {"called": called_values, "nothing": no_values}


def strategies(game: SmallGame, seed: int) -> np.ndarray:
    """Random chances; some are 0."""
    rng = np.random.default_rng(seed)
    out = np.zeros(game.entries)
    for node in np.flatnonzero(game.tree.actor >= 0):
        rows = game.rows(out, int(node))
        rows[:] = rng.dirichlet(np.full(rows.shape[1], 0.5), len(rows))
        rows[0] = np.eye(rows.shape[1])[0]
    return out


def hands(game: SmallGame, strategy: np.ndarray) -> Iterator[tuple[float, int, int]]:
    """Every deal to every end, with its chance."""
    tree = game.tree
    chance = np.zeros((len(tree.actor), len(game.weight)))
    chance[0] = game.weight
    for node in np.flatnonzero(tree.actor >= 0):
        view = game.seen[tree.street[node], tree.actor[node]]
        first, count = tree.first[node], tree.actions[node]
        chance[first : first + count] = chance[node] * game.rows(strategy, int(node))[view].T
    for end in np.flatnonzero(tree.actor < 0):
        for deal in np.flatnonzero(chance[end]):
            yield float(chance[end, deal]), int(end), int(deal)


def sampled_hands(game: SmallGame, strategy: np.ndarray) -> list[tuple[float, int, int]]:
    found = list(hands(game, strategy))
    return found[:: max(1, len(found) // 150)]


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request: pytest.FixtureRequest) -> SmallGame:
    return SmallGame(GAMES[request.param], symmetric=False)


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True), (False, False)])
def test_over_all_deals_and_actions_the_mean_is_the_value_of_the_game(
    game: SmallGame, grade: Grade, known: tuple[bool, bool]
) -> None:
    strategy = strategies(game, 7)
    value = Walker(game).values(strategy)[0]
    without = SmallGameEstimates(game, strategy, known, called_values(game))
    mean = float(sum([p * without.estimate(end, deal, grade) for p, end, deal in hands(game, strategy)]))
    assert mean == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize("grade", ["actions", "ranges"])
def test_with_the_true_values_of_the_policies_every_hand_gives_the_same_number(game: SmallGame, grade: Grade) -> None:
    strategy = strategies(game, 3)
    value = Walker(game).values(strategy)[0]
    without = SmallGameEstimates(game, strategy, (True, True), played_values(game, strategy))
    for _, end, deal in sampled_hands(game, strategy):
        assert without.estimate(end, deal, grade) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
@pytest.mark.parametrize("grade", ["chance", "actions"])
def test_with_no_values_and_no_ranges_it_is_what_was_paid(name: str, grade: Grade) -> None:
    game = SmallGame(GAMES[name], symmetric=False)
    strategy = strategies(game, 5)
    without = SmallGameEstimates(game, strategy, (grade == "chance", False), no_values(game))
    for _, end, deal in sampled_hands(game, strategy):
        assert without.estimate(end, deal, grade) == pytest.approx(game.payoffs[game.tree.end[end], 0, deal])


def test_each_grade_has_less_variance_than_the_one_before_between_players_who_mix() -> None:
    game = SmallGame(GAMES["leduc"], symmetric=False)
    strategy = strategies(game, 11)
    value, listed = Walker(game).values(strategy)[0], list(hands(game, strategy))
    without = SmallGameEstimates(game, strategy, (True, True), called_values(game))
    variances = [sum(p * (game.payoffs[game.tree.end[e], 0, d] - value) ** 2 for p, e, d in listed)]
    variances += [sum(p * (without.estimate(e, d, grade) - value) ** 2 for p, e, d in listed) for grade in GRADES]
    assert variances == sorted(variances, reverse=True)
    assert variances[-1] < 0.5 * variances[0]
