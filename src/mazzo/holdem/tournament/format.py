"""How a table runs from hand to hand: chips, blinds and their levels, when it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.rules import PRESETS, Rules
from mazzo.seated import EDITION

__all__ = ["NUMBER_BITS", "TournamentFormat", "parse_blinds"]

NUMBER_BITS = 20
"""Hand h of tournament t is deal `t << NUMBER_BITS | h`."""


@dataclass(frozen=True)
class TournamentFormat:
    """Chips, blinds and limits of a tournament (or, with rebuys, of a cash table)."""

    players: int = 5
    chips: int = 1000
    levels: tuple[tuple[int, int], ...] = ((5, 10),)
    """Small and big blind, level by level; the last one stays."""
    level_hands: int = 100
    """Hands a level lasts."""
    hand_limit: int = 1000
    """Hands after which the player with most chips wins."""
    limit: bool = False
    """Fixed bets: the big blind before and on the flop, twice that later."""
    min_raise_is_blind: bool = False
    """The simpler rule of some texts: a raise is one big blind at least, however large the last one was."""
    edition: int = EDITION
    """Of the rules: in the first a short big blind is owed as posted, and half a limit raise reopens nothing."""

    def __post_init__(self) -> None:
        for wrong, reason in (
            (not 2 <= self.players <= c.MAX_PLAYERS, f"a table seats 2 to {c.MAX_PLAYERS}, not {self.players}"),
            (not 1 <= self.chips <= 10**9, f"chips are 1 to a thousand million, not {self.chips}"),
            (not 1 <= len(self.levels) <= 100, f"there are 1 to 100 levels of blinds, not {len(self.levels)}"),
            (any(not 1 <= a <= b <= 10**9 for a, b in self.levels), "1 <= small blind <= big blind does not hold"),
            (self.level_hands < 1, f"a level lasts at least one hand, not {self.level_hands}"),
            (
                not 1 <= self.hand_limit < 1 << NUMBER_BITS,
                f"the hand limit must be 1 to a million, got {self.hand_limit}",
            ),
        ):
            if wrong:
                raise UnreadableError(f"this table cannot be played: {reason}")

    def level(self, hand: int) -> int:
        """The level of blinds at a hand, counted from 0."""
        return min(hand // self.level_hands, len(self.levels) - 1)

    def game(self, players: int, level: int = 0) -> Rules:
        """The game as so many players left play it at a level."""
        return self._games[level * (c.MAX_PLAYERS - 1) + players - 2]

    @cached_property
    def _games(self) -> tuple[Rules, ...]:
        out = []
        for small, big in self.levels:
            for players in range(2, c.MAX_PLAYERS + 1):
                preset = PRESETS[f"holdem-{'limit' if self.limit else 'nolimit'}-{players}p"]
                game = replace(
                    preset,
                    blinds=(big, small) if players == 2 else (small, big, *(0,) * (players - 2)),
                    stacks=(self.chips,) * players,
                    raise_sizes=(big, big, 2 * big, 2 * big) if self.limit else (),
                    min_raise_is_blind=self.min_raise_is_blind,
                    whole_blind=self.edition > 1,
                    half_raise_reopens=self.edition > 1 or not self.limit,
                )
                out.append(game)
        return tuple(out)

    @cached_property
    def rules(self) -> NDArray[np.int64]:
        """A row of rules for every level and number of players left: row `level * 9 + players - 2`."""
        return np.array([game.row for game in self._games])


def parse_blinds(text: str) -> tuple[tuple[int, int], ...]:
    """Levels of blinds from `5/10` or `5/10,10/20,25/50`."""
    levels = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,9})/(\d{1,9})\s*", part)
        if not found:
            raise UnreadableError(f"blinds are written 5/10, levels separated by commas (5/10,10/20), not {text!r}")
        levels.append((int(found[1]), int(found[2])))
    return tuple(levels)
