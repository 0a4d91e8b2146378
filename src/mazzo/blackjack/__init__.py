"""Blackjack from its rules alone: exact play of any shoe, simulation, learning, charts, counting, advice.

>>> from mazzo import blackjack as bj
>>> print(f'{bj.analyse("strip").plays("8,8 v 10")["split"]:.4f}')
-0.4749
"""

from typing import TYPE_CHECKING

from mazzo.blackjack.rules import PRESETS, Rules, named_rules, read_rules, rules
from mazzo.lazy import lazy

if TYPE_CHECKING:
    from mazzo.blackjack.agents import agent
    from mazzo.blackjack.bets.counter_seat import counter
    from mazzo.blackjack.bets.earnings import Earnings
    from mazzo.blackjack.bets.staking import stakes
    from mazzo.blackjack.counting.systems import Count, counts
    from mazzo.blackjack.counting.systems import read_count as count
    from mazzo.blackjack.exact.analysis import Analysis, analyse
    from mazzo.blackjack.exact.total import BasicStrategy, chart
    from mazzo.blackjack.observation import Observations
    from mazzo.blackjack.round import Round
    from mazzo.blackjack.shoe import Shoe, parse_cards, parse_situation
    from mazzo.blackjack.simulation import Simulation, simulate
    from mazzo.blackjack.strategy import Strategy
    from mazzo.blackjack.table import Table

__all__ = [
    "PRESETS",
    "Analysis",
    "BasicStrategy",
    "Count",
    "Earnings",
    "Observations",
    "Round",
    "Rules",
    "Shoe",
    "Simulation",
    "Strategy",
    "Table",
    "agent",
    "analyse",
    "chart",
    "count",
    "counter",
    "counts",
    "named_rules",
    "parse_cards",
    "parse_situation",
    "read_rules",
    "rules",
    "simulate",
    "stakes",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Analysis": "mazzo.blackjack.exact.analysis:Analysis",
        "BasicStrategy": "mazzo.blackjack.exact.total:BasicStrategy",
        "Count": "mazzo.blackjack.counting.systems:Count",
        "Earnings": "mazzo.blackjack.bets.earnings:Earnings",
        "Observations": "mazzo.blackjack.observation:Observations",
        "Round": "mazzo.blackjack.round:Round",
        "Shoe": "mazzo.blackjack.shoe:Shoe",
        "Simulation": "mazzo.blackjack.simulation:Simulation",
        "Strategy": "mazzo.blackjack.strategy:Strategy",
        "Table": "mazzo.blackjack.table:Table",
        "agent": "mazzo.blackjack.agents:agent",
        "analyse": "mazzo.blackjack.exact.analysis:analyse",
        "chart": "mazzo.blackjack.exact.total:chart",
        "count": "mazzo.blackjack.counting.systems:read_count",
        "counter": "mazzo.blackjack.bets.counter_seat:counter",
        "counts": "mazzo.blackjack.counting.systems:counts",
        "parse_cards": "mazzo.blackjack.shoe:parse_cards",
        "parse_situation": "mazzo.blackjack.shoe:parse_situation",
        "simulate": "mazzo.blackjack.simulation:simulate",
        "stakes": "mazzo.blackjack.bets.staking:stakes",
    },
)
