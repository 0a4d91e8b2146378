"""Attributes against independent references: other ways of counting, and play against logs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.cards import FRENCH
from mazzo.holdem import Hand, find_game
from mazzo.holdem import columns as c
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.attributes import Counts, Watch, columns_of, describe, schema_names, situations_of, situations_seen
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.made import card_facts
from mazzo.holdem.comparing.likeness import read_lines
from mazzo.holdem.observation import Finished, known_to
from mazzo.holdem.showdown import CATEGORIES, evaluate_one
from mazzo.holdem.statistics.tally import WINS, Tally
from mazzo.holdem.table import Table, deal_cards, hand_keys
from mazzo.lockstep import play_out
from mazzo.rng import stream

Seen = list[tuple[Any, np.ndarray]]


class _Listener:
    """Plays for an agent and keeps what it saw."""

    kernel, sees_all = "", False

    def __init__(self, agent: Any, counts: Counts | None = None) -> None:
        self.agent, self.name, self.folds_free, self.learns = agent, agent.name, agent.folds_free, False
        self.kept: list[Any] = []
        self.counts = counts

    def decide(self, o: Any) -> np.ndarray:
        self.kept.append((o, situations_seen(o, self.counts)))
        return np.asarray(self.agent.decide(o))

    def check_observes(self, o: Any) -> None:
        self.agent.check_observes(o)


def _values(situations: Any, players: int) -> tuple[list[str], np.ndarray]:
    names = [n for n in schema_names(max(players, 3)) if not n.startswith(("FUTURE", "CLASS"))]
    columns = [k.with_values_of([situations]) for k in columns_of(names, situations.games)]
    rows: list[list[str | float | None]] = []
    for column in columns:
        found = column.of(situations)
        if column.nominal:
            rows.append([None if np.isnan(x) else (column.values or ())[int(x)] for x in found])
        else:
            rows.append([None if np.isnan(x) else float(x) for x in found])
    return names, np.array(rows, object).T


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(players=st.integers(2, 10), limit=st.booleans(), seed=st.integers(0, 10_000), hero=st.integers(0, 9))
def test_what_a_bot_sees_is_what_the_converter_writes(players: int, limit: bool, seed: int, hero: int) -> None:
    """Six hands of a match, seats going round: every attribute, HISTORY too, from play and from the log."""
    game = find_game(f"holdem-{'limit' if limit else 'nolimit'}-{players}p")
    hero %= players
    counts = Counts()
    agents = [create("random:fold=.1", AGENTS) for _ in range(players)]
    listener = _Listener(agents[hero], counts)
    played: list[Any] = [*agents[:hero], listener, *agents[hero + 1 :]]
    lines: list[str] = []
    from mazzo.holdem.logs.formats.acpc_write import table_lines

    names = [f"p{k}" for k in range(players)]
    for number in range(6):
        cards = deal_cards(game, stream(seed, "deal"), [number])
        seating = ((number + np.arange(players)) % players).astype(np.int16)[None, :]
        table = Table(game, cards, rng_key=hand_keys(stream(seed, "luck"), [number]), seating=seating)
        play_out(table, played)
        net = table.settle()
        lines += table_lines(game, table.state, table.history, table.cards, net, seating, number, names)
        counts.on_hands_finished(Finished(game, hero, table.state, table.history, seating, known_to(table, hero), net))
    watch = Watch(f"p{hero}")
    logged = [situations_of(hands, watch) for hands in read_lines(game, lines)]
    said = [_values(s, players) for s in logged if len(s)]
    live = [_values(s, players) for _, s in listener.kept]
    assert sum(len(rows) for _, rows in said) == sum(len(rows) for _, rows in live)
    if not live:
        return
    written = np.concatenate([rows for _, rows in said])
    seen = np.concatenate([rows for _, rows in live])
    for k, name in enumerate(live[0][0]):
        if "_ACTION" in name and "ABSTR" not in name and not (limit and players == 3):
            continue  # their values are those that occur: compared below as numbers
        assert written[:, k].tolist() == seen[:, k].tolist(), name
    assert np.concatenate([s.betting for s in logged]).tolist() == [
        row for _, s in listener.kept for row in s.betting.tolist()
    ]


def _facts(hole: str, board: str) -> dict[str, str]:
    cards = np.array([[int(k) for k in FRENCH.parse(hole)]])
    row = np.full((1, 5), -1, np.int8)
    open_cards = [int(k) for k in FRENCH.parse(board)] if board else []
    row[0, : len(open_cards)] = open_cards
    f = card_facts(cards, row)[0]
    return {
        "texture": v.BOARD_TEXTURES[9 * f[0] + 3 * f[1] + f[2]],
        "rank": v.HAND_RANKS[f[3]],
        "type": v.HAND_TYPES[f[4]],
        "outs": str(f[5]),
        "draw": v.DRAWS[f[6]],
    }


@pytest.mark.parametrize(
    ("hole", "board", "kind"),
    [
        ("AsKd", "", "NOTHING"),
        ("7s7d", "", "PAIR"),
        ("QsQd", "Jc7h2s", "OVERPAIR"),
        ("9s9d", "Jc7h2s", "PAIR"),
        ("JsAd", "Jc7h2s", "TOPPAIR"),
        ("7sAd", "Jc7h2s", "PAIR"),
        ("AsKd", "7c7h2s", "NOTHING"),  # the pair is the board's
        ("AsKd", "9c9h2s2d", "NOTHING"),
        ("5s5d", "9c9h7s7d", "NOTHING"),  # the fives do not play
        ("AsAd", "9c9h7s7d", "TWOPAIR"),
        ("9sAd", "9c9h7s", "TRIPS"),
        ("AsKd", "9c9h9s", "NOTHING"),
        ("AsAd", "9c9h9s", "FULLHOUSE"),
        ("AsKd", "9c9h9s7d7c", "NOTHING"),
        ("9dKd", "9c9h9s7d", "QUADS"),
        ("AsKd", "9c9h9s9d", "NOTHING"),
        ("AsKd", "5c6h7s8d9c", "NOTHING"),
        ("TsKd", "5c6h7s8d9c", "STRAIGHT"),
        ("As2d", "3c4h5s", "STRAIGHT"),
        ("AhKh", "2h7h9hTh3h", "FLUSH"),
        ("2h3c", "4h7h9hThKh", "NOTHING"),  # five higher ones lie on the board
        ("8h3c", "4h7h9hThKh", "FLUSH"),
        ("6h3c", "7h8h9hThJh", "NOTHING"),
        ("Qh3c", "7h8h9hThJh", "STRAIGHTFLUSH"),
    ],
)
def test_hand_type_counts_hands_that_use_a_hole_card(hole: str, board: str, kind: str) -> None:
    assert _facts(hole, board)["type"] == kind


@pytest.mark.parametrize(
    ("board", "texture"),
    [
        ("2c7dKh", "NO_SALIENT"), ("2c7cKh", "F"), ("2c7cKc", "F+"), ("5c7d9h", "S"), ("5c6d7h", "S+"),
        ("Ac2d3h", "S+"), ("QcKdAh", "S+"), ("7c7dKh", "H"), ("7c7d7h", "H+"), ("5c6c7c", "F+_S+"),
        ("2c7cKc9h", "F"), ("2c7cKc9c", "F+"), ("2c7cKh9d", "NO_SALIENT"), ("5c6d7h8s", "S+"), ("5c6d7hKs", "S"),
        ("7c7dKhKs", "H+"), ("5c6c7c8cTc", "F+_S+"), ("7c7d7h2s9d", "H+"),
    ],
)  # fmt: skip
def test_board_texture_as_settled(board: str, texture: str) -> None:
    dead = FRENCH.parse(board)
    hole = "".join(str(card) for card in [k for k in FRENCH if k not in dead][:2])
    assert _facts(hole, board)["texture"] == texture


@pytest.mark.parametrize(
    ("hole", "board", "draw"),
    [
        ("AhKh", "2h7h9c", "FLUSH_DRAW"), ("AhKc", "2h7h9h", "FLUSH_DRAW"), ("AcKc", "2h7h9hTh", "NO_DRAW"),
        ("9c8d", "7hTs2c", "STRAIGHT_DRAW"), ("9c8d", "6hTs2c", "STRAIGHT_DRAW"), ("9c2d", "3hTsKc", "NO_DRAW"),
        ("9h8h", "7hTs2h", "STRAIGHT_AND-FLUSH_DRAW"), ("AhKh", "2h7h9hTc3c", "NO_DRAW"), ("9c8d", "7hTsJc", "NO_DRAW"),
    ],
)  # fmt: skip
def test_draws_need_a_hole_card_and_a_card_to_come(hole: str, board: str, draw: str) -> None:
    assert _facts(hole, board)["draw"] == draw


def _category(cards: list[int]) -> int:
    return evaluate_one(cards) >> 12


def test_outs_and_ranks_agree_with_counting_card_by_card() -> None:
    rng = np.random.default_rng(3)
    for dealt in (3, 4):
        for _ in range(40):
            cards = rng.permutation(52)[: 2 + dealt].tolist()
            hole, board = cards[:2], cards[2:]
            row = np.full((1, 5), -1, np.int8)
            row[0, :dealt] = board
            facts = card_facts(np.array([hole]), row)[0]
            outs = 0
            for card in set(range(52)) - set(cards):
                better = _category([*cards, card]) - _category(cards)
                outs += better > max(_category([*board, card]) - _category(board), 0)
            assert facts[5] == outs, (FRENCH.text(hole), FRENCH.text(board))
            assert facts[3] == max(_category(list(five)) for five in combinations(cards, 5))
            assert v.HAND_RANKS[facts[3]].replace("_", " ").lower() == CATEGORIES[facts[3]]


def test_equities_are_exact_and_pot_odds_follow() -> None:
    hand = Hand(find_game("holdem-limit-3p"), "2c3d 4h5c 6d7d AsKsQs Js Ts")
    for action in "ccc/ccc/ccc/":
        if action != "/":
            hand.act(action)
    seen = situations_seen(hand.observe())
    row = dict(zip(schema_names(), describe(seen, columns_of(schema_names(), seen.games))[0], strict=True))
    assert row["ALL_IN_EQUITY"] == 1 / 3
    assert row["ALL_IN_EQUITY_2PLAYERS"] == 1 / 2
    assert row["POT_SIZE"] == 30
    hand.act("r")
    seen = situations_seen(hand.observe())
    row = dict(zip(schema_names(), describe(seen, columns_of(schema_names(), seen.games))[0], strict=True))
    assert row["POT_ODDS"] == 20 / 70
    assert row["POT_ODDS_TO_ALL_IN_EQUITY_RATIO"] == pytest.approx(3 * 20 / 70)
    assert v.ABSTRACTIONS[int(row["RIVER_ACTION_ABSTR"])] == "ACTIVE"


def test_history_is_what_statistics_count_of_the_hands_before() -> None:
    from mazzo.holdem.match import played_lines

    game = find_game("holdem-limit-3p")
    lines = [k for b in played_lines(game, [create("random", AGENTS) for _ in range(3)], 40, 2) for k in b]
    (hands,) = read_lines(game, lines)
    s = situations_of(hands, Watch("random#1"))
    assert s.taken is not None
    assert s.figures is not None
    last = int(s.taken.hand.max())
    tally = Tally()
    tally.add(hands[:last])
    row = np.flatnonzero(s.taken.hand == last)[0]
    for k, name in enumerate(("random#2", "random#3")):  # seats to the left of random#1, at the first hand and after
        player = tally.players[name]
        wins = player.counts[:, WINS].sum() / player.hands
        wanted = [player.vpip, player.pfr, player.won_at_showdown, player.went_to_showdown, player.fold_to_bet, wins]
        assert s.figures[row, k].tolist() == pytest.approx(wanted)
    assert np.isnan(s.figures[s.taken.hand == 0]).all()


def test_chips_to_invest_are_what_the_hero_puts_in_from_here_on_this_street() -> None:
    game = find_game("holdem-limit-3p")
    (hands,) = read_lines(game, ["STATE:0:crrrcc/ccc/ccc/ccc:AdJd|6dQc|5cQs/As6s2c/Ah/8d:80|-40|-40:A|B|C"])
    s = situations_of(hands, Watch("A"))
    assert s.taken is not None
    assert s.taken.to_invest.tolist() == [35.0, 20.0, 0.0, 0.0, 0.0]
    assert s.taken.action.tolist()[:2] == [2, 1]
    assert s.state[0, c.ACTOR] == 0
