"""Amounts as players say them: by street, without what was put in before; who shows, who mucks, who takes the pot."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.hand import Hand
from mazzo.holdem.replay import detail, replay
from mazzo.holdem.seated import HoldemTable
from mazzo.holdem.spoken import acted, followed, may_muck, net_of, pot_before, showing_order, street_bets, taken
from mazzo.seated import NEXT
from mazzo.sitting import Sitting
from mazzo.words.sentences import log_line, with_texts

NAMES = ("Anna", "Ben", "Carla")
BOARD = "2c7dTh 3s Qc"


def told(hand: Hand, *actions: str) -> list[str]:
    """Play the actions; everything that is said of them."""
    said = []
    for text in actions:
        action, street = hand.read_action(text), hand.street
        said.append(acted(hand, NAMES[hand.actor or 0], action))
        hand.act(action)
        said += followed(hand, NAMES, street, may_muck(hand), net_of(hand))
    return [log_line(sentence, "french") for sentence in said]


def three(cards: str = "AsAd KsKd QsQd", stacks: tuple[int, ...] = (10000, 10000, 10000)) -> Hand:
    return Hand("holdem-nolimit-3p", f"{cards} {BOARD}", stacks=stacks)


def test_bets_calls_and_raises_are_counted_by_street() -> None:
    hand = three()
    big = hand.game.big_blind
    said = told(hand, f"r{3 * big}", "c", "c", f"r{5 * big}", "c", f"r{9 * big}", "f", "c")
    assert said[:3] == [f"Carla raises to {3 * big}.", f"Anna calls {3 * big - big // 2}.", f"Ben calls {2 * big}."]
    assert said[4:9] == [
        f"Anna bets {2 * big}.",
        f"Ben calls {2 * big}.",
        f"Carla raises to {6 * big}.",
        "Anna folds.",
        f"Ben calls {4 * big}.",
    ]
    assert said[9].endswith(f"Pot {3 * 3 * big + 2 * big + 2 * 6 * big}.")


def test_a_bet_on_a_river_that_was_checked_to_is_told_as_it_is_put_down() -> None:
    hand = three()
    told(hand, "c", "c", "c", "c", "c", "c", "c", "c", "c")
    before = hand.pot
    bet = hand.spent[0] + 135
    assert told(hand, f"r{bet}") == ["Anna bets 135."]
    assert street_bets(hand) == (135, 0, 0)
    assert pot_before(hand) == before


def test_an_all_in_is_said_for_what_it_is_on_this_street() -> None:
    hand = three(stacks=(320, 10000, 10000))
    said = told(hand, "c", "c", "c", "r320", "c", "c")
    called = 320 - hand.game.big_blind
    assert f"Anna is all-in for {called}." in said
    assert f"Ben calls {called}." in said


def test_a_call_for_the_last_chips_says_so_and_the_rest_of_the_bet_goes_back() -> None:
    hand = three(stacks=(300, 10000, 10000))
    said = told(hand, "r800", "c", "f")
    assert said[0] == "Carla raises to 800."
    assert said[1] == f"Anna calls {300 - hand.game.blinds[0]} and is all-in."
    assert said[3] == "An uncalled bet of 500 goes back to Carla."
    assert said[4].startswith("Flop: ")
    assert said[4].endswith(f"Pot {600 + hand.game.big_blind}.")
    assert said[-1] == f"Carla wins {600 + hand.game.big_blind}."


def test_who_wins_without_a_showdown_takes_the_pot_and_gets_the_uncalled_bet_back() -> None:
    hand = three()
    small, big = hand.game.blinds[0], hand.game.big_blind
    said = told(hand, "f", "r500", "f")
    assert said[-2:] == [f"An uncalled bet of {500 - big} goes back to Anna.", f"Anna wins {2 * big}."]
    assert hand.payoffs[0] == big
    assert taken(hand, hand.payoffs) == (2 * big, 0, 0)
    assert small < big


@pytest.mark.parametrize(
    ("river", "order"),
    [
        (("c", "c", "c"), [0, 1, 2]),
        (("c", "r800", "c", "c"), [1, 2, 0]),
        (("r800", "r1600", "c", "c"), [1, 2, 0]),
        (("c", "c", "r800", "c", "f"), [2, 0]),
    ],
)
def test_the_last_to_bet_on_the_last_street_shows_first_else_the_first_to_act(
    river: tuple[str, ...], order: list[int]
) -> None:
    hand = three()
    told(hand, "r200", "c", "c", "c", "c", "r400", "c", "c", "c", "c", "c", *river)
    assert showing_order(hand) == order


def test_a_hand_that_is_beaten_by_one_shown_before_is_mucked() -> None:
    hand = three("QsQd KsKd AsAd")  # a set of queens bets and shows first
    said = told(hand, "c", "c", "c", *["c"] * 6, "r300", "c", "c")
    assert said[-4:-1] == [
        "Anna shows Q♠ Q♦: three of a kind, queens, ten seven kickers.",
        "Ben mucks.",
        "Carla mucks.",
    ]


def test_each_better_hand_in_turn_is_shown() -> None:
    hand = three("KsKd AsAd QsQd")
    said = told(hand, "c", "c", "c", *["c"] * 9)
    assert [line.split()[1] for line in said[-4:-1]] == ["shows", "shows", "shows"]
    assert may_muck(hand) == ()


def test_a_hand_that_may_win_a_side_pot_is_shown_though_the_main_pot_is_lost() -> None:
    hand = three("QsQd KsKd JsJd", stacks=(200, 10000, 10000))
    said = told(hand, "r200", "c", "c", "c", "c", "c", "c", "r400", "c")  # Anna is all-in, the others bet on
    assert showing_order(hand) == [1, 2, 0]
    assert may_muck(hand) == (2,)
    assert said[-2:] == ["Anna wins 600.", "Ben wins 400."]


def test_cards_lie_open_where_the_betting_ended_before_the_river() -> None:
    hand = three("QsQd KsKd JsJd", stacks=(500, 500, 500))
    told(hand, "r500", "c", "c")
    assert may_muck(hand) == ()


def played(seed: int, seats: list[str], **options: Any) -> HoldemTable:
    return HoldemTable(seats, {"chips": 400, **options}, seed)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans(), st.randoms(use_true_random=False))
def test_no_chip_is_lost_between_stacks_bets_and_pot(seed: int, players: int, limit: bool, by: random.Random) -> None:
    game = played(seed, ["me"] * players, betting="limit" if limit else "no-limit")
    for _ in range(60):
        view = game.view(0)
        inside = sum(s["chips"] + s["bet"] for s in view["seats"]) + view["pot"]
        assert inside == sum(game.session.stacks)
        if game.seat is None:
            hand = game.hand
            won = sum(taken(hand, hand.payoffs))
            assert won + sum(v["amount"] for k, v in game.log if k == "holdem.uncalled") >= won > 0
            assert all(amount >= 0 for amount in taken(hand, hand.payoffs))
            shown = {p for p in hand.shown_down if p not in may_muck(hand)}
            assert not hand.shown_down or {p for p, k in enumerate(taken(hand, hand.payoffs)) if k} <= shown
            game.act(NEXT)
            game.log.clear()
            continue
        raises = game.hand.legal.raises
        do = by.choice(["c", "c", "r", "f"])
        amount = by.choice([raises[0], raises[-1], by.choice(raises)]) if raises else 0
        game.act(f"r{amount}" if do == "r" and raises else "c" if do == "r" or not game.hand.legal.fold else do)


def to_the_flop(**options: Any) -> HoldemTable:
    game = played(6, ["me:Anna", "me:Ben"], **options)
    game.act("c")
    game.act("c")
    return game


def test_what_is_typed_is_what_is_shown_and_what_is_kept_is_the_total() -> None:
    game = to_the_flop()
    choice = with_texts(game.view(game.seat)["choices"])[-1]
    assert choice["label"] == "Bet {amount}"
    assert choice["amount"] == {"low": 20, "high": 400, "before": 10}
    assert game.read("r 135", game.seat or 0) == game.read("b135", game.seat or 0) == "r145"
    game.act("r145")
    assert log_line(game.log[-1], "french").endswith("bets 135.")
    label = with_texts(game.view(game.seat)["choices"])[-1]["label"]
    assert label == "Raise to {amount}"
    assert [s["bet"] for s in game.view(0)["seats"]].count(135) == 1


def test_a_refusal_and_a_question_speak_of_this_streets_amounts() -> None:
    game = to_the_flop()
    with pytest.raises(IllegalError, match=r"^a bet is 10 at least and 390 at most$"):
        game.act("r15")
    with pytest.raises(UnreadableError, match=r"^bet how much\? r 10 to r 390$"):
        game.read("r", 0)
    game.act("r40")
    with pytest.raises(IllegalError, match=r"^a raise is to 60 at least and to 390 at most$"):
        game.act("r45")


def test_a_limit_bet_and_raise_are_told_with_their_amounts() -> None:
    game = to_the_flop(betting="limit")
    game.act("r")
    game.act("r")
    words = [log_line(line, "french") for line in game.log[-2:]]
    assert words[0].endswith("bets 10.")
    assert words[1].endswith("raises to 20.")


def mucking() -> tuple[Sitting, int, int]:
    """A finished hand in which one person mucked: the table, who showed, who mucked."""
    for seed in range(50):
        sitting = Sitting("holdem", ["me:Anna", "me:Ben"], {"chips": 400}, seed)
        game = sitting.game
        assert isinstance(game, HoldemTable)
        while game.seat is not None:
            sitting.act("c")
        if may_muck(game.hand):
            mucked = game.session.seating[may_muck(game.hand)[0]]
            return sitting, 1 - mucked, mucked
    raise AssertionError("nobody mucked in 50 hands")


def test_mucked_cards_are_seen_by_nobody_else_and_their_owner_may_show_them() -> None:
    sitting, winner, loser = mucking()
    game = sitting.game
    own = game.view(loser)["seats"][loser]["hands"][0]["cards"]
    assert None not in own
    for viewer in (winner, None):
        seat = game.view(viewer)["seats"][loser]
        assert (seat["hands"][0]["cards"], seat["status"]) == ([], "mucked")
    assert [k["action"] for k in game.view(loser)["choices"]] == [f"show:{loser}"]
    assert game.view(winner)["choices"] == []
    with pytest.raises(IllegalError, match="only your own cards"):
        game.may(winner, f"show:{loser}")
    game.may(loser, f"show:{loser}")
    sitting.act(f"show:{loser}")
    assert game.view(winner)["seats"][loser]["hands"][0]["cards"] == own
    with pytest.raises(IllegalError):
        sitting.act(f"show:{loser}")
    assert [len(hands) for hands in sitting.records.values()] == [1, 1]


def test_a_record_keeps_what_its_seat_knew_and_is_replayed_with_its_result() -> None:
    sitting, winner, loser = mucking()
    hidden = sitting.game.view(loser)["seats"][loser]["hands"][0]["cards"]
    record = sitting.records[winner][0]
    assert not any(card in record["line"].rpartition(":")[2].split("/")[0] for card in hidden)
    frames = replay(record)
    names = sitting.game.names
    said = [log_line(line, "french") for line in frames[-1].said]
    assert said[-2:] == [f"{names[loser]} mucks.", f"{names[winner]} wins 20."]
    assert log_line(detail(record), "french") == f"Showdown. {names[winner]} wins 20."
    assert log_line(detail(sitting.records[loser][0]), "french") == f"Showdown. {names[winner]} wins 20."
    sitting.act(f"show:{loser}")
    assert all(card in sitting.records[winner][0]["line"] for card in hidden)


@pytest.mark.parametrize("net", [[1, 1], [5000, -5000], ["x", 0], [0], 7])
def test_a_record_that_lies_about_its_result_is_not_believed(net: Any) -> None:
    sitting, winner, _ = mucking()
    record = {**sitting.records[winner][0], "net": net}
    try:
        said = [key for key, _ in replay(record)[-1].said]
    except UnreadableError:
        return
    assert "wins" not in said


def test_agents_are_called_by_first_names_so_that_what_they_do_is_a_sentence() -> None:
    game = played(3, ["me:Anna", "call", "raise"])
    assert game.names == ["Anna", "Nico", "Mara"]


def test_folding_is_the_only_thing_said_of_a_fold() -> None:
    assert acted(three(), "Anna", c.FOLD) == ("holdem.folds", {"name": "Anna"})
