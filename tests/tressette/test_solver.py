from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from benchmarks.plain_minimax import minimax

from mazzo.cards import ITALIAN, Card
from mazzo.errors import IllegalError
from mazzo.tressette.kernels import SUIT, thirds_of
from mazzo.tressette.round import Round
from mazzo.tressette.solver.search import memory_for
from mazzo.tressette.solver.values import card_values, solve, value_of_hands, values_of_rounds
from mazzo.tressette.table import Table
from tests.tressette.situations import play_at_random


def endings(n: int, cards: int, seed: int) -> np.ndarray:
    """Random hands of so many cards each, of any suits: also those that a round would rarely leave."""
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(40), (n, 1)), axis=1)[:, : 4 * cards]
    return np.asarray(np.bitwise_or.reduce(np.int64(1) << decks.reshape(n, 4, cards), axis=2))


@pytest.mark.parametrize(("cards", "n"), [(1, 200), (2, 500), (3, 500), (4, 60)])
def test_values_are_those_of_plain_minimax(cards: int, n: int) -> None:
    for k, hands in enumerate(endings(n, cards, cards)):
        assert value_of_hands(hands, k % 4) == minimax(hands, k % 4), hands


def test_values_of_five_card_endings_are_those_of_minimax_with_pruning() -> None:
    for k, hands in enumerate(endings(2000, 5, 5)):
        assert value_of_hands(hands, k % 4) == minimax(hands, k % 4, prune=True), hands


def side_of(table: Round) -> int:
    """The side to act; after the last card the one that took it."""
    seat = table.taker if table.turn is None else table.turn
    return (seat or 0) % 2


def by_hand(table: Round) -> int:
    """What the side to act gets from here on, by playing out every line on the round itself."""
    side = side_of(table)
    before = table.thirds[side]
    if table.over:
        return 0
    found = []
    for card in table.legal.cards:
        table.act(card)
        gained = table.thirds[side] - before
        same = side_of(table) == side
        left = 35 - sum(table.thirds)
        found.append(gained + (by_hand(table) if same else left - by_hand(table)))
        table.undo()
    return max(found)


def after(table: Round, card: Card) -> int:
    """The value of one card, by playing it and everything after it."""
    side, before = side_of(table), table.thirds[side_of(table)]
    table.act(card)
    gained, same = table.thirds[side] - before, side_of(table) == side
    rest = by_hand(table) if same or table.over else 35 - sum(table.thirds) - by_hand(table)
    table.undo()
    return gained + rest


@pytest.mark.parametrize("cards", [29, 30, 31, 32, 33, 34, 35, 36, 38, 39])
def test_every_card_of_a_round_has_the_value_of_playing_all_that_follows(cards: int) -> None:
    for seed in range(2):
        table = play_at_random(seed, cards)
        assert card_values(table.row) == {card: after(table, card) for card in table.legal.cards}


def test_the_two_sides_share_all_there_is() -> None:
    """Along any line of perfect play the value of the side to act stays what it was."""
    for seed in range(6):
        table = play_at_random(seed, 12 + seed)
        while not table.over:
            values = card_values(table.row)
            side, best = side_of(table), max(values, key=lambda card: values[card])
            promised = table.thirds[side] + values[best]
            table.act(best)
            if not table.over:
                now = max(card_values(table.row).values()) + table.thirds[side_of(table)]
                assert promised == (now if side_of(table) == side else 35 - now)
        assert table.thirds[side] == promised


def renamed(hand: int, order: tuple[int, ...]) -> int:
    return sum(((hand >> 10 * suit) & SUIT) << (10 * to) for suit, to in enumerate(order))


def test_the_names_of_suits_do_not_matter() -> None:
    for hands in endings(12, 7, 1):
        assert (
            len({value_of_hands([renamed(int(h), order) for h in hands], 1) for order in permutations(range(4))}) == 1
        )


def test_the_names_of_seats_do_not_matter() -> None:
    for hands in endings(40, 7, 2):
        assert len({value_of_hands(np.roll(hands, turn), turn) for turn in range(4)}) == 1


def test_what_the_table_remembers_changes_nothing() -> None:
    deals = endings(30, 6, 3)
    first = [value_of_hands(hands) for hands in deals]
    assert first == [value_of_hands(hands) for hands in deals]
    memory_for(10)[:] = 0
    assert first[::-1] == [value_of_hands(hands) for hands in deals[::-1]]


def test_many_rounds_are_valued_like_each_alone() -> None:
    rounds = Table.deal(3, range(8))
    rng = np.random.default_rng(3)
    for _ in range(18):
        rounds.apply(np.arange(8), np.array([rng.choice(ITALIAN.unmask(int(legal))) for legal in rounds.legal()]))
    together = values_of_rounds(rounds)
    for i in range(len(rounds)):
        assert (together[i] == values_of_rounds(rounds.row(i))[0]).all()
        assert ((together[i] >= 0) == [bool(int(rounds.legal()[i]) >> k & 1) for k in range(40)]).all()


def test_a_hand_of_all_masters_takes_everything() -> None:
    hands = [ITALIAN.mask(ITALIAN.parse(text)) for text in ("3d 2d Ad", "4d 10c 9c", "5d 4c 5c", "6d 6c 7c")]
    assert value_of_hands(hands) == int(thirds_of(sum(hands))) + 3


def test_hands_that_cannot_be_are_refused() -> None:
    with pytest.raises(IllegalError, match="equally many cards"):
        value_of_hands([1, 2, 4, 24])
    with pytest.raises(IllegalError, match="none held twice"):
        value_of_hands([1, 2, 4, 4])


def test_a_round_an_ending_and_its_text_are_solved_and_shown() -> None:
    table = play_at_random(3, 21)
    solved = solve(table)
    assert solved.thirds == card_values(table.row)
    assert set(solved.thirds) == set(table.legal.cards)
    assert all(solved.thirds[card] == max(solved.thirds.values()) for card in solved.best)
    assert solve(table.text()) == solved
    ending = solve("south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south")
    assert [str(card) for card in ending.best] == ["4c"]
    assert "4c    9       3.00" in str(ending)


def test_what_is_not_open_or_over_cannot_be_solved() -> None:
    with pytest.raises(IllegalError, match="one hand is known"):
        solve(play_at_random(3, 21).seen())
    with pytest.raises(IllegalError, match="nothing is left"):
        solve(play_at_random(3, 40))
