"""Attributes of the cards: hole cards, board, and what they make (A.5, A.6 and A.9 of the text's appendix)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem.attributes import made as m
from mazzo.holdem.attributes import values as v
from mazzo.holdem.attributes.registry import STREETS, register
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.table import call_amount, pot_size

__all__: list[str] = []


def _high(s: Situations) -> Ints:
    """The higher hole card; indices run by rank, then suit, so that of a pair it is the higher suit."""
    return np.asarray(s.hole.max(axis=1), np.int64)


def _low(s: Situations) -> Ints:
    return np.asarray(s.hole.min(axis=1), np.int64)


def hero_hole_cards(s: Situations) -> Ints:
    """Both hole cards."""
    return v.hole_numbers()[s.hole[:, 0], s.hole[:, 1]]


def hero_hole_cards_suitedness(s: Situations) -> Ints:
    """Whether both hole cards are of one suit."""
    return np.asarray(s.hole[:, 0] % 4 != s.hole[:, 1] % 4, np.int64)


def abstracted_hole_cards(s: Situations) -> Ints:
    """The ranks of both hole cards."""
    return v.rank_pair_numbers()[_high(s) // 4, _low(s) // 4]


def hero_hole_card_high(s: Situations) -> Ints:
    """The higher rank."""
    return _high(s) // 4


def hero_hole_card_low(s: Situations) -> Ints:
    """The lower rank."""
    return _low(s) // 4


def hero_hole_card_high_suit(s: Situations) -> Ints:
    """The suit of the higher card, of a pair the higher suit."""
    return _high(s) % 4


def hero_hole_card_low_suit(s: Situations) -> Ints:
    """The suit of the lower card."""
    return _low(s) % 4


def _board_card(s: Situations, place: int) -> tuple[Ints, NDArray[np.bool_]]:
    cards = s.board[:, place].astype(np.int64)
    return np.maximum(cards, 0), cards < 0


def board_card_rank(s: Situations, place: int) -> Ints:
    """The rank of a card of the board, in the order of the log; INVALID before it is dealt."""
    card, missing = _board_card(s, place)
    return np.where(missing, len(v.RANKS) - 1, card // 4)


def board_card_suit(s: Situations, place: int) -> Ints:
    """The suit of a card of the board; INVALID before it is dealt."""
    card, missing = _board_card(s, place)
    return np.where(missing, len(v.SUITS) - 1, card % 4)


def board_card(s: Situations, place: int) -> Ints:
    """A card of the board; INVALID before it is dealt."""
    card, missing = _board_card(s, place)
    return np.where(missing, len(v.CARDS) - 1, v.card_numbers()[card])


def board_texture(s: Situations) -> Ints:
    """How likely the board makes flushes (F), straights (S) and full houses (H); + says very."""
    return 9 * s.cards[:, m.FLUSHES] + 3 * s.cards[:, m.STRAIGHTS] + s.cards[:, m.PAIRS]


def simple_board_texture(s: Situations) -> Ints:
    """The texture without pairs."""
    order = [v.SIMPLE_TEXTURES.index(v.BOARD_TEXTURES[9 * f + 3 * k]) for f in range(3) for k in range(3)]
    return np.asarray(np.array(order)[3 * s.cards[:, m.FLUSHES] + s.cards[:, m.STRAIGHTS]])


def hand_rank(s: Situations) -> Ints:
    """The category of the hand, board included."""
    return s.cards[:, m.RANK]


def hand_type(s: Situations) -> Ints:
    """The hand, if the cards that make it are not all on the board; pairs by how they stand to the board."""
    return s.cards[:, m.TYPE]


def all_in_equity(s: Situations) -> Floats:
    """Equity against random hands of all active opponents: exact against one or two, sampled against more."""
    return s.equities[1]


def all_in_equity_2players(s: Situations) -> Floats:
    """Exact equity against one random hand."""
    return s.equities[0]


def all_in_equity_error(s: Situations) -> Floats:
    """The standard error of ALL_IN_EQUITY; 0 where it is exact."""
    return s.equities[2]


def pot_odds(s: Situations) -> Floats:
    """Call / (pot + call)."""
    call = call_amount(s)
    return call / (pot_size(s) + call)


def pot_odds_to_all_in_equity_ratio(s: Situations) -> Floats:
    """POT_ODDS / ALL_IN_EQUITY; missing where the equity is 0."""
    equity = all_in_equity(s)
    ratio: Floats = np.divide(pot_odds(s), equity, out=np.full(len(s), np.nan), where=equity > 0)
    return ratio


def potential_outs(s: Situations) -> Ints:
    """Unseen cards that raise the hand's category by more than the board alone gains; 0 on the river."""
    return s.cards[:, m.OUTS]


