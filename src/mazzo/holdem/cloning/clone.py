"""A clone: one model a street, as one file of data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import REGISTRY, STREETS, Column
from mazzo.holdem.attributes.user_files import UnknownAttributeError
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.models import MODELS, StreetModel
from mazzo.holdem.cloning.models.sizes import SizeModel, learn_sizes
from mazzo.holdem.cloning.models.tree import DecisionTree
from mazzo.holdem.cloning.readable import reading_tree
from mazzo.model_file import Model, read_model, write_model

__all__ = ["Clone", "learn_clone", "of_share"]


@dataclass(frozen=True)
class Clone:
    """What was learned of a player."""

    streets: tuple[StreetModel, ...]
    big_blind: int
    """Chips of the big blind in which the models count."""
    raise_shares: tuple[float, ...]
    """Per street, how much a raise usually adds over the call, in pots after the call."""
    settings: dict[str, Any] = field(default_factory=dict)
    readings: tuple[DecisionTree | None, ...] = (None,) * len(STREETS)
    """Per street a small tree that says what the model says, where the model cannot be read itself."""
    learned_hands: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    """Keys of the hands it was learned from (`mazzo.holdem.cloning.judging.hand_keys`)."""
    sizes: tuple[SizeModel | None, ...] = (None,) * len(STREETS)
    """Per street how much it raises, where that hangs on the situation (no-limit)."""

    @property
    def watches(self) -> bool:
        """Whether it looks at what opponents did in earlier hands, itself or to say what it does."""
        every = [model for model in (*self.streets, *self.sizes, *self.readings) if model is not None]
        seen = {model.columns[int(k)].name for model in every for k in model.looks_at}
        return any(REGISTRY[name].prefix == "HISTORY" for name in seen)

    def save(self, path: Path) -> None:
        """Write the clone to a model file."""
        streets: list[dict[str, Any]] = []
        arrays: dict[str, Any] = {}
        for k, (name, model) in enumerate(zip(STREETS, self.streets, strict=True)):
            street = _told(model)
            arrays |= {f"{name}/{key}": array for key, array in model.arrays.items()}
            for part, beside in (("reading", self.readings[k]), ("size", self.sizes[k])):
                if beside is not None:
                    street[part] = _told(beside)
                    arrays |= {f"{part}/{name}/{key}": array for key, array in beside.arrays.items()}
            streets.append(street)
        if len(self.learned_hands):
            arrays["learned_hands"] = self.learned_hands.view(np.int64)
        settings = {
            **self.settings,
            "streets": streets,
            "big_blind": self.big_blind,
            "raise_shares": list(self.raise_shares),
        }
        write_model(path, Model("clone", settings, arrays))

    @classmethod
    def load(cls, path: Path) -> Clone:
        """Read a clone from a model file; what is in it is checked, never run."""
        model = read_model(path)
        if model.agent != "clone":
            raise UnreadableError(
                f"{path} is a model of {model.agent!r}, not a clone; clones are made by `mazzo clone`"
            )
        try:
            settings = dict(model.settings)
            parts: list[StreetModel] = []
            readings: list[Any] = []
            sizes: list[Any] = []
            for name, street in zip(STREETS, settings.pop("streets"), strict=True):
                parts.append(_part(path, model, street, f"{name}/", _model(str(street["kind"]))))
                for part, made, kind in (("reading", readings, DecisionTree), ("size", sizes, SizeModel)):
                    beside = street.get(part)
                    made.append(beside and _part(path, model, beside, f"{part}/{name}/", kind))
            shares = tuple(float(k) for k in settings.pop("raise_shares"))
            keys = np.asarray(model.arrays.get("learned_hands", np.zeros(0)), np.int64).ravel().view(np.uint64)
            blind = int(settings.pop("big_blind"))
            return cls(tuple(parts), blind, shares, settings, tuple(readings), keys, tuple(sizes))
        except UnknownAttributeError:
            raise
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise UnreadableError(f"{path} is not a clone's model: {error}") from None


def _told(model: StreetModel) -> dict[str, Any]:
    columns = [[c.name, list(c.values) if c.attribute.sequence and c.values else None] for c in model.columns]
    return {"kind": model.kind, "columns": columns, "settings": model.settings}


def _part(path: Path, file: Model, told: dict[str, Any], prefix: str, kind: type[StreetModel]) -> Any:
    columns = tuple(_column(path, str(key), values) for key, values in told["columns"])
    arrays = {k.removeprefix(prefix): a for k, a in file.arrays.items() if k.startswith(prefix)}
    part = kind(columns, arrays, dict(told["settings"]))
    part.check()
    # Arrays that are missing or do not fit show here.
    part.predict_proba(np.full((1, len(columns)), np.nan))
    return part


def _model(kind: str) -> type[StreetModel]:
    if kind not in MODELS:
        raise UnreadableError(f"it has a model of an unknown kind {kind!r}")
    return MODELS[kind]


def _column(path: Path, name: str, values: Any) -> Column:
    if name not in REGISTRY:
        raise UnknownAttributeError(path, name)
    return Column(name, tuple(str(k) for k in values) if values is not None else REGISTRY[name].values)


def learn_clone(
    data: Sequence[Rows],
    kind: str | Sequence[str] = "tree",
    *,
    big_blind: int,
    seed: int = 0,
    share: float | Sequence[float] = 1.0,
    settings: dict[str, Any] | None = None,
    progress: Callable[[float], None] = lambda amount: None,
    by_street: Sequence[dict[str, Any]] = ({},) * 4,
    learned_hands: NDArray[np.uint64] | None = None,
    **options: Any,
) -> Clone:
    """Learn a model of each street from a hero's decisions.

    Args:
        data: the decisions of the four streets.
        kind: the learner, or one for each street.
        big_blind: chips of the big blind in the data.
        seed: for learners that draw lots, and where there are more rows than a learner is given.
        share: learn from so much of the card sets only; one figure, or one for each street.
        settings: what else to keep in the file.
        progress: told one for each street.
        by_street: options for the learner of each street.
        learned_hands: keys of the hands, to be kept.
        options: for all learners.
    """
    kinds = [kind] * len(STREETS) if isinstance(kind, str) else list(kind)
    for k, one in enumerate(kinds):
        MODELS[one].check_settings({**options, **by_street[k]})
    parts = [float(share)] * len(STREETS) if isinstance(share, int | float) else [float(k) for k in share]
    streets, shares, readings, sizes = [], [], [], []
    for k, (name, rows) in enumerate(zip(STREETS, data, strict=True)):
        model = MODELS[kinds[k]]
        chosen = of_share(rows, parts[k], seed)
        if len(chosen) < 2:
            raise UnreadableError(
                f"there are {len(chosen)} decisions on the {name.lower()}: too few to learn from; give more hands"
            )
        if len(chosen) > model.cap:
            chosen = chosen[np.sort(np.random.default_rng(seed).choice(len(chosen), model.cap, replace=False))]
        counts = dict(zip(CLASSES, np.bincount(chosen.y, minlength=3).tolist(), strict=True))
        fitted = model.fit(chosen, seed, **{**options, **by_street[k]})
        streets.append(model.freeze(fitted, chosen.columns, {"rows": len(chosen), "actions": counts}))
        raised = chosen.raise_share[~np.isnan(chosen.raise_share)]
        shares.append(float(np.median(raised)) if len(raised) else 1.0)
        readings.append(
            reading_tree(streets[-1], chosen, seed) if streets[-1].predicts == "CLASS_HERO_ACTION_TAKEN" else None
        )
        sizes.append(learn_sizes(chosen, seed))
        progress(1)
    kept = np.zeros(0, np.uint64) if learned_hands is None else learned_hands
    told = {**(settings or {}), "seed": seed}
    return Clone(tuple(streets), big_blind, tuple(shares), told, tuple(readings), kept, tuple(sizes))


def of_share(rows: Rows, share: float, seed: int) -> Rows:
    """The decisions of so much of the card sets, whole ones."""
    if not 0 < share <= 1:
        raise UnreadableError(f"a share of the data is above 0 and at most 1, got {share}")
    if share == 1:
        return rows
    groups = np.random.default_rng(seed).permutation(np.unique(rows.group))
    return rows[np.isin(rows.group, groups[: max(1, round(share * len(groups)))])]
