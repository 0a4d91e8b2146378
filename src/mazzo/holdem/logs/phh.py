"""Reading PHH (the poker hand history format), and through pokerkit the text histories of poker rooms."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from mazzo.cards import FRENCH
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.game import UNLIMITED, Game, parse_game
from mazzo.holdem.hand import UNKNOWN, Hand
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import arrays_for, verify
from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.logs.streets import replay_streets

__all__ = ["UNSUPPORTED", "read_phh", "read_site"]

UNSUPPORTED = "unsupported variant"
_BATCH = 2048
_TITLE = re.compile(r"^\[[ \t]*['\"]?[\w.-]+['\"]?[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_ACTION = re.compile(r"p(\d{1,2}) (f|cc|cbr|sm)(?: (\S+))?")
_DEAL = re.compile(r"d (?:dh p(\d{1,2})|db) (\S+)")
_CAP = (4, 4, 4, 4)
# What pokerkit may raise for text that is not PHH, besides its own errors.
_NOT_PHH = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError, UserWarning)


class _WrongError(Exception):
    """A hand that cannot be used: kind and reason."""


@dataclass
class _Told:
    """A hand as its history tells it, in whole chips."""

    game: Game
    stacks: list[int]
    steps: list[tuple[int, int]]
    cards: list[int]
    net: list[float] | None
    names: list[str]
    number: int | None
    unit: int
    match: str
    line: int = 0
    board: int = 0
    """How many board cards were dealt."""
    said: list[str] = field(default_factory=list)


def _scale_of(amounts: Sequence[Any]) -> int:
    """How many chips make a unit: 1 where all amounts are whole, else 100 or more."""
    places = 0
    for amount in amounts:
        if isinstance(amount, Decimal) and amount.is_finite():
            exponent = amount.normalize().as_tuple().exponent
            places = max(places, -int(exponent))
    if places > 6:
        raise _WrongError("wrong amounts", "an amount has more than six digits after the point")
    return 10 ** max(places, 2) if places else 1


def _numbers(history: Any, name: str, count: int | None = None) -> list[Any]:
    values = getattr(history, name)
    if not isinstance(values, list) or not all(_is_number(v) for v in values):
        raise _WrongError("not PHH", f"{name} is not a list of amounts")
    if count is not None and len(values) != count:
        raise _WrongError("not PHH", f"{name} has {len(values)} entries for {count} players")
    return values


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or isinstance(value, Decimal)


def _chips(amount: Any, unit: int) -> int:
    if isinstance(amount, Decimal) and not amount.is_finite():
        if amount.is_nan() or amount < 0:
            raise _WrongError("wrong amounts", f"{amount} is not an amount")
        return UNLIMITED
    chips = int(amount * unit)
    if abs(chips) > 2**50:
        raise _WrongError("wrong amounts", f"{amount} is more than can be counted")
    return chips


def _bets(history: Any, unit: int, blinds: Sequence[int]) -> dict[str, Any]:
    """Limit or no-limit, with the sizes."""
    if history.variant == "FT":
        small, big = history.small_bet, history.big_bet
        if not _is_number(small) or not _is_number(big):
            raise _WrongError("not PHH", "small_bet and big_bet are amounts")
        low, high = _chips(small, unit), _chips(big, unit)
        return {"limit": True, "raise_sizes": (low, low, high, high), "max_raises": _CAP}
    if not _is_number(history.min_bet) or _chips(history.min_bet, unit) != max(blinds, default=0):
        raise _WrongError(UNSUPPORTED, f"min_bet is {history.min_bet}, not the big blind: such hands are not read")
    return {"limit": False}


def _game_of(history: Any, unit: int, players: int) -> Game:
    posted = [_chips(b, unit) for b in _numbers(history, "blinds_or_straddles", players)]
    if players == 2:
        posted = posted[::-1]
    # A negative amount is the post of a player who comes in late. A whole big blind plays like one, except that it
    # does not move the first to act; less than that is dead: it goes to the pot and counts for nothing.
    big = max(posted, default=0)
    last = max((p for p, b in enumerate(posted) if b == big), default=0)
    blinds = tuple(abs(b) if abs(b) == big or b > 0 else 0 for b in posted)
    dead = [abs(b) if 0 > b > -big else 0 for b in posted]
    antes = tuple(_chips(a, unit) + d for a, d in zip(_numbers(history, "antes", players), dead, strict=True))
    first = ((last + 1) % players, 0, 0, 0)
    try:
        game = Game(
            f"phh-{history.variant}-{players}p", blinds=blinds, first=first, antes=antes, **_bets(history, unit, blinds)
        )
    except UnreadableError as wrong:
        raise _WrongError("not PHH", str(wrong)) from None
    return _own_game(history, game)


def _own_game(history: Any, game: Game) -> Game:
    """The game as we noted it when we wrote the hand, if it agrees with what PHH says."""
    text, name = (history.user_defined_fields.get(key) for key in ("_game", "_game_name"))
    if isinstance(text, str) and isinstance(name, str):
        with contextlib.suppress(MazzoError):
            noted = parse_game(text, name, "_game")
            same = noted.blinds == game.blinds and noted.antes == game.antes and noted.first == game.first
            if same and noted.limit == game.limit and noted.raise_sizes == game.raise_sizes:
                return noted
    return game


def _words(history: Any) -> list[str]:
    if not isinstance(history.actions, list) or not all(isinstance(a, str) for a in history.actions):
        raise _WrongError("not PHH", "actions is not a list of texts")
    plain = (action.split("#")[0].split() for action in history.actions)
    return [" ".join(words) for words in plain if words]


def _hear_actions(words: Sequence[str], players: int) -> tuple[list[tuple[int, str, str]], list[str], str]:
    """Betting (player, what, amount), hole cards by player, board cards."""
    betting: list[tuple[int, str, str]] = []
    hole, board = [""] * players, ""
    for word in words:
        dealt, acted = _DEAL.fullmatch(word), _ACTION.fullmatch(word)
        who = int((dealt or acted or [0, 1])[1] or 1)
        if not (dealt or acted) or not 1 <= who <= players:
            raise _WrongError("unreadable action", f"{word!r} is not an action of Hold'em in PHH")
        if dealt and dealt[1]:
            hole[who - 1] += dealt[2]
        elif dealt:
            board += dealt[2]
        elif acted and acted[2] != "sm":
            betting.append((who - 1, acted[2], acted[3] or ""))
        elif acted and acted[3] and "?" not in acted[3] and acted[3] != "-":
            hole[who - 1] = acted[3]
    return betting, hole, board


def _card_indices(hole: Sequence[str], board: str) -> tuple[list[int], int]:
    """All cards, hole cards position by position and then five of the board; and how many of the board were dealt."""
    cards: list[int] = []
    for player, text in enumerate(hole):
        cards += _group(text, 2, f"the hole cards of p{player + 1}")
    if len(board) > 10:
        raise _WrongError(UNSUPPORTED, "more than one board was dealt")
    shown = _group(board, len(board) // 2, "the board")
    cards += [*shown, *[UNKNOWN] * (5 - len(shown))]
    known = [card for card in cards if card != UNKNOWN]
    if len(set(known)) != len(known):
        raise _WrongError("wrong cards", f"a card was dealt twice: {FRENCH.text(known)}")
    return cards, len(shown)


def _group(text: str, size: int, what: str) -> list[int]:
    if "?" in text or not text:
        if len(text) not in (0, 2 * size):
            raise _WrongError("wrong cards", f"{what} are {text!r}")
        return [UNKNOWN] * size
    try:
        cards = [int(card) for card in FRENCH.parse(text)]
    except MazzoError as wrong:
        raise _WrongError("wrong cards", f"{what}: {wrong}") from None
    if len(cards) != size:
        raise _WrongError("wrong cards", f"{what} are {text!r}")
    return cards


def _hear(history: Any, line: int) -> _Told:
    """Understand one hand."""
    if history.variant not in ("FT", "NT"):
        raise _WrongError(UNSUPPORTED, f"variant {history.variant} is not Hold'em with limit (FT) or without (NT)")
    stacks = _numbers(history, "starting_stacks")
    players = len(stacks)
    if not 2 <= players <= c.MAX_PLAYERS:
        raise _WrongError(UNSUPPORTED, f"a table of {players} players")
    said = _words(history)
    betting, hole, board = _hear_actions(said, players)
    try:
        sizes = [Decimal(amount) if what == "cbr" else Decimal(0) for _, what, amount in betting]
    except ArithmeticError:
        raise _WrongError("unreadable action", "a bet without an amount") from None
    finishing = _numbers(history, "finishing_stacks", players) if history.finishing_stacks is not None else None
    blinds, antes = _numbers(history, "blinds_or_straddles"), _numbers(history, "antes")
    unit = _scale_of([*stacks, *sizes, *blinds, *antes, *(finishing or [])])
    steps = [
        (who, c.FOLD if what == "f" else c.CALL if what == "cc" else max(_chips(size, unit), c.RAISE))
        for (who, what, _), size in zip(betting, sizes, strict=True)
    ]
    chips = [min(_chips(s, unit), UNLIMITED) for s in stacks]
    if min(chips) < 1:
        raise _WrongError("wrong amounts", "a player has no chips")
    cards, dealt = _card_indices(hole, board)
    net = _stated_net(history, players)
    if finishing is not None and UNLIMITED not in chips:
        net = [float((f - s) * unit) for f, s in zip(finishing, stacks, strict=True)]
    number = history.hand if isinstance(history.hand, int) and 0 <= history.hand < 2**62 else None
    return _Told(
        _game_of(history, unit, players), chips, steps, cards, net, _names(history, players), number, unit,
        _match_of(history), line, dealt, said,
    )  # fmt: skip


def _stated_net(history: Any, players: int) -> list[float] | None:
    """The result as we noted it when we wrote the hand, where finishing stacks could not say it."""
    noted = history.user_defined_fields.get("_net")
    if isinstance(noted, list) and len(noted) == players:
        with contextlib.suppress(TypeError, ValueError):
            net = [float(n) for n in noted]
            return net if np.isfinite(net).all() else None
    return None


def _names(history: Any, players: int) -> list[str]:
    names = history.players
    if isinstance(names, list) and len(names) == players and all(isinstance(n, str) for n in names):
        return [name or f"player {p + 1}" for p, name in enumerate(names)]
    return [f"player {p + 1}" for p in range(players)]


def _match_of(history: Any) -> str:
    source = history.user_defined_fields.get("_source")
    if isinstance(source, str):
        return str(PurePosixPath(source).parent)
    return "/".join(str(part) for part in (history.event, history.venue, history.table) if part)


def _load(text: str) -> Any:
    """One hand in pokerkit's notation."""
    import pokerkit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fields it does not know are no concern of ours
        try:
            return pokerkit.HandHistory.loads(text)
        except _NOT_PHH as wrong:
            raise _WrongError("not PHH", f"this is not a hand in PHH: {wrong}") from None


