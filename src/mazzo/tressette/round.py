"""A round one can hold, with all four hands known: print, parse, play, take back. What one seat knows is a `View`.

>>> table = Round(seed=1)
>>> table.trick, table.names[table.turn], len(table.legal)
(1, 'south', 10)
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from mazzo.cards import ITALIAN, Card
from mazzo.deal import MOST_KEY, Choices, Deal, read_key, read_parts, whole_number
from mazzo.document import CardRow, Section
from mazzo.errors import IllegalError, UnreadableError, did_you_mean
from mazzo.registry import read_parameters
from mazzo.rng import fork, stream
from mazzo.tressette import declarations
from mazzo.tressette.deals.sample import sample_deals
from mazzo.tressette.kernels import ALL_CARDS, SIGNALS, SUIT
from mazzo.tressette.observation import PLACES, Observations, cards_text
from mazzo.tressette.rules import Rules
from mazzo.tressette.rules import rules as find_rules
from mazzo.tressette.table import Table, action_text

if TYPE_CHECKING:
    from mazzo.tressette.view import View

__all__ = ["SEATS", "WORDS", "Plays", "Round", "leader_of", "mask_of", "replay", "rules_of", "score_of", "set_score"]

SEATS = ("south", "east", "north", "west")
"""Names of the four seats in order of play (counter-clockwise); south and north are partners."""
WORDS = ("lead", "key", "score", "play", *(field.name for field in fields(Rules)))
"""What the parts of a round's text begin with, beside the names of seats."""
_FIRST = np.array([0])
_Round = TypeVar("_Round", bound="Round")
Hand = Iterable[int] | str


class Plays(Choices):
    """The legal cards, each also with the signals that may be given with it: `4d`, `4d:busso`."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards alone."""
        return ITALIAN.cards([action for action in self if action < len(ITALIAN)])


