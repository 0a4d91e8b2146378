from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mazzo.holdem.cloning.stored import frame_of, read_frame, write_frame
from mazzo.studies import kischka, kischka_j48, kischka_j48_rows
from mazzo.studies.kischka_data import data_of

HANDS = 300

PRINTED = """
Number of Leaves  : \t7

Size of the tree : \t13

=== Error on training data ===

Correctly Classified Instances       16503               98.31 %
Total Number of Instances            16786

=== Error on test data ===

Correctly Classified Instances        8500               98.3  %
Total Number of Instances             8647
"""


def test_what_weka_prints_is_read() -> None:
    assert kischka_j48._read(PRINTED, "") == (13, 7, 16503, 8647, 8500)
    with pytest.raises(kischka_j48.WekaError, match="out of memory"):
        kischka_j48._read("", "out of memory")


def test_the_printed_rule_is_what_rich_plays_on_every_street() -> None:
    for rows in data_of("rich", HANDS, 7):
        at = [column.name for column in rows.columns].index("ALL_IN_EQUITY")
        assert np.array_equal(kischka_j48.by_the_rule(rows, rows.x[:, at]), rows.y)


def test_sampled_equities_move_few_decisions_and_those_near_a_threshold() -> None:
    for rows in data_of("rich", HANDS, 7):
        moved = kischka_j48.sampled(rows, 1)
        names = [column.name for column in rows.columns]
        one, other = (each.x[:, names.index("ALL_IN_EQUITY")] for each in (rows, moved))
        assert np.abs(one - other).max() < 0.04, "eight standard errors of 10,000 deals"
        assert 0 < (moved.y != rows.y).mean() < 0.08
        assert np.array_equal(kischka_j48.sampled(rows, 1).x, moved.x, equal_nan=True)
        if rows.street == 3:
            alone = rows.x[:, names.index("ACTIVE_PLAYER_COUNT")] <= 2
            assert np.array_equal(one[alone], other[alone]), "against one opponent the river is counted"


def test_rows_go_to_arff_and_come_back(tmp_path: Path) -> None:
    rows = data_of("rich", HANDS, 7)[1]
    frame = frame_of(rows)
    keyed = frame.with_columns(CARD_SET=0, MATCH=0, HAND=0)
    write_frame(keyed, tmp_path / "flop.arff", "FLOP", keyed)
    again = read_frame(tmp_path / "flop.arff")
    for name in ("HAND_TYPE", "FLOP_ACTION", "CLASS_HERO_ACTION_TAKEN"):
        assert again[name].to_list() == frame[name].to_list()
    assert np.array_equal(again["POT_SIZE"].cast(float).to_numpy(), frame["POT_SIZE"].to_numpy())


def test_without_weka_a_part_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kischka_j48, "weka_jar", lambda: None)
    task = next(t for t in kischka.tasks(full=True) if t["figure"] == "7.1")
    result = kischka.run({**task, "hands": HANDS})
    assert "mazzo[weka]" in result["skipped"]
    assert [row.verdict for row in kischka.rows([result])] == ["not done"]


@pytest.mark.skipif(kischka_j48.weka_jar() is None, reason="Weka's jar and Java are not here")
def test_weka_learns_the_rule_of_rich_back() -> None:
    rows = data_of("rich", HANDS, 7)[0]
    trees = kischka_j48.shared(rows, 0.66, 7)
    assert trees is not None
    assert all(tree.right_trained / tree.trained > 0.98 for tree in trees)
    assert all(tree.leaves < tree.size < 60 for tree in trees)


def test_only_trees_of_sampled_equities_are_held_against_the_printed_ones() -> None:
    tree = kischka_j48.J48(16_786, 13, 7, 16_503, 8_647, 8_500)
    common = {"figure": "7.1", "hero": "rich", "street": 0, "share": 0.66, "trees": [tree._asdict()] * 7}
    found = kischka_j48_rows.rows([{**common, "equities": "sampled"}])
    assert [row.verdict for row in found] == ["agrees", "undecided"]
    assert found[1].ours == "1.69"
    assert {row.verdict for row in kischka_j48_rows.rows([{**common, "equities": "exact"}])} == {"not comparable"}