def _sections(text: str) -> Iterator[tuple[str, int]]:
    """The hands of a file, each with the line it begins on: a damaged one does not spoil the others."""
    titles = list(_TITLE.finditer(text))
    if not titles:
        yield text, 1
        return
    line, at = 1, 0
    for title, following in zip(titles, [*titles[1:], None], strict=True):
        line += text.count("\n", at, title.start())
        at = title.start()
        yield text[title.end() : following.start() if following else None], line


def read_phh(data: bytes, source: str) -> Iterator[tuple[Hands | None, list[Skipped]]]:
    """Read a file of one hand (.phh) or many (.phhs), batch by batch."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        yield None, [Skipped(source, 1, "not PHH", f"PHH is written in UTF-8: {wrong}")]
        return
    pieces = ((line, partial(_load, piece)) for piece, line in _sections(text))
    yield from _in_batches(pieces, source)


def read_site(data: bytes, source: str, site: str) -> Iterator[tuple[Hands | None, list[Skipped]]]:
    """Read a poker room's text history through pokerkit's importer for it."""
    import pokerkit

    text = data.decode(errors="replace").replace("\r\n", "\n") + "\n\n\n"
    importer = getattr(pokerkit.HandHistory, f"from_{site}")
    names = {"partypoker": "PartyPoker", "pokerstars": "PokerStars", "ipoker_network": "IPokerNetwork"}
    parser = getattr(pokerkit, f"{names.get(site, ''.join(w.capitalize() for w in site.split('_')))}Parser")

    def load(piece: str) -> Any:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                return next(iter(importer(piece + "\n\n\n", error_status=True)))
            except (*_NOT_PHH, StopIteration):
                raise _WrongError("unreadable hand", f"pokerkit cannot read this as a hand of {site}") from None

    pieces = [
        (text.count("\n", 0, found.start()) + 1, partial(load, found.group(0))) for found in parser.HAND.finditer(text)
    ]
    yield from _in_batches(iter(pieces), source)


def _in_batches(pieces: Iterator[tuple[int, Any]], source: str) -> Iterator[tuple[Hands | None, list[Skipped]]]:
    told: list[_Told] = []
    skipped: list[Skipped] = []
    done = 0
    for line, load in pieces:
        try:
            told.append(_hear(load(), line))
        except _WrongError as wrong:
            skipped.append(Skipped(source, line, *wrong.args))
        if len(told) + len(skipped) == _BATCH:
            yield _replay(told, source, skipped, done), skipped
            done += len(told)
            told, skipped = [], []
    if told or skipped:
        yield _replay(told, source, skipped, done), skipped


def _replay(told: Sequence[_Told], source: str, skipped: list[Skipped], done: int) -> Hands | None:
    """Replay hands through the engine and verify them; what is not in order is added to the skipped."""
    if not told:
        return None
    size = len(told)
    games = list(dict.fromkeys(t.game for t in told))
    stacks = np.zeros((size, c.MAX_PLAYERS), np.int64)
    steps = np.zeros((size, max(1, max(len(t.steps) for t in told)), 2), np.int64)
    counts = np.array([len(t.steps) for t in told])
    names: dict[str, int] = {}
    a = arrays_for(games, np.array([games.index(t.game) for t in told]), stacks, steps.shape[1])
    for i, t in enumerate(told):
        players = t.game.players
        a.state[i, c.ROOM : c.ROOM + players] = t.stacks
        steps[i, : len(t.steps)] = t.steps or np.zeros((0, 2), np.int64)
        a.cards[i, : len(t.cards)] = t.cards
        a.seating[i, :players] = [names.setdefault(name, len(names)) for name in t.names]
        a.number[i] = t.number if t.number is not None else done + i
    rules = np.array([game.row for game in games])
    stopped = np.zeros(size, np.int64)
    replay_streets(rules, a.state, a.history, steps, counts, np.zeros(10, np.int64), a.status, a.flags, stopped)
    seen = rules[a.state[:, c.GAME], c.BOARD_SEEN + a.state[:, c.ROUND]]
    overdealt = (a.status == k.IN_ORDER) & (np.array([t.board for t in told]) > seen)
    a.status[overdealt] = k.CARDS
    _state_results(told, a)
    verify(rules, a)
    _state_raked_results(told, a)
    matches = dict.fromkeys(t.match or source for t in told)
    order = {match: n for n, match in enumerate(matches)}
    hands = Hands(
        tuple(games), a.state, a.history, a.cards, a.given, a.seating, list(names), a.number,
        np.array([t.line for t in told]), a.flags, np.array([t.unit for t in told]),
        np.array([_key(f"{source}/{t.match}") for t in told], np.uint64),
        np.array([order[t.match or source] for t in told]), list(matches), source,
    )  # fmt: skip
    for i in np.flatnonzero(a.status != k.IN_ORDER).tolist():
        skipped.append(Skipped(source, told[i].line, *_why_bad(told[i], int(a.status[i]), int(stopped[i]))))
    good = np.flatnonzero(a.status == k.IN_ORDER)
    return hands if len(good) == size else hands[good]


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _state_results(told: Sequence[_Told], a: Any) -> None:
    for i, t in enumerate(told):
        if t.net is not None and abs(sum(t.net)) < 1e-3:
            a.given[i, : len(t.net)] = t.net


def _state_raked_results(told: Sequence[_Told], a: Any) -> None:
    """Where the house took its share: only players who won something may have less than cards and betting give."""
    for i, t in enumerate(told):
        if t.net is None or abs(sum(t.net)) < 1e-3 or a.status[i] != k.IN_ORDER:
            continue
        players = t.game.players
        due, stated = a.given[i, :players], np.array(t.net)
        if not np.isnan(due).any():
            put_in = a.state[i, c.SPENT : c.SPENT + players] + a.state[i, c.ANTE : c.ANTE + players]
            fits = (due == stated) | ((due > -put_in) & (-put_in <= stated) & (stated < due))
            a.status[i] = k.IN_ORDER if fits.all() else k.WRONG_NET
        a.given[i, :players] = stated
        a.flags[i] |= k.UNDECIDED


def _why_bad(t: _Told, status: int, stopped: int) -> tuple[str, str]:
    """Kind and reason of a hand that the engine does not accept."""
    if status == k.CARDS:
        return "wrong cards", f"{t.board} board cards were dealt, more than the betting reached"
    hand = Hand(t.game, t.cards, stacks=t.stacks, names=t.names)
    street, before = 0, [0] * t.game.players
    for who, action in t.steps if status == k.WRONG_NET else t.steps[:stopped]:
        if hand.street != street:
            street, before = hand.street, list(hand.spent)
        hand.fold_anyway() if action == c.FOLD else hand.act(action + before[who] if action >= c.RAISE else action)
    if status == k.UNFINISHED:
        blind = "; stacks are not given, so that an all-in cannot be told" if UNLIMITED in t.stacks else ""
        return "unfinished hand", f"the actions end before the hand is over (p{(hand.actor or 0) + 1} to act{blind})"
    if status == k.WRONG_NET:
        return "net does not follow", f"the finishing stacks give {t.net}, cards and betting {list(hand.payoffs)}"
    who, action = t.steps[stopped]
    if hand.over:
        return "illegal betting", f"p{who + 1} acts after the hand is over"
    if hand.actor != who:
        return "illegal betting", f"p{who + 1} acts when it is p{(hand.actor or 0) + 1}'s turn"
    if hand.street != street:
        before = list(hand.spent)
    return "illegal betting", hand.why_not(action + before[who])
