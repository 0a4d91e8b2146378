"""How much can be won from an agent: best responses, exact or from below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mazzo.agent import Agent
from mazzo.holdem.best_response.exact import Exploitability, can_be_exact, exploit_exactly
from mazzo.holdem.best_response.local import LowerBound, local_best_response
from mazzo.holdem.best_response.on_flops import OnFlops, best_response_on_flops
from mazzo.holdem.rules import Rules, find_game

__all__ = [
    "Exploitability",
    "LowerBound",
    "OnFlops",
    "best_response_on_flops",
    "exploit",
    "exploit_exactly",
    "local_best_response",
]


def exploit(
    agents: str | Agent[Any] | Sequence[str | Agent[Any]], game: str | Rules, **settings: Any
) -> Exploitability | LowerBound:
    """What can be won from an agent, or from one in each seat, in big blinds a hand.

    Exactly where the game is small enough to be walked whole, or the agent ignores its cards at heads-up limit
    Hold'em; at heads-up Hold'em else a lower bound by `local_best_response`, which takes the settings.
    """
    named = [agents] if isinstance(agents, (str, Agent)) else list(agents)
    if len(named) > 1 or can_be_exact(named[0], find_game(game)):
        if settings:
            raise TypeError(f"{', '.join(settings)} have no effect where the figure is exact")
        return exploit_exactly(named, game)
    return local_best_response(named[0], game, **settings)
