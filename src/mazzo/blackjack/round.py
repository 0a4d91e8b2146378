"""One round one can hold: deal, see, play, settle. For people and for agents; millions are for `simulation`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mazzo.agent import Agent
from mazzo.blackjack.agents import Decisions, decision
from mazzo.blackjack.exact.analysis import PLAYS, can_double, can_surrender, points_needed
from mazzo.blackjack.exact.split import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.hands import BLACKJACK, Flags, hand_total
from mazzo.blackjack.rules import UNLIMITED, Rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, text_of
from mazzo.errors import IllegalError, did_you_mean
from mazzo.luck import below, fork

__all__ = ["Drawn", "PlayerHand", "Round", "play_with"]


@dataclass
class PlayerHand:
    """One of the player's hands."""

    cards: list[int]
    stake: float = 1.0
    split: bool = False
    over: bool = False
    surrendered: bool = False
    box: int = 0
    """Whose hand it is, where several are dealt in."""
    insured: bool = False
    even_money: bool = False
    """A blackjack that was paid 1 to 1 at once."""

    @property
    def total(self) -> int:
        """Points, aces at their best."""
        return hand_total(self.cards)[0]

    @property
    def natural(self) -> bool:
        """A blackjack: ace and ten as dealt, not after a split."""
        return not self.split and tuple(sorted(self.cards)) == BLACKJACK

    def __str__(self) -> str:
        total, soft = hand_total(self.cards)
        return f"{text_of(self.cards)} ({'soft ' if soft and total < 21 else ''}{total})"


class Drawn(int):
    """A rank that knows as which card of the round it was drawn, so that whoever shows it can give it one face."""

    number: int

    def __new__(cls, rank: int, number: int) -> Drawn:
        """The `number`-th card drawn in a round."""
        card = super().__new__(cls, rank)
        card.number = number
        return card


