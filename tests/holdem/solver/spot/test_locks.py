"""Fixed play: mixes at a decision, a whole player by a policy, and what the answer wins in the arena."""

from pathlib import Path

import numpy as np
import pytest

from mazzo.arena.match import match
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.spot import SpotPlayer
from mazzo.holdem.hand import Hand
from mazzo.holdem.solver.spot.engine import Plan
from mazzo.holdem.solver.spot.file import go_on, save
from mazzo.holdem.solver.spot.locks import Lock
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.solving import estimate, run
from mazzo.holdem.spot_match import SpotMatch
from mazzo.holdem.spots import (
    DOUBT,
    find_spot,
    players_of_spot,
    smaller_spot,
    solution_of,
    solve,
    spot_before,
    spot_of_hand,
    street_before,
)
from tests.holdem.solver.spot.plain import Plain
from tests.holdem.solver.spot.test_solving import HALF_STREET, SMALL

DATA = Path(__file__).parents[3] / "data"
RIVER = {
    "board": "Td9d6hQc3s", "oop": "66+,A8s+,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,86s+", "pot": 200, "stack": 400, "river_bet": "50%,100%",
    "river_raise": "3x,a",
}  # fmt: skip


def test_against_one_who_always_calls_only_the_best_hands_bet() -> None:
    found = solve(HALF_STREET, to=0.001, locks=[Lock("b100", {"all": {"c": 1}})])
    mix = found.at().mix_by_hand()
    assert mix["7h7c"]["b100"] == pytest.approx(1, abs=1e-2)
    assert mix["3d3c"]["b100"] == pytest.approx(0, abs=1e-2)
    assert found.at("b100").mix_by_hand()["QhQd"]["c"] == 1
    assert found.ev[0] == pytest.approx(100, abs=0.2)  # half the time the pot and a bet more, else nothing
    assert found.exploitability_pct <= 0.001


def test_a_lock_for_some_hands_leaves_the_others_free() -> None:
    locks = [Lock("", {"7c7h": {"k": 1}, "QsJs": {"b30": 1, "k": 3}})]
    found = solve(SMALL[0], to=0.01, locks=locks)
    mix = found.at().mix_by_hand()
    assert mix["7h7c"]["k"] == pytest.approx(1)
    assert mix["QsJs"] == pytest.approx(
        {"k": 0.75, "b30": 0.25, **{k: 0 for k in mix["QsJs"] if k not in ("k", "b30")}}
    )
    plain = Plain(found)
    values = [plain.worth(p, best=False) for p in range(2)]
    assert found.ev == pytest.approx([v + 30 for v in values], abs=1e-3)
    assert solve(SMALL[0], to=0.01).ev[0] >= found.ev[0] - 0.02  # who is tied does no better


def test_a_lock_holds_on_every_card_where_none_is_named() -> None:
    found = solve(SMALL[1], to=0, rounds=20, locks=[Lock("k k / *", {"all": {"k": 1}})])
    for card in ("2s", "Ah", "9c"):
        assert found.at(f"k k / {card}").totals()["k"] == pytest.approx(1)
    free = found.at("b30 c / 2s").totals()
    assert free["k"] < 1


def test_a_lock_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnreadableError, match="not an action"):
        solve(SMALL[0], locks=[Lock("", {"all": {"b31": 1}})])
    with pytest.raises(UnreadableError, match="no hand of 'AA' is in the range of ip"):
        solve(SMALL[0], locks=[Lock("b30", {"AA": {"c": 1}})])
    with pytest.raises(UnreadableError, match="add up to nothing"):
        solve(SMALL[0], locks=[Lock("", {"all": {"k": 0}})])
    with pytest.raises(UnreadableError, match="nobody decides"):
        solve(SMALL[0], locks=[Lock("k k", {"all": {"k": 1}})])


