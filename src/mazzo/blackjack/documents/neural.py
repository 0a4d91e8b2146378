"""The text's closing idea: a network that guesses the value of a shoe from its ten counts.

Trained on exact values of shoes drawn as play draws them, judged on shoes it has not seen, and beside it what must be
beaten: the infinite deck, and the infinite deck plus (EV0 - inf0) * n0 / n, which corrects most of its error with two
numbers known from the fresh shoe.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mazzo.blackjack.documents.sampling import played_shoes
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.infinite import infinite_evs, new_tables
from mazzo.blackjack.multisets import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.errors import UnreadableError
from mazzo.workers import Workers, run

__all__ = ["NeuralReport", "corrected_infinite", "exact_values", "train_network"]


def _exact(rules: Rules, counts: tuple[int, ...]) -> float:
    return analyse(rules, Shoe(counts)).ev


def exact_values(
    rules: Rules, shoes: Sequence[Shoe], workers: Workers = 1, advance: Callable[[float], None] | None = None
) -> Floats:
    """The exact value of each shoe."""
    result = []
    for ev in run(partial(_exact, rules), [shoe.counts for shoe in shoes], workers):
        result.append(ev)
        if advance:
            advance(1)
    return np.array(result)


def infinite_values(rules: Rules, shoes: Sequence[Shoe]) -> Floats:
    """The infinite deck's value for each shoe's proportions."""
    counts = np.array([shoe.counts for shoe in shoes], np.float64)
    result = np.zeros(len(shoes))
    infinite_evs(counts / counts.sum(1, keepdims=True), settings_of(rules), new_tables(), result)
    return result


def corrected_infinite(rules: Rules, shoes: Sequence[Shoe]) -> Floats:
    """Inf + (EV0 - inf0) * n0 / n: the finite-deck error of the fresh shoe, scaled by the cards left."""
    fresh = shoe_of(rules)
    error = analyse(rules).ev - float(infinite_values(rules, [fresh])[0])
    cards = np.array([shoe.cards for shoe in shoes])
    return np.asarray(infinite_values(rules, shoes) + error * fresh.cards / cards)


def _features(rules: Rules, shoes: Sequence[Shoe]) -> Floats:
    """Proportions against the fresh shoe's, and how deep the shoe is."""
    counts = np.array([shoe.counts for shoe in shoes], np.float64)
    cards = counts.sum(1, keepdims=True)
    fresh = shoe_of(rules).array() / shoe_of(rules).cards
    return np.hstack([(counts / cards - fresh) / np.sqrt(fresh / 100), 100.0 / cards - 0.5])


@dataclass(frozen=True)
class NeuralReport:
    """A trained network and the root mean square errors on shoes it has not seen."""

    rules: Rules
    network: Any
    scale: float
    trained_on: int
    held_out: int
    rmse_network: float
    rmse_infinite: float
    rmse_corrected: float

    @property
    def worth_it(self) -> bool:
        """Whether the network beats the corrected infinite deck."""
        return self.rmse_network < self.rmse_corrected

    def predict(self, shoes: Sequence[Shoe]) -> Floats:
        """The network's guess of each shoe's value."""
        return np.asarray(self.network.predict(_features(self.rules, shoes))) * self.scale


def train_network(
    rules: Rules,
    points: int = 400,
    seed: int = 0,
    workers: Workers = 1,
    hidden: tuple[int, ...] = (32, 16),
    advance: Callable[[float], None] | None = None,
) -> NeuralReport:
    """Train on four fifths of `points` exact shoes and report the error on the last fifth."""
    if points < 20:
        raise UnreadableError(f"a network needs at least 20 shoes to learn from, got {points}")
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    shoes = played_shoes(rules, points, seed)
    values = exact_values(rules, shoes, workers, advance)
    cut = points * 4 // 5
    scale = float(values[:cut].std())
    network = MLPRegressor(
        hidden_layer_sizes=hidden,
        activation="tanh",
        solver="lbfgs",
        alpha=1e-3,
        max_iter=4000,
        random_state=seed % 2**32,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(_features(rules, shoes[:cut]), values[:cut] / scale)
    guess = network.predict(_features(rules, shoes[cut:])) * scale
    truth = values[cut:]

    def rmse(of: Floats) -> float:
        return float(np.sqrt(np.mean((of - truth) ** 2)))

    return NeuralReport(
        rules,
        network,
        scale,
        cut,
        points - cut,
        rmse(guess),
        rmse(infinite_values(rules, shoes[cut:])),
        rmse(corrected_infinite(rules, shoes[cut:])),
    )
