from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS, find_agent
from mazzo.holdem.attributes import situations_seen
from mazzo.holdem.attributes.any_table import TABLE
from mazzo.holdem.attributes.elementary import BIG_BLIND
from mazzo.holdem.hand import Hand
from mazzo.holdem.learning import Decisions, decisions_of
from mazzo.holdem.learning.choices import EVERYTHING, SIZES, HeroChoices, as_sizes
from mazzo.holdem.learning.hero import Settings, learn_hero
from mazzo.holdem.learning.judge import judge_learning
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.learning.support import to_keep
from mazzo.holdem.logs import read_hands
from mazzo.holdem.match import HoldemMatch, generate
from mazzo.holdem.rules import find_game
from mazzo.testing import check_holdem_agent
from tests.data_files import DATA

SIX, THREE = find_game("holdem-nolimit-6p-100bb"), find_game("holdem-limit-3p")
QUICK = Settings(attributes=TABLE, trees=40, leaf=40, iterations=6, seed=1)
WHOLE = HeroChoices(SIZES)


def generated(folder: Path, game: str, names: list[str], hands: int) -> Path:
    to = folder / f"{game}.log"
    agents = [create(name, AGENTS) for name in names]
    agents[0].name = "me"
    generate(game, agents, hands, to=to, seed=7)
    return to


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any-table")


@pytest.fixture(scope="module")
def six(folder: Path) -> Path:
    names = ["explorer:agent=chart,explore=0.5", "call", "random", "call", "random", "call"]
    return generated(folder, "holdem-nolimit-6p-100bb", names, 700)


@pytest.fixture(scope="module")
def own(six: Path) -> Decisions:
    return decisions_of(read_hands([six]), player="me", attributes=to_keep(TABLE, "auto"))


@pytest.fixture(scope="module")
def hero(own: Decisions, folder: Path) -> Path:
    learn_hero(own, QUICK).save(folder / "six.mz")
    return folder / "six.mz"


