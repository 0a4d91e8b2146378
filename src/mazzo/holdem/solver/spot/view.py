"""What is known of one node of a solved spot: reach, mix, EV and equity, by hand, by class and in all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from mazzo.arrays import Flags, Floats, Ints
from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.holdem import showdown
from mazzo.holdem.odds.ranges import ink
from mazzo.holdem.solver.spot.engine import Plan
from mazzo.holdem.solver.spot.path import Path
from mazzo.holdem.solver.spot.spot import PLAYERS

__all__ = ["NodeView", "class_names", "equities_between", "hand_name", "in_words"]

_RANKS = "AKQJT98765432"


def hand_name(cards: Any) -> str:
    """A holding as text, the higher card first."""
    low, high = sorted(int(card) for card in cards)
    return f"{FRENCH.cards([high])[0]}{FRENCH.cards([low])[0]}"


def class_names(cards: Ints) -> list[str]:
    """The class of starting hand of each holding: AKs, T9o, 77."""
    out = []
    for a, b in np.sort(cards, axis=1):
        low, high, suited = _RANKS[12 - (a >> 2)], _RANKS[12 - (b >> 2)], (a & 3) == (b & 3)
        out.append(high + low + ("" if low == high else "s" if suited else "o"))
    return out


def equities_between(cards: list[Ints], reach: list[Floats], board: tuple[int, ...]) -> list[Floats]:
    """By player the share of the pot each hand wins against the other's hands, all run-outs counted; NaN: none."""
    apart = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    free = [card for card in range(52) if card not in board]
    won, met = np.zeros(apart.shape), np.zeros(apart.shape)
    for more in combinations(free, 5 - len(board)):
        whole = np.array([*board, *more], np.int64)
        live = [np.asarray(~np.isin(c, whole).any(axis=1)) for c in cards]
        strength = []
        for c, here in zip(cards, live, strict=True):
            value = np.full(len(c), -1, np.int32)
            rows = np.concatenate([c[here], np.tile(whole, (int(here.sum()), 1))], axis=1).astype(np.uint8)
            value[here] = showdown.evaluate(rows) if here.any() else 0
            strength.append(value)
        both = live[0][:, None] & live[1][None, :]
        mine, theirs = strength[0][:, None], strength[1][None, :]
        won += both * ((mine > theirs) + 0.5 * (mine == theirs))
        met += both
    share = np.where(met > 0, won / np.where(met > 0, met, 1), 0) * apart
    met = (met > 0) * apart
    out = []
    with np.errstate(divide="ignore", invalid="ignore"):
        out.append((share @ reach[1]) / (met @ reach[1]))
        out.append(((met - share).T @ reach[0]) / (met.T @ reach[0]))
    return out


