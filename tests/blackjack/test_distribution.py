from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Rules
from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.exact.distribution import round_distribution, round_moments
from mazzo.blackjack.exact.split_distribution import split_moments
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.multisets import all_hands, hand_total
from mazzo.blackjack.shoe import Shoe
from mazzo.blackjack.simulation import play_rounds
from mazzo.blackjack.strategy import play_arrays, policy_of
from mazzo.errors import IllegalError

PLAIN = {"max_hands": 1, "double_after_split": False, "resplit_aces": False, "insurance": False, "even_money": "none"}
RULES: dict[str, Rules] = {
    "strip": PRESETS["strip"].changed(**PLAIN),
    "late": PRESETS["h17"].changed(**PLAIN, surrender="late", decks=2),
    "early": PRESETS["strip"].changed(**PLAIN, surrender="early"),
    "hungarian": PRESETS["hungarian"].changed(**PLAIN),
    "two hands": PRESETS["strip"].changed(**{**PLAIN, "max_hands": 2, "double_after_split": True}),
    "two hands, no peek": PRESETS["hungarian"].changed(**{**PLAIN, "max_hands": 2, "surrender_after_split": True}),
    "european, late": PRESETS["european"].changed(**PLAIN, surrender="late"),
}


@pytest.mark.parametrize("name", RULES)
def test_chances_add_up_to_one_and_to_the_exact_value(name: str) -> None:
    found = round_distribution(RULES[name])
    assert sum(chance for _, chance in found.chances) == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(analyse(RULES[name]).ev, abs=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_results_come_as_often_in_simulated_rounds(name: str) -> None:
    rules = RULES[name]
    table = best_table(rules).table
    found = round_distribution(rules, None, policy_of(table, rules))
    rounds = 400_000
    played = play_rounds(rules, play_arrays(table, rules), rounds, 1, insuring="never")
    for result, chance in found.chances:
        seen = float(np.mean(played == result))
        assert abs(seen - chance) < 4.5 * np.sqrt(chance * (1 - chance) / rounds) + 1e-9, result
    assert played.var() == pytest.approx(found.variance, rel=0.02)


def test_chances_of_results_with_resplits_are_refused() -> None:
    with pytest.raises(IllegalError, match="without resplits"):
        round_distribution(PRESETS["strip"])


def test_the_variance_of_rules_without_a_most_of_hands_is_refused() -> None:
    with pytest.raises(IllegalError, match="a most of hands"):
        round_moments(PRESETS["strip"].changed(max_hands="unlimited"))
    with pytest.raises(IllegalError, match="serve them all"):
        round_moments(PRESETS["strip"], Shoe((0, 0, 0, 0, 0, 0, 2, 4, 0, 6)))


class Walk:
    """Splitting a pair, card by card in the order of play, as the rules have it: an independent reference."""

    def __init__(self, analysis: Analysis, rank: int, upcard: int, max_hands: int) -> None:
        self.analysis, self.upcard, self.max_hands = analysis, upcard, max_hands
        self.left = analysis.shoe.array().copy()
        self.left[[rank, upcard]] -= [2, 1]
        self.rank, self.moments = rank, np.zeros(2)
        self.hand([(rank,), (rank,)], [], 1.0)

    def each(self) -> Iterator[tuple[int, float]]:
        cards = self.left.sum()
        for rank in np.flatnonzero(self.left).tolist():
            chance = self.left[rank] / cards
            self.left[rank] -= 1
            yield rank, chance
            self.left[rank] += 1

    def hand(self, open_: list[tuple[int, ...]], done: list[tuple[int, int]], chance: float) -> None:
        """Play the first open hand on; `done` are (total, stake) of those that are over."""
        if not open_:
            self.dealer((self.upcard,), done, chance)
            return
        cards, rest = open_[0], open_[1:]
        if len(cards) == 1:
            for rank, part in self.each():
                if rank == self.rank and len(open_) + len(done) < self.max_hands:
                    self.hand([(rank,), (rank,), *rest], done, chance * part)
                else:
                    self.hand([(*cards, rank), *rest], done, chance * part)
            return
        number, policy = all_hands().of(cards), self.analysis.policy
        first = int(policy.after_split[number, self.upcard])
        play = first if len(cards) == 2 else int(policy.hits[number, self.upcard])
        if play == 0:
            self.hand(rest, [*done, (hand_total(cards)[0], 1)], chance)
            return
        assert play in (1, 2)
        for rank, part in self.each():
            total = hand_total((*cards, rank))[0]
            if play == 2 or total > 21:
                self.hand(rest, [*done, (total, play)], chance * part)
            else:
                self.hand([(*cards, rank), *rest], done, chance * part)

    def dealer(self, cards: tuple[int, ...], done: list[tuple[int, int]], chance: float) -> None:
        total = hand_total(cards)[0]
        if len(cards) > 1 and total >= 17:
            beat = 0 if total > 21 else total
            won = sum(stake * (-1 if mine > 21 else np.sign(mine - beat)) for mine, stake in done)
            self.moments += chance * np.array([won, won**2])
            return
        for rank, part in self.each():
            self.dealer((*cards, rank), done, chance * part)


@pytest.mark.parametrize(("max_hands", "pair", "upcard"), [(2, 7, 5), (3, 7, 5), (4, 7, 5), (4, 8, 6), (3, 5, 6)])
def test_moments_with_resplits_are_those_of_a_walk_through_all_cards(max_hands: int, pair: int, upcard: int) -> None:
    rules = PRESETS["strip"].changed(max_hands=max_hands, decks=1)
    counts = [0] * 10
    for rank, cards in ((pair, 6), (upcard, 3), (9, 5)):
        counts[rank] += cards
    exact = analyse(rules, Shoe(tuple(counts)))
    walked = Walk(exact, pair, upcard, max_hands).moments
    assert split_moments(exact, pair, upcard, max_hands) == pytest.approx(tuple(walked), abs=1e-12)


def test_the_variance_with_resplits_is_that_of_simulated_rounds() -> None:
    rules = PRESETS["h17"].changed(max_hands=4, decks=2, resplit_aces=True, insurance=False, even_money="none")
    table = best_table(rules).table
    policy = policy_of(table, rules)
    mean, variance = round_moments(rules, None, policy)
    assert mean == pytest.approx(analyse(rules, None, policy).ev, abs=1e-12)
    rounds = 400_000
    played = play_rounds(rules, play_arrays(table, rules), rounds, 2, insuring="never")
    error = np.sqrt(((played - played.mean()) ** 2).var() / rounds)
    assert abs(played.var() - variance) < 4 * error
