"""What agents mean by signals where talking is allowed, and how they answer them: one meaning for all who signal.

volo with the last card of a suit, busso with a low card from a suit of honours, striscio else. A partner's busso is
answered with a two or three that takes. Where the rules do not know busso, striscio is said instead; where they do not
know another, nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.bits import highest
from mazzo.jit import kernel
from mazzo.tressette.choosing import card_text
from mazzo.tressette.kernels import HONOURS, SUIT, VOLO, Ints, trick_stands
from mazzo.tressette.observation import Observations, may_say
from mazzo.tressette.table import action_text

__all__ = ["reason_with_answer", "with_signals"]

_BUSSO, _STRISCIO = 1, 2
_TWO = 8


def with_signals(observations: Observations, cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """The actions of an agent that would play these cards: with what it says of them, or a busso's answer instead."""
    o, actions = observations, np.array(cards, np.int64)
    _converse(o.hand, o.legal, o.played, o.count, o.signals, may_say(o), actions)
    return actions


def reason_with_answer(action: int, card: int, reason: str) -> tuple[str, str]:
    """An action in words and why: the reason for the card, and that it is another one to answer a busso."""
    if action % 40 != card:
        reason = f"answers the partner's busso with its best card; without it {card_text(card)}: {reason}"
    return action_text(action), reason


@kernel
def _converse(
    hand: Ints, legal: Ints, played: NDArray[np.int8], count: Ints, signals: NDArray[np.int8], may: Ints, chosen: Ints
) -> None:
    """Leading, say what the card is; following a partner's busso, give the best card."""
    for i in range(len(hand)):
        trick = count[i] // 4
        if signals[i, trick] < 0:
            continue
        if count[i] & 3 == 0:
            card = chosen[i]
            block = SUIT << (10 * (card // 10))
            more = hand[i] & block & ~(np.int64(1) << card)
            said = VOLO if more == 0 else _STRISCIO
            if more & (HONOURS << (10 * (card // 10))) and card % 10 < _TWO - 1 and (may[i] >> _BUSSO) & 1:
                said = _BUSSO
            if (may[i] >> said) & 1:
                chosen[i] = card + 40 * said
        elif count[i] & 3 == 2 and signals[i, trick] == _BUSSO:
            led, best, _, _ = trick_stands(played[i], count[i])
            answers = legal[i] & (SUIT << (10 * led))
            if answers:
                top = highest(answers)
                if top > best and top % 10 >= _TWO:
                    chosen[i] = top
