from __future__ import annotations

import pytest

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.online import Online
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import find_game
from mazzo.testing import check_holdem_agent

LIMIT = find_game("holdem-limit-2p")


def test_it_passes_what_is_asked_of_every_agent() -> None:
    check_holdem_agent(Online, LIMIT)


def play(hero: Online, opponent: str, chunk: int, deals: int) -> float:
    numbers = range(chunk * deals, (chunk + 1) * deals)
    values, _ = HoldemMatch(LIMIT).play([hero, create(opponent, AGENTS)], numbers, 4)
    return float(values[:, 0].mean())


def test_it_learns_as_it_plays() -> None:
    hero = Online(every=1600)
    hero.name = "online"
    exploring, learned = (play(hero, "random", chunk, 800) for chunk in range(2))
    assert learned > exploring + 1.5
    assert hero.hands == 3200


def test_it_notices_when_the_opponent_changes_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    hero = Online(every=1600)
    hero.name = "online"
    play(hero, "random", 0, 800)
    monkeypatch.setattr(hero, "_learn", lambda: None)  # it goes on with what it has: only the noticing is looked at
    for chunk in range(1, 5):
        play(hero, "random", chunk, 800)
    assert hero.changes == []
    for chunk in range(5, 7):
        play(hero, "fold", chunk, 800)
    assert hero.changes
    assert hero.changes[0] in (9600, 11200)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(UnreadableError, match="explore"):
        create("online:explore=0", AGENTS)
