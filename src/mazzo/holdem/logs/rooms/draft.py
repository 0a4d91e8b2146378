"""A hand as a room tells it: who sat where, what was posted, done, returned, shown and collected, line by line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from mazzo.holdem.logs.formats import UNSUPPORTED, UnusableHandError

__all__ = [
    "ALL_IN", "BET", "CALL", "CALL_TO", "CHECK", "FOLD", "RAISE", "RAISE_ADDED", "RAISE_TO", "UNSAID", "About", "Draft",
    "Post", "Reading", "other_game",
]  # fmt: skip

# What a player did, as the replay understands it. BET and RAISE become one of the others once it is known what a room's
# number means.
FOLD, CHECK, CALL, CALL_TO, RAISE_TO, RAISE_ADDED, ALL_IN, BET, RAISE = range(9)

UNSAID = -1
"""An amount that the room does not say."""


class Reading(NamedTuple):
    """What the numbers of a hand are taken to mean."""

    raise_to: bool = True
    """The number of a raise is the player's total of the street; else the chips added."""
    call_to: bool = False
    """The number of a call is the player's total of the street; else the chips added."""
    dead_second: bool = True
    """A second small blind is dead; else it plays."""


class Post(NamedTuple):
    """What somebody put in before the cards."""

    kind: str
    """small, big, both (a live big blind and a dead small one), live, dead, straddle or ante."""
    name: str
    amount: int


class About(NamedTuple):
    """What a room says of a hand beside the play."""

    room: str
    number: str
    when: str
    currency: str
    tournament: bool
    stakes: str
    hero: str
    rake: int
    """In chips of the hand; also what the house took for jackpots and the like."""
    boards: int
    """How often the board was dealt: 2 where it was run twice."""


@dataclass(slots=True)
class Draft:
    """One hand while it is read. Amounts are in hundredths."""

    line: int
    room: str = ""
    number: str = ""
    when: str = ""
    currency: str = ""
    tournament: bool = False
    limit: str = ""
    """NL, PL or FL; empty where it is not said."""
    stakes: tuple[int, ...] = ()
    """Small and big blind, or in limit games the two bets, as the header has them."""
    table: str = ""
    hero: str = ""
    seats: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By name: the seat, and the chips before the hand (UNSAID if they are not given)."""
    button: int | None = None
    button_name: str = ""
    posts: list[Post] = field(default_factory=list)
    steps: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Who, what, how much, on which street."""
    street: int = 0
    hole: dict[str, tuple[int, ...]] = field(default_factory=dict)
    board: tuple[int, ...] = ()
    more_boards: list[tuple[int, ...]] = field(default_factory=list)
    """The second and further boards, where the rest was dealt more than once."""
    returned: dict[str, int] = field(default_factory=dict)
    collected: dict[str, int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    """What each player won or lost in all, where the room says that."""
    rake: int | None = None
    pot: int | None = None
    extra: int = 0
    """What the house put into the pot."""
    absent: set[str] = field(default_factory=set)
    """Who sat out."""
    not_understood: list[tuple[int, str]] = field(default_factory=list)
    readings: tuple[Reading, ...] = (Reading(),)
    ended: bool = True
    """False where the text breaks off."""
    cash_out: bool = False
    returns_inside: bool = True
    """Whether a bet that nobody called may be in what its player collected."""
    antes_unsaid: bool = False
    """Whether antes may have been paid that the text does not tell; what was collected tells them then."""

    def act(self, name: str, what: int, amount: int = UNSAID) -> None:
        """Note what somebody did."""
        self.steps.append((name, what, amount, self.street))

    def post(self, kind: str, name: str, amount: int) -> None:
        """Note what somebody put in before the cards."""
        self.posts.append(Post(kind, name, amount))

    def collect(self, name: str, amount: int) -> None:
        """Note what somebody took from a pot."""
        self.collected[name] = self.collected.get(name, 0) + amount

    def give_back(self, name: str, amount: int) -> None:
        """Note a bet that was returned."""
        self.returned[name] = self.returned.get(name, 0) + amount

    def show(self, name: str, cards: tuple[int, ...]) -> None:
        """Note cards of somebody; those known before stay."""
        if len(cards) == 2 and 255 not in cards:
            self.hole.setdefault(name, cards)
        elif len(cards) > 2:
            raise other_game("a game of more than two hole cards")


_GAMES = (
    ("7card", "Stud"), ("7 card", "Stud"), ("two hole cards", "more than two hole cards"),
    ("courchevel", "Courchevel"), ("omaha", "Omaha"), ("plo", "Omaha"), ("stud", "Stud"), ("razz", "Razz"),
    ("badugi", "Badugi"), ("badacey", "Badugi"), ("draw", "Draw"), ("lowball", "Draw"), ("2-7", "Draw"), ("27", "Draw"),
    ("short deck", "short-deck Hold'em"), ("shortdeck", "short-deck Hold'em"), ("short-deck", "short-deck Hold'em"),
    ("6+", "short-deck Hold'em"), ("double", "double-board Hold'em"), ("irish", "Irish"), ("fusion", "Fusion"),
    ("pineapple", "Pineapple"), ("bdg", "Badugi"), ("chinese", "Chinese poker"), ("telesina", "Telesina"),
)  # fmt: skip


def other_game(name: str) -> UnusableHandError:
    """Why a hand of another game is not used, by the name of the game."""
    low = name.lower()
    kind = next((known for word, known in _GAMES if word in low), name.strip() or "another game")
    return UnusableHandError(f"{UNSUPPORTED}: {kind}", f"this is {name.strip() or 'another game'}, not Hold'em")
