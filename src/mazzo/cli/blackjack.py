"""`mazzo blackjack ...`: exact values, charts, advice, simulation and learning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mazzo.arena.workers import Workers
from mazzo.cli.app import Lazy
from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.rules import Rules
    from mazzo.blackjack.shoe import Shoe
    from mazzo.blackjack.strategy import Table

__all__ = ["COMMANDS", "blackjack", "changes", "read_setting", "rules_name", "shoe_text"]

_HERE = ("chart", "climb", "compare", "edges", "ev", "hand", "learn", "network", "prune", "rules", "simulate")
_BETS = ("bet", "count", "drill", "independent", "shoes", "traverse")
COMMANDS = {
    **{name: f"mazzo.cli.blackjack:{name}" for name in _HERE},
    **{name: f"mazzo.cli.blackjack_bets:{name}" for name in _BETS},
}

_F = TypeVar("_F", bound=Callable[..., Any])

rules_name = click.option(
    "--rules",
    "rules_name",
    default="strip",
    show_default=True,
    metavar="NAME",
    help="strip, h17, european, hungarian, or a .toml file.",
)
changes = click.option(
    "--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change one rule; may be given again."
)
shoe_text = click.option(
    "--shoe", "shoe_text", metavar="SHOE", help="6d, 6d-7,8,2 (less those cards) or ten counts; else a fresh shoe."
)


_PLAYS = ("stand", "hit", "double", "split", "surrender", "even money")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:+.6f}"


@click.group(cls=Lazy, commands_at=COMMANDS)
def blackjack() -> None:
    """Blackjack from the rules alone: exact values, charts, advice, simulation, learning."""


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
    return named_rules(rules_name, given), Shoe.parse(shoe_text) if shoe_text else None


def _read_table(path: str | None, rules: Rules, shoe: Shoe | None) -> Table:
    from mazzo.blackjack.exact.total import best_table
    from mazzo.blackjack.strategy import Table
    from mazzo.studies.bodon import printed_table

    if path is None:
        return best_table(rules, shoe).table
    if path == "bodon":
        return printed_table()
    try:
        return Table.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as wrong:
        raise UnreadableError(f"cannot read the strategy {path}: {wrong}") from None


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
    method: str, rules: Rules, shoe: Shoe | None, depth: int, tolerance: float | None = None
) -> tuple[float, Any]:
    if method == "infinite":
        from mazzo.blackjack.infinite import infinite_ev

        return infinite_ev(rules, shoe), None
    if method == "hybrid":
        from mazzo.blackjack.hybrid import hybrid_ev, hybrid_to_tolerance

        if tolerance is not None:
            return hybrid_to_tolerance(rules, shoe, tolerance)[-1].ev, None
        return hybrid_ev(rules, shoe, depth), None
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
    type=click.Choice(["exact", "two-card", "total", "infinite", "hybrid"]),
    default="exact",
    show_default=True,
    help="exact: every card counts; two-card and total: strategies that know less; infinite deck; hybrid.",
)
@click.option("--depth", type=click.IntRange(0, 6), default=4, show_default=True, help="Cards counted by the hybrid.")
@click.option("--tolerance", type=float, help="Deepen the hybrid until a card more changes the value by no more.")
@click.option("--states", is_flag=True, help="Every two-card hand against every upcard too.")
@as_json
def ev(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    method: str,
    depth: int,
    tolerance: float | None,
    states: bool,
    as_json: bool,
) -> None:
    """What one round earns per unit bet, played at its best."""
    from mazzo.blackjack.rules import INFINITE

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    if method == "exact" and rules.decks == INFINITE and shoe is None:
        method = "infinite"
    _evaluate(method, rules, shoe, min(depth, 3))  # compiles on first use, which is not the method's time
    began = perf_counter()
    value, analysis = _evaluate(method, rules, shoe, depth, tolerance)
    seconds = perf_counter() - began
    if states and analysis is None:
        raise UnreadableError(f"--states needs a method that counts cards (exact, two-card, total), not {method}")
    data: dict[str, Any] = {"ev": value, "method": method, "seconds": seconds, "rules": rules.as_dict()}
    data["shoe"] = list(shoe.counts) if shoe else None
    if states:
        data["states"] = list(analysis.states())
    if as_json:
        print_json(data)
        return
    click.echo(f"{value:+.9f} of the bet a round ({method}, {seconds:.3f} s)")
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


@command("mazzo blackjack hand 8,8 v 10", "mazzo blackjack hand 10,6 v T --rules hungarian --shoe 6d-5,5,4")
@click.argument("situation", nargs=-1, required=True)
@rules_name
@changes
@shoe_text
@as_json
def hand(
    situation: tuple[str, ...], rules_name: str, changes: tuple[str, ...], shoe_text: str | None, as_json: bool
) -> None:
    """What every play of a hand is worth, and what a wrong one costs."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.shoe import RANKS, parse_situation, text_of

    cards, upcard = parse_situation(" ".join(situation))
    rules, shoe = read_setting(rules_name, changes, shoe_text)
    analysis = analyse(rules, shoe)
    plays = analysis.plays(cards, upcard)
    best = next(iter(plays))
    insurance = analysis.insurance(cards) if rules.insurance and upcard == 0 else None
    if as_json:
        options = [{"play": name, "ev": value, "cost": plays[best] - value} for name, value in plays.items()]
        print_json({"hand": text_of(cards), "upcard": RANKS[upcard], "best": best, "plays": options,
                    "insurance": insurance, "rules": rules.as_dict()})  # fmt: skip
        return
    given = ", given that the dealer has no blackjack" if rules.peek and upcard in (0, 9) else ""
    click.echo(f"{text_of(cards)} against {RANKS[upcard]}: {best}{given}")
    print_table(
        ("play", "ev", "cost"),
        [(name, f"{value:+.9f}", f"{plays[best] - value:.6f}") for name, value in plays.items()],
    )
    if insurance is not None:
        click.echo(f"insurance (half the bet): {insurance:+.6f}, {'take it' if insurance > 0 else 'leave it'}")


