from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from mazzo.agent import create
from mazzo.arena.statistics import Moments
from mazzo.blackjack import PRESETS, Rules, Shoe
from mazzo.blackjack.agents import AGENTS, Decisions, decision
from mazzo.blackjack.chart import chart_html, chart_svg, chart_text
from mazzo.blackjack.exact.analysis import PLAYS, analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.round import PlayerHand, Round, play_with
from mazzo.blackjack.shoe import RANKS, shoe_of, text_of
from mazzo.errors import IllegalError
from mazzo.luck import fork, stream

STRIP, HUNGARIAN = PRESETS["strip"], PRESETS["hungarian"]
SIX_DECKS = Shoe.of_decks(6)
ANYTHING = np.array([True] * 5)


def a_round(rules: Rules, cards: list[int], dealer: list[int], seed: int = 1) -> Round:
    """A round with these cards instead of those dealt."""
    game = Round(rules, SIX_DECKS, stream(seed, "test"))
    game.hands = [PlayerHand(cards)]
    game.dealer = dealer
    return game


def test_charts_are_whole_in_every_form() -> None:
    table = best_table(STRIP).table
    text = chart_text(table)
    assert "16          S  S  S  S  S  H  H  H  H  H" in text
    assert "\x1b[" not in text
    assert "\x1b[" in chart_text(table, colour=True)
    picture = ElementTree.fromstring(chart_svg(table, "S17 & <peek>"))
    cells = [e for e in picture.iter() if e.tag.endswith("rect")]
    assert len(cells) == 1 + 10 * (16 + 8 + 10)
    page = chart_html(table, "S17 & <peek>")
    assert page.count("<td") == 10 * (16 + 8 + 10)
    assert "S17 &amp; &lt;peek&gt;" in page


def test_a_round_can_be_split_doubled_and_settled() -> None:
    game = a_round(STRIP, [7, 7], [5, 9])
    game.play("split")
    assert [hand.cards[0] for hand in game.hands] == [7, 7]
    while game.to_play is not None:
        game.play("stand")
    assert -2 <= game.settle() <= 2
    assert game.shoe_after.cards == 312 - game._drawn


def test_split_aces_get_one_card_and_21_is_no_blackjack() -> None:
    game = a_round(STRIP, [0, 0], [5, 9])
    game.play("split")
    assert game.to_play is None
    assert all(len(hand.cards) == 2 and not hand.natural for hand in game.hands)


def test_a_doubled_hand_gets_one_card_for_twice_the_stake() -> None:
    game = a_round(HUNGARIAN, [5, 4], [5])
    game.play("double")
    assert game.hands[0].stake == 2
    assert game.to_play is None
    assert game.settle() in (-2, 0, 2)


def test_the_peek_saves_what_was_not_yet_staked() -> None:
    assert a_round(STRIP, [5, 4], [0, 9]).settle() == -1
    enhc = a_round(HUNGARIAN, [5, 4], [9])
    enhc.play("double")
    enhc.dealer.append(0)
    assert enhc.settle() == -2


def test_insurance_and_even_money_pay_as_they_should() -> None:
    game = a_round(STRIP, [8, 8], [0, 9])
    game.insure()
    assert game.settle() == 0
    natural = a_round(STRIP, [0, 9], [0, 5])
    natural.take_even_money()
    assert natural.settle() == 1
    assert a_round(STRIP, [0, 9], [0, 9]).settle() == 0
    with pytest.raises(IllegalError, match="against an ace"):
        a_round(STRIP, [8, 8], [5, 9]).insure()


def test_a_shoe_too_small_for_a_round_is_refused() -> None:
    with pytest.raises(IllegalError, match="shuffle a new one"):
        Round(STRIP, Shoe((1,) * 9 + (8,)), stream(1, "test"))


def test_what_is_not_allowed_says_what_is() -> None:
    game = a_round(STRIP, [9, 5], [9, 9])
    with pytest.raises(
        IllegalError, match=r"split is not allowed with T,6 \(16\) against T; allowed: stand, hit, double"
    ):
        game.play("split")
    with pytest.raises(IllegalError, match="did you mean 'stand'"):
        game.play("stend")
    with pytest.raises(IllegalError, match="still to be played"):
        game.settle()


@pytest.mark.parametrize("name", AGENTS)
def test_agents_play_legal_rounds_and_explain_themselves(name: str) -> None:
    agent = create(name, AGENTS)
    rules = HUNGARIAN
    for k in range(60):
        play_with(agent, Round(rules, SIX_DECKS, fork(stream(1, "agents"), k)))
    view = decision(rules, (9, 5), 9, SIX_DECKS, np.array([True, True, True, False, True]))
    explanation = agent.explain(view)
    values = {option.action: option.value for option in explanation.options}
    assert values["stand"] == pytest.approx(-0.576608463, abs=1e-9)
    assert set(values) == {"stand", "hit", "double", "surrender"}
    assert explanation.action in values


def test_the_chart_agent_earns_what_its_chart_is_worth() -> None:
    agent = create("chart", AGENTS)
    results = [play_with(agent, Round(STRIP, SIX_DECKS, fork(stream(3, "worth"), k))) for k in range(8_000)]
    earned = Moments.of(results).estimate()
    assert abs(earned.mean - best_table(STRIP).ev) < 4 * earned.standard_error


def test_a_batch_is_as_many_batches_of_one() -> None:
    agent = create("random", AGENTS)
    one = [decision(STRIP, (9, 5), up, SIX_DECKS, ANYTHING, luck=int(fork(np.uint64(7), up))) for up in range(10)]
    batch = Decisions(
        STRIP,
        cards=np.concatenate([view.cards for view in one]),
        upcard=np.concatenate([view.upcard for view in one]),
        shoe=np.concatenate([view.shoe for view in one]),
        legal=np.concatenate([view.legal for view in one]),
        after_split=np.concatenate([view.after_split for view in one]),
        luck=np.concatenate([view.luck for view in one]),
    )
    assert agent.decide(batch).tolist() == [int(agent.decide(view)[0]) for view in one]


def test_the_counting_agent_sees_the_cards_that_are_gone() -> None:
    agent = create("count", AGENTS)
    rich = Shoe((24, 12, 12, 12, 12, 12, 24, 24, 24, 96))
    legal = np.array([True, True, True, False, False])
    assert PLAYS[int(agent.decide(decision(STRIP, (9, 5), 9, rich, legal))[0])] == "stand"
    assert PLAYS[int(agent.decide(decision(STRIP, (9, 5), 9, SIX_DECKS, legal))[0])] == "hit"
    assert analyse(STRIP, rich).best((9, 5), 9) == "stand"


GOLDEN = Path(__file__).parent.parent / "golden" / "blackjack.txt"


def playthrough() -> str:
    """Thirty rounds of two shoes by the chart, as one reads them."""
    agent, lines = create("chart", AGENTS), []
    for name in ("strip", "hungarian"):
        rules = PRESETS[name]
        shoe = shoe_of(rules)
        for k in range(15):
            game = Round(rules, shoe, fork(stream(7, name), k))
            dealt = f"{name} {k}: {text_of(game.hands[0].cards)} v {RANKS[game.upcard]}"
            won = play_with(agent, game)
            hands = " / ".join(str(hand) for hand in game.hands)
            lines.append(f"{dealt} -> {hands}; dealer {text_of(game.dealer)}; {won:+g}")
            shoe = game.shoe_after
    return "\n".join(lines) + "\n"


def test_a_playthrough_is_what_it_was() -> None:
    assert playthrough() == GOLDEN.read_text()
