from functools import cache

import numpy as np
import pytest

from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError
from mazzo.tressette.deals.sample import _one_by_one, count_deals, hold_counts, p_holds, sample_deals
from mazzo.tressette.deals.ways import VECTOR, constrain
from mazzo.tressette.view import View
from tests.tressette.situations import SITUATIONS, Ending, enumerate_ending, play_at_random

SWITCHES = [(False, False), (True, False), (True, True)]


def endings(n: int, cards: int, talk: bool = False) -> list[View]:
    return [play_at_random(seed, cards, talk=talk).view(seed % 4) for seed in range(n)]


@cache
def declared_endings(named: bool) -> list[View]:
    """Endings of deals in which somebody else declared: rarer, so searched for."""
    found = []
    for seed in range(250):
        table = play_at_random(seed, 29, named)
        if np.delete(table.row.declared[0], seed % 4, axis=0).any():
            found.append(table.view(seed % 4))
        if len(found) == 16:
            break
    return found


def assert_counts_are_the_enumeration(ending: Ending, napoli: bool, silence: bool) -> None:
    total, holds = hold_counts(ending.view.observe(), napoli, silence)
    assert total[0] == len(ending.deals)
    for place in range(3):
        for card in range(40):
            assert holds[0, place + 1, card] == sum(deal[place] >> card & 1 for deal in ending.deals)


@pytest.mark.parametrize(("napoli", "silence"), SWITCHES)
def test_counts_equal_a_brute_force_enumeration_of_random_endings(napoli: bool, silence: bool) -> None:
    for view in endings(20, 29):
        assert_counts_are_the_enumeration(enumerate_ending(view, napoli, silence), napoli, silence)


@pytest.mark.parametrize(("napoli", "silence"), SWITCHES)
def test_counts_equal_a_brute_force_enumeration_where_leaders_signal(napoli: bool, silence: bool) -> None:
    views = [view for view in endings(40, 29, talk=True) if view.row.owed[0, 1:].any()]
    assert len(views) > 5
    for view in views:
        assert_counts_are_the_enumeration(enumerate_ending(view, napoli, silence), napoli, silence)


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("napoli", "silence"), SWITCHES)
def test_counts_equal_a_brute_force_enumeration_where_others_declared(napoli: bool, silence: bool, named: bool) -> None:
    for view in declared_endings(named):
        assert_counts_are_the_enumeration(enumerate_ending(view, napoli, silence), napoli, silence)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: str(s["id"]))
@pytest.mark.parametrize("block", ["exact", "with_silence"])
def test_counts_and_chances_equal_the_reference(situation: dict, block: str) -> None:  # type: ignore[type-arg]
    reference = situation[block]
    if reference is None:
        assert "napoli" in situation["view"] or "bongioco" in situation["view"] or "corona" in situation["view"]
        return
    silence = block == "with_silence"
    observation = View.parse(situation["view"]).observe()
    assert count_deals(observation, silence, silence)[0] == reference["deals"]
    chances = p_holds(observation, silence, silence)[0]
    for *expected, cards in reference["p_holds"]:
        for card in ITALIAN.parse(cards):
            np.testing.assert_allclose(chances[1:, card], expected, rtol=0, atol=1e-12)


def test_at_the_first_lead_there_are_5_55e12_deals_and_silence_rules_some_out() -> None:
    view = View.parse("me 4d5d6d7d8d9d10d4c5c6c; lead me")
    total = count_deals(view.observe(), silence=False, napoli=False)[0]
    assert total == 5550996791340
    assert 0 < count_deals(view.observe())[0] < total


@pytest.mark.parametrize(("napoli", "silence"), SWITCHES)
def test_every_unseen_card_is_held_by_exactly_one_seat_in_every_deal(napoli: bool, silence: bool) -> None:
    for seed in range(60):
        table = play_at_random(seed, seed % 37)
        total, holds = hold_counts(table.observe(seed % 4), napoli, silence)
        unplayed = ~ITALIAN.mask(card for _, card in table.plays)
        for card in range(40):
            assert holds[0, :, card].sum() == (total[0] if unplayed >> card & 1 else 0)
        left = [len(table.hand((seed + place) % 4)) for place in range(4)]
        assert [row.sum() for row in holds[0]] == [n * total[0] for n in left]


def test_the_true_deal_is_never_ruled_out() -> None:
    for seed in range(100):
        table = play_at_random(seed, (7 * seed) % 40, named=bool(seed % 2))
        for place, chances in enumerate(p_holds(table.observe(seed % 4))[0]):
            assert all(chances[card] > 0 for card in table.hand((seed + place) % 4))


def talked_ending() -> View:
    return next(view for view in endings(40, 30, talk=True) if view.row.owed[0, 1:].any())


@pytest.mark.parametrize("view", [endings(3, 30)[2], talked_ending(), *declared_endings(False)[:2]], ids=str)
@pytest.mark.parametrize(("napoli", "silence"), SWITCHES)
def test_samples_are_even_over_all_consistent_deals(view: View, napoli: bool, silence: bool) -> None:
    deals = enumerate_ending(view, napoli, silence).deals
    n = 60 * len(deals)
    samples = sample_deals(view.observe(), n, 7, napoli, silence)
    assert (samples[:, 0] == ITALIAN.mask(view.hand())).all()
    found, times = np.unique(samples[:, 1:], axis=0, return_counts=True)
    assert {tuple(int(m) for m in row) for row in found} == set(deals)
    chi2 = float(((times - 60.0) ** 2 / 60.0).sum())
    freedom = len(deals) - 1
    assert chi2 < freedom + 5 * np.sqrt(2 * max(freedom, 1))


@pytest.mark.parametrize("situation", SITUATIONS[::8], ids=lambda s: str(s["id"]))
def test_samples_have_the_exact_chances(situation: dict) -> None:  # type: ignore[type-arg]
    observation = View.parse(situation["view"]).observe()
    n = 20_000
    samples = sample_deals(observation, n, 3)
    chances = p_holds(observation)[0]
    for place in range(4):
        share = np.array([(samples[:, place] >> card & 1).mean() for card in range(40)])
        error = np.sqrt(chances[place] * (1 - chances[place]) / n)
        assert (np.abs(share - chances[place]) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("view", [declared_endings(False)[0], talked_ending()], ids=str)
def test_dealing_cards_one_by_one_is_even_too(view: View) -> None:
    """The way samples are drawn where trying at random would hardly ever succeed."""
    observed, vector = view.observe(), np.empty(VECTOR, np.int64)
    constrain(
        observed.hand[0],
        observed.shown[0],
        observed.voids[0],
        observed.owed[0],
        observed.declared[0],
        observed.napoli[0],
        True,
        True,
        vector,
    )
    deals = enumerate_ending(view, True, True).deals
    drawn = [_one_by_one(vector, np.uint64(k * 7919)) for k in range(60 * len(deals))]
    times = np.array([drawn.count(deal) for deal in deals])
    assert times.sum() == len(drawn)
    assert ((times - 60.0) ** 2 / 60.0).sum() < len(deals) - 1 + 5 * np.sqrt(2 * len(deals))


def test_an_impossible_observation_has_no_deals_and_nothing_to_sample() -> None:
    observation = View.parse("me 4d5d6d7d8d9d10d4c5cAc; lead avv1").observe()
    observation.declared[0, 2, 0] = 4
    assert count_deals(observation)[0] == 0
    with pytest.raises(IllegalError, match="no deal"):
        sample_deals(observation, 1, 0)
    with pytest.raises(IllegalError, match="no deal"):
        p_holds(observation)
