"""An agent that knows how the package draws its random numbers still learns nothing of the cards from its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.agent import Agent, Explanation
from mazzo.arrays import Ints
from mazzo.blackjack import PRESETS
from mazzo.blackjack.match import BlackjackMatch
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.seated import BlackjackTable
from mazzo.rng import fork, stream

_WORD = 2**64
_COUNTERS = (*range(64), *range(1_000_000, 1_000_064))
"""The counters under which keys are or were forked from each other."""
STRIP = PRESETS["strip"]


def unfork(forked: int, counter: int) -> int:
    """The key that `fork` made another one of: splitmix64 is a bijection, each of its steps can be taken back."""
    value = forked
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        found = value
        for _ in range(64 // shift + 1):
            found = value ^ (found >> shift)
        value = found * pow(factor, -1, _WORD) % _WORD
    return (value - (counter + 1) * 0x9E3779B97F4A7C15) % _WORD


@settings(deadline=None)  # the first example compiles
@given(st.integers(0, _WORD - 1), st.integers(0, 2_000_000))
def test_a_fork_can_be_taken_back(key: int, counter: int) -> None:
    assert unfork(int(fork(np.uint64(key), counter)), counter) == key


def keys_found(seen: Observations) -> set[int]:
    """The keys that an agent finds by taking back the forks of its numbers; a round's key gives all its cards."""
    return {unfork(number, counter) for number in seen.rng_key.tolist() for counter in _COUNTERS}


class LooksAhead(Agent[Any]):
    """Looks for the deal's key in its numbers."""

    name = "looks-ahead"

    def __init__(self) -> None:
        self.found: set[int] = set()

    def decide(self, observations: Observations) -> Ints:
        self.found |= keys_found(observations)
        return np.asarray(observations.legal.argmax(axis=1))

    def explain(self, observation: Observations) -> Explanation:
        raise AssertionError("nobody asks")


@pytest.mark.parametrize("rules", [STRIP, PRESETS["hungarian"]], ids=["peek", "enhc"])
def test_the_cards_cannot_be_computed_from_an_agents_number(rules: Rules) -> None:
    for number in range(40):
        game = Round(rules, seed=3, number=number)
        assert Round(rules, key=game.key).drawn() == game.drawn()  # who finds the key has the hole card
        if not game.over:
            assert int(game.key) not in keys_found(game.observe()), game.text()


def test_the_deals_of_a_match_cannot_be_computed_from_an_agents_numbers() -> None:
    spy = LooksAhead()
    BlackjackMatch(STRIP).play([spy, spy], range(60), seed=5)
    assert len(spy.found) > 50 * len(_COUNTERS)
    assert not spy.found & {int(Round(STRIP, seed=5, number=number).key) for number in range(60)}


def test_a_table_of_people_gives_agents_no_way_to_its_key() -> None:
    table = BlackjackTable(["me", "basic"], {}, seed=9)
    found = keys_found(table.game.observe())
    assert int(table.game.key) not in found
    assert int(stream(9, "table")) not in {unfork(key, counter) for key in found for counter in _COUNTERS}


def test_the_same_round_gives_agents_the_same_numbers_and_each_decision_another() -> None:
    game, again = (Round(STRIP, "8,8 v 10,7", seed=1) for _ in range(2))
    numbers = set()
    for action in ("split", "hit", "stand"):
        assert game.observe().rng_key.tolist() == again.observe().rng_key.tolist()
        numbers.add(int(game.observe().rng_key[0]))
        for one in (game, again):
            one.act(action)
    assert len(numbers) == 3
    assert Round.parse(game.text()).observe().rng_key.tolist() == game.observe().rng_key.tolist()


def test_keys_are_not_printed_while_a_round_is_shown() -> None:
    game = Round(STRIP, "8,8 v 10,7", seed=1)
    numbers = [str(int(game.key)), str(int(game.observe().rng_key[0]))]
    assert numbers[0] in game.text()
    for shown in (str(game), repr(game), game._repr_html_() or "", str(game.section()), game.seen().text()):
        assert not any(number in shown for number in numbers)
