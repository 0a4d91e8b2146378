"""Hands that are told line by line: `name verb amount`, in whatever words. A room is a table of words and patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.text import AMOUNT, LONGEST_LINE, cards, cents, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH, IGNORED, kind_of_post

__all__ = ["LineHand", "LineRoom", "pieces_of"]

_AMOUNTS = re.compile(AMOUNT)
_BRACKETS = re.compile(r"\[([^\]]*)\]")

_IN_BRACKETS = re.compile(r"[(\[] ?[^\d\s()#]{0,5} ?(?P<amount>" + AMOUNT + r") ?[^\d()#]{0,6}[)\]]")
_FREE = re.compile(r"(?<![#\w.-])[^\d\s#\w]{0,3} ?(?P<amount>" + AMOUNT + ")")

_Special = Callable[["LineHand", "re.Match[str]"], None]


@dataclass(frozen=True)
class LineRoom:
    """How one room writes its hands."""

    name: str
    header: re.Pattern[str]
    """How a hand begins; its groups `number` and `when` are kept, and its line is asked for stakes and game."""
    separators: tuple[str, ...] = (": ", " ")
    """What stands between a player's name and what he does."""
    seat: re.Pattern[str] = re.compile(
        r"seat (?P<seat>\d+) ?: (?P<name>.+?) ?\( ?(?P<chips>[^()\d]{0,8}" + AMOUNT + r"[^()]*)\)(?P<rest>.*)", re.I
    )
    words: Mapping[str, str] = field(default_factory=lambda: ENGLISH)
    """What the first word after a name means."""
    readings: tuple[Reading, ...] = (Reading(),)
    ends: re.Pattern[str] | None = None
    """A line that the text of a whole hand has."""
    top: int = 3
    """How many lines are asked for game, limit and stakes."""
    board: re.Pattern[str] = re.compile(
        r"[*\- ]{0,8}(?:dealing (?:the )?)?(?P<which>first |second |third |1st |2nd |3rd |)"
        r"(?P<street>flop|turn|river)\b(?P<after> ?[123]?)(?P<rest>[^\w].*|)$",
        re.I,
    )
    dealt: re.Pattern[str] = re.compile(
        r"\**\s?(?:dealt to|dealing to|dealing cards? to) (?P<name>.+?):? ?\[(?P<cards>[^\]]*)\]", re.I
    )
    special: tuple[tuple[re.Pattern[str], _Special], ...] = ()
    """Further lines, and what is done with each."""
    summary: re.Pattern[str] = re.compile(r"\*+ ?SUMMARY|Summary:|\*\* Summary", re.I)
    read_top: Callable[[Draft, str], None] | None = None
    """Reads the first lines, where the common way is not enough."""
    post_kinds: Callable[[str], str] = kind_of_post
    prepare: Callable[[str], str] | None = None
    """Changes the text of a hand before it is read."""
    finish: Callable[[Draft], None] | None = None
    """Completes the hand after it was read."""

    def parse(self, text: str, line: int) -> Draft:
        """One hand."""
        return LineHand(self, text, line).read()


