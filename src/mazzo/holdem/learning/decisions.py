"""From hands to transitions: one row for every decision, with what it cost, what it brought, and the decision after."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import REGISTRY, Situations
from mazzo.holdem.attributes.elementary import BIG_BLIND, LEARNING, matrix, refuse_other_than_heads_up_limit
from mazzo.holdem.attributes.replay import ReplayedDecisions, replay
from mazzo.holdem.attributes.situations import situations_replayed
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.learning.rewards import REWARDS, Outcomes, Reward
from mazzo.holdem.learning.showdowns import Showdowns, showdowns_of
from mazzo.holdem.logs.hands import Hands
from mazzo.learn.transitions import Transitions
from mazzo.rng import stream

__all__ = ["Decisions", "decisions_of", "joined"]

_NOBODY = np.zeros(0, np.int64)
_AT_ONCE = 4096
"""Hands that are replayed at a time: what is known of a decision takes forty times the room of what is kept."""


@dataclass(frozen=True)
class Decisions:
    """Decisions of players whose cards are known, in the order they were taken, hand by hand."""

    attributes: tuple[str, ...]
    """What is kept of each decision."""
    states: NDArray[np.float32]
    """These attributes, a column each."""
    legal: NDArray[np.bool_]
    """Which of fold, call and raise might be chosen."""
    action: Ints
    """0 fold, 1 call or check, 2 bet or raise."""
    reward: Floats
    next: Ints
    """The row of the same player's next decision in the hand, or -1 after the last."""
    hand: Ints
    """Which hand it was, counted from 0 over all hands read."""
    position: Ints
    blind: Floats
    """What the player had posted before the first decision."""
    idle: Floats
    """Results of wanted players who had no decision in a hand: they give no row, but belong to the average."""
    fingerprint: str = ""
    """A digest of the hands these decisions are from."""
    rewarded: str = "chips"
    """Which of `REWARDS` the rewards are; never auto."""
    p_value: float | None = None
    """Where that was chosen from the results: their probability if the others ignored their cards."""
    player: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Who decided, as a number; empty where that is not known."""

    def __len__(self) -> int:
        return len(self.action)

    def rows(self, chosen: NDArray[np.bool_]) -> Decisions:
        """The decisions of some hands, each with all of its decisions; `idle` stays with the whole."""
        at = np.cumsum(chosen) - 1
        after = self.next[chosen]
        each = {
            name: getattr(self, name)[chosen]
            for name in ("states", "legal", "action", "reward", "hand", "position", "blind")
        }
        player = self.player[chosen] if len(self.player) else self.player
        return replace(self, **each, player=player, next=np.where(after < 0, -1, at[after]), idle=self.idle[:0])

    @property
    def first(self) -> NDArray[np.bool_]:
        """Where a decision is the player's first of the hand."""
        first = np.ones(len(self), np.bool_)
        first[self.next[self.next >= 0]] = False
        return first

    def matrix(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Some of the attributes that were kept, one row a decision."""
        if tuple(names) == self.attributes:
            return self.states
        missing = [name for name in names if name not in self.attributes]
        if missing:
            raise UnreadableError(f"these decisions were kept without {', '.join(missing)}: name it to decisions_of")
        return self.states[:, [self.attributes.index(name) for name in names]]

    def transitions(self, names: Iterable[str]) -> Transitions:
        """What a learner takes: states of these attributes, actions, rewards and next states."""
        states = self.matrix(tuple(names))
        after = np.maximum(self.next, 0)
        return Transitions(
            states,
            self.action,
            self.reward,
            states[after],
            self.next < 0,
            self.legal[after],
            self.hand * 2 + self.position,
            self.first,
        )


def decisions_of(
    batches: Hands | Iterable[Hands],
    *,
    player: str | None = None,
    against: str | None = None,
    attributes: Sequence[str] = LEARNING,
    reward: str = "chips",
    pv_samples: int = 0,
    seed: int = 0,
) -> Decisions:
    """The decisions in hands of heads-up limit Hold'em.

    Args:
        batches: the hands.
        player: only decisions of this player.
        against: only decisions of those who faced this player.
        attributes: what to keep of each decision.
        reward: one of `REWARDS`.
        pv_samples: estimate PV from so many sampled deals; 0 counts it exactly.
        seed: for the sampling.
    """
    kind = REWARDS[reward]
    wish = _Wish(tuple(attributes), kind, pv_samples, seed)
    parts: list[_Part] = []
    hands_before, digest = 0, hashlib.blake2b(digest_size=16)
    names: set[str] = set()
    for hands in [batches] if isinstance(batches, Hands) else batches:
        _check_games(hands)
        names |= {hands.names[k] for k in np.unique(hands.seating[hands.seating >= 0])}
        wanted = _wanted(hands, player, against)
        parts += _parts(hands, wanted, wish, hands_before)
        used = wanted.any(axis=1)
        for array in (_as_digested(hands.history[used]), hands.cards[used], hands.net[used, :2]):
            digest.update(np.ascontiguousarray(array).tobytes())
        hands_before += len(hands)
    for name in filter(None, (player, against)):
        if name not in names:
            raise UnreadableError(f"no player {name!r} is in these hands; {did_you_mean(name, names)}")
    if not parts:
        raise UnreadableError("there are no hands to learn from")
    return _rewarded(replace(joined([part.made for part in parts]), fingerprint=digest.hexdigest()), kind, parts)


def _as_digested(history: Ints) -> Ints:
    """The record in the codes of the first version (0 fold, 1 call, -1 nothing): checkpoints of old stay valid."""
    actions = history >> c.ACTOR_BITS
    codes = np.where(actions < c.NO_ACTION, c.kinds(actions), actions)
    return np.where(history == c.NO_ACTION, -1, codes << c.ACTOR_BITS | history & c.ACTOR_MASK)


class _Wish(NamedTuple):
    """What is asked for of every decision."""

    attributes: tuple[str, ...]
    reward: Reward
    pv_samples: int
    seed: int


class _Part(NamedTuple):
    """Decisions of some hands with chips as rewards, and what the wished kind of reward looks at besides."""

    made: Decisions
    big_blind_net: Floats
    facts: dict[str, NDArray[np.float64]]
    showdowns: Showdowns


def _rewarded(made: Decisions, kind: Reward, parts: list[_Part]) -> Decisions:
    """The same decisions with rewards of a kind."""
    starts = np.cumsum([0, *(len(part.made) for part in parts)])
    moved = [replace(p.showdowns, row=p.showdowns.row + at) for p, at in zip(parts, starts, strict=False)]
    shown = Showdowns(*(np.concatenate([getattr(part, f.name) for part in moved]) for f in fields(Showdowns)))
    facts = {name: np.concatenate([part.facts[name] for part in parts]) for name in kind.attributes}
    net = np.concatenate([part.big_blind_net for part in parts])
    found = kind.work(Outcomes(made.action, made.next, made.hand, made.position, made.reward, net, facts, shown))
    return replace(made, reward=found.reward, rewarded=found.kind, p_value=found.p_value)


def _check_games(hands: Hands) -> None:
    for number in np.unique(hands.state[:, c.GAME]):
        game = hands.games[number]
        reason = refuse_other_than_heads_up_limit(game)
        if reason:
            raise UnreadableError(f"{hands.source} has hands of {game.name}, which cannot be learned from: {reason}")


def _wanted(hands: Hands, player: str | None, against: str | None) -> NDArray[np.bool_]:
    """Whose decisions are asked for and can be described: own cards and the result are known."""
    wanted = np.isfinite(hands.net[:, :2])
    for position in range(2):
        wanted[:, position] &= (hands.cards[:, 2 * position : 2 * position + 2] != UNKNOWN).all(axis=1)
    for name, other in ((player, False), (against, True)):
        if name is not None:
            numbers = [k for k, known in enumerate(hands.names) if known == name]
            sits = np.isin(hands.seating[:, :2], numbers)
            wanted &= sits[:, ::-1] if other else sits
    return wanted


def _parts(hands: Hands, wanted: NDArray[np.bool_], wish: _Wish, hands_before: int) -> Iterator[_Part]:
    """The decisions of a batch, some hands at a time."""
    rows_before = 0
    for first in range(0, max(1, len(hands)), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        part = _part(hands[some], wanted[some], wish, hands_before + first, rows_before)
        rows_before += len(part.made)
        yield part


def _part(hands: Hands, wanted: NDArray[np.bool_], wish: _Wish, hands_before: int, rows_before: int) -> _Part:
    rows = replay(hands, wanted)
    seen = situations_replayed(hands, rows, big_blind=BIG_BLIND)
    rng_key = np.arange(rows_before, rows_before + len(seen), dtype=np.uint64) + stream(wish.seed, "pv")
    seen = replace(seen, pv_samples=wish.pv_samples, rng_key=rng_key)
    scale = BIG_BLIND / np.array([game.big_blind for game in hands.games])[hands.state[:, c.GAME]]
    blinds = np.array([game.blinds for game in hands.games])[hands.state[:, c.GAME]] * scale[:, None]
    net, spent = hands.net[:, :2], hands.state[:, c.SPENT : c.SPENT + 2]
    # Right only in rows that are a player's last: what the player got back at the end of the hand.
    collected = (net + spent)[rows.hand, rows.position] * seen.scale
    quiet = wanted.copy()
    quiet[rows.hand, rows.position] = False
    # Copies where a column of a larger array is kept: it would keep all of that, ten times as much, until the end.
    made = Decisions(
        wish.attributes,
        matrix(seen, wish.attributes),
        seen.legal,
        rows.action.copy(),
        np.where(rows.next < 0, collected, 0.0) - rows.paid * seen.scale,
        rows.next.copy(),
        rows.hand + hands_before,
        rows.position.copy(),
        blinds[rows.hand, rows.position],
        (net * scale[:, None])[quiet],
        player=_numbers(hands.names)[hands.seating[rows.hand, rows.position]],
    )
    facts = {name: REGISTRY[name].work(seen).copy() for name in wish.reward.attributes}
    shown = _showdowns(hands, rows, seen, collected) if wish.reward.showdowns else Showdowns.none()
    return _Part(made, net[rows.hand, 0] * seen.scale, facts, shown)


def _numbers(names: Sequence[str]) -> Ints:
    """Players as numbers that are the same in every read: most names share no number, and none has two."""
    return np.array([int.from_bytes(hashlib.blake2b(n.encode(), digest_size=2).digest()) for n in names], np.int64)


def _showdowns(hands: Hands, rows: ReplayedDecisions, seen: Situations, collected: Floats) -> Showdowns:
    board = hands.cards[:, 4:9]
    shown = (np.bitwise_count(hands.state[:, c.LIVE]) > 1) & (board != UNKNOWN).all(axis=1)
    at = np.flatnonzero((rows.next < 0) & shown[rows.hand])
    hand = rows.hand[at]
    pot = hands.state[hand, c.POT] * seen.scale[at]
    return showdowns_of(at, pot, collected[at], seen.hole[at], board[hand].astype(np.int8))


def joined(parts: list[Decisions]) -> Decisions:
    """Decisions of several reads as one; hands keep the numbers they have, so those of different reads must differ."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(len(part) for part in parts)])
    if len({part.attributes for part in parts}) > 1:
        raise ValueError("decisions of which different attributes were kept cannot be joined")
    after = [np.where(p.next < 0, -1, p.next + start) for p, start in zip(parts, offsets, strict=False)]
    return Decisions(
        parts[0].attributes,
        np.concatenate([p.states for p in parts]),
        np.concatenate([p.legal for p in parts]),
        np.concatenate([p.action for p in parts]),
        np.concatenate([p.reward for p in parts]),
        np.concatenate(after),
        np.concatenate([p.hand for p in parts]),
        np.concatenate([p.position for p in parts]),
        np.concatenate([p.blind for p in parts]),
        np.concatenate([p.idle for p in parts]),
        player=np.concatenate([p.player for p in parts]) if all(len(p.player) == len(p) for p in parts) else _NOBODY,
    )
