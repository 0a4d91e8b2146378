"""What a hero learns from (Vilella, 2011): cards and actions each by itself, the same in fewer numbers, and chips.

Elementary attributes (33) are the cards as rank and suit and the betting action by action; derived ones (18) say the
same in fewer numbers; `LEARNING` are the 11 of the derived ones that a hero learns from by default; `CONTINUOUS`
describes the betting by who put in how much, when, instead of by numbers of sequences. All are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import betting as b
from mazzo.holdem.attributes.registry import REGISTRY, register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.table import call_amount, pot_size
from mazzo.holdem.attributes.values import sequence_code
from mazzo.holdem.notation import STREETS
from mazzo.holdem.rules import PRESETS, Rules

__all__ = [
    "ATTRIBUTES",
    "BIG_BLIND",
    "CONTINUOUS",
    "DERIVED",
    "ELEMENTARY",
    "LEARNING",
    "SEQUENCES",
    "capped_sequences",
    "matrix",
    "refuse_other_than_heads_up_limit",
]


BIG_BLIND = 10
"""Chips of the big blind in which a hero counts."""

GAME = PRESETS["holdem-limit-2p"]
"""What heroes play; its raise cap says how many actions a street can have."""

_SLOTS = tuple(raises + 1 for raises in GAME.max_raises)  # actions a player can face: a check, then the raises
_CARDS = ("hole_1", "hole_2", "flop_1", "flop_2", "flop_3", "turn_card", "river_card")

ELEMENTARY: tuple[str, ...] = (
    *(f"{card}_{part}" for card in _CARDS for part in ("rank", "suit")),
    *(f"{street}_action_{k + 1}" for street, slots in zip(STREETS, _SLOTS, strict=True) for k in range(slots)),
)
"""Cards (rank 2-14, suit 1-4, 0 where not dealt) and actions (0 none, 1 call, 2 raise), each by itself."""

LEARNING: tuple[str, ...] = (
    "stage",
    "raises",
    "raises_sb",
    "raise_before",
    "turn",
    "pv",
    "pot",
    *(f"bet_{street}" for street in STREETS),
)
"""The state that a hero learns from by default."""

DERIVED: tuple[str, ...] = (*_CARDS, *LEARNING)
"""Cards by number (1-52, 0 where not dealt) and the state in fewer numbers."""

_BY_STREET = tuple(
    f"{what}_{street}" for what in ("raises_me", "raises_other", "chips_me", "chips_other") for street in STREETS
)
CONTINUOUS: tuple[str, ...] = ("stage", "turn", "pv", "pot", "owed", "initiative", *_BY_STREET)
"""The betting on a continuous scale: per street the raises and chips of either player, who raised last, position."""

ATTRIBUTES: tuple[str, ...] = (*ELEMENTARY, *DERIVED, "owed", "may_raise", "initiative", *_BY_STREET)
"""The names of all of these."""

_FIRST_SEQUENCES = (
    "f - c r cc cr rf rc rr crf crc crr rrf rrc rrr crrf crrc crrr rrrf rrrc crrrf crrrc crrrr rrrr crrrrf crrrrc "
    "rrrrf rrrrc"
)
SEQUENCES: dict[str, int] = {text.strip("-"): number for number, text in enumerate(_FIRST_SEQUENCES.split(), start=1)}
"""The betting of one street as one number, as the appendix of Vilella (2011) numbers it; 2 is no action yet."""


def capped_sequences(stage: int) -> tuple[int, ...]:
    """The numbers of `SEQUENCES` after which no further raise is allowed on a street."""
    return tuple(number for text, number in SEQUENCES.items() if text.count("r") >= GAME.max_raises[stage])


@cache
def _by_code() -> tuple[Ints, Ints]:
    """By the code of a street's betting (`values.sequence_code`) its number; and by place and code each action."""
    size = 2 + max(sequence_code(text) for text in SEQUENCES)  # the last is for codes beyond: they have no number
    numbers, actions = np.zeros(size, np.int64), np.zeros((max(map(len, SEQUENCES)), size), np.int64)
    for text, number in SEQUENCES.items():
        numbers[sequence_code(text)] = number
        actions[: len(text), sequence_code(text)] = ["fcr".index(action) for action in text]
    return numbers, actions


def refuse_other_than_heads_up_limit(game: Rules | None) -> str:
    """Why decisions of a game cannot be described here, in words; empty if they can."""
    if game is None or (_shape(game) == _shape(GAME) and game.blinds[0] > game.blinds[1]):
        return ""
    before, *after = GAME.max_raises
    return (
        f"it plays heads-up limit Hold'em: big blind first in position, at most {before} raises before the flop and "
        f"{max(after)} after it"
    )


def _shape(game: Rules) -> tuple[object, ...]:
    return game.limit, game.players, len(game.deck), game.hole_cards, game.board_cards, game.first, game.max_raises


def matrix(situations: Situations, names: Sequence[str]) -> NDArray[np.float32]:
    """Attributes as a learner takes them, one row a decision; -1 where missing, 32 bits, as trees compare."""
    out = np.empty((len(situations), len(names)), np.float32)
    for k, name in enumerate(names):
        out[:, k] = REGISTRY[name].work(situations)
    if np.isnan(np.vdot(out, out)):
        out[np.isnan(out)] = -1
    return out


def stage(s: Situations) -> Ints:
    """The round of betting: 0 before the flop, 1 flop, 2 turn, 3 river."""
    return s.street


def raises(s: Situations) -> Ints:
    """Bets and raises in the hand so far."""
    return s.betting[:, b.ALL_RAISES]


