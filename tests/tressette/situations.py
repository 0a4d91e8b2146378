"""The 80 reference situations, and endings small enough to enumerate."""

import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.cards import ITALIAN
from mazzo.tressette.round import Round
from mazzo.tressette.rules import Rules
from mazzo.tressette.view import View

_FILE = Path(__file__).parent.parent / "data" / "tressette_reference.json"
SITUATIONS: list[dict[str, Any]] = json.loads(_FILE.read_text())["situations"]


def play_at_random(seed: int, cards: int, named: bool = False, talk: bool = False, table: Round | None = None) -> Round:
    """A round with some cards played at random, and true signals given at random where talking is allowed."""
    table = table or Round(Rules(named=named, talk=talk), seed=seed, leader=seed % 4)
    rng = np.random.default_rng(seed)
    for _ in range(cards):
        legal = table.legal.cards
        card = legal[rng.integers(len(legal))]
        more = any(other.suit == card.suit and other != card for other in table.hand())
        say = talk and not table.table and rng.random() < 0.5
        table.act(f"{card}:{rng.choice(['busso', 'striscio']) if more else 'volo'}" if say else card)
    return table


def promised(view: View) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """(seat, suit) pairs: who said to hold more and has shown none since, and who said to hold none."""
    more: set[tuple[int, int]] = set()
    none: set[tuple[int, int]] = set()
    for k, (seat, card) in enumerate(view.plays):
        more.discard((seat, card.suit))
        said = view.said(k // 4 + 1) if k % 4 == 0 else ""
        if said:
            (none if said == "volo" else more).add((seat, card.suit))
    return more, none


@dataclass(frozen=True)
class Ending:
    """A view late in a round with every deal that agrees with it, found by trying all."""

    view: View
    deals: list[tuple[int, int, int]]


def declarations_of(hand: int) -> tuple[int, ...]:
    """What must be declared of ten cards, straight from the words of the rules."""
    cards = {str(card) for card in ITALIAN.unmask(hand)}
    told = [sum(all(rank + suit in cards for rank in "A23") for suit in "dcsb")]
    for rank in "A23":
        missing = [k for k, suit in enumerate("dcsb") if rank + suit not in cards]
        told.append({0: 5, 1: 1 + missing[0] if missing else 0}.get(len(missing), 0))
    return tuple(told)


def enumerate_ending(view: View, napoli: bool, silence: bool) -> Ending:
    """Every deal of the unseen cards, tried one by one against what was seen."""
    plays = view.plays
    shown = [ITALIAN.mask(c for seat, c in plays if seat == place) for place in range(4)]
    unseen = ITALIAN.unmask(~(ITALIAN.mask(view.hand()) | ITALIAN.mask(c for _, c in plays)) & (1 << 40) - 1)
    need = [10 - shown[place].bit_count() for place in (1, 2, 3)]
    void = {(seat, plays[k - k % 4][1].suit) for k, (seat, c) in enumerate(plays) if c.suit != plays[k - k % 4][1].suit}
    more, none = promised(view)
    void |= none
    deals = []
    for first in combinations(unseen, need[0]):
        rest = [c for c in unseen if c not in first]
        for second in combinations(rest, need[1]):
            hands = (first, second, tuple(c for c in rest if c not in second))
            if any((p + 1, c.suit) in void for p, hand in enumerate(hands) for c in hand):
                continue
            if any(place and all(c.suit != suit for c in hands[place - 1]) for place, suit in more):
                continue
            masks = [ITALIAN.mask(hand) for hand in hands]
            told = [declarations_of(mask | shown[p + 1]) for p, mask in enumerate(masks)]
            if all(_fits(view, p + 1, told[p], masks[p] | shown[p + 1], napoli, silence) for p in range(3)):
                deals.append((masks[0], masks[1], masks[2]))
    return Ending(view, deals)


def _fits(view: View, place: int, must: tuple[int, ...], dealt: int, napoli: bool, silence: bool) -> bool:
    said = tuple(int(x) for x in view.row.declared[0, place])
    named = int(view.row.napoli[0, place])
    if (napoli or silence) and any(named >> suit & 1 and dealt >> (10 * suit + 7) & 7 != 7 for suit in range(4)):
        return False
    if silence:
        return must == said
    if napoli and must[0] < said[0]:
        return False
    # Without silence a bongioco tells of the three cards it names and says nothing of the fourth.
    return all(
        what == 0
        or (what == 5 and has == 5)
        or (what < 5 and all(dealt >> (10 * s + 7 + r) & 1 for s in range(4) if s != what - 1))
        for r, (what, has) in enumerate(zip(said[1:], must[1:], strict=True))
    )
