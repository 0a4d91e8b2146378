"""Blackjack at a table of people and agents against the dealer: several boxes, several hands each, splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import fields
from functools import partial
from typing import Any, Self

from mazzo.agent import Explanation, Option, create
from mazzo.blackjack.agents import AGENTS
from mazzo.blackjack.columns import ACTIONS, EVEN_MONEY, LEAVE, PLAYS
from mazzo.blackjack.faces import Faces, rank_of
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.player_hand import Drawn, PlayerHand
from mazzo.blackjack.purse import Purse
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import CHOICES, INFINITE, PRESETS, Rules, named_rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.cards import FRENCH
from mazzo.errors import IllegalError, UnreadableError
from mazzo.rng import fork, stream
from mazzo.sealed import SealedDecks
from mazzo.seated import NEXT, Advice, Field, MakeAgent, Question, SeatedGame, View, read_fields

__all__ = [
    "ADVISERS",
    "FIELDS",
    "BlackjackTable",
    "answer",
    "asked",
    "options_of",
    "round_seats",
    "rules_of",
    "side_bet",
]

ADVISERS = ("count", "chart")
_KEYS = {"stand": "s", "hit": "h", "double": "d", "split": "p", "surrender": "r"}
_TAKE, _LEAVE = "take", "leave"
_AS_PRESET = "as the rules"
_BET, _BUY = "bet:", "buy:"
"""With the seat's number, and of a bet the amount on each hand."""
_BETS = ("blackjack.bet.half", "blackjack.bet.double")
"""Of a bet, by name."""


def _rule_field(name: str, usual: Any) -> Field:
    if name in CHOICES:
        return Field(name, _AS_PRESET, choices=(_AS_PRESET, *CHOICES[name]), advanced=True)
    if isinstance(usual, bool):
        return Field(name, _AS_PRESET, choices=(_AS_PRESET, "true", "false"), advanced=True)
    return Field(name, "", high=24, advanced=True)


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


def options_of(rules: Rules) -> dict[str, str]:
    """The fields that give these rules again."""
    usual = PRESETS["strip"].as_dict()
    changed = {name: value for name, value in rules.as_dict().items() if value != usual[name]}
    return {
        "rules": "strip",
        **{name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in changed.items()},
    }


