"""A place in a spot, as it is typed: `b100 c / Ks / k`. Actions of a street, then the next card, then actions again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.columns import RAISE
from mazzo.holdem.solver.spot.betting import CHANCE, Betting
from mazzo.holdem.solver.spot.engine import Plan

__all__ = ["Path", "follow", "path_at"]

_ACTION = re.compile(r"[kcfa]|[br]\d{1,9}")


@dataclass(frozen=True)
class Path:
    """A node of the betting tree and, where they were named, the cards that came."""

    node: int
    """Its number in the betting tree."""
    nodes: tuple[int, ...]
    """All nodes of the betting tree on the way, the start first, itself last."""
    level: int
    """Which street of the spot, 0 the first."""
    place: int
    """Its place among the nodes of its street."""
    actor: int | None
    """Who decides there: 0 out of position, 1 in position, None: nobody."""
    actions: tuple[str, ...]
    cards: tuple[int, ...]
    """The whole board, with the cards that were named."""
    boards: tuple[int, ...]
    """The boards of its street that this may be; all, where no card was named."""
    renaming: int
    """By what renaming of suits its board becomes the one that was named."""


_ANY = -1


def follow(plan: Plan, text: str, any_card: bool = False) -> Path:
    """Read a place; an empty text is the start. Where `any_card` is given, `*` stands for every card that may come."""
    betting, at, nodes, cards = plan.betting, 0, [0], [int(card) for card in plan.spot.board]
    for word in text.replace("/", " ").split():
        if _ACTION.fullmatch(word.lower()):
            at = _act(betting, at, word.lower(), text)
            nodes.append(at)
            continue
        at = _deal(betting, at, word, text, cards, any_card)
        nodes.append(at)
    if betting.nodes[at].kind == CHANCE and text.strip().endswith("/"):
        raise UnreadableError(f"{text!r} ends before a card: name the card that comes")
    return _found(plan, at, tuple(nodes), tuple(cards))


def path_at(plan: Plan, node: int, cards: tuple[int, ...]) -> Path:
    """A node of the betting tree on a board; the way there is left out."""
    return _found(plan, node, (node,), cards)


def _names(betting: Betting, at: int) -> list[str]:
    return [betting.nodes[k].name for k in betting.nodes[at].children]


def _left(betting: Betting, at: int) -> list[int]:
    """Chips that each player has left."""
    return [betting.spot.stack - put for put in betting.nodes[at].put]


def _act(betting: Betting, at: int, word: str, text: str) -> int:
    node = betting.nodes[at]
    if node.kind not in (0, 1):
        what = "a card comes" if node.kind == CHANCE else "the betting is over"
        raise UnreadableError(f"{word!r} in {text!r} is not possible: {what} there")
    names = _names(betting, at)
    if word == "a":
        raises = [k for k in node.children if betting.nodes[k].action >= RAISE]
        word = next((betting.nodes[k].name for k in raises if min(_left(betting, k)) == 0), word)
    same = [
        k for k, name in enumerate(names) if name == word or (name[0] in "br" and name[1:] == word[1:] and word[1:])
    ]
    if not same:
        raise UnreadableError(
            f"{word!r} in {text!r} is not an action there; there are {', '.join(names)}; {did_you_mean(word, names)}"
        )
    return node.children[same[0]]


def _deal(betting: Betting, at: int, word: str, text: str, cards: list[int], any_card: bool) -> int:
    try:
        (card,) = (_ANY,) if any_card and word == "*" else (int(k) for k in FRENCH.parse(word))
    except (UnreadableError, ValueError):
        raise UnreadableError(
            f"cannot read {word!r} in {text!r}: a place is actions (k check, c call, f fold, b100 bet, r300 raise to) "
            "and cards (Ks), as in 'b100 c / Ks / k'"
        ) from None
    node = betting.nodes[at]
    if node.kind != CHANCE:
        raise UnreadableError(f"no card comes at {word!r} in {text!r}: first the betting of the street must end")
    if card in cards and card != _ANY:
        raise UnreadableError(f"{word} in {text!r} is on the board already")
    cards.append(card)
    return node.children[0]


def _found(plan: Plan, at: int, nodes: tuple[int, ...], cards: tuple[int, ...]) -> Path:
    node = plan.betting.nodes[at]
    level = node.street - plan.spot.street
    dealt = len(cards) - len(plan.spot.board)
    if dealt < level:
        raise UnreadableError("a card of every street on the way must be named")
    if _ANY in cards:
        boards, renaming = _fitting(plan, level, cards), 0
    else:
        board, renaming = plan.boards.find(level, cards)
        boards = (board,)
    actor = node.kind if node.kind in (0, 1) else None
    names = tuple(_names(plan.betting, at)) if actor is not None else ()
    place = plan.streets[level].place[at]
    return Path(at, nodes, level, place, actor, names, cards, boards, renaming)


def _fitting(plan: Plan, level: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The boards of a street that have the cards that were named; suits must not have been renamed."""
    boards = plan.boards.levels[level].boards
    return tuple(
        b for b, board in enumerate(boards) if all(_ANY in (c, k) or c == k for c, k in zip(board, cards, strict=True))
    )
