"""The knowledge base: what a seat knows, what is possible, and why, by answer-set programming.

The rules of the game are in `rules.lp`; this module hands it an observation and reads the consequences: cautious ones
(true in every deal that agrees with what was seen) are known, brave ones (true in some) are possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np

from mazzo.cards import ITALIAN, Card
from mazzo.document import Section, Shown
from mazzo.errors import IllegalError
from mazzo.tressette.kernels import CORONA
from mazzo.tressette.observation import PLACES, Observations
from mazzo.tressette.reasoning.hand import MyHand, my_hand
from mazzo.tressette.view import ImpossibleError, View

__all__ = ["Deduction", "Deductions", "Knowledge", "knowledge", "reasons", "why_impossible"]

_HIDDEN = (1, 2, 3)
_PIECES = (7, 8, 9)


@dataclass(frozen=True)
class Deduction:
    """Something known of the hidden cards, in words and with its reason."""

    kind: str
    """`holds`, `cannot hold` or `napoli`."""
    place: str
    cards: tuple[Card, ...]
    reason: str
    suit: str = ""
    excluded_by: tuple[Card, ...] = ()
    """Of a napoli whose suit was found by exclusion: the pieces of the other suits that the player was not dealt."""

    def __str__(self) -> str:
        what = f"napoli of {self.suit}" if self.kind == "napoli" else " ".join(str(card) for card in self.cards)
        verb = "has a" if self.kind == "napoli" else self.kind
        return f"{self.place} {verb} {what}: {self.reason}"


class Deductions(tuple[Deduction, ...], Shown):
    """All that is known of the hidden cards, each with its reason."""

    def section(self) -> Section:
        """One sentence for each."""
        nothing = "nothing is known of the hidden cards beyond what is open"
        return Section("", [str(deduction) for deduction in self] or [nothing])


class Knowledge(Shown):
    """What the seat of a `View` knows. `napoli` and `silence` say whether those declarations' rules are used."""

    def __init__(self, view: View, napoli: bool = True, silence: bool = True) -> None:
        from clingo import Control

        self.view = view
        self._program = Control(["--warn=none"])
        self._program.add("base", [], files(__package__).joinpath("rules.lp").read_text())
        self._program.add("base", [], "\n".join(f"{fact}." for fact in _facts(view, napoli, silence)))
        self._program.ground([("base", [])])
        atoms = self._program.symbolic_atoms
        self._reasons = {atom.literal: atom.symbol for atom in atoms.by_signature("stands", 1)}

    @cached_property
    def known(self) -> frozenset[tuple[int, Card]]:
        """(seat, card) pairs true in every deal: who surely holds what. My own cards are among them."""
        return self._pairs("holds", self._certain)

    @cached_property
    def possible(self) -> frozenset[tuple[int, Card]]:
        """(seat, card) pairs true in some deal."""
        return self._pairs("holds", self._consequences("brave"))

    @cached_property
    def masters(self) -> frozenset[tuple[int, Card]]:
        """(seat, card) pairs of surely held cards that nothing still in play beats."""
        return self._pairs("master", self._certain)

    @cached_property
    def my_hand(self) -> MyHand:
        """The ten cards I was dealt: their kinds, points and pieces, what I declare, whether I may throw them in."""
        dealt = [*self.view.hand(), *(card for seat, card in self.view.plays if seat == 0)]
        return my_hand(self._certain, dealt, _card)

    @cached_property
    def napoli(self) -> frozenset[tuple[int, int]]:
        """(seat, suit) of every napoli that a hidden player surely was dealt."""
        pairs = (symbol.arguments for symbol in self._certain if symbol.name == "napoli")
        return frozenset((PLACES.index(a.name), ITALIAN.suits.index(b.name)) for a, b in pairs)

    @cached_property
    def voids(self) -> frozenset[tuple[int, int]]:
        """(seat, suit) of everyone who was seen not to follow."""
        found = (symbol.arguments for symbol in self._certain if symbol.name == "void")
        return frozenset((PLACES.index(a.name), ITALIAN.suits.index(b.name)) for a, b, _ in found)

    @property
    def holds_trick(self) -> int | None:
        """Who holds the trick on the table, if anything lies there."""
        for symbol in self._certain:
            if symbol.name == "holds_trick" and symbol.arguments[0].number == self.view.trick and self.view.table:
                return PLACES.index(symbol.arguments[1].name)
        return None

    def status(self, place: int, card: Card) -> str:
        """`known`, `possible` or `impossible`: whether a seat holds a card now."""
        if (place, card) in self.known:
            return "known"
        return "possible" if (place, card) in self.possible else "impossible"

    def why(self, place: int, card: Card) -> str:
        """Why a seat surely holds a card, or surely does not."""
        status = self.status(place, card)
        if status == "possible":
            raise IllegalError(f"whether {PLACES[place]} holds {card} is not known: there is nothing to explain")
        if card in self.view.hand():
            return "it is in my hand"
        for k, (seat, played) in enumerate(self.view.plays):
            if played == card:
                return f"it was played by {PLACES[seat]} in trick {k // 4 + 1}"
        if place == 0:
            return "it is not in my hand"
        atom = self._atom("holds", place, _card_term(card))
        return self._because(self._core((atom, status == "impossible")))

    def __repr__(self) -> str:
        return f"<Knowledge: {self.view}>"  # without looking for what follows from it

    def section(self) -> Section:
        """What is known, in words."""
        return replace(self.deductions().section(), title=f"What is known in {self.view}")

    def deductions(self) -> Deductions:
        """All that is known of the hidden cards, each with its reason; cards with one reason stand together."""
        grouped: dict[tuple[str, int, str], list[Card]] = {}
        mine = set(self.view.hand())
        unseen = [card for card in ITALIAN if card not in mine and all(card != c for _, c in self.view.plays)]
        for place in _HIDDEN:
            for card in unseen:
                status = self.status(place, card)
                if status != "possible":
                    kind = "holds" if status == "known" else "cannot hold"
                    grouped.setdefault((kind, place, self.why(place, card)), []).append(card)
        found = [
            Deduction(kind, PLACES[place], tuple(cards), reason) for (kind, place, reason), cards in grouped.items()
        ]
        for place, suit in sorted(self.napoli):
            atom = self._atom("napoli", place, ITALIAN.suits[suit])
            others = self._exclusions(place, suit)
            words = [self._because(self._core((atom, False))), *(why for _, why in others)]
            cards = tuple(card for card, _ in others)
            found.append(Deduction("napoli", PLACES[place], (), "; ".join(words), ITALIAN.suit_names[suit], cards))
        return Deductions(sorted(found, key=lambda d: ("napoli", "holds", "cannot hold").index(d.kind)))

    def _exclusions(self, place: int, suit: int) -> list[tuple[Card, str]]:
        """Where a napoli's suit was not said: of each other suit a piece that the player was not dealt, and why."""
        played = {card for seat, card in self.view.plays if seat == place}
        pieces = [[Card(ITALIAN.index(power, s), ITALIAN) for power in _PIECES] for s in range(4)]
        if int(self.view.row.napoli[0, place]) >> suit & 1 or played.issuperset(pieces[suit]):
            return []
        found = []
        for other in range(4):
            if other != suit and (place, other) not in self.napoli:
                told = [(card, why) for card in pieces[other] if (why := self._why_not_dealt(place, card))]
                found += [min(told, key=lambda pair: len(pair[1]))] if told else []
        return [(card, f"not {ITALIAN.suit_names[card.suit]}: {why}") for card, why in found]

    def _why_not_dealt(self, place: int, card: Card) -> str:
        """Why a player was surely not dealt a card, without a word of what it declared; or nothing."""
        if card in self.view.hand():
            return f"{card} is in my hand"
        for k, (seat, played) in enumerate(self.view.plays):
            if played == card:
                return f"{card} was played by {PLACES[seat]} in trick {k // 4 + 1}" if seat != place else ""
        claim = self._atom("holds", place, _card_term(card)), True
        own = [r for r in self._reasons.values() if str(r.arguments[0]) != f"declared({PLACES[place]})"]
        if self.status(place, card) != "impossible" or self._contradiction(own, [claim]) is None:
            return ""
        return f"{PLACES[place]} cannot hold {card} ({self._because(self._core(claim, reasons=own))})"

    @cached_property
    def _certain(self) -> Sequence[Any]:
        return self._consequences("cautious")

    def _atom(self, name: str, place: int, term: str) -> Any:
        from clingo import parse_term

        return parse_term(f"{name}({PLACES[place]},{term})")

    def _pairs(self, name: str, symbols: Iterable[Any]) -> frozenset[tuple[int, Card]]:
        found = (symbol.arguments for symbol in symbols if symbol.name == name)
        return frozenset((PLACES.index(p.name), _card(c)) for p, c in found)

    def _consequences(self, mode: str) -> Sequence[Any]:
        self._program.configuration.solve.models = 0
        self._program.configuration.solve.enum_mode = mode
        last: Sequence[Any] | None = None
        with self._program.solve(yield_=True, assumptions=[(s, True) for s in self._reasons.values()]) as handle:
            for model in handle:
                last = model.symbols(shown=True)
        if last is None:
            raise IllegalError(f"no deal of the cards agrees with what was seen, because {why_impossible(self.view)}")
        return last

    def _core(self, *claims: tuple[Any, bool], reasons: Sequence[Any] | None = None) -> list[Any]:
        """The fewest reasons (none can be left out) under which the claims contradict what was seen."""
        self._program.configuration.solve.models = 1
        self._program.configuration.solve.enum_mode = "auto"
        needed = self._contradiction(list(self._reasons.values()) if reasons is None else reasons, claims)
        assert needed is not None, "asked for the reasons of something that does not follow"
        for reason in list(needed):
            fewer = self._contradiction([r for r in needed if r != reason], claims)
            needed = needed if fewer is None else fewer
        return needed

    def _contradiction(self, reasons: Sequence[Any], claims: Sequence[tuple[Any, bool]]) -> list[Any] | None:
        assumed = [*((reason, True) for reason in reasons), *claims]
        with self._program.solve(yield_=True, assumptions=assumed) as handle:
            if handle.get().satisfiable:
                return None
            core = handle.core()
        return [self._reasons[literal] for literal in core if self._reasons.get(literal) in reasons]

    def _because(self, core: Sequence[Any]) -> str:
        words = sorted(self._words(reason.arguments[0]) for reason in core)
        return "; ".join(words) if words else "every other card of theirs is seen"

    def _words(self, reason: Any) -> str:
        place = PLACES.index(reason.arguments[0].name)
        name = PLACES[place]
        if reason.name == "void":
            suit = ITALIAN.suits.index(reason.arguments[1].name)
            return f"{name} did not follow {ITALIAN.suit_names[suit]} in trick {self._void_trick(place, suit)}"
        if reason.name == "declared":
            return f"{name} declared {self.view.declarations(place)}"
        if reason.name == "silent":
            return f"{name} declared {(self.view.declarations(place) and 'no more') or 'nothing'}"
        if reason.name in ("flew", "said"):
            return self._signal_words(place, ITALIAN.suits.index(reason.arguments[1].name), reason.name == "flew")
        left = int(10 - sum(seat == place for seat, _ in self.view.plays))
        return f"{name} has {left} card{'' if left == 1 else 's'} left"

    def _signal_words(self, place: int, suit: int, flew: bool) -> str:
        for trick in range(self.view.trick, 0, -1):
            if 4 * (trick - 1) < len(self.view.plays):
                seat, card = self.view.plays[4 * (trick - 1)]
                said = self.view.said(trick)
                if seat == place and card.suit == suit and said and (said == "volo") == flew:
                    return f"{PLACES[place]} said {said} at {ITALIAN.suit_names[suit]} in trick {trick}"
        raise AssertionError("a signal without a trick")

    def _void_trick(self, place: int, suit: int) -> int:
        plays = self.view.plays
        for k, (seat, card) in enumerate(plays):
            if seat == place and plays[k - k % 4][1].suit == suit != card.suit:
                return k // 4 + 1
        raise AssertionError("a void without a trick")


