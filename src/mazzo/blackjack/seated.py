"""Blackjack at a table of people and agents against the dealer: several boxes, several hands each, splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from mazzo.agent import Explanation, Option, create
from mazzo.blackjack.agents import AGENTS, Decisions
from mazzo.blackjack.exact.analysis import PLAYS
from mazzo.blackjack.round import PlayerHand, Round
from mazzo.blackjack.rules import _CHOICES, INFINITE, PRESETS, Rules, named_rules
from mazzo.blackjack.shoe import RANKS, shoe_of
from mazzo.cards import FRENCH
from mazzo.errors import IllegalError, UnreadableError
from mazzo.luck import below, fork, stream
from mazzo.seated import NEXT, Advice, Field, Question, SeatedGame, View, person_name, read_fields

__all__ = ["ADVISERS", "FIELDS", "BlackjackTable", "Faces", "asked", "round_seats", "rules_of", "side_bet"]

ADVISERS = ("count", "chart")
_KEYS = {"stand": "s", "hit": "h", "double": "d", "split": "p", "surrender": "r"}
_TAKE, _LEAVE = "take", "leave"
_AS_PRESET = "as the rules"


def _rule_field(name: str, usual: Any) -> Field:
    if name in _CHOICES:
        return Field(name, _AS_PRESET, choices=(_AS_PRESET, *_CHOICES[name]), advanced=True)
    if isinstance(usual, bool):
        return Field(name, _AS_PRESET, choices=(_AS_PRESET, "true", "false"), advanced=True)
    return Field(name, "", high=12, advanced=True)


RULE_FIELDS = (
    Field("rules", "strip", choices=tuple(PRESETS)),
    *(_rule_field(f.name, getattr(Rules, f.name)) for f in fields(Rules)),
)
"""The rules: a preset, and any of them changed."""

FIELDS = (
    Field("hands", 1, low=1, high=3),
    Field("bet", 10, low=1, high=10**6),
    Field("chips", 1000, low=1, high=10**9),
    *RULE_FIELDS,
)
"""What can be chosen beside the seats."""

LEAST_SEATS, MOST_SEATS = 1, 5


def rules_of(chosen: Mapping[str, Any]) -> Rules:
    """The rules that `RULE_FIELDS` were filled in with."""
    names = [f.name for f in RULE_FIELDS[1:]]
    changes = {name: chosen[name] for name in names if chosen.get(name) not in (None, "", _AS_PRESET)}
    return named_rules(chosen.get("rules", "strip"), changes)


class Faces:
    """Gives every rank drawn from a shoe the suit (and the tens their face) of a card that is still in it."""

    def __init__(self, key: np.uint64, decks: int) -> None:
        self._piles: list[list[str]] = []
        for rank in range(10):
            letters = "TJQK" if RANKS[rank] == "T" else RANKS[rank]
            pile = [letter + suit for _ in range(decks) for letter in letters for suit in FRENCH.suits]
            luck = np.uint64(fork(np.uint64(key), rank))
            for k in range(len(pile) - 1, 0, -1):
                luck = np.uint64(fork(luck, k))
                other = int(below(luck, k + 1))
                pile[k], pile[other] = pile[other], pile[k]
            self._piles.append(pile)
        self._used = [0] * 10

    def of(self, game: Round) -> dict[int, str]:
        """The face of every card of a round, by its number in it."""
        cards = sorted((card for hand in (*(h.cards for h in game.hands), game.dealer) for card in hand),
                       key=lambda card: getattr(card, "number", 0))  # fmt: skip
        used, out = list(self._used), {}
        for card in cards:
            out[getattr(card, "number", 0)] = self._piles[card][used[card] % len(self._piles[card])]
            used[card] += 1
        return out

    def spend(self, game: Round) -> None:
        """The cards of a finished round are gone."""
        for hand in (*(h.cards for h in game.hands), game.dealer):
            for card in hand:
                self._used[card] += 1


class BlackjackTable(SeatedGame):
    """A shoe that people and agents play side by side."""

    deck = "french"
    advisers = ADVISERS

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any], seed: int) -> None:
        super().__init__(seats)
        if not LEAST_SEATS <= len(seats) <= MOST_SEATS:
            raise IllegalError(f"a blackjack table has {LEAST_SEATS} to {MOST_SEATS} seats, not {len(seats)}")
        chosen = read_fields(FIELDS, options)
        self.rules = rules_of(chosen)
        if self.rules.decks == INFINITE:
            raise UnreadableError("one plays with real decks: give decks = 1 to 8")
        self.each, self.bet = int(chosen["hands"]), int(chosen["bet"])
        self.boxes = self.each * len(self.seats)
        fresh = shoe_of(self.rules)
        if not Round.enough(self.rules, fresh, self.boxes):
            raise UnreadableError(f"{self.boxes} hands need more than {self.rules.decks} decks: take more decks")
        self.agents = {s: create(name, AGENTS) for s, name in enumerate(self.seats) if person_name(name) is None}
        self.playing = list(self.agents.values())
        self.chips = [float(chosen["chips"])] * len(self.seats)
        self._key = stream(seed, "table")
        self._played = self._shoes = 0
        self._shuffle()
        self._deal()

    def _shuffle(self) -> None:
        self.shoe = shoe_of(self.rules)
        self.faces = Faces(fork(stream(int(self._key), "faces"), self._shoes), self.rules.decks)
        self._shoes += 1
        self.say("blackjack.shuffled", decks=self.rules.decks)

    def _deal(self) -> None:
        fresh = shoe_of(self.rules)
        low = self.shoe.cards <= (1 - self.rules.penetration) * fresh.cards
        if low or not Round.enough(self.rules, self.shoe, self.boxes):
            self._shuffle()
        self.game = Round(self.rules, self.shoe, np.uint64(fork(self._key, self._played)), boxes=self.boxes)
        self._played += 1
        self._side = [
            box for box in range(self.boxes) if self.game.offers_even_money(box) or self.game.offers_insurance(box)
        ]
        self._plays: list[str] = []
        self.say("blackjack.dealt", number=self._played, card=self.face(self.game.dealer[0]))
        self._close()

    def face(self, card: int) -> str:
        """The face of a card of this round."""
        return self.faces.of(self.game)[getattr(card, "number", 0)]

    @property
    def number(self) -> int:
        """Rounds so far."""
        return self._played

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        if self._side:
            return self._side[0] // self.each
        hand = self.game.to_play
        return None if hand is None else hand.box // self.each

    @property
    def over(self) -> bool:
        """The casino never closes."""
        return False

    def act(self, action: str) -> None:
        """A play (`stand`, `hit`, ...), `take` or `leave` of a side bet, or the next round."""
        if action == NEXT:
            self.shoe = self.game.shoe_after
            self.faces.spend(self.game)
            self._deal()
            return
        name = self.names[self.seat or 0]
        if self._side:
            if action not in (_TAKE, _LEAVE):
                raise IllegalError("first say whether the side bet is taken (take) or left (leave)")
            box = self._side.pop(0)
            even = self.game.offers_even_money(box)
            if action == _TAKE:
                self.game.take_even_money(box) if even else self.game.insure(box)
                self.say("blackjack.even_money" if even else "blackjack.insures", name=name)
        else:
            hand = self.game.to_play
            self.game.play(action)
            assert hand is not None  # else playing was refused
            self.say(f"blackjack.{action}", name=name, cards=self._text(hand.cards), total=hand.total)
        self._plays.append(action)
        self._close()

    def _text(self, cards: Sequence[int]) -> str:
        return " ".join(self.face(card) for card in cards)

    def _close(self) -> None:
        if self._side or self.game.to_play is not None:
            return
        self.game.settle()
        self.say("blackjack.dealer_has", cards=self._text(self.game.dealer))
        for seat, name in enumerate(self.names):
            won = self.bet * sum(self.game.won[seat * self.each : (seat + 1) * self.each])
            self.chips[seat] += won
            key = "wins" if won > 0 else "loses" if won < 0 else "blackjack.even"
            self.say(key, name=name, amount=f"{abs(won):g}")

    def agent_action(self) -> str:
        """What the agent to act does; no agent takes a side bet that loses on average."""
        seat = self.seat
        if seat is None or seat not in self.agents:
            raise IllegalError("it is not an agent's turn")
        if self._side:
            return _TAKE if self.game.side_bet_gain(self._side[0]) > 0 else _LEAVE
        luck = int(fork(np.uint64(self.game.key), 1_000_000 + len(self._plays)))
        return PLAYS[int(self.agents[seat].decide(self.game.view(luck))[0])]

    def question(self) -> Question:
        """The decision of the seat to act."""
        if self._side:
            return side_bet(self.game, self._side[0])
        return asked(self.game.view())

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished round: rules, shoe, chance and plays give every card again."""
        if self.seat is not None:
            return None
        return {
            "rules": self.rules.as_dict(),
            "shoe": list(self.game.before.counts),
            "key": str(int(self.game.key)),
            "boxes": self.boxes,
            "each": self.each,
            "plays": list(self._plays),
            "names": list(self.names),
        }

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it: all hands are open but the dealer's second card."""
        faces = self.faces.of(self.game)
        side = self._side[0] if self._side else None
        seats = round_seats(self.game, faces, self.names, self.each, side)
        for seat, shown in enumerate(seats[1:]):
            shown["kind"] = "you" if seat == viewer else "agent" if seat in self.agents else "person"
            shown["chips"], shown["bet"] = f"{self.chips[seat]:g}", f"{self.bet * self.each:g}"
            if self.seat is None:
                shown["result"] = self.bet * sum(self.game.won[seat * self.each : (seat + 1) * self.each])
        facts = [("blackjack.round", self._played), ("blackjack.left", self._left())]
        return {
            "deck": self.deck,
            "seats": [*seats[1:], seats[0]],
            "you": viewer,
            "turn": self.seat,
            "centre": {"cards": [], "places": 0},
            "facts": facts,
            "choices": self._choices(viewer),
            "hand_over": self.seat is None,
            "over": False,
        }

    def _left(self) -> int:
        """Cards in the shoe as they can be seen to be gone."""
        return self.game.before.cards - sum(len(h.cards) for h in self.game.hands) - len(self.game.dealer)

    def _choices(self, viewer: int | None) -> list[dict[str, Any]]:
        if viewer is None or viewer != self.seat:
            return []
        if self._side:
            even = "even_money" if self.game.offers_even_money(self._side[0]) else "insurance"
            return [
                {"action": _TAKE, "label": (f"blackjack.do.{even}", {}), "key": "y"},
                {"action": _LEAVE, "label": (f"blackjack.do.no_{even}", {}), "key": "n"},
            ]
        legal = self.game.legal()
        return [
            {"action": play, "label": (f"blackjack.do.{play}", {}), "key": key}
            for play, key in _KEYS.items()
            if legal[PLAYS.index(play)]
        ]


