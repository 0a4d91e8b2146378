"""What a score is worth, against matches that are played out."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.mcts import SearchTree, grow, most_visited, record
from mazzo.tressette.agents.winning import chance_by_points, points_lead, round_chances, score_values
from mazzo.tressette.round import Round


@pytest.mark.parametrize(("declared", "a_perdere"), [(True, False), (False, False), (False, True)])
def test_values_of_scores_are_those_of_matches_played_out(declared: bool, a_perdere: bool) -> None:
    """Rounds are drawn by their chances; 20,000 matches from a score are within five standard errors."""
    values, chances = score_values(21, declared, a_perdere), round_chances(declared, a_perdere)
    assert chances.sum() == pytest.approx(1)
    assert np.allclose(chances, chances.T)
    rng = np.random.default_rng(1)
    for ours, theirs in ((0, 0), (15, 8), (20, 20), (3, 19)):
        scores = np.tile([ours, theirs], (20_000, 1))
        going = np.ones(len(scores), bool)
        while going.any():
            drawn = rng.choice(chances.size, going.sum(), p=chances.ravel())
            scores[going] += np.stack(np.unravel_index(drawn, chances.shape), axis=1)
            going = (scores.max(axis=1) < 21) | (scores[:, 0] == scores[:, 1])
        won = ((scores[:, 0] > scores[:, 1]) != a_perdere).mean()
        error = max(float(np.sqrt(won * (1 - won) / len(scores))), 1e-3)
        assert abs(values[ours, theirs] - won) < 5 * error
        assert values[ours, theirs] + values[theirs, ours] == pytest.approx(1)


def test_more_points_never_win_fewer_matches_and_declarations_count() -> None:
    table = Round(seed=2, score=(20, 24))
    plain = chance_by_points(table.observe(0))
    assert plain is not None
    assert (np.diff(plain) >= 0).all()
    ours = sum(bool(table.declarations(seat)) for seat in (0, 2))
    theirs = sum(bool(table.declarations(seat)) for seat in (1, 3))
    silent = chance_by_points(Round("tressette-none", [table.hand(k) for k in range(4)], score=(20, 24)).observe(0))
    assert silent is not None
    assert ours != theirs
    assert (plain[5] > silent[5]) == (ours > theirs)
    assert chance_by_points(Round(seed=2).observe(0)) is None


def test_a_perdere_each_point_is_lost_but_all_of_them_are_won() -> None:
    assert points_lead(True).tolist() == [-11, *range(9, -10, -2), 11]
    assert points_lead().tolist() == list(range(-11, 12, 2))


def test_of_a_trees_children_the_one_tried_most_is_found() -> None:
    tree = SearchTree.of(5)
    for action, visits in ((1, 2), (4, 5), (6, 3)):
        child = grow(tree, 0, action)
        for _ in range(visits):
            record(tree, child, 0.5)
    assert tree.action[most_visited(tree, 0, 1 << 1 | 1 << 4 | 1 << 6)] == 4
    assert tree.action[most_visited(tree, 0, 1 << 1 | 1 << 6)] == 6
    assert most_visited(tree, 0, 1 << 2) == 0
