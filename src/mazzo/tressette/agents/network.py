"""The text's belief network: which card of a suit falls next, by exact inference with pyagrum.

45 nodes: the suit led (prior 1/4 each); one boolean a card, whether it may fall (a general chance by rank, times 0.85
if its suit is led and 0.05 if not); one variable a suit, which of its cards falls: uniform over those that may, or
none.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError, did_you_mean

__all__ = ["CHANCES", "NONE", "BeliefNetwork", "posterior_table"]

CHANCES = (0.25, 0.15, 0.12, 0.10, 0.09, 0.09, 0.09, 0.02, 0.07, 0.02)
"""The general chance of falling of 4 5 6 7 8 9 10 A 2 3."""
NONE = 10
"""The eleventh value of a suit's variable: no card falls."""
_IF_LED, _IF_NOT = 0.85, 0.05


def _pyagrum() -> Any:
    with warnings.catch_warnings():
        # Loading crashes the interpreter where warnings are errors: https://github.com/swig/swig/issues/3061
        warnings.simplefilter("ignore", DeprecationWarning)
        import pyagrum
    return pyagrum


class BeliefNetwork:
    """The network, asked with evidence: which suit is led, which cards cannot fall."""

    def __init__(self) -> None:
        self._gum = gum = _pyagrum()
        self.network = gum.BayesNet("tressette")
        self.network.add(gum.LabelizedVariable("led", "the suit led", list(ITALIAN.suit_names)))
        self.network.cpt("led").fillWith([0.25] * 4)
        for card in ITALIAN:
            self._add_card(str(card), card.suit, CHANCES[card.rank])
        for suit, name in enumerate(ITALIAN.suit_names):
            self._add_suit(suit, name)
        self._engines = [self._engine(name) for name in ITALIAN.suit_names]

    def _engine(self, target: str) -> Any:
        engine = self._gum.LazyPropagation(self.network)
        engine.setTargets({target})
        engine.setNumberOfThreads(1)  # the network is small: threads cost more than they save
        return engine

    def _add_card(self, name: str, suit: int, chance: float) -> None:
        self.network.add(self._gum.LabelizedVariable(name, f"{name} may fall", ["no", "yes"]))
        self.network.addArc("led", name)
        for led in range(4):
            p = chance * (_IF_LED if led == suit else _IF_NOT)
            self.network.cpt(name)[{"led": led}] = [1 - p, p]

    def _add_suit(self, suit: int, name: str) -> None:
        cards = [str(card) for card in ITALIAN if card.suit == suit]
        self.network.add(self._gum.LabelizedVariable(name, f"which of {name} falls", [*cards, "none"]))
        for card in cards:
            self.network.addArc(card, name)
        may = np.array([[row >> k & 1 for k in range(10)] for row in range(1024)], float)
        table = np.zeros((1024, 11))
        numbers = may.sum(axis=1)
        table[1:, :10] = may[1:] / numbers[1:, None]
        table[0, NONE] = 1.0
        # Rows count in binary with the first card changing fastest; pyagrum takes the value itself fastest of all.
        self.network.cpt(name).fillWith(table.ravel().tolist())

    def posterior(self, suit: int, cannot: int) -> NDArray[np.float64]:
        """[11] the chance that each card of the suit led falls (last: none), where those of `cannot` (bits) do not."""
        evidence: dict[str, Any] = {"led": suit}
        for power in range(10):
            if cannot >> power & 1:
                evidence[ITALIAN.text([ITALIAN.index(power, suit)])] = 0
        engine = self._engines[suit]
        engine.eraseAllEvidence()
        engine.setEvidence(evidence)
        engine.makeInference()
        return np.array(engine.posterior(ITALIAN.suit_names[suit]).tolist())

    def ask(self, query: str, evidence: Mapping[str, str | bool] | None = None) -> dict[str, float]:
        """The chances of any variable given any others: `ask("denari", {"4d": False, "8d": False})`.

        Variables are `led`, the four suits (which card falls, or `none`) and the forty cards (whether one may fall:
        `yes` and `no`, or true and false).
        """
        given = {name: self._value(name, value) for name, value in (evidence or {}).items()}
        labels = self._labels(query)
        engine = self._engine(query)
        engine.setEvidence(given)
        try:
            engine.makeInference()
            found = engine.posterior(query).tolist()
        except self._gum.GumException:
            raise UnreadableError(f"what is given cannot be: {dict(evidence or {})}") from None
        return dict(zip(labels, map(float, found), strict=True))

    def _labels(self, name: str) -> tuple[str, ...]:
        if name not in self.network.names():
            raise UnreadableError(f"there is no variable {name!r}; {did_you_mean(name, self.network.names())}")
        return tuple(self.network.variable(name).labels())

    def _value(self, name: str, value: str | bool) -> str:
        labels = self._labels(name)
        text = ("yes" if value else "no") if isinstance(value, bool) else value
        if text not in labels:
            raise UnreadableError(f"{name} must be one of {', '.join(labels)}, got {text!r}")
        return text


@cache
def posterior_table() -> NDArray[np.float64]:
    """[1024, 11] the posterior of the suit led for every set of cards that cannot fall.

    Given the suit led the other suits' cards tell nothing, and suits are alike: these are all the answers there are.
    """
    network = BeliefNetwork()
    table = np.array([network.posterior(0, cannot) for cannot in range(1024)])
    table.setflags(write=False)
    return table
