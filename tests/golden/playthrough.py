"""Whole hands of every kind of game as text, decision by decision: a change of any rule shows as a change of a file.

`python -m tests.golden.playthrough` writes the files anew; look at what changed before committing it.
"""

from __future__ import annotations

from pathlib import Path

from mazzo.agent import create
from mazzo.holdem import Hand, find_game
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.hand import action_text

FOLDER = Path(__file__).parent
GAMES = {
    "holdem-limit-2p": ["chart", "random"],
    "holdem-limit-3p": ["random", "chart", "call"],
    "holdem-nolimit-6p": ["random:size=pot", "chart", "random:size=least", "call", "random:size=pot", "raise"],
    "kuhn-3p": ["random", "random", "raise"],
    "leduc-2p": ["random", "raise"],
}
HANDS = 3


def play(game_name: str) -> str:
    """Some hands of a game, every step printed."""
    game = find_game(game_name)
    agents = [create(name, AGENTS) for name in GAMES[game_name]]
    lines = [str(game)]
    for number in range(HANDS):
        hand = Hand(game, seed=2026, number=number, names=[agent.name for agent in agents])
        while not hand.over:
            actor = hand.actor or 0
            explanation = agents[actor].explain(hand.observe())
            lines += [repr(hand), hand.text(viewer=actor), f"{hand.names[actor]} plays {explanation}", ""]
            hand.act(action_text(int(agents[actor].decide(hand.observe())[0]), game.limit))
        lines += [repr(hand), hand.text(), f"pots: {hand.pots}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(play(name))
