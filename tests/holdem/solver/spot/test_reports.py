"""Run-outs, filters by attribute, comparisons, files that are opened partly, and the commands."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.block_file import BlockFile
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem.solver.spot import reports
from mazzo.holdem.solver.spot.file import load, save
from mazzo.holdem.solver.spot.locks import Lock
from mazzo.holdem.solver.spot.reports import chosen_by, compare, defence, run_outs
from mazzo.holdem.solver.spot.solution import SpotSolution
from mazzo.holdem.spots import solve
from tests.holdem.solver.spot.test_solving import SMALL

TURN = {**SMALL[1], "oop": "77,QJs,33,A7s", "ip": "QQ,AQs,65s,K5s"}


@pytest.fixture(scope="module")
def turn() -> SpotSolution:
    return solve(TURN, to=0, rounds=60)


def test_the_mean_over_all_run_outs_is_the_value_before_them(turn: SpotSolution) -> None:
    found = run_outs(turn, "k k")
    assert sum(row["chance"] for row in found.rows.values()) == pytest.approx(1)
    before = turn.at("k k")
    assert found.mean("oop_ev") == pytest.approx(before.ev_of(0), abs=1e-2)
    assert found.mean("oop_equity") == pytest.approx(before.equity_of(0), abs=1e-6)
    with pytest.raises(UnreadableError, match="no card comes"):
        run_outs(turn, "k")


def test_a_report_over_all_turns_is_the_mean_of_those_after_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    flop = solve({**SMALL[2], "oop": "7c7h,QsJs,8c8d", "ip": "QhQd,AsQd"}, to=0, rounds=20)
    every = reports._concrete(flop.plan, "k k / * / k k")
    assert len(every) == len(set(every)) == 49
    with pytest.raises(UnreadableError, match="no card comes"):
        run_outs(flop, "k k / * / k")
    some = [place for place in every if place[6:8] in ("2c", "Jd")]  # of the second fewer hands are left
    monkeypatch.setattr(reports, "_concrete", lambda plan, where: some)
    found = run_outs(flop, "k k / * / k k")
    assert sum(row["chance"] for row in found.rows.values()) == pytest.approx(1)
    mass = ev = bets = 0.0
    for place in some:
        view = flop.at(f"{place} / 2d")
        here = float(view.weight(0).sum())
        mass, ev, bets = mass + here, ev + here * view.ev_of(0), bets + here * view.totals()["b60"]
    assert found.rows["2d"]["oop_ev"] == pytest.approx(ev / mass, abs=1e-6)
    assert found.rows["2d"]["b60"] == pytest.approx(bets / mass, abs=1e-6)


def test_hands_are_chosen_by_made_hand_and_draw(turn: SpotSolution) -> None:
    view = turn.at("k b30")
    names = {name for name, row in view.mix_by_hand().items() if row}
    sets = chosen_by(view, "HAND_TYPE=FULL_HOUSE")
    cards = view.plan.hands.cards[0]
    assert {tuple(c >> 2) for c in cards[sets]} == {(5, 5)}  # sevens full of kings
    assert len(names) >= int(sets.sum()) > 0
    both = chosen_by(view, "hand_type=full_house, POTENTIAL_OUTS>=0")
    assert (both == sets).all()
    with pytest.raises(UnreadableError, match="there is no attribute"):
        chosen_by(view, "HANDTYP=PAIR")
    with pytest.raises(UnreadableError, match="never"):
        chosen_by(view, "HAND_TYPE=NICE")


def test_minimum_defence_is_one_over_one_plus_the_bet(turn: SpotSolution) -> None:
    bet = defence(turn.at("b30"))
    assert bet is not None
    assert (bet.size, bet.minimum, bet.bluffs_per_value) == pytest.approx((0.5, 2 / 3, 1 / 3))
    assert defence(turn.at()) is None


def test_against_a_raise_it_counts_all_that_the_raiser_risks(turn: SpotSolution) -> None:
    bet = defence(turn.at("b30 r50"))  # 30 into 60, raised to 50: 50 are risked to win 90
    assert bet is not None
    assert bet.minimum == pytest.approx(90 / (90 + 50))
    assert bet.size == pytest.approx(20 / 120)  # 20 more into what the pot would be after a call of the first bet
    assert bet.bluffs_per_value == pytest.approx(20 / 140)


def test_places_that_nobody_gets_to_are_said_to_be_such(tmp_path: Path) -> None:
    locks = [Lock("", {"all": {"k": 1}})]
    found = solve(TURN, to=0, rounds=20, locks=locks)
    text = str(found.at("b30"))
    assert "no hands of both players get here" in text
    assert "nan" not in text
    assert "get here" not in str(found.at("k"))
    assert "nan" not in str(compare(found, found, "b30"))
    with pytest.raises(UnreadableError, match="no hands of both players get to 'b30 c'"):
        run_outs(found, "b30 c")
    save(tmp_path / "a.mz", found)
    for more in ([], ["--json"]):
        shown = CliRunner().invoke(mazzo, ["solve", "show", str(tmp_path / "a.mz"), "--at", "b30", "--hands", *more])
        assert shown.exit_code == 0, shown.output
        assert "nan" not in shown.output.lower()
    wrong = CliRunner().invoke(mazzo, ["solve", "show", str(tmp_path / "a.mz"), "--where", "NOTHING=1"])
    assert wrong.exit_code != 0
    assert "EV" not in wrong.stdout


def test_solutions_of_two_spots_are_compared_with_what_they_differ_in(turn: SpotSolution) -> None:
    other = compare(turn, solve({**TURN, "stack": 60}, to=0, rounds=20))
    assert other.differs == ("stack",)
    assert "not the same: stack" in str(other)


def test_a_solution_compared_with_itself_does_not_differ(turn: SpotSolution) -> None:
    same = compare(turn, turn, "k")
    assert same.distance == 0
    other = compare(turn, solve(TURN, to=0, rounds=20), "")
    assert 0 < other.distance < 1
    assert next(iter(other.hands.values())) == max(other.hands.values())


def test_one_place_of_a_file_is_shown_without_reading_the_others(turn: SpotSolution, tmp_path: Path) -> None:
    path = tmp_path / "turn.mz"
    save(path, turn)
    read: list[str] = []
    file = BlockFile(path)
    assert "mix/1/0/0" in file
    found = load(path)

    def reading(name: str) -> np.ndarray[Any, Any]:
        read.append(name)
        return file.read(name)

    found.mixes.file.read = reading  # type: ignore[attr-defined]
    view = found.at("k k / 2s")
    assert np.allclose(view.ev(0), turn.at("k k / 2s").ev(0), atol=0.02, equal_nan=True)
    assert not [name for name in read if name.startswith("value")]
    assert len(read) < 8


@pytest.mark.parametrize("at", [10, 60, 200, -40])
def test_a_damaged_file_is_refused(turn: SpotSolution, tmp_path: Path, at: int) -> None:
    path = tmp_path / "turn.mz"
    save(path, turn)
    data = bytearray(path.read_bytes())
    data[at] ^= 0x41
    path.write_bytes(data)
    with pytest.raises(UnreadableError):
        _read_all(path)


def _read_all(path: Path) -> None:
    found = load(path)
    for player in range(2):
        for level in range(2):
            for board in range(len(found.plan.boards.levels[level].boards)):
                found.mixes.mix(level, player, board)
        found.mixes.values(0, player, 0)
    found.mixes.file.read("weights")  # type: ignore[attr-defined]


def test_commands_solve_show_and_compare(tmp_path: Path) -> None:
    (tmp_path / "spot.json").write_text(json.dumps(SMALL[0]))
    out, runner = tmp_path / "out.mz", CliRunner()
    done = runner.invoke(mazzo, ["solve", "spot", str(tmp_path / "spot.json"), "--to", "0.1", "--json", "-o", str(out)])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["exploitability_pct"] <= 0.1
    assert data["oop_ev"] + data["ip_ev"] == pytest.approx(60, abs=1e-3)
    assert {"iterations", "seconds", "memory_mb"} <= data.keys()
    assert sum(data["mix"]["7h7c"].values()) == pytest.approx(1)
    shown = runner.invoke(mazzo, ["solve", "show", str(out), "--at", "b30", "--hands", "--json"])
    assert json.loads(shown.stdout)["actions"] == ["f", "c", "r110"]
    words = runner.invoke(mazzo, ["solve", "show", str(out), "--at", "b30"])
    assert "minimum defence 66.7 %" in words.stdout
    compared = runner.invoke(mazzo, ["solve", "compare", str(out), str(out), "--json"])
    assert json.loads(compared.stdout)["distance"] == 0
    wrong = runner.invoke(mazzo, ["solve", "show", str(out), "--at", "b31"])
    assert wrong.exit_code != 0
    played = runner.invoke(
        mazzo, ["match", "--spot", str(tmp_path / "spot.json"), str(out), "call", "--hands", "500", "--json"]
    )
    assert sum(p["chips_per_hand"] for p in json.loads(played.stdout)["players"]) == pytest.approx(60)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--ip-plays", "call", "--lock", "|all|k=1"], "nothing else is locked"),
        (["--ip-plays", "call", "--resume", "-o", "out.mz"], "without --resume"),
        (["--hand", "game holdem-nolimit-2p; cards |/Td9d6h; play cc/"], "not from both"),
        (["--resume"], "name one"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, more: list[str], words: str) -> None:
    (tmp_path / "spot.json").write_text(json.dumps(SMALL[0]))
    found = CliRunner().invoke(mazzo, ["solve", "spot", str(tmp_path / "spot.json"), *more])
    assert found.exit_code != 0
    assert words in str(found.exception)


def test_an_interrupted_command_keeps_what_it_has_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mazzo.holdem.solver.spot import solving

    (tmp_path / "spot.json").write_text(json.dumps(SMALL[1]))
    out, runner = tmp_path / "out.mz", CliRunner()
    improve, calls = solving.Run.improve, []

    def stops(self: solving.Run, rounds: int) -> None:
        calls.append(rounds)
        if len(calls) == 3:
            raise KeyboardInterrupt
        improve(self, rounds)

    monkeypatch.setattr(solving.Run, "improve", stops)
    command = ["solve", "spot", str(tmp_path / "spot.json"), "--to", "0.05", "-o", str(out)]
    first = runner.invoke(mazzo, command)
    assert first.exit_code == 130
    assert load(out).iterations == 40
    again = runner.invoke(mazzo, [*command, "--resume", "--json"])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["iterations"] > 40
