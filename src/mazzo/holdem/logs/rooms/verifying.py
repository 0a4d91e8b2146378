"""Hands of rooms replayed by the rules, and their accounts checked: bets, returns, what was collected, the rake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.files import number_of
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.kernels import settle_rows
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.batch import arrays_for
from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.logs.rooms.draft import About, Draft, Post
from mazzo.holdem.logs.rooms.kernel import AMOUNT, STREET, replay_told
from mazzo.holdem.logs.rooms.placing import Placed, Trial, place, trials_of
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables

__all__ = ["verified_hands"]

MOST_RAKE = 0.15
"""Where a room does not state its rake, what is missing may be at most this share of the pot."""

Why = tuple[str, str]


def verified_hands(drafts: Sequence[Draft], source: str) -> tuple[Hands | None, list[Skipped]]:
    """Replay hands and check their accounts; those that are right, and the others with the reason."""
    done: dict[int, _Replayed] = {}
    why: dict[int, Why] = {}
    ways: dict[int, list[Trial]] = {n: trials_of(draft) for n, draft in enumerate(drafts)}
    while ways:
        placed: dict[int, Placed] = {}
        for n, trials in ways.items():
            try:
                placed[n] = place(drafts[n], trials.pop(0))
            except UnusableHandError as error:
                why.setdefault(n, (str(error.args[0]), str(error.args[1])))
        batch = _Replayed(list(placed.values()))
        for row, n in enumerate(placed):
            problem = batch.problem(row)
            if problem is None:
                done[n] = batch
                batch.kept.append((n, row))
            else:
                why.setdefault(n, problem)
            if row in batch.unsaid and drafts[n].antes_unsaid:
                ways[n] = _with_antes(drafts[n], batch.placed[row].names, batch.unsaid[row])
        ways = {n: trials for n, trials in ways.items() if n not in done and trials}
    skipped = [Skipped(source, drafts[n].line, *_said(drafts[n], why[n])) for n in range(len(drafts)) if n not in done]
    return _joined(done, source), skipped


def _with_antes(draft: Draft, names: list[str], missing: int) -> list[Trial]:
    """Note antes that only what was collected tells (the chips told are those after them), and begin again."""
    draft.antes_unsaid = False
    paying = names if missing % len(names) == 0 else [name for name, (_, chips) in draft.seats.items() if chips > 0]
    ante = missing // len(paying)
    draft.posts[:0] = [Post("ante", name, ante) for name in names]
    draft.seats |= {name: (seat, chips + ante) for name, (seat, chips) in draft.seats.items() if name in names}
    draft.extra += ante * (len(paying) - len(names))  # of those who sat out
    return trials_of(draft)


def _said(draft: Draft, why: Why) -> Why:
    """The reason why a hand is not used, as true as it is known."""
    if draft.cash_out:
        return "cash-out", "a player took the worth of his hand before it was over (cash-out)"
    if not draft.ended:
        return "cut-off hand", f"the text of the hand breaks off ({why[1]})"
    if draft.not_understood:
        line, text = draft.not_understood[0]
        return "line not understood", f"line {line} is not understood: {text[:80]!r} ({why[1]})"
    return why


class _Replayed:
    """Some hands replayed together."""

    def __init__(self, placed: list[Placed]) -> None:
        self.placed = placed
        self.kept: list[tuple[int, int]] = []
        self.unsaid: dict[int, int] = {}
        if not placed:
            return
        self.games, game_of = _games(placed)
        counts = np.array([len(p.steps) // 4 for p in placed])
        width = max(1, int(counts.max()))
        stacks = np.zeros((len(placed), c.MAX_PLAYERS), np.int64)
        steps = np.zeros((len(placed), width * 4), np.int64)
        for row, p in enumerate(placed):
            stacks[row, : len(p.stacks)] = p.stacks
            steps[row, : len(p.steps)] = p.steps
        self.a = arrays_for(self.games, game_of, stacks, width + c.MAX_PLAYERS)
        self.rules = np.array([game.row for game in self.games])
        for row, p in enumerate(placed):
            self.a.cards[row, : len(p.cards)] = p.cards
        self.over = np.zeros((len(placed), c.MAX_PLAYERS), np.int64)
        self.stopped = np.zeros(len(placed), np.int64)
        replay_told(
            self.rules,
            self.a.state,
            self.a.history,
            steps.reshape(len(placed), width, 4),
            counts,
            self.over,
            np.zeros(c.MAX_PLAYERS, np.int64),
            self.a.status,
            self.a.flags,
            self.stopped,
        )
        self._settle()

    def _settle(self) -> None:
        """What follows from cards and betting, where the cards are known."""
        a = self.a
        decided = np.empty(len(a.state), np.bool_)
        k.decided_rows(self.rules, a.state, a.cards, decided)
        self.decided = decided & (a.status == k.IN_ORDER)
        rows = np.flatnonzero(self.decided)
        self.net = np.zeros((len(a.state), c.MAX_PLAYERS))
        net = settle_rows(self.rules, a.state, a.cards, rows, tables())
        self.net[rows, : net.shape[1]] = net
        for row in rows.tolist():
            boards = [board for board in self.placed[row].draft.more_boards if len(board) == 5]
            if boards and self._is_showdown(row):
                again, first = np.repeat(a.cards[row : row + 1], len(boards), axis=0), 2 * len(self.placed[row].names)
                again[:, first : first + 5] = boards
                states = np.repeat(a.state[row : row + 1], len(boards), axis=0)
                others = settle_rows(self.rules, states, again, np.arange(len(boards)), tables())
                width = others.shape[1]
                self.net[row, :width] = (self.net[row, :width] + others.sum(axis=0)) / (1 + len(boards))

    def _is_showdown(self, row: int) -> bool:
        live = int(self.a.state[row, c.LIVE])
        return live & (live - 1) != 0

    def problem(self, row: int) -> Why | None:
        """What is wrong with a hand; if nothing is, its results are noted."""
        placed, state = self.placed[row], self.a.state[row]
        status = int(self.a.status[row])
        if status != k.IN_ORDER:
            return _why_not_played(placed, status, int(self.stopped[row]), state)
        problem = self._board_problem(row)
        return problem or self._accounts(row)

    def _board_problem(self, row: int) -> Why | None:
        placed, state = self.placed[row], self.a.state[row]
        seen = int(self.rules[state[c.GAME], c.BOARD_SEEN + state[c.ROUND]])
        dealt = len(placed.draft.board)
        if dealt > seen:
            return "wrong cards", f"{dealt} board cards were dealt, but the betting reached {seen}"
        if dealt < seen and self._is_showdown(row):
            return "wrong cards", f"{dealt} board cards are told where {seen} were dealt"
        return None

    def _accounts(self, row: int) -> Why | None:
        """Bets, returns, what was collected and the rake held against each other."""
        placed, state, players = self.placed[row], self.a.state[row], len(self.placed[row].names)
        draft, unit, names = placed.draft, placed.unit, placed.names
        over = self.over[row, :players]
        wagered = state[c.SPENT : c.SPENT + players] + over
        put_in = wagered + state[c.ANTE : c.ANTE + players]
        back = _uncalled(wagered)
        stated = _by_position(draft.returned, names, unit)
        if stated is None or (draft.returned and (stated != back).any()):
            return "return does not follow", _differs("returned", draft.returned, back, names, unit)
        taken = _by_position(draft.collected, names, unit)
        if taken is None:
            return "unknown player", "what was collected went to somebody who is not in the hand"
        if draft.results and not draft.collected:
            told = _by_position(draft.results, names, unit)
            if told is None:
                return "unknown player", "results of somebody who is not in the hand"
            taken = told + put_in - back
        pot = int(put_in.sum() - back.sum()) + draft.extra // unit
        if (
            int(taken.sum()) > pot
            and draft.returns_inside
            and int(taken.sum()) <= pot + int(back.sum())
            and not draft.returned
        ):
            taken = np.where((back > 0) & (taken >= back), taken - back, taken)  # the return is in what he collected
        rake = pot - int(taken.sum())
        if rake < 0 and draft.antes_unsaid:
            self.unsaid[row] = -rake * unit
        problem = self._rake_problem(draft, rake, pot, unit) or self._shares_problem(row, taken, back, put_in, rake)
        if problem is None:
            self.a.given[row, :players] = taken + back - put_in
            self.a.flags[row] |= 0 if rake == 0 and draft.extra == 0 and not draft.more_boards else k.HOUSE
            self.a.number[row] = rake
        return problem

    @staticmethod
    def _rake_problem(draft: Draft, rake: int, pot: int, unit: int) -> Why | None:
        if not draft.collected and not draft.results:
            return ("unfinished hand", "nobody collected the pot")
        if rake < 0:
            return "accounts do not add up", f"{-rake} more was collected than the {pot} in the pot (in least units)"
        if draft.rake is not None:
            if rake != draft.rake // unit:
                given = f"the pot is {pot}, the rake {draft.rake // unit}, but {pot - rake} was collected"
                return "accounts do not add up", f"{given} (in least units)"
        elif (draft.tournament and rake > 1) or rake > max(2, MOST_RAKE * pot):
            return "accounts do not add up", f"of the pot of {pot} only {pot - rake} was collected (in least units)"
        return None

    def _shares_problem(self, row: int, taken: Ints, back: Ints, put_in: Ints, rake: int) -> Why | None:
        """Whether those collected who should have by their cards."""
        players = len(taken)
        names = self.placed[row].names
        live = int(self.a.state[row, c.LIVE])
        if any(taken[p] > 0 and not live >> p & 1 for p in range(players)):
            return "result does not follow", "somebody collected who had folded"
        if not self.decided[row]:
            return None
        due = self.net[row, :players] + put_in - self.over[row, :players] - (back - self.over[row, :players]).clip(0)
        extra = self.placed[row].draft.extra // self.placed[row].unit
        slack = max(4, players) + rake + extra
        wrong = (taken > due + max(4, players) + extra) | (taken < due - slack) | ((due >= 2 * slack) & (taken == 0))
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            his = round(float(due[at]))
            words = f"{names[at]} collected {int(taken[at])}, by cards and betting {his} is his (in least units)"
            return "result does not follow", words
        return None


def _uncalled(wagered: Ints) -> Ints:
    """What of each player's bets nobody called."""
    second, most = np.sort(wagered)[-2:]
    return np.where((wagered == most) & (most > second), most - second, 0)


