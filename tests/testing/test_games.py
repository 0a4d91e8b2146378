"""`check_game` passes every game of the package and catches each of the faults that it is there for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.document import Section
from mazzo.errors import IllegalError
from mazzo.games import Entry, entries
from mazzo.holdem import entry as holdem
from mazzo.holdem.agents.ignores_cards import Call
from mazzo.holdem.columns import CALL
from mazzo.holdem.hand import Hand
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.seated import HoldemTable
from mazzo.holdem.table import Table
from mazzo.registry import Registry
from mazzo.seated import Frame, Seating
from mazzo.testing import check_game

GAME = "leduc-2p"
"""Small: two players, six cards, a card each and one on the board."""


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: str(entry.NAME))
def test_every_game_passes(entry: Entry) -> None:
    names = [game.name for game in entry.games()]
    check_game(entry, [*names[:2], *names[-2:]], deals=2)


def changed(**other: Any) -> Entry:
    """Hold'em's entry with something else in some places."""
    return cast(Entry, SimpleNamespace(**{**vars(holdem), **other}))


def dealing(kind: type[Hand]) -> Entry:
    return changed(
        deal=lambda rules, seed=0, number=0: kind(rules, seed=seed, number=number),
        parse=lambda text, rules=None: kind.parse(text, rules),
    )


class ShowsAll(Hand):
    def seen(self, seat: int | None = None) -> Self:
        return type(self).parse(self.text(), self.rules)


class PrintsAll(Hand):
    def __str__(self) -> str:
        return self.text()


class QuotesAll(Hand):
    def __repr__(self) -> str:
        return f"{super().__repr__()} # {self.text()}"


class DrawsAll(Hand):
    def section(self) -> Section:
        return replace(super().section(), words=[self.text()])


class TellsOthersCard(Hand):
    def observe(self, seat: int | None = None) -> Observations:
        looks = self.turn if seat is None else seat
        card = int(self.hole(1 - (looks or 0))[0])
        return replace(super().observe(seat), owed=super().observe(seat).owed * 0 + card)


class TakesBackTwo(Hand):
    def undo(self, actions: int = 1) -> Self:
        return super().undo(min(len(self.history), 2 * actions))


class ForgetsTheRounds(Hand):
    """As Hold'em did: what was noted in a later round stayed when it was taken back."""

    def _begin_again(self) -> None:
        later = self._table.state[self._row, 1:].copy()
        super()._begin_again()
        self._table.state[self._row, -1] = later.sum()


class AllowsAll(Hand):
    def _why_not(self, action: int) -> str:
        return ""

    def _carry_out(self, action: int) -> None:
        super()._carry_out(action if not super()._why_not(action) else CALL)


class FoldsWhenRefused(Hand):
    def act(self, action: Any) -> Self:
        try:
            return super().act(action)
        except IllegalError:
            if not self.over and isinstance(action, int) and len(self.legal):
                super().act(CALL)
            raise


class RefusesWhatIsLegal(Hand):
    def _why_not(self, action: int) -> str:
        return super()._why_not(action) or ("no calls today" if action == CALL and self.history else "")


class LosesAnAction(Hand):
    @classmethod
    def parse(cls, text: str, rules: Any = None, stacks: Any = None) -> Self:
        hand = super().parse(text, rules, stacks)
        return hand.undo() if len(hand.history) > 2 else hand


class PaysTwice(Hand):
    @property
    def payoffs(self) -> tuple[int, ...]:
        return tuple(2 * k if k > 0 else k for k in super().payoffs)


class PaysEarly(Hand):
    @property
    def payoffs(self) -> tuple[int, ...]:
        return super().payoffs if self.over else (0,) * self.rules.players


class DealsAnewWrongly(Hand):
    def redealt(self, seat: int | None, seed: int = 0) -> Self:
        return type(self).parse(self.text(), self.rules)


DEALS = {
    ShowsAll: "seen: seat . sees what is hidden|parse.str",
    PrintsAll: "parse.str",
    QuotesAll: "repr: seat . sees what is hidden",
    DrawsAll: "section: seat . sees what is hidden",
    TellsOthersCard: "owed of the observation",
    TakesBackTwo: "undo of",
    ForgetsTheRounds: "undo of . gave another state",
    AllowsAll: "why_not says",
    FoldsWhenRefused: "was refused and changed",
    RefusesWhatIsLegal: "why_not says",
    LosesAnAction: "parse.text.*is another deal",
    PaysTwice: "not zero",
    PaysEarly: "still to act",
    DealsAnewWrongly: "never dealt other cards",
}


