"""What is asked of a game: its deals, tables, matches and agents, the table that people sit at, and replays."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.agent import Agent, create
from mazzo.errors import MazzoError
from mazzo.games import Entry
from mazzo.registry import parameters
from mazzo.testing.agents import check_explanation
from mazzo.testing.common import positions
from mazzo.testing.deals import check_deal
from mazzo.testing.seated import check_replay, check_seated
from mazzo.testing.tables import check_table

__all__ = ["check_game"]

_EXPLAINED = 3
"""Decisions that each agent explains."""


def check_game(entry: Entry, games: Sequence[str] = (), deals: int = 6, seed: int = 1) -> None:
    """Check all that is asked of a game: its deals, its tables, the table that people sit at, replays and agents.

    Args:
        entry: What the game offers.
        games: Which of its games, by name; by default all that it lists.
        deals: How many deals of each are played at random.
        seed: Of the deals.
    """
    names = list(games or [game.name for game in entry.games()])
    assert names, f"{entry.NAME} lists no game"
    assert "random" in entry.AGENTS, f"{entry.NAME} has no agent called random"
    for name in names:
        rules = entry.rules(name)
        assert rules is not None, f"{entry.NAME} lists the game {name!r} and has no rules of that name"
        hidden = sum([check_deal(entry, rules, seed, number) for number in range(deals)])
        assert hidden, f"{name}: `redealt` never dealt other cards, so nothing shows that hidden ones stay hidden"
        check_table(entry, rules, deals, seed)
    check_seated(entry, seed)
    _check_contest(entry, names[0], seed)
    _check_agents(entry, [entry.rules(name) for name in names], seed)


def _check_contest(entry: Entry, name: str, seed: int) -> None:
    """Matches are the same in one piece or several; what they log, where they can, is shown again."""
    try:
        contest = entry.contest(name)
    except MazzoError:  # it is said in words that agents do not play it against each other
        return
    assert contest is not None, f"{entry.NAME} lists the game {name!r}, but the arena is given no contest"
    assert entry.contest(entry.rules(name)) is not None, f"the arena is given {name!r} by name, but not by its rules"
    agents = [create("random", entry.AGENTS) for _ in range(contest.seats)]
    whole, _ = contest.play(agents, range(6), seed)
    assert whole.shape == (6, contest.seats), f"6 deals of {contest.seats} agents gave results of shape {whole.shape}"
    part, _ = contest.play(agents, range(2, 6), seed)
    assert np.array_equal(whole[2:], part), "deals of the same numbers and seed had other results in another batch"
    if getattr(entry, "ZERO_SUM", False):
        assert np.allclose(whole.sum(axis=1), 0), "a match pays what nobody lost"
    try:
        logged, lines = contest.play(agents, range(6), seed, log=True)
    except MazzoError:  # it is said in words that this game has no log
        return
    assert np.array_equal(whole, logged), "a match that is logged has other results"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.log"
        path.write_text("".join(f"{line}\n" for line in lines))
        records = list(entry.replays().read(path))
    assert len(records) == len(lines) == 6 * contest.plays_per_deal, (
        f"{6 * contest.plays_per_deal} hands were played, {len(lines)} logged and {len(records)} read again"
    )
    check_replay(entry, records[0])


def _check_agents(entry: Entry, rules: Sequence[Any], seed: int) -> None:
    """Every agent that needs nothing but its name explains what it plays, in the first game that it can play."""
    for name in entry.AGENTS:
        agent = _made(entry, name)
        playable = [one for one in rules if agent is not None and not agent.unsupported_reason(one)]
        if agent is not None and playable:
            for deal, _ in islice(positions(entry, playable[0], seed, 0), _EXPLAINED):
                if not deal.over:
                    check_explanation(agent, deal.observe(), deal)


def _made(entry: Entry, name: str) -> Agent[Any] | None:
    """The agent of this name; None for one that sees all cards or must be given something, such as a file."""
    found = entry.AGENTS[name]
    assert found.summary, f"the agent {name!r} has no line for the list of agents"
    if found.sees_all or any(p.default is p.empty for p in parameters(found).values()):
        return None
    try:
        return create(name, entry.AGENTS)
    except MazzoError:
        assert name != "random", "the agent random cannot be made"
        return None
