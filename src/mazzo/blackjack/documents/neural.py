"""Bodon's closing idea (chapter 7): a network that guesses the value of a shoe from its ten counts.

It is trained on points drawn in one of his two ways (5.3.3): as play draws shoes, or by the traversal, compositions by
their probability. A point's value is exact, or by the accelerated means (the infinite deck corrected by the fresh
shoe), of which one can have ten thousand in the time of one. It is judged on exact shoes it has not seen, beside what
must be beaten: the infinite deck, and the infinite deck plus (EV0 - inf0) * n0 / n. A trained network is a file; whole
shoes and the traversal take it as their evaluator, ten times as fast as the infinite deck.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.blackjack.bets.evaluators import plain_values
from mazzo.blackjack.bets.shoes import fast_values
from mazzo.blackjack.documents.sampling import WAYS, drawn_shoes
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.multisets import Floats
from mazzo.blackjack.rules import PRESETS, Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.errors import UnreadableError
from mazzo.model_file import Model, read_model, write_model
from mazzo.workers import Workers, run

__all__ = ["TEACHERS", "NeuralReport", "ValueNetwork", "corrected_infinite", "exact_values", "train_network"]

TEACHERS = ("exact", "fast")
"""Where the values of the training points come from."""
_KIND = "blackjack values"
_ROWS = 1 << 14


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


def _counts(shoes: Sequence[Shoe]) -> NDArray[np.int64]:
    return np.array([shoe.counts for shoe in shoes], np.int64)


def corrected_infinite(rules: Rules, shoes: Sequence[Shoe]) -> Floats:
    """Inf + (EV0 - inf0) * n0 / n: the finite-deck error of the fresh shoe, scaled by the cards left."""
    return fast_values(rules, _counts(shoes))


def _features(rules: Rules, counts: NDArray[np.integer]) -> Floats:
    """Proportions against the fresh shoe's, and how deep the shoe is."""
    cards = counts.sum(1, keepdims=True).astype(np.float64)
    fresh = shoe_of(rules).array() / shoe_of(rules).cards
    return np.hstack([(counts / cards - fresh) / np.sqrt(fresh / 100), 100.0 / cards - 0.5])


