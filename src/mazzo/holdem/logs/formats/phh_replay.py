"""Hands in pokerkit's notation replayed through the engine and verified, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.files import number_of
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import arrays_for, verify
from mazzo.holdem.logs.formats import Batch, UnusableHandError
from mazzo.holdem.logs.formats.phh_told import Told, hear, played, with_other_rules
from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.logs.streets import replay_streets
from mazzo.holdem.rules import UNLIMITED, Rules

__all__ = ["read_histories"]

_BATCH = 2048


def read_histories(pieces: Iterator[tuple[int, Callable[[], Any]]], source: str) -> Iterator[Batch]:
    """Hands in pokerkit's notation, replayed and verified batch by batch.

    Args:
        pieces: for each hand its line, and what loads it as a pokerkit `HandHistory` or raises `UnusableHandError`.
        source: how the file is called in hands and reports.
    """
    told: list[Told] = []
    skipped: list[Skipped] = []
    done = 0
    for line, load in pieces:
        try:
            told.append(hear(load(), line))
        except UnusableHandError as error:
            skipped.append(Skipped(source, line, *error.args))
        if len(told) + len(skipped) == _BATCH:
            yield _replay(told, source, skipped, done), skipped
            done += len(told)
            told, skipped = [], []
    if told or skipped:
        yield _replay(told, source, skipped, done), skipped


def _replay(told: list[Told], source: str, skipped: list[Skipped], done: int) -> Hands | None:
    """Replay hands through the engine and verify them; what is not in order is added to the skipped."""
    if not told:
        return None
    games, game_of = _games(told)
    a = arrays_for(games, game_of, _filled([t.stacks for t in told], c.MAX_PLAYERS, 0), max(len(t.who) for t in told))
    rules = np.array([game.row for game in games])
    names = _seat(told, a, done)
    stopped = _play(told, rules, a)
    nets = _stated_results(told, a)
    verify(rules, a)
    _state_raked_results(told, nets, a)
    bad = np.flatnonzero(a.status != k.IN_ORDER).tolist()
    others = {i: other for i in bad if (other := with_other_rules(told[i]))}
    if others:
        return _replay([others.get(i, t) for i, t in enumerate(told)], source, skipped, done)
    skipped += [Skipped(source, told[i].line, *_why_bad(told[i], int(a.status[i]), int(stopped[i]))) for i in bad]
    matches = {match: number for number, match in enumerate(dict.fromkeys(t.match or source for t in told))}
    card_sets = {match: number_of(f"{source}/{match}") for match in {t.match for t in told}}
    hands = Hands(
        tuple(games),
        a.state,
        a.history,
        a.cards,
        a.given,
        a.seating,
        names,
        a.number,
        np.array([t.line for t in told]),
        a.flags,
        np.array([t.unit for t in told]),
        np.array([card_sets[t.match] for t in told], np.uint64),
        np.array([matches[t.match or source] for t in told]),
        list(matches),
        source,
    )
    return hands if not bad else hands[np.flatnonzero(a.status == k.IN_ORDER)]


def _filled(rows: Sequence[Sequence[Any]], width: int, empty: Any) -> NDArray[Any]:
    """Rows of different lengths as one array."""
    lengths = {len(row) for row in rows}
    if len(lengths) == 1:
        given = np.array(rows)
        return np.concatenate([given, np.full((len(rows), width - lengths.pop()), empty, given.dtype)], axis=1)
    blank = [empty] * width
    return np.array([[*row, *blank[len(row) :]] for row in rows])


def _games(told: Sequence[Told]) -> tuple[list[Rules], Ints]:
    """The games that were played, and which of them each hand is of; most hands share one object."""
    games: dict[Rules, int] = {}
    seen = {id(t.game): t.game for t in told}
    numbers = {key: games.setdefault(game, len(games)) for key, game in seen.items()}
    return list(games), np.array([numbers[id(t.game)] for t in told])


def _seat(told: Sequence[Told], a: k.Arrays, done: int) -> list[str]:
    """Enter cards, players and numbers of the hands; gives the players' names."""
    names: dict[str, int] = {}
    for t in told:
        for name in t.names:
            names.setdefault(name, len(names))
    a.cards[:] = _filled([t.cards for t in told], a.cards.shape[1], UNKNOWN)
    a.seating[:] = _filled([[names[name] for name in t.names] for t in told], c.MAX_PLAYERS, -1)
    a.number[:] = [done + i if t.number is None else t.number for i, t in enumerate(told)]
    return list(names)


