"""A finished round gone through again: what each card of a seat cost, by open hands and by what could be known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mazzo.document import Figure, Grid, Section, Shown
from mazzo.errors import IllegalError
from mazzo.statistics import Z95
from mazzo.tressette.agents import agent as agent_named
from mazzo.tressette.agents.paired import mistake_of
from mazzo.tressette.evaluation import distinct_cards
from mazzo.tressette.round import Round
from mazzo.tressette.solver.values import solve

__all__ = ["CardReview", "RoundReview", "review_round"]


@dataclass(frozen=True)
class CardReview:
    """One card that was played."""

    trick: int
    played: str
    advised: str
    """What the adviser would have played, knowing what the seat knew."""
    cost: float | None
    """What the card gives away against that; None where the adviser cannot say."""
    error: float
    """The standard error of that."""
    mistake: str
    """`small`, `clear`, `grave`, or nothing where the cost may be chance."""
    reason: str
    best_open: tuple[str, ...]
    """The cards that get most when all hands lie open."""
    cost_open: float
    """Points the card gives away with open hands and perfect play."""


@dataclass(frozen=True)
class RoundReview(Shown):
    """What each decision of a seat cost."""

    player: str
    adviser: str
    unit: str
    cards: tuple[CardReview, ...]
    forced: int
    """Cards where nothing was to be decided."""

    @property
    def cost(self) -> float:
        """What the mistakes gave away."""
        return sum(card.cost or 0.0 for card in self.cards if card.mistake)

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "player": self.player,
            "adviser": self.adviser,
            "unit": self.unit,
            "given_away": self.cost,
            "given_away_open_hands": sum(card.cost_open for card in self.cards),
            "forced": self.forced,
            "cards": [{**vars(card), "best_open": list(card.best_open)} for card in self.cards],
        }

    def section(self) -> Section:
        """A row a decision."""
        head = ("trick", "played", self.adviser, f"behind, {self.unit}", "", "best with open hands", "behind, points")
        rows = [
            (
                card.trick,
                card.played,
                card.advised if card.advised != card.played else "the same",
                "-" if card.cost is None else f"{card.cost:.2f} ± {Z95 * card.error:.2f}",
                f"{card.mistake} mistake" if card.mistake else "",
                " ".join(card.best_open),
                f"{card.cost_open:.2f}",
            )
            for card in self.cards
        ]
        words = [
            f"{self.adviser} knows only what {self.player} knew; what it calls no mistake may be chance. With open "
            "hands all four see all cards: what is lost there could often not be known.",
            *(f"Trick {c.trick}, {c.played}: {c.reason}." for c in self.cards if c.mistake),
        ]
        mistakes = sum(bool(card.mistake) for card in self.cards)
        figures = [
            Figure(f"{self.cost:.2f} {self.unit}", "given away by mistakes", f"{mistakes} mistakes"),
            Figure(f"{sum(card.cost_open for card in self.cards):.2f} points", "behind perfect play with open hands"),
        ]
        return Section(f"Review of {self.player}", words, figures, tables=[Grid(head, rows)])


def review_round(
    table: Round, seat: int, adviser: str = "search", told: Callable[[int], None] = lambda cards: None
) -> RoundReview:
    """What each card of a seat cost in a finished round all hands of which are known.

    Args:
        table: The round.
        seat: Whose cards.
        adviser: The agent that is asked; `search` says how sure its costs are.
        told: Is told how many cards were looked at, after each.
    """
    if not table.over:
        raise IllegalError(f"only a finished round is reviewed: trick {table.trick} is being played in {table}")
    player, rules = agent_named(adviser), table.rules
    if reason := player.unsupported_reason(rules):
        raise IllegalError(f"{adviser} cannot review {rules}: {reason}")
    again, found, forced, unit = Round.parse(table.text()).undo(len(table.plays)), list[CardReview](), 0, ""
    for number, (who, card) in zip(table.history, table.plays, strict=True):
        if who == seat:
            observation = again.observe()
            distinct = distinct_cards(observation)
            if distinct & (distinct - 1) == 0:
                forced += 1
            else:
                explanation = player.explain(observation)
                unit = explanation.unit or unit or "its own unit"
                found.append(_one(again, str(card), explanation))
            told(1)
        again.act(number)
    return RoundReview(table.names[seat], adviser, unit or "points", tuple(found), forced)


def _one(table: Round, played: str, explanation: Any) -> CardReview:
    own = next(option for option in explanation.options if option.action == played)
    top = next(option for option in explanation.options if option.action == explanation.action)
    cost = own.behind
    if cost is None and own.value is not None and top.value is not None:
        cost = top.value - own.value
    thirds = {str(card): value for card, value in solve(table).thirds.items()} if not table.rules.a_perdere else {}
    most = max(thirds.values(), default=0)
    best: Sequence[str] = [card for card, value in thirds.items() if value == most]
    behind = (most - thirds.get(played, most)) / 3
    error, mistake = own.behind_error or 0.0, mistake_of(own, explanation.unit)
    reason = explanation.reason
    return CardReview(table.trick, played, explanation.action, cost, error, mistake, reason, tuple(best), behind)
