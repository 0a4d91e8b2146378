"""`mazzo solve show`, `compare` and `push-fold`: looking at solutions, and all-in or fold before the flop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, print_json, print_table
from mazzo.errors import UnreadableError

__all__ = ["compare_spots", "push_fold", "show_spot"]

_FILE = click.Path(dir_okay=False, path_type=Path)
_AT = click.option(
    "--at", "where", default="", help='A place: actions and cards, "b100 c / Ks / k".  [default: the start]'
)


@command(
    "mazzo solve show turn.mz",
    'mazzo solve show turn.mz --at "b100 c / Ks / k"',
    'mazzo solve show turn.mz --at "k b100" --hands --json',
    'mazzo solve show turn.mz --at "k b100" --where "HAND_TYPE=PAIR, ALL_IN_EQUITY>0.5"',
    'mazzo solve show turn.mz --at "k k" --runouts',
    'mazzo solve show flop.mz --at "k k / * / k k" --runouts',
    name="show",
)
@click.argument("file", type=_FILE)
@_AT
@click.option("--hands", "by_hand", is_flag=True, help="Every hand, not only classes.")
@click.option("--where", "tests", help="Only hands whose attributes are so: HAND_TYPE=FLUSH, DRAWS!=NO_DRAW.")
@click.option(
    "--runouts",
    is_flag=True,
    help="Every card that may come next: EVs and shares of actions. In --at, * is any card before.",
)
@as_json
def show_spot(file: Path, where: str, by_hand: bool, tests: str | None, runouts: bool, as_json: bool) -> None:
    """Show one decision of a solved spot.

    EV, equity and mix of actions for every class of hands.
    """
    from mazzo.holdem.solver.spot.file import load
    from mazzo.holdem.solver.spot.reports import chosen_by, run_outs

    solution = load(file)
    if runouts:
        found = run_outs(solution, where)
        if as_json:
            print_json(found.as_dict())
        else:
            click.echo(str(found))
        return
    view = solution.at(where)
    if as_json:
        print_json(_as_data(view, by_hand, tests))
    else:
        chosen = chosen_by(view, tests) if tests else None  # what is wrong with it is said before anything else
        click.echo(str(view))
        _print_node(view, by_hand, tests, chosen)


def _as_data(view: Any, by_hand: bool, tests: str | None) -> dict[str, Any]:
    from mazzo.holdem.solver.spot.reports import chosen_by, defence

    data: dict[str, Any] = view.as_dict(by_hand)
    bet = defence(view)
    if bet is not None:
        data["bet"] = {
            "pots": bet.size,
            "minimum_defence": bet.minimum,
            "defence": bet.actual,
            "bluffs_per_value": bet.bluffs_per_value,
        }
    if tests:
        chosen = chosen_by(view, tests)
        data["where"] = {
            "tests": tests,
            "hands": _names(view, chosen),
            "totals": _finite(view.totals(chosen)),
            **_finite({"ev": view.mean(view.actor, view.ev(view.actor), chosen)}),
        }
    return data


def _finite(numbers: dict[str, float]) -> dict[str, float | None]:
    return {key: None if value != value else value for key, value in numbers.items()}


def _names(view: Any, chosen: Any) -> list[str]:
    from mazzo.holdem.solver.spot.view import hand_name

    cards, reach = view.plan.hands.cards[view.actor], view.reach[view.actor]
    return [hand_name(cards[k]) for k in range(len(cards)) if chosen[k] and reach[k] > 0]


def _print_node(view: Any, by_hand: bool, tests: str | None, chosen: Any) -> None:
    from mazzo.holdem.solver.spot.reports import defence
    from mazzo.holdem.solver.spot.spot import PLAYERS
    from mazzo.holdem.solver.spot.view import in_words

    if view.actor is None:
        return
    if (bet := defence(view)) is not None:
        click.echo(
            f"facing {bet.size:.2f} pots: minimum defence {100 * bet.minimum:.1f} %, "
            f"defends {in_words(100 * bet.actual, '{:.1f} %')}; "
            f"a bet of this size has {bet.bluffs_per_value:.2f} bluffs per value bet"
        )
    click.echo()
    data = view.by_hand(view.actor) if by_hand or tests else view.by_class(view.actor)
    mixes = view.mix_by_hand() if by_hand or tests else {name: row["mix"] for name, row in data.items()}
    if tests:
        data = {name: data[name] for name in _names(view, chosen)}
        totals = ", ".join(f"{n} {100 * s:.1f} %" for n, s in view.totals(chosen).items())
        click.echo(f"{len(data)} hands with {tests}: {totals}" if data else f"no hand with {tests} gets here")
    rows = [
        (
            name,
            *(_cell(row[key], scale, digits) for key, scale, digits in (("ev", 1, 3), ("equity", 100, 1))),
            *(_cell(mixes[name][action], 100, 1) for action in view.actions),
        )
        for name, row in data.items()
    ]
    if rows:
        print_table((f"{PLAYERS[view.actor]}", "EV", "equity %", *(f"{word} %" for word in view.words)), rows)


def _cell(value: float | None, scale: float, digits: int) -> str:
    return "-" if value is None else f"{scale * value:.{digits}f}"


@command("mazzo solve compare one.mz other.mz", 'mazzo solve compare one.mz other.mz --at "k b100"', name="compare")
@click.argument("first", type=_FILE)
@click.argument("second", type=_FILE)
@_AT
@as_json
def compare_spots(first: Path, second: Path, where: str, as_json: bool) -> None:
    """Compare two solved spots at one decision.

    EVs, shares of actions, and hands that are played differently.
    """
    from mazzo.holdem.solver.spot.file import load
    from mazzo.holdem.solver.spot.reports import compare

    found = compare(load(first), load(second), where)
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(str(found))


@command("mazzo solve push-fold 10", "mazzo solve push-fold 7.5 --limp --json", name="push-fold")
@click.argument("stack", type=float)
@click.option("--limp", is_flag=True, help="The small blind may also call; such pots are checked down.")
@click.option(
    "--until",
    type=click.FloatRange(min=0),
    default=1e-7,
    show_default=True,
    help="Stop when a best response gains no more than this, in big blinds per hand.",
)
@as_json
def push_fold(stack: float, limp: bool, until: float, as_json: bool) -> None:
    """Solve push or fold heads-up with STACK big blinds, exactly.

    STACK is 2 to 25 big blinds.
    """
    from mazzo.holdem.solver.push_fold import solve_push_fold

    if until == 0:
        raise UnreadableError("--until must be above 0")
    found = solve_push_fold(stack, limp=limp, until=until)
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(str(found))
