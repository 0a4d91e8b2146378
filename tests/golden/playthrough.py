"""Whole hands of every kind of game as text, decision by decision: a change of any rule shows as a change of a file.

`python -m tests.golden.playthrough` writes the files anew; look at what changed before committing it.
"""

from __future__ import annotations

from pathlib import Path

from mazzo.agent import create
from mazzo.document import plain
from mazzo.holdem import Hand, rules
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.notation import action_text
from mazzo.tressette.agents import AGENTS as TRESSETTE_AGENTS
from mazzo.tressette.round import Round

FOLDER = Path(__file__).parent
GAMES = {
    "holdem-limit-2p": ["chart", "random"],
    "holdem-limit-3p": ["random", "chart", "call"],
    "holdem-nolimit-6p": ["random:size=pot", "chart", "random:size=least", "call", "random:size=pot", "raise"],
    "kuhn-3p": ["random", "random", "raise"],
    "leduc-2p": ["random", "raise"],
}
HANDS = 3
TRESSETTE = ["decision", "greedy", "belief", "random"]


def play_tressette() -> str:
    """A round of tressette, every card with its reason."""
    agents = [create(name, TRESSETTE_AGENTS) for name in TRESSETTE]
    table = Round(seed=2026, number=1, leader=1, rng_key=7)
    lines = []
    while table.turn is not None:
        agent = agents[table.turn]
        lines += [table.text(), str(table), f"{agent.name} plays {agent.explain(table.observe())}", ""]
        table.act(agent)
    return "\n".join([*lines, table.text(), f"points {table.points}, thirds {table.thirds}", ""])


def play(game_name: str) -> str:
    """Some hands of a game, every step printed."""
    if game_name == "tressette":
        return play_tressette()
    game = rules(game_name)
    agents = [create(name, AGENTS) for name in GAMES[game_name]]
    lines = [str(game)]
    for number in range(HANDS):
        hand = Hand(game, seed=2026, number=number, names=[agent.name for agent in agents])
        while not hand.over:
            actor = hand.actor or 0
            explanation = agents[actor].explain(hand.observe())
            lines += [plain(hand.section()), hand.line(viewer=actor), f"{hand.names[actor]} plays {explanation}", ""]
            hand.act(action_text(int(agents[actor].decide(hand.observe())[0]), game.limit))
        lines += [plain(hand.section()), hand.line(), f"pots: {hand.pots}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    for name in [*GAMES, "tressette"]:
        (FOLDER / f"{name}.txt").write_text(play(name))
