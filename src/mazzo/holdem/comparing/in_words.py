"""Where two agents differ most, in words.

Asked for are the situations of the first one's own play, gathered by what they have in common, with a hand of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import STREETS, Column, Selection, describe, offered, situations_seen
from mazzo.holdem.cloning.reading import merged_conditions
from mazzo.holdem.comparing.likeness import Listening
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.statistics.reference import kind_chances

__all__ = ["PlayDifference", "differences"]

_CHUNK = 512
_LEAVES = 6
_KINDS = ("fold", "call", "raise")


@dataclass(frozen=True)
class PlayDifference:
    """A kind of situation in which two agents play differently."""

    street: str
    conditions: tuple[str, ...]
    decisions: int
    share: float
    """Of the street's decisions."""
    distance: float
    """Half the sum of the differences of their chances to fold, call and raise; 1 is never the same."""
    one: tuple[float, ...]
    """How often the first folds, calls and raises there."""
    other: tuple[float, ...]
    hand: str
    text: str

    def as_dict(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {**vars(self), "conditions": list(self.conditions)}


class _Noting(Listening):
    """Plays as an agent does and keeps what it saw and what both would do."""

    def __init__(self, agent: Agent[Observations], other: Agent[Observations]) -> None:
        super().__init__(agent, other)
        self.seen: list[tuple[Observations, Floats, Floats]] = []

    def decide(self, observations: Observations) -> Ints:
        """What the agent plays."""
        both = [kind_chances(each.policy(observations)) for each in (self.agent, self.other)]
        self.seen.append((observations, both[0], both[1]))
        return np.asarray(self.agent.decide(observations), np.int64)


def differences(
    game: Rules,
    one: Agent[Observations],
    other: Agent[Observations],
    against: Sequence[Agent[Observations]],
    hands: int = 3000,
    seed: int = 0,
    most: int = 6,
) -> list[PlayDifference]:
    """The kinds of situations in which two agents differ most, the most common and most different first."""
    for agent in (one, other):
        if agent.learns:
            raise UnreadableError(f"{agent.name} learns while it plays: what it does cannot be put into words")
    noting = _Noting(deepcopy(one), deepcopy(other))
    contest = HoldemMatch(game)
    for first in range(0, -(-hands // contest.plays_per_deal), _CHUNK):
        last = min(first + _CHUNK, -(-hands // contest.plays_per_deal))
        contest.play([noting, *deepcopy(list(against))], range(first, last), seed)
    found = [each for street in range(len(STREETS)) for each in _of_street(noting.seen, street, game, one, other)]
    return sorted(found, key=lambda d: -d.distance * d.share)[:most]


def _of_street(
    seen: list[tuple[Observations, Floats, Floats]], street: int, game: Rules, one: Any, other: Any
) -> list[PlayDifference]:
    from sklearn.tree import DecisionTreeRegressor

    names = [k for k in offered(Selection(named="suitless"), street, game.players) if not k.startswith("HISTORY")]
    columns = [k for k in (Column(name, _values(name)) for name in names) if not k.nominal]
    x, distance, chances, where = [], [], [], []
    for number, (o, p, q) in enumerate(seen):
        rows = np.flatnonzero(o.street == street)
        if len(rows):
            x.append(describe(situations_seen(o[rows]), columns))
            distance.append(np.abs(p[rows] - q[rows]).sum(axis=1) / 2)
            chances.append(np.hstack([p[rows], q[rows]]))
            where += [(number, int(k)) for k in rows]
    if not x or sum(map(len, x)) < 20:
        return []
    rows_x, far, both = np.nan_to_num(np.concatenate(x), nan=-1.0), np.concatenate(distance), np.concatenate(chances)
    tree = DecisionTreeRegressor(max_leaf_nodes=_LEAVES, min_samples_leaf=max(10, len(far) // 100), random_state=0)
    leaf = tree.fit(rows_x, far).apply(rows_x)
    found = []
    for k in np.unique(leaf).tolist():
        here = np.flatnonzero(leaf == k)
        if far[here].mean() > 0.02:
            example = int(here[far[here].argmax()])
            number, row = where[example]
            hand = _hand(seen[number][0][np.array([row])])
            conditions = merged_conditions(_path(tree, k, [column.name for column in columns]))
            found.append(_difference(street, conditions, here, far, both, hand, one.name, other.name))
    return found


def _values(name: str) -> Any:
    from mazzo.holdem.attributes import REGISTRY

    return REGISTRY[name].values if not REGISTRY[name].sequence else ()


def _path(tree: Any, leaf: int, names: list[str]) -> list[tuple[str, str, float | str]]:
    """The comparisons that lead to a leaf."""
    t = tree.tree_
    above = {int(t.children_left[k]): (k, "<=") for k in range(t.node_count) if t.children_left[k] >= 0}
    above |= {int(t.children_right[k]): (k, ">") for k in range(t.node_count) if t.children_right[k] >= 0}
    steps: list[tuple[str, str, float | str]] = []
    node = leaf
    while node in above:
        node, sign = above[node]
        steps.append((names[int(t.feature[node])], sign, float(t.threshold[node])))
    return steps[::-1]


def _difference(
    street: int, conditions: list[str], here: Ints, far: Floats, both: Floats, hand: str, one: str, other: str
) -> PlayDifference:
    means = both[here].mean(axis=0)
    first, second = tuple(means[:3].tolist()), tuple(means[3:].tolist())
    share = len(here) / len(far)
    said = [
        f"{name} " + ", ".join(f"{kind}s {100 * p:.0f} %" for kind, p in zip(_KINDS, chances, strict=True))
        for name, chances in ((one, first), (other, second))
    ]
    where = " and ".join(conditions) or "always"
    text = (
        f"{STREETS[street].lower()}, {where} ({100 * share:.1f} % of {len(far)} decisions): {said[0]}; {said[1]}. "
        f"For example {hand}"
    )
    name = STREETS[street].lower()
    return PlayDifference(name, tuple(conditions), len(here), share, float(far[here].mean()), first, second, hand, text)


def _hand(o: Observations) -> str:
    """Own cards, board and betting of one observation."""
    hole = FRENCH.text([int(card) for card in o.hole[0]])
    board = FRENCH.text([int(card) for card in o.board[0] if card >= 0])
    done = o.history[0, : int(o.state[0, c.COUNT])] >> c.ACTOR_BITS
    betting = "".join(action_text(int(action), o.game.limit) for action in done)
    return f"{hole}{f' on {board}' if board else ''}, betting {betting or 'none'}"
