from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mazzo.errors import IllegalError
from mazzo.holdem import CALL, FOLD
from mazzo.holdem.agents.utility import Utility
from mazzo.holdem.notation import parse_action
from mazzo.holdem.observation import Finished
from mazzo.holdem.seated import HoldemTable
from mazzo.holdem.tournament import TournamentFormat
from mazzo.holdem.tournament.lockstep import _Lockstep
from mazzo.holdem.tournament.session import Session, Setting
from mazzo.sitting import Sitting

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
        wanted = {"f": FOLD, "c": CALL, "r": legal.raises[0] if legal.raises else CALL}[word]
        session.act(wanted if wanted in legal else CALL)
    return session


def state(session: Session) -> tuple[object, ...]:
    learned = [a.thresholds_.tolist() for a in session.agents if isinstance(a, Utility)]
    hand = session.hand
    return session.number, session.seat, session.stacks, hand.text(), hand.history, session.places, learned


def test_chips_change_hands_and_never_vanish_at_a_cash_table() -> None:
    session = played(Session(Setting(SEATS, chips=200, seed=5)), "rcrcrcfcrcrcccrcrc" * 3)
    bought = sum(account.bought for account in session.accounts)
    assert session.number > 3
    assert bought > 0
    assert sum(session.stacks) == 800 + bought
    assert sum(account.won for account in session.accounts) == 0


def test_who_learns_learns_at_a_cash_table_as_in_tournaments() -> None:
    """The thresholds are those of a second agent that is handed the same hands, and move only by windows that lost."""
    names = ("utility:mu=.05,n=10", "utility:mu=0", "random", "call")
    session = Session(Setting(names, chips=200, seed=3))
    apart, moves, window = Utility(mu=".05", n=10), 0, 0
    for number in range(1, 401):
        session.play_on()
        net = session._table.settle()
        apart.on_hands_finished(Finished.of(session._table, 0, net))
        window += int(net[0, session.seating.index(0)])
        learner, still = session.agents[0], session.agents[1]
        assert isinstance(learner, Utility)
        assert isinstance(still, Utility)
        before = learner.thresholds_.copy()
        session.next_hand()
        assert (learner.thresholds_ == apart.thresholds_).all()
        assert still.thresholds_.tolist() == [[0.55, 0.3]]
        if not (learner.thresholds_ == before).all():
            assert number % 10 == 0
            assert window < 0
            moves += 1
        window = 0 if number % 10 == 0 else window
    assert moves > 1
    assert apart.learned()["hands"] == session.number == 400
    assert session.accounts[0].bought > 0  # it went broke, bought in again, and what it had learned stayed


def test_what_was_learned_at_a_cash_table_is_there_again_when_it_is_resumed(tmp_path: Path) -> None:
    path, seats = tmp_path / "cash.jsonl", ["me", "utility:mu=.05,n=5", "random"]
    sitting = Sitting.start(path, "holdem", seats, {"mode": "cash", "chips": 200}, seed=3)
    while sitting.game.session.number < 60:  # type: ignore[attr-defined]
        if sitting.agents_turn:
            sitting.let_agent_act()
        else:
            sitting.act("next" if sitting.game.seat is None else "c")
    learned = sitting.game.session.agents[1].thresholds_.tolist()  # type: ignore[attr-defined]
    assert learned != [[0.55, 0.3]]
    sitting.close()
    again = Sitting.resume(path)
    assert again.game.session.agents[1].thresholds_.tolist() == learned  # type: ignore[attr-defined]
    again.close()


def test_a_tournament_at_the_table_is_the_one_the_simulator_plays() -> None:
    seats = ("utility:mu=0", "call", "random", "utility:raise=.7,fold=.5,mu=0")
    session = Session(Setting(seats, "tournament", chips=300, seed=9))
    while not session.over:
        session.play_on()
        session.next_hand()
    step = _Lockstep(TournamentFormat(4, 300), [agent for agent in session.agents if agent], 0, 1, 9)
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


def test_illegal_actions_are_refused() -> None:
    session = Session(Setting(("me", "me:Anna"), seed=1))
    with pytest.raises(IllegalError, match="at least"):
        session.act(parse_action("r11"))
    assert session.hand.history == ()


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
    sitting = Sitting.resume(path)
    assert sum(by == 0 for by in sitting._by) == 6
    assert isinstance(sitting.game, HoldemTable)
    session = sitting.game.session
    while session.hand.over:
        session.next_hand()
    session.play_on()
    sitting.close()
    fresh = played(
        Session(Setting(("me", "call", "call", "call"), chips=20000, levels=((50, 100),), seed=12)), "cccccc"
    )
    fresh.play_on()
    assert state(session) == state(fresh)
    done = subprocess.run([*command, "--resume", str(path)], input=b"q\n", capture_output=True, check=True)
    shown = done.stdout.decode()
    mine = session.hand.hole(session.seating.index(0))
    assert all(f"│{str(card)[:-1].replace('T', '10'):<3}│" in shown for card in mine)
    for position, seat in enumerate(session.seating):
        if seat != 0:
            assert not any(card.symbol in shown or str(card) in shown for card in session.hand.hole(position))
    drawn = shown.count("┌───┐")
    assert drawn == 2 + len(session.hand.board)  # own cards and the open board, and no other
