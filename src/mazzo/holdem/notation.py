"""Hold'em as text: actions, betting, cards and lines of the poker competition, and reasons in words.

Everything here works on one hand given as a row of numbers (`mazzo.holdem.columns` names them) and knows no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from mazzo.cards import FRENCH
from mazzo.deal import Legal, read_key, read_parts
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.rules import PRESETS, Rules, parse_game

__all__ = [
    "STREETS",
    "STREETS_IN_WORDS",
    "HandText",
    "LegalBets",
    "action_text",
    "all_cards",
    "betting_text",
    "cards_text",
    "default_names",
    "escaped",
    "is_line",
    "line_text",
    "parse_action",
    "read_betting",
    "read_cards",
    "read_hand",
    "read_rules",
    "rules_parts",
    "street_in_words",
    "unescaped",
    "why_not",
]

_PARTS = ("game", "rules", "hand", "stacks", "players", "key", "cards", "play")
_FORM = (
    "a hand is STATE:number:betting:cards, MATCHSTATE:position:number:betting:cards, "
    "or parts like game holdem-limit-2p; cards AsKd|7h7c; play rc/"
)

STREETS = ("preflop", "flop", "turn", "river")
"""The rounds of Hold'em in a word each."""

STREETS_IN_WORDS = ("before the flop", *STREETS[1:])


def street_in_words(game: Rules, street: int) -> str:
    """A round in words: "before the flop", "turn"; where a game has not four rounds, their number."""
    if game.rounds != len(STREETS):
        return f"round {street + 1}"
    return STREETS_IN_WORDS[street]


# ---- actions


def action_text(action: int, limit: bool) -> str:
    """An action as the competition writes it: f, c, r (limit) or r300 (no-limit)."""
    if action >= c.RAISE:
        return "r" if limit else f"r{action}"
    return {c.FOLD: "f", c.CALL: "c"}.get(int(action), str(action))


def verb(action: int, owed: int, street: int, most: int = 0) -> str:
    """What a player does who takes an action, in words; `most` is the total that is all-in."""
    if action == c.FOLD:
        return "folds"
    if action == c.CALL:
        return "calls" if owed else "checks"
    if action == most:
        return "goes all-in"
    return "raises" if owed or street == 0 else "bets"


def parse_action(text: str) -> int:
    """An action from f, c, r or r300 (also k for check)."""
    match = re.fullmatch(r"([fckr])(\d{0,10})", text.strip().lower())
    if not match or (match[2] and (match[1] != "r" or not int(match[2]))):
        raise UnreadableError(f"{text!r} is not an action: f folds, c calls or checks, r raises, r300 raises to 300")
    if match[1] == "r":
        return int(match[2] or c.RAISE)
    return c.FOLD if match[1] == "f" else c.CALL


class LegalBets(Legal):
    """Fold, call and the range of raises, without making a list of every raise."""

    def __init__(self, owed: int, low: int, high: int, *, limit: bool = False, over: bool = False) -> None:
        self.fold = owed > 0 and not over
        self.call = not over
        self.owed = owed
        self.raises = range(low, high + 1) if high and not over else range(0)
        self.limit = limit

    def __iter__(self) -> Iterator[int]:
        if self.fold:
            yield c.FOLD
        if self.call:
            yield c.CALL
        yield from self.raises

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            return self.number(action) is not None
        if action == c.FOLD or action == c.CALL:
            return self.fold if action == c.FOLD else self.call
        if self.limit and isinstance(action, int):  # the size is given: every raise is the same one
            return bool(self.raises) and action >= c.RAISE
        return action in self.raises

    def __len__(self) -> int:
        return self.call + self.fold + len(self.raises)

    def number(self, text: str) -> int | None:
        """The number of a legal action: "f", "c", "r300", in limit games "r"."""
        try:
            action = parse_action(text)
        except UnreadableError:
            return None
        if self.limit and action >= c.RAISE and self.raises:
            return self.raises[0] if action in (c.RAISE, self.raises[0]) else None
        return action if action in self else None

    def __str__(self) -> str:
        words = ["fold"] if self.fold else []
        if self.call:
            words.append(f"call {self.owed}" if self.owed else "check")
        if self.raises:
            low, high = self.raises[0], self.raises[-1]
            words.append(f"raise to {low}" if low == high else f"raise to {low}-{high}")
        return ", ".join(words)


