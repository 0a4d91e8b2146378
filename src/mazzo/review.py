"""What a player's decisions gave away, hand by hand: each one priced by an adviser, the dearest first.

Any game that can be replayed can be reviewed: a record is shown moment by moment, and where the player decides the
adviser of the table is asked. What an adviser is not sure of is counted apart from what it calls mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mazzo.document import CardRow, Chart, Figure, Grid, Report, Section, Series, Shown
from mazzo.errors import MazzoError, UnreadableError, did_you_mean
from mazzo.games import entries, find_entry
from mazzo.journal import Journal
from mazzo.seated import Advice, Frame, Say
from mazzo.sitting import Sitting

__all__ = ["SIZES", "PricedDecision", "Review", "decisions_of", "price", "read_played", "review"]

SIZES = ("grave", "clear", "small", "plain")
"""What mistakes are called, the largest first; `plain` by advisers that name no sizes."""

_DEAREST = 10
_UNITS = {"unit.bb": "bb", "unit.bets": "bets", "unit.points": "points"}


@dataclass(frozen=True)
class PricedDecision:
    """One decision of the player."""

    hand: int
    """The number of the hand among those reviewed, from 1."""
    step: int
    """Which moment of the hand, from 0."""
    group: str
    """Where in the hand: the street."""
    played: str
    advised: str
    cost: float | None
    """What it gives away against the best play; None where the adviser cannot say."""
    error: float
    mistake: str
    """What the adviser calls it; empty: no mistake."""
    unit: str
    worth: Sequence[tuple[str, float, float]]
    """By play what it is worth, and the standard error of that; the best first."""
    reason: str
    cards: Sequence[str] = ()
    board: Sequence[str] = ()
    pot: float | None = None
    before: Sequence[str] = ()
    """What was done and dealt in the hand before it, in sentences."""

    @property
    def kind(self) -> str:
        """What kind of play it was: its first word."""
        return self.played.split(" ")[0]

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        worth = [{"play": play, "worth": value, "standard_error": error} for play, value, error in self.worth]
        return {
            "hand": self.hand,
            "step": self.step,
            "street": self.group,
            "kind": self.kind,
            "played": self.played,
            "advised": self.advised,
            "cost": self.cost,
            "standard_error": self.error,
            "mistake": self.mistake or None,
            "unit": _UNITS.get(self.unit, self.unit),
            "cards": list(self.cards),
            "board": list(self.board),
            "pot": self.pot,
            "before": list(self.before),
            "worth": worth,
            "reason": self.reason,
        }


@dataclass
class Review(Shown):
    """All decisions of a player."""

    player: str
    adviser: str
    hands: int = 0
    decisions: list[PricedDecision] = field(default_factory=list)
    not_priced: list[str] = field(default_factory=list)
    """Why the adviser could say nothing of some decisions."""
    notes: list[str] = field(default_factory=list)

    @property
    def mistakes(self) -> list[PricedDecision]:
        """What is called a mistake."""
        return [d for d in self.decisions if d.mistake]

    def dearest(self, count: int | None = None) -> list[PricedDecision]:
        """The decisions that gave away most, mistakes before what may be chance."""
        order = sorted(self.decisions, key=lambda d: (not d.mistake, -(d.cost or 0.0), d.hand, d.step))
        return order if count is None else order[:count]

    def totals(self, key: Callable[[PricedDecision], str]) -> dict[str, dict[str, float]]:
        """By street or kind: decisions, mistakes, what these gave away, and all differences."""
        out: dict[str, dict[str, float]] = {}
        for d in self.decisions:
            row = out.setdefault(key(d) or "-", {"decisions": 0, "mistakes": 0, "given_away": 0.0, "differences": 0.0})
            row["decisions"] += 1
            row["mistakes"] += bool(d.mistake)
            row["given_away"] += (d.cost or 0.0) if d.mistake else 0.0
            row["differences"] += d.cost or 0.0
        return out

    @property
    def unit(self) -> str:
        """What is counted in."""
        return _UNITS.get(self.decisions[0].unit, "") if self.decisions else ""

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data; keys are stable."""
        sizes = {name: sum(d.mistake == name for d in self.decisions) for name in SIZES}
        return {
            "player": self.player,
            "adviser": self.adviser,
            "hands": self.hands,
            "unit": self.unit,
            "given_away": sum(d.cost or 0.0 for d in self.mistakes),
            "mistakes": sizes,
            "by_street": self.totals(lambda d: d.group),
            "by_kind": self.totals(lambda d: d.kind),
            "decisions": [d.as_dict() for d in self.dearest()],
            "not_priced": self.not_priced,
            "notes": self.notes,
        }

    def section(self) -> Section:
        """The totals, and every decision, the dearest first."""
        gave = sum(d.cost or 0.0 for d in self.mistakes)
        named = [f"{n} {name}" for name in SIZES if (n := sum(d.mistake == name for d in self.decisions))]
        a_hundred = f"{100 * gave / self.hands:.1f} {self.unit} a hundred hands" if self.hands else ""
        figures = [
            Figure(f"{gave:.2f} {self.unit}", "given away by mistakes", a_hundred),
            Figure(str(len(self.mistakes)), "mistakes", ", ".join(named)),
            Figure(f"{len(self.decisions):,}", "decisions priced", f"{self.hands:,} hands"),
        ]
        words = [
            f"Every decision of {self.player}, priced by {self.adviser}. A mistake is called one only where the "
            "difference is beyond its error; the other differences may be chance, and are not counted as given away.",
            *self.notes,
            *(f"{len(self.not_priced)} decisions could not be priced: {why}" for why in self.not_priced[:1]),
        ]
        streets, kinds = self.totals(lambda d: d.group), self.totals(lambda d: d.kind)
        tables = [self._totals("street", streets), self._totals("play", kinds), self._all()]
        bars = [self._chart(streets)] if len(streets) > 1 and self.mistakes else []
        return Section(f"Review of {self.player}", words, figures, bars, tables)

    def _chart(self, totals: Mapping[str, Mapping[str, float]]) -> Chart:
        series = Series("", list(totals), [row["given_away"] for row in totals.values()])
        return Chart("Given away by mistakes", "", self.unit, [series], kind="bars")

    def _totals(self, what: str, totals: Mapping[str, Mapping[str, float]]) -> Grid:
        rows = [
            (name, int(row["decisions"]), int(row["mistakes"]), f"{row['given_away']:.2f}", f"{row['differences']:.2f}")
            for name, row in totals.items()
        ]
        return Grid((what, "decisions", "mistakes", f"given away, {self.unit}", f"all differences, {self.unit}"), rows)

    def _all(self) -> Grid:
        rows = [
            (
                d.hand,
                d.group,
                " ".join(d.cards),
                " ".join(d.board) or "-",
                d.played,
                d.advised,
                _cost(d),
                d.mistake or "",
            )
            for d in self.dearest()
        ]
        head = ("hand", "street", "cards", "board", "played", "advised", f"less by, {self.unit}", "mistake")
        return Grid(head, rows, "Every decision, the dearest first.")

    def report(self, title: str = "", commands: Sequence[str] = ()) -> Report:
        """A page: the totals, the ten dearest decisions one by one, then all."""
        whole = self.section()
        first = Section(whole.title, whole.words, whole.figures, whole.charts, whole.tables[:2])
        dear = [self._one(k, d) for k, d in enumerate(self.dearest(_DEAREST), 1) if d.mistake or (d.cost or 0.0) > 0]
        rest = Section("All decisions", tables=whole.tables[2:])
        return Report(title or f"Review of {self.player}", (), [first, *dear, rest], list(commands))

    def _one(self, place: int, d: PricedDecision) -> Section:
        called = f"A {d.mistake} mistake" if d.mistake in SIZES[:3] else "A mistake" if d.mistake else "No sure mistake"
        words = [
            f"{called}: {d.played}, where {d.advised} was worth {_cost(d)} {self.unit} more.",
            *([" ".join(d.before)] if d.before else []),
            *([f"{d.pot:g} chips were in the pot."] if d.pot else []),
            f"{d.reason[:1].upper()}{d.reason[1:]}.",
        ]
        rows = [CardRow("held", "french", d.cards)] if d.cards else []
        rows += [CardRow("board", "french", d.board)] if d.board else []
        grid = Grid(
            ("play", f"worth, {self.unit}", "standard error"), [(p, f"{v:+.2f}", f"{e:.2f}") for p, v, e in d.worth]
        )
        where = f", {d.group}" if d.group else ""
        return Section(f"{place}. Hand {d.hand}{where}", words, tables=[grid], cards=rows)


