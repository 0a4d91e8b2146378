"""The adviser that knows ranges, and what it calls a mistake."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import Hand
from mazzo.holdem import columns as c
from mazzo.holdem.advising.after import decisions_after, ranges_after
from mazzo.holdem.advising.asked import asked
from mazzo.holdem.advising.models import TableCompany
from mazzo.holdem.advising.ranges import Priced, Weighed, by_ranges, is_ranges, mistake_size
from mazzo.holdem.coach import by_odds

_FOUR = TableCompany(("Ada", "Bob", "Cem", "Dan"))


def _all_in_behind_three() -> Hand:
    """J3o in the big blind; one went all-in and two called."""
    hand = Hand("holdem-nolimit-4p", "AcKd Jc3d 7c7d 8s8c 2c3h9s Ts 4h", stacks=[2000] * 4)
    return hand.act("r2000").act("c").act("c")


@pytest.mark.parametrize("adviser", ["ranges", "ranges:own=false"])
def test_calling_all_in_with_jack_three_against_three_is_a_grave_mistake(adviser: str) -> None:
    seen = _all_in_behind_three().observe()
    called, folded = (by_ranges(seen, _FOUR, adviser, played) for played in ("c", "f"))
    assert called.explanation.action == "f"
    assert called.worth["c"] + 3 * called.errors["c"] < 0
    assert (called.mistake("c"), folded.mistake("f")) == ("grave", "")


def test_the_same_call_with_aces_is_right() -> None:
    hand = Hand("holdem-nolimit-4p", "9cKd AcAd 7c7d 8s8c 2c3h9s Ts 4h", stacks=[2000] * 4)
    seen = hand.act("r2000").act("c").act("c").observe()
    assert by_ranges(seen, _FOUR, played="c").explanation.action == "c"
    assert by_ranges(seen, _FOUR, played="f").mistake("f") == "grave"


def _pot_of_1510(players: int) -> Hand:
    """A pot of about 1,510 on the flop, nothing bet yet, blinds 5 and 10."""
    game = f"holdem-nolimit-{players}p"
    cards = "AcKd Jc3d 9h8d "[: 5 * players] + "7c8hTs 2h 4h"
    hand = Hand(game, cards, stacks=[20_000] * players)
    hand.act(f"r{15_100 // players}")
    for _ in range(players - 1):
        hand.act("c")
    return hand


@pytest.mark.parametrize("players", [2, 3])
def test_nobody_is_told_to_bet_a_hundredth_of_the_pot(players: int) -> None:
    hand = _pot_of_1510(players)
    least = hand.legal.raises[0]
    assert least - max(hand.spent) <= hand.pot / 100
    company = TableCompany(tuple("ABC"[:players]))
    for played in (f"r{least}", "c"):
        advice = by_ranges(hand.observe(), company, "ranges:seconds=0.2", played)
        advised = advice.explanation.action
        assert advised == "c" or int(advised[1:]) - max(hand.spent) >= 0.2 * hand.pot
        assert played in advice.worth
    assert sum(action.startswith("r") for action in advice.worth) > 1  # several sizes


def test_the_odds_say_what_they_assume_and_call_nothing_a_mistake() -> None:
    advice = by_odds(_all_in_behind_three().observe(), "c")
    assert "3 random hands" in advice.explanation.reason
    assert "if everyone stays and nobody bets again" in advice.explanation.reason
    assert [advice.mistake(action) for action in advice.worth] == [""] * len(advice.worth)


def test_every_play_has_an_error_and_its_difference_too() -> None:
    advice = by_ranges(_all_in_behind_three().observe(), _FOUR, played="c")
    assert advice.errors.keys() == advice.difference_errors.keys() == advice.worth.keys()
    assert advice.errors["f"] == 0
    assert advice.errors["c"] > 0


def test_who_stands_for_whom_is_said() -> None:
    hand = Hand("holdem-nolimit-3p", "AcKd Jc3d 9c8d 7c8hTs 2h 4h").act("r350")
    company = TableCompany(("Ada", "Bob", "Zeno"), ("", "", "chart"))
    said = by_ranges(hand.observe(), company).explanation.reason
    assert "the policy of Zeno itself, chart" in said
    assert "a usual player in place of Bob, of whom nothing is known" in said
    without = by_ranges(hand.observe(), company, "ranges:own=false").explanation.reason
    assert "chart" not in without


def test_a_river_between_two_is_solved_and_its_worths_are_those_of_the_finer_rule() -> None:
    hand = Hand("holdem-nolimit-2p", "AcKd Jc3d 7c8hTs 2h 4h")
    for action in ("r300", "c", "c", "c", "c", "c", "r600"):
        hand.act(action)
    advice = by_ranges(hand.observe(), TableCompany(("A", "B")), "ranges:seconds=0.3", "r5000")
    assert "the spot was solved" in advice.explanation.reason
    assert "r5000" in advice.worth
    assert advice.worth["f"] == 0
    assert float(advice.explanation.facts["exploitability in % of the pot"] or 0) < 5


def test_a_flop_that_cannot_be_solved_in_the_time_falls_back_and_says_so() -> None:
    hand = Hand("holdem-nolimit-2p", "AcKd Jc3d 7c8hTs 2h 4h").act("r300").act("c")
    said = by_ranges(hand.observe(), TableCompany(("A", "B")), "ranges:seconds=0.05").explanation.reason
    assert "the spot was not solved" in said
    assert "one decision ahead" in said


def test_limit_games_are_advised_too() -> None:
    hand = Hand("holdem-limit-3p", "AcKd Jc3d 9c8d 7c8hTs 2h 4h").act("r")
    advice = by_ranges(hand.observe(), TableCompany(("A", "B", "C")), played="r")
    assert set(advice.worth) == {"f", "c", "r"}


def test_a_question_with_company_can_be_sent_to_another_process() -> None:
    hand = Hand("holdem-nolimit-2p", seed=1)
    question = asked(hand.observe(), TableCompany(("A", "B"), ("", "chart")))
    there = pickle.loads(pickle.dumps(question))
    assert there("ranges") == question("ranges")


@pytest.mark.parametrize("adviser", ["ranges:seconds=0", "ranges:seconds=1e9", "ranges:own=maybe", "ranges:x=1"])
def test_an_adviser_that_cannot_be_read_is_refused(adviser: str) -> None:
    assert is_ranges(adviser)
    with pytest.raises(UnreadableError, match="cannot read the adviser"):
        by_ranges(Hand("holdem-nolimit-2p", seed=1).observe(), TableCompany(("A", "B")), adviser)


def test_mistakes_are_named_by_their_share_of_the_pot() -> None:
    assert [mistake_size(gave, 100) for gave in (1, 2, 5, 10, 10.1)] == ["small", "small", "clear", "clear", "grave"]


def _play(action: int, worth: float, doubt: float = 0.0, error: float = 0.0, best: float = 10.0) -> Weighed:
    return Weighed(action, worth, error, worth - doubt, worth + doubt, best - worth, error)


def test_what_a_play_gives_away_is_the_least_that_the_estimates_allow() -> None:
    plays = [_play(c.FOLD, 0.0), _play(c.CALL, -4.0, 1.0), _play(300, 10.0, 3.0)]
    found = Priced(plays, "", False, {})
    assert found.given_away(c.FOLD) == (7.0, 0.0)
    assert found.given_away(c.CALL) == (3.0, 0.0)  # against folding: what a raise wins now may still be won later
    assert found.given_away(300) == (-13.0, 0.0)
    assert found.given_away(999) is None
    larger = Priced([*plays, _play(900, 30.0, 3.0)], "", False, {})
    assert larger.given_away(300) == (-13.0, 0.0)  # so may what a larger raise wins
    exact = Priced([_play(c.CALL, 4.0), _play(300, 10.0), _play(900, 30.0)], "", True, {})
    assert exact.given_away(300) == (20.0, 0.0)


def test_a_raise_far_beyond_all_others_is_advised_only_where_it_is_better_for_sure() -> None:
    usual = [Weighed(c.CALL, 8.0, 0.0, 8.0, 8.0, 3.0, 1.0), Weighed(300, 10.0, 0.0, 10.0, 10.0, 1.0, 4.0)]
    far = Weighed(20_000, 11.0, 0.0, 11.0, 11.0, 0.0, 0.0)
    assert Priced([*usual, far], "", True, {}).advised(100).action == 300
    sure = [replace(play, behind_error=0.1) for play in usual]
    assert Priced([*sure, far], "", True, {}).advised(100).action == 20_000


def test_after_a_hand_the_ranges_of_the_others_and_the_own_decisions_are_told() -> None:
    hand = Hand("holdem-nolimit-3p", "AcKd Jc3d 9c8d 7c8hTs 2h 4h")
    for action in ("r350", "c", "f", "c", "c", "c", "c", "c", "c"):
        hand.act(action)
    assert hand.over
    company = TableCompany(("Ada", "Bob", "Zeno"), ("", "", "chart"))
    found = {model.name: chances for model, chances in ranges_after(hand, company, 0)}
    assert set(found) == {"Bob", "Zeno"}
    assert all(np.isclose(chances.p.sum(), 1) for chances in found.values())
    assert all(chances["AcAd"] == 0 < chances["AhAd"] for chances in found.values())  # Ada holds the ace of clubs
    told = [(now.street, played) for now, played, _ in decisions_after(hand, company, 0, "ranges:seconds=0.1")]
    assert told == [(0, "c"), (1, "c"), (2, "c"), (3, "c")]
