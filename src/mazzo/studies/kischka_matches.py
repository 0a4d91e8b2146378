"""Matches of a clone beside its original (tables 14 to 22), what was won hand by hand (figures 8, 9), and betting.

TunedFixedRichieRich plays as section 7.1 has it; for Akuma stands `reader`, among two other players, whose logged
actions are played again around the clone as section 7.2 does it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.holdem.notation import STREETS
from mazzo.studies.kischka_data import GAME, MISSING, SHARES, data_of, pluribus_hands

__all__ = ["betting", "curves", "matches", "replayed_matches", "replayed_pluribus"]

Task = dict[str, Any]


def matches(task: Task) -> dict[str, Any]:
    """Kischka's protocol: models of 66, 36, 41 and 52 % of the data, three matches of 1,000 hands, each seat apart.

    In match k the clone begins in seat k, on the cards of the match of three originals; all of it is repeated.
    """
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS

    clone = _tree(task)
    repetitions = []
    for number in range(task["repetitions"]):
        seed = task["seed"] + 1000 * (number + 1)
        original = _counted([create(task["hero"], AGENTS) for _ in range(3)], task["play"], seed)
        pairs = []
        for k in range(3):
            players = [clone if seat == k else create(task["hero"], AGENTS) for seat in range(3)]
            pairs.append([original[f"{task['hero']}#{k + 1}"], _counted(players, task["play"], seed)["clone"]])
        repetitions.append(pairs)
    return {"found": repetitions}


def _counted(players: list[Any], hands: int, seed: int) -> dict[str, list[dict[str, Any]]]:
    """What each player did, street by street: hands, wins, raises, calls, folds, net."""
    from mazzo.holdem.statistics.figures import streets_of

    return {name: streets_of(player) for name, player in _tallied(players, hands, seed).players.items()}


def _tallied(players: list[Any], hands: int, seed: int) -> Any:
    """The match counted, with every player's winnings hand by hand."""
    from mazzo.holdem.comparing.likeness import read_lines
    from mazzo.holdem.match import played_lines
    from mazzo.holdem.rules import rules
    from mazzo.holdem.statistics.tally import tally

    game = rules(GAME)
    lines = [line for batch in played_lines(game, players, hands, seed) for line in batch]
    return tally(read_lines(game, lines), curves=True)


def replayed_pluribus(task: Task) -> dict[str, Any]:
    """A clone learned from one half of the matches, in Pluribus's place in the other half."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.comparing.in_log import replayed

    every = pluribus_hands()
    if every is None:
        return {"skipped": MISSING}
    names = sorted({match for hands in every for match in hands.matches})
    second = [np.array([names.index(m) % 2 for m in hands.matches], bool)[hands.match_of] for hands in every]
    first = [hands[~later] for hands, later in zip(every, second, strict=True) if (~later).any()]
    rest = [hands[later] for hands, later in zip(every, second, strict=True) if later.any()]
    data = rows_of(first, "Pluribus")
    clone = learn_clone(data, task["model"], big_blind=first[0].games[0].big_blind)
    found = replayed(rest, "Pluribus", ClonePlayer.playing(clone))
    figures = found.likeness.as_dict()
    keys = ("agreement", "by_street", "difference_bb_per_hand", "rows", "showdowns")
    return {
        **{key: figures[key] for key in keys},
        "replayed": found.hands,
        "left_out": found.left_out,
        "hero": "Pluribus",
    }


def _tree(task: Task) -> Any:
    """The clone of Kischka's protocol: a tree for each street, of the shares of section 6.5."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone

    data = data_of(task["hero"], task["hands"], task["seed"])
    return ClonePlayer.playing(learn_clone(data, "tree", big_blind=10, seed=task["seed"], share=SHARES), "clone")


def curves(task: Task) -> dict[str, Any]:
    """Winnings hand by hand (figure 8): three originals, and the clone in each seat, on the same cards."""
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS

    clone, seed = _tree(task), task["seed"] + 1000
    tables = [[create(task["hero"], AGENTS) for _ in range(3)]]
    tables += [[clone if seat == k else create(task["hero"], AGENTS) for seat in range(3)] for k in range(3)]
    counts = [_tallied(players, task["play"], seed).players for players in tables]
    names = [f"{task['hero']}#{k + 1}" for k in range(3)]
    every, hands = [*(counts[0][name] for name in names), *(each["clone"] for each in counts[1:])], task["play"]
    at = np.unique(np.linspace(0, hands, 101).astype(int))
    won = [np.concatenate([[0.0], *player.curve]).cumsum()[at].round(2).tolist() for player in every]
    return {"at": at.tolist(), "original": won[:3], "clone": won[3:]}


def replayed_matches(task: Task) -> dict[str, Any]:
    """Section 7.2: a hero and two others in six orders, then a clone in its place, the others as they were logged.

    Only hands whose five board cards are known can be played again: those that reached the river.
    """
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.comparing.in_log import replayed
    from mazzo.holdem.statistics.figures import streets_of

    hero, others = task["hero"], task["others"]
    data = rows_of(_logged([hero, *others], task["hands"], task["seed"]), hero)
    share = tuple([0.5] * len(STREETS))
    clone = ClonePlayer.playing(learn_clone(data, "tree", big_blind=10, seed=task["seed"], share=share), "clone")
    found, won = [], []
    for number, order in enumerate(_orders(hero, *others)):
        hands = _logged(list(order), task["play"], task["seed"] + 1000 * (number + 1))
        both = replayed(hands, hero, clone).likeness
        found.append([streets_of(both.original), streets_of(both.clone)])
        if not number:
            won = [
                np.concatenate([[0.0], *player.curve]).cumsum().round(2).tolist()
                for player in (both.original, both.clone)
            ]
    return {"found": found, "curves": won}


def _orders(hero: str, one: str, two: str) -> list[tuple[str, str, str]]:
    """Who sits where in the six matches: small blind, big blind, button."""
    return [
        (hero, one, two),
        (hero, two, one),
        (one, hero, two),
        (one, two, hero),
        (two, hero, one),
        (two, one, hero),
    ]


def _logged(names: list[str], hands: int, seed: int) -> list[Any]:
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.comparing.likeness import read_lines
    from mazzo.holdem.match import played_lines
    from mazzo.holdem.rules import rules

    game = rules(GAME)
    players = [create(name, AGENTS) for name in names]
    return list(read_lines(game, [line for batch in played_lines(game, players, hands, seed) for line in batch]))


def betting(task: Task) -> dict[str, Any]:
    """How often each sequence of a street occurs before river decisions (figures 10 to 13), the commonest first."""
    rows = data_of(task["hero"], task["hands"], task["seed"])[3]
    name = f"{STREETS[task['street']].upper()}_ACTION"
    at = [c.name for c in rows.columns].index(name)
    counts = np.bincount(rows.x[~np.isnan(rows.x[:, at]), at].astype(np.int64))
    values = rows.columns[at].values or ()
    top = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    return {
        "values": [[values[k] or "-", int(counts[k]) / int(counts.sum())] for k in top],
        "occur": len(top),
        "possible": len(values),
    }
