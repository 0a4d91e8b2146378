from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mazzo.agent import Agent, create
from mazzo.arena.by_name import match
from mazzo.arena.match import MatchResult
from mazzo.errors import IllegalError, UnreadableError
from mazzo.games import find_contest
from mazzo.lockstep import play_out
from mazzo.rng import fork, stream
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.agents.greedy import Greedy
from mazzo.tressette.match import TressetteMatch
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import Round
from mazzo.tressette.table import Table


def play_match(first: str, second: str, deals: int, seed: int = 0, **options: Any) -> MatchResult:
    return match("tressette", [first, second], deals=deals, seed=seed, **options)


def test_an_agent_against_itself_gains_nothing_on_duplicate_deals() -> None:
    result = play_match("greedy", "greedy", 50, seed=3)
    assert result.first.mean == 0
    assert result.first.standard_error == 0


def test_exchanging_the_agents_changes_only_the_sign() -> None:
    one, other = play_match("greedy", "decision", 60, seed=4), play_match("decision", "greedy", 60, seed=4)
    assert one.first.mean == -other.first.mean
    assert one.first.standard_error == pytest.approx(other.first.standard_error)


def test_the_result_does_not_depend_on_workers_and_repeats_by_seed() -> None:
    one, two = play_match("greedy", "random", 1500, seed=5), play_match("greedy", "random", 1500, seed=5, workers=2)
    assert one.first == two.first
    assert play_match("greedy", "random", 1500, seed=6).first != one.first


def test_points_are_those_of_rounds_played_one_by_one_by_hand() -> None:
    deals, seed, differences = 6, 9, []
    agents = [create("greedy", AGENTS), create("random", AGENTS)]
    for number in range(deals):
        both = []
        for exchanged in range(2):
            key = fork(stream(seed, "luck"), 2 * number + exchanged)
            table = Round(seed=seed, number=number, leader=number % 4, rng_key=int(key))
            while table.turn is not None:
                table.act(agents[(table.turn + exchanged) % 2])
            both.append((table.points[0] - table.points[1]) * (1 - 2 * exchanged))
        differences.append(sum(both) / 2)
    result = play_match("greedy", "random", deals, seed=seed)
    assert result.first.mean == pytest.approx(np.mean(differences))


def test_a_match_as_data_has_names_points_and_intervals() -> None:
    data = play_match("greedy", "random", 200, seed=1).as_dict()
    assert [player["name"] for player in data["players"]] == ["greedy", "random"]
    low, high = data["players"][0]["ci95"]
    assert low < data["players"][0]["points_per_deal"] < high
    assert data["players"][1]["ci95"] == [-high, -low]
    assert (data["deals"], data["seed"]) == (200, 1)


@pytest.mark.parametrize(
    ("first", "second", "least"), [("greedy", "random", 2.0), ("decision", "random", 2.5), ("belief", "random", 2.2)]
)
def test_agents_that_think_beat_random_clearly(first: str, second: str, least: float) -> None:
    assert play_match(first, second, 600, seed=2).first.ci95[0] > least


@pytest.mark.parametrize("better", ["decision-improved", "belief-improved"])
def test_improved_agents_beat_greedy(better: str) -> None:
    assert play_match(better, "greedy", 1200, seed=2).first.ci95[0] > 0


def test_signals_can_be_used_in_a_match_where_talking_is_allowed() -> None:
    muto = play_match("decision:signals=true", "greedy", 60, seed=4)
    assert muto.first == play_match("decision", "greedy", 60, seed=4).first
    talking = match("tressette-talk", ["decision:signals=true", "greedy"], deals=60, seed=4)
    assert talking.first != muto.first


def test_logged_rounds_are_those_that_were_played() -> None:
    values, lines = TressetteMatch().play([create("greedy", AGENTS), create("random", AGENTS)], range(5), 1, log=True)
    rounds = [Round.parse(line) for line in lines]
    assert all(table.over for table in rounds)
    by_deal = [
        sum(
            sign * (table.points[0] - table.points[1])
            for sign, table in zip((1, -1), rounds[2 * k : 2 * k + 2], strict=True)
        )
        / 2
        for k in range(5)
    ]
    assert by_deal == pytest.approx(values[:, 0])


class Cheat(Greedy):
    def decide(self, observations: Observations) -> NDArray[np.int64]:
        return np.full(len(observations), 40)


def test_an_illegal_card_stops_the_match_and_names_the_agent() -> None:
    table = Table.deal(1, range(3))
    cheat: Agent[Observations] = Cheat()
    cheat.name = "cheat"
    table.seating[:] = 0
    with pytest.raises(IllegalError, match=r"agent 'cheat': 4d:busso was played in trick 1, where .* may be played"):
        play_out(table, [cheat])
    assert not table.count.any(), "nothing is carried out where one card is illegal"


def test_a_wrong_name_is_told_with_the_nearest_right_one() -> None:
    with pytest.raises(UnreadableError, match="did you mean 'greedy'"):
        play_match("gredy", "random", 10)
    with pytest.raises(UnreadableError, match="hands must be at least 1"):
        play_match("greedy", "random", 0)


def test_whole_matches_are_the_same_in_one_piece_or_several_and_somebody_wins_each() -> None:
    agents = [create("policy", AGENTS), create("greedy", AGENTS)]
    contest = find_contest("tressette-match:target=21")[0]
    whole, lines = contest.play(agents, range(6), 3, log=True)
    part, _ = contest.play(agents, range(4, 6), 3)
    assert (whole[4:] == part).all()
    assert (whole.sum(axis=1) == 0).all()
    assert set(whole[:, 0]) <= {-1.0, 0.0, 1.0}
    first = Round.parse(lines[0])
    assert first.score == (0, 0)
    assert first.rules.target == 21
    assert max(sum(Round.parse(line).score or ()) for line in lines) >= 20


def test_an_agent_against_itself_wins_each_match_once() -> None:
    agents = [create("greedy", AGENTS)] * 2
    for game in ("tressette-match", "tressette-match:out_at_once=true,a_monte=false"):
        assert not find_contest(game)[0].play(agents, range(5), 1)[0].any()
