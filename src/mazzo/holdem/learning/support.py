"""How far a log supports what is learned from it: which actions its players took in like situations, in words too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Flags, Floats
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import Situations
from mazzo.holdem.attributes.elementary import matrix
from mazzo.holdem.learning.choices import HEADS_UP_LIMIT, HeroChoices, TableKind, known_worth
from mazzo.holdem.learning.decisions import Decisions
from mazzo.learn.behaviour import believed, explored, fit_behaviour, shares
from mazzo.learn.forest import Forest

__all__ = [
    "AUTO",
    "CAUTION",
    "NONE",
    "PLAYERS_LOOK_AT",
    "Support",
    "Supported",
    "Unbelieved",
    "as_caution",
    "support_of",
    "to_keep",
]

PLAYERS_LOOK_AT: tuple[str, ...] = (
    "stage",
    "pv",
    "owed",
    "initiative",
    "POT_ODDS",
    "HAND_TYPE",
    "HAND_RANK",
    "POTENTIAL_OUTS",
    "DRAWS",
    "HERO_HOLE_CARD_HIGH",
    "HERO_HOLE_CARD_LOW",
    "HERO_HOLE_CARDS_SUITEDNESS",
)
"""What players may decide by: beside what a hero looks at, like situations are alike in these."""

AUTO, NONE = "auto", "none"
CAUTION = 0.2
"""An action is believed if its share is this part of the commonest action's, where caution is called for."""
_EXPLORED = 0.9
"""If so much of what else could be done was done, caution would only cost."""
_FEW, _WEAK, _STRONG = 0.02, 400.0, 600.0
_ACTIONS, _STREETS = ("folds", "calls", "raises"), ("before the flop", "on the flop", "on the turn", "on the river")
_HANDS = ("weak hands", "middling hands", "strong hands")


def as_caution(text: str) -> str | float:
    """`auto`, `none` or a number above 0 and at most 1, as `--caution` takes it."""
    if text in (AUTO, NONE):
        return text
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= 1:
        raise UnreadableError(f"caution must be auto, none or a number above 0 and at most 1, got {text!r}")
    return number


def to_keep(attributes: Sequence[str], caution: str | float) -> tuple[str, ...]:
    """What must be kept of decisions to learn with this caution by these attributes."""
    return tuple(dict.fromkeys((*attributes, *(() if caution == NONE else PLAYERS_LOOK_AT))))


@dataclass(frozen=True)
class Support:
    """What a hero keeps of it: shares of actions in like situations, and from which share on one is believed."""

    attributes: tuple[str, ...]
    forest: Forest
    caution: float

    kind: TableKind = HEADS_UP_LIMIT
    choices: HeroChoices = field(default_factory=HeroChoices)

    def shares(self, seen: Situations) -> Floats:
        """The share of each action in like situations of the log."""
        return shares(self.forest, matrix(seen, self.attributes), self.choices.legal(seen))

    def believed(self, seen: Situations) -> Flags:
        """Which legal actions the log supports."""
        return self.believed_of(self.shares(seen), self.choices.legal(seen))

    def believed_of(self, told: Floats, legal: Flags) -> Flags:
        """Which of the legal actions with these shares are believed; a fold too where its worth needs no log."""
        mask = believed(told, self.caution)
        for action in known_worth(self.kind):
            mask[:, action] = legal[:, action]
        return mask


class Unbelieved(NamedTuple):
    """Decisions of one kind in which an action was hardly ever taken."""

    street: int
    action: int
    hands: int
    """0 weak, 1 middling, 2 strong: equity below 40 %, between, from 60 %."""
    taken: int
    of: int
    believed: float
    """The part of these decisions in which it is believed all the same."""
    name: str = ""
    """What the action is, where it is none of heads-up limit's three."""

    def __str__(self) -> str:
        what = "not believed" if not self.believed else f"believed in {self.believed:.1%} of them"
        where = f"{self.name or _ACTIONS[self.action]} {_STREETS[self.street]} with {_HANDS[self.hands]}"
        return f"{where}: {self.taken:,} of {self.of:,} decisions; {what}"


@dataclass(frozen=True)
class Supported:
    """A log's decisions, and which actions they support."""

    support: Support | None
    """None if everything is believed."""
    explored: float | None
    """Of the actions beside the commonest in like situations, the part that was taken often enough; None: not asked."""
    believed: Flags
    """By decision and action."""
    unbelieved: tuple[Unbelieved, ...] = ()

    def __str__(self) -> str:
        if self.explored is None:
            return "every action is believed"
        tried = f"the log's players tried {self.explored:.0%} of what else they could have done in like situations"
        if self.support is None:
            return f"{tried}: every action is believed"
        return f"{tried}: an action is believed from {self.support.caution:g} of the commonest one's share on"


def support_of(
    decisions: Decisions, attributes: Sequence[str], caution: str | float, *, seed: int = 0, workers: int = 1
) -> Supported:
    """Which actions some decisions support.

    Args:
        decisions: the log's.
        attributes: what the hero looks at; `PLAYERS_LOOK_AT` are added where they were kept.
        caution: `auto` to choose from how much was tried, `none`, or the least share beside the commonest action's.
        seed: for what is held out to choose the size of the model.
        workers: threads that count.
    """
    if caution == NONE:
        return Supported(None, None, decisions.legal)
    names = tuple(dict.fromkeys((*attributes, *(n for n in PLAYERS_LOOK_AT if n in decisions.attributes))))
    states, legal = decisions.matrix(names), decisions.legal
    least = CAUTION if caution == AUTO else float(caution)
    made = fit_behaviour(states, legal, decisions.action, decisions.hand, seed=seed, workers=workers)
    tried = explored(made.held_out_shares, legal[made.held_out], least)
    if caution == AUTO and tried >= _EXPLORED:
        return Supported(None, tried, legal)
    support = Support(names, made.forest, least, decisions.kind, decisions.choices)
    mask = support.believed_of(shares(made.forest, states, legal), legal)
    return Supported(support, tried, mask, _unbelieved(decisions, mask))


def _unbelieved(decisions: Decisions, mask: Flags) -> tuple[Unbelieved, ...]:
    """Kinds of decisions in which an action was hardly taken, those with most decisions first."""
    if not {"stage", "pv"} <= set(decisions.attributes):
        return ()
    stage, pv = decisions.matrix(("stage", "pv")).T
    hands = (pv >= _WEAK).astype(np.int64) + (pv >= _STRONG)
    found = []
    sized = decisions.choices.names if decisions.choices.sizes else ()
    for action in sorted(set(range(mask.shape[1])) - set(known_worth(decisions.kind))):
        name = sized[action] if action >= c.KIND_RAISE and sized else ""
        at = np.flatnonzero(decisions.legal[:, action])
        kind = _kinds(stage[at], hands[at])
        of = np.bincount(kind, minlength=12)
        taken = np.bincount(kind, decisions.action[at] == action, minlength=12)
        trusted = np.bincount(kind, mask[at, action], minlength=12)
        found += [
            Unbelieved(k // 3, action, k % 3, int(taken[k]), int(of[k]), float(trusted[k] / of[k]), name)
            for k in np.flatnonzero((of > 0) & (taken < _FEW * of)).tolist()
        ]
    return tuple(sorted(found, key=lambda each: -each.of))


def _kinds(stage: NDArray[np.float32], hands: NDArray[np.int64]) -> NDArray[np.int64]:
    return stage.astype(np.int64) * 3 + hands
