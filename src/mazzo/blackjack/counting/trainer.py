"""Practice for a counter: a table with bets from a bankroll, index plays as they come, a deck against the clock, decks.

Nothing is kept. Who marks the plays is said: basic strategy, the indices, or the exact value of the cards left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mazzo.blackjack.columns import HIT, PLAYS, STAND
from mazzo.blackjack.counting.effects import centred
from mazzo.blackjack.counting.index_tables import IndexPlay, IndexTable, chart_at
from mazzo.blackjack.counting.systems import Count
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, must_change, shoe_of
from mazzo.errors import IllegalError, UnreadableError
from mazzo.rng import below, fork, stream

__all__ = ["MARKS", "Countdown", "CountingTable", "DeckEstimate", "DeviationDrill"]

MARKS = ("basic", "indices", "exact")
"""By what plays are marked."""

_COSTS = {"double": 1.0, "split": 1.0, "insure": 0.5}
"""What a play adds to the bets, in units of the bet."""


def _shuffled(shoe: Shoe, seed: int, name: str) -> list[int]:
    cards = [rank for rank, count in enumerate(shoe.counts) for _ in range(count)]
    key = stream(seed, name)
    for k in range(len(cards)):
        place = k + int(below(np.uint64(fork(key, k)), len(cards) - k))
        cards[k], cards[place] = cards[place], cards[k]
    return cards


@dataclass
class CountingTable:
    """A shoe played for money by somebody who counts; the count is there for whoever asks."""

    rules: Rules
    count: Count
    table: IndexTable
    bankroll: float = 1000.0
    boxes: int = 1
    marks: str = "indices"
    seed: int = 0
    asked: int = 0
    right: int = 0
    rounds: int = 0
    _shoe: Shoe = field(init=False, repr=False)
    _bet: float = field(default=0.0, init=False, repr=False)
    round: Round | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.marks not in MARKS:
            raise UnreadableError(f"marks must be one of {', '.join(MARKS)}, got {self.marks!r}")
        if not 0 < self.bankroll < math.inf:
            raise UnreadableError(f"the bankroll must be above 0, got {self.bankroll}")
        must_change(self.rules)
        self._shoe = shoe_of(self.rules)

    @property
    def seen(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """[rank]: the cards of this shoe that a player at the table has seen."""
        gone = shoe_of(self.rules).array() - self._shoe.array()
        if self.round is not None:
            for card in [card for hand in self.round.hands for card in hand.cards] + list(self.round.dealer):
                gone[int(card)] += 1
        return np.asarray(gone)

    @property
    def running(self) -> float:
        """The running count."""
        return float(self.seen @ np.array(self.count.tags)) + self.count.start(self.rules.decks)

    @property
    def true(self) -> float:
        """The true count, per deck not seen, not floored."""
        seen = self.seen
        left = shoe_of(self.rules).cards - int(seen.sum())
        return float(seen @ centred(self.count.tags)) * 52 / max(left, 1)

    def begin(self, bet: float) -> Round:
        """Bet on every box and deal; the shoe is shuffled where the cut card came."""
        if not 0 < bet < math.inf or bet * self.boxes > self.bankroll:
            raise IllegalError(
                f"a bet must be above 0 and {self.boxes} of it within the bankroll of {self.bankroll:g}, got {bet:g}"
            )
        if self.shuffles:
            self._shoe = shoe_of(self.rules)
        self._bet = bet
        self.round = Round(self.rules, seed=self.seed, number=self.rounds, shoe=self._shoe, boxes=self.boxes)
        self.rounds += 1
        return self.round

    @property
    def shuffles(self) -> bool:
        """Whether the next round is dealt from a new shoe."""
        fresh = shoe_of(self.rules)
        low = self._shoe.cards <= (1 - self.rules.penetration) * fresh.cards
        return low or not Round.enough(self.rules, self._shoe, self.boxes)

    def finish(self) -> float:
        """Settle a finished round; what was won."""
        assert self.round is not None, "a round was begun"
        won = self._bet * sum(self.round.payoffs)
        self.bankroll += won
        self._shoe, self.round = self.round.shoe_after, None
        return won

    @property
    def choices(self) -> list[str]:
        """The plays that the rules and the bankroll allow."""
        assert self.round is not None, "a round was begun"
        hands = self.round.hands
        staked = sum(hand.stake for hand in hands) + sum(0.5 for box in {h.box for h in hands if h.insured})
        plays = [self.round.action_text(action) for action in self.round.legal]
        return [play for play in plays if self._bet * (staked + _COSTS.get(play, 0.0)) <= self.bankroll]

    def advice(self) -> str:
        """What the marker plays now, of what the bankroll allows."""
        assert self.round is not None, "a round was begun"
        round_, legal = self.round, self.choices
        if "leave" in legal:
            return self._side_bet(legal)
        hand = round_.to_play
        assert hand is not None, "a hand is to be played"
        cards, upcard = tuple(int(card) for card in hand.cards), round_.upcard
        if self.marks == "exact":
            left = shoe_of(self.rules).array() - self.seen
            for card in (*cards, upcard):
                left[card] += 1
            plays = analyse(self.rules, Shoe(tuple(left.tolist()))).plays(cards, upcard, hand.split)
            return next(name for name in plays if name in legal)
        chart = self.table.chart if self.marks == "basic" else chart_at(self.table, math.floor(self.true))
        if len(cards) == 2:
            for after in (hand.split and "split" not in legal, True):
                play = PLAYS[chart.play(self.rules, min(cards), max(cards), upcard, after)]
                if play in legal:
                    return play
        total, soft = hand_total(cards)
        return PLAYS[HIT if chart.hits()[int(soft), total, upcard] else STAND]

    def _side_bet(self, legal: list[str]) -> str:
        if self.marks == "exact":
            left = shoe_of(self.rules).array() - self.seen
            takes = left[TEN if self.round and self.round.upcard == ACE else ACE] * 3 > left.sum()
        else:
            takes = self.marks == "indices" and math.floor(self.true) >= self.table.insurance
        return ("even money" if "even money" in legal else "insure") if takes else "leave"

    def act(self, text: str) -> tuple[bool, str]:
        """Play, and whether the marker agrees; what it would have played."""
        assert self.round is not None, "a round was begun"
        action = self.round.read_action(text)
        reason = self.round.why_not(action)
        if reason:
            raise IllegalError(reason)
        if self.round.action_text(action) not in self.choices:
            raise IllegalError(f"the bankroll of {self.bankroll:g} does not allow it: {', '.join(self.choices)}")
        wanted = self.advice()
        good = self.round.action_text(action) == wanted
        self.round.act(action)
        self.asked += 1
        self.right += good
        return good, wanted


@dataclass
class DeviationDrill:
    """Index plays dealt as they come: a hand, a running count and decks left; the play is asked."""

    rules: Rules
    table: IndexTable
    seed: int = 0
    asked: int = 0
    right: int = 0

    def __post_init__(self) -> None:
        insurance = IndexPlay("insurance", ACE, "insure", self.table.insurance)
        self._plays = [play for play in (*self.table.plays, insurance) if math.isfinite(play.index)]
        if not self._plays:
            raise UnreadableError("basic strategy has no index plays to practise: give --play i18, generated or a file")
        self._deal()

    def _deal(self) -> None:
        key = np.uint64(fork(stream(self.seed, "deviations"), self.asked))
        self._play = self._plays[int(below(key, len(self._plays)))]
        near = int(below(np.uint64(fork(key, 1)), 7)) - 3
        self._half_decks = 2 + int(below(np.uint64(fork(key, 2)), max(2 * self.rules.decks - 3, 1)))
        self._running = math.floor((self._play.index + near + 0.5) * self._half_decks / 2)
        self._true = math.floor(self._running / (self._half_decks / 2))

    @property
    def situation(self) -> tuple[IndexPlay, int, float]:
        """The index play that is asked for, the running count and the decks left."""
        return self._play, self._running, self._half_decks / 2

    def question(self) -> str:
        """The situation in words."""
        play, running, decks = self.situation
        return (
            f"{play.row} v {RANKS[play.upcard]}, running count {running:+d}, {decks:g} decks left: "
            f"{play.play}? (y or n)"
        )

    def answer(self, text: str) -> tuple[bool, str]:
        """Whether yes or no is right, and the reason; then another situation is dealt."""
        given = {"y": True, "yes": True, "n": False, "no": False}.get(text.strip().lower())
        if given is None:
            raise UnreadableError(f"cannot read {text!r}: answer y or n")
        wanted = self._true >= self._play.index
        self.asked += 1
        self.right += given == wanted
        what = f"true count {self._true:+d}, {self._play.play} from {self._play.index:+g}"
        self._deal()
        return given == wanted, what


@dataclass
class Countdown:
    """A deck counted down but for one card; what it counts in all tells that card's tag."""

    count: Count
    seed: int = 0

    def __post_init__(self) -> None:
        self._cards = _shuffled(Shoe.of_decks(1), self.seed, "countdown")

    @property
    def shown(self) -> list[int]:
        """The ranks of all cards but the last."""
        return self._cards[:-1]

    def handfuls(self, size: int = 2) -> list[str]:
        """All cards but the last, in handfuls."""
        shown = self.shown
        return [" ".join(RANKS[card] for card in shown[k : k + size]) for k in range(0, len(shown), size)]

    @property
    def running(self) -> float:
        """The running count at the end."""
        return float(sum(self.count.tags[card] for card in self.shown))


@dataclass
class DeckEstimate:
    """A discard tray as a picture: how many decks are in it?"""

    decks: int = 6
    seed: int = 0
    asked: int = 0
    right: int = 0

    @property
    def _cards(self) -> int:
        key = np.uint64(fork(stream(self.seed, "tray"), self.asked))
        return 13 + int(below(key, 52 * self.decks - 26))

    @property
    def share(self) -> float:
        """How full the tray is, of a whole shoe."""
        return self._cards / (52 * self.decks)

    def picture(self, height: int = 24) -> str:
        """The tray, each line the same number of cards; marks at whole decks only on the outside of a full one."""
        full = round(height * self.share)
        return "\n".join("|" + ("=" * 12 if line < full else " " * 12) + "|" for line in range(height - 1, -1, -1))

    def answer(self, text: str) -> tuple[bool, float]:
        """Whether the decks in the tray are right to a half deck, and how many there are."""
        try:
            given = float(text.replace(",", "."))
        except ValueError:
            raise UnreadableError(f"cannot read {text!r}: decks are a number, such as 2.5") from None
        decks = self._cards / 52
        good = abs(given - decks) <= 0.5
        self.asked += 1
        self.right += good
        return good, decks
