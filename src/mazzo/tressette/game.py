"""A game to 31 (or 21, 41, 51): rounds, declarations, a monte, whose deal it is, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mazzo.cards import ITALIAN
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError
from mazzo.rng import fork, stream
from mazzo.tressette.kernels import LAST_TRICK_THIRDS, TOTAL_POINTS, declared_points, may_void, tail_points
from mazzo.tressette.round import Round
from mazzo.tressette.rules import Rules
from mazzo.tressette.rules import rules as find_rules

__all__ = ["STAKES", "Game", "RoundScore", "declared_in"]

STAKES = {"cappotto": 4, "stramazzo": 3}
"""How many stakes a game is worth that is won so; as the `Piccola enciclopedia di giuochi` has them."""


@dataclass(frozen=True)
class RoundScore:
    """What one round gave the two sides (south and north; east and west), in whole points."""

    cards: tuple[int, int]
    declarations: tuple[int, int]
    outright: str = ""
    """`cappotto` or `stramazzo` where the rules let that win the game; whoever has the points has won it."""

    @property
    def total(self) -> tuple[int, int]:
        """Cards and declarations together."""
        return self.cards[0] + self.declarations[0], self.cards[1] + self.declarations[1]


def declared_in(table: Round) -> tuple[int, int]:
    """Points of the two sides for what was declared so far, the tails of napoli with it where they are scored."""
    if not table.told:
        return 0, 0
    row = table.row
    points = declared_points(row.declared)[0]
    if table.rules.coda:
        tails = [tail_points(int(row.dealt[0, seat]), int(row.napoli[0, seat])) for seat in range(4)]
        points = points + tails
    return int(points[0] + points[2]), int(points[1] + points[3])


class Game(Shown):
    """A game between south-north and east-west. The dealer's right leads; the deal passes counter-clockwise.

    Args:
        rules: `Rules`, or a text that `rules` reads; by default the usual ones.
        seed: Same seed, same deals.
        dealer: The seat that deals first.
        before: Points of the two sides from rounds that are not followed here.
    """

    def __init__(
        self, rules: Rules | str | None = None, seed: int = 0, dealer: int = 3, before: Sequence[int] = (0, 0)
    ) -> None:
        self.rules = find_rules(rules)
        self.seed, self.dealer = seed, dealer
        self.before = int(before[0]), int(before[1])
        self.history: list[RoundScore] = []
        self.deals = 0
        """Deals so far, those sent a monte included."""

    @property
    def scores(self) -> tuple[int, int]:
        """Points of the two sides."""
        totals = [score.total for score in self.history]
        return self.before[0] + sum(a for a, _ in totals), self.before[1] + sum(b for _, b in totals)

    @property
    def winner(self) -> int | None:
        """The side that has won: at the target or past it, and ahead, or outright; a perdere the other side.

        Equal points ask for another round.
        """
        if self.history and self.history[-1].outright:
            return int(self.history[-1].cards[1] > self.history[-1].cards[0])
        return self._first(*self.scores)

    def _first(self, ours: int, theirs: int) -> int | None:
        if max(ours, theirs) < self.rules.target or ours == theirs:
            return None
        return int((ours < theirs) != self.rules.a_perdere)

    @property
    def stakes(self) -> int:
        """How many stakes the game is worth to who has won it: 1, or more if it was won outright."""
        return STAKES.get(self.history[-1].outright, 1) if self.history else 1

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
            score=self.scores,
        )

    def may_void(self, table: Round, seat: int) -> bool:
        """Whether a seat may send the deal a monte: before the first card, with at most three thirds in hand."""
        return self.rules.a_monte and not table.plays and bool(may_void(ITALIAN.mask(table.hand(seat))))

    def is_out(self, table: Round) -> bool:
        """Whether the game ends within this round: after a trick a side has reached the target and is ahead."""
        if not self.rules.out_at_once or table.table or not table.plays or table.over:
            return False
        now = RoundScore(table.points, declared_in(table)).total
        return self._first(self.scores[0] + now[0], self.scores[1] + now[1]) is not None

    def score(self, table: Round) -> RoundScore:
        """Write a round down that is over, or in which the game has ended; the deal passes on."""
        if not table.over and not self.is_out(table):
            raise IllegalError(f"the round is not over: trick {table.trick} is being played")
        cards = table.points
        if self.rules.a_perdere and TOTAL_POINTS in cards:
            cards = cards[1], cards[0]  # who takes everything gives it to the others
        score = RoundScore(cards, declared_in(table), self._outright(table))
        self.history.append(score)
        self.dealer = (self.dealer + 1) % 4
        return score

    def _outright(self, table: Round) -> str:
        """Whether a finished round wins the game by itself, and how that is called."""
        if not table.over:
            return ""
        takers = {int(leader) % 2 for leader in table.row.leaders[0, 1:]}
        if self.rules.cappotto and len(takers) == 1:
            return "cappotto"
        for side in (0, 1):  # the last trick's point does not save who has nothing else
            last = LAST_TRICK_THIRDS if (table.taker or 0) % 2 == side else 0
            if self.rules.stramazzo and table.thirds[side] - last < LAST_TRICK_THIRDS:
                return "stramazzo"
        return ""
