"""What one seat knows of a round: its own ten cards, the declarations, the cards played."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from mazzo.agent import Agent
from mazzo.cards import ITALIAN, Card
from mazzo.deal import read_parts, whole_number
from mazzo.errors import IllegalError, UnreadableError
from mazzo.tressette import declarations
from mazzo.tressette.deals.sample import count_deals
from mazzo.tressette.kernels import SIGNALS
from mazzo.tressette.observation import A_PERDERE, DECLARED, PLACES, Observations, cards_text, may_say
from mazzo.tressette.round import (
    WORDS,
    Hand,
    Plays,
    Round,
    leader_of,
    mask_of,
    replay,
    rules_of,
    score_of,
    set_score,
)
from mazzo.tressette.rules import Rules
from mazzo.tressette.rules import rules as find_rules
from mazzo.tressette.table import Table, action_text

__all__ = ["ImpossibleError", "View"]


class ImpossibleError(IllegalError):
    """No deal of the cards agrees with what was seen; `mazzo.tressette.reasoning` says why, given the view."""

    def __init__(self, message: str, view: View) -> None:
        super().__init__(message)
        self.view = view


class View(Round):
    """What one seat knows of a round; seat 0 is the one who looks. The others' hands are not in it.

    Args:
        rules: As for `Round`.
        hand: The ten cards dealt to the one who looks, as text or cards.
        leader: The seat that leads the first trick: 0 me, 1 avv1 (plays after me), 2 compagno, 3 avv2.
        declared: By seat what it declared: `{1: "napoli, bongioco 2 without c"}`. Where that is done after the first
            trick, it is given then (`declare`), or here for a round of which more will be played at once.
        score: As for `Round`, my side's first.
    """

    names = PLACES

    def __init__(
        self,
        rules: Rules | str | None = None,
        hand: Hand = (),
        *,
        leader: int = 0,
        declared: Mapping[int, str] | None = None,
        score: Sequence[int] | None = None,
    ) -> None:
        mask = mask_of(hand)
        if mask.bit_count() != 10:
            raise IllegalError(f"me has {mask.bit_count()} cards; every seat is dealt ten")
        row = Table.begin(np.array([[mask, 0, 0, 0]]), whole_number(leader, "the leader", most=3), find_rules(rules))
        set_score(row, score)
        if row.rules.declarations == "none" and declared:
            raise IllegalError("by these rules nothing is declared: leave the declarations out")
        if row.rules.declarations != "before" and declared is None:
            row.declared[0, 1:] = -1
        for seat, text in (declared or {}).items():
            whole_number(seat, "a seat that declares", most=3)
            _declare(row, seat, text)
        self._hold(row)
        if not self._possible():
            raise ImpossibleError("these declarations: no deal of the cards agrees with them", self)

    @classmethod
    def of(cls, observation: Observations, rules: Rules | None = None) -> View:
        """The view behind a batch of one.

        Args:
            observation: What a seat sees.
            rules: The rules, if known; an observation shows whether there is talking and whether napoli were named.
        """
        o = observation
        if len(o) != 1:
            raise UnreadableError(f"a view is of one decision, not of {len(o)}: choose one with [k : k + 1]")
        found = rules or _rules_seen(o)
        row = Table.begin(np.array([[o.hand[0] | o.shown[0, 0], 0, 0, 0]]), int(o.leaders[0, 0]), found)
        row.declared[:, 1:] = o.declared[:, 1:]
        if found.named:
            row.napoli[:, 1:] = o.napoli[:, 1:]
        row.match[:] = o.match[:, :3]
        view = cls.__new__(cls)
        view._hold(row)
        for action in o.actions:
            view._carry_out(action)
        return view

    @classmethod
    def parse(cls, text: str, rules: Rules | str | None = None) -> View:
        """A view from its text: `me <ten cards>; avv1 bongioco 2 without c; lead avv1; play 4s 6s 8s As, 4c`."""
        parts = read_parts(text, [word for word in (*PLACES, *WORDS) if word != "key"])
        if "me" not in parts:
            raise UnreadableError(f"the hand is missing in {text!r}: write me and the ten cards dealt")
        told = {seat: parts[name] for seat, name in enumerate(PLACES) if seat and name in parts}
        leader, found = leader_of(parts, PLACES, text), rules_of(parts, rules)
        later = found.declarations == "after"
        score = score_of(parts, text)
        view = cls(found, parts["me"], leader=leader, declared=None if later else told, score=score)
        replay(view, parts)
        if later and (told or view.told):
            view.declare(told)
        return view

    def declare(self, told: Mapping[int, str]) -> Self:
        """After the first trick: what each of the others declared; who is not named declared nothing."""
        if self.rules.declarations != "after" or not self.told:
            when = {"after": "after the first trick", "none": "never"}.get(self.rules.declarations, "before the round")
            raise IllegalError(f"by these rules declarations are made {when}; this is trick {self.trick}")
        before = self.row.copy(), self._start.copy()
        for row in (self.row, self._start):
            row.declared[0, 1:] = 0
            row.napoli[0, 1:] = 0
            for seat, text in told.items():
                _declare(row, whole_number(seat, "a seat that declares", most=3), text)
        if not self._possible():
            tried = copy.copy(self)
            self.row, self._start = before
            raise ImpossibleError("these declarations: no deal of the cards agrees with them", tried)
        return self

    def _known(self) -> Sequence[int]:
        return (0,)

    def hand(self, seat: int | None = 0) -> tuple[Card, ...]:
        """The observer's cards now."""
        return super().hand(seat)

    @property
    def legal(self) -> Plays:
        """What the seat to act may play; where that is not me, all that it may play in some deal."""
        if not self.turn:
            return super().legal
        actions = range(len(ITALIAN) * (len(SIGNALS) if self.rules.talk else 1))
        return Plays({action_text(action): action for action in actions if not self._why_not(action)})

    def observe(self, seat: int | None = None) -> Observations:
        """The view as agents take it: a batch of one, of the one who looks."""
        if seat:
            raise IllegalError(f"what {self.names[seat]} sees is not known in {self}")
        return super().observe(0)

    def seen(self, seat: int | None = None) -> Self:
        """The same view: it holds nothing that the one who looks may not know."""
        if seat:
            raise IllegalError(f"what {self.names[seat]} sees is not known in {self}")
        return copy.deepcopy(self)

    def redealt(self, seat: int = 0, seed: int = 0) -> Self:
        """The same view: it holds nothing that could be dealt anew."""
        return self.seen(seat)

    def act(self, action: int | str | Card | Agent[Any]) -> Self:
        """Someone plays a card, mine or not; refused where no deal of the cards agrees with it."""
        if isinstance(action, Agent):
            if self.turn:
                raise IllegalError(f"an agent plays for me only, and {self.names[self.turn]} is to play in {self}")
            return super().act(action)
        try:
            return super().act(action)
        except IllegalError as error:
            number = self._number_of(action)
            if self.over or self._against_rules(number):
                raise
            raise ImpossibleError(str(error), self._after(number)) from None

    def _why_not(self, action: int) -> str:
        against = self._against_rules(action)
        if against or self._after(action)._possible():
            return against
        return "no deal of the cards agrees with it"

    def _against_rules(self, action: int) -> str:
        return super()._why_not(action)

    def _why_not_held(self, card: Card) -> str:
        """As far as the rules and this hand tell."""
        seat = self._seat(None)
        if seat == 0:
            return super()._why_not_held(card)
        if card in self.hand():
            return f"{card} is in my own hand: {self.names[seat]} cannot play it"
        for k, (other, played) in enumerate(self.plays):
            led = self.plays[k - k % 4][1].suit
            if other == seat and played.suit != led == card.suit:
                suit = ITALIAN.suit_names[led]
                return f"{self.names[other]} cannot hold {card}: it did not follow {suit} in trick {k // 4 + 1}"
        return ""

    def _after(self, action: int) -> View:
        after = copy.copy(self)
        after.row = self.row.copy()
        after._carry_out(action)
        return after

    def _possible(self) -> bool:
        return bool(count_deals(self.observe())[0])

    def _dealt(self) -> object:
        named = self.row.napoli[0, 1:].tolist() if self.rules.named else []
        return self.leader, int(self.row.dealt[0, 0]), self.observe().declared[0].tolist(), named, self.score

    def text(self) -> str:
        """All of it in one line, as `parse` reads it."""
        told = [f"{name} {words}" for seat, name in enumerate(PLACES) if seat and (words := self.declarations(seat))]
        return "; ".join([f"me {cards_text(int(self.row.dealt[0, 0]))}", *told, *self._tail()])


