"""`solid`: charts, short stacks, ranges of others, spots, players it knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mazzo.agent import check_safe, create
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import CALL, FOLD, Hand, rules
from mazzo.holdem.agents import AGENTS, find_agent
from mazzo.holdem.agents.solid import Solid
from mazzo.holdem.agents.solid_charts import CHARTS, SITUATIONS, equity_table, place_of_classes, read_charts
from mazzo.holdem.agents.solid_spot import stand_in_ranges
from mazzo.holdem.bayes import holdings
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.odds import equity_against
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.push_fold import class_table, solve_push_fold
from mazzo.holdem.solver.short_stacks import OPEN, POSITION, solve_short_stacks
from mazzo.testing import check_agent

HEADS_UP = rules("holdem-nolimit-2p")
GAMES = [
    HEADS_UP,
    rules("holdem-nolimit-6p-100bb"),
    rules("holdem-nolimit-10p"),
    replace(HEADS_UP, name="push or fold", stacks=(800, 600)),
    replace(HEADS_UP, name="few sizes", stacks=(1800, 2600)),
    replace(rules("holdem-nolimit-6p"), name="antes", stacks=(900, 300, 5000, 700, 40, 20000), antes=(10,) * 6),
]


def _number(hand: str) -> int:
    low, high = sorted(int(card) for card in FRENCH.parse(hand))
    return high * (high - 1) // 2 + low


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_it_conforms_with_any_number_of_players_stacks_and_antes(game: Rules) -> None:
    check_agent("solid", game, deals=8)


def test_limit_games_are_refused_in_words() -> None:
    assert "no-limit only" in create("solid", AGENTS).unsupported_reason(rules("holdem-limit-2p"))


@pytest.mark.parametrize(("opponent", "least"), [("call", 3.0), ("fold", 0.5), ("random", 2.0)])
def test_it_beats_simple_players_by_far(opponent: str, least: float) -> None:
    won, _ = HoldemMatch(rules("holdem-nolimit-2p-100bb")).play(
        [find_agent("solid"), find_agent(opponent)], range(400), 3
    )
    assert won[:, 0].mean() > least


# Charts.


def test_the_charts_have_every_situation_and_their_order_begins_with_aces() -> None:
    charts, place = read_charts(), place_of_classes()
    assert charts.raises.shape == (len(SITUATIONS), 169)
    assert place[12 * 13 + 12] == place.min() == pytest.approx(6 / 1326)
    assert place.max() == pytest.approx(1)
    assert ((charts.raises + charts.calls) <= 1).all()


def test_equity_against_a_share_of_hands_is_that_of_the_range_it_stands_for() -> None:
    place, best = place_of_classes(), []
    for a, b in holdings().astype(int):
        kind = 13 * (b >> 2) + (a >> 2) if (a & 3) == (b & 3) or a >> 2 == b >> 2 else 13 * (a >> 2) + (b >> 2)
        if place[kind] <= 0.02 + 1e-9:
            best.append("".join(map(str, FRENCH.cards([a, b]))))
    counted = equity_against("9c9d", [",".join(best)]).equity
    assert equity_table()[7 * 13 + 7, 1] == pytest.approx(counted, abs=1e-9)


def test_a_changed_chart_is_played_by(tmp_path: Path) -> None:
    mine = tmp_path / "mine.charts"
    mine.write_text(
        CHARTS.read_text().replace("open heads-up        raise 2.5   88%", "open heads-up  raise 4  22+,AKs")
    )
    seen = Hand("holdem-nolimit-2p", "2c2d 7h2h 3c4c5c 6d 7d").observe()
    assert Solid(charts=str(mine)).decide(seen)[0] == FOLD
    pair = Hand("holdem-nolimit-2p", "7h2h 2c2d 3c4c5c 6d 7d").observe()
    assert Solid(charts=str(mine)).decide(pair)[0] == 400


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("open behind 2 ", "open behind 12 ", "line 22: a line is"),
        ("46%", "146%", "line 22: a share must be from 0% to 100%"),
        ("46%", "AXs", "line 22: cannot read"),
        ("raise 2.5   46%", "raise x   46%", "line 22: a raise must be to more than 1"),
        ("limped               raise 4", "# limped  raise 4", "no line for limped"),
        ("open behind 2 ", "open behind 1 ", "stands here a second time"),
    ],
)
def test_what_is_wrong_with_charts_is_said_with_its_line(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.charts"
    file.write_text(CHARTS.read_text().replace(old, new, 1))
    with pytest.raises(UnreadableError, match=complaint):
        Solid(charts=str(file))


# Short stacks.


def test_up_to_ten_blinds_heads_up_it_pushes_and_calls_as_the_solution_does() -> None:
    game, found = replace(HEADS_UP, stacks=(800, 800)), solve_push_fold(8, until=1e-4)
    share = dict(zip(found.classes, zip(found.push, found.call, strict=True), strict=True))
    for text, name in (("AcKd", "AKo"), ("7h2c", "72o"), ("Th8h", "T8s"), ("5c4c", "54s"), ("QsQd", "QQ")):
        first = Hand(game, f"2d3d {text} 9c8c7d 6s 6c")
        policy = Solid().policy(first.observe())
        assert policy.share(np.array([800]))[0] == pytest.approx(share[name][0], abs=1e-9)
        assert policy.share(np.array([FOLD]))[0] == pytest.approx(1 - share[name][0], abs=1e-9)
        facing = Hand(game, f"{text} 2d3d 9c8c7d 6s 6c").act(800)
        assert Solid().policy(facing.observe()).share(np.array([CALL]))[0] == pytest.approx(share[name][1], abs=1e-9)


def test_the_game_of_few_sizes_is_solved_as_plain_sums_over_pairs_of_classes_say() -> None:
    """What a best response gains, worked out action by action without the solver's own sums."""
    stack = 16.0
    found = solve_short_stacks(stack, until=5e-4)
    _, pairs, equity = class_table()
    joint, all_in = pairs / pairs.sum(), (2 * equity - 1) * stack
    even = 2 * (equity + POSITION) - 1
    limp, small, push = found.first[1], found.first[2], found.first[3]
    # By pair of classes (small blind's, big blind's) what the small blind wins after each of its actions.
    after_limp = found.after_call[0][:, None] * -1.0 + found.after_call[1][:, None] * all_in
    after_open = found.after_raise[0][:, None] * -OPEN + found.after_raise[1][:, None] * all_in
    called = found.called[0] * even + found.called[1] * after_limp
    opened = found.raised[0] + found.raised[1] * OPEN * even + found.raised[2] * after_open
    pushed = found.pushed[0] + found.pushed[1] * all_in
    value = (
        joint
        * (found.first[0][:, None] * -0.5 + limp[:, None] * called + small[:, None] * opened + push[:, None] * pushed)
    ).sum()
    assert value == pytest.approx(found.value, abs=1e-9)
    best = 0.0
    for k in range(169):  # the small blind's best answer, class by class
        row, mine = joint[k], all_in[k]
        over = (row * found.called[1]).sum(), (row * found.called[1] * mine).sum()
        again = (row * found.raised[2]).sum(), (row * found.raised[2] * mine).sum()
        best += max(
            -0.5 * row.sum(),
            (row * found.called[0] * even[k]).sum() + max(-over[0], over[1]),
            (row * (found.raised[0] + found.raised[1] * OPEN * even[k])).sum() + max(-OPEN * again[0], again[1]),
            (row * (found.pushed[0] + found.pushed[1] * mine)).sum(),
        )
    worst = -0.5 * (joint * found.first[0][:, None]).sum()
    for k in range(169):  # the big blind's, in what the small blind then wins
        column = joint[:, k]
        worst += min((column * limp * even[:, k]).sum(), (column * limp * after_limp[:, k]).sum())
        worst += min(
            (column * small).sum(),
            (column * small * OPEN * even[:, k]).sum(),
            (column * small * after_open[:, k]).sum(),
        )
        worst += min((column * push).sum(), (column * push * all_in[:, k]).sum())
    assert (best - worst) / 2 == pytest.approx(found.exploitability, abs=1e-9)
    assert found.exploitability <= 5e-4


