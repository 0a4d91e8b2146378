"""A seated game with its file, its finished hands and the coach's account, whoever shows it: browser or terminal.

The file is a journal: first what is played (`{"table": 2, "game", "seats", "options", "seed", ...}`; at a table of
several people `{"table": 3, ...}` with the `secret` that its decks come from in place of the seed), then what was done,
in order: `{"a": action}`, `{"undo": n}` (the last n actions are taken back), `{"claim": seat, "token", "name"}` (a
person takes a seat) and `{"seat", "coach": {"cost", "agrees", "unit"}}` (a decision was judged; with `"mistake"` where
the adviser says itself what it calls one). What happened is never stored, only what was done: a table that is opened
again is played through again, so cards, chips and what agents have learned are what they were. Files of 0.1 are read
too, and continued in today's form.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mazzo.agent import Agent, create, safe_parameters, split_name
from mazzo.compact import LinesDone, PackedRecords
from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.games import Entry, find_entry
from mazzo.journal import Journal
from mazzo.names import is_person
from mazzo.seated import EDITION, NEXT, Advice, MakeAgent, SeatedGame
from mazzo.table_file import MOST_TEXT, SEALED_VERSION, VERSION, as_today, chance_of, checked, kept_lines, without

__all__ = ["JOINED", "Coach", "Sitting"]

JOINED = "table.joined"
"""The key of the line that says who sits down."""
_KEPT_HANDS = 500
"""Finished hands of each person in memory, the last ones: a long game takes no more memory."""
_DEALER = -1


@dataclass
class Coach:
    """How a person is advised, and what the mistakes came to."""

    mode: str = "hidden"
    adviser: str = ""
    decisions: int = 0
    mistakes: int = 0
    cost: float = 0.0
    unit: str = ""
    """The key of the words for the unit of the cost."""

    def note(self, cost: float | None, agrees: bool, unit: str, mistake: str | None = None) -> None:
        """Count a decision; `mistake` is what the adviser called it (empty: none), where it says so itself."""
        self.decisions += 1
        self.unit = unit
        if mistake is not None:
            self.mistakes += mistake != ""
            self.cost += (cost or 0.0) if mistake else 0.0
            return
        self.mistakes += int(cost > 1e-9 if cost is not None else not agrees)
        self.cost += cost or 0.0


class Sitting:
    """A table of one game: what is played there and what was done so far, on disk before anybody hears of it."""

    def __init__(
        self,
        name: str,
        seats: Sequence[str],
        options: Mapping[str, Any],
        seed: int | bytes,
        make: MakeAgent | None = None,
    ) -> None:
        """A table without a file, by a seed or a secret in its place; `start` and `resume` make those that are kept."""
        seating = find_entry(name).seating()
        if not seating.least <= len(seats) <= seating.most:
            most = f" to {seating.most}" * (seating.most != seating.least)
            raise UnreadableError(f"{name} has {seating.least}{most} seats, got {len(seats)}: {', '.join(seats)[:200]}")
        self.name, self.advisers = name, tuple(seating.advisers)
        self.absent = seating.absent or self.advisers[0]
        """Who plays for a person who has left."""
        self.coaches: dict[int, Coach] = {}
        self.journal: Journal | None = None
        self.header: Mapping[str, Any] = {}
        self._before = 0
        self._make: Callable[[], SeatedGame] = partial(seating.open, tuple(seats), dict(options), seed, make)
        self._begin()

    @classmethod
    def start(
        cls,
        path: Path,
        name: str,
        seats: Sequence[str],
        options: Mapping[str, Any],
        seed: int | bytes,
        make: MakeAgent | None = None,
        **more: Any,
    ) -> Sitting:
        """A new table and its file, by a seed, or by a secret in its place; `more` is kept in the file's first line."""
        options = {**options, "edition": EDITION}
        sitting = cls(name, seats, options, seed, make)
        version = SEALED_VERSION if isinstance(seed, bytes) else VERSION
        what = {"table": version, "game": name, "seats": list(seats)}
        by = {"secret": seed.hex()} if isinstance(seed, bytes) else {"seed": seed}
        sitting.header = {**what, "options": options, **by, **more}
        sitting.journal = Journal.start(path, dict(sitting.header))
        return sitting

    @classmethod
    def resume(
        cls, path: Path, trusted: Sequence[str] = (), maker: Callable[[Entry], MakeAgent] | None = None
    ) -> Sitting:
        """A table as it was, from its file, at the very decision it stopped at.

        Args:
            path: The file. It is data: a seat that names somebody's own program (`mybot.py`) is refused.
            trusted: Seats that may be programs all the same.
            maker: Makes the agents of a game in place of this rule, and refuses those that may not sit down.
        """
        lines, size = Journal.read(path)
        journal = Journal(path)
        try:
            lines, size = Journal.read(path)  # as it is now that it is ours
            sitting = cls._read(path, lines, trusted, maker)
            journal.cut(size)
        except BaseException:
            journal.close()
            raise
        sitting.journal = journal
        return sitting

    @classmethod
    def read(cls, path: Path, trusted: Sequence[str] = ()) -> Sitting:
        """A table as it was, from its file, to look at: the file stays free, and nothing is written to it."""
        return cls._read(path, Journal.read(path)[0], trusted, None)

    @classmethod
    def _read(
        cls, path: Path, lines: list[Any], trusted: Sequence[str], maker: Callable[[Entry], MakeAgent] | None
    ) -> Sitting:
        lines = as_today(lines, str(path))
        head = checked(lines[0], str(path))
        entry = find_entry(head["game"])
        make = maker(entry) if maker else _no_programs(entry, head["seats"], trusted, path)
        sitting = cls(head["game"], head["seats"], {"edition": 1, **head["options"]}, chance_of(head), make)
        sitting.header = head
        for at, line in kept_lines(lines, str(path)):
            try:
                sitting._do(line)
            except (MazzoError, KeyError, TypeError, ValueError, OverflowError) as error:
                raise UnreadableError(f"{path}, line {at}: this action cannot have been taken: {error}") from None
        return sitting

    # ---- what can be seen

    @property
    def actions(self) -> int:
        """How many actions lie between the beginning and now."""
        return len(self._by)

    @property
    def people(self) -> list[int]:
        """The seats that people sit in."""
        return [seat for seat, who in enumerate(self.game.seats) if is_person(who)]

    @property
    def agents_turn(self) -> bool:
        """Whether an agent is to act."""
        return self.game.seat is not None and self.game.seat not in self.people

    # ---- what can be done

    def _begin(self) -> None:
        self.game = self._make()
        self.records: dict[int, PackedRecords] = {}
        """The last finished hands as each person knows them."""
        self.opened: dict[int | None, dict[int, Sequence[int] | None]] = {}
        """By person (None: who looks on) and number of a sealed deck: the places that may be told of; None is all."""
        self.tokens: dict[int, str] = {}
        """The secrets with which people took seats."""
        self._done = LinesDone()
        self._by = array("b")
        """Who took each action; `_DEALER` dealt the next hand."""

    def _do(self, line: Mapping[str, Any]) -> None:
        """Carry out one line of a file, or raise and leave everything as it was."""
        if "a" in line:
            self._act(str(line["a"]), line.get("seat"), line.get("hand"))
        elif "claim" in line:
            seat, name = int(line["claim"]), str(line["name"])[:MOST_TEXT]
            if seat not in self.people:
                raise IllegalError(f"seat {seat} is not kept for a person")
            self.tokens[seat] = str(line["token"])
            self.game.rename(seat, name)
            self.game.say(JOINED, name=self.game.names[seat])
        elif "coach" in line:
            self._count(int(line["seat"]), line["coach"])
            return
        else:
            raise UnreadableError(f"a line that says nothing known: {str(line)[:80]}")
        self._done.append(line)

    def _act(self, action: str, seat: Any = None, hand: Any = None) -> None:
        before = self.game.seat
        if seat is not None and (seat, hand) != (before, self.game.number - 1):
            raise IllegalError(f"it is seat {before}'s turn in hand {self.game.number - 1}")
        self.game.act(action)
        self._by.append(_DEALER if before is None else before)
        self._open()
        if action != NEXT and self.game.seat is None:
            for person in self.people:
                record, kept = self.game.record(person), self.records.setdefault(person, PackedRecords(_KEPT_HANDS))
                if before is None:  # the hand was over already, and somebody showed his cards
                    kept.drop_last()
                if record is not None:
                    deck = {} if self.game.decks is None else {"sealed_deck": self.game.deck_number}
                    kept.append({"of": self.name, **deck, **record})

    def _open(self) -> None:
        """Keep what may be told of the sealed decks now."""
        for viewer in (None, *self.people):
            found = self.game.opened(viewer)
            if found is not None:
                told = self.opened.setdefault(viewer, {})
                told[found[0]] = found[1]
                for old in list(told)[:-_KEPT_HANDS]:
                    del told[old]

    def proof(self, viewer: int | None, number: int, whole: bool = False) -> dict[str, Any] | None:
        """What a person checks a sealed deck with (`mazzo verify-deal`); None where nothing may be told of it yet.

        Cards that were not shown stay hashes. When the game is over, the key opens all of a deck, and earlier where
        all cards of a finished hand are told anyway (`whole`).
        """
        told, decks = self.opened.get(viewer, {}), self.game.decks
        if decks is None or number not in told:
            return None
        deck, places = decks.deck(number), None if whole or self.game.over else told[number]
        of = {"deck": self.game.deck, "decks": len(decks.fresh) // len(set(decks.fresh))}
        about = {"game": self.name, "number": number, "seal": deck.seal, **of}
        return {**about, **({"key": deck.key.hex()} if places is None else {"cards": deck.opened(places)})}

    def _count(self, seat: int, judged: Mapping[str, Any]) -> None:
        cost = None if judged["cost"] is None else float(judged["cost"])
        if cost is not None and not math.isfinite(cost):
            raise UnreadableError(f"a decision cannot have cost {cost}")
        mistake = None if judged.get("mistake") is None else str(judged["mistake"])[:MOST_TEXT]
        coach = self.coaches.setdefault(seat, Coach())
        coach.note(cost, bool(judged["agrees"]), str(judged["unit"])[:MOST_TEXT], mistake)

    def _write(self, line: dict[str, Any], safe: bool = True) -> None:
        if self.journal is not None:
            self.journal.write(line, safe)

    def act(self, action: str, safe: bool = True) -> None:
        """Carry out an action of the seat to act (or deal the next hand), written down; `safe` waits for the disk."""
        self._do({"a": action})
        try:
            self._write({"a": action}, safe)
            self._before = self.journal.before if self.journal is not None else 0
        except MazzoError:
            self.forget_last()
            raise

    def sync(self) -> None:
        """Wait for the disk to have the last action; where it cannot, `forget_last` is the caller's to call."""
        if self.journal is not None:
            self.journal.sync(self._before)

    def forget_last(self) -> None:
        """The last action was not taken: the disk would not have it."""
        self._replay(list(self._done)[:-1])

    def let_agent_act(self) -> str:
        """Ask the agent to act for its action, carry it out and give it."""
        action = self.game.agent_action()
        self.act(action)
        return action

    def claim(self, seat: int, token: str, name: str) -> None:
        """A person takes a seat that was kept for one."""
        line = {"claim": seat, "token": token, "name": name}
        self._write(line)
        self._do(line)

    def judge(self, seat: int, advice: Advice, action: str) -> tuple[float | None, bool]:
        """Count a decision as an adviser sees it: what it gave away, and whether the adviser agrees."""
        cost, agrees = advice.cost(action), action == advice.explanation.action
        called = {} if advice.mistakes is None else {"mistake": advice.mistake(action)}
        line = {"seat": seat, "coach": {"cost": cost, "agrees": agrees, "unit": advice.unit, **called}}
        self._do(line)
        self._write(line, safe=False)
        return cost, agrees

    def undo(self, seat: int) -> int:
        """Take back a person's last action of this hand and all that followed; how many actions that were.

        Nothing is taken back once another person has acted since. What the coach counted stays counted.
        """
        if self.game.decks is not None and self.game.seat is None:
            raise IllegalError("the hand is over and its cards are opened: nothing can be taken back")
        back = 0
        for by in reversed(self._by):
            back += 1
            if by == seat:
                break
            if by == _DEALER:
                raise IllegalError("there is nothing of yours to take back in this hand")
            if by in self.people:
                raise IllegalError(f"{self.game.names[by]} has acted since: nothing can be taken back")
        else:
            raise IllegalError("there is nothing of yours to take back in this hand")
        self._write({"undo": back})
        self._replay(without(list(self._done), back))
        return back

    def _replay(self, lines: Iterable[Mapping[str, Any]]) -> None:
        lines = list(lines)
        self._begin()
        for line in lines:
            self._do(line)

    def close(self) -> None:
        """Let others have the file; all is on disk."""
        if self.journal is not None:
            self.journal.close()


def _no_programs(entry: Entry, seats: Sequence[str], trusted: Sequence[str], where: Path) -> MakeAgent:
    """Makes the agents of a file, which may name no program and nothing that writes files."""

    def make(name: str) -> Agent[Any]:
        if name not in trusted and not _harmless(name, entry):
            raise UnreadableError(
                f"{where} seats {name!r}, and opening a session runs no program and writes no other file; "
                f"if it is yours, say so: --seats {','.join(seats)}"
            )
        return create(name, entry.AGENTS)

    return make


def _harmless(name: str, entry: Entry) -> bool:
    """Whether an agent may be made of a name found in a file: at most it reads a model, which is data."""
    if re.search(r"\.py\b", name):
        return False
    base, given = split_name(name)
    return base not in entry.AGENTS or safe_parameters(entry.AGENTS[base]) is not None or set(given) <= {"model"}
