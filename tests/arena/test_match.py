from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, create
from mazzo.arena.match import match, stream_match
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import CALL, FOLD, Hand, Observations, find_game
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.ignores_cards import IgnoresCards, Random
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.observation import Finished
from mazzo.lockstep import play_out
from mazzo.names import distinct_names


def agents(*names: str) -> list[Agent[Any]]:
    return [create(name, AGENTS) for name in names]


def holdem(name: str) -> HoldemMatch:
    return HoldemMatch(find_game(name))


@dataclass
class Seeing(Agent[Observations]):
    """A mixture that the arena does not know to be one: it is asked decision by decision."""

    mixture_of: IgnoresCards

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        return self.mixture_of.decide(observations)

    def explain(self, observation: Observations) -> Explanation:
        return self.mixture_of.explain(observation)


@pytest.mark.parametrize("game", ["holdem-limit-2p", "holdem-limit-10p", "holdem-nolimit-6p", "kuhn-3p", "leduc-2p"])
def test_hands_played_inside_a_kernel_are_those_played_one_decision_at_a_time(game: str) -> None:
    contest = holdem(game)
    fast, slow = contest.table(range(200), 5), contest.table(range(200), 5)
    mixtures = [Random(), *[Random(0.2, 0.3, 0.5, "pot") for _ in range(contest.seats - 1)]]
    play_out(fast, mixtures)
    play_out(slow, [Seeing(m) for m in mixtures])
    assert (fast.state == slow.state).all()
    assert (fast.settle() == slow.settle()).all()


def test_what_one_wins_the_others_lose() -> None:
    result = match(holdem("holdem-nolimit-6p"), agents("random", "call", "raise", "chart", "fold", "random"), 3000, 2)
    assert sum(s.estimate.mean for s in result.standings) == pytest.approx(0, abs=1e-9)


def test_every_agent_holds_every_hand_so_equal_agents_break_even_exactly() -> None:
    result = match(holdem("holdem-limit-3p"), agents("call", "call", "call"), 3000, 1)
    assert [s.estimate.mean for s in result.standings] == [0, 0, 0]
    assert [s.name for s in result.standings] == ["call#1", "call#2", "call#3"]


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    one = match(holdem("holdem-limit-2p"), agents("chart", "random"), 20_000, 3)
    two = match(holdem("holdem-limit-2p"), agents("chart", "random"), 20_000, 3, workers=2)
    assert [s.moments for s in one.standings] == [s.moments for s in two.standings]


def test_another_seed_gives_other_hands() -> None:
    results = [match(holdem("holdem-limit-2p"), agents("random", "call"), 2000, seed) for seed in (1, 1, 2)]
    means = [r.standings[0].estimate.mean for r in results]
    assert means[0] == means[1] != means[2]


def test_always_raising_beats_random_by_what_is_known() -> None:
    """2.245 big blinds a hand is the exact value; always calling earns 0.026."""
    raising = match(holdem("holdem-limit-2p"), agents("raise", "random"), 1_000_000, 1).standings[0].estimate
    calling = match(holdem("holdem-limit-2p"), agents("call", "random"), 1_000_000, 1).standings[0].estimate
    assert raising.mean == pytest.approx(2.245, abs=4 * raising.standard_error)
    assert calling.mean == pytest.approx(0.026, abs=4 * calling.standard_error)


def test_duplicate_deals_narrow_the_interval() -> None:
    contest = holdem("holdem-limit-2p")
    duplicate = match(contest, agents("call", "call:"), 20_000, 1).standings[0].estimate
    assert duplicate.standard_error == 0  # same cards both ways: nothing is left to chance


def test_a_match_stops_when_the_sign_is_settled() -> None:
    result = match(holdem("holdem-limit-2p"), agents("raise", "random"), 10_000_000, 1, until_sign=True)
    assert result.decided
    assert result.plays < 100_000
    assert result.standings[0].estimate.mean > 0


