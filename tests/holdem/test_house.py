"""A room's rake, and boards dealt twice, held against hands whose sums are done by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mazzo
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import find_agent
from mazzo.holdem.house import House
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import rules
from mazzo.holdem.table import Table, deal_cards

HEADS_UP = rules("holdem-nolimit-2p-100bb")
CARDS = "AsAh KsKd 2c7d9h 3s4c"


def played(actions: list[int], extra: str = "") -> tuple[Table, np.ndarray]:
    dealt = np.array(FRENCH.parse(CARDS + extra), np.uint8)[None]
    table = Table(HEADS_UP, dealt[:, :9].copy())
    for action in actions:
        table.apply(np.array([0]), np.array([action]))
    return table, dealt


def settled(house: House, actions: list[int], extra: str = "") -> list[int]:
    table, dealt = played(actions, extra)
    return [int(net) for net in house.settle(table, dealt)[0]]


CHECKED = [c.CALL] * 8


def test_the_winner_pays_the_rake_of_what_was_matched() -> None:
    assert settled(House.of("5%"), [c.CALL, 400, c.CALL, *CHECKED[:6]]) == [400 - 40, -400]


def test_the_rake_is_capped() -> None:
    assert settled(House.of("5%:0.25"), [c.CALL, 400, c.CALL, *CHECKED[:6]]) == [400 - 25, -400]


def test_no_flop_no_drop() -> None:
    assert settled(House.of("5%"), [c.FOLD]) == [50, -50]


def test_a_bet_that_nobody_called_is_not_raked() -> None:
    assert settled(House.of("10%"), [c.CALL, c.CALL, 1100, c.FOLD]) == [100 - 20, -100]


def test_two_boards_halve_the_pot() -> None:
    # on the second board the kings make three of a kind
    assert settled(House.of(None, run_twice=True), [10_000, c.CALL], " KhQd8s5c6h") == [0, 0]
    assert settled(House.of(None, run_twice=True), [10_000, c.CALL], " Jh3d8s5c6h") == [10_000, -10_000]


def test_cards_that_lay_open_stay_on_both_boards() -> None:
    # all-in on the flop: of the second board only turn and river are new, and the king that would come first is not
    flop = [c.CALL, c.CALL, 10_000, c.CALL]
    assert settled(House.of(None, run_twice=True), flop, " KhQd8s5c6h") == [10_000, -10_000]
    assert settled(House.of(None, run_twice=True), flop, " 5c6h8sKh5d") == [0, 0]


def test_a_hand_that_was_played_to_the_river_has_one_board() -> None:
    assert settled(House.of(None, run_twice=True), CHECKED, " KhQd8s5c6h") == [100, -100]


def test_a_split_of_two_boards_is_raked_like_any_pot() -> None:
    assert settled(House.of("5%:3", run_twice=True), [10_000, c.CALL], " KhQd8s5c6h") == [-150, -150]


@pytest.mark.parametrize("game", ["holdem-nolimit-6p", "holdem-nolimit-2p-100bb", "holdem-limit-3p"])
def test_no_chip_is_lost_between_boards_and_house(game: str) -> None:
    found = rules(game)
    agents = [find_agent(f"random:raise={0.2 + k / 10},fold=.1,call={0.7 - k / 10}") for k in range(found.players)]
    values, _ = HoldemMatch(found).by_terms(None, True).play(agents, range(300), seed=5)
    assert np.abs(values.sum(axis=1)).max() < 1e-9
    raked, _ = HoldemMatch(found).by_terms("5%:3", True).play(agents, range(300), seed=5)
    assert (raked.sum(axis=1) <= 1e-9).all()
    assert (raked.sum(axis=1) >= -3 - 1e-9).all()
    assert raked.sum() < -1


def test_two_boards_take_luck_out_and_leave_the_mean() -> None:
    dealt = deal_cards(HEADS_UP, np.uint64(7), np.arange(2000), House(boards=2).cards_dealt(HEADS_UP))
    table, every = Table(HEADS_UP, dealt[:, :9].copy()), np.arange(2000)
    table.apply(every, np.full(2000, 10_000))
    table.apply(every, np.full(2000, c.CALL))
    once, twice = (House(boards=boards).settle(table, dealt)[:, 0] for boards in (1, 2))
    assert twice.std() < 0.9 * once.std()
    assert abs(twice.mean() - once.mean()) < 5 * (twice - once).std() / 2000**0.5


def test_caps_go_by_the_number_of_players() -> None:
    house = House.of("5%:1@2,3@4")
    assert [house.cap(players) for players in (2, 3, 4, 9)] == [1, 1, 3, 3]
    assert House.of("2.5%").cap(6) == float("inf")


@pytest.mark.parametrize("text", ["5", "-5%", "100%", "5%:", "5%:x", "5%:3@4,1@2", "5%:nan", ""])
def test_a_rake_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="rake"):
        House.of(text)


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("leduc-2p", {"aivat": True, "rake": "5%"}, "AIVAT"),
        ("tressette", {"rake": "5%"}, "Hold'em"),
        ("holdem-nolimit-2p", {"rake": "5%", "log": True}, "log"),
    ],
)
def test_what_does_not_go_together_is_refused(game: str, options: dict[str, Any], words: str) -> None:
    agents = ["random", "random"] if game != "tressette" else ["greedy", "random"]
    with pytest.raises(UnreadableError, match=words):
        mazzo.match(game, agents, hands=4, **options)
