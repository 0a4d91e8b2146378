"""One round one can hold: deal, see, act, take back, print and read again. Many at once are a `Table`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from mazzo.blackjack.columns import (
    ACTIONS,
    AT,
    BOX,
    DOUBLED,
    DRAWN,
    EVEN,
    EVEN_MONEY,
    FROM_SPLIT,
    HANDS,
    HOLE,
    INSURE,
    INSURED,
    LEAVE,
    MOST_BOXES,
    OVER,
    PHASE,
    PLAYING,
    SIDE_BETS,
    SPLIT,
    SURRENDER,
    SURRENDERED,
    TURN,
)
from mazzo.blackjack.faces import usual_faces
from mazzo.blackjack.hands import side_bet_worth
from mazzo.blackjack.notation import read_deal, read_round, round_parts
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.player_hand import Drawn, PlayerHand
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, shoe_of
from mazzo.blackjack.table import Table, agents_key, enough_cards, round_keys
from mazzo.deal import MOST_KEY, Choices, Deal, whole_number
from mazzo.document import CardRow, Section
from mazzo.errors import IllegalError, MazzoError, UnreadableError, did_you_mean
from mazzo.rng import below, fork, stream

__all__ = ["Round"]

_ROW = np.zeros(1, np.int64)


class Round(Deal):
    """A round of blackjack; its seats are the boxes. A view of one row of a `Table`.

    Side bets are actions: where one is offered, `"insure"`, `"even money"` or `"leave"` answers, and a play leaves it.
    The dealer's hole card is not printed before it is shown, nor compared: `text()` has it.

    >>> r = Round("strip", "8,8 v 10", seed=1)
    >>> print(r.legal)
    stand, hit, double, split
    >>> len(r.act("split").hands)
    2
    >>> r.undo() == Round("strip", "8,8 v 10", seed=2)
    True

    Args:
        rules: Rules, or what `mazzo.blackjack.rules` reads.
        cards: Known cards, `"8,8 v 10"`; boxes are separated by `/`, the dealer's second card is his hole card.
        seed: The same seed deals the same cards; 0 unless given.
        number: Which round of the seed.
        shoe: What is dealt from (a `Shoe` or its text); a fresh shoe unless given.
        boxes: How many hands are dealt against the dealer; 1, or as many as `cards` names.
        key: The round's chance itself, instead of `seed` and `number`.
        names: The players by box.
    """

    what: ClassVar[str] = "round"

    def __init__(
        self,
        rules: Rules | str = "strip",
        cards: str | None = None,
        *,
        seed: int | None = None,
        number: int | None = None,
        shoe: Shoe | str | None = None,
        boxes: int | None = None,
        key: int | np.uint64 | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.rules = read_rules(rules)
        if key is not None and (seed is not None or number is not None):
            raise UnreadableError("a key is all of a round's chance: give key, or seed and number, not both")
        if boxes is not None:
            boxes = whole_number(boxes, "the number of boxes", least=1, most=MOST_BOXES)
        given: tuple[int, ...] = ()
        if cards is not None:
            given, named = read_deal(cards, self.rules)
            if boxes not in (None, named):
                raise UnreadableError(f"{cards!r} deals {named} boxes, but boxes = {boxes}")
            boxes = named
        self.number = whole_number(number or 0, "the number of a round")
        of = whole_number(seed or 0, "a seed", least=None)
        known = None if key is None else whole_number(key, "a key", most=MOST_KEY)
        chance = round_keys(of, [self.number])[0] if known is None else np.uint64(known)
        before = Shoe.parse(shoe) if isinstance(shoe, str) else shoe
        self._set_up(before, np.uint64(chance), boxes or 1, given, names)

    def _set_up(
        self,
        shoe: Shoe | None,
        key: np.uint64,
        boxes: int,
        given: Sequence[int],
        names: Sequence[str] | None = None,
        rng_key: int | None = None,
    ) -> None:
        self.key, self.boxes = key, boxes
        self.names = tuple(names) if names else tuple(f"box {box + 1}" for box in range(boxes))
        if len(self.names) != boxes:
            raise UnreadableError(f"{len(self.names)} names were given for {boxes} boxes")
        self._table = Table(self.rules, key, shoe, boxes, given, rng_key=rng_key)
        self._history: list[int] = []
        self._all_known = True

    @classmethod
    def of_cards(
        cls, rules: Rules, cards: Sequence[int], shoe: Shoe | None = None, boxes: int = 1, rng_key: int | None = None
    ) -> Self:
        """A round that draws these ranks, in their order, and further ones by chance; agents have `rng_key`."""
        whole = shoe or shoe_of(rules)
        return cls._replayed(rules, whole, np.uint64(0), boxes, cards, (), False, every=False, rng_key=rng_key)

    @staticmethod
    def enough(rules: Rules, shoe: Shoe, boxes: int = 1) -> bool:
        """Whether a round can be played with this shoe."""
        return enough_cards(rules, shoe, boxes)

    # ---- what lies on the table

    @property
    def before(self) -> Shoe:
        """The shoe before the deal."""
        return self._table.before

    @property
    def shoe_after(self) -> Shoe:
        """The cards left in the shoe."""
        return Shoe(tuple(self._table.state.left[0].tolist()))

    def _cell(self, column: int) -> int:
        return int(self._table.state.cell[0, column])

    def drawn(self) -> tuple[Drawn, ...]:
        """Every card drawn so far in its order, the hole card among them."""
        ranks = self._table.state.dealt[0, : self._cell(DRAWN)].tolist()
        return tuple(Drawn(rank, number) for number, rank in enumerate(ranks))

    def _cards_of(self, owner: int) -> tuple[Drawn, ...]:
        return tuple(card for card in self.drawn() if self._table.state.owner[0, card.number] == owner)

    @property
    def hole_hidden(self) -> bool:
        """Whether the dealer has a card that nobody has seen."""
        return not self.over and self._cell(HOLE) >= 0

    @property
    def dealer(self) -> tuple[Drawn, ...]:
        """The dealer's cards as far as they are shown."""
        cards = self._cards_of(-1)
        return cards[:1] if self.hole_hidden else cards

    @property
    def upcard(self) -> int:
        """The dealer's open card."""
        return self.dealer[0]

    @property
    def hands(self) -> list[PlayerHand]:
        """The players' hands, each box's beside each other."""
        state, found = self._table.state, []
        for k in range(self._cell(HANDS)):
            hand = int(state.hands[0, k])
            box = (hand >> BOX) & 15
            flags = ((hand & bit) != 0 for bit in (FROM_SPLIT, DOUBLED, SURRENDERED, OVER))
            bets = ((self._cell(column) >> box) & 1 == 1 for column in (INSURED, EVEN))
            found.append(PlayerHand(self._cards_of(k), box, *flags, *bets))
        return found

    @property
    def at(self) -> int | None:
        """Which of `hands` is to be played; None while side bets are offered, and at the end."""
        return self._cell(AT) if self._cell(PHASE) == PLAYING else None

    @property
    def to_play(self) -> PlayerHand | None:
        """The hand that is to be played; None while side bets are offered, and at the end."""
        return None if self.at is None else self.hands[self.at]

    @property
    def asked(self) -> int | None:
        """The box that is offered a side bet now."""
        return self.turn if self._cell(PHASE) == SIDE_BETS else None

    def side_bets(self) -> dict[int, float]:
        """What each side bet offered now gains on average, in units of the bet; even money before insurance."""
        left = self.before.without((*(card for hand in self.hands for card in hand.cards), self.upcard))
        favourable = left.counts[TEN if self.upcard == ACE else ACE]
        worth = side_bet_worth(self.rules.blackjack_pays, favourable, left.cards)
        offers = zip((EVEN_MONEY, INSURE), worth, strict=True)
        return {bet: gain / left.cards for bet, gain in offers if bet in self.legal}

    def side_bet(self) -> tuple[int, float]:
        """The side bet that the box is asked about first, and what it gains on average."""
        if self.asked is None:
            raise IllegalError(f"no side bet is offered: {self}")
        return next(iter(self.side_bets().items()))

    # ---- what every deal offers

    @property
    def turn(self) -> int | None:
        """The box to act; None when it is over."""
        return self._cell(TURN) if self._cell(TURN) >= 0 else None

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far."""
        return tuple(self._history)

    @property
    def legal(self) -> Choices:
        """The plays of the hand to play, and the answers to a side bet where one is offered."""
        return Choices({ACTIONS[k]: int(k) for k in np.flatnonzero(self._table.legal(_ROW)[0])})

    @property
    def payoffs(self) -> tuple[float, ...]:
        """What each box won, in bets."""
        if not self.over:
            raise IllegalError(f"the round is not over: {self.hands[self._cell(AT)]} is still to be played")
        return tuple(self._table.settle()[0].tolist())

    def observe(self, seat: int | None = None) -> Observations:
        """What the box to act sees."""
        if self.turn is None:
            raise IllegalError(f"the round is over, there is nothing to decide: {self}")
        if seat not in (None, self.turn):
            raise IllegalError(f"{self.names[self.turn]} is to act: there is nothing for box {seat} to decide")
        return self._table.observe(_ROW)

    def seen(self, seat: int | None = None) -> Self:
        """The same round without the hole card and the cards to come: all else is open to everybody."""
        return self.parse(str(self))

    def redealt(self, seat: int, seed: int = 0) -> Self:
        """A copy with another hole card, as far as it is hidden, and other cards to come: no box knows of them."""
        if not 0 <= seat < self.boxes:
            raise IllegalError(f"there is no box {seat}: the {self.boxes} boxes count from 0")
        drawn, hole = list(map(int, self.drawn())), self._cell(HOLE)
        plays = [ACTIONS[action] for action in self._history]
        if self.hole_hidden:
            dealt, after = drawn[:hole], drawn[hole + 1 :]
            other = self._with_hidden_hole(self.rules, self.before, self.boxes, dealt, after, plays, seed)
        else:
            key = stream(seed, "unseen")
            other = self._replayed(self.rules, self.before, key, self.boxes, drawn, plays, False)
        other._table.rng_key[:] = self._table.rng_key
        other._all_known, other.names, other.number = self._all_known, self.names, self.number
        return other

    def read_action(self, text: str) -> int:
        """`stand`, `hit`, `double`, `split`, `surrender`, `insure`, `even money` or `leave`."""
        name = re.sub(r"[-_\s]+", " ", text.strip().lower())
        if name not in ACTIONS:
            raise UnreadableError(f"there is no play {text[:40]!r}; {did_you_mean(name[:40], ACTIONS)}")
        return ACTIONS.index(name)

    def action_text(self, action: int) -> str:
        """The action in words."""
        return ACTIONS[action] if 0 <= action < len(ACTIONS) else f"action {action}"

    def _why_not(self, action: int) -> str:
        if action in self.legal:
            return ""
        shown = RANKS[self.upcard]
        if action == INSURE:
            return f"insurance is offered against an ace before play; the dealer shows {shown}"
        if action == EVEN_MONEY:
            return f"even money is offered for a blackjack against an ace, before play; the dealer shows {shown}"
        if action == LEAVE:
            return "no side bet is offered"
        if self.asked is not None:
            return "first say whether the side bet is taken"
        hand = self.to_play
        reasons = {SPLIT: "only a pair may be split, up to max_hands", SURRENDER: "surrender is not allowed here"}
        return f"{reasons.get(action, 'the rules do not allow it')} with {hand} against {shown}"

    def _carry_out(self, action: int) -> None:
        self._table.apply(_ROW, [action])
        self._history.append(action)

    def _begin_again(self) -> None:
        self._table.begin(_ROW)
        self._history.clear()

    def _dealt(self) -> object:
        hidden = self._cell(HOLE) if self.hole_hidden else None
        return self.before, self.boxes, tuple(None if c.number == hidden else int(c) for c in self.drawn())

    # ---- text

    def text(self) -> str:
        """All of it in one line: the hole card, the key that gives the cards to come, agents' own if it is another."""
        return self._write(self._all_known)

    def __str__(self) -> str:
        return self._write(False)

    def _write(self, everything: bool) -> str:
        hidden = self.hole_hidden and not everything
        parts = round_parts(self.rules, self.before, self.boxes, self.drawn(), self._history, hidden)
        if everything:
            rng_key = self._table.rng_key
            parts.append(f"key {int(self.key)}")
            parts += [f"rng_key {int(rng_key[0])}"] if rng_key != agents_key(self.key) else []
        return "; ".join(parts)

    @classmethod
    def parse(cls, text: str, rules: Rules | str | None = None) -> Self:
        """A round from its text; `rules` where the text names none.

        After the deal cards stand in the order in which they were drawn. A hole card that is not shown (`?`) stays
        hidden: for playing on it is drawn anew, from what the text leaves possible.
        """
        of, shoe, boxes, dealt, drawn, plays, key, rng_key = said = read_round(text, rules)
        if said.hole_hidden:
            return cls._with_hidden_hole(of, shoe, boxes, dealt, drawn, plays)
        cards = (*dealt, *drawn)
        return cls._replayed(of, shoe, np.uint64(key or 0), boxes, cards, plays, key is None, rng_key=rng_key)

    @classmethod
    def _replayed(
        cls,
        rules: Rules,
        shoe: Shoe,
        key: np.uint64,
        boxes: int,
        given: Sequence[int],
        plays: Sequence[str],
        hide: bool,
        every: bool = True,
        rng_key: int | None = None,
    ) -> Self:
        made = cls.__new__(cls)
        made.rules, made.number = rules, 0
        made._set_up(shoe, key, boxes, given, rng_key=rng_key)
        for play in plays:
            made.act(play)
        if every and len(given) > made._cell(DRAWN):
            raise UnreadableError(f"{len(given)} cards are given, but these plays draw only {made._cell(DRAWN)}")
        made._all_known = not hide
        return made

    @classmethod
    def _with_hidden_hole(
        cls,
        rules: Rules,
        shoe: Shoe,
        boxes: int,
        dealt: Sequence[int],
        drawn: Sequence[int],
        plays: Sequence[str],
        seed: int = 0,
    ) -> Self:
        """Try the ranks the hole card may have, in a random order, until the text can have come about."""
        key, reason = stream(seed, "unseen"), "no card is left for it"
        left = list(shoe.without((*dealt, *drawn)).counts)
        for trial in range(10):
            if not sum(left):
                break
            rank = _any_card(left, seed, trial)
            left[rank] = 0
            try:
                found = cls._replayed(rules, shoe, key, boxes, (*dealt, rank, *drawn), plays, True)
            except MazzoError as error:
                reason = str(error)
                continue
            if not found.over:
                return found
            reason = "the round would be over, and the hole card shown"
        raise UnreadableError(f"no hole card fits these cards and plays: {reason}")

    # ---- shown

    def _faces(self) -> Sequence[str]:
        return usual_faces(self.drawn(), self._cell(HOLE), self.rules.decks)

    def section(self) -> Section:
        """The cards as they lie on the table."""
        faces = self._faces()
        dealer: list[str | None] = [faces[card.number] for card in self.dealer]
        rows = [CardRow("dealer", "french", dealer + [None] * self.hole_hidden)]
        won = dict(enumerate(self.payoffs)) if self.over else {}
        for k, hand in enumerate(self.hands):
            note = "to play" if k == self.at else f"{won[hand.box]:+g}" if won else ""
            cards = [faces[card.number] for card in hand.cards if isinstance(card, Drawn)]
            rows.append(CardRow(self.names[hand.box], "french", cards, note))
        words = [f"{self.names[self.turn]} may: {self.legal}"] if self.turn is not None else []
        return Section("A round of blackjack", words, cards=rows)


def _any_card(left: Sequence[int], seed: int, trial: int) -> int:
    place = int(below(np.uint64(fork(stream(seed, "hole"), trial)), sum(left)))
    return next(rank for rank in range(10) if sum(left[: rank + 1]) > place)
