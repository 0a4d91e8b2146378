"""What one game alone has in the browser: its pages of the lab, one module each, and how its models are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mazzo.registry import Registry

__all__ = ["PAGES", "TREES", "TREE_COUNTS"]

PAGES: Registry[Callable[[Any], None]] = Registry(
    "page",
    {
        "holdem": "mazzo.web.games.holdem:add_pages",
        "solve": "mazzo.web.games.solving:add_pages",
        "blackjack": "mazzo.web.games.blackjack:add_pages",
        "review": "mazzo.web.reviewing:add_pages",
        "train": "mazzo.web.games.training:add_pages",
        "tressette": "mazzo.web.games.tressette:add_pages",
    },
)
"""What adds a game's own pages."""

TREE_COUNTS: Registry[Callable[..., int]] = Registry("model", {"clone": "mazzo.web.games.holdem:clone_trees"})
TREES: Registry[Callable[..., dict[str, Any]]] = Registry("model", {"clone": "mazzo.web.games.holdem:clone_tree"})
"""By agent, how its models are shown as trees; a forest needs no entry here."""
