from collections.abc import Iterator

import pytest

from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError
from mazzo.seated import Leave
from mazzo.tressette.assistant import Assistant, as_open_round, read_card
from mazzo.tressette.game import Game
from mazzo.tressette.observation import PLACES
from mazzo.tressette.review import review_round
from mazzo.tressette.round import Round
from mazzo.tressette.rules import rules
from mazzo.tressette.solver.values import solve
from mazzo.tressette.view import View
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


def test_what_is_wrong_in_a_line_asks_for_that_line_again_only() -> None:
    person = Person("3d 3d", "3d 4d", HAND, "nobody", "c", "avv1 corona 3", "avv1 napoli", "k", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert "duplicate card 3d" in person.text
    assert "these are 2" in person.text
    assert "'nobody' is nobody at the table" in person.text
    assert "no deal of the cards agrees" in person.text
    first = [prompt.split()[0] for prompt in person.asked]
    assert first == ["your"] * 3 + ["who"] * 2 + ["declarations"] * 2 + ["trick"] * 2
    assert person.asked[-1] == "trick 1, compagno> "


@pytest.mark.parametrize("lines", [(), (HAND,), (HAND, "me")])
def test_one_can_leave_and_ask_for_help_at_every_prompt(lines: tuple[str, ...]) -> None:
    person = Person(*lines, "help", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert len(person.asked) == len(lines) + 2
    assert "take back" in person.text


def test_of_a_line_with_a_mistake_nothing_is_played() -> None:
    person = Person(HAND, "me", "", "3d 7 8d nonsense", "t", "3d 7 re di denari 9", "t", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    texts = [line for line in person.heard if line.startswith("me ")]
    assert texts[0].endswith("lead me")
    assert texts[1].endswith("play 3d 7d 10d 9d")
    assert "nothing of this line was played" in person.text


def test_taking_back_says_what_and_refuses_what_is_no_number() -> None:
    person = Person(HAND, "me", "", "u", "3d 7d", "u x", "u 9", "u 2", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell).run()
    assert "no card has been played" in person.text
    assert "such as u 3, not 'x'" in person.text
    assert "only 2 have been played" in person.text
    assert "Taken back: 7d of avv1, 3d of me." in person.heard


def test_table_hand_points_and_match_are_in_view_at_every_card() -> None:
    person = Person(HAND, "avv1", "", "8d 2s 9d 3d", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell, score=(12, 8)).run(score=(12, 8))
    shown = [line for line in person.heard if line.startswith("table: ")]
    assert len(shown) == 2
    assert shown[1] == "table: empty | hand: 4d 5d 6d 2d 4c 5c 6c 4s 5s | points 1.3 to 0.0 | match 12-8, to 31"


def test_a_match_goes_on_until_it_is_won_with_its_declarations() -> None:
    """Rounds played at random; the assistant counts what an independent game counts."""
    game, lines = Game("tressette:target=21"), []
    number = 0
    while game.winner is None:
        table = play_at_random(number, 40, table=Round(game.rules, seed=number, leader=number % 4))
        lines.append(" ".join(map(str, ITALIAN.unmask(int(table.row.dealt[0, 0])))))
        lines += ["me"] * (number == 0)
        lines.append("; ".join(f"{PLACES[s]} {table.declarations(s)}" for s in (1, 2, 3) if table.declarations(s)))
        lines += [" ".join(str(card) for _, card in table.plays[k : k + 4]) for k in range(0, 40, 4)]
        lines.append("")
        game.score(table)
        number += 1
    person = Person(*lines)
    found = Assistant(person.ask, person.tell, "policy", rules("tressette:target=21")).run_match()
    assert found.history == game.history
    assert number > 1
    assert f"The match: {game.scores[0]}-{game.scores[1]}." in person.text
    assert ("Your side wins" if game.winner == 0 else "The other side wins") in person.text


def test_declarations_after_the_first_trick_are_asked_for_then() -> None:
    person = Person(HAND, "me", "3d 7 8 9", "avv1 bongioco A without d", "t", "q")
    with pytest.raises(Leave):
        Assistant(person.ask, person.tell, rules=rules("tressette-after")).run()
    assert person.asked[3].startswith("what the others declare")
    assert any("avv1 bongioco A without d" in line for line in person.heard if line.startswith("me "))


def test_a_round_that_was_followed_can_be_reviewed() -> None:
    table = play_at_random(6, 40)
    hand = ITALIAN.unmask(int(table.row.dealt[0, 0]))
    view = View(None, hand, leader=table.leader, declared={s: table.declarations(s) for s in (1, 2, 3)})
    for action in table.history:
        view.act(action)
    found = review_round(as_open_round(view), 0, "search:walks=200")
    assert len(found.cards) + found.forced == 10
    for card in found.cards:
        at = Round.parse(table.text()).undo(40 - 4 * (card.trick - 1))
        while at.turn != 0:
            at.act(table.history[len(at.plays)])
        values = {str(card): thirds for card, thirds in solve(at).thirds.items()}
        assert card.cost_open == pytest.approx((max(values.values()) - values[card.played]) / 3)
        assert (card.mistake != "") == ((card.cost or 0) > 1.96 * card.error and (card.cost or 0) > 1e-9)


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
