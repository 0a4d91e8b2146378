"""The infinite deck as an `Analysis`: every hand's plays, states and chart by the same door as an exact shoe's.

Values are those of `infinite`, by total; the shoe is so many decks that what a round takes changes nothing that is
shown.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mazzo.blackjack.bets.shoes import infinite_plays, new_plays
from mazzo.blackjack.exact.analysis import Analysis
from mazzo.blackjack.exact.total import BasicStrategy, table_from
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.infinite import infinite_deck, surrendered
from mazzo.blackjack.multisets import Floats, all_hands, two_card_hands
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.blackjack.strategy import Policy

__all__ = ["infinite_analysis", "infinite_chart"]

_MANY = 10**8


class _Endless(Shoe):
    """So many decks that no card is missed."""

    def __post_init__(self) -> None:
        pass  # without the limit of a real shoe

    def without(self, ranks: Iterable[int]) -> Shoe:
        """Itself."""
        return self


def infinite_analysis(rules: Rules, shoe: Shoe | None = None) -> Analysis:
    """Every value of the infinite deck with the proportions of a shoe (of whole decks if none is given)."""
    counts = (shoe or shoe_of(rules)).counts
    deck = infinite_deck(rules, Shoe(counts))
    hands, tables, settings = all_hands().arrays, deck.tables, settings_of(rules)
    soft, total = hands.soft.astype(np.int64), np.minimum(hands.total, 21)
    blackjack = np.tile(tables.ends[:, 5], (len(total), 1))
    plays = new_plays()
    infinite_plays(settings, tables, *plays)
    policy = Policy(plays.hits[soft, total], *(np.zeros(blackjack.shape, np.int64) for _ in range(2)))
    for hand in two_card_hands().tolist():
        low, high = all_hands().ranks(hand)
        policy.first[hand], policy.after_split[hand] = plays.first[low, high], plays.after_split[low, high]
    lost = tables.ends[:, 5] - 1.0 if rules.peek else np.full(10, -1.0)
    surrender = np.array([surrendered(settings, chance) for chance in tables.ends[:, 5].tolist()])
    return Analysis(
        rules,
        _Endless(tuple(_MANY * count for count in counts)),
        tables.stand[soft, total],
        _hitting(deck.chances, tables.value, lost),
        tables.double[soft, total],
        tables.split,
        np.tile(surrender, (len(total), 1)),
        blackjack,
        policy,
        deck.ev,
    )


def _hitting(chances: Floats, value: Floats, lost: Floats) -> Floats:
    """[hand, upcard]: drawing a card, then playing at one's best."""
    hands = all_hands().arrays
    result = np.zeros((len(hands.total), 10))
    for rank in range(10):
        hard = hands.total - 10 * hands.soft + rank + 1
        ace = hands.soft | (rank == 0)
        soft = (ace & (hard <= 11)).astype(np.int64)
        total = hard + 10 * soft
        result += chances[rank] * np.where((total > 21)[:, None], lost, value[soft, np.minimum(total, 21)])
    return result


def infinite_chart(rules: Rules, shoe: Shoe | None = None) -> BasicStrategy:
    """The best chart of the infinite deck, where nothing but total, pair and upcard matters."""
    analysis = infinite_analysis(rules, shoe)
    return BasicStrategy(table_from(analysis), analysis)
