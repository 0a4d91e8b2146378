"""`mazzo blackjack traverse`: the likely compositions after so many cards, and what they are worth."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.group import changes, control, interval_text, network_file, read_setting, rules_name
from mazzo.cli.common import (
    Number,
    as_json,
    command,
    has_effect_only,
    note,
    print_json,
    print_table,
    progress,
    quiet,
    seed,
    workers,
)
from mazzo.confidence import LEVEL
from mazzo.errors import UnreadableError
from mazzo.statistics import Z95

if TYPE_CHECKING:
    from mazzo.blackjack.documents.traversal_value import AfterCards, Starts, Together
    from mazzo.blackjack.rules import Rules

__all__ = ["traverse", "whole"]


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
    "mazzo blackjack traverse --value --rules hungarian --cards 1-40 --weights rounds --mass 0.5 --exact 10",
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
@click.option(
    "--way",
    type=click.Choice(["distance", "waves", "best-first"]),
    default="distance",
    show_default=True,
    help="The memory-friendly walk, its basic form (6.3.5, keeps whole distances), exact order.",
)
@click.option(
    "--fill",
    metavar="RANKS",
    help="The order in which ranks fill, such as 3,1,2 (each of 1 to l once, then again), or thesis; else 1 to l.",
)
@click.option("--value", is_flag=True, help="E_pos and E_neg of blackjack after K cards, by --rules.")
@click.option(
    "--weights",
    type=click.Choice(["rounds", "cut", "even"]),
    help="With --value: one E_pos and E_neg over all K, each weighed by the chance that a round begins there (by "
    "simulated shoes), that the cut card lies behind it (6.3), or all alike.",
)
@control
@network_file
@click.option("--informed", is_flag=True, help="With --value: best play at every level of a split (an upper bound).")
@click.option("--exact", type=click.IntRange(min=1), default=200, show_default=True, help="Exact values per K.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress of --value in this file; the same command resumes from it.",
)
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
    weights: str | None,
    control: str,
    network: Path | None,
    informed: bool,
    exact: int,
    checkpoint: Path | None,
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
    if not value:
        has_effect_only("with --value", "weights", "informed", "exact", "control", "network", "checkpoint", "workers")
    if fill is not None and (value or way != "distance"):
        raise UnreadableError("--fill says how --way distance begins; it has no meaning with other ways or --value")
    order = None if fill is None else _order(fill)
    if value:
        rules, _ = read_setting(rules_name, changes, None)
        options = {
            "mass": mass,
            "exact": exact,
            "seed": seed,
            "informed": informed,
            "control": control,
            "network": network,
            "workers": workers,
            "checkpoint": checkpoint,
        }
        _traverse_values(numbers, weights, rules, options, as_json, quiet)
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
    from mazzo.blackjack.documents.traversal import state_space, waves
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
    sizes: list[tuple[int, float]] = []
    blocks = waves(each, ranks, gone) if way == "waves" else best_first((each,) * ranks, gone, mass)
    for _, chances in blocks:
        sizes.append((len(chances), float(chances.sum())))
        if sum(m for _, m in sizes) >= mass:
            break
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
    numbers: range, weights: str | None, rules: Rules, options: dict[str, Any], as_json: bool, quiet: bool
) -> None:
    from mazzo.blackjack.documents.traversal_value import starts, together, values_after

    chances = None if weights is None else starts(rules, weights, numbers, seed=options["seed"])
    wanted = [k for k in numbers if chances is None or chances.chances[k] > 0]
    _say_how_much(rules, wanted, options["mass"], quiet or as_json)
    found = []
    with progress("numbers of cards", len(wanted), quiet) as advance:
        for one in values_after(rules, wanted, advance=advance, **options):
            found.append(one)
    whole = None if chances is None else together(found, chances)
    if as_json:
        rows = [_value_row(one, chances) for one in found]
        summed = None if whole is None else {**asdict(whole), "break_even": whole.break_even, "weights": weights}
        told = {name: options[name] for name in ("seed", "informed", "control")}
        print_json({"rows": rows, "together": summed, **told, "rules": rules.as_dict()})
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
    if whole is not None:
        _show_together(whole)


def _say_how_much(rules: Rules, numbers: list[int], mass: float, silent: bool) -> None:
    """How many compositions there will be, where they are many."""
    import numpy as np

    from mazzo.blackjack.documents.likely import threshold_of
    from mazzo.blackjack.shoe import shoe_of

    rng_key = np.random.default_rng(0)
    expected = sum(threshold_of(shoe_of(rules).counts, k, mass, rng_key, 4000)[1] for k in numbers)
    if expected > 1e6:
        note(f"about {expected / 1e6:.0f} million compositions to visit, 1 to 10 microseconds each", silent)


def _value_row(found: AfterCards, chances: Starts | None) -> dict[str, Any]:
    return {
        "cards": found.cards,
        "combinations": found.combinations,
        "compositions": found.compositions,
        "mass": found.mass,
        "exact": found.exact,
        "positive": found.positive.mean,
        "positive_error": found.positive.standard_error,
        "negative": found.negative.mean,
        "negative_error": found.negative.standard_error,
        "left": [{"mean": part.mean, "standard_error": part.standard_error} for part in found.left],
        "bias": list(found.bias),
        "weight": None if chances is None else float(chances.chances[found.cards]),
    }


def _show_together(whole: Together) -> None:
    print_table(
        ("all K, each as often as a round begins there", "E_pos", LEVEL, "E_neg", LEVEL),
        [
            (
                what,
                f"{positive.mean:+.6f}",
                interval_text(positive),
                f"{negative.mean:+.6f}",
                interval_text(negative),
            )
            for what, positive, negative in (
                ("a round", whole.positive, whole.negative),
                ("of that, not visited", *whole.left),
            )
        ],
    )
    click.echo(
        f"{whole.rounds:.2f} rounds of a shoe begin there; {whole.mass:.4f} of the probability visited in "
        f"{whole.compositions} compositions ({whole.combinations} of thirteen ranks); break-even ratio of bets "
        f"{whole.break_even:.3f}; {whole.exact} exact values: the evaluator alone would be off by "
        f"{whole.bias[0]:+.6f} and {whole.bias[1]:+.6f}"
    )


_MOST_CARDS = 24


@command(
    "mazzo blackjack whole 2,0,0,0,0,0,0,6,4,9 --set max_hands=1 --set double_after_split=false --set penetration=0.4",
)
@click.argument("shoe")
@rules_name
@changes
@as_json
def whole(shoe: str, rules_name: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Count a tiny shoe through: every round, every card.

    The recursion of Bodon (2000), 6.3.1-6.3.2: E_pos and E_neg without any approximation.
    """
    from mazzo.blackjack.documents.recursion import survival, whole_shoe
    from mazzo.blackjack.round import Round

    rules, full = read_setting(rules_name, changes, shoe)
    assert full is not None
    if full.cards > _MOST_CARDS:
        raise UnreadableError(
            f"a shoe of {full.cards} cards cannot be counted through: every card of every round would take years; "
            f"give at most {_MOST_CARDS} cards as ten counts, or play shoes with `mazzo blackjack shoes`"
        )
    if not Round.enough(rules, full):
        raise UnreadableError(f"the shoe {full} is too small for a round: give one with more cards")
    found = whole_shoe(rules, full, survival(rules.penetration * full.cards, rules.cut_sigma))
    figures = {"rounds": found.rounds, "positive": found.positive, "negative": found.negative, "won": found.won}
    if as_json:
        print_json({**figures, "compositions": len(found.starts), "shoe": list(full.counts), "rules": rules.as_dict()})
        return
    names = ("rounds of a shoe", "E_pos, a round", "E_neg, a round", "won by a unit on every round")
    print_table(
        ("what", "exactly"), [(name, f"{value:+.9f}") for name, value in zip(names, figures.values(), strict=True)]
    )
    click.echo(f"{len(found.starts)} compositions in which a round begins")
