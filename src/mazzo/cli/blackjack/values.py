"""`mazzo blackjack ...`: the rules, exact values, charts and advice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name, shoe_text
from mazzo.cli.common import Number, as_json, command, has_effect_only, note, print_json, print_table, progress, quiet
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.documents.hybrid import Depth
    from mazzo.blackjack.exact.analysis import Analysis
    from mazzo.blackjack.rules import Rules
    from mazzo.blackjack.shoe import Shoe

__all__ = ["chart", "compare", "edges", "ev", "hand", "rules"]

_PLAYS = ("stand", "hit", "double", "split", "surrender", "even money")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:+.6f}"


def _infinite(rules: Rules, shoe: Shoe | None) -> Analysis:
    """The infinite deck with the proportions of a shoe, whatever number of decks the rules have."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.shoe import shoe_of

    return analyse(rules.changed(decks="infinite"), shoe or shoe_of(rules))


@command("mazzo blackjack rules --rules hungarian", "mazzo blackjack rules --set decks=8 --set peek=false > mine.toml")
@rules_name
@changes
@as_json
def rules(rules_name: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Print rules as TOML that --rules reads back."""
    found, _ = read_setting(rules_name, changes, None)
    if as_json:
        print_json({"rules": found.as_dict()})
    else:
        click.echo(str(found))


def _evaluate(
    method: str, rules: Rules, shoe: Shoe | None, depth: int, tolerance: float | None, splits: str, cuts: Path | None
) -> tuple[float, Any]:
    if splits != "unsplit":
        from mazzo.blackjack.exact.informed import informed_ev

        return informed_ev(rules, shoe, splits), None
    if method == "infinite":
        from mazzo.blackjack.infinite import infinite_ev

        return infinite_ev(rules, shoe), None
    if method == "hybrid":
        from mazzo.blackjack.documents.hybrid import hybrid_ev, hybrid_to_tolerance

        if tolerance is not None:
            steps = hybrid_to_tolerance(rules, shoe, tolerance)
            return steps[-1].ev, steps
        return hybrid_ev(rules, shoe, depth), None
    if method == "pruned":
        from mazzo.blackjack.documents.long_burn_in import load_cuts
        from mazzo.blackjack.documents.pruned import pruned_analysis

        assert cuts is not None
        analysis = pruned_analysis(load_cuts(cuts, rules), shoe)
        return analysis.ev, analysis
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.exact.total import best_table, two_card_dependent

    if method == "total":
        analysis = best_table(rules, shoe).analysis
    else:
        analysis = two_card_dependent(rules, shoe) if method == "two-card" else analyse(rules, shoe)
    return analysis.ev, analysis


@command(
    "mazzo blackjack ev --rules hungarian",
    "mazzo blackjack ev --shoe 6d-7,8,2,8,3,5,2 --rules hungarian --json --states",
    "mazzo blackjack ev --method infinite --set decks=8",
)
@rules_name
@changes
@shoe_text
@click.option(
    "--method",
    type=click.Choice(["exact", "two-card", "total", "infinite", "hybrid", "pruned"]),
    default="exact",
    show_default=True,
    help="exact: composition-dependent; two-card or total-dependent strategy; infinite deck; hybrid; pruned by --cuts.",
)
@click.option(
    "--depth", type=click.IntRange(0, 6), default=4, show_default=True, help="Cards that the hybrid counts exactly."
)
@click.option(
    "--tolerance",
    type=Number(min=0, min_open=True),
    help="Deepen the hybrid until it is at most this far from the exact value.",
)
@click.option(
    "--cuts",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Cuts for --method pruned, made by `mazzo blackjack prune --save`.",
)
@click.option(
    "--splits",
    type=click.Choice(["unsplit", "first", "best", "known"]),
    default="unsplit",
    show_default=True,
    help="Hands from a split: as unsplit; best after the first split; best term by term; best for what is known.",
)
@click.option(
    "--distribution",
    is_flag=True,
    help="Exact probability of every result (max_hands 1 or 2); with more hands the exact variance.",
)
@click.option("--states", is_flag=True, help="Also print every two-card hand against every upcard.")
@as_json
def ev(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    method: str,
    depth: int,
    tolerance: float | None,
    cuts: Path | None,
    splits: str,
    distribution: bool,
    states: bool,
    as_json: bool,
) -> None:
    """What one round earns per unit bet, played at its best."""
    from mazzo.blackjack.rules import INFINITE

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    if distribution:
        _show_distribution(rules, shoe, as_json)
        return
    if method == "exact" and splits == "unsplit" and rules.decks == INFINITE:
        method = "infinite"
    if (method == "pruned") != (cuts is not None):
        raise UnreadableError("--method pruned and --cuts go together: `mazzo blackjack prune --save FILE` makes cuts")
    if method != "hybrid":
        has_effect_only("with --method hybrid", "tolerance")
    if splits != "unsplit" and (method != "exact" or states):
        raise UnreadableError(f"--splits {splits} goes with the exact method alone, without --states")
    _evaluate(method, rules, shoe, min(depth, 3), None, splits, cuts)  # compiles on first use: not the method's time
    began = perf_counter()
    value, analysis = _evaluate(method, rules, shoe, depth, tolerance, splits, cuts)
    seconds = perf_counter() - began
    if states and method == "hybrid":
        raise UnreadableError(f"--states needs --method exact, two-card, total or infinite, got {method}")
    data: dict[str, Any] = {
        "ev": value,
        "method": method,
        "splits": splits,
        "seconds": seconds,
        "rules": rules.as_dict(),
    }
    data["shoe"] = list(shoe.counts) if shoe else None
    if method == "hybrid":
        data["depth"] = depth if tolerance is None else analysis[-1].depth
        data["steps"] = [] if tolerance is None else [vars(step) for step in analysis]
    if states:
        analysis = _infinite(rules, shoe) if method == "infinite" else analysis
        data["states"] = list(analysis.states())
    if as_json:
        print_json(data)
        return
    click.echo(f"{value:+.9f} of the bet a round ({method}, {seconds:.3f} s)")
    if method == "hybrid" and tolerance is not None:
        _show_depths(analysis)
    if states:
        rows = [
            (
                s["hand"],
                s["upcard"],
                f"{s['chance']:.6f}",
                s["best"],
                *(_number(s["plays"].get(play)) for play in _PLAYS),
            )
            for s in data["states"]
        ]
        print_table(
            ("hand", "upcard", "chance", "best", *_PLAYS),
            rows,
        )


def _show_depths(steps: list[Depth]) -> None:
    print_table(
        ("cards counted exactly", "ev", "off by", "seconds"),
        [
            (
                "all" if step.depth is None else step.depth,
                f"{step.ev:+.9f}",
                f"{step.error:+.9f}",
                f"{step.seconds:.3f}",
            )
            for step in steps
        ],
    )


def _show_distribution(rules: Rules, shoe: Shoe | None, as_json: bool) -> None:
    from mazzo.blackjack.exact.distribution import round_distribution, round_moments

    if rules.max_hands not in (1, 2):
        note("with resplits mean and variance are exact; the chance of each result is for max_hands 1 or 2", as_json)
        mean, variance = round_moments(rules, shoe)
        if as_json:
            whole = {"distribution": None, "ev": mean, "variance": variance}
            print_json({**whole, "rules": rules.as_dict(), "shoe": list(shoe.counts) if shoe else None})
        else:
            click.echo(f"mean {mean:+.9f}, standard deviation {variance**0.5:.6f}; exact")
        return
    found = round_distribution(rules, shoe)
    if as_json:
        chances = [{"result": result, "chance": chance} for result, chance in found.chances]
        full = {"distribution": chances, "ev": found.mean, "variance": found.variance}
        print_json({**full, "rules": rules.as_dict(), "shoe": list(shoe.counts) if shoe else None})
        return
    click.echo(str(found))


@command("mazzo blackjack hand 8,8 v 10", "mazzo blackjack hand 10,6 v T --rules hungarian --shoe 6d-5,5,4")
@click.argument("situation", nargs=-1, required=True)
@rules_name
@changes
@shoe_text
@as_json
def hand(
    situation: tuple[str, ...], rules_name: str, changes: tuple[str, ...], shoe_text: str | None, as_json: bool
) -> None:
    """The EV of every play of a hand, and what a wrong one costs."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.shoe import RANKS, parse_situation, text_of

    cards, upcard = parse_situation(" ".join(situation))
    rules, shoe = read_setting(rules_name, changes, shoe_text)
    analysis = analyse(rules, shoe)
    plays = analysis.plays(cards, upcard)
    best = next(iter(plays))
    insurance = analysis.insurance(cards) if rules.insurance and upcard == 0 and len(cards) == 2 else None
    side_bet = analysis.side_bet(cards, upcard) if len(cards) == 2 else None
    if as_json:
        options = [{"play": name, "ev": value, "cost": plays[best] - value} for name, value in plays.items()]
        print_json(
            {
                "hand": text_of(cards),
                "upcard": RANKS[upcard],
                "best": best,
                "plays": options,
                "insurance": insurance,
                "side_bet": side_bet,
                "rules": rules.as_dict(),
            }
        )
        return
    given = ", given that the dealer has no blackjack" if rules.peek and upcard in (0, 9) else ""
    click.echo(f"{text_of(cards)} against {RANKS[upcard]}: {best}{given}")
    print_table(
        ("play", "ev", "cost"),
        [(name, f"{value:+.9f}", f"{plays[best] - value:.6f}") for name, value in plays.items()],
    )
    if insurance is not None:
        advice = {"insure": "take it", "leave": "leave it"}.get(str(side_bet), "take even money instead")
        click.echo(f"insurance (half the bet): {insurance:+.6f}, {advice}")


@command(
    "mazzo blackjack chart --rules hungarian",
    "mazzo blackjack chart --format svg > chart.svg",
    "mazzo blackjack chart --rules h17 --format html --output h17.html",
)
@rules_name
@changes
@shoe_text
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "letters", "html", "svg"]),
    default="text",
    show_default=True,
    help="Format; letters is what simulate --strategy reads.",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--exceptions", is_flag=True, help="List the composition-dependent exceptions to the chart.")
