"""Tables that are kept: files of 0.1 and of today, what they refuse, two who want the same one, a disk that is full."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem.agents.utility import Utility
from mazzo.holdem.seated import HoldemTable
from mazzo.holdem.spoken import known_line
from mazzo.journal import Journal, UnwritableError
from mazzo.seated import NEXT, SeatedGame
from mazzo.sitting import Sitting

OLD = Path(__file__).parent / "data" / "tables"
EXPECTED: dict[str, Any] = json.loads((OLD / "expected.json").read_text())
BROWSER = [name for name in EXPECTED if name.startswith("browser")]
TERMINAL = [name for name in EXPECTED if name.startswith("terminal")]

TABLES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "holdem": (["me", "utility:n=3,mu=.1", "call", "random"], {"chips": 300}),
    "blackjack": (["me", "chart"], {}),
    "tressette": (["me", "greedy", "random", "greedy"], {"target": 21}),
}


def copied(name: str, tmp_path: Path) -> Path:
    path = tmp_path / f"{name}.jsonl"
    shutil.copy(OLD / f"{name}.jsonl", path)
    return path


def public(game: SeatedGame) -> dict[str, Any]:
    """How a table stands for the first seat, as the fixtures keep it."""
    view = game.view(0)
    keys = ("name", "chips", "bet", "status", "played", "result", "won")
    seats = [{k: s.get(k) for k in keys} | {"cards": [h["cards"] for h in s["hands"]]} for s in view["seats"]]
    whole = {
        "number": game.number,
        "seat": game.seat,
        "over": game.over,
        "names": list(game.names),
        "seats": seats,
        "board": view["centre"]["cards"],
        "choices": [c["action"] for c in view["choices"]],
    }
    return json.loads(json.dumps(whole))  # type: ignore[no-any-return]


def chips(game: SeatedGame) -> dict[str, Any]:
    """How a Hold'em table stands, as the fixtures of the terminal keep it."""
    assert isinstance(game, HoldemTable)
    s = game.session
    learned = [agent.learned() for agent in s.agents if agent is not None and agent.learns]
    return {
        "hand": s.number,
        "seat": s.seat,
        "over": s.over,
        "stacks": list(s.stacks),
        "places": list(s.places),
        "won": [a.won for a in s.accounts],
        "bought": [a.bought for a in s.accounts],
        "learned": bool(learned),
    }


def play_on(sitting: Sitting, actions: list[str]) -> None:
    """Let people take the given actions and agents their own, to the end of what was given."""
    for action in actions:
        if sitting.agents_turn:
            assert sitting.let_agent_act() == action
        else:
            sitting.act(action)


@pytest.mark.parametrize("name", BROWSER)
def test_a_table_of_the_old_browser_opens_as_it_was(name: str, tmp_path: Path) -> None:
    sitting = Sitting.resume(copied(name, tmp_path))
    expected = dict(EXPECTED[name])
    coach, records = expected.pop("coach"), expected.pop("records")
    assert public(sitting.game) == expected
    account = sitting.coaches[0]
    assert (account.decisions, account.mistakes) == (coach["decisions"], coach["mistakes"])
    assert account.cost == pytest.approx(coach["cost"], abs=1e-6)
    assert {str(seat): len(hands) for seat, hands in sitting.records.items()} == records


@pytest.mark.parametrize("name", TERMINAL)
def test_a_session_of_the_old_terminal_opens_as_it_was(name: str, tmp_path: Path) -> None:
    sitting = Sitting.resume(copied(name, tmp_path))
    expected = dict(EXPECTED[name])
    line, learned = expected.pop("line"), expected.pop("learned")
    game = sitting.game
    assert isinstance(game, HoldemTable)
    if expected["over"] and not game.over:  # 0.1 did not write down that the last hand was paid out
        sitting.act(NEXT)
    assert chips(game) == {**expected, "learned": bool(learned)}
    assert known_line(game.hand, 0).split(":")[2:] == line.split(":")[2:]
    thresholds = [a.thresholds_.tolist() for a in game.session.agents if isinstance(a, Utility)]
    assert thresholds == learned