def _by_position(amounts: dict[str, int], names: list[str], unit: int) -> Ints | None:
    """Amounts by name as amounts by position; None where a name is not among those who play."""
    if any(name not in names and amount for name, amount in amounts.items()):
        return None
    return np.array([amounts.get(name, 0) // unit for name in names])


def _differs(what: str, told: dict[str, int], due: Ints, names: list[str], unit: int) -> str:
    said = ", ".join(f"{amount // unit} to {name}" for name, amount in told.items())
    right = ", ".join(f"{int(amount)} to {name}" for name, amount in zip(names, due, strict=True) if amount)
    return f"{what} was {said or 'nothing'}; by the betting it is {right or 'nothing'} (in least units)"


def _why_not_played(placed: Placed, status: int, stopped: int, state: Ints) -> Why:
    if status == k.UNFINISHED:
        return "unfinished hand", f"the betting ends before the hand is over ({placed.names[state[c.ACTOR]]} to act)"
    who, what, amount, street = placed.steps[4 * stopped : 4 * stopped + 4]
    verbs = ("fold", "check", "call", "call", "raise", "bet or raise", "all-in")
    told = f"{placed.names[who]}'s {verbs[what]}{f' of {amount}' if amount > 0 else ''}"
    if status == STREET:
        return "illegal betting", f"{told} stands on street {street}, the betting is on street {state[c.ROUND]}"
    if status == AMOUNT:
        return "amount does not follow", f"the amount of {told} on street {street} does not follow from the betting"
    if state[c.ACTOR] < 0:
        return "illegal betting", f"{told} comes after the betting is over"
    if state[c.ACTOR] != who:
        return "illegal betting", f"{told} comes when it is {placed.names[state[c.ACTOR]]}'s turn"
    return "illegal betting", f"{told} on street {street} is not allowed"


def _games(placed: Sequence[Placed]) -> tuple[list[Rules], Ints]:
    games: dict[int, int] = {}
    found: list[Rules] = []
    for p in placed:
        if id(p.game) not in games:
            games[id(p.game)] = len(found)
            found.append(p.game)
    return found, np.array([games[id(p.game)] for p in placed])


def _joined(done: dict[int, _Replayed], source: str) -> Hands | None:
    """The hands that are right, in the order of the file."""
    batches = list({id(batch): batch for batch in done.values()}.values())
    if not batches:
        return None
    games = [game for batch in batches for game in batch.games]
    starts = np.cumsum([0, *(len(batch.games) for batch in batches[:-1])])
    picks = [np.array([row for _, row in batch.kept]) for batch in batches]
    states = [b.a.state[rows] for b, rows in zip(batches, picks, strict=True)]
    for state, start in zip(states, starts, strict=True):
        state[:, c.GAME] += start
    order = np.argsort([n for batch in batches for n, _ in batch.kept], kind="stable")

    def column(name: str, empty: Any) -> NDArray[Any]:
        parts = [getattr(b.a, name)[rows] for b, rows in zip(batches, picks, strict=True)]
        width = max(part.shape[1] for part in parts)
        out = np.full((sum(map(len, parts)), width), empty, parts[0].dtype)
        at = 0
        for part in parts:
            out[at : at + len(part), : part.shape[1]] = part
            at += len(part)
        return out[order]

    placed = [batch.placed[row] for batch in batches for _, row in batch.kept]
    placed = [placed[n] for n in order]
    rakes = np.concatenate([b.a.number[rows] for b, rows in zip(batches, picks, strict=True)])[order]
    names = {name: at for at, name in enumerate(dict.fromkeys(name for p in placed for name in p.names))}
    seating = np.full((len(placed), c.MAX_PLAYERS), -1, np.int32)
    for row, p in enumerate(placed):
        seating[row, : len(p.names)] = [names[name] for name in p.names]
    tables_ = {f"{p.draft.room}/{p.draft.table}": None for p in placed}
    matches = {match: at for at, match in enumerate(tables_)}
    match_of = np.array([matches[f"{p.draft.room}/{p.draft.table}"] for p in placed])
    sets = np.array([number_of(f"{source}/{match}") for match in matches], np.uint64)
    about = np.empty(len(placed), object)
    about[:] = [_about(p, int(rake)) for p, rake in zip(placed, rakes, strict=True)]
    history = column("history", c.NO_ACTION)
    state = np.concatenate(states)[order]
    return Hands(
        tuple(games),
        state,
        history[:, : max(1, int(state[:, c.COUNT].max()))],
        column("cards", UNKNOWN),
        column("given", np.nan),
        seating,
        list(names),
        np.array([_number(p.draft.number, row) for row, p in enumerate(placed)]),
        np.array([p.draft.line for p in placed]),
        np.concatenate([b.a.flags[rows] for b, rows in zip(batches, picks, strict=True)])[order],
        np.array([100 // p.unit if p.unit <= 100 else 1 for p in placed]),
        sets[match_of],
        match_of,
        list(matches),
        source,
        about,
        np.array([_key(p.draft) for p in placed], np.uint64),
    )


def _about(p: Placed, rake: int) -> About:
    draft = p.draft
    stakes = "/".join(f"{amount / 100:g}" for amount in draft.stakes)
    return About(
        draft.room,
        draft.number,
        draft.when,
        draft.currency,
        draft.tournament,
        stakes,
        draft.hero,
        rake,
        1 + len(draft.more_boards),
    )


def _number(text: str, row: int) -> int:
    digits = "".join(ch for ch in text if ch.isascii() and ch.isdigit())
    return int(digits[-18:]) if digits else row


def _key(draft: Draft) -> int:
    """The same for the same hand, in whichever file it stands."""
    seats = sorted((name, *seat) for name, seat in draft.seats.items())
    return number_of(f"{draft.room}/{draft.number}/{draft.when}/{seats}")
