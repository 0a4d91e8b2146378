"""A plain best response and plain values for small spots: every pair of hands, no sorting, no renaming of suits."""

from itertools import combinations

import numpy as np

from mazzo.arrays import Floats
from mazzo.holdem import showdown
from mazzo.holdem.solver.spot.betting import CHANCE, FOLDED, RUN_OUT, SHOWDOWN, Node
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.solution import SpotSolution


class Plain:
    """Values of a solution's strategies by walking every deal."""

    def __init__(self, solution: SpotSolution) -> None:
        self.s, self.betting = solution, solution.plan.betting
        self.cards = [[tuple(int(c) for c in hand) for hand in side] for side in solution.plan.hands.cards]
        self.weights = [
            list(map(float, w[:n])) for w, n in zip(solution.plan.hands.weights, solution.plan.hands.size, strict=True)
        ]
        self.board = tuple(int(c) for c in solution.spot.board)
        self.mixes: dict[tuple[str, ...], Floats] = {}

    def mix(self, names: tuple[str, ...], node: int, player: int) -> Floats:
        if names not in self.mixes:
            self.mixes[names] = self.s.mix_at(follow(self.s.plan, " ".join(names)), player)
        return np.asarray(self.mixes[names])

    def norm(self) -> float:
        pairs = (
            (i, j)
            for i in range(len(self.cards[0]))
            for j in range(len(self.cards[1]))
            if not set(self.cards[0][i]) & set(self.cards[1][j])
        )
        return sum(self.weights[0][i] * self.weights[1][j] for i, j in pairs)

    def worth(self, player: int, best: bool) -> float:
        """In chips against half the pot."""
        reach = np.array(self.weights[1 - player])
        values = self._walk(0, (), self.board, player, reach, best)
        return float(np.dot(values, self.weights[player])) / self.norm()

    def _walk(
        self, node: int, names: tuple[str, ...], board: tuple[int, ...], p: int, reach: Floats, best: bool
    ) -> Floats:
        n = self.betting.nodes[node]
        if n.kind in (FOLDED, SHOWDOWN):
            return self._end(n, board, p, reach)
        if n.kind == RUN_OUT:
            free = [c for c in range(52) if c not in board]
            runs = list(combinations(free, 5 - len(board)))
            ways = len(list(combinations(range(48 - len(board)), 5 - len(board))))
            return np.asarray(np.sum([self._end(n, (*board, *more), p, reach) for more in runs], axis=0) / ways)
        if n.kind == CHANCE:
            total = np.zeros(len(self.cards[p]))
            for card in range(52):
                if card in board:
                    continue
                left = np.array([0 if card in h else r for h, r in zip(self.cards[1 - p], reach, strict=True)])
                name = f"{'23456789TJQKA'[card >> 2]}{'cdhs'[card & 3]}"
                v = self._walk(n.children[0], (*names, name), (*board, card), p, left, best)
                total += np.where([card in h for h in self.cards[p]], 0, v)
            return total / (48 - len(board))
        mix = self.mix(names, node, n.kind)
        below = [(*names, self.betting.nodes[k].name) for k in n.children]
        if n.kind == p:
            values = [self._walk(k, way, board, p, reach, best) for k, way in zip(n.children, below, strict=True)]
            return np.asarray(np.max(values, axis=0) if best else np.sum(mix * np.array(values), axis=0))
        parts = [
            self._walk(k, way, board, p, reach * m, best) for k, way, m in zip(n.children, below, mix, strict=True)
        ]
        return np.asarray(np.sum(parts, axis=0))

    def _end(self, n: Node, board: tuple[int, ...], p: int, reach: Floats) -> Floats:
        spot, out = self.s.spot, []
        half = spot.pot / 2 + min(n.put)
        rake = min(spot.rake * 2 * half, spot.rake_cap)
        for mine in self.cards[p]:
            total = 0.0
            for theirs, weight in zip(self.cards[1 - p], reach, strict=True):
                if weight == 0 or set(mine) & set(theirs) or set(board) & (set(mine) | set(theirs)):
                    continue
                if n.kind == FOLDED:
                    folder = 0 if n.put[0] < n.put[1] else 1
                    total += weight * (-half if folder == p else half - rake)
                else:
                    a, b = (showdown.evaluate_one((*hand, *board)) for hand in (mine, theirs))
                    total += weight * (half - rake if a > b else -half if a < b else -rake / 2)
            out.append(total)
        return np.array(out)