def test_a_match_stops_when_the_interval_is_narrow_enough() -> None:
    result = match(holdem("holdem-limit-2p"), agents("random", "random"), 10_000_000, 1, until_width=0.1)
    low, high = result.standings[0].estimate.ci95
    assert result.decided
    assert high - low <= 0.1


def test_standings_stream_while_the_match_is_played() -> None:
    seen = list(stream_match(holdem("holdem-limit-2p"), agents("random", "call"), 20_000, 1))
    assert len(seen) > 2
    assert [r.plays for r in seen] == sorted(r.plays for r in seen)
    assert seen[-1].plays == 20_000


def test_an_interrupted_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    contest, kept = holdem("holdem-limit-2p"), tmp_path / "match.jsonl"
    whole = match(contest, agents("chart", "random"), 20_000, 3)
    first = stream_match(contest, agents("chart", "random"), 20_000, 3, checkpoint=kept)
    next(first), next(first)
    del first
    assert len(kept.read_text().splitlines()) == 1 + 2
    resumed = match(contest, agents("chart", "random"), 20_000, 3, checkpoint=kept)
    assert [s.moments for s in resumed.standings] == [s.moments for s in whole.standings]
    with pytest.raises(UnreadableError, match="other work"):
        match(contest, agents("chart", "random"), 20_000, 4, checkpoint=kept)


def test_logged_hands_are_the_hands_that_were_played() -> None:
    contest = holdem("holdem-nolimit-3p")
    steps = list(stream_match(contest, agents("random", "chart", "call"), 300, 9, log=True))
    lines = [line for step in steps for line in step.lines]
    assert len(lines) == 300
    total = dict.fromkeys(("random", "chart", "call"), 0)
    for number, line in enumerate(lines):
        hand = Hand.parse(line, contest.game)
        assert hand.line() == line
        assert hand.number == number
        for name, net in zip(hand.names, hand.payoffs, strict=True):
            total[name] += net
    for standing in steps[-1].standings:
        assert standing.estimate.mean * 300 * contest.game.big_blind == pytest.approx(total[standing.name])


def test_the_json_keys_are_stable() -> None:
    data = match(holdem("holdem-limit-2p"), agents("random", "call"), 1000, 4).as_dict()
    assert set(data) >= {"players", "hands", "deals", "seed", "hands_per_second"}
    assert set(data["players"][0]) >= {"name", "bb_per_hand", "ci95", "standard_error"}
    assert (data["hands"], data["deals"], data["seed"]) == (1000, 500, 4)
    assert data["players"][0]["total"] == pytest.approx(1000 * data["players"][0]["bb_per_hand"])


@pytest.mark.parametrize(
    ("names", "hands", "complaint"),
    [(["random"], 100, "seats 2 agents, 1 were given"), (["random", "call"], 0, "hands must be at least 1")],
)
def test_impossible_matches_are_refused(names: list[str], hands: int, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        match(holdem("holdem-limit-2p"), agents(*names), hands)


def test_an_agent_that_cannot_play_a_game_says_so() -> None:
    with pytest.raises(UnreadableError, match=r"rich.* cannot play here: it needs two hole cards"):
        match(holdem("leduc-2p"), agents("rich", "random"), 100)


def test_equal_names_are_told_apart() -> None:
    assert distinct_names(["random", "call", "random"]) == ["random#1", "call", "random#2"]


@dataclass
class Bad(Agent[Observations]):
    """Answers whatever it is told to."""

    answer: int

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        return np.full(len(observations), self.answer)

    def explain(self, observation: Observations) -> Explanation:
        return Explanation("?", "?")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [(FOLD, "checking was free"), (50, "a raise is to 200"), (0, "a fold is FOLD"), (-3, "a fold is FOLD")],
)
def test_an_illegal_answer_is_refused_with_the_agents_name(answer: int, complaint: str) -> None:
    bad = Bad(answer)
    bad.name = "bad"
    with pytest.raises(IllegalError, match=f"agent 'bad'.*{complaint}"):
        match(holdem("holdem-nolimit-2p"), [bad, *agents("call")], 100)


