"""Tree search over hidden cards: knows no game.

Information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012): the tree holds what the searching player can
see happen, and every walk through it is made in one deal that could be. `tree` has the tree and what kernels do with
it, for games that bring a kernel of their own; `search` walks with any `Deal`.
"""

from mazzo.mcts.search import Searched, search
from mazzo.mcts.tree import SearchTree, grow, most_visited, pick, record

__all__ = ["SearchTree", "Searched", "grow", "most_visited", "pick", "record", "search"]
