from typing import Any

import pytest

from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError
from mazzo.tressette import declarations
from mazzo.tressette.deals.sample import hold_counts
from mazzo.tressette.observation import PLACES
from mazzo.tressette.reasoning import Knowledge, knowledge, reasons
from mazzo.tressette.round import Round
from mazzo.tressette.view import View
from tests.tressette.situations import SITUATIONS, declarations_of, play_at_random


@pytest.fixture(scope="module", params=SITUATIONS, ids=lambda s: str(s["id"]))
def situation(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Knowledge]:
    return request.param, Knowledge(View.parse(request.param["view"]))


Situation = tuple[dict[str, Any], Knowledge]


def test_all_that_the_original_deduced_rightly_is_deduced(situation: Situation) -> None:
    reference, knowledge = situation
    assert {(PLACES.index(p), ITALIAN.suit_names.index(s)) for s, p in reference["voids"]} <= knowledge.voids
    for place, cards in reference["cannot_hold"].items():
        on_table = {card for _, card in knowledge.view.table}
        for card in set(ITALIAN.parse(cards)) - on_table:
            assert knowledge.status(PLACES.index(place), card) == "impossible"
    masters = {card for place, card in knowledge.masters if place == 0}
    assert masters == set(ITALIAN.parse(reference["own_masters"]))
    assert {(PLACES.index(p), "dcsb".index(s)) for p, s in reference["napoli"]} <= knowledge.napoli
    for place, card in reference["holds"]:
        assert (PLACES.index(place), ITALIAN.card(card)) in knowledge.known


def test_nothing_deduced_is_wrong(situation: Situation) -> None:
    reference, knowledge = situation
    truth = {(PLACES.index(p), c) for p, cards in reference["hidden"].items() for c in ITALIAN.parse(cards)}
    assert {(place, card) for place, card in knowledge.known if place} <= truth
    assert truth <= knowledge.possible


