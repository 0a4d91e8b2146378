from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.attributes import situations_seen
from mazzo.holdem.attributes.elementary import SEQUENCES, capped_sequences, matrix
from mazzo.holdem.hand import Hand
from mazzo.holdem.learning import (
    ATTRIBUTES,
    CONTINUOUS,
    DERIVED,
    ELEMENTARY,
    LEARNING,
    Decisions,
    as_exported,
    attribute_names,
    decisions_of,
    read_export,
    write_export,
)
from mazzo.holdem.logs import Hands, read_hands
from mazzo.holdem.match import played_lines
from mazzo.holdem.odds import equity
from mazzo.holdem.rules import find_game

LIMIT = find_game("holdem-limit-2p")
EXAMPLE = "PLAYER1|PLAYER2:0:cc/rc/cc/crrrc:8sAs|Ac2h/8h4h2s/5c/6s:80|-80\n"
"""The hand of figure 4.5 of Vilella (2011)."""
FIGURE_4_3 = """\
GGValuta|HyperboreanLimit-Eqm:0:rc/crc/cc/rc:8hTd|As9c/KsJcJh/Qc/8d:10|-10
HyperboreanLimit-Eqm|GGValuta:1:rc/crf:5d6s|6dKd/ThTdJs:-4|4
GGValuta|HyperboreanLimit-Eqm:2:rrc/rc/cc/rc:JhQh|5dAc/4c4s9c/7h/8c:-12|12
"""


def log(tmp_path: Path, text: str, name: str = "some.log") -> list[Hands]:
    (tmp_path / name).write_text(text)
    return list(read_hands(tmp_path / name))


def played(tmp_path: Path, first: str, second: str, hands: int, seed: int = 1) -> list[Hands]:
    agents = [create(name, AGENTS) for name in (first, second)]
    lines = [line for batch in played_lines(LIMIT, agents, hands, seed) for line in batch]
    head = f"# name/game/hands/seed x holdem-limit-2p {hands} {seed}"
    return log(tmp_path, "\n".join([head, *lines, ""]), f"{first}-{second}-{hands}-{seed}.log".replace(":", "_"))


def values(decisions: Decisions, row: int, names: tuple[str, ...]) -> dict[str, float]:
    matrix = decisions.matrix(names)
    return dict(zip(names, matrix[row].tolist(), strict=True))


def test_the_example_of_the_text_becomes_the_numbers_it_prints_with_exact_pv(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE))
    first = values(decisions, 0, LEARNING)
    assert list(first.values())[:5] == [0, 0, 0, 0, 1]
    assert [first[k] for k in ("pot", "bet_preflop", "bet_flop", "bet_turn", "bet_river")] == [15, 2, 0, 0, 0]
    assert decisions.action[0] == 1
    assert decisions.reward[0] == -5
    after = values(decisions, int(decisions.next[0]), LEARNING)
    assert [after[k] for k in ("stage", "raises", "raises_sb", "raise_before", "turn")] == [1, 1, 0, 1, 1]
    assert [after[k] for k in ("pot", "bet_preflop", "bet_flop", "bet_turn", "bet_river")] == [30, 5, 4, 0, 0]
    assert round(first["pv"]) == 549
    assert round(after["pv"]) == 582


