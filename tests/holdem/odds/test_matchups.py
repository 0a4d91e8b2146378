from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.holdem import showdown
from mazzo.holdem.odds import equity, equity_against, matchups, parse_range
from mazzo.holdem.odds.build import holes, representatives
from mazzo.holdem.odds.versus import count_versus


@settings(max_examples=5, deadline=None)
@given(st.permutations(range(52)))
def test_the_table_holds_what_dealing_every_board_gives(cards: list[int]) -> None:
    mine, theirs = ((min(two), max(two)) for two in (cards[:2], cards[2:4]))
    dealt = count_versus(np.array(mine), np.array([], np.int64), {theirs: 1}, showdown.tables())
    assert matchups.count_matchups({mine: 1}, {theirs: 1}) == dealt


def test_every_board_is_won_by_one_or_tied_and_hands_that_share_a_card_do_not_meet() -> None:
    every = holes()
    won, tied = matchups.matchup_table().rows(every, every)
    apart = ~(every[:, None, :, None] == every[:, None]).any(axis=(2, 3))
    assert (won + won.T + tied == matchups.BOARDS * apart).all()
    assert (tied == tied.T).all()


def test_a_part_of_the_boards_counted_again_gives_no_more_than_the_table() -> None:
    boards = representatives(5)
    some = slice(40_000, 40_300)
    won, tied = matchups.count_boards(boards.boards[some], boards.weights[some])
    values = showdown.evaluate(np.array([[*hole, *boards.boards[40_007]] for hole in APART], np.uint8)).astype(int)
    one_won, one_tied = matchups.count_boards(boards.boards[40_007:40_008], boards.weights[40_007:40_008])
    at = [max(h) * (max(h) - 1) // 2 + min(h) for h in APART]
    for (i, mine), (j, theirs) in combinations(zip(at, values, strict=True), 2):
        weight = int(boards.weights[40_007])
        assert (one_won[i, j], one_won[j, i], one_tied[i, j]) == (
            weight * (mine > theirs),
            weight * (theirs > mine),
            weight * (mine == theirs),
        )
    assert (one_won <= won).all()
    assert (one_tied <= tied).all()


APART = [(8, 10), (50, 51), (44, 40), (14, 35), (3, 27)]
"""Hands without a card in common, and none with the board looked at above."""


@pytest.mark.parametrize("board", ["", "2c7dTh", "2c7dTh9s"])
def test_a_range_against_a_range_is_the_weighted_sum_of_its_hands(board: str) -> None:
    mine, theirs = parse_range("AA:0.5,AhKh,T9s"), parse_range("KK,AKs:0.25,AhKh")
    whole = equity(mine, board, against=theirs)
    numerator = denominator = 0.0
    for hole, weight in mine.weights.items():
        facing = theirs.without([*hole, *FRENCH.parse(board)])
        if facing.weights and not set(hole) & set(FRENCH.parse(board)):
            one = equity_against(hole, facing, board)
            pairs = float(weight * sum(facing.weights.values()))
            numerator, denominator = numerator + pairs * one.equity, denominator + pairs
    assert whole.equity == pytest.approx(numerator / denominator, abs=1e-12)
    mirrored = equity_against(theirs, mine, board)
    assert whole.equity + mirrored.equity == pytest.approx(1, abs=1e-12)


def test_a_range_written_as_text_is_taken_as_the_hand() -> None:
    assert equity_against("QQ+", "AKs") == equity_against(parse_range("QQ+"), "AKs")
    assert equity_against("AsKd", "QQ") == equity_against(FRENCH.parse("AsKd"), "QQ")


def test_ranges_of_which_nothing_is_left_are_refused() -> None:
    with pytest.raises(IllegalError, match="shares a card"):
        equity_against(parse_range("AsKd"), "AsQd")
    with pytest.raises(IllegalError, match="every hand in the range 'AsKd' is blocked"):
        equity_against(parse_range("AsKd"), "QQ", "As2c3d")
    with pytest.raises(IllegalError, match="a range is counted against"):
        equity(parse_range("QQ+"))


def test_a_damaged_file_is_not_read(tmp_path: Path) -> None:
    path, whole = tmp_path / "matchups.bin", bytearray(matchups.SHIPPED.read_bytes())
    path.write_bytes(whole)
    again = matchups.read_matchups(path)
    assert again is not None
    assert all(np.array_equal(a, b) for a, b in zip(again, matchups.matchup_table(), strict=True))
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    assert matchups.read_matchups(path) is None
