"""A model of players: how readily a card of each kind is played in each kind of situation, fitted to rounds played.

In situation s a player plays one of its legal cards with a chance proportional to the weight of its kind there
(Luce's choice rule). The weights are fitted by the iteration of Hunter (2004), *MM algorithms for generalized
Bradley-Terry models*. With them a deal that could be is judged by how well it explains the cards that fell.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.bits import lowest, size
from mazzo.jit import kernel, tight_helper
from mazzo.tressette.kernels import SUIT, Int, Ints, legal_cards
from mazzo.tressette.observation import Observations
from mazzo.tressette.table import Table

__all__ = ["KINDS", "SITUATIONS", "fit_weights", "log_likelihoods", "weights_of_players"]

SITUATIONS = (
    "leads",
    "follows, an opponent winning",
    "follows, the partner winning",
    "follows last, an opponent winning",
    "follows last, the partner winning",
    "cannot follow, an opponent winning",
    "cannot follow, the partner winning",
)
KINDS = 30
"""A card's kind: 4-7, figure, ace, two or three (5), one, two to three or more of its suit in hand (3), and whether it
beats the table or, led, is a master (2)."""


@cache
def weights_of_players() -> Floats:
    """[situations, kinds] the weights that come with Mazzo."""
    text = files("mazzo.tressette").joinpath("players.json").read_text()
    weights = np.array(json.loads(text)["weights"], np.float64)
    assert weights.shape == (len(SITUATIONS), KINDS)
    return weights


@tight_helper
def _kind(card: Int, hand: Int, beats: bool) -> Int:
    power, suit = card % 10, card // 10
    group = 0 if power < 4 else 1 if power < 7 else power - 5
    held = size((hand >> (10 * suit)) & SUIT)
    length = 0 if held <= 1 else 1 if held <= 3 else 2
    return 6 * group + 2 * length + (1 if beats else 0)


@tight_helper
def _situation(hand: Int, place: Int, led: Int, partner_winning: bool) -> Int:
    if place == 0:
        return np.int64(0)
    partner = np.int64(1 if partner_winning else 0)
    if hand & (SUIT << (10 * led)) == 0:
        return 5 + partner
    return (3 if place == 3 else 1) + partner


@tight_helper
def _beats(card: Int, hand: Int, gone: Int, place: Int, led: Int, best: Int) -> bool:
    """Whether a card takes as things stand; led, whether nobody can hold a stronger one."""
    if place > 0:
        return bool(card // 10 == led and card > best)
    above = (SUIT << (10 * (card // 10))) & ~((np.int64(2) << card) - 1)
    return bool(above & ~(gone | hand) == 0)


@tight_helper
def _trick_so_far(played: NDArray[np.int8], k: Int) -> tuple[Int, Int, bool]:
    """Suit led, best card, and whether the partner of the one who plays card number k holds the trick."""
    place = k & 3
    led, best, at = np.int64(-1), np.int64(-1), np.int64(0)
    for j in range(place):
        card = np.int64(played[k - place + j])
        if j == 0:
            led = card // 10
        if card // 10 == led and card > best:
            best, at = card, np.int64(j)
    return led, best, place >= 2 and at == place - 2


@tight_helper
def _chance(played: NDArray[np.int8], k: Int, hand: Int, gone: Int, weights: Floats) -> float:
    """The chance that a player with this hand plays card number k of the round."""
    place, (led, best, partner) = k & 3, _trick_so_far(played, k)
    situation, chosen, together = _situation(hand, place, led, partner), 0.0, 0.0
    legal = legal_cards(hand, led)
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        weight = float(weights[situation, _kind(card, hand, _beats(card, hand, gone, place, led, best))])
        together += weight
        if card == played[k]:
            chosen = weight
    return chosen / together


@kernel
def _log_likelihoods(
    deals: Ints, played: NDArray[np.int8], leaders: NDArray[np.int8], count: Int, weights: Floats, found: Floats
) -> None:
    hands = np.empty(4, np.int64)
    for i in range(len(deals)):
        for p in range(4):
            hands[p] = deals[i, p]
        found[i] = 0.0
        gone = np.int64(0)
        for k in range(count):
            gone |= np.int64(1) << np.int64(played[k])
        for k in range(count - 1, -1, -1):  # backwards: each takes back its cards, until all hold what they held
            seat, bit = (leaders[k // 4] + (k & 3)) & 3, np.int64(1) << np.int64(played[k])
            hands[seat] |= bit
            gone ^= bit
            if seat != 0:
                found[i] += np.log(_chance(played, k, hands[seat], gone, weights))


def log_likelihoods(observation: Observations, deals: Ints, weights: Floats | None = None) -> Floats:
    """[n] how well each deal explains the cards the others played so far, in a batch of one.

    Args:
        observation: A batch of one.
        deals: [n, 4] the hands now in each deal, the observer's first.
        weights: [situations, kinds]; those that come with Mazzo if not given.
    """
    o, found = observation, np.empty(len(deals))
    given = weights_of_players() if weights is None else weights
    _log_likelihoods(deals, o.played[0], o.leaders[0], o.count[0], given, found)
    return found


@kernel
def _choices(
    dealt: Ints, played: NDArray[np.int8], leaders: NDArray[np.int8], situations: Ints, chosen: Ints, offered: Floats
) -> Int:
    """Every decision of finished rounds that had more than one legal card: its situation, the kind chosen, kinds."""
    n = 0
    hands = np.empty(4, np.int64)
    for i in range(len(dealt)):
        for p in range(4):
            hands[p] = dealt[i, p]
        gone = np.int64(0)
        for k in range(40):
            seat, card, place = (leaders[i, k // 4] + (k & 3)) & 3, np.int64(played[i, k]), k & 3
            led, best, partner = _trick_so_far(played[i], k)
            legal = legal_cards(hands[seat], led)
            if size(legal) > 1:
                situations[n] = _situation(hands[seat], place, led, partner)
                while legal:
                    other = lowest(legal)
                    legal &= legal - 1
                    kind = _kind(other, hands[seat], _beats(other, hands[seat], gone, place, led, best))
                    offered[n, kind] += 1
                    if other == card:
                        chosen[n] = kind
                n += 1
            hands[seat] ^= np.int64(1) << card
            gone |= np.int64(1) << card
    return n


def fit_weights(tables: Sequence[Table], iterations: int = 200, prior: float = 1.0) -> Floats:
    """[situations, kinds] the weights that make the cards of finished rounds most likely.

    `prior` choices are added for and against each kind, so that what was never seen is rare and not impossible.
    """
    dealt, played, leaders = (
        np.concatenate([getattr(table, name) for table in tables]) for name in ("dealt", "played", "leaders")
    )
    most = 40 * len(dealt)
    situations, chosen, offered = np.empty(most, np.int64), np.empty(most, np.int64), np.zeros((most, KINDS))
    n = int(_choices(dealt, played, leaders, situations, chosen, offered))
    weights = np.ones((len(SITUATIONS), KINDS))
    for s in range(len(SITUATIONS)):
        rows = situations[:n] == s
        kinds, times = offered[:n][rows], np.bincount(chosen[:n][rows], minlength=KINDS)
        w = weights[s]
        for _ in range(iterations):
            w = (times + prior) / (kinds.T @ (1 / (kinds @ w)) + 2 * prior / (w + 1))
        weights[s] = w / w.max()
    return weights
