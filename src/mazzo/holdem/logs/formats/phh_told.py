"""What a hand in PHH, or in pokerkit's notation, says: game, chips, betting, cards and result, in whole chips."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from mazzo.cards import FRENCH
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.hand import Hand
from mazzo.holdem.logs.formats import UNSUPPORTED, UnusableHandError
from mazzo.holdem.rules import RAISE_CAP, UNLIMITED, Rules, parse_game

__all__ = ["Told", "hear", "played", "with_other_rules"]

_ACTION = re.compile(r"p(\d{1,2}) (f|cc|cbr|sm)(?: (\S+))?")
_DEAL = re.compile(r"d (?:dh p(\d{1,2})|db) (\S+)")


@dataclass(slots=True)
class Told:
    """A hand as its history tells it, in whole chips."""

    game: Rules
    stacks: list[int]
    who: list[int]
    """Of each action, the player."""
    actions: list[int]
    """A fold, a call, or the total raised to on the street."""
    cards: list[int]
    net: list[float] | None
    names: list[str]
    number: int | None
    unit: int
    match: str
    line: int = 0
    board: int = 0
    """How many board cards were dealt."""


def _scale_of(amounts: Sequence[Any]) -> int:
    """How many chips make a unit: 1 where all amounts are whole, else 100 or more."""
    if set(map(type, amounts)) == {int}:
        return 1
    places = 0
    for amount in amounts:
        if isinstance(amount, Decimal) and amount.is_finite():
            exponent = amount.normalize().as_tuple().exponent
            places = max(places, -int(exponent))
    if places > 6:
        raise UnusableHandError("wrong amounts", "an amount has more than six digits after the point")
    return 10 ** max(places, 2) if places else 1


_AMOUNTS = frozenset((int, Decimal))


def _numbers(history: Any, name: str, count: int | None = None) -> list[Any]:
    values = getattr(history, name)
    if type(values) is not list or not _AMOUNTS.issuperset(map(type, values)):
        raise UnusableHandError("not PHH", f"{name} is not a list of amounts")
    if count is not None and len(values) != count:
        raise UnusableHandError("not PHH", f"{name} has {len(values)} entries for {count} players")
    return values


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or isinstance(value, Decimal)


def _chips(amount: Any, unit: int) -> int:
    if isinstance(amount, Decimal) and not amount.is_finite():
        if amount.is_nan() or amount < 0:
            raise UnusableHandError("wrong amounts", f"{amount} is not an amount")
        return UNLIMITED
    chips = int(amount * unit)
    if abs(chips) > 2**50:
        raise UnusableHandError("wrong amounts", f"{amount} is more than can be counted")
    return chips


@lru_cache(1 << 10, typed=True)
def _stacks(amounts: tuple[Any, ...], unit: int) -> tuple[int, ...]:
    """What the players begin with, in chips; in many histories the same in each hand."""
    return tuple(min(_chips(amount, unit), UNLIMITED) for amount in amounts)


def _raised(amount: Any, unit: int) -> int:
    """The total of a bet or raise, in chips."""
    chips = _chips(amount, unit)
    if chips < c.RAISE:
        raise UnusableHandError("wrong amounts", f"{amount} is not the amount of a bet")
    return chips


def _bets(variant: str, sizes: tuple[Any, Any, Any], unit: int, blinds: Sequence[int]) -> dict[str, Any]:
    """Limit or no-limit, with the sizes."""
    small, big, least_bet = sizes
    if variant == "FT":
        if not _is_number(small) or not _is_number(big):
            raise UnusableHandError("not PHH", "small_bet and big_bet are amounts")
        low, high = _chips(small, unit), _chips(big, unit)
        return {"limit": True, "raise_sizes": (low, low, high, high), "max_raises": (RAISE_CAP,) * 4}
    least = _chips(least_bet, unit) if _is_number(least_bet) else 0
    if least < 1:
        raise UnusableHandError("not PHH", f"min_bet is {least_bet}, which is not an amount")
    return {"limit": False, "min_bet": 0 if least == max(blinds, default=0) else least}


def _game_of(history: Any, unit: int, players: int) -> Rules:
    posted, antes = _numbers(history, "blinds_or_straddles", players), _numbers(history, "antes", players)
    small, big, least = _size(history.small_bet), _size(history.big_bet), _size(history.min_bet)
    own = history.user_defined_fields
    text, name = own.get("_game"), own.get("_game_name")
    if type(text) is not str or type(name) is not str:
        text = name = None
    return _game(history.variant, tuple(posted), tuple(antes), small, big, least, unit, text, name)


def _size(amount: Any) -> Any:
    """An amount, or a text that is none, so that all can be remembered."""
    return amount if type(amount) is int or _is_number(amount) else str(amount)


@lru_cache(1 << 8, typed=True)
def _game(
    variant: str,
    posts: tuple[Any, ...],
    antes_: tuple[Any, ...],
    small: Any,
    big: Any,
    least: Any,
    unit: int,
    text: str | None,
    name: str | None,
) -> Rules:
    players = len(posts)
    posted = [_chips(b, unit) for b in posts]
    if players == 2:
        posted = posted[::-1]
    # A negative amount is the post of a player who comes in late. A whole big blind plays like one, except that it
    # does not move the first to act; less than that is dead: it goes to the pot and counts for nothing.
    most = max(posted, default=0)
    last = max((p for p, b in enumerate(posted) if b == most), default=0)
    blinds = tuple(abs(b) if abs(b) == most or b > 0 else 0 for b in posted)
    dead = [abs(b) if 0 > b > -most else 0 for b in posted]
    antes = tuple(_chips(a, unit) + d for a, d in zip(antes_, dead, strict=True))
    first = ((last + 1) % players, 0, 0, 0)
    bets = _bets(variant, (small, big, least), unit, blinds)
    try:
        game = Rules(f"phh-{variant}-{players}p", blinds=blinds, first=first, antes=antes, **bets)
    except UnreadableError as error:
        raise UnusableHandError("not PHH", str(error)) from None
    return game if text is None or name is None else _own_game(text, name, game)


def _own_game(text: str, name: str, game: Rules) -> Rules:
    """The game as we noted it when we wrote the hand, if it agrees with what PHH says."""
    with contextlib.suppress(MazzoError):
        noted = parse_game(text, name, "_game")
        same = noted.blinds == game.blinds and noted.antes == game.antes and noted.first == game.first
        same &= noted.least_bet == game.least_bet or noted.limit
        if same and noted.limit == game.limit and noted.raise_sizes == game.raise_sizes:
            return noted
    return game


_HOLE, _BOARD, _FOLD_OR_CALL, _RAISE, _SHOWN, _NOTHING = range(6)


@lru_cache(1 << 16)
def _heard(action: str) -> tuple[int, int, Any]:
    """One action: what it is, whose, and its cards, or a fold, a call or the amount of a raise."""
    word = " ".join(action.split("#")[0].split())
    dealt, acted = _DEAL.fullmatch(word), _ACTION.fullmatch(word)
    if not word:
        return _NOTHING, 0, ""
    if dealt:
        return (_HOLE, int(dealt[1]) - 1, dealt[2]) if dealt[1] else (_BOARD, 0, dealt[2])
    if not acted:
        raise UnusableHandError("unreadable action", f"{word!r} is not an action of Hold'em in PHH")
    who, what, rest = int(acted[1]) - 1, acted[2], acted[3] or ""
    if what == "sm":
        return (_NOTHING, who, "") if not rest or "?" in rest or rest == "-" else (_SHOWN, who, rest)
    if what != "cbr":
        return _FOLD_OR_CALL, who, c.FOLD if what == "f" else c.CALL
    try:
        return _RAISE, who, int(rest) if rest.isascii() and rest.isdecimal() else Decimal(rest)
    except ArithmeticError:
        raise UnusableHandError("unreadable action", "a bet without an amount") from None


class _Actions(NamedTuple):
    """What was done in a hand."""

    who: list[int]
    actions: list[int]
    """Folds and calls; a raise is not in chips yet."""
    raises: dict[int, Any]
    """By their places among the actions, the amounts raised to."""
    hole: list[str]
    board: str


_TEXTS = frozenset((str,))


def _hear_actions(history: Any, players: int) -> _Actions:
    actions = history.actions
    if not isinstance(actions, list) or not _TEXTS.issuperset(map(type, actions)):
        raise UnusableHandError("not PHH", "actions is not a list of texts")
    betting: list[int] = []
    done: list[int] = []
    raises: dict[int, Any] = {}
    hole, board = [""] * players, ""
    for action in actions:
        kind, who, what = _heard(action)
        if not 0 <= who < players:
            raise UnusableHandError("unreadable action", f"{action!r} is not an action of Hold'em in PHH")
        if kind == _FOLD_OR_CALL:
            betting.append(who)
            done.append(what)
        elif kind == _RAISE:
            raises[len(done)] = what
            betting.append(who)
            done.append(c.RAISE)
        elif kind == _HOLE:
            hole[who] += what
        elif kind == _BOARD:
            board += what
        elif kind == _SHOWN:
            hole[who] = what
    return _Actions(betting, done, raises, hole, board)


def _card_indices(hole: Sequence[str], board: str) -> tuple[list[int], int]:
    """All cards, hole cards position by position and then five of the board; and how many of the board were dealt."""
    cards: list[int] = []
    for player, text in enumerate(hole):
        cards += _group(text, 2, player + 1)
    if len(board) > 10:
        raise UnusableHandError(UNSUPPORTED, "more than one board was dealt")
    shown = _group(board, len(board) // 2, 0)
    cards += [*shown, *[UNKNOWN] * (5 - len(shown))]
    known = [card for card in cards if card != UNKNOWN]
    if len(set(known)) != len(known):
        raise UnusableHandError("wrong cards", f"a card was dealt twice: {FRENCH.text(known)}")
    return cards, len(shown)


@lru_cache(1 << 16)
def _group(text: str, size: int, player: int) -> tuple[int, ...]:
    """The cards of a player, or of the board for player 0."""
    what = f"the hole cards of p{player}" if player else "the board"
    if "?" in text or not text:
        if len(text) not in (0, 2 * size):
            raise UnusableHandError("wrong cards", f"{what} are {text!r}")
        return (UNKNOWN,) * size
    try:
        cards = tuple(int(card) for card in FRENCH.parse(text))
    except MazzoError as error:
        raise UnusableHandError("wrong cards", f"{what}: {error}") from None
    if len(cards) != size:
        raise UnusableHandError("wrong cards", f"{what} are {text!r}")
    return cards


def hear(history: Any, line: int) -> Told:
    """Understand one hand, in the fields of a `History` or of pokerkit's; refused is what makes no sense."""
    if history.variant not in ("FT", "NT"):
        raise UnusableHandError(
            UNSUPPORTED, f"variant {history.variant} is not Hold'em with limit (FT) or without (NT)"
        )
    stacks = _numbers(history, "starting_stacks")
    players = len(stacks)
    if not 2 <= players <= c.MAX_PLAYERS:
        raise UnusableHandError(UNSUPPORTED, f"a table of {players} players")
    who, actions, raises, hole, board = _hear_actions(history, players)
    finishing = _numbers(history, "finishing_stacks", players) if history.finishing_stacks is not None else None
    blinds, antes = _numbers(history, "blinds_or_straddles"), _numbers(history, "antes")
    unit = _scale_of([*stacks, *raises.values(), *blinds, *antes, *(finishing or [])])
    for place, amount in raises.items():
        actions[place] = _raised(amount, unit)
    chips = list(_stacks(tuple(stacks), unit))
    if min(chips) < 1:
        raise UnusableHandError("wrong amounts", "a player has no chips")
    cards, dealt = _card_indices(hole, board)
    net = _stated_net(history, players)
    if finishing is not None and UNLIMITED not in chips:
        net = [float((f - s) * unit) for f, s in zip(finishing, stacks, strict=True)]
    number = history.hand if isinstance(history.hand, int) and 0 <= history.hand < 2**62 else None
    game, names, match = _game_of(history, unit, players), _names(history, players), _match_of(history)
    return Told(game, chips, who, actions, cards, net, names, number, unit, match, line, dealt)


