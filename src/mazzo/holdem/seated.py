"""Hold'em at a table of people and agents: cash or tournament, limit or no-limit, 2 to 10 seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazzo.agent import create
from mazzo.cards import Card
from mazzo.errors import IllegalError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.coach import ODDS, by_odds, weigh
from mazzo.holdem.game import UNLIMITED
from mazzo.holdem.hand import Hand, action_text, parse_action
from mazzo.holdem.observation import Observations
from mazzo.holdem.tournament.format import parse_blinds
from mazzo.holdem.tournament.session import Session, Setting
from mazzo.seated import NEXT, Advice, Field, Question, Say, SeatedGame, View, person_name, read_fields

__all__ = ["ADVISERS", "FIELDS", "HoldemTable", "acted", "asked", "ended", "hand_view"]

ADVISERS = (ODDS, "utility", "chart", "rich", "utility+")
_STREETS = ("preflop", "flop", "turn", "river")

FIELDS = (
    Field("betting", "no-limit", choices=("no-limit", "limit")),
    Field("mode", "cash", choices=("cash", "tournament")),
    Field("chips", 1000, low=2, high=10**7),
    Field("blinds", "5/10", high=200),
    Field("level_hands", 20, low=1, high=10_000, advanced=True),
)
"""What can be chosen beside the seats."""

LEAST_SEATS, MOST_SEATS = 2, 10


class HoldemTable(SeatedGame):
    """A session that people sit at."""

    deck = "french"
    advisers = ADVISERS

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any], seed: int) -> None:
        super().__init__(seats)
        chosen = read_fields(FIELDS, options)
        setting = Setting(
            self.seats,
            chosen["mode"],
            chips=chosen["chips"],
            levels=parse_blinds(chosen["blinds"]),
            level_hands=chosen["level_hands"],
            seed=seed,
            limit=chosen["betting"] == "limit",
        )
        self.session = Session(setting)
        self.playing = [agent for agent in self.session.agents if agent is not None]
        self._dealt()

    @property
    def number(self) -> int:
        """Hands dealt so far."""
        return self.session.number + (not self.session.over)

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.session.seat

    @property
    def over(self) -> bool:
        """Whether a tournament has its winner."""
        return self.session.over

    @property
    def hand(self) -> Hand:
        """The hand being played."""
        return self.session.hand

    def _dealt(self) -> None:
        small, big = self.session.blinds
        button = self.names[self.session.button]
        self.say("holdem.dealt", number=self.number, button=button, small=small, big=big)

    def _name(self, position: int) -> str:
        return self.names[self.session.seating[position]]

    def act(self, action: str) -> None:
        """`f`, `c`, `r300`, or the next hand."""
        if action == NEXT:
            self._next()
            return
        hand = self.hand
        if hand.actor is None:
            raise IllegalError("the hand is over: deal the next one")
        position, owed, street = hand.actor, hand.legal.owed, hand.street
        chosen = parse_action(action)
        try:
            self.session.act(chosen)
        except IllegalError as wrong:  # the full text of a hand has everybody's cards in it
            raise IllegalError(str(wrong).partition(" (legal:")[0]) from None
        self.log.append(acted(hand, self._name(position), chosen, owed))
        if hand.street > street and len(hand.board) > hand.game.board_seen(street):
            self._board(street + 1)
        if hand.over:
            self.log.extend(ended(hand, [self._name(p) for p in range(hand.game.players)]))

    def _board(self, first: int) -> None:
        hand = self.hand
        for street in range(first, hand.street + 1):
            cards = " ".join(map(str, hand.board[: hand.game.board_seen(street)]))
            self.say(f"holdem.{_STREETS[street]}", cards=cards, pot=hand.pot)

    def _next(self) -> None:
        before = self.session.places
        self.session.next_hand()
        for seat, place in enumerate(self.session.places):
            if place and not before[seat]:
                self.say("holdem.placed", name=self.names[seat], place=place)
        if not self.over:
            self._dealt()

    def agent_action(self) -> str:
        """What the agent to act does."""
        agent = self.session.agents[self.session.seat] if self.session.seat is not None else None
        if agent is None:
            raise IllegalError("it is not an agent's turn")
        return action_text(int(agent.decide(self.hand.observe())[0]), self.hand.game.limit)

    def question(self) -> Question:
        """The decision of the seat to act."""
        return asked(self.hand.observe())

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished hand: its game, stacks and line, cards that were not shown left out."""
        hand = self.hand
        if not hand.over:
            return None
        position = self.session.seating.index(viewer) if viewer is not None and viewer in self.session.seating else None
        names = [self._name(p) for p in range(hand.game.players)]
        return {"game": str(hand.game), "stacks": hand.stacks, "line": known_line(hand, position), "names": names}

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it."""
        session, hand = self.session, self.hand
        seats: list[dict[str, Any]] = []
        for seat, name in enumerate(self.names):
            shown: dict[str, Any] = {"name": name, "kind": _kind(self.seats[seat], seat == viewer), "hands": []}
            if seat in session.seating and not (session.over and session.places[seat] > 1):
                position = session.seating.index(seat)
                shown |= hand_view(hand, position, open_=seat == viewer)
                shown["badges"] = ["dealer"] if seat == session.button else []
            else:
                shown["note"] = ("holdem.place", {"place": session.places[seat]})
            account = session.accounts[seat]
            shown["won"] = account.won
            seats.append(shown)
        small, big = session.blinds
        facts = [("holdem.blinds", f"{small}/{big}"), ("holdem.hand", self.number)]
        return {
            "deck": self.deck,
            "seats": seats,
            "you": viewer,
            "turn": session.seat,
            "centre": {"cards": [str(k) for k in hand.board], "places": sum(hand.game.board_cards)},
            "pot": hand.pot,
            "facts": facts,
            "choices": self._choices(viewer),
            "hand_over": hand.over,
            "over": self.over,
        }

    def _choices(self, viewer: int | None) -> list[dict[str, Any]]:
        hand = self.hand
        if viewer is None or viewer != self.session.seat:
            return []
        legal = hand.legal
        out: list[dict[str, Any]] = []
        if legal.fold:
            out.append({"action": "f", "label": ("holdem.do.fold", {}), "key": "f"})
        if legal.owed:
            out.append({"action": "c", "label": ("holdem.do.call", {"amount": legal.owed}), "key": "c"})
        else:
            out.append({"action": "c", "label": ("holdem.do.check", {}), "key": "c"})
        if legal.raises:
            out.append(_raise_choice(hand))
        return out


def _kind(seat: str, you: bool) -> str:
    return "you" if you else "agent" if person_name(seat) is None else "person"


def _raise_choice(hand: Hand) -> dict[str, Any]:
    low, high = hand.legal.raises[0], hand.legal.raises[-1]
    if low == high or hand.game.limit:
        text = "r" if hand.game.limit else f"r{low}"
        return {"action": text, "label": ("holdem.do.raise", {"amount": low}), "key": "r"}
    owed, bet = hand.legal.owed, max(hand.spent)
    sizes = {
        "holdem.size.least": low,
        "holdem.size.half": bet + (hand.pot + owed) // 2,
        "holdem.size.pot": bet + hand.pot + owed,
        "holdem.size.most": high,
    }
    presets = [(key, min(high, max(low, amount))) for key, amount in sizes.items()]
    return {"action": "r", "label": ("holdem.do.raise_to", {}), "key": "r", "amount": {"low": low, "high": high},
            "presets": presets}  # fmt: skip


def hand_view(hand: Hand, position: int, open_: bool) -> dict[str, Any]:
    """A player's place in a hand: chips, bet, and the cards as far as they are open."""
    gone = hand.folded[position]
    shown = hand.over and hand.folded.count(False) > 1 and not gone
    cards: Sequence[Card | None] = hand.hole(position) if open_ or shown else ()
    if not cards:
        cards = () if gone else (None,) * hand.game.hole_cards
    behind = hand.behind[position]
    status = "folded" if gone else "allin" if behind == 0 and not hand.over else ""
    out: dict[str, Any] = {
        "hands": [{"cards": [None if k is None else str(k) for k in cards]}],
        "chips": None if behind > UNLIMITED // 2 else behind,
        "bet": hand.spent[position],
        "status": status,
        "position": position,
    }
    if shown and len(hand.board) >= 3:
        from mazzo.holdem.showdown import describe, evaluate_one

        out["hands"][0]["label"] = ("text", {"text": describe(evaluate_one([*hand.hole(position), *hand.board]))})
    if hand.over and hand._decided:
        out["result"] = hand.payoffs[position]
    return out


