"""What every model of a clone offers: a scikit-learn pipeline to learn with, and the arrays that are kept of it.

A model file holds these arrays and nothing that could run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import Encoder, Form, encode_sparse

__all__ = ["Arrays", "EncodedModel", "StreetModel"]

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class StreetModel(ABC):
    """A learned model of one street as data: columns, arrays, and how it was learned."""

    kind: ClassVar[str]
    """Its name in `MODELS` and in model files."""
    predicts: ClassVar[str] = "CLASS_HERO_ACTION_TAKEN"
    """The class it learns."""
    cap: ClassVar[int] = 20_000
    """Rows it learns from at most, as the text's table 9 does."""

    takes: ClassVar[tuple[str, ...]] = ()
    """The settings its learner has."""

    columns: tuple[Column, ...]
    arrays: Arrays
    settings: dict[str, Any] = field(default_factory=dict)

    @classmethod
    @abstractmethod
    def pipeline(cls, columns: Sequence[Column], rows: int, seed: int = 0, **settings: Any) -> Any:
        """A learner that is not fitted yet, a scikit-learn pipeline whose last step is called `model`.

        Args:
            columns: what the rows hold.
            rows: how many it will learn from; the tree's pruning depends on it.
            seed: for those that draw lots.
            settings: `bits` (tree), `neighbours` (knn, kdtree), `c` (svm), `trees` and `rate` (boosting), `weights`
                (tree and boosting: by action, to steer precision against recall); each model has those of `takes`.
        """

    @classmethod
    def check_settings(cls, settings: Iterable[str]) -> None:
        """Raise UnreadableError where the learner has no such setting: it would have no effect."""
        for name in settings:
            if name not in cls.takes:
                known = did_you_mean(name, cls.takes) if cls.takes else "it has none"
                raise UnreadableError(f"the model {cls.kind!r} has no setting {name!r}; {known}")

    @classmethod
    def fit(cls, rows: Rows, seed: int = 0, **settings: Any) -> Any:
        """A fitted pipeline for the decisions of a street."""
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from threadpoolctl import threadpool_limits

        made = cls.pipeline(rows.columns, len(rows), seed, **settings)
        with (
            threadpool_limits(1),
            warnings.catch_warnings(),
        ):  # threads that wait for each other cost more than they give
            warnings.simplefilter("ignore", ConvergenceWarning)  # support vectors stop at a good enough plane
            made.fit(rows.x, rows.y)
        return made

    @classmethod
    def freeze(cls, fitted: Any, columns: Sequence[Column], settings: dict[str, Any] | None = None) -> Self:
        """A fitted pipeline as data."""
        return cls(tuple(columns), cls.arrays_of(fitted.named_steps["model"]), settings or {})

    @classmethod
    def fit_in_chunks(cls, chunks: Iterable[Rows], seed: int = 0, **settings: Any) -> Self:
        """Learn from more rows than memory holds, where the model can."""
        raise UnreadableError(f"{cls.kind!r} cannot be learned chunk by chunk; bayes and boosting can")

    @classmethod
    @abstractmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """What is kept of a fitted learner, the pipeline's last step."""

    @abstractmethod
    def predict_proba(self, x: Floats) -> Floats:
        """How much speaks for each of RAISE, FOLD and CALL, summing to one."""

    def predict(self, x: Floats) -> Ints:
        """The likeliest action, as a place in `CLASSES`."""
        return np.asarray(self.predict_proba(x).argmax(axis=1))

    @abstractmethod
    def check(self) -> None:
        """Refuse arrays that no model of this kind has: evaluating them could read outside or never end."""

    @property
    def looks_at(self) -> Ints:
        """The places of the columns it looks at; `predict_proba` takes anything in the others."""
        return np.arange(len(self.columns))

    @property
    def size(self) -> tuple[int, int]:
        """How large it is: nodes and leaves of trees, conditions and rules, else numbers kept and rows."""
        return sum(int(array.size) for array in self.arrays.values()), len(self.arrays.get("labels", ()))


class EncodedModel(StreetModel):
    """A model that sees nominal values as columns of their own; see `mazzo.holdem.cloning.encode`."""

    form: ClassVar[Form] = "sparse"
    """How attributes are encoded while it learns."""
    dense: ClassVar[bool] = False
    """Whether its learner takes no sparse rows."""

    @classmethod
    def pipeline(cls, columns: Sequence[Column], rows: int, seed: int = 0, **settings: Any) -> Any:
        """The encoder, then the learner."""
        from sklearn.pipeline import Pipeline

        learner = cls.learner(columns, rows, seed, **settings)
        return Pipeline([("encode", Encoder(columns, cls.form, cls.dense)), ("model", learner)])

    @classmethod
    @abstractmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """The estimator of encoded rows."""

    @classmethod
    def freeze(cls, fitted: Any, columns: Sequence[Column], settings: dict[str, Any] | None = None) -> Self:
        """A fitted pipeline as data, its encoder too."""
        encoder = fitted.named_steps["encode"]
        seen = {"at": encoder.at_, "value": encoder.value_, "fill": encoder.fill_, "scale": encoder.scale_}
        return cls(tuple(columns), seen | cls.arrays_of(fitted.named_steps["model"]), settings or {})

    def encoded(self, x: Floats) -> Any:
        """The rows as the learner saw them."""
        a = self.arrays
        made = encode_sparse(x, a["at"], a["value"], a["fill"], a["scale"], self.form == "distances")
        return made.toarray() if self.dense else made

    def check(self) -> None:
        """Every encoded column must belong to one of the columns, and have its value, filling and scale."""
        a = self.arrays
        check_within(a["at"], len(self.columns), "its columns are damaged")
        if any(a[key].shape != a["at"].shape for key in ("value", "fill", "scale")):
            raise UnreadableError("its columns are damaged: some lack a value or a scale")


def check_within(numbers: Ints, count: int, problem: str) -> None:
    """Refuse numbers that are not places in a list of `count`."""
    if numbers.min(initial=0) < 0 or numbers.max(initial=-1) >= count:
        raise UnreadableError(problem)


def check_actions(numbers: Ints) -> None:
    """Refuse answers that are no actions."""
    check_within(numbers, len(CLASSES), "it answers with actions that there are not")