@as_json
def chart(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    form: str,
    output: Path | None,
    exceptions: bool,
    as_json: bool,
) -> None:
    """Print the basic strategy chart for the rules.

    As text or as a coloured picture.
    """
    import os
    import sys

    from mazzo.blackjack.exact.total import chart as chart_of
    from mazzo.blackjack.strategy import ROWS
    from mazzo.document import Report
    from mazzo.reports.draw import grids_svg
    from mazzo.reports.page import html

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    if exceptions:
        _show_exceptions(rules, shoe, as_json)
        return
    found = chart_of(rules, shoe)
    title = f"Blackjack: {rules_name}{''.join(f', {change}' for change in changes)}"
    if as_json:
        print_json(
            {"rows": dict(zip(ROWS, found.table.letters, strict=True)), "ev": found.ev, "rules": rules.as_dict()}
        )
        return
    worth = f"worth {found.ev:+.6f} of the bet a round"
    colour = output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = {
        "text": lambda: found.table.chart(colour) + f"\n{worth}",
        "letters": lambda: str(found.table),
        "html": lambda: html(Report(title, [worth], [found.section()])),
        "svg": lambda: grids_svg(replace(found.section(), title=title)),
    }[form]()
    if output:
        from mazzo.files import folder_of, write_whole

        folder_of(output)

        write_whole(output, text + "\n")
        note(f"written to {output}")
    else:
        click.echo(text)