@pytest.mark.parametrize(("villain", "player"), [("call", 1), ("chart", 1), ("random", 0)])
def test_the_answer_to_a_player_wins_in_the_arena_what_was_promised(villain: str, player: int) -> None:
    found = solve(RIVER, ip_plays=villain) if player else solve(RIVER, oop_plays=villain)
    assert found.gain is not None
    assert found.gain["gain"] > 1  # chips
    hero = SpotPlayer.playing(found, "answer")
    agents = [hero, find_agent(villain)] if player else [find_agent(villain), hero]
    result = match(SpotMatch(find_spot(RIVER)), agents, 20_000, seed=3)
    low, high = result.standings[1 - player].estimate.ci95
    assert low - 0.3 * (high - low) <= found.ev[1 - player] <= high + 0.3 * (high - low)  # 3 standard errors
    assert sum(found.ev) == pytest.approx(200, abs=1e-2)


def test_with_rake_both_players_win_in_the_arena_what_was_promised_and_the_house_takes_the_rest() -> None:
    spot = find_spot(RIVER).replaced(rake=0.05, rake_cap=20.0)
    found = solve(spot, ip_plays="chart")
    agents = [SpotPlayer.playing(found, "answer"), find_agent("chart")]
    result = match(SpotMatch(spot), agents, 20_000, seed=3)
    for promised, standing in zip(found.ev, result.standings, strict=True):
        assert promised == pytest.approx(standing.estimate.mean, abs=3.5 * standing.estimate.standard_error)
    assert 180 < sum(found.ev) < 190  # the pot of 200 is raked by 10 at least and by 20 at most
    paid = sum(standing.estimate.mean for standing in result.standings)
    assert paid == pytest.approx(sum(found.ev), abs=0.3)


def test_rake_of_an_odd_pot_is_paid_by_who_wins_it_and_halved_where_both_do() -> None:
    spot = find_spot({"board": "AsKsQsJsTs", "oop": "22", "ip": "33", "pot": 101, "stack": 50, "rake": 0.1})
    tied, _ = SpotMatch(spot).play([find_agent("call"), find_agent("call")], range(5), seed=1)
    assert tied.sum(axis=1) == pytest.approx(101 - 10.1)
    assert abs(tied[:, 0] - tied[:, 1]).max() < 1
    won, _ = SpotMatch(spot).play([find_agent("raise:size=most"), find_agent("fold")], range(5), seed=1)
    assert won == pytest.approx(np.tile([101 - 10.1, 0.0], (5, 1)))
    capped = SpotMatch(spot.replaced(rake_cap=3.0))
    most, _ = capped.play([find_agent("raise:size=most"), find_agent("call")], range(5), seed=1)
    assert most.sum(axis=1) == pytest.approx(98)


@pytest.mark.parametrize(
    "villain",
    ["chart", f"clone:{DATA}/clone_bayes.mz", f"clone:{DATA}/clone_bayes.mz,mix=true"],
    ids=["chart", "clone", "clone that mixes"],
)
def test_the_answer_on_the_turn_is_the_plain_best_response_to_the_policy(villain: str) -> None:
    found = solve(SMALL[1], ip_plays=villain, to=1.0)
    assert found.notes[0] == f"ip is played by {find_agent(villain).name}; oop has the best answer to that"
    plain = Plain(found)
    assert found.ev[0] == pytest.approx(plain.worth(0, best=True) + 30, abs=1e-3)
    assert found.ev[0] == pytest.approx(plain.worth(0, best=False) + 30, abs=1e-3)
    assert found.gain is not None
    assert found.gain["gain"] >= -1e-6


