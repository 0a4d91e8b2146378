"""Tressette at a table of people and agents: a match with declarations and a monte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazzo.agent import create
from mazzo.cards import Card
from mazzo.errors import IllegalError
from mazzo.luck import fork, stream
from mazzo.seated import NEXT, Advice, Field, Question, SeatedGame, View, person_name, read_fields
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.agents.choosing import action_text
from mazzo.tressette.game import TARGETS, Game
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import SEATS, Round

__all__ = ["ADVISERS", "FIELDS", "TressetteTable", "asked", "round_seats"]

ADVISERS = tuple(name for name in ("sampler", "decision-improved", "decision", "belief-improved") if name in AGENTS)

FIELDS = (
    Field("target", 31, choices=tuple(map(str, TARGETS))),
    Field("a_monte", True),
    Field("talk", False),
    Field("named", False, advanced=True),
)
"""What can be chosen beside the seats."""

LEAST_SEATS = MOST_SEATS = 4
_MONTE, _PLAY = "monte", "play"


class TressetteTable(SeatedGame):
    """A match that people sit at. South and north play together against east and west."""

    deck = "italian"
    advisers = ADVISERS

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any], seed: int) -> None:
        super().__init__(seats)
        if len(seats) != LEAST_SEATS:
            raise IllegalError(f"tressette has four seats, not {len(seats)}")
        chosen = read_fields(FIELDS, options)
        self.game = Game(seed, chosen["target"], chosen["named"], chosen["a_monte"], chosen["talk"])
        self.agents = {s: create(name, AGENTS) for s, name in enumerate(self.seats) if person_name(name) is None}
        self.playing = list(self.agents.values())
        self._thrown_in = False
        self._deal()

    def _deal(self) -> None:
        self.round = self.game.deal()
        self.say("tressette.dealt", number=self.game.deals, name=self.names[self.round.leader])
        self._asked = [seat for seat in range(4) if self.game.may_void(self.round, seat)]
        self._thrown_in = False
        if not self._asked:
            self._declare()

    def _declare(self) -> None:
        for seat in range(4):
            if self.round.declarations(seat):
                self.say("tressette.declares", name=self.names[seat], what=self.round.declarations(seat))

    @property
    def number(self) -> int:
        """Deals so far."""
        return self.game.deals

    @property
    def seat(self) -> int | None:
        """Who is to act: first whoever may send the deal a monte."""
        if self._asked:
            return self._asked[0]
        return None if self.round.finished or self._thrown_in else self.round.turn

    @property
    def over(self) -> bool:
        """Whether a side has won the match."""
        return self.game.winner is not None

    def act(self, action: str) -> None:
        """A card (`3d`, `3d:busso`), `monte` or `play` where a hand may be thrown in, or the next deal."""
        if action == NEXT:
            self._deal()
        elif self._asked:
            self._answer(action)
        else:
            self._play(action)

    def _answer(self, action: str) -> None:
        if action not in (_MONTE, _PLAY):
            raise IllegalError("first say whether the deal is thrown in (monte) or played (play)")
        seat = self._asked.pop(0)
        if action == _MONTE:
            self._asked, self._thrown_in = [], True
            self.say("tressette.a_monte", name=self.names[seat])
        elif not self._asked:
            self._declare()

    def _play(self, action: str) -> None:
        table, seat = self.round, self.round.turn
        table.act(action)
        signal = action.partition(":")[2]
        key = "tressette.plays_saying" if signal else "tressette.plays"
        self.say(key, name=self.names[seat], card=str(table.plays[-1][1]), signal=signal)
        if not table.table:
            self.say("tressette.takes", name=self.names[table.turn])
        if table.finished:
            score = self.game.score(table)
            self.say("tressette.scored", cards=_versus(score.cards), declared=_versus(score.declarations),
                     match=_versus(self.game.scores))  # fmt: skip
            if self.game.winner is not None:
                pair = (self.names[self.game.winner], self.names[self.game.winner + 2])
                self.say("tressette.won", first=pair[0], second=pair[1])

    def agent_action(self) -> str:
        """What the agent to act does; agents throw in what they may."""
        seat = self.seat
        if seat is None or seat not in self.agents:
            raise IllegalError("it is not an agent's turn")
        if self._asked:
            return _MONTE
        key = int(fork(stream(self.game.seed, "luck"), self.game.deals))
        return action_text(int(self.agents[seat].decide(self.round.observe(seat, key))[0]))

    def question(self) -> Question:
        """The decision of the seat to act."""
        if self._asked or self.seat is None:
            raise IllegalError("no adviser weighs this")
        return asked(self.round.observe(self.seat))

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished round, every card of which has been played."""
        return {"round": str(self.round), "names": list(self.names)} if self.round.finished else None

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it."""
        turn = self.seat
        hidden_turn = bool(self._asked) and turn != viewer  # that somebody may throw in says what he holds
        seats = round_seats(self.round, self.names, {viewer} if viewer is not None else set(), not self._asked)
        for seat, shown in enumerate(seats):
            shown["kind"] = "you" if seat == viewer else "agent" if seat in self.agents else "person"
        ours, theirs = self.game.scores
        facts = [
            ("tressette.match", f"{ours}-{theirs}"),
            ("tressette.target", self.game.target),
            ("tressette.round", f"{self.round.thirds[0] / 3:.1f}-{self.round.thirds[1] / 3:.1f}"),
            ("tressette.trick", self.round.trick),
        ]
        return {
            "deck": self.deck,
            "seats": seats,
            "you": viewer,
            "turn": None if hidden_turn else turn,
            "centre": {"cards": [], "places": 0},
            "facts": facts,
            "choices": self._choices(viewer),
            "hand_over": self.seat is None,
            "over": self.over,
        }

    def _choices(self, viewer: int | None) -> list[dict[str, Any]]:
        if viewer is None or viewer != self.seat:
            return []
        if self._asked:
            return [
                {"action": _PLAY, "label": ("tressette.do.play", {}), "key": "p"},
                {"action": _MONTE, "label": ("tressette.do.monte", {}), "key": "m"},
            ]
        out = [{"action": str(card), "card": str(card)} for card in self.round.legal]
        if self.round.talk and not self.round.table:
            for choice in out:
                choice["signals"] = self._signals(choice["card"])  # type: ignore[assignment]  # one key holds a list
        return out

    def _signals(self, card: str) -> list[str]:
        held = [k for k in self.round.hand(self.round.turn) if str(k) != card and str(k)[-1] == card[-1]]
        return ["busso", "striscio"] if held else ["volo"]


def _versus(points: tuple[int, int]) -> str:
    return f"{points[0]}-{points[1]}"


def round_seats(table: Round, names: Sequence[str], open_: set[int], declared: bool = True) -> list[dict[str, Any]]:
    """The four seats of a round, with the hands of those in `open_`."""
    on_table = dict(table.table if table.table or not table.plays else table.plays[-4:])
    seats = []
    for seat, name in enumerate(names):
        hand: Sequence[Card] = sorted(table.hand(seat))
        cards: list[str | None] = [str(k) for k in hand] if seat in open_ else [None] * len(hand)
        badges = ["leads"] if not table.finished and not table.table and seat == table.turn else []
        place: dict[str, Any] = {"name": name, "place": SEATS[seat], "hands": [{"cards": cards}], "badges": badges}
        place["side"] = seat % 2
        if seat in on_table:
            place["played"] = str(on_table[seat])
            place["old"] = not table.table
        if declared and table.declarations(seat):
            place["note"] = ("tressette.declared", {"what": table.declarations(seat)})
        if not table.table and table.plays and seat == table.turn:
            place["status"] = "took"
        seats.append(place)
    return seats


def asked(seen: Observations) -> Question:
    """A decision to ask advisers about."""

    def question(adviser: str, played: str | None = None) -> Advice:
        explanation = create(adviser, AGENTS).explain(seen)
        worth = {o.action: float(o.value) for o in explanation.options if o.value is not None}
        if played is not None and ":" in played and played.partition(":")[0] in worth:
            worth[played] = worth[played.partition(":")[0]]
        unit = "unit.points" if explanation.unit == "points" else "unit.utility"
        return Advice(explanation, worth if len(worth) >= len(explanation.options) else {}, unit)

    return question
