from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import online
from mazzo.holdem.solver import ignores_cards as br
from mazzo.studies import vilella


def quick(figure: str, **changes: Any) -> dict[str, Any]:
    task = next(t for t in vilella.tasks(full=False) if t["figure"] == figure)
    small = {"hands": 120, "play": 40, "settings": {"leaf": 10, "trees": 2, "iterations": 2}}
    return {**task, **small, **changes}


def hero(seed: int, value: float, figure: str = "5.1", x: Any = 30, **more: Any) -> dict[str, Any]:
    """A made-up result of learning a hero."""
    return {
        "kind": "hero",
        "figure": figure,
        "x": x,
        "opponent": "random:free_fold=true",
        "seed": seed,
        "hands": 5000,
        "play": 40_000,
        "bb_per_hand": value,
        "standard_error": 0.1,
        "residuals": [40.0, 30.0, 25.0],
        **more,
    }


@pytest.mark.parametrize("figure", ["again", "log", "5.5 both", "5.6"])
def test_a_part_of_the_study_gives_the_same_when_done_again(figure: str) -> None:
    result = vilella.run(quick(figure))
    assert result["seed"] == 33
    assert result["standard_error"] > 0
    vilella._decisions.cache_clear()
    assert vilella.run(quick(figure)) == result


def test_a_hero_is_judged_from_its_log_beside_the_arena() -> None:
    result = vilella.run(quick("log"))
    row = next(r for r in vilella.rows([result]) if "log alone" in r.what)
    assert f"{result['from_log']:+.3f}" in row.ours
    assert f"{result['bb_per_hand']:+.3f}" in row.ours
    assert result["from_log_error"] > 0


def test_the_full_form_has_five_seeds_of_every_row_and_both_kinds_of_random() -> None:
    tasks = [t for t in vilella.tasks(full=True) if t["figure"] == "5.1"]
    assert len(tasks) == 6 * 5 * 2
    assert {t["hands"] for t in tasks} == {5000}
    without = {t["x"] for t in vilella.tasks(full=True) if t["figure"] == "5.6"}
    assert len(without) == 11
    assert sum(t["figure"] == "bound" for t in vilella.tasks(full=True)) == 2


def test_no_hero_is_learned_twice() -> None:
    keys = ("opponent", "seed", "settings", "again", "both", "hands", "other_data", "repetition")
    heroes = [repr([t.get(k) for k in keys]) for t in vilella.tasks(full=True) if t["kind"] == "hero"]
    assert len(set(heroes)) == len(heroes)


def test_the_bound_is_what_the_best_response_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        br, "_work_out", lambda chances, progress: br.BestResponse(1.0 + chances[2], 0.5, 1.5, [[0.0] * 169] * 2)
    )
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    bounds = [vilella.run(t) for t in vilella.tasks(full=True) if t["figure"] == "bound"]
    assert {r["opponent"]: r["bound"] for r in bounds} == {"random": 1.0, "random:free_fold=true": 2.0}
    rows = vilella.rows([*bounds, hero(1, 0.5)])
    assert "25 % of 2.0000" in rows[0].ours


def test_a_row_has_the_texts_figure_in_blinds_beside_ours_over_seeds() -> None:
    row = vilella.rows([hero(1, 1.9), hero(2, 2.1)])[0]
    assert "23480 chips = +0.78 bb/hand" in row.text
    assert "+2.000" in row.ours
    assert row.interval.startswith("± 1.271 (2 seeds")  # Student's 12.706 at one degree of freedom, 0.1 the error
    assert row.where == "figure 5.1, p. 38, line 715"
    assert row.verdict == "undecided"  # two seeds say little


def test_a_row_differs_where_chance_does_not_explain_it() -> None:
    results = [hero(seed, 2.0 + 0.01 * seed) for seed in range(5)]
    assert vilella.rows(results)[0].verdict == "differs"
    near = [hero(seed, 0.77 + 0.005 * seed, standard_error=0.001) for seed in range(5)]
    assert vilella.rows(near)[0].verdict == "agrees"
    wide = [hero(seed, 0.77 + 0.005 * seed) for seed in range(5)]
    assert vilella.rows(wide)[0].verdict == "undecided", "a block of 3,000 hands of such spread says little"
    other = [{**result, "opponent": "random"} for result in near]
    assert vilella.rows(other)[0].verdict == "not comparable"


def test_a_hero_learned_for_one_figure_stands_in_the_others() -> None:
    results = [hero(33, 1.6, "5.3", 10), hero(33, 1.5, "5.1 exact", 20)]
    what = [row.what for row in vilella.rows(results)]
    assert any(w.startswith("5.1: n_min 10, exact PV") for w in what)
    assert any(w.startswith("5.4: 100 trees") for w in what)


