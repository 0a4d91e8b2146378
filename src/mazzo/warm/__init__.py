"""Compile ahead: the kernels of the usual commands, by running each once with little to do."""

from __future__ import annotations

from mazzo.warm.ahead import (
    PARTS,
    Warmed,
    commands_of,
    mark_warm,
    sit_down,
    start_in_background,
    stop_background,
    warm,
)

__all__ = [
    "PARTS",
    "Warmed",
    "commands_of",
    "mark_warm",
    "sit_down",
    "start_in_background",
    "stop_background",
    "warm",
]
