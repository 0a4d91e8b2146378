"""What a play of Hold'em is worth, for a coach: the adviser's own values where it has them, else those of the odds.

The odds: the share of the pot the cards win on average against random hands (exact against one and two opponents),
times the pot if everyone in the hand stays for this bet and nobody bets again, less what the play costs. Opponents who
bet do not hold random hands: so the odds say what they assume, and call nothing a mistake.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from mazzo.agent import Explanation
from mazzo.holdem.notation import action_text, parse_action
from mazzo.holdem.observation import Observations
from mazzo.holdem.spoken import before_street, opens
from mazzo.seated import Advice

if TYPE_CHECKING:
    from mazzo.holdem.odds import Equity

__all__ = ["ODDS", "by_odds", "raise_label", "weigh"]

ODDS = "odds"
"""The adviser that only counts."""

_SAMPLES = 20_000


def weigh(seen: Observations, explanation: Explanation, played: str | None = None) -> Advice:
    """An adviser's explanation of one decision, with the worth of every play in big blinds."""
    limit = seen.game.limit
    labels = {"f": "fold", "c": "call" if int(seen.owed[0]) else "check"}
    size = _size(seen, explanation.action, played)
    raised = action_text(size, limit) if size else ""
    if size:
        labels[raised] = raise_label(seen, size)
    if not int(seen.owed[0]):
        del labels["f"]
    own = {option.action: option.value for option in explanation.options if option.value is not None}
    if own and explanation.unit == "bb":
        names = {"f": "fold", "c": "call", **({raised: "raise"} if size else {})}
        worth = {action: own[names[action]] for action in labels if names[action] in own}
        return Advice(explanation, worth, "unit.bb", labels, mistakes={})
    found = _equity(seen)
    values, error = _values(seen, size, found)
    worth = {action: values[action] for action in labels}
    return Advice(explanation, worth, "unit.bb", labels, error, mistakes={})


def raise_label(seen: Observations, size: int) -> str:
    """A bet or raise as players say it: counted on this street."""
    state = seen.state[0]
    if seen.game.limit:
        return "bet" if opens(state) else "raise"
    return f"{'bet' if opens(state) else 'raise to'} {size - before_street(state)}"


def by_odds(seen: Observations, played: str | None = None) -> Advice:
    """The decision by the odds alone."""
    found = _equity(seen)
    opponents, owed, pot = int(seen.opponents[0]), int(seen.owed[0]), int(seen.pot[0])
    size = _size(seen, "", played)
    values, _ = _values(seen, size, found)
    if not owed:
        del values["f"]
    best = max(values, key=lambda action: values[action])
    hands = "a random hand" if opponents == 1 else f"{opponents} random hands"
    reason = f"the cards win {found.equity:.1%} of the pot against {hands}, if everyone stays and nobody bets again"
    if owed:
        reason += f"; a call of {owed} into {pot} pays from {owed / (pot + owed):.1%}"
    facts: dict[str, float | int | str | None] = {"equity": found.equity, "pot": pot, "to call": owed}
    if not found.exact:
        facts["standard error of the equity"] = found.standard_error
    return weigh(seen, Explanation(best, reason, (), facts), played)


@lru_cache(maxsize=256)
def _counted(hole: tuple[int, ...], board: tuple[int, ...], opponents: int) -> Equity:
    from mazzo.holdem.odds import equity

    return equity(hole, board, opponents, None if opponents <= 2 else _SAMPLES)


def _equity(seen: Observations) -> Equity:
    hole, board = seen.cards(0)
    return _counted(tuple(map(int, hole)), tuple(map(int, board)), int(seen.opponents[0]))


def _size(seen: Observations, advised: str, played: str | None) -> int:
    """The raise to compare with: the one played, else the adviser's, else the least; 0 where none is allowed."""
    for text in (played, advised):
        if text and text.startswith("r"):
            return parse_action(text)
    return int(seen.raise_low[0])


def _values(seen: Observations, size: int, found: Equity) -> tuple[dict[str, float], float]:
    owed, pot = int(seen.owed[0]), int(seen.pot[0])
    big = seen.game.big_blind
    values = {"f": 0.0, "c": (found.equity * (pot + owed) - owed) / big}
    error = found.standard_error * pot / big
    if size:
        me, to = int(seen.position[0]), min(int(seen.raise_low[0]) if seen.game.limit else size, 2**31)
        spent, behind = seen.spent[0], seen.behind[0]
        total = pot
        for p in range(seen.game.players):
            if p == me or int(seen.live[0]) >> p & 1:
                total += min(max(to - int(spent[p]), 0), int(behind[p]))
        mine = min(to - int(spent[me]), int(behind[me]))
        values[action_text(size, seen.game.limit)] = (found.equity * total - mine) / big
        error = found.standard_error * total / big
    return values, error
