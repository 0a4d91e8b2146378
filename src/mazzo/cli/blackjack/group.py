"""`mazzo blackjack`: where its commands are, and the options they share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mazzo.cli.app import Lazy
from mazzo.cli.common import Listed
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.rules import Rules
    from mazzo.blackjack.shoe import Shoe
    from mazzo.statistics import Estimate

__all__ = [
    "blackjack",
    "changes",
    "control",
    "interval_text",
    "network_file",
    "read_setting",
    "rules_name",
    "shoe_text",
    "table_path",
]

_COMMANDS = {
    "values": ("chart", "compare", "edges", "ev", "hand", "rules"),
    "simulation": ("simulate",),
    "bets": ("bet", "shoes"),
    "boxes": ("boxes",),
    "counting": ("count", "drill"),
    "counter": ("counter",),
    "indices": ("indices",),
    "train": ("train",),
    "documents": ("climb", "independent", "learn", "network", "prune"),
    "traversals": ("traverse", "whole"),
}
"""The commands of each module beside this one."""
_PLACES = {name: f"mazzo.cli.blackjack.{module}:{name}" for module, names in _COMMANDS.items() for name in names}

rules_name = click.option(
    "--rules",
    "rules_name",
    default="strip",
    show_default=True,
    metavar="NAME",
    help="strip, h17, european, hungarian, thesis, or a .toml file.",
)
changes = click.option(
    "--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change one rule; may be given again."
)
shoe_text = click.option(
    "--shoe", "shoe_text", metavar="SHOE", help="6d, 6d-7,8,2 (less those cards) or ten counts; else a fresh shoe."
)


def _evaluators() -> Iterable[str]:
    from mazzo.blackjack.bets.evaluators import EVALUATORS

    return (*EVALUATORS, "network")


control = click.option(
    "--control",
    default="infinite",
    show_default=True,
    metavar="NAME",
    cls=Listed,
    names=_evaluators,
    help="Fast evaluator, whose bias exact values take out: {names}.",
)
network_file = click.option(
    "--network",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Trained network for --control network; `mazzo blackjack network --save` makes one.",
)
table_path = click.option(
    "--table",
    "table_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the strategy found as a table that simulate --strategy reads.",
)


@click.group(cls=Lazy, commands_at=_PLACES)
def blackjack() -> None:
    """Exact values, charts, counting, bets and practice."""


def read_setting(rules_name: str, changes: tuple[str, ...], shoe_text: str | None) -> tuple[Rules, Shoe | None]:
    """The rules and the shoe that options name."""
    from mazzo.blackjack.rules import named_rules
    from mazzo.blackjack.shoe import Shoe

    given: dict[str, str] = {}
    for item in changes:
        name, equals, value = item.partition("=")
        if not equals:
            raise UnreadableError(f"cannot read --set {item!r}: it is written FIELD=VALUE, such as decks=8")
        given[name.strip().replace("-", "_")] = value.strip()
    return named_rules(rules_name, given), None if shoe_text is None else Shoe.parse(shoe_text)


def interval_text(estimate: Estimate, digits: int = 6) -> str:
    """The confidence interval of an estimate."""
    low, high = estimate.ci95
    return f"{low:+.{digits}f} .. {high:+.{digits}f}"
