"""From hands to transitions: one row for every decision, with what it cost, what it brought, and the decision after."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.decisions.attributes import (
    BIG_BLIND,
    WIDTH,
    Seen,
    betting_row,
    refuse_other_than_heads_up_limit,
    sequence_numbers,
    win_probability,
)
from mazzo.holdem.decisions.showdowns import SURE, Showdowns, chance_of_luck, showdown_luck
from mazzo.holdem.hand import UNKNOWN
from mazzo.holdem.kernels import apply, begin
from mazzo.holdem.logs.hands import Hands
from mazzo.jit import tight
from mazzo.learn.transitions import Transitions
from mazzo.luck import stream

__all__ = ["REWARDS", "Decisions", "decisions_of", "joined"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

REWARDS = ("auto", "chips", "equity", "final", "document")
"""How a decision is rewarded.

auto: equity if nothing in the results says that the others' betting told of their cards (`showdowns`), else chips.
chips: minus what it puts in; the last one of a hand also gets all that is collected.
equity: the same, but at a showdown the pot times the equity against a random hand is collected, whatever the other
    held: less noise, and right against opponents who do not look at their cards.
final: nothing until the last decision, which gets the sum.
document: as the printed code of Vilella (2011) has it, mistakes included.
"""


@dataclass(frozen=True)
class Decisions:
    """Decisions of players whose cards are known, in the order they were taken, hand by hand."""

    seen: Seen
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
    blindness: float | None = None
    """Where that was chosen from the results: their probability if the others ignored their cards."""

    def __len__(self) -> int:
        return len(self.action)

    @property
    def first(self) -> NDArray[np.bool_]:
        """Where a decision is the player's first of the hand."""
        first = np.ones(len(self), np.bool_)
        first[self.next[self.next >= 0]] = False
        return first

    def transitions(self, names: Iterable[str]) -> Transitions:
        """What a learner takes: states of these attributes, actions, rewards and next states."""
        states = self.seen.matrix(tuple(names))
        after = np.maximum(self.next, 0)
        return Transitions(
            states, self.action, self.reward, states[after], self.next < 0, self.seen.legal[after],
            self.hand * 2 + self.position, self.first,
        )  # fmt: skip


@tight
def _replay(
    rules: Ints, state: Ints, history: Ints, record: Ints, counts: Ints, wanted: NDArray[np.bool_], numbers: Ints,
    previous: Ints, betting: Ints, hand: Ints, position: Ints, action: Ints, paid: Ints, after: Ints,
) -> int:  # fmt: skip
    """Play the recorded actions again and describe every wanted player's decisions; gives how many there are."""
    rows = 0
    for i in range(len(state)):
        begin(rules, state, i)
        previous[0] = previous[1] = -1
        for j in range(counts[i]):
            who = state[i, c.ACTOR] & 1
            before, taken = state[i, c.SPENT + who], record[i, j] >> c.ACTOR_BITS
            if wanted[i, who]:
                betting_row(rules, state, history, i, numbers, betting, rows)
            apply(rules, state, history, i, taken)
            if wanted[i, who]:
                hand[rows], position[rows], action[rows] = i, who, min(taken, c.RAISE)
                paid[rows], after[rows] = state[i, c.SPENT + who] - before, -1
                if previous[who] >= 0:
                    after[previous[who]] = rows
                previous[who] = rows
                rows += 1
    return rows


def decisions_of(
    batches: Hands | Iterable[Hands],
    *,
    player: str | None = None,
    against: str | None = None,
    reward: str = "chips",
    pv_samples: int = 0,
    seed: int = 0,
) -> Decisions:
    """The decisions in hands of heads-up limit Hold'em.

    Args:
        batches: the hands.
        player: only decisions of this player.
        against: only decisions of those who faced this player.
        reward: one of `REWARDS`.
        pv_samples: estimate PV from so many sampled deals; 0 counts it exactly.
        seed: for the sampling.
    """
    if reward not in REWARDS:
        raise UnreadableError(f"there is no reward {reward!r}; {did_you_mean(reward, REWARDS)}")
    parts: list[Decisions] = []
    showdowns: list[Showdowns] = []
    hands_before, digest = 0, hashlib.blake2b(digest_size=16)
    names: set[str] = set()
    for hands in [batches] if isinstance(batches, Hands) else batches:
        _check_games(hands)
        names |= {hands.names[k] for k in np.unique(hands.seating[hands.seating >= 0])}
        wanted = _wanted(hands, player, against)
        part, shown = _decisions(hands, wanted, reward, pv_samples, seed, hands_before)
        for array in (hands.history[wanted.any(1)], hands.cards[wanted.any(1)], hands.net[wanted.any(1), :2]):
            digest.update(np.ascontiguousarray(array).tobytes())
        hands_before += len(hands)
        if shown is not None:
            showdowns.append(replace(shown, row=shown.row + sum(len(earlier) for earlier in parts)))
        parts.append(part)
    for name in filter(None, (player, against)):
        if name not in names:
            raise UnreadableError(f"no player {name!r} is in these hands; {did_you_mean(name, names)}")
    if not parts:
        raise UnreadableError("there are no hands to learn from")
    made = replace(joined(parts), fingerprint=digest.hexdigest(), rewarded=reward)
    return _without_luck(made, showdowns, reward) if showdowns else made


def _without_luck(made: Decisions, parts: list[Showdowns], reward: str) -> Decisions:
    """The same decisions with showdowns at what they were worth; under auto, only if that is right."""
    shown = Showdowns(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Showdowns)))
    blindness = None
    if reward == "auto":
        blindness = chance_of_luck(shown, made.seen, made.hand)
        reward = "equity" if blindness is not None and blindness >= SURE else "chips"
    rewards = made.reward.copy()
    if reward == "equity":
        rewards[shown.row] -= shown.pot * shown.luck
    return replace(made, reward=rewards, rewarded=reward, blindness=blindness)


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


