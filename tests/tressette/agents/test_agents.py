from typing import Any

import numpy as np
import pytest

from mazzo.agent import Agent, create
from mazzo.cards import ITALIAN, Card
from mazzo.errors import UnreadableError
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.agents.network import CHANCES, BeliefNetwork, posterior_table
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import Round
from mazzo.tressette.rules import rules
from mazzo.tressette.table import Table
from mazzo.tressette.view import View
from tests.tressette.situations import SITUATIONS, enumerate_ending, play_at_random

_QUICK = {"sampler": "sampler:samples=2,full=3", "reader": "reader:samples=2,full=3,pool=5"}
NAMES = [
    *(_QUICK.get(name, name) for name, found in AGENTS.items() if not found.sees_all),
    "decision:order=true",
    "decision:known=true,falls=network",
    "belief:exact=true",
]
SIGNALLING = [
    "decision:signals=true",
    "belief:signals=true",
    "belief-improved:signals=true",
    "sampler:samples=2,full=2,signals=true",
    "reader:samples=2,full=2,pool=5,signals=true",
]


def batch(n: int, cards: int) -> Observations:
    """Many decisions at one stage of different rounds."""
    rows = Table.deal(8, range(n), 1)
    rng = np.random.default_rng(cards)
    for _ in range(cards):
        rows.apply(np.arange(n), np.array([rng.choice(ITALIAN.unmask(int(legal))) for legal in rows.legal()]))
    rows.keys[:] = rng.integers(0, 2**63, n).astype(np.uint64)
    return rows.observe()


@pytest.fixture(params=NAMES)
def agent(request: pytest.FixtureRequest) -> Agent[Observations]:
    return create(request.param, AGENTS)


@pytest.mark.parametrize("cards", [0, 9, 22, 39])
def test_every_card_is_legal_and_a_batch_equals_batches_of_one(agent: Agent[Observations], cards: int) -> None:
    seen = batch(40, cards)
    chosen = agent.decide(seen)
    assert ((seen.legal >> chosen) & 1 == 1).all()
    for i in range(len(seen)):
        assert agent.decide(seen[i : i + 1])[0] == chosen[i]


def test_the_explanation_names_the_card_that_is_played(agent: Agent[Observations]) -> None:
    for cards in (0, 14, 27):
        seen = batch(12, cards)
        for i in range(len(seen)):
            one = seen[i : i + 1]
            why = agent.explain(one)
            assert why.action == ITALIAN.text(agent.decide(one))
            assert {option.action for option in why.options} == {str(c) for c in ITALIAN.unmask(int(one.legal[0]))}
            assert str(why)


def decide(agent: str, view: str) -> str:
    return ITALIAN.text(create(agent, AGENTS).decide(View.parse(view).observe()))


HAND = "me 4d 7d 8d Ad 3d 4c 9c Ac 5s 6b"


@pytest.mark.parametrize(
    ("rest", "card", "rule"),
    [
        ("lead me", "4d", "leading, the lowest card of least points"),
        ("lead avv1; play 5d 2d 6d", "Ad", "the partner is winning: the most points"),
        ("lead compagno; play 2d 5d", "Ad", "the partner is winning, though one is still to play"),
        ("lead avv1; play 9d 5d 6d", "Ad", "last to play: with the winner worth most"),
        ("lead avv2; play 9d", "3d", "not last: with the strongest"),
        ("lead avv1; play 7s 6s 8s", "5s", "must follow and cannot win"),
        ("lead avv2; play 5d", "4d", "nothing on the table: the least"),
    ],
)
def test_greedy_plays_by_its_rules(rest: str, card: str, rule: str) -> None:
    assert decide("greedy", f"{HAND}; {rest}") == card, rule


def test_random_plays_every_legal_card_equally_often() -> None:
    seen = batch(1, 0)[np.zeros(20_000, np.intp)]
    seen = Observations(**{**vars(seen), "rng_key": np.random.default_rng(1).integers(0, 2**63, 20_000, np.uint64) * 2})
    _, times = np.unique(create("random", AGENTS).decide(seen), return_counts=True)
    assert len(times) == 10
    assert ((times - 2000.0) ** 2 / 2000).sum() < 9 + 5 * np.sqrt(18)


# --- the decision network, computed a second time from the words of the specification ------------------------------


def points(cards: list[Card]) -> float:
    worth = {7: 1.0, **dict.fromkeys((4, 5, 6, 8, 9), 1 / 3)}
    return sum(worth.get(card.rank, 0.0) for card in cards)


