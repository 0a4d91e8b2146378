"""One door for all hands: files of any known form in, batches of replayed hands out, and an account of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mazzo.errors import UnreadableError
from mazzo.holdem.game import Game
from mazzo.holdem.logs.acpc import read_acpc
from mazzo.holdem.logs.files import expand, kind_of, open_bytes, site_of, unpacking_errors
from mazzo.holdem.logs.hands import Hands, Skipped, rescaled
from mazzo.holdem.logs.phh import UNSUPPORTED, read_phh, read_site
from mazzo.holdem.logs.store import read_parquet

__all__ = ["Reader", "Report", "read_hands"]

_KEPT = 10_000


@dataclass
class Report:
    """What became of the hands of some files."""

    files: int = 0
    used: int = 0
    unverified: int = 0
    free_folds: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """How many hands were skipped for each kind of reason."""
    skipped: list[Skipped] = field(default_factory=list)
    """The skipped hands one by one, the first ten thousand of them."""

    @property
    def skips(self) -> int:
        """How many hands were skipped."""
        return self.reasons.total()

    @property
    def read(self) -> int:
        """How many hands there were."""
        return self.used + self.skips

    def add(self, skipped: Iterable[Skipped]) -> None:
        """Count hands that were skipped."""
        for skip in skipped:
            self.reasons[skip.kind] += 1
            if len(self.skipped) < _KEPT:
                self.skipped.append(skip)

    def as_dict(self) -> dict[str, Any]:
        """The account as plain data; keys are stable."""
        lines = [{"file": s.source, "line": s.line, "kind": s.kind, "reason": s.reason} for s in self.skipped]
        return {
            "files": self.files,
            "read": self.read,
            "used": self.used,
            "unverified": self.unverified,
            "free_folds": self.free_folds,
            "skipped": {"hands": self.skips, "reasons": dict(self.reasons), "lines": lines},
        }

    def __str__(self) -> str:
        parts = f"{self.read} hands read, {self.used} used ({self.unverified} unverified), {self.skips} skipped"
        why = "; ".join(f"{count} {kind}" for kind, count in self.reasons.most_common())
        return f"{parts}{f': {why}' if why else ''}"


class Reader:
    """Iterates over the hands of some files in batches; `report` says afterwards what became of them.

    Files that turn out not to hold hands, and hands that are not in order, are skipped and counted; with `strict`
    the first of them is an error. (Variants other than Hold'em are never an error.)
    """

    def __init__(
        self,
        paths: Iterable[str | Path],
        *,
        game: Game | None = None,
        strict: bool = False,
        chips: tuple[int, int] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.paths = expand(paths)
        self.report = Report()
        self._game, self._strict, self._chips = game, strict, chips
        self.progress: Callable[[float], None] = progress or (lambda amount: None)

    @property
    def size(self) -> int:
        """Bytes to be read in all: what `progress` counts up to."""
        return sum(path.stat().st_size for path in self.paths)

    def __iter__(self) -> Iterator[Hands]:
        self.report = Report()
        for path in self.paths:
            self.report.files += 1
            for hands, skipped in self._read(path):
                self._account(skipped)
                if hands is None or not len(hands):
                    continue
                self.report.used += len(hands)
                self.report.unverified += int(hands.unverified.sum())
                self.report.free_folds += int(hands.free_fold.sum())
                yield rescaled(hands, self._chips) if self._chips else hands

    def _account(self, skipped: list[Skipped]) -> None:
        self.report.add(skipped)
        for skip in skipped:
            if self._strict and skip.kind != UNSUPPORTED:
                raise UnreadableError(str(skip))

    def _read(self, path: Path) -> Iterator[tuple[Hands | None, list[Skipped]]]:
        done = 0
        try:
            with open_bytes(path) as (file, raw):
                for result in self._read_kind(path, file):
                    yield result
                    self.progress(raw.tell() - done)
                    done = raw.tell()
        except unpacking_errors() as wrong:
            yield None, [Skipped(str(path), 0, "damaged file", f"the file is damaged: {wrong}")]
        self.progress(path.stat().st_size - done)

    def _read_kind(self, path: Path, file: Any) -> Iterator[tuple[Hands | None, list[Skipped]]]:
        with open_bytes(path) as (again, _):
            kind = kind_of(again.read(1 << 16))
        if kind == "acpc":
            yield from read_acpc(file, str(path), self._game, path)
        elif kind == "phh":
            yield from read_phh(file.read(), str(path))
        elif kind == "parquet":
            yield from read_parquet(path)
        elif kind == "site":
            data = file.read()
            yield from read_site(data, str(path), site_of(data[: 1 << 16].decode(errors="replace")) or "")
        else:
            what = "a transcript of protocol messages" if kind == "transcript" else "not a file of hands"
            reason = f"this is {what}; logs of the competition (old and STATE:), PHH and Parquet are read"
            yield None, [Skipped(str(path), 1, "not a file of hands", reason)]


def read_hands(paths: str | Path | Iterable[str | Path], **options: Any) -> Reader:
    """Read the hands of files, folders and patterns. Options as for `Reader`."""
    return Reader([paths] if isinstance(paths, str | Path) else paths, **options)