def why_not(game: Rules, state: Any, legal: LegalBets, action: int) -> str:
    """Why the player to act in a row of state may not do this, in words; empty if he may."""
    if action in legal:
        return ""
    if action == c.FOLD:
        return "checking is free"
    if action < c.RAISE:
        return f"a fold is FOLD ({c.FOLD}), a call or check CALL ({c.CALL}), a raise the total raised to"
    if legal.raises:
        return f"a raise is to {legal.raises[0]} at least and to {legal.raises[-1]} at most"
    return _why_no_raise(game, state)


def _why_no_raise(game: Rules, state: Any) -> str:
    p, bet, street = int(state[c.ACTOR]), int(state[c.BET]), int(state[c.ROUND])
    if state[c.ROOM + p] <= bet:
        return "a call is already all-in"
    if state[c.RAISES] >= game.max_raises[street]:
        return f"{game.max_raises[street]} bets and raises are the most in this round"
    others = (q for q in range(game.players) if q != p and int(state[c.LIVE]) >> q & 1)
    if not any(state[c.ROOM + q] > bet for q in others):
        return "everyone else is all-in or has folded"
    half = "half " if game.limit and game.half_raise_reopens else ""
    return f"the all-in before was less than {half}a full raise, which does not reopen the betting"


# ---- betting and cards


def betting_text(game: Rules, state: Any, history: Any) -> str:
    """The actions so far, rounds separated by a slash."""
    words = [action_text(int(entry) >> c.ACTOR_BITS, game.limit) for entry in history[: int(state[c.COUNT])]]
    marks = [int(state[c.ROUND_AT + r]) for r in range(1, int(state[c.ROUND]) + 1)]
    return "/".join("".join(words[a:b]) for a, b in zip([0, *marks], [*marks, None], strict=True))


def read_betting(game: Rules, text: str, line: str) -> list[list[int]]:
    """The actions of each round from `rc/cr300c`; `line` is what is quoted in errors."""
    rounds = []
    for actions in text.split("/"):
        words = re.findall(r"[fckr]\d*", actions)
        if "".join(words) != actions:
            raise UnreadableError(f"cannot read {line!r}: {actions!r} is not a row of actions f, c, r or r300")
        for word in words:
            if word.startswith("r") and (word == "r") != game.limit:
                raise UnreadableError(f"cannot read {line!r}: {word!r} is a raise of {_other_betting(game)}")
        rounds.append([parse_action(word) for word in words])
    return rounds


def _other_betting(game: Rules) -> str:
    if game.limit:
        return f"a no-limit game, but {game.name} is limit, where a raise is written r: name the game that was played"
    return f"a limit game, but {game.name} is no-limit, where a raise is written with its total, r300: name the game"


def _group_text(cards: Sequence[int]) -> str:
    if all(card == c.UNKNOWN for card in cards):
        return ""
    return "".join("??" if card == c.UNKNOWN else FRENCH.text([card]) for card in cards)


def cards_text(game: Rules, cards: Sequence[int], rounds: int | None = None) -> str:
    """All cards, `AsKd|7h7c/2c7dTh/3s`: hands, then the board as far as it is open after so many rounds.

    Without a number of rounds the board is written as far as it is known.
    """
    width, at = game.hole_cards, game.players * game.hole_cards
    hands = "|".join(_group_text(cards[p * width : (p + 1) * width]) for p in range(game.players))
    boards: list[str] = []
    for r, size in enumerate(game.board_cards[:rounds]):
        if size or r:
            boards.append(_group_text(cards[at : at + size]))
        at += size
    while rounds is None and boards and not boards[-1]:
        boards.pop()
    return "/".join([hands, *boards])