@pytest.mark.parametrize("name", [*BROWSER, *TERMINAL])
def test_an_old_table_goes_on_as_it_went_on(name: str, tmp_path: Path) -> None:
    """The first half is opened; people do what they did, agents decide anew, and do the same."""
    path = copied(name, tmp_path)
    whole = Sitting.resume(path)
    actions = [line["a"] for line in whole._done if "a" in line]
    whole.close()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    half = Sitting.resume(path)
    assert 0 < half.actions < len(actions)
    play_on(half, actions[half.actions :])
    assert half.game.view(0) == whole.game.view(0)
    half.close()
    again = Sitting.resume(path)  # an old beginning, and what was done since in today's form
    assert again.game.view(0) == whole.game.view(0)


def any_action(game: SeatedGame, number: int) -> str:
    choices = game.view(game.seat)["choices"]
    choice = choices[number % len(choices)]
    return f"r{choice['amount']['low']}" if "amount" in choice else str(choice["action"])


def played(sitting: Sitting, numbers: list[int]) -> None:
    for number in numbers:
        if sitting.game.seat is None:
            if sitting.game.over:
                return
            sitting.act(NEXT)
        elif sitting.agents_turn:
            sitting.let_agent_act()
        else:
            sitting.act(any_action(sitting.game, number))


@pytest.mark.parametrize("game", TABLES)
@given(numbers=st.lists(st.integers(0, 9), max_size=60), seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_a_table_opened_again_is_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, game: str, numbers: list[int], seed: int
) -> None:
    path = tmp_path_factory.mktemp("tables") / "one.jsonl"
    before = Sitting.start(path, game, *TABLES[game], seed)
    played(before, numbers)
    before.close()
    again = Sitting.resume(path)
    assert again.game.view(0) == before.game.view(0)
    assert again.game.log == before.game.log
    again.close()


@pytest.mark.parametrize("game", TABLES)
@given(numbers=st.lists(st.integers(0, 9), min_size=5, max_size=40), seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_what_is_taken_back_was_never_done(
    tmp_path_factory: pytest.TempPathFactory, game: str, numbers: list[int], seed: int
) -> None:
    path = tmp_path_factory.mktemp("tables") / "one.jsonl"
    sitting = Sitting.start(path, game, *TABLES[game], seed)
    played(sitting, numbers)
    while sitting.game.seat != 0 and not sitting.game.over:
        played(sitting, [0])
    if sitting.game.over:
        return
    before = sitting.game.view(0)
    sitting.act(any_action(sitting.game, numbers[0]))
    while sitting.agents_turn:
        sitting.let_agent_act()
    assert sitting.undo(0) >= 1
    assert sitting.game.view(0) == before
    sitting.close()
    again = Sitting.resume(path)
    assert again.game.view(0) == before
    again.close()


def test_nothing_is_taken_back_once_another_person_has_acted(tmp_path: Path) -> None:
    sitting = Sitting.start(tmp_path / "one.jsonl", "holdem", ["me:Anna", "me:Ben"], {}, 1)
    first = sitting.game.seat
    assert first is not None
    with pytest.raises(IllegalError, match="nothing of yours"):
        sitting.undo(first)
    sitting.act("c")
    sitting.act("c")
    with pytest.raises(IllegalError, match="has acted since"):
        sitting.undo(first)


def test_a_hand_that_was_dealt_stays_dealt(tmp_path: Path) -> None:
    sitting = Sitting("holdem", ["me", "call"], {}, 1)
    while sitting.game.seat != 0:
        sitting.let_agent_act()
    sitting.act("f") if any(c["action"] == "f" for c in sitting.game.view(0)["choices"]) else played(sitting, [0] * 9)
    while sitting.game.seat is not None:
        played(sitting, [0])
    sitting.act(NEXT)
    with pytest.raises(IllegalError, match="in this hand"):
        sitting.undo(0)


def test_a_table_from_before_the_rules_for_short_all_ins_goes_on_by_its_own(tmp_path: Path) -> None:
    for name in ("browser_holdem", "terminal_limit"):
        old = Sitting.resume(copied(name, tmp_path)).game
        assert isinstance(old, HoldemTable)
        assert not old.hand.game.whole_blind
    path = tmp_path / "new.jsonl"
    Sitting.start(path, "holdem", ["me", "call"], {}, 1).close()
    new = Sitting.resume(path).game
    assert isinstance(new, HoldemTable)
    assert new.hand.game.whole_blind


# ---- what a file may say

HEAD = {"table": 2, "game": "holdem", "seats": ["me", "call"], "options": {}, "seed": 1}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("hello\n", "not a session"),
        ("[1, 2]\n", "does not describe the game"),
        ("[" * 50_000 + "\n", "not a session"),
        ('{"table": 9}\n', "another version"),
        ('{"table": []}\n', "another version"),
        ('{"session": 9}\n', "another version"),
        ('{"session": 1}\n', "does not describe the game"),
        (json.dumps({**HEAD, "game": "chess"}) + "\n", "no game 'chess'"),
        (json.dumps({**HEAD, "seats": ["me"] * 99}) + "\n", "holdem has 2 to 10 seats, got 99"),
        (json.dumps({**HEAD, "seats": [1, 2]}) + "\n", "does not describe the game"),
        (json.dumps({**HEAD, "seed": "1"}) + "\n", "does not describe the game"),
        (json.dumps({**HEAD, "options": {"chips": -1}}) + "\n", "chips must be 1 to"),
        (json.dumps({**HEAD, "options": {"chips": float("inf")}}) + "\n", "chips must be a number"),
        (json.dumps({**HEAD, "options": {"trust": "me"}}) + "\n", "nothing called 'trust'"),
        (json.dumps({**HEAD, "options": {"edition": "x"}}) + "\n", "does not describe the game"),
        (json.dumps({**HEAD, "options": {"edition": 99}}) + "\n", "does not describe the game"),
        (json.dumps({**HEAD, "options": {"chips": {"a": []}}}) + "\n", "chips must be a number"),
    ],
)
def test_files_that_are_no_tables_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=complaint):
        Sitting.resume(path)
    assert path.read_text() == text
    assert not list(tmp_path.glob("*.lock"))


