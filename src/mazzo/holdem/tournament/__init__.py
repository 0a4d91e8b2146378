"""Tournaments and cash tables of no-limit Hold'em: many at once for agents, one at a time with people."""

from __future__ import annotations

from mazzo.holdem.tournament.format import TournamentFormat
from mazzo.holdem.tournament.run import TournamentResult, run_tournaments

__all__ = ["TournamentFormat", "TournamentResult", "run_tournaments"]

Format = TournamentFormat
"""The old name of `TournamentFormat`."""
