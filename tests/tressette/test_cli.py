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


MINE = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; score 25 22; lead avv1; play 8d 2s 9d"


def test_advise_says_which_card_by_how_much_and_why_two_advisers_differ() -> None:
    out = run("tressette", "advise", MINE, "--also", "decision")
    assert "search plays 2d: 2d before 4d by " in out
    assert "search and decision agree on 2d" in out
    out = run("tressette", "advise", "me 3d 2d 4d 5d 6d 4c 5c 6c Rs 5s; lead me", "--also", "decision")
    assert "search would play 2d, decision 10s; in the same deals search finds 10s " in out
    assert "decision is moved by masters later (DT)" in out
    data = run_json("tressette", "advise", MINE)
    first, *others = data["advice"][0]["options"]
    assert first["behind"] == 0
    assert all(o["behind_standard_error"] >= 0 for o in others)
    assert "score 25 22" in data["round"]


def test_advise_takes_seconds_for_agents_that_have_them() -> None:
    assert "search:seconds=0.05 plays" in run("tressette", "advise", MINE, "--seconds", "0.05")
    with pytest.raises(UnreadableError, match="greedy takes no seconds"):
        run("tressette", "advise", MINE, "--advisor", "greedy", "--seconds", "1")
    with pytest.raises(UnreadableError, match="avv1 is to play"):
        run("tressette", "advise", "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1")
    with pytest.raises(UnreadableError, match="likely of the agent belief must be 0 to 1"):
        run("tressette", "advise", MINE, "--advisor", "belief:likely=2")


def test_a_round_is_reviewed_by_what_could_be_known_and_by_open_hands() -> None:
    data = run_json("tressette", "review", "--seed", "7", "--advisor", "search:walks=100")
    assert data["player"] == "south"
    assert len(data["cards"]) + data["forced"] == 10
    assert all(card["cost_open"] >= 0 and card["best_open"] for card in data["cards"])
    assert "best with open hands" in run("tressette", "review", data["round"], "--seat", "east", "--advisor", "greedy")


def test_a_session_is_reviewed_by_search_and_by_open_hands(tmp_path: Any) -> None:
    from mazzo.sitting import Sitting

    path = tmp_path / "one.jsonl"
    sitting = Sitting.start(path, "tressette", ["me", "greedy", "greedy", "greedy"], {"a_monte": "false"}, 3)
    while sitting.game.seat is not None:
        if sitting.agents_turn:
            sitting.let_agent_act()
        else:
            sitting.act(sitting.game.view(0)["choices"][0]["action"])
    sitting.close()
    for adviser in ("search:walks=200", "open hands"):
        data = run_json("review", str(path), "--adviser", adviser)
        assert data["decisions"]
        assert data["not_priced"] == []
        assert all(
            d["cost"] is not None or "alike" in d["reason"] or "only legal" in d["reason"] for d in data["decisions"]
        )


def test_every_new_table_has_fresh_deals_unless_a_seed_is_given(tmp_path: Any) -> None:
    deals = []
    for k, seed in enumerate(([], [], ["--seed", "5"], ["--seed", "5"])):
        path = tmp_path / f"{k}.jsonl"
        run("play", "tressette", "--session", str(path), *seed, typed="q\n")
        deals.append(json.loads(path.read_text().splitlines()[0])["seed"])
    assert deals[0] != deals[1]
    assert deals[2:] == [5, 5]