def raises_sb(s: Situations) -> Ints:
    """Bets and raises of the small blind in the hand so far."""
    mine, other = s.betting[:, b.ALL_RAISED], s.betting[:, b.ALL_RAISED + b.SPAN]
    return np.where(s.state[:, c.ACTOR], mine, other)  # heads-up it sits in position 1


def raise_before(s: Situations) -> Ints:
    """Whether there was a bet or raise on this street: 1 if so."""
    return np.asarray(s.state[:, c.RAISES] > 0, np.int64)


def turn(s: Situations) -> Ints:
    """Who acts: 0 the big blind, 1 the small blind."""
    return s.state[:, c.ACTOR]


def pv(s: Situations) -> Floats:
    """Equity against one random hand, in thousandths."""
    return s.pv


def may_raise(s: Situations) -> Ints:
    """Whether a raise is allowed: 1 if so."""
    return np.asarray(s.raise_high > 0, np.int64)


def initiative(s: Situations) -> Ints:
    """Who raised last in the hand: 1 the player to act, -1 another, 0 nobody."""
    last = s.betting[:, b.LAST_RAISER]
    return np.where(last == s.state[:, c.ACTOR], 1, -(last >= 0).astype(np.int64))


def bet(s: Situations, street: int) -> Ints:
    """The betting of a street as the appendix numbers it; 0 before the street, 2 with no action yet."""
    numbers, _ = _by_code()
    return numbers.take(s.betting[:, b.SEQUENCE + street], mode="clip")


def action(s: Situations, street: int, k: int) -> Ints:
    """An action of a street: 0 none, 1 call or check, 2 bet or raise."""
    _, actions = _by_code()
    return np.asarray(actions[k].take(s.betting[:, b.SEQUENCE + street], mode="clip"))


def card(s: Situations, place: int) -> Ints:
    """A card as a number, 1-52; 0 where it is not dealt."""
    cards = s.hole[:, place] if place < 2 else s.board[:, place - 2]
    return np.asarray(cards, np.int64) + 1


def card_rank(s: Situations, place: int) -> Ints:
    """The rank of a card, 2-14; 0 where it is not dealt."""
    number = card(s, place)
    return np.where(number == 0, 0, (number - 1) // 4 + 2)


def card_suit(s: Situations, place: int) -> Ints:
    """The suit of a card, 1-4; 0 where it is not dealt."""
    number = card(s, place)
    return np.where(number == 0, 0, (number - 1) % 4 + 1)


def _of_others(s: Situations, column: int) -> Ints:
    """The sum of a fact over all other players; numpy's own sum along short rows takes five times as long."""
    first, *rest = range(column + b.SPAN, s.betting.shape[1], b.SPAN)
    total = s.betting[:, first]
    for k in rest:
        total = total + s.betting[:, k]
    return total


def raises_me(s: Situations, street: int) -> Ints:
    """Bets and raises of the player to act on a street."""
    return s.betting[:, b.RAISED + street]


def raises_other(s: Situations, street: int) -> Ints:
    """Bets and raises of the others on a street."""
    return _of_others(s, b.RAISED + street)


def chips_me(s: Situations, street: int) -> Floats:
    """Chips that the player to act has put in on a street, blinds included."""
    return s.betting[:, b.CHIPS + street] * s.scale


def chips_other(s: Situations, street: int) -> Floats:
    """Chips that the others have put in on a street, blinds included."""
    return _of_others(s, b.CHIPS + street) * s.scale


_OURS = {"listed": False, "redundant": True}  # each says in numbers what one of Kischka's says
_TABLE = {"category": "GENERAL_GAME_INFO", **_OURS}
register("stage", stage, category="GENERAL_GAME_INFO", listed=False)
register("raises", raises, fact="betting", **_TABLE)
register("raises_sb", raises_sb, fact="betting", heads_up=True, **_TABLE)
register("raise_before", raise_before, fact="current betting", **_TABLE)
register("turn", turn, category="HERO_INFO", fact="HERO_POSITION", **_OURS)
register("pv", pv, category="ODDS_AND_OUTS", fact="ALL_IN_EQUITY_2PLAYERS", **_OURS)
register("pot", pot_size, fact="POT_SIZE", **_TABLE)
register("owed", call_amount, fact="CALL_AMOUNT", **_TABLE)
register("may_raise", may_raise, category="GENERAL_GAME_INFO", listed=False)
register("initiative", initiative, fact="LAST_RAISE_POSITION", **_TABLE)
for _place, _name in enumerate(_CARDS):
    _fact = (
        "hole cards"
        if _place < 2
        else ("FLOP_CARD_1", "FLOP_CARD_2", "FLOP_CARD_3", "TURN_CARD", "RIVER_CARD")[_place - 2]
    )
    for _end, _work in (("", card), ("_rank", card_rank), ("_suit", card_suit)):
        register(_name + _end, _work, arguments=(_place,), fact=_fact, **_TABLE)
for _s, _street in enumerate(STREETS):
    _of = {"fact": f"{_street.upper()} betting"}
    register(f"bet_{_street}", bet, arguments=(_s,), heads_up=True, **_of, **_TABLE)
    for _k in range(_SLOTS[_s]):
        register(f"{_street}_action_{_k + 1}", action, arguments=(_s, _k), heads_up=True, **_of, **_TABLE)
    register(f"raises_me_{_street}", raises_me, arguments=(_s,), category="HERO_BETTING", **_of, **_OURS)
    register(f"raises_other_{_street}", raises_other, arguments=(_s,), category="OPPONENT_BETTING", **_of, **_OURS)
    register(f"chips_me_{_street}", chips_me, arguments=(_s,), category="HERO_BETTING", **_of, **_OURS)
    register(f"chips_other_{_street}", chips_other, arguments=(_s,), category="OPPONENT_BETTING", **_of, **_OURS)
