from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mazzo.cli.play_holdem import HoldemTable, Leave, _keep_score, _setting
from mazzo.errors import UnreadableError
from mazzo.holdem.game import find_game
from mazzo.holdem.tournament.session import Session, Setting


def table(lines: list[str], setting: Setting) -> tuple[HoldemTable, list[str]]:
    said: list[str] = []
    left: Iterator[str] = iter(lines)

    def ask(prompt: str) -> str:
        said.append(prompt)
        answer = next(left, None)
        if answer is None:
            raise Leave
        return answer

    return HoldemTable(Session(setting), ask, said.append), said


DUEL = Setting(("me", "call"), chips=500, seed=6)


def play(lines: list[str], setting: Setting = DUEL) -> tuple[Session, str]:
    one, said = table(lines, setting)
    with pytest.raises(Leave):
        one.play()
    return one.session, "\n".join(said)


def test_amounts_are_checked_and_the_reason_is_given() -> None:
    session, said = play(["r 5", "r 9999", "r", "r 1e3", "x"])
    assert session.hand.history in ((), (1,))
    assert said.count("at least and to 500 at most") == 2
    assert "raise to how much?" in said
    assert "f fold" in said


@pytest.mark.parametrize(("key", "total"), [("m", 20), ("p", 30), ("a", 500), ("r 123", 123), ("r77", 77)])
def test_keys_raise_what_they_say(key: str, total: int) -> None:
    session, _ = play([key])
    assert total in (session.past[0] if session.past else session.hand).history


def test_a_hint_gives_equity_pot_odds_and_an_agents_reason() -> None:
    _, said = play(["?", "? chart", "?nobody"])
    assert said.count("equity against 1 random hand:") == 3
    assert "utility would play" in said
    assert "chart would play" in said
    assert "there is no agent 'nobody'" in said


def test_cards_of_others_are_shown_only_at_a_showdown() -> None:
    session, said = play(["f"])
    assert session.number == 1
    hidden = session.past[0].hole(session.seatings[0].index(1))
    assert not any(str(card) in said for card in hidden)
    session, said = play(["c", "c", "c", "c", "h"])
    shown = session.past[0].hole(session.seatings[0].index(1))
    assert all(str(card) in said for card in shown)


def test_past_hands_are_replayed_action_by_action() -> None:
    _, said = play(["h", "c", "c", "c", "c", "h 1", "h 9"])
    assert "no hand has been played yet" in said
    assert "-- river:" in said
    assert "hands 1 to 1 have been played" in said


def test_two_people_are_asked_in_turn() -> None:
    _, said = play(["", "c", "", "c"], Setting(("me:Anna", "me:Ben"), seed=1))
    assert "me:Anna, it is your turn" in said
    assert "me:Ben, it is your turn" in said


def test_a_finished_tournament_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZZO_DATA", str(tmp_path))
    for _ in range(2):
        one, said = table(["a"] * 200, Setting(("me", "call"), "tournament", chips=60, seed=8))
        one.play()
        assert one.session.over
        assert "place 1" in "\n".join(said)
        score = _keep_score(one.session)
    won = 2 * (one.session.places[0] == 1)
    assert score == f"me: {won} of 2 tournaments won"


def test_a_game_gives_blinds_chips_and_seats() -> None:
    limit = _setting(find_game("holdem-limit-3p"), None, "cash", None, None, 1, 100)
    assert (limit.levels, limit.chips, limit.limit) == (((5, 10),), 1000, True)
    assert limit.seats == ("me", "utility", "utility")
    with pytest.raises(UnreadableError, match="seats 3, 2 were given"):
        _setting(find_game("holdem-limit-3p"), "me,call", "cash", None, None, 1, 100)
    with pytest.raises(UnreadableError, match="not Hold'em"):
        _setting(find_game("leduc-2p"), None, "cash", None, None, 1, 100)
