"""Any rules a casino could have, for tests of laws."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mazzo.blackjack.rules import Rules
from mazzo.errors import MazzoError


def _rules(fields: dict[str, Any]) -> Rules | None:
    try:
        return Rules().changed(**fields)
    except MazzoError:
        return None


def any_rules() -> st.SearchStrategy[Rules]:
    """Every option, in any combination that has a meaning."""
    flags = {
        name: st.booleans()
        for name in (
            "hit_soft_17",
            "peek",
            "double_after_split",
            "resplit_aces",
            "hit_split_aces",
            "surrender_after_split",
            "insurance",
        )
    }
    found = st.fixed_dictionaries(
        {
            **flags,
            "decks": st.integers(2, 8),
            "blackjack_pays": st.sampled_from(["3:2", "6:5", "2:1"]),
            "double": st.sampled_from(["any", "9-11", "10-11"]),
            "max_hands": st.sampled_from([1, 2, 3, 4, "unlimited"]),
            "surrender": st.sampled_from(["none", "late", "early", "early-not-ace"]),
            "even_money": st.sampled_from(["none", "ace", "ace-ten"]),
        }
    )
    return found.map(_rules).filter(lambda rules: rules is not None)  # type: ignore[return-value]
