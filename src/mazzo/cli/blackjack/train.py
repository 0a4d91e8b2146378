"""`mazzo blackjack train`: practice for somebody who counts, in the terminal."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import click

from mazzo.cli.blackjack.counter import count_name, play_name
from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import Number, command, seed
from mazzo.errors import IllegalError, UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.counting.trainer import CountingTable

__all__ = ["train"]

_KEYS = {"s": "stand", "h": "hit", "d": "double", "p": "split", "r": "surrender", "i": "insure", "e": "even money",
         "l": "leave"}  # fmt: skip


def _prompt(what: str) -> str | None:
    """An answer; None when the player has had enough."""
    try:
        given: str = click.prompt(what, default="", show_default=False).strip()
    except (click.Abort, EOFError):
        click.echo()
        return None
    return None if given.lower() in ("q", "quit") else given


@command(
    "mazzo blackjack train --bankroll 1000 --set surrender=late",
    "mazzo blackjack train --drill deviations --count hi-lo --play i18",
    "mazzo blackjack train --drill countdown --count zen",
    "mazzo blackjack train --drill decks",
)
@rules_name
@changes
@count_name
@play_name
@click.option(
    "--drill",
    type=click.Choice(["table", "deviations", "countdown", "decks"]),
    default="table",
    show_default=True,
    help="A table; index plays; counting a deck; decks in the tray.",
)
@click.option("--bankroll", type=Number(min=0, min_open=True), default=1000.0, show_default=True)
@click.option("--boxes", type=click.IntRange(1, 7), default=1, show_default=True)
@click.option(
    "--mark",
    type=click.Choice(["basic", "indices", "exact"]),
    default="indices",
    show_default=True,
    help="What the coach compares your plays with.",
)
@click.option(
    "--times", type=click.IntRange(min=1), default=20, show_default=True, help="Number of rounds or questions."
)
@seed
def train(
    rules_name: str,
    changes: tuple[str, ...],
    count_name: str,
    play: str,
    drill: str,
    bankroll: float,
    boxes: int,
    mark: str,
    times: int,
    seed: int,
) -> None:
    """Practise counting at a table or by drills. Keys: s h d p r i e l; c shows the count, q leaves."""
    from mazzo.blackjack.bets.counter_seat import plays_of
    from mazzo.blackjack.counting.systems import read_count
    from mazzo.blackjack.counting.trainer import Countdown, CountingTable, DeckEstimate, DeviationDrill

    rules, _ = read_setting(rules_name, changes, None)
    count = read_count(count_name)
    if drill == "countdown":
        _countdown(Countdown(count, seed))
        return
    if drill == "decks":
        _decks(DeckEstimate(rules.decks, seed), times)
        return
    table = plays_of(play, rules, count)
    if drill == "deviations":
        _deviations(DeviationDrill(rules, table, seed), times)
    else:
        _table(CountingTable(rules, count, table, bankroll, boxes, mark, seed), times)


def _countdown(deck: object) -> None:
    from mazzo.blackjack.counting.trainer import Countdown

    assert isinstance(deck, Countdown), "a deck to count down"
    began = perf_counter()
    for handful in deck.handfuls():
        if _prompt(handful + "   (Enter)") is None:
            return
    given = _prompt("running count")
    if given is None:
        return
    try:
        good = float(given) == deck.running
    except ValueError:
        raise UnreadableError(f"cannot read {given!r}: the count is a number") from None
    click.echo(f"{'right' if good else f'no: {deck.running:+g}'}, {perf_counter() - began:.1f} seconds for 51 cards")


def _decks(practice: object, times: int) -> None:
    from mazzo.blackjack.counting.trainer import DeckEstimate

    assert isinstance(practice, DeckEstimate), "trays to look at"
    for _ in range(times):
        click.echo(practice.picture())
        given = _prompt(f"decks in the tray, of {practice.decks}")
        if given is None:
            break
        good, decks = practice.answer(given)
        click.echo(f"{'right' if good else 'no'}: {decks:.2f}")
    click.echo(f"{practice.right} of {practice.asked} right")


def _deviations(practice: object, times: int) -> None:
    from mazzo.blackjack.counting.trainer import DeviationDrill

    assert isinstance(practice, DeviationDrill), "index plays to ask for"
    for _ in range(times):
        given = _prompt(practice.question())
        if given is None:
            break
        try:
            good, reason = practice.answer(given)
        except UnreadableError as error:
            click.echo(str(error))
            continue
        click.echo(f"{'right' if good else 'no'}: {reason}")
    click.echo(f"{practice.right} of {practice.asked} right")


def _count_of(table: CountingTable) -> str:
    return f"running count {table.running:+g}, true count {table.true:+.1f}"


def _table(table: CountingTable, times: int) -> None:
    click.echo(f"plays are marked by {table.marks}; c shows the count, q leaves")
    last = 10.0
    while table.rounds < times:
        if table.shuffles:
            click.echo("the shoe is shuffled")
        given = _prompt(f"bankroll {table.bankroll:g}, bet on each of {table.boxes} (Enter: {last:g})")
        if given is None:
            break
        if given == "c":
            click.echo(_count_of(table))
            continue
        try:
            last = float(given) if given else last
            table.begin(last)
        except (ValueError, IllegalError) as error:
            click.echo(str(error))
            continue
        if not _round(table):
            break
        click.echo(f"{table.finish():+g}")
    share = f", {table.right} of {table.asked} plays right by {table.marks}" if table.asked else ""
    click.echo(f"{table.rounds} rounds, bankroll {table.bankroll:g}{share}")


def _round(table: CountingTable) -> bool:
    """Play a round to its end; False when the player leaves."""
    round_ = table.round
    assert round_ is not None, "a round was begun"
    while not round_.over:
        click.echo(str(round_))
        given = _prompt(", ".join(table.choices))
        if given is None:
            return False
        if given == "c":
            click.echo(_count_of(table))
            continue
        try:
            good, wanted = table.act(_KEYS.get(given.lower(), given))
        except (IllegalError, UnreadableError) as error:
            click.echo(str(error))
            continue
        if not good:
            click.echo(f"{table.marks} would play: {wanted}")
    click.echo(str(round_))
    return True
