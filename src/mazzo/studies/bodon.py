"""Ferenc Bodon, diploma work, BME Budapest 2000: strategies of games of chance, shown on blackjack.

Every figure of the text beside ours, with an interval where ours is sampled, and why they differ where they do. Here
are chapters 1 to 5; chapter 6 is in `bodon_bets`. (Decimal points are missing in the stored text of table 5.1:
"-0019634" is -0.0019634.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from mazzo.blackjack.documents.hybrid import hybrid_ev
from mazzo.blackjack.documents.pruned import burn_in, pruned_analysis
from mazzo.blackjack.documents.qlearning import STATES, Learner
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.infinite import infinite_deck, infinite_ev
from mazzo.blackjack.rules import PRESETS, Rules, may_surrender
from mazzo.blackjack.shoe import RANKS, Shoe
from mazzo.blackjack.simulation import simulate
from mazzo.blackjack.strategy import HARD_ROWS, ROWS, Strategy, policy_of
from mazzo.document import Chart, Series
from mazzo.rng import stream
from mazzo.statistics import Moments
from mazzo.studies.bodon_bets import TEXT_TABLE, bets_rows, bets_tasks, run_bets
from mazzo.studies.bodon_rows import chapter_rows
from mazzo.studies.row import Row

__all__ = ["DOCUMENT", "NOT_REPRODUCED", "SUMMARY", "charts", "printed_table", "rows", "run", "tasks"]

SUMMARY = "blackjack from its rules: strategies, exact values, learning, and what to bet"
DOCUMENT = "Ferenc Bodon, diploma work, BME Budapest, 2000"
NOT_REPRODUCED = (
    "The printed chart is worth less than the value printed for it, and is not what was simulated. E_pos and E_neg "
    "of whole shoes differ by more than the document's own chance allows. It stores what rounds won, so that an "
    "evaluator that is off only puts rounds on the wrong side: sorted by the uncorrected infinite deck they are "
    "worth much the same as sorted rightly; only the sums of that evaluator's own values would come near what it "
    "prints. Its traversal's figures cannot be those of K = 1 to 40 cards, where E_pos is a fifth of what it "
    "prints; the code of its appendix, which values every permutation as its base modifier, reaches the size of "
    "either figure but not of both. No depth of our hybrid, with any number of hands, gives the two-second value. "
    "The columns of 6.3.6 hang on the order in which an unseeded generator filled the ranks: with an order found "
    "for it the 90 % column comes out to the digit, the 95 % column, another run, in part."
)

_PRINTED = """
     A 2 3 4 5 6 7 8 9 T
21   n n n n n n n n n n
20   n n n n n n n n n n
19   n n n n n n n n n n
18   n n n n n n n n n n
17   n n n n n n n n n n
16   h n n n n n h h b b
15   h n n n n n h h h b
14   h n n n n n h h h b
13   h n n n n n h h h h
12   h n n n n n h h h h
11   h D D D D D D D D h
10   h D D D D D D D D h
9    h h D D D D h h h h
8    h h h h h h h h h h
7    h h h h h h h h h h
6    h h h h h h h h h h
5    h h h h h h h h h h
4    h h h h h h h h h h   # the text has no row 4: two twos are a pair
A,T  n n n n n n n n n n
A,9  n n n n n n n n n n
A,8  n n n n n n n n n n
A,7  h n d d d d n n h h
A,6  h h D D D D h h h h
A,5  h h h D D D h h h h
A,4  h h h h D D h h h h
A,3  h h h h D D h h h h
A,2  h h h h h D h h h h
A+A  h h h h h h h h h h
T-T  n n n n n n n n n n
9-9  n s s s s s n s s n
8-8  h s s s s s s s s b
7-7  h s s s s s s h h b
6-6  h s s s s s h h h h
5-5  h D D D D D D D D h
4-4  h h h s s h h h h h
3-3  h s s s s s s h h h
2-2  h s s s s s s h h h
A-A  h s s s s s s s s s
"""


def printed_table() -> Strategy:
    """Tables 3.1 and 3.2 as printed."""
    return Strategy.parse(_PRINTED)


def tasks(full: bool) -> list[dict[str, Any]]:
    """All chapters in parts; in full with as many rounds as the document played."""
    first = [{"figure": name, "quick": not full, "seed": 0} for name in _CHAPTERS]
    return first + bets_tasks(full)


def run(task: dict[str, Any]) -> dict[str, Any]:
    """Do one part; the result is numbers."""
    if task["figure"] not in _CHAPTERS:
        return run_bets(task)
    return {**task, **_CHAPTERS[task["figure"]](PRESETS["hungarian"], task["quick"], task["seed"])}


def rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """The document's figures beside ours."""
    found = [row for result in results if result["figure"] in _CHAPTERS for row in chapter_rows(result)]
    return found + bets_rows([result for result in results if result["figure"] not in _CHAPTERS])


