"""`mazzo blackjack count` and `drill`: counting systems rated, and practised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.counter import (
    count_name,
)
from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import (
    as_json,
    command,
    print_json,
    print_table,
    seed,
)
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.counting.indices import Index

__all__ = ["count", "drill"]


@command(
    "mazzo blackjack count",
    "mazzo blackjack count --count omega-2 --indices",
    "mazzo blackjack count --rules hungarian --slopes 4",
    "mazzo blackjack count --count=-1,1,1,1,1,1,1,0,0,-1 --json",
)
@rules_name
@changes
@count_name
@click.option("--indices", is_flag=True, help="Index plays: the true counts at which to deviate from basic strategy.")
@click.option(
    "--slopes",
    "parts",
    type=click.IntRange(1, 24),
    metavar="RANGES",
    help="Also what a card of each rank that is gone brings, in so many ranges of the rank.",
)
@as_json
def count(
    rules_name: str, changes: tuple[str, ...], count_name: str, indices: bool, parts: int | None, as_json: bool
) -> None:
    """Rate counting systems: betting, playing, insurance.

    Also prints effects of removal, the best tags and index plays.
    """
    from mazzo.blackjack.counting.effects import best_tags, effects_of_removal, slopes
    from mazzo.blackjack.counting.efficiency import efficiency
    from mazzo.blackjack.counting.indices import index_plays
    from mazzo.blackjack.counting.systems import COUNTS, read_count
    from mazzo.blackjack.shoe import RANKS

    rules, _ = read_setting(rules_name, changes, None)
    mine = read_count(count_name)
    effects = effects_of_removal(rules)
    rated = [*COUNTS.values(), *([] if mine.name in COUNTS else [mine])]
    rated += [best_tags(effects.effects, level) for level in (1, 2, 3)]
    lines = [(c.name, c.tags, efficiency(rules, c), c.imbalance) for c in rated]
    plays = list(index_plays(rules, mine)) if indices else []
    steep = None if parts is None else 100 * slopes(rules, parts)
    percent = dict(zip(RANKS, (100 * effects.effects).tolist(), strict=True))
    if as_json:
        print_json(
            {
                "ev": effects.ev,
                "effects_percent": percent,
                "rules": rules.as_dict(),
                "count": mine.name,
                "counts": [{"name": n, "tags": list(t), **vars(rate), "imbalance": im} for n, t, rate, im in lines],
                "indices": [vars(play) for play in plays],
                "slopes_percent": None if steep is None else dict(zip(RANKS, steep.tolist(), strict=True)),
            }
        )
        return
    print_table(("effect of removal, %", *RANKS), [("", *(f"{v:+.4f}" for v in percent.values()))])
    print_table(
        ("count", "tags A 2 .. 9 T", "betting correlation", "playing efficiency", "insurance", "a deck counts"),
        [
            (
                name,
                " ".join(f"{tag:g}" for tag in tags),
                f"{rate.betting_correlation:.4f}",
                f"{rate.playing_efficiency:.3f}",
                f"{rate.insurance_correlation:.3f}",
                f"{imbalance:+g}",
            )
            for name, tags, rate, imbalance in lines
        ],
    )
    if parts is not None and steep is not None:
        shares = [f"{100 * k / parts:.0f}-{100 * (k + 1) / parts:.0f} % gone" for k in range(parts)]
        print_table(
            ("a card gone, % of the bet", *RANKS),
            [(share, *(f"{v:+.4f}" for v in steep[:, k])) for k, share in enumerate(shares)],
        )
    if plays:
        print_table(
            ("situation", "from the index up", "below", f"true count ({mine.name})"),
            [(p.situation, p.high, p.low, _index_text(p)) for p in plays],
        )


def _index_text(play: Index) -> str:
    if play.instead:
        return f"never ({play.instead})"
    return "never" if play.index is None else f"{play.index:+.1f}"


@command(
    "mazzo blackjack drill",
    "mazzo blackjack drill --count omega-2 --handful 5 --groups 20 --true",
)
@count_name
@click.option("--decks", type=click.IntRange(1, 8), default=6, show_default=True)
@click.option("--handful", type=click.IntRange(1, 26), default=3, show_default=True, help="Cards at a time.")
@click.option("--groups", type=click.IntRange(min=1), default=20, show_default=True, help="Groups of cards to count.")
@click.option("--true", "per_deck", is_flag=True, help="Ask for the true count (per deck left) instead.")
@seed
def drill(count_name: str, decks: int, handful: int, groups: int, per_deck: bool, seed: int) -> None:
    """Practise a count: cards go by, you keep the count.

    q or Ctrl-C stops; nothing is saved.
    """
    from mazzo.blackjack.counting.drill import Drill
    from mazzo.blackjack.counting.systems import read_count

    practice = Drill(read_count(count_name), decks, handful, seed)
    for _ in range(groups):
        if practice.over or not _ask(practice, per_deck):
            break
    if practice.asked:
        share = 100 * practice.right / practice.asked
        click.echo(f"{practice.right} of {practice.asked} right ({share:.0f} %)")


def _ask(practice: Any, per_deck: bool) -> bool:
    """One handful and the answer to it; False when the player has had enough."""
    click.echo(practice.deal())
    what = f"true count ({practice.decks_left:g} decks left)" if per_deck else "running count"
    while True:
        try:
            given = click.prompt(what, default="", show_default=False)
        except (click.Abort, EOFError):
            click.echo()
            return False
        if given.strip().lower() in ("q", "quit"):
            return False
        try:
            right = practice.answer(given.strip(), per_deck)
        except UnreadableError as error:
            click.echo(f"{error}; q stops")
            continue
        truth = practice.true if per_deck else practice.running
        click.echo("right" if right else f"no: {truth:+.2g}" if per_deck else f"no: {truth:+g}")
        return True