def knowledge(given: Observations | View | str, napoli: bool = True, silence: bool = True) -> Knowledge:
    """What a seat knows of the hidden cards, with reasons.

    Args:
        given: What it sees: an observation (a batch of one), a view, or a view's text.
        napoli: Whether conclusions are drawn from declared napoli.
        silence: Whether conclusions are drawn from what was not declared.
    """
    with reasons():
        if isinstance(given, str):
            given = View.parse(given)
        return Knowledge(given if isinstance(given, View) else View.of(given), napoli, silence)


@contextmanager
def reasons() -> Iterator[None]:
    """Where something impossible is refused inside, say also which of the things seen contradict each other."""
    try:
        yield
    except ImpossibleError as error:
        raise IllegalError(f"{error}, because {why_impossible(error.view)}") from None


def why_impossible(view: View) -> str:
    """Which of the things seen cannot all be true together."""
    base = Knowledge(view)
    return base._because(base._core())


def _facts(view: View, napoli: bool, silence: bool) -> list[str]:
    facts = [f"mine({_card_term(card)})" for card in view.hand()]
    facts.append(f"now({view.trick})")
    facts += ["use(a_monte)"] if view.rules.a_monte else []
    for k, (seat, card) in enumerate(view.plays):
        facts.append(f"out({PLACES[seat]},{_card_term(card)},{k // 4 + 1})")
        if k % 4 == 0:
            facts.append(f"led({k // 4 + 1},{ITALIAN.suits[card.suit]})")
            if seat and view.said(k // 4 + 1) == "volo":
                facts.append(f"flew({PLACES[seat]},{ITALIAN.suits[card.suit]})")
    said = view.observe().declared[0]
    napoli, silence = napoli and said[1, 0] >= 0, silence and said[1, 0] >= 0
    for place in _HIDDEN:
        name, told = PLACES[place], np.maximum(said[place], 0)
        facts.append(f"needs({name},{10 - sum(seat == place for seat, _ in view.plays)})")
        facts.append(f"told_napoli({name},{told[0]})")
        owed = int(view.row.owed[0, place])
        facts += [f"owes({name},{ITALIAN.suits[s]})" for s in range(4) if owed >> s & 1]
        named = int(view.row.napoli[0, place])
        facts += [f"told_suit({name},{ITALIAN.suits[s]})" for s in range(4) if named >> s & 1]
        for power, what in zip((7, 8, 9), told[1:], strict=True):
            if what == CORONA:
                facts.append(f"told_corona({name},{power})")
            elif what:
                facts.append(f"told_bongioco({name},{power},{ITALIAN.suits[what - 1]})")
    if napoli or silence:
        facts.append("use(napoli)")
    if silence:
        facts.append("use(silence)")
    return facts


def _card_term(card: Card) -> str:
    return f"card({ITALIAN.suits[card.suit]},{card.rank})"


def _card(symbol: Any) -> Card:
    suit, power = symbol.arguments
    return Card(ITALIAN.index(power.number, ITALIAN.suits.index(suit.name)), ITALIAN)
