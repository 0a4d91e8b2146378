"""What Q is fitted with. A new regressor is one function here, or registered by whoever brings it.

Each function takes settings by name and gives an estimator of scikit-learn's kind, not fitted yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mazzo.errors import UnreadableError
from mazzo.registry import Registry, parameters

__all__ = [
    "NOT_SETTINGS",
    "REGRESSORS",
    "adaptive_trees",
    "boosted_trees",
    "extra_trees",
    "linear",
    "make_regressor",
    "monotone_trees",
    "neighbours",
    "net",
    "random_forest",
    "torch_net",
]

NOT_SETTINGS = ("seed", "workers", "actions", "rising")
"""Parameters of regressors that follow from what is learned: how many actions there are, which inputs are equities."""

REGRESSORS: Registry[Callable[..., Any]] = Registry("regressor")
"""By name; `make_regressor` calls them."""


def make_regressor(name: str, **settings: Any) -> Any:
    """The regressor of that name.

    A setting that is None is left to the regressor; one that it does not have (the rate of a forest) is refused, but
    for `NOT_SETTINGS`, which every caller gives and not every regressor needs.
    """
    make = REGRESSORS[name]
    taken = parameters(make)
    given = {key: value for key, value in settings.items() if value is not None}
    for key in given:
        if key not in taken and key not in NOT_SETTINGS:
            has = ", ".join(k for k in taken if k not in NOT_SETTINGS) or "none of its own"
            raise UnreadableError(f"the regressor {name!r} has no setting {key!r}; its settings: {has}")
    return make(**{key: value for key, value in given.items() if key in taken})


@REGRESSORS.register("extra")
def extra_trees(trees: int = 100, cuts: int | None = None, leaf: int = 30, *, seed: int = 0, workers: int = 1) -> Any:
    """Extremely randomized trees: so many trees, random cuts tried at a node, and rows a node must have to be cut.

    Args:
        trees: M of the papers.
        cuts: K; by default, and at most, as many as there are inputs.
        leaf: n_min: a node of fewer rows is a leaf.
        seed: same seed, same trees, on any number of workers.
        workers: threads that grow trees.
    """
    from mazzo.learn.extra import ExtraTrees

    _check_trees(trees, cuts, leaf)
    return ExtraTrees(trees, cuts, leaf, random_state=seed, n_jobs=workers)


@REGRESSORS.register("boosted")
def boosted_trees(
    trees: int = 150, leaves: int = 8, rate: float = 0.05, leaf: int = 100, *, seed: int = 0, workers: int = 1
) -> Any:
    """Gradient boosting: small trees, each correcting those before it."""
    from mazzo.learn.boosted import BoostedTrees

    _check_boosted(trees, leaves, rate, leaf)
    return BoostedTrees(trees, leaves, rate, leaf, random_state=seed, n_jobs=workers)


@REGRESSORS.register("adaptive")
def adaptive_trees(
    trees: int = 100, cuts: int | None = None, leaf: int = 10, *, seed: int = 0, workers: int = 1
) -> Any:
    """Extremely randomized trees, leaves as large as their variance asks for; settings as for `extra_trees`."""
    from mazzo.learn.adaptive import AdaptiveTrees

    _check_trees(trees, cuts, leaf)
    return AdaptiveTrees(trees, cuts, leaf, random_state=seed, n_jobs=workers)


@REGRESSORS.register("forest")
def random_forest(trees: int = 100, leaf: int = 30, *, seed: int = 0, workers: int = 1) -> Any:
    """A random forest (Breiman 2001), of scikit-learn; `leaf` rows a node must have to be cut."""
    from sklearn.ensemble import RandomForestRegressor

    _check_trees(trees, None, leaf)
    return RandomForestRegressor(trees, min_samples_split=leaf, random_state=seed, n_jobs=workers)


@REGRESSORS.register("monotone")
def monotone_trees(
    trees: int = 150,
    leaves: int = 8,
    rate: float = 0.05,
    leaf: int = 100,
    *,
    seed: int = 0,
    rising: tuple[int, ...] = (),
) -> Any:
    """Gradient boosting, of scikit-learn, in which no worth falls as equity rises, all else the same."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    _check_boosted(trees, leaves, rate, leaf)
    return HistGradientBoostingRegressor(
        max_iter=trees,
        max_leaf_nodes=leaves,
        learning_rate=rate,
        min_samples_leaf=leaf,
        monotonic_cst=rising or None,
        early_stopping=False,
        random_state=seed,
    )


@REGRESSORS.register("linear")
def linear(*, actions: int = 3) -> Any:
    """Ridge regression, a plane for each action."""
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from mazzo.learn.estimators import ByAction

    return make_pipeline(ByAction(actions), StandardScaler(), Ridge())


@REGRESSORS.register("neighbours")
def neighbours(leaf: int = 100, *, workers: int = 1) -> Any:
    """The mean of the `leaf` most similar decisions, inputs (the action is one) brought to one scale."""
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if leaf < 1:
        raise UnreadableError(f"leaf must be at least 1, got {leaf}")
    return make_pipeline(StandardScaler(), KNeighborsRegressor(leaf, n_jobs=workers))


@REGRESSORS.register("net")
def net(leaves: int = 32, rate: float = 0.003, trees: int = 30, *, seed: int = 0, actions: int = 3) -> Any:
    """A small neural net of two layers of `leaves` units, `trees` passes over the data at this learning rate."""
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from mazzo.learn.estimators import ByAction

    _check_net(leaves, trees, rate)
    made = MLPRegressor(
        hidden_layer_sizes=(leaves, leaves), learning_rate_init=rate, max_iter=trees, random_state=seed, tol=0.0
    )
    return make_pipeline(ByAction(actions), StandardScaler(), made)


@REGRESSORS.register("torch")
def torch_net(
    leaves: int = 64, rate: float = 0.003, trees: int = 8, *, seed: int = 0, workers: int = 1, actions: int = 3
) -> Any:
    """The same with PyTorch, `trees` passes (the extra `torch`); the hero's file plays without it."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from mazzo.extras import require
    from mazzo.learn.estimators import ByAction
    from mazzo.learn.torch_net import TorchNet

    _check_net(leaves, trees, rate)
    require("torch")
    return make_pipeline(ByAction(actions), StandardScaler(), TorchNet(leaves, trees, rate, seed, workers))


def _check_net(leaves: int, trees: int, rate: float) -> None:
    if leaves < 1 or trees < 1 or not 0 < rate <= 1:
        raise UnreadableError(
            f"leaves and trees must be at least 1 and rate above 0 and at most 1, got {leaves}, {trees} and {rate}"
        )


def _check_boosted(trees: int, leaves: int, rate: float, leaf: int) -> None:
    if trees < 1 or leaves < 2 or leaf < 1 or not 0 < rate <= 1:
        raise UnreadableError(
            "trees and leaf must be at least 1, leaves at least 2 and rate above 0 and at most 1, "
            f"got {trees}, {leaf}, {leaves} and {rate}"
        )


def _check_trees(trees: int, cuts: int | None, leaf: int) -> None:
    if trees < 1 or (cuts is not None and cuts < 1) or leaf < 2:
        raise UnreadableError(f"trees and cuts must be at least 1 and leaf at least 2, got {trees}, {cuts} and {leaf}")