def test_few_sizes_refuse_deep_stacks() -> None:
    with pytest.raises(UnreadableError, match="2 to 25 big blinds"):
        solve_short_stacks(40)


# Ranges of others.


def test_the_stand_in_leaves_out_the_board_and_moves_weight_to_strong_hands_after_a_bet() -> None:
    hand = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r300").act("c").act("c")
    checked = stand_in_ranges(hand.act("c").observe(), np.array([1]))[0]
    hand = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r300").act("c").act("c").act("r500")
    bet = stand_in_ranges(hand.observe(), np.array([1]))[0]
    assert bet[_number("KdKs")] == 0 == checked[_number("KdKs")]
    strong, weak = _number("KsKc"), _number("6c5d")
    assert bet[strong] / bet[weak] > 4 * checked[strong] / checked[weak]
    assert (bet >= 0).all()


def test_what_the_stand_in_says_does_not_hang_on_the_names_of_suits() -> None:
    one = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r300").act("c").act("c").act("r500")
    other = Hand("holdem-nolimit-2p", "7s2h AcAs KdQc9d Th 3h").act("r300").act("c").act("c").act("r500")
    first, second = (stand_in_ranges(hand.observe(), np.array([1]))[0] for hand in (one, other))
    rename = {"c": "h", "h": "s", "s": "c", "d": "d"}
    for hand in ("AhKh", "QcQh", "8s7s", "JdTd"):
        image = "".join(rename.get(letter, letter) if k % 2 else letter for k, letter in enumerate(hand))
        assert first[_number(hand)] == pytest.approx(second[_number(image)])


