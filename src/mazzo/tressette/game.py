"""A match to 31 (or 21, 41, 51): rounds, declarations, a monte, whose deal it is, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mazzo.agent import Agent
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, UnreadableError
from mazzo.luck import fork, stream
from mazzo.tressette.agents.choosing import action_text
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import declared_points, may_void

__all__ = ["TARGETS", "Game", "RoundScore", "play_game"]

TARGETS = (21, 31, 41, 51)
"""The points a match may be played to."""


@dataclass(frozen=True)
class RoundScore:
    """What one round gave the two sides (south and north; east and west), in whole points."""

    cards: tuple[int, int]
    declarations: tuple[int, int]

    @property
    def total(self) -> tuple[int, int]:
        """Cards and declarations together."""
        return self.cards[0] + self.declarations[0], self.cards[1] + self.declarations[1]


@dataclass
class Game:
    """A match between south-north and east-west. The dealer's right leads; the deal passes counter-clockwise."""

    seed: int = 0
    target: int = 31
    named: bool = False
    a_monte: bool = True
    talk: bool = False
    dealer: int = 3
    history: list[RoundScore] = field(default_factory=list)
    deals: int = 0
    """Deals so far, those sent a monte included."""

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise UnreadableError(f"a match is played to {', '.join(map(str, TARGETS))} points, not {self.target}")

    @property
    def scores(self) -> tuple[int, int]:
        """Points of the two sides."""
        totals = [score.total for score in self.history]
        return sum(a for a, _ in totals), sum(b for _, b in totals)

    @property
    def winner(self) -> int | None:
        """The side that has won: at the target or past it, and ahead. Equal points ask for another round."""
        ours, theirs = self.scores
        if max(ours, theirs) < self.target or ours == theirs:
            return None
        return 0 if ours > theirs else 1

    def deal(self) -> Round:
        """The next deal, led by the dealer's right."""
        if self.winner is not None:
            raise IllegalError(f"the match is over, {self.scores[0]} to {self.scores[1]}")
        self.deals += 1
        return Round.deal(self.seed, self.deals - 1, (self.dealer + 1) % 4, self.named, self.talk)

    def may_void(self, table: Round, seat: int) -> bool:
        """Whether a seat may send the deal a monte: before the first card, with at most three thirds in hand."""
        return self.a_monte and not table.plays and bool(may_void(ITALIAN.mask(table.hand(seat))))

    def score(self, table: Round) -> RoundScore:
        """Write a finished round down; the deal passes on."""
        if not table.finished:
            raise IllegalError(f"the round is not over: trick {table.trick} is being played")
        told = declared_points(table.rounds.declared)[0]
        score = RoundScore(table.points, (int(told[0] + told[2]), int(told[1] + told[3])))
        self.history.append(score)
        self.dealer = (self.dealer + 1) % 4
        return score


def play_game(
    agents: Sequence[Agent[Observations]],
    seed: int = 0,
    target: int = 31,
    named: bool = False,
    a_monte: bool = False,
    talk: bool = False,
) -> Game:
    """Four agents (south, east, north, west) play a match to its end. With `a_monte` they void what they may."""
    if len(agents) != len(SEATS):
        raise UnreadableError(f"tressette is played by four: {len(agents)} agents were given")
    game = Game(seed, target, named, a_monte, talk)
    luck = stream(seed, "luck")
    while game.winner is None:
        table = game.deal()
        if any(game.may_void(table, seat) for seat in range(4)):
            continue
        key = int(fork(luck, game.deals))
        while not table.finished:
            action = agents[table.turn].decide(table.observe(table.turn, key))
            table.act(action_text(int(action[0])))
        game.score(table)
    return game
