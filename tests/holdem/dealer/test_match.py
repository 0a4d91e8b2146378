"""The dealer's decisions without a network: transcripts of the reference dealer, and answers that cannot stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.holdem import PRESETS, Hand
from mazzo.holdem.dealer.client import Follower
from mazzo.holdem.dealer.match import DealerMatch, read_answer
from mazzo.holdem.logs.formats.acpc import header_of, named_game
from mazzo.holdem.notation import action_text
from tests.data_files import MATCHES, transcript


def replay(lines: list[str]) -> int:
    """Give the FROM lines of a transcript to our dealer and compare every TO message; gives how many there were."""
    header = header_of(lines[0])
    assert header is not None
    game = named_game(header.game)
    assert game is not None
    seats = range(game.players)
    match = DealerMatch(game, header.hands, header.seed, [f"player {seat}" for seat in seats], reference=True)
    assert match.next_hand()
    due = [(seat, match.message(seat)) for seat in seats]
    told = 0
    for line in lines:
        event = re.fullmatch(r"(TO|FROM) (\d+) at \S+ (.*)", line)
        if event is None:
            continue
        seat, text = int(event[2]) - 1, event[3]
        if event[1] == "FROM":
            assert match.turn == seat
            assert match.answer(text)
            due += [(seat, match.message(seat)) for seat in seats]
            continue
        assert due.pop(0) == (seat, text)
        told += 1
        if match.turn is None and not due:
            match.finish_hand()
            assert match.next_hand()
            due = [(seat, match.message(seat)) for seat in seats]
    assert not match.replaced
    return told


@pytest.mark.parametrize("name", MATCHES)
def test_every_message_of_the_reference_dealer_s_transcripts_is_reproduced(name: str) -> None:
    assert replay(transcript(name)) > 1300


def test_the_client_sees_the_same_turns_as_the_transcript() -> None:
    lines = transcript("3p_limit")
    followers = [Follower(PRESETS["holdem-limit-3p"]) for _ in range(3)]
    asked = ""
    for line in lines:
        event = re.fullmatch(r"(TO|FROM) (\d+) at \S+ (.*)", line)
        if event is None:
            continue
        if event[1] == "TO":
            if followers[int(event[2]) - 1].hear(event[3]):
                asked = event[2]
        else:
            assert event[2] == asked


LIMIT, NO_LIMIT = PRESETS["holdem-limit-2p"], PRESETS["holdem-nolimit-2p"]


@pytest.mark.parametrize(
    ("betting", "word", "played"),
    [
        ("", "f", "f"),
        ("", "c", "c"),
        ("", "r", "r20"),
        ("", "raise", "c"),
        ("", "", "c"),
        ("", "r999", "r20"),
        ("c", "f", "c"),
        ("rrr", "r", "c"),
    ],
)
def test_what_cannot_stand_in_a_limit_game_becomes_a_call(betting: str, word: str, played: str) -> None:
    hand = Hand(LIMIT)
    for letter in betting:
        hand.act(letter)
    action, _ = read_answer(hand, word)
    assert action_text(action, False) == played


@pytest.mark.parametrize(
    ("betting", "word", "played"),
    [
        (["r300"], "r400", "r500"),
        (["r300"], "r99999999999999999999", "r20000"),
        (["r300"], "r", "c"),
        (["r20000"], "r20000", "c"),
        (["r300"], "r700", "r700"),
        ([], "r-5", "c"),
    ],
)
def test_a_no_limit_size_is_brought_within_its_bounds(betting: list[str], word: str, played: str) -> None:
    hand = Hand(NO_LIMIT)
    for action in betting:
        hand.act(action)
    chosen, _ = read_answer(hand, word)
    assert ("fc"[chosen] if chosen < 2 else f"r{chosen}") == played


def test_replaced_answers_are_counted_and_said() -> None:
    match = DealerMatch(LIMIT, 1, 0, ["a", "b"])
    match.next_hand()
    assert match.answer(f"{match.message(1)}:hello\r\n")
    assert match.counts[1] == 1
    assert "hello" in str(match.replaced[0])


def test_stale_lines_and_comments_are_ignored() -> None:
    match = DealerMatch(LIMIT, 1, 0, ["a", "b"])
    match.next_hand()
    state = match.message(1)
    assert not match.answer("# I am thinking")
    assert not match.answer("; so am I")
    assert not match.answer(f"{match.message(0)}:c")
    assert match.answer(f"{state}:c")
    assert not match.answer(f"{state}:c")
    assert match.hand.betting == "c"


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_answer_crashes_the_dealer(text: str) -> None:
    match = DealerMatch(NO_LIMIT, 1, 0, ["a", "b"])
    match.next_hand()
    match.answer(text)
    match.answer(f"{match.message(match.turn or 0)}:{text}")
    while match.turn is not None:
        match.give_up()
    assert match.finish_hand().startswith("STATE:0:")


def test_the_score_is_the_sum_of_the_nets_by_seat() -> None:
    match = DealerMatch(LIMIT, 3, 0, ["a", "b"])
    nets = {"a": 0, "b": 0}
    while match.next_hand():
        while match.turn is not None:
            match.give_up()
        *_, net, names = match.finish_hand().split(":")
        for name, chips in zip(names.split("|"), net.split("|"), strict=True):
            nets[name] += int(chips)
    assert match.score == f"SCORE:{nets['a']}|{nets['b']}:a|b"
