"""Rules as they are played elsewhere: when declarations are made, what wins a match, what loses it."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, UnreadableError
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.deals.sample import count_deals, hold_counts
from mazzo.tressette.game import Game, declared_in
from mazzo.tressette.reasoning import knowledge
from mazzo.tressette.round import Round
from mazzo.tressette.rules import PRESETS, Rules, rules
from mazzo.tressette.seated import TressetteTable
from mazzo.tressette.view import View
from tests.tressette.situations import play_at_random

SUITS = [" ".join(f"{rank}{suit}" for rank in ITALIAN.ranks) for suit in ITALIAN.suits]


def played(table: Round, cards: int) -> Round:
    for _ in range(cards):
        table.act(next(iter(table.legal)))
    return table


def test_before_they_are_made_declarations_tell_nobody_anything() -> None:
    after, before = Round("tressette-after", seed=2), Round(seed=2)
    assert any(before.declarations(seat) for seat in range(4))
    for cards in range(5):
        told = cards == 4
        assert after.told == told
        assert (after.observe().declared < 0).all() != told
        assert any(after.declarations(seat) for seat in range(4)) == told
        expected = before.observe()
        if not told:
            expected.declared[:] = 0
        assert count_deals(after.observe())[0] == count_deals(expected, told, told)[0]
        assert (hold_counts(after.observe())[1] == hold_counts(expected, told, told)[1]).all()
        played(after, 1)
        played(before, 1)


def test_the_knowledge_base_draws_nothing_from_declarations_that_are_not_made() -> None:
    text = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"
    silent = str(knowledge(f"{text}; declarations none").deductions())
    assert silent == str(knowledge(text, napoli=False, silence=False).deductions())
    assert "declared" not in silent


@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_and_what_a_seat_knows_of_them_are_read_from_their_texts(preset: str) -> None:
    for cards in (0, 3, 4, 9, 21):
        table = play_at_random(5, cards, table=Round(preset, seed=5, score=(12, 8)))
        assert Round.parse(table.text()) == table
        assert Round.parse(str(table)) == table.seen()
        seat = table.turn
        view = table.view(seat)
        assert view.score == ((12, 8), (8, 12))[(seat or 0) % 2]
        assert (view.observe().declared[0, 1:] == table.observe().declared[0, 1:]).all()


def test_what_the_others_declare_after_the_first_trick_is_added_to_a_view() -> None:
    text = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; declarations after; named; lead me; play 4d 7d 8d"
    view = View.parse(text)
    with pytest.raises(IllegalError, match="after the first trick; this is trick 1"):
        view.declare({1: "bongioco A without d"})
    view.act("9d")
    before = count_deals(view.observe())[0]
    view.declare({1: "bongioco A without d"})
    assert view.declarations(1) == "bongioco A without d"
    assert 0 < count_deals(view.observe())[0] < before
    assert View.parse(str(view)) == view
    with pytest.raises(IllegalError, match="no deal of the cards agrees"):
        view.declare({1: "corona 3"})
    assert view.declarations(1) == "bongioco A without d"


def test_a_table_says_declarations_when_they_are_made() -> None:
    for preset, when in (("tressette", 0), ("tressette-after", 4), ("tressette-none", None)):
        one = TressetteTable(["greedy"] * 4, {"rules": preset, "a_monte": "false"}, 2)
        for cards in range(6):
            said = any(key == "tressette.declares" for key, _ in one.log)
            assert said == (when is not None and cards >= when)
            one.act(one.agent_action())


def test_cards_that_continue_a_napoli_score_with_the_coda() -> None:
    hand = "Ad 2d 3d 10d 9d 7d 4c 5c 6c 7c"
    rest = [card for card in ITALIAN if card not in ITALIAN.parse(hand)]
    hands = [ITALIAN.parse(hand), *(rest[k::3] for k in range(3))]  # no other napoli
    plain = declared_in(played(Round("tressette-after", hands), 4))
    assert declared_in(played(Round("tressette-coda", hands), 4)) == (plain[0] + 2, plain[1])


def test_all_tricks_are_a_cappotto_and_less_than_a_point_a_stramazzo() -> None:
    one_suit_each = [SUITS[k] for k in range(4)]
    game = Game("tressette-stakes")
    cappotto = game.score(played(Round("tressette-stakes", one_suit_each), 40))
    assert (cappotto.outright, game.winner, game.stakes) == ("cappotto", 0, 4)
    loose = Game(Rules(stramazzo=True))
    assert loose.score(played(Round(Rules(stramazzo=True), one_suit_each), 40)).outright == "stramazzo"
    assert (loose.winner, loose.stakes) == (0, 3)
    usual = Game()
    assert usual.score(played(Round(hands=one_suit_each), 40)).outright == ""
    assert usual.winner is None or usual.scores[0] >= 31


def test_the_game_ends_within_a_round_where_the_rules_say_so() -> None:
    found = rules(target=21, out_at_once=True, a_monte=False)
    game, usual = Game(found, before=(20, 3)), Game(rules(target=21, a_monte=False), before=(20, 3))
    table = Round(found, [SUITS[k] for k in range(4)], score=(20, 3))
    assert not game.is_out(table)
    while not game.is_out(table):
        table.act(next(iter(table.legal)))
        assert not usual.is_out(table)
    assert not table.over
    game.score(table)
    assert game.winner == 0


def test_a_perdere_points_are_lost_and_all_of_them_go_to_the_other_side() -> None:
    lost, won = Round("tressette-a-perdere", seed=3), Round(seed=3)
    play_at_random(1, 40, table=lost)
    for action in lost.history:
        won.act(action)
    assert lost.payoffs == tuple(-x for x in won.payoffs)
    everything = played(Round("tressette-a-perdere", [SUITS[k] for k in range(4)]), 40)
    assert everything.points == (11, 0)
    assert everything.payoffs == (11, -11, 11, -11)
    game = Game("tressette-a-perdere", before=(5, 25))
    assert game.score(everything).cards == (0, 11)
    assert game.winner == 0


def test_agents_that_take_points_do_not_play_a_perdere() -> None:
    losing = PRESETS["tressette-a-perdere"]
    able = {name for name in AGENTS if not AGENTS[name]().unsupported_reason(losing)}
    assert able == {"random", "policy", "search"}
    assert all(not AGENTS[name]().unsupported_reason(PRESETS["tressette"]) for name in AGENTS)


def test_search_and_policy_lose_points_where_that_is_the_game() -> None:
    from mazzo.tressette.match import TressetteMatch

    for name, deals in (("policy", 300), ("search:walks=200", 12)):
        agents = [create(name, AGENTS), create("random", AGENTS)]
        won = TressetteMatch(PRESETS["tressette-a-perdere"]).play(agents, range(deals), 4)[0][:, 0]
        assert won.mean() > 1.0


def test_only_the_signals_of_the_rules_may_be_given() -> None:
    found = rules("tressette-talk", signals="busso+volo")
    table = Round(found, seed=1)
    words = {text.partition(":")[2] for text in table.legal.by_text}
    assert "striscio" not in words
    assert "busso" in words
    card = next(text for text in table.legal.by_text if text.endswith(":busso")).partition(":")[0]
    assert "only busso, volo" in table.why_not(f"{card}:striscio")
    with pytest.raises(IllegalError, match="striscio may not be said by these rules"):
        table.row.apply(np.array([0]), np.array([int(ITALIAN.card(card)) + 80]))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("tressette:declarations=later", "before, after, none"),
        ("tressette:a_perdere=true", "tressette-a-perdere"),
        ("tressette:declarations=none,coda=true", "coda"),
        ("tressette:signals=whistle", "no signal"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_what_would_be_right(text: str, wrong: str) -> None:
    with pytest.raises(UnreadableError, match=wrong):
        rules(text)
