from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError


def run(*words: str | int | Path) -> str:
    result = CliRunner().invoke(mazzo, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learn")
    run("generate", "holdem-limit-2p", "random", "chart", "--hands", 400, "-o", folder / "some.log")
    run("learn", folder / "some.log", "-o", folder / "hero.mz", "--trees", 5, "--iterations", 3, "--seed", 2)
    return folder


def test_from_a_log_to_a_hero_that_plays_and_explains(folder: Path) -> None:
    standing = json.loads(run("match", "holdem-limit-2p", folder / "hero.mz", "random", "--hands", 200, "--json"))
    assert standing["hands"] == 200
    told = json.loads(run("explain", folder / "hero.mz", "MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s", "--json"))
    assert told["action"] in ("f", "c", "r")
    assert {option["action"] for option in told["options"]} == {"fold", "call", "raise"}


def test_what_was_learned_comes_as_json_and_decisions_as_numbers(folder: Path) -> None:
    text = run(
        "learn",
        folder / "some.log",
        "-o",
        folder / "two.mz",
        "--against",
        "chart",
        "--trees",
        3,
        "--iterations",
        2,
        "--attributes",
        "stage,turn,pv,pot",
        "--export",
        folder / "data.txt",
        "--evaluate",
        "--json",
    )
    data = json.loads(text)
    assert data["attributes"] == ["stage", "turn", "pv", "pot"]
    judged = data["judged"]
    assert judged["can_be_judged"] == (not judged["why_not"]) == ("bb_per_hand" in judged)
    assert judged["bound"] is None or judged["bound"][0] < judged["bound"][1]
    assert len((folder / "data.txt").read_text().splitlines()) == data["decisions"] + 1


@pytest.mark.parametrize(
    ("opponent", "hands", "words", "reward"),
    [
        ("random", 1000, "says nothing of their cards", "equity"),
        ("chart", 3000, "may tell of their cards", "chips"),
        ("random", 200, "", "chips"),  # too few showdowns to say anything
    ],
)
def test_how_showdowns_count_is_chosen_and_said(
    tmp_path: Path, opponent: str, hands: int, words: str, reward: str
) -> None:
    log, model = tmp_path / "some.log", tmp_path / "some.mz"
    run("generate", "holdem-limit-2p", "random", opponent, "--hands", hands, "-o", log)
    against = "chart" if opponent == "chart" else "random#2"
    asked: list[str | int | Path] = ["learn", log, "-o", model, "--against", against, "--trees", 2, "--iterations", 1]
    result = CliRunner().invoke(mazzo, [str(word) for word in asked], catch_exceptions=False)
    assert words in result.stderr
    assert ("of their cards" in result.stderr) == bool(words)
    assert json.loads(run(*asked, "--json"))["reward"] == reward


def test_every_agent_can_be_asked_for_its_reasons() -> None:
    for agent in ("random", "rich", "chart"):
        assert run("explain", agent, "STATE:0:r:AsKd|7h7c")


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("MATCHSTATE:0:0:r:|7h7c", "does not show the cards"),
        ("STATE:0:cc/:AsKd|7h7c", "board cards"),
        ("STATE:0:f:AsKd|7h7c", "hand is over"),
    ],
)
def test_hands_that_cannot_be_explained_are_named(hand: str, words: str) -> None:
    with pytest.raises(UnreadableError, match=words):
        run("explain", "rich", hand, "--game", "holdem-limit-2p")


def test_wrong_requests_are_refused_before_anything_is_written(folder: Path) -> None:
    log, out = folder / "some.log", folder / "no.mz"
    for words, message in (
        (("--against", "chatr"), "did you mean 'chart'"),
        (("--player", "nobody"), "no player 'nobody'"),
        (("--regressor", "boost"), "did you mean 'boosted'"),
        (("--reward", "equty"), "did you mean 'equity'"),
        (("--attributes", "pvv"), "no attribute"),
        (("--caution", "some"), "must be auto, none or a number"),
        (("--regressor", "extra", "--leaves", "5"), "'extra' has no setting 'leaves'; its settings: trees, cuts, leaf"),
        (("--regressor", "boosted", "--cuts", "3"), "'boosted' has no setting 'cuts'; its settings: trees, leaves"),
        (("--regressor", "linear", "--rate", ".1"), "'linear' has no setting 'rate'; its settings: none of its own"),
        (("--regressor", "neighbours", "--trees", "9"), "'neighbours' has no setting 'trees'; its settings: leaf"),
    ):
        with pytest.raises(UnreadableError, match=message):
            run("learn", log, "-o", out, *words)
    assert not out.exists()


def test_a_log_of_another_game_or_with_too_few_hands_is_refused(folder: Path) -> None:
    run("generate", "leduc-2p", "call", "fold", "--hands", 20, "-o", folder / "leduc.log")
    with pytest.raises(UnreadableError, match=r"leduc-2p.*cannot be learned from"):
        run("learn", folder / "leduc.log", "-o", folder / "no.mz")
    run("generate", "holdem-nolimit-2p", "call", "fold", "--hands", 20, "-o", folder / "nolimit.log")
    with pytest.raises(UnreadableError, match="--export writes decisions of heads-up limit"):
        run("learn", folder / "nolimit.log", "-o", folder / "no.mz", "--export", folder / "no.txt")
    with pytest.raises(UnreadableError, match="--sizes is for no-limit"):
        run("learn", folder / "some.log", "-o", folder / "no.mz", "--sizes", "1,2")
    run("generate", "holdem-limit-2p", "call", "fold", "--hands", 5, "-o", folder / "few.log")
    with pytest.raises(UnreadableError, match="too few"):
        run("learn", folder / "few.log", "-o", folder / "no.mz")


def test_a_database_is_never_written_over_another(folder: Path) -> None:
    with pytest.raises(UnreadableError, match="exists already"):
        run("generate", "holdem-limit-2p", "call", "fold", "-o", folder / "some.log")


def test_a_hero_is_learned_from_an_export(tmp_path: Path) -> None:
    log, numbers = str(tmp_path / "r.log"), str(tmp_path / "data4FQI.txt")
    runner = CliRunner()
    runner.invoke(mazzo, ["generate", "holdem-limit-2p", "random", "random", "--hands", "200", "-o", log])
    common = ["--trees", "3", "--iterations", "2", "--quiet"]
    one = runner.invoke(mazzo, ["learn", log, "-o", str(tmp_path / "a.mz"), "--export", numbers, *common])
    other = runner.invoke(mazzo, ["learn", numbers, "-o", str(tmp_path / "b.mz"), *common])
    assert one.exit_code == other.exit_code == 0, other.output
    assert one.stdout.split(": ")[1] == other.stdout.split(": ")[1]
    with pytest.raises(UnreadableError, match="leave out --player"):
        runner.invoke(mazzo, ["learn", numbers, "-o", "x.mz", "--player", "random#1"], catch_exceptions=False)


def test_regressors_are_listed_without_anything_else() -> None:
    found = CliRunner().invoke(mazzo, ["learn", "--regressor", "list"], catch_exceptions=False)
    assert found.exit_code == 0
    assert {"neighbours", "net", "linear", "extra"} <= {line.split()[0] for line in found.stdout.splitlines() if line}
