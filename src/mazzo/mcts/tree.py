"""The tree of a search, as arrays: kernels and plain Python use the same functions.

Node 0 is the decision to be made. A node stands for an action (0 to 62) at its parent; its worths are those of whoever
took it. An action is `available` in a walk when it was legal in the deal of that walk: only then could it be chosen,
and only against those walks its visits are weighed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.jit import tight_helper

__all__ = ["SearchTree", "grow", "most_visited", "pick", "record"]


class SearchTree(NamedTuple):
    """Nodes side by side; a search fills them in order."""

    action: Ints
    first: Ints
    """The first child of each; 0 for none."""
    sibling: Ints
    """The next child of its parent; 0 for none."""
    visits: Ints
    available: Ints
    worth: Floats
    """The sum of what its walks came to, 0 to 1, for whoever took the action."""
    size: Ints
    """[1] how many nodes there are."""

    @classmethod
    def of(cls, most: int) -> SearchTree:
        """An empty tree with room for so many nodes."""
        action, first, sibling, visits, available = (np.zeros(most + 1, np.int64) for _ in range(5))
        return cls(action, first, sibling, visits, available, np.zeros(most + 1), np.ones(1, np.int64))


@tight_helper
def pick(tree: SearchTree, node: Any, legal: Any, explore: float) -> tuple[Any, Any]:
    """The child to go to, by its worth and how little it was tried (UCB1); and the legal actions with no child yet.

    Counts every child whose action is legal as available. `legal` is a mask of actions.
    """
    best, best_score, untried = np.int64(0), -1.0, legal
    child = tree.first[node]
    while child != 0:
        bit = np.int64(1) << tree.action[child]
        if legal & bit:
            untried &= ~bit
            tree.available[child] += 1
            n = tree.visits[child]
            score = tree.worth[child] / n + explore * np.sqrt(np.log(tree.available[child]) / n)
            if score > best_score:
                best, best_score = child, score
        child = tree.sibling[child]
    return best, untried


@tight_helper
def most_visited(tree: SearchTree, node: Any, legal: Any) -> Any:
    """Of the children whose action is legal the one tried most; 0 where there is none."""
    best, visits, child = np.int64(0), np.int64(0), tree.first[node]
    while child != 0:
        if legal & (np.int64(1) << tree.action[child]) and tree.visits[child] > visits:
            best, visits = child, tree.visits[child]
        child = tree.sibling[child]
    return best


@tight_helper
def grow(tree: SearchTree, node: Any, action: Any) -> Any:
    """A new child for an action; 0 where the tree is full."""
    child = tree.size[0]
    if child >= len(tree.action):
        return np.int64(0)
    tree.size[0] = child + 1
    tree.action[child], tree.available[child] = action, 1
    tree.sibling[child] = tree.first[node]
    tree.first[node] = child
    return child


@tight_helper
def record(tree: SearchTree, node: Any, worth: float) -> None:
    """A walk through a node came to this for whoever took its action."""
    tree.visits[node] += 1
    tree.worth[node] += worth
