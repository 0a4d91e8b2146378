"""The guide on extending, followed literally: its files are there, and their game plays, explains and replays."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.games import entries, find_entry
from mazzo.testing import check_agent, check_game
from mazzo.web.app import create_app
from mazzo.words.texts import _brought, catalogue, text
from tests.web.playing import open_table, play_hand, seated

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "extend.md").read_text()
GAME = GUIDE.partition("## A game\n")[2].partition("\n## ")[0]
STEPS = re.findall(r"^\d+\. `(examples/briscola/[\w/]+\.py)`", GAME, re.MULTILINE)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the guide says: the folder is named in the environment, here by its whole path."""
    setting = re.search(r"^    export MAZZO_GAMES=(\S+)$", GAME, re.MULTILINE)
    assert setting is not None
    monkeypatch.setenv("MAZZO_GAMES", str(ROOT / setting[1]))


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.chdir(tmp_path)
    with TestClient(create_app(tmp_path / "data"), base_url="http://localhost") as browser:
        browser.headers.update({"host": "localhost", "origin": "http://localhost"})
        yield browser


def run(*words: str | int | Path) -> str:
    result = CliRunner().invoke(mazzo, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_step_names_a_file_and_every_file_has_its_step() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "examples" / "briscola").rglob("*.py")}
    assert len(STEPS) == len(set(STEPS)) == 13
    assert set(STEPS) == there


def test_the_entry_has_what_the_table_of_the_guide_names_and_nothing_else() -> None:
    rows = GAME.partition("| `entry.py` |")[2].partition("\n\n")[0].splitlines()[2:]
    named = {name for row in rows for name in re.findall(r"`(\w+)", row.split("|")[1])}
    entry = find_entry("briscola")
    own = {name for name, thing in vars(entry).items() if getattr(thing, "__module__", "") == "briscola.entry"}
    assert named - {"SECTIONS"} == own | {"NAME", "AGENTS", "ZERO_SUM", "WORDS"}  # SECTIONS may be missing
    assert all(hasattr(entry, name) for name in named - {"SECTIONS"})


def test_the_game_passes_what_is_asked_of_every_game() -> None:
    check_game(find_entry("briscola"), deals=3)


def test_its_agents_pass_what_is_asked_of_every_agent() -> None:
    check_agent("greedy", "briscola", deals=20)
    check_agent("random", "briscola-5", deals=20)


def test_greedy_is_better_than_random_beyond_doubt() -> None:
    standing = json.loads(run("match", "briscola", "greedy", "random", "--hands", 2000, "--json"))
    assert [player["name"] for player in standing["players"]] == ["greedy", "random"]
    assert (standing["hands"], standing["deals"]) == (2000, 1000)
    assert standing["players"][0]["ci95"][0] > 20


