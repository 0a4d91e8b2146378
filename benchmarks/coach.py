"""Whether the coach is right: what its advice costs by a finer solution, and how much of good play it calls wrong.

    python -m benchmarks.coach spots HANDS.log --rivers 250 --turns 50   # what the advice costs, in % of the pot
    python -m benchmarks.coach calls pluribus.phhs --player Pluribus --decisions 500   # what it calls mistakes
    python -m benchmarks.coach spots HANDS.log --quick

The hands of the first are heads-up no-limit ones, as `mazzo generate holdem-nolimit-2p typical typical` writes them;
decisions are drawn by a seed, one a hand at most.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.holdem import columns as c
from mazzo.holdem.advising.by_solver import solved_worth, spot_at
from mazzo.holdem.advising.models import SeenFigures, TableCompany, stand_in
from mazzo.holdem.advising.ranges import RANGES, by_ranges, chosen_of
from mazzo.holdem.hand import Hand
from mazzo.holdem.logs import read_hands
from mazzo.holdem.notation import STREETS, action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.spot.engine import Plan
from mazzo.holdem.statistics.tally import tally
from mazzo.statistics import Moments, wilson

_FINER = {
    3: [{"river_bet": "20%,33%,50%,75%,100%,150%,250%,a", "river_raise": "40%,80%,150%,a"}],
    2: [{"turn_bet": "33%,66%,100%,150%", "turn_raise": "75%,a", "river_bet": "50%,100%", "river_raise": "a"}],
}
_TO = 0.05


def decisions(path: Path, player: str = "") -> Iterator[tuple[Hand, int, Observations, int]]:
    """The decisions of a log, or of one of its players: the hand, which action, what is seen, what was done."""
    for batch in read_hands(path):
        for hand in batch:
            cards = [int(k) for k in hand._table.cards[hand._row]]
            now = Hand(hand.rules, cards, stacks=hand.stacks, names=hand.names)
            for k, action in enumerate(hand.history):
                actor = now.actor or 0
                if now.hole(actor) and (not player or hand.names[actor] == player):
                    yield now, k, now.observe(), int(action)
                now.fold_anyway() if action == c.FOLD else now.act(action)


def _drawn(path: Path, street: int, count: int, seed: int) -> list[tuple[Observations, TableCompany]]:
    """Decisions on a street, one a hand; players that are called as agents are them, others usual players."""
    found: list[list[tuple[Observations, TableCompany]]] = []
    last: Any = None
    for hand, _, seen, _ in decisions(path):
        if int(seen.street[0]) != street or (not int(seen.raise_high[0]) and not int(seen.owed[0])):
            continue
        if hand is not last:
            found.append([])
            last = hand
        found[-1].append((seen, TableCompany.read({}, hand.names)))
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(found))[:count]
    return [found[k][int(rng.integers(len(found[k])))] for k in order]


def _cost(seen: Observations, company: TableCompany, seconds: float, most: int) -> dict[str, float] | None:
    """What the coach's choice costs in per cent of the pot, by a finer tree with the same ranges; None: too large."""
    own = [int(k) for k in seen.hole[0]]
    me = int(seen.position[0])
    ranges = {p: stand_in(company, p, seen).range(seen, p, () if p == me else own) for p in range(2)}
    if most and Plan(spot_at(seen, ranges, _FINER[int(seen.street[0])][0])[0]).entries > most:
        return None
    began = time.process_time()
    coach = solved_worth(seen, ranges, seconds)
    took = time.process_time() - began
    chosen = chosen_of(coach.plays)
    wanted = [play.action for play in coach.plays if play.action >= c.RAISE]
    same = {0: coach.spot.oop, 1: coach.spot.ip}
    finer = solved_worth(seen, same, 600.0, wanted, trees=_FINER[int(seen.street[0])], to=_TO, trim=False)
    behind = next(play.behind for play in finer.plays if play.action == chosen.action)
    return {
        "cost_pct": 100 * max(behind, 0.0) / int(seen.pot[0]),
        "street": int(seen.street[0]),
        "seconds": took,
        "coach_exploitability_pct": coach.exploitability_pct,
        "finer_exploitability_pct": finer.exploitability_pct,
    }


def _said(name: str, values: list[float]) -> str:
    moments = Moments.of(np.array(values))
    estimate = moments.estimate()
    return f"{name}: {estimate}"


