"""`mazzo solve spot`: a spot after the flop."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import Number, as_json, command, note, print_json, quiet
from mazzo.errors import UnreadableError

__all__ = ["solve_spot"]


def _spot_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what the spot is; the command gets them as `keys`."""
    options = [
        click.option("--board", help="Three, four or five cards: Td9d6h."),
        click.option("--oop", help="Range of the player out of position: 22+,A2s+,KQo:0.5."),
        click.option("--ip", help="Range of the player in position."),
        click.option("--pot", type=int, help="Chips in the pot."),
        click.option("--stack", type=int, help="Chips each player has left."),
        click.option("--bets", help="Sizes of bets on every street: 50%,100% or 20c, a (all-in), e (geometric)."),
        click.option("--raises", help="Sizes of raises on every street: 3x, 50%, a."),
        click.option("--donks", help="Sizes of OOP's bets on turn and river after a call."),
        click.option("--rake", type=float, help="Share of the pot the house takes: 0.05."),
        click.option("--rake-cap", type=float, help="Never more chips than this."),
        click.option("--add-allin", type=float, help="Add all-in where it is at most so many pots."),
        click.option("--force-allin", type=float, help="Bets that leave less than so many pots are all-in."),
        click.option("--raise-cap", type=int, help="Bets and raises per street at most."),
        click.option("--set", "others", multiple=True, metavar="KEY=VALUE", help="Another key: ip_turn_bet=33%."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


_KEYS = (
    "board", "oop", "ip", "pot", "stack", "bets", "raises", "donks", "rake", "rake_cap", "add_allin", "force_allin",
    "raise_cap",
)  # fmt: skip


def _read(file: Path | None, options: dict[str, Any]) -> Any:
    from mazzo.holdem.solver.spot.spot import read_setting
    from mazzo.holdem.spots import find_spot

    keys = {key: options[key] for key in _KEYS if options[key] is not None}
    for item in options["others"]:
        name, value = read_setting(item)
        keys[name] = value
    if options["hand"] is not None:
        from mazzo.holdem.spots import DOUBT, spot_of_hand

        if file is not None:
            raise UnreadableError("a spot is taken from a file or from --hand, not from both")
        models = re.split(r",(?!\w+=)", options["models"])  # a comma before name=value is one of an agent's own
        if len(models) != 2:
            raise UnreadableError(
                f"--models takes two agents, out of position and in position, got {options['models']!r}"
            )
        return spot_of_hand(options["hand"], models, DOUBT, **keys)
    if file is None and not keys:
        raise UnreadableError("name the spot's file, or give --board, --oop, --ip, --pot and --stack")
    return find_spot(file, **keys)


@command(
    "mazzo solve spot river.json",
    "mazzo solve spot --board Td9d6hQc3s --oop 66+,A8s+,KQo --ip QQ-22,AQs-A2s --pot 200 --stack 400 "
    "--bets 50%,100% --raises 3x",
    "mazzo solve spot turn.toml --to 0.1 -o turn.mz",
    "mazzo solve spot turn.toml --ip-plays chart -o answer.mz",
    name="spot",
)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@_spot_options
@click.option(
    "--to",
    type=click.FloatRange(min=0),
    default=0.3,
    show_default=True,
    help="Stop when a best response gains no more than this, in per cent of the pot.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=5000, show_default=True, help="Rounds at most.")
@click.option("--method", help="dcfr or cfr+.  [default: dcfr, or that of the work that goes on]")
@click.option("--precise", is_flag=True, help="Numbers of 64 bits instead of 32.")
@click.option("--packed", is_flag=True, help="Numbers of 16 bits: half the memory.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Threads to use.")
@click.option("--memory", type=Number(min=0), help="Megabytes that may be used.  [default: most that is free]")
@click.option(
    "--hand",
    metavar="HAND",
    help="A hand of two players that has come to a new street: board, pot, stacks and ranges from it.",
)
@click.option(
    "--models", default="chart,chart", show_default=True, help="With --hand: agents whose ranges OOP and IP have."
)
@click.option("--lock", "locks", multiple=True, metavar="PLACE|HANDS|MIX", help="Fix a mix: 'b100|AA,KQs|c=0.5,f=0.5'.")
@click.option("--oop-plays", metavar="AGENT", help="An agent that plays OOP: find the best answer to it.")
@click.option("--ip-plays", metavar="AGENT", help="An agent that plays IP: find the best answer to it.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the solution.")
@click.option("--resume", is_flag=True, help="Go on from what the output file holds.")
@quiet
@as_json
def solve_spot(file: Path | None, **options: Any) -> None:
    """Solve a heads-up spot after the flop.

    The spot is FILE (JSON or TOML), or the options that describe it.
    Says first how much memory and time it takes. Ctrl-C stops and keeps the best strategies found so far; --resume
    goes on from them.
    """
    silent, output = options["quiet"], options["output"]
    found, kept = _solved(file, options)
    if output is not None:
        from mazzo.holdem.solver.spot.file import save

        unfinished = kept is not None and (kept.interrupted or kept.percent > options["to"])
        save(output, found, kept if unfinished else None)  # who may go on needs regrets too: more than the mixes
    if options["as_json"]:
        print_json({**found.as_dict(), "output": None if output is None else str(output)})
    else:
        click.echo(str(found))
        if found.gain is not None:
            _print_gain(found.gain)
    if found.exploitability_pct > options["to"]:
        more = "--resume goes on from the file" if output is not None else "with -o FILE it could go on from there"
        stopped = f"it stopped at {found.exploitability_pct:.4f} %, before {options['to']:g} % was reached"
        note(stopped if kept is None else f"{stopped}; {more}", silent)
    if output is not None:
        note(f'wrote {output}; look at it: mazzo solve show {output} --at "..."', silent)
    if kept is not None and kept.interrupted:
        raise click.exceptions.Exit(130)


def _solved(file: Path | None, options: dict[str, Any]) -> tuple[Any, Any]:
    """The solution, and the run it comes from where one could go on from it."""
    from mazzo.holdem.solver.spot.solving import run
    from mazzo.holdem.spots import solution_of, solve

    silent, output = options["quiet"], options["output"]
    teller = _Teller(silent)
    names = ("to", "rounds", "precise", "packed", "workers")
    common: dict[str, Any] = {name: options[name] for name in names}
    common["memory"] = None if options["memory"] is None else int(options["memory"] * 1e6)
    common["method"] = options["method"] or "dcfr"
    common |= {"progress": teller, "told": lambda found: note(str(found), silent)}
    if options["oop_plays"] or options["ip_plays"]:
        if options["resume"]:
            raise UnreadableError("the answer to an agent needs no long work: it is found at once, without --resume")
        plays = {name: options[name] for name in ("oop_plays", "ip_plays")}
        return solve(_read(file, options), locks=_locks(options["locks"]), **plays, **common), None
    start = None
    if options["resume"]:
        from mazzo.holdem.solver.spot.file import go_on

        if output is None:
            raise UnreadableError("--resume goes on from the file that --output names: name one")
        start = go_on(output, options["workers"], common["memory"]) if output.exists() else None
    if start is None:
        found = run(_read(file, options), locks=_locks(options["locks"]), **common)
        return solution_of(found), found
    for name, had in (("packed", start.engine.plan.packed), ("precise", start.engine.plan.dtype.itemsize == 8)):
        if common.pop(name) and not had:
            raise UnreadableError(f"the work in {output} was not begun with --{name}: it goes on as it was begun")
    common["method"] = options["method"] or start.method
    given = file is not None or options["hand"] is not None or options["others"] or any(options[k] for k in _KEYS)
    spot = _read(file, options) if given else start.engine.spot
    found = run(spot, locks=_locks(options["locks"]), start=start, **common)
    return solution_of(found), found


def _locks(texts: tuple[str, ...]) -> tuple[Any, ...]:
    from mazzo.holdem.solver.spot.locks import Lock

    out = []
    for text in texts:
        parts = [part.strip() for part in text.split("|")]
        mix: dict[str, float] = {}
        for item in parts[2].split(",") if len(parts) == 3 else []:
            name, equals, share = item.partition("=")
            try:
                if name.strip() in mix:
                    raise UnreadableError(f"--lock {text!r}: {name.strip()!r} has two shares")
                mix[name.strip()] = float(share) if equals else 1.0
            except ValueError:
                raise UnreadableError(f"--lock {text!r}: {share!r} is not a number") from None
        if len(parts) != 3 or not mix:
            raise UnreadableError(f"--lock takes PLACE|HANDS|MIX, as in 'b100|AA,KQs|c=0.5,f=0.5', got {text!r}")
        out.append(Lock(parts[0], {parts[1] or "all": mix}))
    return tuple(out)


def _print_gain(gain: dict[str, Any]) -> None:
    click.echo(
        f"the best answer to {gain['to']} wins {gain['ev']:.3f} chips, the equilibrium strategy "
        f"{gain['equilibrium_ev']:.3f} against it: a gain of {gain['gain']:.3f} chips, "
        f"{gain['gain_pct']:.2f} % of the pot"
    )


class _Teller:
    """Prints how far the work is: each time the distance from equilibrium has halved, or five seconds have passed."""

    def __init__(self, silent: bool) -> None:
        self._silent, self._told, self._at = silent, float("inf"), 0.0

    def __call__(self, found: Any) -> None:
        if found.now < self._told / 2 or found.seconds > self._at + 5:
            self._told, self._at = found.now, found.seconds
            percent = 100 * found.now / found.engine.spot.pot
            text = f"{found.seconds:8.2f} s  {found.rounds:>6,} rounds  exploitability {percent:.4f} % of the pot"
            note(text, self._silent)
