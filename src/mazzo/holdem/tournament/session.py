"""One table of people and agents, hand after hand, cash or tournament: cards, chips, blinds, who is out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mazzo.agent import Agent, create
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.table import Table, deal_cards, hand_keys
from mazzo.holdem.tournament.book import buttons, close_rows, end_rows, open_rows
from mazzo.holdem.tournament.format import TournamentFormat
from mazzo.names import is_person
from mazzo.rng import stream
from mazzo.sealed import SealedDecks
from mazzo.seated import EDITION, NEXT, MakeAgent

__all__ = ["Session", "Setting", "old_table"]

_OLD_VERSION = 1
_MOST_HANDS = 10**6
_KEPT_HANDS = 2


@dataclass(frozen=True)
class Setting:
    """What a session plays."""

    seats: tuple[str, ...]
    """Agents by name; `me` or `me:NAME` is a person."""
    mode: str = "cash"
    """cash: who is broke buys in again; tournament: who is broke is out."""
    chips: int = 1000
    levels: tuple[tuple[int, int], ...] = ((5, 10),)
    level_hands: int = 100
    hand_limit: int = 1000
    """Tournaments only."""
    seed: int = 0
    limit: bool = False
    min_raise_is_blind: bool = False
    edition: int = EDITION
    """Of the rules, see `TournamentFormat`; a file that does not say is of the first."""

    def __post_init__(self) -> None:
        if self.mode not in ("cash", "tournament"):
            raise UnreadableError(f"mode must be cash or tournament, got {self.mode!r}")

    @property
    def form(self) -> TournamentFormat:
        """Chips, blinds and limits."""
        return TournamentFormat(
            len(self.seats),
            self.chips,
            self.levels,
            self.level_hands,
            self.hand_limit,
            self.limit,
            self.min_raise_is_blind,
            self.edition,
        )


@dataclass
class Account:
    """A player's account over a session."""

    name: str
    hands: int = 0
    won: int = 0
    """Chips won or lost in all."""
    bought: int = 0
    """Chips bought after the first."""


