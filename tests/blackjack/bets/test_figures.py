from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.bets.estimate import Figures, depth_figures, plain_figures, shoe_figures
from mazzo.blackjack.bets.shoes import fast_values, play_shoes, random_depths
from mazzo.blackjack.documents.traversal_value import AfterCards, Starts, starts, together, value_after, values_after
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.informed import informed_ev
from mazzo.blackjack.shoe import shoe_of
from mazzo.errors import IllegalError, UnreadableError
from mazzo.statistics import Moments

HUNGARIAN = PRESETS["hungarian"]
QUICK = PRESETS["strip"].changed(max_hands=1, double_after_split=False)  # without splits a value is ten times faster


def test_one_card_gone_is_worth_the_published_figures() -> None:
    found = value_after(HUNGARIAN, 1, mass=1, informed=True)
    assert found.combinations == 13
    assert found.compositions == found.exact == 10
    assert found.positive.mean == 0
    assert f"{found.negative.mean:.9f}" == "-0.001990383"
    assert found.negative.standard_error == 0


def test_splits_at_their_best_at_every_level_are_worth_a_little_more() -> None:
    shoe = Shoe.parse("6d-7,8,2,8,3,5,2")
    assert f"{informed_ev(HUNGARIAN, shoe):.9f}" == "0.002103215"
    assert 0 < informed_ev(HUNGARIAN, shoe) - analyse(HUNGARIAN, shoe).ev < 1e-6
    with pytest.raises(IllegalError, match="max_hands"):
        informed_ev(QUICK)


def test_combinations_are_counted_of_thirteen_ranks_where_tens_are_one() -> None:
    assert [value_after(QUICK, k, 1.0, 100).combinations for k in (1, 2)] == [13, 91]
    found = value_after(QUICK, 4, 1.0, 2, control="linear")
    assert (found.combinations, found.compositions) == (1820, 715)


def test_a_sampled_traversal_agrees_with_the_whole() -> None:
    whole = value_after(QUICK, 2, mass=1, exact=55)
    part = value_after(QUICK, 2, mass=1, exact=30, seed=1)
    assert (whole.exact, part.exact) == (55, 30)
    for name in ("positive", "negative"):
        one, other = getattr(whole, name), getattr(part, name)
        assert abs(one.mean - other.mean) <= 4 * other.standard_error
    with pytest.raises(UnreadableError, match="cards must be 0 to 292"):
        value_after(QUICK, 293)


@pytest.mark.parametrize("control", ["infinite", "linear", "plain"])
def test_neither_the_evaluator_nor_the_end_of_the_walk_leaves_a_bias(control: str) -> None:
    rules = QUICK.changed(decks=1)
    whole = value_after(rules, 3, mass=1, exact=300)
    assert whole.negative.standard_error == 0
    for mass in (0.4, 0.9):
        part = value_after(rules, 3, mass, exact=60, seed=2, control=control)
        assert mass - 0.05 < part.mass < 1
        for name in ("positive", "negative"):
            one, other = getattr(whole, name), getattr(part, name)
            assert abs(one.mean - other.mean) <= 5.5 * other.standard_error
        assert part.left[1].mean < 0 < part.left[0].mean


def test_what_a_long_walk_leaves_is_sampled() -> None:
    far, near = (value_after(HUNGARIAN, 11, mass, 2, seed=1, control="linear") for mass in (0.3, 0.95))
    assert far.left[0].mean > near.left[0].mean > 0
    for k, name in enumerate(("positive", "negative")):
        gap = (getattr(far, name).mean + far.bias[k]) - (getattr(near, name).mean + near.bias[k])
        assert abs(gap) < 6 * np.hypot(far.left[k].standard_error, near.left[k].standard_error)


