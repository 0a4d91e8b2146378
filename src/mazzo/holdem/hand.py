"""One hand to hold, print, play, take back and compare: a view of one row of a `Table`.

>>> from mazzo.holdem import Hand
>>> hand = Hand("holdem-limit-2p", "AsKd 7h7c 2c7dTh 3s Qc")
>>> print(hand.legal)
fold, call 5, raise to 20
>>> print(hand.act("r").act("c"))
game holdem-limit-2p; cards AsKd|/2c7dTh; play rc/
>>> hand.line()
'STATE:0:rc/:AsKd|7h7c/2c7dTh'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from mazzo.agent import Agent
from mazzo.cards import FRENCH, Card
from mazzo.deal import Deal, whole_number
from mazzo.document import CardRow, Section
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels, notation
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.notation import LegalBets
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.rules import rules as rules_of
from mazzo.holdem.table import Table, deal_cards
from mazzo.rng import stream

__all__ = ["Hand", "Pot"]

_MOST_CHIPS = 10**10 - 1


class Pot(NamedTuple):
    """A pot and the positions that may win it."""

    amount: int
    players: tuple[int, ...]


class Hand(Deal):
    """One hand of Hold'em, or of any game a `.game` file describes. Seat 0 is the first after the button."""

    def __init__(
        self,
        rules: Rules | str,
        cards: str | Sequence[int] | None = None,
        *,
        stacks: Sequence[int] | None = None,
        seed: int = 0,
        number: int = 0,
        names: Sequence[str] | None = None,
    ) -> None:
        """Deal a hand.

        Args:
            rules: the rules, or the name of a preset, the path of a `.game` file or its text.
            cards: all cards, hole cards position by position and then the board; by default dealt from `seed`.
            stacks: chips by position; by default the game's.
            seed: the deal is deal `number` of this seed; agents that randomise draw from it too.
            number: the hand's number in its match.
            names: the players by position.
        """
        game, number = rules_of(rules), whole_number(number, "the number of a hand")
        seed = whole_number(seed, "a seed", least=None)
        if cards is None:
            dealt = deal_cards(game, stream(seed, "deal"), [number])
        else:
            dealt = np.array([notation.all_cards(game, cards)], np.uint8)
        if stacks is not None and len(stacks) != game.players:
            raise UnreadableError(f"{len(stacks)} stacks were given for {game.players} players")
        for stack in stacks or ():
            whole_number(stack, "a stack", least=1, most=_MOST_CHIPS)
        self._view(Table(game, dealt, stacks, np.array([stream(seed, "luck")])), 0, number, names)

    def _view(self, table: Table, row: int, number: int, names: Sequence[str] | None) -> None:
        self._table, self._row, self.number = table, row, number
        self.names = tuple(names) if names else notation.default_names(table.game)
        if len(self.names) != table.game.players:
            raise UnreadableError(f"{len(self.names)} names were given for {table.game.players} players")

    @classmethod
    def of_row(cls, table: Table, row: int, number: int = 0, names: Sequence[str] | None = None) -> Self:
        """One hand of a batch, as a view: acting on it advances the batch."""
        hand = cls.__new__(cls)
        hand._view(table, row, number, names)
        return hand

    # ---- what can be seen

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._table.game

    @property
    def game(self) -> Rules:
        """The old name of `rules`."""
        return self._table.game

    @property
    def _state(self) -> Any:
        return self._table.state[self._row]

    @property
    def _cards(self) -> list[int]:
        cards: list[int] = self._table.cards[self._row].tolist()
        return cards

    def _get(self, column: int) -> int:
        return int(self._table.state[self._row, column])

    def _per_player(self, column: int) -> tuple[int, ...]:
        return tuple(self._table.state[self._row, column : column + self.rules.players].tolist())

    @property
    def turn(self) -> int | None:
        """The position to act, or None when the hand is over."""
        actor = self._get(c.ACTOR)
        return None if actor < 0 else actor

    @property
    def actor(self) -> int | None:
        """The old name of `turn`."""
        return self.turn

    @property
    def street(self) -> int:
        """The round of betting, from 0."""
        return self._get(c.ROUND)

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return self._get(c.POT)

    @property
    def spent(self) -> tuple[int, ...]:
        """Chips each player has wagered, antes not included."""
        return self._per_player(c.SPENT)

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips each player began the hand with."""
        return tuple(r + a for r, a in zip(self._per_player(c.ROOM), self._per_player(c.ANTE), strict=True))

    @property
    def behind(self) -> tuple[int, ...]:
        """Chips each player has left."""
        return tuple(r - s for r, s in zip(self._per_player(c.ROOM), self.spent, strict=True))

    @property
    def folded(self) -> tuple[bool, ...]:
        """Who has folded."""
        live = self._get(c.LIVE)
        return tuple(not live >> p & 1 for p in range(self.rules.players))

    @property
    def history(self) -> tuple[int, ...]:
        """All actions so far."""
        return tuple(int(a) >> c.ACTOR_BITS for a in self._table.history[self._row, : self._get(c.COUNT)])

    def hole(self, position: int) -> tuple[Card, ...]:
        """A player's cards; empty where they are not known."""
        width = self.rules.hole_cards
        cards = self._cards[position * width : (position + 1) * width]
        return () if UNKNOWN in cards else FRENCH.cards(cards)

    @property
    def board(self) -> tuple[Card, ...]:
        """The open board cards, as far as they are known."""
        first = self.rules.players * self.rules.hole_cards
        cards = self._cards[first : first + self.rules.board_seen(self.street)]
        return FRENCH.cards(k for k in cards if k != UNKNOWN)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """Main pot and side pots as they stand, each with the positions that may win it."""
        rows = kernels.pots_of(self._table.rules, self._table.state, self._row)
        everyone = range(self.rules.players)
        return tuple(Pot(int(amount), tuple(p for p in everyone if members >> p & 1)) for amount, members in rows)

    @property
    def shown_down(self) -> tuple[int, ...]:
        """The positions that show their cards at the end of the hand; none while it is played or if one was left."""
        left = tuple(p for p, gone in enumerate(self.folded) if not gone)
        return left if self.over and len(left) > 1 else ()

    @property
    def decided(self) -> bool:
        """True when the hand is over and what is known of the cards is enough to divide the pot."""
        board = len(self.board) == self.rules.board_seen(self.rules.rounds - 1)
        return self.over and (not self.shown_down or (board and all(self.hole(p) for p in self.shown_down)))

    @property
    def payoffs(self) -> tuple[int, ...]:
        """What each player won or lost; the hand must be over and the cards that decide it known."""
        if not self.over:
            raise IllegalError(f"the hand is not over: {self}")
        if not self.decided:
            raise IllegalError(f"the cards that decide this hand are not known: {self}")
        return tuple(int(k) for k in self._table.settle_rows(np.array([self._row]))[0])

    def observe(self, seat: int | None = None) -> Observations:
        """What a player sees, as a batch of one; by default the player to act.

        For a player who is not to act, `raise_low` and `raise_high` are 0.
        """
        looks = self.turn if seat is None else self._checked(seat)
        if looks is None:
            raise IllegalError(f"the hand is over, nobody is to act: {self}")
        if not self.hole(looks) or len(self.board) != self.rules.board_seen(self.street):
            raise IllegalError(f"the cards that {self.names[looks]} sees are not all known: {self.seen(looks).text()}")
        return self._table.observe(np.array([self._row]), np.array([looks]))

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.rules.players:
            raise IllegalError(f"there is no seat {seat}: the {self.rules.players} seats count from 0")
        return seat

    def seen(self, seat: int | None = None) -> Self:
        """A copy without what a seat may not know: others' cards that are not shown, the board to come.

        By default of the seat to act; when the hand is over, of somebody who only watched.
        """
        table = self._table.row(self._row)
        table.rng_key[:] = stream(0, "luck")
        table.cards[0] = self._known(self.turn if seat is None else self._checked(seat))
        return type(self).of_row(table, 0, self.number, self.names)

    def _known(self, seat: int | None) -> list[int]:
        """All cards, those that a seat may not know replaced."""
        cards, width, shown = self._cards, self.rules.hole_cards, self.shown_down
        for p in range(self.rules.players):
            if p != seat and p not in shown:
                cards[p * width : (p + 1) * width] = [UNKNOWN] * width
        unseen = sum(self.rules.board_cards) - self.rules.board_seen(self.street)
        return [*cards[: len(cards) - unseen], *[UNKNOWN] * unseen]

    def redealt(self, seat: int | None, seed: int = 0) -> Self:
        """A copy in which the cards that a seat may not know are others of the deck; None may know what is shown."""
        known = self._known(None if seat is None else self._checked(seat))
        rest = iter(np.random.default_rng(seed).permutation([card for card in self.rules.deck if card not in known]))
        table = self._table.row(self._row)
        table.cards[0] = [next(rest) if card == UNKNOWN else card for card in known]
        return type(self).of_row(table, 0, self.number, self.names)

    # ---- what can be done

    @property
    def legal(self) -> LegalBets:
        """The legal actions of the player to act; nothing when the hand is over."""
        return self._table.legal(self._row)

    def read_action(self, text: str) -> int:
        """An action from f, c, r300 (in limit games r)."""
        legal, action = self.legal, notation.parse_action(text)
        if legal.limit and action >= c.RAISE and legal.raises and text not in legal:
            raise UnreadableError(
                f"{text!r} is no action here: {self.rules.name} is limit, where a raise is written r; "
                f"it is to {legal.raises[0]}"
            )
        return legal.number(text) or action

    def action_text(self, action: int) -> str:
        """An action as the competition writes it."""
        return notation.action_text(action, self.rules.limit)

    def _why_not(self, action: int) -> str:
        return notation.why_not(self.rules, self._state, self.legal, action)

    def act(self, action: int | str | Card | Agent[Any]) -> Self:
        """Carry out an action (300 or "r300", "c", in limit games "r"), or the one an agent chooses."""
        if isinstance(action, Agent):
            seen = self.observe()
            action.check_observes(seen)
            reason = action.unsupported_reason(self.rules)
            if reason:
                raise IllegalError(f"agent {action.name!r} cannot play {self.rules.name}: {reason}")
            chosen = int(action.decide(seen)[0])
            return self.fold_anyway() if chosen == c.FOLD and action.folds_free else super().act(chosen)
        return super().act(action)

    def fold_anyway(self) -> Self:
        """Fold, also where checking is free: such folds stand in real logs."""
        if self.over:
            raise IllegalError(self.why_not(c.FOLD))
        self._carry_out(c.FOLD)
        return self

    def _carry_out(self, action: int) -> None:
        self._table.apply(np.array([self._row]), [action])

    def _begin_again(self) -> None:
        table, stacks = self._table, self.stacks
        table.state[self._row, c.GAME + 1 :] = 0  # an observation shows the whole row: nothing of later stays in it
        table.state[self._row, c.ROOM : c.ROOM + self.rules.players] = stacks
        kernels.begin_rows(table.rules, table.state, np.array([self._row]))

    def _dealt(self) -> object:
        first = self.rules.players * self.rules.hole_cards
        return self.stacks, self._cards[: first + self.rules.board_seen(self.street)]

    # ---- text

    @property
    def betting(self) -> str:
        """The actions as text, rounds separated by a slash."""
        return notation.betting_text(self.rules, self._state, self._table.history[self._row])

    def line(self, viewer: int | None = None) -> str:
        """The hand as the competition's line: `STATE:` with every card, or `MATCHSTATE:` with what a position sees.

        `viewer=-1` sees what is shown to all.
        """
        cards = self._cards if viewer is None else self._known(viewer)
        line = notation.line_text(self.rules, self._state, self._table.history[self._row], cards, self.number, viewer)
        if viewer is not None or not self.decided:
            return line
        return f"{line}:{'|'.join(map(str, self.payoffs))}:{'|'.join(self.names)}"

    def text(self) -> str:
        """All of it in one line: the game, chips and names where they are not the usual ones, cards, actions."""
        key = int(self._table.rng_key[self._row])
        parts = notation.rules_parts(self.rules)
        parts += [f"hand {self.number}"] if self.number else []
        parts += [f"stacks {' '.join(map(str, self.stacks))}"] if self.stacks != self.rules.stacks else []
        if self.names != notation.default_names(self.rules):
            parts.append(f"players {'|'.join(map(notation.escaped, self.names))}")
        parts += [f"key {key:x}"] if key != int(stream(0, "luck")) else []
        parts.append(f"cards {notation.cards_text(self.rules, self._cards)}")
        return "; ".join([*parts, *([f"play {self.betting}"] if self.history else [])])

    @classmethod
    def parse(cls, text: str, rules: Rules | str | None = None, stacks: Sequence[int] | None = None) -> Self:
        """A hand from its text, or from a `STATE:` or `MATCHSTATE:` line, for which the rules must be given.

        Cards that the text does not show stay unknown. `stacks` are for lines: a text has its own.
        """
        said = notation.read_hand(text, None if rules is None else rules_of(rules))
        if stacks is not None and not said.is_line:
            raise UnreadableError(f"{text!r} says itself what chips there are: give no stacks")
        hand = cls(
            said.rules,
            said.cards,
            stacks=said.stacks if stacks is None else stacks,
            number=said.number,
            names=said.names,
        )
        if said.key is not None:
            hand._table.rng_key[0] = said.key
        hand._replay(said.betting, text)
        hand._check_results(said.results, text)
        return hand

    def _check_results(self, results: str, text: str) -> None:
        """Refuse results of a hand that is not over, or of other than its players; they may be left out."""
        if results and not self.over:
            raise UnreadableError(f"cannot read {text!r}: it has results, but the hand is not over")
        if results and len(results.split("|")) != self.rules.players:
            raise UnreadableError(f"cannot read {text!r}: {results!r} is not a result for each player")

    def _replay(self, betting: str, text: str) -> Self:
        for r, actions in enumerate(notation.read_betting(self.rules, betting, text)):
            if self.street < r:
                raise UnreadableError(f"cannot read {text!r}: the betting of round {r} ends before everyone has acted")
            for action in actions:
                if not self.over and self.street > r:
                    word = self.action_text(action)
                    raise UnreadableError(f"cannot read {text!r}: {word!r} comes after round {r + 1} has ended")
                if action == c.FOLD and not self.over:
                    self.fold_anyway()
                else:
                    self.act(action)
        return self

    def section(self) -> Section:
        """The table as the seat to act sees it: board, chips, cards."""
        seen, left = self.seen(), sum(self.rules.board_cards)
        board = [str(card) for card in seen.board]
        street = "over" if self.over else notation.street_in_words(self.rules, self.street)
        rows = [CardRow("board", "french", [*board, *[None] * (left - len(board))])] if left else []
        rows += [seen._card_row(p) for p in range(self.rules.players)]
        return Section(f"hand {self.number} of {self.rules.name}, {street}, pot {self.pot}", cards=rows)

    def _card_row(self, position: int) -> CardRow:
        behind = self.behind[position]
        notes = [f"{self.spent[position]} in", *([] if behind > 10**9 else [f"{behind} behind"])]
        if position == self.turn:
            notes.append(f"to act: {self.legal}")
        elif self.folded[position]:
            notes.append("folded")
        elif not behind:
            notes.append("all in")
        if self.decided:
            notes.append(f"{self.payoffs[position]:+d}")
        cards: Sequence[str | None] = [str(card) for card in self.hole(position)] or [None] * self.rules.hole_cards
        return CardRow(self.names[position], "french", cards, ", ".join(notes))
