from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest

from mazzo.blackjack.documents.best_first import best_first, likeliest, probability
from mazzo.blackjack.documents.likely import likelihoods, likely, threshold_of
from mazzo.blackjack.documents.traversal import (
    THESIS_FILL,
    base_modifiers,
    compositions,
    state_space,
    traverse,
    uniform_combination,
    uniform_probability,
    waves,
)
from mazzo.errors import UnreadableError

Found = dict[tuple[int, ...], float]

SMALL = [(n, ranks, cards) for n in (1, 2, 3, 4) for ranks in (1, 2, 3, 4, 5) for cards in range(n * ranks + 1)]

TEXT_STATES = (
    13, 91, 455, 1_820, 6_188, 18_564, 50_388, 125_970, 293_930, 646_646, 1_352_078, 2_704_156, 5_200_300, 9_657_700,
    17_383_860, 30_421_755, 51_895_922, 86_493_056, 141_119_342,
)  # fmt: skip
TEXT_BASES = (1, 2, 3, 5, 7, 7, 11, 11, 11, 11, 11, 11, 11, 29, 44, 59, 103, 103, 103, 124)
TEXT_95 = (13, 83, 410, 1_619, 5_557, 15_684, 43_514, 100_400, 217_114, 439_294, 843_686, 1_471_946, 2_405_626)
TEXT_90 = (12, 77, 371, 1_495, 5_001, 14_412, 36_425, 92_610, 191_867, 380_679, 696_584, 1_186_921, 1_843_104)


def every_composition(counts: tuple[int, ...], cards: int) -> Found:
    """All of them with the probability by its definition: nothing shared with what is tested."""
    found = {}
    for taken in product(*(range(count + 1) for count in counts)):
        if sum(taken) == cards:
            ways = 1
            for count, k in zip(counts, taken, strict=True):
                ways *= comb(count, k)
            found[taken] = ways / comb(sum(counts), cards)
    return found


def collected(blocks: Iterator[tuple[np.ndarray, np.ndarray]]) -> list[tuple[tuple[int, ...], float]]:
    return [(tuple(row), p) for rows, chances in blocks for row, p in zip(rows.tolist(), chances.tolist(), strict=True)]


@pytest.mark.parametrize("way", [compositions, waves], ids=["memory-friendly", "basic"])
def test_a_traversal_gives_every_composition_once_with_its_probability(way) -> None:  # type: ignore[no-untyped-def]
    for n, ranks, cards in SMALL:
        found = collected(way(n, ranks, cards))
        expected = every_composition((n,) * ranks, cards)
        assert len(found) == len(expected)
        assert dict(found) == pytest.approx(expected, rel=1e-12)


def test_a_traversal_goes_outwards_by_distance() -> None:
    for n, ranks, cards in SMALL:
        uniform = uniform_combination(ranks, cards)
        for way in (compositions, waves):
            taken = [row for row, _ in collected(way(n, ranks, cards))]
            distances = [sum(abs(a - b) for a, b in zip(row, uniform, strict=True)) for row in taken]
            assert distances == sorted(distances)


def test_permutations_of_a_base_come_in_lexicographic_order() -> None:
    for n, ranks, cards in SMALL:
        uniform = uniform_combination(ranks, cards)
        seen: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for row, _ in collected(compositions(n, ranks, cards)):
            modifier = tuple(a - b for a, b in zip(row, uniform, strict=True))
            seen.setdefault(tuple(sorted(modifier)), []).append(modifier)
        assert list(seen) == [base for level in base_modifiers(n, ranks, cards) for base in level]
        assert all(group == sorted(group) for group in seen.values())


def test_no_composition_is_likelier_than_the_uniform_one() -> None:
    for n, ranks, cards in SMALL:
        most = max(every_composition((n,) * ranks, cards).values())
        assert uniform_probability(n, ranks, cards) == pytest.approx(most, rel=1e-12)


def test_state_spaces_are_those_counted_one_by_one() -> None:
    for n, ranks, cards in SMALL:
        assert state_space(n, ranks, cards) == len(every_composition((n,) * ranks, cards))


def test_state_spaces_are_the_texts_but_for_a_misprint() -> None:
    assert tuple(state_space(16, 13, cards) for cards in range(1, 20)) == TEXT_STATES
    assert state_space(16, 13, 20) == 225_786_925  # the text prints 225,786,853
    assert state_space(16, 13, 20) == comb(32, 20) - 13 * comb(15, 3)


def test_counts_for_thirteen_ranks_are_near_the_texts() -> None:
    for cards in range(1, 14):
        at_95, at_90 = traverse(16, 13, cards, 0.95), traverse(16, 13, cards, 0.90)
        assert at_95.bases == TEXT_BASES[cards - 1]
        assert at_95.combinations == pytest.approx(TEXT_95[cards - 1], rel=0.015)
        assert at_90.combinations == pytest.approx(TEXT_90[cards - 1], rel=0.03)
        assert 0.95 <= at_95.mass < 0.95 + 2 * uniform_probability(16, 13, cards)
    for cards in (1, 2, 3, 4, 13):  # where the text's random uniform combination makes no difference
        assert traverse(16, 13, cards, 0.95).combinations == TEXT_95[cards - 1]
        assert traverse(16, 13, cards, 0.90).combinations == TEXT_90[cards - 1]


def test_the_documents_90_percent_column_comes_out_in_the_order_in_which_its_ranks_filled() -> None:
    for cards in range(1, 14):
        assert traverse(16, 13, cards, 0.90, THESIS_FILL).combinations == TEXT_90[cards - 1]


