from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem import improving
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.hero import Hero
from mazzo.holdem.improving import ImprovementPlan, Round, folder_of, improve

PLAN = ImprovementPlan(("call", "self"), hands=300, deals=100, explore=0.3, trees=10)


def test_rounds_are_played_learned_measured_and_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hero = tmp_path / "hero.mz"
    first = list(improve(hero, PLAN, 1))
    assert first[0].kept
    assert first[0].gain is None
    assert set(first[0].earned) == {"call", "random"}  # `self` has no hero yet
    assert hero.read_bytes() == (folder_of(hero) / "round-01.mz").read_bytes()
    monkeypatch.setattr(improving, "_log", _interrupted)
    going = improve(hero, PLAN, 2)
    assert next(going) == first[0]
    with pytest.raises(KeyboardInterrupt):
        next(going)
    monkeypatch.undo()
    (folder_of(hero) / "round-02-01.log").write_text("half a log")
    second = list(improve(hero, PLAN, 2))
    assert second[0] == first[0]
    assert second[1].number == 2
    assert set(second[1].earned) == {"call", "round-01.mz"}
    assert second[1].decisions > first[0].decisions  # the hands of all rounds
    assert second[1].gain is not None
    assert "round 2:" in str(second[1])
    with pytest.raises(UnreadableError, match="another plan"):
        list(improve(hero, replace(PLAN, explore=0.4), 2))


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_it_ends_by_itself_when_nothing_gets_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    def played(folder: Path, plan: ImprovementPlan, done: list[Round], *_: object) -> Round:
        number = len(done) + 1
        told.append(number)
        (folder / f"round-{number:02d}.mz").write_bytes(b"x")
        gain = None if number == 1 else (-0.1, 0.2)
        return Round(number, f"round-{number:02d}.mz", 10, {"call": (0.1, 0.2)}, gain, number == 1)

    monkeypatch.setattr(improving, "_round", played)
    assert len(list(improve(tmp_path / "h.mz", PLAN, 10, patience=2))) == 3
    assert told == [1, 2, 3]


def test_what_cannot_be_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    hero = tmp_path / "hero.mz"
    with pytest.raises(UnreadableError, match="nothing new would be seen"):
        list(improve(hero, replace(PLAN, explore=0.0), 1))
    with pytest.raises(UnreadableError, match="did you mean"):
        list(improve(hero, replace(PLAN, against=("chrat",)), 1))
    hero.write_text("not a hero")
    with pytest.raises(UnreadableError):
        list(improve(hero, PLAN, 1))


def test_the_command_ends_with_a_league_and_says_what_was_kept(tmp_path: Path) -> None:
    words = ["improve", str(tmp_path / "hero.mz"), "--against", "call", "--rounds", "1", "--hands", "300"]
    words += ["--deals", "100", "--trees", "10", "--league", "100", "--json"]
    words += ["--attributes", "stage,turn,pv,owed,HERO_HOLE_CARD_HIGH"]
    result = CliRunner().invoke(mazzo, words, catch_exceptions=False)
    data = json.loads(result.stdout)
    assert [each["kept"] for each in data["rounds"]] == [True]
    assert len(data["league"]["ratings"]) == 2
    hero = find_agent(str(tmp_path / "hero.mz"))
    assert isinstance(hero, Hero)
    assert hero.strategy.attributes == ("stage", "turn", "pv", "owed", "HERO_HOLE_CARD_HIGH")
    assert not data["interrupted"]


def test_at_tables_of_more_than_two_the_opponents_sit_down_in_turn(tmp_path: Path) -> None:
    plan = ImprovementPlan(
        ("call", "self"), hands=300, deals=30, explore=0.4, trees=10, game="holdem-nolimit-3p-100bb", first="chart"
    )
    first, second = improve(tmp_path / "hero.mz", plan, 2)
    assert list(first.earned) == ["call + chart"]
    assert list(second.earned) == ["call + round-01.mz"]
    log = (folder_of(tmp_path / "hero.mz") / "round-01-01.log").read_text()
    assert "hero|opponent 1|opponent 2" in log
    with pytest.raises(UnreadableError, match="cannot play here"):
        list(improve(tmp_path / "other.mz", replace(plan, against=("balanced",)), 1))


def test_a_plan_of_before_goes_on_at_heads_up_limit(tmp_path: Path) -> None:
    hero = tmp_path / "hero.mz"
    done = list(improve(hero, PLAN, 1))
    file = folder_of(hero) / "plan.json"
    file.write_text(
        json.dumps({k: v for k, v in json.loads(file.read_text()).items() if k not in ("game", "first", "attributes")})
    )
    assert list(improve(hero, PLAN, 1)) == done