@pytest.mark.parametrize("name", ["pluribus.phhs", "acpc_6p_nolimit.log", "acpc_3p_limit.log", "acpc_2p_nolimit.log"])
def test_rewards_less_what_was_posted_are_what_was_won(name: str) -> None:
    """Antes, blinds, all-ins and tables of any size: by player and hand, beside the log's own results."""
    hands = list(read_hands([DATA / name]))
    made = decisions_of(hands)
    net = np.concatenate(
        [h.net * (BIG_BLIND / np.array([g.big_blind for g in h.games])[h.state[:, c.GAME]])[:, None] for h in hands]
    )
    episode = made.hand * c.MAX_PLAYERS + made.position
    won = np.bincount(episode, made.reward, minlength=net.size)
    first = made.first
    won[episode[first]] -= made.blind[first]
    at = np.unique(episode)
    assert len(at) > 100
    assert np.allclose(won[at], net.reshape(len(net), -1)[at // c.MAX_PLAYERS, at % c.MAX_PLAYERS], atol=1e-6)


def test_only_players_whose_cards_are_known_are_learned_from() -> None:
    """In hands of rooms the others' cards are known only where they were shown down."""
    shown = decisions_of(read_hands([DATA / "handhq.phhs"]))
    assert shown.shown < 0.5
    every = decisions_of(read_hands([DATA / "pluribus.phhs"]))
    assert every.shown == 1
    assert len(np.unique(every.player)) > 5


def test_the_others_cards_of_a_log_are_left_out_where_ones_own_are_known(six: Path, folder: Path) -> None:
    hands = list(read_hands([six]))
    for batch in hands:
        mine = batch.seating[:, :6] == list(batch.names).index("me")
        odd = np.arange(len(batch))[:, None] % 2 == 1
        hidden = np.repeat(~mine & odd, 2, axis=1)
        batch.cards[:, :12][hidden] = c.UNKNOWN
    every = decisions_of(hands)
    assert every.shown == 1
    assert len(every) == len(decisions_of(hands, player="me"))
    assert len(decisions_of(hands, player="call#1")) > 0  # by name they are had all the same
    assert decisions_of(hands, player="call#1").shown < 1


@given(st.integers(2, 400), st.integers(2, 400), st.integers(0, 300), st.integers(0, 300), st.integers(0, 4000))
def test_classes_come_to_legal_amounts_that_rise_and_are_found_again(
    pot: int, bet: int, owed: int, least: int, more: int
) -> None:
    low = np.array([bet + 1 + least])
    high = low + more
    amounts = WHOLE.amounts(low, high, np.array([bet]), np.array([pot]), np.array([owed]))[0]
    some = amounts[amounts > 0]
    assert (np.diff(some) > 0).all()
    assert low[0] <= some[0] <= some[-1] == high[0]
    for k, size in enumerate(SIZES[:-1]):
        wished = bet + size * (pot + owed)
        if low[0] <= wished <= high[0] and amounts[k]:
            assert abs(amounts[k] - wished) <= 0.5


def test_a_raise_belongs_to_the_class_whose_amount_is_nearest(six: Path) -> None:
    made = decisions_of(read_hands([six]), player="me", sizes=(1.0,))
    finer = decisions_of(read_hands([six]), player="me", sizes=(0.5, 1.0, EVERYTHING))
    assert made.choices.names == ("fold", "call", "raise 1 pot")
    assert ((made.action >= c.KIND_RAISE) == (finer.action >= c.KIND_RAISE)).all()
    assert set(np.unique(finer.action)) <= {0, 1, 2, 3, 4}
    assert finer.legal[np.arange(len(finer)), finer.action][finer.action != c.KIND_FOLD].all()
    hand = Hand(SIX, seed=3)
    seen = situations_seen(hand.observe())
    # 150 to call 100: half a pot after the call is 250 / 2, but the least raise is to 200; a pot is 350; all-in 10,000
    assert WHOLE.amounts_seen(seen).tolist() == [[225, 350, 600, 10_000]]
    for to, action in ((200, 2), (276, 2), (277, 3), (349, 3), (700, 4), (2300, 4), (2350, 5), (10_000, 5)):
        assert WHOLE.taken(seen, np.array([c.KIND_RAISE]), np.array([to])).tolist() == [action], to


def test_a_hero_of_no_limit_plays_explains_and_knows_that_folding_costs_nothing(hero: Path) -> None:
    check_holdem_agent(lambda: create(str(hero), AGENTS), SIX)
    hand = Hand(SIX, seed=5)
    told = find_agent(str(hero)).explain(hand.observe())
    by_name = {option.action: option.value for option in told.options}
    assert by_name["fold"] == 0
    assert "raise to 350" in by_name
    assert any(action.startswith("raise to") for action in by_name)
    strategy = LearnedStrategy.load(hero)
    assert strategy.kind.name == "no-limit"
    assert strategy.choices == WHOLE


def test_a_hero_plays_the_kind_of_game_that_it_was_learned_from(hero: Path) -> None:
    agent = find_agent(str(hero))
    assert not agent.unsupported_reason(find_game("holdem-nolimit-3p"))
    assert "no-limit" in agent.unsupported_reason(THREE)
    assert "no-limit" in agent.unsupported_reason(find_game("leduc-2p"))


def test_a_hero_of_three_handed_limit_beats_those_it_was_learned_from(folder: Path) -> None:
    log = generated(folder, "holdem-limit-3p", ["random", "call", "call"], 1500)
    made = decisions_of(read_hands([log]), player="me", attributes=to_keep(TABLE, "auto"))
    assert made.choices.names == ("fold", "call", "raise")
    strategy = learn_hero(made, QUICK)
    strategy.save(folder / "three.mz")
    check_holdem_agent(lambda: create(str(folder / "three.mz"), AGENTS), THREE)
    won = HoldemMatch(THREE).play([find_agent(str(folder / "three.mz")), *map(_agent, ["call"] * 2)], range(500), 3)[0]
    assert won[:, 0].mean() > 0.3  # `random` loses, and so does always calling


def _agent(name: str) -> Any:
    return create(name, AGENTS)


def test_it_earns_more_than_the_player_it_was_learned_from(hero: Path) -> None:
    others = ["call", "random", "call", "random", "call"]
    match = HoldemMatch(SIX)
    own = match.play([find_agent(str(hero)), *map(_agent, others)], range(150), 9)[0][:, 0]
    theirs = match.play([_agent("explorer:agent=chart,explore=0.5"), *map(_agent, others)], range(150), 9)[0][:, 0]
    assert own.mean() > theirs.mean()


def test_a_log_beyond_heads_up_limit_is_judged_or_it_is_said_why_not(own: Decisions) -> None:
    found = judge_learning(own, QUICK)
    assert found.why_not or found.bound[0] < found.bound[1]
    assert abs(found.watched) < 200


@pytest.mark.parametrize("text", ["", "1,.5", "a", "0,1", "all,1", "1,1", ",".join(map(str, range(1, 11)))])
def test_sizes_that_are_no_rising_fractions_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="rising"):
        as_sizes(text)


def test_what_belongs_to_heads_up_limit_is_refused_elsewhere(six: Path) -> None:
    with pytest.raises(UnreadableError, match="'bet_flop' is of heads-up limit"):
        decisions_of(read_hands([six]), attributes=("stage", "bet_flop"))
    with pytest.raises(UnreadableError, match="'equity' are right in heads-up limit"):
        decisions_of(read_hands([six]), reward="equity")


def run(*words: str | int | Path) -> str:
    result = CliRunner().invoke(mazzo, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_hindsight_names_the_decisions_and_what_to_do_instead(six: Path, folder: Path) -> None:
    quick = ("--trees", 20, "--leaf", 40, "--iterations", 4)
    asked = ("learn", six, "-o", folder / "mine.mz", "--player", "me", "--hindsight", 5, *quick)
    data = json.loads(run(*asked, "--json"))["hindsight"]
    assert data["decisions"] > data["differ"] > 0
    gains = [p["gain"] for p in data["proposals"]]
    assert len(gains) == 5
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > 0
    lines = six.read_text().splitlines()
    for p in data["proposals"]:
        assert p["done"] != p["better"]
        line = lines[int(p["where"].rsplit(":", 1)[1]) - 1]
        assert p["held"].replace(" ", "") in line
        if p["done"].startswith("raise"):
            assert "r" + p["done"].removeprefix("raise to ") in line
        assert 0 <= p["share"] <= 1
    refused = CliRunner().invoke(mazzo, ["learn", str(six), "-o", "x.mz", "--hindsight", "5"])
    assert refused.exit_code == 2
    assert "--player" in refused.output


def test_a_log_is_told_to_those_who_learn_of_it(tmp_path: Path) -> None:
    learner = create("utility", AGENTS)
    told: list[int] = []
    learner.on_hands_finished = lambda hands: told.append(len(hands.state))  # type: ignore[method-assign]
    generate("holdem-nolimit-3p-100bb", [learner, "call", "random"], 60, to=tmp_path / "l.log", seed=1)
    assert sum(told) == 60


def test_an_explorer_raises_by_the_classes_that_heroes_learn(tmp_path: Path) -> None:
    agents = [create("explorer:agent=call,explore=1,size=pots", AGENTS), *map(_agent, ["call"] * 5)]
    generate("holdem-nolimit-6p-100bb", agents, 200, to=tmp_path / "e.log", seed=2)
    made = decisions_of(read_hands([tmp_path / "e.log"]), player=agents[0].name)
    share = np.bincount(made.action, minlength=6) / len(made)
    assert (share[2:] > 0.03).all()
    with pytest.raises(UnreadableError, match="size must be uniform or pots"):
        create("explorer:size=big", AGENTS)
