"""One hand to hold, print, play, take back and compare: a view of one row of a `Table`.

>>> from mazzo.holdem import Hand, find_game
>>> hand = Hand(find_game("holdem-limit-2p"), cards="AsKd 7h7c 2c7dTh 3s Qc")
>>> print(hand.legal)
fold, call 5, raise to 20
>>> hand.act("r").act("c").text()
'STATE:0:rc/:AsKd|7h7c/2c7dTh'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mazzo.cards import FRENCH, Card
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.game import Game
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table, deal_cards
from mazzo.luck import stream

__all__ = ["Hand", "Legal", "Pot", "action_text", "parse_action"]

UNKNOWN = 255
"""A card that was dealt but is not known."""

_STREETS = ("before the flop", "flop", "turn", "river")


class Pot(NamedTuple):
    """A pot and the positions that may win it."""

    amount: int
    players: tuple[int, ...]


class Legal:
    """The legal actions of the player to act, without making a list of every raise: iterable, sized, answers `in`."""

    def __init__(self, fold: bool, owed: int, low: int, high: int) -> None:
        self.fold = fold
        self.owed = owed
        self.raises = range(low, high + 1) if high else range(0)

    def __iter__(self) -> Iterator[int]:
        if self.fold:
            yield c.FOLD
        yield c.CALL
        yield from self.raises

    def __contains__(self, action: object) -> bool:
        return action == c.CALL or (action == c.FOLD and self.fold) or action in self.raises

    def __len__(self) -> int:
        return 1 + self.fold + len(self.raises)

    def __str__(self) -> str:
        words = ["fold"] if self.fold else []
        words.append(f"call {self.owed}" if self.owed else "check")
        if self.raises:
            low, high = self.raises[0], self.raises[-1]
            words.append(f"raise to {low}" if low == high else f"raise to {low}-{high}")
        return ", ".join(words)

    def __repr__(self) -> str:
        return f"<legal: {self}>"


def action_text(action: int, limit: bool) -> str:
    """An action as the competition writes it: f, c, r (limit) or r300 (no-limit)."""
    return "fc"[action] if action < c.RAISE else "r" if limit else f"r{action}"


def parse_action(text: str) -> int:
    """An action from f, c, r or r300 (also k for check)."""
    match = re.fullmatch(r"([fckr])(\d{0,10})", text.strip().lower())
    if not match or (match[1] != "r" and match[2]):
        raise UnreadableError(f"{text!r} is not an action: f folds, c calls or checks, r raises, r300 raises to 300")
    if match[1] == "r":
        return max(int(match[2] or c.RAISE), c.RAISE)
    return c.FOLD if match[1] == "f" else c.CALL


class Hand:
    """One hand of Hold'em (or of any game a `.game` file describes)."""

    def __init__(
        self,
        game: Game,
        cards: str | Sequence[int] | None = None,
        *,
        stacks: Sequence[int] | None = None,
        seed: int = 0,
        number: int = 0,
        names: Sequence[str] | None = None,
    ) -> None:
        """Deal a hand.

        Args:
            game: the rules.
            cards: all cards, hole cards position by position and then the board; by default dealt from `seed`.
            stacks: chips by position; by default the game's.
            seed: the deal is deal `number` of this seed.
            number: the hand's number in its match.
            names: the players by position.
        """
        if cards is None:
            dealt = deal_cards(game, stream(seed, "deal"), [number])
        else:
            dealt = np.array([_all_cards(game, cards)], np.uint8)
        self._table = Table(game, dealt, stacks, np.array([stream(seed, "luck")]))
        self._row = 0
        self.number = number
        self.names = tuple(names) if names else tuple(f"player {p + 1}" for p in range(game.players))
        if len(self.names) != game.players:
            raise UnreadableError(f"{len(self.names)} names were given for {game.players} players")

    @classmethod
    def of_row(cls, table: Table, row: int, number: int = 0, names: Sequence[str] | None = None) -> Hand:
        """One hand of a batch, as a view: acting on it advances the batch."""
        hand = cls.__new__(cls)
        hand._table, hand._row, hand.number = table, row, number
        hand.names = tuple(names) if names else tuple(f"player {p + 1}" for p in range(table.game.players))
        return hand

    # ---- what can be seen

    @property
    def game(self) -> Game:
        """The rules."""
        return self._table.game

    def _get(self, column: int) -> int:
        return int(self._table.state[self._row, column])

    def _per_player(self, column: int) -> tuple[int, ...]:
        return tuple(int(k) for k in self._table.state[self._row, column : column + self.game.players])

    @property
    def over(self) -> bool:
        """True when the hand is finished."""
        return self.actor is None

    @property
    def actor(self) -> int | None:
        """The position to act, or None when the hand is over."""
        actor = self._get(c.ACTOR)
        return None if actor < 0 else actor

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
        return tuple(not live >> p & 1 for p in range(self.game.players))

    @property
    def history(self) -> tuple[int, ...]:
        """All actions so far."""
        return tuple(int(a) >> c.ACTOR_BITS for a in self._table.history[self._row, : self._get(c.COUNT)])

    def hole(self, position: int) -> tuple[Card, ...]:
        """A player's cards; empty where they are not known."""
        width = self.game.hole_cards
        cards = self._table.cards[self._row, position * width : (position + 1) * width]
        return () if UNKNOWN in cards else FRENCH.cards(cards)

    @property
    def board(self) -> tuple[Card, ...]:
        """The open board cards, as far as they are known."""
        first = self.game.players * self.game.hole_cards
        cards = self._table.cards[self._row, first : first + self.game.board_seen(self.street)]
        return FRENCH.cards(k for k in cards if k != UNKNOWN)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """Main pot and side pots as they stand, each with the positions that may win it."""
        rows = kernels.pots_of(self._table.rules, self._table.state, self._row)
        everyone = range(self.game.players)
        return tuple(Pot(int(amount), tuple(p for p in everyone if members >> p & 1)) for amount, members in rows)

    @property
    def _decided(self) -> bool:
        """True when the hand is over and what is known of the cards is enough to divide the pot."""
        shown = [p for p, gone in enumerate(self.folded) if not gone]
        board = len(self.board) == self.game.board_seen(self.game.rounds - 1)
        return self.over and (len(shown) == 1 or (board and all(self.hole(p) for p in shown)))

    @property
    def payoffs(self) -> tuple[int, ...]:
        """What each player won or lost; the hand must be over and the cards that decide it known."""
        if not self.over:
            raise IllegalError(f"the hand is not over: {self.text()}")
        if not self._decided:
            raise IllegalError(f"the cards that decide this hand are not known: {self.text()}")
        return tuple(int(k) for k in self._table.settle_rows(np.array([self._row]))[0])

    def observe(self, position: int | None = None) -> Observations:
        """What a player sees, as a batch of one; by default the player to act.

        For a player who is not to act, `raise_low` and `raise_high` are 0.
        """
        seat = self.actor if position is None else position
        if seat is None or not 0 <= seat < self.game.players:
            raise IllegalError(f"there is nobody at position {seat} to observe {self.text()}")
        table = self._table
        view = Table.__new__(Table)
        view.__dict__.update(table.__dict__)
        view.state = table.state[self._row : self._row + 1].copy()
        view.state[0, c.ACTOR] = seat
        if seat != self.actor:
            view.state[0, c.RAISES] = 2**62  # past every cap: it is not this player's turn
        view.cards, view.luck = table.cards[self._row : self._row + 1], table.luck[self._row : self._row + 1]
        view.history, view.seating = table.history[self._row : self._row + 1], table.seating[self._row : self._row + 1]
        seen = view.observe(np.array([0]))
        seen.state[0, c.RAISES] = self._get(c.RAISES)
        return seen

    # ---- what can be done

    @property
    def legal(self) -> Legal:
        """The legal actions of the player to act."""
        if self.over:
            raise IllegalError(f"the hand is over, nobody is to act: {self.text()}")
        owed, low, high = kernels.legal_rows(self._table.rules, self._table.state, np.array([self._row]))[:, 0]
        return Legal(bool(owed > 0), int(owed), int(low), int(high))

    def why_not(self, action: int) -> str:
        """Why an action is illegal here, in words; empty if it is legal."""
        if self.over:
            return f"the hand is over: {self.text()}"
        legal, word = self.legal, action_text(action, False) if action >= 0 else str(action)
        reason = ""
        if action < c.FOLD:
            reason = "no such action exists"
        elif action == c.FOLD and not legal.fold:
            reason = "checking is free"
        elif action >= c.RAISE and not legal.raises:
            reason = self._why_no_raise()
        elif action >= c.RAISE and not self.game.limit and action not in legal.raises:
            reason = f"a raise is to {legal.raises[0]} at least and to {legal.raises[-1]} at most"
        if not reason:
            return ""
        actor = self.names[self.actor] if self.actor is not None else ""
        return f"{word} is not legal for {actor}: {reason} (legal: {legal}; {self.text()})"

    def _why_no_raise(self) -> str:
        p = self.actor or 0
        bet, room = self._get(c.BET), self._get(c.ROOM + p)
        if room <= bet:
            return "a call is already all-in"
        if self._get(c.RAISES) >= self.game.max_raises[self.street]:
            return f"{self.game.max_raises[self.street]} bets and raises are the most in this round"
        rooms = self._per_player(c.ROOM)
        if not any(room > bet and q != p and not self.folded[q] for q, room in enumerate(rooms)):
            return "everyone else is all-in or has folded"
        return "the all-in before was less than a full raise, which does not reopen the betting"

    def act(self, action: int | str) -> Hand:
        """Carry out an action (1 or "c", 300 or "r300", "r" in limit games) and return this hand."""
        chosen = parse_action(action) if isinstance(action, str) else int(action)
        reason = self.why_not(chosen)
        if reason:
            raise IllegalError(reason)
        return self._do(chosen)

    def fold_anyway(self) -> Hand:
        """Fold, also where checking is free: such folds stand in real logs."""
        if self.over:
            raise IllegalError(self.why_not(c.FOLD))
        return self._do(c.FOLD)

    def _do(self, action: int) -> Hand:
        self._table.apply(np.array([self._row]), [action])
        return self

    def undo(self) -> Hand:
        """Take back the last action."""
        done = self.history
        if not done:
            raise IllegalError(f"there is no action to take back: {self.text()}")
        table, row = self._table, np.array([self._row])
        table.state[self._row, c.ROOM : c.ROOM + self.game.players] = self.stacks
        kernels.begin_rows(table.rules, table.state, row)
        for action in done[:-1]:
            table.apply(row, [action])
        return self

    # ---- text

    @property
    def betting(self) -> str:
        """The actions as text, rounds separated by a slash."""
        marks = [self._get(c.ROUND_AT + r) for r in range(1, self.street + 1)]
        words = [action_text(action, self.game.limit) for action in self.history]
        parts = ["".join(words[a:b]) for a, b in zip([0, *marks], [*marks, None], strict=True)]
        return "/".join(parts)

    def _cards_text(self, viewer: int | None) -> str:
        showdown = self.over and self.folded.count(False) > 1
        hole = [
            FRENCH.text(self.hole(p)) if viewer in (None, p) or (showdown and not self.folded[p]) else ""
            for p in range(self.game.players)
        ]
        board, at = self.board, 0
        parts = ["|".join(hole)]
        for r in range(1 if self.game.board_cards[0] == 0 else 0, self.street + 1):
            parts.append(FRENCH.text(board[at : at + self.game.board_cards[r]]))
            at += self.game.board_cards[r]
        return "/".join(parts)

    def text(self, viewer: int | None = None) -> str:
        """The hand as one line: `STATE:` with every card, or `MATCHSTATE:` with what one position may see."""
        if viewer is not None:
            return f"MATCHSTATE:{viewer}:{self.number}:{self.betting}:{self._cards_text(viewer)}"
        line = f"STATE:{self.number}:{self.betting}:{self._cards_text(None)}"
        if not self._decided:
            return line
        return f"{line}:{'|'.join(map(str, self.payoffs))}:{'|'.join(self.names)}"

    @classmethod
    def parse(cls, text: str, game: Game, stacks: Sequence[int] | None = None) -> Hand:
        """A hand from a `STATE:` or `MATCHSTATE:` line. Cards that the line does not show stay unknown."""
        fields = text.strip().split(":")
        shift = 1 if fields[0] == "MATCHSTATE" else 0
        if fields[0] not in ("STATE", "MATCHSTATE") or len(fields) < 4 + shift:
            raise UnreadableError(
                f"cannot read {text!r}: a hand is STATE:number:betting:cards "
                "or MATCHSTATE:position:number:betting:cards"
            )
        if not fields[1 + shift].isascii() or not fields[1 + shift].isdigit():
            raise UnreadableError(f"cannot read {text!r}: {fields[1 + shift]!r} is not the number of a hand")
        names = fields[5].split("|") if not shift and len(fields) > 5 else None
        cards = _cards_of_line(game, fields[3 + shift], text)
        hand = cls(game, cards, stacks=stacks, number=int(fields[1 + shift]), names=names)
        hand._replay(fields[2 + shift], text)
        return hand

    def _replay(self, betting: str, text: str) -> None:
        for r, actions in enumerate(betting.split("/")):
            if self.street < r:
                raise UnreadableError(f"cannot read {text!r}: the betting of round {r} ends before everyone has acted")
            words = re.findall(r"[fckr]\d*", actions)
            if "".join(words) != actions:
                raise UnreadableError(f"cannot read {text!r}: {actions!r} is not a row of actions f, c, r or r300")
            for word in words:
                if not self.over and self.street > r:
                    raise UnreadableError(f"cannot read {text!r}: {word!r} comes after round {r + 1} has ended")
                action = parse_action(word)
                if action == c.FOLD and not self.over:
                    self.fold_anyway()
                else:
                    self.act(action)

    def __repr__(self) -> str:
        street = _STREETS[self.street] if self.game.rounds == 4 else f"round {self.street + 1}"
        board = " ".join(str(k) for k in self.board)
        head = f"hand {self.number} of {self.game.name}, {'over' if self.over else street}, pot {self.pot}"
        lines = [f"<{head}{f', board {board}' if board else ''}"]
        net = self.payoffs if self._decided else None
        for p in range(self.game.players):
            cards = FRENCH.text(self.hole(p)) or "??" * self.game.hole_cards
            behind = self.behind[p]
            what = "folded" if self.folded[p] else "all in" if behind == 0 else ""
            if p == self.actor:
                what = f"to act: {self.legal}"
            elif net:
                what += f" {net[p]:+d}"
            chips = "" if behind > 10**9 else f", {behind} behind"
            lines.append(f"  {p} {self.names[p]:<10} {cards}  {self.spent[p]} in{chips}  {what}".rstrip())
        return "\n".join(lines) + ">"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        mine, theirs = self._table, other._table
        return (
            self.game == other.game
            and self.history == other.history
            and self.stacks == other.stacks
            and bool((mine.cards[self._row] == theirs.cards[other._row]).all())
        )

    __hash__ = None  # type: ignore[assignment]  # a hand changes as it is played


