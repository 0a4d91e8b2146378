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

from mazzo.agent import MODEL_SUFFIX, split_name
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.games import Entry, entries
from mazzo.seated import Field, person_name
from mazzo.web.limits import Bucket, Limits, RefusedError
from mazzo.web.table import Table, seating_of
from mazzo.web.texts import text

__all__ = ["Hub", "entry_of", "models_here", "table_form"]

_ID = re.compile(r"[0-9a-f]{16}")
_NAME = re.compile(r"[^\x00-\x1f\x7f<>]{1,24}")
_VALUE = re.compile(r"[\w.+-]{1,20}")
_IDLE = 600.0
_THREADS = 3


def entry_of(game: str) -> Entry:
    """A game's entry by name."""
    for entry in entries():
        if game == entry.NAME:
            return entry
    raise UnreadableError(f"there is no game {game[:40]!r}; {did_you_mean(game[:40], [e.NAME for e in entries()])}")


def models_here() -> list[str]:
    """The model files in the working directory: the only files an agent may be made of from the browser."""
    return sorted(path.name for path in Path.cwd().glob(f"*{MODEL_SUFFIX}"))[:100]


def check_agent(name: str, entry: Entry) -> None:
    """Refuse whatever is no known agent or model: a name from the browser opens no file and runs no program."""
    base, given = split_name(name[:200])
    if base not in entry.AGENTS and base not in models_here():
        raise UnreadableError(f"there is no agent {base[:40]!r}; {did_you_mean(base[:40], entry.AGENTS)}")
    for key, value in given.items():
        if key == "model" or not _VALUE.fullmatch(value):
            raise UnreadableError(f"{key[:20]}={value[:20]!r} cannot be given from the browser")


def check_person(name: str) -> str:
    """A person's name, cleaned."""
    cleaned = " ".join(name.split())
    if not _NAME.fullmatch(cleaned):
        raise UnreadableError(text("refused.name"))
    return cleaned


def table_form(game: str, given: Mapping[str, str]) -> tuple[list[str], dict[str, str], str, int]:
    """Seats, options, speed and seed from a form: `seat0`, `name0`, ..., the game's fields, `speed`, `seed`."""
    entry, seating = entry_of(game), seating_of(game)
    fields: dict[str, Field] = {f.name: f for f in seating.fields}
    seats: list[str] = []
    count = given.get("seats", str(seating.most))
    for k in range(int(count) if count.isdigit() and len(count) < 3 else 0):
        who = given.get(f"seat{k}", "")
        if who == "me":
            who = f"me:{check_person(given.get(f'name{k}', '') or text('guest', {'number': k + 1}))}"
        elif person_name(who) is not None:
            raise UnreadableError(text("refused.name"))
        else:
            check_agent(who, entry)
        seats.append(who)
    options = {name: given[name] for name in fields if name in given}
    for name, f in fields.items():
        if isinstance(f.default, bool) and not f.choices:
            options[name] = "true" if given.get(name) in ("on", "true") else "false"
    seed = given.get("seed", "")
    if seed and not (seed.isascii() and seed.isdigit() and len(seed) <= 18):
        raise UnreadableError(text("refused.seed"))
    return seats, options, given.get("speed", "normal"), int(seed) if seed else secrets.randbits(60)


class Hub:
    """Opens, finds and closes tables."""

    def __init__(self, data: Path, limits: Limits) -> None:
        self.folder, self.limits = data / "tables", limits
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.tables: dict[str, Table] = {}
        self.workers = ThreadPoolExecutor(_THREADS, thread_name_prefix="agents")
        self.desk = ThreadPoolExecutor(2, thread_name_prefix="desk")
        """Opens tables and answers pages, also while agents think long."""
        self.connections = 0
        self.matches = 0
        self._new = Bucket(limits.new_tables_per_minute / 60, limits.new_tables_per_minute)
        self._opening = asyncio.Lock()

    async def open(self, game: str, given: Mapping[str, str]) -> Table:
        """A new table from a form."""
        if not self._new.take():
            raise RefusedError(text("refused.too_many_new"))
        await self._make_room()
        if sum(1 for _ in self.folder.glob("*.jsonl")) >= self.limits.kept_tables:
            raise RefusedError(text("refused.kept", {"most": self.limits.kept_tables, "folder": self.folder.name}))
        seats, options, speed, seed = table_form(game, given)
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(
            self.desk, Table.open, self.folder, game, seats, options, speed, seed, self.limits, self.workers
        )
        self.tables[table.id] = table
        return table

    async def find(self, table_id: str) -> Table:
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
                restored = await loop.run_in_executor(self.desk, Table.restore, path, self.limits, self.workers)
                self.tables[table_id] = restored
        return self.tables[table_id]

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
        for pool in (self.workers, self.desk):
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