def spots(path: Path, rivers: int, turns: int, seconds: float, seed: int, out: Path | None, most: int = 0) -> None:
    """Judge the coach on river and turn decisions."""
    rows: list[dict[str, float]] = []
    began, left_out = time.monotonic(), 0
    wanted = ((3, rivers), (2, turns))
    drawn = [
        (k / max(n, 1), street, item) for street, n in wanted for k, item in enumerate(_drawn(path, street, n, seed))
    ]
    drawn.sort(key=lambda one: one[:2])  # both streets all the way, so that what is interrupted has some of each
    try:
        for k, (_, _, (seen, company)) in enumerate(drawn):
            found = _cost(seen, company, seconds, most)
            if found is None:
                left_out += 1
                continue
            rows.append(found)
            if out is not None:
                out.write_text(json.dumps(rows))
            print(f"{k + 1}/{len(drawn)} {time.monotonic() - began:.0f} s {rows[-1]}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted: what there is", file=sys.stderr)
    if left_out:
        print(f"{left_out} spots were left out: their finer tree has more than {most:,} entries")
    for name, street in (("rivers", (3,)), ("turns", (2,)), ("all", (2, 3))):
        part = [row for row in rows if row["street"] in street]
        if part:
            print(_said(f"{name}, {len(part)} spots, cost in % of the pot", [row["cost_pct"] for row in part]))
            print(_said(f"{name}, processor seconds a decision", [row["seconds"] for row in part]))


def _known(path: Path) -> dict[str, SeenFigures]:
    """What each player of a log did."""
    return {p.name: SeenFigures.of_tally(p) for p in tally(read_hands(path)).players.values()}


def calls(path: Path, player: str, count: int, seconds: float, seed: int, out: Path | None) -> None:
    """How much of what a player did the coach calls mistakes."""
    known = _known(path)
    seen = sum(1 for _ in decisions(path, player))
    wanted = set(np.random.default_rng(seed).permutation(seen)[:count].tolist())
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    try:
        for k, (hand, _, seen_there, action) in enumerate(decisions(path, player)):
            if k not in wanted:
                continue
            company = TableCompany(tuple(hand.names), (), tuple(known[name] for name in hand.names))
            played, start = action_text(action, False), time.process_time()
            advice = by_ranges(seen_there, company, f"{RANGES}:seconds={seconds}", played)
            took, pot = time.process_time() - start, int(seen_there.pot[0])
            rows.append(
                {
                    "hand": str(hand),
                    "street": int(seen_there.street[0]),
                    "played": played,
                    "seconds": took,
                    "mistake": advice.mistake(played),
                    "advised": advice.explanation.action,
                    "cost": advice.cost(played),
                    "pot_bb": pot / seen_there.game.big_blind,
                    "worth": dict(advice.worth),
                    "seen": str(seen_there),
                    "how": advice.explanation.reason[-120:],
                }
            )
            if out is not None:
                out.write_text(json.dumps(rows, indent=1))
            wrong = sum(bool(row["mistake"]) for row in rows)
            if len(rows) % 20 == 0:
                print(
                    f"{len(rows)}/{count} {time.monotonic() - began:.0f} s, {wrong} mistakes",
                    file=sys.stderr,
                    flush=True,
                )
    except KeyboardInterrupt:
        print("interrupted: what there is", file=sys.stderr)
    for name, part in [("all", rows), *((STREETS[s], [r for r in rows if r["street"] == s]) for s in range(4))]:
        wrong = sum(bool(row["mistake"]) for row in part)
        if part:
            low, high = wilson(wrong, len(part))
            share = f"{100 * wrong / len(part):.2f} % ({100 * low:.2f} to {100 * high:.2f})"
            print(f"{name}: {wrong} of {len(part)} called mistakes, {share}")
            print(_said(f"{name}, processor seconds a decision", [row["seconds"] for row in part]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("spots", "calls"))
    parser.add_argument("log", type=Path)
    parser.add_argument("--rivers", type=int, default=250)
    parser.add_argument("--turns", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--most-entries", type=int, default=0, help="leave out spots whose finer tree is larger")
    parser.add_argument("--player", default="Pluribus")
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    if given.quick:
        given.rivers, given.turns, given.decisions = 10, 2, 40
    if given.what == "calls":
        calls(given.log, given.player, given.decisions, given.seconds, given.seed, given.output)
        return
    spots(given.log, given.rivers, given.turns, given.seconds, given.seed, given.output, given.most_entries)


if __name__ == "__main__":
    main()
