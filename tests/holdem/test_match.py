import numpy as np
import pytest

from mazzo.holdem import match
from mazzo.holdem.agents import find_agent
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import rules

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