def draws(s: Situations) -> Ints:
    """Four of a suit with a hole card; one rank short of a straight that needs a hole card."""
    return s.cards[:, m.DRAW]


_HERO = {"category": "HERO_INFO", "section": "A.5", "fact": "hole cards"}
register("HERO_HOLE_CARDS", hero_hole_cards, values=v.hole_texts(), **_HERO)
register("HERO_HOLE_CARDS_SUITEDNESS", hero_hole_cards_suitedness, values=v.TRUTH, redundant=True, **_HERO)
register("ABSTRACTED_HOLE_CARDS", abstracted_hole_cards, values=v.rank_pair_texts(), redundant=True, **_HERO)
register("HERO_HOLE_CARD_HIGH", hero_hole_card_high, values=v.RANKS, redundant=True, **_HERO)
register("HERO_HOLE_CARD_LOW", hero_hole_card_low, values=v.RANKS, redundant=True, **_HERO)
register("HERO_HOLE_CARD_HIGH_SUIT", hero_hole_card_high_suit, values=v.SUITS, redundant=True, **_HERO)
register("HERO_HOLE_CARD_LOW_SUIT", hero_hole_card_low_suit, values=v.SUITS, redundant=True, **_HERO)

_PLACES = (("FLOP_CARD1", "FLOP_CARD_1", 1), ("FLOP_CARD2", "FLOP_CARD_2", 1), ("FLOP_CARD3", "FLOP_CARD_3", 1),
           ("TURN_CARD", "TURN_CARD", 2), ("RIVER_CARD", "RIVER_CARD", 3))  # fmt: skip
for _form, _work, _values in (("RANK", board_card_rank, v.RANKS), ("SUIT", board_card_suit, v.SUITS)):
    for _place, (_stem, _card, _street) in enumerate(_PLACES):
        register(
            f"{_stem}_{_form}",
            _work,
            arguments=(_place,),
            section="A.6",
            category="GENERAL_GAME_INFO",
            fact=_card,
            redundant=True,
            values=_values,
            from_street=_street,
        )
for _place, (_stem, _card, _street) in enumerate(_PLACES):
    register(
        _card,
        board_card,
        arguments=(_place,),
        section="A.6",
        category="GENERAL_GAME_INFO",
        values=v.CARDS,
        from_street=_street,
    )

_DERIVED = {"category": "DERIVED_INFO", "section": "A.9"}
_ODDS = {"category": "ODDS_AND_OUTS", "section": "A.9"}
register("BOARD_TEXTURE", board_texture, values=v.BOARD_TEXTURES, from_street=1, **_DERIVED)
register(
    "SIMPLE_BOARD_TEXTURE",
    simple_board_texture,
    values=v.SIMPLE_TEXTURES,
    fact="BOARD_TEXTURE",
    redundant=True,
    from_street=1,
    **_DERIVED,
)
register("HAND_RANK", hand_rank, values=v.HAND_RANKS, **_DERIVED)
register("HAND_TYPE", hand_type, values=v.HAND_TYPES, **_DERIVED)
register("ALL_IN_EQUITY", all_in_equity, **_ODDS)
register("ALL_IN_EQUITY_2PLAYERS", all_in_equity_2players, **_ODDS)
register("POT_ODDS", pot_odds, **_ODDS)
register("POT_ODDS_TO_ALL_IN_EQUITY_RATIO", pot_odds_to_all_in_equity_ratio, **_ODDS)
register("POTENTIAL_OUTS", potential_outs, from_street=1, **_ODDS)
register("DRAWS", draws, values=v.DRAWS, streets=STREETS[1:3], **_ODDS)
register("ALL_IN_EQUITY_ERROR", all_in_equity_error, listed=False, **_ODDS)
