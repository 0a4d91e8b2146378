"""Lab -> Train: practice for somebody who counts at blackjack, kept on the server while it goes on.

The count is no part of what a page is told unless it asks for it.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse

from mazzo.blackjack.counting.systems import COUNTS
from mazzo.blackjack.seated import RULE_FIELDS, rules_of
from mazzo.errors import UnreadableError
from mazzo.seated import Field, read_fields
from mazzo.web.limits import RefusedError
from mazzo.words.texts import text

if TYPE_CHECKING:
    from mazzo.blackjack.counting.trainer import Countdown, CountingTable, DeckEstimate, DeviationDrill
    from mazzo.web.app import Pages

__all__ = ["DRILLS", "Trainings", "add_pages"]

DRILLS = ("table", "deviations", "countdown", "decks")
_MARKS = ("indices", "basic", "exact")
_KEPT, _KEPT_OF_ONE = 200, 20
_ID = re.compile(r"[0-9a-f]{16}")
_SEEDS = 10**18
FIELDS = (
    Field("drill", "table", choices=DRILLS),
    Field("mark", "indices", choices=_MARKS),
    Field("count", "hi-lo", choices=tuple(COUNTS)),
    Field("bankroll", 1000, low=1, high=10**9),
    Field("boxes", 1, low=1, high=7),
    Field("seed", "", high=18),
)
"""What can be chosen beside the rules."""


class _Practice(Protocol):
    def act(self, given: Mapping[str, Any]) -> None:
        """Do what the page asks."""

    def shown(self) -> dict[str, Any]:
        """What the page is told."""


class _AtTable:
    """Rounds for money with a coach."""

    def __init__(self, table: CountingTable) -> None:
        self.table = table
        self._bet, self._count = 0.0, False
        self._won: float | None = None
        self._verdict: dict[str, Any] | None = None
        self._cards: dict[str, Any] = {"dealer": [], "hands": []}

    def act(self, given: Mapping[str, Any]) -> None:
        """Bet, play, or ask for the count."""
        what, self._count = given.get("do"), False
        if what == "count":
            self._count = True
        elif what == "bet" and self.table.round is None:
            self._bet = read_fields((Field("bet", 10.0, low=0.01, high=1e9),), {"bet": given.get("bet")})["bet"]
            self.table.begin(self._bet)
            self._verdict, self._won = None, None
            self._look()
        elif what == "play" and self.table.round is not None:
            played = str(given.get("play", ""))[:20]
            good, wanted = self.table.act(played)
            self._verdict = {"good": good, "played": played, "wanted": wanted}
            self._look()
        else:
            raise UnreadableError(text("train.refused.now"))

    def _look(self) -> None:
        """Keep the cards as they lie, and settle a round that is over."""
        played = self.table.round
        assert played is not None, "a round was begun"
        dealer, *hands = played.section().cards
        won = [self._bet * payoff for payoff in played.payoffs] if played.over else []
        self._cards = {
            "dealer": list(dealer.cards),
            "hands": [
                {
                    "box": hand.box,
                    "cards": list(row.cards),
                    "active": k == played.at or hand.box == played.asked,
                    "bet": self._bet * hand.stake,
                    "split": hand.split,
                }
                for k, (row, hand) in enumerate(zip(hands, played.hands, strict=True))
            ],
            "won": won,
        }
        if played.over:
            self._won = self.table.finish()

    def shown(self) -> dict[str, Any]:
        """The table; the count where it was asked for."""
        table = self.table
        return {
            **self._cards,
            "marks": table.marks,
            "bankroll": table.bankroll,
            "boxes": table.boxes,
            "bet": self._bet,
            "rounds": table.rounds,
            "asked": table.asked,
            "right": table.right,
            "verdict": self._verdict,
            "result": self._won,
            "shuffles": table.round is None and table.shuffles,
            "choices": [] if table.round is None else table.choices,
            "count": {"running": table.running, "true": table.true} if self._count else None,
        }


class _AtDeviations:
    """Index plays, one after the other."""

    def __init__(self, drill: DeviationDrill) -> None:
        self.drill = drill
        self._verdict: dict[str, Any] | None = None

    def act(self, given: Mapping[str, Any]) -> None:
        """Answer yes or no."""
        play, running, decks = self.drill.situation
        good, _ = self.drill.answer(str(given.get("given", ""))[:20])
        said = {"row": play.row, "up": _rank(play.upcard), "play": play.play, "index": play.index}
        self._verdict = {"good": good, **said, "true": int(running // decks)}

    def shown(self) -> dict[str, Any]:
        """The next situation."""
        from mazzo.blackjack.faces import usual_faces
        from mazzo.blackjack.shoe import TEN
        from mazzo.web.games.blackjack import example_hand

        play, running, decks = self.drill.situation
        hand = (TEN, TEN - 1) if play.row == "insurance" else example_hand(play.row)
        *cards, up = usual_faces((*hand, play.upcard), -1, 1)
        return {
            "row": play.row,
            "up": _rank(play.upcard),
            "cards": cards,
            "upcard": up,
            "play": play.play,
            "running": running,
            "decks": decks,
            "asked": self.drill.asked,
            "right": self.drill.right,
            "verdict": self._verdict,
        }


class _AtCountdown:
    """A deck but for one card, against the clock of the page."""

    def __init__(self, deck: Countdown) -> None:
        self.deck = deck
        self._verdict: dict[str, Any] | None = None

    def act(self, given: Mapping[str, Any]) -> None:
        """Say what the deck counts."""
        said = read_fields((Field("given", 0.0, low=-1e4, high=1e4),), {"given": given.get("given")})["given"]
        self._verdict = {"good": said == self.deck.running, "running": self.deck.running}

    def shown(self) -> dict[str, Any]:
        """The cards, and what they count once it was said."""
        from mazzo.blackjack.faces import usual_faces

        return {"cards": list(usual_faces(self.deck.shown, -1, 1)), "verdict": self._verdict}


class _AtDecks:
    """Trays, one after the other."""

    def __init__(self, trays: DeckEstimate) -> None:
        self.trays = trays
        self._verdict: dict[str, Any] | None = None

    def act(self, given: Mapping[str, Any]) -> None:
        """Say how many decks are in the tray."""
        said = str(given.get("given", ""))[:20]
        good, decks = self.trays.answer(said)
        self._verdict = {"good": good, "decks": decks}

    def shown(self) -> dict[str, Any]:
        """The next tray."""
        trays = self.trays
        return {
            "share": trays.share,
            "decks": trays.decks,
            "asked": trays.asked,
            "right": trays.right,
            "verdict": self._verdict,
        }


def _rank(upcard: int) -> str:
    from mazzo.blackjack.shoe import RANKS

    return RANKS[upcard]


def _begun(given: Mapping[str, Any]) -> _Practice:
    from mazzo.blackjack.bets.counter_seat import plays_of
    from mazzo.blackjack.counting.trainer import Countdown, CountingTable, DeckEstimate, DeviationDrill
    from mazzo.blackjack.rules import INFINITE

    chosen = read_fields((*FIELDS, *RULE_FIELDS), given)
    rules, count = rules_of(chosen), COUNTS[chosen["count"]]
    if rules.decks == INFINITE:
        raise UnreadableError(text("train.refused.infinite"))
    if not re.fullmatch(r"\d*", chosen["seed"], re.ASCII):
        raise UnreadableError(text("refused.seed"))
    seed = int(chosen["seed"] or secrets.randbelow(_SEEDS))
    if chosen["drill"] == "countdown":
        return _AtCountdown(Countdown(count, seed))
    if chosen["drill"] == "decks":
        return _AtDecks(DeckEstimate(rules.decks, seed))
    table = plays_of("i18", rules, count)
    if chosen["drill"] == "deviations":
        return _AtDeviations(DeviationDrill(rules, table, seed))
    return _AtTable(
        CountingTable(rules, count, table, float(chosen["bankroll"]), chosen["boxes"], chosen["mark"], seed)
    )


class _Kept:
    """A visitor's practice; one thing is done at a time."""

    def __init__(self, visitor: str, drill: str, practice: _Practice) -> None:
        self.visitor, self.drill, self.practice = visitor, drill, practice
        self._lock = threading.Lock()

    def act(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if not self._lock.acquire(blocking=False):
            raise RefusedError(text("train.refused.busy"))
        try:
            self.practice.act(given)
            return {"drill": self.drill, **self.practice.shown()}
        finally:
            self._lock.release()


class Trainings:
    """Practice under way: so many in all and of one visitor; the oldest is forgotten."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, given: Mapping[str, Any], visitor: str) -> dict[str, Any]:
        """Begin; gives the name by which it is found again, and what is shown first."""
        practice, drill = _begun(given), str(given.get("drill", DRILLS[0]))
        with self._lock:
            mine = [name for name, kept in self._kept.items() if kept.visitor == visitor]
            if len(mine) >= _KEPT_OF_ONE:
                del self._kept[mine[0]]
            elif len(self._kept) >= _KEPT:
                self._kept.popitem(last=False)
            name = secrets.token_hex(8)
            self._kept[name] = _Kept(visitor, drill, practice)
        return {"id": name, "drill": drill, **practice.shown()}

    def act(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do something in a practice that was begun."""
        kept = self._kept.get(name) if _ID.fullmatch(name) else None
        if kept is None:
            raise RefusedError(text("train.refused.gone"))
        return kept.act(given)


def add_pages(pages: Pages) -> None:
    """The page and what it asks for."""
    trainings = Trainings()

    @pages.app.get("/lab/train")
    async def train_page(request: Request) -> HTMLResponse:
        return pages.page(request, "train", drills=DRILLS, marks=_MARKS, fields=FIELDS[2:5], rules=RULE_FIELDS)

    @pages.app.post("/api/train")
    async def begin(request: Request) -> JSONResponse:
        visitor = request.client.host if request.client else ""
        return JSONResponse(await pages.work(trainings.begin, await pages.json(request), visitor))

    @pages.app.post("/api/train/{name}")
    async def act(request: Request, name: str) -> JSONResponse:
        return JSONResponse(await pages.work(trainings.act, name, await pages.json(request)))