class PlainU:
    """U = R + DT + V of a late situation, by sets and by trying every deal."""

    def __init__(self, view: View, last_trick: bool = False) -> None:
        self.last_trick = last_trick
        self.hand, self.table = list(view.hand()), [card for _, card in view.table]
        self.partner = [card for seat, card in view.table if seat == 2]
        played = [card for _, card in view.plays]
        self.earlier = [card for card in played if card not in self.table]
        self.unseen = [card for card in ITALIAN if card not in self.hand and card not in played]
        self.to_play = 3 - len(self.table)
        self.deals = enumerate_ending(view, True, False).deals

    def held(self, place: int, card: Card) -> float:
        return sum(deal[place - 1] >> card & 1 for deal in self.deals) / len(self.deals)

    def masters(self, gone: list[Card]) -> list[Card]:
        return [c for c in self.hand if all(d in gone or d in self.hand for d in ITALIAN if d.suit == c.suit and d > c)]

    def p_takes(self, card: Card, led: int, others: list[Card]) -> float:
        if card.suit != led or any(c.suit == led and c > card for c in self.table):
            return 0.0
        rivals = [c for c in others if c.suit == led]
        if all(c < card for c in rivals) or self.to_play == 0:
            return 1.0
        return sum(c < card for c in rivals) / len(rivals)

    def p_partner(self, led: int) -> float:
        if self.partner:
            return self.p_takes(self.partner[0], led, self.unseen)
        known = [c for c in self.unseen if c.suit == led and self.held(2, c) == 1]
        if not known or self.to_play < 2:
            return 0.0
        return self.p_takes(max(known), led, [c for c in self.unseen if c not in known])

    def p_falls(self, led: int, taking: float) -> tuple[float, float]:
        suit = [c for c in self.unseen if c.suit == led]
        if not suit:
            return 0.0, 0.0
        target = max(suit, key=lambda c: (points([c]), -c))
        whole = ITALIAN.mask(suit)
        later = (1, 2, 3)[: self.to_play]
        alone = sum(deal[q - 1] & whole == 1 << target for deal in self.deals for q in later if q != 2)
        return points([target]), alone / len(self.deals) + (self.held(2, target) * taking if 2 in later else 0)

    def utility(self, card: Card) -> float:
        led = self.table[0].suit if self.table else card.suit
        taking = max(self.p_takes(card, led, self.unseen), self.p_partner(led))
        worth, falls = self.p_falls(led, taking)
        n = 1 if falls >= 0.65 else self.to_play
        r = taking * (points(self.table) + points([card]) + worth * falls + 0.2 * n)
        now, future = self.masters(self.earlier), self.masters(self.earlier + self.table)
        ace_gone = any(c.suit == card.suit and c.rank == 7 for c in self.earlier)
        weight = (0.2 if ace_gone else 0.65) if card in now else 0.8
        dt = (len(future) - len(now) - (card in now)) * weight
        led_next = [sum(c.suit == s for c in self.unseen) / max(len(self.unseen), 1) for s in range(4)]
        rest = sum(led_next[s] for s in range(4) if any(c.suit == s for c in now)) / 4
        rest_with = led_next[card.suit] / 4 if card in future else 0
        left = points(self.hand) + points(self.unseen) - points([card]) + self.last_trick
        return r + dt + (rest - rest_with) * left


@pytest.mark.parametrize("last_trick", [False, True])
@pytest.mark.parametrize("cards", [28, 29, 30, 31, 33, 38])
def test_the_decision_network_is_the_specification(cards: int, last_trick: bool) -> None:
    agent = create(f"decision:last_trick={str(last_trick).lower()}", AGENTS)
    for seed in range(12):
        table = play_at_random(seed, cards)
        view = table.view(table.turn)
        plain = PlainU(view, last_trick)
        for option in agent.explain(view.observe()).options:
            assert option.value == pytest.approx(plain.utility(ITALIAN.card(option.action)), abs=1e-12)


def test_points_left_are_those_of_cards_unless_the_last_trick_is_switched_on() -> None:
    view = View.parse("me Ad 2d 4c 5c 6c 4s 5s 6s 4b 5b; avv2 bongioco 3 without b; lead avv2; play 4d").observe()
    left = {}
    for name in ("decision", "decision:last_trick=true"):
        options = {option.action: option for option in create(name, AGENTS).explain(view).options}
        left[name] = options["Ad"].terms["points left"]
    assert left["decision"] == pytest.approx(32 / 3 - 1), "all cards are worth 32 thirds, the ace one point"
    assert left["decision:last_trick=true"] == pytest.approx(32 / 3)


