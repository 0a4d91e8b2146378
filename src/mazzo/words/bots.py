"""How agents at a table are introduced: one line of style, in the words of the table."""

from __future__ import annotations

from mazzo.agent import MODEL_SUFFIX
from mazzo.errors import MazzoError
from mazzo.games import find_entry
from mazzo.words.texts import catalogue, text

__all__ = ["style_of"]


def style_of(game: str, agent: str) -> str:
    """One line about an agent of a game; one without words of ours says of itself what it is, a file only its name."""
    base = agent.partition(":")[0]
    key = f"style.{game}.{base}"
    if key in catalogue("en"):
        return text(key)
    if base.endswith((MODEL_SUFFIX, ".py")):
        return base
    try:
        summary = find_entry(game).AGENTS[base].summary
    except MazzoError:
        return base
    return summary[:1].upper() + summary[1:]
