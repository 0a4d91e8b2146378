"""A table of any game in the terminal: what a person sees, what is typed, agents that move, the coach."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from mazzo.cli.common import note
from mazzo.cli.drawn import cards_in_line, choices_drawn, table_drawn
from mazzo.cli.resuming import check_same, refuse_without_effect
from mazzo.errors import MazzoError, UnreadableError
from mazzo.folders import data_directory
from mazzo.games import find_entry
from mazzo.names import is_person, parse_seats
from mazzo.seated import NEXT, Advice, Leave, Question, SeatedGame
from mazzo.sitting import Sitting
from mazzo.words.bots import style_of
from mazzo.words.sentences import log_line, verdict, with_texts
from mazzo.words.texts import text

__all__ = ["TerminalTable", "ask", "kept", "run"]

_F = TypeVar("_F", bound=Callable[..., Any])


# ---- the loop


@dataclass
class TerminalTable:
    """Plays a table with the people at the terminal."""

    sitting: Sitting
    ask: Callable[[str], str]
    say: Callable[[str], None]
    advisers: Sequence[str] = ()
    """Who answers `?`; who is named (`? chart`) takes the last one's place."""
    coach: bool = False
    """Say of every play what it gave away."""
    reasons: bool = False
    """Agents say why they play what they play."""
    finished: int = 0
    """Hands that ended at this terminal."""
    clear: Callable[[], None] = click.clear
    """Empties the screen before another person sits down at it."""
    _told: int = 0
    _hand_began: int = field(default=0, init=False)
    _viewer: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.advisers = self.advisers or self.sitting.advisers[:1]
        self._told = len(self.game.log) if self.sitting.actions else 0

    @property
    def game(self) -> SeatedGame:
        """What is played."""
        return self.sitting.game

    def play(self, hands: int | None = None) -> None:
        """Play until the game is over, so many hands have ended, or a person leaves."""
        shown = False
        self._introduce()
        while True:
            self._tell()
            seat = self.game.seat
            if seat is None:
                if not shown:
                    self._hand_over()
                if self.game.over or (hands is not None and self.finished >= hands):
                    return
                self._hand_began = len(self.game.log)
                self.sitting.act(NEXT)
                shown = self.game.over
                continue
            shown = False
            if self.sitting.agents_turn:
                self._agent_acts(seat)
            else:
                self._turn(seat)

    def _introduce(self) -> None:
        """Who the agents at the table are."""
        for seat, who in enumerate(self.game.seats):
            if not is_person(who):
                about = {"name": self.game.names[seat], "agent": who, "style": style_of(self.sitting.name, who)}
                self.say(f"  {text('bot.plays', about)}")

    def _tell(self) -> None:
        """What happened since."""
        for line in self.game.log[self._told :]:
            self.say(f"  {log_line(line, self.game.deck)}")
        self._told = len(self.game.log)

    def _tell_again(self) -> None:
        """What everybody may know of this hand, for whoever comes to a screen that was cleared."""
        if self._viewer is not None:
            for line in self.game.log[self._hand_began : self._told]:
                self.say(f"  {log_line(line, self.game.deck)}")

    def _hand_over(self) -> None:
        self.finished += 1
        people = self.sitting.people
        viewer = people[0] if len(people) == 1 else None
        self.say(table_drawn(with_texts(self.game.view(viewer)), viewer))
        if self.coach and people:
            for seat in people:
                self._say_total(seat)
        self.say("")

    def _say_total(self, seat: int) -> None:
        coach = self.sitting.coaches.get(seat)
        if coach is not None and coach.unit:
            total = {"mistakes": coach.mistakes, "decisions": coach.decisions, "cost": f"{coach.cost:.4f}"}
            self.say("  " + text("coach.total", {**total, "unit": text(coach.unit)}))

    def _agent_acts(self, seat: int) -> None:
        question = self._question() if self.reasons else None
        action = self.sitting.let_agent_act()
        self._tell()
        if question is not None:
            try:
                self.say(f"    ({question(self.game.seats[seat], action).explanation.reason})")
            except MazzoError as error:
                self.say(f"    ({error})")

    def _question(self) -> Question | None:
        try:
            return None if self.game.forced else self.game.question()
        except MazzoError:
            return None

    def _turn(self, seat: int) -> None:
        """Show a person the table and ask until something is done."""
        if len(self.sitting.people) > 1 and seat != self._viewer:
            if self._viewer is not None:
                self.clear()
            self.ask(text("play.your_turn", {"name": self.game.names[seat]}))
            self._tell_again()
        self._viewer = seat
        view = with_texts(self.game.view(seat))
        self.say(table_drawn(view, seat))
        done = self.sitting.actions
        while self.sitting.actions == done:
            try:
                self._answer(self.ask(text("play.ask", {"choices": choices_drawn(view["choices"])})).strip(), seat)
            except MazzoError as error:
                self.say(str(error).partition(" (legal:")[0])

    def _answer(self, line: str, seat: int) -> None:
        """One line from a person: an action, or a wish."""
        key, _, rest = line.partition(" ")
        key, rest = key.lower(), rest.strip()
        wishes = self.game.wishes()
        if key in ("q", "quit"):
            raise Leave
        if key[:1] == "?":
            self._hint(key[1:] or rest)
        elif key in ("u", "undo"):
            if rest:
                raise UnreadableError(text("play.undo_alone", {"typed": line[:40]}))
            self._undo(seat)
        elif key == self.game.past:
            self.past(rest, seat)
        elif key in wishes and not rest:
            for sentence in wishes[key][1](seat):
                self.say(f"  {with_texts(sentence)}")
        elif key in ("", "help"):
            self._help()
        else:
            self._act(seat, line)

    def _help(self) -> None:
        self.say(text(self.game.typing))
        wishes = [f"{key} {text(what)}" for key, (what, _) in self.game.wishes().items()]
        common = text("play.help", {"past": self.game.past, "advisers": ", ".join(self.sitting.advisers)})
        self.say(", ".join([common, *wishes]))

    def _act(self, seat: int, line: str) -> None:
        try:
            action = self.game.read(line, seat)
        except UnreadableError as error:
            raise UnreadableError(f"{error}; {text('play.for_help')}") from None
        question = self._question() if self.coach else None
        self.sitting.act(action)
        if question is not None:
            self._judge(seat, question, action)

    def _undo(self, seat: int) -> None:
        before = [log_line(line, self.game.deck) for line in self.game.log]
        self.sitting.undo(seat)
        self._told = len(self.game.log)
        gone = before[self._told :]
        key = "play.undone.more" if len(gone) > 1 else "play.undone"
        self.say("  " + text(key, {"what": gone[0] if gone else "", "more": len(gone) - 1}))

    # ---- advice

    def _judge(self, seat: int, question: Question, action: str) -> None:
        advice = question(self.advisers[-1], action)
        cost, agrees = self.sitting.judge(seat, advice, action)
        if cost is None:
            self.say("  " + text("coach.agrees" if agrees else "coach.differs"))
        else:
            self.say(f"  {verdict(advice, action)} ({_worth(advice)})")

    def _hint(self, name: str) -> None:
        """What the advisers would do and why, and what every play is worth to them."""
        question = self.game.question()
        found: list[tuple[str, Advice]] = []
        for adviser in [*self.advisers[:-1], name or self.advisers[-1]]:
            try:
                advice = question(adviser)
            except MazzoError as error:
                self.say(f"  {error}")
                continue
            found.append((adviser, advice))
            action = advice.explanation.action
            shown = replace(advice.explanation, action=advice.labels.get(action, action))
            said = text("play.would", {"name": adviser, "what": str(shown)})
            self.say("\n".join(f"  {line}" for line in said.splitlines()))
            if advice.worth and not advice.explanation.options:
                self.say(f"    {_worth(advice)}")
        if name and name != self.advisers[-1] and found:
            own = self.advisers[-1], question(self.advisers[-1])
            if differ := self.game.why_differ(own, found[-1]):
                self.say(f"  {differ}")

    # ---- what is past

    def past(self, which: str, seat: int) -> None:
        """Show a finished hand again as a seat knows it, the last one by default."""
        records: Any = self.sitting.records.get(seat, ())
        number = int(which) if which.isascii() and which.isdigit() and len(which) < 9 else len(records)
        if not 1 <= number <= len(records):
            raise UnreadableError(text("play.past" if records else "play.no_past", {"count": len(records)}))
        frames = find_entry(self.sitting.name).replays().show(records[number - 1])
        view = with_texts(frames[0].view)
        own = [s for s in view["seats"] if s["name"] == self.game.names[seat]]
        for shown in own:
            cards = " | ".join(cards_in_line(hand["cards"], view["deck"]) for hand in shown["hands"])
            self.say("  " + text("play.held", {"name": shown["name"], "cards": cards}))
        for frame in frames:
            for sentence in frame.said:
                self.say(f"  {log_line(sentence, view['deck'])}")
        results = [f"{s['name']} {s['result']:+g}" for s in frames[-1].view["seats"] if s.get("result")]
        if results:
            self.say("  " + ", ".join(results))