@pytest.mark.parametrize(
    "line",
    [
        {"a": "r1"},
        {"a": "next"},
        {"a": ["c"]},
        {"undo": 1},
        {"undo": -1},
        {"undo": "all"},
        {"claim": 1, "token": "x", "name": "y"},
        {"claim": "x"},
        {"seat": 0, "coach": {"cost": float("nan"), "agrees": True, "unit": "unit.bb"}},
        {"seat": 0, "coach": 7},
        {"nothing": 0},
        3,
        {"hand": 7},
    ],
)
def test_lines_that_cannot_be_are_named(tmp_path: Path, line: Any) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(HEAD) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(UnreadableError, match="line 2"):
        Sitting.resume(path)


@pytest.mark.parametrize(
    "line",
    [
        {"hand": 0, "seat": 0, "action": "r1"},
        {"hand": 7},
        {"hand": 5, "seat": 0, "action": "c"},
        {"hand": 10**12, "seat": 0, "action": "c"},
        {"hand": -1, "seat": 0, "action": "c"},
        {"hand": 0, "seat": 1, "action": "x"},
    ],
)
def test_lines_of_an_old_session_that_cannot_be_are_named(tmp_path: Path, line: Any) -> None:
    path = tmp_path / "one.jsonl"
    head = (OLD / "terminal_cash.jsonl").read_text().splitlines()[0]
    path.write_text(head + "\n" + json.dumps(line) + "\n")
    with pytest.raises(UnreadableError, match="line 2"):
        Sitting.resume(path)