def test_hands_in_a_spot_are_drawn_by_the_weights_of_both_ranges() -> None:
    spot = find_spot({**SMALL[1], "oop": "7c7h,AsQd:0.5", "ip": "QhQd,JsJd"})
    cards = SpotMatch(spot).deal(range(20_000), seed=1)
    assert all(len(set(row)) == 9 for row in cards[:500].tolist())
    first = (cards[:, :2] == [20, 22]).all(axis=1)  # 7c 7h
    second = (cards[:, 2:4] == [41, 42]).all(axis=1)  # Qd Qh
    assert first.mean() == pytest.approx(2 / 2.5, abs=0.01)  # AsQd meets only jacks
    assert second[first].mean() == pytest.approx(0.5, abs=0.015)
    assert not second[~first].any()
    rivers = np.bincount(cards[:, 8], minlength=52)
    assert (rivers > 0).sum() == 48
    again = SpotMatch(spot).deal(range(100, 200), seed=1)
    assert (again == cards[100:200]).all()


def test_an_equilibrium_loses_nothing_to_anybody_in_the_arena() -> None:
    found = solve(RIVER, to=0.01)
    hero = SpotPlayer.playing(found, "equilibrium")
    result = match(SpotMatch(find_spot(RIVER)), [hero, find_agent("chart")], 10_000, seed=1)
    low, high = result.standings[0].estimate.ci95
    assert high + 0.3 * (high - low) >= found.ev[0]


def test_a_spot_comes_from_a_hand_with_the_ranges_of_two_models() -> None:
    hand = "game holdem-nolimit-2p; cards |/Td9d6h; play cc/"
    spot = spot_of_hand(hand, ["call", "call"], bets="50%", raises="a")
    assert (spot.pot, spot.stack, spot.big_blind) == (200, 19900, 100)
    assert (spot.free("oop") > 0).sum() == 49 * 48 // 2
    raised = "game holdem-nolimit-2p; cards |/Td9d6h; play r300c/"
    with pytest.raises(UnreadableError, match="never plays"):
        spot_of_hand(raised, ["call", "call"])
    assert spot_of_hand(raised, ["call", "call"], DOUBT).pot == 600
    with pytest.raises(UnreadableError, match="taken from the hand: leave out board"):
        spot_of_hand("game holdem-nolimit-2p; cards |/Td9d6h; play cc/", ["call", "call"], board="AsKsQs")
    with pytest.raises(UnreadableError, match="nobody has acted"):
        spot_of_hand("game holdem-nolimit-2p; cards |/Td9d6h; play cc/c", ["call", "call"])


def test_a_person_who_raises_another_amount_than_the_model_still_has_the_range_of_a_raiser() -> None:
    spots = [
        spot_of_hand(f"game holdem-nolimit-2p; cards |/Td9d6h; play {opened}c/", ["chart", "chart"], DOUBT)
        for opened in ("r300", "r250")
    ]
    assert np.allclose(spots[0].ip, spots[1].ip)
    assert (spots[1].free("ip") > 0.1).sum() < 300
    assert (spots[1].free("ip") > 0).sum() == 49 * 48 // 2  # and nothing is ruled out
    own = spot_of_hand("game holdem-nolimit-2p; cards |/Td9d6h; play r300c/", ["chart", "chart"])
    assert (own.free("ip") > 0).sum() == (spots[0].free("ip") > 0.1).sum()


def test_a_spot_comes_from_a_hand_that_two_of_many_players_are_left_in() -> None:
    hand = "game holdem-nolimit-6p-100bb; cards |||||/Qc7sJh/6c; play ffr250ffc/cr450c/r800f"
    done = Hand.parse(hand)
    assert players_of_spot(street_before(done, 9)) == (1, 4)  # the big blind and the cutoff
    spot, where, played = spot_before(done, 9, ["chart", "call"])
    assert (spot.pot, spot.stack, where, played) == (950, 9550, "", "b350")
    assert (spot.free("ip") > 0.9).sum() == 48 * 47 // 2  # all is alike to one who always calls
    assert (spot.free("oop") > 0.1).sum() < 600
    spot, where, played = spot_before(done, 8, ["chart", "chart"])
    assert (spot.pot, spot.stack, where, played) == (550, 9750, "k b200", "c")
    with pytest.raises(UnreadableError, match="its flop has not come"):
        spot_before(done, 3, ["chart", "chart"])
    with pytest.raises(UnreadableError, match="11 decisions"):
        spot_before(done, 11, ["chart", "chart"])
    three = Hand.parse("game holdem-nolimit-3p; cards ||/Qc7sJh; play ccc/")
    with pytest.raises(UnreadableError, match="3 players are left"):
        spot_of_hand(three, ["chart", "chart"])


