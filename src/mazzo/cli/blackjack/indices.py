"""`mazzo blackjack indices`: the true counts from which hands are played otherwise, generated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.counter import count_name
from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import Number, as_json, command, note, print_json, print_table, quiet

if TYPE_CHECKING:
    from mazzo.blackjack.counting.generate import FoundIndex

__all__ = ["indices"]


@command(
    "mazzo blackjack indices --set surrender=late",
    "mazzo blackjack indices --count zen --rules h17 --depth 0.5 --all --json",
    "mazzo blackjack indices --hand '10,6 v T' --play stand,hit",
    "mazzo blackjack indices --count omega-2 --format file > mine.txt",
)
@rules_name
@changes
@count_name
@click.option(
    "--depth", type=Number(0, 1, max_open=True), help="Share of the shoe dealt.  [default: half of the penetration]"
)
@click.option("--hand", metavar="HAND", help="One hand by its cards; needs --play.")
@click.option(
    "--play", "plays", metavar="HIGH,LOW", help="For --hand: the play at the index and above, and the play below it."
)
@click.option("--all", "every", is_flag=True, help="Print every index, not only the 40 that gain most.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "file"]),
    default="text",
    show_default=True,
    help="Format; file is what counter --play reads.",
)
@as_json
@quiet
def indices(
    rules_name: str,
    changes: tuple[str, ...],
    count_name: str,
    depth: float | None,
    hand: str | None,
    plays: str | None,
    every: bool,
    form: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print index plays for any count, rules and depth.

    Floored, with the gain of each; insurance; the 18 + 4 are marked.
    """
    from mazzo.blackjack.counting.generate import found_indices, generated_table
    from mazzo.blackjack.counting.systems import read_count

    rules, _ = read_setting(rules_name, changes, None)
    count = read_count(count_name)
    if hand is not None:
        _one_hand(rules, count, hand, plays, depth, as_json)
        return
    note("valuing about twenty shoes exactly", quiet or as_json)
    if form == "file" and not as_json:
        click.echo(str(generated_table(rules, count, gone=depth)))
        return
    found = found_indices(rules, count, depth)
    if as_json:
        print_json({"count": count.name, "indices": [vars(one) for one in found], "rules": rules.as_dict()})
        return
    _show(found if every else found[:40], count.name)
    gaps = [one for one in found if one.published is not None and one.published != one.index]
    if count.name == "hi-lo" and gaps:
        farthest = max(gaps, key=lambda one: abs(one.exact - (one.published or 0.0) - 0.5))
        click.echo(
            f"{len(gaps)} of the 18 + 4 differ from the published index, by one at most unless said above; farthest is "
            f"{farthest.situation}, worth the same at {farthest.exact:+.2f}, published {farthest.published:+g}"
        )


def _show(found: tuple[FoundIndex, ...], count: str) -> None:
    rows = [
        (
            one.situation,
            one.play,
            one.otherwise,
            f"{one.index:+d}",
            f"{one.exact:+.2f}",
            f"{1e6 * one.gain:.1f}",
            "" if one.published is None else f"18+4 ({one.published:+g})",
        )
        for one in found
    ]
    heads = ("hand", "from the index up", "below", f"index ({count})", "exact", "gain, millionths", "published Hi-Lo")
    print_table(heads, rows)


def _one_hand(rules: Any, count: Any, hand: str, plays: str | None, depth: float | None, as_json: bool) -> None:
    from mazzo.blackjack.counting.indices import index_plays
    from mazzo.errors import UnreadableError

    high, _, low = (plays or "").partition(",")
    names = ("stand", "hit", "double", "split", "surrender")
    if high not in names or low not in names:
        raise UnreadableError(f"--hand needs --play with two of {', '.join(names)}, such as --play stand,hit")
    found = list(index_plays(rules, count, {hand: (high, low)}, depth))
    if not found:
        raise UnreadableError(f"the rules do not allow both {high} and {low} with {hand}")
    one = found[0]
    if as_json:
        print_json({"count": count.name, "index": vars(one), "rules": rules.as_dict()})
        return
    never = f"never{f' ({one.instead})' if one.instead else ''}"
    at = never if one.index is None else f"{high} from {one.floored:+d} (exactly {one.index:+.2f}), {low} below"
    click.echo(f"{hand}: {at}")
