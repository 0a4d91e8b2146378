"""What a player should have done: where its decisions differ from a hero's, and what the log knows of that.

A hero that was learned from a hand knows how it ended, so the hands are divided: each part is judged by the hero of the
others. Only what that hero believes is proposed, with the share of it in like situations of the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import Situations
from mazzo.holdem.attributes.elementary import BIG_BLIND
from mazzo.holdem.attributes.replay import replay
from mazzo.holdem.attributes.situations import situations_replayed
from mazzo.holdem.learning.choices import HeroChoices
from mazzo.holdem.learning.decisions import Decisions
from mazzo.holdem.learning.hero import Settings, learn_hero
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.notation import STREETS_IN_WORDS
from mazzo.workers import Workers

__all__ = ["Hindsight", "Proposal", "in_hindsight"]

PARTS = 2


@dataclass(frozen=True)
class Proposal:
    """A decision in which something else was worth more."""

    hand: int
    """Counted from 0 over all hands that were read."""
    where: str
    """The log, and the line where the hand stands."""
    street: str
    held: str
    board: str
    done: str
    better: str
    gain: float
    """What that is worth more, in big blinds."""
    share: float
    """How often it was taken in like situations of the log."""


@dataclass(frozen=True, repr=False)
class Hindsight(Shown):
    """All of a player's decisions, judged by what was learned from its other hands."""

    decisions: int
    differ: int
    """Decisions in which a hero would do something else."""
    gain: float
    """What that is worth more by the heroes' own figures, in big blinds a hand; a match or hands to come decide."""
    proposals: tuple[Proposal, ...]
    """Those where most was given away."""

    def section(self) -> Section:
        """The proposals as a table."""
        rows = [
            (p.where, p.street, p.held, p.board or "-", p.done, p.better, f"{p.gain:+.2f}", f"{p.share:.0%}")
            for p in self.proposals
        ]
        head = ("hand", "street", "held", "board", "done", "better", "bb more", "taken in like situations")
        words = [
            f"in {self.differ:,} of {self.decisions:,} decisions heroes of the player's other hands do something else, "
            f"by their own figures for {self.gain:+.3f} bb/hand more; what it is worth only hands to come can tell"
        ]
        return Section("In hindsight", words, tables=[Grid(head, rows)])

    def as_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {**vars(self), "proposals": [vars(p) for p in self.proposals]}


def in_hindsight(
    decisions: Decisions, settings: Settings, batches: Iterable[Hands], *, number: int = 10, workers: Workers = 1
) -> Hindsight:
    """What a player should have done.

    Args:
        decisions: the player's; nobody else's.
        settings: how heroes learn.
        batches: the same hands once more, to name them.
        number: how many decisions are named.
        workers: processes to use.
    """
    part = np.random.default_rng(settings.seed).permutation(int(decisions.hand.max()) + 1) % PARTS
    part = part[decisions.hand]
    best, gain, share = np.zeros(len(decisions), np.int64), np.zeros(len(decisions)), np.zeros(len(decisions))
    for k in range(PARTS):
        own = np.flatnonzero(part == k)
        hero = learn_hero(decisions.rows(part != k), settings, workers=workers)
        judged = decisions.rows(part == k)
        rows = np.arange(len(own))
        every, best[own] = hero.q_logged(judged, every=True), hero.played(judged)
        gain[own] = every[rows, best[own]] - every[rows, judged.action]
        share[own] = hero.shares_logged(judged)[rows, best[own]]
    differ = (best != decisions.action) & np.isfinite(gain) & (gain > 0)
    gain = np.where(differ, gain / BIG_BLIND, 0.0)
    hands = len(np.unique(decisions.hand)) + len(decisions.idle)
    named = np.argsort(-gain, kind="stable")[: min(number, int(differ.sum()))]
    found = _named(decisions, named, best, gain, share, batches)
    return Hindsight(len(decisions), int(differ.sum()), float(gain.sum()) / hands, found)


def _named(
    decisions: Decisions, rows: Ints, best: Ints, gain: Floats, share: Floats, batches: Iterable[Hands]
) -> tuple[Proposal, ...]:
    """The chosen decisions with their hands, which are looked up in the log."""
    of_hand = {row: int(decisions.hand[row]) for row in rows.tolist()}
    found: dict[int, Proposal] = {}
    before = 0
    for batch in batches:
        for row, number in of_hand.items():
            if before <= number < before + len(batch):
                mine = np.flatnonzero(decisions.hand == number)
                mine = mine[decisions.position[mine] == decisions.position[row]]
                seen = _seen(batch, number - before, int(decisions.position[row]), int(np.searchsorted(mine, row)))
                facts = (float(gain[row]), float(share[row]))
                found[row] = _proposal(seen, decisions.choices, int(best[row]), number, facts)
        before += len(batch)
    return tuple(found[row] for row in of_hand if row in found)


class _Seen(NamedTuple):
    where: str
    situation: Situations
    kind: int
    size: int


def _seen(batch: Hands, at: int, position: int, step: int) -> _Seen:
    """One decision of a hand, as its player saw it, and what it was."""
    one = batch[np.array([at])]
    wanted = np.zeros((1, one.net.shape[1]), np.bool_)
    wanted[0, position] = True
    rows = replay(one, wanted)
    situation = situations_replayed(one, rows)[np.array([step])]
    where = f"{Path(one.source).name}:{int(one.line[0])}"
    return _Seen(where, situation, int(rows.action[step]), int(rows.size[step]))


def _proposal(seen: _Seen, choices: HeroChoices, best: int, number: int, facts: tuple[float, float]) -> Proposal:
    s = seen.situation
    amounts = choices.amounts_seen(s)[0]
    sized = bool(choices.sizes)

    def text(kind: int, amount: int) -> str:
        word = ("fold", "call" if s.owed[0] else "check", "raise")[min(kind, c.KIND_RAISE)]
        return f"{word} to {amount}" if kind >= c.KIND_RAISE and sized else word

    better = text(best, int(amounts[max(best - c.KIND_RAISE, 0)]))
    held = " ".join(map(str, FRENCH.cards(s.hole[0])))
    board = " ".join(map(str, FRENCH.cards(card for card in s.board[0] if card >= 0)))
    street = STREETS_IN_WORDS[int(s.street[0])]
    return Proposal(number, seen.where, street, held, board, text(seen.kind, seen.size), better, *facts)