def test_the_command_finds_the_game_in_a_process_of_its_own_and_on_two_workers() -> None:
    words = ["match", "briscola", "greedy", "random", "--hands", "16000", "--workers", "2", "--json"]
    done = subprocess.run([sys.executable, "-m", "mazzo", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    alone = json.loads(run("match", "briscola", "greedy", "random", "--hands", 16000, "--workers", 1, "--json"))
    assert json.loads(done.stdout)["players"] == alone["players"]


def test_it_is_listed_with_the_other_games_and_its_agents_with_the_others() -> None:
    assert {"name": "briscola", "players": "2"}.items() <= json.loads(run("games", "--json"))["games"][-2].items()
    assert "briscola" in run("agents")


def test_agents_explain_a_position_of_the_guide_and_one_of_a_log(tmp_path: Path) -> None:
    line = re.search(r'^    mazzo explain greedy "(.*)"$', GAME, re.MULTILINE)
    assert line is not None
    told = json.loads(run("explain", "greedy", line[1], "--json"))
    assert told["action"] == "2s"  # worth nothing and no trump
    assert {option["action"] for option in told["options"]} == {"4d", "Ac", "2s"}
    log = tmp_path / "rounds.log"
    run("match", "briscola", "greedy", "random", "--hands", 4, "--log", log)
    played = next(text for text in log.read_text().splitlines() if not text.startswith("#"))
    second = json.loads(run("explain", "greedy", played, "--decision", 2, "--json"))
    assert second["facts"]["on the table"] == played.partition("; play ")[2].split()[0]


def test_a_hand_is_played_in_the_browser_with_words_for_everything_and_shown_again(client: TestClient) -> None:
    lobby = client.get("/").text
    assert "Briscola" in lobby
    assert "Cards in hand" in client.get("/new/briscola").text
    path = open_table(client, "briscola", ["me", "greedy"])
    with seated(client, path) as seat:
        over = play_hand(seat, seat.state())
        assert [choice["action"] for choice in over["view"]["choices"]] == ["next"]
        assert not [raw for raw in seat.received if "briscola." in raw], "a sentence has no words"
        hidden = [json.loads(raw)["view"]["seats"][1]["hands"][0]["cards"] for raw in seat.received if "view" in raw]
        assert not any(card for cards in hidden for card in cards), "the other's cards were sent"
    link = client.get(f"{path}/last", follow_redirects=False).headers["location"]
    page = client.get(link).text
    shown: dict[str, Any] = json.loads(page.split('id="hand" type="application/json">')[1].split("</script>")[0])
    assert len(shown["frames"]) == 41
    assert shown["frames"][-1]["view"]["hand_over"]
    assert "Deal 1" in shown["frames"][0]["said"][0]
    advice = client.get("/api/advice", params={"h": shown["link"], "step": 0, "adviser": "greedy"}).json()
    assert advice["reason"] == "it leads what it can best spare"
    assert sum(int(k) for k in shown["frames"][-1]["view"]["facts"][0][1].split("-")) == 120


def test_nobody_in_a_browser_chooses_a_game_by_its_place(client: TestClient) -> None:
    for name in ("examples/briscola", "briscola.entry", "../briscola", "os"):
        assert client.post(f"/new/{name}", data={"seats": "2", "seat0": "me", "seat1": "random"}).status_code >= 400


def test_without_the_variable_the_game_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAZZO_GAMES")
    assert [entry.NAME for entry in entries()] == ["holdem", "blackjack", "tressette"]
    with pytest.raises(UnreadableError, match="there is no game 'briscola'"):
        find_entry("briscola")
    assert "game.briscola" not in catalogue()


def test_a_folder_without_a_game_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAZZO_GAMES", str(tmp_path))
    with pytest.raises(UnreadableError, match=r"MAZZO_GAMES names .* no entry\.py"):
        entries()


def test_an_installed_package_names_its_game_by_an_entry_point(tmp_path: Path) -> None:
    about = tmp_path / "briscola-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: briscola\nVersion: 1\n")
    point = re.search(r'^    \[project\.entry-points\."(\S+)"\]\n    (\w+) = "(\S+)"$', GAME, re.MULTILINE)
    assert point is not None
    (about / "entry_points.txt").write_text(f"[{point[1]}]\n{point[2]} = {point[3]}\n")
    code = (
        f"import sys; sys.path += [{str(tmp_path)!r}, {str(ROOT / 'examples')!r}]\n"
        "from mazzo.games import entries; print([e.NAME for e in entries()])"
    )
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert "'tressette', 'briscola']" in done.stdout, done.stderr


def test_a_game_outside_the_package_cannot_change_the_words_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = find_entry("briscola")
    monkeypatch.setattr(entry, "WORDS", {"en": {"game.holdem": "Whist", "briscola.more": "More"}})
    _brought.cache_clear()
    assert text("game.holdem") != "Whist"
    assert catalogue()["game.holdem"] != "Whist"
    assert text("briscola.more") == "More"


# ---- briscola's own rules, by examples from books on card games


def test_a_trump_takes_any_other_suit_and_a_higher_card_its_own() -> None:
    from briscola.kernels import beats

    from mazzo.cards import ITALIAN

    cards = {name: int(ITALIAN.card(name)) for name in ("Ad", "3d", "10d", "2d", "2s", "4s", "7b")}
    assert beats(cards["Ad"], cards["3d"], cards["7b"])  # the ace is above the three,
    assert beats(cards["3d"], cards["10d"], cards["7b"])  # the three above the re
    assert not beats(cards["2d"], cards["10d"], cards["7b"])
    assert beats(cards["2s"], cards["Ad"], cards["4s"])  # any trump takes an ace
    assert not beats(cards["Ad"], cards["2s"], cards["4s"])
    assert not beats(cards["Ad"], cards["4s"], cards["7b"])  # another suit takes nothing


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), choices=st.lists(st.integers(0, 100), min_size=40, max_size=40))
def test_all_points_are_taken_and_the_card_turned_up_is_drawn_last(seed: int, choices: list[int]) -> None:
    round_ = find_entry("briscola").deal(find_entry("briscola").rules("briscola"), seed)
    for k, choice in enumerate(choices):
        legal = list(round_.legal)
        assert len(legal) == (3 if k < 35 else (40 - k + 1) // 2)
        round_.act(legal[choice % len(legal)])
        if k == 33:  # the seventeenth trick: the loser draws the last card
            loser = 1 - (round_.turn or 0)
            assert round_.trump in round_.hand(loser)  # type: ignore[attr-defined]
    assert sum(round_.points) == 120  # type: ignore[attr-defined]
