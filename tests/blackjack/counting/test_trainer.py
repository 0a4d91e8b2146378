from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.blackjack import PRESETS
from mazzo.blackjack.counting.index_tables import basic, illustrious
from mazzo.blackjack.counting.systems import COUNTS
from mazzo.blackjack.counting.trainer import MARKS, Countdown, CountingTable, DeckEstimate, DeviationDrill
from mazzo.cli.app import mazzo
from mazzo.errors import IllegalError, UnreadableError

RULES = PRESETS["strip"].changed(surrender="late", max_hands=2)
HI_LO = COUNTS["hi-lo"]


def run(*words: str, text: str) -> str:
    result = CliRunner().invoke(mazzo, ["blackjack", "train", *words], input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("marks", MARKS)
def test_who_plays_as_advised_is_always_right_and_the_money_is_the_rounds(marks: str) -> None:
    table = CountingTable(RULES, HI_LO, illustrious(RULES), 1000, 2, marks, seed=3)
    rounds = 4 if marks == "exact" else 60
    for _ in range(rounds):
        before = table.bankroll
        played = table.begin(5)
        while not played.over:
            assert table.act(table.advice())[0]
        won = table.finish()
        assert table.bankroll == pytest.approx(before + won)
    assert table.asked == table.right > 0
    assert table.rounds == rounds


def test_the_count_is_of_all_cards_seen_but_not_of_the_hole_card() -> None:
    table = CountingTable(RULES, HI_LO, basic(RULES), seed=1)
    assert table.running == 0
    for _ in range(12):
        played = table.begin(1)
        if not played.over:
            shown = [int(card) for hand in played.hands for card in hand.cards] + [played.upcard]
            assert int(table.seen.sum()) == 312 - played.before.cards + len(shown)
        while not played.over:
            table.act(table.advice())
        table.finish()
        gone = np.array([24] * 9 + [96]) - np.array(played.shoe_after.counts)
        assert table.running == pytest.approx(float(gone @ np.array(HI_LO.tags)))
        assert table.true == pytest.approx(table.running * 52 / played.shoe_after.cards)


def test_bets_above_the_bankroll_and_unknown_markers_are_refused() -> None:
    table = CountingTable(RULES, HI_LO, basic(RULES), 20, 2)
    for bet in (11, 0, float("nan")):
        with pytest.raises(IllegalError, match="bankroll"):
            table.begin(bet)
    with pytest.raises(UnreadableError, match="marks must be one of"):
        CountingTable(RULES, HI_LO, basic(RULES), marks="luck")


def test_a_bankroll_that_is_bet_whole_pays_for_no_second_bet_and_the_coach_knows() -> None:
    table = CountingTable(RULES, HI_LO, illustrious(RULES), 10, seed=4)
    refused = 0
    for seed in range(40):
        table.bankroll, table.seed = 10, seed
        played = table.begin(10)
        while not played.over:
            legal = {played.action_text(action) for action in played.legal}
            for play in legal & {"double", "split", "insure"}:
                refused += 1
                with pytest.raises(IllegalError, match="bankroll of 10"):
                    table.act(play)
            assert table.act(table.advice())[0]
        table.finish()
        assert table.bankroll >= 0
    assert refused


def test_a_deviation_is_right_from_its_index_up() -> None:
    drill = DeviationDrill(RULES, illustrious(RULES), seed=2)
    answers, asked = set(), set()
    for _ in range(200):
        play, running, decks = drill.situation
        assert f"{play.row} v " in drill.question()
        assert drill._true == running // decks
        asked.add(play)
        wanted = drill._true >= drill._play.index
        answers.add(wanted)
        assert drill.answer("y" if wanted else "n")[0]
    assert answers == {True, False}
    assert {play.row for play in asked} == {play.row for play in illustrious(RULES).plays} | {"insurance"}
    with pytest.raises(UnreadableError, match="y or n"):
        drill.answer("maybe")
    with pytest.raises(UnreadableError, match="no index plays"):
        DeviationDrill(RULES, basic(RULES))


def test_a_deck_counted_down_tells_the_last_cards_tag() -> None:
    deck = Countdown(HI_LO, seed=4)
    assert sum(len(handful.split()) for handful in deck.handfuls()) == 51
    assert deck.running == -HI_LO.tags[deck._cards[-1]]


def test_a_tray_is_as_full_as_its_picture() -> None:
    tray = DeckEstimate(6, seed=1)
    for _ in range(10):
        lines = tray.picture().splitlines()
        full = sum("=" in line for line in lines)
        assert tray.answer(str(6 * full / len(lines)))[0]


def test_the_trainer_runs_in_the_terminal() -> None:
    text = run("--times", "2", "--seed", "5", text="c\n99999\n10\n" + "s\nl\n" * 6 + "q\n")
    assert "plays are marked by indices" in text
    assert "running count +0, true count" in text
    assert "bankroll" in text
    assert "of 2 right" in run("--drill", "deviations", "--times", "2", text="y\nn\n")
    assert "seconds for 51 cards" in run("--drill", "countdown", text="\n" * 26 + "0\n")
    assert "of 1 right" in run("--drill", "decks", "--times", "3", text="3\nq\n")
