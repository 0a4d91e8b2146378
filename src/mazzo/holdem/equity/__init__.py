"""Equity: the share of the pot a hand wins on average, exact where counting is affordable.

`equity` and `equity_against` answer for one hand; `equities` (exact, one or two opponents) and `sampled_equity` (up to
nine) for many at a time. `prepare` makes or loads the tables that `equities` needs before and on the flop.
"""

from mazzo.holdem.equity.batch import equities
from mazzo.holdem.equity.ranges import Range, parse_range
from mazzo.holdem.equity.sampled import MOST_OPPONENTS, sampled_equity
from mazzo.holdem.equity.single import DEFAULT_SAMPLES, Equity, equity, equity_against
from mazzo.holdem.equity.store import prepare, tables_ready

__all__ = [
    "DEFAULT_SAMPLES",
    "MOST_OPPONENTS",
    "Equity",
    "Range",
    "equities",
    "equity",
    "equity_against",
    "parse_range",
    "prepare",
    "sampled_equity",
    "tables_ready",
]
