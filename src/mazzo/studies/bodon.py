"""Ferenc Bodon, diploma work, BME Budapest 2000: strategies of games of chance, shown on blackjack.

Every figure of the text beside ours, with an interval where ours is sampled, and why they differ where they do. Here
are chapters 1 to 5; chapter 6 is in `bodon_bets`. (Decimal points are missing in the stored text of table 5.1:
"-0019634" is -0.0019634.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from mazzo.blackjack.documents.hybrid import hybrid_ev
from mazzo.blackjack.documents.pruned import burn_in, pruned_analysis
from mazzo.blackjack.documents.qlearning import STATES, Learner
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.infinite import infinite_ev
from mazzo.blackjack.rules import PRESETS, Rules
from mazzo.blackjack.shoe import Shoe
from mazzo.blackjack.simulation import simulate
from mazzo.blackjack.strategy import HARD_ROWS, ROWS, Strategy, policy_of
from mazzo.document import Chart, Series
from mazzo.rng import stream
from mazzo.statistics import Z95, Moments
from mazzo.studies.bodon_bets import TEXT_TABLE, bets_rows, bets_tasks, run_bets
from mazzo.studies.row import Row, verdict

__all__ = ["DOCUMENT", "SUMMARY", "charts", "printed_table", "rows", "run", "tasks"]

SUMMARY = "blackjack from its rules: strategies, exact values, learning, and what to bet"
DOCUMENT = "Ferenc Bodon, diploma work, BME Budapest, 2000"

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


def _row(what: str, text: str, ours: str, agrees: bool, why: str = "", interval: str = "exact") -> Row:
    return Row(what, text, ours, interval, verdict(agrees), why)


def _chapter_4(quick: bool, seed: int) -> Iterator[Row]:
    return _learning(PRESETS["hungarian"], quick, seed)


def _chapter_5(quick: bool, seed: int) -> Iterator[Row]:
    rules = PRESETS["hungarian"]
    yield from _exact(rules, 4 if quick else 6)
    yield from _speed(rules, quick, seed)
    yield from _people(rules)


def _chapter_3(quick: bool, seed: int) -> Iterator[Row]:
    return _printed_chart(PRESETS["hungarian"], quick, seed)


def tasks(full: bool) -> list[dict[str, Any]]:
    """All chapters in parts; in full with as many rounds as the text played."""
    first = [{"figure": name, "quick": not full, "seed": 0} for name in _CHAPTERS]
    return first + bets_tasks(full)


def run(task: dict[str, Any]) -> dict[str, Any]:
    """Do one part."""
    if task["figure"] not in _CHAPTERS:
        return run_bets(task)
    found = _CHAPTERS[task["figure"]](task["quick"], task["seed"])
    return {**task, "rows": [vars(row) for row in found]}


def rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """The text's figures beside ours."""
    found = [Row(**row) for result in results if "rows" in result for row in result["rows"]]
    return found + bets_rows([result for result in results if "rows" not in result])


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
                    Series("text", cards, [TEXT_TABLE[r["cards"]][2] / TEXT_TABLE[r["cards"]][1] for r in table]),
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
                    references=[("text, E_pos", 0.004735), ("text, E_neg", -0.006557)],
                    caption=f"{result['rounds']} rounds, {result['exact']} counted exactly, seed {result['seed']}",
                )
            )
    return made


def _roulette(quick: bool, seed: int) -> Iterator[Row]:
    edges = {n / 37 * (36 / n - 1) - (1 - n / 37) for n in (1, 2, 3, 4, 6, 12, 18)}
    same = all(abs(edge + 1 / 37) < 1e-12 for edge in edges)
    yield _row("§1.2 roulette, any bet, a unit", "-1/37", f"{max(edges):.6f} = -1/37", same)
    losses = (19 / 37) ** 10
    yield _row(
        "§1.3 chance of ten losses in a row",
        "about 1/2^10 < 0.001",
        f"{losses:.5f}",
        False,
        "a red bet loses with 19/37, not 1/2: 0.00128 is above 0.001",
    )
    games = 200_000 if quick else 5_000_000
    chance = np.random.Generator(np.random.Philox(int(stream(seed, "roulette"))))
    first_win = chance.geometric(18 / 37, games)
    won = Moments.of(np.where(first_win <= 10, 1.0, -1023.0)).estimate()
    truth = 1 - (1 + 1 / 37) ** 10
    low, high = won.ci95
    yield _row(
        "§1.3 doubling up ten times",
        "1-(1+1/37)^n < 0",
        f"{won.mean:.4f} (formula {truth:.4f})",
        low <= truth <= high,
        "",
        f"{low:.4f} .. {high:.4f}",
    )