class BlackjackTable(SeatedGame):
    """A shoe that people and agents play side by side."""

    deck = "french"
    advisers = ADVISERS
    typing = "blackjack.typing"

    def __init__(
        self,
        seats: Sequence[str],
        options: Mapping[str, Any],
        seed: int,
        make: MakeAgent | None = None,
        secret: bytes | None = None,
    ) -> None:
        super().__init__(seats)
        if not LEAST_SEATS <= len(seats) <= MOST_SEATS:
            raise IllegalError(f"a blackjack table must have {LEAST_SEATS} to {MOST_SEATS} seats, got {len(seats)}")
        chosen = read_fields(FIELDS, options)
        self.rules = rules_of(chosen)
        if self.rules.decks == INFINITE:
            raise UnreadableError("one plays with real decks: give decks = 1 to 8")
        self.each = int(chosen["hands"])
        self.boxes = self.each * len(self.seats)
        fresh = shoe_of(self.rules)
        if not Round.enough(self.rules, fresh, self.boxes):
            raise UnreadableError(f"{self.boxes} hands need more than {self.rules.decks} decks: take more decks")
        self.agents = self.make_agents(make or partial(create, catalogue=AGENTS))
        self.playing = list(self.agents.values())
        self.purses = [Purse(chosen["chips"], chosen["bet"], self.each) for _ in self.seats]
        self.decks = SealedDecks(secret, list(map(str, FRENCH)) * self.rules.decks) if secret else None
        self._key = stream(seed, "table")
        self._played = self._shoes = 0
        self._shuffle()
        self._deal()

    def _shuffle(self) -> None:
        self.shoe = shoe_of(self.rules)
        if self.decks is None:
            self.faces = Faces(fork(stream(int(self._key), "faces"), self._shoes), self.rules.decks)
        else:
            self.faces = Faces.of_order(self.decks.deck(self._shoes).cards)
        self._shoes += 1
        self.say("blackjack.shuffled", decks=self.rules.decks)

    def _deal(self) -> None:
        fresh = shoe_of(self.rules)
        low = self.shoe.cards <= (1 - self.rules.penetration) * fresh.cards
        if low or not Round.enough(self.rules, self.shoe, self.boxes):
            self._shuffle()
        key = fork(self._key, self._played)
        if self.decks is None:
            self.game = Round(self.rules, shoe=self.shoe, key=key, boxes=self.boxes)
        else:
            rest = self.decks.deck(self.deck_number).cards[fresh.cards - self.shoe.cards :]
            self.game = Round.of_cards(self.rules, list(map(rank_of, rest)), self.shoe, self.boxes, int(key))
        self._played += 1
        self._plays: list[str] = []
        self.did = {}
        self.say("blackjack.dealt", number=self._played, card=self._text(self.game.dealer[:1]))
        self._close()

    @property
    def number(self) -> int:
        """Rounds so far."""
        return self._played

    @property
    def chips(self) -> list[float]:
        """What each seat has."""
        return [purse.chips for purse in self.purses]

    @property
    def deck_number(self) -> int:
        """Which shoe is being played."""
        return self._shoes - 1

    def opened(self, viewer: int | None) -> tuple[int, Sequence[int] | None] | None:
        """The shoe before this one: its order would give away the rounds to come while it is played."""
        return None if self.decks is None or self._shoes < 2 else (self._shoes - 2, None)

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return None if self.game.turn is None else self.game.turn // self.each

    @property
    def over(self) -> bool:
        """The casino never closes."""
        return False

    def act(self, action: str) -> None:
        """A play (`stand`, `hit`, ...), `take` or `leave` of a side bet, or the next round."""
        if action == NEXT:
            self.shoe = self.game.shoe_after
            self.faces.spend(self.game.drawn())
            for seat, purse in enumerate(self.purses):
                self._say_bought(seat, purse.next_round())
            self._deal()
            return
        if action.startswith((_BET, _BUY)):
            self._settle(action)
            return
        name = self.names[self.seat or 0]
        if self.game.asked is not None:
            taken = answer(self.game, action)
            if taken != LEAVE:
                self.say("blackjack.even_money" if taken == EVEN_MONEY else "blackjack.insures", name=name)
        else:
            at = self.game.at
            self.game.act(action)
            assert at is not None  # else playing was refused
            hand = self.game.hands[at]
            self.say(f"blackjack.{action}", name=name, cards=self._text(hand.cards), total=hand.total)
            self.did[self.names.index(name)] = (f"blackjack.last.{action}", {})
        self._plays.append(action)
        self._close()

    def _settle(self, action: str) -> None:
        """Between rounds a person bets another amount (`bet:0:25`, seat 0) or buys chips (`buy:0`)."""
        kind, _, rest = action.partition(":")
        seat, _, amount = rest.partition(":")
        if self.seat is not None or seat not in map(str, range(len(self.seats))):
            raise IllegalError("bets are made and chips bought by the people at the table, between rounds")
        if kind == "buy" and amount:
            raise IllegalError("chips are bought up to what was brought: no amount is said")
        purse, name = self.purses[int(seat)], self.names[int(seat)]
        if kind == "buy":
            self._say_bought(int(seat), purse.buy())
        else:
            self.say("blackjack.bets", name=name, amount=f"{purse.choose(amount):g}")

    def _say_bought(self, seat: int, amount: float) -> None:
        if amount:
            self.say("blackjack.bought", name=self.names[seat], amount=f"{amount:g}")

    def may(self, seat: int, action: str) -> None:
        """Also refuses to bet or to buy for another one."""
        if not action.startswith((_BET, _BUY)):
            super().may(seat, action)
        elif self.seat is not None or not action.startswith((f"{_BET}{seat}:", f"{_BUY}{seat}")):
            raise IllegalError("one bets and buys chips for oneself, between rounds")

    def read(self, line: str, seat: int) -> str:
        """A play by its word or its first letter (`p` splits, `r` surrenders), a side bet by `y` or `n`."""
        typed = line.strip().lower()
        return super().read(typed if typed in (*PLAYS, _TAKE, _LEAVE) or typed.isdigit() else typed[:1], seat)

    def _text(self, cards: Sequence[int]) -> str:
        faces = self.faces.of(self.game.drawn())
        return " ".join(faces[card.number] for card in cards if isinstance(card, Drawn))

    def _close(self) -> None:
        if not self.game.over:
            return
        won_by_box = self.game.payoffs
        self.say("blackjack.dealer_has", cards=self._text(self.game.dealer))
        for seat, name in enumerate(self.names):
            won = self.purses[seat].bet * sum(won_by_box[seat * self.each : (seat + 1) * self.each])
            self.purses[seat].chips += won
            key = "wins" if won > 0 else "loses" if won < 0 else "blackjack.even"
            self.say(key, name=name, amount=f"{abs(won):g}")

    def agent_action(self) -> str:
        """What the agent to act does; no agent takes a side bet that loses on average."""
        seat = self.seat
        if seat is None or seat not in self.agents:
            raise IllegalError("it is not an agent's turn")
        if self.game.asked is not None:
            return _TAKE if self.game.side_bet()[1] > 0 else _LEAVE
        return ACTIONS[int(self.agents[seat].decide(self.game.observe())[0])]

    def observed(self) -> Observations | None:
        """What the seat to act sees; no agent is asked about a side bet."""
        return None if self.game.asked is not None else self.game.observe()

    def give_up(self) -> str:
        """Stands, and takes no side bet."""
        return _LEAVE if self.game.asked is not None else "stand"

    def question(self) -> Question:
        """The decision of the seat to act."""
        return side_bet(self.game) if self.game.asked is not None else asked(self.game.observe())

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished round: its cards, not its key, from which those of all later rounds could be computed."""
        if self.seat is not None:
            return None
        return {
            "rules": self.rules.as_dict(),
            "shoe": list(self.game.before.counts),
            "cards": [int(card) for card in self.game.drawn()],
            "boxes": self.boxes,
            "each": self.each,
            "plays": list(self._plays),
            "names": list(self.names),
        }

    def redealt(self, viewer: int, seed: int) -> Self:
        """A copy with another hole card, as far as it is hidden, and other cards to come."""
        other, game = copy(self), self.game
        other.game = game.redealt(viewer * self.each, seed)
        for number, card in enumerate(other.game.drawn()):
            if card != game.drawn()[number]:
                other.faces = self.faces.with_other(game.drawn(), number, card)
        return other

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it: all hands are open but the dealer's second card."""
        seats = round_seats(self.game, self.faces.of(self.game.drawn()), self.names, self.each)
        won = self.game.payoffs if self.game.over else ()
        for seat, shown in enumerate(seats[1:]):
            shown |= self.identity(seat, viewer)
            purse = self.purses[seat]
            shown["chips"], shown["bet"] = f"{purse.chips:g}", f"{purse.bet * self.each:g}"
            if won:
                shown["result"] = purse.bet * sum(won[seat * self.each : (seat + 1) * self.each])
        facts = [("blackjack.round", self._played), ("blackjack.left", self.game.shoe_after.cards)]
        return {
            "deck": self.deck,
            "seats": [*seats[1:], seats[0]],
            "you": viewer,
            "turn": self.seat,
            "centre": {"cards": [], "places": 0},
            "facts": facts,
            "choices": self._choices(viewer),
            "places": [(key, (f"blackjack.do.{play}", {})) for play, key in _KEYS.items()],
            "hand_over": self.seat is None,
            "over": False,
        }

    def _money(self, viewer: int) -> list[dict[str, Any]]:
        """What a person may do between rounds: bet another amount, buy chips."""
        purse, out = self.purses[viewer], list[dict[str, Any]]()
        if purse.most > purse.least:
            sizes = (purse.wanted // 2, purse.wanted * 2)
            presets = [(key, max(purse.least, min(purse.most, n))) for key, n in zip(_BETS, sizes, strict=True)]
            amount = {"low": purse.least, "high": purse.most, "usual": purse.wanted}
            bet: dict[str, Any] = {"action": f"{_BET}{viewer}:", "label": ("blackjack.do.bet", {}), "key": "b"}
            out.append({**bet, "amount": amount, "presets": presets})
        if purse.may_buy:
            out.append({"action": f"{_BUY}{viewer}", "label": ("blackjack.do.buy", {}), "key": "c"})
        return out

    def _choices(self, viewer: int | None) -> list[dict[str, Any]]:
        if viewer is not None and self.seat is None:
            return self._money(viewer)
        if viewer is None or viewer != self.seat:
            return []
        if self.game.asked is not None:
            even = "even_money" if EVEN_MONEY in self.game.legal else "insurance"
            return [
                {"action": _TAKE, "label": (f"blackjack.do.{even}", {}), "key": "y"},
                {"action": _LEAVE, "label": (f"blackjack.do.no_{even}", {}), "key": "n"},
            ]
        return [
            {"action": play, "label": (f"blackjack.do.{play}", {}), "key": key}
            for play, key in _KEYS.items()
            if play in self.game.legal.by_text
        ]


def answer(game: Round, given: str) -> int:
    """Take (even money before insurance) or leave a side bet that is offered; the action that was carried out."""
    if given not in (_TAKE, _LEAVE):
        raise IllegalError("first say whether the side bet is taken (take) or left (leave)")
    action = game.side_bet()[0] if given == _TAKE else LEAVE
    game.act(action)
    return action


def round_seats(game: Round, faces: Sequence[str], names: Sequence[str], each: int) -> list[dict[str, Any]]:
    """The dealer and the players of a round; the dealer's second card is open when the round is over."""
    dealer: list[str | None] = [faces[card.number] for card in game.dealer]
    house: dict[str, Any] = {"name": "", "kind": "house", "hands": [{"cards": dealer + [None] * game.hole_hidden}]}
    if game.over:
        house["hands"][0]["label"] = _total_label(PlayerHand(game.dealer))
    seats = [house]
    for seat, name in enumerate(names):
        hands = []
        for k, hand in enumerate(game.hands):
            if hand.box // each == seat:
                hands.append(
                    {
                        "cards": [faces[card.number] for card in hand.cards if isinstance(card, Drawn)],
                        "label": _total_label(hand),
                        "active": k == game.at or (game.asked is not None and hand.box == game.asked),
                        "doubled": hand.doubled,
                    }
                )
        seats.append({"name": name, "hands": hands})
    return seats


def _total_label(hand: PlayerHand) -> tuple[str, dict[str, Any]]:
    total, soft = hand_total(hand.cards)
    key = "natural" if hand.natural else "surrendered" if hand.surrendered else "bust" if total > 21 else ""
    if key:
        return f"blackjack.{key}", {"total": total}
    return ("blackjack.soft" if soft and total < 21 else "blackjack.total"), {"total": total}


def asked(seen: Observations) -> Question:
    """A decision to ask advisers about."""
    return partial(_advice, seen)


def _advice(seen: Observations, adviser: str, played: str | None = None) -> Advice:
    explanation = create(adviser, AGENTS).explain(seen)
    return Advice(explanation, {o.action: float(o.value or 0) for o in explanation.options}, "unit.bets")


def side_bet(game: Round) -> Question:
    """Whether to take even money or insurance: counted exactly, whoever is asked."""
    return partial(_side_bet_advice, *game.side_bet())


def _side_bet_advice(bet: int, gain: float, adviser: str, played: str | None = None) -> Advice:
    best = _TAKE if gain > 0 else _LEAVE
    what = "even money" if bet == EVEN_MONEY else "insurance"
    reason = f"{what} {'gains' if gain > 0 else 'loses'} {abs(gain):.4f} of the bet on average"
    options = [Option(_TAKE, gain), Option(_LEAVE, 0.0)]
    return Advice(Explanation(best, reason, options), {_TAKE: gain, _LEAVE: 0.0}, "unit.bets")
