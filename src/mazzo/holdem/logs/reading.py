"""One door for all hands: files of any known form in, batches of replayed hands out, and an account of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem.logs.files import expand, open_bytes, unpacking_errors
from mazzo.holdem.logs.formats import FORMATS, LOOK, UNSUPPORTED, Batch, format_of
from mazzo.holdem.logs.formats.transcript import NOT_HANDS
from mazzo.holdem.logs.hands import Hands, Skipped, rescaled
from mazzo.holdem.rules import Rules, rules

__all__ = ["LogReader", "ReadingReport", "batches_of", "read_hands"]

_KEPT = 10_000


@dataclass
class ReadingReport(Shown):
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

    def section(self) -> Section:
        """How many hands were read and used, and why the others were not."""
        reasons = self.reasons.most_common()
        grids = [Grid(("skipped because", "hands"), reasons)] if reasons else []
        return Section("Hands read", [str(self)], tables=grids)

    def __str__(self) -> str:
        parts = f"{self.read} hands read, {self.used} used ({self.unverified} unverified), {self.skips} skipped"
        why = "; ".join(f"{count} {kind}" for kind, count in self.reasons.most_common())
        return f"{parts}{f': {why}' if why else ''}"


class LogReader(Shown):
    """Iterates over the hands of some files in batches; `report` says afterwards what became of them.

    Files that turn out not to hold hands, and hands that are not in order, are skipped and counted; with `strict`
    the first of them is an error. (Variants other than Hold'em are never an error.)
    """

    def __init__(
        self,
        paths: Iterable[str | Path],
        *,
        game: Rules | str | None = None,
        strict: bool = False,
        chips: tuple[int, int] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.paths = expand(paths, {suffix for form in FORMATS.values() for suffix in form.suffixes})
        self.report = ReadingReport()
        self._game, self._strict, self._chips = None if game is None else rules(game), strict, chips
        self.progress: Callable[[float], None] = progress or (lambda amount: None)

    @property
    def size(self) -> int:
        """Bytes to be read in all: what `progress` counts up to."""
        return sum(path.stat().st_size for path in self.paths)

    def __iter__(self) -> Iterator[Hands]:
        self.report = ReadingReport()
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

    def section(self) -> Section:
        """The files, and what became of their hands once they have been read."""
        read = self.report.section()
        files = Grid(("file", "bytes"), [(str(path), f"{path.stat().st_size:,}") for path in self.paths])
        return replace(read, title="Hands of log files", words=[self._read_so_far], tables=[files, *read.tables])

    @property
    def _read_so_far(self) -> str:
        return str(self.report) if self.report.files else "not read yet"

    def __str__(self) -> str:
        return f"hands of {', '.join(map(str, self.paths))}: {self._read_so_far}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def _account(self, skipped: list[Skipped]) -> None:
        self.report.add(skipped)
        for skip in skipped:
            if self._strict and skip.kind != UNSUPPORTED:
                raise UnreadableError(str(skip))

    def _read(self, path: Path) -> Iterator[Batch]:
        done = 0
        try:
            with open_bytes(path) as (file, raw):
                for result in self._read_format(path, file):
                    yield result
                    self.progress(raw.tell() - done)
                    done = raw.tell()
        except unpacking_errors() as error:
            yield None, [Skipped(str(path), 0, "damaged file", f"the file is damaged: {error}")]
        self.progress(path.stat().st_size - done)

    def _read_format(self, path: Path, file: BinaryIO) -> Iterator[Batch]:
        with open_bytes(path) as (again, _):
            form = format_of(again.read(LOOK))
        if form is None:
            yield None, [Skipped(str(path), 1, "not a file of hands", NOT_HANDS.format(what="not a file of hands"))]
        else:
            yield from form.read(file, path, self._game)


def read_hands(paths: str | Path | Iterable[str | Path], **options: Any) -> LogReader:
    """The hands of files, folders and patterns, batch by batch when asked for; each batch gives its hands one by one.

    Options are `game` (where the log does not say it), `strict`, `chips` and `progress` of `LogReader`.
    """
    return LogReader([paths] if isinstance(paths, str | Path) else paths, **options)


def batches_of(hands: LogReader | Hands | Iterable[Hands] | str | Path) -> list[Hands]:
    """All batches of a reader, of batches, of one batch, or of the log at a path; it is an error if there are none."""
    if isinstance(hands, str | Path):
        hands = read_hands(hands)
    found = [hands] if isinstance(hands, Hands) else list(hands)
    if not found:
        where = f" in {hands!r}" if isinstance(hands, LogReader) else ""
        raise UnreadableError(f"there are no hands to learn from{where}")
    return found
