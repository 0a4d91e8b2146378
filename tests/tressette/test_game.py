from typing import Any

import pytest

from mazzo.agent import Agent, create
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, UnreadableError
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.game import Game, RoundScore
from mazzo.tressette.round import Round
from mazzo.tressette.rules import TARGETS, Rules
from tests.tressette.situations import declarations_of, play_at_random


def finish(table: Round) -> Round:
    while not table.over:
        table.act(next(iter(table.legal)))
    return table


def play(game: Game, agent: Agent[Any]) -> Game:
    """Let an agent play all four seats to the end of a game, and send a monte whatever may be."""
    while game.winner is None:
        table = game.deal()
        if any(game.may_void(table, seat) for seat in range(4)):
            continue
        while not table.over:
            table.act(agent)
        game.score(table)
    return game


@pytest.mark.parametrize("target", TARGETS)
def test_a_match_ends_with_one_side_at_the_target_and_ahead(target: int) -> None:
    game = play(Game(Rules(target, a_monte=False), seed=target), create("greedy", AGENTS))
    ours, theirs = game.scores
    assert max(ours, theirs) >= target
    assert game.winner == (0 if ours > theirs else 1)
    before = game.history[:-1]
    assert (
        all(sum(score.total[side] for score in before) < target for side in (0, 1))
        or len({sum(score.total[side] for score in before) for side in (0, 1)}) == 1
    )


def test_every_round_gives_eleven_points_and_what_was_declared() -> None:
    game = Game(Rules(a_monte=False), seed=12)
    for _ in range(3):
        table = finish(game.deal())
        score = game.score(table)
        assert sum(score.cards) == 11
        for side in (0, 1):
            told = [declarations_of(int(table.row.dealt[0, seat])) for seat in (side, side + 2)]
            points = sum(3 * t[0] + sum(4 if x == 5 else 3 for x in t[1:] if x) for t in told)
            assert score.declarations[side] == points


def test_the_deal_passes_counter_clockwise_and_the_dealers_right_leads() -> None:
    game = Game(Rules(a_monte=False), seed=1, dealer=3)
    leaders = []
    for _ in range(3):
        table = finish(game.deal())
        leaders.append(table.leader)
        game.score(table)
    assert leaders == [0, 1, 2]


def test_equal_points_past_the_target_ask_for_another_round() -> None:
    game = Game()
    game.history.append(RoundScore((11, 11), (20, 20)))
    assert game.scores == (31, 31)
    assert game.winner is None
    game.history.append(RoundScore((6, 5), (0, 0)))
    assert game.winner == 0
    with pytest.raises(IllegalError, match="the match is over, 37 to 36"):
        game.deal()


def test_a_round_is_scored_only_when_it_is_over() -> None:
    with pytest.raises(IllegalError, match="trick 6 is being played"):
        Game().score(play_at_random(1, 22))


def test_a_monte_needs_a_poor_hand_before_the_first_card() -> None:
    game = Game(seed=0)
    poor = ITALIAN.parse("4d5d6d7d4c5c6c7c4s5s")
    rest = [card for card in ITALIAN if card not in poor]
    table = Round(hands=[poor, rest[:10], rest[10:20], rest[20:]])
    assert game.may_void(table, 0)
    assert not game.may_void(table, 1)
    assert not game.may_void(table.act("4d"), 0)
    assert not Game(Rules(a_monte=False)).may_void(table.undo(), 0)


def test_agents_send_a_monte_what_they_may_and_the_same_dealer_deals_again() -> None:
    games = [play(Game(seed=seed), create("greedy", AGENTS)) for seed in range(30)]
    voided = [game for game in games if game.deals > len(game.history)]
    assert voided
    for game in voided:
        assert game.dealer == (3 + len(game.history)) % 4


def test_only_the_usual_targets_are_played_to() -> None:
    with pytest.raises(UnreadableError, match="21, 31, 41, 51 points, got 30"):
        Game("tressette:target=30")