def pieces_of(text: str, header: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The text of each hand with the line it begins on."""
    begin, line, at = None, 1, 0
    for found in header.finditer(text):
        if begin is not None:
            yield line, text[begin : found.start()]
        line += text.count("\n", at, found.start())
        begin = at = found.start()
    if begin is not None:
        yield line, text[begin:]


_FIXED = ("Seat ", "Dealt to ", "***", "Uncalled bet ")
"""Beginnings of lines that say nothing a player does, unless a player is called so."""

_NOISE = re.compile(r"[*\-=\s]*$")
_BUTTON = re.compile(
    r"seat #?(?P<seat>\d+) is the button|(?:the )?button(?: is)?(?: in|:| at)? seat #?(?P<seat2>\d+)"
    r"|moving button to seat (?P<seat3>\d+)|dealer ?: set dealer \[(?P<seat4>\d+)\]",
    re.I,
)
_UNCALLED = re.compile(
    r"(?:uncalled (?:bet|portion).{0,12}?[(\[]? ?(?P<amount>[^\d\s)]{0,6} ?"
    + AMOUNT
    + r")[^)\]]{0,6}[)\]]? ?(?:was |is )?returned to (?P<name>.+))",
    re.I,
)
_POT = re.compile(r"(?:total |main )?pot ?(?:size)?[:( ] ?[^\d\s]{0,4} ?(?P<pot>" + AMOUNT + r")", re.I)
_RAKE = re.compile(
    r"(?P<what>rake|jackpot|bingo|fortune|tax|stp|fee)s?(?: taken)?(?: of)?[:( ]+[^\d\s]{0,4} ?(?P<amount>"
    + AMOUNT
    + ")",
    re.I,
)
_BOARD = re.compile(r"(?:(?P<which>first|second|third) )?(?:board|final board)[: ]+\[(?P<cards>[^\]]*)\]", re.I)
_SEAT_END = re.compile(r"seat[ +]?(?P<seat>\d+): (?P<rest>.*)", re.I)
_SHOWED = re.compile(r"(?:showed|shows|mucked|mucks|showed hand)[^\[]{0,12}\[(?P<cards>[^\]]*)\]", re.I)
_WON = re.compile(r"(?:won|collected|wins) \(?[^\d\s(]{0,5} ?(?P<amount>" + AMOUNT + r")", re.I)
_PRIZE = re.compile(r"bount|eliminat|tournament|\bplace\b|ticket|entry|jackpot|leaderboard", re.I)
_CASH_OUT = re.compile(r"cash(?:ed)?[ -]?out", re.I)
_RUNS = {"second": 1, "2nd": 1, "2": 1, "third": 2, "3rd": 2, "3": 2}
_STREETS = {"flop": 1, "turn": 2, "river": 3}


class LineHand:
    """One hand while its lines are read."""

    def __init__(self, room: LineRoom, text: str, line: int) -> None:
        self.room, self.first, self.text = room, line, text
        self.lines = (room.prepare(text) if room.prepare else text).split("\n")
        self.draft = Draft(line, room.name, readings=room.readings)
        self.number = line
        self.in_summary = False
        self.odd_name = False
        self.top = room.top
        self.late: dict[str, int] = {}

    def read(self) -> Draft:
        """Read all lines."""
        draft, room = self.draft, self.room
        self.read_top()
        for number, raw in enumerate(self.lines):
            line = raw[:LONGEST_LINE].strip()
            self.number = self.first + number
            if line and number:
                self.read_line(line)
        if not draft.collected:
            draft.collected = self.late
        if room.ends is not None and not any(room.ends.match(line[:LONGEST_LINE].strip()) for line in self.lines):
            draft.ended = False
        if room.finish is not None:
            room.finish(draft)
        return draft

    def read_top(self) -> None:
        """Ask the first lines for game, limit, stakes and time."""
        draft = self.draft
        top = "\n".join(line[:LONGEST_LINE].strip() for line in self.lines[: self.room.top])
        found = self.room.header.match(self.text)
        groups = found.groupdict() if found else {}
        draft.number = next((value for value in groups.values() if value), "").strip()
        if self.room.read_top is not None:
            self.room.read_top(draft, top)
        else:
            read_top(draft, top)

    def actor(self, line: str) -> tuple[str, str] | None:
        """Who does something on a line, and the rest of it."""
        seats = self.draft.seats
        for separator in self.room.separators:
            at = line.find(separator)
            while 0 < at < 80:
                name = line[:at]
                if name in seats:
                    return name, line[at + len(separator) :].strip()
                at = line.find(separator, at + 1)
        return None

    def read_line(self, line: str) -> None:
        """Understand a line, or note that it is not understood."""
        for pattern, react in self.room.special:
            matched = pattern.match(line)
            if matched:
                react(self, matched)
                return
        if not self.in_summary and (self.odd_name or not line.startswith(_FIXED)):
            found = self.actor(line)
            if found is not None and self.read_action(*found):
                return
        if self.read_special(line) or _NOISE.match(line):
            return
        if not self.in_summary and self.actor(line) is not None and _AMOUNTS.search(line):
            self.draft.not_understood.append((self.number, line))

    def read_special(self, line: str) -> bool:
        """A line that is no action of a player; whether it is understood."""
        draft, room = self.draft, self.room
        if room.summary.match(line):
            self.in_summary = True
            return True
        first = line[:1]
        seat = (first in "Ss" and line[:4].lower() == "seat") or " sitting in seat " in line
        if seat and self.read_seat(line):
            return True
        if self.in_summary:
            return self.read_summary(line)
        if line.startswith("Dealt to ") and "[" not in line:
            return True
        found = room.board.match(line)
        if found:
            self.deal(found)
            return True
        found = room.dealt.match(line) if "[" in line else None
        if found:
            draft.hero = draft.hero or found["name"]
            draft.show(found["name"], cards(found["cards"]))
            return True
        return self.read_money(line) or self.read_button(line)

    def read_button(self, line: str) -> bool:
        """Where the button is."""
        found = _BUTTON.search(line) if "utton" in line or "ealer" in line else None
        if found is None:
            return False
        self.draft.button = int(found["seat"] or found["seat2"] or found["seat3"] or found["seat4"])
        return True

    def read_money(self, line: str) -> bool:
        """A returned bet, a cash-out, pot and rake."""
        draft = self.draft
        found = _UNCALLED.match(line)
        if found:
            draft.give_back(found["name"].strip(), sure_cents(found["amount"]))
            return True
        if "ash" in line and _CASH_OUT.search(line):
            draft.cash_out = True
            return True
        return self.read_summary(line)

    def read_summary(self, line: str) -> bool:
        """Pot, rake and board."""
        draft = self.draft
        found = _BOARD.match(line) if "[" in line else None
        if found:
            self.lay(cards(found["cards"]), _RUNS.get((found["which"] or "").lower(), 0))
            return True
        low = line.lower()
        if "pot" not in low and "rake" not in low and "fee" not in low and "jackpot" not in low:
            return False
        rake = [cents(r["amount"]) or 0 for r in _RAKE.finditer(line)]
        found = _POT.match(line)
        if rake:  # beside the pot it is the whole rake, else one of several lines of it
            draft.rake = sum(rake) + (0 if found else draft.rake or 0)
        if found:
            draft.pot = cents(found["pot"])
        return bool(rake or found)

    def read_seat(self, line: str) -> bool:
        """Who sits where with how much; in the summary, what a seat showed and won."""
        draft = self.draft
        if not self.in_summary and not draft.steps:
            found = self.room.seat.match(line)
            if found:
                amount = _AMOUNTS.search(found["chips"])
                chips = sure_cents(amount[0]) if amount else d.UNSAID
                name = found["name"].strip()
                draft.seats.setdefault(name, (int(found["seat"]), chips))
                self.odd_name |= f"{name} ".startswith(_FIXED)
                rest = found["rest"].lower()
                if "sitting out" in rest:
                    draft.absent.add(name)
                if "dealer" in rest or "the button" in rest:
                    draft.button = int(found["seat"])
                return True
        if self.read_button(line):
            return True
        found = _SEAT_END.match(line)
        if found and self.in_summary:
            self.end_of_seat(int(found["seat"]), found["rest"])
        return found is not None

    def end_of_seat(self, seat: int, rest: str) -> None:
        """A line of the summary: what a seat showed and won."""
        draft = self.draft
        name = next((n for n, (s, _) in draft.seats.items() if s == seat and rest.startswith(n)), None)
        if name is None or "folded" in rest:
            return
        rest = rest[len(name) :]
        shown = _SHOWED.search(rest)
        if shown:
            draft.show(name, cards(shown["cards"]))
        for won in _WON.finditer(rest):
            self.late[name] = self.late.get(name, 0) + (cents(won["amount"]) or 0)

    def deal(self, found: re.Match[str]) -> None:
        """Cards of the board."""
        draft = self.draft
        street = _STREETS[found["street"].lower()]
        which = _RUNS.get(found["which"].strip().lower() or found["after"].strip(), 0)
        groups = _BRACKETS.findall(found["rest"])
        if not which:
            draft.street = street
        if not groups:
            return
        dealt = cards(" ".join(groups))
        dealt = dealt[:3] if street == 1 else dealt[-1:]
        old = draft.board if not which else draft.more_boards[which - 1] if len(draft.more_boards) >= which else ()
        held = {1: 0, 2: 3, 3: 4}[street]
        if which and len(old) < held:
            old = draft.board[:held]
        if len(old) == held:
            self.lay((*old, *dealt), which)

    def lay(self, board: tuple[int, ...], which: int) -> None:
        """Put a board down, the first (0) or a further one; the longest that is told stands."""
        draft = self.draft
        if which:
            while len(draft.more_boards) < which:
                draft.more_boards.append(())
            draft.more_boards[which - 1] = max(board, draft.more_boards[which - 1], key=len)
        elif len(board) > len(draft.board):
            draft.board = board

    def read_action(self, name: str, rest: str) -> bool:
        """What a player did, by the first word of it."""
        word, _, after = rest.partition(" ")
        meaning = _meaning(self.room.words, word, rest)
        if meaning is None:
            return False
        if meaning in ("fold", "check"):
            self.draft.act(name, d.FOLD if meaning == "fold" else d.CHECK)
        elif meaning in ("call", "bet", "raise", "allin"):
            self.wager(name, meaning, after)
        elif meaning == "post":
            self.post(name, rest)
        elif meaning == "show":
            self.show(name, rest)
        elif meaning in ("collect", "return", "cashout"):
            self.take(name, meaning, after)
        return True

    def show(self, name: str, rest: str) -> None:
        """Cards that a player shows."""
        shown = _BRACKETS.findall(rest)
        single = [text for text in shown if len(text.strip()) <= 3]
        if shown:
            self.draft.show(name, cards(" ".join(single) if len(single) > 1 else shown[0]))

    def wager(self, name: str, meaning: str, after: str) -> None:
        """A call, bet, raise or all-in, with what is said of its amount."""
        amounts = [cents(word) for word in _AMOUNTS.findall(after)]
        if None in amounts:
            self.draft.not_understood.append((self.number, f"{name} {meaning} {after}"))
            return
        said = [amount for amount in amounts if amount is not None]
        if meaning == "call":
            self.draft.act(name, d.CALL, said[0] if said else d.UNSAID)
        elif meaning == "allin" or not said:
            self.draft.act(name, d.ALL_IN)
        elif meaning == "raise" and len(said) > 1:
            self.draft.act(name, d.RAISE_TO, said[1])
        else:
            self.draft.act(name, d.RAISE if meaning == "raise" else d.BET, said[0])

    def post(self, name: str, rest: str) -> None:
        """A blind, ante or straddle."""
        amounts = [cents(word) for word in _AMOUNTS.findall(rest)]
        kind = self.room.post_kinds(rest.lower())
        if not amounts or None in amounts:
            self.draft.not_understood.append((self.number, f"{name} {rest}"))
            return
        said = [abs(amount) for amount in amounts if amount is not None]
        if kind == "both" and len(said) == 2:
            self.draft.post("dead", name, min(said))
            self.draft.post("live", name, max(said))
        elif said[0]:
            self.draft.post(kind, name, said[0])

    def take(self, name: str, meaning: str, after: str) -> None:
        """What a player collects, or gets back."""
        amount = _IN_BRACKETS.search(after) or _FREE.search(after)
        if meaning == "cashout":
            self.draft.cash_out = True
        elif amount is None or (meaning == "collect" and _PRIZE.search(after)):
            return
        elif meaning == "return":
            self.draft.give_back(name, sure_cents(amount["amount"]))
        else:
            self.draft.collect(name, sure_cents(amount["amount"]))


def _meaning(words: Mapping[str, str], word: str, rest: str) -> str | None:
    """What a line does: by its first word, or by its first two."""
    low = word.lower().rstrip(".,:!")
    if "(" in low:  # such as folds(timeout)
        low = low.partition("(")[0]
    meaning = words.get(low)
    if meaning == "look":
        two = " ".join(rest.lower().split(" ", 3)[:2]).rstrip(".,:!")
        meaning = words.get(two, "ignore" if low in IGNORED else None)
    return meaning
