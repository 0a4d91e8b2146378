"""Text of a poker room read, replayed and verified; pokerkit reads the same text, which it does not verify."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
import warnings
from pathlib import Path

from benchmarks.ratio import Ratio
from mazzo.holdem.logs import read_hands

__all__ = ["run"]

_OURS, _THEIRS = 20_000, 200
_TEXT = Path(__file__).parent.parent / "tests" / "data" / "rooms" / "pokerstars_bom.txt"


def _text(hands: int) -> str:
    one = _TEXT.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    return "\n\n\n".join(one.replace("#101:", f"#{n}:") for n in range(100_000, 100_000 + hands)) + "\n\n\n"


def run() -> list[Ratio]:
    import pokerkit

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.txt"
        path.write_text(_text(100))
        list(read_hands(path))  # compiles
        path.write_text(_text(_OURS))
        start = time.process_time()
        reader = read_hands(path)
        assert sum(map(len, reader)) == _OURS
        ours = (time.process_time() - start) / _OURS * 1e6
    text = _text(_THEIRS)
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        start = time.process_time()
        read = sum(1 for _ in pokerkit.HandHistory.from_pokerstars(text))
        theirs = (time.process_time() - start) / max(1, read) * 1e6
    what = "a hand of a room's text read, replayed, verified"
    return [Ratio(what, ours, "us", "pokerkit, the same text", theirs, 1)]
