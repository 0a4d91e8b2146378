"""Finding out the game of a log that does not say it: the blinds and bets under which the results come out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import MazzoError
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import Origin, read_batch
from mazzo.holdem.rules import PRESETS, RAISE_CAP, UNLIMITED, Rules

__all__ = ["infer_game"]


def infer_game(sample: Sequence[str]) -> Rules | None:
    """The game under which most of these lines are hands whose results follow; None if there is none."""
    split = [fields for fields in map(_fields, sample) if fields is not None]
    if not split:
        return None
    players = Counter(len(names.split("|")) for *_, names in split).most_common(1)[0][0]
    split = [fields for fields in split if len(fields[4].split("|")) == players]
    sized = any(re.search(r"r\d", betting) for _, betting, *_ in split)
    candidates = _no_limit_games(players, split) if sized else _limit_games(players, split)
    best, most = None, 0
    for game in candidates:
        fitting = _in_order(game, split)
        if fitting > most:
            best, most = game, fitting
        if fitting == len(split):
            break
    return best


Fields = tuple[str, str, str, str, str]


def _fields(line: str) -> Fields | None:
    """Number, betting, cards, net and names of a line in either form."""
    if line.startswith("STATE:"):
        parts = line.split(":", 5)[1:]
    else:
        parts = line.removesuffix(":").split(":")
        parts = [*parts[1:], *parts[:1]]
    if len(parts) != k.FIELDS:
        return None
    number, betting, cards, net, names = parts
    return number, betting, cards, net, names


def _in_order(game: Rules, split: Sequence[Fields], keep_net: bool = True) -> int:
    return len(_replay(game, split, keep_net)[0])


def _replay(game: Rules, split: Sequence[Fields], keep_net: bool) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The rows that are hands of a game, and the nets that follow (or stand there)."""
    text = "\n".join(
        f"STATE:{number}:{betting}:{cards}:{net if keep_net else ''}:{names}"
        for number, betting, cards, net, names in split
    )
    data = np.frombuffer(text.encode(), np.uint8)
    lines = k.find_lines(data)
    hands, _ = read_batch(data, lines, np.arange(len(lines)), [game], Origin("", ""))
    return hands.line, hands.net[:, : game.players]


def _limit_games(players: int, split: Sequence[Fields]) -> Iterator[Rules]:
    shapes = [g for g in PRESETS.values() if g.limit and g.players == players]
    if players == 2:
        shapes.append(replace(PRESETS["holdem-limit-2p"], blinds=(5, 10), first=(0, 1, 1, 1)))
    if players == 3:
        shapes.append(replace(PRESETS["holdem-limit-3p"], name="holdem-limit-3p-reverse", blinds=(10, 5, 0)))
    for shape in shapes:
        for game in (shape, replace(shape, max_raises=(RAISE_CAP,) * 4) if shape.rounds == 4 else shape):
            scale = _scale(game, split)
            if scale is not None:
                yield from _scaled(game, scale)


def _scale(game: Rules, split: Sequence[Fields]) -> Fraction | None:
    """By how much the results of a log are larger than those of a game."""
    rows, nets = _replay(game, split, keep_net=False)
    ratios: Counter[Fraction] = Counter()
    for row, net in zip(rows.tolist(), nets.tolist(), strict=True):
        try:
            stated = [Fraction(word) for word in split[row][3].split("|")]
        except (ValueError, ZeroDivisionError):
            continue
        at = max(range(len(net)), key=lambda p: -1 if np.isnan(net[p]) else abs(net[p]))
        if net[at] and not np.isnan(net[at]) and len(stated) == game.players:
            ratio = stated[at] / Fraction(net[at])
            if ratio > 0:
                ratios[ratio.limit_denominator(1000)] += 1
    return ratios.most_common(1)[0][0] if ratios else None


def _scaled(game: Rules, scale: Fraction) -> Iterator[Rules]:
    def times(amounts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(a if a == UNLIMITED else int(a * scale) for a in amounts)

    amounts = (*game.blinds, *game.raise_sizes, *game.antes)
    if all((a * scale).denominator == 1 for a in amounts):
        try:
            yield replace(
                game,
                name=_name(game, scale),
                blinds=times(game.blinds),
                raise_sizes=times(game.raise_sizes),
                antes=times(game.antes),
                stacks=times(game.stacks),
            )
        except MazzoError:
            return


def _name(game: Rules, scale: Fraction) -> str:
    if scale == 1:
        return game.name
    return f"{game.name}-{'-'.join(str(int(b * scale)) for b in game.blinds if b)}"


def _no_limit_games(players: int, split: Sequence[Fields]) -> Iterator[Rules]:
    preset = PRESETS.get(f"holdem-nolimit-{players}p")
    if preset is None:
        return
    yield preset
    small, big = _blinds_seen(players, split)
    sizes = [int(size[:10]) for _, betting, *_ in split for size in re.findall(r"r(\d+)", betting)]
    for low, high in ((small, big), (small, 2 * small), (big // 2, big)):
        if low < 1 or high < low:
            continue
        blinds = (high, low) if players == 2 else (low, high, *(0,) * (players - 2))
        for chips in (200 * high, max(sizes, default=0), UNLIMITED):
            if chips > high:
                yield replace(preset, blinds=blinds, stacks=(min(chips, UNLIMITED),) * players)


def _blinds_seen(players: int, split: Sequence[Fields]) -> tuple[int, int]:
    """What the blinds lost where they folded at once, 0 where they never did."""
    lost: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for _, betting, _, net, _ in split:
        actions = re.findall(r"[fcr]", betting.split("/")[0])
        stated = net.split("|")
        order = [1, 0] if players == 2 else [*range(2, players), 0, 1]
        for position, action in zip(order, actions, strict=False):
            blind = 1 - position if players == 2 else position
            result = stated[position] if position < len(stated) else ""
            if action == "f" and blind < 2 and re.fullmatch(r"-\d{1,9}", result):
                lost[blind][-int(result)] += 1
    small, big = (min(counts, default=0) for counts in lost)
    return small, big