@dataclass
class Learner(Agent[Observations]):
    """Calls, and keeps what it is handed."""

    learns = True

    def __post_init__(self) -> None:
        self.handed: list[Finished] = []

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        return np.full(len(observations), CALL)

    def explain(self, observation: Observations) -> Explanation:
        return Explanation("c", "it calls")

    def on_hands_finished(self, hands: Finished) -> None:
        self.handed.append(hands)


def test_a_learner_is_handed_its_hands_with_the_cards_it_saw_and_no_others() -> None:
    learner = Learner()
    match(holdem("holdem-limit-2p"), [learner, *agents("random")], 400, 1)
    assert sum(len(h.net) for h in learner.handed) == 400
    for hands in learner.handed:
        own = hands.seating == 0
        for row in range(len(hands.net)):
            mine, other = (0, 1) if own[row, 0] else (1, 0)
            assert (hands.cards[row, 2 * mine : 2 * mine + 2] < 52).all()
            showdown = hands.state[row, 7] == 0b11  # both still in
            assert (hands.cards[row, 2 * other : 2 * other + 2] < 52).all() == showdown


def test_with_luck_taken_out_the_standings_are_the_same_and_the_errors_stand_side_by_side(tmp_path: Path) -> None:
    plain = match(holdem("leduc-2p"), agents("random", "call"), 1000, 3)
    kept = tmp_path / "match.jsonl"
    freed = match(holdem("leduc-2p"), agents("random", "call"), 1000, 3, aivat="ranges", checkpoint=kept)
    for one, other in zip(freed.standings, plain.standings, strict=True):
        assert one.estimate.mean == pytest.approx(other.estimate.mean)
        assert one.estimate.standard_error == pytest.approx(other.estimate.standard_error)
    assert plain.without_luck is None
    found = freed.without_luck
    assert found is not None
    assert [e.kind for e in found.estimates] == ["plain", "chance", "actions", "ranges"]
    assert found.estimates[0].duplicate.standard_error == pytest.approx(plain.first.standard_error)
    errors = [e.duplicate.standard_error for e in found.estimates]
    assert errors == sorted(errors, reverse=True)
    again = match(holdem("leduc-2p"), agents("random", "call"), 1000, 3, aivat="ranges", checkpoint=kept)
    assert again.as_dict()["aivat"] == freed.as_dict()["aivat"]
    with pytest.raises(UnreadableError, match="other work"):
        match(holdem("leduc-2p"), agents("random", "call"), 1000, 3, aivat="chance", checkpoint=kept)


def test_luck_is_taken_out_the_same_on_one_worker_or_two_and_in_any_parts() -> None:
    game, players = holdem("holdem-limit-2p"), agents("random", "chart")
    freed = game.without_luck(players, "actions")
    whole = freed.play(players, range(40), 1)[2]
    parts = [freed.play(players, part, 1)[2] for part in (range(13), range(13, 40))]
    assert np.concatenate(parts) == pytest.approx(whole)


def test_luck_is_not_taken_out_of_games_that_have_no_way_to() -> None:
    from mazzo.arena.by_name import match as by_name

    with pytest.raises(UnreadableError, match="AIVAT"):
        by_name("tressette", ["random", "random"], deals=2, aivat=True)
    with pytest.raises(UnreadableError, match="for two players"):
        by_name("kuhn-3p", ["call", "call", "raise"], deals=2, aivat=True)


def test_true_values_of_both_policies_leave_no_luck_at_all() -> None:
    result = match(
        holdem("kuhn-2p"), agents("random", "random:raise=.9"), 60, 1, aivat="actions", aivat_value="policies"
    )
    found = result.without_luck
    assert found is not None
    assert found.estimates[-1].alone.standard_error == pytest.approx(0, abs=1e-12)
