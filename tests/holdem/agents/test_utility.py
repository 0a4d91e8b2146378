from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, find_game
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.starting import SHARES, STARTING_HANDS, starting_values
from mazzo.holdem.agents.utility import FOUND_AGAINST_A_MIXTURE, FOUND_BY_SEARCH, Utility, UtilityPlus
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Finished
from mazzo.lockstep import play_out
from mazzo.testing import check_holdem_agent

SIX = find_game("holdem-nolimit-6p")


def facts(hand: Hand, **options: Any) -> dict[str, Any]:
    return dict(Utility(**options).explain(hand.observe()).facts)


@pytest.mark.parametrize(
    "name",
    [
        "utility",
        "utility:size=pot,list=printed",
        "patient",
        "utility+:profile=.3,table=.2,bluff=.2,size=hidden,after_raise=-.1",
    ],
)
@pytest.mark.parametrize("game", ["holdem-nolimit-6p", "holdem-limit-2p"])
def test_they_conform(name: str, game: str) -> None:
    check_holdem_agent(lambda: create(name, AGENTS), find_game(game), deals=20)


def test_every_starting_hand_is_listed_once() -> None:
    ranks = "23456789TJQKA"
    hands = {a + a for a in ranks} | {b + a + k for j, b in enumerate(ranks) for a in ranks[:j] for k in "so"}
    assert set(STARTING_HANDS) == hands
    assert len(STARTING_HANDS) == 169
    assert (STARTING_HANDS[46], STARTING_HANDS[158]) == ("JTo", "32o")


def test_values_of_starting_hands_are_the_texts() -> None:
    corrected, printed, _ = starting_values()
    assert corrected[12, 12] == 1  # two aces
    assert corrected[0, 5] == 0  # seven-two offsuit
    assert printed[11, 11] == pytest.approx(0.9881, abs=5e-5)
    assert corrected[11, 11] == pytest.approx(1 - 1 / 168)
    assert printed[12, 7] == pytest.approx(0.8869, abs=5e-5)  # ace-nine suited
    assert printed[7, 12] == pytest.approx(0.5476, abs=5e-5)  # ace-nine offsuit


def test_shares_of_starting_hands_count_deals() -> None:
    shares = starting_values()[SHARES]
    assert shares[12, 12] == pytest.approx(6 / 1326)
    assert shares[12, 11] == pytest.approx((6 + 6 + 6 + 4) / 1326)  # AA KK QQ AKs
    assert shares[0, 5] == 1


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        ("5s7h 2c3d4s", 0.1),  # seven high, the weakest hand of five cards
        ("AsKs QsJsTs", 1.0),
        ("2s2h 3c4d5h", 0.2),
        ("AsAh KcQdJh", 0.3),
        ("3s3h 2c2d4h", 0.3),
        ("AsAh AcKdQh", 0.5),
        ("As2h 3c4d5h", 0.5),
        ("AsKs QsJs9s", 0.7),
        ("2s2h 2c3d3h", 0.7),
        ("AsAh AcAdKh", 0.9),
    ],
)
def test_hands_after_the_flop_are_valued_by_class(cards: str, value: float) -> None:
    hole, flop = cards.split()
    used = {hole[:2], hole[2:], flop[:2], flop[2:4], flop[4:]}
    spare = [r + s for r in "6789TJ" for s in "cdhs" if r + s not in used]
    hand = Hand(find_game("holdem-nolimit-2p"), f"{hole} {spare[0]}{spare[1]} {flop} {spare[2]} {spare[3]}")
    hand.act("c").act("c")
    assert facts(hand)["V cards"] == pytest.approx(value)


def test_place_counts_those_who_can_still_speak_from_the_first_of_the_street() -> None:
    cards = "AsAh KsKh QsQh 9s9h 8s8h 7s7h 2c3d4c Td Js"
    hand = Hand(SIX, cards)
    assert facts(hand)["P place"] == pytest.approx(1 / 6)  # under the gun speaks first before the flop
    hand.act("f").act("c")
    assert facts(hand)["P place"] == pytest.approx(2 / 5)
    hand.act("f").act("f").act("c")
    assert facts(hand)["P place"] == 1  # the big blind speaks last before the flop ...
    hand.act("c")
    assert facts(hand)["P place"] == pytest.approx(1 / 3)  # ... and the small blind first after it


