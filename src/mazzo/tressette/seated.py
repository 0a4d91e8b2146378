"""Tressette at a table of people and agents: a match with declarations and a monte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import fields, replace
from functools import partial
from typing import Any, Self

import numpy as np

from mazzo.agent import Explanation, Option, create
from mazzo.cards import ITALIAN, Card
from mazzo.errors import IllegalError, UnreadableError
from mazzo.rng import fork
from mazzo.sealed import SealedDecks
from mazzo.seated import NEXT, Advice, Field, MakeAgent, Question, Say, SeatedGame, View, Wishes, read_fields
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.agents.paired import mistake_of
from mazzo.tressette.assistant import known, read_card
from mazzo.tressette.game import Game
from mazzo.tressette.kernels import SIGNALS
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import DECLARATIONS, PRESETS, TARGETS, Rules
from mazzo.tressette.rules import rules as find_rules
from mazzo.tressette.spoken import why_differ
from mazzo.tressette.table import action_text

__all__ = [
    "ADVISERS",
    "FIELDS",
    "OPEN",
    "TressetteTable",
    "asked",
    "declared_words",
    "options_of",
    "round_seats",
    "rules_of",
]

ADVISERS = ("search", "search:seconds=1", "sampler", "decision-improved", "decision", "belief-improved", "policy")
OPEN = "open hands"
"""The adviser of replays that sees all four hands: what perfect play of all would be."""

_AS_RULES = "as the rules"
_SWITCH = (_AS_RULES, "true", "false")
FIELDS = (
    Field("rules", "tressette", choices=tuple(PRESETS)),
    Field("target", _AS_RULES, choices=(_AS_RULES, *map(str, TARGETS))),
    *(Field(name, _AS_RULES, choices=_SWITCH, advanced=name not in ("a_monte", "talk"))
      for name in ("a_monte", "talk", "named", "coda", "out_at_once", "cappotto", "stramazzo")),
    Field("declarations", _AS_RULES, choices=(_AS_RULES, *DECLARATIONS), advanced=True),
    Field("signals", _AS_RULES, high=40, advanced=True),
)  # fmt: skip
"""What can be chosen beside the seats: a preset of the rules, and any of them changed."""

LEAST_SEATS = MOST_SEATS = 4
_MONTE, _PLAY = "monte", "play"
_YES, _NO = ("y", "yes", "s", "si"), ("n", "no")


def rules_of(chosen: Mapping[str, Any]) -> Rules:
    """The rules that `FIELDS` were filled in with; switches may be true and false, as in tables of earlier versions."""
    given = {f.name: str(chosen[f.name]) for f in FIELDS[1:] if f.name in chosen}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value != _AS_RULES}
    read = {"true": True, "false": False}
    return find_rules(
        str(chosen.get("rules", "tressette")),
        **{name: int(value) if name == "target" else read.get(value, value) for name, value in changes.items()},
    )


def options_of(name: str) -> dict[str, str]:
    """The fields that give the rules of a name, text or file."""
    found = find_rules(name)
    preset = "tressette-a-perdere" if found.a_perdere else "tressette"
    usual, known = PRESETS[preset], {f.name for f in FIELDS}
    changed = {
        f.name: getattr(found, f.name) for f in fields(Rules) if getattr(found, f.name) != getattr(usual, f.name)
    }
    if lost := sorted(changed.keys() - known):
        raise UnreadableError(f"{lost[0]} cannot be chosen at a table")
    return {"rules": preset} | {key: str(value).lower() for key, value in changed.items()}


def _as_text(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of earlier versions, whose switches were true and false."""
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}


