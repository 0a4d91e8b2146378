"""`mazzo explain` for every game: what the text shows is inferred, what it leaves open is asked for."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import AmbiguousError, MazzoError, UnreadableError
from mazzo.games import find_decision

VIEW = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead me; play 3d 7d 8d 9d"
DONE = "STATE:0:rrc/cc/rc/cc:AsKd|7h7c/2c7dTh/3s/Qc:-40|40:Anna|Ben"


def run(*words: str) -> str:
    result = CliRunner().invoke(mazzo, ["explain", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def told(*words: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(run(*words, "--json"))
    return data


def test_a_line_that_may_be_of_two_games_is_asked_about() -> None:
    """A no-limit line without a raise was read as limit once, and explained as such."""
    with pytest.raises(AmbiguousError, match="--game holdem-limit-2p or --game holdem-nolimit-2p"):
        run("rich", "MATCHSTATE:0:0:cc/:AsAh|/2c7dTh")
    assert run("rich", "MATCHSTATE:0:0:cc/:AsAh|/2c7dTh", "--game", "holdem-nolimit-2p")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("MATCHSTATE:0:0:r300c/:AsAh|/2c7dTh", "holdem-nolimit-2p"),
        ("MATCHSTATE:0:0:rc/:AsAh|/2c7dTh", "holdem-limit-2p"),
        ("MATCHSTATE:0:0:r:AsAh||", "holdem-limit-3p"),
    ],
)
def test_the_raises_of_a_line_say_what_is_played(line: str, name: str) -> None:
    entry, _, seen = find_decision(line)
    assert entry.NAME == "holdem"
    assert seen.game.name == name
    assert told("rich", line)["action"]


def test_a_line_with_raises_of_both_kinds_is_refused() -> None:
    with pytest.raises(MazzoError, match="--game"):
        run("rich", "MATCHSTATE:0:0:r300c/rr:AsAh|/2c7dTh")


@pytest.mark.parametrize(
    ("line", "game", "complaint"),
    [
        ("MATCHSTATE:0:0:r300c/:AsAh|/2c7dTh", "holdem-limit-2p", "'r300' is a raise of a no-limit game, but holdem-"),
        (
            "MATCHSTATE:0:0:rc/:AsAh|/2c7dTh",
            "holdem-nolimit-2p",
            "'r' is a raise of a limit game, but holdem-nolimit-2p",
        ),
    ],
)
def test_a_line_is_not_read_as_the_other_kind_of_betting(line: str, game: str, complaint: str) -> None:
    """Under limit rules a raise to 300 was once carried out as the limit raise to 20."""
    with pytest.raises(UnreadableError, match=complaint):
        run("rich", line, "--game", game)


def test_any_decision_of_a_finished_hand_is_explained_as_it_was_seen() -> None:
    for number, then in ((2, "STATE:0:r:AsKd|7h7c"), (5, "STATE:0:rrc/c:AsKd|7h7c/2c7dTh")):
        then_seen, now = told("rich", then), told("rich", DONE, "--decision", str(number))
        assert (now["action"], now["facts"], now["options"]) == (
            then_seen["action"],
            then_seen["facts"],
            then_seen["options"],
        )
    with pytest.raises(UnreadableError, match=r"hand is over in .*: which decision of it\? --decision 1 to 9"):
        run("rich", DONE)
    with pytest.raises(UnreadableError, match="there is no decision 10"):
        run("rich", DONE, "--decision", "10")


@pytest.mark.parametrize("agent", ["call", "chart", "fold", "random", "reader", "rich"])
def test_every_agent_of_limit_holdem_explains(agent: str) -> None:
    assert told(agent, "STATE:0:r:AsKd|7h7c")["reason"]


@pytest.mark.parametrize("agent", ["count", "chart", "random"])
def test_every_agent_of_blackjack_explains(agent: str) -> None:
    data = told(agent, "8,8 v 10")
    assert data["reason"]
    assert {"agent", "hand", "action", "options", "facts"} <= set(data)


def test_blackjack_is_explained_by_the_rules_that_are_named() -> None:
    by = {name: told("count", "8,8 v 10", "--game", name)["options"] for name in ("strip", "hungarian")}
    assert by["strip"] == told("count", "8,8 v 10", "--game", "blackjack")["options"]
    assert by["strip"] != by["hungarian"]


def test_against_an_ace_insurance_is_the_decision_until_it_is_answered() -> None:
    def options(hand: str, *more: str) -> set[str]:
        told_options = told("chart", hand, *more)["options"]
        assert isinstance(told_options, list)
        return {option["action"] for option in told_options}

    assert options("8,8 v A") == {"insure", "leave"}
    assert options("A,T v A") == {"insure", "even money", "leave"}
    assert options("deal 8,8 v A; plays leave") == {"stand", "hit", "double", "split"}
    assert options("deal 8,8 v A; plays leave", "--decision", "1") == {"insure", "leave"}
    assert options("5,3,2 v A") == {"stand", "hit"}


@pytest.mark.parametrize("game", ["strip", "hungarian"])
@pytest.mark.parametrize("hand", ["A,T v 9", "T,9,5 v 9"])
def test_a_round_of_blackjack_without_a_decision_is_refused(hand: str, game: str) -> None:
    with pytest.raises(UnreadableError, match="over"):
        run("chart", hand, "--game", game)


@pytest.mark.parametrize("agent", ["decision", "greedy", "belief", "random"])
def test_every_kind_of_agent_of_tressette_explains(agent: str) -> None:
    from mazzo.cards import ITALIAN

    assert str(ITALIAN.card(str(told(agent, VIEW)["action"]))) in VIEW


def test_any_decision_of_a_whole_round_of_tressette_is_explained() -> None:
    from tests.tressette.situations import play_at_random

    table = play_at_random(3, 40)
    text = table.text() if hasattr(table, "text") else str(table)
    for number in (1, 17, 40):
        assert told("greedy", text, "--decision", str(number))["action"]
    with pytest.raises(UnreadableError, match="--decision 1 to 40"):
        run("greedy", text)


def test_an_agent_that_sees_all_cards_explains_a_round_that_shows_them() -> None:
    from mazzo import tressette
    from mazzo.agent import create
    from mazzo.tressette.agents import AGENTS
    from tests.tressette.situations import play_at_random

    text = play_at_random(3, 21).text()
    position = tressette.Round.parse(text)
    best = create("cheat", AGENTS, allow_cheats=True).decide_open(position.row, np.array([0]), position.observe())
    data = told("cheat", text, "--allow-cheats")
    assert data["action"] == position.action_text(int(best[0]))
    options = data["options"]
    assert isinstance(options, list)
    assert {option["action"] for option in options} == set(str(position.legal).split(", "))
    assert max(option["value"] for option in options) == options[0]["value"]
    with pytest.raises(UnreadableError, match="sees all cards: it plays only where --allow-cheats is given"):
        run("cheat", text)
    with pytest.raises(UnreadableError, match="cheat needs all four hands"):
        run("cheat", VIEW, "--allow-cheats")
    with pytest.raises(UnreadableError, match="'greedy' does not see all cards: leave out --allow-cheats"):
        run("greedy", text, "--allow-cheats")


@pytest.mark.parametrize(
    ("hand", "complaint"),
    [
        ("hello", "does not say what game it is of"),
        ("", "does not say what game it is of"),
        ("me 3d; lead me", "1 cards"),
        ("8,8 v 10 v 9", "8,8 v 10"),
        ("me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1", "does not show what|is not known"),
    ],
)
def test_texts_that_cannot_be_explained_are_named(hand: str, complaint: str) -> None:
    with pytest.raises(MazzoError, match=complaint):
        run("chart" if " v " in hand else "greedy", hand)


def test_games_prints_the_definition_of_every_game() -> None:
    for name, words in (("holdem-limit-2p", "GAMEDEF"), ("hungarian", "decks"), ("tressette", "tressette")):
        result = CliRunner().invoke(mazzo, ["games", name], catch_exceptions=False)
        assert words in result.output
        data = json.loads(CliRunner().invoke(mazzo, ["games", name, "--json"], catch_exceptions=False).output)
        assert {"name", "players", "definition"} <= set(data)


def test_the_range_of_a_player_of_holdem_stands_below_the_explanation() -> None:
    line = "MATCHSTATE:1:0:rrc/r:|Ac2h/8h4h2s"
    printed = CliRunner().invoke(mazzo, ["explain", "chart", line, "--range"])
    assert printed.exit_code == 0
    assert "holdings; by 2 decisions and the policy of chart" in printed.output
    told = json.loads(CliRunner().invoke(mazzo, ["explain", "chart", line, "--range", "--json"]).output)["range"]
    assert len(told["classes"]) == 169
    assert sum(told["classes"].values()) == pytest.approx(1)
    refused = CliRunner().invoke(mazzo, ["explain", "basic", "8,8 v 10", "--game", "hungarian", "--range"])
    assert refused.exit_code != 0
    assert "has none" in str(refused.exception)