def _worth(advice: Advice) -> str:
    """What every play is worth, the best first, with its error where it has one."""
    best = sorted(advice.worth.items(), key=lambda item: -item[1])
    plays = ", ".join(f"{advice.labels.get(action, action)} {_value(advice, action, value)}" for action, value in best)
    return f"{plays} {text(advice.unit)}"


def _value(advice: Advice, action: str, value: float) -> str:
    if not advice.errors:
        return f"{value:+.4f}"
    return f"{value:+.2f}" + (f" ± {advice.errors[action]:.2f}" if advice.errors.get(action) else "")


# ---- the commands


def kept(function: _F) -> _F:
    """The options of a table that is kept: `--session`, `--resume`, `--replay`."""
    path = click.Path(path_type=Path, dir_okay=False)
    number = click.IntRange(min=1)
    function = click.option("--replay", type=number, help="With --resume: only print the hand of this number.")(
        function
    )
    function = click.option("--resume", type=path, help="Resume the table saved in this file.")(function)
    return click.option("--session", "file", type=path, help="File to save the table in.")(function)


def ask(prompt: str) -> str:
    """A line from the terminal; the end of the input is a person leaving."""
    try:
        line: str = click.prompt(prompt, prompt_suffix=" ", default="", show_default=False)
    except (click.Abort, EOFError):
        raise Leave from None
    return line


