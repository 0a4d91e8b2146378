"""Mazzo: find, learn, measure, explain and play strategies for card games.

>>> import mazzo
>>> hand = mazzo.holdem.Hand("holdem-limit-2p", seed=1)
>>> print(mazzo.match("holdem-limit-2p", ["chart", "random"], hands=2000, seed=1))  # doctest: +SKIP

Nothing is imported before it is used: `import mazzo` costs next to nothing.
"""

from typing import TYPE_CHECKING

from mazzo.document import render_with
from mazzo.lazy import lazy
from mazzo.version import __version__

if TYPE_CHECKING:
    from mazzo import blackjack, holdem, testing, tressette
    from mazzo.agent import Agent, Explanation
    from mazzo.arena.by_name import match
    from mazzo.cards import Card

__all__ = [
    "Agent",
    "Card",
    "Explanation",
    "__version__",
    "blackjack",
    "holdem",
    "match",
    "testing",
    "tressette",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Agent": "mazzo.agent:Agent",
        "Card": "mazzo.cards:Card",
        "Explanation": "mazzo.agent:Explanation",
        "blackjack": "mazzo.blackjack",
        "holdem": "mazzo.holdem",
        "match": "mazzo.arena.by_name:match",
        "testing": "mazzo.testing",
        "tressette": "mazzo.tressette",
    },
)

render_with("mazzo.reports.page:fragment")
