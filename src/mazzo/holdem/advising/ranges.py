"""The adviser `ranges`: what each play is worth against what the others may hold, and whether a play was a mistake.

Between two after the flop the spot is solved within a second. Anywhere else the look is one decision ahead: everybody
answers as the model of him does, and then the hand is checked down; what is won so is multiplied by how much of its
share a hand usually gets when betting goes on, which is an estimate. A mistake is called one only when the difference
is beyond its error, for the most and the least of that estimate, and against a tight and a loose stand-in too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from mazzo.agent import Explanation
from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.advising.by_solver import SolvedPlay, solved_worth
from mazzo.holdem.advising.models import LOOSER, TIGHTER, StandIn, TableCompany, stand_in
from mazzo.holdem.agents.starting import SHARES, starting_values
from mazzo.holdem.coach import raise_label
from mazzo.holdem.notation import STREETS, action_text, parse_action
from mazzo.holdem.observation import Observations
from mazzo.holdem.worth import ActionWorth, raises_to_weigh, worths
from mazzo.registry import split_name
from mazzo.seated import Advice

__all__ = ["RANGES", "RANGES_PLAIN", "Priced", "Weighed", "by_ranges", "is_ranges", "mistake_size", "priced"]

RANGES, RANGES_PLAIN = "ranges", "ranges:own=false"
"""The adviser, and the same with agents' own policies switched off."""

_SECONDS, _MOST_SECONDS = 1.0, 60.0
_STANDARD_ERRORS, _LEAST_POT, _LEAST_BLINDS = 3.0, 0.005, 0.05
_SIZES = ((2.0, "small"), (10.0, "clear"))
"""Up to how many per cent of the pot a mistake is called so; beyond, it is grave."""
_LEAST_BET, _MOST_BET, _SHORT = 0.2, 2.5, 15
"""In pots: smaller and larger bets are only weighed where they were made; in big blinds: what is never too large."""
_SAMPLES = 3000
_FEWER_FOLDS = 0.7
"""Of the folds that a stand-in would make, those that are counted on before anything is called a mistake."""
_DOUBTED = (0.25, 0.2, 0.15, 0.0)
"""By street, how far what a hand gets of its share may be from the estimate, up or down."""
_Play = TypeVar("_Play", "Weighed", SolvedPlay)
_FAR = 3
"""A raise so many times as large as the next largest is far beyond it."""


@dataclass(frozen=True)
class Weighed:
    """One play: what it is worth in chips against giving up, and how sure that is."""

    action: int
    worth: float
    error: float
    low: float
    high: float
    """What it is worth at least and at most, as far as the estimate of later betting goes."""
    behind: float
    behind_error: float


def chosen_of(plays: Sequence[_Play]) -> _Play:
    """The play to advise: the best, but for a raise far beyond all others that is not better than the next for sure.

    A solution hardly ever makes such a raise (20,000 into 600), so what is answered to it there means little.
    """
    order: list[_Play] = sorted(plays, key=lambda play: play.behind)
    best, rest = order[0], order[1:]
    if (
        rest
        and best.action > _FAR * max(*(play.action for play in rest), c.RAISE)
        and rest[0].behind <= max(rest[0].behind_error, best.behind_error)
    ):
        return rest[0]
    return best


@dataclass(frozen=True)
class Priced:
    """All plays of a decision against one set of ranges."""

    plays: Sequence[Weighed]
    how: str
    """How it was worked out, in words."""
    solved: bool
    facts: Mapping[str, float | int | str | None]
    notes: Sequence[str] = ()

    @property
    def best(self) -> Weighed:
        """The play that is worth most."""
        return min(self.plays, key=lambda play: play.behind)

    def advised(self, least: int) -> Weighed:
        """The best but for raises to less than this, which are only weighed because they were made."""
        return chosen_of([p for p in self.plays if p.action < c.RAISE or p.action >= least])

    def of(self, action: int) -> Weighed | None:
        """A play by its action."""
        return next((play for play in self.plays if play.action == action), None)

    def given_away(self, action: int) -> tuple[float, float] | None:
        """What a play gives away at least, as far as the estimate of later betting goes, and the error of that."""
        played = self.of(action)
        if played is None:
            return None
        rest = [(play.low - played.high, play) for play in self.plays if play is not played]
        if action != c.FOLD and played.low != played.high:  # bets may follow: what a larger one wins now is not lost
            rest = [(gave, play) for gave, play in rest if play.action < max(action, c.RAISE)]
        if not rest:
            return 0.0, 0.0
        least, other = max(rest, key=lambda pair: pair[0])
        return least, max(played.behind_error, other.behind_error)


