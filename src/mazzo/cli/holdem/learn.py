"""`mazzo learn`: a hero from logged hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
    from mazzo.holdem.learning import Decisions
    from mazzo.holdem.learning.choices import TableKind
    from mazzo.holdem.learning.hero import Settings
    from mazzo.holdem.learning.hindsight import Hindsight
    from mazzo.holdem.learning.support import Supported
    from mazzo.learn.judging import Judged

__all__ = ["learn"]

_LINES = 6
"""Kinds of decisions that are named as not believed."""


@command(
    "mazzo learn random.log -o hero.mz",
    "mazzo learn mine/ -o hero.mz --player Anna --hindsight 10",
    "mazzo learn sixmax.log -o hero.mz --sizes .33,.75,1.5,all --caution 0.3",
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
    help="Names or lists (learning, continuous, derived, elementary; table) with commas; yours as FILE.py:NAME.",
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
@click.option(
    "--sizes",
    metavar="POTS",
    help="No-limit: classes of raises as pots after the call, with commas (.5,1,2,all; all: all-in).",
)
@click.option(
    "--hindsight",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --player: the N decisions where most was given away, and what to do instead.",
)
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--evaluate", is_flag=True, help="Judge from the log alone what such a hero earns, if the log can tell.")
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="Also write the decisions as numbers.")
@seed
@workers
@as_json
@quiet
def learn(logs: tuple[str, ...], output: Path, as_json: bool, quiet: bool, **options: Any) -> None:
    """Learn from LOGS of Hold'em to beat their players."""
    from mazzo.holdem.attributes import attribute_names, load_named
    from mazzo.holdem.learning import write_export
    from mazzo.holdem.learning.hero import Settings, learn_hero, make_regressor
    from mazzo.holdem.learning.judge import PARTS, judge_learning, judgement
    from mazzo.holdem.learning.support import as_caution

    if options["hindsight"] and not options["player"]:
        raise click.UsageError("--hindsight is about a player's decisions: say whose with --player")
    names = ("regressor", "trees", "cuts", "leaf", "leaves", "rate", "iterations", "reward", "pv_samples", "seed")
    chosen = load_named(words(options["attributes"]))
    looked_at = attribute_names(chosen)
    settings = Settings(attributes=looked_at, caution=as_caution(options["caution"]), **{k: options[k] for k in names})
    make_regressor(settings)  # what cannot be made is said before anything is read
    silent = quiet or as_json
    decisions = _exported(logs, looked_at, options)
    if decisions is None:
        decisions, looked_at = _read(logs, options, chosen, settings.caution, silent)
    settings = replace(settings, attributes=looked_at)
    _about_log(decisions, silent)
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
    hindsight = _hindsight(decisions, settings, logs, options) if options["hindsight"] else None
    if hindsight is not None:
        data["hindsight"] = hindsight.as_dict()
    if as_json:
        print_json(data)
        return
    click.echo(f"{output}: learned from {len(decisions)} decisions of {strategy.settings['hands']} hands")
    if options["evaluate"]:
        click.echo(judgement(judged))
        note("two heroes, each learned from half of the hands and judged from the other half; a match decides", quiet)
    if hindsight is not None:
        click.echo(str(hindsight))
    _what_next(decisions, output, options["against"] or "random", quiet)


def _what_next(decisions: Decisions, output: Path, opponent: str, quiet: bool) -> None:
    name = opponent.split("#")[0]
    if not decisions.kind.heads_up_limit:
        game = "holdem-limit-6p" if decisions.kind.limit else "holdem-nolimit-6p-100bb"
        others = "rich chart solid call random" if not decisions.kind.limit else "rich chart call random raise"
        note(f"let it play: mazzo match {game} {output} {others} --hands 30000", quiet)
        return
    note(f"let it play: mazzo match holdem-limit-2p {output} {name} --hands 100000", quiet)
    note("(always raising earns 2.245 bb/hand against random; the most that can be won is 2.4384)", quiet)