def charts(results: Sequence[dict[str, Any]]) -> list[Chart]:
    """How many compositions must be visited, and what rounds are worth as the shoe is dealt."""
    made = []
    table = [r for r in results if r["figure"] == "6.3.6"]
    if table:
        cards = [float(r["cards"]) for r in table]
        made.append(
            Chart(
                "Share of all compositions visited for 95 % of the probability",
                "cards gone",
                "share",
                [
                    Series("ours", cards, [r["at_95"] / r["states"] for r in table]),
                    Series(
                        "the document", cards, [TEXT_TABLE[r["cards"]][2] / TEXT_TABLE[r["cards"]][1] for r in table]
                    ),
                ],
                caption="13 ranks of 16 cards; counted, not sampled",
            )
        )
    for result in results:
        if result["figure"] == "6.3.7 shoes":
            depth = [(d["cards_gone_from"] + d["cards_gone_to"]) / 2 for d in result["by_depth"]]
            made.append(
                Chart(
                    "What rounds are worth as the shoe is dealt",
                    "cards gone",
                    "of the bet, a round",
                    [
                        Series(label, depth, [d[name] for d in result["by_depth"]])
                        for label, name in (("E_pos", "positive"), ("E_neg", "negative"))
                    ],
                    references=[("the document, E_pos", 0.004735), ("the document, E_neg", -0.006557)],
                    caption=f"{result['rounds']} rounds, {result['exact']} counted exactly, seed {result['seed']}",
                )
            )
    return made


def _roulette(rules: Rules, quick: bool, seed: int) -> dict[str, Any]:
    edges = [n / 37 * (36 / n - 1) - (1 - n / 37) for n in (1, 2, 3, 4, 6, 12, 18)]
    games = 200_000 if quick else 5_000_000
    chance = np.random.Generator(np.random.Philox(int(stream(seed, "roulette"))))
    first_win = chance.geometric(18 / 37, games)
    won = Moments.of(np.where(first_win <= 10, 1.0, -1023.0)).estimate()
    return {"edges": edges, "doubling": won.mean, "doubling_error": won.standard_error, "games": games}


def _printed_chart(rules: Rules, quick: bool, seed: int) -> dict[str, Any]:
    printed, best = printed_table(), best_table(rules)
    worth = analyse(rules, None, policy_of(printed, rules)).ev
    cells = [f"{row} v {up} {mine}->{other}" for row, up, mine, other in printed.differences(best.table)]
    rounds = 1_000_000 if quick else 180_000_000
    simulated = {}
    for name, table in (("printed", printed), ("best", best.table)):
        result = simulate(rules, table, rounds, seed)
        estimate = result.estimate
        simulated[name] = {"mean": estimate.mean, "error": estimate.standard_error, "seconds": result.seconds}
    return {"printed_ev": worth, "best_ev": best.ev, "cells": cells, "rounds": rounds, "simulated": simulated}


def _learning(rules: Rules, quick: bool, seed: int) -> dict[str, Any]:
    rounds = 1_000_000 if quick else 100_000_000
    *_, last = Learner(rules, seed=seed).learn(rounds, every=rounds, exact=True)
    best = best_table(rules).ev
    return {"states": STATES - 1, "rounds": rounds, "learned_ev": last.ev, "start": last.start, "best_ev": best}