def _all_cards(game: Game, cards: str | Sequence[int]) -> list[int]:
    given = [int(k) for k in (FRENCH.parse(cards) if isinstance(cards, str) else cards)]
    if len(given) != game.cards_dealt:
        raise UnreadableError(
            f"{len(given)} cards were given, but {game.name} deals {game.cards_dealt}: {game.hole_cards} to each of "
            f"{game.players} players and {sum(game.board_cards)} to the board"
        )
    known = [k for k in given if k != UNKNOWN]
    strange = [k for k in known if k not in game.deck]
    if strange:
        raise UnreadableError(f"{FRENCH.text(strange[:1])} is not in the deck of {game.name}")
    if len(set(known)) != len(known):
        raise UnreadableError(f"a card was dealt twice in {FRENCH.text(known)}")
    return given


def _cards_of_line(game: Game, field: str, text: str) -> list[int]:
    hole_text, *boards = field.split("/")
    hands = hole_text.split("|")
    if len(hands) != game.players:
        raise UnreadableError(
            f"cannot read {text!r}: it has cards of {len(hands)} players, {game.name} is for {game.players}"
        )
    cards: list[int] = []
    for hand in hands:
        cards += _group(hand, game.hole_cards, text)
    sizes = [size for size in game.board_cards if size]
    if len(boards) > len(sizes):
        raise UnreadableError(f"cannot read {text!r}: {game.name} has no more than {len(sizes)} boards")
    for size, board in zip(sizes, [*boards, *[""] * (len(sizes) - len(boards))], strict=True):
        cards += _group(board, size, text)
    return cards


def _group(cards: str, size: int, text: str) -> list[int]:
    parsed = FRENCH.parse(cards)
    if len(parsed) not in (0, size):
        raise UnreadableError(f"cannot read {text!r}: {cards!r} should be {size} cards or none")
    return [int(card) for card in parsed] or [UNKNOWN] * size