def _about_log(decisions: Decisions, silent: bool) -> None:
    """Say what of the log could be used, where that is not all of it."""
    if decisions.left_out:
        note(f"{decisions.left_out:,} hands are not {decisions.kind.name} Hold'em: left out", silent)
    if decisions.shown < 1:
        note(
            f"the cards of these players are known in {decisions.shown:.0%} of their hands, mostly those shown down, "
            "which are not like the others: what calls and raises are worth is overstated; learn from hands of your "
            "own (--player), where all of yours are known",
            silent,
        )


def _hindsight(decisions: Decisions, settings: Settings, logs: tuple[str, ...], options: dict[str, Any]) -> Hindsight:
    """What the player should have done: judged by heroes that were learned from the other hands."""
    from mazzo.holdem.learning.hindsight import in_hindsight
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options["game"] else None
    return in_hindsight(
        decisions, settings, read_hands(logs, game=game), number=options["hindsight"], workers=options["workers"]
    )


def _regressors() -> Iterable[str]:
    from mazzo.learn.regressors import REGRESSORS

    return REGRESSORS


def _rewards() -> Iterable[str]:
    from mazzo.holdem.learning.rewards import REWARDS

    return REWARDS


def _list_regressors(context: click.Context) -> None:
    """Name every regressor and what it is, and end."""
    from mazzo.learn.regressors import NOT_SETTINGS, REGRESSORS
    from mazzo.registry import parameters

    rows = []
    for name in sorted(REGRESSORS):
        make = REGRESSORS[name]
        taken = [key for key in parameters(make) if key not in NOT_SETTINGS]
        rows.append((name, ", ".join(f"--{key}" for key in taken), (make.__doc__ or "").split("\n")[0]))
    print_table(("regressor", "options", "what"), rows)
    context.exit()


def _exported(logs: tuple[str, ...], attributes: tuple[str, ...], options: dict[str, Any]) -> Decisions | None:
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


def _read(
    logs: tuple[str, ...], options: dict[str, Any], chosen: Sequence[str], caution: str | float, silent: bool
) -> tuple[Decisions, tuple[str, ...]]:
    """The decisions of logs, and what is looked at: what was chosen, else what is usual in their game."""
    from mazzo.holdem.attributes import attribute_names
    from mazzo.holdem.learning import LEARNING, decisions_of
    from mazzo.holdem.learning.choices import SIZES, as_sizes, kind_of_games
    from mazzo.holdem.learning.hero import in_the_same_chips
    from mazzo.holdem.learning.support import to_keep
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options["game"] else None
    asked = {key: options[key] for key in ("player", "against", "reward", "pv_samples", "seed")}
    sizes = as_sizes(options["sizes"]) if options["sizes"] else SIZES
    reader = read_hands(logs, game=game)
    with progress("reading", reader.size, silent) as advance:
        reader = read_hands(logs, game=game, progress=advance)
        batches = in_the_same_chips(reader)
        first = next(batches, None)  # the others are not kept: their decisions take a tenth of their room
        if first is None:
            raise UnreadableError(f"there are no hands to learn from in {', '.join(logs)}: {reader.report}")
        kind = kind_of_games(first.games)
        _check_options(kind, options)
        looked_at = attribute_names(chosen, kind.usual if kind else "table")
        kept = (*to_keep(looked_at, caution), *(LEARNING if options["export"] else ()))
        made = decisions_of(chain([first], batches), attributes=tuple(dict.fromkeys(kept)), sizes=sizes, **asked)
    note(str(reader.report), silent)
    return made, looked_at


def _check_options(kind: TableKind | None, options: dict[str, Any]) -> None:
    """Refuse options that mean nothing in the game of the log."""
    if kind and kind.limit and options["sizes"]:
        raise UnreadableError(f"--sizes is for no-limit: in {kind.name} the game sets what a raise is")
    if kind and not kind.heads_up_limit and options["export"]:
        raise UnreadableError(f"--export writes decisions of heads-up limit Hold'em; this log is of {kind.name}")


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
