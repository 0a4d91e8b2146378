"""Hands in and out: logs of the competition, PHH, Parquet; statistics and analysis of what was played."""

from __future__ import annotations

from mazzo.holdem.logs.formats.acpc_write import acpc_text
from mazzo.holdem.logs.hands import Hands, Skipped, rescaled
from mazzo.holdem.logs.reading import LogReader, ReadingReport, read_hands

__all__ = ["Hands", "LogReader", "ReadingReport", "Skipped", "acpc_text", "read_hands", "rescaled"]