def _play(told: Sequence[Told], rules: Ints, a: k.Arrays) -> Ints:
    """Replay the betting; gives for each hand that is not in order at which action it went wrong."""
    counts = np.array([len(t.who) for t in told])
    steps = np.zeros((len(told), max(1, int(counts.max())), 2), np.int64)
    acted = np.arange(steps.shape[1]) < counts[:, None]
    steps[acted, 0] = [who for t in told for who in t.who]
    steps[acted, 1] = [action for t in told for action in t.actions]
    stopped = np.zeros(len(told), np.int64)
    replay_streets(rules, a.state, a.history, steps, counts, np.zeros(10, np.int64), a.status, a.flags, stopped)
    seen = rules[a.state[:, c.GAME], c.BOARD_SEEN + a.state[:, c.ROUND]]
    a.status[(a.status == k.IN_ORDER) & (np.array([t.board for t in told]) > seen)] = k.CARDS
    return stopped


def _stated_results(told: Sequence[Told], a: k.Arrays) -> Floats:
    """What the hands say each player won, NaN where they do not; entered where it adds up to nothing."""
    nets = _filled([t.net or () for t in told], c.MAX_PLAYERS, np.nan).astype(np.float64)
    even = (np.abs(np.nansum(nets, axis=1)) < 1e-3) & ~np.isnan(nets[:, 0])
    a.given[even] = nets[even]
    return nets


def _state_raked_results(told: Sequence[Told], nets: Floats, a: k.Arrays) -> None:
    """Where the house took its share: only players who won something may have less than cards and betting give."""
    for i in np.flatnonzero((np.abs(np.nansum(nets, axis=1)) >= 1e-3) & (a.status == k.IN_ORDER)).tolist():
        players = told[i].game.players
        due, stated = a.given[i, :players], nets[i, :players]
        if not np.isnan(due).any():
            put_in = a.state[i, c.SPENT : c.SPENT + players] + a.state[i, c.ANTE : c.ANTE + players]
            fits = (due == stated) | ((due > -put_in) & (-put_in <= stated) & (stated < due))
            a.status[i] = k.IN_ORDER if fits.all() else k.WRONG_NET
        a.given[i, :players] = stated
        a.flags[i] |= k.UNDECIDED


def _why_bad(t: Told, status: int, stopped: int) -> tuple[str, str]:
    """Kind and reason of a hand that the engine does not accept."""
    if status == k.CARDS:
        return "wrong cards", f"{t.board} board cards were dealt, more than the betting reached"
    hand = played(t, len(t.actions) if status == k.WRONG_NET else stopped)
    if status == k.UNFINISHED:
        blind = "; stacks are not given, so that an all-in cannot be told" if UNLIMITED in t.stacks else ""
        return "unfinished hand", f"the actions end before the hand is over (p{(hand.actor or 0) + 1} to act{blind})"
    if status == k.WRONG_NET:
        return "net does not follow", f"the finishing stacks give {t.net}, cards and betting {list(hand.payoffs)}"
    who, action = t.who[stopped], t.actions[stopped]
    if hand.over:
        return "illegal betting", f"p{who + 1} acts after the hand is over"
    if hand.actor != who:
        return "illegal betting", f"p{who + 1} acts when it is p{(hand.actor or 0) + 1}'s turn"
    before = 0 if hand.street == 0 else min(hand._get(c.BASE), hand._get(c.ROOM + who))
    return "illegal betting", hand.why_not(action + before)