def test_pv_is_exact_on_every_street(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), attributes=(*DERIVED[:7], "pv"))
    for row in decisions.matrix(decisions.attributes):
        cards = [int(k) - 1 for k in row[:7]]
        board = [k for k in cards[2:] if k >= 0]
        assert row[7] == pytest.approx(1000 * equity(cards[:2], board).equity, rel=1e-7)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_rewards_less_the_blind_are_the_result_of_every_hand(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    hands = played(tmp_path_factory.mktemp("log"), "random:free_fold=true", "chart", 60, seed)
    net = np.concatenate([h.net[:, :2] for h in hands]).ravel()
    for reward in ("chips", "final"):
        decisions = decisions_of(hands, reward=reward)
        episode = decisions.hand * 2 + decisions.position
        total = np.bincount(episode, decisions.reward, len(net))
        blind = np.tile([10.0, 5.0], len(net) // 2)
        has = np.bincount(episode, minlength=len(net)) > 0
        assert (total[has] - blind[has] == net[has]).all()
        assert sorted(net[~has]) == sorted(decisions.idle)


def test_a_final_reward_comes_with_the_last_decision_only(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), reward="final")
    assert (decisions.reward[decisions.next >= 0] == 0).all()
    assert sorted(decisions.reward[decisions.next < 0].tolist()) == [-75, 90]


def test_rewards_by_equity_give_the_pot_times_equity_at_showdown(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), reward="equity")
    shares = [equity(FRENCH.parse(hole), FRENCH.parse("8h4h2s5c6s")).equity for hole in ("8sAs", "Ac2h")]
    last = {
        int(p): float(r) for p, r, n in zip(decisions.position, decisions.reward, decisions.next, strict=True) if n < 0
    }
    assert last[0] == pytest.approx(160 * shares[0] - 20)
    assert last[1] == pytest.approx(160 * shares[1] - 40)
    folded = log(tmp_path, "A|B:0:rf:8sAs|Ac2h:-10|10\n", "folded.log")
    assert (decisions_of(folded, reward="equity").reward == decisions_of(folded).reward).all()


def test_showdowns_count_by_equity_only_where_the_others_betting_says_nothing_of_their_cards(tmp_path: Path) -> None:
    blind = played(tmp_path, "random", "random", 2000)
    assert decisions_of(blind, reward="auto").rewarded == "equity"
    assert (decisions_of(blind, reward="auto").reward == decisions_of(blind, reward="equity").reward).all()

    careful = played(tmp_path, "random", "chart", 4000)
    chosen = decisions_of(careful, against="chart", reward="auto")
    assert chosen.rewarded == "chips"
    assert chosen.p_value is not None
    assert chosen.p_value < 1e-6
    assert (chosen.reward == decisions_of(careful, against="chart").reward).all()
    # The other way round it is chart that faces a player who ignores its cards.
    assert decisions_of(careful, player="chart", reward="auto").rewarded == "equity"

    few = decisions_of(played(tmp_path, "random", "random", 200), reward="auto")
    assert (few.rewarded, few.p_value) == ("chips", None)


def test_against_players_who_ignore_their_cards_every_probability_is_as_likely(tmp_path: Path) -> None:
    made = (decisions_of(played(tmp_path, "random", "call", 500, seed), reward="auto") for seed in range(60))
    found = np.sort([d.p_value for d in made])
    distance = np.abs(found - (np.arange(60) + 0.5) / 60).max()
    assert distance < 0.25  # Kolmogorov-Smirnov: 0.21 in five of a hundred, 0.25 in one


def test_rewards_of_the_document_are_those_of_its_code(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), reward="document")
    small = decisions.reward[decisions.position == 1].tolist()
    big = decisions.reward[decisions.position == 0].tolist()
    # Small blind: call 5, call a bet of 10, check, then raise, reraise; its last reward has the wrong sign.
    assert small == [-5, -10, 0, -20, -(2 * 80 - 10) + 5]
    assert big == [0, -10, 0, 0, -40, 2 * 80 - 10]


def test_stakes_of_a_log_without_a_header_are_inferred(tmp_path: Path) -> None:
    hands = log(tmp_path, FIGURE_4_3)
    assert hands[0].games[0].big_blind == 2
    decisions = decisions_of(hands)
    assert decisions.matrix(["pot"])[0] == 15  # counted as if the big blind were 10
    assert decisions.reward[0] == -15


def test_every_attribute_has_a_name_of_its_own_and_sets_have_their_sizes() -> None:
    assert len(set(ATTRIBUTES)) == len(ATTRIBUTES)
    assert (len(ELEMENTARY), len(DERIVED), len(LEARNING)) == (33, 18, 11)
    assert set(CONTINUOUS) <= set(ATTRIBUTES)


