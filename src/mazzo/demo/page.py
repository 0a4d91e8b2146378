"""The page of the demo: what was done, what came of it, what to try next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mazzo.confidence import INTERVAL
from mazzo.demo.steps import CARDS
from mazzo.document import Chart, Figure, Grid, Report, Run, Section, Series
from mazzo.reports.runs import section_of_run

__all__ = ["report_of"]

_MOST = ("the most that can be won", 2.4384)
"""The exact best response to `random`, in big blinds per hand (`mazzo.holdem.solver.ignores_cards`)."""


def report_of(runs: Mapping[str, Run], quick: bool) -> Report:
    """The page as far as the runs go: each section is there as soon as all its steps are done."""
    made = [make(runs) for needed, make in _SECTIONS if runs.keys() >= needed]
    words = [
        "Three card games, five ways to a strategy, and a figure with its error for each. Everything below was made on "
        "this machine by the commands shown; the same seeds give the same figures anywhere.",
    ]
    if len(made) < len(_SECTIONS):
        words.append("The demo is still running: load this page again to read what has been added.")
    sections = [section for several in made for section in several]
    return Report("What Mazzo does", words, sections, [f"mazzo demo{' --quick' if quick else ''}"], _NEXT)


_NEXT = [
    ("Sit down at the table in the browser: Hold'em, blackjack and tressette, with a coach.", "mazzo serve"),
    ("Ask the hero why, in any hand.", 'mazzo explain mazzo-demo/hero.mz "MATCHSTATE:0:0:rc/:KsKh|/Ad7c2h"'),
    ("Learn from your own logs.", "mazzo learn my-logs/ -o mine.mz --against THEIR_NAME"),
    ("A chart under your casino's rules.", "mazzo blackjack chart --rules strip --set decks=8"),
    ("Write a bot in one file and measure it.", "mazzo match holdem-limit-2p examples/mybot.py rich --until-sign"),
]


def _hero(runs: Mapping[str, Run]) -> Section:
    match, learn = section_of_run(runs["match-random"]), section_of_run(runs["hero"])
    player = runs["match-random"]["players"][0]
    share = player["bb_per_hand"] / _MOST[1]
    words = [
        "Two players who act at random logged 5,000 hands of limit Hold'em. From the log alone, never having played, "
        "a learner worked out what each action is worth (fitted Q-iteration) and became the hero. Then it met one of "
        "them, every deal played from both seats.",
        f"The hero wins {player['bb_per_hand']:.2f} big blinds per hand. The most that anybody can win against this "
        f"opponent, knowing how it plays, is {_MOST[1]}: the hero has {share:.0%} of it.",
    ]
    chart = replace(match.charts[0], references=[*match.charts[0].references, _MOST])
    return Section(
        "A hero learned from 5,000 hands",
        words,
        [*match.figures, *learn.figures],
        [chart, *learn.charts],
        commands=[" ".join(runs["log"]["command"]), *learn.commands, *match.commands],
    )


def _others(runs: Mapping[str, Run]) -> Section:
    found = [(key.removeprefix("match-"), run) for key, run in runs.items() if key.startswith("match-")]
    rows, names, means, lows, highs = [], [], [], [], []
    for name, run in found:
        player = run["players"][0]
        low, high = player["ci95"]
        rows.append((name, f"{player['bb_per_hand']:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{run['hands']:,}"))
        names.append(name)
        means.append(player["bb_per_hand"])
        lows.append(low)
        highs.append(high)
    chart = Chart(
        "The hero against four opponents",
        "opponent",
        "big blinds per hand",
        [Series("the hero", names, means, lows, highs)],
        "bars",
        caption="It learned from random only. Seed 1.",
    )
    return Section(
        "And against others",
        ["It knows only players who act at random. Others it has never met: what it learned may or may not help."],
        charts=[chart],
        tables=[Grid(("opponent", "big blinds per hand", INTERVAL, "hands"), rows)],
        commands=[" ".join(run["command"]) for _, run in found],
    )


def _decision(run: Run, title: str, key: str) -> Section:
    section = section_of_run(run)
    words = [
        f"The hero is asked about {run['hand']}: c call, r raise, / the next street; then its cards, and the board.",
        *section.words,
    ]
    return replace(section, title=f"Why? {title}", words=words, cards=CARDS[key])


def _clone(runs: Mapping[str, Run]) -> list[Section]:
    made, read = section_of_run(runs["clone"]), section_of_run(runs["read"])
    words = [
        "rich raises with an equity above its share of the pot (1/3 against two opponents, 1/2 against one), calls "
        "when the price is right, and folds otherwise. Nobody told the learner: it saw what rich did, and found the "
        "rule.",
        *made.words,
    ]
    log = section_of_run(runs["rich-log"])
    return [replace(made, words=words, commands=[*log.commands, *made.commands]), read]


def _blackjack(runs: Mapping[str, Run]) -> list[Section]:
    value, chart, hand = (section_of_run(runs[key]) for key in ("shoe", "chart", "hand"))
    words = [
        "Not simulated: every order in which six decks can fall is weighed, splits and all, to the last digit. "
        "The chart by totals gives away a little of it, because it does not look at which cards make the total."
    ]
    figures = [
        *value.figures,
        *chart.figures,
        Figure(f"{runs['shoe']['seconds']:.2f} s", "to solve it", "this machine"),
    ]
    return [
        Section(
            "A six-deck shoe, solved", words, figures, quotes=chart.quotes, commands=[*value.commands, *chart.commands]
        ),
        replace(hand, title=f"One hand of it: {hand.title}", cards=CARDS["hand"]),
    ]


def _tressette(runs: Mapping[str, Run]) -> list[Section]:
    made = [section_of_run(run) for key, run in runs.items() if key.startswith("tressette-")]
    words = (
        "Four players, forty cards, partners across the table. Nobody sees another's cards; but who could not follow a "
        "suit has none of it, and the deals that are still possible can be counted exactly. The first draws deals from "
        "among them and solves each; the second weighs a network of chances; the third takes what it can."
    )
    first, *others = [replace(section, title=f"Tressette: {section.title}") for section in made]
    return [replace(first, words=[words, *first.words]), *others]


def _tournaments(run: Run) -> Section:
    section = section_of_run(run)
    words = [
        "Five equal bots that raise, call and fold by a utility and move their thresholds by what their actions "
        "brought. Where a losing window pushes a threshold up, the player folds more, and may never come back.",
        *section.words,
    ]
    return replace(section, title="Five bots that adapt", words=words)


_SECTIONS: list[tuple[set[str], Callable[[Mapping[str, Run]], list[Section]]]] = [
    ({"log", "hero", "match-random"}, lambda runs: [_hero(runs)]),
    ({"match-random", "match-call", "match-raise", "match-chart"}, lambda runs: [_others(runs)]),
    ({"explain-flop"}, lambda runs: [_decision(runs["explain-flop"], "Three aces on the flop", "explain-flop")]),
    (
        {"explain-river"},
        lambda runs: [_decision(runs["explain-river"], "Nine high on the river, facing a bet", "explain-river")],
    ),
    ({"rich-log", "clone", "read"}, _clone),
    ({"shoe", "chart", "hand"}, _blackjack),
    ({"tressette-sampler:samples=8", "tressette-decision-improved"}, _tressette),
    ({"tournaments"}, lambda runs: [_tournaments(runs["tournaments"])]),
]
"""What each part of the page needs, and what makes it."""
