"""Our agents on any dealer that speaks the competition's protocol."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.cards import FRENCH
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.hand import Hand
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.rules import PRESETS, Rules
from mazzo.holdem.table import Table, hand_keys
from mazzo.rng import stream

__all__ = ["Follower", "play_on"]

_STATE = re.compile(r"MATCHSTATE:(\d+):(\d+):([fcr0-9/]*):(.*)")
_WORD = re.compile(r"/|[fcr]\d*")
_LONGEST = 1 << 20


class Follower:
    """The hand as a dealer tells it, followed message by message, for one player."""

    def __init__(self, game: Rules, seed: int = 0) -> None:
        self.game = game
        self._rng_key = stream(seed, "luck")
        self.number = -1
        self.position = 0
        self._betting = ""
        self._cards = ""
        self.table: Table

    def hear(self, line: str) -> bool:
        """Take in a message of the dealer; True if it is this player's turn."""
        found = _STATE.fullmatch(line)
        if not found:
            raise UnreadableError(f"this is not a message of a dealer: {line[:200]!r}")
        position, number, betting, cards = int(found[1]), int(found[2]), found[3], found[4]
        if position >= self.game.players:
            raise UnreadableError(f"{self.game.name} has no position {position}: {line[:200]!r}")
        if number != self.number or not betting.startswith(self._betting):
            self._begin(position, number)
        if cards != self._cards:
            self._show(cards, line)
            self._cards = cards
        for word in _WORD.findall(betting[len(self._betting) :]):
            if word != "/":
                self._follow(word, line)
        self._betting = betting
        return int(self.table.state[0, c.ACTOR]) == position

    def _begin(self, position: int, number: int) -> None:
        game = self.game
        cards = np.full((1, game.cards_dealt), UNKNOWN, np.uint8)
        seating = ((np.arange(game.players) + number) % game.players).astype(np.int16)[None, :]
        self.table = Table(game, cards, rng_key=hand_keys(self._rng_key, [number]), seating=seating)
        self.number, self.position, self._betting, self._cards = number, position, "", ""

    def _show(self, text: str, line: str) -> None:
        """Note the cards that a message shows."""
        hole, *boards = text.split("/")
        hands = hole.split("|")
        if len(hands) != self.game.players:
            raise UnreadableError(
                f"{self.game.name} has {self.game.players} players, but this line has {len(hands)}: {line[:200]!r}"
            )
        width = self.game.hole_cards
        groups = [(p * width, shown) for p, shown in enumerate(hands)]
        groups.append((self.game.players * width, "".join(boards)))
        for first, shown in groups:
            cards = [int(card) for card in FRENCH.parse(shown)] if shown else []
            if len(cards) > (width if first < self.game.players * width else sum(self.game.board_cards)):
                raise UnreadableError(f"there are too many cards in {line[:200]!r}")
            self.table.cards[0, first : first + len(cards)] = cards

    def _follow(self, word: str, line: str) -> None:
        action = c.FOLD if word == "f" else c.CALL if word[0] == "c" else max(int(word[1:11] or c.RAISE), c.RAISE)
        if self.table.actor[0] < 0:
            raise UnreadableError(f"{self.game.name} ends before {word!r} in {line[:200]!r}: is another game played?")
        try:
            self.table.apply(np.array([0]), [action])
        except MazzoError as error:
            raise UnreadableError(f"the dealer plays otherwise than {self.game.name}: {error}") from None

    def observe(self) -> Observations:
        """What the player sees at his turn."""
        return self.table.observe(np.array([0]))

    @property
    def over(self) -> bool:
        """True when the hand is finished."""
        return bool(self.table.actor[0] < 0)

    def finished(self) -> Finished:
        """The finished hand for an agent that learns."""
        seat = int(self.table.seating[0, self.position])
        table = self.table
        net = table.settle()
        return Finished(self.game, seat, table.state, table.history, table.seating, table.cards, net)


def guess_game(line: str) -> Rules:
    """The limit game for as many players as a first message shows."""
    found = _STATE.fullmatch(line)
    players = found[4].split("/")[0].count("|") + 1 if found else 0
    game = PRESETS.get(f"holdem-limit-{players}p")
    if game is None:
        raise UnreadableError(f"which game this is cannot be told from {line[:200]!r}: say it with --game")
    return game


def _lines(connection: socket.socket) -> Iterator[str]:
    rest = b""
    while chunk := connection.recv(1 << 14):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
        if len(rest) > _LONGEST:
            raise UnreadableError("the dealer sent a line without end")


def play_on(
    host: str, port: int, agent: Agent[Observations], game: Rules | None = None, seed: int = 0, timeout: float = 30.0
) -> dict[str, Any]:
    """Play an agent on a dealer until the dealer hangs up; gives hands seen and chips won where that could be told.

    With the dealer's seed an agent that randomises plays as it would in the dealer's own process.
    """
    try:
        connection = socket.create_connection((host, port), timeout)
    except OSError as error:
        raise UnreadableError(f"no dealer answers at {host} port {port}: {error}") from None
    hands, net, counted = 0, 0, -1
    with connection:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        follower: Follower | None = None
        try:
            connection.sendall(b"VERSION:2.0.0\r\n")
            for line in _lines(connection):
                if not line or line.startswith(("#", ";")):
                    continue
                if follower is None:
                    follower = Follower(game or guess_game(line), seed)
                    reason = agent.unsupported_reason(follower.game)
                    if reason:
                        raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
                if follower.hear(line):
                    action = int(agent.decide(follower.observe())[0])
                    connection.sendall(f"{line}:{action_text(action, follower.game.limit)}\r\n".encode())
                elif follower.over and counted != follower.number:
                    counted, hands = follower.number, hands + 1
                    net += int(_payoff(follower))
                    if agent.learns:
                        agent.on_hands_finished(follower.finished())
        except OSError as error:
            raise UnreadableError(f"the dealer broke off after {hands} hands: {error}") from None
    return {"hands": hands, "net": net}


def _payoff(follower: Follower) -> int:
    return Hand.of_row(follower.table, 0).payoffs[follower.position]