@pytest.mark.parametrize("mutant", DEALS, ids=lambda mutant: mutant.__name__)
def test_a_hand_with_one_fault_is_caught(mutant: type[Hand]) -> None:
    with pytest.raises(AssertionError, match=DEALS[mutant]):
        check_game(dealing(mutant), [GAME], deals=4)


def test_a_deal_that_is_another_one_each_time_is_caught() -> None:
    chance = np.random.default_rng(1)

    def deal(rules: Rules, seed: int = 0, number: int = 0) -> Hand:
        return Hand(rules, seed=int(chance.integers(10**6)))

    with pytest.raises(AssertionError, match="same seed and actions"):
        check_game(changed(deal=deal), [GAME])


# ---- tables


class PaysOtherwise(Table):
    def settle(self) -> Any:
        return -super().settle()


class TakesAnything(Table):
    def apply(self, rows: Any, actions: Any) -> None:
        super().apply(rows, np.maximum(actions, CALL))


class CarriesOutTheRest(Table):
    def apply(self, rows: Any, actions: Any) -> None:
        try:
            super().apply(rows, actions)
        except IllegalError:
            super().apply(rows[:1], np.array([CALL]))
            raise


class LeadsBack(Table):
    def observe(self, rows: Any, seats: Any = None) -> Observations:
        found = super().observe(rows, seats)
        return replace(found, seating=self.seating[: len(rows)])


class ShowsAnother(Table):
    def observe(self, rows: Any, seats: Any = None) -> Observations:
        found = super().observe(rows, seats)
        return replace(found, hole=found.hole[::-1].copy())


TABLES = {
    PaysOtherwise: "a table pays",
    TakesAnything: "carries out action",
    CarriesOutTheRest: "carried out others",
    LeadsBack: "seating of the observation shares its memory",
    ShowsAnother: "hole of the observation is not the same in a table",
}


@pytest.mark.parametrize("mutant", TABLES, ids=lambda mutant: mutant.__name__)
def test_a_table_with_one_fault_is_caught(mutant: type[Table]) -> None:
    def table(rules: Rules, deals: range, seed: int = 0) -> Table:
        plain = holdem.table(rules, deals, seed)
        return mutant(rules, plain.cards, rng_key=plain.rng_key)

    with pytest.raises(AssertionError, match=TABLES[mutant]):
        check_game(changed(table=table), [GAME])


# ---- at a table of people


class ShowsEverybodysCards(HoldemTable):
    def view(self, viewer: int | None) -> dict[str, Any]:
        return {**super().view(viewer), "note": str(self.hand.hole(0))}


class ShowsLookersOn(HoldemTable):
    def view(self, viewer: int | None) -> dict[str, Any]:
        return super().view(0 if viewer is None else viewer)


class RecordsEverything(HoldemTable):
    def record(self, viewer: int | None) -> dict[str, Any] | None:
        return {"line": self.hand.line(), "names": list(self.names)} if self.hand.over else None


class OffersEverybody(HoldemTable):
    def view(self, viewer: int | None) -> dict[str, Any]:
        return {**super().view(viewer), "choices": super().view(self.seat)["choices"]}


class DealsBySystemChance(HoldemTable):
    def __init__(self, seats: Sequence[str], options: Mapping[str, Any], seed: int, make: Any = None) -> None:
        super().__init__(seats, options, int(np.random.default_rng().integers(10**9)), make)


class TakesEverything(HoldemTable):
    def act(self, action: str) -> None:
        super().act("c" if action == "no such action" else action)


class NotPlain(HoldemTable):
    def view(self, viewer: int | None) -> dict[str, Any]:
        return {**super().view(viewer), "board": set(self.hand.board)}


SEATED: dict[type[HoldemTable], tuple[type[Exception], str]] = {
    ShowsEverybodysCards: (AssertionError, "sees hidden cards"),
    ShowsLookersOn: (AssertionError, "somebody who looks on sees hidden cards"),
    RecordsEverything: (AssertionError, "a record shows hidden cards"),
    OffersEverybody: (AssertionError, "is not to act"),
    DealsBySystemChance: (Exception, "gave|legal|told otherwise|over"),
    TakesEverything: (AssertionError, "no such action"),
    NotPlain: (TypeError, "not JSON serializable"),
}


