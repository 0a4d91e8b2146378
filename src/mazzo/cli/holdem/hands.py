"""`mazzo hands`: logs read, checked, filtered, converted, counted and analysed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet
from mazzo.confidence import INTERVAL
from mazzo.errors import UnreadableError
from mazzo.files import write_whole
from mazzo.holdem.notation import STREETS

if TYPE_CHECKING:
    from mazzo.holdem.logs import Hands, LogReader
    from mazzo.holdem.statistics.tally import Tally

__all__ = ["hands", "read_chips"]

_SHOWN_SKIPS = 20


@command(
    "mazzo hands match.log",
    "mazzo hands logs/ --stats",
    "mazzo hands 'logs/*.log.gz' --player Alice --street river --list",
    "mazzo hands pluribus.phhs --to pluribus.parquet",
    "mazzo hands old.log --chips 5/10 --to new.log",
    "mazzo hands rooms/ --player Alice --stats --where 'position=BTN, pot>=20' --leaks --report alice.html",
    "mazzo hands match.log --analyse --compare rich clone --svg winnings.svg",
)
@click.argument("files", nargs=-1, required=True)
@click.option("--game", help="Game: a preset or a .game file.  [default: what the log says, or its results show]")
@click.option("--chips", help="Rescale amounts to these blinds, such as 5/10.")
@click.option("--strict", is_flag=True, help="Stop at the first hand that cannot be used.")
@click.option("--player", help="Only hands of this player.")
@click.option("--street", type=click.Choice(STREETS), default="preflop", help="Only hands that reached this street.")
@click.option("--pot", help="Only pots of at least 20, or of 20:50, big blinds.")
@click.option("--showdown/--no-showdown", default=None, help="Only hands with, or without, a showdown.")
@click.option("--list", "as_list", is_flag=True, help="Print the hands, one per line.")
@click.option(
    "--to",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the hands to this file: .log, .phhs, .parquet.",
)
@click.option("--old", is_flag=True, help="Write and list in the old format (players first).")
@click.option("--stats", is_flag=True, help="Every player's VPIP, PFR, aggression, showdowns and winnings.")
@click.option("--analyse", is_flag=True, help="Per player and street: hands, wins, raises, calls, folds, net.")
@click.option("--compare", nargs=2, metavar="A B", help="Compare two players side by side.")
@click.option(
    "--where", help="With --player and --stats: only hands such as 'position=BTN, pot>=20, three_bet, -showdown'."
)
@click.option(
    "--leaks", is_flag=True, help="With --player: how the player differs from winning players, and what that cost."
)
@click.option(
    "--beside",
    metavar="NAME",
    help="With --leaks: compare with this player, or an agent such as bob.mz, instead of those who win.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --player: write a page with figures and curves.",
)
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the cumulative winnings.")
@as_json
@quiet
def hands(files: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Read hand histories, verify them, and show statistics.

    FILES are files, folders or patterns; every hand is replayed by the rules.
    """
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options["game"] else None
    chips = read_chips(options["chips"])
    reader = read_hands(files, game=game, strict=options["strict"], chips=chips)
    followed = _Followed(options)
    counted, shown = _work(reader, options, quiet or as_json, followed)
    found = _findings(counted, options) if counted else {}
    found |= followed.findings()
    if as_json:
        print_json({**reader.report.as_dict(), "selected": shown, **found})
        return
    _show(found)
    if len(reader.report.formats) > 1 and not found and not options["as_list"]:
        columns = ("format", "files", "read", "used", "verified", "skipped")
        print_table(columns, [tuple(row) for row in reader.report.by_format()])
    if options["svg"] and counted:
        note(f"picture written to {options['svg']}", quiet)
    for skip in reader.report.skipped[:_SHOWN_SKIPS]:
        note(str(skip), quiet)
    if reader.report.skips > _SHOWN_SKIPS:
        note(f"... and {reader.report.skips - _SHOWN_SKIPS} more (all with --json)", quiet)
    line = f"{reader.report}; {shown} selected"
    if options["target"]:
        line += f", written to {options['target']}"
    if found or options["as_list"]:
        note(line, quiet)
    else:
        click.echo(line)


