from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError
from mazzo.holdem.odds import isomorphism
from mazzo.holdem.odds.build import holes, representatives
from mazzo.holdem.odds.isomorphism import BOARD, HOLE, HOLE_AND_FLOP, RIVER, SUIT_PERMUTATIONS, TURN, Indexer

DECKS = st.permutations(range(52))
STREETS = [HOLE, HOLE_AND_FLOP, TURN, RIVER]


def plain_canonical(indexer: Indexer, hand: list[int]) -> tuple[tuple[int, ...], ...]:
    """The least of the 24 hands that differ by the names of suits, each round sorted."""
    ends = np.cumsum(indexer.rounds)
    found = []
    for suits in permutations(range(4)):
        renamed = [card // 4 * 4 + suits[card % 4] for card in hand]
        found.append(
            tuple(tuple(sorted(renamed[end - size : end])) for end, size in zip(ends, indexer.rounds, strict=True))
        )
    return min(found)


def test_there_are_as_many_different_hands_as_is_known() -> None:
    assert [street.size for street in STREETS] == [169, 1_286_792, 55_190_538, 2_428_287_420]


def test_there_are_as_many_different_boards_as_is_known() -> None:
    assert {cards: board.size for cards, board in BOARD.items()} == {3: 1_755, 4: 16_432, 5: 134_459}


@pytest.mark.parametrize("cards", [3, 4])
def test_every_board_has_a_number_and_every_number_a_board(cards: int) -> None:
    standing = representatives(cards)
    assert sorted(BOARD[cards].index(standing.boards).tolist()) == list(range(BOARD[cards].size))
    assert standing.weights.sum() == {3: 22_100, 4: 270_725}[cards]


def test_every_hole_hand_has_the_number_of_its_kind() -> None:
    numbers = HOLE.index(holes())
    assert sorted(np.bincount(numbers).tolist()) == [4] * 78 + [6] * 13 + [12] * 78


def test_the_numbers_of_flop_hands_leave_no_gap() -> None:
    seen = np.zeros(HOLE_AND_FLOP.size, dtype=bool)
    pairs = holes()
    for flop in representatives(3).boards:
        free = pairs[~np.isin(pairs, flop).any(axis=1)]
        numbers = HOLE_AND_FLOP.index(np.concatenate([free, np.broadcast_to(flop, (len(free), 3))], axis=1))
        seen[numbers] = True
    assert seen.all()


@settings(max_examples=150, deadline=None)
@given(DECKS, DECKS, st.sampled_from([*STREETS, Indexer(2, 4), Indexer(2, 5)]))
def test_two_hands_have_one_number_only_if_renaming_suits_makes_them_equal(
    deck: list[int], other: list[int], street: Indexer
) -> None:
    first, second = deck[: street.cards], other[: street.cards]
    numbers = street.index([first, second])
    assert (numbers[0] == numbers[1]) == (plain_canonical(street, first) == plain_canonical(street, second))
    assert 0 <= numbers.min() <= numbers.max() < street.size


@settings(max_examples=100, deadline=None)
@given(DECKS, st.integers(0, 23), st.sampled_from(STREETS), st.randoms(use_true_random=False))
def test_suits_and_the_order_within_a_round_do_not_matter(
    deck: list[int], renaming: int, street: Indexer, rng: Random
) -> None:
    hand = deck[: street.cards]
    shuffled: list[int] = []
    for size in street.rounds:
        part = hand[len(shuffled) : len(shuffled) + size]
        shuffled += rng.sample(part, size)
    numbers = street.index([hand, SUIT_PERMUTATIONS[renaming][shuffled].tolist()])
    assert numbers[0] == numbers[1]


def test_hands_of_few_ranks_are_told_apart_exactly() -> None:
    # Random hands are seldom alike: all turn hands from the aces and kings are, again and again.
    hands = [
        [*hole, *flop, turn]
        for hole in combinations(range(44, 52), 2)
        for flop in combinations([card for card in range(44, 52) if card not in hole], 3)
        for turn in range(44, 52)
        if turn not in hole and turn not in flop
    ]
    numbers = TURN.index(hands).tolist()
    canonical = [plain_canonical(TURN, hand) for hand in hands]
    assert len(set(numbers)) == len(set(canonical)) == len(set(zip(numbers, canonical, strict=True)))


@pytest.mark.parametrize("hand", [[0, 1, 2], [0, 52], [-1, 2]])
def test_what_is_no_hand_of_the_street_is_refused(hand: list[int]) -> None:
    with pytest.raises(IllegalError):
        HOLE.index([hand])


def test_the_doctest_of_the_module_is_true() -> None:
    import doctest

    assert doctest.testmod(isomorphism).failed == 0