def _show_exceptions(rules: Rules, shoe: Shoe | None, as_json: bool) -> None:
    from mazzo.blackjack.counting.generate import composition_exceptions

    found = composition_exceptions(rules, shoe)
    keys = ("hand", "chart", "best", "cost_a_round")
    if as_json:
        print_json({"exceptions": [dict(zip(keys, line, strict=True)) for line in found], "rules": rules.as_dict()})
        return
    rows = [(hand, played, best, f"{1e6 * cost:.3f}") for hand, played, best, cost in found]
    print_table(("hand", "the chart", "these cards", "cost, millionths a round"), rows)
    click.echo(f"{len(found)} exceptions cost {1e6 * sum(line[3] for line in found):.1f} millionths of the bet a round")


@command("mazzo blackjack compare strip h17", "mazzo blackjack compare strip mine.toml --json")
@click.argument("one")
@click.argument("other")
@as_json
def compare(one: str, other: str, as_json: bool) -> None:
    """Where the best charts of two sets of rules differ."""
    from mazzo.blackjack.exact.total import chart as chart_of

    first, second = chart_of(one), chart_of(other)
    cells = list(first.table.differences(second.table))
    if as_json:
        keys = ("row", "upcard", one, other)
        print_json(
            {
                "differences": [dict(zip(keys, cell, strict=True)) for cell in cells],
                "ev": {one: first.ev, other: second.ev},
            }
        )
        return
    print_table(("hand", "upcard", one, other), cells)
    click.echo(f"{len(cells)} cells differ; EV {first.ev:+.6f} and {second.ev:+.6f} of the bet per round")


@command("mazzo blackjack edges", "mazzo blackjack edges --rules hungarian --json")
@rules_name
@changes
@as_json
@quiet
def edges(rules_name: str, changes: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """What each rule gains or costs the player."""
    from mazzo.blackjack.edges import round_ev, rule_changes

    rules, _ = read_setting(rules_name, changes, None)
    base = round_ev(rules)
    with progress("rule changes", 20, quiet) as advance:
        found = []
        for change in rule_changes(rules):
            found.append(change)
            advance(1)
    if as_json:
        print_json({"ev": base, "changes": [vars(change) for change in found], "rules": rules.as_dict()})
        return
    click.echo(f"{rules_name}: {base:+.6f} of the bet a round, a house edge of {-100 * base:.4f} %")
    print_table(("change", "ev", "to the player"), [(c.change, f"{c.ev:+.6f}", f"{c.difference:+.6f}") for c in found])
