from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.blackjack import PRESETS, Shoe, analyse
from mazzo.blackjack.counting.decisions import reach
from mazzo.blackjack.counting.drill import Drill
from mazzo.blackjack.counting.effects import best_tags, betting_correlation, effects_of_removal, slopes
from mazzo.blackjack.counting.indices import index_plays
from mazzo.blackjack.counting.systems import COUNTS, read_count
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError

STRIP = PRESETS["strip"]


def run(*words: str, text: str | None = None) -> str:
    result = CliRunner().invoke(mazzo, ["blackjack", *words], input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_effects_of_removal_of_six_decks_are_the_published_ones() -> None:
    percent = 100 * effects_of_removal(STRIP).effects
    assert [f"{percent[rank]:.4f}" for rank in (0, 4, 9)] == ["-0.0945", "0.1263", "-0.0831"]


def test_hi_los_betting_correlation_is_the_published_one() -> None:
    effects = effects_of_removal(STRIP).effects
    assert f"{betting_correlation(COUNTS['hi-lo'].tags, effects):.4f}" == "0.9625"
    assert betting_correlation(effects, effects) == pytest.approx(1)
    assert betting_correlation(-effects, effects) == pytest.approx(-1)


def test_the_best_tags_are_no_worse_than_any_others() -> None:
    effects = effects_of_removal(STRIP).effects
    assert best_tags(effects, 1, balanced=True).tags == COUNTS["hi-lo"].tags
    assert best_tags(effects, 1).tags == COUNTS["ko"].tags
    chance = np.random.default_rng(1)
    for level in (1, 2):
        best = betting_correlation(best_tags(effects, level).tags, effects)
        for tags in chance.integers(-level, level + 1, (3000, 10)):
            assert len(set(tags.tolist())) == 1 or betting_correlation(tags, effects) <= best + 1e-12


def test_index_plays_of_hi_lo_are_the_known_ones() -> None:
    known = {
        "insurance": 3, "10,6 v T": 0, "10,5 v T": 4, "10,2 v 3": 2, "10,2 v 2": 3, "7,4 v A": 1, "5,4 v 2": 1,
        "6,4 v A": 4, "5,4 v 7": 3, "10,6 v 9": 5, "10,3 v 2": -1, "10,2 v 4": 0, "10,2 v 5": -2, "10,2 v 6": -1,
        "10,3 v 3": -2, "T,T v 5": 5, "T,T v 6": 4, "6,4 v T": 4,
    }  # fmt: skip
    found = {play.situation: play.index for play in index_plays(STRIP, COUNTS["hi-lo"])}
    assert set(found) == set(known)
    for situation, index in known.items():
        value = found[situation]
        assert value is not None
        assert abs(value - index) < 1, situation


def test_an_index_that_surrender_or_the_shoe_keeps_out_of_reach_is_never() -> None:
    rules = PRESETS["hungarian"].changed(max_hands=1, double_after_split=False, resplit_aces=False)
    found = {play.situation: play for play in index_plays(rules, COUNTS["hi-lo"])}
    assert found["10,5 v T"].index is None
    assert found["10,5 v T"].instead == "surrender"
    assert found["10,2 v 3"].index is not None
    indices = [play.index for play in found.values() if play.index is not None]
    assert max(map(abs, indices)) < reach(rules, COUNTS["hi-lo"]) < 25
    quick = ("--set", "max_hands=1", "--set", "double_after_split=false", "--set", "resplit_aces=false")
    assert "never" in run("count", "--rules", "hungarian", *quick, "--indices")


def test_a_count_is_read_by_name_or_by_its_tags() -> None:
    assert read_count("Hi-Lo").imbalance == 0
    assert read_count("ko").imbalance == 4
    assert read_count("-1,1,1,1,1,1,0.5,0,0,-1").tags[6] == 0.5
    for wrong in ("hi-low", "1,2,3", "1,1,1,1,1,1,1,1,1,1"):
        with pytest.raises(UnreadableError, match="count"):
            read_count(wrong)


def test_the_count_command_rates_counts_and_gives_indices() -> None:
    data = json.loads(run("count", "--count=-1,1,1,1,1,1,1,0,0,-1", "--indices", "--json"))
    rated = {count["name"]: count for count in data["counts"]}
    assert rated["yours"]["betting_correlation"] == pytest.approx(0.9675, abs=1e-4)
    assert len(data["indices"]) == 18
    assert "betting correlation" in run("count", "--indices")


def test_a_drill_deals_a_whole_shoe_and_knows_the_count() -> None:
    practice = Drill(COUNTS["hi-lo"], decks=1, handful=13, seed=3)
    seen = " ".join(practice.deal() for _ in range(4))
    assert sorted(seen.replace(" ", "")) == sorted("A23456789TTTT" * 4)
    assert practice.running == 0
    assert practice.over


def test_a_drill_in_the_terminal_says_what_was_right() -> None:
    practice = Drill(COUNTS["hi-lo"], seed=7)
    practice.deal()
    first = f"{practice.running:g}"
    text = run("drill", "--seed", "7", "--groups", "3", text=f"{first}\nwhat\n99\nq\n")
    assert "right" in text
    assert "cannot read 'what'" in text
    assert "no: " in text
    assert "1 of 2 right (50 %)" in text


def test_a_drill_ends_quietly_when_input_ends() -> None:
    assert "right" not in run("drill", text="")
    assert "0 of 1 right" in run("drill", "--true", text="99\n")


def test_betting_commands_give_their_figures() -> None:
    quick = ("--set", "max_hands=1", "--set", "double_after_split=false")
    data = json.loads(run("bet", *quick, "--shoes", "200", "--max", "400", "--json"))
    assert data["won_a_round"] > 0
    assert 0 < data["risk_of_ruin"] < 1
    text = run("bet", *quick, "--staking", "ramp", "--ramp", "0:10,2:100")
    assert "SCORE" in text
    assert "N0" in run("bet", *quick, "--shoes", "60", "--staking", "kelly", "--fraction", "0.5")
    data = json.loads(run("shoes", *quick, "--shoes", "40", "--exact", "40", "--json"))
    assert data["positive"]["mean"] > 0 > data["negative"]["mean"]
    text = run("shoes", *quick, "--depth", "150", "--rounds", "4000", "--exact", "40")
    assert "break-even ratio" in text


def test_the_other_commands_run() -> None:
    data = json.loads(run("independent", "--games", "20000", "--json"))
    assert data["doubling"]["expected"] == pytest.approx(-0.3056, abs=1e-4)
    assert len(data["systems"]) == 5
    assert "d'Alembert" in run("independent", "--games", "10000")
    rows = json.loads(run("traverse", "--cards", "1-6", "--json"))["rows"]
    assert [row["bases"] for row in rows] == [1, 2, 3, 5, 7, 7]
    assert "probabilities in" in run("traverse", "--cards", "5", "--way", "best-first")
    text = run("traverse", "--value", "--cards", "1", "--set", "max_hands=1", "--set", "double_after_split=false")
    assert "E_pos" in text
    with pytest.raises(UnreadableError, match="numbers of cards"):
        run("traverse", "--cards", "5-x")
    with pytest.raises(UnreadableError, match="ramp needs"):
        run("bet", "--staking", "ramp")


def test_slopes_begin_with_the_effects_of_removal_and_add_up_to_the_whole_way() -> None:
    rules = PRESETS["strip"].changed(max_hands=1, double_after_split=False)
    found = slopes(rules, 24)
    np.testing.assert_allclose(found[:9, 0], effects_of_removal(rules).effects[:9])
    whole = slopes(rules, 1)
    np.testing.assert_allclose(found.mean(1), whole[:, 0])
    fives = analyse(rules, Shoe((24, 24, 24, 24, 0, 24, 24, 24, 24, 96))).ev - analyse(rules).ev
    assert 24 * whole[4, 0] == pytest.approx(fives)
    with pytest.raises(UnreadableError, match="at least 1 range"):
        slopes(rules, 0)