@dataclass(frozen=True)
class NodeView(Shown):
    """One node of a solved spot."""

    where: str
    plan: Plan
    path: Path
    reach: list[Floats]
    """By player the weight of each hand that gets here."""
    values: list[Floats]
    """By player what each hand wins from here, in chips against half the pot; NaN where it cannot be here."""
    equity: list[Floats]
    """By player the share of the pot each hand would win without more betting."""
    mix: Floats
    """[action, hand] of the player to act."""

    @property
    def actor(self) -> int | None:
        """Who decides: 0 out of position, 1 in position."""
        return self.path.actor

    @property
    def actions(self) -> tuple[str, ...]:
        """What may be done, as it is typed."""
        return self.path.actions

    @cached_property
    def words(self) -> list[str]:
        """The actions in words."""
        nodes = self.plan.betting.nodes
        return [nodes[k].words for k in nodes[self.path.node].children] if self.actor is not None else []

    @property
    def pot(self) -> int:
        """Chips in the pot at the node."""
        return int(self.plan.spot.pot + sum(self.plan.betting.nodes[self.path.node].put))

    def ev(self, player: int) -> Floats:
        """By hand what it wins of the pot from here on, in chips; a fold is worth 0."""
        put = self.plan.betting.nodes[self.path.node].put[player]
        return np.asarray(self.values[player] + self.plan.spot.pot / 2 + put)

    def weight(self, player: int) -> Floats:
        """By hand the weight of its being here together with a hand of the other."""
        mass = self.plan.hands.mass(1 - player, self.reach[1 - player])
        return np.asarray(self.reach[player] * np.maximum(mass, 0))

    def mean(self, player: int, numbers: Floats, chosen: Flags | None = None) -> float:
        """The mean of something over a player's hands, by their weight; NaN where he is never here."""
        weight = self.weight(player)
        weight = np.where(np.isnan(numbers) | (weight <= 0), 0, weight)
        if chosen is not None:
            weight = np.where(chosen, weight, 0)
        total = float(weight.sum())
        return float((weight * np.nan_to_num(numbers)).sum() / total) if total > 0 else float("nan")

    def ev_of(self, player: int) -> float:
        """What a player wins of the pot from here on, in all."""
        return self.mean(player, self.ev(player))

    def equity_of(self, player: int) -> float:
        """A player's equity here, in all."""
        return self.mean(player, self.equity[player])

    def realised(self, player: int) -> float:
        """Equity realised: EV over equity times pot."""
        return self.ev_of(player) / (self.equity_of(player) * self.pot)

    def totals(self, chosen: Flags | None = None) -> dict[str, float]:
        """How often each action is taken, in all."""
        if self.actor is None:
            return {}
        return {name: self.mean(self.actor, row, chosen) for name, row in zip(self.actions, self.mix, strict=True)}

    def mix_by_hand(self) -> dict[str, dict[str, float]]:
        """By hand how often each action is taken."""
        if self.actor is None:
            return {}
        cards = self.plan.hands.cards[self.actor]
        here = self.reach[self.actor] > 0
        return {
            hand_name(cards[k]): {name: float(self.mix[a, k]) for a, name in enumerate(self.actions)}
            for k in np.flatnonzero(here)
        }

    def by_hand(self, player: int) -> dict[str, dict[str, Any]]:
        """By hand its weight, equity and EV; None where it cannot be here."""
        ev, equity = self.ev(player), self.equity[player]
        mass, cards = self.plan.hands.mass(1 - player, self.reach[1 - player]), self.plan.hands.cards[player]
        return {
            hand_name(cards[k]): {
                "weight": float(self.reach[player][k]),
                "against": float(mass[k]),
                "equity": _number(equity[k]),
                "ev": _number(ev[k]),
            }
            for k in np.flatnonzero(self.reach[player] > 0)
        }

    def by_class(self, player: int) -> dict[str, dict[str, Any]]:
        """By class of starting hand: how much of it is here, its EV, equity, and mix if the player decides."""
        names, weight = class_names(self.plan.hands.cards[player]), self.reach[player]
        out: dict[str, dict[str, Any]] = {}
        for name in dict.fromkeys(n for n, w in zip(names, weight, strict=True) if w > 0):
            chosen = np.array([n == name for n in names])
            ev = self.mean(player, self.ev(player), chosen)
            row: dict[str, Any] = {"weight": float(weight[chosen].sum()), "ev": _number(ev)}
            row["equity"] = _number(self.mean(player, self.equity[player], chosen))
            if player == self.actor:
                row["mix"] = {k: _number(v) for k, v in self.totals(chosen).items()}
            out[name] = row
        return out

    def as_dict(self, hands: bool = True) -> dict[str, Any]:
        """All of it as plain data; None where something cannot be."""
        data: dict[str, Any] = {
            "at": self.where,
            "board": "".join(map(str, FRENCH.cards(self.path.cards))),
            "pot": self.pot,
            "actor": None if self.actor is None else PLAYERS[self.actor],
            "actions": list(self.actions),
            "totals": {name: _number(share) for name, share in self.totals().items()},
        }
        for p, name in enumerate(PLAYERS):
            data[name] = {
                "ev": _number(self.ev_of(p)),
                "equity": _number(self.equity_of(p)),
                "realised": _number(self.realised(p)),
                "classes": self.by_class(p),
                **({"hands": self.by_hand(p)} if hands else {}),
            }
        return {**data, "mix": self.mix_by_hand()} if hands else data

    def section(self) -> Section:
        """The 13 x 13 grid of what the player to act does, and totals."""
        player = 0 if self.actor is None else self.actor
        rows = [
            (
                name,
                in_words(self.ev_of(p), "{:.3f}"),
                in_words(100 * self.equity_of(p), "{:.2f} %"),
                in_words(100 * self.realised(p), "{:.1f} %"),
            )
            for p, name in enumerate(PLAYERS)
        ]
        tables = [Grid(("player", "EV, chips", "equity", "equity realised"), rows, caption=f"pot {self.pot}")]
        if self.actor is not None:
            totals = self.totals()
            mixed = [
                (word, in_words(100 * totals[name], "{:.2f} %"))
                for word, name in zip(self.words, self.actions, strict=True)
            ]
            tables += [Grid((PLAYERS[self.actor], "share"), mixed), self._grid(player)]
        board = " ".join(map(str, FRENCH.cards(self.path.cards)))
        never = not any((self.weight(p) > 0).any() for p in range(2))
        words = ["no hands of both players get here: what stands below is never played"] if never else []
        return Section(f"{board}, {self.where or 'start'}", words, tables=tables)

    def _grid(self, player: int) -> Grid:
        """By class: how often the first action (check or fold) is not taken, in per cent."""
        classes = self.by_class(player)
        first = self.actions[0]
        cells, inks = [], []
        for r in range(13):
            row, colours = [_RANKS[r]], [""]
            for k in range(13):
                high, low = _RANKS[min(r, k)], _RANKS[max(r, k)]
                found = classes.get(high + low + ("" if r == k else "s" if r < k else "o"))
                share = None if found is None or found["mix"][first] is None else 1 - found["mix"][first]
                row.append("" if share is None else f"{100 * share:.0f}")
                colours.append("" if share is None else ink(max(share, 0.02)))
            cells.append(tuple(row))
            inks.append(colours)
        caption = f"not {self.words[0]}, in %; suited above the diagonal"
        return Grid(("", *_RANKS), cells, caption=caption, inks=inks)


def in_words(value: float, form: str) -> str:
    """A number in a form; a dash where there is none."""
    return "-" if np.isnan(value) else form.format(value)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
