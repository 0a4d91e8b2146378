"""Looking through a solved spot: over all cards that may come, hands by attribute, two solutions side by side."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.arrays import Flags, Floats
from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes import find
from mazzo.holdem.attributes.situations import situations_seen
from mazzo.holdem.solver.spot.asking import seen_at
from mazzo.holdem.solver.spot.betting import CHANCE
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.solution import SpotSolution
from mazzo.holdem.solver.spot.spot import PLAYERS
from mazzo.holdem.solver.spot.view import NodeView, hand_name, in_words

__all__ = ["Comparison", "Defence", "RunOuts", "chosen_by", "compare", "defence", "run_outs"]

_TEST = re.compile(r"\s*([\w.+-]+?)\s*(>=|<=|!=|=|<|>)\s*([\w.+-]+)\s*")
_TESTS = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "=": operator.eq, "<": operator.lt, ">": operator.gt,
}  # fmt: skip


def chosen_by(view: NodeView, tests: str) -> Flags:
    """Which hands of the player to act meet all tests: `HAND_TYPE=TOPPAIR, DRAWS!=NO_DRAW, ALL_IN_EQUITY>0.5`."""
    if view.actor is None:
        raise UnreadableError(f"nobody decides at {view.where!r}: there are no hands to choose from")
    cards = view.plan.hands.cards[view.actor]
    there = np.asarray(~np.isin(cards, view.path.cards).any(axis=1))
    board = np.tile(np.array(view.path.cards, np.int64), (int(there.sum()), 1))
    seen = situations_seen(seen_at(view.plan, view.path.node, cards[there], board))
    out = there.copy()
    for text in tests.split(","):
        match = _TEST.fullmatch(text)
        if not match:
            raise UnreadableError(f"cannot read {text!r}: a test is an attribute and a value, as in HAND_TYPE=FLUSH")
        attribute = find(match[1])
        values = np.asarray(attribute.work(seen))
        out[there] &= _TESTS[match[2]](values, _wanted(attribute, match[3]))
    return out


def _wanted(attribute: Any, text: str) -> float:
    if attribute.values is not None:
        names = [value.upper().replace("_", "") for value in attribute.values]
        if text.upper().replace("_", "") not in names:
            raise UnreadableError(f"{attribute.name} is never {text!r}; {did_you_mean(text.upper(), attribute.values)}")
        return names.index(text.upper().replace("_", ""))
    try:
        return float(text)
    except ValueError:
        raise UnreadableError(f"{attribute.name} is a number, got {text!r}") from None


@dataclass(frozen=True)
class Defence:
    """A bet and what it asks for."""

    size: float
    """In pots: what a call costs, of the pot without it and the same again from the bettor."""
    minimum: float
    """The share of hands that must go on, so that a bet with any two cards gains nothing."""
    actual: float
    """The share that goes on in the solution."""
    bluffs_per_value: float
    """Bluffs for each hand bet for value that leave a caller indifferent."""


def defence(view: NodeView) -> Defence | None:
    """At a decision that faces a bet: minimum defence and bluff ratio; None elsewhere."""
    if view.actor is None or "f" not in view.actions:
        return None
    nodes, bettor = view.plan.betting.nodes, 1 - view.actor
    put, before = nodes[view.path.node].put, nodes[view.path.nodes[-2]].put[bettor]
    owed, risked = put[bettor] - put[view.actor], put[bettor] - before
    size = owed / (view.pot - owed)
    return Defence(size, 1 - risked / view.pot, 1 - view.totals()["f"], size / (1 + size))


@dataclass(frozen=True)
class RunOuts(Shown):
    """How play goes on over all cards that may come next."""

    where: str
    actions: tuple[str, ...]
    actor: int | None
    rows: dict[str, dict[str, Any]]
    """By card: how likely it is, EV and equity of both, the shares of actions."""

    def mean(self, key: str) -> float:
        """The mean over cards, by how likely each is."""
        weights = np.array([row["chance"] for row in self.rows.values()])
        values = np.array([row[key] for row in self.rows.values()], np.float64)
        there = ~np.isnan(values)
        return float((weights * np.nan_to_num(values)).sum() / weights[there].sum())

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        keys = ("oop_ev", "ip_ev", "oop_equity", *self.actions)
        return {
            "at": self.where,
            "actions": list(self.actions),
            "cards": self.rows,
            "mean": {key: self.mean(key) for key in keys},
        }

    def section(self) -> Section:
        """A row a card, and the mean."""
        keys = ("oop_ev", "ip_ev", "oop_equity", *self.actions)
        scale = (1, 1, 100, *(100 for _ in self.actions))
        rows = [
            (card, f"{100 * row['chance']:.2f}", *(f"{s * row[k]:.2f}" for k, s in zip(keys, scale, strict=True)))
            for card, row in self.rows.items()
        ]
        rows.append(("mean", "100.00", *(f"{s * self.mean(k):.2f}" for k, s in zip(keys, scale, strict=True))))
        who = "" if self.actor is None else PLAYERS[self.actor]
        head = ("card", "chance %", "OOP EV", "IP EV", "OOP equity %", *(f"{who} {a} %" for a in self.actions))
        return Section(f"run-outs after {self.where or 'the start'}", tables=[Grid(head, rows)])


def run_outs(solution: SpotSolution, where: str) -> RunOuts:
    """How the next street begins over all cards that may come after a street's betting: `"b100 c"`.

    A `*` stands for every card that may have come before (`"b100 c / * / k k"`): of each card that may come next the
    mean over all of those.
    """
    sums: dict[int, Floats] = {}
    weights: dict[int, float] = {}
    first: NodeView | None = None
    for place in _concrete(solution.plan, where):
        masses = _masses(solution, place)
        for card, mass in masses.items():
            view = solution.at(f"{place} / {FRENCH.cards([card])[0]}")
            first = first or view
            row = np.array([view.ev_of(0), view.ev_of(1), view.equity_of(0), *view.totals().values()])
            sums[card] = sums.get(card, 0.0) + mass * row
            weights[card] = weights.get(card, 0.0) + mass
    if first is None:
        raise UnreadableError(f"no hands of both players get to {where!r}")
    total, keys = sum(weights.values()), ("oop_ev", "ip_ev", "oop_equity", *first.actions)
    rows = {
        str(FRENCH.cards([card])[0]): {
            "chance": weights[card] / total,
            **{key: float(x) for key, x in zip(keys, sums[card] / weights[card], strict=True)},
        }
        for card in sorted(sums)
    }
    return RunOuts(where, first.actions, first.actor, rows)


def _concrete(plan: Any, where: str) -> list[str]:
    """A place with each `*` replaced by every card that may come there, at which a card comes next."""
    words, free = where.split(), [str(card) for card in FRENCH.cards(range(52)) if card not in plan.spot.board]
    if "*" not in words:
        path = follow(plan, where)
        if plan.betting.nodes[path.node].kind != CHANCE:
            raise UnreadableError(
                f"no card comes after {where!r}: name a place at which the betting of a street has ended"
            )
        return [where]
    at = words.index("*")
    used = {str(card) for word in words for card in _cards_of(word)}
    cards = [card for card in free if card not in used]
    return [place for card in cards for place in _concrete(plan, " ".join([*words[:at], card, *words[at + 1 :]]))]


def _cards_of(word: str) -> list[Any]:
    try:
        return list(FRENCH.parse(word))
    except UnreadableError:
        return []


def _masses(solution: SpotSolution, where: str) -> dict[int, float]:
    """By card that may come next: the weight of all pairs of hands that get there and leave it in the deck."""
    path, hands = follow(solution.plan, where), solution.plan.hands
    reach = solution.reach(path)
    out = {}
    for card in range(52):
        if card not in path.cards:
            mine, theirs = (np.where((c == card).any(axis=1), 0.0, r) for c, r in zip(hands.cards, reach, strict=True))
            mass = float((hands.mass(1, theirs) * mine).sum())
            if mass > 0:
                out[card] = mass
    return out


@dataclass(frozen=True)
class Comparison(Shown):
    """Two solutions at one place."""

    where: str
    ev: tuple[tuple[float, float], tuple[float, float]]
    """By solution and player."""
    totals: tuple[dict[str, float], dict[str, float]]
    distance: float
    """Half the sum of the differences of shares, the mean over hands: 0 the same play, 1 none in common."""
    hands: dict[str, float]
    """The same by hand, the largest first."""
    differs: tuple[str, ...] = ()
    """The keys in which the two spots are not the same."""

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "at": self.where,
            "ev": [list(e) for e in self.ev],
            "totals": list(self.totals),
            "distance": self.distance,
            "hands": self.hands,
            "spots_differ": list(self.differs),
        }

    def section(self) -> Section:
        """EVs, shares, and the hands that are played most differently."""
        evs = [
            (
                name,
                *(in_words(self.ev[k][p], "{:.3f}") for k in range(2)),
                in_words(self.ev[1][p] - self.ev[0][p], "{:+.3f}"),
            )
            for p, name in enumerate(PLAYERS)
        ]
        names = list(dict.fromkeys([*self.totals[0], *self.totals[1]]))
        shares = [(name, *(in_words(100 * t.get(name, 0), "{:.2f} %") for t in self.totals)) for name in names]
        most = [(hand, f"{100 * share:.1f} %") for hand, share in list(self.hands.items())[:10]]
        words = [f"{100 * self.distance:.1f} % of play differs"]
        if self.differs:
            words.append(f"the two spots are not the same: {', '.join(self.differs)}")
        tables = [
            Grid(("EV, chips", "first", "second", "difference"), evs),
            Grid(("action", "first", "second"), shares),
        ]
        return Section(
            f"compared at {self.where or 'the start'}", words, tables=[*tables, Grid(("hand", "differs"), most)]
        )


def compare(first: SpotSolution, second: SpotSolution, where: str = "") -> Comparison:
    """Two solutions at one place that both have: EVs, shares of actions, and how far apart the mixes are."""
    views = (first.at(where), second.at(where))
    if views[0].actor is None or views[0].actor != views[1].actor:
        raise UnreadableError(f"the two solutions cannot be compared at {where!r}: not the same player decides there")
    mixes = [view.mix_by_hand() for view in views]
    weights = _by_name(views[0], views[0].weight(views[0].actor))
    found: dict[str, float] = {}
    for hand in mixes[0].keys() & mixes[1].keys():
        names = mixes[0][hand].keys() | mixes[1][hand].keys()
        found[hand] = sum(abs(mixes[0][hand].get(n, 0) - mixes[1][hand].get(n, 0)) for n in names) / 2
    total = sum(weights[hand] for hand in found)
    distance = sum(weights[hand] * share for hand, share in found.items()) / total if total else 0.0
    ev = tuple((view.ev_of(0), view.ev_of(1)) for view in views)
    ordered = dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
    spots = [solution.spot.as_dict() for solution in (first, second)]
    differs = tuple(key for key in {**spots[0], **spots[1]} if spots[0].get(key) != spots[1].get(key))
    return Comparison(where, (ev[0], ev[1]), (views[0].totals(), views[1].totals()), distance, ordered, differs)


def _by_name(view: NodeView, numbers: Floats) -> dict[str, float]:
    assert view.actor is not None
    return {hand_name(c): float(w) for c, w in zip(view.plan.hands.cards[view.actor], numbers, strict=True)}
