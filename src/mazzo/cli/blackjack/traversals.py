"""`mazzo blackjack traverse`: the likely compositions after so many cards, and what they are worth."""

from __future__ import annotations

from typing import Any

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import Number, as_json, command, print_json, print_table, progress, quiet, seed, workers
from mazzo.errors import UnreadableError
from mazzo.statistics import Z95

__all__ = ["traverse"]


def _numbers(text: str) -> range:
    first, dash, last = text.partition("-")
    try:
        numbers = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers.start < 0:
        raise UnreadableError(f"cannot read the numbers of cards {text!r}: write 12 or 1-20")
    return numbers


@command(
    "mazzo blackjack traverse --ranks 13 --each 16 --cards 1-20",
    "mazzo blackjack traverse --cards 1-20 --mass 0.9 --fill thesis",
    "mazzo blackjack traverse --cards 8 --way best-first --mass 0.9",
    "mazzo blackjack traverse --value --rules hungarian --cards 1-2 --mass 1",
)
@click.option("--ranks", type=click.IntRange(min=1), default=13, show_default=True, help="Ranks (l).")
@click.option("--each", type=click.IntRange(min=1), default=16, show_default=True, help="Cards of each rank (n).")
@click.option("--cards", default="1-12", show_default=True, help="Cards gone (K): a number or a range.")
@click.option(
    "--mass",
    type=Number(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="Share of the probability to visit.",
)
@click.option("--way", type=click.Choice(["distance", "best-first"]), default="distance", show_default=True)
@click.option(
    "--fill",
    metavar="RANKS",
    help="The order in which ranks fill, such as 3,1,2 (each of 1 to l once, then again), or thesis; else 1 to l.",
)
@click.option("--value", is_flag=True, help="E_pos and E_neg of blackjack after K cards, by --rules.")
@click.option("--informed", is_flag=True, help="With --value: best play at every level of a split (an upper bound).")
@click.option("--exact", type=click.IntRange(min=1), default=200, show_default=True, help="Exact values per K.")
@rules_name
@changes
@seed
@workers
@as_json
@quiet
def traverse(
    ranks: int,
    each: int,
    cards: str,
    mass: float,
    way: str,
    fill: str | None,
    value: bool,
    informed: bool,
    exact: int,
    rules_name: str,
    changes: tuple[str, ...],
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Visit the compositions of a shoe, the likely ones first.

    Says how many there are and what they are worth.
    """
    numbers = _numbers(cards)
    if fill is not None and (value or way != "distance"):
        raise UnreadableError("--fill says how --way distance begins; it has no meaning with best-first or --value")
    order = None if fill is None else _order(fill)
    if value:
        _traverse_values(numbers, mass, exact, informed, rules_name, changes, seed, workers, as_json, quiet)
        return
    rows = []
    with progress("cards", len(numbers), quiet) as advance:
        for gone in numbers:
            rows.append(_visited(each, ranks, gone, mass, way, order))
            advance(1)
    if as_json:
        print_json({"ranks": ranks, "each": each, "mass": mass, "way": way, "fill": order, "rows": rows})
        return
    print_table(
        ("K", "bases", "states", "visited", "share", "seconds"),
        [
            (
                r["cards"],
                r["bases"] or "",
                r["states"],
                r["visited"],
                f"{100 * r['share']:.1f} %",
                f"{r['seconds']:.3f}",
            )
            for r in rows
        ],
    )
    click.echo(f"{sum(r['visited'] for r in rows)} probabilities in {sum(r['seconds'] for r in rows):.2f} s")


def _order(text: str) -> tuple[int, ...]:
    from mazzo.blackjack.documents.traversal import THESIS_FILL

    if text == "thesis":
        return THESIS_FILL
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise UnreadableError(f"cannot read the order {text!r}: write ranks such as 3,1,2, or thesis") from None


def _visited(each: int, ranks: int, gone: int, mass: float, way: str, order: tuple[int, ...] | None) -> dict[str, Any]:
    from time import perf_counter

    from mazzo.blackjack.documents.best_first import best_first
    from mazzo.blackjack.documents.traversal import state_space
    from mazzo.blackjack.documents.traversal import traverse as visit

    if way == "distance":
        found = visit(each, ranks, gone, mass, order)
        return {
            "cards": gone,
            "bases": found.bases,
            "distance": found.distance,
            "states": found.states,
            "visited": found.combinations,
            "share": found.share,
            "mass": found.mass,
            "seconds": found.seconds,
        }
    states, began = state_space(each, ranks, gone), perf_counter()
    sizes = [(len(chances), float(chances.sum())) for _, chances in best_first((each,) * ranks, gone, mass)]
    visited = sum(size for size, _ in sizes)
    return {
        "cards": gone,
        "bases": None,
        "distance": None,
        "states": states,
        "visited": visited,
        "share": visited / states,
        "mass": sum(m for _, m in sizes),
        "seconds": perf_counter() - began,
    }


def _traverse_values(
    numbers: range,
    mass: float,
    exact: int,
    informed: bool,
    rules_name: str,
    changes: tuple[str, ...],
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    from mazzo.blackjack.documents.traversal_value import value_after

    rules, _ = read_setting(rules_name, changes, None)
    found = []
    with progress("exact values", exact * len(numbers), quiet) as advance:
        for gone in numbers:
            found.append(
                value_after(rules, gone, mass, exact, seed, informed=informed, workers=workers, advance=advance)
            )
    if as_json:
        print_json(
            {
                "rows": [
                    {
                        "cards": f.cards,
                        "combinations": f.combinations,
                        "compositions": f.compositions,
                        "mass": f.mass,
                        "exact": f.exact,
                        "positive": f.positive.mean,
                        "positive_error": f.positive.standard_error,
                        "negative": f.negative.mean,
                        "negative_error": f.negative.standard_error,
                    }
                    for f in found
                ],
                "seed": seed,
                "informed": informed,
                "rules": rules.as_dict(),
            }
        )
        return
    print_table(
        ("K", "combinations", "tens as one", "mass", "exact", "E_pos", "+-", "E_neg", "+-"),
        [
            (
                f.cards,
                f.combinations,
                f.compositions,
                f"{f.mass:.4f}",
                f.exact,
                f"{f.positive.mean:+.9f}",
                f"{Z95 * f.positive.standard_error:.6f}",
                f"{f.negative.mean:+.9f}",
                f"{Z95 * f.negative.standard_error:.6f}",
            )
            for f in found
        ],
    )
