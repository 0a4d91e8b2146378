"""Model, settings and attributes of every street chosen from the log: what `--model auto` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.population import FEW, others_of
from mazzo.holdem.cloning.tuning import FOLDS, Choice, choose
from mazzo.holdem.logs.hands import Hands

__all__ = ["AUTO", "AUTO_LIST", "choose_streets", "chosen_models", "few_anywhere"]

AUTO = "auto"
"""The name, where that of a model is asked for."""

AUTO_LIST = "suitless"
"""What is offered where no attributes are asked for: no single cards and suits, but opponents' statistics."""


def few_anywhere(data: Sequence[Rows], streets: Sequence[bool]) -> bool:
    """Whether a chosen street has so few decisions that the log's other players are worth describing."""
    return any(len(rows) < FEW and wanted for rows, wanted in zip(data, streets, strict=True))


_CARD_SETS = 5
"""Card sets of a street for each fold, at least, for the choice to mean something."""


def choose_streets(
    data: Sequence[Rows],
    batches: Sequence[Hands] | None,
    hero: str,
    streets: Sequence[bool],
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Callable[[float], None] = lambda amount: None,
) -> list[Choice | None]:
    """The choice of each street that one is asked for, None of the others.

    Args:
        data: The hero's decisions, street by street.
        batches: The hands again, for what other players did; None where they are not at hand.
        hero: Whom to clone.
        streets: Which streets to choose for.
        folds: Parts of the grouped cross-validation, at most `FOLDS`.
        seed: For the division, and for learners that draw lots.
        progress: Told one for each of `STEPS` a street.
    """
    others: list[Any] = [None] * len(data)
    if batches is not None and few_anywhere(data, streets):
        others = others_of(batches, hero, data)
    parts = min(folds, FOLDS) if folds >= 2 else FOLDS
    return [
        choose(rows, others[k], folds=parts, seed=seed, progress=progress)
        if streets[k] and len(np.unique(rows.group)) >= _CARD_SETS * parts
        else None
        for k, rows in enumerate(data)
    ]


def chosen_models(
    data: Sequence[Rows], chosen: Sequence[Choice | None]
) -> tuple[list[Rows], list[str], list[dict[str, Any]]]:
    """Rows, kinds of models and settings by street; a tree where a street has too few card sets to choose by."""
    rows = [each if one is None else one.rows(each) for each, one in zip(data, chosen, strict=True)]
    return (
        rows,
        ["tree" if one is None else one.kind for one in chosen],
        [one.settings if one else {} for one in chosen],
    )
