"""What actions are worth against ranges: held against plain enumeration, and the sampled way against the exact one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import CALL, FOLD, Hand
from mazzo.holdem import worth as module
from mazzo.holdem.agents import find_agent
from mazzo.holdem.bayes import ranges_of
from mazzo.holdem.odds import equity_against, parse_range
from mazzo.holdem.showdown import evaluate_one
from mazzo.holdem.worth import equity_over_ranges, raises_to_weigh, worths


def _weights(text: str) -> np.ndarray:
    out = np.zeros(1326)
    for (a, b), weight in parse_range(text).weights.items():
        out[b * (b - 1) // 2 + a] = float(weight)
    return out


def _cards(text: str) -> list[int]:
    return [int(card) for card in FRENCH.parse(text)]


def test_equity_against_two_ranges_is_the_mean_over_all_tuples_that_share_no_card() -> None:
    hole, board = _cards("KsKd"), _cards("Kh7c7d2s4h")
    texts = ("77,AKs,QQ:0.5,K7s", "AA,K7s,A4s:0.25,QQ")
    total = won = 0.0
    for (a, wa), (b, wb) in product(*(parse_range(text).weights.items() for text in texts)):
        if len({*a, *b, *hole, *board}) < 11:
            continue
        weight = float(wa * wb)
        values = [evaluate_one([*cards, *board]) for cards in (hole, a, b)]
        total += weight
        if values[0] == max(values):
            won += weight / values.count(max(values))
    mean, error = equity_over_ranges(
        np.array(hole, np.uint8), np.array(board, np.int8), [_weights(text) for text in texts], 40_000
    )
    assert 0 < error < 0.004
    assert abs(mean - won / total) < 4 * error


def test_equity_against_one_range_is_exact_also_before_the_flop() -> None:
    hole, none = np.array(_cards("AsAh"), np.uint8), np.full(5, -1, np.int8)
    counted = equity_against("AsAh", ["KsKh"]).equity  # board by board
    equity, error = equity_over_ranges(hole, none, [_weights("KsKh")])
    assert equity == pytest.approx(counted, abs=1e-12)
    assert error == 0


def test_ranges_that_leave_nothing_are_refused() -> None:
    hole, board = np.array(_cards("KsKd"), np.uint8), np.array(_cards("Kh7c7d2s4h"), np.int8)
    with pytest.raises(UnreadableError, match="no holding"):
        equity_over_ranges(hole, board, [_weights("KsKd")])
    with pytest.raises(UnreadableError, match="held twice"):
        equity_over_ranges(hole, board, [_weights("AsAh"), _weights("AsAd")])


def test_against_one_who_always_folds_a_bet_wins_the_pot_and_against_one_who_calls_it_is_plain_arithmetic() -> None:
    hand = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc Jc").act("r300").act("c")
    seen, everything = hand.observe(), np.ones(1326)
    folded = worths(seen, {1: everything}, {1: find_agent("fold")}, [900])[0]
    assert (folded.worth, folded.folds) == (600.0, 1.0)
    check, bet = worths(seen, {1: everything}, {1: find_agent("call")}, [CALL, 900])
    equity, _ = equity_over_ranges(seen.hole[0], seen.board[0], [everything])
    assert check.worth == pytest.approx(600 * equity)
    assert bet.worth == pytest.approx(1800 * equity - 600)
    assert bet.behind == pytest.approx(check.worth - bet.worth)


def test_a_raise_over_ours_is_folded_to_where_calling_costs_more() -> None:
    hand = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc Jc").act("r300").act("c")
    (bet,) = worths(hand.observe(), {1: _weights("AA")}, {1: find_agent("raise:size=most")}, [900])
    assert bet.worth == pytest.approx(-600.0)


def test_the_sampled_way_agrees_with_the_exact_one() -> None:
    hand = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc Jc").act("r300").act("c").act("c").act("r600")
    seen, model = hand.observe(), find_agent("chart")
    weights = ranges_of(model, seen, np.array([1]))[0]
    exact = worths(seen, {1: weights}, {1: model})
    assert [one.action for one in exact][:2] == [FOLD, CALL]
    sampled = module._sampled(seen, [1], {1: weights}, {1: model}, [k.action for k in exact], 6000, np.uint64(5))
    for one, other in zip(exact, sampled, strict=True):
        assert abs(one.worth - other.worth) <= 4 * other.standard_error
        assert abs(one.folds - other.folds) < 0.03


def test_several_opponents_are_asked_one_after_another_and_errors_of_differences_are_small() -> None:
    hand = Hand("holdem-nolimit-4p", seed=3).act("r300").act("c")
    seen, model = hand.observe(), find_agent("chart")
    others = [1, 2, 3]
    ranges = {p: ranges_of(model, seen, np.array([p]))[0] for p in others}
    found = worths(seen, ranges, dict.fromkeys(others, model), [FOLD, CALL, 500, 633], samples=3000)
    least, more = found[2:]
    assert least.behind_error == 0.0 or more.behind_error == 0.0
    assert max(least.behind_error, more.behind_error) < 0.5 * more.standard_error
    with pytest.raises(UnreadableError, match=r"\[1, 2, 3\]"):
        worths(seen, {1: ranges[1]}, {1: model})


def test_chips_that_others_left_behind_and_side_pots_are_counted_as_the_rules_count_them() -> None:
    """Two opponents call an all-in that one of them has not the chips for: the side pot is the others' alone."""
    hand = Hand("holdem-nolimit-3p", "AsAh KsKh 7d2c AdAc3s 4h 5h", stacks=(2000, 300, 2000))
    seen = hand.observe()  # the button is first: seven-deuce
    models = dict.fromkeys([0, 1], find_agent("call"))
    ranges = {0: _weights("AsAh"), 1: _weights("KsKh")}
    (pushed,) = worths(seen, ranges, models, [2000], samples=400)
    assert pushed.worth < -1000  # it wins hardly ever, and loses 2,000 then
    assert pushed.worth > -2000


def test_sizes_to_weigh_are_legal_and_begin_with_the_least() -> None:
    seen = Hand("holdem-nolimit-2p", seed=1).observe()
    sizes = raises_to_weigh(seen)
    assert sizes[0] == seen.raise_low[0]
    assert sizes[-1] == seen.raise_high[0]
    assert sizes == sorted(set(sizes))
    assert raises_to_weigh(Hand("holdem-limit-2p", seed=1).observe()) == [20]
