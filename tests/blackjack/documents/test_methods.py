from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.bets.estimate import shoe_figures
from mazzo.blackjack.bets.evaluators import evaluator_of
from mazzo.blackjack.columns import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.documents.climb import climb, start_table
from mazzo.blackjack.documents.hybrid import hybrid_ev, hybrid_to_tolerance
from mazzo.blackjack.documents.long_burn_in import load_cuts, long_burn_in, save_cuts
from mazzo.blackjack.documents.neural import ValueNetwork, train_network
from mazzo.blackjack.documents.pruned import burn_in, pruned_analysis
from mazzo.blackjack.documents.qlearning import END, START, STATES, Learner, compare_with_exact
from mazzo.blackjack.documents.sampling import drawn_shoes, played_shoes
from mazzo.blackjack.edges import rule_changes
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.infinite import infinite_ev
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.strategy import policy_of
from mazzo.errors import IllegalError, UnreadableError
from mazzo.model_file import Model, write_model

HUNGARIAN, STRIP = PRESETS["hungarian"], PRESETS["strip"]
NO_SPLITS = STRIP.changed(max_hands=1, double_after_split=False)


def test_climbing_improves_a_beginners_table() -> None:
    found = climb(HUNGARIAN, rounds=50_000, sweeps=1, seed=3, cells=60)
    before = analyse(HUNGARIAN, None, policy_of(start_table(), HUNGARIAN)).ev
    after = analyse(HUNGARIAN, None, policy_of(found.table, HUNGARIAN)).ev
    assert after > before + 0.003
    assert found.changes
    assert all(change.gain.mean > 0 for change in found.changes)
    assert climb(HUNGARIAN, rounds=50_000, sweeps=1, seed=3, cells=5) == climb(
        HUNGARIAN, rounds=50_000, sweeps=1, seed=3, cells=5
    )


def test_the_learners_states_are_the_texts() -> None:
    assert END == 660
    assert START == 661
    assert STATES == 662


def test_a_learner_comes_near_the_best_table() -> None:
    learner = Learner(HUNGARIAN, seed=1)
    curve = list(learner.learn(6_000_000, every=2_000_000, exact=True))
    assert [point.rounds for point in curve] == [2_000_000, 4_000_000, 6_000_000]
    values = [point.ev for point in curve]
    assert values[-1] is not None
    assert values[-1] > best_table(HUNGARIAN).ev - 0.0008
    assert abs(learner.q[START, 0] - best_table(HUNGARIAN).ev) < 0.01
    differences = compare_with_exact(learner)
    assert all(difference.cost > -1e-9 for difference in differences)
    costs = [difference.cost for difference in differences]
    assert costs == sorted(costs, reverse=True)


def test_a_learners_values_are_the_exact_ones() -> None:
    learner = Learner(STRIP, seed=2)
    list(learner.learn(4_000_000, every=4_000_000))
    exact = analyse(STRIP)
    stand_20 = learner.q[9 * 66 + 28 + 20 - 4, 0]  # three or more cards, hard 20 against a ten
    assert stand_20 == pytest.approx(exact.plays((9, 7, 1), 9)["stand"], abs=0.02)
    split_eights = learner.q[5 * 66 + 56 + 7, SPLIT]
    assert split_eights == pytest.approx(exact.plays((7, 7), 5)["split"], abs=0.1)


def test_learning_stops_by_each_of_its_three_rules() -> None:
    assert len(list(Learner(HUNGARIAN).learn(50_000, every=20_000))) == 3
    assert len(list(Learner(HUNGARIAN).learn(50_000, every=10_000, change_below=100.0))) == 1
    points = list(Learner(HUNGARIAN).learn(400_000, every=1, unchanged_for=2))
    assert points[-1].unchanged >= 2
    assert len(points) < 1000


def test_learning_goes_on_where_it_stood() -> None:
    whole, parts = Learner(HUNGARIAN, seed=5), Learner(HUNGARIAN, seed=5)
    list(whole.learn(20_000, every=20_000))
    list(parts.learn(5_000, every=5_000))
    list(parts.learn(15_000, every=15_000))
    np.testing.assert_array_equal(whole.q, parts.q)