def _cost(d: PricedDecision) -> str:
    return "-" if d.cost is None else f"{d.cost:.2f}" + (f" ± {d.error:.2f}" if d.error else "")


def decisions_of(record: Mapping[str, Any], player: str) -> Iterator[tuple[int, Frame]]:
    """The moments of a record at which a player decides and can be advised, with all that was said until then."""
    said: list[Say] = []
    for step, frame in enumerate(find_entry(record["of"]).replays().show(record)):
        said += frame.said if step else ()  # what is said first names the hand
        turn = frame.view.get("turn")
        if frame.question is not None and turn is not None and frame.view["seats"][turn]["name"] == player:
            yield step, replace(frame, said=tuple(said))


Worded = Callable[[Say, str], str]
"""Puts a sentence of the table into words, with the cards of a deck: `mazzo.words.sentences.log_line`."""


def price(hand: int, step: int, frame: Frame, adviser: str, worded: Worded | None = None) -> PricedDecision:
    """Ask the adviser about one decision."""
    assert frame.question is not None  # `decisions_of` gives no others
    return priced(hand, step, frame, frame.question(adviser, frame.action), worded)


def priced(hand: int, step: int, frame: Frame, advice: Advice, worded: Worded | None = None) -> PricedDecision:
    """One decision, as an adviser sees it."""
    action, facts = frame.action or "", advice.explanation.facts
    turn, view = frame.view["turn"], frame.view
    order = sorted(advice.worth.items(), key=lambda item: -item[1])
    held = [card for shown in view["seats"][turn].get("hands", ()) for card in shown["cards"] if card]
    pot = facts.get("pot", view.get("pot"))
    return PricedDecision(
        hand,
        step,
        str(facts.get("street") or ""),
        advice.labels.get(action, action),
        advice.labels.get(advice.explanation.action, advice.explanation.action),
        advice.cost(action),
        float(advice.difference_errors.get(action, 0.0)),
        advice.mistake(action),
        advice.unit,
        [(advice.labels.get(a, a), float(v), float(advice.errors.get(a, 0.0))) for a, v in order],
        advice.explanation.reason,
        held,
        list(view.get("centre", {}).get("cards", ())),
        float(pot) if isinstance(pot, int | float) else None,
        [worded(sentence, view["deck"]) for sentence in frame.said] if worded else (),
    )


