"""Checks that any game and any agent must pass, ours or yours.

    from mazzo.testing import check_agent, check_game
    check_agent(MyAgent, "holdem-limit-2p")
    check_game(entry)

Each check raises AssertionError with what went wrong. They know no game: everything is asked of the game's `Entry`.
"""

from mazzo.testing.agents import check_agent, check_holdem_agent
from mazzo.testing.games import check_game

__all__ = ["check_agent", "check_game", "check_holdem_agent"]
