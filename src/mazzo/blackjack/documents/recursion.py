"""The exact value of a whole shoe (Bodon 2000, 6.3.1-6.3.2): every round, every card, every shoe it can leave.

Only tiny shoes can be counted so; they are the measure of the other methods. Rounds are those of `blackjack.round`
with the cards given instead of drawn: each is replayed up to the first card that is not given yet, then once for every
rank that card may have.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from mazzo.blackjack.columns import HIT, LEAVE, PLAYS, SPLIT, STAND
from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe

__all__ = ["Decide", "WholeShoe", "best_play", "outcomes", "survival", "whole_shoe"]

Decide = Callable[[Round], str]
Outcomes = dict[tuple[int, ...], tuple[float, float]]
"""For each shoe a round can leave: its chance, and the chance times what was won on average."""


class _CardNotGivenError(Exception):
    pass


def best_play(analysis: Analysis) -> Decide:
    """The plays of an exact analysis, splits as it values them."""
    policy, hands = analysis.policy, all_hands()

    def decide(game: Round) -> str:
        hand = game.to_play
        assert hand is not None
        number, upcard = hands.of(hand.cards), game.upcard
        if len(hand.cards) > 2:
            return PLAYS[HIT if policy.hits[number, upcard] else STAND]
        if not hand.split:
            return PLAYS[int(policy.first[number, upcard])]
        if SPLIT in game.legal:
            return PLAYS[SPLIT]
        return PLAYS[int(policy.after_split[number, upcard])]

    return decide


def _play(rules: Rules, shoe: Shoe, decide: Decide, cards: tuple[int, ...]) -> tuple[float, Shoe]:
    game = Round.of_cards(rules, cards, shoe)
    while True:
        if len(game.drawn()) > len(cards):
            raise _CardNotGivenError
        if game.over:
            return game.payoffs[0], game.shoe_after
        if game.asked is not None:
            bet, gain = max(game.side_bets().items(), key=lambda item: item[1])
            game.act(bet if gain > 0 else LEAVE)
        else:
            game.act(decide(game))


def outcomes(rules: Rules, shoe: Shoe, decide: Decide) -> Outcomes:
    """Every shoe that one round can leave; the side bet that pays best is taken where one pays."""
    found: dict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        cards, chance = waiting.pop()
        try:
            won, after = _play(rules, shoe, decide, cards)
        except _CardNotGivenError:
            left = shoe.without(cards)
            for rank, count in enumerate(left.counts):
                if count:
                    waiting.append(((*cards, rank), chance * count / left.cards))
            continue
        found[after.counts][0] += chance
        found[after.counts][1] += chance * won
    return {counts: (chance, won) for counts, (chance, won) in found.items()}


def survival(cut: float, sigma: float) -> Callable[[int], float]:
    """The chance that the cut card lies after `gone` cards or later: 1 - Phi of 6.3."""
    if sigma == 0:
        return lambda gone: float(gone <= cut)
    return lambda gone: 0.5 * math.erfc((gone - cut) / (sigma * math.sqrt(2)))


@dataclass(frozen=True)
class WholeShoe:
    """What a shoe played to the cut card is worth."""

    rounds: float
    """Rounds expected."""
    positive: float
    """E_pos: a round."""
    negative: float
    won: float
    """What a unit bet on every round wins, a round."""
    starts: dict[tuple[int, ...], float]
    """The expected number of rounds (at most 1) that begin with each composition."""


def whole_shoe(
    rules: Rules,
    shoe: Shoe,
    goes_on: Callable[[int], float],
    value: Callable[[Shoe], float] | None = None,
    decide: Callable[[Shoe], Decide] | None = None,
) -> WholeShoe:
    """Count a shoe through.

    Args:
        rules: The table's rules.
        shoe: The full shoe; tiny.
        goes_on: The chance that the cut card lies after so many cards or later.
        value: What a round is held to be worth; exact if not given.
        decide: How it is played; at its best if not given.
    """
    judge = value or (lambda left: analyse(rules, left).ev)
    player = decide or (lambda left: best_play(analyse(rules, left)))
    starts: dict[tuple[int, ...], float] = {shoe.counts: 1.0}
    waiting = {shoe.counts}
    positive = negative = won = 0.0
    done: dict[tuple[int, ...], float] = {}
    while waiting:
        counts = max(waiting, key=sum)  # whatever leads to a shoe has more cards than it: all its chance is in
        waiting.discard(counts)
        here, left = starts[counts], Shoe(counts)
        done[counts] = here
        worth = judge(left)
        positive += here * max(worth, 0.0)
        negative += here * min(worth, 0.0)
        before = goes_on(shoe.cards - left.cards)
        for after, (chance, gained) in outcomes(rules, left, player(left)).items():
            won += here * gained
            again = goes_on(shoe.cards - sum(after)) / before
            if again > 0 and Round.enough(rules, Shoe(after)):
                starts[after] = starts.get(after, 0.0) + here * chance * again
                waiting.add(after)
    rounds = sum(done.values())
    return WholeShoe(rounds, positive / rounds, negative / rounds, won / rounds, done)
