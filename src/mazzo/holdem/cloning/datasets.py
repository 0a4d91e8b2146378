"""Data sets on disk: a hero's decisions as ARFF, Parquet or CSV, one file a street, written chunk by chunk.

However many hands are read, memory holds one batch of them. Rows carry the keys by which they may be grouped: card
set, match and hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes import REGISTRY, STREETS, Column, Selection, columns_of, offered, schema_names
from mazzo.holdem.attributes.situations import Situations, situations_in
from mazzo.holdem.attributes.values import OTHER, sequence_text
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.logs.hands import Hands

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "FORMATS",
    "KEYS",
    "Written",
    "dataset_rows",
    "left_out",
    "text_columns",
    "write_datasets",
]

FORMATS = ("arff", "parquet", "csv")
KEYS = ("CARD_SET", "MATCH", "HAND")
_CLASS = "CLASS_HERO_ACTION_TAKEN"


@dataclass(frozen=True)
class Written:
    """One data set that was written."""

    street: str
    path: Path
    rows: int
    columns: tuple[str, ...]


def _names(selection: Selection, street: int, players: int) -> tuple[str, ...]:
    """The columns of a data set: what a learner is offered, what was named, and the class last."""
    named = () if selection.invert else selection.attributes
    chosen = [*offered(selection, street, players)]
    chosen += [k for k in named if k not in chosen and STREETS[street] in REGISTRY[k].streets and k != _CLASS]
    return (*chosen, _CLASS)


def left_out(selection: Selection, players: int = 3) -> tuple[str, ...]:
    """Attributes that were selected, but look ahead and were not named."""
    if selection.says_nothing and not selection.invert:
        return ()
    return tuple(
        k
        for k in selection.of(schema_names(players))
        if REGISTRY[k].looks_ahead and k != _CLASS and (selection.invert or k not in selection.attributes)
    )


class _Writer:
    """Writes the rows of one street as they come."""

    def __init__(
        self,
        path: Path,
        street: int,
        names: tuple[str, ...],
        games: Any,
        kind: str,
        numbers: tuple[_Numbers, _Numbers],
    ) -> None:
        self.path, self.street, self.kind, self.rows, self.numbers = path, street, kind, 0, numbers
        self.columns = columns_of(names, games)
        self.seen: list[set[str]] = [set() for _ in names]
        self.parts: list[Path] = []
        self.body: TextIO | None = None

    def add(self, s: Situations) -> None:
        """Write a batch."""
        if not len(s):
            return
        assert s.taken is not None
        frame = _frame(self.columns, s, self.seen, self.numbers)
        self.rows += len(frame)
        if self.kind == "parquet":
            part = self.path.with_suffix(f".part{len(self.parts)}")
            frame.write_parquet(part, compression="zstd")
            self.parts.append(part)
            return
        if self.body is None:
            self.body = self.path.with_suffix(".part").open("w")
        first = self.kind == "csv" and self.rows == len(frame)
        missing = "?" if self.kind == "arff" else ""
        self.body.write(frame.write_csv(include_header=first, null_value=missing, quote_style="never"))

    def close(self) -> None:
        """Put the parts together."""
        import polars as pl

        if self.parts:
            pl.scan_parquet(self.parts).sink_parquet(self.path, compression="zstd")
            for part in self.parts:
                part.unlink()
        elif self.body is not None:
            self.body.close()
            body = Path(self.body.name)
            with self.path.open("w") as file, body.open() as text:
                if self.kind == "arff":
                    file.write(self._header())
                while block := text.read(1 << 20):
                    file.write(block)
            body.unlink()
        else:
            self.path.write_text(self._header() if self.kind == "arff" else "")

    def _header(self) -> str:
        lines = [f"@relation {STREETS[self.street].lower()}", ""]
        lines += [f"@attribute {key} numeric" for key in KEYS]
        for column, seen in zip(self.columns, self.seen, strict=True):
            if not column.nominal:
                lines.append(f"@attribute {column.name} numeric")
                continue
            values = column.values if column.values is not None else (*sorted(seen - {OTHER}), OTHER)
            lines.append(f"@attribute {column.name} {{{','.join(_arff(k) for k in values)}}}")
        return "\n".join([*lines, "", "@data", ""])


def _arff(value: str) -> str:
    """A value as ARFF writes it; nothing done yet is a dash, since scipy cannot read an empty value."""
    return value or "-"


class _Numbers:
    """Numbers card sets or matches in the order they come: readers of ARFF take numbers, not 64-bit keys."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def __call__(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The numbers of some keys."""
        kinds, first, back = np.unique(keys, return_index=True, return_inverse=True)
        for k in np.argsort(first).tolist():
            self._known.setdefault(int(kinds[k]), len(self._known))
        return np.array([self._known[int(k)] for k in kinds], np.int64)[back.ravel()]


def _frame(
    columns: tuple[Column, ...], s: Situations, seen: list[set[str]], numbers: tuple[_Numbers, _Numbers]
) -> pl.DataFrame:
    import polars as pl

    assert s.taken is not None
    data: dict[str, Any] = {
        "CARD_SET": numbers[0](s.taken.card_set),
        "MATCH": numbers[1](s.taken.match),
        "HAND": s.taken.hand,
    }
    data |= text_columns(columns, s, seen)
    return pl.DataFrame(data)


