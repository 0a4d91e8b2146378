"""What is asked of every game holds for blackjack under many rules, with several boxes, and the checks can fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, entry
from mazzo.blackjack.columns import HOLE
from mazzo.blackjack.faces import Faces
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.seated import BlackjackTable
from mazzo.blackjack.shoe import Shoe
from mazzo.blackjack.table import Table, round_keys
from mazzo.errors import IllegalError, UnreadableError
from mazzo.games import Entry
from mazzo.seated import Seating
from mazzo.testing import check_agent, check_game
from mazzo.testing.deals import check_deal
from mazzo.testing.tables import check_table

STRIP = PRESETS["strip"]
RULES = {
    "two decks": read_rules("strip", decks=2, max_hands="unlimited", resplit_aces=True, hit_split_aces=True),
    "early surrender": read_rules("strip", surrender="early", even_money="ace-ten", blackjack_pays="6:5"),
    "late surrender": read_rules("strip", decks=2, surrender="late", surrender_after_split=True),
    "enhc": PRESETS["hungarian"],
    "enhc, no surrender": PRESETS["european"],
    "no side bets": read_rules("strip", insurance=False, even_money="none"),
}


def playing(kind: type[Round] = Round, boxes: int = 1, **other: Any) -> Entry:
    """Blackjack's entry with another kind of round, several boxes, or something else in some places."""
    return cast(
        Entry,
        SimpleNamespace(
            **{
                **vars(entry),
                "deal": lambda rules, seed=0, number=0: kind(rules, seed=seed, number=number, boxes=boxes),
                "table": lambda rules, deals, seed=0: Table(rules, round_keys(seed, deals), boxes=boxes),
                "parse": kind.parse,
                **other,
            }
        ),
    )


def test_blackjack_passes_under_the_rules_of_any_preset() -> None:
    check_game(cast(Entry, entry), ["blackjack", *(f"blackjack-{name}" for name in PRESETS)], deals=4, seed=2)


@pytest.mark.parametrize("boxes", [1, 3])
@pytest.mark.parametrize("name", RULES)
def test_blackjack_passes_under_other_rules_and_with_several_boxes(name: str, boxes: int) -> None:
    rules, dealing = RULES[name], playing(boxes=boxes)
    assert sum(check_deal(dealing, rules, 3, number) for number in range(10))
    check_table(dealing, rules, deals=10, seed=3)


@pytest.mark.parametrize("agent", ["random", "chart", "basic"])
@pytest.mark.parametrize("game", ["blackjack", "blackjack-hungarian"])
def test_agents_decide_by_what_they_see(agent: str, game: str) -> None:
    check_agent(agent, game, deals=10)


# ---- each of these faults is found


class PrintsTheHole(Round):
    def __str__(self) -> str:
        return self.text()


class SuitsTellTheHole(Round):
    """As it was: suits in the order of the draw, the hidden card among them."""

    def _faces(self) -> Any:
        return Faces(np.uint64(0), self.rules.decks).of(self.drawn())


class CountsTheHole(Round):
    def observe(self, seat: int | None = None) -> Any:
        seen, hole = super().observe(seat), self.drawn()[self._cell(HOLE)]
        seen.shoe[0, hole] -= 1
        return seen


class NumbersOfTheDeal(Round):
    """As it was: agents' numbers are made of the key that deals."""

    def observe(self, seat: int | None = None) -> Any:
        return replace(super().observe(seat), rng_key=np.array([self.key], np.uint64))


