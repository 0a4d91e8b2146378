"""Players of blackjack: what one sees at a decision, and agents that decide by exact values, a table, or by chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.blackjack.exact.analysis import PLAYS, Analysis, analyse
from mazzo.blackjack.exact.split import HIT, SPLIT, STAND
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.hands import Flags, Ints, hand_total
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe, text_of
from mazzo.blackjack.strategy import Table, row_of
from mazzo.luck import below

__all__ = ["AGENTS", "ChartAgent", "CountingAgent", "Decisions", "RandomAgent", "decision"]


@dataclass(frozen=True)
class Decisions:
    """A batch of decisions, one a row: all that a player sees, and nothing of the cards to come."""

    rules: Rules
    cards: Ints
    """[row, rank]: the cards of the hand to play."""
    upcard: Ints
    shoe: Ints
    """[row, rank]: the cards not yet seen before this round was dealt; own cards and upcard still among them."""
    legal: Flags
    """[row, play]: which of stand, hit, double, split, surrender are allowed."""
    after_split: Flags
    luck: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.upcard)

    def row(self, k: int) -> tuple[tuple[int, ...], int]:
        """The hand and the upcard of one row."""
        hand = tuple(rank for rank in range(10) for _ in range(int(self.cards[k, rank])))
        return hand, int(self.upcard[k])


def decision(
    rules: Rules, hand: tuple[int, ...], upcard: int, shoe: Shoe, legal: Flags, after_split: bool = False, luck: int = 0
) -> Decisions:
    """A batch of one."""
    return Decisions(
        rules,
        np.bincount(hand, minlength=10)[None].astype(np.int64),
        np.array([upcard]),
        shoe.array()[None],
        legal[None],
        np.array([after_split]),
        np.array([luck], np.uint64),
    )


def _reason(action: str, hand: tuple[int, ...], upcard: int, best: float, cost: float) -> str:
    total, soft = hand_total(hand)
    what = f"{'soft ' if soft else ''}{total} ({text_of(hand)}) against {RANKS[upcard]}"
    if cost > 0:
        return f"{what}: {action} costs {cost:.4f} of the bet against the best play"
    return f"{what}: {action} is worth {best:+.4f} of the bet, more than any other play"


@lru_cache(maxsize=64)
def _analysis(rules: Rules, counts: tuple[int, ...]) -> Analysis:
    return analyse(rules, Shoe(counts))


def _weighed(view: Decisions, k: int, by_shoe: bool) -> dict[str, float]:
    """The exact values of the legal plays of one row."""
    hand, upcard = view.row(k)
    counts = tuple(view.shoe[k].tolist()) if by_shoe else Shoe.of_decks(max(view.rules.decks, 1)).counts
    values = _analysis(view.rules, counts).plays(hand, upcard, bool(view.after_split[k]) and not view.legal[k, SPLIT])
    return {name: value for name, value in values.items() if name in PLAYS and view.legal[k, PLAYS.index(name)]}


class _Explains(Agent[Decisions]):
    """Explains with the exact value of every play, whatever it decides by."""

    by_shoe: ClassVar[bool] = False

    def explain(self, observation: Decisions) -> Explanation:
        """What every play is worth and what the one chosen costs."""
        chosen = PLAYS[int(self.decide(observation)[0])]
        values = _weighed(observation, 0, self.by_shoe)
        hand, upcard = observation.row(0)
        best = max(values.values())
        options = [Option(name, value, terms={"cost": best - value}) for name, value in values.items()]
        cost = best - values[chosen]
        total, soft = hand_total(hand)
        facts: dict[str, float | int | str | None] = {
            "hand": text_of(hand), "total": f"{'soft ' if soft else ''}{total}", "upcard": RANKS[upcard],
            "cards left": int(observation.shoe[0].sum()),
        }  # fmt: skip
        return Explanation(chosen, _reason(chosen, hand, upcard, values[chosen], cost), options, facts)


@dataclass
class CountingAgent(_Explains):
    """Plays every hand at its best for the very cards that are left."""

    summary: ClassVar[str] = "knows every card that is gone and plays the exact best"
    by_shoe: ClassVar[bool] = True

    def decide(self, observations: Decisions) -> NDArray[np.int64]:
        """The play of the highest exact value."""
        chosen = []
        for k in range(len(observations)):
            values = _weighed(observations, k, True)
            chosen.append(PLAYS.index(max(values, key=lambda name: values[name])))
        return np.array(chosen, np.int64)


@dataclass
class ChartAgent(_Explains):
    """Plays the best chart of the rules: totals, pairs and the upcard, nothing of the cards that are gone."""

    summary: ClassVar[str] = "plays the printed chart (basic strategy)"
    _tables: dict[Rules, Table] = field(default_factory=dict, init=False, repr=False)

    def _table(self, rules: Rules) -> Table:
        if rules not in self._tables:
            self._tables[rules] = best_table(rules).table
        return self._tables[rules]

    def decide(self, observations: Decisions) -> NDArray[np.int64]:
        """The chart's play, or what it falls back on where that is not allowed."""
        table = self._table(observations.rules)
        return np.array([self._play(table, observations, k) for k in range(len(observations))], np.int64)

    def _play(self, table: Table, view: Decisions, k: int) -> int:
        hand, upcard = view.row(k)
        total, soft = hand_total(hand)
        letter = table.letter(row_of(total, soft), upcard)
        if len(hand) == 2:
            play = table.play(view.rules, *hand, upcard, bool(view.after_split[k]))
            if hand[0] == hand[1] and view.legal[k, SPLIT] and table.play(view.rules, *hand, upcard, False) == SPLIT:
                play = SPLIT
            if view.legal[k, play]:
                return play
        return HIT if letter in "hbD" and view.legal[k, HIT] else STAND


@dataclass
class RandomAgent(_Explains):
    """Any legal play, each as likely."""

    summary: ClassVar[str] = "any legal play, each as likely"

    def decide(self, observations: Decisions) -> NDArray[np.int64]:
        """Drawn from each row's luck."""
        chosen = []
        for legal, luck in zip(observations.legal, observations.luck, strict=True):
            plays = np.flatnonzero(legal)
            chosen.append(int(plays[int(below(np.uint64(luck), len(plays)))]))
        return np.array(chosen, np.int64)


AGENTS = {
    "count": "mazzo.blackjack.agents:CountingAgent",
    "chart": "mazzo.blackjack.agents:ChartAgent",
    "random": "mazzo.blackjack.agents:RandomAgent",
}
"""The agents by name, for `mazzo.agent.create`."""
