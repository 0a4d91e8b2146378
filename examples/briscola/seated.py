"""Briscola at a table of people and agents: deal after deal, with a running score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Self

from mazzo.agent import create
from mazzo.errors import IllegalError
from mazzo.seated import NEXT, Advice, Field, MakeAgent, Question, Say, SeatedGame, View, read_fields

from .agents import AGENTS
from .observation import Observations
from .round import Round
from .rules import Rules

__all__ = ["ADVISERS", "FIELDS", "BriscolaTable", "asked", "said_of", "shown"]

ADVISERS = ("greedy",)
FIELDS = (Field("hand", 3, low=1, high=10, advanced=True),)
"""What can be chosen beside the seats."""
LEAST_SEATS = MOST_SEATS = 2


class BriscolaTable(SeatedGame):
    """Two players; who takes more than 60 of the 120 points wins the deal."""

    deck = "italian"
    advisers = ADVISERS

    def __init__(
        self, seats: Sequence[str], options: Mapping[str, Any], seed: int, make: MakeAgent | None = None
    ) -> None:
        super().__init__(seats)
        if len(seats) != MOST_SEATS:
            raise IllegalError(f"this is briscola for two, not for {len(seats)}")
        self.rules, self.seed, self.deals = Rules(**read_fields(FIELDS, options)), seed, 0
        self.agents = self.make_agents(make or partial(create, catalogue=AGENTS))
        self.playing = list(self.agents.values())
        self.score = [0, 0]
        self._deal()

    def _deal(self) -> None:
        self.round = Round(self.rules, seed=self.seed, number=self.deals)
        self.deals += 1
        self.say("briscola.dealt", number=self.deals, card=str(self.round.trump), name=self.names[0])

    @property
    def number(self) -> int:
        """Deals so far."""
        return self.deals

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.round.turn

    @property
    def over(self) -> bool:
        """Never: there is always another deal."""
        return False

    def act(self, action: str) -> None:
        """A card, or the next deal."""
        if action == NEXT:
            if not self.round.over:
                raise IllegalError("there is no next hand yet")
            self._deal()
            return
        self.round.act(action)
        self.log.extend(said_of(self.round, self.names))
        if self.round.over:
            self.score = [mine + theirs for mine, theirs in zip(self.score, self.round.points, strict=True)]

    def agent_action(self) -> str:
        """What the agent to act plays."""
        if self.seat is None or self.seat not in self.agents:
            raise IllegalError("it is not an agent's turn")
        return self.round.action_text(int(self.agents[self.seat].decide(self.round.observe())[0]))

    def question(self) -> Question:
        """The decision of the seat to act."""
        return asked(self.round.observe())

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished round: every card has been played, but when the other drew them stays unknown."""
        return {"round": self.round.seen(viewer).text(), "names": list(self.names)} if self.round.over else None

    def redealt(self, viewer: int, seed: int) -> Self:
        """A copy whose round is dealt anew as far as a seat may not know it."""
        other = copy(self)
        other.round = self.round.redealt(viewer, seed)
        return other

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it."""
        view = shown(self.round, self.names, {viewer})
        for seat, place in enumerate(view["seats"]):
            place["kind"] = "you" if seat == viewer else "agent" if seat in self.agents else "person"
        mine = viewer is not None and viewer == self.seat
        cards = [{"action": card, "card": card} for card in self.round.legal.by_text] if mine else []
        facts = [*view["facts"], ("briscola.score", f"{self.score[0]}-{self.score[1]}")]
        return {**view, "you": viewer, "choices": cards, "facts": facts, "over": self.over}


def shown(table: Round, names: Sequence[str], open_: set[int | None]) -> View:
    """A round as it lies on the table, with the hands of those in `open_`."""
    last = dict(table.plays[-1:] if table.lead else table.plays[-2:])
    seats: list[dict[str, Any]] = []
    for seat, name in enumerate(names):
        cards = [str(card) if card is not None and seat in open_ else None for card in table.hand(seat)]
        place: dict[str, Any] = {
            "name": name,
            "kind": "person",
            "hands": [{"cards": cards}],
            "badges": [],
            "side": seat,
        }
        if seat in last:
            place |= {"played": str(last[seat]), "old": table.lead is None}
        seats.append(place)
    return {
        "deck": "italian",
        "seats": seats,
        "you": None,
        "turn": table.turn,
        "centre": {"cards": [str(table.trump)], "places": 1},
        "facts": [("briscola.points", f"{table.points[0]}-{table.points[1]}"), ("briscola.stock", table.stock)],
        "choices": [],
        "hand_over": table.over,
        "over": table.over,
    }


def said_of(table: Round, names: Sequence[str]) -> list[Say]:
    """The last card played, who took the trick, and how the round ended."""
    seat, card = table.plays[-1]
    said: list[Say] = [("briscola.plays", {"name": names[seat], "card": str(card)})]
    if table.lead is None and table.turn is not None:
        said.append(("briscola.takes", {"name": names[table.turn]}))
    if table.over:
        said.append(("briscola.scored", {"points": f"{table.points[0]}-{table.points[1]}"}))
    return said


def asked(seen: Observations) -> Question:
    """A decision to ask advisers about."""
    return partial(_advice, seen)


def _advice(seen: Observations, adviser: str, played: str | None = None) -> Advice:
    explanation = create(adviser, AGENTS).explain(seen)
    worth = {option.action: option.value for option in explanation.options if option.value is not None}
    return Advice(explanation, worth, "unit.points")