class Session:
    """A table that goes from hand to hand. `hand` is the one being played; `seat` is who is to act in it."""

    def __init__(self, setting: Setting, make: MakeAgent | None = None, decks: SealedDecks | None = None) -> None:
        self.setting, self.form, self._decks = setting, setting.form, decks
        make = make or partial(create, catalogue=AGENTS)
        agents: list[Agent[Observations] | None] = [None if is_person(name) else make(name) for name in setting.seats]
        for agent in agents:
            reason = agent.unsupported_reason(self.form.game(self.form.players)) if agent else ""
            if agent and reason:
                raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
        self.agents = agents
        self._start()

    def _start(self) -> None:
        players = self.form.players
        self.accounts = [Account(name) for name in self.setting.seats]
        self._stacks = np.full((1, players), self.form.chips, np.int64)
        self._button, self._left = np.zeros(1, np.int64), np.full(1, players, np.int64)
        self._places = np.zeros((1, players), np.int8)
        self._lot = stream(self.setting.seed, "lot")
        buttons(self._lot, 0, players, self._button)
        self.number = 0
        self.past: deque[Hand] = deque(maxlen=_KEPT_HANDS)
        self.seatings: deque[tuple[int, ...]] = deque(maxlen=_KEPT_HANDS)
        """The last finished hands, and who sat where in each."""
        self._deal()

    # ---- what can be seen

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return self.setting.seats

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips by seat as the hand began."""
        return tuple(int(k) for k in self._stacks[0])

    @property
    def over(self) -> bool:
        """True when a tournament has a winner; a cash table goes on for ever."""
        return bool(self._places[0].min() > 0)

    @property
    def places(self) -> tuple[int, ...]:
        """Finishing places by seat, 0 for those still in."""
        return tuple(int(k) for k in self._places[0])

    @property
    def seat(self) -> int | None:
        """Who is to act; None when the hand is over."""
        return None if self.hand.actor is None else self.seating[self.hand.actor]

    @property
    def button(self) -> int:
        """The seat with the button."""
        return int(self._button[0])

    @property
    def blinds(self) -> tuple[int, int]:
        """Small and big blind of this hand."""
        return self.form.levels[self.form.level(self.number)]

    # ---- what can be done

    def _deal(self) -> None:
        count = int(self._left[0])
        seating = np.zeros((1, count), np.int16)
        open_rows(self._stacks, self._button, np.zeros(1, np.int64), seating)
        game = self.form.game(count, self.form.level(self.number))
        chips = self._stacks[:, seating[0]]
        if self._decks is None:
            cards = deal_cards(game, stream(self.setting.seed, "deal"), [self.number])
        else:
            cards = np.array([self._decks.deck(self.number).order[: game.cards_dealt]], np.uint8)
        rng_key = hand_keys(stream(self.setting.seed, "luck"), [self.number])
        self.seating = tuple(int(k) for k in seating[0])
        self._table = Table(game, cards, chips, rng_key, seating)
        self.hand = Hand.of_row(self._table, 0, self.number, [self.names[k] for k in self.seating])

    def act(self, action: int) -> None:
        """Carry out an action of the player to act."""
        reason = self.hand.why_not(action)
        agent = self.agents[self.seat] if self.seat is not None else None
        free = action == c.FOLD and agent is not None and agent.folds_free
        if reason and not free:
            raise IllegalError(reason)
        if free:
            self.hand.fold_anyway()
        else:
            self.hand.act(action)

    def let_agent_act(self) -> int:
        """Ask the agent to act for its action, carry it out and give it."""
        agent = self.agents[self.seat] if self.seat is not None else None
        if agent is None:
            raise IllegalError("it is not an agent's turn")
        action = int(agent.decide(self.hand.observe())[0])
        self.act(action)
        return action

    def next_hand(self) -> None:
        """Pay the finished hand out and deal the next one; a tournament that has a winner deals no more."""
        if not self.hand.over:
            raise IllegalError(f"the hand is not over: {self.hand}")
        if self.over:
            raise IllegalError("the tournament is over")
        net = self._table.settle()
        self._tell(net)
        for position, seat in enumerate(self.seating):
            self.accounts[seat].hands += 1
            self.accounts[seat].won += int(net[0, position])
        self.past.append(self.hand)
        self.seatings.append(self.seating)
        row, seating = np.zeros(1, np.int64), self._table.seating
        if self.setting.mode == "cash":
            self._stacks[0, seating[0]] += net[0]
            for broke in np.flatnonzero(self._stacks[0] == 0):
                self._stacks[0, broke] = self.form.chips
                self.accounts[broke].bought += self.form.chips
            self._button[0] = seating[0, 0]
        else:
            close_rows(self._stacks, self._button, self._places, row, seating, net, self._lot, 0, self._left)
            if not self.over and self.number + 1 >= self.form.hand_limit:
                end_rows(self._stacks, self._places, row, self._lot, 0)
        self.number += 1
        if not self.over:
            self._deal()

    def _tell(self, net: Any) -> None:
        """Hand the finished hand to those who learn."""
        for seat in self.seating:
            agent = self.agents[seat]
            if agent is not None and agent.learns:
                agent.on_hands_finished(Finished.of(self._table, seat, net))

    def play_on(self, told: Callable[[int, int, int], None] | None = None) -> None:
        """Let agents act until a person is to act, or the hand is over. `told` hears (seat, action, owed) of each."""
        while self.seat is not None and self.agents[self.seat] is not None:
            seat, owed = self.seat, self.hand.legal.owed
            action = self.let_agent_act()
            if told is not None:
                told(seat, action, owed)


def old_table(lines: Sequence[Any], where: str) -> list[Any] | None:
    """A session as the terminal of 0.1 wrote it, in the form of `mazzo.sitting`; None for another file."""
    head = lines[0]
    if not isinstance(head, dict) or "session" not in head:
        return None
    if head["session"] != _OLD_VERSION:
        raise UnreadableError(f"{where} was written by another version of Mazzo")
    try:
        options = {
            "betting": "limit" if head["limit"] else "no-limit",
            "mode": str(head["mode"]),
            "blinds": ",".join(f"{int(small)}/{int(big)}" for small, big in head["levels"]),
            "min_raise_is_blind": bool(head["min_raise_is_blind"]),
            "edition": int(head.get("edition", 1)),
            **{name: int(head[name]) for name in ("chips", "level_hands", "hand_limit")},
        }
        out: list[Any] = [
            {"table": 1, "game": "holdem", "seats": head["seats"], "options": options, "seed": int(head["seed"])}
        ]
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UnreadableError(f"{where} is not a session of Mazzo: its first line does not describe the game") from None
    hand = 0
    for at, line in enumerate(lines[1:], 2):
        if not isinstance(line, dict) or "hand" not in line:  # written since
            out.append(line)
            continue
        try:
            number, seat, action = int(line["hand"]), int(line["seat"]), str(line["action"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise UnreadableError(f"{where}, line {at}: this action cannot have been taken: {error!r}") from None
        if not hand <= number <= hand + _MOST_HANDS - len(out):
            raise UnreadableError(f"{where}, line {at}: this action cannot have been taken: it is hand {hand}")
        out += [{"a": NEXT, "line": at}] * (number - hand)  # more than one: everybody was all in with the blinds
        out.append({"a": action, "seat": seat, "hand": number, "line": at})
        hand = number
    return out
