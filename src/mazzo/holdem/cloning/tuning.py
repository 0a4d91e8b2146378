"""`--model auto`: the model, settings and attributes of a street, chosen by grouped cross-validation on log-loss.

Tried are boosted trees of several shapes, with their rounds stopped where log-loss on held-out groups is least, begun
from the other players of the log where the hero has few decisions, with fewer attributes and with opponents'
statistics; and a decision tree, which is taken if it predicts as well. What is printed of the choice is honest: a
fold is judged by the candidate, the rounds and the temperature that the other folds choose.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import REGISTRY
from mazzo.holdem.attributes.select import SIMPLIFIED
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import Encoder, softmax
from mazzo.holdem.cloning.models import MODELS
from mazzo.holdem.cloning.models.tuned import OTHERS_PLAN
from mazzo.holdem.cloning.scores import log_losses
from mazzo.holdem.cloning.validate import Validation, folds_of
from mazzo.learn.boosted_classes import STEP, BoostingPlan, boost_classes, mean_log_loss

__all__ = ["FOLDS", "STEPS", "Choice", "choose"]

FOLDS = 4
_MOST_TUNED = 6_000
"""Decisions by which settings are chosen; the model is then learned from all."""
_ROUNDS = 200
_PATIENCE = 20
"""Rounds without progress on held-out decisions before boosting stops."""
_BLOCKS = 20
_AS_GOOD = 0.002
"""A tree may have this much more log-loss than boosted trees: it can be read as it plays."""
_CERTAIN = 0.02
"""Where a tree has less log-loss than this the player follows a rule that the tree has found: nothing else is tried."""
_HOPELESS = 0.01
"""A candidate whose log-loss on the first fold is worse than the best by more than this is not tried on the others."""
_WEIGHT = 0.8
_SHAPES: tuple[dict[str, Any], ...] = (
    {"leaves": 8, "leaf": 20, "rate": 0.1},
    {"leaves": 4, "leaf": 20, "rate": 0.1},
    {"leaves": 16, "leaf": 10, "rate": 0.1},
)


@dataclass(frozen=True)
class Choice:
    """How a street is learned, and how well that predicts."""

    kind: str
    settings: dict[str, Any]
    names: tuple[str, ...]
    """The attributes it is offered."""
    judged: Validation
    tried: list[dict[str, Any]] = field(default_factory=list)
    """Every candidate with its log-loss."""

    def rows(self, rows: Rows) -> Rows:
        """The decisions with its attributes."""
        return rows.only(self.names)

    def described(self) -> dict[str, Any]:
        """The choice as plain data."""
        plain = {k: v for k, v in self.settings.items() if k != "others"}
        return {"model": self.kind, "settings": plain, "borrows": "others" in self.settings, "tried": self.tried}


@dataclass
class _Candidate:
    """Something tried: the chances it gave to held-out decisions, by how many rounds it was given."""

    label: str
    kind: str
    settings: dict[str, Any]
    names: tuple[str, ...]
    borrows: bool
    scores: NDArray[np.float32]
    """By looks, decisions and actions; logarithms of chances for a tree."""
    losses: Floats
    """By looks and decisions."""
    seconds: float = 0.0

    @property
    def watches(self) -> bool:
        """Whether it looks at opponents' statistics."""
        return any(REGISTRY[name].prefix == "HISTORY" for name in self.names)

    @property
    def best(self) -> float:
        """Its log-loss, with as many rounds as give the least."""
        return float(self.losses.mean(axis=1).min())


def _plain_names(rows: Rows) -> tuple[str, ...]:
    return tuple(c.name for c in rows.columns if REGISTRY[c.name].prefix != "HISTORY")


