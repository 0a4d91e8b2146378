"""One table of people and agents, hand after hand: cash or tournament, on disk before it is acknowledged.

A session is a file of JSON lines: first what is played (with the seed of the cards), then every action in order. An
action is on disk before it counts. What happened is never stored, only what was done: a session that is opened again is
played through again, so cards, stacks and what agents have learned are what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.agent import Agent, create
from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.hand import Hand, action_text, parse_action
from mazzo.holdem.observation import Observations
from mazzo.holdem.play import Finished, known_to
from mazzo.holdem.table import Table, deal_cards, lucky
from mazzo.holdem.tournament.book import buttons, close_rows, end_rows, open_rows
from mazzo.holdem.tournament.format import Format
from mazzo.journal import Journal
from mazzo.luck import stream

__all__ = ["Session", "Setting", "is_person"]

_VERSION = 1


def is_person(name: str) -> bool:
    """Whether a seat is a person's: `me`, or `me:Anna` where there are several."""
    return name == "me" or name.startswith("me:")


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

    def __post_init__(self) -> None:
        if self.mode not in ("cash", "tournament"):
            raise UnreadableError(f"a table is cash or tournament, not {self.mode!r}")

    @property
    def form(self) -> Format:
        """Chips, blinds and limits."""
        return Format(
            len(self.seats),
            self.chips,
            self.levels,
            self.level_hands,
            self.hand_limit,
            self.limit,
            self.min_raise_is_blind,
        )

    @classmethod
    def of(cls, data: Any, where: str) -> Setting:
        """A setting from the first line of a session file."""
        try:
            if data["session"] != _VERSION:
                raise UnreadableError(f"{where} was written by another version of Mazzo")
            setting = cls(
                seats=tuple(map(str, data["seats"])),
                mode=str(data["mode"]),
                chips=int(data["chips"]),
                levels=tuple((int(a), int(b)) for a, b in data["levels"]),
                level_hands=int(data["level_hands"]),
                hand_limit=int(data["hand_limit"]),
                seed=int(data["seed"]),
                limit=bool(data["limit"]),
                min_raise_is_blind=bool(data["min_raise_is_blind"]),
            )
        except MazzoError:
            raise
        except (KeyError, TypeError, ValueError) as wrong:
            raise UnreadableError(
                f"{where} is not a session of Mazzo: its first line says not what is played"
            ) from wrong
        return setting


@dataclass
class Seat:
    """A player's account over a session."""

    name: str
    hands: int = 0
    won: int = 0
    """Chips won or lost in all."""
    bought: int = 0
    """Chips bought after the first."""
    curve: list[int] = field(default_factory=list)


class Session:
    """A table that goes from hand to hand. `hand` is the one being played; `seat` is who is to act in it."""

    def __init__(self, setting: Setting, path: Path | None = None) -> None:
        self.setting, self.form = setting, setting.form
        agents: list[Agent[Observations] | None] = [
            None if is_person(name) else create(name, AGENTS) for name in setting.seats
        ]
        for agent in agents:
            reason = agent.refuses(self.form.game(self.form.players)) if agent else ""
            if agent and reason:
                raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
        self.agents = agents
        self._journal: Journal | None = None
        self._start()
        if path is not None:
            self._journal = Journal.start(path, {"session": _VERSION, **asdict(setting)})

    def _start(self) -> None:
        players = self.form.players
        self.accounts = [Seat(name) for name in self.setting.seats]
        self._stacks = np.full((1, players), self.form.chips, np.int64)
        self._button, self._left = np.zeros(1, np.int64), np.full(1, players, np.int64)
        self._places = np.zeros((1, players), np.int8)
        self._lot = stream(self.setting.seed, "lot")
        buttons(self._lot, 0, players, self._button)
        self.number = 0
        self.past: list[Hand] = []
        self.seatings: list[tuple[int, ...]] = []
        self._deal()

    @classmethod
    def resume(cls, path: Path, trusted: Sequence[str] = ()) -> Session:
        """Open a session's file and go on at the very decision it stopped at.

        A file is data: a seat that names somebody's own program (`mybot.py`) is refused unless it is in `trusted`.
        """
        lines, size = Journal.read(path)
        setting = Setting.of(lines[0], str(path))
        for name in setting.seats:
            if name.partition(":")[0].endswith(".py") and name not in trusted:
                raise UnreadableError(
                    f"{path} seats the program {name!r}, and opening a session runs no program; "
                    f"if it is yours, say so: --seats {','.join(setting.seats)}"
                )
        session = cls(setting)
        for at, line in enumerate(lines[1:], 2):
            try:
                hand, seat, action = int(line["hand"]), int(line["seat"]), str(line["action"])
                while session.hand.over and not session.over:
                    session.next_hand()
                if (hand, seat) != (session.number, session.seat):
                    raise IllegalError(f"it is seat {session.seat}'s turn in hand {session.number}")
                session.act(parse_action(action))
            except (MazzoError, KeyError, TypeError, ValueError) as wrong:
                raise UnreadableError(f"{path}, line {at}: this action cannot have been taken: {wrong}") from None
        session._journal = Journal(path)
        session._journal.cut(size)
        return session

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
        cards = deal_cards(game, stream(self.setting.seed, "deal"), [self.number])
        luck = lucky(stream(self.setting.seed, "luck"), [self.number])
        self.seating = tuple(int(k) for k in seating[0])
        self._table = Table(game, cards, chips, luck, seating)
        self.hand = Hand.of_row(self._table, 0, self.number, [self.names[k] for k in self.seating])

    def act(self, action: int) -> None:
        """Carry out an action of the player to act. It is on disk before anything follows from it."""
        reason = self.hand.why_not(action)
        agent = self.agents[self.seat] if self.seat is not None else None
        free = action == 0 and agent is not None and agent.folds_free
        if reason and not free:
            raise IllegalError(reason)
        if self._journal is not None:
            text = action_text(action, self.hand.game.limit)
            self._journal.write({"hand": self.number, "seat": self.seat, "action": text})
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
            raise IllegalError(f"the hand is not over: {self.hand.text()}")
        if self.over:
            raise IllegalError("the tournament is over")
        net = self._table.settle()
        self._tell(net)
        for position, seat in enumerate(self.seating):
            self.accounts[seat].hands += 1
            self.accounts[seat].won += int(net[0, position])
            self.accounts[seat].curve.append(self.accounts[seat].won)
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
                table = self._table
                known = known_to(table, seat)
                agent.hand_over(Finished(table.game, seat, table.state, table.history, table.seating, known, net))

    def play_on(self, told: Callable[[int, int, int], None] | None = None) -> None:
        """Let agents act until a person is to act, or the hand is over. `told` hears (seat, action, owed) of each."""
        while self.seat is not None and self.agents[self.seat] is not None:
            seat, owed = self.seat, self.hand.legal.owed
            action = self.let_agent_act()
            if told is not None:
                told(seat, action, owed)


def people_of(seats: Sequence[str]) -> list[int]:
    """The seats that people sit in."""
    return [seat for seat, name in enumerate(seats) if is_person(name)]
