"""What is played: a game definition, from a preset name or from a `.game` file of the poker competition (ACPC).

Positions count from the first seat after the button: position 0 is the small blind and the last position the button,
except heads-up, where position 0 is the big blind and position 1 the button with the small blind ("reverse blinds").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import FRENCH, Card
from mazzo.document import Section, Shown, settings
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c

__all__ = ["PRESETS", "RAISE_CAP", "Rules", "find_game", "is_file_name", "parse_game", "read_game", "rules"]

UNLIMITED = 2**31 - 1
"""Chips of a player whose stack the definition does not limit."""

_NO_CAP = 2**31 - 1

RAISE_CAP = 4
"""Limit games: bets and raises of a round, the big blind counted as the first before the flop."""


@dataclass(frozen=True)
class Rules(Shown):
    """The rules of one table: who puts in what before the cards, who speaks first, how much may be raised."""

    name: str
    limit: bool
    blinds: tuple[int, ...]
    first: tuple[int, ...]
    """Per round, the position that speaks first."""
    stacks: tuple[int, ...] = ()
    """Chips per position; empty: without limit."""
    raise_sizes: tuple[int, ...] = ()
    """Limit games: the size of a bet or raise per round."""
    max_raises: tuple[int, ...] = ()
    """Bets and raises allowed per round, blinds not counted; empty: no cap."""
    antes: tuple[int, ...] = ()
    ranks: int = 13
    suits: int = 4
    hole_cards: int = 2
    board_cards: tuple[int, ...] = (0, 3, 1, 1)
    """Cards added to the board per round."""
    min_raise_is_blind: bool = False
    """No-limit: a raise is at least one big blind, however large the last one was (not the usual rule)."""
    min_bet: int = 0
    """No-limit: the least bet, and the least raise before a larger one; 0: the largest blind. A straddle is more."""
    whole_blind: bool = True
    """A big blind that is all-in for less is owed whole by the others; else only what was posted."""
    half_raise_reopens: bool = True
    """Limit: an all-in of half a raise or more counts as one; less is no raise, but may be completed to one."""
    deck: tuple[Card, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        players, rounds = len(self.blinds), len(self.board_cards)
        fill = object.__setattr__  # the dataclass is frozen; these only complete what was left open
        fill(self, "stacks", self.stacks or (UNLIMITED,) * players)
        fill(self, "antes", self.antes or (0,) * players)
        fill(self, "max_raises", self.max_raises or (_NO_CAP,) * rounds)
        fill(self, "raise_sizes", self.raise_sizes or (0,) * rounds)
        self._check(players, rounds)
        skipped = FRENCH.index(13 - self.ranks, 0)
        cards = [k for k in FRENCH if k >= skipped and k.suit >= 4 - self.suits]
        fill(self, "deck", tuple(cards))

    def _check(self, players: int, rounds: int) -> None:
        problems = [
            (not 2 <= players <= c.MAX_PLAYERS, f"players are 2 to {c.MAX_PLAYERS}, not {players}"),
            (not 1 <= rounds <= c.MAX_ROUNDS, f"rounds are 1 to {c.MAX_ROUNDS}, not {rounds}"),
            (not 1 <= self.ranks <= 13, f"numRanks must be 1 to 13, got {self.ranks}"),
            (not 1 <= self.suits <= 4, f"numSuits must be 1 to 4, got {self.suits}"),
            (self.hole_cards < 1, f"numHoleCards must be 1 or more, got {self.hole_cards}"),
            (self.hole_cards + sum(self.board_cards) > 7, "hole and board cards together are at most 7"),
            (
                players * self.hole_cards + sum(self.board_cards) > self.ranks * self.suits,
                f"{players} players need more cards than a deck of {self.ranks} x {self.suits} has",
            ),
            (min(self.blinds) < 0 or max(self.blinds) == 0, "blinds are not negative and one at least is positive"),
            (min(self.antes) < 0, "antes are not negative"),
            (min(self.stacks) < 1, "stacks are at least 1"),
            (self.min_bet < 0, "minBet is not negative"),
            (min(self.board_cards) < 0, "numBoardCards are not negative"),
            (len(self.stacks) != players, f"stack has {len(self.stacks)} entries for {players} players"),
            (len(self.antes) != players, f"ante has {len(self.antes)} entries for {players} players"),
            (len(self.first) != rounds, f"firstPlayer has {len(self.first)} entries for {rounds} rounds"),
            (len(self.max_raises) != rounds, f"maxRaises has {len(self.max_raises)} entries for {rounds} rounds"),
            (len(self.raise_sizes) != rounds, f"raiseSize has {len(self.raise_sizes)} entries for {rounds} rounds"),
            (any(not 0 <= p < players for p in self.first), "firstPlayer names a player who does not exist"),
            (self.limit and min(self.raise_sizes) < 1, "a limit game needs a raiseSize of at least 1 per round"),
        ]
        for wrong, reason in problems:
            if wrong:
                raise UnreadableError(f"game {self.name!r} cannot be played: {reason}")

    @cached_property
    def deck_array(self) -> NDArray[np.uint8]:
        """The cards of the deck as the kernels deal them."""
        return np.array(self.deck, np.uint8)

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.blinds)

    @property
    def rounds(self) -> int:
        """How many rounds of betting there are."""
        return len(self.board_cards)

    @property
    def big_blind(self) -> int:
        """The unit in which results are given."""
        return max(self.blinds)

    @property
    def least_bet(self) -> int:
        """No-limit: the least bet, and the least raise before a larger one."""
        return self.min_bet or self.big_blind

    @property
    def cards_dealt(self) -> int:
        """Cards a hand needs when everyone stays to the end."""
        return self.players * self.hole_cards + sum(self.board_cards)

    def board_seen(self, round_: int) -> int:
        """How many board cards lie open in a round."""
        return sum(self.board_cards[: round_ + 1])

    @cached_property
    def row(self) -> NDArray[np.int64]:
        """The rules as the kernels read them: one row of numbers."""
        row = np.zeros(c.RULE_WIDTH, np.int64)
        row[c.PLAYERS], row[c.ROUNDS], row[c.LIMIT] = self.players, self.rounds, self.limit
        row[c.MIN_BET], row[c.HOLE_CARDS] = self.least_bet, self.hole_cards
        row[c.BIG_BLIND], row[c.OWED_WHOLE] = self.big_blind, self.whole_blind * self.big_blind
        row[c.FIXED_MIN_RAISE] = self.min_raise_is_blind
        row[c.EQUAL_ANTES] = len(set(self.antes)) == 1
        for p in range(self.players):
            row[c.BLIND + p], row[c.ANTE_DUE + p] = self.blinds[p], self.antes[p]
        for r in range(self.rounds):
            row[c.FIRST + r], row[c.RAISE_SIZE + r] = self.first[r], self.raise_sizes[r]
            row[c.CAP + r], row[c.BOARD_SEEN + r] = self.max_raises[r], self.board_seen(r)
            row[c.HALF + r] = (self.raise_sizes[r] + 1) // 2 * (self.limit and self.half_raise_reopens)
        return row

    def section(self) -> Section:
        """The game as its file says it, a setting a row."""
        lines = (line.partition(" = ") for line in str(self).splitlines()[1:-1])
        return settings(self.name, {name if value else "betting": value or name for name, _, value in lines})

    def __str__(self) -> str:
        """The game as a `.game` file."""
        lines = ["GAMEDEF", "limit" if self.limit else "nolimit", f"numPlayers = {self.players}"]
        lines.append(f"numRounds = {self.rounds}")
        if self.stacks != (UNLIMITED,) * self.players:
            lines.append(f"stack = {_spaced(self.stacks)}")
        lines.append(f"blind = {_spaced(self.blinds)}")
        if any(self.antes):
            lines.append(f"ante = {_spaced(self.antes)}")
        if self.limit:
            lines.append(f"raiseSize = {_spaced(self.raise_sizes)}")
        lines.append(f"firstPlayer = {_spaced(p + 1 for p in self.first)}")
        if self.max_raises != (_NO_CAP,) * self.rounds:
            lines.append(f"maxRaises = {_spaced(self.max_raises)}")
        lines += [f"numSuits = {self.suits}", f"numRanks = {self.ranks}", f"numHoleCards = {self.hole_cards}"]
        lines += [f"numBoardCards = {_spaced(self.board_cards)}"]
        if self.min_raise_is_blind:
            lines.append("minRaiseIsBlind = 1")
        if self.min_bet:
            lines.append(f"minBet = {self.min_bet}")
        if self.whole_blind:
            lines.append("wholeBlind = 1")
        if self.limit and self.half_raise_reopens:
            lines.append("halfRaiseReopens = 1")
        return "\n".join([*lines, "END GAMEDEF", ""])


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _limit(players: int) -> Rules:
    blinds = (10, 5) if players == 2 else (5, 10, *(0,) * (players - 2))
    return Rules(
        name=f"holdem-limit-{players}p",
        limit=True,
        blinds=blinds,
        first=(1 if players == 2 else 2 % players, 0, 0, 0),
        raise_sizes=(10, 10, 20, 20),
        max_raises=(RAISE_CAP - 1, *(RAISE_CAP,) * 3),
    )


def _no_limit(players: int, deep: int = 200) -> Rules:
    """No-limit with stacks of so many big blinds; 200 is what competitions play, and goes without saying."""
    blinds = (100, 50) if players == 2 else (50, 100, *(0,) * (players - 2))
    return Rules(
        name=f"holdem-nolimit-{players}p" + (f"-{deep}bb" if deep != 200 else ""),
        limit=False,
        blinds=blinds,
        first=(1 if players == 2 else 2 % players, 0, 0, 0),
        stacks=(100 * deep,) * players,
    )


_KUHN_2 = Rules("kuhn-2p", True, (1, 1), (0,), (2, 2), (1,), (1,), ranks=3, suits=1, hole_cards=1, board_cards=(0,))
_KUHN = Rules("kuhn-3p", True, (1, 1, 1), (0,), (2, 2, 2), (1,), (1,), ranks=4, suits=1, hole_cards=1, board_cards=(0,))
_LEDUC = Rules("leduc-2p", True, (1, 1), (0, 0), (), (2, 4), (2, 2), ranks=3, suits=2, hole_cards=1, board_cards=(0, 1))

_REVERSE_3 = replace(_limit(3), name="holdem-limit-3p-reverse", blinds=(10, 5, 0), first=(2, 0, 0, 0))
"""Three players with reverse blinds (blinds 10 5 0, first to act 3 1 1 1), as some competitions played."""

_TWO_HUNDRED = tuple(_no_limit(players) for players in range(2, 11))
_HUNDRED = tuple(_no_limit(players, 100) for players in range(2, 11))
"""The same with 100 big blinds, as rooms play."""

PRESETS: dict[str, Rules] = {
    game.name: game
    for game in (
        *map(_limit, range(2, 11)),
        *map(_no_limit, range(2, 11)),
        *_HUNDRED,
        _REVERSE_3,
        _KUHN_2,
        _KUHN,
        _LEDUC,
    )
}
"""The games known by name."""


def is_file_name(name: str) -> bool:
    """Whether a game's name is meant as the path of a file."""
    return name.endswith(".game") or "/" in name


