"""Hold'em at a table of people and agents: cash or tournament, limit or no-limit, 2 to 10 seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from typing import Any, Self

from mazzo.agent import Agent
from mazzo.cards import FRENCH
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.advising.after import decisions_after, ranges_after
from mazzo.holdem.advising.asked import ADVISERS, asked
from mazzo.holdem.advising.models import SeenFigures, TableCompany, figures_of
from mazzo.holdem.choices import SIZES, raise_choice, raise_named, why_not
from mazzo.holdem.hand import Hand
from mazzo.holdem.notation import STREETS, action_text, parse_action
from mazzo.holdem.observation import Observations
from mazzo.holdem.spoken import (
    acted,
    before_street,
    did,
    followed,
    hand_view,
    known_cards,
    known_line,
    may_muck,
    net_of,
    opens,
    pot_before,
)
from mazzo.holdem.tournament.options import setting_of
from mazzo.holdem.tournament.session import Session
from mazzo.names import is_person
from mazzo.sealed import SealedDecks
from mazzo.seated import NEXT, MakeAgent, Question, Say, SeatedGame, View, Wishes

__all__ = ["LEAST_SEATS", "MOST_SEATS", "HoldemTable"]

LEAST_SEATS, MOST_SEATS = 2, 10
_SHOW = "show:"
"""With the seat's number: a person shows cards that need not be shown, when the hand is over."""


