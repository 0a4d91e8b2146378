"""Blackjack by brute force: every card that can come next, one at a time, nothing shared with what it judges.

Hands are tuples of ranks 1 (ace) to 10. Where the dealer peeks, values are conditional on no dealer blackjack, and
after a split every hole card is put under the upcard in turn: a different road than the library's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mazzo.blackjack.rules import UNLIMITED, Rules

Counts = tuple[int, ...]
Hand = tuple[int, ...]
BanditPolicy = tuple[float, float, tuple[int, int] | None, Counts]


def total_of(hand: Hand) -> tuple[int, bool]:
    points = sum(hand)
    if 1 in hand and points + 10 <= 21:
        return points + 10, True
    return points, False


def draws(shoe: Counts) -> Iterator[tuple[int, float, Counts]]:
    cards = sum(shoe)
    for rank in range(1, 11):
        if shoe[rank - 1]:
            left = list(shoe)
            left[rank - 1] -= 1
            yield rank, shoe[rank - 1] / cards, tuple(left)


class Brute:
    def __init__(self, rules: Rules, shoe: Counts) -> None:
        self.rules = rules
        self.shoe = shoe
        self.dealer = lru_cache(None)(self._dealer)
        self.drawing = lru_cache(None)(self._drawing)
        self.hand_played = lru_cache(None)(self._hand_played)
        self.split_played = lru_cache(None)(self._split_played)

    # the dealer

    def _dealer(self, hand: Hand, shoe: Counts) -> dict[int, float]:
        """Chance of each final total; 22 is a bust, 0 a blackjack."""
        total, soft = total_of(hand)
        if len(hand) == 2 and total == 21:
            return {0: 1.0}
        if total > 21:
            return {22: 1.0}
        if total >= 17 and not (self.rules.hit_soft_17 and soft and total == 17):
            return {total: 1.0}
        result: dict[int, float] = {}
        for rank, chance, left in draws(shoe):
            for end, p in self.dealer(tuple(sorted((*hand, rank))), left).items():
                result[end] = result.get(end, 0.0) + chance * p
        return result

    def makes_blackjack(self, upcard: int, hole: int) -> bool:
        return {upcard, hole} == {1, 10}

    def holes(self, upcard: int, shoe: Counts) -> list[tuple[int, float, Counts]]:
        """The hole cards the player must reckon with once he may play."""
        allowed = [d for d in draws(shoe) if not self.makes_blackjack(upcard, d[0])]
        whole = sum(p for _, p, _ in allowed)
        return [(rank, p / whole, left) for rank, p, left in allowed]

    def chance_of_blackjack(self, upcard: int, shoe: Counts) -> float:
        return sum(p for hole, p, _ in draws(shoe) if self.makes_blackjack(upcard, hole))

    # one hand, decisions at their best

    def next_cards(self, upcard: int, shoe: Counts) -> Iterator[tuple[int, float, Counts]]:
        if not self.rules.peek:
            yield from draws(shoe)
            return
        for rank, _, left in draws(shoe):
            chance = sum(
                p * after[rank - 1] / sum(after) for _, p, after in self.holes(upcard, shoe) if after[rank - 1]
            )
            if chance:
                yield rank, chance, left

    def settle(self, total: int, ends: dict[int, float]) -> float:
        value = 0.0
        for end, p in ends.items():
            if end == 22 or 0 < end < total:
                value += p
            elif end == 0 or end > total:
                value -= p
        return value

    def stand(self, hand: Hand, upcard: int, shoe: Counts) -> float:
        total, _ = total_of(hand)
        if total > 21:
            return -1.0
        if not self.rules.peek:
            return self.settle(total, self.dealer((upcard,), shoe))
        return sum(
            p * self.settle(total, self.dealer(tuple(sorted((upcard, hole))), left))
            for hole, p, left in self.holes(upcard, shoe)
        )

    def hit(self, hand: Hand, upcard: int, shoe: Counts) -> float:
        return sum(
            p * self.drawing(tuple(sorted((*hand, rank))), upcard, left)
            for rank, p, left in self.next_cards(upcard, shoe)
        )

    def _drawing(self, hand: Hand, upcard: int, shoe: Counts) -> float:
        if total_of(hand)[0] > 21:
            return -1.0
        return max(self.stand(hand, upcard, shoe), self.hit(hand, upcard, shoe))

    def double(self, hand: Hand, upcard: int, shoe: Counts) -> float:
        return 2 * sum(p * self.stand((*hand, rank), upcard, left) for rank, p, left in self.next_cards(upcard, shoe))

    def may_double(self, hand: Hand) -> bool:
        total, soft = total_of(hand)
        return {
            "any": True,
            "9-11": not soft and 9 <= total <= 11,
            "10-11": not soft and 10 <= total <= 11,
        }[self.rules.double]

    def may_surrender(self, upcard: int) -> bool:
        return self.rules.surrender != "none" and (self.rules.surrender != "early-not-ace" or upcard != 1)

    def surrender(self, upcard: int, shoe: Counts, first: bool) -> float:
        blackjack = self.chance_of_blackjack(upcard, shoe)
        if self.rules.peek:
            if first and self.rules.surrender.startswith("early"):
                return (-0.5 + blackjack) / (1 - blackjack)  # as if decided after the peek
            return -0.5
        return -0.5 - 0.5 * blackjack if self.rules.surrender == "late" else -0.5

    # the first two cards

    def plays(self, hand: Hand, upcard: int) -> dict[str, float]:
        shoe = self.without((*hand, upcard))
        values = {"stand": self.stand(hand, upcard, shoe), "hit": self.hit(hand, upcard, shoe)}
        if self.may_double(hand):
            values["double"] = self.double(hand, upcard, shoe)
        if self.may_surrender(upcard):
            values["surrender"] = self.surrender(upcard, shoe, first=True)
        if hand[0] == hand[1] and self.rules.max_hands != 1:
            values["split"] = self.split(hand[0], upcard, shoe)
        return values

    def without(self, cards: Hand) -> Counts:
        left = list(self.shoe)
        for rank in cards:
            left[rank - 1] -= 1
        return tuple(left)

    def ev(self) -> float:
        result = 0.0
        for a, p_a, left_a in draws(self.shoe):
            for up, p_up, left_up in draws(left_a):
                for b, p_b, left in draws(left_up):
                    result += p_a * p_up * p_b * self.deal((min(a, b), max(a, b)), up, left)
        return result

    def deal(self, hand: Hand, upcard: int, shoe: Counts) -> float:
        blackjack = self.chance_of_blackjack(upcard, shoe)
        insurance = max(0.0, 1.5 * blackjack - 0.5) if self.rules.insurance and upcard == 1 else 0.0
        if hand == (1, 10):
            value = self.rules.blackjack_pays * (1 - blackjack) + insurance
            even = upcard == 1 and self.rules.even_money != "none"
            even |= upcard == 10 and self.rules.even_money == "ace-ten"
            return max(value, 1.0) if even else value
        best = max(self.plays(hand, upcard).values())
        if self.rules.peek:
            best = best * (1 - blackjack) - blackjack
        return best + insurance

    # splits: the hands are really played, one after the other

    def choice_after_split(self, hand: Hand, upcard: int) -> str:
        """What these cards would play had there been no split, among what may be played now."""
        if hand == (1, 10):
            return "stand"  # unsplit it would be a blackjack
        shoe = self.without((*hand, upcard))
        values = {"stand": self.stand(hand, upcard, shoe), "hit": self.hit(hand, upcard, shoe)}
        if len(hand) == 2 and self.rules.double_after_split and self.may_double(hand):
            values["double"] = self.double(hand, upcard, shoe)
        if len(hand) == 2 and self.rules.surrender_after_split and self.may_surrender(upcard):
            values["surrender"] = self.surrender(upcard, shoe, first=False)
        return max(values, key=lambda name: values[name])

    def split(self, rank: int, upcard: int, shoe: Counts) -> float:
        if self.rules.max_hands == UNLIMITED:
            return self.formula_5_12(rank, upcard, shoe)
        if not self.rules.peek:
            return self.split_played(rank, upcard, 0, shoe, 2, 2, ())
        return sum(
            p * self.split_played(rank, upcard, hole, left, 2, 2, ()) for hole, p, left in self.holes(upcard, shoe)
        )

    def _split_played(
        self, rank: int, upcard: int, hole: int, shoe: Counts, waiting: int, hands: int, done: tuple[Hand, ...]
    ) -> float:
        """The sum of all hands' results; `done` holds (total, stake) of hands that stood; `hole` is 0 for none."""
        if waiting == 0:
            ends = self.dealer(tuple(sorted((upcard, hole))) if hole else (upcard,), shoe)
            return sum(stake * self.settle(total, ends) for total, stake in done)
        again = hands < self.rules.max_hands and (rank != 1 or self.rules.resplit_aces)
        value = 0.0
        for card, chance, left in draws(shoe):
            if card == rank and again:
                value += chance * self.split_played(rank, upcard, hole, left, waiting + 1, hands + 1, done)
                continue
            for p, result, stood, after in self.hand_played((rank, card), upcard, left):
                then = tuple(sorted((*done, stood))) if stood else done
                value += chance * p * (result + self.split_played(rank, upcard, hole, after, waiting - 1, hands, then))
        return value

    def _hand_played(self, hand: Hand, upcard: int, shoe: Counts) -> list[BanditPolicy]:
        """All ways a split hand may go: chance, what is already lost, (total, stake) if it stood, the shoe after."""
        total, _ = total_of(hand)
        if total > 21:
            return [(1.0, -1.0, None, shoe)]
        if hand[0] == 1 and len(hand) == 2 and not self.rules.hit_split_aces:
            return [(1.0, 0.0, (total, 1), shoe)]
        choice = self.choice_after_split(tuple(sorted(hand)), upcard)
        if choice == "stand":
            return [(1.0, 0.0, (total, 1), shoe)]
        if choice == "surrender":
            assert self.rules.peek or self.rules.surrender != "late", "the brute force does not model this"
            return [(1.0, -0.5, None, shoe)]
        ways: list[BanditPolicy] = []
        for card, chance, left in draws(shoe):
            longer = (*hand, card)
            if choice == "double":
                points, _ = total_of(longer)
                ways.append((chance, -2.0, None, left) if points > 21 else (chance, 0.0, (points, 2), left))
            else:
                ways += [(chance * p, r, s, after) for p, r, s, after in self.hand_played(longer, upcard, left)]
        return ways

    def formula_5_12(self, rank: int, upcard: int, shoe: Counts) -> float:
        """The text's formula: twice one hand's value, which may be split again, in the shoe as it is then."""
        value = 0.0
        for card, chance, left in self.next_cards(upcard, shoe):
            hand = (min(rank, card), max(rank, card))
            options = [self.stand(hand, upcard, left)]
            if rank != 1 or self.rules.hit_split_aces:
                options.append(self.hit(hand, upcard, left))
                if self.rules.double_after_split and self.may_double(hand):
                    options.append(self.double(hand, upcard, left))
                if self.rules.surrender_after_split and self.may_surrender(upcard):
                    options.append(self.surrender(upcard, left, first=False))
            if card == rank:
                options.append(self.formula_5_12(rank, upcard, left))
            value += chance * max(options)
        return 2 * value
