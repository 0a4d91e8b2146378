from __future__ import annotations

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.arena.by_name import match
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, UnreadableError
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.deals.sample import sample_deals
from mazzo.tressette.evaluation import points_of_deals
from mazzo.tressette.solver.values import card_values
from mazzo.tressette.view import View
from tests.tressette.situations import enumerate_ending, play_at_random


def test_outcomes_of_a_deal_are_the_solvers_values_in_whole_points() -> None:
    for seed, cards in ((1, 20), (2, 25), (3, 30), (4, 39)):
        table = play_at_random(seed, cards)
        hands = np.roll(table.row.hands[0], -(table.turn or 0))[None, :]
        points = points_of_deals(table.observe(), hands, 6)[0]
        taken = table.thirds[(table.turn or 0) % 2]
        expected = {card: (taken + value) // 3 for card, value in card_values(table.row).items()}
        assert {card: int(points[card]) for card in table.legal.cards} == expected
        assert (points >= 0).sum() == len(table.legal)


def test_late_in_a_round_the_sampler_finds_the_average_over_all_deals() -> None:
    table = play_at_random(3, 28)
    view = table.view(table.turn)
    deals = enumerate_ending(view, True, True).deals
    exact = np.zeros(40)
    for deal in deals:
        hands = np.array([[ITALIAN.mask(view.hand()), *deal]])
        exact += points_of_deals(view.observe(), hands, 6)[0] / len(deals)
    for option in create("sampler:samples=400", AGENTS).explain(view.observe()).options:
        assert option.value is not None
        assert option.standard_error is not None
        expected = 2 * exact[ITALIAN.card(option.action)] - 11
        assert abs(option.value - expected) <= 4 * option.standard_error + 1e-9


def test_cards_next_to_each_other_in_hand_have_the_same_value() -> None:
    view = View.parse("me 4d 5d 6d 8d 9d 4c 7c As 2s 3s; lead me")
    options = {o.action: o.value for o in create("sampler:samples=3,full=3", AGENTS).explain(view.observe()).options}
    assert options["4d"] == options["5d"] == options["6d"]
    assert options["8d"] == options["9d"]
    assert options["2s"] == options["3s"]


def test_with_time_instead_of_samples_more_deals_are_drawn() -> None:
    seen = play_at_random(5, 26)
    why = create("sampler:samples=1,seconds=0.02", AGENTS).explain(seen.observe())
    assert int(why.facts["deals sampled"] or 0) > 1


def test_budgets_that_make_no_sense_are_refused() -> None:
    for name in ("sampler:samples=0", "sampler:full=11", "sampler:seconds=-1", "reader:pool=0", "reader:trust=-1"):
        with pytest.raises(UnreadableError, match="from"):
            create(name, AGENTS)


def test_a_sampler_beats_greedy() -> None:
    assert match("tressette", ["sampler:samples=3,full=4", "greedy"], deals=12, seed=1).first.mean > 0


def test_a_cheat_must_be_allowed_and_never_takes_an_observation() -> None:
    with pytest.raises(UnreadableError, match="'cheat' sees all cards: it plays only where"):
        match("tressette", ["cheat", "random"], deals=1)
    with pytest.raises(UnreadableError, match="'cheat' sees all cards: it plays only where"):
        create("cheat", AGENTS)
    cheat = create("cheat:full=5", AGENTS, allow_cheats=True)
    seen = play_at_random(1, 20)
    with pytest.raises(IllegalError, match="--allow-cheats"):
        cheat.decide(seen.observe())
    with pytest.raises(IllegalError, match="--allow-cheats"):
        cheat.explain(seen.observe())


def test_a_cheat_wins_by_much() -> None:
    result = match("tressette", ["cheat:full=5", "random"], deals=15, seed=2, allow_cheats=True)
    assert result.first.ci95[0] > 3


# --- the reader ----------------------------------------------------------------------------------------------------


def test_a_reader_without_trust_draws_like_a_sampler() -> None:
    """With trust 0 all weights are equal and every pool-th deal is kept."""
    table = play_at_random(6, 22)
    seen = table.observe()
    reader = create("reader:trust=0,pool=4,samples=5", AGENTS)
    kept = reader._deals(seen, 5, 9)  # type: ignore[attr-defined]  # Reader
    many = sample_deals(seen, 20, 9).tolist()
    assert [many.index(deal) // 4 for deal in kept.tolist()] == list(range(5))
