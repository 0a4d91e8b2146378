from __future__ import annotations

from typing import Any

import pytest

from mazzo import blackjack, holdem, tressette
from mazzo.agent import Agent, create
from mazzo.errors import IllegalError, UnreadableError
from mazzo.games import find_decision
from mazzo.holdem.agents.ignores_cards import Call


def test_an_agent_with_the_old_names_of_its_methods_still_plays_and_is_told_the_new_ones() -> None:
    with pytest.warns(DeprecationWarning, match="is now called unsupported_reason"):

        class Old(Call):
            def refuses(self, game: Any) -> str:
                return "it plays chess"

    agent: Agent[Any] = Old()
    assert agent.unsupported_reason(None) == "it plays chess"


def test_observations_still_answer_to_the_old_name_of_their_random_keys() -> None:
    from mazzo.holdem.hand import Hand
    from mazzo.holdem.rules import find_game

    seen = Hand(find_game("holdem-limit-2p"), seed=1).observe()
    assert (seen.luck == seen.rng_key).all()


SITUATIONS = [
    ("holdem", "rich", "MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s"),
    ("holdem", "call", "game holdem-nolimit-2p; cards QsQd|; play r300"),
    ("blackjack", "basic", "8,8 v 10"),
    ("blackjack", "random", "deal 8,8 v A; plays leave"),
    ("tressette", "greedy", "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead me; play 3d 7d 8d 9d"),
]
DOORS: Any = {"holdem": holdem, "blackjack": blackjack, "tressette": tressette}


@pytest.mark.parametrize(("game", "name", "text"), SITUATIONS)
def test_a_situation_is_taken_as_text_as_the_command_line_takes_it(game: str, name: str, text: str) -> None:
    agent, (_, deal, seen) = DOORS[game].agent(name), find_decision(text)
    assert agent.decide(text) == agent.decide(deal) == agent.decide(seen)
    assert (agent.policy(text).p == agent.policy(seen).p).all()
    assert str(agent.explain(text)) == str(agent.explain(deal)) == str(agent.explain(seen))


def test_a_situation_of_another_game_or_of_other_rules_is_refused() -> None:
    with pytest.raises(IllegalError, match="rich is an agent of holdem, it cannot play blackjack"):
        holdem.agent("rich").explain("8,8 v 10")
    with pytest.raises(UnreadableError, match="agent 'balanced' cannot play holdem-limit-3p: "):
        holdem.agent("balanced").explain(holdem.Hand("holdem-limit-3p", seed=1))
    with pytest.raises(UnreadableError, match="a hand against an upcard is written like 8,8 v 10"):
        blackjack.agent("basic").explain("8,8")
    hand = holdem.Hand("holdem-limit-2p", seed=1).act("f")
    with pytest.raises(IllegalError, match="the hand is over"):
        holdem.agent("rich").explain(hand)
    with pytest.raises(UnreadableError, match="the hand is over"):
        holdem.agent("rich").explain(hand.text())


def test_an_agent_that_sees_all_cards_is_asked_with_the_whole_deal() -> None:
    from mazzo.tressette.agents import AGENTS

    deal = tressette.Round(seed=1)
    cheat = create("cheat", AGENTS, allow_cheats=True)
    assert str(cheat.explain(deal.text())) == str(cheat.explain_open(deal, deal.observe()))
