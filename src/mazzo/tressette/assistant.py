"""An assistant for a real table: a round, or a match with its declarations, followed card by card.

It talks through two functions, `ask` (a prompt, giving back a line) and `tell` (a line), and raises `Leave` when the
person goes. What is wrong in a line is said, and only that line is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mazzo.agent import Explanation, create
from mazzo.cards import ITALIAN, Card
from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Leave
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.game import Game
from mazzo.tressette.observation import PLACES, cards_text
from mazzo.tressette.reasoning import Knowledge, reasons
from mazzo.tressette.review import review_round
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import Rules
from mazzo.tressette.spoken import card_words, read_card, why_differ
from mazzo.tressette.view import View

__all__ = ["Assistant", "as_open_round", "known", "read_card"]

Ask = Callable[[str], str]
Tell = Callable[[str], None]
_T = TypeVar("_T")

_HELP = (
    "cards as they fall, several on a line if you like: 3d, Rc, re di coppe (or 3d:busso), or just 3 for the suit led; "
    "Enter plays the advised card; ? advice, ? NAME another adviser and why the two differ, k what is known, "
    "u (or u 3) take back, t the round as text, help, q leave"
)
_MONTE = ("monte", "a monte")


def _said(card: Card, signal: str) -> str:
    return f"{card}:{signal}" if signal else str(card)


def known(view: View) -> list[str]:
    """What follows about the hidden cards, each with its reason."""
    return [str(deduction) for deduction in Knowledge(view).deductions()]


def as_open_round(view: View) -> Round:
    """A round that one seat followed to its end: all cards were seen, so that all four hands are known."""
    hands: list[list[int]] = [[] for _ in SEATS]
    for seat, card in view.plays:
        hands[seat].append(int(card))
    table = Round(view.rules, hands, leader=view.leader, score=view.score)
    for action in view.history:
        table.act(action)
    return table


@dataclass
class Assistant:
    """Keeps the knowledge of a real table: type what is played, get advice and reasons.

    Attributes:
        ask: Gives the answer to a prompt.
        tell: Shows a line.
        advisor: The agent that advises.
        rules: What is played.
        score: Points of my side and of the other when it begins.
    """

    ask: Ask
    tell: Tell
    advisor: str = "search"
    rules: Rules = field(default_factory=Rules)
    score: Sequence[int] = (0, 0)

    def __post_init__(self) -> None:
        self._agent = create(self.advisor, AGENTS)
        if reason := self._agent.unsupported_reason(self.rules):
            raise UnreadableError(f"{self.advisor} cannot advise here: {reason}")
        self._advised: tuple[str, Explanation] | None = None

    # ---- a match, a round

    def run_match(self, text: str | None = None) -> Game:
        """Help until a side has won."""
        game = Game(self.rules, before=self.score)
        leader: int | None = None
        while game.winner is None:
            view = self.run(text, leader, game.scores)
            text, leader = None, (view.leader + 1) % 4
            score = game.score(view)
            told = f", declared {_versus(score.declarations)}" if any(score.declarations) else ""
            self.tell(f"The round: cards {_versus(score.cards)}{told}. The match: {_versus(game.scores)}.")
            if score.outright:
                self.tell(f"{score.outright}: the match is won, for {game.stakes} stakes")
            if game.winner is None:
                self._after(view)
        self.tell("Your side wins the match." if game.winner == 0 else "The other side wins the match.")
        self._after(view)
        return game

    def _after(self, view: View) -> None:
        line = self._line("r to review your cards, Enter to go on> ")
        while line in ("r", "review") and view.over:
            self.tell(str(review_round(as_open_round(view), 0, self.advisor)))
            line = self._line("Enter to go on> ")

    def run(self, text: str | None = None, leader: int | None = None, score: Sequence[int] | None = None) -> View:
        """Help through one round, from its start or from its text; gives back what was seen."""
        if text:
            with reasons():
                view = View.parse(text, self.rules)
        else:
            view = self._begin(leader, score)
        self.tell(_HELP)
        game = Game(self.rules, before=view.score or (0, 0))
        while (turn := view.turn) is not None and not game.is_out(view):
            if view.rules.declarations == "after" and len(view.plays) == 4 and view.observe().declared[0, 1, 0] < 0:
                self._answer("what the others declare (avv1 napoli d; ...), Enter if nothing> ", self._told_to(view))
            self._show(view)
            line = self._line(f"trick {view.trick}, {PLACES[turn]}> ")
            try:
                with reasons():
                    self._do(line, view)
            except MazzoError as error:
                self.tell(f"{error}")
        ours, theirs = view.thirds
        self.tell(f"The round is over: {ours // 3} points to {theirs // 3}.")
        return view

    def _show(self, view: View) -> None:
        """What lies on the table, my hand, the points; and on my turn what is advised."""
        table = ", ".join(f"{PLACES[seat]} {card}" for seat, card in view.table) or "empty"
        ours, theirs = (thirds / 3 for thirds in view.thirds)
        match = "" if view.score is None else f" | match {_versus(view.score)}, to {view.rules.target}"
        hand = cards_text(int(view.row.hands[0, 0]))
        self.tell(f"table: {table} | hand: {hand} | points {ours:.1f} to {theirs:.1f}{match}")
        if view.turn == 0:
            why = self._advice(view)
            self.tell(f"play {why.action}: {why.reason}")

    def _advice(self, view: View) -> Explanation:
        """Asked once a decision: with seconds to think it might otherwise advise one card and play another."""
        text = str(view)
        if self._advised is None or self._advised[0] != text:
            self._advised = text, self._agent.explain(view.observe())
        return self._advised[1]

    # ---- what is asked before the cards

    def _line(self, prompt: str) -> str:
        """A line; leaving is possible at every prompt."""
        line = self.ask(prompt).strip()
        if line.lower() in ("q", "quit"):
            raise Leave
        return line

    def _answer(self, prompt: str, read: Callable[[str], _T]) -> _T:
        """What a line says, asked for again until it can be read."""
        while True:
            line = self._line(prompt)
            if line.lower() in ("help", "?"):
                self.tell(_HELP)
                continue
            try:
                with reasons():
                    return read(line)
            except MazzoError as error:
                self.tell(f"{error}")

    def _begin(self, leader: int | None, score: Sequence[int] | None) -> View:
        hand: tuple[Card, ...] | None = None
        while hand is None:
            monte = ", or monte if the deal is thrown in" if self.rules.a_monte else ""
            hand = self._answer(f"your ten cards{monte}> ", self._hand)
        if leader is None:
            leader = self._answer("who leads (me, avv1 after you, compagno, avv2 before you)> ", _place)
        dealt, first = hand, leader

        def made(line: str) -> View:
            told = _declarations(line) if self.rules.declarations == "before" else None
            return View(self.rules, dealt, leader=first, declared=told, score=score)

        if self.rules.declarations != "before":
            return made("")
        return self._answer("declarations of the others (avv1 napoli; ...), Enter if none> ", made)

    def _hand(self, line: str) -> tuple[Card, ...] | None:
        if self.rules.a_monte and line.lower() in _MONTE:
            self.tell("Thrown in: the same dealer deals again.")
            return None
        cards = ITALIAN.parse(line)
        if len(cards) != 10:
            raise UnreadableError(f"a hand has ten cards, these are {len(cards)}: {line!r}")
        return cards

    def _told_to(self, view: View) -> Callable[[str], View]:
        return lambda line: view.declare(_declarations(line))

    # ---- what is typed as cards fall

    def _do(self, line: str, view: View) -> None:
        words = line.lower().split()
        if not words:
            if view.turn:
                self.tell(_HELP)
                return
            words = [self._advice(view).action.lower()]
            line = words[0]
        if words[0] in ("u", "undo"):
            self._undo(words[1:], view)
        elif words[0] in ("t", "text"):
            self.tell(str(view))
        elif words[0] in ("k", "know"):
            for found in known(view) or ["nothing is known of the hidden cards beyond what is open"]:
                self.tell(found)
        elif words[0] == "help":
            self.tell(_HELP)
        elif words[0].startswith("?"):
            self._advise((words[0][1:] or " ".join(words[1:])).strip(), view)
        else:
            self._play(line, view)

    def _play(self, line: str, view: View) -> None:
        """All cards of a line, or none of them."""
        done = 0
        try:
            for word in card_words(line):
                led = view.table[0][1].suit if view.table else None
                card, _, signal = word.partition(":")
                view.act(_said(read_card(card, view.legal.cards, led, numbered=False), signal))
                done += 1
        except MazzoError as error:
            if done:
                view.undo(done)
                raise UnreadableError(f"{error}; nothing of this line was played, type it again") from None
            raise

    def _undo(self, words: Sequence[str], view: View) -> None:
        if words and not (words[0].isascii() and words[0].isdigit() and int(words[0][:4]) > 0 and len(words) == 1):
            raise UnreadableError(f"u takes a number of cards to take back, such as u 3, not {' '.join(words)!r}")
        count = int(words[0][:4]) if words else 1
        if count > len(view.plays):
            has = f"only {len(view.plays)} have been played" if view.plays else "no card has been played"
            raise UnreadableError(f"{count} card{'s' * (count != 1)} cannot be taken back: {has}")
        gone = view.plays[-count:]
        view.undo(count)
        back = ", ".join(f"{card} of {PLACES[seat]}" for seat, card in reversed(gone))
        self.tell(f"Taken back: {back}.")

    def _advise(self, name: str, view: View) -> None:
        if view.turn != 0:
            self.tell(f"{PLACES[view.turn or 0]} is to play")
            return
        own = self._advice(view)
        if not name:
            self.tell(str(own))
            return
        other = create(name, AGENTS).explain(view.observe())
        self.tell(str(other))
        self.tell(f"{why_differ(self.advisor, own, name, other)}.")


def _declarations(line: str) -> Mapping[int, str]:
    told: dict[int, str] = {}
    for part in filter(None, (part.strip() for part in line.split(";"))):
        name, _, words = part.partition(" ")
        told[_place(name)] = words
    return told


def _versus(points: Sequence[int]) -> str:
    return f"{points[0]}-{points[1]}"


def _place(text: str) -> int:
    names = {"m": 0, "1": 1, "a1": 1, "c": 2, "partner": 2, "2": 3, "a2": 3}
    given = text.strip().lower()
    if given in PLACES:
        return PLACES.index(given)
    if given in names:
        return names[given]
    raise UnreadableError(f"{text!r} is nobody at the table: me, avv1 (plays after me), compagno, avv2")
