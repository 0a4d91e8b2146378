"""A player's leaks beside an agent that is asked in his place."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo as program
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import find_agent
from mazzo.holdem.logs import read_hands
from mazzo.holdem.match import generate
from mazzo.holdem.statistics.leaks import leaks_beside
from mazzo.holdem.statistics.reference import asked_at, both_tails
from mazzo.holdem.statistics.tracker import PlayedHand, tracked

MIXED = "random:raise=.3,fold=.1,call=.6"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("leaks") / "played.log"
    return generate("holdem-nolimit-3p", [MIXED, "chart", "call"], 400, to=path, seed=3)


def hands_of(log: Path, name: str) -> list[PlayedHand]:
    return [hand for player, hand in tracked(read_hands(log)) if player.startswith(name)]


def test_the_chance_of_a_count_is_that_of_all_ways_to_it() -> None:
    chances = np.array([0.1, 0.5, 0.8, 0.35])
    by_count = np.zeros(5)
    for did in product((0, 1), repeat=4):
        by_count[sum(did)] += np.prod(np.where(did, chances, 1 - chances))
    for count in range(5):
        expected = min(1.0, 2 * min(by_count[: count + 1].sum(), by_count[count:].sum()))
        assert both_tails(count, chances) == pytest.approx(expected, abs=1e-15)


def test_the_agent_is_asked_what_the_player_saw(log: Path) -> None:
    decided = agreed = 0
    for hand, asked in asked_at(find_agent("chart"), hands_of(log, "chart")):
        for chance in hand.decisions:
            chances = asked[hand.row, chance.at]
            decided += 1
            agreed += (sum(chances[kind] for kind in chance.takes) > 0.5) == chance.took
    assert decided > 500
    assert agreed == decided  # chart always does the same


def test_nobody_leaks_beside_himself(log: Path) -> None:
    for name, agent in (("chart", "chart"), ("random", MIXED)):
        rows = leaks_beside(find_agent(agent), hands_of(log, name))
        assert rows
        assert not [row for row in rows if row["sure"]]


def test_who_plays_otherwise_is_told_where(log: Path) -> None:
    rows = leaks_beside(find_agent("call"), hands_of(log, "random"))
    surest = [row for row in rows if row["sure"]]
    assert "pfr" in {row["figure"] for row in surest}
    raised = next(row for row in surest if row["figure"] == "pfr")
    assert raised["share"] > 0.2
    assert raised["reference_share"] == 0
    assert raised["cost_bb"] is None
    assert raised["hands"]


def test_the_command_takes_an_agent(log: Path) -> None:
    name = next(player for player, _ in tracked(read_hands(log)) if player.startswith("random"))
    words = ["hands", str(log), "--player", name, "--leaks", "--json", "--quiet", "--beside"]
    result = CliRunner().invoke(program, [*words, "fold"], catch_exceptions=False)
    assert any(row["sure"] for row in json.loads(result.stdout)["leaks"])
    failed = CliRunner().invoke(program, [*words, "nobody"])
    assert isinstance(failed.exception, UnreadableError)
    assert "--beside is a player of these hands, or an agent" in str(failed.exception)
