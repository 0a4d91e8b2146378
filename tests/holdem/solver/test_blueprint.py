"""The blueprint of heads-up limit Hold'em: its betting, its buckets, its training, its file and its player."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.cli.holdem.solve import solve
from mazzo.errors import UnreadableError
from mazzo.holdem.agents.balanced import Balanced
from mazzo.holdem.beliefs import ranges_of, with_all_holdings
from mazzo.holdem.best_response import local_best_response
from mazzo.holdem.best_response.streets import StreetByStreet, free_of
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds import equities
from mazzo.holdem.odds.build import number_of_holes
from mazzo.holdem.odds.by_holding import shares_by_holding
from mazzo.holdem.odds.isomorphism import BOARD, HOLE, HOLE_AND_FLOP, SUIT_PERMUTATIONS
from mazzo.holdem.rules import parse_game, rules
from mazzo.holdem.solver.blueprint import buckets as bucket_module
from mazzo.holdem.solver.blueprint.buckets import TURN_HANDS, HoldemBuckets
from mazzo.holdem.solver.blueprint.clusters import FINER, k_means, nearest_centres
from mazzo.holdem.solver.blueprint.features import (
    BINS,
    GROUPS,
    UNITS,
    RiverBins,
    against_groups_on,
    bins_on,
)
from mazzo.holdem.solver.blueprint.layout import BlueprintLayout
from mazzo.holdem.solver.blueprint.strategy import LEVELS, Blueprint, chances_of
from mazzo.holdem.solver.blueprint.training import Training
from mazzo.holdem.solver.blueprint.walking import hands_on
from mazzo.holdem.solver.blueprint.worths import ActionWorths
from mazzo.holdem.solver.regrets import Walker
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.holdem.solver.solution import solve_game
from mazzo.holdem.table import Table
from mazzo.model_file import Model, read_model, write_model
from mazzo.testing import check_holdem_agent
from mazzo.wide import EIGHT

GAME = "holdem-limit-2p"
TINY = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 2 1
raiseSize = 2 2 4
firstPlayer = 2 1 1
maxRaises = 1 2 2
numSuits = 2
numRanks = 4
numHoleCards = 2
numBoardCards = 0 1 1
END GAMEDEF
"""


class Lossless:
    """Every view of a small game is a bucket of its own."""

    def __init__(self, game: SmallGame) -> None:
        self.game, self.sizes = game, tuple(len(keys) for keys in game.views.keys)

    def on_hands(self, board: Ints, hole: Ints, table: NDArray[np.int16]) -> NDArray[np.int32]:
        cards = np.broadcast_to(board, (len(hole), len(board)))
        return np.array([self.game.views.find(s, hole, cards) for s in range(len(self.sizes))], np.int32)


@pytest.fixture(scope="module")
def tiny() -> SmallGame:
    return SmallGame(parse_game(TINY, "tiny", "tiny"))


@pytest.fixture(scope="module")
def few_buckets() -> HoldemBuckets:
    """Buckets that are quickly made: whatever hands they hold, all that is done with them must be right."""
    draw = np.random.default_rng(5)
    flop = draw.integers(0, 9, HOLE_AND_FLOP.size).astype(np.uint16)
    turn = np.sort(draw.integers(0, 46 * FINER, (7, BINS)).astype(np.int32), axis=1)
    river = np.linspace(-UNITS * FINER, UNITS * FINER, 12).astype(np.int32)[:, None].repeat(GROUPS, axis=1)
    turn = turn[np.argsort(turn.sum(axis=1))]
    found = HoldemBuckets(flop, turn, river, draw.integers(0, GROUPS, HOLE.size).astype(np.uint8))
    bucket_module._turns[found.digest] = draw.integers(0, 7, TURN_HANDS.size).astype(np.uint16)
    return found


@pytest.fixture(scope="module")
def trained(few_buckets: HoldemBuckets) -> Training:
    found = Training(rules(GAME), few_buckets, seed=3)
    found.improve(6)
    return found


def _played(training: Training, game: SmallGame) -> Floats:
    """The mean strategy of a training as chances by entry of the small game."""
    out, tree = np.zeros(game.entries), training.layout.tree
    begin, step = training.layout.first_entry
    for node in np.flatnonzero(tree.actor >= 0):
        actions = np.arange(tree.actions[node]) * EIGHT
        sums = training.mean[begin[node] + np.arange(game.views_at(node))[:, None] * step[node] + actions]
        whole = sums.sum(axis=1, keepdims=True)
        game.rows(out, node)[:] = np.where(whole > 0, sums / np.where(whole > 0, whole, 1), 1 / len(actions))
    return out