def with_other_rules(t: Told) -> Told | None:
    """A hand by pokerkit's rules for short all-ins, where only these make sense of it and not the usual ones."""
    game = t.game
    short = any(s - a < b == game.big_blind for s, a, b in zip(t.stacks, game.antes, game.blinds, strict=True))
    if not game.whole_blind or (not short and not (game.limit and min(t.stacks) < UNLIMITED)):
        return None
    other = replace(t, game=replace(game, whole_blind=False, half_raise_reopens=not game.limit))
    return None if _fits(t) or not _fits(other) else other


def _fits(t: Told) -> bool:
    """Whether a hand can be played so, with the result it states if it states one."""
    try:
        hand = played(t, len(t.actions))
        return t.net is None or abs(sum(t.net)) > 1e-3 or list(hand.payoffs) == t.net
    except MazzoError:
        return False


def _stated_net(history: Any, players: int) -> list[float] | None:
    """The result as we noted it when we wrote the hand, where finishing stacks could not say it."""
    noted = history.user_defined_fields.get("_net")
    if isinstance(noted, list) and len(noted) == players:
        with contextlib.suppress(TypeError, ValueError):
            net = list(map(float, noted))
            return net if all(map(isfinite, net)) else None
    return None


def _names(history: Any, players: int) -> list[str]:
    names = history.players
    if isinstance(names, list) and len(names) == players and set(map(type, names)) == {str}:
        return [name or f"player {p + 1}" for p, name in enumerate(names)]
    return [f"player {p + 1}" for p in range(players)]


def _match_of(history: Any) -> str:
    source = history.user_defined_fields.get("_source")
    if isinstance(source, str):
        return str(PurePosixPath(source).parent)
    return "/".join(str(part) for part in (history.event, history.venue, history.table) if part)


def played(t: Told, steps: int) -> Hand:
    """The hand after its first steps."""
    hand = Hand(t.game, t.cards, stacks=t.stacks, names=t.names)
    street, before = 0, [0] * t.game.players
    for who, action in zip(t.who[:steps], t.actions[:steps], strict=True):
        if hand.street != street:
            street, before = hand.street, list(hand.spent)
        hand.fold_anyway() if action == c.FOLD else hand.act(action + before[who] if action >= c.RAISE else action)
    return hand
