"""Data sets read back: rows of a folder that `mazzo describe` or a `recorder` wrote, and its division into folds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import REGISTRY, STREETS, Column, Selection, offered
from mazzo.holdem.attributes.values import OTHER
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.datasets import FORMATS, KEYS
from mazzo.holdem.cloning.validate import folds_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["find_dataset", "frame_of", "read_frame", "stored_rows", "write_folds", "write_frame"]

_CLASS = "CLASS_HERO_ACTION_TAKEN"
_TO_INVEST = "CLASS_TO_INVEST"


def find_dataset(folder: Path) -> dict[str, Path]:
    """The data set of each street in a folder, by the street's name; empty where there is none."""
    for kind in ("parquet", "arff", "csv"):
        found = {street: folder / f"{street.lower()}.{kind}" for street in STREETS}
        if all(path.is_file() for path in found.values()):
            return found
    return {}


def read_frame(path: Path) -> pl.DataFrame:
    """The rows of a data set in Parquet, ARFF or CSV; what is missing is null."""
    import polars as pl

    try:
        if path.suffix == ".parquet":
            frame = pl.read_parquet(path)
        elif path.suffix == ".csv":
            frame = pl.read_csv(path, infer_schema=False)
        else:
            names, body = _arff(path)
            frame = pl.read_csv(body.encode(), has_header=False, new_columns=names, null_values="?", infer_schema=False)
    except (OSError, UnicodeDecodeError, pl.exceptions.PolarsError) as error:
        raise UnreadableError(f"{path} is not a data set: {error}") from None
    missing = [key for key in (*KEYS, _CLASS) if key not in frame.columns]
    if missing:
        raise UnreadableError(f"{path} is not a data set of decisions: it has no column {missing[0]}")
    return frame


def _arff(path: Path) -> tuple[list[str], str]:
    """The names and the data lines of a file in ARFF."""
    head, at, body = path.read_text(encoding="utf-8").partition("@data\n")
    names = [line.split()[1] for line in head.splitlines() if line.lower().startswith("@attribute ")]
    if not at or not names:
        raise UnreadableError(f"{path} is not in ARFF: it has no @attribute lines or no @data")
    return names, body


def stored_rows(
    folder: Path, selection: Selection | list[Selection] | None = None, by_card_set: bool = False
) -> list[Rows]:
    """The decisions of a folder, street by street, with the attributes that are wanted and there."""
    files = find_dataset(folder)
    if not files:
        raise UnreadableError(
            f"{folder} holds no data set: preflop, flop, turn and river in one of {', '.join(FORMATS)} are written by "
            "`mazzo describe` and by a recorder"
        )
    one = selection or Selection()
    wanted = [one] * len(STREETS) if isinstance(one, Selection) else one
    return [_rows(read_frame(files[name]), k, wanted[k], by_card_set) for k, name in enumerate(STREETS)]


def _rows(frame: pl.DataFrame, street: int, selection: Selection, by_card_set: bool) -> Rows:
    players = 2 + max((REGISTRY[k].opponent or 0 for k in frame.columns if k in REGISTRY), default=0)
    chosen = [k for k in offered(selection, street, players) if k in frame.columns]
    columns = tuple(_column(frame, name) for name in chosen)
    x = np.full((len(frame), len(columns)), np.nan)
    for k, column in enumerate(columns):
        x[:, k] = _numbers(frame, column.name) if not column.nominal else _places(frame, column)
    y = _places(frame, Column(_CLASS, CLASSES))
    if np.isnan(y).any():
        raise UnreadableError(f"a decision on the {STREETS[street].lower()} has no action that there is")
    by_match = not by_card_set and any(REGISTRY[column.name].prefix == "HISTORY" for column in columns)
    group = _numbers(frame, "MATCH" if by_match else "CARD_SET").astype(np.uint64)
    nothing = np.full(len(frame), np.nan)
    invested = _numbers(frame, _TO_INVEST) if _TO_INVEST in frame.columns else nothing
    hand = _numbers(frame, "HAND").astype(np.int64)
    match = _numbers(frame, "MATCH").astype(np.uint64)
    return Rows(street, columns, x, y.astype(np.int64), group, hand, invested, nothing, nothing, match)


def _numbers(frame: pl.DataFrame, name: str) -> Any:
    import polars as pl

    try:
        return frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
    except pl.exceptions.PolarsError as error:
        raise UnreadableError(f"the column {name} of a data set is not of numbers: {error}") from None


def _column(frame: pl.DataFrame, name: str) -> Column:
    """The column with its values; sequences have those of the file."""
    if not REGISTRY[name].sequence:
        return Column(name, REGISTRY[name].values)
    texts = {"" if k == "-" else str(k) for k in frame[name].drop_nulls().unique().to_list()} - {OTHER}
    return Column(name, (*sorted(texts), OTHER))


def _places(frame: pl.DataFrame, column: Column) -> Any:
    import polars as pl

    values = [value or "-" for value in column.values or ()]
    texts = frame[column.name].cast(pl.String)
    places = texts.replace_strict(values, list(range(len(values))), default=None, return_dtype=pl.Float64)
    return places.fill_null(np.nan).to_numpy()


def write_frame(frame: pl.DataFrame, path: Path, street: str, whole: pl.DataFrame | None = None) -> None:
    """Rows as a data set of the form that the file's name says; ARFF names all values that `whole` has."""
    if path.suffix == ".parquet":
        frame.write_parquet(path, compression="zstd")
        return
    if path.suffix == ".csv":
        frame.write_csv(path)
        return
    lines = [f"@relation {street.lower()}", ""]
    for name in frame.columns:
        if name in KEYS or not (name in REGISTRY and REGISTRY[name].type == "nominal"):
            lines.append(f"@attribute {name} numeric")
            continue
        values = [value or "-" for value in _column(frame if whole is None else whole, name).values or ()]
        lines.append(f"@attribute {name} {{{','.join(values)}}}")
    body = frame.write_csv(include_header=False, null_value="?", quote_style="never")
    path.write_text("\n".join([*lines, "", "@data", body]), encoding="utf-8")


def frame_of(rows: Rows) -> pl.DataFrame:
    """Rows as people read them: values as texts, what is missing null, the class last."""
    import polars as pl

    data: dict[str, Any] = {}
    for k, column in enumerate(rows.columns):
        if not column.nominal:
            data[column.name] = pl.Series(rows.x[:, k], nan_to_null=True)
            continue
        values = pl.Series([value or "-" for value in column.values or ()], dtype=pl.String)
        known = ~np.isnan(rows.x[:, k])
        picked = values.gather(np.where(known, rows.x[:, k], 0).astype(np.uint32))
        data[column.name] = pl.select(pl.when(pl.Series(known)).then(picked)).to_series()
    data[_CLASS] = pl.Series(CLASSES, dtype=pl.String).gather(rows.y.astype(np.uint32))
    return pl.DataFrame(data)


def write_folds(folder: Path, folds: int, seed: int = 0) -> list[Path]:
    """Divide the data sets of a folder by card set: `preflop-1-train.arff`, `preflop-1-test.arff`, ..."""
    import polars as pl

    written = []
    for street, path in find_dataset(folder).items():
        frame = read_frame(path)
        fold = folds_of(_numbers(frame, "CARD_SET").astype(np.uint64), folds, seed)
        for k in range(folds):
            for part, rows in (("train", fold != k), ("test", fold == k)):
                to = folder / f"{street.lower()}-{k + 1}-{part}{path.suffix}"
                write_frame(frame.filter(pl.Series(rows)), to, street, frame)
                written.append(to)
    return written
