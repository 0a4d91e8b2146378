"""The text histories of the poker rooms that pokerkit has importers for."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from mazzo.holdem.logs.formats import Batch, LogFormat, UnusableHandError, text_of
from mazzo.holdem.logs.formats.phh_replay import read_histories
from mazzo.holdem.rules import Rules

__all__ = ["ABSOLUTE_POKER", "FULL_TILT_POKER", "IPOKER_NETWORK", "ONGAME_NETWORK", "PARTYPOKER", "POKERSTARS"]

# What pokerkit may raise for text that is not a hand, besides its own errors.
_NOT_A_HAND = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError, UserWarning)


def _room(name: str, sign: str, parser: str) -> LogFormat:
    """A room by pokerkit's name for it, how one of its hands begins, and pokerkit's class that takes them apart."""
    begins = re.compile(sign, re.MULTILINE)

    def knows(head: bytes) -> bool:
        return begins.search(text_of(head)) is not None

    def read(file: BinaryIO, path: Path, game: Rules | None) -> Iterator[Batch]:
        import pokerkit

        text = file.read().decode("utf-8-sig", errors="replace").replace("\r\n", "\n") + "\n\n\n"
        pieces = [
            (text.count("\n", 0, found.start()) + 1, partial(_load, found.group(0), name))
            for found in getattr(pokerkit, parser).HAND.finditer(text)
        ]
        yield from read_histories(iter(pieces), str(path))

    return LogFormat(name, (".txt",), knows, read)


def _load(piece: str, name: str) -> Any:
    """One hand in pokerkit's notation."""
    import pokerkit

    importer = getattr(pokerkit.HandHistory, f"from_{name}")
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return next(iter(importer(piece + "\n\n\n", error_status=True)))
        except (*_NOT_A_HAND, StopIteration):
            raise UnusableHandError("unreadable hand", f"pokerkit cannot read this as a hand of {name}") from None


POKERSTARS = _room("pokerstars", r"^PokerStars .*#", "PokerStarsParser")
FULL_TILT_POKER = _room("full_tilt_poker", r"^Full Tilt Poker Game #", "FullTiltPokerParser")
ABSOLUTE_POKER = _room("absolute_poker", r"^Stage #", "AbsolutePokerParser")
PARTYPOKER = _room("partypoker", r"^Game #\d+ starts", "PartyPokerParser")
ONGAME_NETWORK = _room("ongame_network", r"^\*{5} History for hand ", "OngameNetworkParser")
IPOKER_NETWORK = _room("ipoker_network", r'^\s*<game gamecode="', "IPokerNetworkParser")
