"""`mazzo connect`: one of our agents on any dealer of the competition's protocol."""

from __future__ import annotations

import click

from mazzo.cli.common import Number, as_json, command, note, print_json, quiet, seed

__all__ = ["connect"]


@command(
    "mazzo connect localhost 20001 --agent rich --game holdem-limit-3p",
    "mazzo connect localhost 20001 --agent random:raise=.8 --game holdem.nolimit.2p.game --seed 7",
)
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@click.option("--agent", required=True, help="Agent that plays.")
@click.option("--game", help="Game that the dealer deals: a preset or a .game file.  [default: limit Hold'em]")
@seed
@click.option("--timeout", type=Number(), default=30, show_default=True, help="Seconds to wait for the connection.")
@as_json
@quiet
def connect(
    host: str, port: int, agent: str, game: str | None, seed: int, timeout: float, as_json: bool, quiet: bool
) -> None:
    """Play an agent on the dealer at HOST and PORT.

    It stays until the match is over.
    """
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.dealer.client import play_on
    from mazzo.holdem.rules import rules

    player = create(agent, AGENTS)
    played = play_on(host, port, player, rules(game) if game else None, seed, timeout)
    if as_json:
        print_json({"agent": agent, **played})
    else:
        note(f"{agent} played {played['hands']} hands and won {played['net']} chips", quiet)
