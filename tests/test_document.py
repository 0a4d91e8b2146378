"""What a user holds prints readably and is drawn in a notebook, and neither shows what its holder may not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mazzo
from mazzo import blackjack as bj
from mazzo import holdem, tressette
from mazzo.agent import Option
from mazzo.cards import ITALIAN
from mazzo.deal import Deal
from mazzo.document import drawn
from mazzo.games import ENTRIES

DOORS = ["mazzo", *(where.rpartition(".")[0] for where in ENTRIES)]
NAMES_AND_CHECKS = {"__version__", "PRESETS", "CALL", "FOLD", "blackjack", "holdem", "testing", "tressette"}
"""A text, numbers, tables of rules and modules: nothing that is held and shown."""
VOID = {"img", "br", "meta", "input"}


class WellFormed(HTMLParser):
    """Fails at a tag that is closed and was not open, or left open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice in <{tag}>"
        self.text += (dict(attrs).get("alt") or "") + " "
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1:] == [tag], f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def check_shown(thing: Any) -> None:
    text = str(thing)
    assert text.strip(), type(thing)
    assert " object at 0x" not in text, text
    assert "array(" not in text, text
    page = WellFormed(thing._repr_html_() or "")
    assert page.text.strip(), type(thing)


def own(result: Any) -> Iterator[Any]:
    """What is ours in a result: Python and numpy print their own."""
    if type(result).__module__.startswith("mazzo"):
        yield result
    elif isinstance(result, tuple | list):
        for part in result:
            yield from own(part)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return holdem.generate(
        "leduc-2p", ["random", "random"], hands=40, seed=1, to=tmp_path_factory.mktemp("l") / "a.log"
    )


@pytest.fixture(scope="module")
def random_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "random.log"
    return holdem.generate("holdem-limit-2p", ["random", "random"], hands=600, seed=1, to=path)


def of_mazzo(log: Path, random_log: Path) -> dict[str, Callable[[], Any]]:
    hand = holdem.Hand("holdem-limit-2p", seed=1)
    return {
        "Agent": lambda: holdem.agent("random"),
        "Card": lambda: (mazzo.Card("As"), mazzo.Card("3d", ITALIAN)),
        "Explanation": lambda: mazzo.Explanation("call", "<it> & that", [Option("call", 0.5)], {"a < b": 1}),
        "match": lambda: mazzo.match("leduc-2p", ["random", "call"], hands=20, seed=1),
        "hand": lambda: (hand, hand.legal, hand.observe()),
    }


def of_holdem(log: Path, random_log: Path) -> dict[str, Callable[[], Any]]:
    hand = holdem.Hand("holdem-nolimit-6p", seed=4)
    game = holdem.rules("leduc-2p")
    (log.parent / "mine.game").write_text(str(game))
    hands = holdem.hands(log)
    return {
        "Hand": lambda: (hand, hand.legal, hand.seen(), hand.observe(), hand.observe(3)),
        "Observations": lambda: (hand.observe(), hand.observe()[:0]),
        "Range": lambda: (holdem.Range.parse("QQ+,T9s:0.5"), holdem.Range.parse("random").without([0, 1])),
        "Rules": lambda: game,
        "Table": lambda: holdem.Table(game, np.array([[0, 1, 2]] * 3, np.uint8)),
        "agent": lambda: tuple(holdem.agent(name) for name in ("rich", "utility", "chart")),
        "clone": lambda: holdem.clone(random_log, "random#1"),
        "equities": lambda: holdem.equities("AsKd", "7h8h2cTd", 1),
        "equity": lambda: (holdem.equity("AsKd", "7h8h2c"), holdem.equity("AsKd", opponents=4, samples=50)),
        "find_game": lambda: holdem.find_game("holdem-limit-2p"),
        "exploit": lambda: [holdem.exploit("random", "kuhn-2p"), holdem.exploit("fold", "holdem-nolimit-2p", hands=4)],
        "generate": lambda: log,
        "hands": lambda: (holdem.hands(log), *hands, hands, hands.report, next(iter(next(iter(hands))))),
        "range_of": lambda: holdem.range_of("chart", holdem.Hand("holdem-limit-2p", seed=1).act("r"), 1),
        "solve": lambda: holdem.solve(board="Ks7d2c9h3s", oop="AA,KQs", ip="QQ,AKs", pot=100, stack=100),
        "solve_game": lambda: holdem.solve_game("kuhn-2p", until=1e-3),
        "learn": lambda: holdem.learn(random_log, regressor="boosted", trees=4, iterations=2),
        "read_game": lambda: holdem.read_game(log.parent / "mine.game"),
        "rules": lambda: (holdem.rules("holdem-nolimit-6p"), holdem.rules("kuhn-3p")),
    }