def test_a_shoe_played_through_can_be_learned_from() -> None:
    learner = Learner(HUNGARIAN, through=True, seed=1)
    *_, last = learner.learn(500_000, every=500_000)
    assert last.rounds > 400_000
    assert abs(last.start) < 0.05


def test_the_hybrid_closes_in_on_the_exact_value() -> None:
    rules = HUNGARIAN.changed(max_hands="unlimited", surrender_after_split=True)
    exact = analyse(rules).ev
    assert hybrid_ev(rules, None, 0) == infinite_ev(rules)
    assert abs(hybrid_ev(rules, None, 3) - exact) < 0.0002
    assert abs(hybrid_ev(rules, None, 4) - exact) < 0.0002
    exact = analyse(NO_SPLITS).ev
    for tolerance in (0.01, 1e-4, 1e-12):
        steps = hybrid_to_tolerance(NO_SPLITS, None, tolerance)
        assert abs(steps[-1].ev - exact) <= tolerance
        assert all(abs(step.ev - exact) > tolerance for step in steps[:-1])


def test_the_hybrid_of_a_small_shoe_without_splits_is_nearly_exact() -> None:
    shoe = Shoe((0, 0, 0, 0, 0, 0, 0, 6, 6, 8))  # no hand has more than three cards: depth 6 counts them all
    exact = analyse(NO_SPLITS, shoe).ev
    assert hybrid_ev(NO_SPLITS, shoe, 6) == pytest.approx(exact, abs=1e-12)


def test_the_hybrid_refuses_depths_it_cannot_count() -> None:
    with pytest.raises(IllegalError, match="depth must be 0 to 6 cards, got 9"):
        hybrid_ev(STRIP, None, 9)


def test_a_long_burn_in_is_kept_resumed_and_cuts_as_the_exact_one_does(tmp_path: Path) -> None:
    cuts = long_burn_in(NO_SPLITS, 3000, seed=1, checkpoint=tmp_path / "kept.jsonl")
    again = long_burn_in(NO_SPLITS, 3000, seed=1, checkpoint=tmp_path / "kept.jsonl")
    np.testing.assert_array_equal(cuts.chosen, again.chosen)
    save_cuts(cuts, tmp_path / "cuts.mz")
    read = load_cuts(tmp_path / "cuts.mz", NO_SPLITS)
    assert read.shoes == 3000
    np.testing.assert_array_equal(read.rows, cuts.rows)
    assert cuts.rows.sum() < len(all_hands())
    two_tens = all_hands().of((9, 9))
    assert cuts.never(HIT)[two_tens].all()
    assert not cuts.never(STAND)[two_tens].any()
    for shoe in played_shoes(NO_SPLITS, 3, seed=5):
        assert pruned_analysis(read, shoe).ev == pytest.approx(analyse(NO_SPLITS, shoe).ev, abs=1e-5)
    with pytest.raises(UnreadableError, match="other rules"):
        load_cuts(tmp_path / "cuts.mz", STRIP)
    write_model(tmp_path / "wrong.mz", Model("hero", {}, {}))
    with pytest.raises(UnreadableError, match="holds no cuts"):
        load_cuts(tmp_path / "wrong.mz", STRIP)


def test_climbing_and_learning_on_a_given_shoe_look_for_what_is_best_there() -> None:
    shoe = Shoe((0, 0, 0, 24, 24, 24, 0, 0, 0, 96))  # so many tens that a hand of 12 must never be hit
    found = climb(NO_SPLITS, None, 4000, 1, seed=2, shoe=shoe).table
    before, after = (analyse(NO_SPLITS, shoe, policy_of(t, NO_SPLITS)).ev for t in (start_table(), found))
    assert after > before + 0.05
    assert found != climb(NO_SPLITS, None, 4000, 1, seed=2).table


def test_pruned_values_are_exact_where_the_cuts_hold() -> None:
    cuts = burn_in(STRIP, 12, seed=1)
    assert pruned_analysis(cuts).ev == pytest.approx(analyse(STRIP).ev, abs=1e-12)
    for shoe in played_shoes(STRIP, 3, seed=2):
        pruned, exact = pruned_analysis(cuts, shoe).ev, analyse(STRIP, shoe).ev
        assert pruned <= exact + 1e-12  # a cut can only lose
        assert pruned > exact - 1e-4