def read_cards(game: Rules, field: str, line: str) -> list[int]:
    """The cards of `AsKd|7h7c/2c7dTh`; those that are not given are unknown."""
    hole_text, *boards = field.split("/")
    hands = hole_text.split("|")
    if len(hands) != game.players:
        raise UnreadableError(
            f"cannot read {line!r}: it has cards of {len(hands)} players, {game.name} is for {game.players}"
        )
    cards: list[int] = []
    for hand in hands:
        cards += _read_group(hand, game.hole_cards, line)
    sizes = game.board_cards[0 if game.board_cards[0] else 1 :]
    if len(boards) > len(sizes):
        raise UnreadableError(f"cannot read {line!r}: {game.name} has no more than {len(sizes)} boards")
    for size, board in zip(sizes, [*boards, *[""] * (len(sizes) - len(boards))], strict=True):
        cards += _read_group(board, size, line)
    return cards


def _read_group(cards: str, size: int, line: str) -> list[int]:
    words = re.findall(r"\?\?|[^?]+", cards)
    if "".join(words) != cards:
        raise UnreadableError(f"cannot read {line!r}: a card that is not known is written ??")
    known = iter(FRENCH.parse(cards.replace("??", "")))  # also refuses a duplicate card
    parsed: list[int] = []
    for word in words:
        parsed += [c.UNKNOWN] if word == "??" else [int(next(known)) for _ in FRENCH.parse(word)]
    if len(parsed) not in (0, size):
        raise UnreadableError(f"cannot read {line!r}: {cards!r} should be {size} cards or none")
    return parsed or [c.UNKNOWN] * size


def all_cards(game: Rules, cards: str | Sequence[int]) -> list[int]:
    """All cards of a deal, hole cards position by position and then the board; some may be unknown."""
    given = [int(k) for k in (FRENCH.parse(cards) if isinstance(cards, str) else cards)]
    if len(given) != game.cards_dealt:
        raise UnreadableError(
            f"{len(given)} cards were given, but {game.name} deals {game.cards_dealt}: {game.hole_cards} to each of "
            f"{game.players} players and {sum(game.board_cards)} to the board"
        )
    known = [k for k in given if k != c.UNKNOWN]
    unknown = [k for k in known if k not in game.deck]
    if unknown:
        raise UnreadableError(f"{FRENCH.text(unknown[:1])} is not in the deck of {game.name}")
    if len(set(known)) != len(known):
        raise UnreadableError(f"a card was dealt twice in {FRENCH.text(known)}")
    return given


# ---- whole hands


def line_text(
    game: Rules, state: Any, history: Any, cards: Sequence[int], number: int = 0, viewer: int | None = None
) -> str:
    """A hand as the competition's line, up to its cards: `MATCHSTATE:` of a position, or `STATE:` for nobody's."""
    head = "STATE" if viewer is None else f"MATCHSTATE:{viewer}"
    rounds = int(state[c.ROUND]) + 1
    return f"{head}:{number}:{betting_text(game, state, history)}:{cards_text(game, cards, rounds)}"


def default_names(game: Rules) -> tuple[str, ...]:
    """The players of a hand in which nobody has a name."""
    return tuple(f"player {p + 1}" for p in range(game.players))


def escaped(text: str) -> str:
    """A name inside a text whose parts are separated by ; and |."""
    return re.sub(r"[;|%\x00-\x1f\x7f]|^\s|\s$", lambda found: quote(found[0]), text)


def unescaped(text: str) -> str:
    """A name as it was before it was `escaped`."""
    return unquote(text)


