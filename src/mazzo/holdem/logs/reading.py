"""One door for all hands: files of any known form in, batches of replayed hands out, and an account of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mazzo.document import Grid, Section, Shown
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem.logs.files import expand, open_bytes, unpacking_errors
from mazzo.holdem.logs.formats import FORMATS, LOOK, UNSUPPORTED, Batch, format_of
from mazzo.holdem.logs.formats.transcript import NOT_HANDS
from mazzo.holdem.logs.hands import Hands, Skipped, rescaled
from mazzo.holdem.rules import Rules, rules

__all__ = ["LogReader", "ReadingReport", "batches_of", "read_hands"]

_KEPT = 10_000

AGAIN = "same hand again"
"""The kind of a hand that was read before, in another file or further up."""

FILE_KINDS = frozenset(("not a file of hands", "empty file", "damaged file"))
"""Kinds of reasons that say something of a whole file, not of one hand."""


@dataclass
class FormatCount:
    """What became of the hands of one format."""

    files: int = 0
    used: int = 0
    unverified: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def skips(self) -> int:
        """How many hands were skipped."""
        return self.skipped.total()

    @property
    def read(self) -> int:
        """How many hands there were."""
        return self.used + self.skips

    @property
    def verified(self) -> int:
        """How many of the hands used agree with what their source says of the result."""
        return self.used - self.unverified

    def as_dict(self) -> dict[str, Any]:
        """The count as plain data; keys are stable."""
        numbers = {"files": self.files, "read": self.read, "used": self.used, "verified": self.verified}
        return {**numbers, "skipped": dict(self.skipped)}


@dataclass
class ReadingReport(Shown):
    """What became of the hands of some files."""

    files: int = 0
    used: int = 0
    unverified: int = 0
    same: int = 0
    """How many hands were left out because the same hand had been read before."""
    formats: dict[str, FormatCount] = field(default_factory=dict)
    """The same by format."""
    free_folds: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """How many hands, or whole files, were skipped for each kind of reason."""
    skipped: list[Skipped] = field(default_factory=list)
    """The skipped hands one by one, the first ten thousand of them."""

    @property
    def skips(self) -> int:
        """How many hands were skipped."""
        return self.reasons.total() - self.not_read

    @property
    def read(self) -> int:
        """How many hands there were."""
        return self.used + self.skips

    @property
    def not_read(self) -> int:
        """How many files held no hands."""
        return sum(self.reasons[kind] for kind in FILE_KINDS)

    @property
    def verified(self) -> int:
        """How many of the hands used agree with what their source says of the result."""
        return self.used - self.unverified

    def add(self, skipped: Iterable[Skipped], form: str = "") -> None:
        """Count hands that were skipped."""
        for skip in skipped:
            self.reasons[skip.kind] += 1
            if skip.kind not in FILE_KINDS:
                self.of(form).skipped[skip.kind] += 1
            if len(self.skipped) < _KEPT:
                self.skipped.append(skip)

    def of(self, form: str) -> FormatCount:
        """The count of one format."""
        return self.formats.setdefault(form, FormatCount())

    def as_dict(self) -> dict[str, Any]:
        """The account as plain data; keys are stable."""
        lines = [{"file": s.source, "line": s.line, "kind": s.kind, "reason": s.reason} for s in self.skipped]
        return {
            "files": self.files,
            "read": self.read,
            "used": self.used,
            "verified": self.verified,
            "unverified": self.unverified,
            "same_hand_again": self.same,
            "free_folds": self.free_folds,
            "skipped": {"hands": self.skips, "reasons": dict(self.reasons), "lines": lines},
            "files_without_hands": self.not_read,
            "formats": {name: count.as_dict() for name, count in self.formats.items()},
        }

    def by_format(self) -> list[tuple[str, int, int, int, int, int]]:
        """Of each format: files, hands read, used, verified, skipped; those with the most hands first."""
        ordered = sorted(self.formats.items(), key=lambda item: (-item[1].read, item[0]))
        return [(name, c.files, c.read, c.used, c.verified, c.skips) for name, c in ordered]

    def section(self) -> Section:
        """How many hands were read and used, and why the others were not."""
        reasons = self.reasons.most_common()
        grids = [Grid(("skipped because", "hands"), reasons)] if reasons else []
        if len(self.formats) > 1:
            grids.append(Grid(("format", "files", "read", "used", "verified", "skipped"), self.by_format()))
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
        self._seen: dict[int, tuple[str, int]] = {}
        for path in self.paths:
            self.report.files += 1
            self._form = ""
            for batch, skipped in self._read(path):
                hands, again = (None, []) if batch is None else self._once(batch)
                self._account([*skipped, *again])
                if hands is None or not len(hands):
                    continue
                unverified = int(hands.unverified.sum())
                self.report.used += len(hands)
                self.report.unverified += unverified
                count = self.report.of(self._form)
                count.used, count.unverified = count.used + len(hands), count.unverified + unverified
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

    def _once(self, hands: Hands) -> tuple[Hands, list[Skipped]]:
        """The hands that were not read before, and what is to be said of the others."""
        if hands.key is None:
            return hands, []
        again: list[Skipped] = []
        fresh = np.ones(len(hands), np.bool_)
        for row, (key, line) in enumerate(zip(hands.key.tolist(), hands.line.tolist(), strict=True)):
            before = self._seen.setdefault(key, (hands.source, line))
            if before != (hands.source, line):
                fresh[row] = False
                again.append(
                    Skipped(hands.source, line, AGAIN, f"the same hand stands in {before[0]}, line {before[1]}")
                )
        self.report.same += len(again)
        return (hands[fresh] if again else hands), again

    def _account(self, skipped: list[Skipped]) -> None:
        self.report.add(skipped, self._form)
        for skip in skipped:
            if self._strict and not skip.kind.startswith(UNSUPPORTED) and skip.kind != AGAIN:
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
        except MazzoError:
            raise
        except Exception as error:  # one bad file never ends a run
            reason = f"the file cannot be read ({type(error).__name__}: {error})"
            yield None, [Skipped(str(path), 0, "damaged file", reason)]
        self.progress(path.stat().st_size - done)

    def _read_format(self, path: Path, file: BinaryIO) -> Iterator[Batch]:
        with open_bytes(path) as (again, _):
            head = again.read(LOOK)
        form = format_of(head)
        if form is not None:
            self._form = form.name
            self.report.of(form.name).files += 1
        if not head.strip():
            yield None, [Skipped(str(path), 1, "empty file", "the file is empty")]
        elif form is None:
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
