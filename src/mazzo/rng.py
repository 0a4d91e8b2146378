"""Chance that can be repeated: every deal and every agent's coin is a function of (seed, stream, counter).

Nothing here keeps a hidden state. Deal number 17 of seed 1 is the same whether it is played alone, in a batch, on one
worker or on many; and an agent that randomises does so from the `rng_key` number in its observation, so that a batch of
n decisions equals n batches of one. The generator is splitmix64 (Steele, Lea, Flood 2014).
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.jit import inlined

__all__ = ["below", "fork", "forks", "mix", "mixed", "one_way", "stream", "uniform"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@cache
def stream(seed: int, name: str) -> np.uint64:
    """The key of one named stream of chance ("deal", "luck", ...) under a seed.

    Streams are separated by numpy's SeedSequence, so knowing one says nothing of another: an agent's luck does not
    give away the cards. Only a seed that can be guessed gives away both.
    """
    words = [seed & 0xFFFFFFFFFFFFFFFF, *name.encode()]
    return np.uint64(np.random.SeedSequence(words).generate_state(1, np.uint64)[0])


def one_way(keys: ArrayLike, name: str) -> NDArray[np.uint64]:
    """For each key the key of a named stream under it, from which the key itself cannot be computed.

    `fork` can: splitmix64 is a bijection. Whoever may see the outcome but not its origin is given it from here.
    """
    data, person = np.atleast_1d(np.asarray(keys, "<u8")).tobytes(), name.encode()
    digests = (blake2b(data[at : at + 8], digest_size=8, person=person).digest() for at in range(0, len(data), 8))
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


@inlined
def mix(value: np.uint64) -> np.uint64:
    """Splitmix64's finaliser: a bijection of 64 bits that leaves no visible pattern."""
    value = (value ^ (value >> np.uint64(30))) * _MIX_1
    value = (value ^ (value >> np.uint64(27))) * _MIX_2
    return value ^ (value >> np.uint64(31))


@inlined
def fork(key: np.uint64, counter: int) -> np.uint64:
    """The key of the `counter`-th thing (deal, seat, decision) under `key`."""
    return mix(key + (np.uint64(counter) + np.uint64(1)) * _GOLDEN)


def forks(key: np.uint64 | NDArray[np.uint64], counters: ArrayLike) -> NDArray[np.uint64]:
    """`fork` for many at once, with nothing to compile."""
    numbers = np.asarray(counters).astype(np.uint64) + np.uint64(1)
    return mixed(np.asarray(key + numbers * _GOLDEN))


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`mix` of many at once, with nothing to compile."""
    return np.asarray(mix.py_func(values))  # type: ignore[attr-defined]  # the same lines, on a whole array


@inlined
def uniform(rng_key: np.uint64) -> float:
    """A number in [0, 1) with 53 random bits."""
    return np.float64(np.int64(rng_key >> np.uint64(11))) * 1.1102230246251565e-16


@inlined
def below(rng_key: np.uint64, bound: int) -> np.int64:
    """A number in 0..bound-1. Bias is below bound / 2**32: under one in 80 million for a deck of cards."""
    return np.int64(((rng_key >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
