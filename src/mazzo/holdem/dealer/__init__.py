"""The competition's dealer and client: matches over TCP between any programs that speak its protocol."""

from __future__ import annotations

from mazzo.holdem.dealer.client import play_on
from mazzo.holdem.dealer.match import DealerMatch
from mazzo.holdem.dealer.server import Limits, Seat, serve

__all__ = ["DealerMatch", "Limits", "Seat", "play_on", "serve"]
