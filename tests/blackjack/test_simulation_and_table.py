"""The two ways of driving the rules: whole rounds by a strategy, and one action after the other. Held card by card."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.arrays import Bytes, Floats, Ints
from mazzo.blackjack.columns import AT, DRAWN, EVEN_MONEY, FIRST, GIVEN, HIT, INSURE, LEAVE, SECOND, SPLIT, STAND
from mazzo.blackjack.dealing import INSURING, Cards, Dealing, cards_of, dealing_of, new_shoe
from mazzo.blackjack.documents.recursion import outcomes
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.hands import TableRules, settings_of, side_bet_worth
from mazzo.blackjack.kernels import begin
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import PRESETS, Rules
from mazzo.blackjack.shoe import ACE, TEN, Shoe, shoe_of
from mazzo.blackjack.simulation import play_out
from mazzo.blackjack.strategy import LETTERS, ROWS, PlayArrays, Strategy, play_arrays, policy_of
from mazzo.blackjack.table import Table
from mazzo.jit import kernel
from mazzo.rng import fork
from tests.blackjack.any_rules import any_rules

ROUNDS = 60


@kernel
def simulated(
    key: int,
    ranks: Bytes,
    play: PlayArrays,
    rules: TableRules,
    dealing: Dealing,
    decks: Bytes,
    won: Floats,
    drawn: Ints,
) -> None:
    """Rounds as the simulation plays them, each from a shoe of its own whose cards then lie in the order drawn."""
    used, hands = np.zeros(ranks.shape[0], np.int64), np.zeros(32, np.int64)
    for k in range(won.shape[0]):
        new_shoe(ranks, decks[k], used)
        cards = Cards(decks[k], used, 0, dealing.mode)
        won[k], _, drawn[k] = play_out(cards, fork(np.uint64(key), k), play, rules, dealing, hands, 1)


def any_strategy(seed: int) -> Strategy:
    """A table of letters, sensible or not; pairs are split often."""
    chance = random.Random(seed)
    plain = [letter for letter in LETTERS if letter != "s"]
    return Strategy(tuple("".join(chance.choice([*plain, *"sss" * ("-" in row)]) for _ in range(10)) for row in ROWS))


def answers(table: Table, seen: np.ndarray, k: int, insuring: str) -> int:
    """What the simulation's way of insuring answers to a side bet."""
    view = table.observe(seen)
    offered = [bet for bet in (EVEN_MONEY, INSURE) if view.legal[k, bet]]
    if insuring == "always":
        return offered[0]
    hand, upcard = view.hand(k)
    left = table.before.without((*hand, upcard))
    worth = side_bet_worth(table.rules.blackjack_pays, left.counts[TEN if upcard == ACE else ACE], left.cards)
    gains = dict(zip((EVEN_MONEY, INSURE), worth, strict=True))
    best = max(offered, key=lambda bet: gains[bet])
    return best if insuring == "counted" and gains[best] > 0 else LEAVE


def played_step_by_step(table: Table, play: PlayArrays, insuring: str) -> None:
    """Every round by the strategy, an action at a time."""
    while len(rows := np.flatnonzero(table.actor >= 0)):
        seen, actions = table.observe(rows), []
        for k in range(len(rows)):
            hand, upcard = seen.hand(k)
            total, soft = hand_total(hand)
            if seen.side_bets[k]:
                actions.append(answers(table, rows, k, insuring))
            elif len(hand) > 2:
                actions.append(HIT if play.hits[int(soft), total, upcard] else STAND)
            elif play.first[hand[0], hand[1], upcard] == SPLIT and seen.legal[k, SPLIT]:
                actions.append(SPLIT)
            else:
                packed = table.state.hands[rows[k], table.state.cell[rows[k], AT]]
                low, high = (packed >> FIRST) & 15, (packed >> SECOND) & 15
                which = play.after_split if seen.after_split[k] else play.first
                actions.append(int(which[low, high, upcard]))
        table.apply(rows, actions)