def _decisions(
    hands: Hands, wanted: NDArray[np.bool_], reward: str, pv_samples: int, seed: int, hands_before: int
) -> tuple[Decisions, Showdowns | None]:
    """Decisions with their rewards, and the showdowns where the rewards are still to be freed of their luck."""
    rules = np.array([game.row for game in hands.games])
    state, counts = hands.state.copy(), hands.state[:, c.COUNT].copy()
    most = int(counts.sum())
    betting = np.empty((most, WIDTH), np.int64)
    hand, position, action, paid, after = np.empty((5, most), np.int64)
    size = _replay(
        rules, state, np.empty_like(hands.history), hands.history, counts, wanted, sequence_numbers(),
        np.empty(2, np.int64), betting, hand, position, action, paid, after,
    )  # fmt: skip
    hand, position, action, paid, after = (array[:size] for array in (hand, position, action, paid, after))
    hole, board = _cards(hands, hand, position, betting[:size, 0])
    luck = np.arange(size, dtype=np.uint64)
    luck += stream(seed, "pv")
    scales = BIG_BLIND / np.array([game.big_blind for game in hands.games])
    if len(set(scales.tolist())) > 1:
        raise UnreadableError(f"{hands.source} has hands of different stakes: read them in the same chips (5, 10)")
    scale = float(scales[0])
    seen = Seen(hole, board, betting[:size], win_probability(hole, board, pv_samples, luck), scale)
    blinds = rules[state[:, c.GAME], c.BLIND : c.BLIND + 2] * scale
    # Right only in rows that are a player's last: what the player got back at the end of the hand.
    collected = (hands.net[hand, position] + state[hand, c.SPENT + position]) * scale
    rewards = np.where(after < 0, collected, 0.0) - paid * scale
    quiet = wanted.copy()
    quiet[hand, position] = False
    made = Decisions(
        seen, action, rewards, after, hand + hands_before, position, blinds[hand, position],
        hands.net[:, :2][quiet] * scale,
    )  # fmt: skip
    if reward == "final":
        made = replace(made, reward=_at_the_end(made))
    elif reward == "document":
        made = replace(made, reward=_as_printed(made, hands.net[hand, 0] * scale))
    elif reward in ("equity", "auto"):
        return made, _showdowns(hands, hand, state, made, collected)
    return made, None


def _cards(hands: Hands, hand: Ints, position: Ints, street: Ints) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    cards = hands.cards[hand]
    hole = np.take_along_axis(cards, 2 * position[:, None] + np.arange(2), 1)
    board = cards[:, 4:9].astype(np.int8)
    board[np.arange(5) >= np.array([0, 3, 4, 5])[street][:, None]] = -1
    return hole, board


def _showdowns(hands: Hands, hand: Ints, state: Ints, made: Decisions, collected: Floats) -> Showdowns:
    board_known = (hands.cards[hand, 4:9] != UNKNOWN).all(axis=1)
    rows = np.flatnonzero((made.next < 0) & (np.bitwise_count(state[hand, c.LIVE]) > 1) & board_known)
    hole, board = _cards(hands, hand[rows], made.position[rows], np.full(len(rows), 3))
    return showdown_luck(rows, state[hand[rows], c.POT] * made.seen.scale, collected[rows], hole, board)


def _at_the_end(made: Decisions) -> Floats:
    episode = made.hand * 2 + made.position
    total = np.bincount(episode, made.reward)
    return np.where(made.next < 0, total[episode], 0.0)


def _as_printed(made: Decisions, net_of_big_blind: Floats) -> Floats:
    """Rewards by the code in the appendix of Vilella (2011): stakes count twice, and a sign is wrong."""
    a = {name: made.seen.attribute(name) for name in ("stage", "raise_before", "bet_preflop", "turn")}
    before, raising = a["raise_before"], made.action == c.RAISE
    paid = BIG_BLIND * (before + raising) * np.where(a["stage"] > 1, 2, 1)
    opening = a["bet_preflop"] == 2
    paid = np.where(opening, np.where(raising, 1.5, 0.5) * BIG_BLIND, paid)
    last = 2 * net_of_big_blind - BIG_BLIND
    last = np.where(a["turn"] == 1, -last + 0.5 * BIG_BLIND, last)
    return np.where(made.action == c.FOLD, 0.0, np.where(made.next < 0, last, -paid))


def joined(parts: list[Decisions]) -> Decisions:
    """Decisions of several reads as one; hands keep the numbers they have, so those of different reads must differ."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(len(part) for part in parts)])
    if len({part.seen.scale for part in parts}) > 1:
        raise UnreadableError("the files have hands of different stakes: read them in the same chips (5, 10)")
    seen = Seen(
        np.concatenate([p.seen.hole for p in parts]),
        np.concatenate([p.seen.board for p in parts]),
        np.concatenate([p.seen.betting for p in parts]),
        np.concatenate([p.seen.pv for p in parts]),
        parts[0].seen.scale,
    )
    after = [np.where(p.next < 0, -1, p.next + start) for p, start in zip(parts, offsets, strict=False)]
    return Decisions(
        seen,
        np.concatenate([p.action for p in parts]),
        np.concatenate([p.reward for p in parts]),
        np.concatenate(after),
        np.concatenate([p.hand for p in parts]),
        np.concatenate([p.position for p in parts]),
        np.concatenate([p.blind for p in parts]),
        np.concatenate([p.idle for p in parts]),
    )