def of_blackjack(log: Path, random_log: Path) -> dict[str, Callable[[], Any]]:
    game, found = bj.Round("strip", "8,8 v 10"), bj.chart("strip")
    simulated = bj.simulate("strip", found.table, rounds=100)
    earned = bj.counter("strip", count="hi-lo", ramp="0:10,2:50", play="basic", rounds=2000)
    (log.parent / "mine.toml").write_text(str(bj.rules("strip")))
    return {
        "Analysis": lambda: found.analysis,
        "BasicStrategy": lambda: found,
        "Count": lambda: bj.count("hi-lo"),
        "Observations": lambda: (game.observe(), game.observe()[:0]),
        "Round": lambda: (game, game.legal, game.seen(), bj.Round("strip", "8,8 v 10").act("stand")),
        "Rules": bj.Rules,
        "Shoe": lambda: bj.Shoe.parse("6d-7,8,2"),
        "Simulation": lambda: simulated,
        "Strategy": lambda: found.table,
        "Table": lambda: bj.Table(bj.rules("strip"), [1, 2, 3]),
        "agent": lambda: tuple(bj.agent(name) for name in ("basic", "count", "chart")),
        "analyse": lambda: bj.analyse("strip"),
        "chart": lambda: found,
        "count": lambda: bj.count("ko"),
        "Earnings": lambda: earned,
        "counter": lambda: earned,
        "counts": bj.counts,
        "named_rules": lambda: bj.named_rules("hungarian"),
        "parse_cards": lambda: bj.parse_cards("8,8"),
        "parse_situation": lambda: bj.parse_situation("8,8 v 10"),
        "read_rules": lambda: bj.read_rules(log.parent / "mine.toml"),
        "rules": lambda: bj.rules("strip", decks="infinite"),
        "simulate": lambda: simulated,
        "stakes": lambda: (bj.stakes("kelly"), bj.stakes("minmax"), bj.stakes("ramp", ramp="0:10,2:50")),
    }


def of_tressette(log: Path, random_log: Path) -> dict[str, Callable[[], Any]]:
    game = tressette.Round("tressette-talk", seed=1)
    played = tressette.Game()
    table = played.deal()
    while not table.over:
        table.act(tressette.agent("greedy"))
    played.score(table)
    ending = tressette.Round(seed=2)
    while len(ending.history) < 32:
        ending.act(tressette.agent("greedy"))
    return {
        "Game": lambda: (tressette.Game(), played),
        "Observations": lambda: (game.observe(), game.observe(2), game.observe()[:0]),
        "Round": lambda: (game, game.legal, table),
        "Rules": tressette.Rules,
        "Table": lambda: tressette.Table.deal(1, range(3)),
        "View": lambda: game.seen(1),
        "agent": lambda: tuple(tressette.agent(name) for name in ("greedy", "decision", "sampler")),
        "knowledge": lambda: (tressette.knowledge(game.observe()), tressette.knowledge(game.observe()).deductions()),
        "rules": lambda: tressette.rules("tressette-talk"),
        "solve": lambda: tressette.solve(ending),
    }


OFFERED = [of_mazzo, of_holdem, of_blackjack, of_tressette]


@pytest.mark.parametrize(("door", "made"), list(zip(DOORS, OFFERED, strict=True)), ids=DOORS)
def test_all_that_a_door_gives_prints_readably_and_is_drawn_well_formed(
    door: str, made: Callable[..., dict[str, Callable[[], Any]]], log: Path, random_log: Path
) -> None:
    results = made(log, random_log)
    missing = set(import_module(door).__all__) - set(results) - NAMES_AND_CHECKS
    assert not missing, f"the test makes none of {sorted(missing)}"
    for make in results.values():
        for thing in own(make()):
            check_shown(thing)


def begun(game: str, seed: int) -> Deal:
    if game.startswith("holdem"):
        return holdem.Hand(game, seed=seed)
    return bj.Round(game, seed=seed) if game in bj.PRESETS else tressette.Round(game, seed=seed)


GAMES = ["holdem-limit-2p", "holdem-nolimit-6p", "strip", "hungarian", "tressette", "tressette-talk"]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), choices=st.lists(st.integers(0, 10**6), max_size=9))
def test_nothing_drawn_or_printed_depends_on_cards_that_the_seat_to_act_may_not_see(
    game: str, seed: int, choices: list[int]
) -> None:
    deal = begun(game, seed)
    for choice in choices:
        legal = list(deal.legal)[:3]
        if not legal:
            break
        deal.act(legal[choice % len(legal)])
    if deal.turn is None:
        return
    other = deal.redealt(deal.turn, seed=seed + 1)
    for one, again in ((deal, other), (deal.legal, other.legal), (deal.observe(), other.observe())):
        assert str(one) == str(again)
        assert one._repr_html_() == again._repr_html_()
        check_shown(one)


def test_text_from_elsewhere_is_escaped() -> None:
    hand = holdem.Hand("holdem-limit-2p", names=("<script>x</script>", "Ann & Bob"), seed=1)
    assert "<script" not in (hand._repr_html_() or "")
    check_shown(hand)


def test_a_range_is_drawn_as_a_square_with_pairs_on_its_diagonal_and_suited_hands_above_it() -> None:
    grid = holdem.Range.parse("AA,AKs,72o:0.5,AsQd").section().tables[0]
    cells = {(k, j): cell for k, row in enumerate(grid.rows) for j, cell in enumerate(row[1:]) if cell}
    assert cells == {(0, 0): "AA", (0, 1): "AKs", (2, 0): "AQo", (12, 7): "72o"}
    inks = {place: grid.inks[place[0]][place[1] + 1] for place in cells}
    assert inks[0, 0] == inks[0, 1]
    assert len(set(inks.values())) == 3  # the whole of it, half of it, one hand of twelve


def test_without_anything_that_draws_a_notebook_shows_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mazzo.document._renderer", "")
    hand = holdem.Hand("holdem-limit-2p", seed=1)
    assert hand._repr_html_() is None
    assert drawn(hand.section()) is None
