"""Texas Hold'em and its relatives: limit and no-limit, two to ten players.

>>> import mazzo
>>> hand = mazzo.holdem.Hand("holdem-nolimit-2p", seed=1)
>>> print(hand.act("r300"))
game holdem-nolimit-2p; cards QsQd|; play r300
>>> mazzo.holdem.equity("AsKd", board="7h8h2c").exact
True

Names are imported when they are first used, so that importing this package loads no compiled code. `rules` is the
exception: it is also the name of a module, and must be bound before anything else imports that.
"""

from typing import TYPE_CHECKING

from mazzo.holdem.columns import CALL, FOLD
from mazzo.holdem.rules import PRESETS, Rules, find_game, read_game, rules
from mazzo.lazy import lazy

if TYPE_CHECKING:
    from mazzo.holdem.agents import find_agent as agent
    from mazzo.holdem.agents.clone import clone
    from mazzo.holdem.agents.hero import learn
    from mazzo.holdem.beliefs import range_of
    from mazzo.holdem.best_response import exploit
    from mazzo.holdem.hand import Hand
    from mazzo.holdem.logs.reading import read_hands as hands
    from mazzo.holdem.match import generate
    from mazzo.holdem.observation import Observations
    from mazzo.holdem.odds.batch import equities
    from mazzo.holdem.odds.ranges import Range
    from mazzo.holdem.odds.single import equity
    from mazzo.holdem.solver.solution import solve_game
    from mazzo.holdem.spots import solve
    from mazzo.holdem.table import Table

__all__ = [
    "CALL",
    "FOLD",
    "PRESETS",
    "Hand",
    "Observations",
    "Range",
    "Rules",
    "Table",
    "agent",
    "clone",
    "equities",
    "equity",
    "exploit",
    "find_game",
    "generate",
    "hands",
    "learn",
    "range_of",
    "read_game",
    "rules",
    "solve",
    "solve_game",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Hand": "mazzo.holdem.hand:Hand",
        "Observations": "mazzo.holdem.observation:Observations",
        "Range": "mazzo.holdem.odds.ranges:Range",
        "Table": "mazzo.holdem.table:Table",
        "agent": "mazzo.holdem.agents:find_agent",
        "clone": "mazzo.holdem.agents.clone:clone",
        "equities": "mazzo.holdem.odds.batch:equities",
        "equity": "mazzo.holdem.odds.single:equity",
        "exploit": "mazzo.holdem.best_response:exploit",
        "generate": "mazzo.holdem.match:generate",
        "hands": "mazzo.holdem.logs.reading:read_hands",
        "learn": "mazzo.holdem.agents.hero:learn",
        "range_of": "mazzo.holdem.beliefs:range_of",
        "solve": "mazzo.holdem.spots:solve",
        "solve_game": "mazzo.holdem.solver.solution:solve_game",
    },
)
