from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.hero import Hero
from mazzo.holdem.hand import Hand
from mazzo.holdem.learning import LEARNING, Decisions, decisions_of
from mazzo.holdem.learning.hero import Settings, estimate_from_log, learn_hero
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.logs import read_hands
from mazzo.holdem.match import HoldemMatch, played_lines
from mazzo.holdem.rules import find_game
from mazzo.learn.forest import Forest
from mazzo.model_file import Model, write_model
from mazzo.testing import check_holdem_agent

LIMIT = find_game("holdem-limit-2p")
SETTINGS = Settings(regressor="boosted", trees=100, leaf=40, reward="equity", seed=1)


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> Decisions:
    path = tmp_path_factory.mktemp("logs") / "random.log"
    agents = [create("random", AGENTS), create("random", AGENTS)]
    lines = [line for batch in played_lines(LIMIT, agents, 1500, 1) for line in batch]
    path.write_text("\n".join(["# name/game/hands/seed x holdem-limit-2p 1500 1", *lines, ""]))
    return decisions_of(read_hands(path), reward="equity")


@pytest.fixture(scope="module")
def strategy(decisions: Decisions) -> LearnedStrategy:
    return learn_hero(decisions, SETTINGS)


@pytest.fixture(scope="module")
def model(strategy: LearnedStrategy, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "hero.mz"
    strategy.save(path)
    return str(path)


def test_a_hero_passes_what_is_asked_of_every_agent(model: str) -> None:
    check_holdem_agent(lambda: create(model, AGENTS), LIMIT)


def test_a_hero_earns_much_against_those_it_learned_from(strategy: LearnedStrategy) -> None:
    values, _ = HoldemMatch(LIMIT).play([Hero.playing(strategy), create("random", AGENTS)], range(3000), 5)
    assert values[:, 0].mean() > 1.5


def test_a_model_file_plays_like_the_strategy_it_was_made_from(strategy: LearnedStrategy, model: str) -> None:
    results = [
        HoldemMatch(LIMIT).play([hero, create("random", AGENTS)], range(50), 5)[0]
        for hero in (Hero.playing(strategy), create(model, AGENTS))
    ]
    assert (results[0] == results[1]).all()


def test_a_model_holds_how_it_was_learned_and_from_what(model: str, decisions: Decisions) -> None:
    settings = LearnedStrategy.load(Path(model)).settings
    assert settings["log"] == decisions.fingerprint
    assert settings["hands"] == 1500
    assert settings["decisions"] == len(decisions)
    assert settings["attributes"] == list(LEARNING)
    assert len(settings["residuals"]) == 12


def test_the_same_seed_learns_the_same_hero(decisions: Decisions, strategy: LearnedStrategy) -> None:
    again = learn_hero(decisions, SETTINGS)
    assert isinstance(strategy.forest, Forest)
    assert isinstance(again.forest, Forest)
    assert (strategy.forest.thresholds == again.forest.thresholds).all()
    assert (strategy.forest.values == again.forest.values).all()


def test_a_hero_plays_alike_at_other_stakes(strategy: LearnedStrategy) -> None:
    from dataclasses import replace

    tenfold = replace(LIMIT, blinds=(100, 50), raise_sizes=(100, 100, 200, 200))
    hero, other = Hero.playing(strategy), create("random", AGENTS)
    small, _ = HoldemMatch(LIMIT).play([hero, other], range(50), 2)
    large, _ = HoldemMatch(tenfold).play([hero, other], range(50), 2)
    np.testing.assert_allclose(small, large)


def test_an_explanation_gives_q_and_what_it_is_made_of(model: str) -> None:
    hand = Hand.parse("MATCHSTATE:0:0:rc/:AsAh|/Ad7c2h", LIMIT)
    explanation = create(model, AGENTS).explain(hand.observe())
    assert explanation.action == "r"
    assert [option.action for option in explanation.options] == ["raise", "call"]
    for option in explanation.options:
        assert option.value is not None
        assert sum(option.terms.values()) == pytest.approx(option.value)
    assert float(explanation.facts["pv"] or 0) > 900


def test_other_games_are_refused(model: str) -> None:
    reason = create(model, AGENTS).unsupported_reason(find_game("holdem-nolimit-2p"))
    assert "heads-up limit" in reason


def test_a_hero_without_a_file_says_what_is_missing() -> None:
    with pytest.raises(UnreadableError, match=r"hero\.mz"):
        create("hero", AGENTS)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.mz"
    write_model(path, Model("hero", {"attributes": ["pv"]}, {"numbers": np.array([0.0, 1.0])}))
    with pytest.raises(UnreadableError, match="not a hero's model"):
        create(str(path), AGENTS)
    write_model(path, Model("somebody", {}, {}))
    with pytest.raises(UnreadableError, match="somebody"):
        create(str(path), AGENTS)


def test_too_few_hands_are_refused(decisions: Decisions) -> None:
    from dataclasses import replace

    few = replace(decisions, action=decisions.action[:50])
    with pytest.raises(UnreadableError, match="too few"):
        learn_hero(few, SETTINGS)


def test_a_heros_worth_is_estimated_from_the_log_with_an_interval(
    decisions: Decisions, strategy: LearnedStrategy
) -> None:
    found = estimate_from_log(
        decisions, strategy, Settings(regressor="extra", trees=20, leaf=20, iterations=8), repetitions=3
    )
    assert 0.5 < found.mean < 4.5
    assert 0 < found.standard_error < 1
    assert found.n == 3000


QUICK: dict[str, dict[str, Any]] = {
    "linear": {},
    "neighbours": {"leaf": 20},
    "net": {"trees": 3},
    "forest": {"trees": 3, "leaf": 20},
}


@pytest.mark.parametrize("regressor", QUICK)
def test_a_hero_of_any_regressor_that_is_data_plays_and_comes_back_from_its_file(
    regressor: str, decisions: Decisions, tmp_path: Path
) -> None:
    made = learn_hero(decisions, Settings(regressor=regressor, iterations=2, **QUICK[regressor]))
    made.save(tmp_path / "hero.mz")
    again = LearnedStrategy.load(tmp_path / "hero.mz")
    rows = np.column_stack([decisions.matrix(LEARNING)[:50], np.arange(50) % 3]).astype(np.float32)
    assert again.forest.predict(rows) == pytest.approx(made.forest.predict(rows))
    assert again.forest.contributions(rows[0]).sum() == pytest.approx(made.forest.predict(rows[:1])[0], abs=1e-4)


def test_a_regressor_that_cannot_be_kept_as_data_cannot_play(
    decisions: Decisions, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn.svm import SVR

    from mazzo.learn.regressors import REGRESSORS

    monkeypatch.setitem(REGRESSORS._found, "svr", lambda: SVR(max_iter=5))
    with pytest.raises(UnreadableError, match="cannot be kept as data"):
        learn_hero(decisions, Settings(regressor="svr", iterations=1))
