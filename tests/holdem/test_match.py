from dataclasses import replace

import numpy as np
import pytest

from mazzo.holdem import match
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.betting_graph import betting_graph
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import Rules, rules

AGENTS = ("random", "raise", "random:raise=.9,fold=0,call=.1", "random:size=least", "fold", "call")


@pytest.mark.parametrize("game", ["holdem-nolimit-6p", "holdem-limit-2p", "leduc-2p", "kuhn-3p"])
def test_agents_that_ignore_their_cards_win_the_same_block_by_block_and_at_one_table(game: str) -> None:
    rules_of_it = rules(game)
    agents = [find_agent(name) for name in AGENTS[: rules_of_it.players]]
    contest = HoldemMatch(rules_of_it)
    for deals in (range(1), range(7, 300)):  # less than a block; several and a part of one, not from the first deal
        in_blocks, none = contest.play(agents, deals, seed=3)
        at_a_table, lines = contest.play(agents, deals, seed=3, log=True)
        assert none == []
        assert len(lines) == len(deals) * rules_of_it.players
        assert np.array_equal(in_blocks, at_a_table)


def test_a_hand_with_more_actions_than_a_block_has_room_for_is_played_to_its_end() -> None:
    game = rules("holdem-nolimit-2p")
    agents = [find_agent("raise"), find_agent("raise")]  # by the least, until the chips are in
    match._spare.__dict__.clear()
    in_blocks, _ = HoldemMatch(game).play(agents, range(40), seed=1)
    at_a_table, lines = HoldemMatch(game).play(agents, range(40), seed=1, log=True)
    assert max(line.count("r") for line in lines) > 8 * game.rounds
    assert np.array_equal(in_blocks, at_a_table)


FREE = "random:free_fold=true,fold=.4"
LIMIT = rules("holdem-limit-2p")


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (LIMIT, "random random:fold=1,call=1,raise=1"),
        (LIMIT, f"{FREE} raise"),
        (replace(LIMIT, stacks=(35, 17)), f"random:raise=.9 {FREE}"),  # short all-ins and side pots
        (replace(LIMIT, stacks=(3, 8)), "raise call"),  # all-in by the blinds
        (rules("holdem-limit-3p"), f"random {FREE} raise"),
        (rules("leduc-2p"), f"{FREE} fold"),
    ],
)
def test_a_walk_over_joined_situations_is_the_hands_played_one_by_one(game: Rules, names: str) -> None:
    agents = [find_agent(name) for name in names.split()]
    walked, _ = HoldemMatch(game).play(agents, range(3, 900), seed=8)
    played, _ = HoldemMatch(game).play(agents, range(3, 900), seed=8, log=True)
    assert np.array_equal(walked, played)


def test_situations_are_joined_only_where_raises_have_one_size_and_there_are_few() -> None:
    graph = betting_graph(LIMIT)
    assert graph is not None
    assert (len(graph.step) // 4, len(graph.ends)) == (288, 368)
    uncapped = replace(LIMIT, max_raises=())
    six = Rules("six", True, (10, 5, 0, 0, 0, 0), (2, 0, 0, 0), raise_sizes=(10, 10, 20, 20), max_raises=(3, 4, 4, 4))
    assert [betting_graph(game) for game in (uncapped, six, rules("holdem-nolimit-2p"))] == [None] * 3
