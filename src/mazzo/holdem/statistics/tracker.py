"""The figures of trackers, decision by decision: who had the chance of what, who did it, at which position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mazzo.holdem import columns as c
from mazzo.holdem.logs.hands import Hands
from mazzo.statistics import Moments, wilson

__all__ = [
    "DECISIONS",
    "FIGURES",
    "POSITIONS",
    "Chance",
    "PlayedHand",
    "Tracked",
    "figures_of",
    "position_name",
    "tracked",
]

FIGURES = (
    "vpip", "pfr", "three_bet", "fold_to_three_bet", "four_bet", "squeeze", "steal", "fold_to_steal", "cbet_flop",
    "cbet_turn", "cbet_river", "fold_to_cbet", "check_raise", "donk", "went_to_showdown", "won_at_showdown",
    "won_without_showdown",
)  # fmt: skip
"""Shares: each has a number of chances and how often they were taken."""

DECISIONS = FIGURES[:-3]
"""Those of them that are decisions of the player, not results."""

POSITIONS = ("EP", "MP", "CO", "BTN", "SB", "BB")


def position_name(position: int, players: int) -> str:
    """What players call a position; heads-up the button posts the small blind."""
    if players == 2:
        return "BB" if position == 0 else "BTN"
    if position < 2:
        return ("SB", "BB")[position]
    behind = players - 1 - position
    return ("BTN", "CO", "MP")[behind] if behind < 3 else "EP"


class Chance(NamedTuple):
    """A decision at which a figure had its chance."""

    at: int
    """The number of the action in the hand."""
    figure: str
    took: bool
    takes: tuple[int, ...]
    """The kinds of action that take it: 0 fold, 1 call, 2 bet or raise."""


@dataclass(slots=True)
class PlayedHand:
    """One hand of one player: where he sat, what he won, and which chances he had and took."""

    source: str
    line: int
    row: int
    hands: Hands
    seat: int
    position: str
    big_blind: int
    net: float
    """In big blinds; NaN where it is not known."""
    adjusted: float
    """The same, with the pot of an all-in divided by what it was worth then."""
    rake: float
    """His share of what the house took, by what he put in, in big blinds."""
    depth: float
    """His chips at the start, in big blinds."""
    pot: float
    showdown: bool
    stakes: str
    session: str
    chances: dict[str, bool] = field(default_factory=dict)
    bets: int = 0
    calls: int = 0
    decisions: tuple[Chance, ...] = ()


class _Decisions:
    """One hand while its actions are gone through: what was bet and raised before each decision."""

    def __init__(self, hands: Hands, row: int) -> None:
        state, self.game = hands.state[row], hands.games[int(hands.state[row, c.GAME])]
        self.players = self.game.players
        self.spent = [min(b, int(state[c.ROOM + p])) for p, b in enumerate(self.game.blinds)]
        self.room = [int(state[c.ROOM + p]) for p in range(self.players)]
        count = int(state[c.COUNT])
        self.actions = [(int(e) >> c.ACTOR_BITS, int(e) & c.ACTOR_MASK) for e in hands.history[row, :count]]
        self.starts = [int(state[c.ROUND_AT + r]) for r in range(int(state[c.ROUND]) + 1)]
        self.chances: list[dict[str, bool]] = [{} for _ in range(self.players)]
        self.noted: list[list[Chance]] = [[] for _ in range(self.players)]
        self.at, self.owed = 0, 0
        self.bets, self.calls = [0] * self.players, [0] * self.players
        self.folded: set[int] = set()
        self.raiser = -1
        self.cbet = -1

    def street_of(self, at: int) -> int:
        return max(r for r, start in enumerate(self.starts) if start <= at)

    def run(self) -> None:
        street, level = 0, max(self.spent)
        raises, callers, opener, acted, checked, better = 0, 0, -1, set[int](), set[int](), -1
        for at, (action, who) in enumerate(self.actions):
            if self.street_of(at) != street:
                street, raises, callers, acted, checked, better = self.street_of(at), 0, 0, set(), set(), -1
            owed = level - self.spent[who]
            self.at, self.owed = at, owed
            kind = "fold" if action == c.FOLD else "raise" if action >= c.RAISE else "call" if owed > 0 else "check"
            if street == 0:
                self._before_flop(who, kind, raises, callers, opener, acted)
            else:
                self._after_flop(who, kind, street, raises, better, checked)
            if kind == "raise":
                level, self.spent[who], raises, callers = action, action, raises + 1, 0
                opener = who if street == 0 and raises == 1 else opener
                better = who
                self.raiser = who if street == 0 else self.raiser
                self.bets[who] += street > 0
            elif kind == "call":
                self.spent[who] = min(level, self.room[who])
                callers += 1
                self.calls[who] += street > 0
            elif kind == "check":
                checked.add(who)
            else:
                self.folded.add(who)
            acted.add(who)

    def _note(self, who: int, figure: str, did: bool) -> None:
        calls = (1, 2) if self.owed > 0 else (2,)  # a big blind that checks puts nothing in
        takes = (0,) if figure.startswith("fold_") else calls if figure == "vpip" else (2,)
        self.noted[who].append(Chance(self.at, figure, did, takes))
        self.chances[who][figure] = self.chances[who].get(figure, False) or did

    def _before_flop(self, who: int, kind: str, raises: int, callers: int, opener: int, acted: set[int]) -> None:
        name = position_name(who, self.players)
        self._note(who, "vpip", kind in ("call", "raise"))
        self._note(who, "pfr", kind == "raise")
        if raises == 1 and who != opener:
            self._note(who, "three_bet", kind == "raise")
            if callers:
                self._note(who, "squeeze", kind == "raise")
            stole = position_name(opener, self.players) in ("CO", "BTN", "SB")
            if name in ("SB", "BB") and stole and not callers and who not in acted and self.stealing:
                self._note(who, "fold_to_steal", kind == "fold")
        if raises == 2:
            if who == opener:
                self._note(who, "fold_to_three_bet", kind == "fold")
            self._note(who, "four_bet", kind == "raise")
        if raises == 0:
            unopened = not callers and name in ("CO", "BTN", "SB") and who not in acted
            if unopened:
                self._note(who, "steal", kind == "raise")
            if kind == "raise":
                self.stealing = unopened

    stealing = False

    def _after_flop(self, who: int, kind: str, street: int, raises: int, better: int, checked: set[int]) -> None:
        if raises == 0:
            own = who == self.raiser and (street == 1 or self.cbet == street - 1)
            if own:
                self._note(who, f"cbet_{('flop', 'turn', 'river')[street - 1]}", kind == "raise")
                self.cbet = street if kind == "raise" else self.cbet
            aggressor = self.raiser >= 0 and self.raiser not in self.folded and self.raiser not in checked
            if who != self.raiser and aggressor and street == 1:
                self._note(who, "donk", kind == "raise")
        elif better != who:
            if raises == 1 and better == self.raiser and street == 1 and self.cbet == 1:
                self._note(who, "fold_to_cbet", kind == "fold")
            if who in checked:
                self._note(who, "check_raise", kind == "raise")


def tracked(
    batches: Iterable[Hands], player: str | None = None, adjust: bool = True
) -> Iterator[tuple[str, PlayedHand]]:
    """Every hand of a player, or of everybody, with its chances."""
    from mazzo.holdem.statistics.adjusted import adjusted_net

    for hands in batches:
        who = -1 if player is None else hands.names.index(player) if player in hands.names else -2
        rows = range(len(hands)) if who == -1 else np.flatnonzero((hands.seating == who).any(axis=1)).tolist()
        for row in rows:
            decisions = _Decisions(hands, row)
            decisions.run()
            wanted = [p for p in range(decisions.players) if who in (-1, int(hands.seating[row, p]))]
            nets = adjusted_net(hands, row) if adjust else hands.net[row]
            for seat in wanted:
                yield hands.names[int(hands.seating[row, seat])], _played(hands, row, seat, decisions, nets)


def _played(hands: Hands, row: int, seat: int, decisions: _Decisions, nets: Any) -> PlayedHand:
    state, game = hands.state[row], decisions.game
    big, about = game.big_blind, None if hands.about is None else hands.about[row]
    live, players = int(state[c.LIVE]), decisions.players
    net = float(hands.net[row, seat]) / big
    put_in = state[c.SPENT : c.SPENT + players] + state[c.ANTE : c.ANTE + players]
    chances = decisions.chances[seat]
    shown = live & (live - 1) != 0
    if len(decisions.starts) > 1 and not _left_before_flop(decisions, seat):
        chances["went_to_showdown"] = shown and bool(live >> seat & 1)
    if shown and live >> seat & 1 and not np.isnan(net):
        chances["won_at_showdown"] = net > 0
    if not np.isnan(net):
        chances["won_without_showdown"] = not shown and net > 0
    rake = 0.0 if about is None else about.rake * float(put_in[seat]) / max(1, int(put_in.sum())) / big
    return PlayedHand(
        hands.source,
        int(hands.line[row]),
        row,
        hands,
        seat,
        position_name(seat, players),
        big,
        net,
        float(nets[seat]) / big,
        rake,
        float(state[c.ROOM + seat] + state[c.ANTE + seat]) / big,
        float(state[c.POT]) / big,
        bool(shown and live >> seat & 1),
        f"{game.name}" if about is None or not about.stakes else f"{about.stakes} {about.currency}".strip(),
        hands.source,
        chances,
        decisions.bets[seat],
        decisions.calls[seat],
        tuple(decisions.noted[seat]),
    )


def _left_before_flop(decisions: _Decisions, seat: int) -> bool:
    flop = decisions.starts[1] if len(decisions.starts) > 1 else len(decisions.actions)
    return any(action == c.FOLD and who == seat for action, who in decisions.actions[:flop])


@dataclass
class Tracked:
    """The figures of some hands of one player."""

    hands: list[PlayedHand] = field(default_factory=list)

    def share(self, figure: str) -> dict[str, Any]:
        """A figure: chances, how often they were taken, the share and its interval."""
        took = [hand.chances[figure] for hand in self.hands if figure in hand.chances]
        n, did = len(took), sum(took)
        interval = list(wilson(did, n)) if n else [None, None]
        return {"chances": n, "count": did, "share": did / n if n else None, "ci95": interval}

    def rate(self, adjusted: bool = False) -> dict[str, Any]:
        """Big blinds per hundred hands, with interval; hands whose result is not known are left out and counted."""
        values = np.array([hand.adjusted if adjusted else hand.net for hand in self.hands])
        known = values[~np.isnan(values)]
        estimate = Moments.of(known).estimate()
        if not len(known):
            return {"hands": 0, "unknown": len(values), "bb_per_100": None, "ci95": [None, None]}
        ends = [float(100 * end) if np.isfinite(end) else None for end in estimate.ci95]
        return {
            "hands": len(known),
            "unknown": len(values) - len(known),
            "bb_per_100": 100 * estimate.mean,
            "ci95": ends,
        }


def figures_of(hands: list[PlayedHand]) -> dict[str, Any]:
    """All figures of some hands as plain data; keys are stable."""
    group = Tracked(hands)
    bets, calls = sum(h.bets for h in hands), sum(h.calls for h in hands)
    return {
        "hands": len(hands),
        **{figure: group.share(figure) for figure in FIGURES},
        "aggression": {"bets": bets, "calls": calls, "factor": bets / calls if calls else None},
        "won": group.rate(),
        "all_in_adjusted": group.rate(adjusted=True),
        "rake_bb": sum(h.rake for h in hands),
    }