class HoldemTable(SeatedGame):
    """A session that people sit at."""

    deck = "french"
    advisers = ADVISERS
    typing = "holdem.typing"
    past = "h"

    def __init__(
        self,
        seats: Sequence[str],
        options: Mapping[str, Any],
        seed: int,
        make: MakeAgent | None = None,
        secret: bytes | None = None,
    ) -> None:
        super().__init__(seats)
        setting = setting_of(self.seats, options, seed)
        self.decks = SealedDecks(secret, list(map(str, FRENCH))) if secret else None
        self.session = Session(setting, make, self.decks)
        self.playing = [agent for agent in self.session.agents if agent is not None]
        self._figures: dict[int, SeenFigures] = {}
        self._last: tuple[Hand, TableCompany, tuple[int, ...]] | None = None
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

    def is_out(self, seat: int) -> bool:
        """Whether a seat has lost all its chips in a tournament."""
        return bool(self.session.places[seat])

    @property
    def hand(self) -> Hand:
        """The hand being played."""
        return self.session.hand

    def _dealt(self) -> None:
        small, big = self.session.blinds
        button = self.names[self.session.button]
        self._mucked: tuple[int, ...] = may_muck(self.hand)
        self._shown: set[int] = set()
        self.did = {}
        self.say("holdem.dealt", number=self.number, button=button, small=small, big=big)

    def _name(self, position: int) -> str:
        return self.names[self.session.seating[position]]

    def _names(self) -> list[str]:
        return [self._name(p) for p in range(self.hand.game.players)]

    def act(self, action: str) -> None:
        """`f`, `c`, `r300` (the total of the hand), `show:0` (seat 0 shows a finished hand), or the next hand."""
        if action == NEXT:
            self._next()
            return
        if action.startswith(_SHOW):
            self._show(action)
            return
        hand = self.hand
        if hand.actor is None:
            raise IllegalError("the hand is over: deal the next one")
        name, street, chosen = self._name(hand.actor), hand.street, parse_action(action)
        said = acted(hand, name, chosen)
        try:
            self.session.act(chosen)
        except IllegalError:  # its text has totals in it, and the full text of a hand everybody's cards
            raise IllegalError(why_not(hand, chosen)) from None
        self._mucked = may_muck(hand)
        if hand.over:
            self._count()
        self._note(said, hand.street != street)
        self.log += [said, *followed(hand, self._names(), street, self._mucked, net_of(hand))]

    def _note(self, said: Say, new_street: bool) -> None:
        """Keep what was just done; what others did on a street that is over is forgotten, but for who has folded."""
        seat = self.names.index(said[1]["name"])
        kept = {k: v for k, v in self.did.items() if not new_street or v[0] == "holdem.did.folds"}
        self.did = {**kept, seat: did(said)}

    def _show(self, action: str) -> None:
        positions = [self.session.seating.index(seat) for seat in self._may_show() if action == f"{_SHOW}{seat}"]
        if not positions:
            raise IllegalError("cards are shown by whoever holds them, when the hand is over and they are not open yet")
        self._shown.add(positions[0])
        cards = " ".join(map(str, self.hand.hole(positions[0])))
        self.say("holdem.shows_anyway", name=self._name(positions[0]), cards=cards)

    def _may_show(self) -> list[int]:
        """The people whose cards nobody else has seen, when the hand is over."""
        hand, out = self.hand, []
        for position, seat in enumerate(self.session.seating):
            seen = position in hand.shown_down and position not in self._mucked
            if hand.over and is_person(self.seats[seat]) and not seen and position not in self._shown:
                out.append(seat)
        return out

    def may(self, seat: int, action: str) -> None:
        """Also refuses to show another one's cards."""
        if not action.startswith(_SHOW):
            super().may(seat, action)
        elif action != f"{_SHOW}{seat}" or seat not in self._may_show():
            raise IllegalError("only your own cards can be shown, when the hand is over and they are not open yet")

    def _next(self) -> None:
        self._last = self.hand, self.company(), tuple(self.session.seating)
        before, bought = self.session.places, [account.bought for account in self.session.accounts]
        self.session.next_hand()
        for name, account, had in zip(self.names, self.session.accounts, bought, strict=True):
            if account.bought > had:
                self.say("holdem.bought", name=name, amount=account.bought - had)
        for seat, place in enumerate(self.session.places):
            if place and not before[seat]:
                self.say("holdem.placed", name=self.names[seat], place=place)
        if not self.over:
            self._dealt()

    def read(self, line: str, seat: int) -> str:
        """`f`, `c` (or `k`), `r 135` (or `b 135`), and by name: `m` the least, `p` the pot, `a` all in.

        Amounts are those of this street, as they are shown: after the flop `r 135` bets 135, whatever was put in
        before. The action that comes out is the total of the hand.
        """
        typed = line.strip().lower()
        hand, raises = self.hand, self.hand.legal.raises
        kind, amount = typed[:1], typed[1:].strip()
        if kind in ("f", "c", "k") and not amount:
            return kind
        if typed not in ("m", "p", "a") and kind not in ("r", "b"):
            raise UnreadableError(f"{line[:40]!r} is nothing that can be done now")
        if not raises:
            raise IllegalError(why_not(hand, c.RAISE))
        if typed in ("m", "p", "a"):
            return f"r{raise_named(hand, typed)}"
        if hand.game.limit and not amount:
            return "r"
        if not amount.isdigit() or not amount.isascii() or len(amount) > 10:
            low, high = (total - before_street(hand._state) for total in (raises[0], raises[-1]))
            raise UnreadableError(f"{'bet' if opens(hand._state) else 'raise to'} how much? r {low} to r {high}")
        return f"r{before_street(hand._state) + int(amount)}"

    def wishes(self) -> Wishes:
        """The standings; of the hand before what the others may have held, and the own decisions priced."""
        return {
            "s": ("holdem.standings", lambda seat: self.standings()),
            "g": ("holdem.ranges", self.ranges_shown),
            "d": ("holdem.priced", self.decisions_shown),
        }

    def _past_hand(self, seat: int) -> tuple[Hand, TableCompany, int]:
        """The last finished hand, who sat there, and the seat's position in it."""
        if self._last is None or seat not in self._last[2]:
            raise IllegalError("you have played no hand yet that is over")
        hand, company, seating = self._last
        return hand, company, seating.index(seat)

    def ranges_shown(self, seat: int) -> list[Say]:
        """What each opponent may have held in the hand before, by all that he did."""
        out: list[Say] = []
        for model, chances in ranges_after(*self._past_hand(seat)):
            said = [("text", {"text": line}) for line in str(chances).splitlines()[1:]]
            out += [("holdem.held_by", {"name": model.name, "by": model.words}), *said]
        return out

    def decisions_shown(self, seat: int) -> list[Say]:
        """The own decisions in the hand before: what each play was worth, spots solved where that is possible."""
        out: list[Say] = []
        for now, played, advice in decisions_after(*self._past_hand(seat)):
            board = " ".join(map(str, now.board)) or "-"
            label = advice.labels.get(played, played)
            out.append(("holdem.decided", {"street": STREETS[now.street], "cards": board, "played": label}))
            order = sorted(advice.worth.items(), key=lambda item: -item[1])
            plays = [f"{advice.labels[a]} {value:+.2f} ± {advice.errors[a]:.2f}" for a, value in order]
            reason = advice.explanation.reason
            out += [("text", {"text": f"  {', '.join(plays)}"}), ("text", {"text": f"  {reason}"})]
        return out

    def standings(self) -> list[Say]:
        """How everybody stands, the first first."""
        places, stacks = self.session.places, self.session.stacks
        out: list[Say] = []
        for seat in sorted(range(len(places)), key=lambda s: (places[s], -stacks[s])):
            account, place = self.session.accounts[seat], places[seat]
            key = "holdem.standing" + (".out" if place else ".again" if account.bought else "")
            about = {"chips": stacks[seat], "won": f"{account.won:+d}", "hands": account.hands, "place": place}
            out.append((key, {"name": self.names[seat], "bought": account.bought, **about}))
        return out

    def agent_action(self) -> str:
        """What the agent to act does."""
        agent = self.session.agents[self.session.seat] if self.session.seat is not None else None
        if agent is None:
            raise IllegalError("it is not an agent's turn")
        return action_text(int(agent.decide(self.observed())[0]), self.hand.game.limit)

    def observed(self) -> Observations:
        """What the seat to act sees."""
        return self.hand.observe()

    def question(self) -> Question:
        """The decision of the seat to act."""
        return asked(self.hand.observe(), self.company())

    def company(self, learners: bool = True) -> TableCompany:
        """Who sits at the table in this hand, as everybody may know it: agents by name, and what all did so far.

        Agents that learn are in it as they are now, where that is wanted.
        """
        seats = self.session.seating
        names = ["" if is_person(self.seats[seat]) else self.seats[seat] for seat in seats]
        figures = [self._figures.get(seat) for seat in seats]
        playing = [self.session.agents[seat] if learners else None for seat in seats]
        live = [deepcopy(agent) if agent is not None and agent.learns else None for agent in playing]
        return TableCompany(tuple(self._names()), tuple(names), tuple(figures), tuple(live))

    def _count(self) -> None:
        """Add a finished hand to what is known of the players; at a table of agents alone nobody asks."""
        hand = self.hand
        if any(is_person(self.seats[seat]) for seat in self.session.seating):
            for position, figures in enumerate(figures_of(hand)):
                seat = self.session.seating[position]
                self._figures[seat] = self._figures.get(seat, SeenFigures()) + figures

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished hand: its game, stacks, line and result; cards that this seat has not seen are left out."""
        hand = self.hand
        if not hand.over:
            return None
        mucked = sorted(set(self._mucked) - self._shown)
        line = known_line(hand, self._position(viewer), mucked, self._shown)
        record = {"game": str(hand.game), "stacks": hand.stacks, "line": line, "names": self._names()}
        return {**record, "mucked": mucked, "net": net_of(hand), **self.company(learners=False).as_dict()}

    def opened(self, viewer: int | None) -> tuple[int, Sequence[int] | None] | None:
        """The finished hand: the places of the cards a seat has seen; once a tournament is over, all of it."""
        if self.decks is None or not self.hand.over:
            return None
        number = self.hand.number
        if self.over:
            return number, None
        mucked = sorted(set(self._mucked) - self._shown)
        known = known_cards(self.hand, self._position(viewer), mucked, self._shown)
        return number, [place for place, card in enumerate(known) if card != c.UNKNOWN]

    def _position(self, viewer: int | None) -> int | None:
        """Where a seat sits in this hand; None for who only looks on or is out."""
        return self.session.seating.index(viewer) if viewer in self.session.seating else None

    def redealt(self, viewer: int, seed: int) -> Self:
        """A copy whose hand is dealt anew as far as a seat may not know it."""
        other = copy(self)
        other.session = copy(self.session)
        other.session.hand = self.hand.redealt(self._position(viewer), seed)
        return other

    def winners(self) -> Sequence[int]:
        """Who has won a tournament that is over."""
        return [seat for seat, place in enumerate(self.session.places) if place == 1] if self.over else []

    def agent(self, seat: int) -> Agent[Any] | None:
        """The agent of a seat."""
        return self.session.agents[seat]

    def open_view(self) -> View:
        """The table with everybody's cards open, folded and mucked ones too."""
        return self._view(None, everything=True)

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it."""
        return self._view(viewer)

    def _view(self, viewer: int | None, everything: bool = False) -> View:
        session, hand = self.session, self.hand
        net = net_of(hand)
        seats: list[dict[str, Any]] = []
        for seat in range(len(self.seats)):
            shown: dict[str, Any] = {**self.identity(seat, viewer), "hands": []}
            if seat in session.seating and not (session.over and session.places[seat] > 1):
                position = session.seating.index(seat)
                open_, mucked = everything or seat == viewer or position in self._shown, position in self._mucked
                shown |= hand_view(hand, position, open_, mucked and position not in self._shown, net)
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
            "pot": pot_before(hand),
            "facts": facts,
            "choices": self._choices(viewer),
            "places": [("f", ("holdem.do.fold", {})), ("c", ("holdem.do.check", {})), self._raise_place()],
            "hand_over": hand.over,
            "over": self.over,
        }

    @property
    def forced(self) -> bool:
        """Whether who is to act can only check; found without a whole view, which is made for nobody."""
        return self.seat is not None and len(self._choices(self.seat)) == 1

    def _raise_place(self) -> tuple[Any, ...]:
        """A raise keeps its place while there is none: its key, its words and, without a limit, its sizes."""
        sizes: tuple[Any, ...] = () if self.hand.game.limit else ([(key, {}) for key in SIZES],)
        return ("r", ("holdem.do.raise", {}), *sizes)

    def _choices(self, viewer: int | None) -> list[dict[str, Any]]:
        hand = self.hand
        if viewer is not None and not self.over and viewer in self._may_show():
            return [{"action": f"{_SHOW}{viewer}", "label": ("holdem.do.show", {}), "key": "s"}]
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
            out.append(raise_choice(hand))
        return out