def test_the_betting_is_that_of_the_game_and_every_decision_has_its_own_entries() -> None:
    layout = BlueprintLayout(rules(GAME), (169, 3, 2, 2))
    assert [len(s.nodes) for s in layout.streets] == [1, 7, 63, 567]
    assert layout.situations == 8 * 169 + 70 * 3 + 630 * 2 + 5670 * 2
    begin, step = layout.first_entry
    taken = []
    for node in np.flatnonzero(begin >= 0):
        size = layout.sizes[layout.tree.street[node]]
        here = begin[node] + np.arange(size)[:, None] * step[node] + np.arange(layout.tree.actions[node]) * EIGHT
        taken.append(here.reshape(-1))
    every = np.concatenate(taken)
    assert len(np.unique(every)) == len(every)
    assert every.max() < layout.entries


def test_training_without_loss_comes_near_the_equilibrium_that_the_exact_solver_finds(tiny: SmallGame) -> None:
    exact = solve_game(tiny, until=5e-3)
    training = Training(tiny.rules, Lossless(tiny), visit=0.3)
    gains = []
    for rounds in (40, 560):
        training.improve(rounds)
        strategy, walker = _played(training, tiny), Walker(tiny)
        values = walker.values(strategy)
        gains.append(float((walker.best_responses(strategy) - values).mean()) / tiny.rules.big_blind)
    assert gains[1] < 0.2 < gains[0]  # it began at 1.7
    assert values[0] / tiny.rules.big_blind == pytest.approx(exact.values[0], abs=0.03)
    assert training.value == pytest.approx(exact.values[0], abs=0.15)  # of the way there: the mean of what was played


def test_several_threads_and_visits_at_times_give_the_same_numbers_as_one_thread(
    few_buckets: HoldemBuckets, trained: Training
) -> None:
    two = Training(rules(GAME), few_buckets, seed=3, threads=2)
    two.improve(6)
    assert (two.regret == trained.regret).all()
    assert (two.mean == trained.mean).all()


def test_work_that_was_kept_goes_on_as_if_it_had_not_been_broken_off(
    few_buckets: HoldemBuckets, trained: Training, tmp_path: Path
) -> None:
    first = Training(rules(GAME), few_buckets, seed=3)
    first.improve(2)
    first.save(tmp_path / "half.training")
    second = Training.load(tmp_path / "half.training")
    second.improve(4)
    assert second.rounds == trained.rounds == 6
    assert (second.regret == trained.regret).all()
    assert (second.mean == trained.mean).all()
    assert second.value == pytest.approx(trained.value)


def test_an_interrupt_waits_for_the_round_and_keeps_it(few_buckets: HoldemBuckets) -> None:
    training = Training(rules(GAME), few_buckets, seed=3)

    def interrupted(state: Training) -> bool:
        if state.rounds == 2:
            raise KeyboardInterrupt
        return True

    assert training.improve(5, interrupted) is False
    assert training.rounds == 2


