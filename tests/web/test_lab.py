"""The lab and the cards."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from mazzo.cards import FRENCH, ITALIAN
from mazzo.reports.cards import card_svg
from tests.web.playing import seated


def test_equity_is_exact_and_says_as_what_fraction(client: TestClient) -> None:
    found = client.post("/api/equity", json={"hand": "AsAh", "board": "", "opponents": 1}).json()
    assert found["exact"]
    assert found["equity"] == pytest.approx(0.852037, abs=1e-6)


def test_equity_against_a_range_and_a_board(client: TestClient) -> None:
    from mazzo.holdem.odds import equity_against

    given = {"hand": "AhKh", "board": "2h7h9c", "against": "QQ+,AKs"}
    found = client.post("/api/equity", json=given).json()
    exact = equity_against(FRENCH.parse("AhKh"), "QQ+,AKs", FRENCH.parse("2h7h9c"))
    assert (found["numerator"], found["denominator"]) == (str(exact.numerator), str(exact.denominator))


@pytest.mark.parametrize(
    "given",
    [
        {"hand": "As"},
        {"hand": "AsAs"},
        {"hand": "AsKs", "opponents": 99},
        {"hand": 5},
        {"hand": "AsKs", "against": "ZZ"},
    ],
)
def test_what_cannot_be_counted_is_refused_with_the_reason(client: TestClient, given: dict[str, object]) -> None:
    answer = client.post("/api/equity", json=given)
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_the_chart_shows_the_best_table_and_exact_values(client: TestClient) -> None:
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.rules import PRESETS

    found = client.post("/api/blackjack", json={"rules": "strip"}).json()
    assert found["ev_exact"] == pytest.approx(analyse(PRESETS["strip"]).ev)
    pairs = {row["row"]: row for row in found["sections"][2]["rows"]}
    eights = dict(zip(found["heads"], pairs["8-8"]["cells"], strict=True))
    assert eights["T"]["code"] == "P"
    exact = analyse(PRESETS["strip"]).plays((7, 7), 9)
    assert eights["T"]["values"] == pytest.approx(exact, abs=1e-5)


def test_every_cell_of_the_chart_is_worth_what_its_row_says(client: TestClient) -> None:
    from mazzo.blackjack.multisets import hand_total
    from mazzo.blackjack.shoe import parse_cards

    found = client.post("/api/blackjack", json={"rules": "hungarian", "decks": "2"}).json()
    for row in found["sections"][0]["rows"]:
        assert hand_total(parse_cards(row["hand"])) == (int(row["row"]), False)


def test_rules_that_contradict_each_other_are_refused(client: TestClient) -> None:
    assert "max_hands" in client.post("/api/blackjack", json={"max_hands": "1"}).json()["refused"]


def test_a_match_is_streamed_to_its_end(client: TestClient) -> None:
    from mazzo.agent import create
    from mazzo.arena.match import match
    from mazzo.games import find_contest

    with seated(client, "/table/none") as lab:
        lab.say(do="match", game="holdem-limit-2p", agents=["call", "random"], hands=20_000, seed=3)
        done = lab.until(lambda m: m["type"] == "match" and m.get("done"))
    contest, agents = find_contest("holdem-limit-2p")
    result = match(contest, [create("call", agents), create("random", agents)], 20_000, 3)
    assert done["players"][0]["mean"] == pytest.approx(result.first.mean)
    assert done["hands"] == 20_000


@pytest.mark.parametrize("agents", [["evil.py", "call"], ["call"], ["call", "nobody"]])
def test_a_match_of_strangers_is_refused(client: TestClient, agents: list[str]) -> None:
    with seated(client, "/table/none") as lab:
        lab.say(do="match", game="holdem-limit-2p", agents=agents, hands=100, seed=3)
        assert lab.until(lambda m: m["type"] == "match")["failed"]


def test_a_clone_is_shown_street_by_street_in_words(client: TestClient) -> None:
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.reading import tree_text
    from tests.holdem.cloning.test_models import rows_of_a_rule

    made = learn_clone([rows_of_a_rule(300, k, k) for k in range(4)], "tree", big_blind=10)
    made.save(Path("someone.mz"))
    assert "someone.mz" in client.get("/lab/models").text
    shown = client.get("/api/model", params={"name": "someone.mz", "tree": 3}).json()
    assert shown["trees"] == 4
    assert shown["root"]["question"] == tree_text(made.streets[3]).splitlines()[0].split(":")[0]
    refused = client.get("/api/model", params={"name": "someone.mz", "tree": 4})
    assert refused.status_code == 400


def test_a_model_is_shown_tree_by_tree(client: TestClient) -> None:
    import numpy as np
    from sklearn.ensemble import ExtraTreesRegressor

    from mazzo.holdem.learning.strategy import LearnedStrategy
    from mazzo.learn.forest import flatten

    rng = np.random.default_rng(1)
    x = rng.random((200, 3)).astype(np.float32)
    fitted = ExtraTreesRegressor(3, max_depth=3, random_state=1).fit(x, x[:, 0] * 2)
    forest = flatten(fitted)
    assert forest is not None
    LearnedStrategy(("pv", "pot"), forest, {"seed": 1}).save(Path("hero.mz"))
    assert "hero.mz" in client.get("/lab/models").text
    shown = client.get("/api/model", params={"name": "hero.mz", "tree": 2}).json()
    tree = fitted.estimators_[2].tree_
    assert shown["trees"] == 3
    assert shown["nodes"] == tree.node_count
    assert shown["root"]["input"] == ("pv", "pot", "action")[tree.feature[0]]
    assert shown["root"]["threshold"] == pytest.approx(tree.threshold[0], abs=1e-6)
    assert shown["root"]["value"] == pytest.approx(tree.value[0, 0, 0], abs=1e-9)
    assert client.get("/api/model", params={"name": "hero.mz", "tree": 9}).status_code == 400


@pytest.mark.parametrize(("deck", "cards"), [("french", FRENCH), ("italian", ITALIAN)], ids=["french", "italian"])
def test_every_card_has_its_own_picture(client: TestClient, deck: str, cards: object) -> None:
    names = [*map(str, cards), "back"]  # type: ignore[call-overload]
    pictures = [card_svg(deck, name) for name in names]
    assert len(set(pictures)) == len(names)
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert client.get(f"/cards/{deck}/{names[0]}.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("path", ["/cards/french/Zz.svg", "/cards/tarot/As.svg", "/cards/italian/As.svg"])
def test_a_card_that_does_not_exist_is_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (200, 400) if path.endswith("italian/As.svg") else 400


def test_a_range_is_given_as_shares_of_the_169_hands(client: TestClient) -> None:
    found = client.post("/api/range", json={"range": "QQ+, AKs, T9s:0.5, 7h6h"}).json()
    assert found["hands"] == {"AA": 1, "KK": 1, "QQ": 1, "AKs": 1, "T9s": 0.5, "76s": 0.25}
    assert found["share"] == pytest.approx((3 * 6 + 4 + 2 + 1) / 1326)
    assert "refused" in client.post("/api/range", json={"range": "nonsense"}).json()
    assert "refused" in client.post("/api/range", json={"range": ["AA"]}).json()
