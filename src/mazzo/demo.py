"""The main job: from logged hands to a hero, a clone, exact blackjack, tressette and tournaments, in one report.

Every part is a command a person could type; the demo types them one after the other in a folder of its own and writes
what they found as a page. What is done is kept: the demo goes on where it stopped, and a second one only reads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mazzo import __version__
from mazzo.errors import MazzoError
from mazzo.reports.chart import Chart, Series
from mazzo.reports.document import Figure, Report, Section, Table
from mazzo.reports.runs import Run, section_of_run

__all__ = ["Step", "report_of", "run_demo", "steps"]

_GAME = "holdem-limit-2p"
_MOST = ("the most that can be won", 2.4384)
"""The exact best response to `random`, in big blinds a hand (`mazzo.holdem.best_response`)."""


@dataclass(frozen=True)
class Step:
    """One command of the demo."""

    key: str
    what: str
    arguments: tuple[str, ...]
    told: Callable[[Run], str]
    """The line to print when it is done."""
    makes: str = ""
    """The file it writes: without it the step is not done."""

    @property
    def command(self) -> list[str]:
        """As a person would type it."""
        return ["mazzo", *self.arguments]


def steps(quick: bool) -> list[Step]:
    """Everything in order. Quick: fewer hands, the same parts."""
    n = 5 if quick else 1
    match = ("--hands", str(30_000 // n), "--seed", "1", "--json")
    return [
        Step("log", "5,000 hands between two random players, logged",
             ("generate", _GAME, "random", "random", "--hands", "5000", "--seed", "1", "-o", "random.log", "--json"),
             lambda run: f"{run['hands']:,} hands in {run['log']}", "random.log"),
        Step("hero", "a hero learned from them", ("learn", "random.log", "-o", "hero.mz", "--regressor", "boosted",
             "--json"), lambda run: f"learned from {run['decisions']:,} decisions", "hero.mz"),
        *(Step(f"match-{k}", f"the hero against {k}", ("match", _GAME, "hero.mz", k, *match), _result)
          for k in ("random", "call", "raise", "chart")),
        Step("explain-flop", "a decision explained", ("explain", "hero.mz", "MATCHSTATE:0:0:rc/:AsAh|/Ad7c2h",
             "--json"), _reason),
        Step("explain-river", "another", ("explain", "hero.mz", "MATCHSTATE:1:1:cc/cc/cc/r:|9s8d/Kd7c2h/Qc/3s",
             "--json"), _reason),
        Step("rich-log", "hands of a player who follows a rule, logged", ("match", "holdem-limit-3p", "rich", "call",
             "random", "--hands", str(12_000 // n), "--seed", "1", "--log", "rich.log", "--json"), _result, "rich.log"),
        Step("clone", "the rule found out: a clone", ("clone", "rich.log", "--hero", "rich", "-o", "rich.mz", "--json"),
             _likeness, "rich.mz"),
        Step("read", "the clone read back", ("read", "rich.mz", "--json"), _thresholds),
        Step("shoe", "a shoe of six decks, solved", ("blackjack", "ev", "--rules", "hungarian", "--json"),
             lambda run: f"{run['ev']:+.9f} of the bet a round, exact, in {run['seconds']:.2f} s"),
        Step("chart", "its strategy chart", ("blackjack", "chart", "--rules", "hungarian", "--json"),
             lambda run: f"worth {run['ev']:+.6f}"),
        Step("hand", "a hard hand of it", ("blackjack", "hand", "8,8", "v", "10", "--rules", "hungarian", "--json"),
             lambda run: f"best: {run['best']}"),
        *(Step(f"tressette-{a}", f"tressette, {a} against {b}", ("match", "tressette", a, b, "--deals",
               str(200 // n), "--seed", "1", "--json"), _result)
          for a, b in (("sampler:samples=8", "greedy"), ("decision-improved", "greedy"))),
        Step("tournaments", "50 tournaments of five bots that adapt", ("tournament", "--seats", "utility*5",
             "--count", str(50 // n), "--seed", "1", "--json"),
             lambda run: f"{run['hands']:,} hands; wins {' '.join(str(s['wins']) for s in run['seats'])}"),
    ]  # fmt: skip


def _result(run: Run) -> str:
    first = run["players"][0]
    unit = "bb_per_hand" if "bb_per_hand" in first else "points_per_deal"
    low, high = first["ci95"]
    return f"{first[unit]:+.3f} {unit.replace('_per_', ' a ')}, 95 % {low:+.3f} to {high:+.3f}"


def _likeness(run: Run) -> str:
    return "right on unseen cards: " + ", ".join(
        f"{street.lower()} {found['validation']['accuracy']:.1%}" for street, found in run["streets"].items()
    )


def _thresholds(run: Run) -> str:
    cuts = next(iter(run["streets"].values()))["thresholds"]
    return "it cuts at " + ", ".join(
        f"{c['attribute']} {c['threshold']:.3f} ({c['near']})" for c in cuts[:4] if c["near"]
    )


def _reason(run: Run) -> str:
    return f"{run['action']}: {run['reason']}"


def run_demo(folder: Path, todo: Sequence[Step], again: bool = False) -> Iterator[tuple[Step, Run, float]]:
    """Do each step that is not done yet; yields it with its data and the seconds it took (0 if it was there)."""
    folder.mkdir(parents=True, exist_ok=True)
    remade: set[str] = set()
    for step in todo:
        path = folder / f"{step.key}.json"
        stale = again or not remade.isdisjoint(step.arguments)  # it reads a file that has been made anew
        kept = None if stale else _kept(path, step, folder)
        if kept is None:
            began = time.perf_counter()
            run = _do(step, folder, path)
            remade.add(step.makes)
            yield step, run, time.perf_counter() - began
        else:
            yield step, kept, 0.0


def _kept(path: Path, step: Step, folder: Path) -> Run | None:
    try:
        run = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    whole = isinstance(run, dict) and run.get("command") == step.command and run.get("version") == __version__
    return run if whole and (not step.makes or (folder / step.makes).exists()) else None


def _do(step: Step, folder: Path, path: Path) -> Run:
    if step.makes:
        (folder / step.makes).unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "mazzo", *step.arguments], cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise MazzoError(f"{' '.join(step.command)} failed (exit code {done.returncode}); what it said is above")
    path.write_text(done.stdout)
    run: Run = json.loads(done.stdout)
    return run


def report_of(runs: Mapping[str, Run], quick: bool) -> Report:
    """The page: what was done, what came of it, what to try next."""
    sections = [
        _hero(runs),
        _others(runs),
        _decision(runs["explain-flop"], "Three aces on the flop"),
        _decision(runs["explain-river"], "Nine high on the river, facing a bet"),
        *_clone(runs),
        *_blackjack(runs),
        *_tressette(runs),
        _tournaments(runs["tournaments"]),
    ]
    words = [
        "Three card games, five ways to a strategy, and a figure with its error for each. Everything below was made on "
        "this machine by the commands shown; the same seeds give the same figures anywhere.",
    ]
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
        f"The hero wins {player['bb_per_hand']:.2f} big blinds a hand. The most that anybody can win against this "
        f"opponent, knowing how it plays, is {_MOST[1]}: the hero has {share:.0%} of it.",
    ]
    chart = replace(match.charts[0], references=[*match.charts[0].references, _MOST])
    return Section(
        "A hero learned from 5,000 hands", words, [*match.figures, *learn.figures], [chart, *learn.charts],
        commands=[" ".join(runs["log"]["command"]), *learn.commands, *match.commands],
    )  # fmt: skip


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
        "The hero against four opponents", "opponent", "big blinds a hand",
        [Series("the hero", names, means, lows, highs)], "bars", caption="It learned from random only. Seed 1.",
    )  # fmt: skip
    return Section(
        "And against others",
        ["It knows only players who act at random. Others it has never met: what it learned may or may not help."],
        charts=[chart],
        tables=[Table(("opponent", "big blinds a hand", "95 % interval", "hands"), rows)],
        commands=[" ".join(run["command"]) for _, run in found],
    )


def _decision(run: Run, title: str) -> Section:
    section = section_of_run(run)
    words = [
        f"The hero is asked about {run['hand']}: c call, r raise, / the next street; then its cards, and the board.",
        *section.words,
    ]
    return replace(section, title=f"Why? {title}", words=words)


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
        Section("A six-deck shoe, solved", words, figures, quotes=chart.quotes,
                commands=[*value.commands, *chart.commands]),
        replace(hand, title=f"One hand of it: {hand.title}"),
    ]  # fmt: skip


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
