"""Sentences: every place is filled once, numbers take their word, whatever a name holds is text."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.errors import UnreadableError
from mazzo.seated import Field, read_fields
from mazzo.tressette.seated import TressetteTable, declared_words
from mazzo.words.sentences import log_line, with_texts
from mazzo.words.texts import catalogue, text


@given(st.text(), st.integers())
def test_a_name_is_never_formatted(name: str, amount: int) -> None:
    assert text("wins", {"name": name, "amount": amount}) == f"{name} wins {amount}."


def test_a_player_may_be_called_like_a_place_of_a_sentence() -> None:
    assert text("wins", {"name": "{amount}", "amount": 7}) == "{amount} wins 7."
    assert log_line(("holdem.bets", {"name": "{name:x|y}", "amount": 7}), "french") == "{name:x|y} bets 7."


@pytest.mark.parametrize(("count", "words"), [(1, "1 mistake in 1 decision,"), (2, "2 mistakes in 2 decisions,")])
def test_one_is_not_many(count: int, words: str) -> None:
    assert text("coach.total", {"mistakes": count, "decisions": count, "cost": "0", "unit": "x"}).startswith(words)


def test_bounds_are_written_out() -> None:
    with pytest.raises(UnreadableError, match=r"^chips must be 2 to 10,000,000, got 1$"):
        read_fields([Field("chips", 100, low=2, high=1e7)], {"chips": 1})


def test_every_place_of_the_words_can_be_filled() -> None:
    for key, words in catalogue().items():
        rest = re.sub(r"\{\w+(:[^{}|]*\|[^{}|]*)?\}", "", words)
        assert "{" not in rest, key
        assert "}" not in rest, key


def test_a_round_of_tressette_is_told_without_a_key_in_the_words() -> None:
    declared = 0
    for seed in range(12):
        game = TressetteTable(["greedy", "greedy", "greedy", "greedy"], {"target": 21, "named": True}, seed)
        while game.seat is not None:
            game.act(game.agent_action() if not game._asked else "play")
        told = [log_line(line, "italian") for line in game.log]
        shown = json.dumps(with_texts(game.view(None)))
        for line in [*told, shown]:
            assert not re.search(r"suit\.|rank\.|ranks\.|tressette\.|without [dcsb]\b", line), line
        assert (
            re.search(r"^Round over: cards \d+-\d+, declarations \d+-\d+; match \d+-\d+\.$", told[-1])
            or "win" in told[-1]
        )
        declared += sum(key == "tressette.declares" for key, _ in game.log)
    assert declared > 3


def test_declarations_are_said_in_words() -> None:
    class Declared:
        def declarations(self, seat: int) -> str:
            return "napoli, napoli d, bongioco A without c, corona 3"

    said = log_line(("tressette.declares", {"name": "Anna", "what": declared_words(Declared(), 0)}), "italian")  # type: ignore[arg-type]
    words = "napoli, napoli of coins, bongioco of aces without cups, corona of threes"
    assert said == f"Anna declares {words}."