@pytest.mark.parametrize(("napoli", "silence"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("reference", SITUATIONS, ids=lambda s: str(s["id"]))
def test_knowledge_and_exact_counts_agree(reference: dict[str, Any], napoli: bool, silence: bool) -> None:
    view = View.parse(reference["view"])
    assert_agree(view, napoli, silence)


@pytest.mark.parametrize("seed", range(24))
def test_knowledge_and_exact_counts_agree_where_napoli_are_named(seed: int) -> None:
    assert_agree(play_at_random(seed, 5 + seed, named=True).view(seed % 4), True, True)


@pytest.mark.parametrize("seed", range(24))
def test_knowledge_and_exact_counts_agree_where_leaders_signal(seed: int) -> None:
    assert_agree(play_at_random(seed, 8 + seed, talk=True).view(seed % 4), True, True)


def test_signals_are_given_as_reasons() -> None:
    view = View.parse("me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; talk; lead avv1; play 8s:volo 9s 10s 4s, 9b:busso")
    knowledge = Knowledge(view)
    assert knowledge.why(1, ITALIAN.card("As")) == "avv1 said volo at spade in trick 1"
    assert view.row.owed[0].tolist() == [0, 0, 0, 8]


def assert_agree(view: View, napoli: bool, silence: bool) -> None:
    knowledge = Knowledge(view, napoli, silence)
    total, holds = hold_counts(view.observe(), napoli, silence)
    pairs = [(place, card) for place in range(4) for card in ITALIAN]
    assert knowledge.known == {(p, c) for p, c in pairs if holds[0, p, c] == total[0]}
    assert knowledge.possible == {(p, c) for p, c in pairs if holds[0, p, c]}


def view_with_void() -> View:
    return View.parse("me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1; play 8d 2s 3d 4d, 8s 4s 10s 9s")


def test_a_void_is_explained_by_the_trick_that_showed_it() -> None:
    knowledge = Knowledge(view_with_void())
    assert knowledge.why(2, ITALIAN.card("10d")) == "compagno did not follow denari in trick 1"


def test_seen_cards_are_explained_by_where_they_were_seen() -> None:
    knowledge = Knowledge(view_with_void())
    assert knowledge.why(1, ITALIAN.card("2s")) == "it was played by compagno in trick 1"
    assert knowledge.why(1, ITALIAN.card("5d")) == "it is in my hand"


def test_what_is_open_has_no_reason() -> None:
    with pytest.raises(IllegalError, match="is not known"):
        Knowledge(view_with_void()).why(1, ITALIAN.card("10d"))


def test_the_suit_of_a_napoli_is_found_by_exclusion() -> None:
    view = View.parse("me Ad 4d 5d 6d 2c 4c 5c As 4s 5s; avv1 napoli; lead avv1")
    knowledge = Knowledge(view)
    assert knowledge.napoli == {(1, 3)}
    found = next(d for d in knowledge.deductions() if d.kind == "napoli")
    assert str(found) == (
        "avv1 has a napoli of bastoni: avv1 declared napoli; "
        "not denari: Ad is in my hand; not coppe: 2c is in my hand; not spade: As is in my hand"
    )
    assert found.excluded_by == ITALIAN.parse("Ad 2c As")


def test_pieces_that_exclude_a_suit_were_not_dealt_to_the_declarer(situation: Situation) -> None:
    reference, knowledge = situation
    view = knowledge.view
    for found in (d for d in knowledge.deductions() if d.kind == "napoli"):
        place, own = PLACES.index(found.place), ITALIAN.suit_names.index(found.suit)
        played = {card for seat, card in view.plays if seat == place}
        dealt = played | set(ITALIAN.parse(reference["hidden"][found.place]))
        assert not dealt & set(found.excluded_by)
        assert all(card.rank in (7, 8, 9) for card in found.excluded_by)
        if not played >= {card for card in dealt if card.suit == own and card.rank >= 7}:
            assert {card.suit for card in found.excluded_by} == set(range(4)) - {own}
            assert all(str(card) in found.reason for card in found.excluded_by)


def test_a_napoli_with_its_suit_named_needs_no_exclusion() -> None:
    view = View.parse("me Ad 4d 5d 6d 2c 4c 5c As 4s 5s; avv1 napoli b; lead avv1", "tressette:named=true")
    assert next(d for d in knowledge(view).deductions() if d.kind == "napoli").excluded_by == ()


def test_my_hand_is_what_the_original_says_of_it(situation: Situation) -> None:
    reference, knowledge = situation
    own, mine = reference["own"], knowledge.my_hand
    assert mine.a_monte == own["a_monte"]
    assert mine.thirds == round(own["hand_points"] * 3 - 1e-9)  # it has .334 for a third
    ranks = {"asso": "A", "due": "2", "tre": "3"}
    napoli = [f"napoli {suit[0]}" for suit in own["napoli"]]
    told = [words.partition(" without")[0] for words in mine.declares]
    bongioco, corona = ([f"{what} {ranks[k]}" for k in own[what]] for what in ("bongioco", "corona"))
    assert sorted(told) == sorted([*napoli, *bongioco, *corona])


@pytest.mark.parametrize("seed", range(20))
def test_my_hand_is_what_the_rules_say_of_it(seed: int) -> None:
    table = Round(seed=seed)
    view = table.view(seed % 4)
    mine, mask = Knowledge(view).my_hand, ITALIAN.mask(view.hand())
    assert {card for cards in mine.kinds.values() for card in cards} == set(view.hand())
    assert mine.pieces == tuple(card for card in sorted(view.hand()) if str(card)[:-1] in ("A", "2", "3"))
    assert mine.thirds == sum({"A": 3, "4": 0, "5": 0, "6": 0, "7": 0}.get(str(c)[:-1], 1) for c in view.hand())
    told, suits = declarations.parse(", ".join(mine.declares))
    assert tuple(told) == declarations_of(mask)
    assert suits.bit_count() == told[0]


@pytest.mark.parametrize(
    ("worst", "monte"), [("Ad", True), ("Ad 8d", False), ("8d 9c 10s", True), ("2d 3d 8c 9c", False)]
)
def test_a_poor_hand_may_be_thrown_in(worst: str, monte: bool) -> None:
    cards = f"{worst} 4c 5c 6c 4s 5s 6s 4b 5b 6b".split()[:10]
    view = View.parse(f"me {' '.join(cards)}; lead me")
    assert Knowledge(view).my_hand.a_monte == monte
    never = View.parse(f"me {' '.join(cards)}; lead me", "tressette:a_monte=false")
    assert not Knowledge(never).my_hand.a_monte


def test_the_fourth_card_of_a_bongioco_is_not_the_declarers() -> None:
    view = View.parse("me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; avv2 bongioco 2 without c; lead me")
    knowledge = Knowledge(view)
    assert knowledge.status(3, ITALIAN.card("2d")) == "known"
    assert knowledge.status(3, ITALIAN.card("2c")) == "impossible"
    assert knowledge.why(3, ITALIAN.card("2c")) == "avv2 declared no more"


def test_every_reason_given_suffices_and_none_is_idle() -> None:
    """A reason taken away leaves the deduction open: the explanations are minimal."""
    knowledge = Knowledge(play_at_random(5, 27).view(1))
    for place, card in sorted(set(knowledge.known) - {(0, c) for c in knowledge.view.hand()}):
        claim = (knowledge._atom("holds", place, f"card({'dcsb'[card.suit]},{card.rank})"), False)
        core = knowledge._core(claim)
        knowledge._program.configuration.solve.models = 1
        assert knowledge._contradiction(core, [claim]) is not None
        for reason in core:
            assert knowledge._contradiction([r for r in core if r != reason], [claim]) is None


def test_the_holder_of_the_trick_is_known() -> None:
    assert Knowledge(View.parse("me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1; play 8d 2d 3s")).holds_trick == 2
    assert Knowledge(view_with_void()).holds_trick is None


VIEW = "me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5s; lead avv1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            VIEW.replace("; lead", "; avv1 bongioco 2 without d; compagno bongioco 2 without d; lead"),
            "no deal .* because avv1 declared bongioco 2 without d; compagno declared bongioco 2 without d",
        ),
        (VIEW.replace("; lead", "; avv1 corona 3; lead") + "; play 8d 3d", "3d is not legal .* avv1 declared corona 3"),
        (
            "me 4d 5d 6d 7d 4c 5c 6c 7c 4s 5b; lead avv1; play 3d 8d 9d 4d, 3c 8c 9c 4c, 3s",
            "3s is not legal for avv1: no deal .* because avv1 declared nothing",
        ),
    ],
)
def test_the_impossible_is_refused_with_what_contradicts_it(text: str, complaint: str) -> None:
    with pytest.raises(IllegalError, match=complaint), reasons():
        View.parse(text)
    with pytest.raises(IllegalError, match=complaint):
        knowledge(text)


def test_knowledge_takes_an_observation_a_view_or_its_text_and_shows_itself() -> None:
    table = play_at_random(5, 27)
    view = table.view(1)
    found = knowledge(view).deductions()
    assert found == knowledge(table.observe(1)).deductions() == knowledge(view.text()).deductions()
    assert str(found).splitlines() == [str(deduction) for deduction in found]
    assert str(knowledge(View.parse(VIEW), silence=False).deductions()).startswith("nothing is known")