def test_with_the_three_behind_it_the_ace_is_safe_and_order_of_play_knows_it() -> None:
    """The text's example: second to play with ace and two, the leader is known to hold the three."""
    view = View.parse("me Ad 2d 4c 5c 6c 4s 5s 6s 4b 5b; avv2 corona 3; lead avv2; play 4d").observe()
    chance = {}
    for name in ("decision", "decision:order=true,known=true"):
        options = {option.action: option for option in create(name, AGENTS).explain(view).options}
        chance[name] = options["Ad"].terms["P(c takes)"]
    assert chance["decision"] < 1
    assert chance["decision:order=true,known=true"] == 1
    assert decide("decision-improved", "me Ad 2d 4c 5c 6c 4s 5s 6s 4b 5b; avv2 corona 3; lead avv2; play 4d") == "Ad"


def test_exact_chances_are_those_of_all_deals() -> None:
    """The side's chance to take, by trying every deal with everyone playing its best card of the suit."""
    agent = create("decision:exact=true,silence=true", AGENTS)
    for seed in range(30):
        table = play_at_random(seed, 29 + seed % 3)
        view = table.view(table.turn)
        deals = enumerate_ending(view, True, True).deals
        for option in agent.explain(view.observe()).options:
            expected = np.mean([_side_takes(view, deal, ITALIAN.card(option.action)) for deal in deals])
            assert option.terms["P(side takes)"] == pytest.approx(expected, abs=1e-12)


def _side_takes(view: View, deal: tuple[int, int, int], card: Card) -> bool:
    led = view.table[0][1].suit if view.table else card.suit
    on_table = [(c, seat) for seat, c in view.table] + [(card, 0)]
    for place in (1, 2, 3)[: 4 - len(on_table)]:
        on_table += [(c, place) for c in ITALIAN.unmask(deal[place - 1])]
    return max((c, seat) for c, seat in on_table if c.suit == led)[1] % 2 == 0


def test_a_partners_busso_is_answered_with_the_best_card() -> None:
    heard = View.parse("me 3d 5d 6d 4c 5c 6c 4s 5s 6s 7s; talk; lead compagno; play 7d:busso 4d").observe()
    assert create("decision", AGENTS).explain(heard).action == "5d"
    why = create("decision:signals=true", AGENTS).explain(heard)
    assert why.action == "3d"
    assert why.reason.startswith("answers the partner's busso with its best card; without it 5d")


@pytest.mark.parametrize("name", SIGNALLING)
def test_all_who_signal_answer_a_busso_in_the_same_way(name: str) -> None:
    agent = create(name, AGENTS)
    heard = View.parse("me 3d 5d 6d 4c 5c 6c 4s 5s 6s 7s; talk; lead compagno; play 7d:busso 4d").observe()
    assert ITALIAN.text(agent.decide(heard)) == agent.explain(heard).action == "3d"
    without = View.parse("me 10d 5d 6d 4c 5c 6c 4s 5s 6s 7s; talk; lead compagno; play 7d:busso 4d").observe()
    assert "busso" not in agent.explain(without).reason  # no two or three: no answer


@pytest.mark.parametrize("name", SIGNALLING)
def test_every_signal_an_agent_gives_is_true(name: str) -> None:
    agent = create(name, AGENTS)
    said = set()
    for seed in range(12):
        table = Round("tressette-talk", seed=seed)
        while not table.over:
            seen = table.observe()
            action = agent.explain(seen).action
            assert table.legal.number(action) == int(agent.decide(seen)[0])
            table.act(action)  # refuses a signal that is not true
        said |= {table.said(trick) for trick in range(1, 11)}
    assert said == {"busso", "striscio", "volo"}


@pytest.mark.parametrize("name", SIGNALLING)
def test_an_agent_that_signals_is_silent_where_the_game_is_muto(name: str) -> None:
    seen, silent = batch(40, 0), name.replace(",signals=true", "").replace(":signals=true", "")
    assert (create(name, AGENTS).decide(seen) == create(silent, AGENTS).decide(seen)).all()


@pytest.mark.parametrize("name", SIGNALLING)
@pytest.mark.parametrize("words", ["busso", "striscio", "volo", "striscio+volo"])
def test_agents_give_only_the_signals_of_the_rules(name: str, words: str) -> None:
    agent, said = create(name, AGENTS), set()
    for seed in range(6):
        table = Round(rules("tressette-talk", signals=words), seed=seed)
        while not table.over:
            view = View.of(table.observe())
            assert view.rules.signals == words
            table.act(agent.explain(table.observe()).action)
        said |= {table.said(trick) for trick in range(1, 11)} - {""}
    assert said == set(words.split("+"))