def rules(given: str | Rules) -> Rules:
    """The rules of a preset by name, of a `.game` file by its path, or in the text of such a file."""
    if isinstance(given, Rules):
        return given
    if given in PRESETS:
        return PRESETS[given]
    if given.lstrip().upper().startswith("GAMEDEF"):
        return parse_game(given, "game", "the game")
    if is_file_name(given):
        return read_game(Path(given))
    raise UnreadableError(
        f"there is no game {given!r}; {did_you_mean(given, PRESETS)} (or give the path of a .game file)"
    )


find_game = rules
"""The old name of `rules`."""


def read_game(path: Path) -> Rules:
    """Read an ACPC `.game` file."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"cannot read the game file {str(path)!r}: {error}") from None
    return parse_game(text, path.stem, str(path))


_NUMBERS = {
    "numplayers", "numrounds", "stack", "blind", "raisesize", "firstplayer", "maxraises", "numsuits", "numranks",
    "numholecards", "numboardcards", "ante", "minraiseisblind", "minbet", "wholeblind", "halfraisereopens",
}  # fmt: skip
_ONE = {
    "numplayers", "numrounds", "numsuits", "numranks", "numholecards", "minraiseisblind", "minbet", "wholeblind",
    "halfraisereopens",
}  # fmt: skip


def parse_game(text: str, name: str, where: str) -> Rules:
    """A game from the text of a `.game` file; `where` is named in errors."""
    given, limit = _read_fields(text, where)
    for key in ("numplayers", "numrounds", "blind", "numsuits", "numranks", "numholecards", "numboardcards"):
        if key not in given:
            raise UnreadableError(f"{where}: {key} is missing between GAMEDEF and END GAMEDEF")
    players, rounds = given["numplayers"][0], given["numrounds"][0]
    for key, expected in (("blind", players), ("numboardcards", rounds)):
        if len(given[key]) != expected:
            raise UnreadableError(f"{where}: {key} has {len(given[key])} entries where {expected} are needed")
    first = given.get("firstplayer") or [1] * rounds
    try:
        return Rules(
            name=name,
            limit=limit,
            blinds=tuple(given["blind"]),
            first=tuple(p - 1 for p in first),
            stacks=tuple(given.get("stack", ())),
            raise_sizes=tuple(given.get("raisesize", ())),
            max_raises=tuple(given.get("maxraises", ())),
            antes=tuple(given.get("ante", ())),
            ranks=given["numranks"][0],
            suits=given["numsuits"][0],
            hole_cards=given["numholecards"][0],
            board_cards=tuple(given["numboardcards"]),
            min_raise_is_blind=bool(given.get("minraiseisblind", [0])[0]),
            min_bet=given.get("minbet", [0])[0],
            # A file that does not say plays as files always have, so that what was recorded with one stays right.
            whole_blind=bool(given.get("wholeblind", [0])[0]),
            half_raise_reopens=not limit or bool(given.get("halfraisereopens", [0])[0]),
        )
    except UnreadableError as error:
        raise UnreadableError(f"{where}: {error}") from None


def _read_fields(text: str, where: str) -> tuple[dict[str, list[int]], bool]:
    given: dict[str, list[int]] = {}
    limit: bool | None = None
    inside = ended = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#")[0].strip()
        low = line.lower()
        if not line or ended:
            continue
        if low == "gamedef":
            inside = True
        elif not inside:
            raise UnreadableError(f"{where}, line {number}: a game file begins with GAMEDEF, not {line!r}")
        elif low == "end gamedef":
            ended = True
        elif low in ("limit", "nolimit"):
            limit = low == "limit"
        else:
            key, values = _read_field(line, f"{where}, line {number}")
            given[key] = values
    if not ended or limit is None:
        missing = "END GAMEDEF" if inside and limit is not None else "limit or nolimit" if inside else "GAMEDEF"
        raise UnreadableError(f"{where}: this is not a game file: it has no line {missing}")
    return given, limit


def _read_field(line: str, where: str) -> tuple[str, list[int]]:
    key, _, rest = line.partition("=")
    key = key.strip().lower()
    if key not in _NUMBERS:
        raise UnreadableError(f"{where}: {key!r} is not a field of a game; {did_you_mean(key, _NUMBERS)}")
    words = rest.split()
    if not words or not all(re.fullmatch(r"-?\d{1,10}", word) for word in words):
        raise UnreadableError(f"{where}: {key} takes whole numbers, not {rest.strip()!r}")
    if key in _ONE and len(words) != 1:
        raise UnreadableError(f"{where}: {key} takes one number, not {len(words)}")
    return key, [int(word) for word in words]