class Round(Deal):
    """A round with all four hands known.

    Args:
        rules: `Rules`, or a text that `rules` reads (`"tressette-talk"`); by default the usual ones.
        hands: The ten cards of south, east, north and west, as text or cards; else they are dealt by the seed.
        leader: The seat that leads the first trick.
        seed: Same seed and number, same cards and same random choices of agents; 0 unless given.
        number: Which deal of the seed.
        rng_key: What agents' random numbers come from, if not from seed and number.
        score: Points of south and north, and of east and west, in the match that this round belongs to; agents that
            know of the match play to win it.
    """

    names = SEATS
    what = "round"

    def __init__(
        self,
        rules: Rules | str | None = None,
        hands: Sequence[Hand] | None = None,
        *,
        leader: int = 0,
        seed: int | None = None,
        number: int = 0,
        rng_key: int | None = None,
        score: Sequence[int] | None = None,
    ) -> None:
        found = find_rules(rules)
        leader = whole_number(leader, "the leader", most=3)
        of, number = whole_number(seed or 0, "a seed", least=None), whole_number(number, "the number of a deal")
        if hands is None:
            row = Table.deal(of, range(number, number + 1), leader, found)
        else:
            if seed is not None and rng_key is not None:
                raise UnreadableError("the hands and the key are given: there is nothing left for a seed, leave it out")
            row = Table.begin(_dealt_to(hands), leader, found)
            row.keys[0] = fork(stream(of, "luck"), number)
        if rng_key is not None:
            row.keys[0] = whole_number(rng_key, "a random key", most=MOST_KEY)
        set_score(row, score)
        self._hold(row, number)

    def _hold(self, row: Table, number: int = 0) -> None:
        self.row, self.rules, self.number = row, row.rules, number
        self._start = row.copy()

    @classmethod
    def of_row(cls, table: Table, row: int) -> Round:
        """A copy of one of many rounds, as it stands; it cannot be taken back."""
        one = Round.__new__(Round)
        one._hold(table.row(row))
        return one

    @classmethod
    def parse(cls, text: str, rules: Rules | str | None = None) -> Round:
        """A round from its text: `south <ten cards>; east ...; north ...; west ...; lead east; play 4s 6s 8s As`.

        The text of what one seat knows (`me <ten cards>; ...`) gives a `View`.
        """
        parts = read_parts(text, (*SEATS, *PLACES, *WORDS))
        if "me" in parts:
            from mazzo.tressette.view import View

            return View.parse(text, rules)
        if told := [name for name in PLACES if name in parts]:
            raise UnreadableError(f"{told[0]} in {text!r} is a seat as one player sees it: here all hands are known")
        missing = [name for name in SEATS if name not in parts]
        if missing:
            raise UnreadableError(f"the hand of {missing[0]} is missing in {text!r}: write {missing[0]} and ten cards")
        hands = [parts[name] for name in SEATS]
        key = read_key(parts.get("key", "0"), text)
        leader = leader_of(parts, SEATS, text)
        return replay(
            cls(rules_of(parts, rules), hands, leader=leader, rng_key=key, score=score_of(parts, text)), parts
        )

    # ---- what it shows

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the round is over."""
        turn = int(self.row.turn[0])
        return None if turn < 0 else turn

    @property
    def leader(self) -> int:
        """The seat that led the first trick."""
        return int(self.row.leaders[0, 0])

    @property
    def taker(self) -> int | None:
        """The seat that took the last trick; None before one is taken."""
        tricks = int(self.row.count[0]) // 4
        return int(self.row.leaders[0, tricks]) if tricks else None

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far: a card, + 40 times the signal of a leader."""
        return self.observe(0).actions

    @property
    def plays(self) -> tuple[tuple[int, Card], ...]:
        """Every card played so far with its seat, in order."""
        cards, leaders = ITALIAN.cards(self.row.played[0, : self.row.count[0]]), self.row.leaders[0]
        return tuple(((int(leaders[k // 4]) + k) % 4, card) for k, card in enumerate(cards))

    @property
    def table(self) -> tuple[tuple[int, Card], ...]:
        """The cards of the unfinished trick with their seats."""
        count = int(self.row.count[0])
        return self.plays[count - count % 4 :]

    @property
    def trick(self) -> int:
        """The number of the trick being played, from 1; 10 when the round is over."""
        return min(int(self.row.count[0]) // 4 + 1, 10)

    @property
    def thirds(self) -> tuple[int, int]:
        """Thirds of points taken by seats 0 and 2, and by seats 1 and 3."""
        return int(self.row.thirds[0, 0]), int(self.row.thirds[0, 1])

    @property
    def points(self) -> tuple[int, int]:
        """Whole points of the cards taken so far, declarations apart."""
        return self.thirds[0] // 3, self.thirds[1] // 3

    @property
    def score(self) -> tuple[int, int] | None:
        """Points of the two sides in the match before this round; None where the round stands alone."""
        ours, theirs, target = (int(x) for x in self.row.match[0])
        return (ours, theirs) if target else None

    @property
    def told(self) -> bool:
        """Whether declarations have been made."""
        when = self.rules.declarations
        return when == "before" or (when == "after" and int(self.row.count[0]) >= 4)

    @property
    def payoffs(self) -> tuple[float, ...]:
        """By seat the whole points of its side less the other's, declarations apart; a perdere the other way round."""
        if not self.over:
            raise IllegalError(f"the round is not over: trick {self.trick} is being played in {self}")
        return tuple(float(points) for points in self.row.settle()[0])

    def declarations(self, seat: int) -> str:
        """What a seat declared, in words; empty if nothing, or nothing yet."""
        if not self.told:
            return ""
        return declarations.in_words(
            self.row.declared[0, seat], int(self.row.napoli[0, seat]) if self.rules.named else 0
        )

    def said(self, trick: int) -> str:
        """What the leader of a trick (from 1) signalled: busso, striscio, volo, or nothing."""
        return SIGNALS[max(int(self.row.signals[0, trick - 1]), 0)]

    def hand(self, seat: int | None = None) -> tuple[Card, ...]:
        """The cards a seat holds now; by default the seat to act."""
        seat = self._seat(seat)
        if seat not in self._known():
            raise IllegalError(f"the hand of {self.names[seat]} is not known in {self}")
        return ITALIAN.unmask(int(self.row.hands[0, seat]))

    def _seat(self, seat: int | None) -> int:
        chosen = self.turn if seat is None else seat
        if chosen is None:
            raise IllegalError(f"the round is over, nobody is to act: say which seat; {self}")
        return chosen

    def _known(self) -> Sequence[int]:
        """The seats whose hands are known."""
        return range(4)

    def observe(self, seat: int | None = None) -> Observations:
        """What a seat knows, as agents take it: a batch of one. By default the seat to act."""
        return self.row.observe(_FIRST, np.array([self._seat(seat)]))

    def seen(self, seat: int | None = None) -> Round:
        """What a seat knows, as a thing to hold; by default the seat to act, and when it is over everything."""
        if seat is None and self.over:
            whole = copy.deepcopy(self)
            whole.row.keys[:] = whole._start.keys[:] = 0  # who knew the key would know what agents draw later
            return whole
        return self.view(seat)

    def view(self, seat: int | None = None) -> View:
        """What a seat knows, as a thing to hold; by default the seat to act."""
        from mazzo.tressette.view import View

        view = View.of(self.observe(seat), self.rules)
        view.row.keys[:] = view._start.keys[:] = self.row.keys
        view.number = self.number
        return view

    def redealt(self, seat: int, seed: int = 0) -> Self:
        """A copy in which the other seats hold other cards, drawn evenly from what this seat knows to be possible."""
        o = self.observe(seat)
        held = sample_deals(o, 1, int(stream(seed, "redeal")))[0] | o.shown[0]
        dealt = np.array([np.roll(held, seat)])  # an observation tells seats from the one who looks
        other = copy.copy(self)
        table = Table.begin(dealt, self.leader, self.rules, self.row.seating, self.row.keys)
        table.match[:] = self.row.match
        other._hold(table, self.number)
        for action in self.history:
            other._carry_out(action)
        return other

    # ---- what may be played

    @property
    def legal(self) -> Plays:
        """The cards the seat to act may play, with the signals it may give; nothing when the round is over."""
        by_text: dict[str, int] = {}
        for card in () if self.over else ITALIAN.unmask(int(self.row.legal()[0])):
            actions = (int(card) + 40 * k for k, signal in enumerate(SIGNALS) if not self._why_not_said(card, signal))
            by_text |= {action_text(action): action for action in actions}
        return Plays(by_text)

    def read_action(self, text: str) -> int:
        """The number of a card with its signal: `4d`, `4d:busso`."""
        card, _, signal = text.partition(":")
        if signal not in SIGNALS:
            raise UnreadableError(f"{signal!r} is no signal; {did_you_mean(signal, SIGNALS[1:])}")
        return int(ITALIAN.card(card)) + 40 * SIGNALS.index(signal)

    def action_text(self, action: int) -> str:
        """A card with its signal: `4d`, `4d:busso`."""
        return action_text(action)

    def _why_not(self, action: int) -> str:
        if not 0 <= action < 40 * len(SIGNALS):
            return "cards are 0 to 39, + 40 times the signal"
        card = Card(action % 40, ITALIAN)
        for k, (other, played) in enumerate(self.plays):
            if played == card:
                return f"{card} was already played by {self.names[other]} in trick {k // 4 + 1}"
        return self._why_not_held(card) or self._why_not_said(card, SIGNALS[action // 40])

    def _why_not_held(self, card: Card) -> str:
        seat = self._seat(None)
        held, may = int(self.row.hands[0, seat]), int(self.row.legal()[0])
        if not held >> card & 1:
            return f"{self.names[seat]} does not hold {card}; the hand is {cards_text(held)}"
        if not may >> card & 1:
            led = ITALIAN.suit_names[self.table[0][1].suit]
            return f"{card} does not follow suit: {led} was led and {self.names[seat]} holds {cards_text(may)}"
        return ""

    def _why_not_said(self, card: Card, signal: str) -> str:
        if not signal:
            return ""
        if not self.rules.talk:
            return "there is no talking in this round: it is played muto"
        if signal not in self.rules.may_be_said:
            return f"{signal} may not be said by these rules, only {', '.join(self.rules.may_be_said)}"
        if self.table:
            return f"only who leads a trick may signal: {self.names[self.table[0][0]]} led"
        seat = self._seat(None)
        more = int(self.row.hands[0, seat]) & ~(1 << card) & SUIT << 10 * card.suit
        if seat not in self._known() or bool(more) == (signal != "volo"):
            return ""
        holds = f"holds {cards_text(more)}" if more else f"holds no more of {ITALIAN.suit_names[card.suit]}"
        return f"{signal} would not be true: {self.names[seat]} {holds}"

    def _carry_out(self, action: int) -> None:
        self.row.carry_out(_FIRST, np.array([action]))

    def _begin_again(self) -> None:
        self.row = self._start.copy()

    def _dealt(self) -> object:
        return self.leader, self.row.dealt.tolist(), self.score

    # ---- how it is written

    def text(self) -> str:
        """All of it in one line, as `parse` reads it, with the key that agents' random numbers come from."""
        hands = [f"{name} {cards_text(int(m))}" for name, m in zip(SEATS, self.row.dealt[0], strict=True)]
        key = int(self.row.keys[0])
        return "; ".join([*hands, *([f"key {key:x}"] if key else []), *self._tail()])

    def _tail(self) -> list[str]:
        """The rules that are not the usual ones, who led, and the cards played."""
        parts = [
            field.name if value is True else f"{field.name} {str(value).lower()}"
            for field in fields(self.rules)
            if (value := getattr(self.rules, field.name)) != field.default
        ]
        parts += [f"score {self.score[0]} {self.score[1]}"] if self.score is not None else []
        parts.append(f"lead {self.names[self.leader]}")
        played = [action_text(action) for action in self.history]
        tricks = ", ".join(" ".join(played[k : k + 4]) for k in range(0, len(played), 4))
        return [*parts, f"play {tricks}"] if tricks else parts

    def section(self) -> Section:
        """The cards that the seat to act may see, and how the round stands."""
        open_ = self._known() if self.over or len(self._known()) == 1 else [self._seat(None)]
        left = [10 - sum(seat == other for other, _ in self.plays) for seat in range(4)]
        rows = [
            CardRow(
                name,
                "italian",
                [str(card) for card in self.hand(seat)] if seat in open_ else [None] * left[seat],
                f"declared {self.declarations(seat)}" if self.declarations(seat) else "",
            )
            for seat, name in enumerate(self.names)
        ]
        if self.table:
            rows.append(CardRow("on the table", "italian", [str(card) for _, card in self.table]))
        ours, theirs = (third / 3 for third in self.thirds)
        title = "The round is over" if self.over else f"Trick {self.trick}, {self.names[self._seat(None)]} to play"
        taken = f"{self.names[0]} and {self.names[2]} have taken {ours:.1f} points, the others {theirs:.1f}."
        return Section(title, [taken], cards=rows)


def leader_of(parts: Mapping[str, str], names: Sequence[str], text: str) -> int:
    """The seat that leads by the parts of a text."""
    lead = parts.get("lead", "").lower()
    if lead not in names:
        raise UnreadableError(f"who leads the first trick in {text!r}? Write lead and one of {', '.join(names)}")
    return names.index(lead)


def score_of(parts: Mapping[str, str], text: str) -> tuple[int, int] | None:
    """The score of the match by the parts of a text (`score 12 8`); None where there is none."""
    if "score" not in parts:
        return None
    words = parts["score"].replace("-", " ").split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise UnreadableError(f"the score in {text!r} must be two numbers, the own side's first, such as score 12 8")
    return int(words[0]), int(words[1])


def set_score(row: Table, score: Sequence[int] | None) -> None:
    """Make a round part of a match."""
    if score is not None:
        ours, theirs = (whole_number(points, "the points of a side", most=999) for points in score)
        row.match[0] = ours, theirs, row.rules.target


def mask_of(hand: Hand) -> int:
    """The cards of a hand as a mask."""
    return ITALIAN.mask(ITALIAN.parse(hand) if isinstance(hand, str) else hand)


def _dealt_to(hands: Sequence[Hand]) -> Any:
    masks = [mask_of(hand) for hand in hands]
    if len(masks) != len(SEATS):
        raise IllegalError(f"tressette is dealt to four seats, not {len(masks)}")
    for name, mask in zip(SEATS, masks, strict=True):
        if mask.bit_count() != 10:
            raise IllegalError(f"{name} has {mask.bit_count()} cards; every seat is dealt ten")
    if (masks[0] | masks[1] | masks[2] | masks[3]) != ALL_CARDS:
        twice = [str(c) for c in ITALIAN if sum(mask >> c & 1 for mask in masks) > 1]
        raise IllegalError(f"dealt to more than one seat: {' '.join(twice)}")
    return np.array([masks])


def rules_of(parts: Mapping[str, str], given: Rules | str | None) -> Rules:
    """The rules given, with those that the parts of a text name: `talk` alone means that it is so."""
    named = {field.name: parts[field.name] or "true" for field in fields(Rules) if field.name in parts}
    return find_rules(given, **read_parameters(Rules, named, "a round's text"))


def replay(one: _Round, parts: Mapping[str, str]) -> _Round:
    """The round after the cards that the parts of its text say were played."""
    for word in parts.get("play", "").replace(",", " ").split():  # word by word: act says best what is wrong
        cards, colon, signal = word.partition(":")
        for card in ITALIAN.parse(cards):
            one.act(f"{card}{colon}{signal}")
    return one
