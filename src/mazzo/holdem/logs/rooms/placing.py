"""From names and seats to positions and rules: a hand as the replay needs it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.logs.formats import UNSUPPORTED, UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.rules import Rules

__all__ = ["Placed", "Trial", "place", "trials_of"]


class Trial(NamedTuple):
    """One way to understand a hand; a hand is tried in several until its accounts are right."""

    reading: Reading
    button: str = "stated"
    """Where the button is: as stated, or before the small or the big blind."""
    strict: bool = True
    """By the usual rules; else raises may be as small as they were, and a short big blind is owed as posted."""


@dataclass(slots=True)
class Placed:
    """A hand by positions, in whole chips."""

    draft: Draft
    game: Rules
    names: list[str]
    stacks: list[int]
    steps: list[int]
    """Who, what, how much and on which street, one after the other."""
    cards: list[int]
    unit: int


def trials_of(draft: Draft) -> list[Trial]:
    """All ways to understand a hand, the likeliest first."""
    readings = list(draft.readings)
    if sum(post.kind == "small" for post in draft.posts) > 1:
        readings += [reading._replace(dead_second=False) for reading in draft.readings]
    usual = [Trial(reading) for reading in readings]
    moved = [Trial(reading, button) for reading in readings for button in ("small", "big")]
    lax = [Trial(reading, button, strict=False) for reading in readings for button in ("stated", "small")]
    return usual + moved + lax


def _order(draft: Draft, trial: Trial) -> list[str]:
    """Who took part, in the order of the seats after the button."""
    part = {post.name for post in draft.posts} | {step[0] for step in draft.steps}
    strangers = part - draft.seats.keys()
    if strangers:
        who = ", ".join(sorted(strangers))
        raise UnusableHandError("unknown player", f"{who} takes part, but no seat line names him")
    if not 2 <= len(part) <= c.MAX_PLAYERS:
        what = "a hand without two players" if len(part) < 2 else f"a table of {len(part)} players"
        raise UnusableHandError("damaged hand" if len(part) < 2 else UNSUPPORTED, what)
    seated = sorted(part, key=lambda name: draft.seats[name][0])
    first = _first_after_button(draft, trial, seated)
    return seated[first:] + seated[:first]


def _first_after_button(draft: Draft, trial: Trial, seated: list[str]) -> int:
    small = next((seated.index(p.name) for p in draft.posts if p.kind == "small"), None)
    big = next((seated.index(p.name) for p in draft.posts if p.kind == "big"), None)
    if trial.button == "stated" and (draft.button is not None or draft.button_name in draft.seats):
        button = draft.seats[draft.button_name][0] if draft.button is None else draft.button
        return next((k for k, name in enumerate(seated) if draft.seats[name][0] > button), 0)
    if small is not None and trial.button != "big":
        return (small + 1) % 2 if len(seated) == 2 else small
    if big is not None:
        return big
    raise UnusableHandError("damaged hand", "it is not said where the button is, nor who posted a blind")


def _posted(draft: Draft, names: list[str], trial: Trial) -> tuple[list[int], list[int], list[int], int]:
    """What was put in before the cards by position: blinds that play, antes, dead money; and the big blind."""
    blinds, antes, dead = ([0] * len(names) for _ in range(3))
    stakes = draft.stakes[0] if draft.limit == "FL" and draft.stakes else (*draft.stakes, 0, 0)[1]
    posted = max((p.amount for p in draft.posts if p.kind == "big"), default=0)
    big = posted or max((p.amount for p in draft.posts if p.kind in ("small", "live")), default=0) or stakes
    short = {p.name for p in draft.posts if p.kind == "big" and p.amount < stakes}
    if posted and short and len(short) == sum(p.kind == "big" for p in draft.posts) and _all_in(draft, short):
        big = stakes
    seen_small = False
    for kind, name, amount in draft.posts:
        at = names.index(name)
        if kind == "ante":
            antes[at] += amount
        elif kind == "dead" or (kind == "small" and seen_small and trial.reading.dead_second):
            blinds[at] += big if kind == "dead" and amount > big else 0
            dead[at] += amount - big if kind == "dead" and amount > big else amount
        elif kind == "both":
            blinds[at] += min(big, amount)
            dead[at] += max(0, amount - big)
        else:
            blinds[at] += amount
        seen_small |= kind == "small"
    return blinds, antes, dead, big


def _all_in(draft: Draft, names: set[str]) -> bool:
    """Whether what these players posted was all they had."""
    put = {name: sum(p.amount for p in draft.posts if p.name == name) for name in names}
    return all(put[name] >= draft.seats[name][1] for name in names)


@lru_cache(1 << 12)
def _rules(
    name: str,
    limit: bool,
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    first: int,
    big: int,
    least: int,
    strict: bool,
) -> Rules:
    try:
        return Rules(
            name,
            limit,
            blinds,
            (first, 0, 0, 0),
            raise_sizes=(big, big, 2 * big, 2 * big) if limit else (),
            antes=antes,
            min_bet=0 if limit or least == max(blinds) else least,
            min_raise_is_blind=not strict,
            whole_blind=strict,
        )
    except UnreadableError as error:
        raise UnusableHandError("wrong amounts", str(error)) from None


_WHAT = {False: {d.RAISE: d.RAISE_ADDED, d.BET: d.RAISE_ADDED}, True: {d.RAISE: d.RAISE_TO, d.BET: d.RAISE_TO}}


def place(draft: Draft, trial: Trial) -> Placed:
    """A hand by positions, in whole chips; refused is what cannot be one."""
    names = _order(draft, trial)
    stacks = [draft.seats[name][1] for name in names]
    if min(stacks) < 1:
        name = names[stacks.index(min(stacks))]
        raise UnusableHandError("unknown chips", f"it is not said how many chips {name} has")
    blinds, antes, dead, big = _posted(draft, names, trial)
    if not max(blinds):
        raise UnusableHandError("no blinds", "nobody posted a blind that plays")
    due = max(antes)
    if due and max(a for a in antes if a < due or a == due) and sum(a == due for a in antes) > 1:
        antes = [due if a and a == s else a for a, s in zip(antes, stacks, strict=True)]
    for at, (blind, ante) in enumerate(zip(blinds, antes, strict=True)):  # all-in for less than the whole blind
        if 0 < blind < big and blind + ante + dead[at] >= stacks[at] and _is_big(draft, names[at]):
            blinds[at] = big
    where = {name: at for at, name in enumerate(names)}
    what = _WHAT[trial.reading.raise_to]
    calls = d.CALL_TO if trial.reading.call_to else d.CALL
    steps: list[int] = []
    sizes = [big]
    for name, done, amount, street in draft.steps:
        kind = calls if done == d.CALL else what.get(done, done)
        steps += (where[name], kind, amount, street)
        if not trial.strict and kind in (d.RAISE_TO, d.RAISE_ADDED):
            sizes.append(1)
    unit = _unit(draft, stacks, blinds, antes, dead, steps)
    least = max(1, min(sizes) // unit)
    limit = draft.limit == "FL" and trial.strict
    table = f"{draft.room}-{'limit' if limit else 'nolimit'}-{len(names)}p"
    first = where[draft.steps[0][0]] if draft.steps else _after_big(blinds, big)
    paid = tuple((a + x) // unit for a, x in zip(antes, dead, strict=True))
    posted = tuple(b // unit for b in blinds)
    game = _rules(table, limit, posted, paid, first, big // unit, least, trial.strict)
    if unit > 1:
        steps[2::4] = [a // unit if a > 0 else a for a in steps[2::4]]
        stacks = [s // unit for s in stacks]
    return Placed(draft, game, names, stacks, steps, _cards(draft, names), unit)


def _is_big(draft: Draft, name: str) -> bool:
    return any(post.name == name and post.kind in ("big", "both") for post in draft.posts)


def _after_big(blinds: list[int], big: int) -> int:
    return (max((at for at, blind in enumerate(blinds) if blind == big), default=0) + 1) % len(blinds)


def _unit(draft: Draft, *amounts: list[int]) -> int:
    """By how much amounts in hundredths are divided: a hundred for tournament chips, which are whole."""
    if not draft.tournament:
        return 1
    *chips, steps = amounts
    told = [*draft.collected.values(), *draft.returned.values(), *draft.results.values(), draft.rake or 0]
    every = [*(a for column in chips for a in column), *(a for a in steps[2::4] if a > 0), *told, draft.extra]
    return 1 if any(amount % 100 for amount in every) else 100


def _cards(draft: Draft, names: list[str]) -> list[int]:
    board = draft.board
    found = [card for name in names for card in draft.hole.get(name, (UNKNOWN, UNKNOWN))]
    found += [*board, *[UNKNOWN] * (5 - len(board))]
    known = [card for card in found if card != UNKNOWN]
    if len(board) > 5 or len(set(known)) != len(known):
        raise UnusableHandError("wrong cards", "a card was dealt twice" if len(board) < 6 else "more than one board")
    return found
