"""The competition's dealer and client: matches over TCP between any programs that speak its protocol."""

from typing import TYPE_CHECKING

from mazzo.lazy import lazy

if TYPE_CHECKING:
    from mazzo.holdem.dealer.client import play_on
    from mazzo.holdem.dealer.limits import DealerLimits
    from mazzo.holdem.dealer.match import DealerMatch
    from mazzo.holdem.dealer.server import DealerSeat, serve

__all__ = ["DealerLimits", "DealerMatch", "DealerSeat", "play_on", "serve"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "DealerLimits": "mazzo.holdem.dealer.limits:DealerLimits",
        "DealerMatch": "mazzo.holdem.dealer.match:DealerMatch",
        "DealerSeat": "mazzo.holdem.dealer.server:DealerSeat",
        "play_on": "mazzo.holdem.dealer.client:play_on",
        "serve": "mazzo.holdem.dealer.server:serve",
    },
)
