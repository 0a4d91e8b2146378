from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.rng import stream
from mazzo.tressette.agents import agent
from mazzo.tressette.kernels import deal_hands, declared_points, may_void, thirds_of
from mazzo.tressette.match import TressetteMatch
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import Rules
from mazzo.tressette.table import Table
from mazzo.tressette.view import ImpossibleError, View
from tests.tressette.situations import declarations_of, play_at_random

DEALT = (
    "south 3d2dAd10d9d8d7d6d5d4d; east 3c2cAc10c9c8c7c6c5c4c; north 3s2sAs10s9s8s7s6s5s4s; "
    "west 3b2bAb10b9b8b7b6b5b4b; lead south"
)
MIXED = (
    "south 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; east 8d 9d 10d Ad 8c 9c 10c Ac 6s 7s; "
    "north 2d 3d 2c 3c 8s 9s 10s As 4b 5b; west 2s 3s 6b 7b 8b 9b 10b Ab 2b 3b; lead south"
)


def test_points_are_35_thirds_and_a_rounds_points_are_always_eleven() -> None:
    assert thirds_of((1 << 40) - 1) == 32
    for seed in range(50):
        table = play_at_random(seed, 40)
        assert sum(table.thirds) == 35
        assert sum(table.points) == 11


@pytest.mark.parametrize(
    ("card", "thirds"), [("Ad", 3), ("2c", 1), ("3s", 1), ("8b", 1), ("9d", 1), ("10c", 1), ("7s", 0)]
)
def test_cards_are_worth_what_the_rules_say(card: str, thirds: int) -> None:
    assert thirds_of(1 << ITALIAN.card(card)) == thirds


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads() -> None:
    table = Round.parse(MIXED).act("4d").act("8d").act("2d").act("3s")
    assert table.turn == table.taker == table.names.index("north")
    assert table.thirds == (3, 0)
    assert table.table == ()


def test_who_cannot_follow_may_play_anything_and_never_takes() -> None:
    table = Round.parse(MIXED).act("4d").act("8d").act("2d")
    assert len(table.legal) == 10
    assert table.act("3b").turn == 2


def test_play_goes_on_in_order_of_seats() -> None:
    assert [seat for seat, _ in Round.parse(MIXED + "; play 4d 8d 2d 3b 8s").plays] == [0, 1, 2, 3, 2]


