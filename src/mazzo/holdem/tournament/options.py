"""What can be chosen at a table of Hold'em beside the seats, and the setting it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazzo.holdem.rules import Rules
from mazzo.holdem.tournament.format import parse_blinds
from mazzo.holdem.tournament.session import Setting
from mazzo.seated import EDITION, Field, read_fields

__all__ = ["FIELDS", "RISING", "rules_at", "setting_of", "usual_options"]

FIELDS = (
    Field("betting", "no-limit", choices=("no-limit", "limit")),
    Field("mode", "cash", choices=("cash", "tournament")),
    Field("chips", 1000, low=1, high=10**9),
    Field("blinds", "5/10", high=2000),
    Field("level_hands", 20, low=1, high=10**9, advanced=True),
    Field("hand_limit", 1000, low=1, high=10**6, advanced=True),
    Field("min_raise_is_blind", False, advanced=True),
)
"""What can be chosen beside the seats."""
RISING = "5/10,10/20,15/30,25/50,40/80,60/120,100/200,150/300,250/500,400/800"
"""The blinds of a tournament for which no others were chosen, level by level."""


def usual_options(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """In a tournament the blinds rise, unless others than the usual ones are chosen (`5/10,5/10` stay as they are)."""
    usual = next(f.default for f in FIELDS if f.name == "blinds")
    rise = chosen.get("mode") == "tournament" and chosen.get("blinds", usual).replace(" ", "") in ("", usual)
    return {**chosen, "blinds": RISING} if rise else dict(chosen)


def setting_of(seats: Sequence[str], options: Mapping[str, Any], seed: int) -> Setting:
    """What these seats play by these options."""
    chosen = read_fields(FIELDS, options)
    return Setting(
        tuple(seats),
        chosen["mode"],
        chips=chosen["chips"],
        levels=parse_blinds(chosen["blinds"]),
        level_hands=chosen["level_hands"],
        hand_limit=chosen["hand_limit"],
        seed=seed,
        limit=chosen["betting"] == "limit",
        min_raise_is_blind=chosen["min_raise_is_blind"],
        edition=int(options.get("edition", EDITION)),
    )


def rules_at(options: Mapping[str, Any], seats: int) -> Rules:
    """The rules of the first hand at such a table."""
    return setting_of(["me"] * seats, options, 0).form.game(seats)
