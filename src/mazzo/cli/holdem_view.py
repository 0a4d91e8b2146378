"""How a Hold'em table looks in the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from mazzo.cards import Card
from mazzo.holdem.hand import UNKNOWN, Hand, action_text
from mazzo.holdem.tournament.session import Session

__all__ = ["acted", "cards_drawn", "replayed", "table_drawn"]

_COLOURS = {"c": "green", "d": "blue", "h": "red", "s": None}
_STREETS = ("before the flop", "flop", "turn", "river")


def _coloured(text: str, card: Card) -> str:
    """Four colours, unless NO_COLOR asks for none; click leaves them out where nobody looks."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=_COLOURS[str(card)[-1]], bold=True)


def cards_drawn(cards: Iterable[Card | None]) -> str:
    """Cards side by side; None is a card face down."""
    rows = ["", "", "", ""]
    for card in cards:
        top, middle = ("░░░", "░░░")
        if card is not None:
            rank = str(card)[:-1]
            top, middle = (_coloured(text, card) for text in (f"{rank:<3}", f" {card.symbol[-1]} "))
        for k, piece in enumerate(("┌───┐", f"│{top}│", f"│{middle}│", "└───┘")):
            rows[k] += piece + " "
    return "\n".join(row.rstrip() for row in rows)


def acted(hand: Hand, action: int, owed: int) -> str:
    """An action in words."""
    if action == 0:
        return "folds"
    if action == 1:
        return f"calls {owed}" if owed else "checks"
    return "raises" if hand.game.limit else f"raises to {action}"


def table_drawn(session: Session, viewer: int | None) -> str:
    """The table as one player sees it: board, pot, everyone's chips, and that player's cards."""
    hand = session.hand
    small, big = session.blinds
    lines = [f"hand {session.number + 1}, {_STREETS[hand.street]}, blinds {small}/{big}, pot {hand.pot}"]
    if hand.board:
        lines.append(cards_drawn(hand.board))
    shown = hand.over and hand.folded.count(False) > 1
    width = max(len(name) for name in session.names)
    for position, seat in enumerate(session.seating):
        marks = "D" if seat == session.button else " "
        marks += ">" if position == hand.actor else " "
        what = "folded" if hand.folded[position] else "all in" if hand.behind[position] == 0 else ""
        cards = hand.hole(position) if shown and not hand.folded[position] else ()
        tail = "  ".join(filter(None, (what, " ".join(map(str, cards)))))
        spent, behind = hand.spent[position], hand.behind[position]
        lines.append(f" {marks} {session.names[seat]:<{width}}  {behind:>7} behind  {spent:>6} in  {tail}".rstrip())
    if viewer is not None and viewer in session.seating:
        lines.append(cards_drawn(hand.hole(session.seating.index(viewer))))
    return "\n".join(lines)


def replayed(session: Session, number: int, viewers: Iterable[int]) -> str:
    """A past hand, action by action, with the cards that the people at the table have seen."""
    done, seating = session.past[number], session.seatings[number]
    people = set(viewers)
    cards = [int(k) for position in range(len(seating)) for k in done.hole(position)]
    board = [int(k) for k in done.board]
    unseen = [UNKNOWN] * (sum(done.game.board_cards) - len(board))
    again = Hand(done.game, [*cards, *board, *unseen], stacks=done.stacks, names=done.names)
    lines = [f"hand {number + 1}: " + ", ".join(f"{n} {s}" for n, s in zip(done.names, done.stacks, strict=True))]
    for position, seat in enumerate(seating):
        if seat in people:
            lines.append(f"  {done.names[position]} holds {' '.join(map(str, done.hole(position)))}")
    street = 0
    for action in done.history:
        name, owed = again.names[again.actor or 0], again.legal.owed
        lines.append(f"  {name} {acted(again, action, owed)}")
        again.fold_anyway() if action == 0 else again.act(action_text(action, done.game.limit))
        if again.street > street:
            street = again.street
            lines.append(f"  -- {_STREETS[street]}: {' '.join(map(str, again.board))}  (pot {again.pot})")
    lines += shown_down(done)
    return "\n".join(lines)


def shown_down(hand: Hand) -> list[str]:
    """Who showed what, and what everyone won or lost in a finished hand."""
    lines = []
    if hand.folded.count(False) > 1:
        from mazzo.holdem.showdown import describe, evaluate_one

        for position, gone in enumerate(hand.folded):
            if not gone:
                cards = hand.hole(position)
                made = describe(evaluate_one([*cards, *hand.board]))
                lines.append(f"  {hand.names[position]} shows {' '.join(map(str, cards))}: {made}")
    results = [f"{n} {net:+d}" for n, net in zip(hand.names, hand.payoffs, strict=True) if net]
    return [*lines, "  " + (", ".join(results) or "nobody wins or loses")]
