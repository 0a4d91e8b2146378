"""`mazzo play holdem-nolimit-6p`: a table of Hold'em in the terminal."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import command, note
from mazzo.cli.table import TerminalTable, kept, run
from mazzo.errors import UnreadableError
from mazzo.folders import data_directory

if TYPE_CHECKING:
    from mazzo.holdem.rules import Rules

__all__ = ["holdem", "keep_score", "setting"]


def keep_score(table: TerminalTable) -> str:
    """Note who of the people won a finished tournament, and say how they stand."""
    path = data_directory() / "scores.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    seats, places = table.game.seats, {s["name"]: s["place"] for _, s in table.game.wishes()["s"][1](0)}
    people = table.sitting.people
    with path.open("a") as file:
        for seat in people:
            entry = {"name": seats[seat], "seats": list(seats), "place": places[table.game.names[seat]]}
            file.write(json.dumps(entry) + "\n")
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    words = []
    for name in dict.fromkeys(seats[seat] for seat in people):
        had = [entry["place"] for entry in entries if entry["name"] == name]
        words.append(f"{name}: {had.count(1)} of {len(had)} tournaments won")
    return "; ".join(words)


def setting(
    game: Rules, seats: str | None, mode: str, chips: int | None, blinds: str | None, seed: int | None, level_hands: int
) -> tuple[list[str], dict[str, Any], int]:
    """Seats, options and seed of a table of this game."""
    from mazzo.holdem.agents.rich import refuse_other_than_holdem
    from mazzo.names import parse_seats

    if refuse_other_than_holdem(game):
        raise UnreadableError(f"{game.name} is not Hold'em; see mazzo games for the games that can be played here")
    names = parse_seats(seats) if seats else ["me", *["utility"] * (game.players - 1)]
    if len(names) != game.players:
        raise UnreadableError(f"{game.name} seats {game.players}, {len(names)} were given: {', '.join(names)}")
    usual = min(game.stacks)
    small, big = sorted(b for b in game.blinds if b)[:2] if sum(map(bool, game.blinds)) > 1 else (game.big_blind,) * 2
    options = {
        "betting": "limit" if game.limit else "no-limit",
        "mode": mode,
        "chips": chips or (usual if usual < 10**9 else 100 * game.big_blind),
        "blinds": blinds or f"{small}/{big}",
        "level_hands": level_hands,
        "min_raise_is_blind": game.min_raise_is_blind,
    }
    return names, options, secrets.randbits(62) if seed is None else seed


@command(
    "mazzo play holdem-nolimit-6p --seats me,utility,rich,chart,random,call",
    "mazzo play holdem-nolimit-5p --seats me,'utility*4' --tournament --chips 1000 --blinds 5/10",
    "mazzo play holdem-nolimit-6p --resume FILE",
    "mazzo play holdem-nolimit-6p --resume FILE --replay 12",
    name="holdem",
)
@click.argument("game", required=False)
@click.option(
    "--seats", metavar="AGENT,...", help="me (me:Anna where there are several) or agents.  [default: me, utility]"
)
@click.option("--tournament", "mode", flag_value="tournament", help="Who is broke is out; the last one wins.")
@click.option(
    "--cash", "mode", flag_value="cash", default="cash", help="Cash game: a player who busts rebuys (the default)."
)
@click.option("--chips", type=click.IntRange(min=1), help="Chips to begin with.  [default: the game's]")
@click.option("--blinds", help="Small/big blind, further levels after commas.  [default: the game's]")
@click.option(
    "--level-hands", type=click.IntRange(min=1), default=100, show_default=True, help="Hands per level of blinds."
)
@click.option("--hands", type=click.IntRange(min=1), help="Leave after so many hands.")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same cards.  [default: never the same]")
@kept
@click.option(
    "--adviser", default="ranges", show_default=True, help="Who hints ask: ranges, ranges:own=false, odds or an agent."
)
@click.option("--coach", is_flag=True, help="Say of every play what it gave away, and which were mistakes.")
def holdem(
    game: str | None,
    seats: str | None,
    mode: str,
    chips: int | None,
    blinds: str | None,
    level_hands: int,
    hands: int | None,
    seed: int | None,
    adviser: str,
    coach: bool,
    **kept: Path | int | None,
) -> None:
    """Sit down at a table of people and agents. Every action is on disk before it counts: leave and resume at will."""
    from mazzo.holdem.rules import find_game

    if game is None and kept["resume"] is None:
        raise UnreadableError("which game? Write its name, such as mazzo play holdem-nolimit-6p: see mazzo games")
    table = run(
        "holdem",
        lambda: setting(find_game(game or ""), seats, mode, chips, blinds, seed, level_hands),
        words=game or "holdem",
        fixed=("betting", "min_raise_is_blind") if game else None,
        seats=seats,
        hands=hands,
        advisers=(adviser,),
        coach=coach,
        **kept,  # type: ignore[arg-type]  # click gives each of them its type
    )
    if table.game.over and table.finished and table.sitting.people and kept["replay"] is None:
        note(keep_score(table))
