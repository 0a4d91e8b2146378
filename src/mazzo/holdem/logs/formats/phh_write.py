"""Hands as PHH, such that pokerkit replays them to the same payoffs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.hand import Hand
from mazzo.holdem.logs.files import new_file
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.rules import RAISE_CAP, UNLIMITED, Rules

__all__ = ["phh_text", "write_phh"]


def phh_text(hands: Hands, first: int = 1) -> str:
    """The hands as a file of many (.phhs); `first` is the title of the first one."""
    return "".join(f"[{first + row}]\n{_one(hands, row)}\n" for row in range(len(hands)))


def write_phh(batches: Iterable[Hands], path: Path, old: bool = False) -> int:
    """Write hands to a new file of many; gives how many. PHH has one form: `old` changes nothing."""
    count = 0
    with new_file(path) as file:
        for hands in batches:
            file.write(phh_text(hands, count + 1).encode())
            count += len(hands)
    return count


def _one(hands: Hands, row: int) -> str:
    hand, unit = hands.hand(row), int(hands.unit[row])
    game = hand.game
    reason = _why_not(game)
    if reason:
        raise UnreadableError(f"hands of {game.name} cannot be written as PHH: {reason}")
    blinds = _posted(game)
    fields: list[tuple[str, str]] = [
        ("variant", _quoted("FT" if game.limit else "NT")),
        ("ante_trimming_status", "true" if len(set(game.antes)) == 1 else "false"),
        ("antes", _amounts(game.antes, unit)),
        ("blinds_or_straddles", _amounts(blinds, unit)),
    ]
    if game.limit:
        fields += [("small_bet", _amount(game.raise_sizes[0], unit)), ("big_bet", _amount(game.raise_sizes[2], unit))]
    else:
        fields.append(("min_bet", _amount(game.least_bet, unit)))
    fields += [
        ("starting_stacks", _amounts(hand.stacks, unit)),
        ("actions", "[" + ", ".join(map(_quoted, _actions(hand, unit))) + "]"),
        ("hand", str(hand.number)),
        ("players", "[" + ", ".join(map(_quoted, hand.names)) + "]"),
    ]
    net = hands.net[row, : game.players]
    if not _stated(hands, row, hand):
        pass
    elif (net == net.round()).all() and UNLIMITED not in hand.stacks:
        fields.append(("finishing_stacks", _amounts([s + int(n) for s, n in zip(hand.stacks, net, strict=True)], unit)))
    else:
        fields.append(("_net", "[" + ", ".join(f"'{n:.6f}'" for n in net) + "]"))
    fields += [("_game_name", _quoted(game.name)), ("_game", _quoted(str(game)))]
    return "".join(f"{name} = {value}\n" for name, value in fields)


def _stated(hands: Hands, row: int, hand: Hand) -> bool:
    """True where the source said who won what: a result worked out from the cards is not written as if it had."""
    net = hands.net[row, : hand.game.players]
    if np.isnan(net).any():
        return False
    if not hands.unverified[row]:
        return True
    try:
        return bool(list(hand.payoffs) != net.tolist())
    except IllegalError:
        return True


def _why_not(game: Rules) -> str:
    if (game.ranks, game.suits, game.hole_cards, game.board_cards) != (13, 4, 2, (0, 3, 1, 1)):
        return "it is not Texas Hold'em"
    if game.limit and (game.raise_sizes[0], game.raise_sizes[2]) != (game.raise_sizes[1], game.raise_sizes[3]):
        return "PHH knows one small and one big bet"
    if max(game.max_raises) > RAISE_CAP if game.limit else min(game.max_raises) < UNLIMITED or game.min_raise_is_blind:
        return "PHH has no such limit on raises"
    straight = game.blinds[game.first[0] - 1] == game.big_blind and not any(game.first[1:])
    return "" if straight else "there the player after the big blind speaks first, and later the first after the button"


def _posted(game: Rules) -> list[int]:
    """The blinds as PHH has them: heads-up the button's first, and late posts of a big blind negative."""
    last = (game.first[0] - 1) % game.players
    posted = [-b if b == game.big_blind and p != last else b for p, b in enumerate(game.blinds)]
    if posted.count(-game.big_blind) and game.players == 2:
        posted = list(game.blinds)
    return posted[::-1] if game.players == 2 else posted


def _quoted(text: str) -> str:
    """A text as TOML writes it; JSON escapes it alike, but for DEL."""
    return json.dumps(text).replace("\x7f", "\\u007f")


def _amount(chips: int, unit: int) -> str:
    if unit == 1 or chips >= UNLIMITED:
        return str(chips)
    whole, part = divmod(abs(chips), unit)
    digits = str(part).zfill(len(str(unit)) - 1).rstrip("0") if part else ""
    return f"{'-' if chips < 0 else ''}{whole}{f'.{digits}' if digits else ''}"


def _amounts(chips: Sequence[int], unit: int) -> str:
    return "[" + ", ".join(_amount(chip, unit) for chip in chips) + "]"


def _actions(hand: Hand, unit: int) -> Iterator[str]:
    """Deals, bets and shows in the order in which pokerkit expects them."""
    game, done = hand.game, hand.history
    actors = [int(a) & c.ACTOR_MASK for a in hand._table.history[hand._row, : len(done)]]
    marks = [hand._get(c.ROUND_AT + r) for r in range(hand.street + 1)]
    board = [str(card) for card in _board(hand)]
    live = [p for p, gone in enumerate(hand.folded) if not gone]
    spent = [0] * game.players
    blinds, bet = dict(enumerate(game.blinds)), game.big_blind if game.whole_blind else 0
    for p in range(game.players):
        yield f"d dh p{p + 1} {_shown(hand, p)}"
        spent[p] = min(blinds[p], hand._get(c.ROOM + p))
    closing = max((r for r in range(hand.street + 1) if marks[r] < len(done)), default=0)
    for street in range(hand.street + 1):
        if street:
            shown = board[game.board_seen(street - 1) : game.board_seen(street)]
            yield f"d db {''.join(shown)}"
        before = [0] * game.players if street == 0 else spent.copy()
        end = marks[street + 1] if street < hand.street else len(done)
        for who, action in zip(actors[marks[street] : end], done[marks[street] : end], strict=True):
            if action == c.FOLD:
                yield f"p{who + 1} f"
            elif action == c.CALL:
                yield f"p{who + 1} cc"
                spent[who] = min(max(bet, *spent), hand._get(c.ROOM + who))
            else:
                yield f"p{who + 1} cbr {_amount(action - before[who], unit)}"
                spent[who] = action
        if street >= closing and len(live) > 1:
            for p in live:
                if street == closing or not hand.hole(p):
                    yield f"p{p + 1} sm {_shown(hand, p)}"


def _shown(hand: Hand, position: int) -> str:
    return FRENCH.text(hand.hole(position)) or "??" * hand.game.hole_cards


def _board(hand: Hand) -> list[str]:
    first = hand.game.players * hand.game.hole_cards
    cards = hand._table.cards[hand._row, first : first + hand.game.board_seen(hand.street)]
    return ["??" if card == c.UNKNOWN else FRENCH.text([card]) for card in cards]
