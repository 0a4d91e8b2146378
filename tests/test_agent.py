from __future__ import annotations

from typing import Any

import pytest

from mazzo.agent import Agent
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
