"""A round in the hand: what is legal, what it pays, its text, and what it keeps to itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.blackjack.agents import AGENTS
from mazzo.blackjack.columns import ACTIONS
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import PRESETS, rules
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of, text_of
from mazzo.errors import IllegalError, MazzoError, UnreadableError
from tests.blackjack.any_rules import any_rules
from tests.golden.playthrough import FOLDER

STRIP, HUNGARIAN = PRESETS["strip"], PRESETS["hungarian"]


def play_randomly(game: Round, choices: list[int], most: int = 100) -> Round:
    for choice in choices[:most]:
        if game.over:
            break
        game.act(list(game.legal)[choice % len(game.legal)])
    return game


CHOICES = st.lists(st.integers(0, 1000), max_size=12)


@settings(max_examples=150, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.integers(1, 3), CHOICES)
def test_a_round_is_read_from_its_text_and_taken_back(table, seed: int, boxes: int, choices: list[int]) -> None:  # type: ignore[no-untyped-def]
    game = play_randomly(Round(table.changed(decks=8), seed=seed, boxes=boxes), choices)
    assert Round.parse(game.text()) == game
    assert Round.parse(game.text()).text() == game.text()
    assert Round.parse(str(game)) == game.seen() == game
    assert str(game.seen()) == game.seen().text() == str(game)
    if not game.over:
        before = game.text()
        for action in list(game.legal):
            assert game.act(action).undo().text() == before


@settings(max_examples=100, deadline=None)
@given(any_rules(), st.integers(0, 2**32), CHOICES)
def test_the_text_of_a_whole_round_plays_on_with_the_same_cards(table, seed: int, choices: list[int]) -> None:  # type: ignore[no-untyped-def]
    game = play_randomly(Round(table.changed(decks=8), seed=seed), choices, 2)
    other = Round.parse(game.text())
    play_randomly(game, choices)
    play_randomly(other, choices)
    assert game == other
    assert game.text() == other.text()


@settings(max_examples=60, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.integers(1, 4), CHOICES)
def test_no_card_is_made_or_lost(table, seed: int, boxes: int, choices: list[int]) -> None:  # type: ignore[no-untyped-def]
    game = play_randomly(Round(table.changed(decks=8), seed=seed, boxes=boxes), choices)
    assert game.before.without(game.drawn()) == game.shoe_after
    own = sorted(card.number for hand in game.hands for card in hand.cards)  # type: ignore[attr-defined]
    dealers = sorted(set(range(len(game.drawn()))) - set(own))
    assert len(dealers) == len(game.dealer) + game.hole_hidden
    assert len(own) == len(set(own))


def test_the_hole_card_is_printed_nowhere_before_it_is_shown() -> None:
    one, other = Round(STRIP, "8,8 v 10,6"), Round(STRIP, "8,8 v 10,5")
    for show in (str, repr, lambda game: str(game.section()), lambda game: game._repr_html_()):
        assert show(one) == show(other)
    assert one.dealer == (9,)
    assert one == other
    assert one.text() != other.text()
    assert one.act("stand") != other.act("stand")
    assert str(one).startswith("rules strip; deal 8,8 v T,6; plays stand")


def test_what_is_legal_under_an_ace_does_not_tell_the_hole_card() -> None:
    assert str(Round(STRIP, "9,7 v A,T").legal) == str(Round(STRIP, "9,7 v A,5").legal)
    assert "insure" in Round(STRIP, "9,7 v A,T").legal.by_text


def test_a_play_leaves_the_side_bet_that_is_offered() -> None:
    game = Round(STRIP, "9,7 v A,5", seed=3).act("stand")
    assert game.over
    assert game.history == (0,)
    assert not game.hands[0].insured
    lost = Round(STRIP, "9,7 v A,T").act("hit")
    assert lost.payoffs == (-1.0,)
    assert len(lost.hands[0].cards) == 2


def test_a_hidden_hole_card_is_one_that_the_text_allows() -> None:
    for _ in range(3):
        game = Round.parse("deal T,6 v T,?; plays hit; drawn 2", "strip")
        assert not game.over
        assert 0 not in game.drawn()[3:4]
    with pytest.raises(UnreadableError, match="no hole card fits"):
        Round.parse("deal A,T v 6,?", "strip")  # a blackjack against a six is over: the hole card would be shown


def test_side_bets_pay_as_they_should() -> None:
    assert Round(STRIP, "9,9 v A,T").act("insure").payoffs == (0.0,)
    assert Round(STRIP, "A,T v A,6").act("even money").payoffs == (1.0,)
    assert Round(STRIP, "A,T v A,6").act("leave").payoffs == (1.5,)
    assert Round(STRIP, "A,T v A,T").act("leave").payoffs == (0.0,)
    assert Round(STRIP, "A,T v A,T").act("insure").payoffs == (1.0,)
    six_five = STRIP.changed(blackjack_pays="6:5")
    assert Round(six_five, "A,T v A,6").act("even money").payoffs == (1.0,)
    assert Round(six_five, "A,T v A,6").act("insure").payoffs == (1.2 - 0.5,)


def test_split_aces_get_one_card_and_21_is_no_blackjack() -> None:
    game = Round(STRIP, "A,A v 6,T").act("split")
    assert game.over
    assert all(len(hand.cards) == 2 and not hand.natural for hand in game.hands)


def test_a_doubled_hand_gets_one_card_for_twice_the_stake() -> None:
    game = Round(HUNGARIAN, "6,5 v 6").act("double")
    assert game.hands[0].stake == 2
    assert len(game.hands[0].cards) == 3
    assert game.payoffs[0] in (-2, 0, 2)


def test_the_peek_saves_what_was_not_yet_staked() -> None:
    assert Round(STRIP, "6,5 v T,A").payoffs == (-1.0,)
    enhc = Round.of_cards(HUNGARIAN, (5, 9, 4, 8, 0)).act("double")
    assert enhc.dealer == (9, 0)
    assert enhc.payoffs == (-2.0,)


def test_known_cards_are_dealt_and_what_has_no_effect_is_refused() -> None:
    game = Round(STRIP, "8,8 / T,6 v 10", seed=4)
    assert [text_of(hand.cards) for hand in game.hands] == ["8,8", "T,6"]
    assert game.boxes == 2
    for wrong in ("8,8", "8 v 10", "8,8,3 v 10", "8,8 v 10,6,5", "8,x v 10"):
        with pytest.raises(UnreadableError):
            Round(STRIP, wrong)
    with pytest.raises(UnreadableError, match="upcard, got 2"):
        Round("european", "8,8 v 10,6")
    with pytest.raises(UnreadableError, match="boxes = 3"):
        Round(STRIP, "8,8 v 10", boxes=3)
    with pytest.raises(UnreadableError, match="not both"):
        Round(STRIP, seed=1, key=2)
    with pytest.raises(TypeError):
        Round(STRIP, dealer="T")  # type: ignore[call-arg]
    with pytest.raises(IllegalError, match="no 8 left"):
        Round(STRIP, "8,8 v 10", shoe=Shoe((24,) * 7 + (1, 24, 96)))


def test_what_is_not_legal_says_why_and_what_is() -> None:
    game = Round(STRIP, "T,6 v T,T")
    with pytest.raises(
        IllegalError, match=r"only a pair may be split.* T,6 \(16\) against T.*legal: stand, hit, double"
    ):
        game.act("split")
    with pytest.raises(IllegalError, match="the dealer shows T"):
        game.act("insure")
    with pytest.raises(UnreadableError, match="there is no play 'stend'; did you mean 'stand'"):
        game.act("stend")
    with pytest.raises(IllegalError, match="still to be played"):
        _ = game.payoffs
    with pytest.raises(IllegalError, match="the round is over"):
        game.act("stand").act("stand")
    with pytest.raises(IllegalError, match="cannot take back"):
        game.undo(2)


def test_a_shoe_too_small_for_a_round_is_refused() -> None:
    with pytest.raises(IllegalError, match="shuffle a new one"):
        Round(STRIP, shoe=Shoe((1,) * 9 + (8,)))
    with pytest.raises(IllegalError, match="real decks"):
        Round(rules("strip", decks="infinite"))


@pytest.mark.parametrize(
    "text",
    [
        "", "deal", "deal 8,8", "deal 8,8 v T,?; plays fly", "deal 8,8 v T,?; plays split; drawn T,T,T,T",
        "deal 8,8 v T,?; key x", "rules nowhere; deal 8,8 v T,?", "rules /etc/passwd.toml; deal 8,8 v T,?",
        "rules strip decks=99; deal 8,8 v T,?", "rules strip decks; deal 8,8 v T,?", "cards 8", "deal 8,8 v ?",
        "shoe 1,1,1,1,1,1,1,1,1,1; deal 8,8 v T,?", "deal " + "8,8 / " * 30 + "8,8 v T",
        "deal 8,8 v T,6; key 99999999999999999999",
    ],
)  # fmt: skip
def test_a_text_that_is_no_round_is_refused(text: str) -> None:
    with pytest.raises(MazzoError):
        Round.parse(text)


def test_agents_play_rounds_to_their_end() -> None:
    for name in AGENTS:
        agent = create(name, AGENTS)
        for seed in range(15):
            game = Round(HUNGARIAN, seed=seed)
            while not game.over:
                explanation = agent.explain(game.observe())
                assert explanation.action in ACTIONS
                game.act(agent)


def playthrough() -> str:
    """Thirty rounds of two shoes by the chart, as one reads them."""
    from mazzo.rng import fork, stream

    agent, lines = create("chart", AGENTS), []
    for name in ("strip", "hungarian"):
        table = PRESETS[name]
        shoe = shoe_of(table)
        for k in range(15):
            game = Round(table, shoe=shoe, key=fork(stream(7, name), k))
            dealt = f"{name} {k}: {text_of(game.hands[0].cards)} v {RANKS[game.upcard]}"
            while not game.over:
                game.act(agent)
            hands = " / ".join(str(hand) for hand in game.hands)
            lines.append(f"{dealt} -> {hands}; dealer {text_of(game.dealer)}; {game.payoffs[0]:+g}")
            shoe = game.shoe_after
    return "\n".join(lines) + "\n"


def test_a_playthrough_is_what_it_was() -> None:
    assert playthrough() == (FOLDER / "blackjack.txt").read_text()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"boxes": 0}, "the number of boxes must be a whole number from 1 to .*, got 0"),
        ({"boxes": -1}, "the number of boxes must be a whole number from 1 to .*, got -1"),
        ({"boxes": 1.5}, "the number of boxes must be a whole number from 1 to .*, got 1.5"),
        ({"key": -1}, "a key must be a whole number from 0 to 18446744073709551615, got -1"),
        ({"key": 2**64}, "a key must be a whole number"),
        ({"seed": "x"}, "a seed must be a whole number, got 'x'"),
        ({"number": -1}, "the number of a round must be a whole number from 0, got -1"),
    ],
)
def test_a_round_is_not_made_of_what_makes_no_sense(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        Round("strip", **given)
