import json
from typing import Any

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import IllegalError, UnreadableError


def run(*words: str, typed: str | None = None) -> str:
    result = CliRunner().invoke(mazzo, words, input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*words: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run(*words, "--json"))
    return data


VIEW = "me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1; play 8d 2s 3d 4d"


def test_know_prints_every_deduction_with_its_reason() -> None:
    out = run("tressette", "know", VIEW)
    assert "compagno cannot hold 9d 10d Ad 2d: compagno did not follow denari in trick 1" in out
    assert "deals agree with what was seen" in out


def test_know_gives_chances_and_reasons_as_json() -> None:
    data = run_json("tressette", "know", VIEW)
    assert data["cards"]["9d"]["compagno"] == {"status": "impossible", "p_holds": 0.0}
    assert sum(entry["p_holds"] for entry in data["cards"]["9d"].values()) == pytest.approx(1)
    assert data["voids"] == [["compagno", "denari"]]


def test_know_refuses_a_card_played_twice() -> None:
    with pytest.raises(IllegalError, match="8d was already played by avv1 in trick 1"):
        run("tressette", "know", VIEW + ", 8d")


def test_a_match_prints_points_a_deal_with_their_interval_as_json() -> None:
    data = run_json("match", "tressette", "greedy", "random", "--deals", "300", "--seed", "7")
    assert [player["name"] for player in data["players"]] == ["greedy", "random"]
    assert data["players"][0]["ci95"][0] > 1.5
    assert (data["deals"], data["seed"]) == (300, 7)


def test_a_match_prints_a_table_for_people() -> None:
    out = run("match", "tressette", "greedy", "random", "--deals", "100", "--quiet")
    assert out.splitlines()[0].split()[0] == "agent"
    assert out.splitlines()[1].split()[0] == "greedy"


ENDING = "south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south"


def test_solve_prints_what_every_card_is_worth() -> None:
    data = run_json("tressette", "solve", ENDING)
    assert data["turn"] == "south"
    assert data["thirds"] == {"3d": 6, "4c": 9}, (
        "led first the 3d takes six thirds; led last it takes the last trick too"
    )
    assert data["best"] == ["4c"]
    assert "south plays" in run("tressette", "solve", ENDING)


def test_solve_refuses_unequal_hands_and_asks_for_one_source() -> None:
    with pytest.raises(IllegalError, match="equally many cards"):
        run("tressette", "solve", "south 3d; east 2d 5c; north Ad; west 10d; lead south")
    with pytest.raises(UnreadableError, match="either the text of a position or --seed"):
        run("tressette", "solve", ENDING, "--seed", "1")


def test_a_cheat_plays_only_where_cheats_are_allowed() -> None:
    with pytest.raises(UnreadableError, match="'cheat' sees all cards: it plays only where --allow-cheats is given"):
        run("match", "tressette", "cheat", "random", "--deals", "1")
    data = run_json("match", "tressette", "cheat:full=4", "random", "--deals", "3", "--allow-cheats")
    assert data["players"][0]["name"] == "cheat:full=4"
