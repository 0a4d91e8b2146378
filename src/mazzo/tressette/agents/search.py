"""`search`: a tree over what can be seen to happen; each walk is in a deal that could be, played on by `policy`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Floats, Ints
from mazzo.bits import lowest, size
from mazzo.errors import UnreadableError
from mazzo.jit import kernel, tight_helper
from mazzo.mcts.tree import SearchTree, grow, pick, record
from mazzo.rng import fork, uniform
from mazzo.tressette.choosing import card_text, cheapest, legal_list
from mazzo.tressette.deals.sample import count_deals, sample_deals
from mazzo.tressette.evaluation import distinct_cards
from mazzo.tressette.kernels import TOTAL_POINTS, TOTAL_THIRDS, Int, legal_cards, trick_stands
from mazzo.tressette.observation import Observations
from mazzo.tressette.players import Scene, log_likelihoods, readiness, weights_of_players
from mazzo.tressette.solver.search import EVERY, Position, alike, memory_for, settle, step, tables, to_be_had

__all__ = ["TreeSearch"]

_CHUNK = 64


class _Knowledge(NamedTuple):
    """What all walks of one decision share."""

    played: NDArray[np.int8]
    count: Int
    legal: Int
    gone: Int
    taken: Int
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
    """

    summary: ClassVar[str] = "tree search over sampled deals, played out by the fitted policy, solved at the end"
    safe: ClassVar[Safe | None] = {
        "walks": Between(1, 5000),
        "seconds": Between(0, 2),
        "explore": Between(0, 10),
        "full": Between(0, 5),
        "trust": Between(0, 5),
    }

    plays_at_once: ClassVar[int] = 32

    walks: int = 2000
    seconds: float = 0.0
    explore: float = 0.5
    full: int = 3
    trust: float = 0.5

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

    def _grown(self, one: Observations, distinct: int) -> SearchTree:
        """The tree after all walks."""
        key, end = np.uint64(one.rng_key[0]), time.perf_counter() + self.seconds
        tree = SearchTree.of(self.walks if not self.seconds else 1 << 18)
        knowledge = _Knowledge(
            one.played[0],
            one.count[0],
            np.int64(distinct),
            np.bitwise_or.reduce(one.shown[0]),
            np.int64(one.thirds[0, 0]),
            weights_of_players(),
            memory_for(max(self.full, 1)),
            tables(),
        )
        settings, size = _Settings(self.explore, np.int64(self.full)), self.walks if not self.seconds else _CHUNK
        while True:
            _walk_all(tree, knowledge, settings, self._deals(one, size, int(key)), np.uint64(fork(key, 1)))
            key = np.uint64(fork(key, 0))
            if time.perf_counter() >= end:
                return tree

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
        """Walks, mean points and their standard error by card."""
        choice, tree = self._choose(observation)
        if tree is None:
            reason = "the only legal card" if len(legal_list(observation)) == 1 else "its legal cards are all alike"
            return Explanation(card_text(choice), reason, [Option(card_text(card)) for card in legal_list(observation)])
        nodes = {int(tree.action[child]): child for child in _children(tree)}
        options = [_option(tree, nodes[_highest_alike(observation, card)], card) for card in legal_list(observation)]
        options.sort(key=lambda option: -option.terms["walks"])
        walks = int(sum(tree.visits[child] for child in nodes.values()))
        best = next(option for option in options if option.action == card_text(choice))
        reason = f"{best.value:+.2f} points on average; tried in {int(best.terms['walks'])} of {walks} walks"
        facts = {"walks": walks, "deals possible": int(count_deals(observation)[0])}
        return Explanation(card_text(choice), reason, options, facts, unit="points")


def _children(tree: SearchTree) -> list[int]:
    found, child = [], int(tree.first[0])
    while child:
        found.append(child)
        child = int(tree.sibling[child])
    return found


def _option(tree: SearchTree, node: int, card: int) -> Option:
    mean = float(TOTAL_POINTS * (2 * tree.worth[node] / tree.visits[node] - 1))
    return Option(card_text(card), mean, None, {"walks": float(tree.visits[node])})


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
def _walk_all(tree: SearchTree, known: _Knowledge, settings: _Settings, deals: Ints, key: np.uint64) -> None:
    path, sides = np.empty(41, np.int64), np.empty(41, np.bool_)
    for i in range(len(deals)):
        _walk(tree, known, settings, deals[i], fork(key, i), path, sides)


@tight_helper
def _walk(
    tree: SearchTree, known: _Knowledge, settings: _Settings, deal: Ints, key: np.uint64, path: Ints, sides: Any
) -> None:
    """From the root to a new node, on by the policy, and what it came to back up the tree."""
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
        if growing:
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
    worth = ((known.taken + ours) // 3) / TOTAL_POINTS
    for k in range(depth):
        record(tree, path[k], worth if sides[k] else 1.0 - worth)


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
