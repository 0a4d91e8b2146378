"""Who can be asked about a decision, and what they say."""

from __future__ import annotations

from functools import partial

from mazzo.agent import create
from mazzo.errors import IllegalError
from mazzo.holdem.advising.models import TableCompany
from mazzo.holdem.advising.ranges import RANGES, RANGES_PLAIN, by_ranges, is_ranges
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.coach import ODDS, by_odds, weigh
from mazzo.holdem.observation import Observations
from mazzo.seated import Advice, Question

__all__ = ["ADVISERS", "asked"]

ADVISERS = (RANGES, RANGES_PLAIN, ODDS, "utility", "chart", "rich", "utility+")


def asked(seen: Observations, company: TableCompany | None = None) -> Question:
    """A decision to ask advisers about; `company` is what everybody knows of who sits there."""
    return partial(_advice, seen, company or TableCompany())


def _advice(seen: Observations, company: TableCompany, adviser: str, played: str | None = None) -> Advice:
    if is_ranges(adviser):
        return by_ranges(seen, company, adviser, played)
    if adviser == ODDS:
        return by_odds(seen, played)
    agent = create(adviser, AGENTS)
    reason = agent.unsupported_reason(seen.game)
    if reason:
        raise IllegalError(f"{adviser} cannot advise here: {reason}")
    return weigh(seen, agent.explain(seen), played)
