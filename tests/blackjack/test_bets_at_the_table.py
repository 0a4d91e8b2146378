"""Bets between rounds, and chips that are bought: by hand, or by who cannot cover the least bet."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.blackjack.purse import Purse
from mazzo.blackjack.seated import BlackjackTable
from mazzo.errors import MazzoError


def between_rounds(seats: list[str], seed: int = 3, **options: Any) -> BlackjackTable:
    table = BlackjackTable(seats, options, seed)
    end_round(table)
    return table


def end_round(table: BlackjackTable) -> None:
    while table.seat is not None:
        table.act(table.give_up())


def test_a_bet_chosen_between_rounds_is_played_from_the_next_round_on() -> None:
    table = between_rounds(["me:A", "me:B"])
    had = table.chips
    table.act("bet:0:25")
    assert table.view(0)["seats"][0]["bet"] == "10"  # this round is paid already
    table.act("next")
    assert [seat["bet"] for seat in table.view(0)["seats"][:2]] == ["25", "10"]
    end_round(table)
    won = [chips - before for chips, before in zip(table.chips, had, strict=True)]
    by_box = [float(won) for won in table.game.payoffs]
    assert won == [25 * by_box[0], 10 * by_box[1]]
    table.act("next")
    assert table.view(0)["seats"][0]["bet"] == "25"


@pytest.mark.parametrize("action", [
    "bet:0:0", "bet:0:-5", "bet:0:1001", "bet:0:1e2", "bet:0:", "bet:0:99999999999", "bet:2:10", "bet:x:10", "bet:",
    "buy:", "buy:0:5", "buy:9", "buy:0", "bet:0:10:10", "bet:0:\u0661\u0660",
])  # fmt: skip
def test_other_bets_are_refused_and_change_nothing(action: str) -> None:
    table = BlackjackTable(["me:A", "me:B"], {"chips": 1000}, 3)
    end_round(table)
    table.purses[0].chips = 1000.0
    before = table.view(0)
    with pytest.raises(MazzoError):
        table.act(action)
    assert table.view(0) == before


@pytest.mark.parametrize("action", ["bet:1:10", "buy:1", "bet:01:5", "buy:"])
def test_nobody_bets_or_buys_for_another_one(action: str) -> None:
    table = between_rounds(["me:A", "me:B"])
    refused = 0
    for take in (partial(table.may, 0), table.act):
        try:
            take(action)
        except MazzoError:
            refused += 1
    assert refused


def test_nobody_bets_or_buys_while_a_round_is_played() -> None:
    table = BlackjackTable(["me:A"], {}, 3)
    while table.seat is None:
        table.act("next")
    for action in ("bet:0:20", "buy:0"):
        with pytest.raises(MazzoError):
            table.may(0, action)
        with pytest.raises(MazzoError):
            table.act(action)


def test_chips_are_bought_by_hand_and_offered_to_who_has_fewer_than_at_the_start() -> None:
    table = between_rounds(["me:A"])
    table.purses[0].chips = 400.0
    assert [choice["action"] for choice in table.view(0)["choices"]] == ["bet:0:", "buy:0"]
    table.act("buy:0")
    assert table.chips == [1000.0]
    assert [choice["action"] for choice in table.view(0)["choices"]] == ["bet:0:"]


@given(st.integers(1, 50), st.integers(1, 100), st.integers(1, 3), st.lists(st.floats(-2, 2), max_size=40))
def test_whoever_cannot_cover_the_least_bet_buys_again_and_nobody_begins_a_round_on_credit(
    chips: int, bet: int, hands: int, results: list[float]
) -> None:
    purse = Purse(chips, bet, hands)
    for result in results:
        purse.chips += result * purse.bet * hands
        purse.next_round()
        assert 1 <= purse.bet <= max(bet, 1)
        if chips >= hands:
            assert purse.bet * hands <= purse.chips


def test_a_saved_table_is_played_through_again_with_its_bets(tmp_path: Any) -> None:
    from mazzo.sitting import Sitting

    sitting = Sitting.start(tmp_path / "t.jsonl", "blackjack", ["me:A"], {}, 5)
    for amount in (25, 1, 300):
        while sitting.game.seat is not None:
            sitting.act(sitting.game.give_up())
        sitting.act(f"bet:0:{min(amount, sitting.game.purses[0].most)}")  # type: ignore[attr-defined]
        sitting.act("next")
    sitting.close()
    again = Sitting.resume(tmp_path / "t.jsonl")
    assert again.game.view(0) == sitting.game.view(0)
    assert len(again.records[0]) == 3
    again.close()
