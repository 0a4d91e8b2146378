"""`reader`: begins mathematically fair and shifts its equity by what each opponent has been seen to do.

The counterpart of the text's Akuma. With nothing observed it plays by exact equity against random hands. The more it
has seen of an opponent, the more it takes an action for what that opponent usually needs for it: who raises one hand
in five holds, when it raises, a hand of the best fifth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mazzo.agent import Between, Explanation, Option, Safe
from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import Rich
from mazzo.holdem.agents.sizes import SIZES
from mazzo.holdem.notation import action_text, verb
from mazzo.holdem.observation import Observations
from mazzo.holdem.statistics import tally as t

__all__ = ["RangeReader"]


_NARROWEST = 0.05


@dataclass
class RangeReader(Rich):
    """Equity against what opponents are likely to hold, compared as `rich` compares it."""

    summary: ClassVar[str] = "starts from exact equity and shifts it by the ranges it has seen opponents play"
    safe: ClassVar[Safe | None] = {
        "margin": Between(-1, 1),
        "samples": Between(1, 20_000),
        "size": SIZES,
        "patience": Between(1e-6, 1e6),
        "trust": Between(0, 1),
    }
    learns: ClassVar[bool] = True
    patience: float = 50.0
    """Hands of an opponent after which half of what was seen counts."""
    trust: float = 0.5
    """How far a range that was read moves the equity, 0 to 1."""

    def __post_init__(self) -> None:
        from mazzo.holdem.attributes import Counts

        super().__post_init__()
        if self.patience <= 0 or not 0 <= self.trust <= 1:
            raise UnreadableError("patience is more than 0 and trust from 0 to 1")
        self.seen = Counts()

    def on_hands_finished(self, hands: Any) -> None:
        """Note what everyone did."""
        self.seen.on_hands_finished(hands)

    def learned(self) -> dict[str, Any]:
        """How often each player it has watched put chips in voluntarily and raised preflop, by number at the table."""
        seen = self.seen.so_far
        hands = [int(k) for k in seen.counts[:, 0, t.HANDS]]
        rivals = [
            {
                "player": player,
                "hands": played,
                "plays": f"{int(seen.voluntary[player])} of {played}",
                "raises preflop": f"{int(seen.raised[player])} of {played}",
            }
            for player, played in enumerate(hands)
            if played
        ]
        return {"rivals": rivals}

    def widths(self, o: Observations) -> Floats:
        """By row and position, the share of hands an opponent may hold after what it did in this hand; 1: any."""
        from mazzo.holdem.attributes.betting import CALLED, FOLDED, RAISED, SPAN, betting_facts

        facts = betting_facts(o.game.row[None, :], o.state, o.history)
        players = o.game.players
        self.seen.make_room(int(o.seating.max(initial=0)) + 1)
        counts, who = self.seen.so_far.counts, o.seating[:, :players].astype(np.int64)
        hands = counts[who, 0, t.HANDS]
        believed = hands / (hands + self.patience)
        to_the_left = (np.arange(players) - o.position[:, None]) % players
        by_player = facts[:, FOLDED:].reshape(len(o), players, SPAN)[np.arange(len(o))[:, None], to_the_left]
        raised, called = (by_player[:, :, k - FOLDED : k - FOLDED + c.MAX_ROUNDS] for k in (RAISED, CALLED))
        floor = np.maximum(hands, 1)
        before = np.where(
            raised[:, :, 0] > 0,
            self.seen.so_far.raised[who] / floor,
            np.where(called[:, :, 0] > 0, self.seen.so_far.voluntary[who] / floor, 1.0),
        )
        later = counts[who][:, :, 1:4]
        acted = later[..., [t.RAISES, t.CALLS, t.CHECKS, t.FOLDS]].sum(axis=(2, 3))
        pushed = later[..., t.RAISES].sum(axis=2) / np.maximum(acted, 1)
        after = np.where((raised[:, :, 1:].sum(axis=2) > 0) & (acted > 0), pushed, 1.0)
        width = np.clip(before, _NARROWEST, 1) * np.clip(after, _NARROWEST, 1)
        return np.asarray(1 + believed * (np.clip(width, _NARROWEST, 1) - 1))

    def _equities(self, o: Observations) -> tuple[Floats, Floats]:
        """Equity as `rich` counts it, times how much worse the hand does against each opponent's range."""
        from mazzo.holdem.odds import equities

        numerator, denominator = super()._equities(o)
        one, whole = equities(o.hole, o.board, 1)
        alone = one / whole
        factor = np.ones(len(o))
        widths = self.widths(o)
        for p in range(o.game.players):
            against = (o.live >> p & 1 == 1) & (o.position != p)
            # Strength is the share of hands beaten; within the best `width` of hands it beats the rest.
            within = np.clip((alone - (1 - widths[:, p])) / widths[:, p], 0.02, 1)
            shift = 1 + self.trust * (within / np.maximum(alone, 1e-9) - 1)
            factor *= np.where(against, np.clip(shift, 0, 1), 1.0)
        return numerator * factor, denominator

    def explain(self, observation: Observations) -> Explanation:
        """The fair equity, what it was shifted to, and the ranges it was shifted by."""
        fair, whole = super()._equities(observation)
        shifted, _ = self._equities(observation)
        equity, plain = float(shifted[0] / whole[0]), float(fair[0] / whole[0])
        players, pot, owed = int(observation.opponents[0]) + 1, int(observation.pot[0]), int(observation.owed[0])
        action = int(self.decide(observation)[0])
        widths = self.widths(observation)[0]
        facts: dict[str, float | int | str | None] = {"fair equity": plain, "equity against their ranges": equity}
        for p in range(observation.game.players):
            if p != int(observation.position[0]) and int(observation.live[0]) >> p & 1:
                facts[f"range of position {p}"] = float(widths[p])
        options = [
            Option("raise", equity * players - 1, terms={"equity x players": equity * players}),
            Option("call", equity * pot - owed - self.margin, terms={"equity x pot": equity * pot, "to call": owed}),
            Option("fold", 0.0),
        ]
        does = verb(action, owed, int(observation.street[0]))
        reason = (
            f"equity {equity:.1%} against the hands they raise with, {plain:.1%} against random hands, so it {does}"
        )
        if equity == plain:
            reason = (
                f"equity {plain:.1%} against random hands; it has seen too little to narrow their hands, so it {does}"
            )
        return Explanation(action_text(action, observation.game.limit), reason, options, facts)