def test_any_order_of_filling_visits_every_composition_once_by_distance_in_lexicographic_order() -> None:
    rng = np.random.default_rng(5)
    for n, ranks, cards in SMALL:
        fill = [int(rank) for _ in range(n) for rank in 1 + rng.permutation(ranks)]
        uniform = uniform_combination(ranks, cards, fill)
        found = collected(compositions(n, ranks, cards, fill=fill))
        assert dict(found) == pytest.approx(every_composition((n,) * ranks, cards), rel=1e-12)
        assert len(dict(found)) == len(found)
        seen: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for row, _ in found:
            modifier = tuple(a - b for a, b in zip(row, uniform, strict=True))
            seen.setdefault(tuple(sorted(modifier)), []).append(modifier)
        assert list(seen) == [base for level in base_modifiers(n, ranks, cards) for base in level]
        assert all(group == sorted(group) for group in seen.values())


def test_an_order_of_filling_that_cannot_be_is_refused() -> None:
    for wrong in ((1, 1, 2), (1, 4, 2), (1, 2, 3, 0)):
        with pytest.raises(UnreadableError, match="each of 1 to 3 once"):
            uniform_combination(3, len(wrong), wrong)
    with pytest.raises(UnreadableError, match="has 2 cards; 3 are taken"):
        uniform_combination(3, 3, (1, 2))


def test_base_counts_are_the_texts_up_to_twenty_cards() -> None:
    for cards, distance in ((14, 7), (15, 7), (16, 7), (17, 8), (18, 8), (19, 8), (20, 9)):
        levels = base_modifiers(16, 13, cards)
        assert [len(level) for level, _ in zip(levels, range(distance + 1), strict=False)][-1] == TEXT_BASES[cards - 1]


def test_a_truncated_traversal_is_the_beginning_of_the_whole() -> None:
    whole, part = collected(compositions(4, 5, 9)), collected(compositions(4, 5, 9, mass=0.6))
    assert part == whole[: len(part)]
    assert sum(p for _, p in part[:-1]) < 0.6 <= sum(p for _, p in part)


@pytest.mark.parametrize(
    ("counts", "cards"), [((4, 4, 4, 4), 7), ((2, 5, 3, 9), 8), ((1, 1, 7), 4), ((3,), 2), ((6, 1, 2, 2, 5), 11)]
)
def test_best_first_gives_all_compositions_from_the_likeliest_down(counts: tuple[int, ...], cards: int) -> None:
    found = collected(best_first(counts, cards))
    expected = every_composition(counts, cards)
    assert len(found) == len(expected)
    assert dict(found) == pytest.approx(expected, rel=1e-12)
    chances = [p for _, p in found]
    assert all(a >= b * (1 - 1e-12) for a, b in pairwise(chances))
    assert expected[likeliest(counts, cards)] == pytest.approx(max(expected.values()))
    assert probability(counts, likeliest(counts, cards)) == pytest.approx(max(expected.values()))


@pytest.mark.parametrize(
    ("counts", "cards"), [((4, 4, 4, 4), 7), ((2, 5, 3, 9), 8), ((1, 1, 7), 4), ((3,), 2), ((6, 1, 2, 2, 5), 11)]
)
def test_a_threshold_gives_just_the_compositions_that_are_so_likely(counts: tuple[int, ...], cards: int) -> None:
    expected = every_composition(counts, cards)
    assert dict(collected(likely(counts, cards))) == pytest.approx(expected, rel=1e-12)
    for share in (0.2, 0.7):
        least = np.log(sorted(expected.values())[int(share * (len(expected) - 1))]) - 1e-9
        found = collected(likely(counts, cards, least))
        assert dict(found) == pytest.approx({row: p for row, p in expected.items() if np.log(p) >= least}, rel=1e-12)
        assert len(dict(found)) == len(found)
        assert np.exp(likelihoods(counts, np.array([row for row, _ in found]))) == pytest.approx([p for _, p in found])


def test_a_threshold_visits_about_the_share_that_was_asked_for() -> None:
    counts = (24,) * 9 + (96,)
    least, expected = threshold_of(counts, 12, 0.9, np.random.default_rng(1))
    blocks = [p for _, p in likely(counts, 12, least)]
    assert sum(float(p.sum()) for p in blocks) == pytest.approx(0.9, abs=0.02)
    assert sum(map(len, blocks)) == pytest.approx(expected, rel=0.1)
    assert sum(len(p) for _, p in best_first(counts, 12, 0.9)) == pytest.approx(sum(map(len, blocks)), rel=0.1)
    with pytest.raises(UnreadableError, match="cannot take 5 cards from 4"):
        next(likely((2, 2), 5))


def test_best_first_needs_no_more_compositions_than_any_other_way() -> None:
    fewest = sum(len(chances) for _, chances in best_first((16,) * 13, 8, 0.95))
    ordered = np.sort(np.concatenate([p for _, p in waves(16, 13, 8)]))[::-1]
    assert abs(fewest - (int(np.searchsorted(np.cumsum(ordered), 0.95)) + 1)) <= 1
    assert fewest < traverse(16, 13, 8, 0.95).combinations


def test_best_first_grows_its_queue_as_far_as_needed() -> None:
    blocks = list(best_first((24,) * 9 + (96,), 9))
    assert sum(len(p) for _, p in blocks) == comb(18, 9)
    assert sum(float(p.sum()) for _, p in blocks) == pytest.approx(1.0, abs=1e-12)


def test_an_urn_that_cannot_be_is_refused() -> None:
    for wrong in ((0, 3, 1), (2, 3, 7), (2, 3, -1)):
        with pytest.raises(UnreadableError, match="cannot take"):
            state_space(*wrong)
    with pytest.raises(UnreadableError, match="cannot take"):
        likeliest((2, 2), 5)