@pytest.mark.parametrize("seat", ["{bot}", "{bot}:x=1", "recorder:agent={bot},to=rows", "recorder:agent=call,to=rows"])
@pytest.mark.parametrize("old", [True, False])
def test_opening_a_table_runs_no_program(tmp_path: Path, seat: str, old: bool) -> None:
    ran, bot, path = tmp_path / "ran", tmp_path / "bot.py", tmp_path / "one.jsonl"
    bot.write_text(f"from pathlib import Path; Path({str(ran)!r}).touch()")
    head = json.loads((OLD / "terminal_limit.jsonl").read_text().splitlines()[0]) if old else dict(HEAD)
    head["seats"] = ["me", "call", seat.format(bot=bot)] if old else ["me", seat.format(bot=bot)]
    path.write_text(json.dumps(head) + "\n")
    with pytest.raises(UnreadableError, match="runs no program"):
        Sitting.resume(path)
    assert not ran.exists()
    if "bot" in seat:
        with pytest.raises(UnreadableError, match="should define one agent"):
            Sitting.resume(path, trusted=[seat.format(bot=bot)])


def test_a_file_that_exists_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text("precious")
    with pytest.raises(UnreadableError, match="exists already"):
        Sitting.start(path, "blackjack", ["me"], {}, 1)
    assert path.read_text() == "precious"


def test_a_torn_line_is_dropped_and_the_table_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    sitting = Sitting.start(path, *("holdem", *TABLES["holdem"]), seed=4)
    played(sitting, [0] * 9)
    sitting.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"a": "r')
    again = Sitting.resume(path)
    assert path.read_bytes() == whole
    assert again.game.view(0) == sitting.game.view(0)


# ---- two who want the same file, and disks


def test_a_second_table_on_the_same_file_is_told_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    first = Sitting.start(path, "blackjack", ["me"], {}, 1)
    program = f"from pathlib import Path; from mazzo.sitting import Sitting; Sitting.resume(Path({str(path)!r}))"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"is being played by process {os.getpid()} on" in other.stderr
    first.act(any_action(first.game, 0))
    first.close()
    Sitting.resume(path).close()
    assert [p.name for p in tmp_path.iterdir()] == ["one.jsonl"]


def test_a_process_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    program = (
        "import os; from pathlib import Path; from mazzo.sitting import Sitting\n"
        f"table = Sitting.start(Path({str(path)!r}), 'blackjack', ['me'], {{}}, 1); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program], check=False)
    assert (tmp_path / "one.jsonl.lock").exists()
    Sitting.resume(path).close()


def test_a_full_disk_is_one_sentence_and_the_action_was_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.jsonl"
    sitting = Sitting.start(path, "blackjack", ["me"], {"insurance": "false", "even_money": "none"}, 1)
    before, view = path.read_bytes(), sitting.game.view(0)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(UnreadableError, match=r"cannot write .*one\.jsonl: No space left on device"):
            sitting.act("stand")
        with pytest.raises(UnreadableError, match="No space left"):
            Sitting.start(tmp_path / "two.jsonl", "blackjack", ["me"], {}, 1)
    assert path.read_bytes() == before
    assert sitting.game.view(0) == view
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.jsonl", "one.jsonl.lock"]
    sitting.act("stand")
    sitting.close()
    assert Sitting.resume(path).actions == 1


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnreadableError, match="cannot write"):
        Sitting.start(tmp_path / "file" / "one.jsonl", "blackjack", ["me"], {}, 1)
    assert (tmp_path / "file").read_text() == ""


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """The operating system lets no file grow beyond this: it writes a part of what is asked, as on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 1, 50, 105])
def test_a_line_that_a_full_disk_takes_only_in_part_leaves_nothing_in_the_file(tmp_path: Path, room: int) -> None:
    path = tmp_path / "s.jsonl"
    journal = Journal.start(path, {"a": 1})
    whole = path.read_bytes()
    with full_at(len(whole) + room), pytest.raises(UnwritableError):
        journal.write({"k": "y" * 100})
    assert path.read_bytes() == whole
    journal.write({"k": 2})
    journal.close()
    assert Journal.read(path)[0] == [{"a": 1}, {"k": 2}]


def test_a_session_on_a_full_disk_is_refused_in_a_sentence_and_leaves_no_file(tmp_path: Path) -> None:
    with full_at(3), pytest.raises(UnwritableError, match="cannot write"):
        Journal.start(tmp_path / "s.jsonl", {"a": 1})
    assert not list(tmp_path.iterdir())
    Journal.start(tmp_path / "s.jsonl", {"a": 1}).close()
