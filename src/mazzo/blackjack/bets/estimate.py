"""E_pos and E_neg: what favourable and unfavourable rounds are worth, with an interval that holds.

The exact value of a composition takes a tenth of a second, its fast guess a hundredth of a millisecond. So every round
is guessed, and in some of them, chosen by chance, the exact value says how far the guess is off: mean of the guesses
plus mean of the differences has no bias whatever the guess is, and an error far below that of the exact values alone.
Rounds come in blocks that depend on their own numbers only; the blocks' spread gives the error, since rounds of one
shoe are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.blackjack.bets.evaluators import Evaluator, evaluator_of
from mazzo.blackjack.bets.intervals import Ranged, ranged
from mazzo.blackjack.bets.shoes import PlayedShoes, play_shoes, random_depths
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.errors import UnreadableError
from mazzo.rng import stream
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Checkpoint, run

__all__ = ["Figures", "depth_figures", "plain_figures", "shoe_figures"]

_NAMES = ("positive", "negative", "favourable")
_BINS = 12
Block = dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """What the rounds are worth."""

    positive: Estimate
    """E_pos: the mean over all rounds of max(EV, 0)."""
    negative: Estimate
    """E_neg: the mean of min(EV, 0)."""
    favourable: Estimate
    """The share of rounds with a positive value."""
    rounds: int
    exact: int
    """Rounds whose value was counted exactly."""
    guess_bias: tuple[float, float]
    """What the fast guess alone would have added to E_pos and E_neg."""
    by_depth: tuple[dict[str, float], ...]
    """By cards gone, in twelfths of the shoe."""
    won: tuple[Estimate, Estimate] | None = None
    """What rounds really won when the guess was positive and when not, a round of all: played shoes only."""

    held: tuple[Estimate, Estimate] | None = None
    """What the rounds are worth that the guess holds favourable, and the others, a round of all: a biased guess only
    puts rounds on the wrong side."""

    blocks: tuple[tuple[float, float], ...] = ()
    """Of each block the sums of E_pos and E_neg: what the interval of the break-even ratio is found from."""

    @property
    def break_even(self) -> float:
        """The ratio of bets at which min-max betting breaks even."""
        return -self.negative.mean / self.positive.mean

    @property
    def break_even_interval(self) -> Ranged:
        """The break-even ratio with its interval."""
        logs = ranged(lambda t: math.log(-t[1] / t[0]) if t[1] < 0 < t[0] else math.inf, np.array(self.blocks))
        return logs.through(math.exp)

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        data: dict[str, Any] = {"rounds": self.rounds, "exact": self.exact, "break_even": self.break_even}
        data["break_even_ci95"] = list(self.break_even_interval.ci95)
        for name in _NAMES:
            value: Estimate = getattr(self, name)
            data[name] = {"mean": value.mean, "standard_error": value.standard_error, "ci95": list(value.ci95)}
        data["guess_bias"] = {"positive": self.guess_bias[0], "negative": self.guess_bias[1]}
        data["by_depth"] = list(self.by_depth)
        if self.held is not None:
            data["held"] = [{"mean": h.mean, "standard_error": h.standard_error} for h in self.held]
        if self.won is not None:
            data["won"] = [{"mean": w.mean, "standard_error": w.standard_error} for w in self.won]
        return data


def _parts(values: Floats) -> Floats:
    """[value, (max(v, 0), min(v, 0), v > 0)]."""
    return np.stack([np.maximum(values, 0), np.minimum(values, 0), (values > 0).astype(np.float64)], axis=1)


def _measured(
    rules: Rules, played: PlayedShoes, sample: int, values: Evaluator | None, rng_key: np.random.Generator
) -> Block:
    """One block: sums of the guesses, and how far exact values of a random sample of them are off, by depth."""
    guess = played.guess if values is None else values(played.counts)
    fresh = shoe_of(rules).cards
    depth = ((fresh - played.cards) * _BINS) // fresh
    parts = _parts(guess)
    # The guess is worst where few cards are left: such rounds are chosen oftener and weigh less for it.
    oftener = played.cards.astype(np.float64) ** -2
    oftener /= oftener.sum()
    chosen: Ints = rng_key.choice(len(guess), sample, p=oftener)
    exact = np.array([analyse(rules, Shoe(tuple(played.counts[k].tolist()))).ev for k in chosen.tolist()])
    weight = 1 / (sample * oftener[chosen])
    off = (_parts(exact) - parts[chosen]) * weight[:, None]
    held, missed = guess > 0, (exact - played.guess[chosen]) * weight
    bins = [
        {
            "rounds": int((depth == b).sum()),
            "guess": parts[depth == b].sum(0).tolist(),
            "exact": int((depth[chosen] == b).sum()),
            "off": off[depth[chosen] == b].sum(0).tolist(),
        }
        for b in range(_BINS)
    ]
    won = [float(played.won[side].sum()) for side in (held, ~held)]
    return {
        "rounds": len(guess),
        "guess": parts.sum(0).tolist(),
        "exact": len(chosen),
        "off": off.sum(0).tolist(),
        "bins": bins,
        "held": [float(played.guess[side].sum() + missed[side[chosen]].sum()) for side in (held, ~held)],
        "won": None if math.isnan(won[0]) else won,
    }


def _ratio(tops: Sequence[float], bottoms: Sequence[float]) -> Estimate:
    """Sum over sum with the error of a ratio, blocks being independent."""
    top, bottom = np.asarray(tops), np.asarray(bottoms, np.float64)
    ratio = float(top.sum() / bottom.sum())
    spread = Moments.of(top - ratio * bottom)
    return Estimate(ratio, math.sqrt(spread.variance * len(top)) / float(bottom.sum()), int(bottom.sum()))


def _by_depth(blocks: Sequence[Block], fresh: int) -> tuple[dict[str, float], ...]:
    found = []
    for b in range(_BINS):
        here = [block["bins"][b] for block in blocks]
        rounds, exact = sum(k["rounds"] for k in here), sum(k["exact"] for k in here)
        if rounds == 0:
            continue
        line: dict[str, float] = {
            "cards_gone_from": b * fresh / _BINS,
            "cards_gone_to": (b + 1) * fresh / _BINS,
            "rounds": rounds,
            "exact": exact,
        }
        for k, name in enumerate(_NAMES):
            line[name] = sum(part["guess"][k] + part["off"][k] for part in here) / rounds
        found.append(line)
    return tuple(found)


def _sides(blocks: Sequence[Block], name: str) -> tuple[Estimate, Estimate] | None:
    """Sums by the sign of the guess, a round of all."""
    if any(block.get(name) is None for block in blocks):
        return None
    rounds = [block["rounds"] for block in blocks]
    return _ratio([b[name][0] for b in blocks], rounds), _ratio([b[name][1] for b in blocks], rounds)


def _figures(blocks: Sequence[Block], fresh: int) -> Figures:
    rounds = [block["rounds"] for block in blocks]
    whole = []
    for k in range(3):
        whole.append(_ratio([b["guess"][k] + b["off"][k] for b in blocks], rounds))
    exact = sum(block["exact"] for block in blocks)
    total = sum(rounds)
    bias = [sum(b["guess"][k] for b in blocks) / total - whole[k].mean for k in range(2)]
    won, held = _sides(blocks, "won"), _sides(blocks, "held")
    sums = tuple((b["guess"][0] + b["off"][0], b["guess"][1] + b["off"][1]) for b in blocks)
    depths = _by_depth(blocks, fresh)
    return Figures(whole[0], whole[1], whole[2], total, exact, (bias[0], bias[1]), depths, won, held, sums)


def _collect(
    task: Callable[[int], Block],
    blocks: int,
    workers: int,
    kept: Path | None,
    work: dict[str, Any],
    advance: Callable[[float], None] | None,
) -> list[Block]:
    if blocks < 10:
        raise UnreadableError(f"blocks must be at least 10 to estimate an error, got {blocks}")
    numbers = range(blocks)
    results: Iterable[Block]
    if kept is None:
        results = run(task, numbers, workers)
    else:
        results = Checkpoint(kept, work).run(task, numbers, workers)
    found = []
    for block in results:
        found.append(block)
        if advance:
            advance(1)
    return found


def _luck(seed: int, name: str, block: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox([int(stream(seed, name)), block]))


def _depth_block(
    rules: Rules, deepest: int, size: int, sample: int, values: Evaluator | None, seed: int, block: int
) -> Block:
    played = random_depths(rules, range(block * size, (block + 1) * size), deepest, seed)
    return _measured(rules, played, sample, values, _luck(seed, "exact", block))


def _shoe_block(
    rules: Rules, seats: int, size: int, sample: int, values: Evaluator | None, seed: int, block: int
) -> Block:
    played = play_shoes(rules, range(block * size, (block + 1) * size), seed, seats)
    return _measured(rules, played, sample, values, _luck(seed, "exact", block))


def _values(rules: Rules, control: str, network: Path | None) -> Evaluator | None:
    """The evaluator of the guesses; none where those that come with the rounds are it."""
    return None if control == "infinite" and network is None else evaluator_of(rules, control, network)


def _named(control: str, network: Path | None) -> dict[str, str]:
    return {"control": control} if network is None else {"control": control, "network": str(network)}


def depth_figures(
    rules: Rules,
    deepest: int = 250,
    rounds: int = 400_000,
    exact: int = 400,
    seed: int = 0,
    *,
    control: str = "infinite",
    network: Path | None = None,
    blocks: int = 40,
    workers: int = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
) -> Figures:
    """Rounds that begin after any number of cards up to `deepest`, all alike; `control` is one of `evaluators`."""
    size, sample = max(1, rounds // blocks), max(1, exact // blocks)
    task = partial(_depth_block, rules, deepest, size, sample, _values(rules, control, network), seed)
    work = {
        "work": "depths",
        "rules": rules.as_dict(),
        "deepest": deepest,
        "size": size,
        "sample": sample,
        "seed": seed,
        "blocks": blocks,
        **_named(control, network),
    }
    return _figures(_collect(task, blocks, workers, checkpoint, work, advance), shoe_of(rules).cards)


def shoe_figures(
    rules: Rules,
    shoes: int = 10_000,
    exact: int = 400,
    seed: int = 0,
    *,
    seats: int = 1,
    control: str = "infinite",
    network: Path | None = None,
    blocks: int = 40,
    workers: int = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
) -> Figures:
    """Whole shoes played to the cut card."""
    size, sample = max(1, shoes // blocks), max(1, exact // blocks)
    task = partial(_shoe_block, rules, seats, size, sample, _values(rules, control, network), seed)
    work = {
        "work": "shoes",
        "rules": rules.as_dict(),
        "seats": seats,
        "size": size,
        "sample": sample,
        "seed": seed,
        "blocks": blocks,
        **(_named(control, network) if control != "infinite" else {}),
    }
    return _figures(_collect(task, blocks, workers, checkpoint, work, advance), shoe_of(rules).cards)


def plain_figures(rules: Rules, deepest: int, exact: int, seed: int) -> tuple[Estimate, Estimate]:
    """E_pos and E_neg at random depths from exact values alone: slower and wider, but with no guess in it."""
    played = random_depths(rules, range(exact), deepest, seed)
    values = np.array([analyse(rules, Shoe(tuple(row.tolist()))).ev for row in played.counts])
    return Moments.of(np.maximum(values, 0)).estimate(), Moments.of(np.minimum(values, 0)).estimate()
