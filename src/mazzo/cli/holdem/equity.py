"""`mazzo equity`: what share of the pot a hand wins on average."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mazzo.cards import FRENCH
from mazzo.cli.common import as_json, command, print_json, seed
from mazzo.errors import IllegalError, UnreadableError

if TYPE_CHECKING:
    from mazzo.holdem.odds import Equity, Range

__all__ = ["equity"]

Against = tuple[str, ...]


@command(
    "mazzo equity AsAh",
    "mazzo equity AsKd --board 7h8h2c --opponents 2",
    "mazzo equity AhKh --against QQ+,AKs,AKo",
    "mazzo equity QQ+,AKs --against ATs+,KQs --board 7h8h2c",
    "mazzo equity QQ+ --against AKs --against JJ --board 7h8h2c",
    "mazzo equity QQ+ --against AKs --against JJ --against T9s:0.5 --board 7h8h2c --dead AdKd",
    "mazzo equity AhKh --against QQ+,AKo --board 7h8h2c --runouts",
    "mazzo equity 7h7c --opponents 5 --samples 2000000 --json",
    name="equity",
)
@click.argument("hand")
@click.option("--board", default="", metavar="CARDS", help="The 3, 4 or 5 cards on the board.")
@click.option(
    "--opponents", type=int, default=None, help="Number of opponents with random hands, 1 to 9.  [default: 1]"
)
@click.option(
    "--against",
    metavar="HAND|RANGE",
    multiple=True,
    help="An opponent's hand (QsQd) or range (QQ+,AKs,T9s:0.5,random); again for each further one.",
)
@click.option("--samples", type=click.IntRange(min=2), help="Number of deals to sample, instead of counting all.")
@click.option("--dead", default="", metavar="CARDS", help="With --against: cards that nobody holds and cannot come.")
@click.option("--runouts", is_flag=True, help="With --against, on a flop or turn: the equity after every next card.")
@seed
@as_json
def equity(
    hand: str,
    board: str,
    opponents: int | None,
    against: Against,
    samples: int | None,
    dead: str,
    runouts: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Print the equity of HAND: the share of the pot it wins.

    With --against, HAND may be a range.
    Every case is counted against one or two opponents, hands or ranges; against more, or with --samples, deals are
    sampled and the standard error is given. Two ranges are counted from the flop on.
    """
    from mazzo.holdem import odds as library

    cards, table = _hand_or_range(hand, against), FRENCH.parse(board)
    facing = 1 if opponents is None else opponents
    if against and opponents not in (None, len(against)):
        raise IllegalError("--against is one opponent each time: leave --opponents out")
    if (dead or runouts) and not against:
        raise IllegalError("--dead and --runouts go with --against: name the hands or ranges")
    if runouts and samples is not None:
        raise IllegalError("--runouts is counted exactly: leave --samples out")
    gone = FRENCH.parse(dead)
    spread = library.runouts(cards, against, table, gone) if runouts else None
    if against:
        own_seed = seed if samples is not None or len(against) > 2 else None
        found = library.equity(cards, table, samples=samples, seed=own_seed, against=against, dead=gone)
    else:
        found = library.equity(cards, table, facing, samples, seed if samples is not None or facing > 2 else None)
    facing = len(against) or facing
    if as_json:
        data = _as_data(found, cards, table, facing, against, seed)
        print_json({**data, "dead": FRENCH.text(gone), "runouts": None if spread is None else spread.as_dict()})
        return
    _print_text(found, cards, table, facing, against)
    if spread is not None:
        click.echo(f"\n{spread}")


def _hand_or_range(text: str, against: Against) -> tuple[int, ...] | Range:
    """Two cards; where there is something to count a range against, also a range."""
    from mazzo.holdem.odds import parse_range

    try:
        return FRENCH.parse(text)
    except UnreadableError:
        if not against:
            raise
        return parse_range(text)


def _hand_text(hand: tuple[int, ...] | Range) -> str:
    return FRENCH.text(hand) if isinstance(hand, tuple) else hand.text


def _as_data(
    found: Equity, hand: tuple[int, ...] | Range, table: tuple[int, ...], opponents: int, against: Against, seed: int
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "equity": found.equity,
        "exact": found.exact,
        "standard_error": found.standard_error,
        "win": found.win,
        "tie": found.tie,
        "numerator": found.numerator,
        "denominator": found.denominator,
        "samples": found.samples,
        "hand": _hand_text(hand),
        "board": FRENCH.text(table),
        "opponents": opponents,
        "against": against[0] if len(against) == 1 else list(against) or None,
    }
    return data if found.exact else {**data, "seed": seed}


def _print_text(
    found: Equity, hand: tuple[int, ...] | Range, table: tuple[int, ...], opponents: int, against: Against
) -> None:
    if against:
        whom = " and ".join(against)
    else:
        whom = "a random hand" if opponents == 1 else f"{opponents} random hands"
    on = f" on {FRENCH.text(table)}" if table else ""
    click.echo(f"{_hand_text(hand)}{on} against {whom}")
    if found.exact:
        click.echo(f"  equity  {found.equity:.4%}  (exact: {found.numerator:,} / {found.denominator:,})")
    else:
        click.echo(
            f"  equity  {found.equity:.4%}  (standard error {found.standard_error:.4%}, {found.samples:,} deals)"
        )
    click.echo(f"  wins    {found.win:.4%}\n  ties    {found.tie:.4%}")
    if len(table) >= 3 and isinstance(hand, tuple):
        from mazzo.holdem.showdown import describe, evaluate_one

        click.echo(f"  now     {describe(evaluate_one([*hand, *table]))}")
