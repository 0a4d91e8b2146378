"""Hard cases of the rules, and the Hand one can hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.document import plain
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import CALL, FOLD, PRESETS, Hand, Rules
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.ignores_cards import Call
from mazzo.holdem.columns import kinds
from mazzo.holdem.kernels import kind_of
from mazzo.holdem.rules import parse_game, rules

LIMIT2 = rules("holdem-limit-2p")
LIMIT3 = rules("holdem-limit-3p")
NOLIMIT2 = rules("holdem-nolimit-2p")
NOLIMIT3 = rules("holdem-nolimit-3p")


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
    game = Rules("easy", False, (50, 100, 0), (2, 0, 0, 0), (20000,) * 3, min_raise_is_blind=True)
    assert act(Hand(game), "r350").legal.raises[0] == 450


def test_all_in_for_less_does_not_reopen_the_betting() -> None:
    hand = act(Hand(NOLIMIT3, stacks=(20000, 350, 20000)), "r300 c r350")  # the big blind is all-in for 50 more
    assert hand.actor == 2
    assert str(hand.legal) == "fold, call 50"
    assert "does not reopen" in hand.why_not(1000)
    hand.act("c")
    assert str(hand.legal) == "fold, call 50"


def test_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    game = rules("holdem-nolimit-4p")
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
    game = Rules("odd", False, (1, 2, 0), (2, 0, 0, 0), (100,) * 3)
    hand = act(Hand(game, "2c3d 4h5c 6d7d AsKsQs Js Ts"), "c f c c c c c c c")
    assert hand.pot == 5
    assert hand.payoffs == (-1, 1, 0)


def test_antes_are_dead_but_count_in_the_pot() -> None:
    game = Rules("ante", False, (5, 10, 0), (2, 0, 0, 0), (1000,) * 3, antes=(2, 2, 2))
    hand = Hand(game)
    assert (hand.pot, hand.spent, hand.legal.owed) == (21, (5, 10, 0), 10)
    act(hand, "f f")
    assert hand.payoffs == (-7, 9, -2)


def test_an_ante_of_the_big_blind_alone_goes_to_the_main_pot() -> None:
    game = Rules("bba", False, (5, 10, 0), (2, 0, 0, 0), (100,) * 3, antes=(0, 10, 0))
    hand = act(Hand(game, "AsAh KsKh QsQh 2c3d7c 8d 9s"), "c c c c c c c c c c c c")
    assert hand.payoffs == (30, -20, -10)


def test_who_cannot_pay_the_ante_plays_for_what_he_paid() -> None:
    game = Rules("ante", False, (5, 10, 0), (2, 0, 0, 0), (1000,) * 3, antes=(4, 4, 4))
    hand = act(Hand(game, "KsKh QsQh AsAh 2c3d7c 8d 9s", stacks=(1000, 1000, 3)), "c c c c c c c c")
    assert hand.payoffs == (8, -14, 6)


def test_a_blind_that_puts_a_player_all_in_is_enough_to_see_the_hand() -> None:
    hand = Hand(NOLIMIT2, "2c7d AsAh KdQd9c 4s 5s", stacks=(60, 20000))
    assert str(hand.legal) == "fold, call 10"
    assert act(hand, "c").payoffs == (-60, 60)


def test_kuhn_is_decided_by_the_higher_card() -> None:
    hand = act(Hand(rules("kuhn-3p"), "JsKsQs"), "r c f")
    assert hand.payoffs == (-2, 3, -1)


def test_leduc_is_decided_by_a_pair_and_then_by_the_higher_card() -> None:
    leduc = rules("leduc-2p")
    assert act(Hand(leduc, "QsAhQh"), "r c r c").payoffs == (7, -7)
    assert act(Hand(leduc, "QsAhKh"), "c c c c").payoffs == (-1, 1)


def test_folding_for_nothing_is_refused_but_can_be_read() -> None:
    hand = act(Hand(LIMIT2), "c")
    with pytest.raises(IllegalError, match="checking is free"):
        hand.act("f")
    assert hand.fold_anyway().over


def test_a_raise_to_one_chip_is_a_raise() -> None:
    # The antes leave the blinds nothing to post, so the first bet can be of one chip.
    game = Rules("antes", False, (1, 2, 0, 0), (2, 0, 0, 0), antes=(5, 5, 5, 5), whole_blind=False)
    hand = Hand(game, seed=1, stacks=(5, 5, 6, 6))
    assert list(hand.legal) == [CALL, 1]
    hand.act(1)
    assert hand.history == (1,)
    assert (hand.spent, hand.betting) == ((0, 0, 1, 0), "r1")
    assert str(hand.legal) == "fold, call 1"
    assert Hand.parse(hand.text()).history == (1,)


def test_the_code_of_no_action_is_refused_with_the_names_of_the_others() -> None:
    hand = Hand(LIMIT2)
    for code in (0, FOLD - 1):
        with pytest.raises(IllegalError, match=rf"{code} is not legal.*FOLD \({FOLD}\).*CALL \({CALL}\)"):
            hand.act(code)
    with pytest.raises(UnreadableError, match="'r0' is not an action"):
        hand.act("r0")


def test_kinds_of_actions_are_the_same_in_kernels_and_arrays() -> None:
    actions = np.array([FOLD, CALL, 1, 2, 300])
    assert kinds(actions).tolist() == [0, 1, 2, 2, 2]
    assert [kind_of(int(action)) for action in actions] == [0, 1, 2, 2, 2]


def test_a_straddle_does_not_make_the_least_bet_larger() -> None:
    game = Rules("straddle", False, (1, 2, 4, 0), (3, 0, 0, 0), (100,) * 4, min_bet=2)
    hand = Hand(game)
    assert str(hand.legal) == "fold, call 4, raise to 6-100"
    assert str(act(hand, "c c c c").legal) == "check, raise to 6-100"  # a bet of 2 on top of 4
    assert str(Hand(replace(game, min_bet=0)).legal) == "fold, call 4, raise to 8-100"


def test_a_big_blind_all_in_for_less_is_owed_whole_but_not_more_than_can_be_won() -> None:
    # A tournament hand: blinds 300/600, an ante of 120 leaves the big blind 360 and a caller 480.
    game = Rules("short", False, (300, 600, 0, 0, 0), (2, 0, 0, 0), antes=(120,) * 5)
    hand = Hand(game, stacks=(1720, 480, 3720, 600, 13575))
    assert str(hand.legal) == "fold, call 600, raise to 1200-3600"
    assert str(act(hand, "f").legal) == "fold, call 480"
    assert str(act(hand, "c f").legal) == "fold, call 180"  # 480 in all: nobody is left who has more
    act(hand, "c")
    assert hand.over
    assert [(pot.amount, pot.players) for pot in hand.pots] == [(1680, (0, 1, 3)), (240, (0, 3))]
    posted = Hand(replace(game, whole_blind=False), stacks=(1720, 480, 3720, 600, 13575))
    assert posted.legal.owed == 360


def test_a_small_blind_that_covers_a_short_big_blind_owes_nothing() -> None:
    hand = Hand(NOLIMIT3, stacks=(20000, 30, 20000))
    assert hand.legal.owed == 100
    act(hand, "f")
    assert str(hand.legal) == "check"
    assert sum(act(hand, "c").payoffs) == 0


def limit_table(*stacks: int, half_raise_reopens: bool = True) -> Hand:
    """Limit, 10 on the flop; everybody has called the big blind of 10, and the flop is out."""
    game = replace(rules(f"holdem-limit-{len(stacks)}p"), half_raise_reopens=half_raise_reopens)
    return act(Hand(game, stacks=stacks), " ".join("c" * len(stacks)))


def test_in_limit_a_raise_to_another_amount_is_no_action() -> None:
    hand = Hand(LIMIT2, seed=1)
    for text in ("r300", "r19"):
        with pytest.raises(UnreadableError, match=f"'{text}' is no action here: holdem-limit-2p is limit.*it is to 20"):
            hand.act(text)
        assert text not in hand.legal
    assert Hand(LIMIT2, seed=1).act("r20") == hand.act("r")


def test_in_limit_an_all_in_of_half_a_raise_reopens_the_betting_and_less_does_not() -> None:
    half = act(limit_table(1000, 25, 1000), "r r")  # a bet of 10, all-in for 5 more
    assert str(half.legal) == "fold, call 15, raise to 35"
    assert str(act(half, "c").legal) == "fold, call 5, raise to 35"
    less = act(limit_table(1000, 24, 1000), "r r c")
    assert str(less.legal) == "fold, call 4"
    assert "less than half a full raise" in less.why_not(34)
    off = act(limit_table(1000, 25, 1000, half_raise_reopens=False), "r r c")
    assert str(off.legal) == "fold, call 5"


def test_in_limit_an_all_in_of_less_than_half_is_completed_and_does_not_count_for_the_cap() -> None:
    hand = act(limit_table(1000, 24, 1000), "r r")
    assert str(hand.legal) == "fold, call 14, raise to 30"  # not to 34
    assert str(act(hand, "r").legal) == "fold, call 10, raise to 40"
    assert str(act(hand, "r").legal) == "fold, call 10, raise to 50"
    assert str(act(hand, "r").legal) == "fold, call 10"  # a bet and three raises
    off = act(limit_table(1000, 24, 1000, half_raise_reopens=False), "r r")
    assert str(off.legal) == "fold, call 14, raise to 34"


def test_in_limit_a_bet_of_less_than_half_is_completed_but_not_by_one_who_has_checked() -> None:
    hand = act(limit_table(1000, 14, 1000), "c r")
    assert str(hand.legal) == "fold, call 4, raise to 20"
    assert str(act(hand, "c").legal) == "fold, call 4"


def test_in_limit_short_all_ins_that_come_to_half_a_raise_together_reopen_the_betting() -> None:
    hand = act(limit_table(1000, 24, 27, 1000), "r r r")
    assert str(hand.legal) == "fold, call 17, raise to 37"
    assert str(act(hand, "c").legal) == "fold, call 7, raise to 37"


@given(st.integers(2, 6), st.booleans(), st.data())
@settings(max_examples=200, deadline=None)
def test_with_short_stacks_every_hand_ends_and_chips_are_kept(players: int, limit: bool, data: st.DataObject) -> None:
    stacks = data.draw(st.lists(st.integers(1, 45), min_size=players, max_size=players))
    game = rules(f"holdem-{'limit' if limit else 'nolimit'}-{players}p")
    blinds = tuple(sorted(game.blinds)) if limit else (2, 5, *(0,) * (players - 2))
    antes = (data.draw(st.integers(0, 3)),) * players
    hand = Hand(replace(game, stacks=tuple(stacks), antes=antes, blinds=blinds), seed=players)
    while not hand.over:
        legal = hand.legal
        assert hand.actor is not None
        assert 0 <= legal.owed <= hand.behind[hand.actor]
        hand.act(data.draw(st.sampled_from([*legal][:3] + [*legal][-1:])))
    assert sum(hand.payoffs) == 0
    assert all(net >= -stack for net, stack in zip(hand.payoffs, stacks, strict=True))


def test_legal_actions_are_lazy_sized_and_answer_in() -> None:
    legal = Hand(NOLIMIT2).legal
    assert len(legal) == 2 + 20000 - 200 + 1
    assert 200 in legal
    assert 199 not in legal
    assert c.CALL in legal
    assert "c" in legal
    assert "r200" in legal
    assert "r199" not in legal
    assert "nonsense" not in legal
    assert next(iter(legal)) == c.FOLD
    assert str(legal) == "fold, call 50, raise to 200-20000"


def test_an_illegal_action_says_why_and_where_the_game_stood() -> None:
    hand = Hand(NOLIMIT2, seed=4, names=("Ann", "Bob"))
    with pytest.raises(
        IllegalError,
        match=r"r150 is not legal for Bob: a raise is to 200 at least.*game holdem-nolimit-2p; players Ann",
    ):
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
    assert Hand.parse(line, LIMIT3).line() == line


def test_a_match_state_shows_a_player_only_what_he_may_see() -> None:
    hand = act(Hand(LIMIT2, "AsKd 7h7c 2c7dTh 3s Qc"), "r c")
    line = hand.line(viewer=1)
    assert line == "MATCHSTATE:1:0:rc/:|7h7c/2c7dTh"
    seen = Hand.parse(line, LIMIT2)
    assert seen.line(viewer=1) == line
    assert seen.hole(0) == ()
    act(hand, "c c c c c c")
    assert hand.line(viewer=1) == "MATCHSTATE:1:0:rc/cc/cc/cc:AsKd|7h7c/2c7dTh/3s/Qc"


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
        ("STATE:0::AsAs|7h7c", "duplicate card As"),
        ("STATE:0::AsKd|As7c", "dealt twice"),
        ("STATE:0::As|7h7c", "should be 2 cards"),
        ("STATE:0:rx:AsKd|7h7c", "not a row of actions"),
        ("STATE:0:rcr:AsKd|7h7c", "after round 1 has ended"),
        ("STATE:0:r/c:AsKd|7h7c", "ends before everyone has acted"),
        ("STATE:0:rrrr:AsKd|7h7c", "3 bets and raises"),
        ("STATE:0:rc/:AsKd|7h7c/2c3c4c/5c/6c/7c", "no more than 3 boards"),
        ("STATE:0:rc/:AsKd|7h7c/2c7dTh:5|-5:a|b:zzz:qqq", "it has results, but the hand is not over"),
        ("STATE:0:f:AsKd|7h7c:5:a|b", "'5' is not a result for each player"),
        ("MATCHSTATE:9:0::AsKd|", "holdem-limit-2p has the positions 0 to 1"),
        ("MATCHSTATE:x:0::AsKd|", "holdem-limit-2p has the positions 0 to 1"),
        ("MATCHSTATE:0:0:f:AsKd|:5|-5", "nothing comes after the cards"),
    ],
)
def test_bad_lines_are_refused_with_the_reason(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Hand.parse(line, LIMIT2)


def test_names_of_agents_with_parameters_survive_a_line() -> None:
    hand = act(Hand(LIMIT2, seed=1, names=("random:raise=.8", "call")), "f")
    assert Hand.parse(hand.line(), LIMIT2).names == hand.names


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"stacks": [-5, 100]}, "a stack must be a whole number from 1 to .*, got -5"),
        ({"stacks": [0, 100]}, "a stack must be a whole number from 1 to .*, got 0"),
        ({"stacks": [10**12, 100]}, "a stack must be a whole number"),
        ({"number": -1}, "the number of a hand must be a whole number from 0, got -1"),
        ({"seed": "x"}, "a seed must be a whole number, got 'x'"),
    ],
)
def test_a_hand_is_not_made_of_what_makes_no_sense(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        Hand(NOLIMIT2, **given)


def test_wrong_cards_are_refused_with_the_reason() -> None:
    with pytest.raises(UnreadableError, match="4 cards were given, but holdem-limit-2p deals 9"):
        Hand(LIMIT2, "AsKdQhJc")
    with pytest.raises(UnreadableError, match="2c is not in the deck of leduc-2p"):
        Hand(rules("leduc-2p"), "2cKhQs")


def test_a_printed_hand_reads_well_and_shows_only_what_the_seat_to_act_sees() -> None:
    hand = act(Hand(NOLIMIT2, "AsKd 7h7c 2c7dTh 3s Qc", names=("Ann", "Bob")), "r300 c")
    assert plain(hand.section()) == (
        "hand 0 of holdem-nolimit-2p, flop, pot 600\n"
        "board: 2c 7d Th ?? ??\n"
        "Ann: As Kd  300 in, 19700 behind, to act: check, raise to 400-20000\n"
        "Bob: ?? ??  300 in, 19700 behind"
    )
    assert str(hand) == "game holdem-nolimit-2p; players Ann|Bob; cards AsKd|/2c7dTh; play r300c/"
    assert repr(hand) == f"Hand.parse({str(hand)!r})"
    assert hand.text() == "game holdem-nolimit-2p; players Ann|Bob; cards AsKd|7h7c/2c7dTh/3s/Qc; play r300c/"


def test_an_observation_has_ones_own_cards_and_no_others() -> None:
    hand = act(Hand(LIMIT2, "AsKd 7h7c 2c7dTh 3s Qc"), "r c")
    mine, others = hand.observe(), hand.observe(1)
    assert [str(k) for k in mine.cards(0)[0]] == ["As", "Kd"]
    assert [str(k) for k in others.cards(0)[0]] == ["7h", "7c"]
    assert [str(k) for k in others.cards(0)[1]] == ["2c", "7d", "Th"]
    assert others.raise_high[0] == 0  # it is not his turn
    assert list(mine.actions[0]) == [20, c.CALL]
    assert list(mine.actors[0]) == [1, 0]


def test_an_observation_of_cards_that_are_not_known_is_refused() -> None:
    hand = Hand.parse("MATCHSTATE:0:3::AsKd|", LIMIT2)
    with pytest.raises(IllegalError, match="the cards that player 2 sees are not all known"):
        hand.observe()
    assert hand.observe(0).cards(0)[0]
    with pytest.raises(IllegalError, match="there is no seat 2"):
        hand.observe(2)


def test_when_it_is_over_nothing_is_legal_and_only_what_was_shown_is_printed() -> None:
    hand = act(Hand(LIMIT3, "AdJd 6dQc 5cQs As6s2c Ah 8d"), "r f c c c c c c c")
    assert hand.over
    assert (len(hand.legal), list(hand.legal), str(hand.legal)) == (0, [], "")
    assert c.CALL not in hand.legal
    assert str(hand) == "game holdem-limit-3p; cards |6dQc|5cQs/As6s2c/Ah/8d; play rfc/cc/cc/cc"
    folded = act(Hand(LIMIT3, "AdJd 6dQc 5cQs As6s2c Ah 8d"), "f f")
    assert str(folded) == "game holdem-limit-3p; cards ||; play ff"
    assert folded.seen(0).hole(0) == folded.hole(0)


def test_an_agent_acts_by_what_it_sees_and_is_refused_games_it_cannot_play() -> None:
    hand = Hand("holdem-nolimit-2p", "AsKd 7h7c 2c7dTh 3s Qc")
    assert hand.act(create("raise", AGENTS)).history == (200,)
    assert hand.act(create("random:fold=1,call=0,raise=0,free_fold=true", AGENTS)).over

    class Fussy(Call):
        def unsupported_reason(self, game: Rules | None) -> str:
            return "it is fussy"

    with pytest.raises(IllegalError, match="cannot play holdem-nolimit-2p: it is fussy"):
        hand.undo().act(Fussy())
    free = act(Hand(LIMIT2), "c")
    assert free.act(create("random:fold=1,call=0,raise=0,free_fold=true", AGENTS)).over
    assert free.undo().turn == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("game holdem-limit-3; cards |", "there is no game 'holdem-limit-3'; did you mean"),
        ("game /etc/passwd; cards |", "there is no game '/etc/passwd'"),
        ("cards AsKd|7h7c; play r", "does not say its game"),
        ("game holdem-limit-2p; cards AsKd|7h7c; card 2c", "did you mean 'cards'"),
        ("game holdem-limit-2p; cards AsKd|7h7c; cards |", "duplicate part"),
        ("game holdem-limit-2p; cards AsKd", "cards of 1 players"),
        ("game holdem-limit-2p; cards As?|", "is written [?][?]"),
        ("game holdem-limit-2p; hand x; cards |", "'x' is not the number of a hand"),
        ("game holdem-limit-2p; stacks 5 -5; cards |", "'-5' is not the chips of a player"),
        ("game holdem-limit-2p; stacks 5; cards |", "1 stacks were given for 2 players"),
        ("game holdem-limit-2p; key zz; cards |", "'zz' is not the key"),
        ("game holdem-limit-2p; players A|B|C; cards |", "3 names were given"),
        ("game x; rules GAMEDEF, nolimit, END GAMEDEF; cards |", "numplayers is missing"),
        ("game holdem-limit-2p; cards |; play rrrrrr", "3 bets and raises"),
    ],
)
def test_bad_texts_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Hand.parse(text)


def test_arguments_that_would_have_no_effect_are_refused() -> None:
    hand = Hand("holdem-limit-2p", seed=1)
    with pytest.raises(UnreadableError, match="does not say what is played"):
        Hand.parse("STATE:0::AsKd|7h7c")
    with pytest.raises(UnreadableError, match="give no stacks"):
        Hand.parse(hand.text(), stacks=(5, 5))
    with pytest.raises(UnreadableError, match="is a hand of holdem-limit-2p, but the rules given are those of"):
        Hand.parse(hand.text(), "holdem-nolimit-2p")
    assert Hand.parse(hand.text(), "holdem-limit-2p") == hand


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Hands of presets and of games given by text, with unequal stacks, partly known cards, odd names."""
    if draw(st.booleans()):
        game = PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    else:
        players = draw(st.integers(2, 10))
        blinds = draw(st.permutations([0] * (players - 2) + [1, 2]))
        given = Rules(
            draw(st.text(min_size=1, max_size=12)),
            draw(st.booleans()),
            tuple(blinds),
            tuple(draw(st.integers(0, players - 1)) for _ in range(4)),
            raise_sizes=(2, 2, 4, 4),
            max_raises=draw(st.sampled_from([(), (3, 4, 4, 4)])),
            antes=draw(st.sampled_from([(), (1,) * players])),
            whole_blind=draw(st.booleans()),
            half_raise_reopens=draw(st.booleans()),
            min_bet=draw(st.sampled_from([0, 1, 2])),
            board_cards=draw(st.sampled_from([(0, 3, 1, 1), (1, 0, 3, 1), (0, 0, 3, 2)])),
        )
        game = parse_game(str(given), given.name, "here")
    stacks = None
    if draw(st.booleans()):
        stacks = draw(st.lists(st.integers(1, 400), min_size=game.players, max_size=game.players))
    names = draw(st.none() | st.lists(st.text(max_size=6), min_size=game.players, max_size=game.players))
    number = draw(st.integers(0, 2**40))
    return Hand(game, seed=draw(st.integers(0, 10**6)), number=number, stacks=stacks, names=names)


