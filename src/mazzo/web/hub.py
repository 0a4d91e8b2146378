"""All tables of a server: those open, and those on disk that open when somebody comes back."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from mazzo.errors import IllegalError, UnreadableError
from mazzo.games import find_entry
from mazzo.names import is_person, person_name
from mazzo.sealed import SECRET_BYTES
from mazzo.seated import Field
from mazzo.web.allowed import Allowed
from mazzo.web.company import Manners
from mazzo.web.limits import Bucket, Limits, RefusedError
from mazzo.web.live import BY_HAND, LiveTable
from mazzo.web.menu import named
from mazzo.web.scheduler import Scheduler
from mazzo.words.texts import text

__all__ = ["Hub", "table_form"]

_ID = re.compile(r"[0-9a-f]{16}")
_NAME = re.compile(r"[^\x00-\x1f\x7f<>]{1,24}")
_IDLE = 600.0


def check_person(name: str) -> str:
    """A person's name, cleaned: no character that shows nothing or turns what is written after it around."""
    cleaned = " ".join("".join(c for c in name if c.isprintable() or c.isspace()).split())
    if not _NAME.fullmatch(cleaned):
        raise UnreadableError(text("refused.name"))
    return cleaned


def table_form(
    game: str, given: Mapping[str, str], allowed: Allowed
) -> tuple[list[str], dict[str, str], str, int | bytes]:
    """Seats, options, speed and chance from a form: `seat0`, `name0`, ..., the game's fields, `speed`, `seed`.

    A table of several people takes no seed: whoever knows it knows everybody's cards. It gets a secret.
    """
    entry = find_entry(game)
    seating = entry.seating()
    fields: dict[str, Field] = {f.name: f for f in seating.fields}
    seats: list[str] = []
    count = given.get("seats", str(seating.most))
    if not (count.isdecimal() and len(count) < 3 and seating.least <= int(count) <= seating.most):
        raise UnreadableError(text("refused.seats", {"least": seating.least, "most": seating.most, "got": count[:20]}))
    for k in range(int(count)):
        who = given.get(f"seat{k}", "")
        if who == "me":
            who = f"me:{check_person(given.get(f'name{k}', '') or text('guest', {'number': k + 1}))}"
        elif person_name(who) is not None:
            raise UnreadableError(text("refused.name"))
        else:
            who = named(k, who, given)
            allowed.check(who, entry)
        seats.append(who)
    options = {name: given[name] for name in fields if name in given}
    for name, f in fields.items():
        if isinstance(f.default, bool) and not f.choices:
            options[name] = "true" if given.get(name) in ("on", "true") else "false"
    seed = given.get("seed", "")
    if seed and not (seed.isascii() and seed.isdigit() and len(seed) <= 18):
        raise UnreadableError(text("refused.seed"))
    chance: int | bytes = int(seed) if seed else secrets.randbits(60)
    if sum(person_name(who) is not None for who in seats) > 1:
        if seed:
            raise UnreadableError(text("refused.seed_shared"))
        chance = secrets.token_bytes(SECRET_BYTES)
    return seats, options, given.get("speed", "normal"), chance


