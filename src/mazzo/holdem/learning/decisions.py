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
from mazzo.holdem.attributes.any_table import DEEPEST, TABLE
from mazzo.holdem.attributes.elementary import BIG_BLIND, LEARNING, matrix
from mazzo.holdem.attributes.replay import ReplayedDecisions, replay
from mazzo.holdem.attributes.situations import situations_replayed
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.learning.choices import HEADS_UP_LIMIT, SIZES, HeroChoices, TableKind, kind_of_games
from mazzo.holdem.learning.rewards import REWARDS, Outcomes, Reward
from mazzo.holdem.learning.seats import Seats, fits, known_cards, player_numbers
from mazzo.holdem.learning.showdowns import Showdowns, showdowns_of
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.rules import Rules
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
    """0 fold, 1 call or check, 2 bet or raise; in no-limit from 2 on the classes of raises of `choices`."""
    reward: Floats
    next: Ints
    """The row of the same player's next decision in the hand, or -1 after the last."""
    hand: Ints
    """Which hand it was, counted from 0 over all hands read."""
    position: Ints
    blind: Floats
    """What the player had posted before the first decision, ante included."""
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
    kind: TableKind = HEADS_UP_LIMIT
    choices: HeroChoices = field(default_factory=HeroChoices)
    """What was chosen from."""
    shown: float = 1.0
    """Of the hands of those who decided, the part in which their cards are known: below 1 mostly those shown down."""
    deepest: float = 0.0
    """The most chips that one of them could put in; 0 in heads-up limit, where the rules say it."""
    left_out: int = 0
    """Hands of other games than this kind."""

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
            self.hand * c.MAX_PLAYERS + self.position,
            self.first,
        )


def decisions_of(
    batches: Hands | Iterable[Hands],
    *,
    player: str | None = None,
    against: str | None = None,
    attributes: Sequence[str] | None = None,
    reward: str = "chips",
    pv_samples: int = 0,
    seed: int = 0,
    sizes: tuple[float, ...] = SIZES,
) -> Decisions:
    """The decisions in hands of Hold'em, of one kind: heads-up limit, limit, or no-limit; the first hands say which.

    Beyond heads-up limit, players whose cards are mostly hidden are left out where others' are known: of theirs only
    the hands that were shown down could be learned from, which are not like the others.

    Args:
        batches: the hands.
        player: only decisions of this player.
        against: only decisions of those who faced this player.
        attributes: what to keep of each decision; by default what a hero looks at by default.
        reward: one of `REWARDS`.
        pv_samples: estimate PV from so many sampled deals; 0 counts it exactly.
        seed: for the sampling.
        sizes: classes of raises in no-limit, as fractions of the pot after the call.
    """
    wish: _Wish | None = None
    parts: list[_Part] = []
    hands_before, digest = 0, hashlib.blake2b(digest_size=16)
    names: set[str] = set()
    seats = Seats()
    for hands in [batches] if isinstance(batches, Hands) else batches:
        wish = wish or _wish(hands, attributes, reward, pv_samples, seed, sizes)
        fitting = fits(hands, wish.kind)
        names |= {hands.names[k] for k in np.unique(hands.seating[hands.seating >= 0])}
        wanted = _wanted(hands, fitting, player, against)
        seats.count(hands, wanted, fitting)
        wanted &= known_cards(hands)
        parts += _parts(hands, wanted, wish, hands_before)
        used = wanted.any(axis=1)
        net = hands.net[used, :2] if wish.kind.heads_up_limit else hands.net[used]
        for array in (_as_digested(hands.history[used]), hands.cards[used], net):
            digest.update(np.ascontiguousarray(array).tobytes())
        hands_before += len(hands)
    for name in filter(None, (player, against)):
        if name not in names:
            raise UnreadableError(f"no player {name!r} is in these hands; {did_you_mean(name, names)}")
    if not parts or wish is None:
        raise UnreadableError("there are no hands to learn from")
    made = replace(joined([part.made for part in parts]), fingerprint=digest.hexdigest(), left_out=seats.left_out)
    made = _rewarded(made, wish.reward, parts)
    return made if wish.kind.heads_up_limit else seats.open_ones(made, np.concatenate([p.idle_player for p in parts]))


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
    kind: TableKind
    choices: HeroChoices


def _wish(
    hands: Hands,
    attributes: Sequence[str] | None,
    reward: str,
    pv_samples: int,
    seed: int,
    sizes: tuple[float, ...],
) -> _Wish:
    """What is asked for, as the first hands allow."""
    kind = kind_of_games(hands.games)
    if kind is None:
        raise UnreadableError(
            f"{hands.source} has hands of {hands.games[0].name}, which cannot be learned from: heroes play Hold'em"
        )
    looks = tuple(attributes) if attributes is not None else LEARNING if kind.heads_up_limit else TABLE
    refuse_heads_up(kind, looks, reward)
    return _Wish(looks, REWARDS[reward], pv_samples, seed, kind, HeroChoices(() if kind.limit else sizes))


def refuse_heads_up(kind: TableKind, attributes: Sequence[str], reward: str) -> None:
    """Refuse attributes and rewards of heads-up limit Hold'em for other games."""
    if kind.heads_up_limit:
        return
    wrong = next((name for name in attributes if REGISTRY[name].heads_up), None)
    if wrong:
        raise UnreadableError(f"the attribute {wrong!r} is of heads-up limit Hold'em, this is {kind.name}: try table")
    if REWARDS[reward].heads_up:
        raise UnreadableError(f"rewards of kind {reward!r} are right in heads-up limit Hold'em only: use auto or chips")