def test_bins_are_those_of_the_exact_equity() -> None:
    board = np.array([[3, 17, 22, 40, 45]])
    out = np.empty((1, 1326), np.uint8)
    bins_on(board, out)
    hole = np.array([[0, 1], [50, 51], [16, 18], [2, 44], [5, 33]])
    won, whole = equities(hole, np.repeat(board, len(hole), axis=0), 1)
    assert out[0, number_of_holes(hole)].tolist() == np.minimum(won * BINS // whole, BINS - 1).tolist()
    assert out[0, number_of_holes(np.array([[3, 9]]))[0]] == BINS  # a card of the board


def test_a_spread_counts_every_river_whatever_its_suits_are_called() -> None:
    turn = np.array([2, 13, 27, 46])
    rivers = RiverBins.__new__(RiverBins)
    rivers.begin(np.zeros((BOARD[5].size, 1326), np.uint8))
    hole = np.array([[0, 1], [50, 51], [12, 45], [30, 9]])
    wanted = np.zeros((len(hole), BINS), np.int64)
    for card in range(52):
        if card in turn:
            continue
        board = np.array([*turn, card])
        first = min(sorted(int(k) for k in names[board]) for names in SUIT_PERMUTATIONS)
        number = int(BOARD[5].index([board])[0])
        bins_on(np.array([first]), rivers.bins[number : number + 1])
        free = ~(hole == card).any(axis=1)
        won, whole = equities(hole[free], np.repeat(board[None], free.sum(), axis=0), 1)
        np.add.at(wanted, (np.flatnonzero(free), np.minimum(won * BINS // whole, BINS - 1)), 1)
    found = rivers.spread(turn[None])[0]
    assert (found[number_of_holes(hole)] == wanted.cumsum(axis=1)).all()
    assert (found[number_of_holes(np.array([[2, 9]]))] == 0).all()


def test_the_river_is_seen_alike_in_training_and_at_play(few_buckets: HoldemBuckets) -> None:
    board = np.array([5, 17, 22, 40, 51])
    hole, table = hands_on(rules(GAME), board)
    at_once = few_buckets.on_hands(board, hole, table)
    for street in range(4):
        single = few_buckets.find(street, hole, np.broadcast_to(board, (len(hole), 5)))
        assert (single == at_once[street]).all()
    edge = against_groups_on(table, np.zeros(len(hole), np.int64))[:, 0]
    won, whole = equities(hole, np.broadcast_to(board, (len(hole), 5)), 1)
    assert (edge == (2 * won - whole) * UNITS // whole).all()


def test_the_nearest_centre_is_the_nearest_and_centres_are_the_same_each_time() -> None:
    draw = np.random.default_rng(2)
    sample = draw.integers(0, 47, (400, BINS)).cumsum(axis=1)
    centres = k_means(sample, 20)
    assert (centres == k_means(sample, 20)).all()
    assert (np.diff(centres.sum(axis=1)) >= 0).all()
    found = np.empty(len(sample), np.int64)
    nearest_centres(sample, centres, centres.sum(axis=1, dtype=np.int64), found)
    distance = np.abs(FINER * sample[:, None, :] - centres[None]).sum(axis=2)
    assert (distance[np.arange(len(sample)), found] == distance.min(axis=1)).all()
    worse = np.abs(FINER * sample[:, None, :] - k_means(sample, 5)[None]).sum(axis=2).min(axis=1)
    assert distance.min(axis=1).mean() < worse.mean()


def test_a_blueprint_keeps_its_chances_in_its_file_and_a_damaged_one_is_refused(
    trained: Training, tmp_path: Path
) -> None:
    blueprint, path = trained.blueprint(), tmp_path / "mine.mz"
    blueprint.save(path)
    again = Blueprint.load(path)
    begin, step = blueprint.layout.first_entry
    for node in np.flatnonzero(begin >= 0)[::37]:
        places = (
            begin[node] + np.arange(2)[:, None] * step[node] + np.arange(blueprint.layout.tree.actions[node]) * EIGHT
        )
        assert (again.chances[places] == blueprint.chances[places]).all()
        assert (again.chances[places].sum(axis=1) == LEVELS).all()
    assert again.facts["rounds"] == 6
    model = read_model(path)
    bad = tmp_path / "bad.mz"
    for name, change in {
        "chances": model.arrays["chances"][:-1],
        "flop_low": model.arrays["flop_low"][:-1],
        "turn": model.arrays["turn"][::-1],
        "groups": model.arrays["groups"] + np.uint8(GROUPS),
        "river": model.arrays["river"].astype(np.float32),
    }.items():
        write_model(bad, Model("balanced", model.settings, {**model.arrays, name: change}))
        with pytest.raises(UnreadableError):
            Blueprint.load(bad)
    write_model(
        bad, Model("balanced", model.settings, {**model.arrays, "chances": model.arrays["chances"] | np.uint8(128)})
    )
    with pytest.raises(UnreadableError, match="more than one"):
        Blueprint.load(bad)
    bad.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableError, match="damaged"):
        Blueprint.load(bad)


def test_balanced_plays_by_the_rules_of_agents_and_says_its_chances(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "mine.mz"
    trained.blueprint().save(path)
    check_holdem_agent(lambda: Balanced(str(path)), rules(GAME), deals=1)
    assert Balanced(str(path)).unsupported_reason(rules("holdem-nolimit-2p")).startswith("its blueprint is of")


def _river(agent: Balanced, actions: str) -> Observations:
    """The decision after these actions (c call, r raise), on the river."""
    cards = np.array([[48, 44, 20, 1, 50, 30, 14, 9, 3]], np.uint8)
    table = Table(rules(GAME), cards, rng_key=np.array([7], np.uint64), seating=np.array([[0, 1]], np.int16))
    rows = np.arange(1)
    for letter in actions:
        seen = table.observe(rows)
        table.apply(rows, np.where(letter == "r", seen.raise_low, -1))
    return table.observe(rows)


def _mixing(training: Training) -> Balanced:
    """One who plays everything at times."""
    layout, draw = training.layout, np.random.default_rng(8)
    mean = draw.uniform(1, 9, layout.entries).astype(np.float32)
    assert isinstance(training.buckets, HoldemBuckets)
    return Balanced.playing(Blueprint(layout, training.buckets, chances_of(layout, mean, training.regret)))


def test_what_a_call_is_worth_on_the_river_is_its_equity_against_the_range(trained: Training) -> None:
    agent = _mixing(trained)
    seen = _river(agent, "ccrccrcr")  # bet and called on flop and turn, bet on the river
    assert int(seen.street[0]) == 3
    node = int(agent.blueprint.nodes(seen)[0])
    worths, errors = ActionWorths(agent.blueprint)(seen, node)
    weights = ranges_of(agent, seen, 1 - seen.position)[0]
    shares = shares_by_holding(seen.hole[0], seen.board[0], seen.rng_key[0])
    pot, owed = int(seen.pot[0]), int(seen.owed[0])
    called = (weights * shares).sum() * (pot + owed) - owed
    assert worths[0] == pytest.approx(0.0, abs=1e-4)
    assert worths[1] == pytest.approx(called / rules(GAME).big_blind, abs=1e-3)
    assert (errors == 0).all()
    said = agent.explain(seen)
    assert [option.value for option in said.options] == pytest.approx(worths.tolist())
    assert sum(option.terms["chance"] for option in said.options) == pytest.approx(1.0)


def test_before_the_flop_worths_are_sampled_and_say_their_error(trained: Training) -> None:
    agent = _mixing(trained)
    seen = _river(agent, "")
    worths, errors = ActionWorths(agent.blueprint)(seen, 0)
    assert worths[0] == pytest.approx(0.0, abs=1e-4)
    assert len(worths) == 3
    assert (errors[1:] > 0).all()


def test_a_best_response_asks_a_blueprint_for_the_chances_its_policy_states(trained: Training) -> None:
    agent, board = _mixing(trained), [50, 30, 14, 9]
    walk = StreetByStreet(rules(GAME), agent, 0)
    nodes = walk.streets[2].nodes[::9, 1]
    reach = np.repeat(free_of(board)[None], len(nodes), axis=0)
    found = walk._asked(nodes, board, reach)
    seen = with_all_holdings(walk._public(nodes, board), walk.state[nodes], walk.history[nodes], reach > 0)
    policy = agent.policy(seen)
    for action in range(2):
        taken = walk.tree.action[walk.tree.first[nodes] + action][np.nonzero(reach)[0]]
        assert (found[action][reach > 0] == policy.share(taken, any_raise=True)).all()


def test_a_betting_that_the_game_does_not_have_is_refused(trained: Training) -> None:
    agent = Balanced.playing(trained.blueprint())
    seen = _river(agent, "cc")
    history = seen.history.copy()
    history[0, 0] = -2 << 4 | 1  # the first folded, and yet it went on
    with pytest.raises(UnreadableError, match="no such betting"):
        agent.policy(replace(seen, history=history))
    missing = Path("nowhere.mz")
    with pytest.raises(UnreadableError, match=r"nowhere\.mz"):
        Balanced(str(missing))


def test_the_command_trains_keeps_resumes_and_refuses_what_it_cannot_do(
    few_buckets: HoldemBuckets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket_module, "make_buckets", lambda *sizes, **settings: few_buckets)
    run, out = CliRunner(), tmp_path / "mine.mz"
    words = ["game", GAME, "-o", str(out), "--judge", "4", "--quiet", "--json"]
    first = run.invoke(solve, [*words, "--rounds", "2"])
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert found["rounds"] == 2
    assert [row["rounds"] for row in found["curve"]] == [2]
    assert found["curve"][0]["low"] <= found["curve"][0]["local_best_response"] <= found["curve"][0]["high"]
    again = run.invoke(solve, [*words, "--rounds", "3", "--resume"])
    assert json.loads(again.stdout)["rounds"] == 3
    assert Blueprint.load(out).facts["rounds"] == 3
    for refused, words in {
        "with --resume": [GAME, "-o", str(out)],
        "name its file": [GAME],
        "for small games": [GAME, "-o", str(out), "--method", "cfr+"],
        "three numbers": [GAME, "-o", str(out), "--buckets", "5"],
        "of heads-up limit": ["leduc-2p", "--threads", "2"],
        "nothing to go on from": [GAME, "-o", str(tmp_path / "other.mz"), "--resume"],
    }.items():
        result = run.invoke(solve, ["game", *words])
        assert refused in str(result.exception)


def test_a_local_best_response_with_luck_taken_out_wins_the_same_with_a_smaller_error() -> None:
    plain = local_best_response("chart", GAME, hands=120, seed=4).estimate
    less = local_best_response("chart", GAME, hands=120, seed=4, aivat=True).estimate
    assert less.standard_error < plain.standard_error
    assert abs(less.mean - plain.mean) < 4 * plain.standard_error
