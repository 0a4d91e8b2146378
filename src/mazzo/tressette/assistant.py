"""An assistant for a real table.

It talks through two functions, `ask` (a prompt, giving back a line) and `tell` (a line), and raises `Leave` when the
person goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mazzo.agent import Agent, create
from mazzo.cards import ITALIAN, Card
from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Leave
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.observation import PLACES, Observations
from mazzo.tressette.reasoning import Knowledge, reasons
from mazzo.tressette.rules import Rules
from mazzo.tressette.view import View

__all__ = ["Assistant", "known", "read_card"]

Ask = Callable[[str], str]
Tell = Callable[[str], None]

_ASSIST_HELP = (
    "cards as they fall, several on a line if you like: 3d (or 3d:busso), or just 3 for the suit led; Enter plays the "
    "advised card; "
    "? advice, k what is known, u (or u 3) take back, t the round as text, q leave"
)


def read_card(text: str, legal: Sequence[Card], led: int | None = None, numbered: bool = True) -> Card:
    """A card as people type it: `3d`, its number in the list of legal cards, a suit or a rank that leaves one choice.

    Args:
        text: What was typed.
        legal: The cards to choose from.
        led: The suit led, which a rank alone refers to where cards are not numbered.
        numbered: Whether a number is a place in the list (else it is a rank).
    """
    typed = text.strip().lower()
    if numbered and typed.isdigit():
        if not 1 <= int(typed) <= len(legal):
            raise UnreadableError(f"there is no card number {typed}: choose from 1 to {len(legal)}")
        return legal[int(typed) - 1]
    if typed in tuple(ITALIAN.suits):
        of_suit = [card for card in legal if card.suit == ITALIAN.suits.index(typed)]
        if len(of_suit) != 1:
            raise UnreadableError(
                f"{typed!r} leaves {len(of_suit)} cards to choose from: add the rank, such as 3{typed}"
            )
        return of_suit[0]
    if led is not None and not numbered and typed and typed[-1] not in ITALIAN.suits:
        typed += ITALIAN.suits[led]
    return ITALIAN.card(typed)


def _said(card: Card, signal: str) -> str:
    return f"{card}:{signal}" if signal else str(card)


def known(view: View) -> list[str]:
    """What follows about the hidden cards, each with its reason."""
    return [str(deduction) for deduction in Knowledge(view).deductions()]


@dataclass
class Assistant:
    """Keeps the knowledge of a real round: type what is played, get advice and reasons."""

    ask: Ask
    tell: Tell
    advisor: str = "decision-improved"
    named: bool = False
    talk: bool = False

    def run(self, text: str | None = None) -> View:
        """Help through one round, from its start or from its text; gives back what was seen."""
        agent = create(self.advisor, AGENTS)
        with reasons():
            view = View.parse(text) if text else self._begin()
        self.tell(_ASSIST_HELP)
        while (turn := view.turn) is not None:
            if turn == 0:
                why = agent.explain(view.observe())
                self.tell(f"play {why.action}: {why.reason}")
            line = self.ask(f"trick {view.trick}, {PLACES[turn]}> ").strip()
            try:
                with reasons():
                    self._do(line, view, agent)
            except MazzoError as error:
                self.tell(f"{error}")
        ours, theirs = view.thirds
        self.tell(f"The round is over: {ours // 3} points to {theirs // 3}.")
        return view

    def _begin(self) -> View:
        while True:
            try:
                hand = ITALIAN.parse(self.ask("your ten cards> "))
                leader = _place(self.ask("who leads (me, avv1 after you, compagno, avv2 before you)> "))
                told = self._declarations(self.ask("declarations of the others (avv1 napoli; ...), Enter if none> "))
                with reasons():
                    return View(Rules(named=self.named, talk=self.talk), hand, leader=leader, declared=told)
            except MazzoError as error:
                self.tell(f"{error}")

    def _declarations(self, line: str) -> dict[int, str]:
        told: dict[int, str] = {}
        for part in filter(None, (part.strip() for part in line.split(";"))):
            name, _, words = part.partition(" ")
            told[_place(name)] = words
        return told

    def _do(self, line: str, view: View, agent: Agent[Observations]) -> None:
        words = line.lower().split()
        if not words:
            if view.turn:
                self.tell(_ASSIST_HELP)
                return
            words = [agent.explain(view.observe()).action.lower()]
        if words[0] in ("q", "quit"):
            raise Leave
        if words[0] in ("u", "undo"):
            view.undo(int(words[1]) if len(words) > 1 and words[1].isdigit() else 1)
        elif words[0] in ("t", "text"):
            self.tell(str(view))
        elif words[0] in ("k", "know"):
            for line in known(view) or ["nothing is known of the hidden cards beyond what is open"]:
                self.tell(line)
        elif words[0] == "?":
            self.tell(str(agent.explain(view.observe())) if view.turn == 0 else f"{PLACES[view.turn or 0]} is to play")
        else:
            for word in words:
                led = view.table[0][1].suit if view.table else None
                card, _, signal = word.partition(":")
                view.act(_said(read_card(card, view.legal.cards, led, numbered=False), signal))


def _place(text: str) -> int:
    names = {"m": 0, "1": 1, "a1": 1, "c": 2, "partner": 2, "2": 3, "a2": 3}
    given = text.strip().lower()
    if given in PLACES:
        return PLACES.index(given)
    if given in names:
        return names[given]
    raise UnreadableError(f"{text!r} is nobody at the table: me, avv1 (plays after me), compagno, avv2")
