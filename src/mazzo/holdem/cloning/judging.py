"""A clone judged on other hands than it was learned from, and how one knows which those are."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem import columns as c
from mazzo.holdem.attributes import STREETS, describe
from mazzo.holdem.attributes.situations import situations_in
from mazzo.holdem.cloning.clone import Clone
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.validate import Validation
from mazzo.holdem.logs.hands import Hands

__all__ = ["MOST_KEYS", "hand_keys", "judge_on", "learned_from"]

MOST_KEYS = 200_000
"""Keys of hands that a model file keeps at most: the smallest, which are a fair sample of all."""


def hand_keys(hands: Hands) -> NDArray[np.uint64]:
    """A number for each hand by who played it, its cards and its betting: the same wherever the hand stands."""
    keys = np.zeros(len(hands), np.uint64)
    for k in range(len(hands)):
        count = int(hands.state[k, c.COUNT])
        names = "|".join(hands.names[i] if i >= 0 else "" for i in hands.seating[k].tolist())
        cards = hands.cards[k]
        told = [names.encode(), cards[cards != 255].tobytes(), hands.history[k, :count].astype("<i8").tobytes()]
        keys[k] = int.from_bytes(blake2b(b"/".join(told), digest_size=8).digest(), "little")
    return keys


def learned_from(clone: Clone, hands: Hands) -> NDArray[np.bool_]:
    """Which hands a clone was learned from; where its file keeps only some keys, those it cannot tell count as such."""
    known = clone.learned_hands
    if not len(known):
        return np.zeros(len(hands), np.bool_)
    keys = hand_keys(hands)
    return np.isin(keys, known) | ((keys > known.max()) if len(known) >= MOST_KEYS else False)


def judge_on(clone: Clone, batches: Iterable[Hands], hero: str) -> dict[str, dict[str, Any]]:
    """How well a clone predicts a player's decisions in some hands, by street; a street without any is left out."""
    shares: list[list[Any]] = [[] for _ in STREETS]
    done: list[list[Any]] = [[] for _ in STREETS]
    code = np.array([CLASSES.index("FOLD"), CLASSES.index("CALL"), CLASSES.index("RAISE")])
    for s in situations_in(batches, hero, clone.watches, clone.big_blind):
        for k, model in enumerate(clone.streets):
            here = s[s.street == k] if len(s) else s
            if len(here):
                assert here.taken is not None
                shares[k].append(model.predict_proba(describe(here, model.columns, model.looks_at)))
                done[k].append(code[here.taken.action])
    found = {}
    for k, name in enumerate(STREETS):
        if shares[k]:
            model = clone.streets[k]
            size, leaves = model.size
            judged = Validation.of(
                model.kind,
                np.concatenate(shares[k]),
                np.concatenate(done[k]),
                trained=int(model.settings.get("rows", 0)),
                capped=False,
                fit_seconds=0.0,
                size=float(size),
                leaves=float(leaves),
            ).as_dict()
            keys = ("accuracy", "ci95", "log_loss", "log_loss_ci95", "brier", "macro_f1", "confusion", "reliability")
            found[name] = {"decisions": judged["n"], "model": model.kind, **{key: judged[key] for key in keys}}
    return found
