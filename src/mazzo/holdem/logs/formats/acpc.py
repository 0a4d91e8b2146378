"""Reading the competition's logs (ACPC): the old form and the new, line by line into batches of `Hands`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import MazzoError
from mazzo.files import number_of
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import Origin, read_batch, why_bad
from mazzo.holdem.logs.formats import Batch, LogFormat, first_line, text_of
from mazzo.holdem.logs.formats.acpc_write import write_acpc
from mazzo.holdem.logs.formats.infer import infer_game
from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.rules import PRESETS, Rules, read_game

__all__ = ["FORMAT", "Header", "header_of", "named_game", "read_acpc"]


_BLOCK = 1 << 21
_LONGEST_LINE = 1 << 20
_HEADER = re.compile(r"#\s*name/game/hands/seed\s+(\S+)\s+(\S+)\s+(\d+)\s+(\d+)\s*")

REFERENCE_GAMES: dict[str, Rules] = {
    "holdem.limit.2p.reverse_blinds": PRESETS["holdem-limit-2p"],
    "holdem.limit.2p": Rules("holdem.limit.2p", True, (50, 100), (0, 1, 1, 1), (), (100, 100, 200, 200), (3, 3, 4, 4)),
    "holdem.limit.3p": PRESETS["holdem-limit-3p"],
    "holdem.nolimit.2p.reverse_blinds": PRESETS["holdem-nolimit-2p"],
    "holdem.nolimit.3p": PRESETS["holdem-nolimit-3p"],
    "holdem.nolimit.6p": PRESETS["holdem-nolimit-6p"],
    "kuhn.limit.3p": PRESETS["kuhn-3p"],
    "leduc.limit.2p": PRESETS["leduc-2p"],
}
"""The games that come with the reference dealer, by the names of their files."""

_KINDS = {
    k.FORM: "not a hand",
    k.NUMBER: "not a hand",
    k.BETTING: "illegal betting",
    k.CARDS: "wrong cards",
    k.NET: "unreadable net",
    k.PLAYERS: "unreadable names",
    k.UNFINISHED: "unfinished hand",
    k.WRONG_NET: "net does not follow",
}


@dataclass(frozen=True)
class Header:
    """The comment by which a dealer begins a log."""

    name: str
    game: str
    hands: int
    seed: int


def header_of(line: str) -> Header | None:
    """The header on a comment line, if it is one."""
    match = _HEADER.fullmatch(line)
    return Header(match[1], match[2], int(match[3]), int(match[4])) if match else None


def named_game(name: str, log: Path | None = None) -> Rules | None:
    """The game a log's header names: ours, one of the reference dealer's, or a `.game` file beside the log.

    Only the last part of the name is looked at: a log does not say which files are opened.
    """
    stem = PurePosixPath(name.replace("\\", "/")).name.removesuffix(".game")
    if stem in PRESETS:
        return PRESETS[stem]
    if stem in REFERENCE_GAMES:
        return REFERENCE_GAMES[stem]
    beside = log.parent / f"{stem}.game" if log is not None else None
    if beside is not None and beside.is_file():
        try:
            return read_game(beside)
        except MazzoError:
            return None
    return None


def _blocks(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """The text in pieces that end with a line, each with the number of its first line.

    A line too long to be a hand comes as its beginning alone: what follows in it is thrown away unread.
    """
    rest, number, dropping = b"", 1, False
    following = file.read(_BLOCK)
    while following:
        block, following = following, file.read(_BLOCK)
        if dropping:
            _, newline, block = block.partition(b"\n")
            if not newline:
                continue
            dropping = False
            number += 1
        whole, newline, tail = (rest + block).rpartition(b"\n") if following else (rest + block, b"\n", b"")
        if newline and whole:
            yield whole, number
        if newline:
            number += whole.count(b"\n") + 1
        rest = tail
        if len(rest) > _LONGEST_LINE:
            yield rest[:200], number
            rest, dropping = b"", True


class _Log:
    """One log while it is read: its game, its match, and what was found wrong."""

    def __init__(self, source: str, game: Rules | None, path: Path | None) -> None:
        self.source = source
        self.path = path
        self.fixed = game is not None
        self.game = game
        self.header: Header | None = None
        self.replayed: bool | None = None  # are deals played again with other seatings? not yet known
        self.origin = Origin(source, source)

    def begin_match(self, header: Header) -> None:
        self.header = header
        self.replayed = None
        self.origin = replace(self.origin, match=header.name)
        if not self.fixed:
            self.game = named_game(header.game, self.path)

    def read(self, data: NDArray[np.uint8], lines: Ints, numbers: Ints) -> Batch:
        if self.game is None:
            sample = [_line(data, line) for line in lines[:400]]
            self.game = infer_game(sample)
        if self.game is None:
            reason = "the game cannot be found out from these hands: say which with --game"
            return None, [Skipped(self.source, int(n), "unknown game", reason) for n in numbers]
        hands, bad = read_batch(data, lines, numbers, [self.game], self.origin)
        skipped = [
            Skipped(self.source, int(numbers[row]), _KINDS[status], why_bad(_line(data, lines[row]), self.game, status))
            for row, status in bad
        ]
        return replace(hands, card_set=self._card_sets(hands, self.game)), skipped

    def _card_sets(self, hands: Hands, game: Rules) -> NDArray[np.uint64]:
        header = self.header
        match = f"{game.name}/{header.seed}" if header else f"{self.source}/{self.origin.match}"
        sets = np.full(len(hands), number_of(match), np.uint64)
        # Deals replayed with the seats rotated stand one after the other: same cards at the positions, others behind.
        deal = hands.number // game.players
        again = np.flatnonzero(deal[1:] == deal[:-1])
        if self.replayed is None and len(again):
            hole = hands.cards[:, : game.players * game.hole_cards]
            self.replayed = bool((hole[again] == hole[again + 1]).all())
        if self.replayed:
            sets = np.array([number_of(f"{match}/{number}") for number in deal.tolist()], np.uint64)
        return sets


def _line(data: NDArray[np.uint8], line: Ints) -> str:
    return data[line[0] : line[1]].tobytes().decode(errors="replace")


def read_acpc(file: BinaryIO, source: str, game: Rules | None = None, path: Path | None = None) -> Iterator[Batch]:
    """Read a log batch by batch: the hands in order, and those that are not with the reason.

    Args:
        file: the log, as bytes.
        source: how it is called in hands and reports.
        game: what was played; by default the header says, else it is inferred from the results.
        path: where the log lies; a `.game` file beside it is found by the header's name.
    """
    log = _Log(source, game, path)
    for block, first in _blocks(file):
        data = np.frombuffer(block, np.uint8)
        lines = k.find_lines(data)
        numbers = np.arange(first, first + len(lines))
        starts = data[np.minimum(lines[:, 0], len(data) - 1)] if len(data) else np.zeros(len(lines), np.uint8)
        blank = lines[:, 0] == lines[:, 1]
        comment = (starts == ord("#")) & ~blank
        second = data[np.minimum(lines[:, 0] + 1, len(data) - 1)] if len(data) else starts
        score = (starts == ord("S")) & (second == ord("C")) & ~blank
        for row in np.flatnonzero(score).tolist():
            score[row] = data[lines[row, 0] : lines[row, 0] + 6].tobytes() == b"SCORE:"
        hand = ~(blank | comment | score)
        begin = 0
        for row in [*np.flatnonzero(comment).tolist(), len(lines)]:
            chosen = np.flatnonzero(hand[begin:row]) + begin
            for part in np.array_split(chosen, -(-len(chosen) // 16384)) if len(chosen) else ():
                yield log.read(data, lines[part], numbers[part])
            begin = row
            header = header_of(_line(data, lines[row])) if row < len(lines) else None
            if header:
                log.begin_match(header)


def _knows(head: bytes) -> bool:
    """By the first line; or by any line, for a log may begin with something else."""
    line = first_line(head)
    if re.match(r"(STATE|SCORE):", line) or re.match(r"[^:]*\|[^:]*:\d+:[fcr\d/]*:[^:]*:", line):
        return True
    return re.search(r"^(STATE:|#\s*name/game/hands/seed\s)", text_of(head), re.MULTILINE) is not None


FORMAT = LogFormat(
    "acpc", (".log", ".txt"), _knows, lambda file, path, game: read_acpc(file, str(path), game, path), write_acpc
)
