from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.studies import vilella


def test_one_part_of_the_study_learns_a_hero_and_lets_it_play() -> None:
    task = next(t for t in vilella.tasks(full=False) if t.get("again"))
    small = {**task, "hands": 120, "play": 40, "settings": {"leaf": 10, "trees": 2, "iterations": 2}}
    result = vilella.run(small)
    assert result["seed"] == 33
    assert result["standard_error"] > 0
    assert vilella.run(small) == result


def test_the_full_form_has_five_seeds_of_every_row_and_both_kinds_of_random() -> None:
    tasks = [t for t in vilella.tasks(full=True) if t["figure"] == "5.1"]
    assert len(tasks) == 6 * 5 * 2
    assert {t["hands"] for t in tasks} == {5000}
    without = {t["label"] for t in vilella.tasks(full=True) if t["figure"] == "5.6"}
    assert len(without) == 11


def test_the_table_shows_the_texts_figures_in_blinds_beside_ours() -> None:
    rows = [
        {"figure": "5.1", "label": "n_min 30", "text": "23480", "opponent": "random", "seed": seed,
         "bb_per_hand": value, "standard_error": 0.1}
        for seed, value in ((1, 1.9), (2, 2.1))
    ]  # fmt: skip
    head, lines = vilella.table(rows)
    line = dict(zip(head, lines[0], strict=True))
    assert line["text, bb"] == "+0.78"
    assert line["ours, bb"] == "+2.000"
    assert line["95 %"] == "+- 0.196"
    assert line["of the bound"] == "82.0 % of 2.4384"


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