def check_laws(hand: Hand) -> None:
    again = Hand.parse(hand.text())
    assert again == hand
    assert again.text() == hand.text()
    assert (again.names, again.number) == (hand.names, hand.number)
    assert Hand.parse(str(hand)) == hand.seen()
    assert hand.seen().seen() == hand.seen()
    line = ":".join(hand.line().split(":")[:4])  # a line cannot hold every name
    assert Hand.parse(line, hand.rules, hand.stacks) == hand
    for seat in range(hand.rules.players):
        seen = hand.seen(seat)
        assert Hand.parse(hand.line(viewer=seat), hand.rules, hand.stacks) == seen
        assert all(p == seat or p in hand.shown_down or not seen.hole(p) for p in range(hand.rules.players))


@given(hands(), st.data())
@settings(max_examples=60, deadline=None)
def test_texts_come_back_undo_takes_back_and_chips_are_kept(hand: Hand, data: st.DataObject) -> None:
    while not hand.over:
        before, legal = hand.text(), hand.legal
        options = [c.CALL, *([c.FOLD] if legal.fold else []), *legal.raises[:1], *legal.raises[-1:]]
        action = data.draw(st.sampled_from(options))
        assert action in legal
        assert hand.action_text(action) in legal
        assert hand.why_not(hand.action_text(action)) == ""
        assert hand.act(action).undo().text() == before
        hand.act(hand.action_text(action))
        assert sum(hand.spent) <= hand.pot
    check_laws(hand)
    assert sum(hand.payoffs) == 0
    assert sum(pot.amount for pot in hand.pots) == hand.pot
    taken = data.draw(st.integers(0, len(hand.history)))
    done = hand.history
    assert hand.undo(taken).history == done[: len(done) - taken]
    check_laws(hand)


@given(hands())
@settings(max_examples=20, deadline=None)
def test_a_text_never_shows_a_hidden_card(hand: Hand) -> None:
    while not hand.over:
        shown = str(hand) + repr(hand) + (hand._repr_html_() or "") + plain(hand.section()) + hand.why_not(10**9)
        turn = hand.turn or 0
        mine = {str(card) for card in (*hand.hole(turn), *hand.board)}
        written = re.findall(r"(?<=[| /;])(?:(?:[2-9TJQKA][cdhs])+)", shown.partition("cards ")[2].partition("play")[0])
        assert {"".join(pair) for word in written for pair in zip(word[::2], word[1::2], strict=True)} <= mine
        hand.act("c")
