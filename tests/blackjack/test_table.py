from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.arena.by_name import match
from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.agents import AGENTS
from mazzo.blackjack.columns import PLAYS
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table, chart
from mazzo.blackjack.observation import Observations, decision
from mazzo.blackjack.table import Table
from mazzo.document import Report
from mazzo.errors import IllegalError, UnreadableError
from mazzo.lockstep import play_out
from mazzo.reports.draw import grids_svg
from mazzo.reports.page import html
from mazzo.rng import fork, stream
from mazzo.statistics import Moments

STRIP, HUNGARIAN = PRESETS["strip"], PRESETS["hungarian"]
SIX_DECKS = Shoe.of_decks(6)
ANYTHING = np.array([True] * 5)


def test_charts_are_whole_in_every_form() -> None:
    found = chart("strip")
    text = found.table.chart()
    assert "16          S  S  S  S  S  H  H  H  H  H" in text
    assert text in str(found)
    assert "\x1b[" not in text
    assert "\x1b[" in found.table.chart(colour=True)
    section = replace(found.section(), title="S17 & <peek>")
    picture = ElementTree.fromstring(grids_svg(section))
    cells = [e for e in picture.iter() if e.tag.endswith("rect")]
    assert len(cells) == 1 + 10 * (16 + 8 + 10)
    for page in (html(Report("S17 & <peek>", [], [section])), found._repr_html_() or ""):
        assert page.count("background:#") >= 10 * (16 + 8 + 10)
    assert "S17 &amp; &lt;peek&gt;" in html(Report("S17 & <peek>", [], [section]))


@pytest.mark.parametrize("name", AGENTS)
def test_agents_play_legal_rounds_and_explain_themselves(name: str) -> None:
    agent = create(name, AGENTS)
    rules = HUNGARIAN
    table = Table(rules, [fork(stream(1, "agents"), k) for k in range(60)])
    play_out(table, [agent])
    assert table.over
    view = decision(rules, (9, 5), 9, SIX_DECKS, np.array([True, True, True, False, True]))
    explanation = agent.explain(view)
    values = {option.action: option.value for option in explanation.options}
    assert values["stand"] == pytest.approx(-0.576608463, abs=1e-9)
    assert set(values) == {"stand", "hit", "double", "surrender"}
    assert explanation.action in values


def test_the_chart_agent_earns_what_its_chart_is_worth() -> None:
    agent = create("chart", AGENTS)
    table = Table(STRIP, [fork(stream(3, "worth"), k) for k in range(8_000)])
    play_out(table, [agent])
    earned = Moments.of(table.settle()[:, 0]).estimate()
    assert abs(earned.mean - best_table(STRIP).ev) < 4 * earned.standard_error


def test_a_batch_is_as_many_batches_of_one() -> None:
    agent = create("random", AGENTS)
    one = [decision(STRIP, (9, 5), up, SIX_DECKS, ANYTHING, rng_key=int(fork(np.uint64(7), up))) for up in range(10)]
    batch = Observations(
        STRIP,
        cards=np.concatenate([view.cards for view in one]),
        upcard=np.concatenate([view.upcard for view in one]),
        shoe=np.concatenate([view.shoe for view in one]),
        legal=np.concatenate([view.legal for view in one]),
        after_split=np.concatenate([view.after_split for view in one]),
        rng_key=np.concatenate([view.rng_key for view in one]),
    )
    assert agent.decide(batch).tolist() == [int(agent.decide(view)[0]) for view in one]
    assert agent.decide(batch[3:5]).tolist() == agent.decide(batch).tolist()[3:5]
    assert len(batch[batch.upcard > 6]) == 3


def test_the_counting_agent_sees_the_cards_that_are_gone() -> None:
    agent = create("count", AGENTS)
    rich = Shoe((24, 12, 12, 12, 12, 12, 24, 24, 24, 96))
    legal = np.array([True, True, True, False, False])
    assert PLAYS[int(agent.decide(decision(STRIP, (9, 5), 9, rich, legal))[0])] == "stand"
    assert PLAYS[int(agent.decide(decision(STRIP, (9, 5), 9, SIX_DECKS, legal))[0])] == "hit"
    assert analyse(STRIP, rich).best((9, 5), 9) == "stand"


def test_an_illegal_action_is_refused_before_any_is_carried_out() -> None:
    table = Table(STRIP, [fork(stream(3, "refused"), k) for k in range(50)])
    rows = np.flatnonzero(table.actor >= 0)
    before = table.state.cell.copy()
    actions = np.zeros(len(rows), np.int64)
    actions[7] = 6
    with pytest.raises(IllegalError, match=f"even money is not legal in round {rows[7]} .* legal: stand"):
        table.apply(rows, actions)
    np.testing.assert_array_equal(table.state.cell, before)
    with pytest.raises(IllegalError, match="not all rounds are over"):
        table.settle()


def test_a_copied_row_goes_its_own_way() -> None:
    table = Table(STRIP, [fork(stream(4, "copied"), k) for k in range(20)], boxes=2)
    for row in np.flatnonzero(table.actor >= 0):
        copy = table.row(int(row))
        kept = table.state.cell[row].copy()
        while not copy.over:
            copy.apply(np.array([0]), [7 if copy.legal(np.array([0]))[0, 7] else 0])
        np.testing.assert_array_equal(table.state.cell[row], kept)


def test_agents_play_side_by_side_on_the_same_rounds() -> None:
    result = match("blackjack", ["basic", "random", "basic"], hands=3000, seed=1)
    basic, chance, again = (standing.estimate.mean for standing in result.standings)
    assert basic == again
    assert chance < -0.2 < basic
    assert "bets a round" in str(result)
    with pytest.raises(UnreadableError, match="did you mean 'hungarian'"):
        match("blackjack-hungarien", ["basic", "random"], hands=10)