def test_a_spot_that_is_too_large_is_made_smaller_around_what_was_played() -> None:
    done = Hand.parse("game holdem-nolimit-6p-100bb; cards |||||/Qc7sJh/6c; play ffr250ffc/cr450c/r800f")
    spot, where, played = spot_before(done, 9, ["chart", "chart"])
    held = int(np.flatnonzero(spot.ip > 0)[0])
    assert smaller_spot(spot, f"{where} {played}", held, 10**12) is spot
    less = smaller_spot(spot, f"{where} {played}", held, 60_000_000)
    assert estimate(Plan(less, packed=True)).bytes <= 60_000_000
    assert played in follow(Plan(less), where).actions
    assert np.array_equal(less.ip > 0, spot.ip > 0)
    spot, where, played = spot_before(done, 7, ["chart", "chart"])
    unlikely = int(np.flatnonzero((spot.free("ip") > 0) & (spot.ip < 0.05))[0])
    least = smaller_spot(spot, f"{where} {played}", unlikely, 300_000_000)
    assert estimate(Plan(least, packed=True)).bytes <= 300_000_000
    assert (where, played) == ("k", "b200")
    assert played in follow(Plan(least), where).actions
    assert least.ip[unlikely] > 0
    assert 100 < (least.ip > 0).sum() < 200
    limit = Hand.parse("game holdem-limit-3p; cards ||/9hJcAh/5s; play rcf/crrc/rc/")
    spot, where, played = spot_before(limit, 6, ["chart", "chart"])
    few = smaller_spot(spot, f"{where} {played}", held, 300_000_000)
    assert few.sizes == spot.sizes
    assert played in follow(Plan(few), where).actions


def test_a_spot_of_a_limit_hand_has_the_sizes_of_the_game() -> None:
    done = Hand.parse("game holdem-limit-3p; cards ||/9hJcAh/5s; play rcf/crrc/rc/")
    spot, where, played = spot_before(done, 6, ["chart", "chart"])
    assert (spot.pot, where, played) == (50, "k b10 r20", "c")
    plan = Plan(spot)
    assert follow(plan, "b10 r20 r30").actions == ("f", "c", "r40")
    assert follow(plan, "b10 r20 r30 r40").actions == ("f", "c")
    assert follow(plan, "k k / 2s").actions == ("k", "b20")
    spot, where, played = spot_before(done, 8, ["chart", "chart"])
    assert (spot.pot, where, played) == (90, "b20", "c")


def test_work_with_locks_goes_on_with_the_same_locks(tmp_path: Path) -> None:
    locks = (Lock("", {"all": {"k": 1}}),)
    first = run(find_spot(SMALL[1]), to=0, rounds=20, locks=locks)
    save(tmp_path / "a.mz", solution_of(first), first)
    with pytest.raises(UnreadableError, match="the same locks"):
        run(find_spot(SMALL[1]), to=0, rounds=40, start=go_on(tmp_path / "a.mz"))
    other = (Lock("", {"all": {"k": 1, "b30": 1}}),)
    with pytest.raises(UnreadableError, match="the same locks"):
        run(find_spot(SMALL[1]), to=0, rounds=40, start=go_on(tmp_path / "a.mz"), locks=other)
    again = run(find_spot(SMALL[1]), to=0, rounds=40, start=go_on(tmp_path / "a.mz"), locks=locks)
    assert solution_of(again).at().totals()["k"] == pytest.approx(1)
