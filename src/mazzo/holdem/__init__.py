"""Texas Hold'em and its relatives: limit and no-limit, two to ten players."""

from __future__ import annotations

from mazzo.holdem.game import PRESETS, Game, find_game, read_game
from mazzo.holdem.hand import Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table

__all__ = ["PRESETS", "Game", "Hand", "Observations", "Table", "find_game", "read_game"]
