from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.utility import BEST_OF_THE_TEXT, FOUND_BY_SEARCH
from mazzo.holdem.tournament import TournamentFormat, run_tournaments
from mazzo.holdem.tournament.charts import drift_chart
from mazzo.holdem.tournament.search import SWITCHES, Search, candidate, fresh_tournaments, search
from mazzo.statistics import wilson
from mazzo.studies.aceituno import chi_square, trial_agents

SMALL = Search(tournaments=60, seed=3)


def test_a_search_repeats_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = search(tmp_path / "one.journal", SMALL, 8)
    assert search(tmp_path / "two.journal", SMALL, 8) == whole
    told: list[int] = []
    again = search(tmp_path / "one.journal", SMALL, 14, watch=lambda done, best, name: told.append(done))
    assert told == [14]  # only what was missing
    assert again[1] >= whole[1]
    create(again[0], AGENTS)


def test_another_searchs_journal_is_refused(tmp_path: Path) -> None:
    search(tmp_path / "one.journal", SMALL, 1)
    with pytest.raises(UnreadableError, match="another search"):
        search(tmp_path / "one.journal", Search(tournaments=61, seed=3), 2)


def test_only_the_improvements_asked_for_are_used(tmp_path: Path) -> None:
    name, _ = search(tmp_path / "one.journal", Search(tournaments=40, switches=("bluff",)), 3)
    assert "bluff=" in name
    assert not any(word in name for word in ("profile", "table", "hidden", "after"))
    with pytest.raises(UnreadableError, match="no improvement 'blff'"):
        Search(switches=("blff",))


def test_weights_rounded_up_make_no_more_than_one() -> None:
    found = {"raise": 0.6, "fold_share": 0.5, "size": "pot"}
    weights = {"weight_v": 0.4006, "weight_p": 0.2997, "weight_b": 0.2997, "weight_s": 0.0}
    name = candidate(found | weights)
    assert "v=0.4,p=0.3,b=0.3,s=0.0" in name
    create(name, AGENTS)


@pytest.mark.parametrize("switches", [SWITCHES, ()])
def test_every_candidate_is_an_agent(switches: tuple[str, ...]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        found = {"raise": rng.uniform(0.35, 0.95), "fold_share": rng.uniform(0.2, 0.98), "size": "pot"}
        if "weights" in switches:
            found |= {f"weight_{k}": rng.uniform(0.05, 1) for k in "vpbs"}
        create(candidate(found), AGENTS)


def test_steps_of_learning_are_searched_when_asked_for(tmp_path: Path) -> None:
    name, _ = search(tmp_path / "one.journal", Search(tournaments=20, switches=("weights", "mu", "n")), 2)
    assert create(name, AGENTS).learns
    name, _ = search(tmp_path / "two.journal", Search(tournaments=20, switches=("mu_by_street",)), 2)
    assert name.split("mu=")[1].count("/") == 3
    name, _ = search(tmp_path / "three.journal", Search(tournaments=20), 1)
    assert "mu=" not in name
    for wrong in (("mu", "mu_by_street"), ("n",)):
        with pytest.raises(UnreadableError):
            Search(switches=wrong)


def test_what_search_found_beats_four_of_the_texts_best() -> None:
    result = fresh_tournaments(Search(), FOUND_BY_SEARCH, 1000, seed=5)
    assert wilson(int(result.wins[0]), 1000)[0] > 0.33


@pytest.mark.parametrize("wins", [(91, 93, 75, 66, 75), (75, 83, 73, 73, 96), (72, 96, 89, 67, 76)])
def test_chi_square_is_the_tail_of_its_density(wins: tuple[int, ...]) -> None:
    statistic, p = chi_square(wins)
    assert statistic == pytest.approx(sum((k - 80) ** 2 for k in wins) / 80)
    x = np.linspace(statistic, 200, 200_001)
    assert p == pytest.approx(np.trapezoid(x / 4 * np.exp(-x / 2), x), abs=1e-6)


def test_the_wilson_interval_is_the_published_one() -> None:
    assert wilson(6, 10) == pytest.approx((0.3127, 0.8318), abs=1e-4)  # Newcombe 1998
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)


def test_high_weight_of_cards_wins_trial_three_and_low_weight_of_place_trial_four() -> None:
    for trial, better, worse in ((3, 1, 4), (4, 4, 0)):
        agents = [create(name, AGENTS) for name in trial_agents(trial)]
        wins = run_tournaments(TournamentFormat(5), agents, 4000, 1).wins
        assert wins[better] > wins[worse] + 100


def test_patient_beats_four_of_the_texts_best() -> None:
    agents = [create(name, AGENTS) for name in ("patient", *[BEST_OF_THE_TEXT] * 4)]
    assert wilson(int(run_tournaments(TournamentFormat(5), agents, 300, 1).wins[0]), 300)[0] > 0.25


def test_the_drift_is_drawn_for_every_seat() -> None:
    result = run_tournaments(TournamentFormat(5), [create(name, AGENTS) for name in trial_agents(1)], 30, 1)
    series = drift_chart(result.drift).series
    assert len(series) == 10
    assert all(len(k.x) == len(k.y) == 30 for k in series)


def mazzo(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mazzo", *args], capture_output=True, text=True, check=False)


def test_the_tournament_command_gives_wins_places_and_final_parameters(tmp_path: Path) -> None:
    drawn = tmp_path / "drift.svg"
    options = ("--count", "40", "--chips", "500", "--blinds", "5/10", "--seed", "1", "--json", "--drift", str(drawn))
    data = json.loads(mazzo("tournament", "--seats", "utility:n=20*3,call,patient", *options).stdout)
    assert sum(seat["wins"] for seat in data["seats"]) == 40
    assert all(sum(seat["places"]) == 40 for seat in data["seats"])
    assert set(data["seats"][0]["final"]) == {"raise", "fold", "hands", "net", "table"}
    assert data["seats"][3]["final"] is None
    assert drawn.read_text().startswith("<svg")


def test_a_game_that_cannot_be_played_is_named() -> None:
    done = mazzo("play", "holdm-nolimit-6p")
    assert done.returncode == 2
    assert "did you mean 'holdem-nolimit-6p'" in done.stderr


def test_several_tables_count_alike_and_belong_to_the_journal(tmp_path: Path) -> None:
    tables = ("patient",) * 4, ("utility:mu=0",) * 4
    both = Search(tables[0], 30, 3, ("after",), others=(tables[1],))
    name, share = search(tmp_path / "one.journal", both, 2)
    alone = [int(fresh_tournaments(both, name, 30, 3, table=k).wins[0]) for k in range(2)]
    assert share == sum(alone) / 60
    with pytest.raises(UnreadableError, match="another search"):
        search(tmp_path / "one.journal", Search(tables[0], 30, 3, ("after",)), 3)
    with pytest.raises(UnreadableError, match="4 opponents"):
        Search(tables[0], others=(("call",),))
