"""Luck taken out of heads-up Hold'em: against plain counting, and right in the mean on the same hands."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import rules
from mazzo.holdem.agents import find_agent
from mazzo.holdem.aivat import Aivat, why_not
from mazzo.holdem.aivat.real_cards import edges, with_real_cards
from mazzo.holdem.aivat.replaying import begun, worth
from mazzo.holdem.aivat.showdowns import HOLDINGS, edge_sum, mass
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.odds import equity_against
from mazzo.lockstep import play_out

LIMIT = HoldemMatch(rules("holdem-limit-2p"))
NO_LIMIT = HoldemMatch(rules("holdem-nolimit-2p"))


def sparse_weights(rng: np.random.Generator, holdings: int) -> np.ndarray:
    out = np.zeros((1, len(HOLDINGS)))
    out[0, rng.choice(len(HOLDINGS), holdings, replace=False)] = rng.random(holdings)
    return out


def disjoint_pairs(left: np.ndarray, right: np.ndarray) -> list[tuple[int, int]]:
    pairs = [(int(x), int(y)) for x in np.flatnonzero(left[0]) for y in np.flatnonzero(right[0])]
    return [(x, y) for x, y in pairs if not set(HOLDINGS[x]) & set(HOLDINGS[y])]


@pytest.mark.parametrize("cards", [4, 5])
def test_the_sum_of_edges_is_that_of_all_pairs_that_share_no_card(cards: int) -> None:
    rng = np.random.default_rng(3)
    board = rng.choice(52, cards, replace=False).astype(np.int64)
    left, right = sparse_weights(rng, 14), sparse_weights(rng, 12)
    for side in (left, right):
        side[0, np.isin(HOLDINGS, board).any(axis=1)] = 0.0
    right[0, 700] = left[0, 700] = 0.3  # the same cards cannot be held twice
    right[0, np.isin(HOLDINGS, board).any(axis=1)] = 0.0
    left[0, np.isin(HOLDINGS, board).any(axis=1)] = 0.0
    pairs = disjoint_pairs(left, right)
    by_pair = {}
    for x, y in pairs:
        found = equity_against([int(k) for k in HOLDINGS[x]], _text(HOLDINGS[y]), [int(k) for k in board])
        by_pair[x, y] = 2 * found.equity - 1
    plain = sum(left[0, x] * right[0, y] * edge for (x, y), edge in by_pair.items())
    assert edge_sum(board, left, right, np.uint64(1)) == pytest.approx(plain, abs=1e-9)
    assert mass(left, right)[0] == pytest.approx(sum(left[0, x] * right[0, y] for x, y in pairs))


def _text(cards: np.ndarray) -> str:
    return "".join("23456789TJQKA"[int(k) >> 2] + "cdhs"[int(k) & 3] for k in cards)


def test_edges_on_flop_turn_and_river_are_exact_and_before_it_near() -> None:
    hero, other, board = "AsKd", "7h7c", "2c9hKs4d7s"
    cards = np.array([[_card(t[k : k + 2]) for t in (hero, other, board) for k in range(0, len(t), 2)]], np.uint8)
    found = edges(cards, np.array([3]), np.array([5], np.uint64))[0]
    for street, shown in ((1, 3), (2, 4), (3, 5)):
        exact = equity_against(hero, other, board[: 2 * shown]).equity
        assert found[street] == pytest.approx(2 * exact - 1)
    assert found[0] == pytest.approx(2 * equity_against(hero, other).equity - 1, abs=0.13)


def _card(text: str) -> int:
    return 4 * "23456789TJQKA".index(text[0]) + "cdhs".index(text[1])


def test_the_mean_edge_over_turns_is_the_edge_on_the_flop() -> None:
    """What makes the term of a card a difference of two edges."""
    cards = [_card("AsKd"[k : k + 2]) for k in (0, 2)] + [_card(k) for k in ("7h", "7c", "2c", "9h", "Ks")]
    left = [card for card in range(52) if card not in cards]
    rows = np.array([[*cards, turn, left[0] if left[0] != turn else left[1]] for turn in left], np.uint8)
    found = edges(rows, np.full(len(rows), 2), np.zeros(len(rows), np.uint64))
    assert found[:, 2].mean() == pytest.approx(found[0, 1])


@pytest.mark.parametrize(
    ("match", "names", "deals"),
    [
        (LIMIT, ("random:raise=.5", "random:fold=.3"), 400),
        (NO_LIMIT, ("random:raise=.4", "chart"), 400),
    ],
)
def test_on_the_same_hands_the_difference_to_what_was_paid_has_mean_zero(
    match: HoldemMatch, names: tuple[str, str], deals: int
) -> None:
    agents = [find_agent(name) for name in names]
    freed = match.without_luck(agents, "actions")
    values, _, found = freed.play(agents, range(deals), 1)
    assert found[:, :, 0].mean(axis=1) == pytest.approx(values[:, 0])
    for kind in (1, 2):
        difference = (found[:, :, kind] - found[:, :, 0]).mean(axis=1)
        assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(deals)
        assert found[:, :, kind].mean(axis=1).std() < found[:, :, 0].mean(axis=1).std()


def test_with_ranges_the_difference_has_mean_zero_and_the_error_is_a_third_smaller() -> None:
    agents = [find_agent("chart"), find_agent("patient")]
    deals = 48
    _, _, found = LIMIT.without_luck(agents, "ranges").play(agents, range(deals), 4)
    difference = (found[:, :, 3] - found[:, :, 0]).mean(axis=1)
    assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(deals)
    paid, ranges = (found[:, :, kind].mean(axis=1).std() for kind in (0, 3))
    assert ranges < 0.67 * paid


def test_of_players_who_ignore_their_cards_ranges_leave_nothing_to_chance_but_the_boards_that_are_drawn() -> None:
    """Both always call: no action says anything, and all that is left is the noise of drawn boards, around zero."""
    agents = [find_agent("call"), find_agent("call")]
    agents[1].name = "call#2"
    _, _, found = LIMIT.without_luck(agents, "ranges").play(agents, range(6), 2)
    assert np.abs(found[:, :, 3]).max() < 1e-9
    assert np.abs(found[:, :, 0]).max() >= 1


def test_an_agent_whose_chances_are_sampled_is_not_known_and_its_cards_are_looked_at() -> None:
    agents = [find_agent("random:size=uniform"), find_agent("chart")]
    freed = NO_LIMIT.without_luck(agents, "ranges")
    assert freed.known == (False, True)
    _, _, found = freed.play(agents, range(16), 1)
    difference = (found[:, :, 3] - found[:, :, 0]).mean(axis=1)
    assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(len(difference))


def test_hands_that_a_policy_cannot_have_played_are_refused() -> None:
    agents = [find_agent("raise"), find_agent("call")]
    table = LIMIT.table(range(3), 1)
    play_out(table, agents)
    edge = np.zeros((len(table), 4))
    with pytest.raises(IllegalError, match="never does"):
        with_real_cards(table, table.settle(), [agents[1], agents[0]], edge)


def test_a_state_is_worth_what_is_shown_down_for_when_all_is_called() -> None:
    table = LIMIT.table(range(1), 1)
    assert worth(LIMIT.game, begun(table).state).chips == pytest.approx(LIMIT.game.big_blind)


@pytest.mark.parametrize(
    ("game", "value", "why"),
    [
        ("holdem-limit-3p", "equity", ""),
        ("kuhn-3p", "equity", "for two players"),
        ("holdem-limit-2p", "policies", "too large"),
        ("leduc-2p", "luck", "equity or policies"),
        ("leduc-2p", "policies", ""),
    ],
)
def test_it_says_what_it_is_not_for(game: str, value: str, why: str) -> None:
    reason = why_not(rules(game), value)
    assert (why in reason) if why else not reason


def test_an_agent_that_learns_is_refused_before_it_plays_a_hand() -> None:
    with pytest.raises(UnreadableError, match="it learns"):
        LIMIT.without_luck([find_agent("reader"), find_agent("call")], "chance")


def test_grades_build_on_each_other() -> None:
    assert Aivat("chance").grades == ("chance",)
    assert Aivat("ranges").grades == ("chance", "actions", "ranges")
