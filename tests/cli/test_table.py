"""The one loop of the terminal, at every game: what is typed, what is shown, who is asked, how one comes back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.cli.holdem.play import keep_score, setting
from mazzo.cli.table import TerminalTable
from mazzo.errors import UnreadableError
from mazzo.holdem.rules import find_game
from mazzo.holdem.seated import HoldemTable
from mazzo.seated import Leave
from mazzo.sitting import Sitting
from mazzo.tressette.seated import TressetteTable


class Person:
    """Types given lines, then always the same one or leaves, and remembers what was shown and asked."""

    def __init__(self, *lines: str, then: str | None = None) -> None:
        self._lines: Iterator[str] = iter(lines)
        self._then = then
        self.heard: list[str] = []
        self.asked: list[str] = []

    def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        self.heard.append(prompt)
        line = next(self._lines, self._then)
        if line is None:
            raise Leave
        return line

    @property
    def text(self) -> str:
        return "\n".join(self.heard)


def table(person: Person, sitting: Sitting, **how: Any) -> TerminalTable:
    return TerminalTable(sitting, person.ask, person.heard.append, **how)


def holdem(lines: list[str], seats: list[str] | None = None, seed: int = 6, **options: Any) -> tuple[HoldemTable, str]:
    """Play the lines at a table of Hold'em; how it stands then, and all that was shown."""
    person = Person(*lines)
    one = table(
        person,
        Sitting("holdem", seats or ["me", "call"], {"chips": 500, **options}, seed),
        advisers=("odds", "utility"),
    )
    with pytest.raises(Leave):
        one.play()
    assert isinstance(one.game, HoldemTable)
    return one.game, person.text


def test_amounts_are_checked_and_the_reason_is_given() -> None:
    game, said = holdem(["r 5", "r 9999", "r", "r 1e3", "x"])
    assert game.hand.history in ((), (1,))
    assert said.count("at least and to 500 at most") == 2
    assert said.count("raise to how much?") == 2
    assert "'x' is nothing that can be done now; press Enter alone to see what you can type" in said
    assert "STATE:" not in said


def test_enter_alone_says_what_can_be_typed() -> None:
    _, said = holdem([""])
    for words in (
        "f fold",
        "r AMOUNT bet or raise to (counted on this street)",
        "s standings",
        "u take back",
        "h [N] a past hand",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("key", "total"), [("m", 20), ("p", 30), ("a", 500), ("r 123", 123), ("r77", 77), ("R 50", 50)]
)
def test_keys_raise_what_they_say(key: str, total: int) -> None:
    game, _ = holdem([key])
    assert total in (game.session.past[0] if game.session.past else game.hand).history


def test_a_hint_gives_equity_pot_odds_and_an_agents_reason() -> None:
    _, said = holdem(["?", "? chart", "?nobody"])
    assert said.count("of the pot against a random hand") == 3
    assert "utility would play" in said
    assert "chart would play" in said
    assert "there is no agent 'nobody'" in said


def test_cards_of_others_are_shown_only_at_a_showdown() -> None:
    game, said = holdem(["f"])
    assert game.session.number == 1
    hidden = game.session.past[0].hole(game.session.seatings[0].index(1))
    assert not any(card.symbol in said or str(card) in said for card in hidden)
    game, said = holdem(["c", "c", "c", "c", "h"])
    shown = game.session.past[0].hole(game.session.seatings[0].index(1))
    assert all(card.symbol.replace("T", "10") in said for card in shown)


def test_past_hands_are_replayed_action_by_action() -> None:
    _, said = holdem(["h", "c", "c", "c", "c", "h 1", "h 9"])
    assert "no hand has been played yet" in said
    assert said.count("River:") == 2
    assert "Hand 1." in said
    assert "me held" in said
    assert "choose a hand from 1 to 1" in said


def test_two_people_are_asked_in_turn_and_see_their_own_cards_only() -> None:
    game, said = holdem(["", "c", "", "c"], ["me:Anna", "me:Ben"], seed=1)
    assert "Anna, it is your turn" in said
    assert "Ben, it is your turn" in said
    first = said.split("it is your turn")[1]
    assert first.count("┌───┐") == 2
    assert game.names == ["Anna", "Ben"]


def test_the_screen_is_cleared_before_the_next_person_and_the_hand_told_again() -> None:
    person = Person("", "c", "", "c", "", "r 30", "")
    sitting = Sitting("holdem", ["me:Anna", "me:Ben"], {"chips": 500}, 1)
    one = table(person, sitting, clear=lambda: person.heard.append("CLEARED"))
    with pytest.raises(Leave):
        one.play()
    screens = person.text.split("CLEARED")
    assert len(screens) > 2
    for before, after in pairwise(screens):
        assert after.lstrip().startswith(("Anna, it is your turn", "Ben, it is your turn"))
        assert before.count("it is your turn") == 1
        assert "has the button" in after


def test_an_action_is_taken_back_with_all_that_followed() -> None:
    game, said = holdem(["c", "u", "u"])
    assert "Taken back: me calls" in said
    assert "nothing of yours to take back" in said
    assert len(game.hand.history) <= 1


