from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import Agent, create
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.logs.reading import batches_of
from mazzo.holdem.table import Table
from mazzo.holdem.tournament import TournamentFormat, run_tournaments
from mazzo.holdem.tournament.fast import play_fast
from mazzo.holdem.tournament.format import parse_blinds
from mazzo.holdem.tournament.lockstep import _Lockstep, fingerprint, play_lockstep
from mazzo.names import parse_seats


def make(seats: str) -> list[Any]:
    return [create(name, AGENTS) for name in parse_seats(seats)]


class Recorded(_Lockstep):
    """Keeps what the fast way of playing writes in its trace."""

    lines: list[list[int]]

    def finished(self, table: Table, net: np.ndarray, numbers: np.ndarray) -> None:
        for row, number in enumerate(numbers):
            line = [int(number) >> 20, int(number) & 0xFFFFF, table.game.players, fingerprint(table, row)]
            self.lines.append([*line, *map(int, net[row])])


def slow_trace(form: TournamentFormat, agents: list[Agent[Any]], count: int) -> list[list[int]]:
    lines: list[list[int]] = []
    for first in range(count):
        step = Recorded(form, agents, first, 1, 7)
        step.lines = lines
        step.play()
    return lines


MIXED = (
    "utility:mu=.05,n=20,utility:mu=.1/.08/.06/.04,n=10,size=pot,utility+:profile=.4,table=.3,bluff=.1,size=hidden,"
    "utility:mu=0,list=printed,utility+:after_raise=-.1,after_fold=-.05,mu=.03,n=15"
)


def test_the_fast_way_plays_every_hand_as_the_general_way_does() -> None:
    form = TournamentFormat(5, 400, ((5, 10), (10, 20), (25, 50)), level_hands=15, hand_limit=60)
    fast, slow = make(MIXED), make(MIXED)
    played = play_fast(form, fast, range(12), 7, trace_hands=12 * 60)
    lines = slow_trace(form, slow, 12)
    assert len(lines) == played.hands.sum() > 200
    for ours, theirs in zip(played.trace.tolist(), lines, strict=False):
        assert ours[: len(theirs)] == theirs
    for a, b in zip(fast, slow, strict=True):
        assert (a.thresholds_ == b.thresholds_).all()
        assert (a.record_ == b.record_).all()
        assert (a.known_ == b.known_).all()
    assert not all((a.thresholds_ == [[a.raise_, a.fold]]).all() for a in fast)


def test_places_and_endings_are_the_same_both_ways() -> None:
    form = TournamentFormat(3, 300, hand_limit=25)
    agents = make("utility:mu=0,raise=.8,fold=.7,utility:mu=0,patient")
    fast, slow = play_fast(form, agents, range(5, 45), 3), play_lockstep(form, agents, range(5, 45), 3)
    assert (fast.places == slow.places).all()
    assert (fast.hands == slow.hands).all()
    assert (fast.limited == slow.limited).all()
    assert 0 < fast.limited.sum() < 40


@given(st.integers(2, 10), st.integers(20, 3000), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_chips_are_conserved_and_places_are_a_ranking(players: int, chips: int, seed: int) -> None:
    form = TournamentFormat(players, chips, ((5, 10), (50, 100)), level_hands=20, hand_limit=80)
    agents = make(f"utility:mu=.05,n=10*{players // 2},utility+:bluff=.3,size=pot*{players - players // 2}")
    played = play_fast(form, agents, range(5), seed, trace_hands=500)  # raises where chips are made or lost
    assert (np.sort(played.places, axis=1) == np.arange(1, players + 1)).all()
    assert (played.trace[:, 4:].sum(axis=1) == 0).all()


def test_who_wins_has_all_the_chips() -> None:
    step = _Lockstep(TournamentFormat(4, 200), make("random,call,rich:samples=20,raise"), 0, 30, 1)
    limited = step.play()
    assert not limited.any()
    assert (step.stacks.max(axis=1) == 800).all()
    assert (np.take_along_axis(step.places, step.stacks.argmax(axis=1)[:, None], 1) == 1).all()


def test_two_who_never_play_are_stopped_by_the_hand_limit() -> None:
    result = run_tournaments(TournamentFormat(2, 1000, hand_limit=50), make("fold,fold"), 20, 1)
    assert result.as_dict()["hand_limit_reached"] == 20
    assert result.wins.sum() == 20


def test_equal_chips_at_the_limit_are_decided_by_lot() -> None:
    result = run_tournaments(
        TournamentFormat(2, 1000, hand_limit=2), make("fold,fold"), 400, 1
    )  # each pays one small blind
    assert 150 < result.wins[0] < 250


def test_equal_agents_win_equally_often() -> None:
    wins = run_tournaments(TournamentFormat(4), make("utility:mu=0*4"), 4000, 2).wins
    assert ((wins - 1000) ** 2 / 1000).sum() < 16.3  # chi-square, three degrees of freedom, p = .001


def test_workers_do_not_change_the_result() -> None:
    agents = make("utility:mu=0,patient,call")
    one, two = (run_tournaments(TournamentFormat(3), agents, 60, 4, workers=k) for k in (1, 2))
    assert (one.played.places == two.played.places).all()


def test_learning_goes_on_from_tournament_to_tournament() -> None:
    seats = make("utility:mu=.05,n=20*3")
    again = deepcopy(seats)
    whole = run_tournaments(TournamentFormat(3), seats, 40, 5)
    parts = [play_fast(TournamentFormat(3), again, part, 5) for part in (range(15), range(15, 40))]
    assert (np.concatenate([p.places for p in parts]) == whole.played.places).all()
    assert whole.final[0] is not None
    assert whole.final[0]["raise"] == float(again[0].thresholds_[0, 0])


def test_seats_are_read_with_their_parameters() -> None:
    assert parse_seats("me,utility:raise=.6,fold=.2,call*2") == ["me", "utility:raise=.6,fold=.2", "call", "call"]


@pytest.mark.parametrize("text", ["5", "5/", "a/b", "5/10,", "5-10"])
def test_blinds_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="5/10"):
        parse_blinds(text)


