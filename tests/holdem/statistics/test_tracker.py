"""The tracker's figures on hands one can count by hand; all-ins against exact odds; leaks and filters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import odds
from mazzo.holdem.logs import read_hands
from mazzo.holdem.statistics.adjusted import adjusted_net
from mazzo.holdem.statistics.leaks import holm, leaks_of, winners_of
from mazzo.holdem.statistics.player import curves, parse_filter, player_report, player_section
from mazzo.holdem.statistics.tracker import PlayedHand, position_name, tracked
from tests.data_files import DATA

HAND = """PokerStars Hand #{n}: Hold'em No Limit ($0.50/$1 USD) - 2026/03/04 20:15:00 CET
Table 'Gemma II' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 2: bob ($100 in chips)
Seat 3: cid ($100 in chips)
Seat 4: dora ($100 in chips)
bob: posts small blind $0.50
cid: posts big blind $1
*** HOLE CARDS ***
{play}
*** SUMMARY ***
"""
SQUEEZED = """dora: raises $2 to $3
ann: calls $3
bob: raises $9 to $12
cid: folds
dora: raises $20 to $32
ann: folds
bob: calls $20
*** FLOP *** [2c 7d Jh]
bob: checks
dora: bets $20
bob: raises $40 to $60
dora: folds
Uncalled bet ($40) returned to bob
bob collected $108 from pot"""
STOLEN = """dora: folds
ann: raises $1 to $2
bob: folds
cid: calls $1
*** FLOP *** [2c 7d Jh]
cid: bets $2
ann: calls $2
*** TURN *** [2c 7d Jh] [3s]
cid: checks
ann: bets $5
cid: folds
Uncalled bet ($5) returned to ann
ann collected $8.50 from pot"""


def played(tmp_path: Path, *plays: str) -> dict[str, list[PlayedHand]]:
    path = tmp_path / "room.txt"
    path.write_text("\n\n".join(HAND.format(n=n, play=play) for n, play in enumerate(plays, 1)))
    reader = read_hands(path, strict=True)
    found: dict[str, list[PlayedHand]] = {}
    for name, hand in tracked(reader):
        found.setdefault(name, []).append(hand)
    return found


def test_a_squeezed_and_four_bet_pot_is_told(tmp_path: Path) -> None:
    by = played(tmp_path, SQUEEZED)
    assert by["bob"][0].chances == {
        "vpip": True,
        "pfr": True,
        "three_bet": True,
        "squeeze": True,
        "check_raise": True,
        "fold_to_cbet": False,
        "donk": False,
        "went_to_showdown": False,
        "won_without_showdown": True,
    }
    dora = by["dora"][0].chances
    assert (dora["pfr"], dora["four_bet"], dora["fold_to_three_bet"], dora["cbet_flop"]) == (True, True, False, True)
    assert by["ann"][0].chances["vpip"] is True
    assert by["ann"][0].chances["three_bet"] is False
    assert "fold_to_three_bet" not in by["ann"][0].chances
    assert "squeeze" not in by["cid"][0].chances  # there were two raises before him
    assert by["cid"][0].chances["four_bet"] is False
    assert [by[name][0].net for name in ("ann", "bob", "cid", "dora")] == [-3.0, 56.0, -1.0, -52.0]


def test_a_steal_a_donk_and_no_continuation_are_told(tmp_path: Path) -> None:
    by = played(tmp_path, STOLEN)
    assert by["ann"][0].chances["steal"] is True
    assert "cbet_flop" not in by["ann"][0].chances  # he was bet into
    assert by["bob"][0].chances["fold_to_steal"] is True
    assert by["cid"][0].chances["fold_to_steal"] is False
    assert by["cid"][0].chances["donk"] is True
    assert "steal" not in by["dora"][0].chances or by["dora"][0].position == "CO"
    assert [by[name][0].position for name in ("ann", "bob", "cid", "dora")] == ["BTN", "SB", "BB", "CO"]


def test_shares_have_their_chances_and_intervals(tmp_path: Path) -> None:
    by = played(tmp_path, SQUEEZED, STOLEN)
    report = player_report("bob", by["bob"])
    assert report["all"]["vpip"]["chances"] == 2
    assert report["all"]["vpip"]["share"] == 0.5
    low, high = report["all"]["vpip"]["ci95"]
    assert 0 < low < 0.5 < high < 1
    assert report["positions"]["SB"]["hands"] == 2
    assert report["all"]["won"]["bb_per_100"] == pytest.approx(100 * (56 - 0.5) / 2)


@pytest.mark.parametrize("players", range(2, 11))
def test_every_table_has_one_button_and_one_big_blind(players: int) -> None:
    names = [position_name(p, players) for p in range(players)]
    assert names.count("BTN") == names.count("BB") == 1
    assert names.count("SB") == (players > 2)


def test_an_all_in_is_worth_its_exact_equity() -> None:
    (hands,) = read_hands(DATA / "rooms" / "pokerstars_run_twice.txt")
    bob, ann = adjusted_net(hands, 0)[:2]
    exact = odds.equity("AhKh", against="QsQd").equity
    pot, rake = 2000, 50
    assert ann == pytest.approx(exact * (pot - rake) - 1000, abs=1e-6)
    assert ann + bob == pytest.approx(-rake)


def test_side_pots_and_returned_bets_are_in_what_was_expected() -> None:
    (hands,) = read_hands(DATA / "rooms" / "pokerstars_antes_sidepot.txt")
    assert adjusted_net(hands, 0)[:3].sum() == pytest.approx(0)


def test_where_nobody_is_all_in_the_result_stands(tmp_path: Path) -> None:
    (hands,) = read_hands(DATA / "rooms" / "pokerstars_bom.txt")
    assert np.array_equal(adjusted_net(hands, 0)[:3], hands.net[0, :3])


def test_filters_are_expressions(tmp_path: Path) -> None:
    by = played(tmp_path, SQUEEZED, STOLEN)
    keep = {
        text: [parse_filter(text)(hand) for hand in by["bob"]] for text in ("vpip", "-vpip", "pot>=50, position=SB")
    }
    assert keep == {"vpip": [True, False], "-vpip": [False, True], "pot>=50, position=SB": [True, False]}
    for wrong in ("colour=red", "pot>many", "vpip and pfr"):
        with pytest.raises(UnreadableError, match="cannot filter"):
            parse_filter(wrong)


def test_chances_are_corrected_for_their_number() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])  # Holm's own procedure
    assert holm([]) == []


def test_a_leak_is_found_and_chance_is_not_called_one(tmp_path: Path) -> None:
    folds = "dora: folds\nann: folds\nbob: folds\nUncalled bet ($0.50) returned to cid\ncid collected $1 from pot"
    by = played(tmp_path, *[STOLEN] * 40, *[folds] * 40)
    ann = by["ann"]
    rarely, often = [h for h in ann if not h.chances["steal"]], [h for h in ann if h.chances["steal"]]
    leak = leaks_of(rarely, often)[0]
    assert (leak["sure"], leak["share"], leak["reference_share"]) == (True, 0.0, 1.0)
    assert leak["cost_bb"] == pytest.approx(np.mean([h.net for h in often]))
    assert leak["hands"][0]["file"].endswith("room.txt")
    same = leaks_of(ann[::2], ann[1::2])
    assert not any(row["sure"] for row in same)
    assert winners_of(by, "ann", least=10)


def test_the_page_has_three_curves(tmp_path: Path) -> None:
    by = played(tmp_path, SQUEEZED, STOLEN)
    assert [s.y[-1] for s in curves(by["bob"]).series] == [55.5, 0.0, 55.5]
    section = player_section(player_report("bob", by["bob"]), by["bob"])
    assert section.tables[0].rows[0][0] == "vpip"
