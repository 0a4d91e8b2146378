"""What every play is worth, exactly: how all agents of blackjack explain themselves, and how the best one plays."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from mazzo.agent import Agent, Explanation, Option
from mazzo.blackjack.columns import ACTIONS, EVEN_MONEY, INSURE, PLAYS, SPLIT
from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.hands import side_bet_worth
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, shoe_of, text_of

__all__ = ["ExplainingAgent", "values_of"]


@lru_cache(maxsize=16)  # 2 MB each
def _analysis(rules: Rules, counts: tuple[int, ...]) -> Analysis:
    return analyse(rules, Shoe(counts))


def _side_bets(seen: Observations, row: int, shoe: Shoe) -> dict[str, float]:
    """What the answers to a side bet are worth beyond leaving it."""
    hand, upcard = seen.hand(row)
    left = shoe.without((*hand, upcard))
    worth = side_bet_worth(seen.rules.blackjack_pays, left.counts[TEN if upcard == ACE else ACE], left.cards)
    values = {ACTIONS[bet]: value / left.cards for bet, value in zip((EVEN_MONEY, INSURE), worth, strict=True)}
    return {name: values[name] for name in values if seen.legal[row, ACTIONS.index(name)]} | {"leave": 0.0}


def values_of(seen: Observations, row: int, by_shoe: bool) -> dict[str, float]:
    """The exact values of what may be done in one row: of the cards left if `by_shoe`, else of a fresh shoe.

    Where a side bet is offered it is the question, and plays are not weighed.
    """
    shoe = Shoe(tuple(seen.shoe[row].tolist())) if by_shoe else shoe_of(seen.rules)
    if seen.side_bets[row]:
        return _side_bets(seen, row, shoe)
    hand, upcard = seen.hand(row)
    after_split = bool(seen.after_split[row]) and not seen.legal[row, SPLIT]
    values = _analysis(seen.rules, shoe.counts).plays(hand, upcard, after_split)
    return {name: value for name, value in values.items() if name in PLAYS and seen.legal[row, PLAYS.index(name)]}


def _reason(action: str, hand: tuple[int, ...], upcard: int, best: float, cost: float) -> str:
    total, soft = hand_total(hand)
    what = f"{'soft ' if soft else ''}{total} ({text_of(hand)}) against {RANKS[upcard]}"
    if action == "leave" and cost <= 0:
        return f"{what}: every side bet that is offered loses on average"
    if cost > 0:
        return f"{what}: {action} costs {cost:.4f} of the bet against the best play"
    return f"{what}: {action} is worth {best:+.4f} of the bet, more than any other play"


class ExplainingAgent(Agent[Observations]):
    """Explains with the exact value of every play, whatever it decides by."""

    by_shoe: ClassVar[bool] = False

    def explain(self, observation: Observations) -> Explanation:
        """What every play is worth and what the one chosen costs."""
        chosen = ACTIONS[int(self.decide(observation)[0])]
        values = values_of(observation, 0, self.by_shoe)
        hand, upcard = observation.hand(0)
        best, worth = max(values.values()), values.get(chosen, 0.0)  # a play where a side bet is offered leaves it
        options = [Option(name, value, terms={"cost": best - value}) for name, value in values.items()]
        total, soft = hand_total(hand)
        facts: dict[str, float | int | str | None] = {
            "hand": text_of(hand),
            "total": f"{'soft ' if soft else ''}{total}",
            "upcard": RANKS[upcard],
            "cards left": int(observation.shoe[0].sum()),
        }
        return Explanation(chosen, _reason(chosen, hand, upcard, worth, best - worth), options, facts)