def acted(hand: Hand, name: str, action: int, owed: int) -> Say:
    """An action as a sentence."""
    if action == c.FOLD:
        return "holdem.folds", {"name": name}
    if action == c.CALL:
        return ("holdem.calls", {"name": name, "amount": owed}) if owed else ("holdem.checks", {"name": name})
    if hand.game.limit:
        return "holdem.raises", {"name": name}
    return "holdem.raises_to", {"name": name, "amount": action}


def ended(hand: Hand, names: Sequence[str]) -> list[Say]:
    """Who showed what, and who won."""
    said: list[Say] = []
    if hand.folded.count(False) > 1 and len(hand.board) == sum(hand.game.board_cards):
        from mazzo.holdem.showdown import describe, evaluate_one

        for position, gone in enumerate(hand.folded):
            cards = hand.hole(position)
            if not gone and cards:
                made = describe(evaluate_one([*cards, *hand.board]))
                text = " ".join(map(str, cards))
                said.append(("holdem.shows", {"name": names[position], "cards": text, "made": made}))
    if hand._decided:
        for name, net in zip(names, hand.payoffs, strict=True):
            if net > 0:
                said.append(("wins", {"name": name, "amount": net}))
    return said


def asked(seen: Observations) -> Question:
    """A decision to ask advisers about."""

    def question(adviser: str, played: str | None = None) -> Advice:
        if adviser == ODDS:
            return by_odds(seen, played)
        agent = create(adviser, AGENTS)
        reason = agent.refuses(seen.game)
        if reason:
            raise IllegalError(f"{adviser} cannot advise here: {reason}")
        return weigh(seen, agent.explain(seen), played)

    return question


def known_line(hand: Hand, position: int | None) -> str:
    """A finished hand as a line with the cards one position (or nobody in particular) has seen."""
    fields = hand.text(viewer=-1 if position is None else position).split(":")
    return ":".join(["STATE", fields[2], fields[3], fields[4]])
