from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.blackjack import PRESETS, counter, simulate
from mazzo.blackjack.bets.earnings import Earnings
from mazzo.blackjack.bets.ramps import best_ramp, read_spread
from mazzo.blackjack.counting.index_tables import (
    IndexTable,
    basic,
    chart_at,
    illustrious,
    parse_index_plays,
    read_index_plays,
)
from mazzo.blackjack.counting.systems import COUNTS, Count, read_count
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.strategy import ROWS, policy_of
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError

STRIP = PRESETS["strip"]
LATE = STRIP.changed(surrender="late")
RAMP = "-1:10,1:20,2:40,3:60,4:80"


def run(*words: str) -> str:
    result = CliRunner().invoke(mazzo, ["blackjack", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(("play", "expected", "within"), [("i18", 0.146, 0.010), ("basic", 0.104, 0.008)])
def test_a_hi_lo_player_wins_what_an_independent_simulation_says(play: str, expected: float, within: float) -> None:
    """2.6e8 rounds each by another program; true count by remaining decks, floored, one box, insurance at +3."""
    found = counter(LATE, "hi-lo", RAMP, play, 25_000_000, seed=1)
    assert abs(found.ev_per_round.value - expected) < within
    assert found.ev_per_round.ci95[0] < expected < found.ev_per_round.ci95[1]
    assert found.score.ci95[0] < {"i18": 25, "basic": 13}[play] < found.score.ci95[1]


FIRST_ROUNDS = {
    "strip": STRIP,
    "late": LATE,
    "hungarian": PRESETS["hungarian"].changed(cut_sigma=0),
    "european, late": PRESETS["european"].changed(surrender="late"),
    "h17, early": PRESETS["h17"].changed(surrender="early"),
    "one deck, few splits": STRIP.changed(decks=1, max_hands=2, double="10-11", double_after_split=False),
    "aces played on": STRIP.changed(hit_split_aces=True, resplit_aces=True, decks=2),
    "surrender after a split": LATE.changed(surrender_after_split=True),
}


@pytest.mark.parametrize("name", FIRST_ROUNDS)
def test_first_rounds_of_shoes_earn_the_exact_value_of_the_chart(name: str) -> None:
    rules = FIRST_ROUNDS[name].changed(penetration=0.001)
    chart = best_table(rules).table
    exact = analyse(rules.changed(insurance=False, even_money="none"), None, policy_of(chart, rules)).ev
    found = counter(rules, "hi-lo", "-99:1", IndexTable(chart), 3_000_000, seed=5)
    error = found.sd_per_round.value / math.sqrt(found.rounds)
    assert abs(found.ev_per_round.value - exact) < 4 * error


def test_boxes_and_other_players_change_no_boxs_value() -> None:
    rules = STRIP.changed(penetration=0.001)
    one = counter(rules, "hi-lo", "-99:1", "basic", 2_000_000, seed=5)
    for boxes, others in ((3, 0), (1, 3), (2, 2)):
        many = counter(rules, "hi-lo", "-99:1", "basic", 1_000_000, seed=6, boxes=boxes, others=others)
        error = many.sd_per_round.value / boxes / math.sqrt(many.rounds) + one.sd_per_round.value / math.sqrt(
            one.rounds
        )
        assert abs(many.ev_per_round.value / boxes - one.ev_per_round.value) < 4 * error
        # boxes share the dealer: their results go together, but not wholly
        variance, together = one.sd_per_round.value**2, many.sd_per_round.value**2
        assert boxes * variance * 0.98 < together < boxes**2 * variance * 1.02


def test_insurance_always_taken_costs_what_the_plain_simulation_says() -> None:
    rules = STRIP.changed(penetration=0.001)
    chart = best_table(rules).table
    found = counter(rules, "hi-lo", "-99:1", IndexTable(chart, (), -99.0), 3_000_000, seed=5)
    plain = simulate(rules, chart, 3_000_000, seed=6, insuring="always").estimate
    error = math.hypot(found.sd_per_round.value / math.sqrt(found.rounds), plain.standard_error)
    assert abs(found.ev_per_round.value - plain.mean) < 4 * error


def test_whole_shoes_earn_what_the_plain_simulation_says() -> None:
    found = counter(STRIP, "hi-lo", "-99:1", "basic", 6_000_000, seed=5)
    plain = simulate(STRIP, None, 6_000_000, seed=6, through=True, insuring="never").estimate
    error = math.hypot(found.sd_per_round.value / math.sqrt(found.rounds), plain.standard_error)
    assert abs(found.ev_per_round.value - plain.mean) < 4 * error


def test_the_same_seed_gives_the_same_with_more_workers_and_from_a_checkpoint(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    one = counter(LATE, "hi-lo", RAMP, "i18", 50_000, seed=3, checkpoint=kept)
    two = counter(LATE, "hi-lo", RAMP, "i18", 50_000, seed=3, workers=2)
    kept.write_text("\n".join(kept.read_text().splitlines()[:40]) + "\n")
    again = counter(LATE, "hi-lo", RAMP, "i18", 50_000, seed=3, checkpoint=kept)
    assert (one.sums == two.sums).all()
    assert (one.sums == again.sums).all()


def by_count(found: Earnings) -> dict[int, dict[str, Any]]:
    return {line["count"]: line for line in found.by_count()}


def test_bets_follow_the_ramp_and_rise_no_faster_than_allowed() -> None:
    found = by_count(counter(LATE, "hi-lo", RAMP, "basic", 300_000, seed=1))
    assert [found[k]["bet"] for k in (-3, -1, 0, 1, 2, 3, 4, 6)] == [10, 10, 10, 20, 40, 60, 80, 80]
    slow = by_count(counter(LATE, "hi-lo", RAMP, "basic", 300_000, seed=1, rise=1.5))
    assert 10 < slow[4]["bet"] < 80
    assert slow[-1]["bet"] == 10


def test_a_player_who_waits_or_leaves_plays_only_where_he_said() -> None:
    back = by_count(
        counter(LATE, "hi-lo", "0:10,2:50", "basic", 300_000, seed=1, enter=1, leave=0, watch=True, others=1)
    )
    assert back[-2]["played"] == 0
    assert back[2]["played"] == 1
    assert 0 < back[0]["played"] < 1
    leaver = by_count(counter(LATE, "hi-lo", "0:10,2:50", "basic", 300_000, seed=1, leave=-1))
    assert min(leaver) == -1
    zero = by_count(counter(LATE, "hi-lo", "-9:0,1:20", "basic", 300_000, seed=1))
    assert zero[0]["played"] == 0
    assert zero[1]["played"] == 1


def test_back_counting_is_worth_more_a_unit_than_playing_all() -> None:
    all_rounds = counter(LATE, "hi-lo", "-9:10,1:40", "i18", 2_000_000, seed=1, others=1)
    back = counter(LATE, "hi-lo", "-9:10,1:40", "i18", 2_000_000, seed=1, others=1, enter=1, leave=0, watch=True)
    assert back.advantage.value > all_rounds.advantage.value > 0


@pytest.mark.parametrize("rounding", ["floor", "truncate", "round", "none"])
@pytest.mark.parametrize("divisor", ["exact", "half", "deck"])
def test_every_convention_of_the_true_count_wins(divisor: str, rounding: str) -> None:
    found = counter(LATE, "hi-lo", RAMP, "i18", 1_500_000, seed=1, divisor=divisor, rounding=rounding)
    assert 0.03 < found.ev_per_round.value < 0.26


def test_an_unbalanced_count_is_bet_by_its_running_count() -> None:
    """KO in six decks starts at -20; from -4 on there is an advantage, at +4 it is that of a true count of 4."""
    found = by_count(counter(LATE, "ko", "-20:10,-4:40", "basic", 1_500_000, seed=1))
    assert COUNTS["ko"].start(6) == -20
    assert found[-20]["share"] > 0.01
    assert found[-20]["bet"] == 10
    assert found[2]["bet"] == 40
    assert found[-20]["advantage"]["value"] < 0.005 < found[4]["advantage"]["value"]


def test_a_side_count_of_aces_bets_better() -> None:
    with_aces = counter(LATE, "hi-opt-2", "-9:10,2:80", "basic", 4_000_000, seed=1, side_aces=True)
    without = counter(LATE, "hi-opt-2", "-9:10,2:80", "basic", 4_000_000, seed=1)
    assert with_aces.advantage.value > without.advantage.value
    assert sum(read_count("hi-opt-2").betting_tags[:9]) + 4 * read_count("hi-opt-2").betting_tags[9] == pytest.approx(0)
    with pytest.raises(UnreadableError, match="counts aces already"):
        counter(LATE, "hi-lo", RAMP, "basic", 1000, side_aces=True)


def test_tips_and_time_are_taken_off_what_is_won() -> None:
    plain = counter(LATE, "hi-lo", RAMP, "basic", 100_000, seed=1)
    tipped = counter(LATE, "hi-lo", RAMP, "basic", 100_000, seed=1, tips=5, per_hour=100)
    assert tipped.ev_per_round.value == pytest.approx(plain.ev_per_round.value - 0.05)
    assert tipped.hourly.value == pytest.approx(100 * plain.ev_per_round.value - 5)
    assert tipped.score.value < plain.score.value


@pytest.mark.parametrize(
    "wrong",
    [
        {"divisor": "quarter"},
        {"rounding": "up"},
        {"boxes": 8},
        {"boxes": 4, "others": 4},
        {"rise": 0.5},
        {"enter": -1, "leave": 2},
        {"bankroll": float("nan")},
        {"tips": -1},
        {"ramp": "0:0"},
        {"play": "no-such-file"},
        {"rules": STRIP.changed(decks="infinite")},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"rules": LATE, "count": "hi-lo", "ramp": RAMP, "play": "basic", "rounds": 1000, **wrong}
    with pytest.raises(UnreadableError):
        counter(**given)


# ---- index tables


def test_the_eighteen_and_four_change_the_cells_they_name() -> None:
    table = illustrious(LATE)

    def cell(row: str, upcard: int, count: float) -> str:
        return chart_at(table, count).letters[ROWS.index(row)][upcard]

    assert [cell("16", 9, k) for k in (-1, 0)] == ["b", "B"]
    assert [cell("15", 9, k) for k in (-1, 0, 3, 4)] == ["h", "b", "b", "B"]
    assert [cell("12", 2, k) for k in (1, 2)] == ["h", "n"]
    assert [cell("T-T", 4, k) for k in (4, 5)] == ["n", "s"]
    assert [cell("10", 9, k) for k in (3, 4)] == ["h", "D"]
    assert [cell("5-5", 9, k) for k in (3, 4)] == ["h", "D"]
    assert [cell("7-7", 9, k) for k in (2, 3)] == ["h", "b"]
    assert chart_at(illustrious(STRIP), 3) != chart_at(illustrious(LATE), 3)
    assert chart_at(basic(LATE), 30) == best_table(LATE).table


def test_a_file_of_plays_is_read_and_printed_back(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# mine\ninsurance 3.2\n16 v T stand 0\nA,7 v 2 double 1\nT,T v 6 split 4\n12 nnnnnnnnnn\n")
    table = read_index_plays(path, LATE)
    assert table.insurance == 3.2
    assert str(table.plays[2]) == "T-T v 6 split +4"
    assert table.chart.letters[ROWS.index("12")] == "n" * 10
    assert parse_index_plays(str(table).splitlines(), table.chart) == table
    found = counter(LATE, "hi-lo", RAMP, path, 200_000, seed=1)
    assert found.rounds >= 200_000


@pytest.mark.parametrize(
    "line", ["16 v T", "16 v T jump 1", "99 v T stand 1", "16 v TT stand 1", "16 v T split 1", "insurance"]
)
def test_lines_that_say_nothing_are_refused(line: str) -> None:
    with pytest.raises(UnreadableError):
        parse_index_plays([line], best_table(LATE).table)
    with pytest.raises(UnreadableError, match="duplicate"):
        parse_index_plays(["16 v T stand 1", "16 v T stand 2"], best_table(LATE).table)


# ---- bets


def test_the_ramp_found_beats_the_given_one_on_shoes_it_has_not_seen() -> None:
    table = counter(LATE, "hi-lo", "-99:10", "i18", 20_000_000, seed=7)
    best = best_ramp(table.by_count(), 10, 8, chip=5)
    given = counter(LATE, "hi-lo", RAMP, "i18", 10_000_000, seed=8)
    found = counter(LATE, "hi-lo", best.ramp, "i18", 10_000_000, seed=8)
    assert found.score.value > given.score.value
    assert all(bet % 5 == 0 for _, bet in best.ramp.steps)
    assert 0 <= best.rounding_cost < 0.05


def test_bets_are_scaled_to_the_risk_that_is_borne() -> None:
    table = counter(LATE, "hi-lo", "-99:10", "i18", 4_000_000, seed=7)
    for risk in (0.05, 0.2):
        best = best_ramp(table.by_count(), 10, 12, risk=risk, bankroll=10_000)
        played = counter(LATE, "hi-lo", best.ramp, "i18", 4_000_000, seed=7, bankroll=10_000)
        assert played.ruin.ci95[0] < risk < played.ruin.ci95[1]
    growth = best_ramp(table.by_count(), 10, 50, goal="growth", bankroll=20_000)
    assert max(bet for _, bet in growth.ramp.steps) > 10


def test_a_spread_is_read_as_players_write_it() -> None:
    assert [read_spread(text) for text in ("1-8", "1:12", "6")] == [8, 12, 6]
    for wrong in ("8-1", "x", "0", "1-"):
        with pytest.raises(UnreadableError, match="spread"):
            read_spread(wrong)


def test_bet_with_a_ramp_gives_what_the_counter_gives() -> None:
    common = ("--set", "surrender=late", "--ramp", RAMP, "--rounds", "2000000", "--seed", "4", "--json")
    one = json.loads(run("counter", *common))
    two = json.loads(run("bet", "--staking", "ramp", *common))
    for key in ("ev_per_round", "sd_per_round", "score", "n0", "hourly", "ruin"):
        assert one[key] == two[key]
        assert one[key]["ci95"][0] < one[key]["value"] < one[key]["ci95"][1]


def test_the_counter_command_draws_says_its_conventions_and_finds_a_ramp(tmp_path: Path) -> None:
    picture = tmp_path / "advantage.svg"
    data = json.loads(
        run("counter", "--spread", "1-8", "--chip", "5", "--rounds", "300000", "--svg", str(picture), "--json")
    )
    assert picture.read_text().count("<svg") == 1
    assert "floor" in data["conventions"]
    assert data["best_ramp"]["ramp"][0][1] == 10
    text = run("counter", "--ramp", RAMP, "--rounds", "20000", "--depth", "0.6", "--goal", "500")
    assert "before winning 500" in text
    with pytest.raises(UnreadableError, match="one of them"):
        run("counter", "--rounds", "1000")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("counter", "--ramp", RAMP, "--best-for", "growth"), "--best-for has an effect only with --spread"),
        (("counter", "--spread", "1-8", "--kelly", ".5"), "--kelly has an effect only with --best-for growth"),
        (("bet", "--fraction", ".5"), "--fraction has an effect only with a way of staking that has it"),
        (("bet", "--staking", "kelly:fraction=.5", "--fraction", "1"), "--fraction has an effect only with"),
        (("bet", "--ramp", RAMP), "--ramp has an effect only with --staking ramp"),
        (("bet", "--staking", "kelly", "--spread", "1-8"), "--staking has an effect only without --spread"),
        (("shoes", "--rounds", "100"), "--rounds has an effect only with --depth"),
        (("shoes", "--depth", "50", "--seats", "2"), "--seats has an effect only without --depth"),
    ],
)
def test_options_without_effect_are_refused(words: tuple[str, ...], complaint: str) -> None:
    result = CliRunner().invoke(mazzo, ["blackjack", *words])
    assert result.exit_code == 2
    assert complaint in result.output


def test_a_count_registered_is_named_in_the_help() -> None:
    def told() -> str:
        return " ".join(CliRunner().invoke(mazzo, ["blackjack", "counter", "--help"]).output.split())

    assert "mine" not in told()
    COUNTS.register("mine")(Count("mine", (-1,) * 10, aces=1))
    try:
        assert "wong-halves, mine, or ten tags" in told()
        assert "omega-2, mine)." in told()
    finally:
        COUNTS.forget("mine")
    assert "mine" not in told()


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_preset_can_be_counted(rules: Rules) -> None:
    found = counter(rules, "hi-lo", RAMP, "i18", 200_000, seed=1)
    assert found.rounds >= 200_000
    assert np.isfinite(found.ev_per_round.value)
