"""A round one can hold: print, parse, play, take back. A view of one row of the kernels' arrays.

`Round` knows all four hands. `View` is what one seat knows: its own ten cards, the declarations, the cards played.

>>> table = Round.deal(seed=1)
>>> table.trick, table.names[table.turn], len(table.legal)
(1, 'south', 10)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

import numpy as np

from mazzo.cards import ITALIAN, Card
from mazzo.errors import IllegalError, UnreadableError, did_you_mean
from mazzo.luck import fork, stream
from mazzo.tressette import declarations
from mazzo.tressette.observation import PLACES, Observations, observe
from mazzo.tressette.rules import ALL_CARDS, SIGNALS, Rounds, deal_hands

__all__ = ["SEATS", "Round", "View", "position_text", "read_position"]

SEATS = ("south", "east", "north", "west")
"""Names of the four seats in order of play (counter-clockwise); south and north are partners."""

_T = TypeVar("_T", bound="_Table")
_WORDS = ("lead", "play", "named", "talk")


class _Table:
    """What a round and one seat's view of it share: the cards played, whose turn it is, what may be played."""

    names: ClassVar[tuple[str, ...]] = SEATS

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self._start = rounds.copy()

    @property
    def turn(self) -> int:
        """The seat to act (after the last trick: who took it)."""
        return int(self.rounds.turn[0])

    @property
    def leader(self) -> int:
        """The seat that led the first trick."""
        return int(self.rounds.leaders[0, 0])

    @property
    def plays(self) -> tuple[tuple[int, Card], ...]:
        """Every card played so far with its seat, in order."""
        cards = ITALIAN.cards(self.rounds.played[0, : self.rounds.count[0]])
        return tuple((self._seat_of(k), card) for k, card in enumerate(cards))

    def _seat_of(self, k: int) -> int:
        return (int(self.rounds.leaders[0, k // 4]) + k % 4) % 4

    @property
    def table(self) -> tuple[tuple[int, Card], ...]:
        """The cards of the unfinished trick with their seats."""
        count = int(self.rounds.count[0])
        return self.plays[count - count % 4 :]

    @property
    def trick(self) -> int:
        """The number of the trick being played, from 1; 10 when the round is over."""
        return min(int(self.rounds.count[0]) // 4 + 1, 10)

    @property
    def finished(self) -> bool:
        """Whether all forty cards are played."""
        return int(self.rounds.count[0]) == 40

    @property
    def thirds(self) -> tuple[int, int]:
        """Thirds of points taken by seats 0 and 2, and by seats 1 and 3."""
        return int(self.rounds.thirds[0, 0]), int(self.rounds.thirds[0, 1])

    def declarations(self, seat: int) -> str:
        """What a seat declared, in words; empty if nothing."""
        return declarations.in_words(self.rounds.declared[0, seat], self._named_suits(seat))

    def _named_suits(self, seat: int) -> int:
        return int(self.rounds.napoli[0, seat]) if self.rounds.named else 0

    def said(self, trick: int) -> str:
        """What the leader of a trick (from 1) signalled: busso, striscio, volo, or nothing."""
        return SIGNALS[max(int(self.rounds.signals[0, trick - 1]), 0)]

    @property
    def talk(self) -> bool:
        """Whether leaders may signal."""
        return int(self.rounds.signals[0, 0]) >= 0

    def act(self: _T, card: Card | str, seat: int | None = None, signal: str = "") -> _T:
        """The seat to act plays a card, with a signal if it leads and talking is allowed (also `"4d:busso"`).

        `seat`, if given, must be the one to act. Returns the round itself.
        """
        if isinstance(card, str):
            text, _, said = card.partition(":")
            card, signal = ITALIAN.card(text), said or signal
        if signal not in SIGNALS:
            raise UnreadableError(f"{signal!r} is no signal; {did_you_mean(signal, SIGNALS[1:])}")
        reason = self.why_illegal(card, seat) or (self.why_not_said(card, signal) if signal else None)
        if reason:
            raise IllegalError(f"{reason} ({self._where()})")
        self.rounds.play(np.array([int(card) + 40 * SIGNALS.index(signal)]))
        return self

    def why_not_said(self, card: Card, signal: str) -> str | None:
        """Why the seat to act cannot lead this card with this signal; nothing if it can."""
        if not self.talk:
            return "there is no talking in this round: it is played muto"
        if self.table:
            return f"only who leads a trick may signal: {self.names[self.table[0][0]]} led"
        more = int(self.rounds.hands[0, self.turn]) & ~(1 << card) & 0x3FF << 10 * card.suit
        if not self._hand_known(self.turn) or bool(more) == (signal != "volo"):
            return None
        holds = f"holds {_hand_text(more)}" if more else f"holds no more of {ITALIAN.suit_names[card.suit]}"
        return f"{signal} would not be true: {self.names[self.turn]} {holds}"

    def _hand_known(self, seat: int) -> bool:
        return True

    def undo(self: _T, cards: int = 1) -> _T:
        """Take back the last card (or the last few). Returns the round itself."""
        kept = int(self.rounds.count[0]) - cards
        if cards < 0 or kept < 0:
            raise IllegalError(f"cannot take back {cards} cards: {int(self.rounds.count[0])} have been played")
        played, said = self.rounds.played[0].copy(), np.maximum(self.rounds.signals[0], 0)
        self.rounds = self._start.copy()
        for k, card in enumerate(played[:kept]):
            self.rounds.play(np.array([int(card) + (40 * int(said[k // 4]) if k % 4 == 0 else 0)]))
        return self

    def why_illegal(self, card: Card, seat: int | None = None) -> str | None:
        """Why the seat to act cannot play this card now; nothing if it can."""
        if self.finished:
            return "the round is over: all ten tricks are played"
        if seat is not None and seat != self.turn:
            return f"it is {self.names[self.turn]}'s turn, not {self.names[seat]}'s"
        for k, (other, played) in enumerate(self.plays):
            if played == card:
                return f"{card} was already played by {self.names[other]} in trick {k // 4 + 1}"
        return None

    def _why_not_from_hand(self, card: Card) -> str | None:
        hand = int(self.rounds.hands[0, self.turn])
        if not hand >> card & 1:
            return f"{self.names[self.turn]} does not hold {card}; the hand is {_hand_text(hand)}"
        legal = int(self.rounds.legal()[0])
        if not legal >> card & 1:
            led = self.table[0][1].suit
            return (
                f"{card} does not follow suit: {ITALIAN.suit_names[led]} was led and {self.names[self.turn]} "
                f"holds {_hand_text(legal)}"
            )
        return None

    def _where(self) -> str:
        if self.finished:
            return "the round is over"
        table = " ".join(f"{self.names[seat]} {card}" for seat, card in self.table) or "nothing"
        return f"trick {self.trick}, {self.names[self.turn]} to play, on the table: {table}"

    def _play_text(self) -> str:
        cards = [
            f"{card}:{said}" if k % 4 == 0 and (said := self.said(k // 4 + 1)) else str(card)
            for k, (_, card) in enumerate(self.plays)
        ]
        return ", ".join(" ".join(cards[k : k + 4]) for k in range(0, len(cards), 4))

    def _tail(self) -> str:
        parts = ["named"] * self.rounds.named + ["talk"] * self.talk
        parts.append(f"lead {self.names[self.leader]}")
        if self.rounds.count[0]:
            parts.append(f"play {self._play_text()}")
        return "; ".join(parts)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"


class Round(_Table):
    """A round with all four hands known."""

    def __init__(
        self, hands: Sequence[Iterable[int]], leader: int = 0, named: bool = False, talk: bool = False
    ) -> None:
        masks = [ITALIAN.mask(hand) for hand in hands]
        for name, mask in zip(SEATS, masks, strict=True):
            if mask.bit_count() != 10:
                raise IllegalError(f"{name} has {mask.bit_count()} cards; every seat is dealt ten")
        if (masks[0] | masks[1] | masks[2] | masks[3]) != ALL_CARDS:
            twice = [str(c) for c in ITALIAN if sum(mask >> c & 1 for mask in masks) > 1]
            raise IllegalError(f"dealt to more than one seat: {' '.join(twice)}")
        super().__init__(Rounds.start(np.array([masks], np.int64), leader, named, talk))

    @classmethod
    def deal(cls, seed: int, number: int = 0, leader: int = 0, named: bool = False, talk: bool = False) -> Round:
        """The `number`-th deal of a seed."""
        hands = np.empty((1, 4), np.int64)
        deal_hands(stream(seed, "deal"), number, hands)
        return cls([ITALIAN.unmask(int(mask)) for mask in hands[0]], leader, named, talk)

    @classmethod
    def of_row(cls, rounds: Rounds, row: int) -> Round:
        """A copy of one of many rounds."""
        one = cls.__new__(cls)
        _Table.__init__(one, rounds.row(row))
        return one

    @classmethod
    def parse(cls, text: str) -> Round:
        """A round from its text: `south <ten cards>; east ...; north ...; west ...; lead east; play 4s 6s 8s As`."""
        parts = _parts(text, SEATS)
        missing = [name for name in SEATS if name not in parts]
        if missing:
            raise UnreadableError(f"the hand of {missing[0]} is missing in {text!r}: write {missing[0]} and ten cards")
        hands = [ITALIAN.parse(parts[name]) for name in SEATS]
        return _replay(cls(hands, _seat(parts, SEATS, text), "named" in parts, "talk" in parts), parts)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards a seat holds now."""
        return ITALIAN.unmask(int(self.rounds.hands[0, seat]))

    @property
    def legal(self) -> tuple[Card, ...]:
        """The cards the seat to act may play; nothing when the round is over."""
        return () if self.finished else ITALIAN.unmask(int(self.rounds.legal()[0]))

    def why_illegal(self, card: Card, seat: int | None = None) -> str | None:
        """Why the seat to act cannot play this card now; nothing if it can."""
        return super().why_illegal(card, seat) or self._why_not_from_hand(card)

    @property
    def points(self) -> tuple[int, int]:
        """Whole points of the cards taken, declarations apart."""
        return self.thirds[0] // 3, self.thirds[1] // 3

    def observe(self, seat: int, luck: int = 0) -> Observations:
        """What a seat knows: a batch of one."""
        key = fork(np.uint64(luck), int(self.rounds.count[0]))
        return observe(self.rounds, np.array([0]), np.array([seat]), np.array([key], np.uint64))

    def view(self, seat: int) -> View:
        """What a seat knows, as a thing to hold."""
        told = {place: self.declarations((seat + place) % 4) for place in (1, 2, 3)}
        mine = ITALIAN.unmask(int(self.rounds.dealt[0, seat]))
        view = View(mine, (self.leader - seat) % 4, told, self.rounds.named, self.talk)
        for k, (_, card) in enumerate(self.plays):
            view.act(card, signal=self.said(k // 4 + 1) if k % 4 == 0 else "")
        return view

    def __str__(self) -> str:
        hands = [f"{name} {_hand_text(int(m))}" for name, m in zip(SEATS, self.rounds.dealt[0], strict=True)]
        return "; ".join([*hands, self._tail()])


class View(_Table):
    """What one seat knows of a round; seat 0 is the one who looks. The others' hands are not in it."""

    names = PLACES

    def __init__(
        self,
        hand: Iterable[int],
        leader: int = 0,
        declared: Mapping[int, str] | None = None,
        named: bool = False,
        talk: bool = False,
    ) -> None:
        mask = ITALIAN.mask(hand)
        if mask.bit_count() != 10:
            raise IllegalError(f"me has {mask.bit_count()} cards; every seat is dealt ten")
        rounds = Rounds.start(np.array([[mask, 0, 0, 0]], np.int64), leader, named, talk)
        for seat, text in (declared or {}).items():
            told, napoli = declarations.parse(text)
            if not named and napoli:
                raise IllegalError(f"{PLACES[seat]} names the suit of a napoli, but in this round they are not named")
            if named and napoli.bit_count() != told[0]:
                raise IllegalError(f"{PLACES[seat]} declares {text!r}: in this round every napoli names its own suit")
            if seat == 0 and (told != rounds.declared[0, 0]).any():
                must = declarations.in_words(rounds.declared[0, 0]) or "nothing"
                raise IllegalError(f"me declares {text!r}, but with this hand must declare {must}")
            rounds.declared[0, seat], rounds.napoli[0, seat] = told, napoli or rounds.napoli[0, seat]
        super().__init__(rounds)
        self._must_be_possible("these declarations")

    @classmethod
    def parse(cls, text: str) -> View:
        """A view from its text: `me <ten cards>; avv1 bongioco 2 without c; lead avv1; play 4s 6s 8s As, 4c`."""
        parts = _parts(text, PLACES)
        if "me" not in parts:
            raise UnreadableError(f"the hand is missing in {text!r}: write me and the ten cards dealt")
        told = {seat: parts[name] for seat, name in enumerate(PLACES) if seat and name in parts}
        hand, leader = ITALIAN.parse(parts["me"]), _seat(parts, PLACES, text)
        return _replay(cls(hand, leader, told, "named" in parts, "talk" in parts), parts)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The observer's cards now."""
        return ITALIAN.unmask(int(self.rounds.hands[0, 0]))

    @property
    def legal(self) -> tuple[Card, ...]:
        """The observer's cards that may be played now; nothing when another is to play."""
        return ITALIAN.unmask(int(self.observe().legal[0]))

    def observe(self, luck: int = 0) -> Observations:
        """The view as agents take it: a batch of one."""
        key = fork(np.uint64(luck), int(self.rounds.count[0]))
        return observe(self.rounds, np.array([0]), np.array([0]), np.array([key], np.uint64))

    def act(self, card: Card | str, seat: int | None = None, signal: str = "") -> View:
        """Someone plays a card, mine or not; refused where no deal of the cards agrees with it."""
        super().act(card, seat, signal)
        try:
            self._must_be_possible(f"{self.names[self.plays[-1][0]]} playing {self.plays[-1][1]}")
        except IllegalError:
            self.undo()
            raise
        return self

    def why_illegal(self, card: Card, seat: int | None = None) -> str | None:
        """Why the seat to act cannot play this card now, as far as the rules and this hand tell."""
        reason = super().why_illegal(card, seat)
        if reason:
            return reason
        if self.turn == 0:
            return self._why_not_from_hand(card)
        if card in self.hand:
            return f"{card} is in my own hand: {self.names[self.turn]} cannot play it"
        for k, (other, played) in enumerate(self.plays):
            led = self.plays[k - k % 4][1].suit
            if other == self.turn and played.suit != led == card.suit:
                return (
                    f"{self.names[other]} cannot hold {card}: it did not follow {ITALIAN.suit_names[led]} "
                    f"in trick {k // 4 + 1}"
                )
        return None

    def _hand_known(self, seat: int) -> bool:
        return seat == 0

    def _must_be_possible(self, what: str) -> None:
        from mazzo.tressette.deals import count_deals

        if not int(count_deals(self.observe())[0]):
            from mazzo.tressette.knowledge import why_impossible

            raise IllegalError(f"{what}: no deal of the cards agrees with it, because {why_impossible(self)}")

    def __str__(self) -> str:
        told = [f"{name} {words}" for seat, name in enumerate(PLACES) if seat and (words := self.declarations(seat))]
        return "; ".join([f"me {_hand_text(int(self.rounds.dealt[0, 0]))}", *told, self._tail()])


def read_position(text: str) -> Rounds:
    """Four open hands from their text: a round as `Round.parse` reads it, or an ending of fewer cards each."""
    parts = _parts(text, SEATS)
    hands = [ITALIAN.parse(parts.get(name, "")) for name in SEATS]
    sizes = [len(hand) for hand in hands]
    if set(sizes) == {10} or "play" in parts:
        return Round.parse(text).rounds
    if len(set(sizes)) != 1 or not sizes[0]:
        have = ", ".join(f"{name} {n}" for name, n in zip(SEATS, sizes, strict=True))
        raise IllegalError(f"at the start of a trick all four hold equally many cards, at least one; here: {have}")
    twice = sorted({card for hand in hands for card in hand if sum(card in other for other in hands) > 1})
    if twice:
        raise IllegalError(f"held by more than one seat: {' '.join(map(str, twice))}")
    return Rounds.start(np.array([[ITALIAN.mask(hand) for hand in hands]], np.int64), _seat(parts, SEATS, text))


def position_text(rounds: Rounds) -> str:
    """The hands now, who plays, and what lies on the table, in words."""
    hands = [f"{name} {_hand_text(int(mask))}" for name, mask in zip(SEATS, rounds.hands[0], strict=True)]
    count = int(rounds.count[0])
    table = ITALIAN.text(rounds.played[0, count - count % 4 : count])
    return "; ".join([*hands, f"on the table {table}" if table else f"lead {SEATS[int(rounds.turn[0])]}"])


def _hand_text(mask: int) -> str:
    return " ".join(str(card) for card in ITALIAN.unmask(mask))


def _parts(text: str, names: Sequence[str]) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        word, _, rest = part.partition(" ")
        word = word.lower().rstrip(":")
        if word not in (*names, *_WORDS):
            raise UnreadableError(
                f"cannot read {part!r}: parts are separated by ; and begin with a word; "
                f"{did_you_mean(word, [*names, *_WORDS])}"
            )
        if word in parts:
            raise UnreadableError(f"{word!r} stands twice in {text!r}")
        parts[word] = rest.strip()
    return parts


def _seat(parts: Mapping[str, str], names: Sequence[str], text: str) -> int:
    lead = parts.get("lead", "").lower()
    if lead not in names:
        raise UnreadableError(f"who leads the first trick in {text!r}? Write lead and one of {', '.join(names)}")
    return names.index(lead)


def _replay(table: _T, parts: Mapping[str, str]) -> _T:
    for word in parts.get("play", "").replace(",", " ").split():  # word by word: act says best what is wrong
        text, _, signal = word.partition(":")
        for card in ITALIAN.parse(text):
            table.act(card, signal=signal)
    return table
