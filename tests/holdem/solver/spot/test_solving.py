"""Solved spots against the reference solver's values, exact cases, and a plain best response."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem.solver.spot.engine import Engine, Plan
from mazzo.holdem.solver.spot.locks import Lock
from mazzo.holdem.solver.spot.solving import run
from mazzo.holdem.solver.spot.spot import parse_spot
from mazzo.holdem.spots import solution_of, solve
from tests.data_files import DATA
from tests.holdem.solver.spot.plain import Plain

SPOTS = json.loads((DATA / "spots.json").read_text())["spots"]
HALF_STREET = {
    "board": "KsKh7d4c2s", "oop": "7c7h,3c3d", "ip": "QhQd", "pot": 100, "stack": 100, "oop_river_bet": "100%",
}  # fmt: skip


@pytest.mark.parametrize("name", list(SPOTS))
def test_the_reference_spots_have_their_values(name: str) -> None:
    given = SPOTS[name]
    found, reference, pot = solve(given["spot"], to=0.05), given["reference"], given["spot"]["pot"]
    assert found.exploitability_pct <= 0.05
    assert abs(found.ev[0] - reference["oop_ev"]) <= 0.001 * pot
    assert abs(found.ev[1] - reference["ip_ev"]) <= 0.001 * pot
    root = found.at()
    assert root.equity_of(0) == pytest.approx(reference["oop_equity"], abs=1e-5)
    for p, player in enumerate(("oop", "ip")):
        hands = root.by_hand(p)
        assert hands.keys() == reference[player].keys()
        rows = [(h["weight"] * h["against"], h["ev"], *reference[player][k]) for k, h in hands.items()]
        weight, ev, against, equity, known = np.array(rows).T
        assert np.allclose([h["against"] for h in hands.values()], against, rtol=1e-4)
        assert np.allclose([h["equity"] for h in hands.values()], equity, atol=1e-4)
        off = np.abs(ev - known) / pot
        assert np.average(off, weights=weight) <= 0.003
        assert off.max() <= 0.01


@pytest.mark.parametrize("share", [1, 2])
def test_a_polarised_half_street_has_its_exact_value_and_mix(share: int) -> None:
    """Nuts n, bet of s pots: bluffs per nut s / (1 + s), call 1 / (1 + s), EV n (1 + 2 s) / (1 + s) (Chen)."""
    spot = parse_spot({**HALF_STREET, "stack": 100 * share, "oop_river_bet": f"{100 * share}%"})
    found = solve(spot, to=0, rounds=20_000, precise=True, method="cfr+")
    value = 100 * 0.5 * (1 + 2 * share) / (1 + share)
    assert found.ev[0] == pytest.approx(value, abs=1e-6 * 100)
    assert sum(found.ev) == pytest.approx(100, abs=1e-9)
    bet = f"b{100 * share}"
    mix, call = found.at().mix_by_hand(), found.at(bet).mix_by_hand()
    assert mix["7h7c"][bet] == pytest.approx(1, abs=1e-3)
    assert mix["3d3c"][bet] == pytest.approx(share / (1 + share), abs=1e-3)
    assert call["QhQd"]["c"] == pytest.approx(1 / (1 + share), abs=1e-3)


SMALL = [
    {"board": "KsKh7d4c2s", "oop": "7c7h,AsQd:0.5,QsJs,3c3d,AhKd", "ip": "QhQd,AsQd,JsJd:0.25,KdQs,5h5d", "pot": 60,
     "stack": 110, "river_bet": "50%", "river_raise": "a"},
    {"board": "KsKh7d4c", "oop": "7c7h,AsQd:0.5,QsJs,3c3d", "ip": "QhQd,AsQd,JsJd,5s6s", "pot": 60, "stack": 50,
     "turn_bet": "50%", "turn_raise": "a", "river_bet": "a"},
    {"board": "KsKh7d", "oop": "7c7h,QsJs", "ip": "QhQd,AsQd", "pot": 60, "stack": 60, "flop_bet": "50%",
     "river_bet": "a"},
]  # fmt: skip


@pytest.mark.parametrize("data", SMALL, ids=["river", "turn", "flop"])
@pytest.mark.parametrize("rake", [0.0, 0.05])
def test_values_and_exploitability_are_those_of_a_plain_walk(data: dict[str, Any], rake: float) -> None:
    found = solve({**data, "rake": rake, "rake_cap": 4.0}, to=0, rounds=15)
    plain, half = Plain(found), data["pot"] / 2
    ev = [plain.worth(p, best=False) for p in range(2)]
    best = [plain.worth(p, best=True) for p in range(2)]
    assert found.ev == pytest.approx([e + half for e in ev], abs=1e-4)
    assert found.exploitability == pytest.approx(sum(best) / 2 - sum(ev) / 2, abs=2e-4)
    assert (sum(found.ev) < data["pot"] - 0.1) == (rake > 0)


def test_numbers_of_16_bits_take_half_the_memory_and_find_the_same_value() -> None:
    given = SPOTS["turn-two-sizes"]
    found, reference = solve(given["spot"], to=0.05, rounds=600, packed=True), given["reference"]
    assert found.exploitability_pct <= 0.05
    assert abs(found.ev[0] - reference["oop_ev"]) <= 0.001 * given["spot"]["pot"]
    assert found.memory < 0.55 * Plan(parse_spot(given["spot"])).bytes()
    locked = solve(SMALL[0], to=1.0, packed=True, locks=[Lock("", {"QsJs": {"b30": 1, "k": 3}})])
    mix = locked.at().mix_by_hand()["QsJs"]
    assert (mix["k"], mix["b30"]) == pytest.approx((0.75, 0.25), abs=1e-3)


def test_a_range_that_always_wins_wins_the_pot_less_the_rake() -> None:
    data = {"board": "KsKh7d4c2s", "oop": "KdKc", "ip": "QQ,AsQd", "pot": 100, "stack": 100}
    assert solve(data, to=0.01).ev[0] == pytest.approx(100, abs=1e-3)
    assert solve({**data, "rake": 0.05}, to=0.01).ev == pytest.approx((95, 0), abs=1e-3)


def test_uniform_play_of_a_bet_of_half_the_pot_is_worth_five_eighths() -> None:
    data = {"board": "Ah9s4c7dJd", "oop": "random", "ip": "random", "pot": 100, "stack": 50, "oop_river_bet": "50%"}
    engine = Engine(Plan(parse_spot(data)))
    assert engine.worth(0) + 50 == pytest.approx(62.5, abs=1e-3)


def test_renaming_suits_changes_nothing_but_the_work() -> None:
    data = {**SMALL[1], "board": "KsKh7d4d", "oop": "77,QJs,33", "ip": "QQ,AQs"}
    spot = parse_spot(data)
    values = []
    for symmetric in (True, False):
        engine = Engine(Plan(spot, symmetric=symmetric))
        engine.improve(0, 30)
        values.append((engine.worth(0), engine.exploitability(), len(engine.plan.boards.levels[1].boards)))
    assert values[0][:2] == pytest.approx(values[1][:2], abs=1e-3)
    assert values[0][2] < values[1][2] == 48


def test_ranges_that_tell_suits_apart_are_not_renamed() -> None:
    plan = Plan(parse_spot({**SMALL[1], "board": "KsKh7d4d", "oop": "AsQs,AhQh:0.9", "ip": "JJ"}))
    assert len(plan.hands.group) == 1
    plan = Plan(parse_spot({**SMALL[1], "board": "KsKh7d4d", "oop": "AsQs,AhQh", "ip": "JJ"}))
    assert len(plan.hands.group) == 2


def test_any_number_of_threads_gives_the_same_bits() -> None:
    found = [run(parse_spot(SMALL[1]), to=0, rounds=12, workers=workers) for workers in (1, 3)]
    for one, other in zip(found[0].engine.stores, found[1].engine.stores, strict=True):
        assert (one.mean == other.mean).all()
        assert (one.regret == other.regret).all()


@pytest.mark.parametrize("packed", [False, True])
def test_work_that_was_stopped_goes_on_to_the_same_end(tmp_path: Path, packed: bool) -> None:
    from mazzo.holdem.solver.spot.file import go_on, load, save

    spot = parse_spot(SMALL[1])
    first = run(spot, to=0, rounds=40, packed=packed)
    save(tmp_path / "a.mz", solution_of(first), first)
    second = run(spot, to=0, rounds=80, start=go_on(tmp_path / "a.mz"))
    straight = run(spot, to=0, rounds=80, packed=packed)
    assert second.rounds == straight.rounds == 80
    assert second.now == pytest.approx(straight.now, abs=1e-4)
    kept, made = load(tmp_path / "a.mz"), solution_of(run(spot, to=0, rounds=40, packed=packed))
    for where in ("", "b30", "k b30 c / 2s", "b30 c / Ah / k"):
        mine, theirs = kept.at(where), made.at(where)
        for p in range(2):
            assert np.allclose(mine.ev(p), theirs.ev(p), atol=0.02, equal_nan=True)
        assert np.allclose(mine.mix, theirs.mix, atol=1e-4)


@pytest.mark.parametrize("packed", [False, True])
def test_work_that_goes_on_for_no_round_is_what_it_was(tmp_path: Path, packed: bool) -> None:
    from mazzo.holdem.solver.spot.file import go_on, load, save

    first = run(parse_spot(SMALL[1]), to=0, rounds=40, packed=packed)
    save(tmp_path / "a.mz", solution_of(first), first)
    again = run(parse_spot(SMALL[1]), to=0, rounds=40, start=go_on(tmp_path / "a.mz"))
    save(tmp_path / "a.mz", solution_of(again), again)
    kept = load(tmp_path / "a.mz")
    assert kept.exploitability == pytest.approx(first.exploitability, rel=1e-4)
    assert kept.ev == pytest.approx(solution_of(first).ev, abs=1e-3)


@pytest.mark.parametrize("packed", [False, True])
def test_work_that_goes_on_still_has_the_best_that_was_found_before(tmp_path: Path, packed: bool) -> None:
    from mazzo.holdem.solver.spot.file import go_on, save

    first = run(parse_spot(SMALL[1]), to=0, rounds=40, packed=packed)
    first.engine.mean(0, 0)[:, 0] *= 0  # the last round is made worse than the best
    first.rounds = 41
    first._measure()
    first.settle()
    assert first.now > 2 * first.exploitability
    save(tmp_path / "a.mz", solution_of(first), first)
    again = run(parse_spot(SMALL[1]), to=0, rounds=41, start=go_on(tmp_path / "a.mz"))
    assert again.at == 40
    assert again.now == pytest.approx(first.now, rel=1e-3)
    assert again.exploitability == pytest.approx(first.exploitability, abs=0.002)


def test_work_goes_on_only_with_the_spot_and_the_method_it_was_begun_with(tmp_path: Path) -> None:
    from mazzo.holdem.solver.spot.file import go_on, save

    first = run(parse_spot(SMALL[0]), to=0, rounds=20)
    save(tmp_path / "a.mz", solution_of(first), first)
    with pytest.raises(UnreadableError, match="another spot: not the same pot"):
        run(parse_spot({**SMALL[0], "pot": 61}), to=0, rounds=40, start=go_on(tmp_path / "a.mz"))
    with pytest.raises(UnreadableError, match=r"begun by dcfr and goes on by it, not by cfr\+"):
        run(parse_spot(SMALL[0]), to=0, rounds=40, method="cfr+", start=go_on(tmp_path / "a.mz"))
    with pytest.raises(UnreadableError, match="more than the"):
        go_on(tmp_path / "a.mz", memory=100)


def test_an_interrupt_keeps_the_best_so_far() -> None:
    def stop(found: object) -> None:
        raise KeyboardInterrupt

    found = run(parse_spot(SMALL[0]), to=0, rounds=1000, progress=stop)
    assert found.interrupted
    assert found.rounds == 20
    assert solution_of(found).notes == ["interrupted after 20 rounds"]


def test_a_spot_that_is_too_large_is_refused_with_what_would_fit() -> None:
    sizes = {f"{street}_bet": "33%,75%" for street in ("flop", "turn", "river")}
    sizes |= {f"{street}_raise": "3x" for street in ("flop", "turn", "river")}
    data = {"board": "Td9d6h", "oop": "22+,A2s+", "ip": "22+,A2s+", "pot": 100, "stack": 400, **sizes}
    with pytest.raises(UnreadableError, match=r"needs .* MB, more than the 900 MB .* would fit: .*raise_cap 1"):
        solve(data, memory=900_000_000)


def test_small_amounts_of_memory_are_said_so_that_one_sees_which_is_more() -> None:
    with pytest.raises(UnreadableError, match=r"needs 0\.\d+ MB, more than the 0\.001 MB"):
        solve(SMALL[0], memory=1000)


def test_the_ev_of_a_place_is_the_mean_of_the_evs_behind_its_actions() -> None:
    found = solve(SMALL[1], to=0, rounds=40)
    node = found.at("b30")
    parts = [found.at(f"b30 {name}") for name in node.actions if name != "f"]
    total = sum(node.totals()[name] * part.ev_of(0) for name, part in zip(node.actions[1:], parts, strict=True))
    put = node.plan.betting.nodes[node.path.node].put[0]
    folded = node.totals()["f"] * (60 + put)
    assert node.ev_of(0) == pytest.approx(total + folded, abs=0.01)


def test_a_suit_that_was_renamed_shows_the_same_as_the_one_it_was_renamed_to() -> None:
    data = {**SMALL[1], "board": "KsKh7d4d", "oop": "77,QJs,33", "ip": "QQ,AQs"}
    found = solve(data, to=0, rounds=30)
    spades, hearts = found.at("k k / 2s"), found.at("k k / 2h")
    mine, theirs = spades.mix_by_hand(), hearts.mix_by_hand()
    assert mine["QsJs"] == pytest.approx(theirs["QhJh"], abs=1e-6)
    assert mine["QcJc"] == pytest.approx(theirs["QcJc"], abs=1e-6)
    assert spades.ev_of(0) == pytest.approx(hearts.ev_of(0), abs=1e-6)
