"""A model of players: how readily each legal card is played, fitted to rounds that were played.

A card's readiness is the product of one weight from each of a few tables of features (see `BLOCKS`); a player plays
each of its legal cards with a chance in proportion (a softmax whose logits are sums over the tables). Only what the
player may know goes in: its hand, the cards that fell, the trick on the table. It is the agent `policy`, what `search`
plays on with, and what deals that could be are judged by: how well they explain the cards that fell.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.bits import lowest, size
from mazzo.errors import UnreadableError
from mazzo.jit import helper, kernel, tight_helper
from mazzo.tressette.kernels import SUIT, Int, Ints, legal_cards, thirds_of
from mazzo.tressette.observation import Observations

__all__ = [
    "BLOCKS",
    "TYPES",
    "PlayedChoices",
    "Scene",
    "check_weights",
    "choices_of",
    "feature_names",
    "fit_weights",
    "log_likelihoods",
    "read_weights",
    "readiness",
    "scene_of",
    "weights_of_players",
]

TYPES = (
    "leads",
    "follows, an opponent holds the trick",
    "follows, the partner holds the trick",
    "follows last, an opponent holds the trick",
    "follows last, the partner holds the trick",
    "cannot follow, an opponent holds the trick",
    "cannot follow, the partner holds the trick",
)
_STAKES = ("nothing in the trick", "up to two thirds in the trick", "a point or more in the trick")
_HANDS = ("eight cards or more", "five to seven cards", "up to four cards")
_GROUPS = ("4 to 7", "figure", "ace", "two", "three")
_LENGTHS = ("its only one of the suit", "one of two or three of the suit", "one of four or more of the suit")
_REACH = ("does not take", "takes as things stand", "takes for certain")
_UNSEEN = ("no other of the suit out", "one to three others out", "four to six others out", "seven or more others out")
_POWERS = ("4", "5", "6", "7", "8", "9", "10", "ace", "two", "three")

_KINDS = len(_GROUPS) * len(_LENGTHS) * len(_REACH)
_SITUATIONS = 3 * len(TYPES)
BLOCKS = (_SITUATIONS * _KINDS, len(TYPES) * 5 * 8, len(TYPES) * 10, len(TYPES) * 5 * len(_UNSEEN))
"""How many weights each table has: by situation and kind of card; by honours held with it; by power; by cards out."""
_SECOND, _THIRD, _FOURTH = BLOCKS[0], BLOCKS[0] + BLOCKS[1], BLOCKS[0] + BLOCKS[1] + BLOCKS[2]


class Scene(NamedTuple):
    """One decision, as far as its player's own cards and the table tell."""

    hand: Int
    gone: Int
    """Every card that fell, those of this trick too."""
    place: Int
    """How many cards lie on the table."""
    led: Int
    best: Int
    """The card that holds the trick."""
    partner: bool
    """Whether the partner holds it."""
    worth: Int
    """Thirds on the table."""


@cache
def weights_of_players(a_perdere: bool = False) -> Floats:
    """The weights that come with Mazzo, one table after the other: of players who take points, or who lose them."""
    name = "players_a_perdere.json" if a_perdere else "players.json"
    return check_weights(json.loads(files("mazzo.tressette").joinpath(name).read_text())["weights"])


def read_weights(path: Path) -> Floats:
    """The weights in a file that `mazzo tressette fit` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise UnreadableError(f"{path} is no JSON file; mazzo tressette fit writes such files") from None
    if not isinstance(data, dict):
        raise UnreadableError(f"{path} has no weights of players; mazzo tressette fit writes such files")
    return check_weights(data.get("weights"))


def check_weights(given: object) -> Floats:
    """Weights read from somewhere, or why they are none."""
    try:
        weights = np.array(given, np.float64)
    except (TypeError, ValueError):
        raise UnreadableError("the weights of players are a list of numbers") from None
    if weights.shape != (sum(BLOCKS),) or not np.isfinite(weights).all() or (weights <= 0).any():
        raise UnreadableError(f"the weights of players are {sum(BLOCKS)} numbers above 0, not {weights.shape}")
    return weights


@tight_helper
def _type(scene: Scene) -> Int:
    if scene.place == 0:
        return np.int64(0)
    partner = np.int64(1 if scene.partner else 0)
    if scene.hand & (SUIT << (10 * scene.led)) == 0:
        return 5 + partner
    return (3 if scene.place == 3 else 1) + partner


@tight_helper
def _situation(scene: Scene) -> Int:
    """The type of decision and what is at stake: the trick's worth, or for a leader how long the hand still is."""
    if scene.place == 0:
        held = size(scene.hand)
        return np.int64(0 if held >= 8 else 1 if held >= 5 else 2)
    stakes = np.int64(0 if scene.worth == 0 else 1 if scene.worth < 3 else 2)
    return 3 * _type(scene) + stakes


