"""`search`: a tree over what can be seen to happen; each walk is in a deal that could be, played on by `policy`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import YES_NO, Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Floats, Ints
from mazzo.bits import lowest, size
from mazzo.errors import UnreadableError
from mazzo.jit import kernel, tight_helper
from mazzo.mcts.tree import SearchTree, grow, most_visited, pick, record
from mazzo.rng import fork, uniform
from mazzo.tressette.agents.paired import paired_options, paired_reason
from mazzo.tressette.agents.winning import chance_by_points, points_lead
from mazzo.tressette.choosing import card_text, cheapest, legal_list
from mazzo.tressette.deals.sample import count_deals, sample_deals
from mazzo.tressette.evaluation import distinct_cards
from mazzo.tressette.kernels import TOTAL_POINTS, TOTAL_THIRDS, Int, legal_cards, trick_stands
from mazzo.tressette.observation import A_PERDERE, Observations
from mazzo.tressette.players import Scene, log_likelihoods, readiness, weights_of_players
from mazzo.tressette.solver.search import EVERY, Position, alike, memory_for, settle, step, tables, to_be_had

__all__ = ["TreeSearch"]

_CHUNK = 64
_SETTLED = 1e-9
"""Where the match hangs on nothing that this round can still give, it plays for points."""


class _Knowledge(NamedTuple):
    """What all walks of one decision share."""

    played: NDArray[np.int8]
    count: Int
    legal: Int
    gone: Int
    taken: Int
    worths: Floats
    """[12] by points of our side at the end what the round is worth to it, 0 to 1."""
    weights: Floats
    memory: Ints
    tables: Ints


class _Settings(NamedTuple):
    explore: float
    full: Int


@dataclass
class TreeSearch(Agent[Observations]):
    """Information-set Monte Carlo tree search.

    Attributes:
        walks: Walks through the tree for one decision, each in another deal.
        seconds: If more than 0, it goes on until so much time has passed; then play cannot be repeated.
        explore: How readily it tries what looks worse.
        full: From so many cards a hand on, a walk ends by solving its deal with open hands; 0 for never.
        trust: How much deals are weighed by how well they explain the cards that fell: 0 not at all.
        match: Whether, in a match, it plays for the chance of winning that; else always for points.
    """

    summary: ClassVar[str] = "tree search over sampled deals, played out by the fitted policy, solved at the end"
    safe: ClassVar[Safe | None] = {
        "walks": Between(1, 5000),
        "seconds": Between(0, 2),
        "explore": Between(0, 10),
        "full": Between(0, 5),
        "trust": Between(0, 5),
        "match": YES_NO,
    }

    plays_at_once: ClassVar[int] = 32

    walks: int = 2000
    seconds: float = 0.0
    explore: float = 0.5
    full: int = 3
    trust: float = 0.5
    match: bool = True

    def __post_init__(self) -> None:
        numbers = (self.seconds, self.explore, self.trust)
        if self.walks < 1 or not 0 <= self.full <= 7 or not all(0 <= x < float("inf") for x in numbers):
            given = ", ".join(f"{name}={getattr(self, name)}" for name in type(self).__dataclass_fields__)
            raise UnreadableError(
                f"a search has walks from 1 up, seconds, explore and trust from 0 up, full from 0 to 7, not {given}"
            )

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return np.array([self._choose(observations[i : i + 1])[0] for i in range(len(observations))], np.int64)

    def _choose(self, one: Observations) -> tuple[int, SearchTree | None]:
        distinct = distinct_cards(one)
        if distinct & (distinct - 1) == 0:
            return int(cheapest(np.int64(one.legal[0]))), None
        tree = self._grown(one, distinct)
        children = _children(tree)
        most = max(tree.visits[child] for child in children)
        best = [int(tree.action[child]) for child in children if tree.visits[child] == most]
        return _lowest_alike(one, int(cheapest(np.int64(sum(1 << card for card in best))))), tree

    def _worths(self, one: Observations) -> tuple[Floats, Floats | None]:
        """By points of our side what the round is worth, 0 to 1; and the chance of the match where that is it."""
        chances = chance_by_points(one) if self.match else None
        if chances is not None and np.ptp(chances) > _SETTLED:
            return chances, chances
        return 0.5 + points_lead(_loses(one)) / (2 * TOTAL_POINTS), chances

    def _knowledge(self, one: Observations, distinct: int) -> _Knowledge:
        return _Knowledge(
            one.played[0],
            one.count[0],
            np.int64(distinct),
            np.bitwise_or.reduce(one.shown[0]),
            np.int64(one.thirds[0, 0]),
            self._worths(one)[0],
            weights_of_players(_loses(one)),
            memory_for(max(self.full, 1)),
            tables(),
        )

    def _settings(self, one: Observations) -> _Settings:
        """A perdere nothing is solved: the solver knows only how to take most."""
        return _Settings(self.explore, np.int64(0 if _loses(one) else self.full))

    def _grown(self, one: Observations, distinct: int) -> SearchTree:
        """The tree after all walks."""
        key, end = np.uint64(one.rng_key[0]), time.perf_counter() + self.seconds
        tree = SearchTree.of(self.walks if not self.seconds else 1 << 18)
        knowledge, settings = self._knowledge(one, distinct), self._settings(one)
        size, nothing = self.walks if not self.seconds else _CHUNK, np.empty((0, 0))
        while True:
            deals = self._deals(one, size, int(key))
            _walk_all(tree, knowledge, settings, deals, np.uint64(fork(key, 1)), nothing)
            key = np.uint64(fork(key, 0))
            if time.perf_counter() >= end:
                return tree

    def _outcomes(self, one: Observations, tree: SearchTree) -> Floats:
        """[n, 40] whole points of our side in new deals: each legal card in all of them, then as the tree has it.

        The deals and what is drawn in them are the same for all cards, so that their differences are much surer than
        the cards' own means.
        """
        distinct, n = distinct_cards(one), _compared(tree)
        key = np.uint64(fork(np.uint64(one.rng_key[0]), 2))
        points = np.full((n, 40), -1.0)
        deals = self._deals(one, n, int(key))
        settings = self._settings(one)
        _walk_all(tree, self._knowledge(one, distinct), settings, deals, np.uint64(fork(key, 1)), points)
        for card in legal_list(one):
            points[:, card] = points[:, _highest_alike(one, card)]
        return points

    def _deals(self, one: Observations, n: int, key: int) -> Ints:
        drawn = sample_deals(one, n, key)
        if not self.trust or int(one.count[0]) == 0:
            return drawn
        logs = self.trust * log_likelihoods(one, drawn)
        passed = np.exp(logs - logs.max()).cumsum()
        # One even comb over the weights, shuffled: what walks see first must not hang on the order of the deals.
        comb = (np.random.default_rng(key).permutation(n) + uniform(np.uint64(fork(np.uint64(key), 1)))) / n
        return np.asarray(drawn[np.minimum(np.searchsorted(passed, comb * passed[-1]), n - 1)])

    def explain(self, observation: Observations) -> Explanation:
        """What each card came to in the same new deals, played on as the tree found it best."""
        choice, tree = self._choose(observation)
        chances = self._worths(observation)[1]
        unit = "points" if chances is None else "% of the match"
        if tree is None:
            reason = "the only legal card" if len(legal_list(observation)) == 1 else "its legal cards are all alike"
            same = [Option(card_text(card)) for card in legal_list(observation)]
            return Explanation(card_text(choice), reason, same, unit=unit)
        outcomes = self._outcomes(observation, tree)
        nodes = {int(tree.action[child]): child for child in _children(tree)}
        legal = legal_list(observation)
        visits = {card: {"walks": float(tree.visits[nodes[_highest_alike(observation, card)]])} for card in legal}
        options = paired_options(outcomes, choice, legal, points_lead(_loses(observation)), chances, visits)
        walks = int(sum(tree.visits[child] for child in nodes.values()))
        facts: dict[str, int | str] = {
            "walks": walks,
            "deals compared": len(outcomes),
            "deals possible": int(count_deals(observation)[0]),
        }
        if chances is not None:
            facts |= {"unit": "chance of winning the match, %"}
        return Explanation(card_text(choice), paired_reason(options, unit), options, facts, unit=unit)


def _loses(one: Observations) -> bool:
    """Whether it is a perdere."""
    return bool(one.match[0, 3] & A_PERDERE)


def _children(tree: SearchTree) -> list[int]:
    found, child = [], int(tree.first[0])
    while child:
        found.append(child)
        child = int(tree.sibling[child])
    return found


def _compared(tree: SearchTree) -> int:
    """In how many deals cards are compared: more after a longer search."""
    return min(max(sum(int(tree.visits[child]) for child in _children(tree)) // 2, 400), 10_000)


def _highest_alike(one: Observations, card: int) -> int:
    """Of the legal cards that do the same as this one, the highest: the tree has only that one."""
    distinct = distinct_cards(one)
    while not distinct >> card & 1:
        card += 1
    return card


def _lowest_alike(one: Observations, card: int) -> int:
    """Of the legal cards that do the same as this one, which is the highest of them, the lowest."""
    legal, same = int(one.legal[0]), card
    while same % 10 and legal >> (same - 1) & 1 and not int(distinct_cards(one)) >> (same - 1) & 1:
        same -= 1
    return same


@kernel
def _walk_all(
    tree: SearchTree, known: _Knowledge, settings: _Settings, deals: Ints, key: np.uint64, points: Floats
) -> None:
    """Walks that grow the tree; with room for `points`, walks from each first card in a tree that stays."""
    path, sides = np.empty(41, np.int64), np.empty(41, np.bool_)
    for i in range(len(deals)):
        if len(points) == 0:
            _walk(tree, known, settings, deals[i], fork(key, i), np.int64(-1), path, sides)
            continue
        cards = known.legal
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            points[i, card] = _walk(tree, known, settings, deals[i], fork(key, i), card, path, sides)


@tight_helper
def _walk(
    tree: SearchTree,
    known: _Knowledge,
    settings: _Settings,
    deal: Ints,
    key: np.uint64,
    forced: Int,
    path: Ints,
    sides: Any,
) -> Int:
    """From the root to a new node, on by the policy, and what it came to back up the tree: our side's points.

    With a first card `forced` nothing is learned: below it everybody plays what was tried most.
    """
    led, best, owner, on_table = trick_stands(known.played, known.count)
    p = Position(deal[0], deal[1], deal[2], deal[3], known.count & 3, led, best, owner, on_table)
    gone, mine, rest, ours = known.gone, True, to_be_had(p), np.int64(0)
    node, depth, growing, nth = np.int64(0), 0, True, 0
    while p.a != 0:
        if p.place == 0 and size(p.a) <= settings.full and depth > 0 and not growing:
            have = known.taken + ours if mine else TOTAL_THIRDS - known.taken - ours - rest
            found = settle(p, np.int64(EVERY), have, np.int64(3), rest // 2, known.memory, known.tables)
            ours += found if mine else rest - found
            break
        legal = known.legal
        if depth > 0:
            present = p.a | p.b | p.c | p.d
            legal = legal_cards(p.a, p.led if p.place > 0 else np.int64(-1))
            legal &= ~alike(p.a, present | (np.int64(1) << p.best) if p.place > 0 else present)
        card = np.int64(-1)
        if growing and forced >= 0:
            legal = np.int64(1) << forced if depth == 0 else legal
            node = most_visited(tree, node, legal)
            card = tree.action[node]
            depth += 1
            if node == 0:
                growing = False
                card = _drawn(p, gone, legal, known.weights, fork(key, nth))
        elif growing:
            child, untried = pick(tree, node, legal, settings.explore)
            if untried != 0:
                card = _drawn(p, gone, untried, known.weights, fork(key, nth))
                child = grow(tree, node, card)
                growing = False
            else:
                card = tree.action[child]
            if child != 0:
                path[depth], sides[depth] = child, mine
                depth += 1
                node = child
        else:
            card = _drawn(p, gone, legal, known.weights, fork(key, nth))
        nth += 1
        gone |= np.int64(1) << card
        p, own, rest_now, turned = step(p, card, rest)
        ours += own if mine else rest - rest_now - own
        rest = rest_now
        mine = mine != turned
    points = (known.taken + ours) // 3
    if forced < 0:
        worth = known.worths[points]
        for k in range(depth):
            record(tree, path[k], worth if sides[k] else 1.0 - worth)
    return points


@tight_helper
def _drawn(p: Position, gone: Int, cards: Int, weights: Floats, key: np.uint64) -> Int:
    """One of some legal cards, by the fitted policy."""
    if cards & (cards - 1) == 0:
        return lowest(cards)
    scene = Scene(p.a, gone, p.place, p.led, p.best, p.best_at == 2, p.on_table)
    together, left = 0.0, cards
    while left:
        together += readiness(lowest(left), scene, weights)
        left &= left - 1
    threshold = uniform(key) * together
    card = lowest(cards)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        threshold -= readiness(card, scene, weights)
        if threshold < 0.0:
            return card
    return card
