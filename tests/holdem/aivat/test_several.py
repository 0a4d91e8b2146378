"""Luck taken out of Hold'em between three players and more."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, rules
from mazzo.holdem.agents import find_agent
from mazzo.holdem.aivat.real_cards import edges, with_real_cards
from mazzo.holdem.aivat.several import of_several
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.table import Table
from mazzo.lockstep import play_out


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("holdem-limit-3p", ("random:raise=.4", "chart", "random")),
        ("holdem-nolimit-3p", ("chart", "random:raise=.3", "call")),
        ("holdem-nolimit-6p", ("chart", "random:raise=.2", "call", "chart:size=pot", "call", "random")),
    ],
)
def test_on_the_same_hands_the_difference_to_what_was_paid_has_mean_zero(game: str, names: tuple[str, ...]) -> None:
    match, deals = HoldemMatch(rules(game)), 240
    agents = [find_agent(name) for name in names]
    values, _, found = match.without_luck(agents, "actions").play(agents, range(deals), 3)
    assert found[:, :, 0].mean(axis=1) == pytest.approx(values[:, 0])
    for kind in (1, 2):
        difference = (found[:, :, kind] - found[:, :, 0]).mean(axis=1)
        assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(deals)
        assert found[:, :, kind].mean(axis=1).std() < 0.9 * found[:, :, 0].mean(axis=1).std()


def test_all_positions_together_win_nothing() -> None:
    match = HoldemMatch(rules("holdem-nolimit-3p"))
    table = match.table(range(20), 1)
    agents = [find_agent("random:raise=.4,size=least") for _ in range(3)]
    play_out(table, agents)
    for found in of_several(table, table.settle(), agents, 3):
        assert found.sum(axis=1) == pytest.approx(np.zeros(len(table)), abs=1e-6)


def test_between_two_it_is_what_is_counted_for_two_but_for_drawn_boards() -> None:
    match = HoldemMatch(rules("holdem-limit-2p"))
    table = match.table(range(150), 5)
    agents = [find_agent("random:raise=.4") for _ in range(2)]
    play_out(table, agents)
    net = table.settle()
    chance, acts = of_several(table, net, agents, 2)
    edge = np.repeat(edges(table.cards[::2], np.full(150, 3), table.rng_key[::2]), 2, axis=0)
    for several, two in zip((chance, acts), with_real_cards(table, net, list(agents), edge), strict=True):
        assert several[:, 0] == pytest.approx(-several[:, 1])
        difference = several[:, 0] - two
        assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(len(difference))
        assert difference.std() < 0.25 * two.std()


def _all_in_on_the_turn(river: str) -> Table:
    hand = Hand("holdem-nolimit-3p", "AsAh" + "KcKd" + "7h2c" + "9d9c4s" + "Jd" + river)
    for action in ["f", "c", "c", "c", "c", "r20000", "c"]:
        hand.act(action)
    assert hand.over
    hand._table.rng_key[:] = 7  # by which boards are drawn
    return hand._table


def test_of_the_river_that_decides_between_all_ins_all_luck_is_taken_out() -> None:
    lucky, unlucky = _all_in_on_the_turn("Kh"), _all_in_on_the_turn("3c")
    assert lucky.settle()[0, 0] != unlucky.settle()[0, 0]
    found = [of_several(table, table.settle(), [None] * 3, 1)[0] for table in (lucky, unlucky)]
    assert found[0] == pytest.approx(found[1])


def test_what_cannot_be_done_for_several_is_refused() -> None:
    agents = [find_agent("call") for _ in range(3)]
    with pytest.raises(UnreadableError, match="between two players"):
        HoldemMatch(rules("holdem-limit-3p")).without_luck(agents, "ranges")
    with pytest.raises(UnreadableError, match="small games for two"):
        HoldemMatch(rules("kuhn-3p")).without_luck(agents, "chance")