def fold_groups(rows: Rows, watches: bool) -> NDArray[np.uint64]:
    """What must not be torn apart: card sets; the match where opponents' statistics are looked at.

    In a log of few matches these run through all of it. Then card sets are taken together in 20 runs of hands one
    after another, so that hardly a decision has its neighbours in time on the other side.
    """
    if not watches:
        return rows.group
    if rows.match is not None and len(np.unique(rows.match)) >= FOLDS:
        return rows.match
    groups, first, place = np.unique(rows.group, return_index=True, return_inverse=True)
    order = np.empty(len(groups), np.int64)
    order[np.argsort(first, kind="stable")] = np.arange(len(groups))
    blocks = min(_BLOCKS, len(groups))
    return np.asarray((order * blocks // len(groups))[place].astype(np.uint64))


class _Bench:
    """Candidates are tried on the same folds of the same decisions."""

    def __init__(self, rows: Rows, others: Rows | None, folds: int, seed: int) -> None:
        watches = len(_plain_names(rows)) < len(rows.columns)
        keys = fold_groups(rows, watches)
        self.rows, self.others, self.seed, self.folds = rows, others, seed, folds
        self.fold = folds_of(keys, folds, seed)
        self.first = np.inf
        self.other_fold: Ints | None = None
        if others is not None:  # the same card sets are held out of the others' decisions
            groups, at = np.unique(rows.group, return_index=True)
            where = np.minimum(np.searchsorted(groups, others.group), len(groups) - 1)
            self.other_fold = np.where(groups[where] == others.group, self.fold[at[where]], -1)

    def boosted(self, label: str, names: tuple[str, ...], shape: dict[str, Any], borrows: bool) -> _Candidate | None:
        """Boosted trees of a shape, or None where the first fold shows that they are not worth the others."""
        started = time.process_time()
        rows = self.rows.only(names)
        others = self.others.only(names) if borrows and self.others is not None else None
        encoder = Encoder(rows.columns, "places", True)
        encoder.fit(rows.x if others is None else np.concatenate([rows.x, others.x]))
        x = encoder.transform(rows.x)
        plan = BoostingPlan(trees=_ROUNDS, inputs=0.4, patience=_PATIENCE, **shape)
        looks = _ROUNDS // STEP + 1
        scores = np.zeros((looks, len(rows), len(CLASSES)), np.float32)
        for k in range(self.folds):
            test, train = self.fold == k, self.fold != k
            start = None
            if others is not None and self.other_fold is not None:
                seen = self.other_fold != k
                before = boost_classes(
                    encoder.transform(others.x[seen]),
                    others.y[seen],
                    len(CLASSES),
                    BoostingPlan(**OTHERS_PLAN),
                    seed=self.seed,
                )
                start = _WEIGHT * before.scores(x)
            grown = boost_classes(
                x[train],
                rows.y[train],
                len(CLASSES),
                plan,
                seed=self.seed,
                start=None if start is None else start[train],
                watched=(x[test], rows.y[test], None if start is None else start[test]),
            )
            for look in range(looks):
                scores[look, test] = grown.followed[min(look, len(grown.followed) - 1)]
            if k == 0:
                if min(grown.losses) > self.first + _HOPELESS:
                    return None
                self.first = min(self.first, *grown.losses)
        losses = np.array([log_losses(softmax(s.astype(np.float64)), rows.y) for s in scores])
        return _Candidate(label, "tuned", shape, names, borrows, scores, losses, time.process_time() - started)

    def tree(self, label: str, names: tuple[str, ...], **settings: Any) -> _Candidate:
        started = time.process_time()
        rows, model = self.rows.only(names), MODELS["tree"]
        shares = np.zeros((len(rows), len(CLASSES)))
        for k in range(self.folds):
            fitted = model.fit(rows[self.fold != k], self.seed, **settings)
            shares[self.fold == k] = model.freeze(fitted, rows.columns).predict_proba(rows.x[self.fold == k])
        scores = np.log(np.maximum(shares, 1e-12)).astype(np.float32)[None]
        seconds = time.process_time() - started
        return _Candidate(label, "tree", settings, names, False, scores, log_losses(shares, rows.y)[None], seconds)

    def candidates(self, progress: Callable[[float], None]) -> list[_Candidate]:
        """What is tried, one after another; later ones build on the best so far."""
        plain = _plain_names(self.rows)
        every = tuple(column.name for column in self.rows.columns)
        found = [self.tree(f"tree, {bits:g} bits a leaf", plain, bits=bits) for bits in (3.0, 12.0)]
        progress(1)
        if min(c.best for c in found) < _CERTAIN:
            return found

        def boosted(label: str, names: tuple[str, ...], shape: dict[str, Any], borrows: bool = False) -> None:
            made = self.boosted(label, names, shape, borrows)
            found.extend([made] if made is not None else [])
            progress(1)

        if self.others is not None:
            for shape in _SHAPES[:2]:
                boosted(f"from the log's players, {shape['leaves']} leaves", plain, shape, True)
        for shape in _SHAPES:
            boosted(f"{shape['leaves']} leaves", plain, shape)
        best = min((c for c in found if c.kind == "tuned"), key=lambda c: c.best)
        slow = {**best.settings, "rate": 0.05, "leaf": 2 * best.settings["leaf"]}
        boosted("slower, larger leaves", plain, slow, best.borrows)
        few = tuple(name for name in SIMPLIFIED[self.rows.street] if name in plain)
        if few:
            boosted("few attributes", few, best.settings, best.borrows)
        if len(every) > len(plain):
            boosted("with opponents' statistics", every, best.settings, best.borrows)
        return found


STEPS = 9
"""How often `choose` tells its progress."""


@dataclass(frozen=True)
class _Pick:
    candidate: _Candidate
    look: int
    temperature: float

    def shares(self, rows: NDArray[np.bool_]) -> Floats:
        """The chances it gave to some decisions that were held out."""
        return softmax(self.candidate.scores[self.look, rows].astype(np.float64) / self.temperature)


def _pick(candidates: Sequence[_Candidate], y: Ints, rows: NDArray[np.bool_]) -> _Pick:
    """The candidate, look and temperature that predict some decisions best.

    Opponents' statistics must pay beyond doubt, since a clone that looks at them needs all earlier hands; a tree may
    be a little worse, since it can be read.
    """
    looks = [int(c.losses[:, rows].mean(axis=1).argmin()) for c in candidates]
    losses = [c.losses[look][rows] for c, look in zip(candidates, looks, strict=True)]
    means = [float(each.mean()) for each in losses]
    plain = [k for k, c in enumerate(candidates) if not c.watches]
    best = min(plain, key=lambda k: means[k])
    for k, c in enumerate(candidates):
        gain = losses[best] - losses[k]
        if c.watches and gain.mean() > 2 * gain.std() / np.sqrt(max(len(gain), 1)):
            best = k
    trees = [k for k in plain if candidates[k].kind == "tree" and means[k] <= means[best] + _AS_GOOD]
    chosen = min(trees, key=lambda k: means[k]) if trees else best
    candidate, look = candidates[chosen], looks[chosen]
    heat = 1.0 if candidate.kind == "tree" else _temperature(candidate.scores[look, rows].astype(np.float64), y[rows])
    return _Pick(candidate, look, heat)


def _temperature(scores: Floats, y: Ints) -> float:
    """What scores are best divided by, between a third and three."""
    from scipy.optimize import minimize_scalar

    def loss(logarithm: float) -> float:
        return mean_log_loss(scores / np.exp(logarithm), y)

    return float(np.exp(minimize_scalar(loss, bounds=(-1.1, 1.1), method="bounded").x))


def choose(
    rows: Rows,
    others: Rows | None = None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Callable[[float], None] = lambda amount: None,
) -> Choice:
    """Choose model, settings and attributes of a street.

    Args:
        rows: The hero's decisions of the street, with all attributes that may be looked at.
        others: Those of other players, with the same columns; tried as what the hero is a correction to.
        folds: Into how many parts the groups are divided.
        seed: For the division, and for learners that draw lots.
        progress: Told one for each of `STEPS`.
    """
    if len(rows) < 2:
        raise UnreadableError(f"there are {len(rows)} decisions to choose a model by: too few; give more hands")
    tuned = _some_groups(rows, _MOST_TUNED, seed)
    bench = _Bench(tuned, others, folds, seed)
    candidates = bench.candidates(progress)
    pick = _pick(candidates, tuned.y, np.ones(len(tuned), np.bool_))
    settings = _settings(pick, others)
    names = pick.candidate.names
    tried = [{"candidate": c.label, "log_loss": c.best, "seconds": c.seconds} for c in candidates]
    if len(tuned) < len(rows):
        judged = _held_out_quarter(rows, pick, settings, seed)
    else:
        judged = _honestly(bench, candidates, pick)
    return Choice(pick.candidate.kind, settings, names, judged, tried)


def _settings(pick: _Pick, others: Rows | None) -> dict[str, Any]:
    found = dict(pick.candidate.settings)
    if pick.candidate.kind == "tuned":
        found |= {"trees": pick.look * STEP, "temperature": pick.temperature}
    if pick.candidate.borrows and others is not None:
        found |= {"others": others.only(pick.candidate.names), "others_weight": _WEIGHT}
    return found


def _some_groups(rows: Rows, most: int, seed: int) -> Rows:
    """Decisions of as many whole groups as give about `most`."""
    if len(rows) <= most:
        return rows
    groups, sizes = np.unique(rows.group, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(groups))
    enough = int(np.searchsorted(np.cumsum(sizes[order]), most)) + 1
    chosen = groups[order[: max(enough, FOLDS)]]
    return rows[np.isin(rows.group, chosen)]


def _honestly(bench: _Bench, candidates: list[_Candidate], pick: _Pick) -> Validation:
    """Each fold judged by what the others choose."""
    y = bench.rows.y
    shares = np.zeros((len(y), len(CLASSES)))
    for k in range(bench.folds):
        test = bench.fold == k
        shares[test] = _pick(candidates, y, ~test).shares(test)
    trained = round(len(y) * (bench.folds - 1) / bench.folds)
    seconds = pick.candidate.seconds / bench.folds
    size = float(pick.look * STEP)
    return Validation.of(
        pick.candidate.kind, shares, y, trained=trained, capped=False, fit_seconds=seconds, size=size, leaves=0.0
    )


def _held_out_quarter(rows: Rows, pick: _Pick, settings: dict[str, Any], seed: int) -> Validation:
    """Where there are more decisions than settings are chosen by: learned from three quarters, judged on the fourth."""
    model = MODELS[pick.candidate.kind]
    fold = folds_of(fold_groups(rows, pick.candidate.watches), FOLDS, seed)
    some = rows.only(pick.candidate.names)
    train = np.flatnonzero(fold != 0)
    capped = len(train) > model.cap
    if capped:
        train = np.sort(np.random.default_rng(seed).choice(train, model.cap, replace=False))
    started = time.process_time()
    made = model.freeze(model.fit(some[train], seed, **settings), some.columns)
    seconds = time.process_time() - started
    test = fold == 0
    size, leaves = made.size
    return Validation.of(
        pick.candidate.kind,
        made.predict_proba(some.x[test]),
        rows.y[test],
        trained=len(train),
        capped=capped,
        fit_seconds=seconds,
        size=float(size),
        leaves=float(leaves),
    )