def test_elementary_and_derived_attributes_say_cards_and_actions(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), attributes=ATTRIBUTES)
    last = values(decisions, len(decisions) - 1, ATTRIBUTES)
    assert (last["hole_1_rank"], last["hole_1_suit"], last["river_card_rank"]) == (8, 4, 6)
    assert (last["hole_1"], last["flop_1"]) == (6 * 4 + 3 + 1, 6 * 4 + 2 + 1)
    assert [last[f"preflop_action_{k}"] for k in range(1, 5)] == [1, 1, 0, 0]
    assert [last[f"river_action_{k}"] for k in range(1, 6)] == [1, 2, 2, 2, 0]
    assert [last[f"bet_{street}"] for street in ("preflop", "flop", "turn", "river")] == [5, 8, 5, 18]
    first = values(decisions, 0, ATTRIBUTES)
    assert (first["flop_1"], first["turn_card_rank"], first["river_action_1"]) == (0, 0, 0)


def test_the_continuous_description_says_who_put_in_how_much_when(tmp_path: Path) -> None:
    decisions = decisions_of(log(tmp_path, EXAMPLE), attributes=CONTINUOUS)
    last = values(decisions, len(decisions) - 1, CONTINUOUS)  # big blind before its last call on the river
    assert [last[f"chips_me_{s}"] for s in ("preflop", "flop", "turn", "river")] == [10, 10, 0, 40]
    assert [last[f"chips_other_{s}"] for s in ("preflop", "flop", "turn", "river")] == [10, 10, 0, 60]
    assert [last[f"raises_me_{s}"] for s in ("preflop", "flop", "turn", "river")] == [0, 1, 0, 1]
    assert [last[f"raises_other_{s}"] for s in ("preflop", "flop", "turn", "river")] == [0, 0, 0, 2]
    assert (last["initiative"], last["owed"], last["turn"]) == (-1, 20, 0)


def test_the_small_blind_owes_half_a_blind_although_nobody_raised(tmp_path: Path) -> None:
    names = ("raise_before", "owed")
    first = values(decisions_of(log(tmp_path, EXAMPLE), attributes=names), 0, names)
    assert first == {"raise_before": 0, "owed": 5}


def test_betting_sequences_have_the_numbers_of_the_appendix() -> None:
    assert [SEQUENCES[k] for k in ("f", "", "c", "r", "cc", "rr", "crrrc")] == [1, 2, 3, 4, 5, 9, 22]
    assert [SEQUENCES[k] for k in ("crrrr", "rrrr", "crrrrf", "rrrrc")] == [23, 24, 25, 28]


def test_turn_is_who_acts_also_after_check_and_three_raises_on_the_flop() -> None:
    hand = Hand.parse("STATE:0:cc/crrr:8sAs|Ac2h/8h4h2s", LIMIT)
    assert matrix(situations_seen(hand.observe()), ["turn"]).tolist() == [[0]]


def test_what_a_player_sees_is_described_as_the_log_of_it_is(tmp_path: Path) -> None:
    text = "cc/rc/cc/crrrc"
    decisions = decisions_of(log(tmp_path, EXAMPLE), attributes=ATTRIBUTES)
    hand = Hand(LIMIT, "8sAs Ac2h 8h4h2s 5c 6s")
    for row, action in enumerate(text.replace("/", "")):
        seen = situations_seen(hand.observe())
        assert (matrix(seen, ATTRIBUTES)[0] == decisions.states[row]).all()
        assert (seen.legal[0] == decisions.legal[row]).all()
        hand.act(action)


def test_rows_are_of_a_player_or_of_those_who_faced_one(tmp_path: Path) -> None:
    hands = played(tmp_path, "random", "chart", 200)
    everyone, mine = decisions_of(hands), decisions_of(hands, player="random")
    theirs = decisions_of(hands, against="chart")
    assert 0 < len(mine) < len(everyone)
    assert (mine.reward == theirs.reward).all()
    assert mine.fingerprint == theirs.fingerprint


