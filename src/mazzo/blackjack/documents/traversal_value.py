"""E_pos and E_neg by visiting compositions instead of drawing them (Bodon 2000, 6.3.7).

After each number K of cards gone the likely compositions are visited (`likely`; ten, jack, queen and king are one rank,
so there are some thousand times fewer than of his thirteen). Each gets the value of a fast evaluator. Where there are
few, all get the exact one. Otherwise random compositions, of all there are, say how far the evaluator is off, and
others, of those not visited, what these add: so neither the evaluator nor the end of the walk leaves a bias, only an
error that is known. `together` weighs the K by the chance that a round begins after K cards (6.8).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.blackjack.bets.evaluators import Evaluator, evaluator_of
from mazzo.blackjack.bets.shoes import play_shoes
from mazzo.blackjack.documents.likely import drawn, likelihoods, likely, threshold_of
from mazzo.blackjack.documents.recursion import survival
from mazzo.blackjack.documents.traversal import state_space
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.informed import informed_ev
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.errors import UnreadableError
from mazzo.rng import stream
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["WEIGHTS", "AfterCards", "Starts", "Together", "starts", "together", "value_after", "values_after"]

WEIGHTS = ("rounds", "cut", "even")
"""What a K counts for: the chance that a round begins after K cards, that the cut card lies behind them, or 1."""

_LEFT = 40_000
"""Random compositions that look at what is not visited."""
_FEW = 100_000
"""Where there are no more compositions, those that are not visited are added up too."""
_LEAST_LEFT = 20
"""Cards that must stay for a round."""


@dataclass(frozen=True)
class AfterCards:
    """What a round is worth after K cards."""

    cards: int
    combinations: int
    """Compositions of thirteen ranks that were visited."""
    compositions: int
    """What is left of them when tens are one rank."""
    mass: float
    """Their probability."""
    exact: int
    positive: Estimate
    negative: Estimate
    left: tuple[Estimate, Estimate] = (Estimate(0.0, 0.0, 0), Estimate(0.0, 0.0, 0))
    """What those that were not visited add to the two (it is in them)."""
    bias: tuple[float, float] = (0.0, 0.0)
    """What the evaluator alone would have added to them."""

    @classmethod
    def of_dict(cls, data: dict[str, Any]) -> AfterCards:
        """Read what `asdict` made of it."""
        figures = {name: Estimate(**data[name]) for name in ("positive", "negative")}
        left = (Estimate(**data["left"][0]), Estimate(**data["left"][1]))
        return cls(**{**data, **figures, "left": left, "bias": tuple(data["bias"])})


def signed_parts(values: Floats) -> Floats:
    """[value, (max(v, 0), min(v, 0))]."""
    return np.stack([np.maximum(values, 0), np.minimum(values, 0)], axis=1)


def _exact(rules: Rules, informed: bool, counts: tuple[int, ...]) -> float:
    shoe = Shoe(counts)
    return informed_ev(rules, shoe) if informed else analyse(rules, shoe).ev


def _exact_values(
    rules: Rules, informed: bool, left: Ints, workers: Workers, advance: Callable[[float], None] | None
) -> Floats:
    worth = []
    for ev in run(partial(_exact, rules, informed), [tuple(row) for row in left.tolist()], workers):
        worth.append(ev)
        if advance:
            advance(1)
    return np.array(worth)


def _ways_of_tens(decks: int, most: int) -> Ints:
    """[tens]: how many combinations of ten, jack, queen and king so many tens can be."""
    return np.array([state_space(4 * decks, 4, tens) if tens <= 16 * decks else 0 for tens in range(most + 1)])


def _check(rules: Rules, cards: int) -> None:
    most = 0 if rules.decks == INFINITE else 52 * rules.decks - _LEAST_LEFT
    if not 0 <= cards <= most:
        raise UnreadableError(f"cards must be 0 to {most}, and the shoe made of whole decks; got {cards}")


def value_after(
    rules: Rules,
    cards: int,
    mass: float = 0.95,
    exact: int = 200,
    seed: int = 0,
    *,
    informed: bool = False,
    control: str = "infinite",
    network: Path | None = None,
    workers: Workers = 1,
    advance: Callable[[float], None] | None = None,
) -> AfterCards:
    """E_pos and E_neg after `cards` cards.

    Args:
        rules: The table's rules, with a number of decks.
        cards: Cards gone.
        mass: The share of the probability to visit, about; what is not visited is sampled.
        exact: How many exact values to spend; all compositions get one where that suffices.
        seed: Which compositions are sampled.
        informed: Splits at their best at every level (`exact.informed`) instead of a strategy that can be followed.
        control: The fast evaluator, of `bets.evaluators`.
        network: The file of the evaluator `network`.
        workers: Processes for the exact values.
        advance: Told of every exact value.
    """
    _check(rules, cards)
    fresh = shoe_of(rules)
    rng_key = np.random.Generator(np.random.Philox([int(stream(seed, "traversal")), cards]))
    if mass >= 1 and math.comb(cards + 9, 9) <= exact:
        return _counted(rules, cards, informed, workers, advance)
    least, _ = threshold_of(fresh.counts, cards, mass, rng_key)
    values = evaluator_of(rules, control, network)
    combinations, compositions, visited, parts = _visited(rules, cards, least, values)
    left = _left(rules, cards, least, 1.0 - visited if mass < 1 else 0.0, values, rng_key)
    sample = fresh.array() - drawn(fresh.counts, cards, max(exact, 2), rng_key)
    off = signed_parts(_exact_values(rules, informed, sample, workers, advance)) - signed_parts(values(sample))
    found = []
    for part, more, bias in zip(parts.tolist(), left, Moments.of_columns(off), strict=True):
        error = math.hypot(more.standard_error, bias.estimate().standard_error)
        found.append(Estimate(part + more.mean + bias.mean, error, len(sample)))
    biases = (-float(off[:, 0].mean()), -float(off[:, 1].mean()))
    return AfterCards(cards, combinations, compositions, visited, len(sample), found[0], found[1], left, biases)


def _counted(
    rules: Rules, cards: int, informed: bool, workers: Workers, advance: Callable[[float], None] | None
) -> AfterCards:
    """All compositions, each exactly."""
    fresh = shoe_of(rules)
    blocks = list(likely(fresh.counts, cards))
    gone, chances = np.concatenate([rows for rows, _ in blocks]), np.concatenate([p for _, p in blocks])
    values = _exact_values(rules, informed, fresh.array() - gone, workers, advance)
    means = (chances @ signed_parts(values)).tolist()
    figures = [Estimate(mean, 0.0, len(values)) for mean in means]
    ways = int(_ways_of_tens(rules.decks, cards)[gone[:, 9]].sum())
    return AfterCards(cards, ways, len(gone), float(chances.sum()), len(values), figures[0], figures[1])


def _visited(rules: Rules, cards: int, least: float, values: Evaluator) -> tuple[int, int, float, Floats]:
    """Walk over what is likely enough: combinations, compositions, mass, and the two sums of their values."""
    fresh, ways = shoe_of(rules), _ways_of_tens(rules.decks, cards)
    combinations, compositions, mass, parts = 0, 0, 0.0, np.zeros(2)
    for gone, chances in likely(fresh.counts, cards, least):
        combinations += int(ways[gone[:, 9]].sum())
        compositions += len(chances)
        mass += float(chances.sum())
        parts += chances @ signed_parts(values(fresh.array() - gone))
    return combinations, compositions, mass, parts


def _left(
    rules: Rules, cards: int, least: float, mass: float, values: Evaluator, rng_key: np.random.Generator
) -> tuple[Estimate, Estimate]:
    """What the compositions that were not visited add, from random ones among them (all, where there are few)."""
    if mass <= 0:
        return Estimate(0.0, 0.0, 0), Estimate(0.0, 0.0, 0)
    counts = shoe_of(rules).counts
    if math.comb(cards + 9, 9) <= _FEW:
        parts = np.zeros(2)
        for rows, chances in likely(counts, cards):
            rest = likelihoods(counts, rows) < least
            if rest.any():
                parts += chances[rest] @ signed_parts(values(np.array(counts) - rows[rest]))
        return Estimate(float(parts[0]), 0.0, 0), Estimate(float(parts[1]), 0.0, 0)
    gone = drawn(counts, cards, _LEFT, rng_key)
    gone = gone[likelihoods(counts, gone) < least]
    if len(gone) < 2:
        raise UnreadableError(
            f"too little is left to be sampled beyond {1 - mass:.6f} of the probability after {cards} cards; "
            "visit less (--mass 0.99) or all (--mass 1)"
        )
    columns = Moments.of_columns(signed_parts(values(np.array(counts) - gone)))
    found = [Estimate(mass * m.mean, mass * m.estimate().standard_error, m.n) for m in columns]
    return found[0], found[1]


def _as_data(rules: Rules, options: dict[str, Any], cards: int) -> dict[str, Any]:
    return asdict(value_after(rules, cards, **options))


def values_after(
    rules: Rules,
    cards: Sequence[int],
    *,
    workers: Workers = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
    **options: Any,
) -> Iterator[AfterCards]:
    """`value_after` for several K, each as it is done; with a checkpoint the same work goes on where it stopped."""
    for number in cards:
        _check(rules, number)
    evaluator_of(rules, options.get("control", "infinite"), options.get("network"))  # what is wrong is said at once
    task = partial(_as_data, rules, options)
    if checkpoint is None:
        found = run(task, cards, workers)
    else:
        plain = {name: str(value) if isinstance(value, Path) else value for name, value in options.items()}
        work = {"work": "traversal", "rules": rules.as_dict(), "cards": list(cards), **plain}
        found = Checkpoint(checkpoint, work).run(task, list(cards), workers)
    for data in found:
        if advance:
            advance(1)
        yield AfterCards.of_dict(data)


@dataclass(frozen=True)
class Starts:
    """How often a round begins after each number of cards."""

    chances: Floats
    """[cards gone]: that a round of a shoe begins there."""
    by_shoe: Ints
    """[round]: which shoe each of the rounds looked at belongs to."""
    gone: Ints
    """[round]: the cards gone before it."""


def starts(rules: Rules, weights: str, cards: Sequence[int], shoes: int = 4000, seed: int = 0) -> Starts:
    """What each K counts for, by one of `WEIGHTS`; the chances of rounds from whole shoes played at their best."""
    if weights not in WEIGHTS:
        raise UnreadableError(f"weights must be one of {', '.join(WEIGHTS)}, got {weights!r}")
    most = max(cards)
    nothing = np.zeros(0, np.int64)
    if weights != "rounds":
        goes_on = survival(rules.penetration * 52 * rules.decks, rules.cut_sigma) if weights == "cut" else lambda _: 1.0
        return Starts(np.array([goes_on(k) for k in range(most + 1)]), nothing, nothing)
    played = play_shoes(rules, range(shoes), seed)
    gone = shoe_of(rules).cards - played.cards
    wanted = np.isin(gone, cards)
    counted = np.bincount(gone[wanted], minlength=most + 1)[: most + 1]
    return Starts(counted / shoes, played.shoe[wanted], gone[wanted])


@dataclass(frozen=True)
class Together:
    """Several K as one: what a round is worth that begins after any of them."""

    positive: Estimate
    negative: Estimate
    mass: float
    """The probability visited."""
    left: tuple[Estimate, Estimate]
    """What is not visited adds."""
    bias: tuple[float, float]
    """What the evaluator alone would have added."""
    rounds: float
    """Rounds of a shoe that begin there."""
    compositions: int
    combinations: int
    exact: int

    @property
    def break_even(self) -> float:
        """The bet spread at which min-max betting breaks even."""
        return -self.negative.mean / self.positive.mean if self.positive.mean else math.inf


def together(found: Sequence[AfterCards], weights: Starts) -> Together:
    """6.6 with 6.8: the sums over the K, each by the chance that a round begins there."""
    raw = np.array([weights.chances[one.cards] for one in found])
    if not raw.sum() > 0:
        raise UnreadableError("no round begins after any of these numbers of cards")
    share = raw / raw.sum()

    def summed(pick: Callable[[AfterCards], Estimate], over: bool) -> Estimate:
        parts = [pick(one) for one in found]
        mean = float(share @ [part.mean for part in parts])
        variance = float(share**2 @ [part.standard_error**2 for part in parts])
        if over and len(weights.gone):
            variance += _weights_variance(
                weights, {one.cards: part.mean for one, part in zip(found, parts, strict=True)}, mean
            )
        return Estimate(mean, math.sqrt(variance), sum(part.n for part in parts))

    return Together(
        summed(lambda one: one.positive, True),
        summed(lambda one: one.negative, True),
        float(share @ [one.mass for one in found]),
        (summed(lambda one: one.left[0], False), summed(lambda one: one.left[1], False)),
        (float(share @ [one.bias[0] for one in found]), float(share @ [one.bias[1] for one in found])),
        float(raw.sum()),
        sum(one.compositions for one in found),
        sum(one.combinations for one in found),
        sum(one.exact for one in found),
    )


def _weights_variance(weights: Starts, value: dict[int, float], mean: float) -> float:
    """What the chances, themselves sampled by whole shoes, add to the variance (that of a ratio of sums)."""
    off = np.array([value[k] - mean for k in weights.gone.tolist()])
    by_shoe = np.bincount(np.unique(weights.by_shoe, return_inverse=True)[1], off)
    return float((by_shoe**2).sum() / len(off) ** 2)
