"""`mazzo explain`: why an agent plays what it plays."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json
from mazzo.errors import UnreadableError

__all__ = ["explain"]


@command(
    'mazzo explain rich "MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s"',
    'mazzo explain hero.mz "MATCHSTATE:0:12:rc/:QsQd|/2c7dTh" --json',
    'mazzo explain chart "STATE:0:r:AsKd|7h7c" --game holdem-limit-2p',
)
@click.argument("agent")
@click.argument("hand")
@click.option("--game", default="holdem-limit-2p", show_default=True, help="What is played.")
@as_json
def explain(agent: str, hand: str, game: str, as_json: bool) -> None:
    """Say what AGENT plays in HAND (a STATE: or MATCHSTATE: line, as the player to act sees it) and why."""
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.game import find_game
    from mazzo.holdem.hand import Hand

    definition = find_game(game)
    player = create(agent, AGENTS)
    reason = player.refuses(definition)
    if reason:
        raise UnreadableError(f"agent {agent!r} cannot play {definition.name}: {reason}")
    position = Hand.parse(hand, definition)
    if position.over or position.actor is None:
        raise UnreadableError(f"nobody is to act in {hand!r}: the hand is over")
    _check_cards(position, hand)
    explanation = player.explain(position.observe())
    if as_json:
        print_json({"agent": agent, "hand": hand, **explanation.as_dict()})
    else:
        click.echo(str(explanation))


def _check_cards(hand: object, text: str) -> None:
    from mazzo.holdem.hand import Hand

    assert isinstance(hand, Hand)
    actor = hand.actor or 0
    if not hand.hole(actor):
        raise UnreadableError(f"{text!r} does not show the cards of position {actor}, who is to act")
    if len(hand.board) != hand.game.board_seen(hand.street):
        raise UnreadableError(f"{text!r} does not show the board cards that lie open in this round")