@dataclass(frozen=True)
class ValueNetwork:
    """A trained network: the value of a shoe from its ten counts."""

    rules: Rules
    weights: tuple[Floats, ...]
    """Of each layer [from, to]."""
    biases: tuple[Floats, ...]
    scale: float
    """What the last layer's result is multiplied by."""
    trained: dict[str, Any] = field(default_factory=dict)
    """On what it was trained, and its errors."""

    def values(self, counts: NDArray[np.integer]) -> Floats:
        """Its guess of each composition's value."""
        result = np.zeros(len(counts))
        for first in range(0, len(counts), _ROWS):
            layer = _features(self.rules, counts[first : first + _ROWS])
            for weights, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
                layer = np.tanh(layer @ weights + bias)
            result[first : first + _ROWS] = (layer @ self.weights[-1] + self.biases[-1])[:, 0] * self.scale
        return result

    def for_rules(self, rules: Rules) -> ValueNetwork:
        """Itself, if it was trained for these rules (where the cut card lies does not matter to a round)."""
        mine, asked = self.rules.as_dict(), rules.as_dict()
        other = [name for name in asked if asked[name] != mine[name] and name not in ("penetration", "cut_sigma")]
        if other:
            raise UnreadableError(f"this network was trained for other rules: {', '.join(other)}; train one for these")
        return self

    def save(self, path: Path) -> None:
        """Write it as a model file: numbers and settings only."""
        arrays = {f"weights {k}": w for k, w in enumerate(self.weights)}
        arrays |= {f"biases {k}": b for k, b in enumerate(self.biases)}
        settings = {
            "rules": self.rules.as_dict(),
            "scale": self.scale,
            "layers": len(self.weights),
            "trained": self.trained,
        }
        write_model(path, Model(_KIND, settings, arrays))

    @classmethod
    def load(cls, path: Path) -> ValueNetwork:
        """Read what `save` wrote, or say what is wrong with it."""
        model = read_model(path)
        if model.agent != _KIND:
            raise UnreadableError(f"{path} is a model of {model.agent}, not a network of blackjack values")
        try:
            number = int(model.settings["layers"])
            weights = tuple(model.arrays[f"weights {k}"] for k in range(number))
            biases = tuple(model.arrays[f"biases {k}"] for k in range(number))
            rules, scale = PRESETS["strip"].changed(**model.settings["rules"]), float(model.settings["scale"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnreadableError(f"{path} is not a network of blackjack values: {error}") from None
        sizes = [11, *(len(bias) for bias in biases)]
        shapes = [w.shape == (a, b) for w, a, b in zip(weights, sizes[:-1], sizes[1:], strict=True)]
        whole = all(np.isfinite(array).all() for array in (*weights, *biases)) and np.isfinite(scale)
        if not number or not all(shapes) or sizes[-1] != 1 or not whole:
            raise UnreadableError(f"{path} is not a network of blackjack values: its layers do not fit; train it again")
        return cls(rules, weights, biases, scale, dict(model.settings["trained"]))


@dataclass(frozen=True)
class NeuralReport:
    """A trained network and the root mean square errors on shoes it has not seen."""

    rules: Rules
    network: ValueNetwork
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
        return self.network.values(_counts(shoes))


def _fitted(
    rules: Rules, shoes: Sequence[Shoe], values: Floats, hidden: tuple[int, ...], seed: int, closely: bool
) -> ValueNetwork:
    """Fit a network; `closely` where there are so many points that it cannot learn them by heart."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor
    from threadpoolctl import threadpool_limits

    scale = float(values.std())
    network = MLPRegressor(
        hidden_layer_sizes=hidden,
        activation="tanh",
        solver="lbfgs",
        alpha=1e-3,
        max_iter=1500 if closely else 4000,
        tol=1e-7 if closely else 1e-4,
        random_state=seed % 2**32,
    )
    with warnings.catch_warnings(), threadpool_limits(1):  # so small that threads would only wait for each other
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(_features(rules, _counts(shoes)), values / scale)
    return ValueNetwork(rules, tuple(network.coefs_), tuple(network.intercepts_), scale)


def train_network(
    rules: Rules,
    points: int = 400,
    seed: int = 0,
    workers: Workers = 1,
    hidden: tuple[int, ...] = (32, 16),
    advance: Callable[[float], None] | None = None,
    *,
    way: str = "play",
    teacher: str = "exact",
    held_out: int | None = None,
) -> NeuralReport:
    """Train a network and report its error on exact shoes it has not seen.

    Args:
        rules: The table's rules.
        points: Shoes; exact ones are divided, four fifths to train on and a fifth to judge by.
        seed: Which shoes, and how the network begins.
        workers: Processes for the exact values.
        hidden: The sizes of its hidden layers.
        advance: Told of every exact value.
        way: `play` or `traversal`, of `sampling.WAYS`.
        teacher: `exact`, or `fast`: all points by the corrected infinite deck, and `held_out` exact ones beside them.
        held_out: How many shoes to judge by; a fifth of the points, with a fast teacher 100.
    """
    if points < 20:
        raise UnreadableError(f"a network needs at least 20 shoes to learn from, got {points}")
    if teacher not in TEACHERS or way not in WAYS:
        raise UnreadableError(f"teacher must be one of {', '.join(TEACHERS)} and way one of {', '.join(WAYS)}")
    exact = teacher == "exact"
    aside = held_out or (points - points * 4 // 5 if exact else 100)
    shoes = drawn_shoes(rules, points if exact else points + aside, way, seed)
    known, unseen = shoes[:-aside], shoes[-aside:]
    values = exact_values(rules, shoes if exact else unseen, workers, advance)
    truth = values[-aside:]
    taught = values[:-aside] if exact else corrected_infinite(rules, known)
    network = _fitted(rules, known, taught, hidden, seed, not exact)

    def rmse(of: Floats) -> float:
        return float(np.sqrt(np.mean((of - truth) ** 2)))

    errors = [
        rmse(of)
        for of in (
            network.values(_counts(unseen)),
            plain_values(rules, _counts(unseen)),
            corrected_infinite(rules, unseen),
        )
    ]
    network.trained.update(points=len(known), way=way, teacher=teacher, seed=seed, held_out=aside, rmse=errors[0])
    return NeuralReport(rules, network, len(known), aside, *errors)
