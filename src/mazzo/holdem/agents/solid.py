"""`solid`: ranges by charts before the flop, after it the worth of each action against what the others may hold.

What others may hold is worked out by a stand-in (`solid_ranges`), or by their own policy where it is known (`knows`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mazzo.agent import Agent, Between, Explanation, Option, Safe, create
from mazzo.arrays import Flags, Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import solid_kernels as k
from mazzo.holdem.agents import solid_preflop as before
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.solid_charts import (
    CHARTS,
    SITUATIONS,
    WIDTHS,
    classes_of,
    equity_table,
    place_of_classes,
    read_charts,
)
from mazzo.holdem.agents.solid_ranges import USUAL, WIDTH, card_facts
from mazzo.holdem.agents.solid_short import DEEPEST, short_chances, stacks_in_blinds
from mazzo.holdem.bayes import ranges_of
from mazzo.holdem.notation import action_text, verb
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.worth import ActionWorth, raises_to_weigh, worths
from mazzo.policy import NO_ACTION, ActionChances

__all__ = ["Solid"]

_SIZES = np.array([0.33, 0.66, 1.0, 1.5, 2.2])
_LAST, _FIRST, _RAISE_FOLDS = 0.98, 0.88, 0.65
_KNOWN_SIZES = (0.5, 1.0, 2.0)
_KNOWN_SAMPLES = 400


@dataclass
class Solid(Agent[Observations]):
    """Charts before the flop; after it the worth of a check, a call and some bets against likely ranges."""

    summary: ClassVar[str] = "no-limit: charts before the flop, then the worth of each action against likely ranges"
    safe: ClassVar[Safe | None] = {
        "bluff": Between(0, 1),
        "largest": Between(0.3, 3),
        "caution": Between(0, 1),
        "seconds": Between(0, 2),
    }
    charts: str = ""
    """A file of charts; empty: those that come with Mazzo."""
    bluff: float = 0.35
    """How often a weak hand that could check bets; on the river half of that, against two opponents a quarter."""
    largest: float = 1.05
    """The largest bet in pots, all-in apart."""
    caution: float = 0.3
    """How much more than fair a call for all chips must be where stacks differ, as they do in tournaments."""
    seconds: float = 0.0
    """Against one opponent it solves turn and river spots for so long; 0: it weighs actions as elsewhere."""
    knows: str = ""
    """Agents or clones that the others are, in their order (`chart|rich`; one stands for all), written with ; for ,"""

    def __post_init__(self) -> None:
        for wrong, reason in (
            (not 0 <= self.bluff <= 1, "bluff is a chance from 0 to 1"),
            (not 0 < self.largest <= 100, "largest is above 0 and at most 100 pots"),
            (not 0 <= self.caution <= 1, "caution is from 0 to 1"),
            (not 0 <= self.seconds <= 600, "seconds are from 0 to 600"),
        ):
            if wrong:
                raise UnreadableError(f"agent solid: {reason}")
        self._charts = read_charts(Path(self.charts) if self.charts else CHARTS)
        self._known = [self._met(name) for name in self.knows.split("|") if name.strip()]
        if self.seconds or self._known:
            self.plays_at_once = 64  # type: ignore[misc]  # it thinks long

    @staticmethod
    def _met(name: str) -> Agent[Any]:
        from mazzo.holdem.agents import AGENTS

        known = create(name.strip().replace(";", ","), AGENTS)
        if known.learns:
            raise UnreadableError(f"agent solid: {known.name} learns; what it does cannot be known beforehand")
        return known

    def unsupported_reason(self, game: Rules | None) -> str:
        """It plays no-limit Hold'em."""
        if game is not None and game.limit:
            return "it plays no-limit only: its bets are sized by the pot"
        return refuse_other_than_holdem(game)

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Make the tables."""
        card_facts()
        equity_table()
        progress(1.0)

    # What it finds.

    def _before(self, o: Observations) -> tuple[Ints, Floats]:
        charts = self._charts
        tables = before.Tables(charts.size, charts.raises, charts.calls, place_of_classes(), equity_table(), WIDTHS)
        chosen, found = np.zeros((len(o), 3), np.int64), np.zeros((len(o), 5))
        before.before_flop(
            o.game.row[None, :], o.state, o.history, o.hole, USUAL[WIDTH], self.caution, tables, chosen, found
        )
        return chosen, found

    def _after(self, o: Observations) -> tuple[Ints, Floats]:
        chosen, found = np.zeros((len(o), 3), np.int64), np.zeros((len(o), k.FACTS))
        settings = np.array([_LAST, _FIRST, _RAISE_FOLDS, self.bluff, self.largest, self.caution])
        k.weigh_rows(
            o.game.row[None, :],
            o.state,
            o.history,
            o.hole,
            o.board,
            USUAL,
            settings,
            _SIZES,
            card_facts(),
            chosen,
            found,
        )
        return chosen, found

    def _short(self, o: Observations) -> Flags:
        """Where solving before the flop says what to do: heads-up with short stacks."""
        if o.game.players != 2:
            return np.zeros(len(o), np.bool_)
        return np.asarray((o.street == 0) & (stacks_in_blinds(o) <= DEEPEST))

    def _spots(self, o: Observations) -> Flags:
        """Where the spot is solved: one opponent on turn or river, both with chips."""
        going = np.bitwise_count(o.live & ~o.state[:, c.ALL_IN]) == 2
        return np.asarray((self.seconds > 0) & (o.street >= 2) & (o.opponents == 1) & going)

    def _asked(self, o: Observations) -> Flags:
        """Where those it knows are asked: after the flop, and before it once somebody has raised."""
        return np.asarray(bool(self._known) & ((o.street > 0) | (o.raises > 0)))

    def _worths(self, o: Observations) -> list[ActionWorth]:
        """What the actions of one decision are worth against players that it knows."""
        me = int(o.position[0])
        others = [p for p in range(o.game.players) if p != me and int(o.live[0]) >> p & 1]
        models = {p: self._model(o, p) for p in others}
        ranges = {p: ranges_of(models[p], o, np.array([p]))[0] for p in others}
        actions = [*([c.FOLD] if o.owed[0] else []), c.CALL, *raises_to_weigh(o, _KNOWN_SIZES)]
        key = np.uint64(int(o.state[0, c.POT]) * 64 + int(o.state[0, c.COUNT]))
        return worths(o, ranges, models, actions, samples=_KNOWN_SAMPLES, rng_key=key)

    def _model(self, o: Observations, position: int) -> Agent[Any]:
        """Who the player at a position is: by its number among the others of the match."""
        own, player = int(o.seating[0, int(o.position[0])]), int(o.seating[0, position])
        return self._known[(player - (player > own)) % len(self._known)]

    # What it does.

    def policy(self, observations: Observations) -> ActionChances:
        """The chances of each action: charts mix some hands, and weak hands are bet with now and then."""
        o = observations
        actions, p = np.full((len(o), 4), NO_ACTION, np.int64), np.zeros((len(o), 4))
        short, spots, asked = self._short(o), self._spots(o), self._asked(o)
        early = (o.street == 0) & ~short & ~asked
        late = (o.street > 0) & ~asked
        for rows, fill in ((early, self._by_charts), (short & ~asked, self._by_solving), (late, self._by_worth)):
            if (at := np.flatnonzero(rows)).size:
                actions[at], p[at] = fill(o[at])
        for row in np.flatnonzero(asked):
            found = max(self._worths(o[row : row + 1]), key=lambda one: one.worth)
            actions[row, 0], p[row, 0] = found.action, 1.0
        actions, p = self._solve(o, np.flatnonzero(spots & ~asked), actions, p)
        actions[p <= 0] = NO_ACTION
        return ActionChances(actions, p)

    def _by_charts(self, o: Observations) -> tuple[Ints, Floats]:
        chosen, found = self._before(o)
        up, flat, free = found[:, before.RAISES], found[:, before.CALLS], o.owed == 0
        fold = np.where(free, 0.0, np.clip(1 - up - flat, 0, 1))
        kinds = np.tile(np.array([c.FOLD, c.CALL, 0, NO_ACTION], np.int64), (len(o), 1))
        kinds[:, 2] = chosen[:, 1]
        return kinds, np.stack([fold, 1 - up - fold, up, np.zeros(len(o))], axis=1)

    def _by_solving(self, o: Observations) -> tuple[Ints, Floats]:
        p, small = short_chances(o, classes_of(o.hole))
        kinds = np.tile(np.array([c.FOLD, c.CALL, 0, 0], np.int64), (len(o), 1))
        kinds[:, 2], kinds[:, 3] = small, o.raise_high
        same = (kinds[:, 2] == kinds[:, 3]) & (p[:, 2] > 0)
        p[same, 3] += p[same, 2]
        p[same, 2] = 0
        return kinds, p

    def _by_worth(self, o: Observations) -> tuple[Ints, Floats]:
        chosen, found = self._after(o)
        kinds, p = np.full((len(o), 4), NO_ACTION, np.int64), np.zeros((len(o), 4))
        kinds[:, 0], p[:, 0] = chosen[:, k.ACTION], 1 - found[:, k.BLUFF]
        kinds[:, 2], p[:, 2] = chosen[:, k.BLUFF_TO], found[:, k.BLUFF]
        return kinds, p

    def _solve(self, o: Observations, rows: Ints, actions: Ints, p: Floats) -> tuple[Ints, Floats]:
        """Put what solving says into the rows that are spots; there may be more actions than columns."""
        from mazzo.holdem.agents.solid_spot import solve_decision

        for row in rows:
            if (found := solve_decision(o[row : row + 1], self.seconds)) is None:
                continue
            kinds, counts = np.unique(found[0], return_inverse=True)
            if (more := len(kinds) - actions.shape[1]) > 0:
                actions = np.pad(actions, ((0, 0), (0, more)), constant_values=NO_ACTION)
                p = np.pad(p, ((0, 0), (0, more)))
            actions[row], p[row] = NO_ACTION, 0.0
            actions[row, : len(kinds)] = kinds
            p[row, : len(kinds)] = np.bincount(counts, weights=found[1])
        return actions, p

    def decide(self, observations: Observations) -> Ints:
        """An action drawn by the policy."""
        return self.policy(observations).drawn(observations.rng_key)

    # What it says.

    def explain(self, observation: Observations) -> Explanation:
        """The chart's line, or what it takes the others to hold and what each action is worth."""
        o = observation
        action = int(self.decide(o)[0])
        if self._asked(o)[0]:
            return self._explain_known(o, action)
        if self._short(o)[0] or self._spots(o)[0]:
            return self._explain_solved(o, action)
        return self._explain_before(o, action) if int(o.street[0]) == 0 else self._explain_after(o, action)

    def _explain_before(self, o: Observations, action: int) -> Explanation:
        chosen, found = self._before(o)
        place = float(place_of_classes()[classes_of(o.hole)[0]])
        line, word = SITUATIONS[int(chosen[0, 0])], _word(action, o)
        facts: dict[str, float | int | str | None] = {
            "hand in the best": f"{place:.1%}",
            "pot": int(o.pot[0]),
            "to call": int(o.owed[0]),
        }
        if int(chosen[0, 2]) == before.BY_EQUITY:
            equity, needed, width = (float(found[0, n]) for n in (before.EQUITY, before.NEEDED, before.WIDTH))
            facts |= {"equity": equity, "needed": needed, "range of the raiser": f"{width:.1%}"}
            reason = (
                f"the raise is too large for the charts: it takes the raiser for the best {width:.0%} of hands, "
                f"against which its hand wins {equity:.0%} of the pot; a call needs {needed:.0%} and some caution, so "
                f"it {word}"
            )
        else:
            reason = f"the charts, line '{line}': a hand in the best {place:.1%} {word} there"
        return Explanation(action_text(action, limit=False), reason, (), facts)

    def _explain_after(self, o: Observations, action: int) -> Explanation:
        chosen, found = self._after(o)
        equity, call, raised = (float(found[0, n]) for n in (k.EQUITY, k.CALL_WORTH, k.RAISE_WORTH))
        to, owed, big = int(chosen[0, k.RAISE_TO]), int(o.owed[0]), o.game.big_blind
        options = [Option("fold", 0.0)] if owed else []
        options.append(Option("call" if owed else "check", call / big, terms={"equity": equity}))
        if to:
            folds = float(found[0, k.FOLDING])
            options.append(Option(f"raise to {to}", raised / big, terms={"all fold": folds}))
        who = "its opponent" if int(o.opponents[0]) == 1 else f"{int(o.opponents[0])} opponents"
        reason = f"equity {equity:.0%} against what {who} would hold as a usual player; "
        if action >= c.RAISE and action != int(chosen[0, k.ACTION]):
            reason += f"that is weak, and it bluffs with {float(found[0, k.BLUFF]):.0%} of such hands"
        else:
            worth = {c.FOLD: 0.0, c.CALL: call}.get(action, raised) / big
            reason += f"it {_word(action, o)}, worth {worth:+.2f} big blinds"
        facts: dict[str, float | int | str | None] = {
            "equity": equity,
            "stronger than": f"{float(found[0, k.STRONG]):.0%} of hands",
            "pot": int(o.pot[0]),
            "to call": owed,
        }
        return Explanation(action_text(action, limit=False), reason, options, facts, unit="bb")

    def _explain_solved(self, o: Observations, action: int) -> Explanation:
        policy = self.policy(o)
        there = policy.actions[0] != NO_ACTION
        options = [
            Option(action_text(int(a), limit=False), terms={"chance": float(p)})
            for a, p in zip(policy.actions[0, there], policy.p[0, there], strict=True)
        ]
        parts = ", ".join(
            f"{_word(int(a), o)}{f' to {int(a)}' if a >= c.RAISE else ''} {p:.0%}"
            for a, p in zip(policy.actions[0, there], policy.p[0, there], strict=True)
            if p >= 0.005
        )
        if int(o.street[0]) == 0:
            reason = f"heads-up with {float(stacks_in_blinds(o)[0]):.0f} big blinds it plays as solved: {parts}"
        else:
            reason = f"it solved the spot with the ranges of a usual player: {parts}"
        facts = {"pot": int(o.pot[0]), "to call": int(o.owed[0])}
        return Explanation(action_text(action, limit=False), reason, options, facts)

    def _explain_known(self, o: Observations, action: int) -> Explanation:
        found, big = self._worths(o), o.game.big_blind
        options = [
            Option(
                action_text(one.action, limit=False),
                one.worth / big,
                one.standard_error / big or None,
                {"all fold": one.folds, "equity": one.equity},
            )
            for one in found
        ]
        best = max(found, key=lambda one: one.worth)
        names = ", ".join(dict.fromkeys(known.name for known in self._known))
        reason = f"against {names}, whom it knows, it {_word(action, o)}: worth {best.worth / big:+.2f} big blinds"
        facts = {"pot": int(o.pot[0]), "to call": int(o.owed[0])}
        return Explanation(action_text(action, limit=False), reason, options, facts, unit="bb")


def _word(action: int, o: Observations) -> str:
    """What it does, in words."""
    return verb(action, int(o.owed[0]), int(o.street[0]), int(o.raise_high[0]))
