"""The burn-in at Bodon's length (5.3.2), and cuts kept in a file.

He cut a play that was best in none of as many compositions as a casino deals in a lifetime of a hundred years. At 80
rounds an hour, day and night, that is 70 million; exactly valued they would take months. Here the infinite deck, at a
hundredth of a millisecond a shoe, says what is best in each, by total. What it cuts is tried on shoes valued exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from mazzo.arrays import Bytes
from mazzo.blackjack.bets.shoes import infinite_plays, new_plays
from mazzo.blackjack.dealing import THROUGH, cards_of, draw, new_shoe
from mazzo.blackjack.documents.pruned import Cuts
from mazzo.blackjack.hands import TableRules, settings_of
from mazzo.blackjack.infinite import InfiniteTables, fill_tables, new_tables
from mazzo.blackjack.multisets import Ints, all_hands, two_card_hands
from mazzo.blackjack.rules import PRESETS, Rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.blackjack.strategy import PlayArrays
from mazzo.errors import UnreadableError
from mazzo.jit import kernel
from mazzo.model_file import Model, read_model, write_model
from mazzo.rng import below, fork, mix, stream
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["LIFETIME", "load_cuts", "long_burn_in", "save_cuts"]

LIFETIME = 100 * 365 * 24 * 80
"""Rounds in a hundred years of a table that never closes, 80 an hour."""

_BLOCK = 500_000
_KIND = "blackjack cuts"


@kernel
def _count(
    key: np.uint64,
    start: int,
    amount: int,
    ranks: Bytes,
    most: int,
    rules: TableRules,
    t: InfiniteTables,
    play: PlayArrays,
    stood: Ints,
    chosen: Ints,
) -> None:
    """Draw shoes after 0 to `most` cards and count what is best in each: standing by total, plays of two cards."""
    deck, used = ranks.copy(), np.zeros(ranks.shape[0], np.int64)
    left, chances = np.zeros(10, np.int64), np.zeros(10)
    for k in range(amount):
        counter = fork(key, start + k)
        gone = below(mix(counter ^ np.uint64(1)), most + 1)
        new_shoe(ranks, deck, used)
        for _ in range(gone):
            _, counter = draw(deck, used, 0, counter, THROUGH)
        left[:] = 0
        for place in range(gone, ranks.shape[0]):
            left[deck[place]] += 1
        for rank in range(10):
            chances[rank] = left[rank] / (ranks.shape[0] - gone)
        fill_tables(chances, rules, t)
        infinite_plays(rules, t, play.first, play.after_split, play.hits)
        for up in range(10):
            for soft in range(2):
                for total in range(4, 22):
                    stood[soft, total, up] += 0 if play.hits[soft, total, up] else 1
            for low in range(10):
                for high in range(low, 10):
                    chosen[low, high, up, play.first[low, high, up]] += 1


def _block(rules: Rules, seed: int, span: tuple[int, int]) -> list[list[int]]:
    fresh = shoe_of(rules)
    stood, chosen = np.zeros((2, 32, 10), np.int64), np.zeros((10, 10, 10, 5), np.int64)
    _count(
        stream(seed, "burn-in"),
        span[0],
        span[1],
        cards_of(fresh),
        int(fresh.cards * rules.penetration),
        settings_of(rules),
        new_tables(),
        new_plays(),
        stood,
        chosen,
    )
    return [stood.ravel().tolist(), chosen.ravel().tolist()]


def long_burn_in(
    rules: Rules,
    shoes: int = LIFETIME,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: Path | None = None,
    advance: Callable[[float], None] | None = None,
) -> Cuts:
    """Record what the infinite deck holds best over so many random shoes; with a checkpoint it can be stopped."""
    spans = [(first, min(_BLOCK, shoes - first)) for first in range(0, shoes, _BLOCK)]
    task = partial(_block, rules, seed)
    work = {"work": "burn-in", "rules": rules.as_dict(), "shoes": shoes, "seed": seed}
    done = run(task, spans, workers) if checkpoint is None else Checkpoint(checkpoint, work).run(task, spans, workers)
    stood, chosen = np.zeros((2, 32, 10), np.int64), np.zeros((10, 10, 10, 5), np.int64)
    for (_, amount), (more, plays) in zip(spans, done, strict=True):
        stood += np.array(more).reshape(stood.shape)
        chosen += np.array(plays).reshape(chosen.shape)
        if advance:
            advance(amount)
    every, hands = all_hands(), all_hands().arrays
    by_hand = stood[hands.soft.astype(np.int64), np.minimum(hands.total, 21)]
    best = np.zeros((5, len(every), 10), np.int64)
    best[0], best[1] = by_hand, shoes - by_hand
    for hand in two_card_hands().tolist():
        low, high = every.ranks(hand)
        best[:, hand] = chosen[low, high].T
    return Cuts(rules, shoes, seed, by_hand, np.full(by_hand.shape, shoes, np.int64), best)


def save_cuts(cuts: Cuts, path: Path) -> None:
    """Write cuts with the evidence they stand on."""
    settings = {"rules": cuts.rules.as_dict(), "shoes": cuts.shoes, "seed": cuts.seed}
    arrays = {"stood": cuts.stood, "possible": cuts.possible, "chosen": cuts.chosen}
    write_model(path, Model(_KIND, settings, arrays))


def load_cuts(path: Path, rules: Rules) -> Cuts:
    """Read what `save_cuts` wrote, made for these rules."""
    model = read_model(path)
    shape = (len(all_hands()), 10)
    shapes = {"stood": shape, "possible": shape, "chosen": (5, *shape)}
    try:
        mine = PRESETS["strip"].changed(**model.settings["rules"])
        fits = all(model.arrays[name].shape == wanted for name, wanted in shapes.items())
        cuts = Cuts(mine, int(model.settings["shoes"]), int(model.settings["seed"]), **model.arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableError(f"{path} holds no cuts: {error}; `mazzo blackjack prune --save` writes them") from None
    if model.agent != _KIND or not fits:
        raise UnreadableError(f"{path} holds no cuts; `mazzo blackjack prune --save` writes them")
    if mine != rules:
        raise UnreadableError(f"the cuts of {path} were made for other rules; make them again for these")
    return cuts