# Spots.


def test_with_seconds_it_plays_turn_and_river_as_solved_and_the_nuts_never_fold() -> None:
    hand = Hand("holdem-nolimit-2p", "KhKs AcAd As7d7h 2c 3d").act("r300").act("c").act("c").act("c").act("c")
    hand = hand.act("r600").act("c").act("r2000")
    seen = hand.observe()
    agent = Solid(seconds=0.02)
    policy = agent.policy(seen)
    assert policy.p.sum() == pytest.approx(1)
    assert policy.share(np.array([FOLD]))[0] < 0.01
    assert np.array_equal(agent.policy(seen).p, policy.p)  # so many rounds, not so much time
    assert "solved the spot" in agent.explain(seen).reason
    assert agent.explain(seen).action == "r" + str(int(agent.decide(seen)[0])) or agent.decide(seen)[0] == CALL


def test_a_decision_before_the_turn_or_all_in_is_no_spot() -> None:
    agent = Solid(seconds=0.02)
    hand = Hand("holdem-nolimit-2p", "AcAd KhKs As7d7h 2c 3d").act("r300").act("c")
    assert not agent._spots(hand.observe())[0]
    hand = hand.act("c").act("c").act("r20000")
    assert not agent._spots(hand.observe())[0]


# Players it knows.


def test_it_answers_players_it_knows() -> None:
    air = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r300").act("c").observe()
    assert Solid(knows="fold").decide(air)[0] > 0  # a bet wins the pot
    assert Solid(knows="call").decide(air)[0] == CALL  # a bluff would be called
    said = Solid(knows="fold").explain(air)
    assert "against fold, whom it knows" in said.reason
    assert said.unit == "bb"


def test_several_are_known_by_their_order_among_the_others() -> None:
    agent = Solid(knows="fold|random:fold=.1;call=.2;raise=.7")
    seen = Hand("holdem-nolimit-3p", seed=2).observe()  # position 2 is to act
    assert [agent._model(seen, p).name for p in (0, 1)] == ["fold", "random:fold=.1,call=.2,raise=.7"]


def test_learners_and_unknown_names_are_refused() -> None:
    with pytest.raises(UnreadableError, match="learns"):
        Solid(knows="reader")
    with pytest.raises(UnreadableError, match="no agent"):
        Solid(knows="nobody")


# What is said, and what may be chosen.


def test_it_says_why_in_sentences() -> None:
    before = Solid().explain(Hand("holdem-nolimit-6p", seed=1).observe())
    assert "the charts, line 'open behind 5'" in before.reason
    large = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r6000").observe()
    assert "too large for the charts" in Solid().explain(large).reason
    after = Hand("holdem-nolimit-2p", "7h2c AsAh KdQs9d Tc 3c").act("r300").act("c").act("c").observe()
    said = Solid().explain(after)
    assert "against what its opponent would hold as a usual player" in said.reason
    assert said.options[0].action == "check"
    short = Hand(replace(HEADS_UP, stacks=(1500, 1500)), seed=1).observe()
    assert "15 big blinds it plays as solved" in Solid().explain(short).reason


def test_files_and_other_agents_cannot_be_chosen_in_a_browser() -> None:
    check_safe("solid:bluff=.3,caution=.2", Solid)
    for name in ("solid:charts=/etc/passwd", "solid:knows=mybot.py", "solid:seconds=100"):
        with pytest.raises(UnreadableError):
            check_safe(name, Solid)


@pytest.mark.parametrize("wrong", ["bluff=2", "largest=0", "caution=-1", "seconds=1e9"])
def test_settings_that_make_no_sense_are_refused(wrong: str) -> None:
    with pytest.raises(UnreadableError, match=wrong.split("=")[0]):
        create(f"solid:{wrong}", AGENTS)


def test_the_second_example_conforms_and_beats_one_that_calls() -> None:
    tag = Path(__file__).parents[3] / "examples" / "tag.py"
    check_agent(lambda: create(str(tag), AGENTS), "holdem-nolimit-6p-100bb", deals=4)
    won, _ = HoldemMatch(HEADS_UP).play([create(str(tag), AGENTS), find_agent("call")], range(300), 3)
    assert won[:, 0].mean() > 1