@pytest.mark.parametrize(
    ("mutant", "words"),
    [
        (PrintsTheHole, "seen: seat 0 sees what is hidden"),
        (SuitsTellTheHole, "section: seat 0 sees what is hidden"),
        (CountsTheHole, "shoe of the observation: seat 0 sees"),
        (NumbersOfTheDeal, "rng_key of the observation: seat 0 sees"),
    ],
)
def test_a_round_that_gives_something_away_is_caught(mutant: type[Round], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_game(playing(mutant), deals=40)


class ShowsTheHole(BlackjackTable):
    def view(self, viewer: int | None) -> Any:
        return {**super().view(viewer), "note": str(self.game.drawn()[-1])}


class GivesAwayTheKey(BlackjackTable):
    """As it was: the record of a finished round has its key."""

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        found = super().record(viewer)
        return found if found is None else {**found, "key": str(self.game.key)}


@pytest.mark.parametrize(
    ("mutant", "words"),
    [(ShowsTheHole, "seat 0 sees hidden cards"), (GivesAwayTheKey, "a record shows hidden cards")],
)
def test_a_table_that_gives_something_away_is_caught(mutant: type[BlackjackTable], words: str) -> None:
    def seating() -> Seating:
        return replace(entry.seating(), table=mutant)

    with pytest.raises(AssertionError, match=words):
        check_game(playing(seating=seating), deals=4)


# ---- what is dealt anew


def test_the_hole_card_dealt_anew_is_any_that_is_possible_as_often_as_it_lies_in_the_shoe() -> None:
    game = Round("strip", "8,8 v T,7", shoe=Shoe((9, 0, 0, 8, 0, 0, 10, 12, 0, 60)), seed=1)
    found = Counter(int(game.redealt(0, seed).drawn()[-1]) for seed in range(1500))
    assert set(found) == {3, 6, 7, 9}  # no ace: the dealer looked, and the round goes on
    left = {3: 8, 6: 10, 7: 10, 9: 59}
    for rank, count in left.items():
        share = count / sum(left.values())
        assert abs(found[rank] - 1500 * share) < 4 * (1500 * share * (1 - share)) ** 0.5


def test_insurance_can_still_win_after_the_cards_are_dealt_anew() -> None:
    game = Round("strip", "8,8 v A,7", seed=1)
    assert game.asked == 0
    assert 9 in {int(game.redealt(0, seed).drawn()[-1]) for seed in range(30)}
    game.act("leave")
    assert 9 not in {int(game.redealt(0, seed).drawn()[-1]) for seed in range(30)}


def test_what_is_dealt_anew_is_written_and_read_with_the_numbers_of_its_agents() -> None:
    game = Round("strip", "8,8 v T,7", seed=1).act("split").act("hit")
    other = game.redealt(0, 5)
    again = Round.parse(other.text())
    assert again == other
    assert again.text() == other.text() != game.text()
    assert again.observe().rng_key.tolist() == game.observe().rng_key.tolist()
    assert "rng_key" not in game.text() + str(game) + str(other)
    undone = other.undo(2)
    assert undone.legal.by_text == Round("strip", "8,8 v T,7").legal.by_text


@pytest.mark.parametrize(
    "text",
    [
        "rules strip; deal 8,8 v T,7; rng_key 5",
        "rules strip; deal 8,8 v T,?; rng_key 5",
        "rules strip; deal 8,8 v T,7; key 1; rng_key -5",
        "rules strip; deal 8,8 v T,7; key 1; rng_key 99999999999999999999",
    ],
)
def test_agents_numbers_without_the_key_or_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"key|whole number"):
        Round.parse(text)


def test_only_a_box_that_is_there_can_be_dealt_anew_for() -> None:
    game = Round("strip", seed=1, boxes=2)
    for seat in (-1, 2):
        with pytest.raises(IllegalError, match=f"no box {seat}"):
            game.redealt(seat)


def test_rules_are_named_with_and_without_the_game() -> None:
    assert entry.rules("blackjack") == entry.rules("strip") == entry.rules("blackjack-strip") == STRIP
    assert entry.rules("blackjack-hungarian") == PRESETS["hungarian"]
    assert entry.rules("holdem-limit-2p") is None
    with pytest.raises(UnreadableError, match="hungarian"):
        entry.rules("blackjack-hungarien")
