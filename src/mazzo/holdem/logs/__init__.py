"""Hands in and out: logs of the competition, PHH, Parquet; statistics and analysis of what was played."""

from __future__ import annotations

from mazzo.holdem.logs.hands import Hands, Skipped, rescaled
from mazzo.holdem.logs.reading import Reader, Report, read_hands
from mazzo.holdem.logs.write import acpc_text

__all__ = ["Hands", "Reader", "Report", "Skipped", "acpc_text", "read_hands", "rescaled"]
