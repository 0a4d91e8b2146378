"""Sassone (2023): the tressette player by knowledge base, decision network and belief network, measured.

The text lets each network play ten hand-dealt rounds (two deals with the hands rotated) and counts points of 110: they
are in `sassone_seat`. Here every pairing of players is measured over duplicate deals, up to the solver's players and
one that sees all cards.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, create
from mazzo.confidence import INTERVAL
from mazzo.document import Chart, Series
from mazzo.statistics import Z95, Estimate, Moments
from mazzo.studies.row import Printed, Row, Sign
from mazzo.studies.sassone_choices import choice_rows, choice_run, choice_tasks
from mazzo.studies.sassone_seat import seat_rows, seat_run, seat_tasks

__all__ = ["DOCUMENT", "NOT_REPRODUCED", "SUMMARY", "charts", "rounds_between", "rows", "run", "tasks"]

SUMMARY = "tressette: every pairing of players, what the decision network loses by trick, time a move"
DOCUMENT = "Sassone, Agente giocatore di tressette, Bari 2023"
NOT_REPRODUCED = (
    "The document concludes that the decision network plays better than the belief network, more so with good hands "
    "and with a partner that cannot help. Over many deals ours show the opposite, in pairs and in one seat: the belief "
    "network is ahead, most with good hands. Its ten rounds are too few to tell the two apart, its three other players "
    "were one person, and its hands are not printed; whether its program, which departs from its text, did better with "
    "good hands is not known. Where its program plays other cards than ours, the rows of choices say why."
)

Task = dict[str, Any]
Result = dict[str, Any]

_SEED = 1
_QUICK_PLAYERS = ("random", "greedy", "belief", "decision")
_SOLVERS = ("sampler", "reader", "cheat")


def _spelled(name: str, full: bool) -> str:
    """An agent with its budget: small in the quick form, so that it is quick."""
    if name == "cheat":
        return "cheat:full=8" if full else "cheat:full=5"
    return f"{name}:samples=3,full=4" if name in _SOLVERS and not full else name


def _pairings(full: bool) -> list[Task]:
    made = []
    order = (*_SOLVERS[::-1], "decision", "belief", "greedy", "random")
    for first, second in combinations(order, 2):
        solved = first in _SOLVERS
        deals, size = ((500, 25) if solved else (10_000, 5000)) if full else ((40, 20) if solved else (400, 400))
        made += [
            {
                "figure": "pairings",
                "players": [first, second],
                "agents": [_spelled(first, full), _spelled(second, full)],
                "deals": [start, min(start + size, deals)],
                "seed": _SEED,
            }
            for start in range(0, deals, size)
        ]
    return made


def tasks(full: bool) -> list[Task]:
    """Pairings in pieces of some deals, losses by trick in pieces, one seat as in the text, time a move."""
    made = _pairings(full)
    pieces, size, first_trick = (8, 5, 1) if full else (1, 2, 4)
    for name in ("decision", "greedy", "sampler"):
        made += [
            {
                "figure": "losses",
                "players": [name],
                "agents": [_spelled(name, full)],
                "deals": [k * size, (k + 1) * size],
                "first trick": first_trick,
                "seed": _SEED,
            }
            for k in range(pieces)
        ]
    made += seat_tasks(full, _SEED)
    made += choice_tasks()
    for name in (*_QUICK_PLAYERS, *_SOLVERS):
        deals = [0, 4 if full else 1]
        agents = [_spelled(name, full)]
        made.append({"figure": "time", "players": [name], "agents": agents, "deals": deals, "seed": _SEED})
    return made


def run(task: Task) -> Result:
    """Do one task."""
    job = {"pairings": _pairing, "losses": _losses, "one seat": seat_run, "choices": choice_run, "time": _time}[
        task["figure"]
    ]
    return {**task, **job(task)}


def _made(name: str) -> Agent[Any]:
    from mazzo.tressette.agents import AGENTS

    return create(name, AGENTS, allow_cheats=True)


def _pairing(task: Task) -> Result:
    from mazzo.tressette.match import TressetteMatch

    values, _ = TressetteMatch().play([_made(name) for name in task["agents"]], range(*task["deals"]), task["seed"])
    moments = Moments.of(values[:, 0])
    return {"moments": [moments.n, moments.mean, moments.squares]}


def rounds_between(agents: Sequence[Agent[Any]], deals: range, seed: int) -> Any:
    """Each deal played once, the first agent at south and north, the second at east and west: a finished `Table`."""
    from mazzo.lockstep import play_out
    from mazzo.tressette.table import Table

    table = Table.deal(seed, deals, (np.arange(deals.start, deals.stop) % 4).astype(np.int8))
    table.seating[:] = [0, 1, 0, 1]
    play_out(table, agents)
    return table


def _losses(task: Task) -> Result:
    """Thirds lost by each card against the best one with open hands, by trick; the agent plays all four seats."""
    from mazzo.tressette.solver.values import values_of_rounds
    from mazzo.tressette.table import Table

    agent, deals = _made(task["agents"][0]), range(*task["deals"])
    played = rounds_between([agent, agent], deals, task["seed"])
    again = Table.begin(played.dealt, played.leaders[:, 0].copy())
    lost: list[list[int]] = [[] for _ in range(10)]
    for step in range(40):
        cards = played.played[:, step].astype(np.int64)
        if step // 4 + 1 >= task["first trick"]:
            values = values_of_rounds(again)
            lost[step // 4] += [int(v) for v in values.max(axis=1) - values[np.arange(len(deals)), cards]]
        again.apply(np.arange(len(deals)), cards)
    moments = [Moments.of(np.array(trick) / 3) for trick in lost]
    return {"by trick": [[m.n, m.mean, m.squares] for m in moments]}


class _Clock(Agent[Any]):
    """Plays for another agent and measures what its decisions take."""

    def __init__(self, agent: Agent[Any]) -> None:
        self.agent, self.name, self.seconds, self.decisions = agent, agent.name, 0.0, 0
        self.sees_all = agent.sees_all

    def decide(self, observations: Any) -> NDArray[np.int64]:
        """What the other plays, timed."""
        start = time.process_time()
        cards = self.agent.decide(observations)
        self._passed(start, len(cards))
        return cards

    def decide_open(self, rounds: Any, rows: Any, seen: Any) -> NDArray[np.int64]:
        """The same for one that sees all cards."""
        start = time.process_time()
        cards: NDArray[np.int64] = self.agent.decide_open(rounds, rows, seen)
        self._passed(start, len(cards))
        return cards

    def _passed(self, start: float, decisions: int) -> None:
        self.seconds += time.process_time() - start
        self.decisions += decisions

    def explain(self, observation: Any) -> Explanation:
        """Why the other plays what it plays."""
        return self.agent.explain(observation)


def _time(task: Task) -> Result:
    """Milliseconds of processor time a decision, in rounds against greedy; the first rounds only load kernels."""
    deals = range(*task["deals"])
    rounds_between([_made(task["agents"][0]), _made("greedy")], deals, task["seed"] + 1)
    clock = _Clock(_made(task["agents"][0]))
    rounds_between([clock, _made("greedy")], deals, task["seed"])
    return {"milliseconds": 1000 * clock.seconds / clock.decisions, "decisions": clock.decisions}


def _merged(results: Sequence[Result], figure: str) -> dict[tuple[str, ...], list[Result]]:
    groups: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        if result["figure"] == figure:
            groups.setdefault(tuple(result["players"]), []).append(result)
    return groups


def _sum(parts: Sequence[Sequence[float]]) -> Moments:
    total = Moments()
    for n, mean, squares in parts:
        total = total + Moments(int(n), mean, squares)
    return total


def _interval(estimate: Estimate) -> str:
    low, high = estimate.ci95
    return f"{low:+.2f} .. {high:+.2f}" if math.isfinite(low) else ""


def rows(results: Sequence[Result]) -> list[Row]:
    """The document's figures beside ours."""
    made = [*seat_rows(results), *choice_rows(results)]
    return [*made, *_pairing_rows(results), *_loss_rows(results), *_time_rows(results)]


