"""`mazzo learn`: a hero from logged hands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import (
    Listed,
    Number,
    as_json,
    command,
    note,
    print_json,
    print_table,
    progress,
    quiet,
    seed,
    workers,
)
from mazzo.cli.holdem.selection import words
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.holdem.learning.support import Supported
    from mazzo.learn.judging import Judged

__all__ = ["learn"]

_LINES = 6
"""Kinds of decisions that are named as not believed."""


@command(
    "mazzo learn random.log -o hero.mz",
    "mazzo learn mine.log -o hero.mz --player me --caution 0.3",
    "mazzo learn logs/ -o hero.mz --against chart --trees 50 --leaf 300 --evaluate",
    "mazzo learn random.log -o hero.mz --attributes stage,turn,pv,pot --leaf 800",
    "mazzo learn data4FQI.txt -o hero.mz --leaf 20",
    "mazzo learn random.log -o hero.mz --pv-samples 1000",
    "mazzo learn --regressor list",
    "mazzo learn random.log -o hero.mz --attributes learning,examples/pot_odds.py:pot_odds",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The model file.")
@click.option("--against", metavar="NAME", help="Learn from those who faced NAME.")
@click.option("--player", metavar="NAME", help="Learn from the decisions of NAME.")
@click.option(
    "--regressor",
    default="boosted",
    show_default=True,
    is_eager=True,
    callback=lambda context, option, name: _list_regressors(context) if name == "list" else name,
    cls=Listed,
    names=lambda: _regressors(),
    help="{names}; list: what they are.",
)
@click.option("--trees", type=click.IntRange(min=1), help="Trees in the forest (boosted: 150; else 100).")
@click.option("--cuts", type=click.IntRange(min=1), help="Attributes tried per split, K (default: all).")
@click.option("--leaf", type=click.IntRange(min=2), help="A node of fewer rows is a leaf (boosted: 100; else 30).")
@click.option("--leaves", type=click.IntRange(min=2), help="Boosted: leaves of a tree (8).")
@click.option("--rate", type=Number(0, 1, min_open=True), help="Boosted: learning rate (0.05).")
@click.option("--iterations", type=click.IntRange(min=1), default=12, show_default=True, help="Times Q is fitted.")
@click.option(
    "--attributes",
    help="Names or lists (learning, continuous, derived, elementary) with commas; yours as FILE.py:NAME.",
)
@click.option("--reward", default="auto", show_default=True, cls=Listed, names=lambda: _rewards(), help="{names}.")
@click.option(
    "--pv-samples",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Sample PV from so many deals; 0: exact.",
)
@click.option(
    "--caution",
    default="auto",
    show_default=True,
    metavar="SHARE",
    help="Believe an action if it was taken this part as often as the commonest in like situations; none: always.",
)
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--evaluate", is_flag=True, help="Judge from the log alone what such a hero earns, if the log can tell.")
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="Also write the decisions as numbers.")
@seed
@workers
@as_json
@quiet
def learn(logs: tuple[str, ...], output: Path, as_json: bool, quiet: bool, **options: Any) -> None:
    """Learn from LOGS of heads-up limit to beat their players."""
    from mazzo.holdem.attributes import attribute_names, load_named
    from mazzo.holdem.learning import LEARNING, write_export
    from mazzo.holdem.learning.hero import Settings, learn_hero, make_regressor
    from mazzo.holdem.learning.judge import PARTS, judge_learning, judgement
    from mazzo.holdem.learning.support import as_caution, to_keep

    names = ("regressor", "trees", "cuts", "leaf", "leaves", "rate", "iterations", "reward", "pv_samples", "seed")
    looked_at = attribute_names(load_named(words(options["attributes"])))
    settings = Settings(attributes=looked_at, caution=as_caution(options["caution"]), **{k: options[k] for k in names})
    make_regressor(settings)  # what cannot be made is said before anything is read
    kept = to_keep(looked_at, settings.caution)
    silent = quiet or as_json
    exported = _exported(logs, looked_at, options)
    decisions = (
        exported
        if exported is not None
        else _read(logs, options, (*kept, *(LEARNING if options["export"] else ())), silent)
    )
    if options["export"]:
        write_export(decisions, options["export"])
    if decisions.p_value is not None:
        note(_about_showdowns(decisions.rewarded, decisions.p_value), silent)
    note(f"{len(decisions)} decisions; learning in {settings.iterations} iterations", silent)
    found: list[Supported] = []
    with progress("learning", settings.iterations, quiet) as advance:
        strategy = learn_hero(
            decisions,
            settings,
            workers=options["workers"],
            progress=lambda number, residual: advance(1),
            told=found.append,
        )
    strategy.save(output)
    _about_support(found[0], silent)
    data: dict[str, Any] = {"model": str(output), **strategy.settings, "attributes": list(strategy.attributes)}
    data["not_believed"] = [{**each._asdict(), "words": str(each)} for each in found[0].unbelieved]
    if options["evaluate"]:
        with progress("judging", 2 * PARTS, silent) as advance:
            judged = judge_learning(decisions, settings, workers=options["workers"], progress=advance)
        data["judged"] = _as_data(judged)
    if as_json:
        print_json(data)
        return
    click.echo(f"{output}: learned from {len(decisions)} decisions of {strategy.settings['hands']} hands")
    if options["evaluate"]:
        click.echo(judgement(judged))
        note("two heroes, each learned from half of the hands and judged from the other half; a match decides", quiet)
    opponent = options["against"] or "random"
    note(f"let it play: mazzo match holdem-limit-2p {output} {opponent.split('#')[0]} --hands 100000", quiet)
    note("(always raising earns 2.245 bb/hand against random; the most that can be won is 2.4384)", quiet)


def _regressors() -> Iterable[str]:
    from mazzo.learn.regressors import REGRESSORS

    return REGRESSORS


def _rewards() -> Iterable[str]:
    from mazzo.holdem.learning.rewards import REWARDS

    return REWARDS


def _list_regressors(context: click.Context) -> None:
    """Name every regressor and what it is, and end."""
    from mazzo.learn.regressors import REGRESSORS
    from mazzo.registry import parameters

    rows = []
    for name in sorted(REGRESSORS):
        make = REGRESSORS[name]
        taken = [key for key in parameters(make) if key not in ("seed", "workers")]
        rows.append((name, ", ".join(f"--{key}" for key in taken), (make.__doc__ or "").split("\n")[0]))
    print_table(("regressor", "options", "what"), rows)
    context.exit()


def _exported(logs: tuple[str, ...], attributes: tuple[str, ...], options: dict[str, Any]) -> Any:
    """The decisions of a file of numbers (`--export` writes such), or None where LOGS are logs."""
    from mazzo.holdem.learning import LEARNING, is_export, read_export

    if len(logs) != 1 or not is_export(Path(logs[0])):
        return None
    if options["player"] or options["against"] or options["pv_samples"] or options["reward"] not in ("auto", "chips"):
        raise UnreadableError(
            f"{logs[0]} holds decisions as numbers: its players, PV and rewards are what they are; leave out --player, "
            "--against, --pv-samples and --reward"
        )
    missing = [name for name in attributes if name not in LEARNING]
    if missing:
        raise UnreadableError(f"{logs[0]} has the attributes {', '.join(LEARNING)}; it does not have {missing[0]}")
    return read_export(Path(logs[0]))


def _read(logs: tuple[str, ...], options: dict[str, Any], attributes: tuple[str, ...], silent: bool) -> Any:
    from mazzo.holdem.learning import decisions_of
    from mazzo.holdem.learning.hero import in_the_same_chips
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options["game"] else None
    asked = {key: options[key] for key in ("player", "against", "reward", "pv_samples", "seed")}
    reader = read_hands(logs, game=game)
    with progress("reading", reader.size, silent) as advance:
        reader = read_hands(logs, game=game, progress=advance)
        batches = in_the_same_chips(reader)
        first = next(batches, None)  # the others are not kept: their decisions take a tenth of their room
        if first is None:
            raise UnreadableError(f"there are no hands to learn from in {', '.join(logs)}: {reader.report}")
        made = decisions_of(chain([first], batches), attributes=tuple(dict.fromkeys(attributes)), **asked)
    note(str(reader.report), silent)
    return made


def _about_support(found: Supported, silent: bool) -> None:
    """Say how much the log's players tried, and what is not believed for want of it."""
    if found.explored is None:
        return
    note(str(found), silent)
    for each in found.unbelieved[:_LINES]:
        note(f"  {each}", silent)
    if len(found.unbelieved) > _LINES:
        note(f"  and {len(found.unbelieved) - _LINES} kinds of decisions more (--json lists them)", silent)


def _about_showdowns(rewarded: str, p_value: float) -> str:
    if rewarded == "equity":
        return f"the others' betting says nothing of their cards (p = {p_value:.2g}): showdowns count by their equity"
    return f"the others' betting may tell of their cards (p = {p_value:.2g}): showdowns count by what they brought"


def _as_data(found: Judged) -> dict[str, Any]:
    """What a log says of a hero; figures of big blinds a hand only where it can tell."""
    data: dict[str, Any] = {
        "can_be_judged": not found.why_not,
        "why_not": found.why_not,
        "bound": list(found.bound) if found.sure else None,
        "watched_bb_per_hand": found.watched,
        "effective_hands": found.effective,
        "missing": found.missing,
    }
    if not found.why_not:
        data |= {"bb_per_hand": found.doubly_robust.mean, "ci95": list(found.bound), "weighted": found.weighted.mean}
    return data