def run(
    name: str,
    setting: Callable[[], tuple[Sequence[str], Mapping[str, Any], int]],
    *,
    words: str,
    seats: str | None = None,
    file: Path | None = None,
    resume: Path | None = None,
    replay: int | None = None,
    hands: int | None = None,
    fixed: Sequence[str] | None = None,
    **how: Any,
) -> TerminalTable:
    """Open a table of a game, or the one in a file, and play it in the terminal.

    Args:
        name: The game.
        setting: Gives seats, options and seed of a new table.
        words: What follows `mazzo play` to come back to it.
        seats: The seats as they were typed; a program named here may be seated from a file too.
        file: Where a new table is kept; by default with the other tables of this user.
        resume: The file to go on with.
        replay: Only show this hand of that file.
        hands: Stop after so many hands.
        fixed: Options by which a game is told from others of its kind: a file to go on with must have the same, and as
            many seats. By default nothing is asked of it.
        how: More for `TerminalTable`.
    """
    if replay is not None and resume is None:
        raise UnreadableError("--replay needs --resume FILE: which session?")
    path = resume or file or data_directory() / "sessions" / f"{Path(words).name}-{secrets.token_hex(4)}.jsonl"
    if resume is not None:
        refuse_without_effect(replay is not None)
        sitting = Sitting.resume(resume, trusted=parse_seats(seats or ""))
    else:
        chosen, options, seed = setting()
        sitting = Sitting.start(path, name, chosen, options, seed)
    try:
        if sitting.name != name:
            raise UnreadableError(f"{path} is a table of {sitting.name}: mazzo play {sitting.name} --resume {path}")
        if resume is not None:
            check_same(sitting, resume, seats, words, setting()[:2] if fixed is not None else None, fixed or ())
        table = TerminalTable(sitting, ask, click.echo, **how)
        if replay is not None:
            table.past(str(replay), next(iter(sitting.people), 0))
            return table
        try:
            table.play(hands)
            left = ""
        except Leave:
            left = "You left the table. "
        except KeyboardInterrupt:
            note(f"\nGo on: mazzo play {words} --resume {path}")
            raise
        if left or not table.game.over:
            note(f"{left}Go on: mazzo play {words} --resume {path}")
        return table
    finally:
        sitting.close()