def rules_parts(game: Rules) -> list[str]:
    """The game as parts of a text: its name, and where that is no preset's, its definition in one line."""
    parts = [f"game {escaped(game.name)}"]
    if PRESETS.get(game.name) != game:
        parts.append(f"rules {', '.join(str(game).split(chr(10))).rstrip(', ')}")
    return parts


def read_rules(parts: Mapping[str, str], given: Rules | None, text: str) -> Rules:
    """The rules of a text from its parts, or those given with it. A text opens no files: it names presets."""
    name = unescaped(parts.get("game", ""))
    if "rules" in parts:
        found = parse_game(parts["rules"].replace(",", "\n"), name, repr(text))
    elif name in PRESETS:
        found = PRESETS[name]
    elif given is None or (name and name != given.name):
        what = f"there is no game {name!r}; {did_you_mean(name, PRESETS)}" if name else "it does not say its game"
        raise UnreadableError(f"cannot read {text!r}: {what} (write game and the name of a preset, or give the rules)")
    else:
        return given
    if given is not None and given != found:
        raise UnreadableError(f"{text!r} is a hand of {found.name}, but the rules given are those of {given.name}")
    return found


# ---- reading


class HandText(NamedTuple):
    """What the text or the line of a hand says; None where it does not."""

    rules: Rules
    cards: list[int]
    betting: str
    number: int
    names: list[str] | None = None
    stacks: list[int] | None = None
    key: int | None = None
    results: str = ""
    is_line: bool = False


def is_line(text: str) -> bool:
    """Whether a text is a line of the competition."""
    return text.lstrip().startswith(("STATE:", "MATCHSTATE:"))


def read_hand(text: str, given: Rules | None) -> HandText:
    """A hand from its text, or from a line, for which the rules must be given."""
    if is_line(text):
        if given is None:
            raise UnreadableError(f"{text!r} does not say what is played: give the rules, such as holdem-limit-2p")
        return _read_line(text, given)
    if ";" not in text and not text.startswith("cards "):
        raise UnreadableError(f"cannot read {text!r}: {_FORM}")
    parts = read_parts(text, _PARTS)
    game = read_rules(parts, given, text)
    cards = read_cards(game, parts.get("cards", "|" * (game.players - 1)), text)
    number = _number(parts.get("hand", "0"), "number of a hand", text)
    names = [unescaped(name) for name in parts["players"].split("|")] if "players" in parts else None
    words = parts["stacks"].split() if "stacks" in parts else None
    stacks = None if words is None else [_number(word, "chips of a player", text, 10) for word in words]
    key = read_key(parts["key"], text) if "key" in parts else None
    return HandText(game, cards, parts.get("play", ""), number, names, stacks, key)


def _read_line(text: str, game: Rules) -> HandText:
    fields = text.strip().split(":")
    shift = 1 if fields[0] == "MATCHSTATE" else 0
    if len(fields) < 4 + shift:
        raise UnreadableError(f"cannot read {text!r}: {_FORM}")
    if shift and len(fields) > 5:
        raise UnreadableError(f"cannot read {text!r}: nothing comes after the cards; {_FORM}")
    if shift and fields[1] not in [str(p) for p in range(-1, game.players)]:
        raise UnreadableError(f"cannot read {text!r}: {game.name} has the positions 0 to {game.players - 1}")
    # agents' names may have a colon: random:raise=.8
    names = ":".join(fields[5:]).split("|") if len(fields) > 5 else None
    cards = read_cards(game, fields[3 + shift], text)
    number = _number(fields[1 + shift], "number of a hand", text)
    results = fields[4] if not shift and len(fields) > 4 else ""
    return HandText(game, cards, fields[2 + shift], number, names, results=results, is_line=True)


def _number(word: str, what: str, text: str, most: int = 18) -> int:
    if not word or len(word) > most or word.strip("0123456789"):
        raise UnreadableError(f"cannot read {text!r}: {word!r} is not the {what}")
    return int(word)
