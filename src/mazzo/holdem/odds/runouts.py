"""How an equity spreads over the cards to come: what each next card makes of it, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError
from mazzo.holdem.odds.ranges import Range
from mazzo.holdem.odds.single import Against, equity_against

__all__ = ["Runout", "Runouts", "runouts"]

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Runout:
    """One card that may come next."""

    card: str
    chance: float
    equity: float


@dataclass(frozen=True)
class Runouts(Shown):
    """Every card that may come next, the best for the hand first."""

    cards: tuple[Runout, ...]

    @property
    def mean(self) -> float:
        """The equity before the card: each card's, by its chance."""
        return sum(one.chance * one.equity for one in self.cards)

    @property
    def deviation(self) -> float:
        """The standard deviation of the equity over the next card."""
        mean = self.mean
        return math.sqrt(sum(one.chance * (one.equity - mean) ** 2 for one in self.cards))

    def quantile(self, share: float) -> float:
        """The equity that is not passed with this chance."""
        reached = 0.0
        for one in reversed(self.cards):
            reached += one.chance
            if reached >= share - 1e-12:
                return one.equity
        return self.cards[0].equity

    def as_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "standard_deviation": self.deviation,
            "quantiles": [[share, self.quantile(share)] for share in _QUANTILES],
            "cards": [{"card": one.card, "chance": one.chance, "equity": one.equity} for one in self.cards],
        }

    def section(self) -> Section:
        """How the equity spreads, and each card."""
        spread = ", ".join(f"{share:.0%} {self.quantile(share):.2%}" for share in _QUANTILES)
        words = f"standard deviation {self.deviation:.2%}; not above, with a chance of: {spread}"
        rows = [(one.card, f"{one.chance:.3%}", f"{one.equity:.3%}") for one in self.cards]
        return Section("The next card", [words], tables=[Grid(("card", "chance", "equity"), rows)])


def runouts(
    hole: str | Sequence[int] | Range,
    against: Against,
    board: str | Sequence[int],
    dead: str | Sequence[int] = (),
) -> Runouts:
    """The exact equity after each card that may come next; the board has three or four cards."""
    known, gone = (FRENCH.parse(cards) if isinstance(cards, str) else cards for cards in (board, dead))
    if len(known) not in (3, 4):
        raise IllegalError(f"cards to come one by one need a flop or a turn on the board, not {len(known)} cards")
    if not isinstance(against, str | Range) and len(against) > 2:
        raise IllegalError(f"cards to come are counted against one or two others, not {len(against)}")
    whole = equity_against(hole, against, known, gone)
    found = []
    for card in sorted(set(range(52)) - {int(card) for card in (*known, *gone)}):
        try:
            after = equity_against(hole, against, [*known, card], gone)
        except IllegalError:  # somebody must hold it
            continue
        found.append((FRENCH.text([card]), after))
    ways = sum(after.denominator or 0 for _, after in found)
    cards = [Runout(text, (after.denominator or 0) / ways, after.equity) for text, after in found]
    result = Runouts(tuple(sorted(cards, key=lambda one: -one.equity)))
    assert abs(result.mean - whole.equity) < 1e-9
    return result
