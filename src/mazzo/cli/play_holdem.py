"""`mazzo play holdem-nolimit-6p`: a table of people and agents in the terminal."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mazzo.cli.common import command, note
from mazzo.errors import IllegalError, MazzoError, UnreadableError

if TYPE_CHECKING:
    from mazzo.holdem.game import Game
    from mazzo.holdem.tournament.session import Session, Setting

__all__ = ["HoldemTable", "holdem"]

_HELP = """f fold   c call or check   r AMOUNT raise to   m least raise   p raise the pot   a all in
? hint (? chart: what the agent chart would do)   h [N] past hand   s standings   q leave"""


class Leave(Exception):  # noqa: N818  # leaving a table is no error
    """A person leaves the table."""


class HoldemTable:
    """Plays a session with the people at the terminal."""

    def __init__(
        self, session: Session, ask: Callable[[str], str], say: Callable[[str], None], advisers: str = "utility"
    ) -> None:
        from mazzo.holdem.tournament.session import people_of

        self.session, self.ask, self.say, self.adviser = session, ask, say, advisers
        self.people = people_of(session.names)

    def play(self, hands: int | None = None) -> None:
        """Play until a tournament is over, so many hands are played, or a person leaves."""
        last = None if hands is None else self.session.number + hands
        while not self.session.over and (last is None or self.session.number < last):
            self._play_hand()
        if self.session.over:
            self._standings()

    def _play_hand(self) -> None:
        from mazzo.cli.holdem_view import shown_down, table_drawn

        session = self.session
        while session.seat is not None:
            session.play_on(self._told)
            if session.seat is not None:
                self._turn(session.seat)
        self.say(table_drawn(session, None))
        for line in shown_down(session.hand):
            self.say(line)
        session.next_hand()
        self.say("")

    def _told(self, seat: int, action: int, owed: int) -> None:
        from mazzo.cli.holdem_view import acted

        self.say(f"  {self.session.names[seat]} {acted(self.session.hand, action, owed)}")

    def _turn(self, seat: int) -> None:
        from mazzo.cli.holdem_view import table_drawn

        if len(self.people) > 1:
            self.ask(f"{self.session.names[seat]}, it is your turn: press Enter when nobody else looks")
        self.say(table_drawn(self.session, seat))
        while self.session.seat == seat:
            done = len(self.session.hand.history)
            self._answer(self.ask(f"{self.session.hand.legal}; ? for a hint, q to leave >").strip())
            if len(self.session.hand.history) > done:
                return

    def _answer(self, line: str) -> None:
        """One line from a person: an action, or a wish."""
        key, _, rest = line.partition(" ") if line[:1] != "r" else ("r", "", line[1:])
        key, rest = key.lower(), rest.strip()
        if key in ("q", "quit"):
            raise Leave
        if key.startswith("?"):
            self._hint(key[1:] or rest or self.adviser)
        elif key == "h":
            self.history(rest)
        elif key == "s":
            self._standings()
        else:
            try:
                self.session.act(self._action(key, rest))
            except MazzoError as wrong:
                self.say(str(wrong).partition(" (legal:")[0] if isinstance(wrong, IllegalError) else str(wrong))

    def _action(self, key: str, rest: str) -> int:
        hand = self.session.hand
        if key in ("f", "c", "k") and not rest:
            return 0 if key == "f" else 1
        raises = hand.legal.raises
        if key in ("m", "p", "a") and not rest:
            if not raises:
                raise IllegalError(hand.why_not(2) or "you cannot raise here")
            if key == "p":
                position = hand.actor or 0
                pot = max(hand.spent) + hand.pot + max(hand.spent) - hand.spent[position]
                return min(raises[-1], max(raises[0], pot))
            return raises[0] if key == "m" else raises[-1]
        if key == "r" and rest.isascii() and rest.isdigit() and len(rest) <= 10:
            return max(2, int(rest))
        if key == "r" and not rest and hand.game.limit:
            return 2
        if key == "r":
            raise UnreadableError(
                f"raise to how much? r {raises[0]} to r {raises[-1]}" if raises else "you cannot raise"
            )
        raise UnreadableError(_HELP)

    def _hint(self, name: str) -> None:
        """Equity against random hands, pot odds, and what an agent would do in this place and why."""
        from mazzo.agent import create
        from mazzo.holdem.agents import AGENTS
        from mazzo.holdem.equity import equity

        seen = self.session.hand.observe()
        hole, board = seen.cards(0)
        opponents, owed, pot = int(seen.opponents[0]), int(seen.owed[0]), int(seen.pot[0])
        found = equity(hole, board, opponents, None if opponents <= 2 else 20_000)
        error = "" if found.exact else f" ± {1.96 * (found.standard_error or 0):.1%}"
        self.say(f"  equity against {opponents} random hand{'s' if opponents > 1 else ''}: {found.equity:.1%}{error}")
        if owed:
            self.say(f"  pot odds: {owed} to win {pot}: a call pays from {owed / (pot + owed):.1%}")
        try:
            agent = create(name, AGENTS)
            reason = agent.refuses(self.session.hand.game)
            text = f"cannot play here: {reason}" if reason else str(agent.explain(seen))
        except MazzoError as wrong:
            name, text = "hint", str(wrong)
        self.say(f"  {name} would play {text}" if name != "hint" else f"  {text}")

    def history(self, which: str) -> None:
        """Show a past hand again, the last one by default."""
        from mazzo.cli.holdem_view import replayed

        past = len(self.session.past)
        number = int(which) if which.isascii() and which.isdigit() and len(which) < 9 else past
        if not 1 <= number <= past:
            self.say(f"  hands 1 to {past} have been played" if past else "  no hand has been played yet")
            return
        self.say(replayed(self.session, number - 1, self.people))

    def _standings(self) -> None:
        session = self.session
        places = session.places
        for seat in sorted(range(len(places)), key=lambda s: (places[s], -session.stacks[s])):
            account = session.accounts[seat]
            place = f"place {places[seat]}" if places[seat] else f"{session.stacks[seat]} chips"
            bought = f", bought in again for {account.bought}" if account.bought else ""
            self.say(f"  {account.name}: {place}, {account.won:+d} in {account.hands} hands{bought}")


def _ask(prompt: str) -> str:
    try:
        line: str = click.prompt(prompt, prompt_suffix=" ", default="", show_default=False)
    except (click.Abort, EOFError):
        raise Leave from None
    return line


def data_directory() -> Path:
    """Where sessions and scores are kept. `MAZZO_DATA` moves it."""
    from platformdirs import user_data_path

    given = os.environ.get("MAZZO_DATA")
    return Path(given).expanduser() if given else user_data_path("mazzo", appauthor=False)


def _keep_score(session: Session) -> str:
    """Note who of the people won a finished tournament, and say how they stand."""
    from mazzo.holdem.tournament.session import people_of

    path = data_directory() / "scores.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    people = people_of(session.names)
    with path.open("a") as file:
        for seat in people:
            entry = {"name": session.names[seat], "seats": list(session.names), "place": session.places[seat]}
            file.write(json.dumps(entry) + "\n")
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    words = []
    for name in dict.fromkeys(session.names[seat] for seat in people):
        places = [entry["place"] for entry in entries if entry["name"] == name]
        words.append(f"{name}: {places.count(1)} of {len(places)} tournaments won")
    return "; ".join(words)


def _setting(game: Game, seats: str | None, mode: str, chips: int | None, blinds: str | None, seed: int | None,
             level_hands: int) -> Setting:  # fmt: skip
    from mazzo.holdem.agents.rich import refuse_other_than_holdem
    from mazzo.holdem.tournament.format import parse_blinds, parse_seats
    from mazzo.holdem.tournament.session import Setting

    if refuse_other_than_holdem(game):
        raise UnreadableError(f"{game.name} is not Hold'em; see mazzo games for the games that can be played here")
    names = parse_seats(seats) if seats else ["me", *["utility"] * (game.players - 1)]
    if len(names) != game.players:
        raise UnreadableError(f"{game.name} seats {game.players}, {len(names)} were given: {', '.join(names)}")
    usual = min(game.stacks)
    small, big = sorted(b for b in game.blinds if b)[:2] if sum(map(bool, game.blinds)) > 1 else (game.big_blind,) * 2
    return Setting(
        tuple(names),
        mode,
        chips=chips or (usual if usual < 10**9 else 100 * game.big_blind),
        levels=parse_blinds(blinds) if blinds else ((small, big),),
        level_hands=level_hands,
        seed=secrets.randbits(62) if seed is None else seed,
        limit=game.limit,
        min_raise_is_blind=game.min_raise_is_blind,
    )


@command(
    "mazzo play holdem-nolimit-6p --seats me,utility,rich,chart,random,call",
    "mazzo play holdem-nolimit-5p --seats me,'utility*4' --tournament --chips 1000 --blinds 5/10",
    "mazzo play holdem-nolimit-6p --resume FILE",
    "mazzo play holdem-nolimit-6p --resume FILE --replay 12",
    name="holdem",
)
@click.argument("game")
@click.option(
    "--seats", metavar="AGENT,...", help="me (me:Anna where there are several) or agents.  [default: me, utility]"
)
@click.option("--tournament", "mode", flag_value="tournament", help="Who is broke is out; the last one wins.")
@click.option("--cash", "mode", flag_value="cash", default="cash", help="Who is broke buys in again (the default).")
@click.option("--chips", type=click.IntRange(min=1), help="Chips to begin with.  [default: the game's]")
@click.option("--blinds", help="Small/big blind, further levels after commas.  [default: the game's]")
@click.option("--level-hands", type=click.IntRange(min=1), default=100, show_default=True, help="Hands a level lasts.")
@click.option("--hands", type=click.IntRange(min=1), help="Leave after so many hands.")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same cards.  [default: never the same]")
@click.option("--session", "file", type=click.Path(path_type=Path), help="The file to keep the session in.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with the session in this file.")
@click.option("--replay", type=click.IntRange(min=1), help="With --resume: only print that hand.")
@click.option("--adviser", default="utility", show_default=True, help="The agent that hints ask.")
def holdem(
    game: str,
    seats: str | None,
    mode: str,
    chips: int | None,
    blinds: str | None,
    level_hands: int,
    hands: int | None,
    seed: int | None,
    file: Path | None,
    resume: Path | None,
    replay: int | None,
    adviser: str,
) -> None:
    """Sit down at a table of people and agents. Every action is on disk before it counts: leave and resume at will."""
    from mazzo.holdem.game import find_game
    from mazzo.holdem.tournament.format import parse_seats
    from mazzo.holdem.tournament.session import Session

    if resume is not None:
        session, path = Session.resume(resume, parse_seats(seats or "")), resume
    else:
        if replay is not None:
            raise UnreadableError("--replay needs --resume FILE: which session?")
        setting = _setting(find_game(game), seats, mode, chips, blinds, seed, level_hands)
        path = file or data_directory() / "sessions" / f"{game.rpartition('/')[2]}-{secrets.token_hex(4)}.jsonl"
        session = Session(setting, path)
    table = HoldemTable(session, _ask, click.echo, adviser)
    try:
        if replay is not None:
            table.history(str(replay))
            return
        was_over = session.over
        table.play(hands)
        if session.over and not was_over and table.people:
            note(_keep_score(session))
        elif not session.over:
            note(f"Go on: mazzo play {game} --resume {path}")
    except Leave:
        note(f"You left the table. Go on: mazzo play {game} --resume {path}")
