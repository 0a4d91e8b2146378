"""The model of players: what weights mean, and that fitting finds how somebody plays."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.studies.sassone import rounds_between
from mazzo.tressette import agent
from mazzo.tressette.players import (
    BLOCKS,
    check_weights,
    choices_of,
    feature_names,
    fit_weights,
    log_likelihoods,
    read_weights,
    scene_of,
    weights_of_players,
)
from tests.tressette.situations import play_at_random

EQUAL = np.ones(sum(BLOCKS))


def test_the_weights_that_come_with_mazzo_are_read() -> None:
    assert weights_of_players().shape == (sum(BLOCKS),)
    assert (weights_of_players() > 0).all()


@pytest.mark.parametrize("wrong", [None, "x", [1, 2], [0.0] * sum(BLOCKS), [float("nan")] * sum(BLOCKS), {"a": 1}])
def test_weights_that_are_none_are_refused(wrong: object) -> None:
    with pytest.raises(UnreadableError, match="weights of players"):
        check_weights(wrong)


def test_a_file_that_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot read"):
        read_weights(tmp_path / "none.json")
    for text in ("", "[1]", '{"weights": "x"}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(UnreadableError):
            agent(f"policy:file={tmp_path / 'bad.json'}")


def test_with_equal_weights_a_play_is_as_likely_as_any_legal_card() -> None:
    table = play_at_random(4, 17)
    seat = table.turn or 0
    seen, deals = table.observe(seat), np.roll(table.row.hands[0], -seat)[None, :]
    expected, again = 0.0, play_at_random(4, 0)
    for other, card in table.plays:
        if other != seat:
            expected -= np.log(len(again.legal))
        again.act(card)
    assert log_likelihoods(seen, deals, EQUAL)[0] == pytest.approx(expected)


def test_the_likelihood_of_the_true_deal_is_the_product_of_the_policys_chances() -> None:
    table = play_at_random(8, 22)
    seat = table.turn or 0
    seen, deals = table.observe(seat), np.roll(table.row.hands[0], -seat)[None, :]
    player, expected, again = agent("policy:mix=true"), 0.0, play_at_random(8, 0)
    for other, card in table.plays:
        if other != seat:
            expected += float(np.log(player.policy(again.observe()).share(np.array([int(card)]))[0]))
        again.act(card)
    assert log_likelihoods(seen, deals)[0] == pytest.approx(expected)


def test_fitting_finds_the_rules_of_greedy() -> None:
    """In rounds it has not seen the fitted policy plays as greedy does in nine decisions of ten and more."""
    greedy = agent("greedy")
    known, others = (rounds_between([greedy, greedy], range(400), seed=seed) for seed in (5, 6))
    weights = fit_weights(choices_of(known.dealt, known.played, known.leaders))
    judged = choices_of(others.dealt, others.played, others.leaders)
    chances = judged.chances(weights)
    assert np.add.reduceat(chances, judged.starts) == pytest.approx(1)
    likeliest = np.maximum.reduceat(chances, judged.starts)
    assert (chances[judged.taken] == likeliest).mean() > 0.9


def test_every_card_is_named_in_every_table() -> None:
    for cards in (0, 1, 3, 18, 39):
        table = play_at_random(2, cards)
        o = table.observe()
        gone = np.bitwise_or.reduce(o.shown[0])
        for card in table.legal:
            names = feature_names(card, scene_of(o.hand[0], gone, o.played[0], o.count[0]))
            assert len({number for _, number in names}) == len(BLOCKS)
            assert all(name and ", ," not in name for name, _ in names)


def test_fit_makes_a_file_that_policy_plays_by(tmp_path: Path) -> None:
    made = tmp_path / "mine.json"
    words = ["tressette", "fit", "--teacher", "greedy", "--rounds", "60", "-o", str(made), "--json", "--quiet"]
    done = CliRunner().invoke(mazzo, words)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["log_loss"] < figures["log_loss_of_any_card"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]
    assert agent(f"policy:file={made}").decide(play_at_random(1, 0).observe())[0] in play_at_random(1, 0).legal
