"""What a report says of blackjack's runs: what a shoe is worth, the chart, one hand."""

from __future__ import annotations

from mazzo.blackjack.strategy import ROWS, Strategy
from mazzo.document import Figure, Grid, Run, Section, command_of

__all__ = ["chart", "hand", "value"]


def value(run: Run) -> Section:
    """What a shoe is worth under its rules."""
    exact = run["method"] == "exact"
    detail = "exact: every card that can come is counted" if exact else str(run["method"])
    return Section(
        f"What a shoe of {run['rules']['decks']} decks is worth",
        ["With the best play of every hand, for each unit bet, under these rules:"],
        [Figure(f"{100 * run['ev']:+.5f} %", "of the bet, a round", detail)],
        tables=[Grid(("rule", "value"), list(run["rules"].items()))],
        commands=command_of(run),
    )


def chart(run: Run) -> Section:
    """The best play by total."""
    table = Strategy(tuple(run["rows"][row] for row in ROWS))
    return Section(
        "What to play",
        ["The best play by total and the dealer's card."],
        [Figure(f"{100 * run['ev']:+.5f} %", "of the bet, a round, by this chart", "exact for this chart")],
        tables=table.grids(),
        commands=command_of(run),
    )


def hand(run: Run) -> Section:
    """What each play of a hand is worth."""
    rows = [(p["play"], f"{p['ev']:+.6f}", f"{p['cost']:.6f}") for p in run["plays"]]
    return Section(
        f"{run['hand']} against {run['upcard']}",
        [f"The best play is to {run['best']}; beside the others, what they cost."],
        tables=[Grid(("play", "worth", "costs"), rows, "Units of the bet; exact.")],
        commands=command_of(run),
    )
