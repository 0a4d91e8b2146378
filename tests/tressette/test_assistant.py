from collections.abc import Iterator

import pytest

from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError
from mazzo.seated import Leave
from mazzo.tressette.assistant import Assistant, read_card
from mazzo.tressette.observation import PLACES
from tests.tressette.situations import play_at_random

LEGAL = ITALIAN.parse("4d 3d 5c 10s")


class Person:
    """Types given lines, then always the same one, and remembers what was said."""

    def __init__(self, *lines: str, then: str | None = None) -> None:
        self._lines: Iterator[str] = iter(lines)
        self._then = then
        self.heard: list[str] = []
        self.asked: list[str] = []

    def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        line = next(self._lines, self._then)
        if line is None:
            raise Leave
        return line

    def tell(self, line: str) -> None:
        self.heard.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.heard)


@pytest.mark.parametrize(
    ("typed", "card"), [("3d", "3d"), ("3D ", "3d"), ("2", "3d"), ("c", "5c"), ("4", "10s"), ("Rs", "10s")]
)
def test_cards_are_typed_short_or_chosen_by_number(typed: str, card: str) -> None:
    assert read_card(typed, LEGAL) == ITALIAN.card(card)


def test_a_rank_alone_is_of_the_suit_led_where_cards_are_not_numbered() -> None:
    assert read_card("10", LEGAL, led=2, numbered=False) == ITALIAN.card("10s")


@pytest.mark.parametrize(
    ("typed", "complaint"), [("9", "no card number 9"), ("d", "leaves 2 cards"), ("x", "cannot read")]
)
def test_what_cannot_be_meant_is_asked_again(typed: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        read_card(typed, LEGAL)


HAND = "3d 2d 4d 5d 6d 4c 5c 6c 4s 5s"


def test_the_assistant_advises_on_my_turn_and_enter_takes_the_advice() -> None:
    person = Person(HAND, "me", "", "", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    advice = next(line for line in person.heard if line.startswith("play "))
    assert advice.split()[1].rstrip(":") in HAND.split()
    assert person.asked[-1] == "trick 1, avv1> "


def test_several_cards_fit_on_a_line_and_ranks_alone_follow_suit() -> None:
    person = Person(HAND, "avv1", "", "8d 9 2s 3", "t", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert any(line.endswith("lead avv1; play 8d 9d 2s 3d") for line in person.heard)


def test_the_assistant_takes_back_and_refuses_the_impossible() -> None:
    person = Person(HAND, "avv1", "", "8d 9d", "8d", "u 2", "t", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert any("8d was already played by avv1 in trick 1" in line for line in person.heard)
    assert any(line.endswith("lead avv1") for line in person.heard)


def test_the_assistant_asks_again_for_a_hand_it_cannot_read() -> None:
    person = Person("3d 3d", HAND, "nobody", HAND, "c", "avv1 napoli", "k", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert "duplicate card 3d" in person.text
    assert "'nobody' is nobody at the table" in person.text
    assert person.asked[-1] == "trick 1, compagno> "


def test_a_whole_round_can_be_followed_card_by_card() -> None:
    table = play_at_random(6, 40)
    hand = " ".join(map(str, ITALIAN.unmask(int(table.row.dealt[0, 0]))))
    told = "; ".join(f"{PLACES[s]} {table.declarations(s)}" for s in (1, 2, 3) if table.declarations(s))
    tricks = [" ".join(str(card) for _, card in table.plays[k : k + 4]) for k in range(0, 40, 4)]
    person = Person(hand, PLACES[table.leader], told, *tricks)
    assert Assistant(person.ask, person.tell).run().plays == table.plays
    assert person.heard[-1] == f"The round is over: {table.points[0]} points to {table.points[1]}."


def test_the_assistant_goes_on_from_a_text() -> None:
    person = Person("q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run(f"me {HAND}; lead me; play 3d 7d 8d 9d, 2d")
    assert person.asked == ["trick 2, avv1> "]