class _Followed:
    """One player's hands, kept for his figures; with --leaks those of everybody, to compare them with."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options, self.name = options, options["player"]
        self.wanted = self.name is not None and any(options[key] for key in ("stats", "leaks", "report"))
        self.everybody = self.wanted and options["leaks"]
        self.by_player: dict[str, list[Any]] = {}
        for key in ("where", "leaks", "beside", "report"):
            if options[key] and self.name is None:
                raise UnreadableError(f"--{key} is about one player: name him with --player")

    def add(self, batch: Hands) -> None:
        """Keep the hands of a batch."""
        from mazzo.holdem.statistics.tracker import tracked

        if self.wanted:
            for name, hand in tracked([batch], None if self.everybody else self.name):
                self.by_player.setdefault(name, []).append(hand)

    def findings(self) -> dict[str, Any]:
        """His figures and leaks as plain data; the page is written if one was asked for."""
        if not self.wanted:
            return {}
        from mazzo.document import Report
        from mazzo.holdem.statistics.leaks import leaks_beside, leaks_of, winners_of
        from mazzo.holdem.statistics.player import parse_filter, player_report, player_section
        from mazzo.reports.page import write_html

        keep = parse_filter(self.options["where"] or "")
        own = [hand for hand in self.by_player.get(self.name, []) if keep(hand)]
        if not own:
            raise UnreadableError(f"there are no such hands of {self.name!r}")
        found: dict[str, Any] = {"player": player_report(self.name, own)}
        if self.options["leaks"]:
            beside = self.options["beside"]
            if beside and beside not in self.by_player:
                found["leaks"] = leaks_beside(_agent_beside(beside), own)
            else:
                others = self.by_player[beside] if beside else winners_of(self.by_player, self.name)
                found["leaks"] = leaks_of(own, [hand for hand in others if keep(hand)])
        if self.options["report"]:
            section = player_section(found["player"], own, found.get("leaks", ()))
            write_html(Report(section.title, (), [section]), self.options["report"])
        return found


def _agent_beside(name: str) -> Any:
    """An agent by name, or what would have been right."""
    from mazzo.holdem.agents import find_agent

    try:
        return find_agent(name)
    except UnreadableError as error:
        raise UnreadableError(f"--beside is a player of these hands, or an agent such as bob.mz: {error}") from None


def _work(reader: LogReader, options: dict[str, Any], silent: bool, followed: _Followed) -> tuple[Tally | None, int]:
    """Read everything once, doing on the way what was asked for."""
    from mazzo.holdem.logs.write import write_hands
    from mazzo.holdem.statistics.figures import winnings_chart
    from mazzo.holdem.statistics.tally import Tally
    from mazzo.reports.draw import svg

    wanted = any(options[name] for name in ("stats", "analyse", "compare", "svg"))
    counted = Tally(curves=bool(options["svg"])) if wanted else None
    shown = 0

    def pass_on() -> Iterator[Hands]:
        nonlocal shown
        for batch in _selection(options).of(reader):
            shown += len(batch)
            if counted is not None:
                counted.add(batch)
            followed.add(batch)
            if options["as_list"]:
                _list(batch, options["old"])
            yield batch

    with progress("reading", reader.size, silent) as advance:
        reader.progress = advance
        if options["target"]:
            write_hands(pass_on(), options["target"], options["old"])
        else:
            for _ in pass_on():
                pass
    if counted is not None and options["svg"]:
        write_whole(options["svg"], svg(winnings_chart(_chosen(counted, options)), standalone=True))
    return counted, shown


def _list(batch: Hands, old: bool) -> None:
    from mazzo.holdem.logs import acpc_text

    click.echo(acpc_text(batch, old).decode(), nl=False)


def _chosen(counted: Tally, options: dict[str, Any]) -> list[Any]:
    from mazzo.holdem.statistics.figures import find_player

    if options["compare"]:
        return [find_player(counted, name) for name in options["compare"]]
    if options["player"]:
        return [find_player(counted, options["player"])]
    return list(counted.sorted()[:10])


def _selection(options: dict[str, Any]) -> Any:
    from mazzo.holdem.logs.filter import HandFilter

    least, most = 0.0, math.inf
    if options["pot"]:
        low, _, high = options["pot"].partition(":")
        try:
            least, most = float(low or 0), float(high or math.inf)
        except ValueError:
            raise UnreadableError(
                f"--pot must be one number of big blinds or two, such as 20:50; got {options['pot']!r}"
            ) from None
    return HandFilter(options["player"], STREETS.index(options["street"]), least, most, options["showdown"])


def read_chips(text: str | None) -> tuple[int, int] | None:
    """Small and big blind from `5/10`."""
    if text is None:
        return None
    small, _, big = text.partition("/")
    if not (small.isdecimal() and big.isdecimal() and 0 < int(small) <= int(big) < 10**9):
        raise UnreadableError(f"--chips must be the small and the big blind, such as 5/10; got {text!r}")
    return int(small), int(big)


def _findings(counted: Tally, options: dict[str, Any]) -> dict[str, Any]:
    from mazzo.holdem.statistics.figures import compare, find_player, statistics_of, streets_of

    found: dict[str, Any] = {}
    if options["stats"]:
        found["players"] = [statistics_of(player) for player in counted.sorted()]
    if options["analyse"]:
        found["analysis"] = [{"name": p.name, "streets": streets_of(p)} for p in counted.sorted()]
    if options["compare"]:
        one, other = (find_player(counted, name) for name in options["compare"])
        found["comparison"] = {"players": [one.name, other.name], "rows": compare(one, other)}
    return found


def _show(found: dict[str, Any]) -> None:
    if "players" in found:
        columns = ("vpip", "pfr", "aggression", "fold_to_bet", "went_to_showdown", "won_at_showdown")
        header = ("player", "hands", "VPIP", "PFR", "AF", "fold to bet", "WTSD", "W$SD", "bb/hand", INTERVAL)
        rows = [
            (
                p["name"],
                p["hands"],
                *(_figure(p[name]) for name in columns),
                _figure(p["bb_per_hand"], True),
                " .. ".join(_figure(end, True) for end in p["ci95"]),
            )
            for p in found["players"]
            if "player" not in found or p["name"] == found["player"]["name"]
        ]
        print_table(header, rows)
    if "player" in found:
        _show_player(found)
    for player in found.get("analysis", ()):
        click.echo(f"\n{player['name']}")
        keys = ("street", "hands", "wins", "raises", "calls", "folds")
        rows = [(*(row[key] for key in keys), f"{row['net_bb']:+.1f}") for row in player["streets"]]
        print_table((*keys, "net bb"), rows)
    if "comparison" in found:
        one, other = found["comparison"]["players"]
        rows = [
            (
                row["street"],
                row["figure"],
                *(_number(n) for n in row["counts"]),
                *(_figure(s) for s in row["shares"]),
                _figure(row["difference"], True),
                _figure(row["percent"], True),
            )
            for row in found["comparison"]["rows"]
        ]
        click.echo()
        print_table(("street", "figure", one, other, f"{one} share", f"{other} share", "difference", "%"), rows)


def _show_player(found: dict[str, Any]) -> None:
    """One player's figures by position, and his leaks."""
    from mazzo.holdem.statistics.player import leak_rows, rows_by_position

    click.echo(f"\n{found['player']['name']}")
    print_table(*rows_by_position(found["player"]))
    if "leaks" in found:
        click.echo()
        print_table(*leak_rows(found["leaks"]))


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:+.1f}"


def _figure(value: float | None, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if signed else f"{value:.3f}"