def test_pot_and_chips_are_shares() -> None:
    cards = "AsAh KsKh QsQh 2c3d7c 8d 9s"
    hand = Hand(find_game("holdem-nolimit-3p"), cards, stacks=(1000, 3000, 9000))
    assert facts(hand)["B pot"] == pytest.approx(1 - 100 / 150)
    assert facts(hand)["S chips"] == pytest.approx(9000 / (950 + 2900 + 9000))
    hand.act("r5000")
    assert facts(hand)["B pot"] == pytest.approx(1 - 950 / 5150)  # nobody calls more than he has
    hand.act("f")
    assert facts(hand)["B pot"] == pytest.approx(1 - 2900 / 5150)


def test_a_call_larger_than_the_pot_gives_zero() -> None:
    hand = Hand(find_game("holdem-nolimit-2p"), "AsAh KsKh 2c3d7c 8d 9s").act("c").act("c").act("r400")
    assert facts(hand)["B pot"] == pytest.approx(1 - 300 / 500)
    big = Hand(find_game("holdem-nolimit-2p"), "AsAh KsKh 2c3d7c 8d 9s", stacks=(20000, 20000)).act("r20000")
    assert facts(big)["B pot"] == pytest.approx(1 - 19900 / 20100)
    ante = Hand(find_game("holdem-nolimit-6p"), "AsAh KsKh QsQh 9s9h 8s8h 7s7h 2c3d4c Td Js")
    assert facts(ante)["B pot"] == pytest.approx(1 - 100 / 150)


def decided(owed: int, utility: float, raise_at: float, fold_at: float) -> str:
    if owed == 0:
        return "r" if utility >= raise_at else "c"
    if utility < fold_at:
        return "f"
    return "r" if utility > raise_at else "c"


@pytest.mark.parametrize("size", ["stack", "pot"])
def test_decisions_follow_the_rule_written_out_plainly(size: str) -> None:
    agent = Utility(size=size)
    table = HoldemMatch(SIX).table(range(40), 3)
    seen: list[Any] = []
    decide = agent.decide
    agent.decide = lambda o: (seen.append(o), decide(o))[1]  # type: ignore[assignment, func-returns-value]
    play_out(table, [agent, *(create("random", AGENTS) for _ in range(5))])
    checked = set()
    for batch in seen:
        for k in range(len(batch)):
            o = batch[k : k + 1]
            explanation = Utility(size=size).explain(o)
            v, p, b, s = explanation.facts.values()
            utility = 0.6 * v + 0.1 * p + 0.2 * b + 0.1 * s  # type: ignore[operator]
            word, owed = decided(int(o.owed[0]), utility, 0.55, 0.3), int(o.owed[0])
            low, high = int(o.raise_low[0]), int(o.raise_high[0])
            if word == "r" and high:
                excess = (utility - 0.55) / 0.45
                wanted = low + (high - low) * excess
                if size == "pot":
                    wanted = int(o.state[0, 3]) + (int(o.pot[0]) + owed) * excess
                assert abs(int(explanation.action[1:]) - min(high, max(low, wanted))) <= 0.5 + 1e-6
            else:
                assert explanation.action == ("c" if word == "r" else word)
            assert explanation.action == action_text(int(decide(o)[0]), False)
            checked.add(word)
    assert checked == {"f", "c", "r"}


def finished(hand: Hand, position: int) -> Finished:
    table = hand._table
    return Finished(hand.game, position, table.state, table.history, table.seating, table.cards, table.settle())


def lost_hand() -> Hand:
    """Position 0 raises before the flop, checks the flop, and is raised out on the turn."""
    hand = Hand(find_game("holdem-nolimit-2p"), "AsAh KsKh 2c3d7c 8d 9s")
    for action in ("c", "r300", "c", "c", "c", "c", "r600", "f"):
        hand.act(action)
    return hand


def test_a_losing_window_moves_thresholds_street_by_street() -> None:
    agent = Utility(mu=".1/.08/.06/.04", n=2)
    hand = lost_hand()
    agent.on_hands_finished(finished(hand, 0))
    assert agent.thresholds_.tolist() == [[0.55, 0.3]]  # the window is not full
    agent.on_hands_finished(finished(hand, 0))
    assert agent.thresholds_.tolist() == [[0.65, 0.38]]  # raised before the flop, called on it, folded on the turn
    agent.on_hands_finished(finished(hand, 0))
    assert agent.thresholds_.tolist() == [[0.65, 0.38]]  # a new window has begun