def _printed_chart(rules: Rules, quick: bool, seed: int) -> Iterator[Row]:
    printed, best = printed_table(), best_table(rules)
    worth = analyse(rules, None, policy_of(printed, rules)).ev
    cells = [f"{row} v {up} {mine}->{other}" for row, up, mine, other in printed.differences(best.table)]
    yield _row(
        "§3.1-3.2 the printed chart",
        "optimal: -0.002157",
        f"{worth:.6f}",
        False,
        f"the best chart is worth {best.ev:.6f}; cells that differ: {', '.join(cells)}",
    )
    rounds = 1_000_000 if quick else 180_000_000
    for name, table, exact in (("printed", printed, worth), ("best", best.table, best.ev)):
        result = simulate(rules, table, rounds, seed)
        low, high = result.estimate.ci95
        text_error = Z95 * result.estimate.standard_error * (result.rounds / 180e6) ** 0.5
        near = abs(-0.0021655 - exact) <= text_error
        yield _row(
            f"§5.3 simulation of the {name} chart",
            "-0.0021655 (180 million rounds, 6 h 45 min)",
            f"{result.estimate.mean:.6f} ({rounds / 1e6:g} million, {result.seconds:.0f} s)",
            near,
            f"exact {exact:.6f}; the text's own interval is +-{text_error:.6f}"
            + ("" if near else ", so it did not play this chart under these rules"),
            f"{low:.6f} .. {high:.6f}",
        )
    spread = Z95 * 1.12 / 1e7**0.5
    yield _row(
        "§3.1 ten million rounds settle four decimals",
        "yes",
        f"+-{spread:.5f}",
        False,
        "the standard deviation of a round is 1.12: four decimals (+-0.00005) need two thousand million rounds",
    )


def _learning(rules: Rules, quick: bool, seed: int) -> Iterator[Row]:
    yield _row("§4.3 states", "641", str(STATES - 1), False, "hard 4-21 and soft 12-21 are 28 rows, not 27")
    learner = Learner(rules, seed=seed)
    rounds = 1_000_000 if quick else 100_000_000
    *_, last = learner.learn(rounds, every=rounds, exact=True)
    best = best_table(rules)
    assert last.ev is not None
    yield _row(
        "§4.3 Q-learning, value of what was learned",
        "-0.002157",
        f"{last.ev:.6f} (Q of the start {last.start:.6f})",
        abs(last.ev - -0.002157) < 2e-4,
        f"{rounds / 1e6:g} million rounds; best chart {best.ev:.6f}; Q of the start lags: it averages its own past",
        "one run",
    )