def test_charts_show_ours_the_text_and_the_bound() -> None:
    bound = {"kind": "bound", "figure": "bound", "opponent": "random:free_fold=true", "bound": 2.4}
    results = [hero(33, 1.5, x=4), hero(33, 1.9), hero(33, 1.6, "5.3", 10), bound]
    found = {chart.title: chart for chart in vilella.charts(results)}
    first = found["figure 5.1, against random:free_fold=true"]
    assert [s.label for s in first.series][:2] == ["sampled PV", "the document, sampled PV"]
    assert list(first.series[0].x) == [4, 30]
    assert first.references == [("the most that can be won", 2.4)]
    assert "figure 5.3, against random:free_fold=true" in found


def test_bellman_residuals_are_drawn_as_the_mean_over_seeds() -> None:
    results = [hero(1, 1, "5.1 exact", 20), hero(2, 1, "5.1 exact", 20, residuals=[20.0, 10.0, 5.0])]
    chart = next(c for c in vilella.charts(results) if c.title.startswith("Bellman"))
    assert list(chart.series[0].y) == [30.0, 20.0, 15.0]


def test_bandits_give_a_row_and_a_curve_of_every_way() -> None:
    task = {**next(t for t in vilella.tasks(full=False) if t["figure"] == "2.6-2.7"), "runs": 100}
    result = vilella.run(task)
    rows, chart = vilella.rows([result]), vilella.charts([result])[0]
    assert [row.verdict for row in rows] == ["added", "agrees", "agrees", "agrees"]
    assert [s.label for s in chart.series] == ["random", "epsilon 0.01", "epsilon 0.1", "softmax 0.05"]
    assert np.all(np.diff(chart.series[0].x) > 0)


def test_a_hero_that_goes_on_learning_notices_the_switch_and_nothing_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = online.trees_with_weights(20, rate=0.25)
    monkeypatch.setattr(online, "trees_with_weights", lambda: small)
    task = next(t for t in vilella.tasks(full=True) if t["figure"] == "online")
    assert task["switch"] == 5000
    shorter = {"opponents": ["random", "fold"], "hands": 3200, "switch": 2400, "every": 400, "batch": 400}
    result = vilella.run({**task, **shorter})
    assert result["noticed"]
    assert min(result["noticed"]) > 2400
    row, chart = vilella.rows([result])[0], vilella.charts([result])[0]
    assert f"noticed {result['noticed'][0] - 2400} hands later, 0 false alarms" in row.ours
    assert list(chart.series[0].x)[-1] == 3200


def test_alarms_power_and_delay_of_the_detector_are_counted_over_seeds() -> None:
    task = next(t for t in vilella.tasks(full=False) if t["figure"] == "noticing")
    told = [[500, 2500], [], [3000, 3500]]
    result = {**task, "switch": 2000, "hands": 4000, "seeds": 3, "noticed": told}
    row = vilella.rows([result])[0]
    assert "16.67 false alarms in 100,000 hands" in row.ours, "one before the change, one after it was noticed"
    assert "noticed 2 of 3, after 750 hands (median; 500 to 1000)" in row.ours
    assert vilella.charts([result]) == []


def test_a_missing_attribute_is_compared_with_all_eleven() -> None:
    against = {"opponent": "chart"}
    results = [hero(seed, 0.6, "5.5", 300, **against) for seed in range(5)]
    results += [hero(seed, 0.2 + seed / 100, "5.6", "stage", **against) for seed in range(5)]
    row = next(r for r in vilella.rows(results) if "without stage" in r.what)
    assert row.verdict == "not comparable", "the bot that Vilella played against is not public"
    assert "costs +0.380" in row.why
    assert "difference +0.38 ±" in row.as_dict()["why"]


def test_studies_are_listed_and_what_does_not_exist_is_named(tmp_path: Path) -> None:
    listed = CliRunner().invoke(mazzo, ["study", "list"], catch_exceptions=False)
    assert "vilella" in listed.stdout
    for words, message in (
        (["study", "run", "vilela"], "did you mean 'vilella'"),
        (["study", "run", "vilella", "--figures", "9.9"], "no figure '9.9'"),
        (["study", "report", "vilella", "-o", str(tmp_path / "none.jsonl")], "run the study first"),
    ):
        with pytest.raises(UnreadableError, match=message):
            CliRunner().invoke(mazzo, words, catch_exceptions=False)
