"""The tree search: legal, repeatable, right where the answer is known, and better than chance."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError
from mazzo.tressette import Round, agent
from mazzo.tressette.evaluation import points_of_deals
from tests.tressette.situations import enumerate_ending, play_at_random


@pytest.mark.parametrize("wrong", ["walks=0", "seconds=-1", "seconds=inf", "explore=nan", "full=8", "trust=-1"])
def test_settings_out_of_bounds_are_refused(wrong: str) -> None:
    with pytest.raises(UnreadableError):
        agent(f"search:{wrong}")


def test_the_same_situation_and_key_give_the_same_card_alone_and_in_a_batch() -> None:
    player = agent("search:walks=100")
    table = play_at_random(3, 9)
    alone = player.decide(table.observe())
    both = table.observe()[np.array([0, 0])]
    assert player.decide(both).tolist() == [alone[0], alone[0]]
    assert player.explain(table.observe()).action == str(ITALIAN.cards(alone)[0])


def test_whole_rounds_are_played_with_legal_cards() -> None:
    for name in ("search:walks=60", "search:walks=60,full=0", "search:walks=60,trust=1", "search:seconds=0.001"):
        round_ = Round(seed=5)
        while round_.turn is not None:
            round_.act(agent(name))
        assert sum(round_.points) == 11


def test_with_one_deal_possible_the_search_finds_the_solvers_value() -> None:
    """Late in a round, where nothing is hidden any more, the most visited card is one of the best with open hands."""
    checked = 0
    for seed in range(120):
        table = play_at_random(seed, 32 + seed % 2)
        view = table.view(table.turn)
        deals = enumerate_ending(view, True, True).deals
        if len(deals) != 1 or len(table.legal) < 2:
            continue
        hands = np.array([[ITALIAN.mask(view.hand()), *next(iter(deals))]])
        points = points_of_deals(view.observe(), hands, 6)[0]
        chosen = int(agent("search:walks=4000,explore=1").decide(view.observe())[0])
        assert points[chosen] == max(points[card] for card in table.legal)
        checked += 1
    assert checked >= 2