def is_ranges(adviser: str) -> bool:
    """Whether an adviser's name is of this one."""
    return split_name(adviser)[0] == RANGES


def _settings(adviser: str) -> tuple[bool, float]:
    """Whether agents' own policies are used, and the seconds for a spot."""
    _, given = split_name(adviser)
    own, seconds = given.pop("own", "true"), given.pop("seconds", str(_SECONDS))
    try:
        if given or own not in ("true", "false") or not 0 < float(seconds) <= _MOST_SECONDS:
            raise ValueError
    except ValueError:
        raise UnreadableError(
            f"cannot read the adviser {adviser[:60]!r}; it is ranges, ranges:own=false (agents' own policies are not "
            f"used) or ranges:seconds=2 (for a spot, up to {_MOST_SECONDS:g})"
        ) from None
    return own == "true", float(seconds)


def mistake_size(given_away: float, pot: float) -> str:
    """What a mistake is called, by what it gives away of the pot."""
    return next((name for most, name in _SIZES if 100 * given_away / pot <= most), "grave")


def _least_raise(seen: Observations) -> int:
    """The least raise that is advised: a bet of a small part of the pot asks nobody a question."""
    pot, high = int(seen.pot[0] + seen.owed[0]), int(seen.raise_high[0])
    return min(high, int(seen.state[0, c.BET]) + int(_LEAST_BET * pot)) if not seen.game.limit else 0


def _actions(seen: Observations, played: int | None) -> list[int]:
    """What is weighed: fold, check or call, raises that make sense, and what was played."""
    pot, bet = int(seen.pot[0] + seen.owed[0]), int(seen.state[0, c.BET])
    most = bet + max(_MOST_BET * pot, _SHORT * seen.game.big_blind)
    raises = raises_to_weigh(seen)
    sensible = [to for to in raises if _least_raise(seen) <= to <= most] or raises[:1]
    out = [*([c.FOLD] if int(seen.owed[0]) else []), c.CALL, *sensible]
    legal = played is not None and (played < c.RAISE or int(seen.raise_low[0]) <= played <= int(seen.raise_high[0]))
    if played is not None and legal and played not in out and (played != c.FOLD or int(seen.owed[0])):
        out.append(played)
    return sorted(out)


def _realised(seen: Observations, action: int, equity: float) -> tuple[float, float]:
    """The share that a hand usually gets of what it would win checked down, and how far that may be off."""
    me, street = int(seen.position[0]), int(seen.street[0])
    behind = seen.behind[0]
    put = int(seen.owed[0]) if action == c.CALL else action - int(seen.spent[0][me])
    others = [p for p in range(seen.game.players) if p != me and int(seen.live[0]) >> p & 1]
    if put >= int(behind[me]) or street >= 3 or (action == c.CALL and not any(int(behind[p]) for p in others)):
        return 1.0, 0.0
    last = 0.06 if all(me > p for p in others) else -0.02
    if street == 0:
        ranks, suits = [int(card) >> 2 for card in seen.hole[0]], [int(card) & 3 for card in seen.hole[0]]
        high, low = max(ranks), min(ranks)
        same = suits[0] == suits[1] or high == low
        place = starting_values()[SHARES][(high, low) if same else (low, high)]
        return 0.55 + 0.5 * (1 - float(place)) + last, _DOUBTED[0]
    return (0.75 + 0.5 * equity if street == 1 else 0.85 + 0.3 * equity) + last, _DOUBTED[street]


