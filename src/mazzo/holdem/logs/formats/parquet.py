"""Hands as Parquet: one row a hand, for polars and everything else that reads it; and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import Origin, read_batch, why_bad
from mazzo.holdem.logs.formats import Batch, LogFormat
from mazzo.holdem.logs.formats.acpc_write import acpc_text
from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.rules import Rules, parse_game

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORMAT", "frame", "read_parquet", "scan", "write_parquet"]

_BATCH = 16384
_NEEDED = (
    "source", "line", "match", "card_set", "number", "game", "definition", "unit", "players", "betting", "cards",
    "net", "stacks", "verified",
)  # fmt: skip


def frame(hands: Hands) -> pl.DataFrame:
    """The hands as a data frame: players, betting, cards, net, and where each stands."""
    import polars as pl

    lines = pl.Series("line", acpc_text(hands).decode().splitlines(), pl.String)
    parts = lines.str.splitn(":", 6).struct.unnest()
    games = hands.state[:, c.GAME]
    players = hands.players
    net = [row[:n].tolist() for row, n in zip(hands.net, players, strict=True)]
    room = hands.state[:, c.ROOM : c.ROOM + c.MAX_PLAYERS] + hands.state[:, c.ANTE : c.ANTE + c.MAX_PLAYERS]
    return pl.DataFrame(
        {
            "source": pl.Series([hands.source] * len(hands), dtype=pl.String),
            "line": hands.line,
            "match": [hands.matches[m] for m in hands.match_of],
            "card_set": hands.card_set,
            "number": hands.number,
            "game": [hands.games[g].name for g in games],
            "definition": [str(hands.games[g]) for g in games],
            "unit": hands.unit,
            "players": parts["field_5"].str.split("|"),
            "betting": parts["field_2"],
            "cards": parts["field_3"],
            "net": pl.Series([None if np.isnan(n).any() else n for n in net], dtype=pl.List(pl.Float64)),
            "stacks": [row[:n].tolist() for row, n in zip(room, players, strict=True)],
            "street": hands.state[:, c.ROUND].astype(np.int8),
            "pot": hands.state[:, c.POT],
            "showdown": hands.showdown,
            "free_fold": hands.free_fold,
            "verified": ~hands.unverified,
            "house": hands.with_house,
        }
    )


def write_parquet(batches: Iterable[Hands], path: Path, old: bool = False) -> int:
    """Write hands to a new file; gives how many. Parquet has one form: `old` changes nothing."""
    import polars as pl

    if path.exists():
        raise UnreadableError(f"{path} exists already; nothing is written over it: name another file")
    frames = [frame(hands) for hands in batches]
    if not frames:
        raise UnreadableError(f"there are no hands to write to {path}")
    whole = pl.concat(frames)
    whole.write_parquet(path, compression="zstd")
    return len(whole)


def scan(paths: str | Path | Sequence[str | Path]) -> pl.LazyFrame:
    """A lazy look at stored hands: only the columns and rows asked for are read."""
    import polars as pl

    many: Any = [str(p) for p in paths] if isinstance(paths, list | tuple) else str(paths)
    return pl.scan_parquet(many)


def read_parquet(path: Path) -> Iterator[Batch]:
    """Read stored hands again, batch by batch; each is replayed and verified like any other."""
    import polars as pl

    try:
        stored = pl.scan_parquet(path)
        missing = [name for name in _NEEDED if name not in stored.collect_schema().names()]
        if missing:
            reason = f"this Parquet file does not hold hands: it has no column {missing[0]}"
            yield None, [Skipped(str(path), 1, "not a file of hands", reason)]
            return
        house = pl.col("house") if "house" in stored.collect_schema().names() else pl.lit(False).alias("house")
        for first in range(0, 2**62, _BATCH):
            batch = stored.select(*_NEEDED, house).slice(first, _BATCH).collect()
            if not len(batch):
                return
            changes = batch["source"].rle_id()
            for part in batch.with_columns(changes.alias("_run")).partition_by("_run", maintain_order=True):
                yield _read_frame(part, path)
    except (pl.exceptions.PolarsError, OSError, TypeError, ValueError) as error:
        if isinstance(error, MazzoError):
            raise
        yield None, [Skipped(str(path), 1, "not a file of hands", f"this file of hands is damaged: {error}")]


def _read_frame(part: pl.DataFrame, path: Path) -> Batch:
    import polars as pl

    source = str(part["source"][0])
    kinds = part.select("game", "definition").unique(maintain_order=True).rows()
    try:
        games = [parse_game(text, name, str(path)) for name, text in kinds]
    except MazzoError as error:
        return None, [Skipped(source, int(n), "unknown game", str(error)) for n in part["line"]]
    lookup = {kind: n for n, kind in enumerate(kinds)}
    game_of = np.array([lookup[kind] for kind in part.select("game", "definition").rows()])
    text = part.select(
        pl.concat_str(
            pl.lit("STATE"),
            pl.col("number").cast(pl.String),
            pl.col("betting"),
            pl.col("cards"),
            pl.when(pl.col("verified") & ~pl.col("house"))
            .then(pl.col("net").cast(pl.List(pl.String)).list.join("|"))
            .fill_null(""),
            pl.col("players").list.join("|"),
            separator=":",
        ).str.replace_all("[\r\n]", "_")
    ).to_series()
    data = np.frombuffer("\n".join(text.to_list()).encode(), np.uint8)
    hands, bad = read_batch(
        data,
        k.find_lines(data),
        part["line"].to_numpy(),
        games,
        Origin(source, ""),
        game_of,
        _stacks(part["stacks"].to_list(), games, game_of),
        part["unit"].to_numpy(),
    )
    skipped = [
        Skipped(source, int(part["line"][row]), "damaged row", why_bad(text[row], games[game_of[row]], status))
        for row, status in bad
    ]
    keep = np.setdiff1d(np.arange(len(part)), [row for row, _ in bad])
    return _with_matches(hands, part[keep.tolist()]), skipped


def _with_matches(hands: Hands, part: pl.DataFrame) -> Hands:
    net = hands.net.copy()
    flags = hands.flags & ~np.uint8(k.UNDECIDED)
    raked = part["house"].to_numpy()
    for row in np.flatnonzero(~part["verified"].to_numpy() | raked).tolist():  # as they were stated: less the rake
        stated = part["net"][row]
        net[row, : hands.players[row]] = np.nan if stated is None else stated.to_numpy()
    matches = part["match"].unique(maintain_order=True).to_list()
    lookup = {match: n for n, match in enumerate(matches)}
    return replace(
        hands,
        net=net,
        flags=flags | np.where(part["verified"].to_numpy(), k.HOUSE * raked, k.UNDECIDED).astype(np.uint8),
        card_set=part["card_set"].to_numpy(),
        match_of=np.array([lookup[m] for m in part["match"]], np.int64),
        matches=matches,
    )


def _stacks(rows: Sequence[Sequence[int]], games: Sequence[Rules], game_of: Any) -> Any:
    stacks = np.ones((len(rows), c.MAX_PLAYERS), np.int64)
    for i, row in enumerate(rows):
        if len(row) != games[game_of[i]].players or min(row) < 1:
            raise ValueError(f"row {i} has stacks {row}")
        stacks[i, : len(row)] = row
    return stacks


FORMAT = LogFormat(
    "parquet",
    (".parquet",),
    lambda head: head[:4] == b"PAR1",
    lambda file, path, game: read_parquet(path),
    write_parquet,
)
