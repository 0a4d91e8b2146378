"""A game to 31 (or 21, 41, 51): rounds, declarations, a monte, whose deal it is, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mazzo.cards import ITALIAN
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError
from mazzo.rng import fork, stream
from mazzo.tressette.kernels import declared_points, may_void
from mazzo.tressette.round import Round
from mazzo.tressette.rules import Rules
from mazzo.tressette.rules import rules as find_rules

__all__ = ["Game", "RoundScore"]


@dataclass(frozen=True)
class RoundScore:
    """What one round gave the two sides (south and north; east and west), in whole points."""

    cards: tuple[int, int]
    declarations: tuple[int, int]

    @property
    def total(self) -> tuple[int, int]:
        """Cards and declarations together."""
        return self.cards[0] + self.declarations[0], self.cards[1] + self.declarations[1]


class Game(Shown):
    """A game between south-north and east-west. The dealer's right leads; the deal passes counter-clockwise.

    Args:
        rules: `Rules`, or a text that `rules` reads; by default the usual ones.
        seed: Same seed, same deals.
        dealer: The seat that deals first.
    """

    def __init__(self, rules: Rules | str | None = None, seed: int = 0, dealer: int = 3) -> None:
        self.rules = find_rules(rules)
        self.seed, self.dealer = seed, dealer
        self.history: list[RoundScore] = []
        self.deals = 0
        """Deals so far, those sent a monte included."""

    @property
    def scores(self) -> tuple[int, int]:
        """Points of the two sides."""
        totals = [score.total for score in self.history]
        return sum(a for a, _ in totals), sum(b for _, b in totals)

    @property
    def winner(self) -> int | None:
        """The side that has won: at the target or past it, and ahead. Equal points ask for another round."""
        ours, theirs = self.scores
        if max(ours, theirs) < self.rules.target or ours == theirs:
            return None
        return 0 if ours > theirs else 1

    def section(self) -> Section:
        """How the game stands, round by round."""
        ours, theirs = self.scores
        stands = "" if self.winner is None else f", {('south and north', 'east and west')[self.winner]} have won"
        rows = [(k + 1, *score.total) for k, score in enumerate(self.history)]
        played = f"{len(rows)} round{'s' * (len(rows) != 1)}"
        title = f"A game to {self.rules.target} points: {ours} to {theirs} after {played}{stands}"
        return Section(title, tables=[Grid(("round", "south and north", "east and west"), rows)] if rows else [])

    def deal(self, hands: Sequence[Sequence[int]] | None = None) -> Round:
        """The next deal, led by the dealer's right: these four hands, or those of the seed."""
        if self.winner is not None:
            raise IllegalError(f"the match is over, {self.scores[0]} to {self.scores[1]}")
        self.deals += 1
        key = int(fork(stream(self.seed, "luck"), self.deals))
        leader = (self.dealer + 1) % 4
        return Round(
            self.rules,
            hands,
            leader=leader,
            seed=self.seed if hands is None else None,
            number=self.deals - 1,
            rng_key=key,
        )

    def may_void(self, table: Round, seat: int) -> bool:
        """Whether a seat may send the deal a monte: before the first card, with at most three thirds in hand."""
        return self.rules.a_monte and not table.plays and bool(may_void(ITALIAN.mask(table.hand(seat))))

    def score(self, table: Round) -> RoundScore:
        """Write a finished round down; the deal passes on."""
        if not table.over:
            raise IllegalError(f"the round is not over: trick {table.trick} is being played")
        told = declared_points(table.row.declared)[0]
        score = RoundScore(table.points, (int(told[0] + told[2]), int(told[1] + told[3])))
        self.history.append(score)
        self.dealer = (self.dealer + 1) % 4
        return score