def review(
    records: Iterable[Mapping[str, Any]],
    player: str,
    adviser: str,
    told: Callable[[Review], None] = lambda found: None,
    worded: Worded | None = None,
) -> Review:
    """Price every decision of a player in some records; interrupted, it gives what it has.

    Args:
        records: Hands as `read_played` gives them.
        player: Whose decisions.
        adviser: Who is asked; `ranges` at Hold'em.
        told: Is told how far it is after every decision.
        worded: Puts what was done before a decision into words; without it, that is left out.
    """
    out = Review(player, adviser)
    try:
        for number, record in enumerate(records, 1):
            found = list(decisions_of(record, player))
            out.hands += bool(found) or player in record.get("names", ())
            for step, frame in found:
                try:
                    out.decisions.append(price(number, step, frame, adviser, worded))
                except MazzoError as error:
                    out.not_priced.append(f"hand {number}: {error}")
                told(out)
    except KeyboardInterrupt:
        out.notes.append("Interrupted: these are the decisions up to then.")
    return out


def _is_session(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(9) == b'{"table":' or b'"table"' in file.readline(4000)
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from None


def read_played(path: Path, player: str = "me", trusted: Sequence[str] = ()) -> tuple[list[dict[str, Any]], str]:
    """The hands of a session or a log, with what is known of its players, and the name of the one that is meant.

    Args:
        path: A session's file (`mazzo play`, `mazzo serve`), or a log that can be replayed.
        player: A name; `me` is the first person of a session.
        trusted: Seats of a session that may be programs of yours.
    """
    if _is_session(path):
        sitting = Sitting.read(path, trusted)
        seat = _seat(sitting, player)
        records: Any = sitting.records.get(seat, ())
        name = sitting.game.names[seat]
    else:
        records, name = _log(path), player
        names = sorted({str(who) for record in records for who in record.get("names", ())})
        if name not in names:
            raise UnreadableError(f"nobody in {path} is called {name!r}; {did_you_mean(name, names)}")
    if not records:
        raise UnreadableError(f"no finished hand is in {path}")
    known = find_entry(records[0]["of"]).replays().known
    return [dict(record) for record in (known(records) if known is not None else records)], name


def _seat(sitting: Sitting, player: str) -> int:
    people = {sitting.game.names[seat]: seat for seat in sitting.people}
    if not people:
        raise UnreadableError("no person sat at this table; give a log, and --player NAME")
    if player in people:
        return people[player]
    if player != "me":
        raise UnreadableError(f"nobody called {player!r} sat at this table; {did_you_mean(player, people)}")
    return sitting.people[0]


def _log(path: Path) -> list[dict[str, Any]]:
    """The records of a log of any game."""
    for entry in reversed(entries()):
        found = [{"of": entry.NAME, **record} for record in entry.replays().read(path)]
        if found:
            return found
    Journal.read(path)  # says what is wrong with a file that is none of them
    raise UnreadableError(f"no hands can be read from {path}")
