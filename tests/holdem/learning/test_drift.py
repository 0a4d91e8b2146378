from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from scipy import stats

from mazzo.holdem.attributes.elementary import SEQUENCES
from mazzo.holdem.learning.drift import Conduct, conduct_of, latest_surprises, surprise
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.rules import find_game

LIMIT = find_game("holdem-limit-2p")
LOG = """STATE:0:crc/rrc/cc/cc:AhAs|KdKc/2c3c4d/5h/9s:40|-40:Ann|Bob
STATE:1:rf:AhAs|KdKc:-10|10:Bob|Ann
STATE:2:rrf:AhAs|KdKc:20|-20:Ann|Bob
"""


def conduct(sequences: list[int], counts: list[list[int]]) -> Conduct:
    return Conduct(np.array(sequences), np.array(counts))


def test_what_the_other_did_is_counted_by_the_betting_before_it() -> None:
    [(hands, _)] = [each for each in read_acpc(BytesIO(LOG.encode()), "test", LIMIT) if each[0] is not None]
    assert hands is not None
    found = conduct_of(hands, "Ann")
    # Bob, the small blind: c, c / r / c / c in the first hand and r, f in the third; as big blind f in the second.
    assert found.counts.sum(axis=0).tolist() == [2, 4, 2]
    opening = SEQUENCES[""] * 32
    by_code = dict(zip(found.sequence.tolist(), found.counts.tolist(), strict=True))
    assert by_code[opening] == [0, 1, 1], "as small blind Bob called once and raised once"


def test_the_surprise_is_pearsons_test_as_a_normal_number() -> None:
    before = conduct([3, 5, 9], [[50, 200, 150], [0, 300, 100], [5, 5, 0]])
    now = conduct([3, 5, 8], [[9, 60, 31], [0, 60, 40], [7, 7, 7]])
    tables = [np.array([[50, 200, 150], [9, 60, 31]]), np.array([[300, 100], [60, 40]])]
    found = [stats.chi2_contingency(table, correction=False) for table in tables]
    p = stats.chi2.sf(sum(f.statistic for f in found), sum(f.dof for f in found))
    assert surprise(before, now) == pytest.approx(stats.norm.isf(p), abs=0.02)


def test_players_who_stay_the_same_surprise_as_chance_does() -> None:
    rng = np.random.default_rng(5)
    shares = rng.dirichlet([2, 4, 3], 40)
    found = []
    for _ in range(300):
        many = conduct(list(range(40)), [rng.multinomial(200, p).tolist() for p in shares])
        few = conduct(list(range(40)), [rng.multinomial(25, p).tolist() for p in shares])
        found.append(surprise(many, few))
    assert abs(np.mean(found)) < 0.3
    assert 0.8 < np.std(found) < 1.2
    assert max(found) < 5


def test_rare_actions_are_put_together_and_single_ones_say_nothing() -> None:
    assert surprise(conduct([1], [[0, 90, 1]]), conduct([1], [[1, 40, 0]])) == 0.0
    assert surprise(Conduct.empty(), conduct([1], [[10, 20, 30]])) == 0.0
    assert surprise(conduct([1], [[100, 100, 1]]), conduct([1], [[10, 90, 0]])) > 5


def test_a_small_change_shows_in_several_looks_together() -> None:
    usual = conduct([1], [[1000, 5000, 4000]])
    looks = [conduct([1], [[70, 480, 450]]) for _ in range(4)]
    found = latest_surprises(usual, looks)
    assert len(found) == 3, "the last one, two and four looks"
    assert found[0] < found[2]
    assert found == [
        surprise(usual + looks[0] + looks[1] + looks[2], looks[3]),
        surprise(usual + looks[0] + looks[1], looks[2] + looks[3]),
        surprise(usual, looks[0] + looks[1] + looks[2] + looks[3]),
    ]


def test_conducts_add_up() -> None:
    both = conduct([1, 4], [[1, 2, 3], [0, 1, 0]]) + conduct([2, 4], [[5, 0, 0], [0, 0, 2]])
    assert both.sequence.tolist() == [1, 2, 4]
    assert both.counts.tolist() == [[1, 2, 3], [5, 0, 0], [0, 1, 2]]