def test_who_busts_is_said_to_rebuy() -> None:
    _, said = holdem(["a"] * 12 + ["s"], seed=3)
    assert "busts and rebuys for 500." in said
    assert "rebought for" in said


def test_a_finished_tournament_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZZO_DATA", str(tmp_path))
    for _ in range(2):
        person = Person(then="a")
        one = table(person, Sitting("holdem", ["me", "call"], {"mode": "tournament", "chips": 60}, 8))
        one.play()
        assert isinstance(one.game, HoldemTable)
        assert one.game.over
        assert "finishes in place 1" in person.text
        score = keep_score(one)
        won = 2 * (one.game.session.places[0] == 1)
    assert score == f"me: {won} of 2 tournaments won"


def test_a_game_gives_blinds_chips_and_seats() -> None:
    seats, options, seed = setting(find_game("holdem-limit-3p"), None, "cash", None, None, 1, 100)
    assert (options["blinds"], options["chips"], options["betting"], seed) == ("5/10", 1000, "limit", 1)
    assert seats == ["me", "utility", "utility"]
    with pytest.raises(UnreadableError, match="seats 3, 2 were given"):
        setting(find_game("holdem-limit-3p"), "me,call", "cash", None, None, 1, 100)
    with pytest.raises(UnreadableError, match="not Hold'em"):
        setting(find_game("leduc-2p"), None, "cash", None, None, 1, 100)


# ---- tressette


def tressette(person: Person, seats: str = "me,greedy,random,greedy", seed: int = 0, **options: Any) -> TerminalTable:
    return table(person, Sitting("tressette", seats.split(","), {"a_monte": False, **options}, seed))


def test_a_person_can_play_a_whole_match_by_numbers() -> None:
    person = Person(then="1")
    one = tressette(person, seed=5)
    one.play()
    assert isinstance(one.game, TressetteTable)
    assert one.game.over
    assert "win the match" in person.text
    assert len(person.asked) == 10 * len(one.game.game.history)


def test_four_people_and_four_agents_both_make_a_table() -> None:
    person = Person(then="1")
    tressette(person, "me,me,me,me", seed=1, target=21).play()
    assert "me#2, it is your turn" in person.text
    silent = Person()
    tressette(silent, "greedy,greedy,greedy,greedy", seed=1, target=21).play()
    assert not silent.asked


