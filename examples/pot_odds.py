"""An attribute in one file: `mazzo learn random.log -o hero.mz --attributes learning,examples/pot_odds.py:pot_odds`."""

import numpy as np

from mazzo.holdem.attributes import Situations, attribute


def pot_odds(s: Situations) -> np.ndarray:
    """What a call costs as a share of the pot it would make; 0 where checking is free."""
    return s.owed / (s.pot + s.owed)


@attribute(values=("free", "cheap", "dear"))
def price(s: Situations) -> np.ndarray:
    """What a call costs in words: nothing, less than a third of the pot it would make, or more."""
    share = pot_odds(s)
    return np.where(share == 0, 0, np.where(share < 1 / 3, 1, 2))
