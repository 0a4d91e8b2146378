"""`mazzo compare`: how alike two agents play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, quiet, seed
from mazzo.confidence import INTERVAL, LEVEL
from mazzo.files import write_whole

__all__ = ["compare"]


@command(
    "mazzo compare rich rich.mz --against rich rich --hands 3000",
    "mazzo compare Pluribus pluribus.mz --log pluribus.phhs",
    "mazzo compare rich.mz chart.mz --against rich rich --words",
    "mazzo compare chart chart.mz --game holdem-limit-2p --against random --hands 20000 --svg winnings.svg",
)
@click.argument("original")
@click.argument("clone")
@click.option("--against", help="The opponents: --against rich rich.")
@click.option("--log", help="ORIGINAL is a player in this log: the clone plays its hands, the others as logged.")
@click.argument("more", nargs=-1)
@click.option("--game", default="holdem-limit-3p", show_default=True, help="What is played.")
@click.option("--hands", type=click.IntRange(min=1), default=3000, show_default=True, help="Hands each plays.")
@click.option("--words", is_flag=True, help="Say where the two differ most, with hands.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw both curves of winnings.")
@seed
@as_json
@quiet
def compare(
    original: str,
    clone: str,
    against: str | None,
    log: str | None,
    more: tuple[str, ...],
    game: str,
    hands: int,
    words: bool,
    svg: Path | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare how ORIGINAL and CLONE play.

    Both play the same cards in every seat against the same opponents.
    """
    from mazzo.agent import create
    from mazzo.errors import UnreadableError
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.comparing.likeness import likeness
    from mazzo.holdem.rules import rules
    from mazzo.holdem.statistics.figures import winnings_chart
    from mazzo.reports.draw import svg as drawn

    if (against is None) == (log is None):
        raise UnreadableError("say whom they play with --against AGENTS, or with --log FILE where ORIGINAL was logged")
    if words and log is not None:
        raise UnreadableError("--words compares two agents at a table: give --against AGENTS")
    learned: dict[str, Any] = {}
    if log is not None:
        found, learned = _replay(original, clone, log, quiet or as_json)
    else:
        opponents = [create(name, AGENTS) for name in (*(against or "").split(), *more)]
        found = likeness(rules(game), create(original, AGENTS), create(clone, AGENTS), opponents, hands, seed)
    if svg:
        write_whole(svg, drawn(winnings_chart([found.original, found.clone]), standalone=True))
    data = {**found.as_dict(), **learned}
    if words:
        from mazzo.holdem.comparing.in_words import differences

        told = differences(rules(game), create(original, AGENTS), create(clone, AGENTS), opponents, hands, seed)
        data["differences"] = [each.as_dict() for each in told]
    if as_json:
        print_json({"original": original, "clone": clone, "game": game, "hands": hands, "seed": seed, **data})
        return
    _show(data, original, clone)
    if learned:
        _show_learned(learned["learned_from"])
    for line in data.get("differences", []):
        click.echo(line["text"])
    if svg:
        note(f"picture written to {svg}", quiet)


def _replay(hero: str, clone: str, log: str, silent: bool) -> tuple[Any, dict[str, Any]]:
    """The clone in the place of a logged player; a log of the reference dealer with its seed gives all cards."""
    from mazzo.agent import create
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.comparing.in_log import reference_seed, replayed, with_reference_cards
    from mazzo.holdem.logs import read_hands

    reader, agent = read_hands(log), create(clone, AGENTS)
    seeds = [seed for path in reader.paths if (seed := reference_seed(path)) is not None]
    batches = list(reader)
    batches, learned = _held_out(batches, agent, clone, silent)
    batches = [with_reference_cards(hands, seeds[0]) if len(seeds) == 1 else hands for hands in batches]
    found = replayed(batches, hero, agent)
    note(f"{found.hands} hands replayed, {found.left_out} left out because cards are hidden", silent)
    return found.likeness, learned


def _held_out(batches: list[Any], agent: Any, name: str, silent: bool) -> tuple[list[Any], dict[str, Any]]:
    """The hands that a clone was not learned from; all of them, with a warning, where it has seen every one."""
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.cloning.judging import learned_from

    if not isinstance(agent, ClonePlayer):
        return batches, {}
    seen = [learned_from(agent.clone, hands) for hands in batches]
    known, total = sum(int(each.sum()) for each in seen), sum(map(len, batches))
    if not known:
        return batches, {}
    told: dict[str, Any] = {"hands": known, "of": total, "judged_on_the_others": known < total}
    validation = agent.clone.settings.get("validation") or []
    told["held_out"] = [
        {"street": street, "share": v["accuracy"], "ci95": v["ci95"], "decisions": v["n"]}
        for street, each in zip(("preflop", "flop", "turn", "river"), validation, strict=False)
        if (v := each.get("validation"))
    ]
    if known < total:
        note(f"{name} was learned from {known} of these {total} hands: judged on the other {total - known}", silent)
        rest = [hands[~each] for hands, each in zip(batches, seen, strict=True)]
        return [hands for hands in rest if len(hands)], {"learned_from": told}
    note(f"warning: {name} was learned from these hands: that it agrees with them says little", silent)
    return batches, {"learned_from": told}


def _show_learned(told: dict[str, Any]) -> None:
    """What cross-validation found on decisions that were held out while the clone was learned."""
    if told["judged_on_the_others"]:
        return
    click.echo(f"\nIt was learned from all {told['hands']} hands. On held-out decisions of them (cross-validation):")
    rows = [
        (
            s["street"],
            s["decisions"],
            f"{100 * s['share']:.2f}",
            "{:.2f} .. {:.2f}".format(*(100 * k for k in s["ci95"])),
        )
        for s in told["held_out"]
    ]
    print_table(("held out", "decisions", "agreement %", INTERVAL), rows)


def _show(data: dict[str, Any], original: str, clone: str) -> None:
    rows = []
    for row in data["rows"]:
        interval = row["ci95"]
        counts = [f"{n:+.1f}" if isinstance(n, float) else str(n) for n in row["counts"]]
        rows.append(
            (
                row["street"],
                row["figure"],
                *counts,
                _signed(row["difference"]),
                _signed(row["percent"], 1),
                "-" if interval is None else f"{interval[0]:+.4f} .. {interval[1]:+.4f}",
            )
        )
    print_table(("street", "figure", original, clone, "difference of shares", "%", INTERVAL), rows)
    click.echo()
    print_table(
        ("showdowns", "played", "won", "share"),
        [(s["player"], s["played"], s["won"], f"{s['share']:.4f}") for s in data["showdowns"]],
    )
    click.echo()
    lines = [
        (
            s["street"],
            s["decisions"],
            f"{100 * s['share']:.2f}",
            f"{100 * s['ci95'][0]:.2f} .. {100 * s['ci95'][1]:.2f}",
        )
        for s in data["by_street"]
    ]
    whole = data["agreement"]
    low, high = (100 * k for k in whole["ci95"])
    lines.append(("all", whole["decisions"], f"{100 * whole['share']:.2f}", f"{low:.2f} .. {high:.2f}"))
    print_table(("agreement", "decisions", "%", INTERVAL), lines)
    d = data["difference_bb_per_hand"]
    click.echo(
        f"{clone} wins {d['mean']:+.4f} bb/hand more than {original}, "
        f"{LEVEL} {d['ci95'][0]:+.4f} .. {d['ci95'][1]:+.4f}"
    )


def _signed(value: float | None, places: int = 4) -> str:
    return "-" if value is None else f"{value:+.{places}f}"
