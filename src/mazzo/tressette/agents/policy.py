"""`policy`: plays by the model of players, a small table of features fitted to the sampler's own play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option, Safe
from mazzo.arrays import Floats, Ints
from mazzo.bits import lowest
from mazzo.jit import kernel
from mazzo.policy import NO_ACTION, ActionChances
from mazzo.tressette.choosing import card_text, legal_list
from mazzo.tressette.observation import A_PERDERE, Observations
from mazzo.tressette.players import feature_names, read_weights, readiness, scene_of, weights_of_players

__all__ = ["FittedPolicy"]


@dataclass
class FittedPolicy(Agent[Observations]):
    """Plays the card its table likes best, or each card by its chance.

    Attributes:
        mix: Whether each card is played by its chance; else always the likeliest.
        file: Weights made by `mazzo tressette fit`; those that come with Mazzo if empty.
    """

    summary: ClassVar[str] = "the likeliest card by a table fitted to the sampler's play; mix=true draws by chance"
    safe: ClassVar[Safe | None] = {"mix": ("true", "false")}

    mix: bool = False
    file: str = ""

    def __post_init__(self) -> None:
        self._weights = read_weights(Path(self.file)) if self.file else None

    def weights(self, o: Observations) -> Floats:
        """The weights it plays by: its file's, or those for these rules."""
        if self._weights is not None:
            return self._weights
        return weights_of_players(bool(len(o) and o.match[0, 3] & A_PERDERE))

    def draws(self, observations: Observations) -> NDArray[np.bool_]:
        """Only where each card is played by its chance."""
        return np.full(len(observations), self.mix)

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return self.policy(observations).drawn(observations.rng_key)

    def policy(self, observations: Observations) -> ActionChances:
        """The chance of each legal card, exactly."""
        o = observations
        actions, p = np.full((len(o), 10), NO_ACTION, np.int64), np.zeros((len(o), 10))
        _chances(o.hand, o.legal, np.bitwise_or.reduce(o.shown, axis=1), o.played, o.count, self.weights(o), actions, p)
        if not self.mix:
            likeliest = p.argmax(axis=1)[:, None]
            return ActionChances(np.take_along_axis(actions, likeliest, axis=1), np.ones((len(o), 1)))
        return ActionChances(actions, p)

    def explain(self, observation: Observations) -> Explanation:
        """The chance of each legal card, and what each table of features makes of it."""
        o = observation
        gone = int(np.bitwise_or.reduce(o.shown[0]))
        scene = scene_of(np.int64(o.hand[0]), np.int64(gone), o.played[0], o.count[0])
        options, readings, weights = [], [], self.weights(o)
        for card in legal_list(o):
            names = feature_names(card, scene)
            terms = {name: float(np.log(weights[number])) for name, number in names}
            readings.append(float(np.exp(sum(terms.values()))))
            options.append((card, terms))
        together = sum(readings)
        found = [
            Option(card_text(card), reading / together, None, terms)
            for (card, terms), reading in zip(options, readings, strict=True)
        ]
        found.sort(key=lambda option: -(option.value or 0.0))
        choice = card_text(int(self.decide(o)[0]))
        chance = next(option.value or 0.0 for option in found if option.action == choice)
        likes = max(dict(next(o.terms for o in found if o.action == choice)).items(), key=lambda item: item[1])[0]
        reason = f"a player like the sampler plays it with a chance of {chance:.0%}; most for it: {likes}"
        if len(found) == 1:
            reason = "the only legal card"
        facts = {"thirds on the table": int(scene.worth), "cards that fell": int(o.count[0])}
        return Explanation(choice, reason, found, facts)


@kernel
def _chances(
    hand: Ints,
    legal: Ints,
    gone: Ints,
    played: NDArray[np.int8],
    count: Ints,
    weights: Floats,
    actions: Ints,
    p: Floats,
) -> None:
    for i in range(len(hand)):
        scene = scene_of(hand[i], gone[i], played[i], count[i])
        left, n, together = legal[i], 0, 0.0
        while left:
            card = lowest(left)
            left &= left - 1
            actions[i, n] = card
            p[i, n] = readiness(card, scene, weights)
            together += p[i, n]
            n += 1
        for j in range(n):
            p[i, j] /= together