class Hub:
    """Opens, finds and closes tables."""

    def __init__(self, data: Path, limits: Limits, allowed: Allowed) -> None:
        self.folder, self.limits, self.allowed = data / "tables", limits, allowed
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.tables: dict[str, LiveTable] = {}
        self.workers = Scheduler()
        self.desk = ThreadPoolExecutor(2, thread_name_prefix="desk")
        """Opens tables and answers pages, also while agents think long."""
        self.lab = ThreadPoolExecutor(limits.matches, thread_name_prefix="lab")
        """Plays the lab's matches."""
        self.connections = 0
        self.matches = 0
        self._new = Bucket(limits.new_tables_per_minute / 60, limits.new_tables_per_minute)
        self._opening = asyncio.Lock()

    async def open(self, game: str, given: Mapping[str, str]) -> LiveTable:
        """A new table from a form."""
        if not self._new.take():
            raise RefusedError(text("refused.too_many_new"))
        await self._make_room()
        if sum(1 for _ in self.folder.glob("*.jsonl")) >= self.limits.kept_tables:
            raise RefusedError(text("refused.kept", {"most": self.limits.kept_tables, "folder": self.folder.name}))
        seats, options, speed, chance = table_form(game, given, self.allowed)
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(
            self.desk,
            LiveTable.open,
            self.folder,
            game,
            seats,
            options,
            speed,
            chance,
            self.limits,
            self.workers,
            self.allowed.maker(find_entry(game)),
            Manners.of(
                {**given, "watch": "open"} if speed == BY_HAND else given,
                [k for k, who in enumerate(seats) if is_person(who)],
            ),
        )
        self.tables[table.id] = table
        return table

    async def rematch(self, old: LiveTable) -> LiveTable:
        """A new table of the same people and agents, their score kept; who asks second is sent to the same table."""
        if not old.game.over:
            raise IllegalError(text("refused.not_over"))
        if old.next is None or old.next not in self.tables:
            if not self._new.take():
                raise RefusedError(text("refused.too_many_new"))
            await self._make_room()
            names, head = old.game.names, old.sitting.header
            seats = [f"me:{names[k]}" if is_person(who) else who for k, who in enumerate(old.game.seats)]
            people = [k for k, who in enumerate(seats) if is_person(who)]
            options = {name: value for name, value in head["options"].items() if name != "edition"}
            manners = Manners.of({**old.manners.as_dict(), **old.company.score(), "wait": False}, people)
            chance: int | bytes = secrets.token_bytes(SECRET_BYTES) if len(people) > 1 else secrets.randbits(60)
            make = self.allowed.maker(find_entry(old.name))
            new = LiveTable.open(
                self.folder, old.name, seats, options, old.speed, chance, self.limits, self.workers, make, manners, True
            )
            self.tables[new.id], old.next = new, new.id
        return self.tables[old.next]

    async def find(self, table_id: str) -> LiveTable:
        """A table that is open or on disk."""
        if table_id in self.tables:
            return self.tables[table_id]
        if not _ID.fullmatch(table_id):
            raise RefusedError(text("refused.table"))
        path = self.folder / f"{table_id}.jsonl"
        async with self._opening:  # two who come back at once find one table
            if table_id not in self.tables:
                if not path.is_file():
                    raise RefusedError(text("refused.table"))
                await self._make_room()
                loop = asyncio.get_running_loop()
                restored = await loop.run_in_executor(self.desk, self._restore, path)
                self.tables[table_id] = restored
        return self.tables[table_id]

    def _restore(self, path: Path) -> LiveTable:
        """A table from its file, whose seats are checked anew: what may be seated may have changed since."""
        return LiveTable.restore(path, self.limits, self.workers, self.allowed.maker)

    async def _make_room(self) -> None:
        """Close tables nobody looks at, the longest unused first; they stay on disk."""
        idle = sorted((t for t in self.tables.values() if not t.watchers), key=lambda t: t.used)
        for table in idle:
            if len(self.tables) < self.limits.tables and time.monotonic() - table.used < _IDLE:
                break
            self.tables.pop(table.id, None)
            await table.close()
        if len(self.tables) >= self.limits.tables:
            raise RefusedError(text("refused.tables", {"most": self.limits.tables}))

    async def close(self) -> None:
        """Stop everything; all is on disk."""
        await asyncio.gather(*(table.close() for table in self.tables.values()))
        self.workers.close()
        for pool in (self.desk, self.lab):
            pool.shutdown(wait=False, cancel_futures=True)

    def listed(self) -> list[dict[str, Any]]:
        """The open tables, the newest first, as anybody may know them."""
        shown = sorted(self.tables.values(), key=lambda t: -t.made)[:30]
        return [
            {
                "id": t.id,
                "game": t.name,
                "names": list(t.game.names),
                "number": t.game.number,
                "watchers": len(t.watchers),
            }
            for t in shown
        ]
