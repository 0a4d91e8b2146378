from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.agent import Agent, create
from mazzo.arena import by_name
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.hero import Hero
from mazzo.holdem.columns import CALL, FOLD
from mazzo.holdem.hand import Hand
from mazzo.holdem.learning import LEARNING, Decisions, decisions_of
from mazzo.holdem.learning.hero import Settings, learn_hero
from mazzo.holdem.learning.judge import judge, judge_learning, judgement
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.learning.support import PLAYERS_LOOK_AT, Supported, as_caution, support_of, to_keep
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.rules import find_game
from mazzo.holdem.table import Table, deal_cards
from mazzo.model_file import read_model, write_model
from mazzo.studies.vilella import database
from mazzo.testing import check_holdem_agent
from mazzo.testing.agents import check_policy

LIMIT = find_game("holdem-limit-2p")
KEPT = to_keep(LEARNING, "auto")
QUICK = Settings(trees=40, leaf=40, iterations=6, seed=1)


def watched(name: str, hands: int, seed: int = 1) -> Decisions:
    return decisions_of(database((name, name), hands, seed), attributes=KEPT)


@pytest.fixture(scope="module")
def rules_only() -> Decisions:
    return watched("rich", 1000)


@pytest.fixture(scope="module")
def cautious(rules_only: Decisions) -> LearnedStrategy:
    return learn_hero(rules_only, QUICK)