@command(
    "mazzo blackjack chart --rules hungarian",
    "mazzo blackjack chart --format svg > chart.svg",
    "mazzo blackjack chart --rules h17 --format html --output h17.html",
)
@rules_name
@changes
@shoe_text
@click.option("--format", "form", type=click.Choice(["text", "letters", "html", "svg"]), default="text",
              show_default=True, help="letters: the file that simulate --strategy reads.")  # fmt: skip
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@as_json
def chart(
    rules_name: str, changes: tuple[str, ...], shoe_text: str | None, form: str, output: Path | None, as_json: bool
) -> None:
    """The best strategy by total and upcard, as text or as a coloured picture."""
    import os
    import sys

    from mazzo.blackjack.chart import chart_html, chart_of, chart_svg, chart_text
    from mazzo.blackjack.strategy import ROWS

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    found = chart_of(rules, shoe)
    title = f"Blackjack: {rules_name}{''.join(f', {change}' for change in changes)}"
    if as_json:
        print_json({"rows": dict(zip(ROWS, found.table.letters, strict=True)), "ev": found.ev,
                    "rules": rules.as_dict()})  # fmt: skip
        return
    worth = f"worth {found.ev:+.6f} of the bet a round"
    colour = output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = {
        "text": lambda: chart_text(found.table, colour) + f"\n{worth}",
        "letters": lambda: str(found.table),
        "html": lambda: chart_html(found.table, title, worth),
        "svg": lambda: chart_svg(found.table, title),
    }[form]()
    if output:
        output.write_text(text + "\n", encoding="utf-8")
        note(f"written to {output}")
    else:
        click.echo(text)


@command("mazzo blackjack compare strip h17", "mazzo blackjack compare strip mine.toml --json")
@click.argument("one")
@click.argument("other")
@as_json
def compare(one: str, other: str, as_json: bool) -> None:
    """Where the best charts of two sets of rules differ."""
    from mazzo.blackjack.chart import chart_of
    from mazzo.blackjack.rules import named_rules

    first, second = chart_of(named_rules(one)), chart_of(named_rules(other))
    cells = list(first.table.differences(second.table))
    if as_json:
        keys = ("row", "upcard", one, other)
        print_json({"differences": [dict(zip(keys, cell, strict=True)) for cell in cells],
                    "ev": {one: first.ev, other: second.ev}})  # fmt: skip
        return
    print_table(("hand", "upcard", one, other), cells)
    click.echo(f"{len(cells)} cells differ; worth {first.ev:+.6f} and {second.ev:+.6f} of the bet a round")