def _rules_seen(o: Observations) -> Rules:
    """The rules as far as an observation shows them."""
    untold = int(o.declared[0, 1, 0]) < 0
    when = "before" if not untold else "after" if int(o.count[0]) < 4 and o.match[0, 3] & DECLARED else "none"
    losing = bool(o.match[0, 3] & A_PERDERE)
    target = int(o.match[0, 2]) or Rules().target
    named, talk = bool(o.napoli.any()), bool(o.signals[0, 0] >= 0)
    words = [word for k, word in enumerate(SIGNALS) if int(may_say(o)[0]) >> k & 1]
    signals = "+".join(words) if talk and words else Rules().signals
    return Rules(target=target, named=named, talk=talk, signals=signals, declarations=when, a_perdere=losing)


def _declare(row: Table, seat: int, text: str) -> None:
    told, napoli = declarations.parse(text)
    if not row.rules.named and napoli:
        raise IllegalError(f"{PLACES[seat]} names the suit of a napoli, but in this round they are not named")
    if row.rules.named and napoli.bit_count() != told[0]:
        raise IllegalError(f"{PLACES[seat]} declares {text!r}: in this round every napoli names its own suit")
    if seat == 0 and (told != row.declared[0, 0]).any():
        must = declarations.in_words(row.declared[0, 0]) or "nothing"
        raise IllegalError(f"me declares {text!r}, but with this hand must declare {must}")
    row.declared[0, seat], row.napoli[0, seat] = told, napoli or row.napoli[0, seat]
