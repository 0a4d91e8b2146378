"""The betting tree of a spot, against the sizes of the reference solver's trees."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem.beliefs import HoldingChances
from mazzo.holdem.odds.ranges import parse_range
from mazzo.holdem.solver.spot.betting import grow
from mazzo.holdem.solver.spot.engine import Plan
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.sizes import BetNode, amounts, parse_sizes
from mazzo.holdem.solver.spot.spot import Spot, parse_spot, read_spot
from mazzo.holdem.spots import find_spot

WIDE = "22+,A2s+,KTs+,AJo+"
TWO = {f"{street}_{kind}": sizes for street in ("flop", "turn", "river") for kind, sizes in
       (("bet", "50%,100%"), ("raise", "3x"))}  # fmt: skip


def spot(board: str, pot: int, stack: int, **more: object) -> Spot:
    return parse_spot({"board": board, "oop": WIDE, "ip": WIDE, "pot": pot, "stack": stack, **more})


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        (("Td9d6hQc3s", 200, 400, {"river_bet": "50%,100%", "river_raise": "3x"}), (33, 6, 6, 10, 11, 0, 0)),
        (("Ah9s4c7dJd", 80, 1000, {"river_bet": "20c", "river_raise": "20c3r"}), (27, 5, 5, 8, 9, 0, 0)),
        (("Td9d6hQc", 200, 900, TWO), (258, 48, 48, 76, 73, 9, 4)),
        (("Th7h3h", 100, 250, {"flop_bet": "50%", "flop_raise": "a", "turn_bet": "75%", "turn_raise": "a",
                               "river_bet": "75%", "river_raise": "a"}), (159, 33, 33, 40, 33, 12, 8)),
        (("Td9d6h", 200, 900, TWO), (921, 179, 179, 256, 221, 50, 36)),
    ],
)  # fmt: skip
def test_trees_have_the_sizes_of_the_reference_solvers(given: tuple[Any, ...], sizes: tuple[int, ...]) -> None:
    board, pot, stack, more = given
    tree = grow(spot(board, pot, stack, **more))
    assert (len(tree.nodes), *(tree.count(kind) for kind in range(6))) == sizes


def decision(**more: int) -> BetNode:
    plain = {"pot": 200, "facing": 0, "low": 1, "high": 400, "behind": 400, "streets": 1, "bets": 0}
    return BetNode(**{**plain, **more})


@pytest.mark.parametrize(
    ("text", "d", "found"),
    [
        ("50%,100%", decision(), [100, 200]),
        ("33%", decision(pot=150), [50]),  # 49.5: halves away from zero
        ("a", decision(), [400]),
        ("300%", decision(), [400]),
        ("20c", decision(), [20]),
        ("3x", decision(), []),
        ("3x", decision(facing=100, low=200, bets=1, pot=400), [300]),
        ("1.5x", decision(facing=100, low=200, bets=1, pot=400), [200]),
        ("20c3r", decision(facing=60, low=80, bets=3), [80]),
        ("20c3r", decision(facing=80, low=100, bets=4), []),
        ("e", decision(streets=1), [400]),
        ("2e", decision(), [round(200 * (5**0.5 - 1) / 2)]),
        ("2e50%", decision(), [100]),
    ],
)
def test_sizes_come_to_the_amounts_that_their_words_say(text: str, d: BetNode, found: list[int]) -> None:
    assert amounts(parse_sizes(text, "bets"), d) == found


def test_all_in_is_added_and_forced_by_share_of_the_pot() -> None:
    sizes = parse_sizes("50%", "bets")
    assert amounts(sizes, decision(), add_allin=2.0) == [100, 400]
    assert amounts(sizes, decision(), add_allin=1.9) == [100]
    assert amounts(sizes, decision(high=150), force_allin=0.15) == [150]
    assert amounts(parse_sizes("50%,55%", "bets"), decision(), merge=0.1) == [110]


def test_donk_sizes_stand_in_where_the_first_player_called_the_street_before() -> None:
    more = {"turn_bet": "50%", "river_bet": "50%", "river_donk": "25%"}
    tree = grow(spot("Td9d6hQc", 100, 1000, **more))
    firsts = [n.children[0] for n in tree.nodes if n.kind == 4]
    names = [[tree.nodes[k].name for k in tree.nodes[n].children] for n in firsts]
    assert sorted(names) == [["k", "b100"], ["k", "b50"], ["k", "b50"]]  # after a bet by the first, a call, two checks


def test_a_spot_is_the_same_from_json_and_toml_and_from_its_own_text(tmp_path: Path) -> None:
    data = {"board": "Td9d6hQc", "oop": "AA,KQs:0.25", "ip": "JJ-99", "pot": 100, "stack": 300, "turn_bet": "50%"}
    (tmp_path / "a.json").write_text(json.dumps(data))
    lines = [f"{key} = {json.dumps(value)}" for key, value in data.items()]
    (tmp_path / "a.toml").write_text("\n".join(lines))
    first, second = read_spot(tmp_path / "a.json"), read_spot(tmp_path / "a.toml")
    assert first.as_dict() == second.as_dict() == data
    assert (first.oop == second.oop).all()
    assert first.oop.sum() == 6 + 1


def test_caps_and_all_ins_may_differ_by_street_and_player() -> None:
    data = {
        "board": "Td9d6hQc",
        "oop": "AA",
        "ip": "KK",
        "pot": 100,
        "stack": 1000,
        "turn_bet": "50%",
        "turn_raise": "3x",
        "river_bet": "50%",
        "river_raise": "3x",
    }

    def options(where: str, **change: float) -> tuple[str, ...]:
        plan = Plan(parse_spot({**data, **change}))
        return follow(plan, where).actions

    assert options("b50 r150", raise_cap=2) == ("f", "c")
    assert options("b50 r150", raise_cap=2, turn_raise_cap=0) == ("f", "c", "r450")
    assert options("b50 r150", turn_raise_cap=3, oop_turn_raise_cap=2) == ("f", "c")
    assert options("b50 r150 r450", raise_cap=3, ip_turn_raise_cap=0) == ("f", "c", "r1000")
    assert options("k k / 2c / b50 r150", turn_raise_cap=1) == ("f", "c", "r450")
    assert options("", ip_turn_add_allin=20) == ("k", "b50")
    assert options("k", ip_turn_add_allin=20) == ("k", "b50", "b1000")
    assert options("k k / 2c", turn_force_allin=20, river_merge=1) == ("k", "b50")
    assert options("k", turn_force_allin=20) == ("k", "b1000")


def test_a_range_comes_from_a_grid_of_classes_a_range_or_beliefs() -> None:
    good = {"board": "Td9d6hQc", "ip": "KK", "pot": 100, "stack": 300}
    text = parse_spot({**good, "oop": "AA,KQs:0.5,T9o:0.25"})
    grid = np.zeros((13, 13))
    grid[0, 0], grid[1, 2], grid[5, 4] = 1, 0.5, 0.25
    assert (parse_spot({**good, "oop": grid.tolist()}).oop == text.oop).all()
    assert (parse_spot({**good, "oop": parse_range("AA,KQs:0.5,T9o:0.25")}).oop == text.oop).all()
    belief = HoldingChances(text.oop / text.oop.sum() / 100, "somebody", 1, 1.0)
    found = parse_spot({**good, "oop": belief})
    assert (found.oop == belief.p).all()
    again = parse_spot(found.as_dict())  # as text it keeps the proportions, however small the numbers are
    assert again.oop / again.oop.sum() == pytest.approx(text.oop / text.oop.sum(), abs=1e-6)
    for wrong in ([1, 2], [[1] * 13] * 12, [["x"] * 13] * 13, [[-1.0] * 13] * 13, [[1], [2, 3]]):
        with pytest.raises(UnreadableError, match="13 x 13"):
            parse_spot({**good, "oop": wrong})


def test_all_in_is_a_place_only_where_it_can_be_bet() -> None:
    plan = Plan(spot("Td9d6hQc3s", 100, 300, river_bet="50%,a", ip_river_raise="200c"))
    assert plan.betting.nodes[follow(plan, "a").node].name == "b300"
    with pytest.raises(UnreadableError, match="'a' in 'b50 a' is not an action there"):
        follow(plan, "b50 a")  # the raise to 250 leaves 50


def test_a_collection_of_spots_says_which_it_holds(tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text(json.dumps({"about": "", "spots": {"one": {}, "two": {}}}))
    with pytest.raises(UnreadableError, match=r"holds 2 spots.*one, two"):
        read_spot(tmp_path / "all.json")


def test_a_spot_that_is_changed_is_the_changed_one() -> None:
    first = find_spot({"board": "Td9d6hQc", "oop": "AA", "ip": "KK", "pot": 100, "stack": 300, "turn_bet": "50%"})
    assert find_spot(first) is first
    assert find_spot(first, bets="75%", pot=50).as_dict() == {
        **first.as_dict(),
        "pot": 50,
        "flop_bet": "75%",
        "turn_bet": "75%",
        "river_bet": "75%",
    }
    half = first.replaced(oop=first.oop / 3, texts={})
    assert (find_spot(half, stack=200).oop == half.oop).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"turn_bet": "3x"}, "turn_bet: a bet cannot be"),
        ({"river_donk": "50%,2x"}, "river_donk: a bet cannot be"),
        ({"turn_raise_cap": 1.5}, "turn_raise_cap must be a whole number"),
        ({"ip_turn_raise_cap": 101}, "raise_cap must be 0"),
        ({"oop_river_add_allin": -1}, "add_allin"),
        ({"board": "Td9d"}, "3 .flop., 4 .turn. or 5"),
        ({"board": "TdTd6h"}, "Td"),
        ({"oop": "XX"}, "oop"),
        ({"oop": "TdTc", "board": "Td9d6h"}, "no hand of the range oop"),
        ({"oop": "AsAh", "ip": "AsAh"}, "at the same time"),
        ({"pot": 0}, "pot must be"),
        ({"pot": 10.5}, "whole number"),
        ({"stack": -1}, "stack must be"),
        ({"turn_bet": "50"}, "cannot read the size '50'"),
        ({"turn_bett": "50%"}, "turn_bet"),
        ({"rake": 1.5}, "rake"),
        ({"pot": True}, "must be a number"),
        ({"rake": 10**400}, "rake must be a number, got '1000"),
    ],
)
def test_what_is_wrong_with_a_spot_is_said(change: dict[str, object], words: str) -> None:
    good = {"board": "Td9d6hQc", "oop": "AA", "ip": "KK", "pot": 100, "stack": 300, "turn_bet": "50%"}
    with pytest.raises(UnreadableError, match=words):
        parse_spot({**good, **change})