def test_a_wrong_card_is_explained_and_asked_for_again() -> None:
    person = Person("99", "zz", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    assert "there is no card number 99" in person.text
    assert "cannot read a card" in person.text


def test_a_card_is_taken_back() -> None:
    person = Person("1", "u", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    shown = [line for line in person.heard if line.startswith("Match")]
    assert shown[0] == shown[-1] != shown[1]


def test_what_is_taken_back_is_said_and_u_stands_alone() -> None:
    person = Person("1", "u x", "u", "u", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    assert "u stands alone and takes back your last action; u x was typed" in person.text
    assert person.text.count("Taken back: me plays ") == 1
    assert "there is nothing of yours to take back in this hand" in person.text


def test_cards_are_typed_as_italians_write_them() -> None:
    for typed in ("8c", "Fc", "Jc", "fante di coppe", "fante c", "1"):
        person = Person(typed, "q")
        with pytest.raises(Leave):
            tressette(person).play()
        assert "me plays 8 of cups." in person.text


def test_advisers_that_differ_say_why() -> None:
    person = Person("? decision", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    assert "search would play" in person.text
    assert "in the same deals search finds" in person.text
    assert "decision is moved by" in person.text


def test_after_a_round_the_own_cards_are_reviewed_on_request() -> None:
    person = Person("review", *["1"] * 10, "review", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    assert person.text.count("no round is over yet") == 1
    assert "Review of south" in person.text
    assert "best with open hands" in person.text


def test_advice_and_knowledge_are_given_on_request() -> None:
    person = Person("?", "k", "", "q")
    with pytest.raises(Leave):
        tressette(person).play()
    assert "highest U = R + DT + V" in person.text or "would play" in person.text
    assert "declared" in person.text or "nothing is known" in person.text
    assert "take back" in person.text


def test_a_person_is_asked_before_a_deal_goes_a_monte() -> None:
    for seed in range(200):
        person = Person("y", "q")
        with pytest.raises(Leave):
            tressette(person, seed=seed, a_monte=True).play()
        if "A monte" in person.asked[0]:
            assert any("a monte" in line for line in person.heard)
            return
    pytest.fail("no poor hand in 200 deals")


def test_agents_say_why() -> None:
    person = Person("1", "q")
    one = TerminalTable(
        Sitting("tressette", ["me", "greedy", "decision", "greedy"], {}, 3),
        person.ask,
        person.heard.append,
        reasons=True,
    )
    with pytest.raises(Leave):
        one.play()
    assert sum(line.startswith("    (") for line in person.heard) >= 3


def test_a_table_has_four_seats() -> None:
    with pytest.raises(UnreadableError, match="tressette has 4 seats, got 3"):
        tressette(Person(), "me,greedy,greedy")


# ---- the commands


def run(*words: str, text: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(mazzo, list(words), input=text, catch_exceptions=True)
    if code == 0 and result.exception:
        raise result.exception
    return result.output


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAZZO_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


GAMES = {
    "holdem-nolimit-3p": ["--seats", "me,call,call", "--seed", "1"],
    "blackjack": ["--seed", "3"],
    "tressette": ["--seats", "me,greedy,random,greedy", "--no-a-monte"],
}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_left_and_resumed_where_it_was(game: str, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    first = run("play", game, *GAMES[game], "--session", str(path), text="1\nc\ns\n1\nq\n")
    assert f"Go on: mazzo play {game} --resume {path}" in first
    again = run("play", game, "--resume", str(path), text="q\n")
    drawn = [line for line in again.splitlines() if "┌───┐" in line]
    assert drawn
    assert drawn[-1] in first
    assert not list(tmp_path.glob("*.lock"))


def test_a_file_of_another_game_says_how_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    run("play", "blackjack", "--session", str(path), text="q\n")
    with pytest.raises(UnreadableError, match="is a table of blackjack: mazzo play blackjack --resume"):
        run("play", "tressette", "--resume", str(path))


def test_a_past_hand_is_printed_alone(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    run("play", "holdem-nolimit-2p", "--seats", "me,call", "--session", str(path), "--hands", "1", text="c\n" * 9)
    assert "River:" in run("play", "holdem-nolimit-2p", "--resume", str(path), "--replay", "1")
    with pytest.raises(UnreadableError, match="--replay needs --resume"):
        run("play", "holdem-nolimit-2p", "--replay", "1")


def test_an_old_session_is_resumed(tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "data" / "tables" / "terminal_cash.jsonl"
    path = tmp_path / "old.jsonl"
    path.write_bytes(old.read_bytes())
    assert "to leave >" in run("play", "holdem-nolimit-4p", "--resume", str(path), text="c\nq\n")


LIMIT = Path(__file__).parents[1] / "data" / "tables" / "terminal_limit.jsonl"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("kuhn-3p --seats me,call,call --seed 9", "--seed has no effect with --resume"),
        ("kuhn-3p", "kuhn-3p is not Hold'em"),
        ("holdem-nolimit-3p", "is not a session of holdem-nolimit-3p: it is one of 3 seats, betting limit"),
        ("holdem-limit-2p", "is not a session of holdem-limit-2p: it is one of 3 seats"),
        ("holdem-limit-3p --seats me,call,call", "seats me,chart,call: a session keeps its seats"),
        ("holdem-limit-3p --chips 5 --tournament", "--tournament, --chips has no effect with --resume"),
        ("holdem-limit-3p --session other.jsonl", "--session has no effect"),
        ("holdem-limit-3p --replay 1 --hands 2", "--hands has no effect with --resume: with --replay one hand"),
        ("tressette --talk", "--talk has no effect"),
        ("blackjack --rules hungarian", "--rules has no effect"),
    ],
)
def test_what_is_typed_beside_a_session_and_would_change_nothing_is_refused(
    typed: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "limit.jsonl"
    path.write_bytes(LIMIT.read_bytes())
    with pytest.raises(UnreadableError, match=complaint):
        run("play", *typed.split(), "--resume", str(path), text="q\n")
    assert path.read_bytes() == LIMIT.read_bytes()


@pytest.mark.parametrize("typed", ["holdem-limit-3p", "holdem", "holdem-limit-3p --seats me,chart,call --hands 1"])
def test_a_session_is_gone_on_with_by_the_name_of_its_game_and_its_own_seats(typed: str, tmp_path: Path) -> None:
    path = tmp_path / "limit.jsonl"
    path.write_bytes(LIMIT.read_bytes())
    assert "to leave >" in run("play", *typed.split(), "--resume", str(path), text="q\n")


def test_holdem_without_a_game_or_a_session_asks_which() -> None:
    with pytest.raises(UnreadableError, match="which game"):
        run("play", "holdem")


def test_blackjack_is_played_with_a_coach_by_any_rules() -> None:
    text = run("play", "blackjack", "--seed", "3", "--rounds", "3", text="n\ns\n" * 20)
    assert "Round 3" in text
    assert "mistakes in" in text
    assert "3 rounds; the same seed" in text
    rules = ("--rules", "hungarian", "--set", "decks=8", "--set", "max_hands=unlimited")
    assert "A shoe of 8 decks" in run("play", "blackjack", *rules, text="q\n")
    with pytest.raises(UnreadableError, match="real decks"):
        run("play", "blackjack", "--set", "decks=infinite")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("tresette",), "did you mean 'tressette'"),
        (("holdem-nolimit-6",), "did you mean 'holdem-nolimit-6p'"),
        (("tressette-talk",), "mazzo play tressette --help"),
        (("none.game",), "none.game"),
    ],
)
def test_a_game_that_is_not_there_is_named_with_the_nearest(words: tuple[str, ...], complaint: str) -> None:
    assert complaint in run("play", *words, code=2)
