from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.bets.estimate import Figures, depth_figures, plain_figures, shoe_figures
from mazzo.blackjack.bets.shoes import fast_values, play_shoes, random_depths
from mazzo.blackjack.documents.best_first import best_first
from mazzo.blackjack.documents.traversal_value import merged_compositions, value_after
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


def test_thirteen_ranks_with_tens_as_one_are_the_ten_of_blackjack() -> None:
    gone, chances, visited = merged_compositions(QUICK, 4, 1.0)
    expected = {
        tuple(row): p
        for rows, block in best_first(shoe_of(QUICK).counts, 4)
        for row, p in zip(rows.tolist(), block.tolist(), strict=True)
    }
    assert {tuple(row): p for row, p in zip(gone.tolist(), chances.tolist(), strict=True)} == pytest.approx(expected)
    assert visited == 1820


def test_a_sampled_traversal_agrees_with_the_whole() -> None:
    whole = value_after(QUICK, 2, mass=1, exact=55)
    part = value_after(QUICK, 2, mass=1, exact=30, seed=1)
    assert (whole.exact, part.exact) == (55, 30)
    for name in ("positive", "negative"):
        one, other = getattr(whole, name), getattr(part, name)
        assert abs(one.mean - other.mean) <= 4 * other.standard_error
    with pytest.raises(UnreadableError, match="cards must be 0 to 16"):
        value_after(QUICK, 17)


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
