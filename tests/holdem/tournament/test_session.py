from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem.agents.utility import Utility
from mazzo.holdem.hand import parse_action
from mazzo.holdem.tournament import Format
from mazzo.holdem.tournament.lockstep import _Lockstep
from mazzo.holdem.tournament.session import Session, Setting

SEATS = ("me", "utility:n=3,mu=.1", "call", "random")


def played(session: Session, actions: str) -> Session:
    """Let a person play some actions (the nearest legal one to each), agents acting in between."""
    for word in actions:
        session.play_on()
        while session.hand.over and not session.over:
            session.next_hand()
            session.play_on()
        if session.over:
            break
        legal = session.hand.legal
        wanted = {"f": 0, "c": 1, "r": legal.raises[0] if legal.raises else 1}[word]
        session.act(wanted if wanted in legal else 1)
    return session


def state(session: Session) -> tuple[object, ...]:
    learned = [a.thresholds_.tolist() for a in session.agents if isinstance(a, Utility)]
    hand = session.hand
    return session.number, session.seat, session.stacks, hand.text(), hand.history, session.places, learned


@given(st.text("fccrr", min_size=0, max_size=40), st.integers(0, 1000), st.sampled_from(["cash", "tournament"]))
@settings(max_examples=20, deadline=None)
def test_a_session_opened_again_is_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, actions: str, seed: int, mode: str
) -> None:
    path = tmp_path_factory.mktemp("sessions") / "one.jsonl"
    before = played(Session(Setting(SEATS, mode, chips=300, seed=seed), path), actions)
    before.play_on()
    again = Session.resume(path)
    while again.number < before.number and not again.over:
        again.next_hand()
    assert state(again) == state(before)


def test_resume_drops_a_torn_line_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    played(Session(Setting(SEATS, seed=4), path), "cc")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"hand": 0, "se')
    session = Session.resume(path)
    assert path.read_bytes() == whole
    played(session, "c")
    assert path.read_bytes().startswith(whole)
    assert state(Session.resume(path)) == state(session)


def test_chips_change_hands_and_never_vanish_at_a_cash_table() -> None:
    session = played(Session(Setting(SEATS, chips=200, seed=5)), "rcrcrcfcrcrcccrcrc" * 3)
    bought = sum(account.bought for account in session.accounts)
    assert session.number > 3
    assert bought > 0
    assert sum(session.stacks) == 800 + bought
    assert sum(account.won for account in session.accounts) == 0


def test_a_tournament_at_the_table_is_the_one_the_simulator_plays() -> None:
    seats = ("utility:mu=0", "call", "random", "utility:raise=.7,fold=.5,mu=0")
    session = Session(Setting(seats, "tournament", chips=300, seed=9))
    while not session.over:
        session.play_on()
        session.next_hand()
    step = _Lockstep(Format(4, 300), [agent for agent in session.agents if agent], 0, 1, 9)
    step.play()
    assert session.places == tuple(step.places[0])
    assert session.number == step.hands[0]


def test_the_hand_limit_ends_a_tournament_at_the_table() -> None:
    session = Session(Setting(("fold", "fold"), "tournament", hand_limit=3))
    while not session.over:
        session.play_on()
        session.next_hand()
    assert session.number == 3
    assert sorted(session.places) == [1, 2]


def test_illegal_actions_are_refused_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    session = Session(Setting(("me", "me:Anna"), seed=1), path)
    before = path.read_bytes()
    with pytest.raises(IllegalError, match="at least"):
        session.act(parse_action("r11"))
    assert path.read_bytes() == before


def test_opening_a_session_runs_no_program(tmp_path: Path) -> None:
    ran, bot, path = tmp_path / "ran", tmp_path / "bot.py", tmp_path / "one.jsonl"
    bot.write_text(f"open({str(ran)!r}, 'w')")
    Session(Setting(("me", "call"), seed=1), path)
    path.write_text(path.read_text().replace('"call"', json.dumps(str(bot))))
    with pytest.raises(UnreadableError, match="runs no program"):
        Session.resume(path)
    assert not ran.exists()


def test_a_file_that_exists_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text("precious")
    with pytest.raises(UnreadableError, match="exists already"):
        Session(Setting(SEATS), path)
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("hello\n", "not a session"),
        ("[1, 2]\n", "not a session"),
        ('{"session": 1}\n', "not what is played"),
        ('{"session": 9}\n', "another version"),
        (
            '{"session": 1, "seats": ["me", "call"], "mode": "cash", "chips": "x", "levels": [[5, 10]], "seed": 1}\n',
            "not what is played",
        ),
    ],
)
def test_files_that_are_no_sessions_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=complaint):
        Session.resume(path)


@pytest.mark.parametrize(
    "line",
    ['{"hand": 0, "seat": 0, "action": "r1"}', '{"hand": 7}', "3", '{"hand": 5, "seat": 0, "action": "c"}'],
)
def test_actions_that_cannot_have_been_taken_are_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "one.jsonl"
    Session(Setting(("me", "me:Anna"), seed=1), path)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(UnreadableError, match="line 2"):
        Session.resume(path)


def _until(process: subprocess.Popen[bytes], text: bytes, times: int) -> bytes:
    """Read what a program says until it has said something so many times."""
    seen = b""
    assert process.stdout is not None
    while seen.count(text) < times:
        more = os.read(process.stdout.fileno(), 4096)
        assert more, seen.decode()
        seen += more
    return seen


def test_a_table_killed_in_the_middle_of_a_hand_goes_on_with_the_same_cards(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    command = [sys.executable, "-m", "mazzo", "play", "holdem-nolimit-4p"]
    options = ["--seats", "me,call,call,call", "--seed", "12", "--session", str(path)]
    with subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        said = _until(process, b"to leave >", 1)
        for turn in range(2, 8):  # a hand of four checked streets, then into the second
            process.stdin.write(b"c\n")
            process.stdin.flush()
            said += _until(process, b"to leave >", 1)
            assert said.count(b"to leave >") == turn
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    actions = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert sum(action["seat"] == 0 for action in actions) == 6
    session = Session.resume(path)
    while session.hand.over:
        session.next_hand()
    session.play_on()
    fresh = played(
        Session(Setting(("me", "call", "call", "call"), chips=20000, levels=((50, 100),), seed=12)), "cccccc"
    )
    fresh.play_on()
    assert state(session) == state(fresh)
    done = subprocess.run([*command, "--resume", str(path)], input=b"q\n", capture_output=True, check=True)
    shown = done.stdout.decode()
    mine = session.hand.hole(session.seating.index(0))
    assert all(f"│{str(card)[:-1]:<3}│" in shown for card in mine)
    for position, seat in enumerate(session.seating):
        if seat != 0:
            assert not any(str(card) in shown for card in session.hand.hole(position))
    drawn = shown.count("┌───┐")
    assert drawn == 2 + len(session.hand.board)  # own cards and the open board, and no other