@settings(max_examples=120, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.sampled_from(INSURING))
def test_whole_rounds_and_single_actions_draw_the_same_cards_and_pay_the_same(
    rules: Rules, seed: int, insuring: str
) -> None:
    play, how = play_arrays(any_strategy(seed), rules), settings_of(rules, sparing=True, ends_at=22)
    ranks = cards_of(shoe_of(rules))
    decks, won = np.zeros((ROUNDS, len(ranks)), np.uint8), np.zeros(ROUNDS)
    drawn = np.zeros(ROUNDS, np.int64)
    simulated(seed, ranks, play, how, dealing_of(rules, ranks, True, insuring), decks, won, drawn)
    table = Table(rules, np.zeros(ROUNDS, np.uint64), settings=how)
    table.state.left[:] = table.before.counts
    table.state.dealt[:] = decks
    table.state.cell[:, GIVEN] = len(ranks)
    begin(how, table.state, 1, np.arange(ROUNDS))
    played_step_by_step(table, play, insuring)
    np.testing.assert_array_equal(table.state.cell[:, DRAWN], drawn)
    np.testing.assert_array_equal(table.settle()[:, 0], won)


@settings(max_examples=40, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.integers(1, 3))
def test_a_table_plays_what_single_rounds_play(rules: Rules, seed: int, boxes: int) -> None:
    rules = rules.changed(decks=8)
    keys = np.array([fork(np.uint64(seed), k) for k in range(8)], np.uint64)
    table, chance = Table(rules, keys, boxes=boxes), random.Random(seed)
    rounds = [Round(rules, key=key, boxes=boxes) for key in keys]
    while len(rows := np.flatnonzero(table.actor >= 0)):
        actions = [chance.choice(list(rounds[row].legal)) for row in rows]
        table.apply(rows, actions)
        for row, action in zip(rows, actions, strict=True):
            rounds[row].act(action)
    assert [game.payoffs for game in rounds] == [tuple(row) for row in table.settle().tolist()]


TINY = Shoe((0, 0, 0, 0, 0, 0, 0, 5, 0, 20))
WITH_ACES = Shoe((4, 0, 0, 0, 0, 0, 3, 0, 0, 12))


def followed(strategy: Strategy, rules: Rules):  # type: ignore[no-untyped-def]  # what `outcomes` takes
    """The strategy as it decides in a round."""
    play = play_arrays(strategy, rules)

    def decide(game: Round) -> int:
        hand = game.to_play
        assert hand is not None
        if len(hand.cards) > 2:
            total, soft = hand_total(hand.cards)
            return HIT if play.hits[int(soft), total, game.upcard] else STAND
        first = int(play.first[hand.cards[0], hand.cards[1], game.upcard])
        if not hand.split or (first == SPLIT and SPLIT in game.legal):
            return first
        return int(play.after_split[hand.cards[0], hand.cards[1], game.upcard])

    return decide


SPLITS_EIGHTS = Strategy(tuple(("s" if row == "8-8" else "n") * 10 for row in ROWS))


@pytest.mark.parametrize(
    ("changes", "shoe"),
    [
        ({"max_hands": "unlimited"}, TINY),
        ({"max_hands": "unlimited", "peek": False}, TINY),
        ({"max_hands": 3, "surrender": "late"}, TINY),
        ({"max_hands": 1, "double_after_split": False, "blackjack_pays": "6:5", "even_money": "ace-ten"}, WITH_ACES),
        ({"max_hands": 1, "double_after_split": False, "blackjack_pays": "2:1"}, WITH_ACES),
        ({"max_hands": 1, "double_after_split": False, "blackjack_pays": "6:5", "peek": False}, WITH_ACES),
    ],
)
def test_all_orders_of_a_tiny_shoe_earn_the_exact_value_of_a_given_strategy(changes, shoe: Shoe) -> None:  # type: ignore[no-untyped-def]
    rules = PRESETS["strip"].changed(**changes)
    ends = outcomes(rules, shoe, followed(SPLITS_EIGHTS, rules))
    exact = analyse(rules, shoe, policy_of(SPLITS_EIGHTS, rules))
    assert sum(chance for chance, _ in ends.values()) == pytest.approx(1, abs=1e-12)
    assert sum(won for _, won in ends.values()) == pytest.approx(exact.ev, abs=1e-12)
