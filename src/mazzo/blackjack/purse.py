"""The chips of a blackjack table: what each seat has, what it bets next, and how it buys more."""

from __future__ import annotations

from mazzo.errors import IllegalError, UnreadableError

__all__ = ["Purse"]


class Purse:
    """One seat's chips.

    Args:
        chips: What it sat down with, and what it buys again.
        bet: What it bets on each hand.
        hands: Hands that it plays a round.
    """

    def __init__(self, chips: int, bet: int, hands: int) -> None:
        self.start, self.hands = chips, hands
        self.chips = float(chips)
        self.bet = self._wanted = bet
        """On each hand of this round, and of the rounds to come."""

    @property
    def least(self) -> int:
        """The least bet on each hand."""
        return 1

    @property
    def most(self) -> int:
        """The most that can be bet on each hand of the next round."""
        return min(int(self.chips // self.hands), 10**6)

    @property
    def wanted(self) -> int:
        """What is bet on each hand of the next round, as far as the chips go."""
        return max(self.least, min(self._wanted, self.most))

    @property
    def may_buy(self) -> bool:
        """Whether there is less than was brought."""
        return self.chips < self.start

    def choose(self, amount: str) -> int:
        """Bet another amount from the next round on."""
        if not (amount.isascii() and amount.isdigit() and len(amount) < 9):
            raise UnreadableError(f"a bet must be a whole number of chips, got {amount[:20]!r}")
        if not self.least <= int(amount) <= self.most:
            raise IllegalError(f"a bet must be {self.least} to {self.most}, got {amount}")
        self._wanted = int(amount)
        return self._wanted

    def buy(self) -> float:
        """Have as much again as was brought; how much that costs."""
        if not self.may_buy:
            raise IllegalError("chips can be bought when there are fewer than at the start")
        bought = self.start - self.chips
        self.chips = float(self.start)
        return bought

    def next_round(self) -> float:
        """Bet for a round; what had to be bought for it, by who cannot cover the least bet."""
        bought = self.buy() if self.most < self.least and self.may_buy else 0.0
        self.bet = self.wanted
        return bought
