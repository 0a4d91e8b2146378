"""A player's decisions priced: the dearest first, totals, a page, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.agent import Explanation
from mazzo.cli.app import mazzo
from mazzo.document import plain
from mazzo.errors import UnreadableError
from mazzo.holdem import Hand
from mazzo.holdem.replay import record_of
from mazzo.review import PricedDecision, Review, decisions_of, read_played, review
from mazzo.seated import NEXT, Advice
from mazzo.sitting import Coach, Sitting
from mazzo.words.sentences import log_line, verdict


def _record(*names: str) -> dict[str, object]:
    """J3o calls all-in against three who have more."""
    hand = Hand("holdem-nolimit-4p", "AcKd Jc3d 7c7d 8s8c 2c3h9s Ts 4h", stacks=[2000] * 4)
    for action in ("r2000", "c", "c", "c"):
        hand.act(action)
    return {"of": "holdem", **record_of(hand), "names": list(names)}


def test_what_was_done_before_a_decision_is_told_when_there_are_words_for_it() -> None:
    found = review([_record("Ada", "Bob", "Cem", "Dan")], "Bob", "ranges", worded=log_line)
    (call,) = found.decisions
    assert call.before == ["Cem is all-in for 2000.", "Dan calls 2000 and is all-in.", "Ada calls 1950 and is all-in."]
    assert " ".join(call.before) in plain(found.report().sections[1])
    assert found.as_dict()["decisions"][0]["before"] == call.before


def _session(path: Path) -> Path:
    """Three hands at a table with two agents: every hand is checked and called down."""
    sitting = Sitting.start(path, "holdem", ["me", "chart", "call"], {"chips": 1000}, 3)
    while sitting.game.number < 4:
        if sitting.game.seat is None:
            sitting.act(NEXT, safe=False)
        elif sitting.agents_turn:
            sitting.let_agent_act()
        else:
            sitting.act("c", safe=False)
    sitting.close()
    return path


def test_a_grave_call_is_found_priced_and_written_on_a_page() -> None:
    found = review([_record("Ada", "Bob", "Cem", "Dan")], "Bob", "ranges")
    (call,) = found.decisions
    assert (call.played, call.advised, call.mistake, call.group, call.kind) == (
        "call",
        "fold",
        "grave",
        "preflop",
        "call",
    )
    assert list(call.cards) == ["Jc", "3d"]
    page = plain(found.report().sections[1])
    assert "A grave mistake: call, where fold was worth" in page
    data = found.as_dict()
    assert data["mistakes"]["grave"] == 1
    assert data["by_street"]["preflop"]["given_away"] == pytest.approx(call.cost)
    json.dumps(data, allow_nan=False)


def test_the_odds_review_without_calling_anything_a_mistake() -> None:
    found = review([_record("Ada", "Bob", "Cem", "Dan")], "Bob", "odds")
    assert (len(found.decisions), found.mistakes) == (1, [])


def _decision(hand: int, cost: float, mistake: str, group: str = "flop", played: str = "call") -> PricedDecision:
    return PricedDecision(hand, 0, group, played, "fold", cost, 0.1, mistake, "unit.bb", [("fold", 0.0, 0.0)], "why")


def test_mistakes_come_before_what_may_be_chance_and_only_they_are_given_away() -> None:
    found = Review(
        "me",
        "ranges",
        3,
        [
            _decision(1, 9.0, ""),
            _decision(2, 1.0, "small", "turn", "raise to 300"),
            _decision(3, 4.0, "grave"),
        ],
    )
    assert [d.hand for d in found.dearest()] == [3, 2, 1]
    streets = found.totals(lambda d: d.group)
    assert streets["flop"] == {"decisions": 2, "mistakes": 1, "given_away": 4.0, "differences": 13.0}
    assert found.totals(lambda d: d.kind)["raise"]["given_away"] == 1.0
    assert found.as_dict()["given_away"] == 5.0


def test_a_session_is_read_without_being_touched_and_me_is_its_person(tmp_path: Path) -> None:
    path = _session(tmp_path / "s.jsonl")
    before = path.read_bytes()
    records, name = read_played(path)
    assert (len(records), name, path.read_bytes()) == (3, "me", before)
    assert records[2]["agents"].count("") == 1  # who sat there is known, and what he did so far
    steps = [step for step, _ in decisions_of(records[0], name)]
    assert steps
    assert sum(figures["hands"] for figures in records[2]["figures"]) == 9


def test_a_log_must_have_the_player_that_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(_record("Ada", "Bob", "Cem", "Dan")) + "\n")
    records, name = read_played(path, "Bob")
    assert (len(records), name) == (1, "Bob")
    assert records[0]["figures"][1]["played"] == 1
    with pytest.raises(UnreadableError, match="nobody in"):
        read_played(path, "Bobb")


@pytest.mark.parametrize("content", [b"", b"no hands here\n", b'{"table": 9}\n', b"\x00\xff"])
def test_a_file_that_is_neither_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(content)
    with pytest.raises(UnreadableError):
        read_played(path)
    with pytest.raises(UnreadableError, match="cannot read"):
        read_played(tmp_path / "missing.log")


def test_the_command_prints_strict_json_and_writes_a_page(tmp_path: Path) -> None:
    path = _session(tmp_path / "s.jsonl")
    page = tmp_path / "review.html"
    ran = CliRunner().invoke(
        mazzo,
        ["review", str(path), "--adviser", "ranges:seconds=0.1", "--hands", "2", "-o", str(page), "--json", "--quiet"],
    )
    assert ran.exit_code == 0, ran.output
    data = json.loads(ran.stdout, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (data["kind"], data["player"], data["hands"]) == ("review", "me", 2)
    assert len(data["decisions"]) == sum(row["decisions"] for row in data["by_street"].values())
    assert "Review of me" in page.read_text()


def test_the_command_prints_the_dearest_first(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(_record("Ada", "Bob", "Cem", "Dan")) + "\n")
    ran = CliRunner().invoke(mazzo, ["review", str(path), "--player", "Bob", "--quiet"])
    assert ran.exit_code == 0, ran.output
    assert "1  mistakes (1 grave)" in ran.stdout
    assert "Jc 3d" in ran.stdout


def _advice(**more: object) -> Advice:
    return Advice(Explanation("f", "why"), {"f": 0.0, "c": -2.0}, "unit.bb", {}, **more)  # type: ignore[arg-type]


def test_a_verdict_says_how_large_a_mistake_is_or_that_it_is_none() -> None:
    sure = {"errors": {"f": 0.0, "c": 0.1}, "difference_errors": {"c": 0.1}}
    assert "grave mistake" in verdict(_advice(mistakes={"c": "grave"}, **sure), "c")
    assert "may be chance" in verdict(_advice(mistakes={}, **sure), "c")
    assert "never call a play a mistake" in verdict(_advice(mistakes={}), "c")
    assert "cost 2.0000" in verdict(_advice(), "c")
    assert verdict(_advice(mistakes={}), "f") == "Best play."


def test_the_coach_counts_only_what_is_called_a_mistake() -> None:
    coach = Coach()
    coach.note(2.0, False, "unit.bb", "")
    coach.note(3.0, False, "unit.bb", "grave")
    assert (coach.decisions, coach.mistakes, coach.cost) == (2, 1, 3.0)
    coach.note(1.5, False, "unit.bb")  # of a file from before, or an exact adviser
    assert (coach.mistakes, coach.cost) == (2, 4.5)