def _pairing_rows(results: Sequence[Result]) -> list[Row]:
    made = []
    for (first, second), group in _merged(results, "pairings").items():
        estimate = _sum([r["moments"] for r in group]).estimate()
        what = f"{' - '.join(group[0]['agents'])}: points a deal"
        why = f"{estimate.n} duplicate deals, seed {group[0]['seed']}"
        ours, interval = f"{estimate.mean:+.2f}", _interval(estimate)
        if (first, second) == ("decision", "belief"):
            printed = Printed("decision plays better than belief", "conclusions", 589)
            test = Sign(estimate.mean, estimate.standard_error)
            made.append(Row(what, ours, interval, why, printed, test))
        else:
            made.append(Row(what, ours, interval, why))
    return made


def _loss_rows(results: Sequence[Result]) -> list[Row]:
    made = []
    for (name,), group in _merged(results, "losses").items():
        for trick in range(10):
            moments = _sum([r["by trick"][trick] for r in group])
            if moments.n:
                estimate = moments.estimate()
                what = f"{name}: points lost a card against open hands, trick {trick + 1}"
                made.append(Row(what, f"{estimate.mean:.3f}", _interval(estimate), f"{moments.n} cards"))
    return made


def _time_rows(results: Sequence[Result]) -> list[Row]:
    return [
        Row(
            f"{group[0]['agents'][0]}: milliseconds a move",
            f"{group[0]['milliseconds']:.3g}",
            "",
            f"{group[0]['decisions']} decisions, one core",
        )
        for group in _merged(results, "time").values()
    ]


def charts(results: Sequence[Result]) -> list[Chart]:
    """Points a deal against the text's decision network, and what is lost by trick."""
    made = []
    names, means, halves = [], [], []
    for (first, second), group in _merged(results, "pairings").items():
        if "decision" in (first, second):
            estimate = _sum([r["moments"] for r in group]).estimate()
            names.append(first if second == "decision" else second)
            means.append(estimate.mean if second == "decision" else -estimate.mean)
            halves.append(Z95 * estimate.standard_error)
    if names:
        low = [mean - half for mean, half in zip(means, halves, strict=True)]
        high = [mean + half for mean, half in zip(means, halves, strict=True)]
        bars = [Series("points a deal", names, means, low, high)]
        title = "Against the decision network"
        made.append(Chart(title, "player", "points a deal", bars, "bars", caption=f"{INTERVAL}s"))
    lines = [_loss_line(name, group) for (name,), group in _merged(results, "losses").items()]
    if lines:
        title = "What a card loses against perfect play with open hands"
        made.append(Chart(title, "trick", "points a card", lines, caption=f"each plays all four seats; {INTERVAL}s"))
    return made


def _loss_line(name: str, group: Sequence[Result]) -> Series:
    found = [(trick + 1.0, _sum([r["by trick"][trick] for r in group])) for trick in range(10)]
    shown = [(trick, moments.estimate()) for trick, moments in found if moments.n > 1]
    low, high = [e.ci95[0] for _, e in shown], [e.ci95[1] for _, e in shown]
    return Series(name, [trick for trick, _ in shown], [e.mean for _, e in shown], low, high)
