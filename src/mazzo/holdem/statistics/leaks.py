"""Where a player departs from a reference population, and what that cost, beyond what chance explains."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.confidence import CONFIDENCE
from mazzo.holdem.observation import Observations
from mazzo.holdem.statistics.reference import asked_at, both_tails
from mazzo.holdem.statistics.tracker import DECISIONS, PlayedHand
from mazzo.statistics import Moments

__all__ = ["holm", "leaks_beside", "leaks_of", "winners_of"]

_LEAST_CHANCES = 10
_SHOWN_HANDS = 20


def winners_of(by_player: Mapping[str, Sequence[PlayedHand]], without: str, least: int = 50) -> list[PlayedHand]:
    """The hands of all other players who won over at least so many hands; of all others if nobody did."""
    others = {name: hands for name, hands in by_player.items() if name != without}
    won = {name: float(np.nansum([hand.net for hand in hands])) for name, hands in others.items()}
    winners = [name for name, hands in others.items() if won[name] > 0 and len(hands) >= least]
    return [hand for name in winners or others for hand in others[name]]


def leaks_of(own: Sequence[PlayedHand], reference: Sequence[PlayedHand]) -> list[dict[str, Any]]:
    """Figures by position in which a player differs most from a reference, those surest first.

    Shares are compared by a two-sided test of two proportions; chances are corrected for the number of comparisons
    (Holm 1979), so that with the confidence of all our intervals none of those marked `sure` is due to chance. The
    cost is how much less a hand with that chance brought the player than the reference, in big blinds, with interval.
    """
    found = []
    for position in sorted({hand.position for hand in own}):
        mine = [hand for hand in own if hand.position == position]
        theirs = [hand for hand in reference if hand.position == position]
        for figure in DECISIONS:
            row = _compared(figure, position, mine, theirs)
            if row is not None:
                found.append(row)
    return _sorted(found)


def leaks_beside(agent: Agent[Observations], own: Sequence[PlayedHand]) -> list[dict[str, Any]]:
    """Decisions by position in which a player differs most from an agent asked in his place, those surest first.

    The agent sees what he saw, with the cards he held, so that both decided in the same situations; decisions whose
    cards are not known are left out. A figure's count is held against the sum of the agent's chances by the exact
    distribution of such a sum, and corrected as in `leaks_of`. What it cost is not known: an agent has no results here.
    """
    noted: dict[tuple[str, str], list[tuple[bool, float, PlayedHand]]] = {}
    for hand, asked in asked_at(agent, own):
        for chance in hand.decisions:
            if chances := asked.get((hand.row, chance.at)):
                mean = min(1.0, sum(chances[kind] for kind in chance.takes))
                noted.setdefault((hand.position, chance.figure), []).append((chance.took, mean, hand))
    rows = [_beside(figure, position, found) for (position, figure), found in noted.items()]
    return _sorted([row for row in rows if row is not None])


def _sorted(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Corrected for how many there are, the surest first."""
    for row, corrected in zip(found, holm([row["p"] for row in found]), strict=True):
        row["p_corrected"] = corrected
        row["sure"] = corrected < 1 - CONFIDENCE
    return sorted(found, key=lambda row: (row["p_corrected"], row["p"]))


def _beside(figure: str, position: str, found: list[tuple[bool, float, PlayedHand]]) -> dict[str, Any] | None:
    if len(found) < _LEAST_CHANCES:
        return None
    took, means = sum(did for did, _, _ in found), np.array([mean for _, mean, _ in found])
    more = took > means.sum()
    departing = sorted((row for row in found if row[0] == more), key=lambda row: row[1] if more else -row[1])
    return {
        "figure": figure,
        "position": position,
        "chances": len(found),
        "share": took / len(found),
        "reference_chances": len(found),
        "reference_share": float(means.mean()),
        "p": both_tails(took, means),
        "cost_bb": None,
        "cost_ci95": [None, None],
        "hands": [{"file": h.source, "line": h.line} for _, _, h in departing[:_SHOWN_HANDS]],
    }


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for how many there are (Holm 1979)."""
    order = sorted(range(len(chances)), key=lambda k: chances[k])
    corrected, most = [1.0] * len(chances), 0.0
    for rank, k in enumerate(order):
        most = max(most, min(1.0, (len(chances) - rank) * chances[k]))
        corrected[k] = most
    return corrected


def _compared(figure: str, position: str, mine: list[PlayedHand], theirs: list[PlayedHand]) -> dict[str, Any] | None:
    own = [hand for hand in mine if figure in hand.chances]
    other = [hand for hand in theirs if figure in hand.chances]
    if len(own) < _LEAST_CHANCES or len(other) < _LEAST_CHANCES:
        return None
    a, b = sum(h.chances[figure] for h in own), sum(h.chances[figure] for h in other)
    share, usual = a / len(own), b / len(other)
    pooled = (a + b) / (len(own) + len(other))
    error = math.sqrt(pooled * (1 - pooled) * (1 / len(own) + 1 / len(other)))
    p = 2 * (1 - NormalDist().cdf(abs(share - usual) / error)) if error > 0 else 1.0
    departing = [h for h in own if h.chances[figure] == (share > usual)]
    return {
        "figure": figure,
        "position": position,
        "chances": len(own),
        "share": share,
        "reference_chances": len(other),
        "reference_share": usual,
        "p": p,
        **_cost(own, other),
        "hands": [{"file": h.source, "line": h.line} for h in departing[:_SHOWN_HANDS]],
    }


def _cost(own: list[PlayedHand], other: list[PlayedHand]) -> dict[str, Any]:
    """How much less a hand brought than the reference's, all-in adjusted, in big blinds."""
    one, two = (
        Moments.of(np.array([h.adjusted for h in hands if not math.isnan(h.adjusted)])).estimate()
        for hands in (own, other)
    )
    difference = two.mean - one.mean
    error = math.hypot(one.standard_error, two.standard_error)
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    ends = [difference - half, difference + half] if math.isfinite(error) else [None, None]
    return {"cost_bb": difference if math.isfinite(difference) else None, "cost_ci95": ends}
