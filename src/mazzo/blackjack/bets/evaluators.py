"""Fast evaluators: what a round from each of many compositions is worth, without the exact count.

None of them is exact. Where they are used (`estimate`, `documents.traversal_value`) a random sample of exact values
takes their bias out again and says how large it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mazzo.blackjack.bets.shoes import fast_values
from mazzo.blackjack.counting.effects import effects_of_removal
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.infinite import infinite_evs, new_tables
from mazzo.blackjack.multisets import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.errors import UnreadableError
from mazzo.registry import Registry

__all__ = ["EVALUATORS", "Evaluator", "evaluator_of", "linear_values", "plain_values"]

Evaluator = Callable[[NDArray[np.integer]], Floats]
"""Values of compositions [shoe, rank]."""

EVALUATORS: Registry[Callable[[Rules, NDArray[np.integer]], Floats]] = Registry("evaluator")
EVALUATORS.register("infinite")(fast_values)


@EVALUATORS.register("plain")
def plain_values(rules: Rules, counts: NDArray[np.integer]) -> Floats:
    """The infinite deck's value as it is, of every composition's proportions."""
    result = np.zeros(len(counts))
    chances = counts / counts.sum(1, keepdims=True)
    infinite_evs(chances.astype(np.float64), settings_of(rules), new_tables(), result)
    return result


@EVALUATORS.register("linear")
def linear_values(rules: Rules, counts: NDArray[np.integer]) -> Floats:
    """The fresh value plus, for the cards gone, the effects of removal scaled to the cards left."""
    fresh = shoe_of(rules)
    effects = effects_of_removal(rules)
    cards = counts.sum(1)
    expected = cards[:, None] * (fresh.array() / fresh.cards)
    missing = (expected - counts) @ effects.effects
    return np.asarray(effects.ev + missing * (fresh.cards - 1) / cards)


def evaluator_of(rules: Rules, name: str, network: Path | None = None) -> Evaluator:
    """An evaluator by name, for these rules; `network` is the file of the one of that name.

    What comes back can be sent to other processes.
    """
    if (name == "network") != (network is not None):
        raise UnreadableError(
            "the evaluator `network` needs the file of a trained network, and only it takes one: "
            "`mazzo blackjack network --save values.mz` makes it"
        )
    if network is not None:
        from mazzo.blackjack.documents.neural import ValueNetwork

        return ValueNetwork.load(network).for_rules(rules).values
    return partial(EVALUATORS[name], rules)