def _exact(rules: Rules, deepest: int) -> Iterator[Row]:
    text_rules = rules.changed(max_hands="unlimited", surrender_after_split=True)
    analyse(text_rules)
    began = perf_counter()
    ours = analyse(text_rules).ev
    took = perf_counter() - began
    yield _row(
        "§5.1 first round, full formulas",
        "-0.0019634 (59.1 min)",
        f"{ours:.9f} ({took:.2f} s)",
        round(ours, 7) == -0.0019634,
        "resplit without limit (5.12), surrender also after a split",
    )
    capped = analyse(rules).ev
    yield _row(
        "§5.1 the same at a table with four hands",
        "-0.0019634",
        f"{capped:.9f}",
        False,
        "the cap on hands and no surrender after a split; 5.12 itself is exact for play without a cap",
    )
    depths = {depth: hybrid_ev(text_rules, None, depth) for depth in range(3, deepest + 1)}
    values = ", ".join(f"depth {depth}: {ev:.6f}" for depth, ev in depths.items())
    yield _row(
        "§5.1 two-second version",
        "-0.002091 (2 s)",
        values,
        min(abs(ev - -0.002091) for ev in depths.values()) < 6e-5,
        "a hybrid: exact for some cards, infinite below; the text does not say how deep",
    )
    infinite = infinite_ev(text_rules)
    yield _row(
        "§5.1 infinite deck",
        "-0.0028453 (0.00014 s)",
        f"{infinite:.9f}",
        round(infinite, 7) == -0.0028454 or f"{infinite:.9f}" == "-0.002845385",
        "the text cuts the last digit instead of rounding",
    )
    yield _row(
        "§5.3.1 error of the infinite deck",
        "5-20 %",
        f"{100 * abs(infinite / ours - 1):.0f} %",
        False,
        "of the value of a fresh shoe, which is itself near zero; as a share of the bet it is 0.09 %",
    )
    ratio = (4 / 52 * 3 / 51) / (1 / 13) ** 2
    yield _row("§5.3.1 two aces, one deck against infinite", "0.76", f"{ratio:.4f}", round(ratio, 2) == 0.76)
    shoe = Shoe.parse("6d-7,8,2,8,3,5,2")
    after, four = analyse(text_rules, shoe).ev, analyse(rules, shoe).ev
    fast = hybrid_ev(text_rules, shoe, deepest)
    yield _row(
        "§5.3 after 7,8,2 v 8,3,5,2",
        "+0.001998",
        f"{after:+.9f} (four hands {four:+.9f})",
        False,
        f"the text's is its fast version; the hybrid of depth {deepest} gives {fast:+.6f}",
    )


def _speed(rules: Rules, quick: bool, seed: int) -> Iterator[Row]:
    began = perf_counter()
    analyse(rules)
    full = perf_counter() - began
    yield _row(
        "§5.3 time of the full recursion",
        "32 h (PII 300 MHz)",
        f"{full:.2f} s",
        False,
        "each hand is counted once, not once for every order of its cards",
        "one run",
    )
    cuts = burn_in(rules, 3 if quick else 100, seed)
    pruned_analysis(cuts)
    began = perf_counter()
    pruned = pruned_analysis(cuts)
    took = perf_counter() - began
    yield _row(
        "§5.3.2 time with the strategy burned in",
        "14 min",
        f"{took:.2f} s",
        False,
        f"value {pruned.ev:.9f}; {int(cuts.rows.sum())} of 3082 hands are left to value: sharing work "
        "leaves cuts little to save",
        "one run",
    )


def _never_bust(best: Strategy) -> Strategy:
    """The chart of people who never draw above 11: hard totals from 12 stand, all else as in the best chart."""
    rows = list(best.letters)
    for name in HARD_ROWS:
        if int(name) >= 12:
            rows[ROWS.index(name)] = rows[ROWS.index(name)].translate(str.maketrans("hb", "nB"))
    return Strategy(tuple(rows))


def _people(rules: Rules) -> Iterator[Row]:
    best = best_table(rules)
    careful = _never_bust(best.table)
    worth = analyse(rules, None, policy_of(careful, rules)).ev
    yield _row(
        "§5.3 never drawing above 11",
        "far from the optimum",
        f"{worth:.6f}",
        True,
        f"soft hands, doubles, splits and surrender still by the best chart ({best.ev:.6f})",
    )
    plain = Strategy(tuple(row.translate(str.maketrans("DdsbB", "hnnhn")) for row in careful.letters))
    bare = analyse(rules, None, policy_of(plain, rules)).ev
    yield _row(
        "§5.3 what players lose, by the casinos",
        "1/20",
        f"1/{-1 / worth:.0f} to 1/{-1 / bare:.0f}",
        -bare > 1 / 20 > -worth,
        f"1/20 lies between the row above and the same without doubles, splits and surrender ({bare:.6f})",
    )
    yield _row("§5.3 the optimum", "1/500", f"1/{-1 / analyse(rules).ev:.1f}", True)
    yield _row(
        "§5.3 blackjack's 1/20 against roulette's 1/37",
        "one and a half times as much",
        f"{37 / 20:.2f} times",
        False,
        "37/20 is 1.85",
    )


_CHAPTERS = {"1": _roulette, "3": _chapter_3, "4": _chapter_4, "5": _chapter_5}
