"""Equity: the share of the pot a hand wins on average, exact where counting is affordable.

`equity` and `equity_against` answer for one hand; `equities` (exact, one or two opponents), `crowd_equities` (three to
nine, before the flop) and `sampled_equity` (up to nine) for many at a time. `prepare` makes or loads the tables that
`equities` needs before and on the flop.
"""

from mazzo.holdem.odds.batch import equities
from mazzo.holdem.odds.crowd import crowd_equities
from mazzo.holdem.odds.ranges import Range, parse_range
from mazzo.holdem.odds.runouts import Runouts, runouts
from mazzo.holdem.odds.sampled import MOST_OPPONENTS, sampled_equity
from mazzo.holdem.odds.single import DEFAULT_SAMPLES, Equity, equity, equity_against
from mazzo.holdem.odds.store import prepare, tables_ready

__all__ = [
    "DEFAULT_SAMPLES",
    "MOST_OPPONENTS",
    "Equity",
    "Range",
    "Runouts",
    "crowd_equities",
    "equities",
    "equity",
    "equity_against",
    "parse_range",
    "prepare",
    "runouts",
    "sampled_equity",
    "tables_ready",
]