@pytest.mark.parametrize(
    "wrong", [{"players": 1}, {"players": 11}, {"chips": 0}, {"levels": ((10, 5),)}, {"hand_limit": 0}]
)
def test_tables_that_cannot_be_played_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UnreadableError, match="cannot be played"):
        TournamentFormat(**wrong)


@pytest.mark.parametrize(("name", "simple"), [("hands.phhs", False), ("hands.parquet", True)])
def test_a_log_of_tournaments_holds_every_hand_and_changes_nothing(tmp_path: Path, name: str, simple: bool) -> None:
    form = TournamentFormat(4, 300, ((5, 10), (20, 40)), level_hands=8, hand_limit=40, min_raise_is_blind=simple)
    seats = "utility:mu=.05,n=10,random,call,utility:mu=0"
    plain, logged = (run_tournaments(form, make(seats), 3, 5, log=log) for log in (None, tmp_path / name))
    assert (logged.played.places == plain.played.places).all()
    assert logged.final == plain.final
    batches = batches_of(tmp_path / name)
    assert sum(map(len, batches)) == plain.played.hands.sum()
    chips: list[dict[str, float]] = []
    matches = [hands.matches[match] for hands in batches for match in hands.match_of]
    for hands in batches:
        for row, number in enumerate(hands.number):
            if number == 1:
                chips.append(dict.fromkeys(plain.names, 300.0))
            hand = hands.hand(row)
            assert list(hand.stacks) == [chips[-1][player] for player in hand.names]
            for player, net in zip(hand.names, hands.net[row], strict=False):
                chips[-1][player] += net
    for places, left in zip(plain.played.places, chips, strict=True):
        assert left[plain.names[int(places.argmin())]] == max(left.values())
    if simple:
        assert list(dict.fromkeys(matches)) == ["tournament 1", "tournament 2", "tournament 3"]


def test_logs_that_cannot_hold_the_hands_are_refused_before_play(tmp_path: Path) -> None:
    form = TournamentFormat(2, 100, min_raise_is_blind=True)
    (tmp_path / "there.parquet").write_text("")
    for name, words in (("hands.log", "only .phhs and .parquet"), ("a.phhs", "PHH"), ("there.parquet", "exists")):
        with pytest.raises(UnreadableError, match=words):
            run_tournaments(form, make("call*2"), 1, log=tmp_path / name)


def test_a_raise_after_a_large_one_may_be_one_blind_where_the_table_says_so() -> None:
    def play(simple: bool) -> int:
        form = TournamentFormat(3, 1000, min_raise_is_blind=simple)
        return int(run_tournaments(form, make("random*3"), 20, 3).played.hands.sum())

    assert play(True) != play(False)


def test_vectors_hold_what_was_weighed_and_what_came_of_it(tmp_path: Path) -> None:
    path = tmp_path / "vectors.parquet"
    form = TournamentFormat(3, 200, hand_limit=60)
    names = ("utility:mu=.05,n=10", "utility+:bluff=.1,size=hidden", "call")
    plain = run_tournaments(form, [create(name, AGENTS) for name in names], 4, seed=3)
    result = run_tournaments(form, [create(name, AGENTS) for name in names], 4, seed=3, vectors=path)
    np.testing.assert_array_equal(plain.played.places, result.played.places)
    assert result.final == plain.final
    rows = pl.read_parquet(path)
    assert set(rows["player"]) == {0, 1}
    last = rows.group_by("tournament").agg(pl.col("hand").max()).sort("tournament")["hand"]
    assert last.to_list() == result.played.hands.tolist()
    assert rows.filter(pl.col("player") == 0)["result"].sum() == (result.final[0] or {})["net"]
    acted = rows.filter(pl.col("preflop").is_not_null() & (pl.col("name") == "utility:mu=.05,n=10"))
    v, p, b, s = (acted[f"preflop_{fact}"].to_numpy() for fact in "vpbs")
    agent: Any = create(names[0], AGENTS)
    weighed = agent.v * v + agent.p * p + agent.b * b + agent.s * s
    np.testing.assert_allclose(weighed, acted["preflop_utility"].to_numpy(), atol=1e-9)
    free = acted.filter(pl.col("preflop") == "fold")
    assert (free["preflop_utility"] < free["preflop_fold_at"]).all()
    for wrong, message in (("vectors.csv", "Parquet"), ("vectors.parquet", "exists already")):
        with pytest.raises(UnreadableError, match=message):
            run_tournaments(form, [create(name, AGENTS) for name in names], 1, vectors=tmp_path / wrong)
    with pytest.raises(UnreadableError, match="none of these agents"):
        run_tournaments(form, [create("call", AGENTS)] * 3, 1, vectors=tmp_path / "other.parquet")