def test_the_last_trick_is_worth_a_point() -> None:
    rows = Table.begin(np.array([[ITALIAN.mask(range(10 * s, 10 * s + 10)) for s in range(4)]]), 0)
    for k in range(40):
        rows.apply(np.array([0]), np.array([10 * (k % 4) + k // 4]))
    assert rows.thirds.tolist() == [[35, 0]]


rounds = st.builds(
    lambda seed, cards, named, talk: play_at_random(seed, cards, named, talk),
    st.integers(0, 10**6),
    st.integers(0, 40),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=30, deadline=None)
@given(rounds)
def test_text_gives_the_same_round_again_and_print_what_the_seat_to_act_sees(table: Round) -> None:
    assert Round.parse(table.text()) == table
    assert Round.parse(str(table)) == table.seen()
    assert eval(repr(table)) == table.seen()
    for seat in range(4):
        assert Round.parse(table.seen(seat).text()) == table.seen(seat).seen()


@settings(max_examples=20, deadline=None)
@given(rounds)
def test_an_action_taken_back_leaves_the_round_as_it_was(table: Round) -> None:
    before, seen = Round.parse(table.text()), table.seen()
    for action in table.legal:
        assert table.act(action) != before
        assert table.undo() == before
    whole = table.history
    assert table.undo(len(whole)).history == ()
    for action in whole:
        table.act(action)
    assert table == before
    assert table.seen() == seen


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_payoffs_sum_to_zero_and_are_those_of_the_points(seed: int) -> None:
    table = play_at_random(seed, 39)
    with pytest.raises(IllegalError, match="not over: trick 10"):
        _ = table.payoffs
    table.act(next(iter(table.legal)))
    ours, theirs = table.points
    assert table.payoffs == (ours - theirs, theirs - ours, ours - theirs, theirs - ours)
    assert sum(table.payoffs) == 0
    assert table.view(1).payoffs == (theirs - ours, ours - theirs, theirs - ours, ours - theirs)


@settings(max_examples=20, deadline=None)
@given(rounds)
def test_a_view_survives_its_text_and_equals_what_the_seat_observes(table: Round) -> None:
    for seat in range(4):
        view = table.view(seat)
        assert View.parse(view.text()) == view
        assert View.of(table.observe(seat), table.rules) == view
        for name, value in vars(table.observe(seat)).items():
            np.testing.assert_array_equal(getattr(view.observe(), name), value, err_msg=name)


@settings(max_examples=20, deadline=None)
@given(rounds)
def test_every_action_is_legal_or_refused_with_a_reason_that_quotes_it(table: Round) -> None:
    legal = set(table.legal)
    for action in range(160):
        reason = table.why_not(action)
        assert (reason == "") == (action in legal)
        assert table.action_text(action) in reason or action in legal or table.over


def test_in_a_view_another_may_play_whatever_it_may_play_in_some_deal() -> None:
    view = View.parse("me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1; play 8d 2s 3d 4d, 8s 4s 10s 9s")
    assert view.turn == 1
    assert len(view.legal.cards) == 40 - 10 - 6, "all cards that are neither mine nor played"
    view.act("10d")
    assert {card.suit for card in view.legal.cards} == {1, 2, 3}, "compagno did not follow denari in trick 1"
    assert "Ad" not in str(view.legal)


def test_the_rules_of_a_round_are_in_its_text() -> None:
    rules = Rules(target=21, a_monte=False, named=True, talk=True)
    table = Round(rules, seed=5)
    assert "; target 21; a_monte false; named; talk; lead south" in table.text()
    assert Round.parse(table.text()).rules == Round.parse(str(table)).rules == rules
    assert Round.parse(MIXED, "tressette-talk").rules.talk


def test_a_round_prints_and_draws_no_hidden_card() -> None:
    table = play_at_random(4, 22)
    hidden = {str(card) for seat in range(4) if seat != table.turn for card in table.hand(seat)}
    drawn = {card for row in table.section().cards for card in row.cards if card}
    for text in (str(table), repr(table), str(table.observe()), str(table.legal)):
        words = set(text.replace(";", " ").replace(",", " ").replace("'", " ").split())
        assert not words & hidden
    assert not drawn & hidden
    assert drawn >= {str(card) for card in table.hand()}
    assert sum(len(row.cards) for row in table.section().cards[:4]) == 18


def test_the_same_seed_gives_the_same_cards_and_the_same_chance() -> None:
    one, two = Round(seed=3, number=2), Round(seed=3, number=2)
    while not one.over:
        one.act(agent("random"))
        two.act(agent("random"))
    assert one == two
    assert Round(seed=3, number=2) != Round(seed=3, number=1)
    assert Round(seed=3).observe().rng_key[0] != Round(seed=4).observe().rng_key[0]


def test_an_agent_acts_for_the_seat_to_act_and_in_a_view_only_for_me() -> None:
    assert Round(seed=1).act(agent("greedy")).plays[0][0] == 0
    view = View.parse(VIEW)
    with pytest.raises(IllegalError, match="an agent plays for me only, and avv1 is to play"):
        view.act(agent("greedy"))
    with pytest.raises(IllegalError, match="the hand of compagno is not known"):
        view.hand(2)
    with pytest.raises(IllegalError, match="what avv1 sees is not known"):
        view.observe(1)


def test_an_observation_holds_no_hidden_card() -> None:
    """Two deals that differ only in hidden cards give one observation."""
    table = play_at_random(4, 22)
    seat = table.turn or 0
    hidden = [other for other in range(4) if other != seat]
    a, b = hidden[0], hidden[1]
    seen = table.observe(seat)
    rows = table.row.copy()
    mine, theirs = int(rows.hands[0, a]), int(rows.hands[0, b])
    swap_out, swap_in = mine & -mine, theirs & -theirs
    for array in (rows.hands, rows.dealt):
        array[0, a] ^= swap_out | swap_in
        array[0, b] ^= swap_out | swap_in
    table.row = rows
    for name, value in vars(table.observe(seat)).items():
        np.testing.assert_array_equal(getattr(seen, name), value, err_msg=name)


def test_declarations_are_those_the_rules_make_compulsory() -> None:
    hands = np.empty((3000, 4), np.int64)
    deal_hands(stream(3, "deal"), 0, hands)
    rows = Table.begin(hands)
    for i in range(len(hands)):
        for seat in range(4):
            assert tuple(rows.declared[i, seat]) == declarations_of(int(hands[i, seat]))


def test_declarations_score_three_three_and_four() -> None:
    told = np.array([[[2, 0, 3, 5], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]], np.int8)
    assert declared_points(told).tolist() == [[6 + 3 + 4, 3, 0, 3]]


def test_a_deal_is_forty_different_cards_and_depends_on_seed_and_number_only() -> None:
    hands = np.empty((100, 4), np.int64)
    deal_hands(stream(1, "deal"), 0, hands)
    assert (hands.sum(axis=1) == (1 << 40) - 1).all()
    again = np.empty((1, 4), np.int64)
    deal_hands(stream(1, "deal"), 57, again)
    assert (again[0] == hands[57]).all()


def test_every_card_reaches_every_seat_equally_often() -> None:
    hands = np.empty((20_000, 4), np.int64)
    deal_hands(stream(2, "deal"), 0, hands)
    share = np.array([[(hands[:, seat] >> card & 1).mean() for card in range(40)] for seat in range(4)])
    assert np.abs(share - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / 20_000)


@pytest.mark.parametrize(
    ("hand", "may"),
    [("4d5d6d7d4c5c6c8c9c10c", True), ("4d5d6d7d4c5c6c7c4sAs", True), ("4d5d6d7d4c5c8s8c9c10c", False)],
)
def test_a_hand_of_at_most_three_thirds_may_be_sent_a_monte(hand: str, may: bool) -> None:
    assert may_void(ITALIAN.mask(ITALIAN.parse(hand))) == may


@pytest.mark.parametrize(
    ("plays", "card", "complaint"),
    [
        ("", "8d", "8d is not legal for south: south does not hold 8d; the hand is 4d 5d"),
        ("4d", "8c", "8c does not follow suit: denari was led and east holds 8d 9d 10d Ad"),
        ("4d 8d 2d 3b", "8d", "8d was already played by east in trick 1"),
    ],
)
def test_illegal_cards_are_refused_with_the_reason(plays: str, card: str, complaint: str) -> None:
    table = Round.parse(f"{MIXED}; play {plays}" if plays else MIXED)
    before = str(table)
    with pytest.raises(IllegalError, match=complaint):
        table.act(card)
    assert str(table) == before


@pytest.mark.parametrize(
    ("start", "action", "complaint"),
    [
        (MIXED, "4d:busso", "no talking in this round"),
        (MIXED + "; talk", "4d:volo", "volo would not be true: south holds 5d 6d 7d"),
        (MIXED + "; talk; play 4d:busso", "8d:striscio", "only who leads a trick may signal: south led"),
        (MIXED + "; talk", "4d:tombola", "'tombola' is no signal; known: busso, striscio, volo"),
    ],
)
def test_signals_are_true_and_for_leaders_where_talking_is_allowed(start: str, action: str, complaint: str) -> None:
    with pytest.raises((IllegalError, UnreadableError), match=complaint):
        Round.parse(start).act(action)


def test_busso_with_the_last_card_of_a_suit_is_refused() -> None:
    table = Round.parse(MIXED + "; talk; play 4d 8d 2d 3s")
    with pytest.raises(IllegalError, match="busso would not be true: north holds no more of denari"):
        table.act("3d:busso")
    assert table.act("3d:volo").said(2) == "volo"


def test_nothing_can_be_played_after_the_tenth_trick() -> None:
    table = play_at_random(1, 40)
    assert len(table.legal) == 0
    assert table.turn is None
    with pytest.raises(IllegalError, match="the round is over"):
        table.act("3d")


def test_more_cards_than_were_played_cannot_be_taken_back() -> None:
    with pytest.raises(IllegalError, match="cannot take back 2 actions: 1 have been taken"):
        Round.parse(MIXED + "; play 4d").undo(2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("south 4d; lead south", "the hand of east is missing"),
        (DEALT.replace("4d;", ";"), "south has 9 cards"),
        (DEALT.replace("4c;", "4d;"), "dealt to more than one seat: 4d"),
        (DEALT.replace("lead south", "lead sud"), "who leads the first trick"),
        (DEALT.replace("lead", "led"), "did you mean 'lead'"),
        (DEALT + "; lead east", "duplicate part 'lead'"),
    ],
)
def test_unreadable_rounds_are_explained(text: str, complaint: str) -> None:
    with pytest.raises((UnreadableError, IllegalError), match=complaint):
        Round.parse(text)


VIEW = "me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (VIEW + "; play 8d 2d 3d 4d, 8d", "8d was already played by avv1 in trick 1"),
        (VIEW + "; play 8d 2d 3d 4d, 2s 5d", "5d does not follow suit: spade was led and me holds 4s 5s"),
        (VIEW + "; play 8d 2d 3d 8c", "me does not hold 8c"),
        (VIEW + "; play 4d", "4d is in my own hand: avv1 cannot play it"),
        (VIEW + "; play 8d 2s 3d 4d, 9s 4s 10s 10d", "compagno cannot hold 10d: it did not follow denari in trick 1"),
        (
            VIEW.replace("; lead", "; avv1 bongioco 2 without d; compagno bongioco 2 without d; lead"),
            "no deal of the cards agrees",
        ),
        (VIEW.replace("; lead", "; avv1 napoli d; lead"), "not named"),
        (VIEW.replace("; lead", "; avv1 tombola; lead"), "cannot read the declaration 'tombola'"),
        (VIEW.replace("; lead", "; avv1 bongioco 7 without d; lead"), "'7' .* is no rank that is declared"),
        (VIEW.replace("; lead", "; avv1 corona 2, bongioco 2 without d; lead"), "2 is declared twice"),
        ("lead avv1", "the hand is missing"),
    ],
)
def test_impossible_observations_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises((UnreadableError, IllegalError), match=complaint):
        View.parse(text)


