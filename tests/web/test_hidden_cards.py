"""Every byte sent to one seat, over a thousand hands, holds no card that seat should not know.

The table is asked as the server asks it: each message is made by `LiveTable.message` and read as the bytes that would
be sent. What a seat may know is worked out here from the engines, not from the views.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mazzo.blackjack.seated import BlackjackTable
from mazzo.cards import FRENCH, ITALIAN
from mazzo.holdem.seated import HoldemTable
from mazzo.seated import NEXT
from mazzo.tressette.seated import TressetteTable
from mazzo.web.limits import Limits
from mazzo.web.live import LiveTable
from mazzo.web.scheduler import Scheduler
from mazzo.words.sentences import _short, card_name

HANDS = {"holdem": 300, "tressette": 40, "blackjack": 660}
"""A thousand in all."""
SEATS = {
    "holdem": ["me:Anna", "random", "call", "me:Bruno"],
    "tressette": ["me:Anna", "random", "me:Bruno", "random"],
    "blackjack": ["me:Anna", "random"],
}


def chance(game: str, seed: int) -> int | bytes:
    """A seed for one person, a secret for several."""
    several = sum(who.startswith("me") for who in SEATS[game]) > 1
    return seed.to_bytes(32) if several else seed


class Reader:
    """Keeps the bytes of every message."""

    def __init__(self, seat: int | None) -> None:
        self.seat, self.seen, self.language = seat, 0, "en"
        self.sent: list[bytes] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(json.dumps(message).encode())


WORDS = {
    "french": re.compile(
        r"(?<![\w#-])([2-9TJQKA][cdhs])(?![\w#-])|((?:10|[2-9JQKA])[♣♦♥♠])|(\w+ of (?:clubs|diamonds|hearts|spades))"
    ),
    "italian": re.compile(r"(?<![\w#-])((?:10|[2-9A])[dcsb])(?![\w#-])|(\w+ of (?:coins|cups|swords|clubs))"),
}
"""Everything that looks like a card of a deck, however it is written."""


def _forms(deck: str) -> dict[str, str]:
    """Every way a card is written, and which card it is."""
    forms = {}
    for card in map(str, FRENCH if deck == "french" else ITALIAN):
        forms[card] = forms[_short(card, deck)] = forms[card_name(card, deck)] = card
    return forms


def _cards_in(raw: bytes, deck: str, forms: dict[str, str]) -> set[str]:
    text = raw.decode("unicode_escape")
    return {forms[word] for found in WORDS[deck].findall(text) for word in found if word}


def _known(table: LiveTable, seat: int | None) -> set[str]:
    """The cards a seat may know now, from the engine."""
    game = table.game
    if isinstance(game, HoldemTable):
        hand, seating = game.hand, game.session.seating
        known = {str(k) for k in hand.board}
        showdown = hand.over and hand.folded.count(False) > 1
        for position, who in enumerate(seating):
            if who == seat or (showdown and not hand.folded[position]):
                known |= {str(k) for k in hand.hole(position)}
        return known
    if isinstance(game, TressetteTable):
        known = {str(card) for _, card in game.round.plays}
        return known | ({str(k) for k in game.round.hand(seat)} if seat is not None else set())
    assert isinstance(game, BlackjackTable)
    drawn = game.game.drawn()
    faces = game.faces.of(drawn)
    hole = 2 * game.boxes + 1 if game.rules.peek and game.seat is not None else None
    return {faces[card.number] for card in drawn if card.number != hole}


def _play(table: LiveTable, readers: list[Reader], hands: int) -> tuple[int, int]:
    """Play so many hands (or until the game is over), reading every byte; how many hands and messages that were."""
    forms = _forms(table.game.deck)
    told: list[set[str]] = [set() for _ in readers]
    read, played = 0, 0
    while played < hands:
        step = table.sitting.actions
        table.tell_all()
        for reader, ever in zip(readers, told, strict=True):
            allowed = _known(table, reader.seat)
            ever |= allowed  # the log still speaks of earlier hands
            for raw in reader.sent:
                unknown = _cards_in(raw, table.game.deck, forms) - ever
                assert not unknown, f"seat {reader.seat} was told of {unknown}: {raw!r}"
                shown = {c for s in json.loads(raw)["view"]["seats"] for h in s["hands"] for c in h["cards"] if c}
                assert shown <= allowed, f"seat {reader.seat} was shown {shown - allowed}"
                read += 1
            reader.sent.clear()
        if table.game.seat is None:
            played += 1
            if table.game.over:
                break
            table.sitting.act(NEXT)
            for ever in told:
                ever.clear()
            for reader in readers:
                reader.seen = table.game.lines - 1
        elif step % 3 == 0 or table.game.seat not in table.tokens:
            table.sitting.act(_any(table, step))
        else:
            choices = table.game.view(table.game.seat)["choices"]
            table.sitting.act(_text(choices[step % len(choices)]))
    return played, read


def _text(choice: dict[str, Any]) -> str:
    return f"r{choice['amount']['low']}" if "amount" in choice else str(choice["action"])


def _any(table: LiveTable, step: int) -> str:
    seat = table.game.seat
    choices = table.game.view(seat)["choices"]
    return _text(choices[step * 7 % len(choices)])


@pytest.mark.parametrize("game", list(HANDS))
def test_no_byte_sent_to_a_seat_tells_of_a_card_it_should_not_know(tmp_path: Path, game: str) -> None:
    with closing(Scheduler(1)) as pool:

        async def run() -> tuple[int, int]:
            hands = messages = seed = 0
            while hands < HANDS[game]:
                seed += 1
                table = LiveTable.open(tmp_path, game, SEATS[game], {}, "instant", chance(game, seed), Limits(), pool)
                readers = [Reader(0), Reader(None)]
                table.watchers.update(readers)
                more = _play(table, readers, HANDS[game] - hands)
                hands, messages = hands + more[0], messages + more[1]
            return hands, messages

        hands, messages = asyncio.run(run())
        assert hands == HANDS[game]
        assert messages > 2 * hands


def test_the_reader_would_notice_a_card_that_leaks(tmp_path: Path) -> None:
    """The test above can fail: a view that shows everybody's cards is caught."""
    with closing(Scheduler(1)) as pool:

        async def run() -> None:
            table = LiveTable.open(
                tmp_path, "holdem", SEATS["holdem"], {}, "instant", chance("holdem", 11), Limits(), pool
            )
            honest = table.game.view

            def leaky(viewer: int | None) -> dict[str, Any]:
                view = honest(viewer)
                view["facts"] = [*view["facts"], ("holdem.hand", str(table.game.hand.hole(2)[0]))]  # type: ignore[attr-defined]
                return view

            table.game.view = leaky  # type: ignore[method-assign]
            reader = Reader(0)
            table.watchers.add(reader)
            _play(table, [reader], 3)

        with pytest.raises(AssertionError, match="was told of"):
            asyncio.run(run())


def test_a_refusal_does_not_quote_the_hand(tmp_path: Path) -> None:
    from mazzo.errors import IllegalError

    game = HoldemTable(["me:Anna", "call"], {}, 5)
    with pytest.raises(IllegalError) as error:
        game.act("r1")
    others = {str(k) for p in (0, 1) for k in game.hand.hole(p)}
    assert not [card for card in others if card in str(error.value)]
    assert "raise is to" in str(error.value)