class TressetteTable(SeatedGame):
    """A match that people sit at. South and north play together against east and west."""

    deck = "italian"
    advisers = ADVISERS
    typing = "tressette.typing"

    def __init__(
        self,
        seats: Sequence[str],
        options: Mapping[str, Any],
        seed: int,
        make: MakeAgent | None = None,
        secret: bytes | None = None,
    ) -> None:
        super().__init__(seats)
        if len(seats) != LEAST_SEATS:
            raise IllegalError(f"tressette needs four seats, got {len(seats)}")
        self.game = Game(rules_of(read_fields(FIELDS, _as_text(options))), seed)
        self.decks = SealedDecks(secret, list(map(str, ITALIAN))) if secret else None
        self.agents = self.make_agents(make or partial(create, catalogue=AGENTS))
        self.playing = list(self.agents.values())
        self._thrown_in = False
        self._last: Round | None = None
        pairs = [" and ".join(self.names[side::2]) for side in (0, 1)]
        losing = ".losing" if self.game.rules.a_perdere else ""
        self.say(f"tressette.pairs{losing}", ours=pairs[0], theirs=pairs[1], target=self.game.rules.target)
        self._deal()

    def _deal(self) -> None:
        hands = None
        if self.decks is not None:
            order = self.decks.deck(self.game.deals).order
            hands = [order[10 * seat : 10 * seat + 10] for seat in range(4)]
        self.round = self.game.deal(hands)
        self.say("tressette.dealt", number=self.game.deals, name=self.names[self.round.leader])
        self._asked = [seat for seat in range(4) if self.game.may_void(self.round, seat)]
        self._thrown_in = False
        if not self._asked:
            self._declare()

    def _declare(self) -> None:
        """Say what is declared; where that is done after the first trick, nothing before it."""
        for seat in range(4):
            if self.round.declarations(seat):
                self.say("tressette.declares", name=self.names[seat], what=declared_words(self.round, seat))

    @property
    def number(self) -> int:
        """Deals so far."""
        return self.game.deals

    @property
    def seat(self) -> int | None:
        """Who is to act: first whoever may send the deal a monte."""
        if self._asked:
            return self._asked[0]
        return None if self._thrown_in or self.over else self.round.turn

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
        table, seat = self.round, self.round.turn or 0
        table.act(action)
        signal = action.partition(":")[2]
        key = "tressette.plays_saying" if signal else "tressette.plays"
        self.say(key, name=self.names[seat], card=str(table.plays[-1][1]), signal=signal)
        if not table.table and table.taker is not None:
            self.say("tressette.takes", name=self.names[table.taker])
            if len(table.plays) == 4 and self.game.rules.declarations == "after":
                self._declare()
        if table.over or self.game.is_out(table):
            self._score(table)

    def _score(self, table: Round) -> None:
        score = self.game.score(table)
        self._last = table if table.over else self._last
        totals = {"points": _versus(score.cards), "declared": _versus(score.declarations)}
        self.say("tressette.scored", **totals, match=_versus(self.game.scores))
        if score.outright:
            self.say("tressette.outright", what=score.outright, stakes=self.game.stakes)
        if self.game.winner is not None:
            pair = (self.names[self.game.winner], self.names[self.game.winner + 2])
            self.say("tressette.won", first=pair[0], second=pair[1])

    def read(self, line: str, seat: int) -> str:
        """A card (`3d`, `3d busso`), its number, a suit of which one card is legal; `y` or `n` to a monte."""
        typed = line.strip().lower()
        if self._asked:
            return {**dict.fromkeys(_YES, _MONTE), **dict.fromkeys(_NO, _PLAY)}.get(typed) or super().read(line, seat)
        card, _, signal = typed.replace(":", " ").rpartition(" ")
        if signal not in SIGNALS[1:]:  # `re di coppe` has spaces of its own
            card, signal = f"{card} {signal}".strip(), ""
        chosen = read_card(card, self.round.legal.cards)
        return f"{chosen}:{signal}" if signal else str(chosen)

    def wishes(self) -> Wishes:
        """What is known of the hidden cards; what the own cards of the round before have cost."""
        return {
            "k": ("tressette.known", self._known),
            "know": ("tressette.known", self._known),
            "review": ("tressette.review", self._review),
        }

    def _review(self, seat: int) -> list[Say]:
        if self._last is None:
            raise IllegalError("no round is over yet: a review is of a finished round")
        from mazzo.tressette.review import review_round

        return [("text", {"text": line}) for line in str(review_round(self._last, seat)).splitlines()]

    def why_differ(self, first: tuple[str, Advice], other: tuple[str, Advice]) -> str:
        """By how much the first adviser sees the other's card behind, and what moves the other."""
        return why_differ(first[0], first[1].explanation, other[0], other[1].explanation)

    def _known(self, seat: int) -> list[Say]:
        found = known(self.round.view(seat))
        return [("text", {"text": line}) for line in found] or [("tressette.nothing_known", {})]

    def agent_action(self) -> str:
        """What the agent to act does; agents throw in what they may."""
        seat = self.seat
        if seat is None or seat not in self.agents:
            raise IllegalError("it is not an agent's turn")
        if self._asked:
            return _MONTE
        return action_text(int(self.agents[seat].decide(self.round.observe())[0]))

    def observed(self) -> Observations | None:
        """What the seat to act sees; no agent is asked whether a deal is thrown in."""
        return None if self._asked else self.round.observe()

    def question(self) -> Question:
        """The decision of the seat to act."""
        if self._asked or self.seat is None:
            raise IllegalError("no adviser weighs this")
        return asked(self.round.observe(self.seat))

    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The finished round, every card of which has been played."""
        return {"round": str(self.round), "names": list(self.names)} if self.round.over else None

    def redealt(self, viewer: int, seed: int) -> Self:
        """A copy whose round is dealt anew as far as a seat may not know it."""
        other = copy(self)
        other.round = self.round.redealt(viewer, seed)
        return other

    def winners(self) -> Sequence[int]:
        """The pair that has won the match."""
        return () if self.game.winner is None else (self.game.winner, self.game.winner + 2)

    def open_view(self) -> View:
        """The table with all four hands open."""
        return self._view(None, set(range(4)))

    def view(self, viewer: int | None) -> View:
        """The table as a seat sees it."""
        return self._view(viewer, {viewer} if viewer is not None else set())

    def _view(self, viewer: int | None, open_: set[int]) -> View:
        turn = self.seat
        hidden_turn = bool(self._asked) and turn != viewer  # that somebody may throw in says what he holds
        seats = round_seats(self.round, self.names, open_, not self._asked)
        for seat, shown in enumerate(seats):
            shown |= self.identity(seat, viewer)
        ours, theirs = self.game.scores
        facts = [
            ("tressette.match", f"{ours}-{theirs}"),
            ("tressette.target", self.game.rules.target),
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
        legal = self.round.legal
        out: list[dict[str, Any]] = [{"action": str(card), "card": str(card)} for card in legal.cards]
        if self.round.rules.talk and not self.round.table:
            for choice in out:
                choice["signals"] = [signal for signal in SIGNALS[1:] if legal.number(f"{choice['card']}:{signal}")]
        return out


def declared_words(table: Round, seat: int) -> list[Say]:
    """What a seat declared, each declaration as words."""
    said: list[Say] = []
    for declaration in table.declarations(seat).split(", "):
        kind, *about = declaration.replace(" without ", " ").split()
        ranks: dict[str, Say] = {"rank": (f"ranks.italian.{about[0]}", {})} if kind != "napoli" else {}
        suits: dict[str, Say] = {"suit": (f"suit.italian.{about[-1]}", {})} if about and kind != "corona" else {}
        said.append((f"tressette.{kind}{'.of' if kind == 'napoli' and suits else ''}", {**ranks, **suits}))
    return said


def _versus(points: tuple[int, int]) -> str:
    return f"{points[0]}-{points[1]}"


def round_seats(table: Round, names: Sequence[str], open_: set[int], declared: bool = True) -> list[dict[str, Any]]:
    """The four seats of a round, with the hands of those in `open_`."""
    on_table = dict(table.table if table.table or not table.plays else table.plays[-4:])
    seats = []
    for seat, name in enumerate(names):
        hand: Sequence[Card] = sorted(table.hand(seat))
        cards: list[str | None] = [str(k) for k in hand] if seat in open_ else [None] * len(hand)
        badges = ["leads"] if not table.table and seat == table.turn else []
        place: dict[str, Any] = {"name": name, "place": SEATS[seat], "hands": [{"cards": cards}], "badges": badges}
        place["side"] = seat % 2
        if seat in on_table:
            place["played"] = str(on_table[seat])
            place["old"] = not table.table
        if declared and table.declarations(seat):
            place["note"] = ("tressette.declared", {"what": declared_words(table, seat)})
        if not table.table and seat == table.taker:
            place["status"] = "took"
        seats.append(place)
    return seats


def asked(seen: Observations, all_hands: str = "") -> Question:
    """A decision to ask advisers about; their chance is the same at the table and in a replay.

    Args:
        seen: What the seat to act sees.
        all_hands: The round's text in a replay, for the adviser that sees all hands; a table never gives it.
    """
    chance = fork(np.uint64(0), int(seen.count[0]))
    seen = replace(seen, rng_key=np.array([chance], np.uint64))
    return partial(_advice, seen, all_hands)


def _advice(seen: Observations, all_hands: str, adviser: str, played: str | None = None) -> Advice:
    explanation = _open_hands(all_hands) if adviser == OPEN else create(adviser, AGENTS).explain(seen)
    worth = {o.action: float(o.value) for o in explanation.options if o.value is not None}
    errors = {o.action: float(o.standard_error) for o in explanation.options if o.standard_error is not None}
    paired = [o for o in explanation.options if o.behind_error is not None]
    mistakes = {o.action: mistake_of(o, explanation.unit) for o in paired}
    behind = {o.action: float(o.behind_error or 0.0) for o in paired}
    card = (played or "").partition(":")[0]
    if played is not None and card in worth:  # a signal costs nothing: it is worth what its card is
        worth[played] = worth[card]
        errors |= {played: errors[card]} if card in errors else {}
        behind |= {played: behind[card]} if card in behind else {}
        mistakes |= {played: mistakes[card]} if card in mistakes else {}
    weighed = len(worth) >= len(explanation.options)
    return Advice(
        explanation,
        worth if weighed else {},
        {"points": "unit.points", "% of the match": "unit.match"}.get(explanation.unit, "unit.utility"),
        standard_error=max(errors.values(), default=0.0),
        errors=errors if weighed else {},
        difference_errors=behind,
        mistakes={action: name for action, name in mistakes.items() if name} if paired else None,
    )


def _open_hands(text: str) -> Explanation:
    """What every legal card is worth with all hands open and everyone playing perfectly."""
    if not text:
        raise IllegalError("with open hands only finished rounds are advised: the cards of the others are hidden here")
    from mazzo.tressette.solver.values import solve

    table = Round.parse(text)
    if table.rules.a_perdere:
        raise IllegalError("a perdere is not solved with open hands")
    solved = solve(table)
    most = max(solved.thirds.values())
    best = min(card for card, value in solved.thirds.items() if value == most)
    options = [Option(str(card), value / 3) for card, value in solved.thirds.items()]
    options.sort(key=lambda option: -(option.value or 0.0))
    reason = f"{most / 3:.2f} points from here on with open hands and perfect play"
    return Explanation(str(best), reason, options, unit="points")
