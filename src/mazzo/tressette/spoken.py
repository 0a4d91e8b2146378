"""Words about advice: why two advisers differ, and cards as people type them, several on a line."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.agent import Explanation, Option
from mazzo.cards import ITALIAN, Card
from mazzo.errors import UnreadableError
from mazzo.statistics import Z95

__all__ = ["card_words", "read_card", "why_differ"]

_TERMS = {"R": "points in this trick (R)", "DT": "masters later (DT)", "V": "taking the rest (V)"}


def why_differ(name: str, first: Explanation, other_name: str, other: Explanation) -> str:
    """Why two advisers would play different cards: by how much the first sees the other's behind, and what moves it."""
    mine, theirs = first.action, other.action
    if mine == theirs:
        return f"{name} and {other_name} agree on {mine}"
    said = [f"{name} would play {mine}, {other_name} {theirs}"]
    behind = next((o for o in first.options if o.action == theirs), None)
    if behind is not None and behind.behind is not None:
        error = Z95 * (behind.behind_error or 0.0)
        sure = "" if abs(behind.behind) > error else ", which may be chance"
        word = "less" if behind.behind >= 0 else "more"
        said.append(
            f"in the same deals {name} finds {theirs} {abs(behind.behind):.2f} ± {error:.2f} {first.unit} {word}{sure}"
        )
    moved = _largest_term(other.options, mine, theirs)
    if moved:
        said.append(f"{other_name} is moved by {moved}")
    return "; ".join(said)


def _largest_term(options: Sequence[Option], mine: str, theirs: str) -> str:
    by_card = {option.action: option.terms for option in options}
    if mine not in by_card or theirs not in by_card:
        return ""
    names = [name for name in by_card[theirs] if name in _TERMS] or list(by_card[theirs])
    ahead = {name: by_card[theirs][name] - by_card[mine].get(name, 0.0) for name in names}
    largest = max(ahead, key=lambda name: ahead[name], default=None)
    if largest is None or ahead[largest] <= 0:
        return ""
    told = f"{by_card[theirs][largest]:+.2f} against {by_card[mine].get(largest, 0.0):+.2f}"
    return f"{_TERMS.get(largest, largest)}: {told}"


def card_words(line: str) -> list[str]:
    """The cards of a line, each in one piece: `8d re di coppe 3` is `8d`, `re di coppe`, `3`."""
    words, found = line.lower().split(), list[str]()
    while words:
        taken = 1
        if len(words) > 2 and words[1] in ("di", "of"):
            taken = 3
        elif len(words) > 1 and len(words[0]) > 1 and words[0] in ITALIAN.aliases and _is_suit(words[1]):
            taken = 2
        found.append(" ".join(words[:taken]))
        del words[:taken]
    return found


def _is_suit(word: str) -> bool:
    return word in ITALIAN.suit_words or word in tuple(ITALIAN.suits)


def read_card(text: str, legal: Sequence[Card], led: int | None = None, numbered: bool = True) -> Card:
    """A card as people type it: `3d`, its number in the list of legal cards, a suit or a rank that leaves one choice.

    Args:
        text: What was typed.
        legal: The cards to choose from.
        led: The suit led, which a rank alone refers to where cards are not numbered.
        numbered: Whether a number is a place in the list (else it is a rank).
    """
    typed = text.strip().lower()
    if numbered and typed.isascii() and typed.isdigit():
        if not 1 <= int(typed[:6]) <= len(legal):
            raise UnreadableError(f"there is no card number {typed[:6]}: choose from 1 to {len(legal)}")
        return legal[int(typed) - 1]
    if _is_suit(typed):
        suit = ITALIAN.suits.index(ITALIAN.suit_words.get(typed, typed))
        of_suit = [card for card in legal if card.suit == suit]
        if len(of_suit) != 1:
            raise UnreadableError(
                f"{typed!r} leaves {len(of_suit)} cards to choose from: add the rank, such as 3{ITALIAN.suits[suit]}"
            )
        return of_suit[0]
    ranks = {name.lower() for name in (*ITALIAN.ranks, *ITALIAN.aliases)}
    if typed in ranks:
        if led is not None and not numbered:
            return ITALIAN.card(f"{typed} di {ITALIAN.suit_names[led]}")
        rank = {name.lower(): rank for name, rank in ITALIAN.aliases.items()}.get(typed, typed).upper()
        of_rank = [card for card in legal if ITALIAN.ranks[card.rank] == rank]
        if len(of_rank) == 1:
            return of_rank[0]
        raise UnreadableError(
            f"{typed!r} leaves {len(of_rank)} cards to choose from: add the suit, such as {typed}d or {typed} di denari"
        )
    return ITALIAN.card(typed)