def round_seats(
    game: Round, faces: Mapping[int, str], names: Sequence[str], each: int, side: int | None = None
) -> list[dict[str, Any]]:
    """The dealer and the players of a round; the dealer's second card is open when the round is settled."""
    dealer: list[str | None] = [faces[getattr(card, "number", 0)] for card in game.dealer]
    total: Any = PlayerHand(list(game.dealer)).total
    if not game.finished:
        dealer[1:] = [None] * (len(dealer) - 1)
        total = None
    house: dict[str, Any] = {"name": "", "kind": "house", "hands": [{"cards": dealer}]}
    if total is not None:
        house["hands"][0]["label"] = _total_label(PlayerHand(list(game.dealer)))
    seats = [house]
    for seat, name in enumerate(names):
        hands = []
        for hand in game.hands:
            if hand.box // each == seat:
                active = (side is None and hand is game.to_play) or (side is not None and hand.box == side)
                hands.append({"cards": [faces[getattr(card, "number", 0)] for card in hand.cards],
                              "label": _total_label(hand), "active": active, "doubled": hand.stake > 1})  # fmt: skip
        seats.append({"name": name, "hands": hands})
    return seats


def _total_label(hand: PlayerHand) -> tuple[str, dict[str, Any]]:
    from mazzo.blackjack.hands import hand_total

    total, soft = hand_total(hand.cards)
    key = "natural" if hand.natural else "surrendered" if hand.surrendered else "bust" if total > 21 else ""
    if key:
        return f"blackjack.{key}", {"total": total}
    return ("blackjack.soft" if soft and total < 21 else "blackjack.total"), {"total": total}


def asked(seen: Decisions) -> Question:
    """A decision to ask advisers about."""

    def question(adviser: str, played: str | None = None) -> Advice:
        explanation = create(adviser, AGENTS).explain(seen)
        return Advice(explanation, {o.action: float(o.value or 0) for o in explanation.options}, "unit.bets")

    return question


def side_bet(game: Round, box: int) -> Question:
    """Whether to take even money or insurance: counted exactly, whoever is asked."""
    gain, even = float(game.side_bet_gain(box)), game.offers_even_money(box)

    def question(adviser: str, played: str | None = None) -> Advice:
        best = _TAKE if gain > 0 else _LEAVE
        what = "even money" if even else "insurance"
        reason = f"{what} {'gains' if gain > 0 else 'loses'} {abs(gain):.4f} of the bet on average"
        options = [Option(_TAKE, gain), Option(_LEAVE, 0.0)]
        return Advice(Explanation(best, reason, options), {_TAKE: gain, _LEAVE: 0.0}, "unit.bets")

    return question
