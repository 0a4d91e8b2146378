from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from phevaluator import _pheval

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem import showdown, showdown_tables
from mazzo.holdem.packed import write_packed
from mazzo.holdem.showdown import CATEGORIES, category, describe, evaluate, evaluate_one, hand_value, ordinal, tables
from mazzo.jit import kernel

REFERENCE = {5: _pheval.evaluate_5cards, 6: _pheval.evaluate_6cards, 7: _pheval.evaluate_7cards}
CLASSES_OF_FIVE = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)


def random_hands(count: int, cards: int, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((count, 52)), axis=1)[:, :cards].astype(np.uint8)


@kernel
def count_all_sevens(keys: Any, suits: Any, table: Any, seen: Any) -> None:
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    key_4 = keys[a] + keys[b] + keys[c] + keys[d]
                    suits_4 = suits[a] | suits[b] | suits[c] | suits[d]
                    for e in range(d):
                        for f in range(e):
                            key_6 = key_4 + keys[e] + keys[f]
                            suits_6 = suits_4 | suits[e] | suits[f]
                            for g in range(f):
                                seen[hand_value(key_6 + keys[g], suits_6 | suits[g], table)] += 1


def test_all_133_784_560_seven_card_hands_fall_into_the_known_categories() -> None:
    seen = np.zeros(1 << 16, dtype=np.int64)
    count_all_sevens(*tables(), seen)
    by_category = seen.reshape(16, 1 << 12).sum(axis=1)
    assert dict(zip(CATEGORIES, by_category.tolist(), strict=False)) == {
        "high card": 23_294_460,
        "pair": 58_627_800,
        "two pair": 31_433_400,
        "three of a kind": 6_461_620,
        "straight": 6_180_020,
        "flush": 4_047_644,
        "full house": 3_473_184,
        "four of a kind": 224_848,
        "straight flush": 41_584,
    }
    assert seen.sum() == 133_784_560
    assert np.count_nonzero(seen) == 4_824


def test_all_five_card_hands_fill_every_class_of_every_category_from_ordinal_zero() -> None:
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    values = np.unique(evaluate(hands))
    for kind, classes in enumerate(CLASSES_OF_FIVE):
        assert ordinal(values[category(values) == kind]).tolist() == list(range(classes))


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_hands_are_ordered_exactly_as_phevaluator_orders_them(cards: int) -> None:
    hands = random_hands(200_000, cards, seed=cards)
    ours = evaluate(hands).astype(np.int64)
    theirs = np.array([REFERENCE[cards](*row) for row in hands.tolist()])
    order = np.argsort(theirs, kind="stable")  # theirs counts from the strongest
    steps_of_ours, steps_of_theirs = np.diff(ours[order]), np.diff(theirs[order])
    assert (steps_of_ours <= 0).all()
    assert ((steps_of_ours == 0) == (steps_of_theirs == 0)).all()


def plain_order_of_few(cards: tuple[int, ...]) -> tuple[list[int], list[int]]:
    ranks = [card // 4 for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return [count for count, _ in groups], [rank for _, rank in groups]


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_hands_of_fewer_than_five_cards_are_ordered_by_groups_then_ranks(cards: int) -> None:
    hands = [tuple(row) for row in random_hands(3_000, cards, seed=cards).tolist()]
    ours = evaluate(np.array(hands)).tolist()
    plain = [plain_order_of_few(hand) for hand in hands]
    by_ours = sorted(range(len(hands)), key=lambda k: ours[k])
    for before, after in pairwise(by_ours):
        assert plain[before] <= plain[after]
        assert (plain[before] == plain[after]) == (ours[before] == ours[after])


def test_four_suited_cards_in_a_row_are_only_a_high_card() -> None:
    assert describe(evaluate_one(FRENCH.parse("Kh Qh Jh Th")), cards=4) == "high card, king queen jack ten"


def test_the_order_of_the_cards_does_not_matter() -> None:
    hands = random_hands(1_000, 7, seed=7)
    assert (evaluate(hands) == evaluate(hands[:, ::-1])).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("As Ks Qs Js Ts 2d 2c", "royal flush"),
        ("5s 4s 3s 2s As Kd Kc", "straight flush, five high"),
        ("6s 6d 6h 6c 2d", "four of a kind, sixes, two kicker"),
        ("Ks Kd Kh 2s 2d 2h 3c", "full house, kings over twos"),
        ("As Js 9s 4s 2s 3s Kd", "flush, ace jack nine four three"),
        ("As 2d 3h 4c 5s 9d Jd", "straight, five high"),
        ("Ts Td Th As 2d", "three of a kind, tens, ace two kickers"),
        ("As Kd Ah Kc Qd 7h 2c", "two pair, aces and kings, queen kicker"),
        ("As Kd Ah Qc Jd 7h 2c", "pair of aces, king queen jack kickers"),
        ("7s 5d 4h 3c 2d", "high card, seven five four three two"),
        ("Ks Kd", "pair of kings"),
        ("Ks", "high card, king"),
    ],
)
def test_values_are_described_as_people_say_them(text: str, words: str) -> None:
    cards = FRENCH.parse(text)
    assert describe(evaluate_one(cards), len(cards)) == words


def test_a_number_that_is_no_value_is_not_described() -> None:
    with pytest.raises(IllegalError, match="not the value of a hand of 5 cards"):
        describe((4 << 12) + 10)


@pytest.mark.parametrize("hand", [[0, 52], [-1, 3], [0.5, 2.0]])
def test_what_is_no_card_is_refused(hand: list[float]) -> None:
    with pytest.raises(IllegalError, match="from 0 \\(two of clubs\\) to 51"):
        evaluate(np.array([hand]))


def test_a_card_that_stands_twice_in_one_hand_is_refused() -> None:
    with pytest.raises(IllegalError, match="duplicate"):
        evaluate_one([5, 5])


def test_eight_cards_are_refused() -> None:
    with pytest.raises(IllegalError, match="one to seven cards"):
        evaluate(np.arange(8).reshape(1, 8))


def test_no_hands_have_no_values() -> None:
    assert evaluate(np.empty((0, 7), dtype=np.uint8)).shape == (0,)


def test_the_doctest_of_the_module_is_true() -> None:
    import doctest

    assert doctest.testmod(showdown).failed == 0


def test_the_tables_that_come_with_mazzo_are_those_this_code_builds() -> None:
    shipped, built = showdown_tables._read(showdown_tables._SHIPPED), showdown_tables._build()
    assert shipped is not None
    assert (shipped.tables.table == built.tables.table).all()
    assert shipped.classes.keys() == built.classes.keys()
    assert all((shipped.classes[cards] == built.classes[cards]).all() for cards in built.classes)


@pytest.mark.parametrize("damage", ["missing", "cut", "flipped", "longer", "other size"])
def test_damaged_tables_are_not_believed(tmp_path: Path, damage: str) -> None:
    path, whole = tmp_path / "showdown.bin", bytearray(showdown_tables._SHIPPED.read_bytes())
    if damage == "cut":
        path.write_bytes(whole[:-1])
    elif damage == "longer":
        path.write_bytes(whole + b"\0")
    elif damage == "flipped":
        whole[-9] ^= 1
        path.write_bytes(whole)
    elif damage == "other size":
        write_packed(path, showdown_tables._TITLE, b"a checksum that is right, of numbers that are not")
    assert showdown_tables._read(path) is None
