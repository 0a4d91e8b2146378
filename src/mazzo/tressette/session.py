"""People at the table: a match in the terminal, and an assistant for a real table.

Both talk through two functions, `ask` (a prompt, giving back a line) and `tell` (a line), and raise `Leave` when the
person goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mazzo.agent import Agent, create
from mazzo.cards import ITALIAN, Card
from mazzo.errors import MazzoError, UnreadableError
from mazzo.luck import fork, stream
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.agents.choosing import action_text
from mazzo.tressette.game import Game
from mazzo.tressette.observation import PLACES, Observations
from mazzo.tressette.round import SEATS, Round, View

__all__ = ["Assistant", "Leave", "PlayTable", "read_card"]

Ask = Callable[[str], str]
Tell = Callable[[str], None]

_PLAY_HELP = (
    "a card (3d, 10c) or its number; a suit (d c s b) if only one card of it is legal; "
    "a leader may add busso, striscio or volo where talking is allowed; ? advice, k what is known, u take back, q leave"
)
_ASSIST_HELP = (
    "cards as they fall, several on a line if you like: 3d (or 3d:busso), or just 3 for the suit led; Enter plays the "
    "advised card; "
    "? advice, k what is known, u (or u 3) take back, t the round as text, q leave"
)


class Leave(Exception):  # noqa: N818  (nothing went wrong: a person left)
    """The person leaves the table."""


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


def _known(view: View) -> list[str]:
    from mazzo.tressette.knowledge import Knowledge

    lines = [str(deduction) for deduction in Knowledge(view).deductions()]
    return lines or ["nothing is known of the hidden cards beyond what lies open"]


@dataclass
class PlayTable:
    """A match at one terminal between people and agents in any mix."""

    seats: Sequence[str]
    """For south, east, north, west: `me` (a person) or the name of an agent."""
    ask: Ask
    tell: Tell
    seed: int = 0
    target: int = 31
    named: bool = False
    a_monte: bool = True
    talk: bool = False
    advisor: str = "decision-improved"
    show_reasons: bool = False
    agents: dict[int, Agent[Observations]] = field(init=False)

    def __post_init__(self) -> None:
        if len(self.seats) != 4:
            raise UnreadableError(f"tressette has four seats, not {len(self.seats)}: such as me,decision,belief,greedy")
        self.agents = {s: create(name, AGENTS) for s, name in enumerate(self.seats) if name != "me"}
        self._advisor = create(self.advisor, AGENTS)
        self.people = [seat for seat in range(4) if seat not in self.agents]

    def play(self) -> Game:
        """Play a match to its end and give it back."""
        game = Game(self.seed, self.target, self.named, self.a_monte, self.talk)
        names = ", ".join(f"{place} {name}" for place, name in zip(SEATS, self.seats, strict=True))
        self.tell(f"{names}; south and north play together, to {self.target} points.")
        while game.winner is None:
            table = game.deal()
            if self._sent_a_monte(game, table):
                self.tell("A monte: the same dealer deals again.")
                continue
            self._play_round(game, table)
            score = game.score(table)
            self.tell(
                f"Round: cards {score.cards[0]}-{score.cards[1]}, declarations "
                f"{score.declarations[0]}-{score.declarations[1]}. Match: {game.scores[0]}-{game.scores[1]}."
            )
        self.tell(f"{('South and north', 'East and west')[game.winner]} win {max(game.scores)} to {min(game.scores)}.")
        return game

    def _sent_a_monte(self, game: Game, table: Round) -> bool:
        for seat in range(4):
            if not game.may_void(table, seat):
                continue
            if seat in self.agents:
                return True
            self.tell(f"{SEATS[seat]}, your hand: {' '.join(map(str, table.hand(seat)))}")
            if self.ask("Send the deal a monte? [y/n] ").strip().lower() in ("y", "yes", "s", "si"):
                return True
        return False

    def _play_round(self, game: Game, table: Round) -> None:
        self.tell(f"\nDeal {game.deals}: {SEATS[table.leader]} leads.")
        for seat in range(4):
            if table.declarations(seat):
                self.tell(f"{SEATS[seat]} declares {table.declarations(seat)}.")
        key = int(fork(stream(self.seed, "luck"), game.deals))
        while not table.finished:
            seat = table.turn
            if seat in self.agents:
                self._agent_acts(table, seat, key)
            elif not self._person_acts(table, seat):
                continue
            if not table.table:
                taken = " ".join(str(card) for _, card in table.plays[-4:])
                self.tell(f"  {SEATS[table.turn]} takes {taken}")

    def _agent_acts(self, table: Round, seat: int, key: int) -> None:
        seen = table.observe(seat, key)
        card = action_text(int(self.agents[seat].decide(seen)[0]))
        reason = f" ({self.agents[seat].explain(seen).reason})" if self.show_reasons else ""
        table.act(card)
        self.tell(f"  {SEATS[seat]} ({self.seats[seat]}) plays {card}{reason}")

    def _person_acts(self, table: Round, seat: int) -> bool:
        """Ask a person for a card; False where something else was done instead (a card taken back)."""
        self._show(table, seat)
        while True:
            line = self.ask(f"{SEATS[seat]}> ").strip()
            try:
                if line.lower() in ("q", "quit"):
                    raise Leave
                if line.lower() in ("u", "undo"):
                    return not self._take_back(table)
                if line in ("", "h", "help"):
                    self.tell(_PLAY_HELP)
                elif line == "?":
                    self.tell(str(self._advisor.explain(table.observe(seat))))
                elif line.lower() in ("k", "know"):
                    for known in _known(table.view(seat)):
                        self.tell(known)
                else:
                    card, _, signal = line.replace(":", " ").partition(" ")
                    table.act(read_card(card, table.legal), signal=signal.strip().lower())
                    return True
            except MazzoError as wrong:
                self.tell(f"{wrong}")

    def _take_back(self, table: Round) -> bool:
        """Undo to the last card a person played."""
        cards = [k for k, (seat, _) in enumerate(table.plays) if seat in self.people]
        if not cards:
            self.tell("there is no card of yours to take back")
            return False
        table.undo(len(table.plays) - cards[-1])
        return True

    def _show(self, table: Round, seat: int) -> None:
        on_table = "  ".join(f"{SEATS[s]} {card}" for s, card in table.table) or "you lead"
        thirds = table.thirds if seat % 2 == 0 else table.thirds[::-1]
        self.tell(f"\nTrick {table.trick}, table: {on_table}; points {thirds[0] / 3:.1f} to {thirds[1] / 3:.1f}")
        legal = list(table.legal)
        hand = (f"{legal.index(c) + 1}:{c}" if c in legal else f"({c})" for c in table.hand(seat))
        self.tell(" ".join(hand))


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
        view = View.parse(text) if text else self._begin()
        self.tell(_ASSIST_HELP)
        while not view.finished:
            if view.turn == 0:
                why = agent.explain(view.observe())
                self.tell(f"play {why.action}: {why.reason}")
            line = self.ask(f"trick {view.trick}, {PLACES[view.turn]}> ").strip()
            try:
                self._do(line, view, agent)
            except MazzoError as wrong:
                self.tell(f"{wrong}")
        ours, theirs = view.thirds
        self.tell(f"The round is over: {ours // 3} points to {theirs // 3}.")
        return view

    def _begin(self) -> View:
        while True:
            try:
                hand = ITALIAN.parse(self.ask("your ten cards> "))
                leader = _place(self.ask("who leads (me, avv1 after you, compagno, avv2 before you)> "))
                told = self._declarations(self.ask("declarations of the others (avv1 napoli; ...), Enter if none> "))
                return View(hand, leader, told, self.named, self.talk)
            except MazzoError as wrong:
                self.tell(f"{wrong}")

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
            for known in _known(view):
                self.tell(known)
        elif words[0] == "?":
            self.tell(str(agent.explain(view.observe())) if view.turn == 0 else f"{PLACES[view.turn]} is to play")
        else:
            for word in words:
                led = view.table[0][1].suit if view.table else None
                card, _, signal = word.partition(":")
                view.act(read_card(card, view.legal, led, numbered=False), signal=signal)


def _place(text: str) -> int:
    names = {"m": 0, "1": 1, "a1": 1, "c": 2, "partner": 2, "2": 3, "a2": 3}
    given = text.strip().lower()
    if given in PLACES:
        return PLACES.index(given)
    if given in names:
        return names[given]
    raise UnreadableError(f"{text!r} is nobody at the table: me, avv1 (plays after me), compagno, avv2")