def test_all_numbers_of_cards_together_weigh_by_the_rounds_that_begin_there(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    options: dict[str, Any] = {"mass": 0.9, "exact": 2, "control": "linear"}
    found = list(values_after(QUICK, [4, 5], checkpoint=kept, **options))
    assert list(values_after(QUICK, [4, 5], checkpoint=kept, **options)) == found
    one, other = found
    whole = together(found, Starts(np.array([0, 0, 0, 0, 0.25, 0.75]), np.zeros(0, np.int64), np.zeros(0, np.int64)))
    assert whole.positive.mean == pytest.approx(0.25 * one.positive.mean + 0.75 * other.positive.mean)
    assert whole.negative.standard_error == pytest.approx(
        np.hypot(0.25 * one.negative.standard_error, 0.75 * other.negative.standard_error)
    )
    assert whole.rounds == 1
    with pytest.raises(UnreadableError, match="no round begins"):
        together([AfterCards(1, 0, 0, 0, 0, one.positive, one.negative)], Starts(np.zeros(2), *[np.zeros(0, int)] * 2))


def test_chances_of_a_round_are_those_of_played_shoes_or_of_the_cut_card() -> None:
    rounds = starts(QUICK, "rounds", range(41), shoes=400, seed=3)
    assert rounds.chances[0] == 1
    assert (rounds.chances[1:3] == 0).all()
    assert 0.05 < rounds.chances[30] < 0.5  # a round takes five or six cards
    cut = starts(HUNGARIAN, "cut", [234, 300])
    assert cut.chances[234] == 0.5
    assert cut.chances[300] < 1e-9
    with pytest.raises(UnreadableError, match="weights must be one of"):
        starts(QUICK, "all", [3])


def test_a_biased_evaluator_only_puts_rounds_on_the_wrong_side() -> None:
    good = _shoe_figures()
    plain = _shoe_figures(control="plain")
    assert good.held is not None
    assert plain.held is not None
    for figures in (good, plain):  # the two sides together are all rounds
        assert figures.held is not None
        both = figures.held[0].mean + figures.held[1].mean
        assert both == pytest.approx(good.positive.mean + good.negative.mean, abs=1e-3)
    assert plain.held[0].mean < good.held[0].mean


def test_figures_by_two_guesses_and_by_none_agree() -> None:
    first = depth_figures(QUICK, 200, 20_000, 100, seed=1, blocks=10)
    second = depth_figures(QUICK, 200, 20_000, 100, seed=2, blocks=10, control="linear")
    plain = plain_figures(QUICK, 200, 100, seed=3)
    for k, name in enumerate(("positive", "negative")):
        for other in (getattr(second, name), plain[k]):
            one = getattr(first, name)
            assert abs(one.mean - other.mean) < 4 * np.hypot(one.standard_error, other.standard_error)
        assert getattr(first, name).standard_error < plain[k].standard_error / 3
    assert first.rounds == 20_000
    assert first.exact == 100
    assert sum(line["rounds"] for line in first.by_depth) == 20_000


def _shoe_figures(**options: object) -> Figures:
    return shoe_figures(QUICK, 40, 10, seed=5, blocks=10, **options)  # type: ignore[arg-type]


def test_figures_do_not_depend_on_workers_and_go_on_where_they_stopped(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    whole = _shoe_figures(checkpoint=kept)
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[:5]))
    asked: list[float] = []
    again = _shoe_figures(checkpoint=kept, advance=asked.append)
    assert again == whole == _shoe_figures(workers=2)
    assert len(asked) == 10
    assert whole.won is not None
    with pytest.raises(UnreadableError, match="belongs to other work"):
        shoe_figures(QUICK, 40, 10, seed=6, blocks=10, checkpoint=kept)


def test_a_played_shoe_depends_on_its_number_alone() -> None:
    some, all_of_them = play_shoes(QUICK, range(3, 5), seed=2), play_shoes(QUICK, range(6), seed=2)
    mine = (all_of_them.shoe == 3) | (all_of_them.shoe == 4)
    np.testing.assert_array_equal(some.counts, all_of_them.counts[mine])
    np.testing.assert_array_equal(some.won, all_of_them.won[mine])


def test_more_seats_mean_fewer_rounds_and_the_same_game() -> None:
    alone, full = play_shoes(QUICK, range(200), seed=1), play_shoes(QUICK, range(200), seed=1, seats=7)
    assert len(full.won) < len(alone.won) / 2.5
    assert abs(Moments.of(full.won).mean - alone.won.mean()) < 5 * alone.won.std() / np.sqrt(len(full.won))
    assert full.cards.min() >= 312 * 0.25 - 60
    with pytest.raises(UnreadableError, match="1 to 7 seats"):
        play_shoes(QUICK, range(1), seats=8)


def test_rounds_at_random_depths_have_the_right_number_of_cards() -> None:
    rounds = random_depths(QUICK, range(20_000), 200, seed=1)
    gone = 312 - rounds.cards
    assert gone.min() == 0
    assert gone.max() == 200
    assert gone.mean() == pytest.approx(100, abs=2)
    fresh = rounds.counts[gone == 0]
    assert (fresh == shoe_of(QUICK).array()).all()
    assert fast_values(QUICK, fresh) == pytest.approx(analyse(QUICK).ev, abs=1e-12)
    tens = rounds.counts[:, 9] / rounds.cards
    assert tens.mean() == pytest.approx(4 / 13, abs=0.001)
    with pytest.raises(UnreadableError, match="deep"):
        random_depths(QUICK, range(1), 312)
