"""The search that knows no game, on games whose answers are known."""

from __future__ import annotations

import pytest

import mazzo
from mazzo.errors import IllegalError
from mazzo.mcts import SearchTree, grow, pick, record, search


def test_an_action_is_weighed_only_against_walks_in_which_it_was_legal() -> None:
    tree = SearchTree.of(10)
    for action in (3, 5):
        record(tree, grow(tree, 0, action), 0.5)
    for _ in range(4):
        child, untried = pick(tree, 0, 1 << 3, 1.0)
        assert tree.action[child] == 3
        assert untried == 0
    available = {int(tree.action[k]): int(tree.available[k]) for k in (1, 2)}
    assert available == {3: 5, 5: 1}
    assert pick(tree, 0, 1 << 3 | 1 << 7, 1.0)[1] == 1 << 7


def test_a_full_tree_grows_no_further() -> None:
    tree = SearchTree.of(1)
    assert grow(tree, 0, 1) == 1
    assert grow(tree, 0, 2) == 0


def test_a_deal_that_is_over_is_refused() -> None:
    hand = mazzo.holdem.Hand("kuhn-2p", seed=1)
    while hand.turn is not None:
        hand.act("f" if "f" in hand.legal else "c")
    with pytest.raises(IllegalError, match="over"):
        search(hand, 10, 1, -2, 2)
