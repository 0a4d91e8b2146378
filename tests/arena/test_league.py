"""Leagues: ratings against arithmetic, circles, going on after an interrupt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.arena.league import League, Pairing, league, section_of_run, stream_league
from mazzo.errors import UnreadableError
from mazzo.statistics import Moments


@dataclass
class Thrower(Agent[Any]):
    """Shows the same hand each time."""

    hand: int

    def decide(self, observations: Any) -> NDArray[np.int64]:
        return np.full(len(observations), self.hand)

    def explain(self, observation: Any) -> Explanation:
        return Explanation(str(self.hand), "always")


@dataclass
class Learner(Thrower):
    learns = True


@dataclass(frozen=True)
class Throws:
    """Rock, paper, scissors, with luck that differs from deal to deal: hand h beats hand h - 1 (mod 3)."""

    fail_after: int | None = None
    unit = "points_per_deal"
    seats = 2
    plays_per_deal = 2

    def play(
        self, agents: Sequence[Any], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        if self.fail_after is not None and deals.start >= self.fail_after:
            raise KeyboardInterrupt
        a, b = (agent.hand for agent in agents)
        edge = {0: 0.0, 1: 1.0, 2: -1.0}[(a - b) % 3]
        luck = np.sin(np.arange(deals.start, deals.stop) * 12.9898 + seed)
        return np.column_stack([edge + luck, -edge - luck]), []

    def __repr__(self) -> str:
        return "Throws()"


def throwers(*hands: int) -> list[Agent[Any]]:
    made: list[Agent[Any]] = [Thrower(hand) for hand in hands]
    for agent, hand in zip(made, hands, strict=True):
        agent.name = ("rock", "paper", "scissors")[hand]
    return made


def standing(names: str, wins: dict[str, tuple[float, float]]) -> League:
    """A league of one-letter agents: by pair the mean and its standard error."""
    pairings = [
        Pairing(names.index(pair[0]), names.index(pair[1]), Moments(100, mean, error**2 * 100 * 99))
        for pair, (mean, error) in wins.items()
    ]
    return League("game", tuple(names), tuple(pairings), "bb_per_hand", 0, 2)


def test_a_circle_is_named_in_the_order_in_which_each_beats_the_next() -> None:
    found = league(Throws(), throwers(0, 1, 2), hands=2000)
    assert found.cycles() == [("rock", "scissors", "paper")]
    assert "rock beats scissors beats paper beats rock." in found.section().words
    assert found.misfit() > 10


def test_a_circle_counts_only_where_every_interval_leaves_out_zero() -> None:
    sure = {"AB": (0.2, 0.03), "BC": (0.7, 0.03), "AC": (-0.3, 0.03)}
    assert standing("ABC", sure).cycles() == [("A", "B", "C")]
    assert standing("ABC", {**sure, "AC": (-0.3, 0.2)}).cycles() == []


def test_a_longer_circle_is_found_where_the_short_ones_are_not_settled() -> None:
    wins = {"AC": (0.0, 1.0), "BD": (0.0, 1.0), "AB": (1.0, 0.1), "BC": (1.0, 0.1), "CD": (1.0, 0.1)}
    assert standing("ABCD", {**wins, "AD": (-1.0, 0.1)}).cycles() == [("A", "B", "C", "D")]
    assert standing("ABCD", {**wins, "AD": (1.0, 0.1)}).cycles() == []


def test_ratings_are_the_least_squares_fit_of_the_pairings_and_carry_their_errors() -> None:
    wins = {"AB": (0.5, 0.1), "AC": (0.9, 0.2), "BC": (0.1, 0.3)}
    found = standing("ABC", wins)
    design = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]], float)
    fit = np.linalg.pinv(design)
    assert [r.mean for r in found.ratings()] == pytest.approx(fit @ [0.5, 0.9, 0.1])
    errors = np.sqrt(np.diag(fit @ np.diag([0.01, 0.04, 0.09]) @ fit.T))
    assert [r.standard_error for r in found.ratings()] == pytest.approx(errors)


def test_results_that_are_differences_of_ratings_fit_them_and_make_no_circle() -> None:
    found = standing("ABC", {"AB": (0.5, 0.1), "AC": (0.75, 0.1), "BC": (0.25, 0.1)})
    assert found.misfit() == pytest.approx(0, abs=1e-9)
    assert found.cycles() == []


def test_an_interrupted_league_goes_on_where_it_stopped_and_ends_the_same(tmp_path: Path) -> None:
    kept, whole = tmp_path / "league.jsonl", league(Throws(), throwers(0, 1, 2), hands=9000)
    with pytest.raises(KeyboardInterrupt):
        league(Throws(fail_after=5000), throwers(0, 1, 2), hands=9000, checkpoint=kept)
    done = len(kept.read_text().splitlines()) - 1
    assert done > 0
    steps = list(stream_league(Throws(), throwers(0, 1, 2), hands=9000, checkpoint=kept))
    assert steps[-1].as_dict() == whole.as_dict()
    assert len(steps) > done
    with pytest.raises(UnreadableError, match="other work"):
        league(Throws(), throwers(0, 1), hands=9000, checkpoint=kept)


def test_pairings_play_deals_of_their_own() -> None:
    found = league(Throws(), throwers(0, 1, 2), hands=2000)
    means = [abs(p.estimate.mean) for p in found.pairings]
    assert len({round(mean, 12) for mean in means}) == 3


def test_a_league_read_back_from_its_data_shows_the_same() -> None:
    found = league("kuhn-2p", ["random", "call", "raise"], hands=600)
    run = json.loads(json.dumps({**found.as_dict(), "command": ["mazzo", "league"]}))
    assert str(League.from_dict(run)) == str(found)
    grid = section_of_run(run).tables[-1]
    assert len(grid.inks) == 3
    assert all(ink == "" or ink.startswith("#") for row in grid.inks for ink in row)


def test_luck_can_be_taken_out_of_a_league() -> None:
    plain = league("leduc-2p", ["random", "call", "random:raise=.7"], hands=400)
    freed = league("leduc-2p", ["random", "call", "random:raise=.7"], hands=400, aivat=True)
    for a, b in zip(plain.pairings, freed.pairings, strict=True):
        assert b.estimate.standard_error < a.estimate.standard_error


@pytest.mark.parametrize(
    ("game", "agents", "why"),
    [
        ("holdem-limit-3p", ["call", "raise"], "two agents play"),
        ("kuhn-2p", ["call"], "at least two"),
        ("blackjack", ["basic", "basic"], "two agents play"),
    ],
)
def test_it_says_why_there_can_be_no_league(game: str, agents: list[str], why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        league(game, agents, hands=10)


def test_agents_that_learn_are_refused() -> None:
    with pytest.raises(UnreadableError, match="learns"):
        league(Throws(), [Learner(0), Learner(1)], hands=10)
