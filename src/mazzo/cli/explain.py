"""`mazzo explain`: why an agent plays what it plays."""

from __future__ import annotations

from typing import Any

import click

from mazzo.cli.common import as_json, command, print_json
from mazzo.errors import UnreadableError

__all__ = ["explain"]


@command(
    'mazzo explain rich "MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s"',
    'mazzo explain hero.mz "MATCHSTATE:0:12:rc/:QsQd|/2c7dTh" --json',
    'mazzo explain chart "MATCHSTATE:1:0:rrc/r:|Ac2h/8h4h2s" --range',
    'mazzo explain utility "MATCHSTATE:0:0:c:AsAh||" --game holdem-nolimit-3p',
    'mazzo explain chart "STATE:0:rrc/cc/rc/cc:AsKd|7h7c/2c7dTh/3s/Qc:-40|40:Anna|Ben" --decision 2',
    "mazzo explain count '8,8 v 10' --game hungarian",
    "mazzo explain decision 'me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead me; play 3d 7d 8d 9d'",
)
@click.argument("agent")
@click.argument("hand")
@click.option("--game", help="Game: a preset or a file.  [default: what HAND shows]")
@click.option(
    "--decision", type=click.IntRange(min=1), help="Number of the decision in HAND, from 1.  [default: the next one]"
)
@click.option("--range", "with_range", is_flag=True, help="Show the range of AGENT there, given its actions so far.")
@click.option("--allow-cheats", is_flag=True, help="Allow an agent that sees all cards (cheat); HAND must show them.")
@as_json
def explain(
    agent: str, hand: str, game: str | None, decision: int | None, with_range: bool, allow_cheats: bool, as_json: bool
) -> None:
    """Say what AGENT plays in HAND, and why.

    HAND is a hand or round of any game as text, as the player to act sees it.
    A hand of Hold'em is a STATE: or MATCHSTATE: line, finished or not; of blackjack 8,8 v 10, or a round's text
    (deal 8,8 v A; plays leave); a round of tressette is what mazzo match --log writes, or what one seat knows of it.
    """
    from mazzo.agent import create
    from mazzo.games import find_decision

    entry, deal, seen = find_decision(hand, game, decision)
    player = create(agent, entry.AGENTS, allow_cheats=allow_cheats)
    if allow_cheats and not player.sees_all:
        raise UnreadableError(f"agent {agent!r} does not see all cards: leave out --allow-cheats")
    reason = player.unsupported_reason(deal.rules)
    if reason:
        raise UnreadableError(f"agent {agent!r} cannot play {getattr(deal.rules, 'name', entry.NAME)}: {reason}")
    explanation = player.explain_open(deal, seen) if player.sees_all else player.explain(seen)
    held = _range(entry, player, seen) if with_range else None
    if as_json:
        print_json(
            {"agent": agent, "hand": hand, **explanation.as_dict(), **({"range": held.as_dict()} if held else {})}
        )
    else:
        click.echo(str(explanation))
        click.echo(f"\n{held}" if held else "", nl=held is not None)


def _range(entry: Any, player: Any, seen: Any) -> Any:
    """What others can reason about the cards of the player to act; only some games can say it."""
    offered = getattr(entry, "range_held", None)
    if offered is None:
        raise UnreadableError(f"--range shows a range of hands of Hold'em; {entry.NAME} has none")
    return offered(player, seen)
