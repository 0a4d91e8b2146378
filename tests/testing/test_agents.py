"""`check_agent` passes what is sound and catches each of the faults that it is there for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mazzo.agent import Agent, Explanation
from mazzo.deal import Deal
from mazzo.games import entries
from mazzo.lockstep import play_out
from mazzo.testing import check_agent, check_holdem_agent
from mazzo.tressette.agents.random import Random
from mazzo.tressette.choosing import card_text
from mazzo.tressette.observation import Observations
from mazzo.tressette.rules import Rules

PLAYED = [entry for entry in entries() if hasattr(entry, "deal")]


@dataclass
class Low(Agent[Observations]):
    """Sound: plays its first legal card. Each mutant below does one thing wrong."""

    def decide(self, observations: Observations) -> np.ndarray:
        legal = observations.legal
        return np.array([int(mask & -mask).bit_length() - 1 for mask in legal.tolist()], np.int64)

    def explain(self, observation: Observations) -> Explanation:
        return Explanation(card_text(int(self.decide(observation)[0])), "the first card")


class FirstOfAll(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        return np.zeros(len(observations), np.int64)


class High(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        return np.array([int(mask).bit_length() - 1 for mask in observations.legal.tolist()], np.int64)


class CardCounter(Low):
    """Looks for the deal in the frames that called it and plays high when the next seat holds the three of denari."""

    def decide(self, observations: Observations) -> np.ndarray:
        frame = sys._getframe(1)
        while frame and not isinstance(frame.f_locals.get("deal"), Deal):
            frame = frame.f_back  # type: ignore[assignment]
        if frame and frame.f_locals["deal"].row.hands[0, (frame.f_locals["deal"].turn + 1) % 4] >> 9 & 1:
            return High().decide(observations)
        return super().decide(observations)


class OwnCoin(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        both = Low().decide(observations), High().decide(observations)
        return np.where(np.random.default_rng().random(len(observations)) < 0.5, *both)


class CountsTheBatch(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        return High().decide(observations) if len(observations) > 3 else super().decide(observations)


class Remembers(Low):
    asked = 0

    def decide(self, observations: Observations) -> np.ndarray:
        Remembers.asked += 1
        return High().decide(observations) if Remembers.asked % 5 else super().decide(observations)


class OneForAll(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        return super().decide(observations)[:1]


class Writes(Low):
    def decide(self, observations: Observations) -> np.ndarray:
        actions = super().decide(observations)
        observations.thirds[:] = 0
        observations.played[:] = 0
        return actions


class ExplainsAnother(Low):
    def explain(self, observation: Observations) -> Explanation:
        return Explanation(card_text(int(High().decide(observation)[0])), "the last card")


class NoReason(Low):
    def explain(self, observation: Observations) -> Explanation:
        return Explanation(card_text(int(self.decide(observation)[0])), "")


class NotData(Low):
    def explain(self, observation: Observations) -> Explanation:
        played = self.decide(observation)
        return Explanation(card_text(int(played[0])), "the first card", facts={"card": played})  # type: ignore[dict-item]


class SeesAll(Low):
    sees_all = True


class Unable(Low):
    def unsupported_reason(self, game: Any) -> str:
        return "there are no jokers"


MUTANTS = {
    FirstOfAll: "not legal",
    CardCounter: "depends on what it cannot see",
    OwnCoin: "alone it plays|another play",
    CountsTheBatch: "alone it plays",
    Remembers: "alone it plays|another play",
    OneForAll: "gave|given",
    Writes: "it changes played|it changes thirds",
    ExplainsAnother: "and explains",
    NoReason: "gives no reason",
    SeesAll: "sees_all",
    Unable: "there are no jokers",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_an_agent_with_one_fault_is_caught(mutant: type[Low]) -> None:
    with pytest.raises(AssertionError, match=MUTANTS[mutant]):
        check_agent(mutant, "tressette", deals=12)


def test_an_explanation_that_is_no_plain_data_is_caught() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        check_agent(NotData, "tressette", deals=2)


@pytest.mark.parametrize("given", [Low, Low(), lambda: Low(), "greedy"], ids=["class", "agent", "function", "name"])
def test_an_agent_is_given_as_a_class_itself_a_function_or_a_name(given: str | Low | Callable[[], Low]) -> None:
    check_agent(given, "tressette", deals=4)


def test_the_rules_of_a_game_say_which_game_it_is() -> None:
    check_agent(Low, Rules(talk=True), deals=4)
    with pytest.raises(AssertionError, match="rules of the kind"):
        check_agent(Low, object())


@pytest.mark.parametrize("entry", PLAYED, ids=lambda entry: str(entry.NAME))
def test_the_random_agent_of_every_game_passes_in_each_of_its_games(entry: Any) -> None:
    for game in entry.games()[:3]:
        check_agent("random", game.name, deals=10)


def test_compiled_code_that_plays_otherwise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from mazzo.tressette.table import Table

    class Compiled(Low):
        kernel = "low"

    def play_high(table: Any, agents: Any) -> None:
        play_out(table, [High() for _ in agents])

    monkeypatch.setattr(Table, "compiled", {"low": play_high})
    with pytest.raises(AssertionError, match="compiled code plays otherwise"):
        check_agent(Compiled, "tressette", deals=5)
    monkeypatch.setattr(Table, "compiled", {"low": lambda table, agents: play_out(table, [Low() for _ in agents])})
    check_agent(Compiled, "tressette", deals=5)


def test_the_old_name_still_checks() -> None:
    check_holdem_agent(Random, "tressette", deals=3)
    with pytest.raises(AssertionError, match="gives no reason"):
        check_holdem_agent(NoReason, "tressette", deals=3)
