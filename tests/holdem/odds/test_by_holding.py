"""A hand against each single holding."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.cards import FRENCH
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.by_holding import shares_by_holding
from mazzo.holdem.odds.single import equity, equity_against

KEY = np.uint64(1)


def _shares(hand: str, board: str) -> tuple[np.ndarray, np.ndarray]:
    hole = np.array([int(card) for card in FRENCH.parse(hand)], np.uint8)
    cards = [int(card) for card in FRENCH.parse(board)]
    shares = shares_by_holding(hole, np.array(cards + [-1] * (5 - len(cards)), np.int8), KEY)
    free = np.asarray(~np.isin(holes(), [*hole, *cards]).any(axis=1))
    return shares, free


@pytest.mark.parametrize("board", ["7h8h2c", "7h8h2c8d", "7h8h2c8dQs", "AhKhQhJhTh"])
def test_the_mean_over_all_holdings_is_the_exact_equity(board: str) -> None:
    shares, free = _shares("AsKd", board)
    assert not shares[~free].any()
    assert shares[free].mean() == pytest.approx(equity("AsKd", board=board).equity, abs=1e-12)


@pytest.mark.parametrize("holding", ["QcQd", "7s7d", "2h3h", "AcAd"])
def test_against_one_holding_it_is_the_exact_equity_against_that_holding(holding: str) -> None:
    low, high = sorted(int(card) for card in FRENCH.parse(holding))
    for board in ("7h8h2c", "7h8h2cQh"):
        if not set(FRENCH.parse(board)) & set(FRENCH.parse(holding)):
            shares, _ = _shares("AsKd", board)
            expected = equity_against("AsKd", holding, board).equity
            assert shares[high * (high - 1) // 2 + low] == pytest.approx(expected, abs=1e-12)


def test_before_the_flop_boards_are_sampled_without_bias() -> None:
    shares, free = _shares("AsKd", "")
    assert shares[free].mean() == pytest.approx(equity("AsKd").equity, abs=0.05)
    assert free.sum() == 1225