def test_falls_has_two_sources_only() -> None:
    with pytest.raises(UnreadableError, match="must be exact or network, got 'guess'"):
        create("decision:falls=guess", AGENTS)


# --- the belief network --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def network() -> BeliefNetwork:
    return BeliefNetwork()


def test_the_network_has_45_nodes(network: BeliefNetwork) -> None:
    assert network.network.size() == 45


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: str(s["id"]))
def test_posteriors_equal_those_of_the_original(situation: dict[str, Any], network: BeliefNetwork) -> None:
    evidence = ITALIAN.parse(situation["network"]["false"])
    for letter, expected in situation["network"]["posterior"].items():
        suit = "dcsb".index(letter)
        found = network.posterior(suit, sum(1 << c.rank for c in evidence if c.suit == suit))
        among_cards = found[:10] / found[:10].sum() if found[10] < 1 else found[:10]
        np.testing.assert_allclose(among_cards, expected, rtol=0, atol=1e-12)


def test_the_network_answers_any_question(network: BeliefNetwork) -> None:
    """The text's own, P(cards of coins | 4 no, 8 no), summed by hand over suits led and sets of cards that may fall."""
    expected, whole = np.zeros(11), 0.0
    for led in range(4):
        p = np.array(CHANCES) * (0.85 if led == 0 else 0.05)
        for may in range(1024):
            if may & 0b10001:
                continue
            inside = [power for power in range(10) if may >> power & 1]
            chance = 0.25 * np.prod([p[k] if k in inside else 1 - p[k] for k in range(10)])
            whole += chance
            expected[inside or [10]] += chance / max(len(inside), 1)
    found = network.ask(ITALIAN.suit_names[0], {"4d": False, "8d": False})
    assert list(found.values()) == pytest.approx(expected / whole, abs=1e-12)
    assert found["4d"] == 0
    by_suit = network.ask("led", {"3d": True})
    assert by_suit[ITALIAN.suit_names[0]] == pytest.approx(0.85 / (0.85 + 3 * 0.05))
    assert network.ask("3d")["yes"] == pytest.approx(0.02 * (0.85 + 3 * 0.05) / 4)


def test_questions_the_network_cannot_answer_are_refused(network: BeliefNetwork) -> None:
    with pytest.raises(UnreadableError, match="no variable '11d'"):
        network.ask("11d")
    with pytest.raises(UnreadableError, match="3d is one of no, yes, not 'perhaps'"):
        network.ask("led", {"3d": "perhaps"})
    with pytest.raises(UnreadableError, match="cannot be"):
        network.ask("led", {"4d": False, ITALIAN.suit_names[0]: "4d"})


def test_posteriors_are_the_sum_over_all_sets_of_cards_that_may_fall() -> None:
    for cannot in (0, 0b1, 0b1110000001, 0b0111111110, 1023):
        expected = np.zeros(11)
        for may in range(1024):
            if may & cannot:
                continue
            chance = np.prod(
                [0.85 * CHANCES[k] if may >> k & 1 else 1 - 0.85 * CHANCES[k] for k in range(10) if not cannot >> k & 1]
            )
            for k in range(10):
                expected[k] += chance / may.bit_count() if may >> k & 1 else 0
            expected[10] += chance if may == 0 else 0
        np.testing.assert_allclose(posterior_table()[cannot], expected, rtol=0, atol=1e-12)


def test_the_most_likely_card_is_always_the_first_unseen_of_one_order() -> None:
    """What inference adds with the text's constants: nothing."""
    place = [0, 1, 2, 3, 4, 4, 4, 6, 5, 6]
    for cannot in range(1023):
        unseen = [k for k in range(10) if not cannot >> k & 1]
        likely = max(unseen, key=lambda k: round(posterior_table()[cannot, k], 12))
        assert place[likely] == min(place[k] for k in unseen)


@pytest.mark.parametrize(
    ("rest", "card", "why"),
    [
        ("lead avv1; play 5d 2d 6d", "3d", "last: the lowest that takes, even from its partner"),
        ("lead avv2; play 5d", "Ad", "two to act: expects 6d and 9d, and the ace is the lowest above"),
        ("lead avv1; play 7s 6s 8s", "5s", "cannot take: the least"),
    ],
)
def test_belief_takes_with_the_lowest_card_that_does(rest: str, card: str, why: str) -> None:
    assert decide("belief", f"{HAND}; {rest}") == card, why