def test_a_winning_window_changes_nothing() -> None:
    agent = Utility(n=1)
    agent.on_hands_finished(finished(lost_hand(), 1))
    assert agent.thresholds_.tolist() == [[0.55, 0.3]]


def test_steps_that_leave_the_unit_interval_or_close_the_gap_are_not_taken() -> None:
    agent = Utility(raise_=0.95, fold=0.9, mu=".05", n=1)
    agent.on_hands_finished(finished(lost_hand(), 0))
    assert agent.thresholds_.tolist() == [[0.95, 0.9]]  # 1.00 is outside, and .95 would close the gap


def test_the_table_of_actions_is_kept() -> None:
    agent = Utility(n=100)
    agent.on_hands_finished(finished(lost_hand(), 0))
    table = {(line["street"], line["action"]): (line["times"], line["net"]) for line in agent.learned()["table"]}
    assert {key for key, (times, _) in table.items() if times} == {
        ("before the flop", "raise"),
        ("flop", "call"),
        ("turn", "fold"),
    }
    assert table["turn", "fold"] == (1, -300)


def test_profiles_follow_what_opponents_do() -> None:
    agent = UtilityPlus(profile=0.5)
    before = agent.thresholds_.copy()
    for _ in range(30):
        agent.on_hands_finished(finished(lost_hand(), 1))
    observation = Hand(find_game("holdem-nolimit-2p"), "AsAh KsKh 2c3d7c 8d 9s").act("c").observe(1)
    assert agent.known_[0, 0].tolist() == [120, 30, 30, 30, 0, 0]  # acts, raises, faced, folded, shown, bluffs
    assert (agent.thresholds_ == before).all()
    options = {o.action: o.value for o in agent.explain(observation).options}
    assert options["raise at"] is not None
    assert options["raise at"] < 0.55  # who folds to every raise is raised more lightly


@pytest.mark.parametrize(("table", "cautious"), [(0.2, True), (-0.2, False)])
def test_thresholds_follow_the_tables_aggression_in_the_direction_of_its_sign(table: float, cautious: bool) -> None:
    agent = UtilityPlus(table=table)
    observation = Hand(find_game("holdem-nolimit-2p"), "AsAh KsKh 2c3d7c 8d 9s").act("c").observe(1)
    before = {o.action: o.value for o in agent.explain(observation).options}
    agent.known_[0, 0, :2] = 200, 180  # acts, raises: the other raises nearly always
    after = {o.action: o.value for o in agent.explain(observation).options}
    for threshold in ("raise at", "fold below"):
        was, is_now = before[threshold], after[threshold]
        assert was is not None
        assert is_now is not None
        assert (is_now > was) == cautious


def test_both_recommended_agents_loosen_at_aggressive_tables() -> None:
    """Not only by the sign of `table`: with their profiles, too, both thresholds fall where all others raise often."""
    observation = Hand(find_game("holdem-nolimit-5p"), seed=1).observe()
    for name in (FOUND_BY_SEARCH, FOUND_AGAINST_A_MIXTURE):
        agent = create(name, AGENTS)
        assert isinstance(agent, UtilityPlus)
        assert agent.table < 0
        before = [o.value for o in agent.explain(observation).options[1:]]
        agent.known_[0, :, :2] = 200, 180  # acts, raises
        for was, is_now in zip(before, [o.value for o in agent.explain(observation).options[1:]], strict=True):
            assert was is not None
            assert is_now is not None
            assert is_now < was - 0.05


def test_bluffs_are_as_frequent_as_asked() -> None:
    table = HoldemMatch(SIX).table(range(2000), 1)
    rows = np.arange(len(table))
    seen = table.observe(rows)
    plain, bluffing = UtilityPlus(raise_=0.99).decide(seen), UtilityPlus(raise_=0.99, bluff=0.25).decide(seen)
    assert (plain < 2).all()
    assert abs((bluffing >= 2).mean() - 0.25) < 0.02


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("utility:v=.9", "come to 1 together"),
        ("utility:raise=.3,fold=.3", "at least 0.01 apart"),
        ("utility:mu=.1/.2", "four of them"),
        ("utility:size=stak", "did you mean 'stack'"),
        ("utility:size=hidden", "known: pot, stack"),
        ("utility:list=mended", "corrected"),
        ("utility+:bluff=2", "from 0 to 1"),
        ("patient:top=0", "share above 0"),
    ],
)
def test_wrong_parameters_are_explained(name: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        create(name, AGENTS)
