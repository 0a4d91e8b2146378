"""Ranges from what players did."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import Hand
from mazzo.holdem.agents import find_agent
from mazzo.holdem.beliefs import holdings, range_of


def _after(*actions: str, game: str = "holdem-limit-2p", seed: int = 1) -> Hand:
    hand = Hand(game, seed=seed)
    for action in actions:
        hand.act(action)
    return hand


def test_holdings_stand_in_their_places() -> None:
    pairs = holdings().astype(int)
    assert len(pairs) == 1326
    assert all(b * (b - 1) // 2 + a == k for k, (a, b) in enumerate(pairs))


@pytest.mark.parametrize(("action", "held"), [("r", 230), ("c", 200), ("f", 896)])
def test_the_chart_opens_with_the_hands_of_its_table(action: str, held: int) -> None:
    belief = range_of("chart", _after(action), 1)
    assert belief.exact
    assert (belief.p > 0).sum() == held
    assert belief.p.sum() == pytest.approx(1)
    assert set(np.round(belief.p[belief.p > 0], 12)) == {round(1 / held, 12)}
    assert belief.evidence == pytest.approx(held / 1326)


@pytest.mark.parametrize(
    ("name", "actions"), [("call", "cccccccc"), ("raise", "rc" + "crc" * 3), ("random", "rccccccc")]
)
def test_who_ignores_his_cards_may_hold_any_that_are_not_seen(name: str, actions: str) -> None:
    hand = _after(*actions)
    seat = 0 if name == "call" else 1
    found = range_of(name, hand, seat, dead=hand.hole(1 - seat))
    assert (found.p > 0).sum() == 990
    assert len(set(np.round(found.p[found.p > 0], 12))) == 1
    before = range_of(name, _after(actions[0]), 1, dead="2c2d")
    assert (before.p > 0).sum() == 1225


def test_a_range_is_bayes_rule_decision_by_decision() -> None:
    hand = _after("r", "r", "c", "r", "c", "c", "r")
    rich = find_agent("rich")
    belief = range_of(rich, hand, 0)
    expected = np.ones(1326)
    open_cards = {int(card) for card in hand.board}
    for k, (a, b) in enumerate(holdings().astype(int)):
        if {a, b} & open_cards:
            expected[k] = 0
            continue
        board = [int(card) for card in hand.board]
        unused = [card for card in range(52) if card not in {a, b} | open_cards]
        again = Hand(hand.rules, [a, b, *unused[:2], *board, *unused[2:]][:9])
        for action in hand.history:
            if again.turn == 0:
                expected[k] *= rich.decide(again.observe())[0] == action
            again.act(action)
    assert belief.p == pytest.approx(expected / expected.sum())


def test_later_cards_and_actions_do_not_change_what_earlier_ones_said() -> None:
    early, late = _after("r", "c"), _after("r", "c", "c", "r")
    before, after = (range_of("chart", hand, 1, dead=late.board).p for hand in (early, late))
    assert ((after > 0) <= (before > 0)).all()
    others = Hand(late.rules, [*map(int, late.hole(0)), *map(int, late.hole(1)), 0, 1, 2, 3, 4])
    others.act("r").act("c")
    assert (
        range_of("chart", others, 1, dead=[*range(5), *late.board]).p
        == range_of("chart", early, 1, dead=[*range(5), *late.board]).p
    ).all()


def test_doubt_keeps_what_the_model_rules_out() -> None:
    hand = _after("f")
    assert range_of("chart", hand, 1)["AA"] == 0
    assert 0 < range_of("chart", hand, 1, doubt=0.02)["AA"] < 0.001


def test_what_a_model_never_does_is_said_and_not_made_up() -> None:
    with pytest.raises(UnreadableError, match="never plays"):
        range_of("call", _after("r"), 1)
    with pytest.raises(UnreadableError, match="seat must be 0 to 1"):
        range_of("call", _after("c"), 2)
    with pytest.raises(UnreadableError, match="two cards of 52"):
        range_of("call", Hand("leduc-2p", seed=1), 0)
    with pytest.raises(UnreadableError, match="doubt"):
        range_of("call", _after("c"), 1, doubt=1.0)


def test_amounts_drawn_evenly_are_as_likely_each() -> None:
    hand = _after("r300", game="holdem-nolimit-2p")
    belief = range_of("random:size=uniform", hand, 1)
    assert belief.evidence == pytest.approx(0.4 / (20000 - 200 + 1))


def test_a_range_prints_as_a_grid_of_classes() -> None:
    text = str(range_of("chart", _after("r"), 1))
    assert "230 of 1,326 holdings" in text
    assert len(text.splitlines()) == 16