@pytest.fixture(scope="module")
def model(cautious: LearnedStrategy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "careful.mz"
    cautious.save(path)
    return path


def earned(player: Agent[Any], opponent: str, deals: int = 800) -> float:
    return float(HoldemMatch(LIMIT).play([player, create(opponent, AGENTS)], range(deals), 5)[0][:, 0].mean())


def test_a_hero_of_a_log_without_exploration_earns_what_the_watched_player_earns_and_not_less(
    cautious: LearnedStrategy, rules_only: Decisions
) -> None:
    """Without caution it believes what nobody tried, and loses where `rich` wins."""
    bold = learn_hero(rules_only, replace(QUICK, caution="none"))
    for opponent in ("rich", "call"):
        theirs = earned(create("rich", AGENTS), opponent)
        assert earned(Hero.playing(cautious), opponent) > theirs - 0.1
        assert earned(Hero.playing(bold), opponent) < theirs - 0.3


def test_a_cautious_hero_passes_what_is_asked_of_every_agent(model: Path) -> None:
    check_holdem_agent(lambda: create(str(model), AGENTS), LIMIT)


def test_caution_is_chosen_from_what_was_tried_and_said(rules_only: Decisions) -> None:
    told: list[Supported] = []
    learn_hero(rules_only, replace(QUICK, iterations=1), told=told.append)
    assert told[0].support is not None
    assert (told[0].explored or 0) < 0.1
    words = [str(each) for each in told[0].unbelieved]
    assert any("raises on the river with weak hands: 0 of" in each and each.endswith("not believed") for each in words)
    free = support_of(watched("random", 400), LEARNING, "auto")
    assert free.support is None
    assert (free.explored or 0) > 0.9
    assert "every action is believed" in str(free)


def test_counts_of_what_is_not_believed_are_those_of_the_log(rules_only: Decisions) -> None:
    found = support_of(rules_only, LEARNING, 0.3)
    stage, pv = rules_only.matrix(("stage", "pv")).T
    for each in found.unbelieved:
        low, high = ((-1, 400), (400, 600), (600, 1001))[each.hands]
        at = (stage == each.street) & (pv >= low) & (pv < high) & rules_only.legal[:, each.action]
        assert each.of == at.sum()
        assert each.taken == (rules_only.action[at] == each.action).sum()
        assert each.taken < 0.02 * each.of


def test_what_the_log_did_is_believed_at_any_caution(rules_only: Decisions) -> None:
    rows = np.arange(len(rules_only))
    for caution in (0.05, 1.0):
        mask = support_of(rules_only, LEARNING, caution).believed
        assert mask.any(axis=1).all()
        assert not (mask & ~rules_only.legal).any()
        assert mask[rows, rules_only.action].mean() > 0.97


def test_a_cautious_hero_comes_back_from_its_file_and_plays_alike(cautious: LearnedStrategy, model: Path) -> None:
    again = LearnedStrategy.load(model)
    assert again.support is not None
    assert cautious.support is not None
    assert again.support.attributes == cautious.support.attributes
    assert again.support.caution == cautious.support.caution == 0.2
    assert earned(Hero.playing(again), "call", 60) == earned(Hero.playing(cautious), "call", 60)


@pytest.mark.parametrize(
    "damage",
    [
        lambda s, a: s["support"].update(caution=0),
        lambda s, a: s["support"].update(caution="much"),
        lambda s, a: s["support"].update(attributes=["pv"]),
        lambda s, a: s["support"].pop("attributes"),
        lambda s, a: s.update(support=[1]),
        lambda s, a: a.pop("support/links"),
        lambda s, a: a["support/links"].__setitem__(0, 2**30),
    ],
)
def test_a_damaged_support_is_refused(model: Path, tmp_path: Path, damage: object) -> None:
    good = read_model(model)
    arrays = {name: array.copy() for name, array in good.arrays.items()}
    settings = {**good.settings, "support": dict(good.settings["support"])}
    damage(settings, arrays)  # type: ignore[operator]
    write_model(tmp_path / "bad.mz", replace(good, settings=settings, arrays=arrays))
    with pytest.raises(UnreadableError):
        create(str(tmp_path / "bad.mz"), AGENTS)


def test_an_explanation_shows_the_support_behind_each_worth(cautious: LearnedStrategy) -> None:
    told = Hero.playing(cautious).explain(Hand.parse("MATCHSTATE:0:0:rc/:AsAh|/Ad7c2h", LIMIT).observe())
    assert told.action == "r"
    assert [option.action for option in told.options] == ["raise", "call"]
    support = [option.support or 0.0 for option in told.options]
    assert sum(support) == pytest.approx(1)
    assert support[0] > 0.9
    assert "not believed: call" in told.reason
    assert "of like situations" in str(told)
    assert told.as_dict()["options"][1]["support"] == support[1]


def test_what_caution_can_be() -> None:
    assert (as_caution("auto"), as_caution("none"), as_caution("0.3")) == ("auto", "none", 0.3)
    for wrong in ("0", "1.5", "nan", "much", "-0.1"):
        with pytest.raises(UnreadableError, match="must be auto, none or a number"):
            as_caution(wrong)
    assert to_keep(("pv",), "none") == ("pv",)
    assert set(PLAYERS_LOOK_AT) <= set(to_keep(("pv",), 0.2))


def test_some_hands_of_decisions_are_decisions(rules_only: Decisions) -> None:
    chosen = rules_only.hand % 3 == 1
    some = rules_only.rows(chosen)
    ahead = some.next >= 0
    assert (some.hand[some.next[ahead]] == some.hand[ahead]).all()
    assert (some.position[some.next[ahead]] == some.position[ahead]).all()
    assert (some.states[some.next[ahead]] == rules_only.states[rules_only.next[chosen][ahead]]).all()
    assert some.first.sum() == rules_only.first[chosen].sum()


def test_a_log_judges_a_hero_of_its_own_kind_and_says_why_it_cannot_judge_another(rules_only: Decisions) -> None:
    fresh = watched("rich", 1000, 9)
    careful = learn_hero(rules_only, QUICK)
    found = judge(fresh, careful)
    assert found.why_not == ""
    low, high = found.bound
    assert low < 0 < high  # what `rich` earns against itself, and the hero with it
    assert found.watched == pytest.approx(0, abs=1e-9)  # both players of every hand are watched
    assert "judged from the log" in judgement(found)
    bold = judge(fresh, learn_hero(rules_only, replace(QUICK, caution="none")))
    assert "hardly ever played" in bold.why_not
    assert "cannot be judged from this log" in judgement(bold)
    assert bold.bound[0] < -2


def test_a_hero_is_never_judged_from_the_half_it_was_learned_from(rules_only: Decisions) -> None:
    told: list[float] = []
    found = judge_learning(rules_only, QUICK, progress=told.append)
    assert sum(told) == 4
    assert found.effective < 2000
    with pytest.raises(UnreadableError, match="not what was won"):
        judge_learning(replace(rules_only, rewarded="document"), QUICK)


@pytest.mark.parametrize(
    ("agent", "game"),
    [("chart", "holdem-limit-2p"), ("chart", "holdem-nolimit-2p"), ("random", "holdem-nolimit-2p"),
     ("typical", "holdem-nolimit-3p"), ("random:size=pot", "holdem-nolimit-2p")],
)  # fmt: skip
def test_the_chances_of_an_explorer_are_known_where_its_agents_are(agent: str, game: str) -> None:
    explorer, plain = (create(name, AGENTS) for name in (f"explorer:agent={agent},explore=0.4", agent))
    rules = find_game(game)
    seen = Table(rules, deal_cards(rules, np.uint64(1), range(60))).observe(np.arange(60))
    found, own = explorer.policy(seen), plain.policy(seen)
    assert found.exact
    assert found.p.sum(axis=1) == pytest.approx(1)
    kinds = 3 - (seen.owed == 0) - ~seen.can_raise
    for action in (FOLD, CALL):
        legal = (action == CALL) | (seen.owed > 0)
        taken = np.full(len(seen), action)
        assert found.share(taken) == pytest.approx(0.6 * own.share(taken) + 0.4 * legal / kinds)
    amount = seen.raise_low + 5 if not seen.game.limit else seen.raise_low
    each = 1 if seen.game.limit else seen.raise_high - seen.raise_low + 1
    expected = 0.6 * own.share(amount) + 0.4 * seen.can_raise / kinds / each
    assert found.share(amount) == pytest.approx(expected)
    check_policy(explorer, [seen])


def test_an_explorer_plays_its_agent_but_for_a_share_of_decisions() -> None:
    lines = database(("explorer:agent=call,explore=0.3", "call"), 600, 1)
    some = decisions_of(lines, player="explorer:agent=call,explore=0.3")
    others = float((some.action != 1).mean())
    possible = float(((some.legal.sum(axis=1) - 1) / some.legal.sum(axis=1)).mean())
    assert others == pytest.approx(0.3 * possible, abs=0.03)
    check_holdem_agent(lambda: create("explorer:agent=rich", AGENTS), LIMIT)
    with pytest.raises(UnreadableError, match="from 0 to 1"):
        create("explorer:explore=2", AGENTS)


def test_an_explorer_of_an_agent_that_learns_or_folds_for_nothing_is_handed_the_hands_and_may_fold() -> None:
    explorer = create("explorer:agent=online", AGENTS)
    assert explorer.learns
    assert not create("explorer:agent=chart", AGENTS).learns
    list(by_name.stream("holdem-limit-2p", [explorer, create("call", AGENTS)], hands=40, seed=1))
    assert vars(explorer)["played"].hands == 40
    for name in ("random", "call"):
        assert create(f"explorer:agent={name}", AGENTS).folds_free == create(name, AGENTS).folds_free
