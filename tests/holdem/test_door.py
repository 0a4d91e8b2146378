"""Hold'em by its door: text in, results that show themselves out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mazzo
from mazzo import holdem
from mazzo.errors import IllegalError, UnreadableError


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "random.log"
    return holdem.generate("holdem-limit-2p", ["random", "random"], hands=1500, seed=1, to=path)


def test_rules_come_by_name_by_file_and_by_text(tmp_path: Path) -> None:
    limit = holdem.rules("holdem-limit-2p")
    (tmp_path / "mine.game").write_text(str(limit))
    assert holdem.rules(str(tmp_path / "mine.game")).blinds == limit.blinds
    assert holdem.rules(str(limit)).raise_sizes == limit.raise_sizes
    assert holdem.rules(limit) is limit
    assert str(holdem.Hand(str(limit))).startswith("game game; rules GAMEDEF, limit, numPlayers = 2, ")
    with pytest.raises(UnreadableError, match="did you mean 'holdem-limit-2p'"):
        holdem.Hand("holdem-limit-2")


def test_a_seed_where_every_case_is_counted_is_refused() -> None:
    with pytest.raises(IllegalError, match="every case is counted: leave seed out"):
        holdem.equity("AsKd", board="7h8h2c", seed=4)
    with pytest.raises(IllegalError, match="every case is counted: leave seed out, or give samples"):
        holdem.equity("AhKh", against="QsQd", seed=4)
    assert holdem.equity("AsKd", samples=500) == holdem.equity("AsKd", samples=500, seed=0)


def test_equity_reads_text_and_prints_its_error() -> None:
    exact = holdem.equity("AsKd", board="7h8h2c")
    assert exact.exact
    assert exact.standard_error == 0
    assert f"{exact.numerator:,} / {exact.denominator:,}" in str(exact)
    drawn = exact._repr_html_() or ""
    assert (drawn.count("<svg"), drawn.count("<rect")) == (1, 3)
    assert f"wins {exact.win:.1%}" in drawn
    sampled = holdem.equity("AsKd", opponents=4, samples=1000, seed=2)
    assert not sampled.exact
    assert f"standard error {sampled.standard_error:.4%}" in str(sampled)
    assert holdem.equity("AhKh", against="QsQd") == holdem.equity("AhKh", against=holdem.Range.parse("QsQd"))
    with pytest.raises(IllegalError, match="against names the opponents: leave opponents out"):
        holdem.equity("AhKh", against="QsQd", opponents=2)
    with pytest.raises(UnreadableError, match="cannot read a card"):
        holdem.equity("AsKx")


def test_equities_of_texts_are_those_of_numbers() -> None:
    wins, deals = holdem.equities(["AsKd", "7h7c"], ["7h8h2cTd", "2c3c4c5d6d"], 1)
    for k, (hole, board) in enumerate((("AsKd", "7h8h2cTd"), ("7h7c", "2c3c4c5d6d"))):
        one = holdem.equity(hole, board)
        assert wins[k] * one.denominator == one.numerator * deals[k]
    assert np.array_equal(holdem.equities("AsKd", "7h8h2cTd", 1)[0], wins[:1])


def test_an_agent_comes_by_name_and_is_given_back_as_it_is() -> None:
    rich = holdem.agent("rich:margin=.02")
    assert rich.name == "rich:margin=.02"
    assert holdem.agent(rich) is rich


def test_a_log_is_never_written_over_and_says_what_was_read(log: Path) -> None:
    with pytest.raises(UnreadableError, match="exists already"):
        holdem.generate("holdem-limit-2p", ["random", "random"], hands=10, to=log)
    with pytest.raises(UnreadableError, match="seats 2 agents, 1 were given"):
        holdem.generate("holdem-limit-2p", ["random"], hands=10, to=log.with_name("other.log"))
    assert not log.with_name("other.log").exists()
    hands = holdem.hands(log)
    assert repr(hands).endswith("not read yet>")
    assert sum(len(batch) for batch in hands) == 1500
    assert "1500 used" in str(hands.report)
    assert "Hands read" in (hands.report._repr_html_() or "")
    first = next(iter(next(iter(hands))))
    assert holdem.Hand.parse(first.text()) == first


def test_a_hero_learned_here_plays_and_comes_back_from_its_file(log: Path, tmp_path: Path) -> None:
    hero = holdem.learn(holdem.hands(log), regressor="boosted", trees=20, iterations=3)
    hero.save(tmp_path / "hero.mz")
    assert "decisions of 1500 hands by boosted" in str(hero)
    again = holdem.agent(str(tmp_path / "hero.mz"))
    seen = holdem.Hand("holdem-limit-2p", seed=3).observe()
    assert hero.decide(seen) == again.decide(seen)
    result = mazzo.match("holdem-limit-2p", [hero, "random"], hands=400, seed=1)
    assert result.standings[0].name == "hero"
    with pytest.raises(UnreadableError, match="did you mean 'regressor'"):
        holdem.learn(log, regresor="boosted")


def test_a_clone_learned_here_plays_and_comes_back_from_its_file(log: Path, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="the model 'tree' has no setting 'rate'"):
        holdem.clone(log, "random#1", model="tree", rate=0.2)
    with pytest.raises(UnreadableError, match="auto chooses its own settings: leave modle out"):
        holdem.clone(log, "random#1", modle="tree")
    copy = holdem.clone(log, "random#1")
    copy.save(tmp_path / "clone.mz")
    hand = holdem.Hand("holdem-limit-2p", seed=3)
    assert copy.decide(hand.observe()) == holdem.agent(str(tmp_path / "clone.mz")).decide(hand.observe())
    hand.act(copy)


def test_a_hand_is_drawn_as_cards_and_hides_what_the_seat_to_act_may_not_see() -> None:
    hand = holdem.Hand("holdem-limit-2p", "AsKd 7h7c 2c7dTh 3s Qc").act("r").act("c")
    drawn = hand._repr_html_() or ""
    assert drawn.count("<img") == 9
    assert drawn.count('alt="hidden card"') == 4
    assert [row.cards for row in hand.section().cards] == [
        ["2c", "7d", "Th", None, None],
        ["As", "Kd"],
        [None, None],
    ]


def test_an_observation_of_one_decision_prints_in_words_and_shows_no_arrays() -> None:
    seen = holdem.Hand("holdem-limit-2p", "AsKd 7h7c 2c7dTh 3s Qc").act("r").act("c").observe()
    assert str(seen) == "my hand As Kd; board 2c 7d Th; pot 40; 1 against me; nothing to call; may raise to 30"
    assert repr(seen[:0]) == "<0 decisions>"


def test_a_range_is_made_from_text() -> None:
    made = holdem.Range("QQ+,AKs:0.5")
    assert made == holdem.Range.parse("QQ+,AKs:0.5")
    assert len(made) == 22
    assert len(made.without([51])) < 22
    with pytest.raises(UnreadableError, match="a range is hands separated by commas"):
        holdem.Range("QQ++")
