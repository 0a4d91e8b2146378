"""`mazzo play blackjack`: a shoe against the dealer, with a coach who knows what every play is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mazzo.cli.blackjack import changes, read_setting, rules_name
from mazzo.cli.common import command, note, seed
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.round import Round

__all__ = ["blackjack"]

_KEYS = {"s": "stand", "h": "hit", "d": "double", "p": "split", "r": "surrender"}


@command("mazzo play blackjack", "mazzo play blackjack --rules hungarian --seed 7 --no-coach")
@rules_name
@changes
@seed
@click.option("--coach/--no-coach", default=True, show_default=True, help="Say what each play cost.")
@click.option("--rounds", type=click.IntRange(min=1), help="Stop after so many rounds.")
def blackjack(rules_name: str, changes: tuple[str, ...], seed: int, coach: bool, rounds: int | None) -> None:
    """Blackjack against the dealer. Keys: s stand, h hit, d double, p split, r surrender, q leave."""
    from mazzo.blackjack.round import Round
    from mazzo.blackjack.rules import INFINITE
    from mazzo.blackjack.shoe import shoe_of
    from mazzo.luck import fork, stream

    rules, _ = read_setting(rules_name, changes, None)
    if rules.decks == INFINITE:
        raise UnreadableError("one plays with real decks: give decks=1 to 8")
    key, shoe, fresh = stream(seed, "table"), shoe_of(rules), shoe_of(rules)
    won, lost_to_mistakes, played = 0.0, 0.0, 0
    while rounds is None or played < rounds:
        if shoe.cards <= (1 - rules.penetration) * fresh.cards or not Round.enough(rules, shoe):
            shoe = fresh
            click.echo("The shoe is shuffled.")
        game = Round(rules, shoe, fork(key, played))
        result = _play(game, coach)
        if result is None:
            break
        played += 1
        won += result[0]
        lost_to_mistakes += result[1]
        shoe = game.shoe_after
        mistakes = f"; mistakes cost {lost_to_mistakes:.4f} in all" if coach else ""
        click.echo(f"{result[0]:+g}, {won:+g} after {played} round{'s' * (played != 1)}{mistakes}\n")
    note(f"left after {played} rounds with {won:+g}; the same seed deals the same cards again: --seed {seed}")


def _ask(question: str, keys: str) -> str:
    while True:
        answer = click.prompt(question, prompt_suffix=" ", default="", show_default=False).strip().lower()[:1]
        if answer and answer in keys:
            return str(answer)
        click.echo(f"one of {', '.join(keys)}, please")


def _play(game: Round, coach: bool) -> tuple[float, float] | None:
    """One round at the terminal: (won, cost of mistakes), None to leave."""
    from mazzo.blackjack.shoe import RANKS, text_of

    click.echo(f"You have {game.hands[0]}, the dealer shows {RANKS[game.upcard]}.")
    cost = _side_bets(game, coach)
    if cost is None:
        return None
    while game.to_play is not None:
        paid = _decide(game, coach)
        if paid is None:
            return None
        cost += paid
    won = game.settle()
    hands = ", ".join(map(str, game.hands))
    click.echo(f"You have {hands}; the dealer has {text_of(game.dealer)}.")
    return won, cost


def _side_bets(game: Round, coach: bool) -> float | None:
    """Offer even money or insurance; what the answer cost."""
    if not game.offers_even_money() and not game.offers_insurance():
        return 0.0
    gain = game.side_bet_gain()
    taken = _ask("Even money? [y/n/q]" if game.offers_even_money() else "Insurance? [y/n/q]", "ynq")
    if taken == "q":
        return None
    if taken == "y":
        game.take_even_money() if game.offers_even_money() else game.insure()
    cost = max(0.0, -gain if taken == "y" else gain)
    if coach:
        click.echo("  right" if cost == 0 else f"  that costs {cost:.4f} of the bet")
    return cost


def _decide(game: Round, coach: bool) -> float | None:
    """Ask for one play, make it, and say what it cost."""
    from mazzo.blackjack.agents import CountingAgent
    from mazzo.blackjack.exact.analysis import PLAYS

    legal = game.legal()
    keys = "".join(key for key, name in _KEYS.items() if legal[PLAYS.index(name)])
    hand = game.to_play
    question = f"{hand} [{'/'.join(f'{key} {_KEYS[key]}' for key in keys)}/q]"
    answer = _ask(question, keys + "q")
    if answer == "q":
        return None
    view, chosen = game.view(), _KEYS[answer]
    explanation = CountingAgent().explain(view)
    values = {option.action: option.value or 0.0 for option in explanation.options}
    cost = max(values.values()) - values[chosen]
    if coach:
        worth = ", ".join(f"{name} {value:+.4f}" for name, value in values.items())
        click.echo(f"  {'right' if cost == 0 else f'{explanation.action} was better by {cost:.4f}'} ({worth})")
    game.play(chosen)
    return cost
