"""After a hand: what the others may have held by all they did, and the own decisions priced."""

from __future__ import annotations

from collections.abc import Iterator

from mazzo.errors import MazzoError
from mazzo.holdem import columns as c
from mazzo.holdem.advising.models import StandIn, TableCompany, stand_in
from mazzo.holdem.advising.ranges import RANGES, by_ranges
from mazzo.holdem.beliefs import HoldingChances
from mazzo.holdem.hand import Hand
from mazzo.holdem.notation import action_text
from mazzo.seated import Advice

__all__ = ["decisions_after", "ranges_after"]


def ranges_after(
    hand: Hand, company: TableCompany, me: int, own: bool = True
) -> Iterator[tuple[StandIn, HoldingChances]]:
    """Of every opponent who did something in a finished hand: who stands for him, and what he may have held.

    Args:
        hand: The hand.
        company: Who sat at the table.
        me: The position that asks; its cards are known to be elsewhere.
        own: Whether agents' own policies are used.
    """
    seen = hand.observe(me)
    dead = [int(card) for card in hand.hole(me)]
    acted = {int(actor) for actor in seen.actors[0] if actor >= 0}
    for position in range(hand.game.players):
        if position == me or position not in acted:
            continue
        try:
            model = stand_in(company, position, seen, own)
            yield model, model.chances(seen, position, dead)
        except MazzoError:  # one whose range cannot be told hides nobody else's
            continue


def decisions_after(
    hand: Hand, company: TableCompany, me: int, adviser: str = RANGES
) -> Iterator[tuple[Hand, str, Advice]]:
    """Every decision of a position in a finished hand: the hand as it stood, what was done, what the adviser says."""
    now = Hand(hand.game, [int(k) for k in hand._cards], stacks=hand.stacks, number=hand.number, names=hand.names)
    for action in hand.history:
        if now.actor == me and now.hole(me):
            played = action_text(action, hand.game.limit)
            yield now, played, by_ranges(now.observe(), company, adviser, played)
        now.fold_anyway() if action == c.FOLD else now.act(action)
