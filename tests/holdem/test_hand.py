"""Hard cases of the rules, and the Hand one can hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import PRESETS, Game, Hand, find_game

LIMIT2 = find_game("holdem-limit-2p")
LIMIT3 = find_game("holdem-limit-3p")
NOLIMIT2 = find_game("holdem-nolimit-2p")
NOLIMIT3 = find_game("holdem-nolimit-3p")


def act(hand: Hand, actions: str) -> Hand:
    for action in actions.split():
        hand.act(action)
    return hand


def test_heads_up_the_button_posts_the_small_blind_and_speaks_first_only_before_the_flop() -> None:
    hand = Hand(LIMIT2)
    assert (hand.spent, hand.actor) == ((10, 5), 1)
    act(hand, "c c")
    assert (hand.street, hand.actor) == (1, 0)


def test_three_raises_are_the_most_before_the_flop_and_four_after_it() -> None:
    hand = act(Hand(LIMIT2), "r r r")
    assert str(hand.legal) == "fold, call 10"
    act(hand, "c r r r r")
    assert hand.spent == (70, 80)
    assert "4 bets and raises are the most" in hand.why_not(2)


def test_bets_double_on_the_turn() -> None:
    hand = act(Hand(LIMIT2), "c c c c")
    assert list(hand.legal.raises) == [30]


def test_a_raise_is_at_least_the_last_full_raise() -> None:
    hand = act(Hand(NOLIMIT3), "r350")
    assert (hand.legal.raises[0], hand.legal.raises[-1]) == (600, 20000)


def test_a_raise_of_one_big_blind_is_enough_where_the_game_says_so() -> None:
    game = Game("easy", False, (50, 100, 0), (2, 0, 0, 0), (20000,) * 3, min_raise_is_blind=True)
    assert act(Hand(game), "r350").legal.raises[0] == 450


def test_all_in_for_less_does_not_reopen_the_betting() -> None:
    hand = act(Hand(NOLIMIT3, stacks=(20000, 350, 20000)), "r300 c r350")  # the big blind is all-in for 50 more
    assert hand.actor == 2
    assert str(hand.legal) == "fold, call 50"
    assert "does not reopen" in hand.why_not(1000)
    hand.act("c")
    assert str(hand.legal) == "fold, call 50"


def test_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    game = find_game("holdem-nolimit-4p")
    hand = act(Hand(game, stacks=(400, 520, 20000, 20000)), "r300 c r400 r520")
    assert hand.actor == 2
    assert hand.legal.owed == 220
    assert hand.legal.raises[0] == 720


def test_who_has_not_acted_may_raise_a_short_all_in() -> None:
    hand = act(Hand(NOLIMIT3, stacks=(20000, 20000, 150)), "r150")
    assert hand.legal.raises[0] == 250


def test_a_lone_player_with_chips_is_not_asked_to_bet() -> None:
    hand = act(Hand(NOLIMIT2, stacks=(500, 20000)), "r20000 c")
    assert hand.over
    assert hand.street == 3
    assert hand.betting == "r20000c///"


def test_a_bet_nobody_can_call_in_full_is_returned() -> None:
    hand = act(Hand(NOLIMIT2, "2c7d AsAh KdQd9c 4s 5s", stacks=(500, 20000)), "r20000 c")
    assert hand.payoffs == (-500, 500)


def test_side_pots_go_to_those_who_paid_for_them() -> None:
    hand = Hand(NOLIMIT3, "AsAh KsKh QsQh 2c3d7c 8d 9s", stacks=(1000, 3000, 9000))
    act(hand, "r9000 c c")
    assert [pot.amount for pot in hand.pots] == [3000, 4000, 6000]
    assert [pot.players for pot in hand.pots] == [(0, 1, 2), (1, 2), (2,)]
    assert hand.payoffs == (2000, 1000, -3000)


def test_a_folded_players_chips_stay_in_the_pot() -> None:
    hand = act(Hand(NOLIMIT3, "AsAh KsKh QsQh 2c3d7c 8d 9s"), "r1000 f c c")
    assert hand.pot == 2050


def test_the_odd_chip_goes_to_the_first_seat_after_the_button() -> None:
    game = Game("odd", False, (1, 2, 0), (2, 0, 0, 0), (100,) * 3)
    hand = act(Hand(game, "2c3d 4h5c 6d7d AsKsQs Js Ts"), "c f c c c c c c c")
    assert hand.pot == 5
    assert hand.payoffs == (-1, 1, 0)


def test_antes_are_dead_but_count_in_the_pot() -> None:
    game = Game("ante", False, (5, 10, 0), (2, 0, 0, 0), (1000,) * 3, antes=(2, 2, 2))
    hand = Hand(game)
    assert (hand.pot, hand.spent, hand.legal.owed) == (21, (5, 10, 0), 10)
    act(hand, "f f")
    assert hand.payoffs == (-7, 9, -2)


def test_an_ante_of_the_big_blind_alone_goes_to_the_main_pot() -> None:
    game = Game("bba", False, (5, 10, 0), (2, 0, 0, 0), (100,) * 3, antes=(0, 10, 0))
    hand = act(Hand(game, "AsAh KsKh QsQh 2c3d7c 8d 9s"), "c c c c c c c c c c c c")
    assert hand.payoffs == (30, -20, -10)


def test_who_cannot_pay_the_ante_plays_for_what_he_paid() -> None:
    game = Game("ante", False, (5, 10, 0), (2, 0, 0, 0), (1000,) * 3, antes=(4, 4, 4))
    hand = act(Hand(game, "KsKh QsQh AsAh 2c3d7c 8d 9s", stacks=(1000, 1000, 3)), "c c c c c c c c")
    assert hand.payoffs == (8, -14, 6)


def test_a_blind_that_puts_a_player_all_in_is_enough_to_see_the_hand() -> None:
    hand = Hand(NOLIMIT2, "2c7d AsAh KdQd9c 4s 5s", stacks=(60, 20000))
    assert str(hand.legal) == "fold, call 10"
    assert act(hand, "c").payoffs == (-60, 60)


def test_kuhn_is_decided_by_the_higher_card() -> None:
    hand = act(Hand(find_game("kuhn-3p"), "JsKsQs"), "r c f")
    assert hand.payoffs == (-2, 3, -1)


def test_leduc_is_decided_by_a_pair_and_then_by_the_higher_card() -> None:
    leduc = find_game("leduc-2p")
    assert act(Hand(leduc, "QsAhQh"), "r c r c").payoffs == (7, -7)
    assert act(Hand(leduc, "QsAhKh"), "c c c c").payoffs == (-1, 1)


def test_folding_for_nothing_is_refused_but_can_be_read() -> None:
    hand = act(Hand(LIMIT2), "c")
    with pytest.raises(IllegalError, match="checking is free"):
        hand.act("f")
    assert hand.fold_anyway().over


def test_legal_actions_are_lazy_sized_and_answer_in() -> None:
    legal = Hand(NOLIMIT2).legal
    assert len(legal) == 2 + 20000 - 200 + 1
    assert 200 in legal
    assert 199 not in legal
    assert 1 in legal
    assert next(iter(legal)) == 0
    assert str(legal) == "fold, call 50, raise to 200-20000"


def test_an_illegal_action_says_why_and_where_the_game_stood() -> None:
    hand = Hand(NOLIMIT2, seed=4, names=("Ann", "Bob"))
    with pytest.raises(IllegalError, match=r"r150 is not legal for Bob: a raise is to 200 at least.*STATE:0::"):
        hand.act("r150")
    assert hand.history == ()
    act(hand, "f")
    with pytest.raises(IllegalError, match="the hand is over"):
        hand.act("c")


@pytest.mark.parametrize("text", ["", "x", "rr", "c5", "r-5", "raise", "f1"])
def test_what_is_no_action_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError, match="is not an action"):
        Hand(NOLIMIT2).act(text)


@pytest.mark.parametrize(
    "line",
    [
        "STATE:7:frc/rc/rc/rc:AdJd|6dQc|5cQs/As6s2c/Ah/8d:70|-70|0:Alice|Bob|Charlie",
        "STATE:0:rrrc/:AdJd|6dQc|5cQs/As6s2c",
        "STATE:12::AdJd|6dQc|5cQs",
    ],
)
def test_a_line_of_a_log_comes_back_as_it_was(line: str) -> None:
    if line.startswith("STATE:0"):
        line = line.replace("rrrc/", "rcc/")
    assert Hand.parse(line, LIMIT3).text() == line


def test_a_match_state_shows_a_player_only_what_he_may_see() -> None:
    hand = act(Hand(LIMIT2, "AsKd 7h7c 2c7dTh 3s Qc"), "r c")
    line = hand.text(viewer=1)
    assert line == "MATCHSTATE:1:0:rc/:|7h7c/2c7dTh"
    seen = Hand.parse(line, LIMIT2)
    assert seen.text(viewer=1) == line
    assert seen.hole(0) == ()
    act(hand, "c c c c c c")
    assert hand.text(viewer=1) == "MATCHSTATE:1:0:rc/cc/cc/cc:AsKd|7h7c/2c7dTh/3s/Qc"


def test_a_hand_whose_cards_are_not_known_has_no_payoffs_but_a_fold_decides() -> None:
    shown = act(Hand.parse("MATCHSTATE:0:3::AsKd|", LIMIT2), "c c")
    with pytest.raises(IllegalError, match="not known"):
        act(shown, "c c c c c c").payoffs  # noqa: B018 - asking is the test
    assert act(Hand.parse("MATCHSTATE:0:3::AsKd|", LIMIT2), "f").payoffs == (5, -5)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("nonsense", "a hand is STATE"),
        ("STATE:x::AsKd|7h7c", "not the number of a hand"),
        ("STATE:0::AsKd", "cards of 1 players"),
        ("STATE:0::AsAs|7h7c", "stands twice"),
        ("STATE:0::AsKd|As7c", "dealt twice"),
        ("STATE:0::As|7h7c", "should be 2 cards"),
        ("STATE:0:rx:AsKd|7h7c", "not a row of actions"),
        ("STATE:0:rcr:AsKd|7h7c", "after round 1 has ended"),
        ("STATE:0:r/c:AsKd|7h7c", "ends before everyone has acted"),
        ("STATE:0:rrrr:AsKd|7h7c", "3 bets and raises"),
        ("STATE:0:rc/:AsKd|7h7c/2c3c4c/5c/6c/7c", "no more than 3 boards"),
    ],
)
def test_bad_lines_are_refused_with_the_reason(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Hand.parse(line, LIMIT2)


def test_wrong_cards_are_refused_with_the_reason() -> None:
    with pytest.raises(UnreadableError, match="4 cards were given, but holdem-limit-2p deals 9"):
        Hand(LIMIT2, "AsKdQhJc")
    with pytest.raises(UnreadableError, match="2c is not in the deck of leduc-2p"):
        Hand(find_game("leduc-2p"), "2cKhQs")


def test_a_printed_hand_reads_well() -> None:
    text = repr(act(Hand(NOLIMIT2, "AsKd 7h7c 2c7dTh 3s Qc", names=("Ann", "Bob")), "r300 c"))
    assert "flop" in text
    assert "board 2c 7d Th" in text
    assert "Ann" in text
    assert "to act: check, raise to 400-20000" in text


def test_an_observation_has_ones_own_cards_and_no_others() -> None:
    hand = act(Hand(LIMIT2, "AsKd 7h7c 2c7dTh 3s Qc"), "r c")
    mine, others = hand.observe(), hand.observe(1)
    assert [str(k) for k in mine.cards(0)[0]] == ["As", "Kd"]
    assert [str(k) for k in others.cards(0)[0]] == ["7h", "7c"]
    assert [str(k) for k in others.cards(0)[1]] == ["2c", "7d", "Th"]
    assert others.raise_high[0] == 0  # it is not his turn
    assert list(mine.actions[0]) == [20, 1]
    assert list(mine.actors[0]) == [1, 0]


@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 10**6), st.data())
@settings(max_examples=150, deadline=None)
def test_undo_takes_back_exactly_one_action_and_text_survives(name: str, seed: int, data: st.DataObject) -> None:
    game = PRESETS[name]
    hand = Hand(game, seed=seed)
    while not hand.over:
        before = hand.text()
        legal = hand.legal
        options = [1, *([0] if legal.fold else []), *([legal.raises[0], legal.raises[-1]] if legal.raises else [])]
        hand.act(data.draw(st.sampled_from(options)))
        copy = Hand.parse(hand.text(), game)
        assert copy.text().split(":")[:4] == hand.text().split(":")[:4]
        assert hand.undo().text() == before
        assert len(hand.history) < len(copy.history)
        hand.act(copy.history[-1])
        assert sum(hand.spent) <= hand.pot
    assert sum(hand.payoffs) == 0
    assert sum(pot.amount for pot in hand.pots) == hand.pot