def _estimated(seen: Observations, play: ActionWorth, sure: bool) -> tuple[float, float, float]:
    """A play's worth with what later betting makes of it: estimated, at least and at most.

    Args:
        seen: The decision.
        play: What it is worth one decision ahead.
        sure: Whether it is known how the others answer; else fewer of them may fold.
    """
    if play.action == c.FOLD:
        return 0.0, 0.0, 0.0
    put = int(seen.owed[0]) if play.action == c.CALL else play.action - int(seen.spent[0][int(seen.position[0])])
    stays, pot = 1 - play.folds, int(seen.pot[0])
    won = max((play.worth - play.folds * pot) / stays + put, 0.0) if stays > 1e-9 else 0.0  # where somebody stays
    share, doubt = _realised(seen, play.action, play.equity)

    def worth(realised: float, folds: float) -> float:
        return folds * pot + (1 - folds) * (realised * won - put)

    fewer = play.folds if sure else _FEWER_FOLDS * play.folds
    return worth(share, play.folds), worth(share - doubt, fewer), worth(share + doubt, play.folds)


def _one_ahead(
    seen: Observations, ranges: Mapping[int, Floats], models: Mapping[int, StandIn], actions: Sequence[int]
) -> Priced:
    """One look ahead, and the estimate of what later betting makes of it."""
    found = worths(seen, ranges, {p: m.agent for p, m in models.items()}, actions, samples=_SAMPLES)
    sure = all(model.own for model in models.values())
    worth, low, high = zip(*(_estimated(seen, play, sure) for play in found), strict=True)
    best = int(np.argmax(worth))
    plays = [
        Weighed(
            p.action,
            worth[k],
            p.standard_error,
            low[k],
            high[k],
            worth[best] - worth[k],
            0.0 if k == best else max(p.behind_error, found[best].behind_error),
        )
        for k, p in enumerate(found)
    ]
    call = next(p for p in found if p.action == c.CALL)
    facts = {"equity": call.equity, "all fold": found[best].folds}
    many = "exactly" if len(models) == 1 else f"by {_SAMPLES:,} draws"
    how = f"one decision ahead {many}, then checked down; what later betting makes of it is an estimate"
    return Priced(plays, how, False, facts)


def _by_solver(seen: Observations, ranges: Mapping[int, Floats], seconds: float, played: int | None) -> Priced:
    """The spot solved."""
    wanted = [played] if played is not None and played >= c.RAISE else []
    found = solved_worth(seen, ranges, seconds, wanted)
    plays = [Weighed(p.action, p.worth, p.error, p.worth, p.worth, p.behind, p.behind_error) for p in found.plays]
    how = (
        f"the spot was solved in {found.rounds:,} rounds, {found.seconds:.1f} s, to {found.exploitability_pct:.2f} % "
        "of the pot"
    )
    facts = {"exploitability in % of the pot": found.exploitability_pct, "rounds": found.rounds}
    return Priced(_once(plays), how, True, facts)


def _once(plays: Sequence[Weighed]) -> list[Weighed]:
    """Every action once: amounts beyond what the other has are the same bet."""
    kept: dict[int, Weighed] = {}
    for play in plays:
        if play.action not in kept or play.behind < kept[play.action].behind:
            kept[play.action] = play
    return [kept[action] for action in sorted(kept)]


def priced(
    seen: Observations, models: Mapping[int, StandIn], me: StandIn | None, seconds: float, played: int | None = None
) -> Priced:
    """What each play of a decision is worth against these players.

    Args:
        seen: The decision, one row.
        models: By position who stands for each opponent in the hand.
        me: Who stands for the player in the others' eyes; None: no spot is solved.
        seconds: For a spot.
        played: What was done, which is weighed too.
    """
    own = [int(card) for card in seen.hole[0]]
    notes: list[str] = []
    ranges = {p: model.range(seen, p, own) for p, model in models.items()}
    if me is not None and len(models) == 1 and int(seen.street[0]) >= 1 and not seen.game.limit:
        position = int(seen.position[0])
        try:
            both = {**ranges, position: me.range(seen, position)}
            return _by_solver(seen, both, seconds, played)
        except UnreadableError as error:
            notes.append(f"the spot was not solved: {error}")
    return replace(_one_ahead(seen, ranges, models, _actions(seen, played)), notes=tuple(notes))