def _chapter_5(rules: Rules, quick: bool, seed: int) -> dict[str, Any]:
    deepest = 4 if quick else 6
    text_rules = PRESETS["thesis"]
    ev, seconds = _timed(lambda: analyse(text_rules).ev)
    four, four_seconds = _timed(lambda: analyse(rules).ev)
    shoe = Shoe.parse("6d-7,8,2,8,3,5,2")
    cuts = burn_in(rules, 3 if quick else 100, seed)
    pruned, pruned_seconds = _timed(lambda: pruned_analysis(cuts).ev)
    best = best_table(rules)
    careful = _never_bust(best.table)
    plain = Strategy(tuple(row.translate(str.maketrans("DdsbB", "hnnhn")) for row in careful.letters))
    return {
        "ev": ev,
        "seconds": seconds,
        "four": four,
        "four_seconds": four_seconds,
        "hybrid": {str(depth): hybrid_ev(text_rules, None, depth) for depth in range(3, deepest + 1)},
        "hybrid_of_hands": {
            f"{hands} hands, depth {depth}": hybrid_ev(text_rules.changed(max_hands=hands), None, depth)
            for hands in (3, 4)
            for depth in (3, 4)
        },
        "infinite": infinite_ev(text_rules),
        "after": analyse(text_rules, shoe).ev,
        "after_four": analyse(rules, shoe).ev,
        "after_hybrid": hybrid_ev(text_rules, shoe, deepest),
        "pruned": pruned,
        "pruned_seconds": pruned_seconds,
        "rows_left": int(cuts.rows.sum()),
        "careful": analyse(rules, None, policy_of(careful, rules)).ev,
        "bare": analyse(rules, None, policy_of(plain, rules)).ev,
        "best_ev": best.ev,
    }


def _timed(work: Callable[[], float]) -> tuple[float, float]:
    """A value and the seconds it takes once kernels are loaded."""
    work()
    began = perf_counter()
    value = work()
    return value, perf_counter() - began


def _never_bust(best: Strategy) -> Strategy:
    """The chart of people who never draw above 11: hard totals from 12 stand, all else as in the best chart."""
    rows = list(best.letters)
    for name in HARD_ROWS:
        if int(name) >= 12:
            rows[ROWS.index(name)] = rows[ROWS.index(name)].translate(str.maketrans("hb", "nB"))
    return Strategy(tuple(rows))


def _same_strategy(rules: Rules, quick: bool, seed: int) -> dict[str, Any]:
    """Where the infinite deck and the full formulas play differently, and what the printed chart has there."""
    rules = PRESETS["thesis"]
    deck, exact, printed = infinite_deck(rules), best_table(rules).table, printed_table()
    cells, like_infinite = [], 0
    for row, cards in _two_cards().items():
        for upcard in range(10):
            plays = deck.plays(cards, upcard)
            if may_surrender(rules, upcard):
                plays["surrender"] = -0.5
            best = max(plays, key=lambda play: plays[play])
            other = _PLAYS[exact.letter(ROWS.index(row), upcard)]
            if best != other:
                cells.append(f"{row} v {RANKS[upcard]} {best}, not {other}")
                like_infinite += _PLAYS[printed.letter(ROWS.index(row), upcard)] == best
    return {"cells": cells, "like_infinite": like_infinite}


_PLAYS = {"n": "stand", "h": "hit", "D": "double", "d": "double", "s": "split", "b": "surrender", "B": "surrender"}


def _two_cards() -> dict[str, tuple[int, int]]:
    """Two cards for every row that two cards of that kind can make, hard ones of different ranks."""
    hard = {str(total): (max(1, total - 11), min(9, total - 3)) for total in range(5, 20)}
    soft = {f"A,{RANKS[rank]}": (0, rank) for rank in range(1, 9)}
    return {**hard, **soft, **{f"{RANKS[rank]}-{RANKS[rank]}": (rank, rank) for rank in range(10)}}


_CHAPTERS = {"1": _roulette, "3": _printed_chart, "4": _learning, "5": _chapter_5, "5.3": _same_strategy}