class _Part(NamedTuple):
    """Decisions of some hands with chips as rewards, and what the wished kind of reward looks at besides."""

    made: Decisions
    big_blind_net: Floats
    facts: dict[str, NDArray[np.float64]]
    showdowns: Showdowns
    idle_player: Ints
    """Of each result in `idle`, whose it is."""


def _rewarded(made: Decisions, kind: Reward, parts: list[_Part]) -> Decisions:
    """The same decisions with rewards of a kind."""
    starts = np.cumsum([0, *(len(part.made) for part in parts)])
    moved = [replace(p.showdowns, row=p.showdowns.row + at) for p, at in zip(parts, starts, strict=False)]
    shown = Showdowns(*(np.concatenate([getattr(part, f.name) for part in moved]) for f in fields(Showdowns)))
    facts = {name: np.concatenate([part.facts[name] for part in parts]) for name in kind.attributes}
    net = np.concatenate([part.big_blind_net for part in parts])
    found = kind.work(Outcomes(made.action, made.next, made.hand, made.position, made.reward, net, facts, shown))
    return replace(made, reward=found.reward, rewarded=found.kind, p_value=found.p_value)


def _wanted(hands: Hands, fitting: NDArray[np.bool_], player: str | None, against: str | None) -> NDArray[np.bool_]:
    """Whose decisions are asked for, a column a position: those at the table in hands that fit, their result known."""
    positions = np.arange(hands.net.shape[1])
    wanted = np.isfinite(hands.net) & (positions < hands.players[:, None]) & fitting[:, None]
    for name, other in ((player, False), (against, True)):
        if name is not None:
            numbers = [k for k, known in enumerate(hands.names) if known == name]
            sits = np.isin(hands.seating[:, : len(positions)], numbers).reshape(wanted.shape)
            wanted &= (sits.any(axis=1, keepdims=True) & ~sits) if other else sits
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
    net = hands.net
    spent, room, ante = (hands.state[:, k : k + net.shape[1]] for k in (c.SPENT, c.ROOM, c.ANTE))
    blinds = np.array([game.row for game in hands.games])[hands.state[:, c.GAME], c.BLIND : c.BLIND + net.shape[1]]
    posted = (np.minimum(blinds, room) + ante) * scale[:, None]
    # Right only in rows that are a player's last: what the player got back at the end of the hand.
    collected = (net + spent + ante)[rows.hand, rows.position] * seen.scale
    quiet = wanted.copy()
    quiet[rows.hand, rows.position] = False
    player = player_numbers(hands.names)[np.maximum(hands.seating[:, : net.shape[1]], 0)]
    # Copies where a column of a larger array is kept: it would keep all of that, ten times as much, until the end.
    made = Decisions(
        wish.attributes,
        matrix(seen, wish.attributes),
        wish.choices.legal(seen),
        wish.choices.taken(seen, rows.action, rows.size).copy(),
        np.where(rows.next < 0, collected, 0.0) - rows.paid * seen.scale,
        rows.next.copy(),
        rows.hand + hands_before,
        rows.position.copy(),
        posted[rows.hand, rows.position],
        (net * scale[:, None])[quiet],
        player=player[rows.hand, rows.position],
        kind=wish.kind,
        choices=wish.choices,
        deepest=_deepest(hands, wanted, wish.kind),
    )
    facts = {name: REGISTRY[name].work(seen).copy() for name in wish.reward.attributes}
    needed = wish.reward.showdowns and wish.kind.heads_up_limit
    shown = _showdowns(hands, rows, seen, collected) if needed else Showdowns.none()
    return _Part(made, net[rows.hand, 0] * seen.scale, facts, shown, player[quiet])


def _deepest(hands: Hands, wanted: NDArray[np.bool_], kind: TableKind) -> float:
    if kind.heads_up_limit:
        return 0.0
    scale = np.array([BIG_BLIND / game.big_blind for game in hands.games])[hands.state[:, c.GAME]]
    room = hands.state[:, c.ROOM : c.ROOM + wanted.shape[1]] * scale[:, None]
    most = np.array([_most(game) for game in hands.games])[hands.state[:, c.GAME]] * scale
    return float(np.minimum(room, most[:, None])[wanted].max(initial=0.0))


def _most(game: Rules) -> float:
    """What limits allow a player to put in; in no-limit what stacks count as at most."""
    if not game.limit:
        return DEEPEST / BIG_BLIND * game.big_blind
    raised = sum(size * raises for size, raises in zip(game.raise_sizes, game.max_raises, strict=True))
    return float(game.big_blind + raised)


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
    if len({(part.attributes, part.kind, part.choices) for part in parts}) > 1:
        raise ValueError("decisions of which different attributes were kept, or of different games, cannot be joined")
    after = [np.where(p.next < 0, -1, p.next + start) for p, start in zip(parts, offsets, strict=False)]
    return replace(
        parts[0],
        deepest=max(p.deepest for p in parts),
        states=np.concatenate([p.states for p in parts]),
        legal=np.concatenate([p.legal for p in parts]),
        action=np.concatenate([p.action for p in parts]),
        reward=np.concatenate([p.reward for p in parts]),
        next=np.concatenate(after),
        hand=np.concatenate([p.hand for p in parts]),
        position=np.concatenate([p.position for p in parts]),
        blind=np.concatenate([p.blind for p in parts]),
        idle=np.concatenate([p.idle for p in parts]),
        player=np.concatenate([p.player for p in parts]) if all(len(p.player) == len(p) for p in parts) else _NOBODY,
    )