def test_cuts_carry_their_evidence() -> None:
    cuts = burn_in(NO_SPLITS, 10, seed=1)
    hands = all_hands()
    assert cuts.must_hit[hands.of((3, 4))].all()  # logic: hard 9
    assert cuts.must_stand[hands.of((9, 9))].all()  # test: nobody hits 20
    rows = {(row["hand"], row["upcard"]): row for row in cuts.evidence()}
    assert rows["T,T", "6"]["best_in"] == {"stand": 10, "hit": 0, "double": 0, "split": 0, "surrender": 0}
    assert int(cuts.rows.sum()) < 3000


def test_shoes_are_drawn_as_play_leaves_them() -> None:
    shoes = played_shoes(STRIP, 300, seed=4)
    assert shoes == played_shoes(STRIP, 300, seed=4)
    cards = np.array([shoe.cards for shoe in shoes])
    assert cards.min() >= 312 - 234
    assert cards.mean() == pytest.approx(312 - 117, abs=12)
    tens = np.array([shoe.counts[9] / shoe.cards for shoe in shoes])
    assert tens.mean() == pytest.approx(4 / 13, abs=0.01)


def test_the_network_is_judged_beside_what_it_must_beat() -> None:
    report = train_network(NO_SPLITS, 120, seed=1)
    assert report.held_out == 24
    assert report.rmse_corrected < report.rmse_infinite
    assert report.rmse_network < 0.02
    assert report.worth_it == (report.rmse_network < report.rmse_corrected)
    assert abs(report.predict([Shoe.of_decks(6)])[0] - analyse(NO_SPLITS).ev) < 0.01
    with pytest.raises(UnreadableError, match="at least 20 shoes"):
        train_network(NO_SPLITS, 5)
    with pytest.raises(UnreadableError, match="teacher must be one of"):
        train_network(NO_SPLITS, 50, teacher="guess")


def test_a_network_is_trained_by_the_traversal_kept_in_a_file_and_used_as_an_evaluator(tmp_path: Path) -> None:
    path = tmp_path / "values.mz"
    report = train_network(NO_SPLITS, 600, seed=1, way="traversal", teacher="fast", held_out=20)
    report.network.save(path)
    again = ValueNetwork.load(path)
    counts = np.array([shoe.counts for shoe in drawn_shoes(NO_SPLITS, 50, "play", 7)])
    np.testing.assert_array_equal(again.values(counts), report.network.values(counts))
    assert again.trained["way"] == "traversal"
    assert report.rmse_network < 0.004
    values = evaluator_of(NO_SPLITS.changed(penetration=0.5), "network", path)
    np.testing.assert_array_equal(values(counts), again.values(counts))
    with pytest.raises(UnreadableError, match="trained for other rules: hit_soft_17"):
        evaluator_of(NO_SPLITS.changed(hit_soft_17=True), "network", path)
    with pytest.raises(UnreadableError, match="needs the file of a trained network"):
        evaluator_of(NO_SPLITS, "network")
    with pytest.raises(UnreadableError, match="needs the file of a trained network"):
        evaluator_of(NO_SPLITS, "linear", path)
    whole = shoe_figures(NO_SPLITS, 40, 40, 5, blocks=10)
    other = shoe_figures(NO_SPLITS, 40, 40, 5, blocks=10, control="network", network=path)
    assert abs(whole.positive.mean - other.positive.mean) < 5 * np.hypot(
        whole.positive.standard_error, other.positive.standard_error
    )
    assert whole.guess_bias != other.guess_bias


def test_a_file_that_is_no_network_of_values_is_refused(tmp_path: Path) -> None:
    report = train_network(NO_SPLITS, 40, seed=1, teacher="fast", held_out=2)
    wrong = [
        Model("hero", {}, {}),
        Model("blackjack values", {}, {}),
        Model(
            "blackjack values",
            {"layers": 1, "rules": NO_SPLITS.as_dict(), "scale": 1.0, "trained": {}},
            {"weights 0": np.zeros((3, 1)), "biases 0": np.zeros(1)},
        ),
    ]
    for model in wrong:
        write_model(tmp_path / "wrong.mz", model)
        with pytest.raises(UnreadableError, match="not a network of blackjack values"):
            ValueNetwork.load(tmp_path / "wrong.mz")
    assert report.network.values(np.array([[24] * 9 + [96]])).shape == (1,)