def test_the_fingerprint_is_of_the_hands(tmp_path: Path) -> None:
    hands = played(tmp_path, "random", "chart", 200)
    whole = decisions_of(hands).fingerprint
    assert whole == decisions_of(hands, reward="final").fingerprint
    assert whole != decisions_of([h[:-1] for h in hands]).fingerprint


def test_equal_agents_are_logged_with_numbers(tmp_path: Path) -> None:
    hands = played(tmp_path, "random", "random", 20)
    assert sorted(hands[0].names) == ["random#1", "random#2"]
    with pytest.raises(UnreadableError, match="did you mean 'random#"):
        decisions_of(hands, player="random")


def test_cards_that_are_not_known_give_no_row_and_the_others_cards_are_never_seen(tmp_path: Path) -> None:
    shown = decisions_of(log(tmp_path, "A|B:0:rf:8sAs|Ac2h:-10|10\n"), player="B", attributes=ATTRIBUTES)
    hidden_text = "A|B:0:rf:|Ac2h:-10|10\n"
    hidden = decisions_of(log(tmp_path, hidden_text, "hidden.log"), attributes=ATTRIBUTES)
    assert len(hidden) == 1
    assert (hidden.states == shown.states).all()


def test_hands_of_another_game_are_refused_by_name(tmp_path: Path) -> None:
    game = find_game("leduc-2p")
    lines = next(iter(played_lines(game, [create("call", AGENTS), create("fold", AGENTS)], 5)))
    hands = log(tmp_path, "\n".join(["# name/game/hands/seed x leduc-2p 5 0", *lines, ""]))
    with pytest.raises(UnreadableError, match=r"leduc-2p.*heroes play Hold'em"):
        decisions_of(hands)
    other = find_game("holdem-limit-3p")
    three = next(iter(played_lines(other, [create("call", AGENTS)] * 3, 5)))
    mixed = log(tmp_path, "\n".join(["# name/game/hands/seed x holdem-limit-3p 5 0", *three, ""]), "three.log")
    with pytest.raises(UnreadableError, match=r"holdem-limit-3p.*heads-up limit"):
        decisions_of([*log(tmp_path, EXAMPLE, "two.log"), *mixed])


def _same(one: Decisions, other: Decisions) -> None:
    for field in fields(Decisions):
        if field.name not in ("fingerprint",):
            mine, theirs = getattr(one, field.name), getattr(other, field.name)
            assert np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs, field.name


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("players", [("random", "random"), ("random:free_fold=true", "chart")])
def test_an_export_is_read_back_as_it_was(tmp_path: Path, players: tuple[str, str], whole: bool) -> None:
    decisions = decisions_of(played(tmp_path, *players, 400))
    path = write_export(decisions, tmp_path / "data4FQI.txt", whole=whole)
    assert path.read_text().startswith("12\t12\n")
    kept = as_exported(decisions, whole)
    _same(read_export(path), kept)
    again = write_export(read_export(path), tmp_path / "again.txt", whole=whole)
    assert again.read_text() == path.read_text()
    assert np.abs(kept.states - as_exported(decisions, whole=False).states).max() <= (0.5 if whole else 0)


def test_an_export_has_a_hands_rows_of_the_big_blind_and_then_of_the_small_blind(tmp_path: Path) -> None:
    decisions = decisions_of(played(tmp_path, "random", "random", 300))
    back = read_export(write_export(decisions, tmp_path / "data4FQI.txt"))
    assert (np.diff(back.hand) >= 0).all()
    for hand in range(int(back.hand.max()) + 1):
        assert (np.diff(back.position[back.hand == hand]) >= 0).all()
    assert int(back.first.sum()) == int(decisions.first.sum())
    chips = decisions.reward.sum()
    assert back.reward.sum() == pytest.approx(chips)
    assert len(back.transitions(LEARNING).actions) == len(decisions)