def test_a_card_that_contradicts_a_declaration_is_refused_and_nothing_is_played() -> None:
    view = View.parse(VIEW.replace("; lead", "; avv1 corona 3; lead"))
    view.act("8d")
    with pytest.raises(ImpossibleError, match="3d is not legal for compagno: no deal of the cards agrees with it"):
        view.act("3d")
    assert str(view).endswith("play 8d")


def test_a_round_from_its_text_gives_agents_the_same_random_numbers_and_print_never_shows_the_key() -> None:
    table, random = Round(seed=5, number=2), agent("random")
    while not table.over:
        again = Round.parse(table.text())
        assert again.text() == table.text()
        assert again.observe().rng_key == table.observe().rng_key
        assert "key" not in str(table)
        assert "key" not in table.seen().text()
        table.act(random)
        assert table.history == again.act(random).history
    assert "; key " in table.text()
    assert "key" not in str(table)
    old = Round.parse(str(table))  # a text without a key, as it was written before
    assert old.text() == str(table)


def test_rounds_in_the_log_of_a_match_and_in_a_persons_record_have_no_key() -> None:
    _, lines = TressetteMatch().play([agent("random"), agent("greedy")], range(2), 1, log=True)
    assert len(lines) == 4
    assert not any("key" in line for line in lines)