def test_compositions_of_the_traversal_are_its_likely_ones() -> None:
    shoes = drawn_shoes(NO_SPLITS, 400, "traversal", 3)
    assert len(shoes) == 400
    assert {len(shoe.counts) for shoe in shoes} == {10}
    gone = np.array([NO_SPLITS.decks * 52 - shoe.cards for shoe in shoes])
    assert gone.min() >= 0
    assert gone.max() <= 234
    assert 90 < gone.mean() < 144
    with pytest.raises(UnreadableError, match="at least 1"):
        drawn_shoes(NO_SPLITS, 0, "traversal")


def test_rule_changes_have_their_known_signs() -> None:
    change = {row.change: row.difference for row in rule_changes(STRIP)}
    assert change["dealer hits soft 17"] < -0.0015
    assert change["blackjack pays 6:5, no even money"] == pytest.approx(-0.0136, abs=0.0001)
    assert change["late surrender"] == pytest.approx(0.0008, abs=0.0002)
    assert change["1 deck"] > 0.004
    assert change["double 10-11 only"] < -0.0015
    assert change["no hole card"] == pytest.approx(-0.0011, abs=0.0001)
    assert "dealer stands on soft 17" not in change


def test_shoes_learned_from_do_not_depend_on_where_learning_paused() -> None:
    whole, parts = Learner(HUNGARIAN, through=True, seed=5), Learner(HUNGARIAN, through=True, seed=5)
    list(whole.learn(3_900, every=3_900))
    list(parts.learn(1_950, every=1_950))
    while parts.units < whole.units:
        list(parts.learn(1, every=1))
    np.testing.assert_array_equal(whole.q, parts.q)


@pytest.mark.parametrize("through", [False, True])
def test_a_learner_finds_what_standing_earns_in_an_infinite_shoe_and_in_a_single_deck(through: bool) -> None:
    rules = STRIP.changed(decks=1 if through else "infinite", penetration=0.6)
    learner = Learner(rules, through=through, seed=3)
    list(learner.learn(2_000_000, every=2_000_000))
    for total, cards in ((18, (9, 6, 0)), (20, (9, 7, 1))):
        learned = learner.q[5 * 66 + 28 + total - 4, STAND]  # three or more cards against a six
        assert learned == pytest.approx(analyse(rules.changed(decks=8)).plays(cards, 5)["stand"], abs=0.04)


def test_a_learner_refuses_a_shoe_too_small_for_a_round() -> None:
    with pytest.raises(UnreadableError, match="too small for a round"):
        list(Learner(STRIP, shoe=Shoe((1, 1, 1, 1, 1, 1, 1, 1, 1, 1))).learn(10))


@pytest.mark.parametrize("surrender", ["none", "late", "early"])
@pytest.mark.parametrize("peek", [True, False])
def test_a_learners_hands_and_plays_are_those_of_a_table(peek: bool, surrender: str) -> None:
    """A learner that has tried everything once has tried exactly what the rules allow."""
    changes = {"double": "10-11", "max_hands": 2, "double_after_split": False, "resplit_aces": False}
    rules = HUNGARIAN.changed(peek=peek, surrender=surrender, **changes)
    learner = Learner(rules, seed=4)
    list(learner.learn(400_000, every=400_000))
    tried = learner.visits[:660].reshape(10, 66, 5) > 0
    assert not tried[:, 28:56, [DOUBLE, SPLIT, SURRENDER]].any()  # three cards or more: stand or hit
    assert tried[:, [6, 7], DOUBLE].all()  # hard 10 and 11
    assert not np.delete(tried[:, :56, DOUBLE], [6, 7], axis=1).any()
    assert tried[:, 56:, [STAND, SPLIT]].all()
    assert not tried[:, 56:, [HIT, DOUBLE, SURRENDER]].any()
    given_up = tried[:, 1:17, SURRENDER]
    assert given_up.all() if surrender != "none" else not given_up.any()