def text_columns(
    columns: tuple[Column, ...], s: Situations, seen: list[set[str]] | None = None
) -> dict[str, pl.Series]:
    """The columns as people read them: values as texts, missing ones as null; `seen` notes sequences that occur."""
    import polars as pl

    data: dict[str, pl.Series] = {}
    for k, column in enumerate(columns):
        if not column.nominal:
            data[column.name] = pl.Series(column.of(s), nan_to_null=True)
        elif column.attribute.sequence and column.values is None:
            codes, back = np.unique(column.attribute.work(s), return_inverse=True)
            texts = [_arff(sequence_text(int(code))) for code in codes]
            if seen is not None:
                seen[k].update(texts)
            data[column.name] = pl.Series(texts, dtype=pl.String).gather(back.ravel().tolist())
        else:
            values = pl.Series([_arff(value) for value in column.values or ()], dtype=pl.String)
            places = column.of(s)
            known = ~np.isnan(places)
            picked = values.gather(np.where(known, places, 0).astype(np.uint32))
            data[column.name] = pl.select(pl.when(pl.Series(known)).then(picked)).to_series()
    return data


def write_datasets(
    batches: Iterable[Hands],
    hero: str,
    folder: Path,
    kind: str = "parquet",
    selection: Selection | None = None,
    big_blind: int = 0,
) -> list[Written]:
    """Write the decisions of a hero to a folder: `preflop.arff`, `flop.arff`, ...

    Args:
        batches: the hands.
        hero: whose decisions.
        folder: where to; it is made if need be, and files of the same names are replaced.
        kind: one of `FORMATS`.
        selection: which attributes; by default all but those of the text's table 7.
        big_blind: count chips as if the big blind were this; by default as in the first hand.
    """
    if kind not in FORMATS:
        raise UnreadableError(f"there is no data set of form {kind!r}; {did_you_mean(kind, FORMATS)}")
    wanted = selection or Selection()
    folder.mkdir(parents=True, exist_ok=True)
    writers: list[_Writer] = []
    numbers = _Numbers(), _Numbers()
    with ExitStack() as stack:
        for s in situations_in(batches, hero, wanted.watches, big_blind):
            if not writers:
                players = max(game.players for game in s.games)
                for street, name in enumerate(STREETS):
                    path = folder / f"{name.lower()}.{kind}"
                    writers.append(_Writer(path, street, _names(wanted, street, players), s.games, kind, numbers))
                    stack.callback(writers[-1].close)
            for street, writer in enumerate(writers):
                writer.add(s[s.street == street])
    if not writers or not any(writer.rows for writer in writers):
        raise UnreadableError(f"no decision of {hero!r} is in these hands (with its cards known)")
    return [Written(STREETS[w.street], w.path, w.rows, tuple(c.name for c in w.columns)) for w in writers]


def dataset_rows(path: Path, street: int, chunk: int = 250_000) -> Iterator[Rows]:
    """The rows of a Parquet data set again, chunk by chunk."""
    import polars as pl

    try:
        scan = pl.scan_parquet(path)
        schema = scan.collect_schema()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UnreadableError(f"{path} is not a data set in Parquet: {error}") from None
    missing = [k for k in (*KEYS, _CLASS) if k not in schema]
    if missing:
        raise UnreadableError(f"{path} is not a data set of decisions: it has no column {missing[0]}")
    columns = _columns_in(scan, [k for k in schema.names() if k in REGISTRY and not REGISTRY[k].looks_ahead])
    for first in range(0, 2**62, chunk):
        part = scan.slice(first, chunk).collect()
        if not len(part):
            return
        yield _rows_of_frame(part, street, columns)


def _columns_in(scan: Any, names: list[str]) -> tuple[Column, ...]:
    """The columns with their values; sequences have those of the file."""
    found = []
    for name in names:
        attribute = REGISTRY[name]
        if attribute.sequence:
            values = scan.select(name).unique().collect()[name].drop_nulls().to_list()
            texts = sorted("" if k == "-" else k for k in values if k != OTHER)
            found.append(Column(name, (*texts, OTHER)))
        else:
            found.append(Column(name, attribute.values))
    return tuple(found)


def _rows_of_frame(part: pl.DataFrame, street: int, columns: tuple[Column, ...]) -> Rows:
    import polars as pl

    x = np.empty((len(part), len(columns)))
    for k, column in enumerate(columns):
        series = part[column.name]
        if column.nominal:
            values = [_arff(value) for value in column.values or ()]
            places = series.replace_strict(values, list(range(len(values))), default=None, return_dtype=pl.Float64)
            x[:, k] = places.fill_null(np.nan).to_numpy()
        else:
            x[:, k] = series.cast(pl.Float64).fill_null(np.nan).to_numpy()
    y = part[_CLASS].replace_strict(list(CLASSES), [0, 1, 2], return_dtype=pl.Int64).to_numpy()
    nothing: NDArray[np.float64] = np.full(len(part), np.nan)
    group = part["CARD_SET"].cast(pl.UInt64).to_numpy()
    return Rows(street, columns, x, y, group, part["HAND"].to_numpy(), nothing, nothing, nothing)
