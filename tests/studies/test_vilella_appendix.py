from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from mazzo.holdem.attributes.elementary import LEARNING
from mazzo.holdem.learning import decisions_of
from mazzo.holdem.learning.decisions import Decisions
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.rules import find_game
from mazzo.studies import vilella
from mazzo.studies.vilella_appendix import cut_states, printed_decisions

LIMIT = find_game("holdem-limit-2p")
FIGURE_4_5 = "PLAYER1|PLAYER2:0:cc/rc/cc/crrrc:8sAs|Ac2h/8h4h2s/5c/6s:80|-80"
"""The hand of figure 4.5, the big blind first; the figure says whose turn the program takes each action to be."""


def decisions(line: str, reward: str = "chips") -> Decisions:
    read = [hands for hands, _ in read_acpc(BytesIO(line.encode()), "figure 4.5", LIMIT) if hands is not None]
    return decisions_of(read, attributes=LEARNING, reward=reward)


def test_the_cut_betting_gives_the_turns_that_figure_4_5_prints() -> None:
    made = decisions(FIGURE_4_5)
    assert made.position.tolist() == [1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0], "whose turn it is"
    printed = printed_decisions(made).position.tolist()
    assert printed == [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0], "whose the figure says it is (first column)"


def test_what_is_read_from_a_cut_sequence() -> None:
    before = dict(zip(LEARNING, decisions(FIGURE_4_5).states[9].tolist(), strict=True))
    after = dict(zip(LEARNING, cut_states(decisions(FIGURE_4_5).states)[9].tolist(), strict=True))
    # River c r r, cut to the length of the turn's c c: the big blind's raise to two bets is missing.
    assert (before["turn"], after["turn"]) == (1, 0)
    assert before["pot"] - after["pot"] == 2 * 20
    assert (before["bet_river"], after["bet_river"]) == (12, 6), "crr and cr in the appendix's numbers"
    assert before["raises_sb"] == after["raises_sb"], "it was the big blind who raised last"
    assert before["raises"] == after["raises"], "these are counted in the whole betting"


def test_without_the_cut_only_the_rewards_are_the_printed_ones() -> None:
    made, document = decisions(FIGURE_4_5), decisions(FIGURE_4_5, "document")
    printed = printed_decisions(made, cut=False)
    assert np.array_equal(printed.reward, document.reward)
    assert np.array_equal(printed.states, made.states)
    assert np.array_equal(printed.next, made.next)


def test_each_decision_leads_to_the_next_of_whom_the_program_takes_it_to_be() -> None:
    made = printed_decisions(decisions(FIGURE_4_5))
    for row, after in enumerate(made.next.tolist()):
        later = [k for k in range(row + 1, len(made)) if made.position[k] == made.position[row]]
        assert after == (later[0] if later else -1)
    pv = made.states[:, LEARNING.index("pv")]
    whole = decisions(FIGURE_4_5)
    mine = whole.states[8, LEARNING.index("pv")]
    assert pv[9] == mine, "the wrong player's cards: those of the big blind on the river"


def test_a_hero_of_the_printed_program_plays_and_folds_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    task = next(t for t in vilella.tasks(full=True) if t["figure"] == "printed 5.2" and t["x"] == 400)
    small = {"hands": 400, "play": 400, "settings": {**task["settings"], "trees": 5, "leaf": 100}}
    result = vilella.run({**task, **small})
    assert len(result["shares"]) == 3
    assert sum(result["shares"]) == pytest.approx(1, abs=1e-3)
    row = vilella.rows([{**result, "seed": seed} for seed in (33, 34)])[0]
    assert row.what.startswith("5.2 by his printed program")
    assert row.where.startswith("figure 5.2")
    assert "it folds" in row.as_dict()["why"]