@command("mazzo blackjack edges", "mazzo blackjack edges --rules hungarian --json")
@rules_name
@changes
@as_json
@quiet
def edges(rules_name: str, changes: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """What each rule change is worth to the player."""
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


@command(
    "mazzo blackjack simulate --rules hungarian --rounds 100000000",
    "mazzo blackjack simulate --strategy bodon --rules hungarian --through",
)
@rules_name
@changes
@shoe_text
@click.option(
    "--strategy", metavar="FILE", help="A table of letters (chart --format letters), or bodon; else the best."
)
@click.option("--rounds", type=click.IntRange(min=1), default=10_000_000, show_default=True)
@click.option("--through", is_flag=True, help="Play shoes to the cut card instead of reshuffling every round.")
@click.option("--insurance", type=click.Choice(["never", "always", "counted"]), default="counted", show_default=True)
@seed
@workers
@as_json
@quiet
def simulate(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    strategy: str | None,
    rounds: int,
    through: bool,
    insurance: str,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play a strategy and say what it earned, with its error."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.rules import INFINITE
    from mazzo.blackjack.simulation import simulate as play
    from mazzo.blackjack.strategy import policy_of

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    table = _read_table(strategy, rules.changed(decks=8) if rules.decks == INFINITE else rules, shoe)
    with progress("rounds", rounds, quiet) as advance:
        result = play(rules, table, rounds, seed, shoe, through, insurance, workers, advance)
    exact = analyse(rules, shoe, policy_of(table, rules)).ev if rules.decks != INFINITE and not through else None
    low, high = result.estimate.ci95
    if as_json:
        print_json({"ev": result.estimate.mean, "standard_error": result.estimate.standard_error, "ci95": [low, high],
                    "rounds": result.rounds, "seconds": result.seconds, "exact": exact, "seed": seed,
                    "method": "simulation", "rules": rules.as_dict()})  # fmt: skip
        return
    click.echo(f"{result.estimate.mean:+.6f} of the bet a round, 95 % between {low:+.6f} and {high:+.6f}")
    click.echo(f"{result.rounds} rounds, {result.rounds / result.seconds / 1e6:.1f} million a second, seed {seed}")
    if exact is not None:
        errors = (result.estimate.mean - exact) / result.estimate.standard_error
        click.echo(f"exact: {exact:+.9f}, {errors:+.2f} standard errors away")


@command("mazzo blackjack climb --rules hungarian --rounds 200000 --sweeps 2")
@rules_name
@changes
@click.option("--rounds", type=click.IntRange(min=1000), default=200_000, show_default=True, help="A test's rounds.")
@click.option("--sweeps", type=click.IntRange(min=1), default=2, show_default=True, help="Times over the table.")
@seed
@as_json
@quiet
def climb(
    rules_name: str, changes: tuple[str, ...], rounds: int, sweeps: int, seed: int, as_json: bool, quiet: bool
) -> None:
    """Search a strategy by simulation alone, from a beginner's table."""
    from mazzo.blackjack.climb import climb as search
    from mazzo.blackjack.climb import start_table
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.strategy import ROWS, policy_of

    rules, _ = read_setting(rules_name, changes, None)
    with progress("cells", sweeps * len(ROWS) * 10, quiet) as advance:
        found = search(rules, None, rounds, sweeps, seed, None, advance)
    before, after = (analyse(rules, None, policy_of(table, rules)).ev for table in (start_table(), found.table))
    if as_json:
        print_json({"ev": after, "ev_before": before, "tried": found.tried, "kept": len(found.changes), "seed": seed,
                    "rows": dict(zip(ROWS, found.table.letters, strict=True))})  # fmt: skip
        return
    click.echo(str(found.table))
    click.echo(
        f"{len(found.changes)} of {found.tried} changes kept; exact value {before:+.6f} before, {after:+.6f} now"
    )


@command(
    "mazzo blackjack learn --rules hungarian --rounds 50000000",
    "mazzo blackjack learn --through --unchanged-for 20000000 --json",
)
@rules_name
@changes
@click.option("--rounds", type=click.IntRange(min=1), default=20_000_000, show_default=True, help="Stop after these.")
@click.option("--every", type=click.IntRange(min=1), default=2_000_000, show_default=True, help="A point of the curve.")
@click.option("--change-below", type=float, default=0.0, help="Stop when no value moved by this between two points.")
@click.option("--unchanged-for", type=int, default=0, help="Stop when the table stayed the same for so many rounds.")
@click.option("--through", is_flag=True, help="Play shoes to the cut card instead of reshuffling every round.")
@seed
@as_json
@quiet
def learn(
    rules_name: str,
    changes: tuple[str, ...],
    rounds: int,
    every: int,
    change_below: float,
    unchanged_for: int,
    through: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Q-learning: a player that tries everything at random and remembers."""
    from mazzo.blackjack.qlearning import Learner, compare_with_exact
    from mazzo.blackjack.strategy import ROWS

    rules, _ = read_setting(rules_name, changes, None)
    learner = Learner(rules, through, seed)
    with progress("rounds", rounds, quiet) as advance:
        curve = list(learner.learn(rounds, every, change_below, unchanged_for, True, advance))
    differences = compare_with_exact(learner)
    if as_json:
        print_json({"ev": curve[-1].ev, "curve": [vars(point) for point in curve], "seed": seed,
                    "differences": [vars(difference) for difference in differences],
                    "rows": dict(zip(ROWS, learner.table().letters, strict=True))})  # fmt: skip
        return
    print_table(
        ("rounds", "Q of the start", "exact value of the table", "largest change"),
        [(p.rounds, f"{p.start:+.6f}", f"{p.ev:+.6f}", f"{p.largest_change:.4f}") for p in curve],
    )
    click.echo(str(learner.table()))
    print_table(
        ("hand", "upcard", "learned", "exact", "cost"),
        [(d.row, d.upcard, d.learned, d.exact, f"{d.cost:.7f}") for d in differences],
    )


@command("mazzo blackjack prune --rules hungarian --shoes 100 --json")
@rules_name
@changes
@click.option("--shoes", type=click.IntRange(min=1), default=100, show_default=True, help="Random shoes to test on.")
@seed
@as_json
@quiet
def prune(rules_name: str, changes: tuple[str, ...], shoes: int, seed: int, as_json: bool, quiet: bool) -> None:
    """Cut plays that are never best, with the evidence, and say what that saves and costs."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.pruned import burn_in, pruned_analysis
    from mazzo.blackjack.sampling import played_shoes

    rules, _ = read_setting(rules_name, changes, None)
    with progress("shoes", shoes, quiet) as advance:
        cuts = burn_in(rules, shoes, seed, advance)
    errors, seconds = [], [0.0, 0.0]
    pruned_analysis(cuts)
    for shoe in played_shoes(rules, 10, seed + 1):
        began = perf_counter()
        full = analyse(rules, shoe)
        middle = perf_counter()
        errors.append(full.ev - pruned_analysis(cuts, shoe).ev)
        seconds[0] += middle - began
        seconds[1] += perf_counter() - middle
    worst = max(map(abs, errors))
    if as_json:
        print_json({"shoes": shoes, "seed": seed, "hands_valued": int(cuts.rows.sum()), "worst_error": worst,
                    "seconds_exact": seconds[0] / 10, "seconds_pruned": seconds[1] / 10,
                    "evidence": list(cuts.evidence())})  # fmt: skip
        return
    click.echo(f"{int(cuts.rows.sum())} of 3082 hands need the dealer's chances after the cuts ({shoes} random shoes)")
    click.echo(f"on 10 other shoes: worst error {worst:.2e}, {seconds[1] / 10:.3f} s against {seconds[0] / 10:.3f} s")


@command("mazzo blackjack network --rules hungarian --points 500 --workers 2")
@rules_name
@changes
@click.option(
    "--points", type=click.IntRange(min=20), default=400, show_default=True, help="Exact shoes to learn from."
)
@seed
@workers
@as_json
@quiet
def network(
    rules_name: str, changes: tuple[str, ...], points: int, seed: int, workers: Workers, as_json: bool, quiet: bool
) -> None:
    """Train a network to guess a shoe's value, and say whether it is worth it."""
    from mazzo.blackjack.neural import train_network

    rules, _ = read_setting(rules_name, changes, None)
    with progress("exact shoes", points, quiet) as advance:
        report = train_network(rules, points, seed, workers, advance=advance)
    if as_json:
        print_json({"trained_on": report.trained_on, "held_out": report.held_out, "worth_it": report.worth_it,
                    "rmse": {"network": report.rmse_network, "infinite": report.rmse_infinite,
                             "corrected_infinite": report.rmse_corrected}, "seed": seed})  # fmt: skip
        return
    print_table(
        ("method", "error (root mean square)"),
        [
            ("network", f"{report.rmse_network:.6f}"),
            ("infinite deck", f"{report.rmse_infinite:.6f}"),
            ("infinite deck + (EV0 - inf0) n0/n", f"{report.rmse_corrected:.6f}"),
        ],
    )
    click.echo(
        "the network is worth it" if report.worth_it else "the network is not worth it: the correction is better"
    )