@dataclass
class Round:
    """A round in progress. `to_play` is the hand to decide, None when the round is over.

    Attributes:
        rules: The table's rules.
        before: The shoe before the deal.
        key: The round's chance: the same key deals the same cards.
        boxes: How many play against the dealer; each is dealt a hand. Side bets are asked of each box before play:
            `offers_insurance` and `offers_even_money` say where, `insure` and `take_even_money` take them.
        won: What each box won, when the round is settled.
    """

    rules: Rules
    before: Shoe
    key: np.uint64
    hands: list[PlayerHand] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)
    boxes: int = 1
    finished: bool = False
    won: list[float] = field(default_factory=list)
    _acted: set[int] = field(default_factory=set, repr=False)
    _left: list[int] = field(default_factory=list, repr=False)
    _drawn: int = 0

    def __post_init__(self) -> None:
        if not self.enough(self.rules, self.before, self.boxes):
            raise IllegalError(f"the shoe {self.before} is too small for a round: shuffle a new one")
        self._left = list(self.before.counts)
        self.hands = [PlayerHand([self._draw()], box=box) for box in range(self.boxes)]
        self.dealer = [self._draw()]
        for hand in self.hands:
            hand.cards.append(self._draw())
        if self.rules.peek:
            self.dealer.append(self._draw())

    @staticmethod
    def enough(rules: Rules, shoe: Shoe, boxes: int = 1) -> bool:
        """Whether a round can be played and, after any split, its last hand still be counted."""
        return shoe.points >= (boxes + 1) * points_needed(rules) - 56

    def _draw(self) -> int:
        luck = np.uint64(fork(np.uint64(self.key), self._drawn))
        place = int(below(luck, sum(self._left)))
        self._drawn += 1
        for rank, count in enumerate(self._left):
            if place < count:
                self._left[rank] -= 1
                return Drawn(rank, self._drawn - 1)
            place -= count
        raise IllegalError("the shoe is empty")

    @property
    def shoe_after(self) -> Shoe:
        """The cards left when the round is over."""
        return Shoe(tuple(self._left))

    @property
    def upcard(self) -> int:
        """The dealer's open card."""
        return self.dealer[0]

    @property
    def started(self) -> bool:
        """Whether a hand has been played on."""
        return bool(self._acted)

    def _first(self, box: int) -> PlayerHand:
        return next(hand for hand in self.hands if hand.box == box)

    def offers_insurance(self, box: int = 0) -> bool:
        """Whether insurance may be taken now."""
        asked = self._first(box)
        return self.rules.insurance and self.upcard == ACE and not self.started and not asked.insured

    def offers_even_money(self, box: int = 0) -> bool:
        """Whether a blackjack may be paid 1 to 1 now."""
        rules, offered = self.rules, self.upcard == ACE or (self.rules.even_money == "ace-ten" and self.upcard == TEN)
        asked = self._first(box)
        return (rules.even_money != "none" and offered and asked.natural and not self.started) and not asked.even_money

    def side_bet_gain(self, box: int = 0) -> float:
        """What even money, or else insurance, is worth more than leaving it, in units of the bet."""
        left = self.before.without((*(card for hand in self.hands for card in hand.cards), self.upcard))
        if self.offers_even_money(box):
            other = left.counts[TEN if self.upcard == ACE else ACE] / left.cards
            return 1.0 - self.rules.blackjack_pays * (1.0 - other)
        return 1.5 * left.counts[TEN] / left.cards - 0.5

    def insure(self, box: int = 0) -> None:
        """Take insurance: half the bet, 2 to 1 if the dealer has a blackjack."""
        if not self.offers_insurance(box):
            raise IllegalError(
                f"insurance is offered against an ace before play; the dealer shows {RANKS[self.upcard]}"
            )
        self._first(box).insured = True

    def take_even_money(self, box: int = 0) -> None:
        """Be paid 1 to 1 for a blackjack at once."""
        if not self.offers_even_money(box):
            raise IllegalError("even money is offered for a blackjack against an ace, before play")
        hand = self._first(box)
        hand.even_money = hand.over = True

    @property
    def to_play(self) -> PlayerHand | None:
        """The hand that must decide, if any."""
        if self.finished:
            return None
        waiting = (hand for hand in self.hands if not hand.over and not hand.natural)
        if self._dealer_natural and self.rules.peek:
            waiting = (hand for hand in waiting if self._early(hand))
        return next(waiting, None)

    @property
    def _dealer_natural(self) -> bool:
        return tuple(sorted(self.dealer)) == BLACKJACK

    def _early(self, hand: PlayerHand) -> bool:
        """Early surrender under a peek: a box's first decision comes before the dealer looks."""
        may = self.rules.surrender.startswith("early") and can_surrender(self.rules, self.upcard)
        return may and hand.box not in self._acted

    def legal(self) -> Flags:
        """Which plays the hand to play may make."""
        hand, rules = self.to_play, self.rules
        allowed = np.zeros(len(PLAYS), np.bool_)
        if hand is None:
            return allowed
        total, soft = hand_total(hand.cards)
        allowed[[STAND, HIT]] = True
        if len(hand.cards) == 2:
            allowed[DOUBLE] = can_double(rules, total, soft) and (rules.double_after_split or not hand.split)
            allowed[SURRENDER] = can_surrender(rules, self.upcard) and (rules.surrender_after_split or not hand.split)
            room = self._room(hand.box)
            again = hand.cards[0] != ACE or not hand.split or rules.resplit_aces
            allowed[SPLIT] = hand.cards[0] == hand.cards[1] and room and again
        if hand.split and hand.cards[0] == ACE and not rules.hit_split_aces:
            allowed[[HIT, DOUBLE, SURRENDER]] = False
        return allowed

    def _room(self, box: int) -> bool:
        """Whether a box may have one hand more."""
        most = self.rules.max_hands
        return most == UNLIMITED or sum(hand.box == box for hand in self.hands) < most

    def view(self, luck: int = 0) -> Decisions:
        """What the player sees at this decision."""
        hand = self.to_play
        if hand is None:
            raise IllegalError("the round is over: there is nothing to decide")
        seen = Shoe(tuple(self.before.counts))
        others = [card for other in self.hands if other is not hand for card in other.cards]
        return decision(
            self.rules, tuple(hand.cards), self.upcard, seen.without(others), self.legal(), hand.split, luck
        )

    def play(self, what: str) -> None:
        """Make one play: stand, hit, double, split or surrender."""
        hand = self.to_play
        if what not in PLAYS:
            raise IllegalError(f"there is no play {what!r}; {did_you_mean(what, PLAYS)}")
        allowed = [PLAYS[k] for k in np.flatnonzero(self.legal())]
        if hand is None or what not in allowed:
            standing = f"{hand} against {RANKS[self.upcard]}" if hand else "a round that is over"
            raise IllegalError(f"{what} is not allowed with {standing}; allowed: {', '.join(allowed) or 'nothing'}")
        self._acted.add(hand.box)
        if what == "split":
            self._split(hand)
        elif what == "surrender":
            hand.surrendered = hand.over = True
        elif what in ("hit", "double"):
            hand.cards.append(self._draw())
            hand.stake *= 2 if what == "double" else 1
            hand.over = what == "double" or hand.total >= 21
        else:
            hand.over = True
        self._close_forced()

    def _split(self, hand: PlayerHand) -> None:
        rank, kept = hand.cards[1], hand.cards[0]
        other = PlayerHand([rank], split=True, box=hand.box)
        hand.split = True
        hand.cards = [kept, self._draw()]
        other.cards.append(self._draw())
        self.hands.insert(self.hands.index(hand) + 1, other)

    def _close_forced(self) -> None:
        """Hands that leave nothing to decide are over: split aces with one card, and 21."""
        for hand in self.hands:
            aces = hand.split and hand.cards[0] == ACE and not self.rules.hit_split_aces
            again = aces and hand.cards == [ACE, ACE] and self.rules.resplit_aces and self._room(hand.box)
            if (aces and not again) or hand.total >= 21:
                hand.over = True

    def settle(self) -> float:
        """Play the dealer and give what was won, in units of the bet."""
        if self.to_play is not None:
            raise IllegalError(f"{self.to_play} is still to be played")
        self.finished = True
        unpaid = [hand for hand in self.hands if not hand.even_money]
        if len(self.dealer) == 1 and (unpaid or any(hand.insured for hand in self.hands)):
            self.dealer.append(self._draw())
        natural = self._dealer_natural
        alive = [hand for hand in unpaid if hand.total <= 21 and not hand.surrendered and not hand.natural]
        while alive and not natural and self._dealer_draws():
            self.dealer.append(self._draw())
        self.won = [0.0] * self.boxes
        for hand in self.hands:
            self.won[hand.box] += self._result(hand, natural)
            if hand.insured:
                self.won[hand.box] += 1.0 if natural else -0.5
        return sum(self.won)

    def _dealer_draws(self) -> bool:
        total, soft = hand_total(self.dealer)
        return total < 17 or (total == 17 and soft and self.rules.hit_soft_17)

    def _result(self, hand: PlayerHand, dealer_natural: bool) -> float:
        if hand.even_money:
            return 1.0
        if hand.natural:
            return 0.0 if dealer_natural else self.rules.blackjack_pays
        if hand.surrendered:
            return -1.0 if dealer_natural and self.rules.surrender == "late" else -0.5
        dealer = hand_total(self.dealer)[0]
        if dealer_natural or hand.total > 21 or hand.total < dealer <= 21:
            return -1.0 if dealer_natural and self.rules.peek else -hand.stake
        return hand.stake if dealer > 21 or hand.total > dealer else 0.0


def play_with(agent: Agent[Decisions], game: Round) -> float:
    """Let an agent play a round to its end; what it won."""
    while game.to_play is not None:
        luck = int(fork(np.uint64(game.key), 1_000_000 + game._drawn + 1000 * len(game.hands)))
        game.play(PLAYS[int(agent.decide(game.view(luck))[0])])
    return game.settle()
