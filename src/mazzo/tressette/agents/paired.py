"""Cards compared in the same deals: what each is worth, and how far it is behind the one that is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mazzo.agent import Option
from mazzo.arrays import Floats
from mazzo.statistics import Z95
from mazzo.tressette.choosing import card_text

__all__ = ["mistake_of", "paired_options", "paired_reason"]

_SIZES = {"points": (0.5, 1.5), "% of the match": (2.0, 6.0)}
"""By unit up to how much a mistake is small, and up to how much clear; beyond, it is grave."""


def paired_options(
    outcomes: Floats,
    choice: int,
    legal: Sequence[int],
    lead: Floats,
    chances: Floats | None = None,
    terms: Mapping[int, Mapping[str, float]] | None = None,
) -> list[Option]:
    """The legal cards, the one that is played first, then by what they are worth.

    Args:
        outcomes: [deals, 40] whole points of the side at the end of the round, by deal and card.
        choice: The card that is played.
        legal: The cards to tell of.
        lead: [12] by points taken what the round gives the side over the other.
        chances: [12] by points taken the chance of winning the match, where that is what is played for.
        terms: More to tell of each card.
    """
    points = lead[np.maximum(outcomes[:, legal], 0).astype(np.intp)]
    worth = points if chances is None else 100 * chances[np.maximum(outcomes[:, legal], 0).astype(np.intp)]
    own, n = list(legal).index(choice), len(outcomes)
    options = []
    for k, card in enumerate(legal):
        behind = worth[:, own] - worth[:, k]
        more = dict((terms or {}).get(card, {}))
        more |= {} if chances is None else {"points": float(points[:, k].mean())}
        mean, error = float(worth[:, k].mean()), _error(worth[:, k], n)
        options.append(Option(card_text(card), mean, error, more, None, float(behind.mean()), _error(behind, n)))
    return sorted(options, key=lambda option: (option.action != card_text(choice), -(option.value or 0.0)))


def _error(values: Floats, n: int) -> float | None:
    return float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else None


def paired_reason(options: Sequence[Option], unit: str) -> str:
    """The card that is played against the next best one that is not the same to it."""
    first, *others = options
    if not others:
        return "the only legal card"
    mean = f"{first.value:+.2f} {unit} on average" if unit == "points" else f"{first.value:.1f} {unit}"
    rival = next((o for o in others if abs(o.behind or 0.0) > 1e-12 or (o.behind_error or 0.0) > 1e-12), None)
    if rival is None:
        return f"all cards come to the same: {mean}"
    difference, error = rival.behind or 0.0, rival.behind_error or 0.0
    told = f"{first.action} before {rival.action} by {difference:.2f} ± {Z95 * error:.2f} {unit}"
    if difference < 0:
        told = (
            f"{first.action} was tried most, though {rival.action} came to {-difference:.2f} ± {Z95 * error:.2f} more"
        )
    elif difference < Z95 * error:
        told += ", which may be chance"
    return f"{told}; {mean}"


def mistake_of(option: Option, unit: str) -> str:
    """What a card is called that was played: a small, clear or grave mistake, or nothing where that may be chance."""
    behind = option.behind or 0.0
    if behind <= 1e-9 or behind <= Z95 * (option.behind_error or 0.0):
        return ""
    small, clear = _SIZES.get(unit, _SIZES["points"])
    return "small" if behind <= small else "clear" if behind <= clear else "grave"
