"""Hold'em as text: actions, betting, cards and lines of the poker competition, and reasons in words.

Everything here works on one hand given as a row of numbers (`mazzo.holdem.columns` names them) and knows no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

from mazzo.cards import FRENCH
from mazzo.deal import Legal
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.rules import PRESETS, Rules, parse_game

__all__ = [
    "STREETS",
    "STREETS_IN_WORDS",
    "LegalBets",
    "action_text",
    "betting_text",
    "cards_text",
    "default_names",
    "escaped",
    "line_text",
    "parse_action",
    "read_betting",
    "read_cards",
    "read_rules",
    "rules_parts",
    "street_in_words",
    "unescaped",
    "why_not",
]

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
            return self.raises[0]
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


def read_betting(text: str, line: str) -> list[list[int]]:
    """The actions of each round from `rc/cr300c`; `line` is what is quoted in errors."""
    rounds = []
    for actions in text.split("/"):
        words = re.findall(r"[fckr]\d*", actions)
        if "".join(words) != actions:
            raise UnreadableError(f"cannot read {line!r}: {actions!r} is not a row of actions f, c, r or r300")
        rounds.append([parse_action(word) for word in words])
    return rounds


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
    known = iter(FRENCH.parse(cards.replace("??", "")))  # also refuses a card that stands twice
    parsed: list[int] = []
    for word in words:
        parsed += [c.UNKNOWN] if word == "??" else [int(next(known)) for _ in FRENCH.parse(word)]
    if len(parsed) not in (0, size):
        raise UnreadableError(f"cannot read {line!r}: {cards!r} should be {size} cards or none")
    return parsed or [c.UNKNOWN] * size


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
