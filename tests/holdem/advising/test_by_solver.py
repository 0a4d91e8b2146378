"""Plays priced by solving the spot that begins at the decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import Hand
from mazzo.holdem import columns as c
from mazzo.holdem.advising.by_solver import solved_worth, spot_at
from mazzo.holdem.solver.spot.spot import weights_of
from mazzo.holdem.spots import solve


def _worth(hand: Hand, oop: str, ip: str) -> dict[int, float]:
    seen = hand.observe()
    trees = [{"river_bet": "100%", "river_raise": "a"}]
    found = solved_worth(seen, {0: weights_of(oop), 1: weights_of(ip)}, 20.0, (), trees=trees, to=0.001)
    return {play.action: play.worth for play in found.plays}


def test_the_polarised_river_has_the_worths_that_theory_gives() -> None:
    hand = Hand("holdem-nolimit-2p", "7c7h QhQd KsKh7d 4c 2s", stacks=[300, 300])
    for action in ("c", "c", "c", "c", "c", "c"):
        hand.act(action)
    assert (hand.pot, hand.behind) == (200, (200, 200))
    worth = _worth(hand, "7c7h,3c3d", "QhQd")
    # the nuts win the pot and half of the time a bet of the pot; checked, they win the pot
    assert worth[300] == pytest.approx(200 + 100, abs=1)
    assert worth[c.CALL] == pytest.approx(200, abs=1)


def test_facing_the_bet_the_bluff_catcher_is_indifferent_if_a_third_are_bluffs() -> None:
    hand = Hand("holdem-nolimit-2p", "7c7h QhQd KsKh7d 4c 2s", stacks=[300, 300])
    for action in ("c", "c", "c", "c", "c", "c", "r300"):
        hand.act(action)
    worth = _worth(hand, "7c7h,3c3d:0.5", "QhQd")
    assert worth[c.FOLD] == 0
    assert worth[c.CALL] == pytest.approx(400 / 3 - 200 * 2 / 3, abs=0.5)
    assert _worth(hand, "7c7h,3c3d", "QhQd")[c.CALL] == pytest.approx(100, abs=0.5)


def test_a_spot_may_begin_in_the_middle_of_a_street() -> None:
    base: dict[str, Any] = {"board": "KsKh7d4c2s", "pot": 100, "stack": 300, "bets": "50%,100%", "raises": "3x"}
    ranges: dict[str, Any] = {"oop": "22+,A2s+,KTs+,QTs+", "ip": "55+,A9s+,KQo"}
    whole = solve(**base, **ranges, to=0.02)
    view = whole.at("b50")
    reach = [np.zeros(1326), np.zeros(1326)]
    for p in range(2):
        reach[p][whole.plan.hands.numbers[p]] = view.reach[p]
    part = solve(**base, oop=reach[0], ip=reach[1], line="b50", to=0.02)
    root = part.at("")
    assert (root.actor, root.actions) == (1, view.actions)
    there = dict(zip(part.plan.hands.numbers[1].tolist(), root.values[1], strict=True))
    apart = [
        abs(value - there[int(number)])
        for number, value, share in zip(whole.plan.hands.numbers[1], view.values[1], view.reach[1], strict=True)
        if share > 0
    ]
    assert max(apart) < 1.0  # of a pot of 100, each hand on its own


@pytest.mark.parametrize("line", ["k k", "b50 c", "c", "r100", "b0", "b999", "x", "b50 b100", "b50 r60"])
def test_a_line_that_cannot_have_been_played_is_refused(line: str) -> None:
    with pytest.raises(UnreadableError):
        solve(board="KsKh7d4c2s", oop="AA", ip="QQ", pot=100, stack=300, bets="50%", line=line)


def test_the_spot_of_a_hand_between_two_that_were_three_has_the_dead_money_in_its_pot() -> None:
    hand = Hand("holdem-nolimit-3p", "AcKd Jc3d 9c8d 7c8hTs 2h 4h")
    for action in ("r300", "c", "c", "c", "c", "r1200", "f"):
        hand.act(action)
    everything = np.ones(1326)
    spot, me = spot_at(hand.observe(), {1: everything, 2: everything}, {"flop_bet": "50%"})
    assert (spot.pot, spot.stack, spot.line, me) == (900, 19_700, "k b900", 0)


def test_what_a_third_player_bet_on_this_street_cannot_be_solved() -> None:
    hand = Hand("holdem-nolimit-3p", "AcKd Jc3d 9c8d 7c8hTs 2h 4h")
    for action in ("r300", "c", "c", "r900", "r2400", "r6000", "f"):
        hand.act(action)
    with pytest.raises(UnreadableError, match="out now has bet"):
        spot_at(hand.observe(), {1: np.ones(1326), 2: np.ones(1326)}, {})


def test_limit_and_preflop_decisions_are_not_solved() -> None:
    for hand in (Hand("holdem-nolimit-2p", seed=1), Hand("holdem-limit-2p", seed=1).act("c").act("c")):
        with pytest.raises(UnreadableError, match="only no-limit decisions after the flop"):
            spot_at(hand.observe(), {0: np.ones(1326), 1: np.ones(1326)}, {})