def test_rows_of_two_players_that_are_mixed_are_refused(tmp_path: Path) -> None:
    decisions = decisions_of(played(tmp_path, "call", "call", 20))
    path = write_export(decisions, tmp_path / "data4FQI.txt")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[2], lines[1], *lines[3:]]) + "\n")
    with pytest.raises(UnreadableError, match="stand together"):
        read_export(path)


@pytest.mark.parametrize(
    ("text", "words"), [("1\t2\n", "first line"), ("12\t12\n1\t2\t3\n", "line 2"), ("", "first line")]
)
def test_files_that_are_no_export_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "x.txt").write_text(text)
    with pytest.raises(UnreadableError, match=words):
        read_export(tmp_path / "x.txt")


def test_attributes_are_asked_for_by_list_or_by_name() -> None:
    assert attribute_names([]) == LEARNING
    assert attribute_names(["continuous"]) == CONTINUOUS
    assert attribute_names(["stage", "PV", "owed", "POT_ODDS"]) == ("stage", "pv", "owed", "POT_ODDS")
    with pytest.raises(UnreadableError, match="did you mean 'pot'"):
        attribute_names(["pott"])


def test_a_hero_is_not_offered_what_it_does_not_see_when_it_plays() -> None:
    assert not [name for name in attribute_names(["all"]) if name.startswith(("FUTURE", "CLASS", "HISTORY"))]
    for name, reason in (("FUTURE_HERO_OUTCOME", "after the hand"), ("HISTORY_VPIP_OPPONENT_0", "earlier hands")):
        with pytest.raises(UnreadableError, match=reason):
            attribute_names([name])


def test_what_was_not_kept_of_decisions_cannot_be_learned_from(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="kept without owed"):
        decisions_of(log(tmp_path, EXAMPLE)).transitions(["pot", "owed"])


def test_a_hero_learns_from_attributes_of_clones_too_missing_ones_as_minus_one(tmp_path: Path) -> None:
    names = ("POT_SIZE", "pot", "CALL_AMOUNT", "owed", "HAND_TYPE", "POTENTIAL_OUTS", "RAISES_FLOP_OPP_1")
    rows = decisions_of(log(tmp_path, EXAMPLE), attributes=names).states
    assert (rows[:, 0] == rows[:, 1]).all()
    assert (rows[:, 2] == rows[:, 3]).all()
    assert (rows[:, 6] == -1).all()  # heads-up there is no opponent 1


def test_decisions_are_the_same_however_many_hands_are_replayed_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = played(tmp_path, "random", "chart", 300)
    whole = decisions_of(hands, reward="equity", pv_samples=50)
    monkeypatch.setattr("mazzo.holdem.learning.decisions._AT_ONCE", 7)
    pieces = decisions_of(hands, reward="equity", pv_samples=50)
    for name in ("states", "legal", "action", "reward", "next", "hand", "position", "blind", "idle"):
        assert (getattr(whole, name) == getattr(pieces, name)).all(), name


def test_betting_is_capped_where_the_rules_cap_it() -> None:
    open_betting = {"rrr", "crrr", "rrrr", "crrrr"}
    names = {number: text for text, number in SEQUENCES.items()}
    capped = [{names[k] for k in capped_sequences(stage)} & open_betting for stage in range(4)]
    assert capped == [open_betting, {"rrrr", "crrrr"}, {"rrrr", "crrrr"}, {"rrrr", "crrrr"}]


def test_sampled_pv_is_near_the_exact_one_and_repeatable(tmp_path: Path) -> None:
    hands = log(tmp_path, EXAMPLE)
    exact, sampled, again = (decisions_of(hands, pv_samples=k, seed=3).matrix(["pv"]) for k in (0, 400, 400))
    assert 0 < np.abs(exact - sampled).max() < 120
    assert (sampled == again).all()