HANDS = [ITALIAN.cards(range(10 * k, 10 * k + 10)) for k in range(4)]
FOUR = "; ".join(f"{name} {ITALIAN.text(hand)}" for name, hand in zip(SEATS, HANDS, strict=True))
OWN = Round(seed=1).hand(0)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Round(leader=9), "the leader must be a whole number from 0 to 3, got 9"),
        (lambda: Round(leader=-1), "the leader must be a whole number from 0 to 3, got -1"),
        (lambda: Round(number=-1), "the number of a deal must be a whole number from 0, got -1"),
        (lambda: Round(seed="x"), "a seed must be a whole number, got 'x'"),  # type: ignore[arg-type]
        (lambda: Round(rng_key=-1), "a random key must be a whole number from 0 to"),
        (lambda: Round(hands=HANDS, seed=5, rng_key=3), "nothing left for a seed"),
        (lambda: View(hand=OWN, leader=4), "the leader must be a whole number"),
        (
            lambda: View(hand=OWN, declared={7: "napoli"}),
            "a seat that declares must be a whole number from 0 to 3, got 7",
        ),
        (lambda: Round.parse(f"{FOUR}; avv1 napoli; lead south"), "avv1 in .* here all hands are known"),
        (lambda: Round.parse(f"{FOUR}; key x; lead south"), "'x' is not the key of 16 hexadecimal digits"),
        (lambda: View.parse(f"me {ITALIAN.text(OWN)}; key 5; lead me"), "cannot read 'key 5'"),
    ],
)
def test_a_round_is_not_made_of_what_makes_no_sense(make: Callable[[], Round], complaint: str) -> None:
    with pytest.raises(MazzoError, match=complaint):
        make()