def _is_mistake(found: Priced, action: int, seen: Observations) -> bool:
    """Whether a play gives away more than its error and more than is worth a word."""
    gave = found.given_away(action)
    least = max(_LEAST_POT * int(seen.pot[0]), _LEAST_BLINDS * seen.game.big_blind)
    return gave is not None and gave[0] - _STANDARD_ERRORS * gave[1] > least


def _mistake(
    found: Priced, action: int, seen: Observations, models: Mapping[int, StandIn], me: StandIn, seconds: float
) -> str:
    """What a play is called: nothing, or a small, clear or grave mistake."""
    if not _is_mistake(found, action, seen):
        return ""
    if not all(model.own for model in models.values()):
        for factor in (TIGHTER, LOOSER):
            others = {p: m if m.own else m.scaled(factor, seen.game.players) for p, m in models.items()}
            again = priced(seen, others, me if found.solved else None, seconds, action)
            if not _is_mistake(again, action, seen):
                return ""
    played = found.of(action)
    assert played is not None  # else nothing was given away
    return mistake_size(played.behind, int(seen.pot[0]))


def by_ranges(seen: Observations, company: TableCompany, adviser: str = RANGES, played: str | None = None) -> Advice:
    """A decision weighed against the ranges of the others."""
    own, seconds = _settings(adviser)
    position = int(seen.position[0])
    others = [p for p in range(seen.game.players) if p != position and int(seen.live[0]) >> p & 1]
    models = {p: stand_in(company, p, seen, own) for p in others}
    me = stand_in(company, position, seen, own)
    action = None if played is None else parse_action(played)
    if action is not None and seen.game.limit and action >= c.RAISE:
        action = int(seen.raise_low[0])
    found = priced(seen, models, me, seconds, action)
    mistakes: dict[str, str] = {}
    if (
        action is not None
        and found.of(action) is not None
        and (name := _mistake(found, action, seen, models, me, seconds))
    ):
        mistakes = {played or "": name}
    return _advice(seen, found, models, mistakes)


def _advice(seen: Observations, found: Priced, models: Mapping[int, StandIn], mistakes: Mapping[str, str]) -> Advice:
    limit, big = seen.game.limit, seen.game.big_blind
    text = {play.action: action_text(play.action, limit) for play in found.plays}
    advised = found.advised(_least_raise(seen)).action
    labels = {text[p.action]: _label(seen, p.action) for p in found.plays}
    against = "; ".join(_spoken(list(models.values())))
    said = [f"against {against}", found.how, *found.notes, *(note for m in models.values() for note in m.notes)]
    facts: dict[str, Any] = {
        "street": STREETS[int(seen.street[0])],
        **found.facts,
        "pot": int(seen.pot[0]),
        "to call": int(seen.owed[0]),
    }
    return Advice(
        Explanation(text[advised], "; ".join(said), (), facts),
        {text[p.action]: p.worth / big for p in found.plays},
        "unit.bb",
        labels,
        max((p.error / big for p in found.plays), default=0.0),
        errors={text[p.action]: p.error / big for p in found.plays},
        difference_errors={text[p.action]: p.behind_error / big for p in found.plays},
        mistakes=dict(mistakes),
    )


def _spoken(models: Sequence[StandIn]) -> list[str]:
    """Who stands for the others; those of whom nothing is known in one breath."""
    unknown = [model.name for model in models if model.kind == "usual"]
    said = [model.words for model in models if model.kind != "usual"]
    if unknown:
        said.append(f"a usual player in place of {' and of '.join(unknown)}, of whom nothing is known")
    return said


def _label(seen: Observations, action: int) -> str:
    if action == c.FOLD:
        return "fold"
    if action == c.CALL:
        return "call" if int(seen.owed[0]) else "check"
    return raise_label(seen, action)