@tight_helper
def _features(card: Int, scene: Scene) -> tuple[Int, Int, Int, Int]:
    """Which weight of each table a card has."""
    power, suit, kind = card % 10, card // 10, _type(scene)
    group = np.int64(0 if power < 4 else 1 if power < 7 else power - 5)
    own, all_gone = (scene.hand >> (10 * suit)) & SUIT, (scene.gone >> (10 * suit)) & SUIT
    held = size(own)
    out = SUIT & ~(own | all_gone)
    length = np.int64(0 if held <= 1 else 1 if held <= 3 else 2)
    takes = scene.place == 0 or (suit == scene.led and card > scene.best)
    sure = scene.place == 3 or out >> (power + 1) == 0
    reach = np.int64(0 if not takes else 2 if sure else 1)
    unseen = size(out)
    unseen_class = np.int64(0 if unseen == 0 else 1 if unseen <= 3 else 2 if unseen <= 6 else 3)
    return (
        _situation(scene) * _KINDS + (group * 3 + length) * 3 + reach,
        _SECOND + (kind * 5 + group) * 8 + (own >> 7),
        _THIRD + kind * 10 + power,
        _FOURTH + (kind * 5 + group) * 4 + unseen_class,
    )


@tight_helper
def readiness(card: Int, scene: Scene, weights: Floats) -> float:
    """How readily a card is played; the chance is its share of all legal ones."""
    a, b, c, d = _features(card, scene)
    return float(weights[a] * weights[b] * weights[c] * weights[d])


@tight_helper
def scene_of(hand: Int, gone: Int, played: NDArray[np.int8], k: Int) -> Scene:
    """The decision about card number k of a round, for one who holds `hand`."""
    place = k & 3
    led, best, at, worth = np.int64(-1), np.int64(-1), np.int64(0), np.int64(0)
    for j in range(place):
        card = np.int64(played[k - place + j])
        worth += thirds_of(np.int64(1) << card)
        if j == 0:
            led = card // 10
        if card // 10 == led and card > best:
            best, at = card, np.int64(j)
    return Scene(hand, gone, place, led, best, place >= 2 and at == place - 2, worth)


def feature_names(card: int, scene: Scene) -> list[tuple[str, int]]:
    """What a card is in each table, in words, with the number of its weight."""
    numbers = [int(x) for x in _features(np.int64(card), scene)]
    situation, kind = divmod(numbers[0], _KINDS)
    stakes = _HANDS[situation] if situation < 3 else _STAKES[situation % 3]
    group, length, reach = kind // 9, kind // 3 % 3, kind % 3
    reached = ("", "others may hold better", "nobody holds better")[reach] if situation < 3 else _REACH[reach]
    honours = (numbers[1] - _SECOND) % 8
    held = [name for k, name in enumerate(("ace", "two", "three")) if honours >> k & 1]
    names = (
        f"{_GROUPS[group]}, {_LENGTHS[length]}, {reached}, {stakes}",
        f"{_GROUPS[group]} with {' and '.join(held) or 'no ace, two or three'} of the suit in hand",
        f"a {_POWERS[card % 10]}",
        f"{_GROUPS[group]}, {_UNSEEN[(numbers[3] - _FOURTH) % 4]}",
    )
    return list(zip(names, numbers, strict=True))


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
                found[i] += np.log(_chance(scene_of(hands[seat], gone, played, k), np.int64(played[k]), weights))


@tight_helper
def _chance(scene: Scene, chosen: Int, weights: Floats) -> float:
    """The chance that this player plays this card."""
    together, found = 0.0, 0.0
    legal = legal_cards(scene.hand, scene.led if scene.place > 0 else np.int64(-1))
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        weight = readiness(card, scene, weights)
        together += weight
        if card == chosen:
            found = weight
    return found / together


