"""`decision`: the text's decision network, U = R + DT + V for every playable card, with its future work as switches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import YES_NO, Explanation, Option, Safe
from mazzo.errors import UnreadableError
from mazzo.tressette.agents import decision_kernels as kernels
from mazzo.tressette.agents.signalling import reason_with_answer, with_signals
from mazzo.tressette.agents.taking import TakesPoints
from mazzo.tressette.choosing import card_text, legal_list
from mazzo.tressette.observation import Observations

__all__ = ["Decision", "ImprovedDecision"]

_NO_NETWORK = np.zeros((1, 11))
_NO_NETWORK.setflags(write=False)  # like the real table, so that the kernels are compiled for one type only

_FALLS = ("exact", "network")
_SAFE: Safe = {
    "order": YES_NO,
    "known": YES_NO,
    "exact": YES_NO,
    "silence": YES_NO,
    "losses": YES_NO,
    "last_trick": YES_NO,
    "falls": _FALLS,
    "signals": YES_NO,
}


@dataclass
class Decision(TakesPoints):
    """Plays the card of highest U = R + DT + V (Sassone 2023); without switches as the text means it.

    Attributes:
        order: Use the order of play: only opponents still to play can beat a card.
        known: Use the known cards of partner and opponents in the chance to take.
        exact: The exact chance that the side takes, by counting deals, instead of ratios of unseen cards.
        silence: Count with what was *not* declared, too.
        losses: Points that go to the other side count against a card.
        last_trick: Count the last trick's point among the points left; the text counts only those of cards not out.
        falls: Where P(falls) comes from: `exact` counts or the belief `network`.
        signals: Where talking is allowed, say busso, striscio or volo when leading, and answer the partner's busso.
    """

    summary: ClassVar[str] = "decision network: the card of highest U = R + DT + V"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = _SAFE

    order: bool = False
    known: bool = False
    exact: bool = False
    silence: bool = False
    losses: bool = False
    last_trick: bool = False
    falls: str = "exact"
    signals: bool = False

    def __post_init__(self) -> None:
        if self.falls not in _FALLS:
            raise UnreadableError(f"parameter 'falls' of agent 'decision' must be exact or network, got {self.falls!r}")

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return self._decide(observations, np.zeros((40, len(kernels.TERMS))))[0]

    def explain(self, observation: Observations) -> Explanation:
        """Every term of U for every legal card."""
        terms = np.zeros((40, len(kernels.TERMS)))
        actions, best = self._decide(observation, terms)
        card, action = int(best[0]), int(actions[0])
        options = [
            Option(
                card_text(c),
                value=float(terms[c, 0]),
                terms={name: float(x) for name, x in zip(self._term_names(), terms[c, 1:], strict=True)},
            )
            for c in sorted(legal_list(observation), key=lambda c: -terms[c, 0])
        ]
        reason = "the only legal card" if len(options) == 1 else self._reason(terms[card])
        said, reason = reason_with_answer(action, card, reason)
        return Explanation(said, reason, options, {"switches": self._switch_names() or "none: the text"})

    def _term_names(self) -> tuple[str, ...]:
        """With exact counts the first chance is that of the side, whoever of it takes."""
        names = kernels.TERMS[1:]
        return tuple("P(side takes)" if self.exact and name == "P(c takes)" else name for name in names)

    def _reason(self, terms: NDArray[np.float64]) -> str:
        """U in words: each of its three terms says what it stands for."""
        u, r, dt, v = (float(x) for x in terms[:4])
        return (
            f"U {u:.2f} is the highest: {r:+.2f} R for points in this trick, {dt:+.2f} DT for masters later, "
            f"{v:+.2f} V for taking the rest"
        )

    def _switch_names(self) -> str:
        switches = ("order", "known", "exact", "silence", "losses", "last_trick", "signals")
        names = [name for name in switches if getattr(self, name)]
        return ", ".join([*names, *(["falls=network"] if self.falls == "network" else [])])

    def _switches(self) -> int:
        bits = {
            kernels.ORDER: self.order,
            kernels.KNOWN: self.known,
            kernels.EXACT: self.exact,
            kernels.SILENCE: self.silence,
            kernels.LOSSES: self.losses,
            kernels.LAST_TRICK: self.last_trick,
            kernels.FALLS_BY_NETWORK: self.falls == "network",
        }
        return sum(bit for bit, on in bits.items() if on)

    def _decide(self, o: Observations, terms: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The actions taken, and the cards of highest U."""
        network = _NO_NETWORK
        if self.falls == "network":
            from mazzo.tressette.agents.network import posterior_table

            network = posterior_table()
        best = kernels.decide_rows(
            o.hand,
            o.legal,
            o.shown,
            o.voids,
            o.owed,
            o.declared,
            o.napoli,
            o.played,
            o.count,
            self._switches(),
            network,
            terms,
        )
        return with_signals(o, best) if self.signals else best, best


@dataclass
class ImprovedDecision(Decision):
    """The decision network with the switches that measured better turned on."""

    summary: ClassVar[str] = "decision network with order of play, known cards and exact chances"
    safe: ClassVar[Safe | None] = _SAFE

    order: bool = True
    known: bool = True
    exact: bool = True
    losses: bool = True
    last_trick: bool = True
    falls: str = "network"