@pytest.mark.parametrize("mutant", SEATED, ids=lambda mutant: mutant.__name__)
def test_a_table_of_people_with_one_fault_is_caught(mutant: type[HoldemTable]) -> None:
    def seating() -> Seating:
        return replace(holdem.seating(), table=mutant, most=3)

    error, words = SEATED[mutant]
    with pytest.raises(error, match=words):
        check_game(changed(seating=seating), [GAME], deals=3)


def _read_no_more_than_one(path: Path) -> Iterator[dict[str, Any]]:
    yield from list(holdem.replays().read(path))[:1]


def _show_first(record: Mapping[str, Any]) -> Sequence[Frame]:
    return holdem.replays().show(record)[:1]


def _show_without_end(record: Mapping[str, Any]) -> Sequence[Frame]:
    return holdem.replays().show(record)[:-1]


def _show_anything(record: Mapping[str, Any]) -> Sequence[Frame]:
    return holdem.replays().show(record) if record else ()


@pytest.mark.parametrize(
    ("part", "fault", "words"),
    [
        ("read", _read_no_more_than_one, "not read as they were"),
        ("show", _show_first, "has 1 moments"),
        ("show", _show_without_end, "something is still done"),
        ("show", _show_anything, "an empty record"),
    ],
)
def test_replays_with_one_fault_are_caught(part: str, fault: Any, words: str) -> None:
    entry = changed(replays=lambda: replace(holdem.replays(), **{part: fault}))
    with pytest.raises(AssertionError, match=words):
        check_game(entry, [GAME], deals=3)


# ---- matches and agents


class DependsOnTheBatch(HoldemMatch):
    def play(self, agents: Any, deals: range, seed: int, log: bool = False) -> tuple[NDArray[np.float64], list[str]]:
        return super().play(agents, deals, seed + len(deals), log)


class LogsHalf(HoldemMatch):
    def play(self, agents: Any, deals: range, seed: int, log: bool = False) -> tuple[NDArray[np.float64], list[str]]:
        values, lines = super().play(agents, deals, seed, log)
        return values, lines[::2]


class LogChangesTheResult(HoldemMatch):
    def play(self, agents: Any, deals: range, seed: int, log: bool = False) -> tuple[NDArray[np.float64], list[str]]:
        return super().play(agents, deals, seed + log, log)


@pytest.mark.parametrize(
    ("mutant", "words"),
    [
        (LogChangesTheResult, "that is logged has other results"),
        (DependsOnTheBatch, "in another batch"),
        (LogsHalf, "6 logged and 6 read again"),
    ],
)
def test_a_match_with_one_fault_is_caught(mutant: type[HoldemMatch], words: str) -> None:
    entry = changed(contest=lambda name: mutant(holdem.contest(name).game))  # type: ignore[union-attr]
    with pytest.raises(AssertionError, match=words):
        check_game(entry, [GAME], deals=3)


class ExplainsNothing(Call):
    summary = "calls and gives no reason"

    def explain(self, observation: Observations) -> Explanation:
        return Explanation("c", "")


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ({"random": holdem.AGENTS["random"], "call": ExplainsNothing}, "gives no reason"),
        ({"random": holdem.AGENTS["random"], "bare": type("Bare", (Call,), {"summary": ""})}, "no line for the list"),
        ({"call": Call}, "no agent called random"),
    ],
)
def test_a_catalogue_with_one_fault_is_caught(agents: dict[str, type[Agent[Any]]], words: str) -> None:
    catalogue: Registry[type[Agent[Any]]] = Registry("agent")
    for name, found in agents.items():
        catalogue.register(name)(found)
    with pytest.raises(AssertionError, match=words):
        check_game(changed(AGENTS=catalogue), [GAME], deals=3)


def test_a_game_without_rules_of_a_listed_name_is_caught() -> None:
    with pytest.raises(AssertionError, match="has no rules of that name"):
        check_game(changed(rules=lambda text: None))


def test_the_entry_reads_what_its_deals_write() -> None:
    with pytest.raises(AssertionError, match="does not know its own text"):
        check_game(changed(knows=lambda text: False), [GAME])
    with pytest.raises(AssertionError, match="reads another deal"):
        check_game(changed(parse=lambda text, rules=None: Hand(GAME, seed=99)), [GAME])