def log_likelihoods(observation: Observations, deals: Ints, weights: Floats | None = None) -> Floats:
    """[n] how well each deal explains the cards the others played so far, in a batch of one.

    Args:
        observation: A batch of one.
        deals: [n, 4] the hands now in each deal, the observer's first.
        weights: One table after the other; those that come with Mazzo if not given.
    """
    o, found = observation, np.empty(len(deals))
    given = weights_of_players() if weights is None else weights
    _log_likelihoods(deals, o.played[0], o.leaders[0], o.count[0], given, found)
    return found


@helper
def _write_options(scene: Scene, chosen: Int, features: Ints, taken: NDArray[np.bool_], n: Int) -> Int:
    """The features of every legal card from row n on; gives the row after the last."""
    legal = legal_cards(scene.hand, scene.led if scene.place > 0 else np.int64(-1))
    while legal:
        card = lowest(legal)
        legal &= legal - 1
        features[n, 0], features[n, 1], features[n, 2], features[n, 3] = _features(card, scene)
        taken[n] = card == chosen
        n += 1
    return n


@kernel
def _choices(
    dealt: Ints,
    played: NDArray[np.int8],
    leaders: NDArray[np.int8],
    starts: Ints,
    features: Ints,
    taken: NDArray[np.bool_],
) -> tuple[Int, Int]:
    """Every decision of finished rounds that had more than one legal card, one row a legal card."""
    n, decisions = 0, 0
    hands = np.empty(4, np.int64)
    for i in range(len(dealt)):
        for p in range(4):
            hands[p] = dealt[i, p]
        gone = np.int64(0)
        for k in range(40):
            seat, card = (leaders[i, k // 4] + (k & 3)) & 3, np.int64(played[i, k])
            scene = scene_of(hands[seat], gone, played[i], k)
            if size(legal_cards(hands[seat], scene.led)) > 1:
                starts[decisions] = n
                decisions += 1
                n = _write_options(scene, card, features, taken, n)
            hands[seat] ^= np.int64(1) << card
            gone |= np.int64(1) << card
    return decisions, n


class PlayedChoices(NamedTuple):
    """Decisions of finished rounds that had more than one legal card: one row a legal card, decision after decision."""

    starts: Ints
    """Where each decision begins."""
    features: Ints
    """[rows, tables] the number of its weight in each table."""
    taken: NDArray[np.bool_]

    @property
    def decisions(self) -> int:
        """How many."""
        return len(self.starts)

    @property
    def lengths(self) -> Ints:
        """Legal cards of each."""
        return np.diff(np.append(self.starts, len(self.taken)))

    def chances(self, weights: Floats) -> Floats:
        """[rows] the chance of each card."""
        found = weights[self.features].prod(axis=1)
        return np.asarray(found / np.repeat(np.add.reduceat(found, self.starts), self.lengths))


def choices_of(dealt: Ints, played: NDArray[np.int8], leaders: NDArray[np.int8]) -> PlayedChoices:
    """The decisions of finished rounds, as a `Table` keeps them."""
    most = 40 * len(dealt)
    starts, features = np.empty(most, np.int64), np.empty((10 * most, len(BLOCKS)), np.int64)
    taken = np.zeros(10 * most, np.bool_)
    given = (np.asarray(dealt, np.int64), np.asarray(played, np.int8), np.asarray(leaders, np.int8))
    decisions, n = _choices(*given, starts, features, taken)
    return PlayedChoices(starts[:decisions], features[:n], taken[:n])


def fit_weights(choices: PlayedChoices, iterations: int = 400, prior: float = 1e-4) -> Floats:
    """The weights that make the cards of finished rounds most likely, one table after the other.

    By Adam (Kingma and Ba 2015) on the mean log-likelihood of a decision, less `prior` times half the sum of squared
    logits, so that what was never seen tells nothing.
    """
    logits, speed, spread = np.zeros(sum(BLOCKS)), np.zeros(sum(BLOCKS)), np.zeros(sum(BLOCKS))
    for t in range(1, iterations + 1):
        excess = (choices.taken - choices.chances(np.exp(logits))) / choices.decisions
        slope = -prior * logits
        for j in range(len(BLOCKS)):
            slope += np.bincount(choices.features[:, j], excess, minlength=len(logits))
        speed = 0.9 * speed + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope**2
        rate = 0.05 * min(1.0, 2 * (iterations + 1 - t) / iterations)
        logits += rate * (speed / (1 - 0.9**t)) / (np.sqrt(spread / (1 - 0.999**t)) + 1e-9)
    return np.asarray(np.exp(logits))
