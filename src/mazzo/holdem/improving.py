"""Play, learn, play: a hero that plays its opponents, learns from all hands so far, and is kept where it is better.

A round logs hands of the best hero so far, which explores a stated share of its decisions; learns a new one from the
hands of all rounds; and lets both play every opponent on the same fresh deals. `self` among the opponents stands for
all heroes kept so far, each as often as the other: the answer to the mixture of them is learned (fictitious play, Brown
1951; from samples: Heinrich, Lanctot, Silver 2015), not to the last one alone. Everything is in a folder beside the
hero's file, so that what was done is not done again.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.files import write_whole
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.explorer import POTS, Explorer
from mazzo.holdem.match import HoldemMatch, generate
from mazzo.holdem.rules import rules
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Workers

__all__ = ["SELF", "ImprovementPlan", "Round", "folder_of", "improve"]

GAME = "holdem-limit-2p"
SELF = "self"
_BEGINNER = "random"
_PART = 500
"""Deals after which opponents that learn are told how they went."""


@dataclass(frozen=True)
class ImprovementPlan:
    """What is done in every round; a folder holds the rounds of one plan."""

    against: tuple[str, ...]
    hands: int = 20_000
    """Hands that are logged in a round, over all opponents."""
    deals: int = 5_000
    """Deals, each played in both seats, on which a new hero is measured against each opponent."""
    explore: float = 0.1
    regressor: str = "boosted"
    trees: int | None = None
    leaves: int | None = None
    seed: int = 0
    game: str = GAME
    first: str = _BEGINNER
    """Who plays the first round where there is no hero yet."""
    attributes: tuple[str, ...] = ()
    """What a hero looks at, or none for what it does by default at such a game."""


@dataclass(frozen=True)
class Round:
    """What came of a round."""

    number: int
    model: str
    """The file of its hero, in the folder."""
    decisions: int
    """What it was learned from."""
    earned: dict[str, tuple[float, float]]
    """By opponent, big blinds a hand and their standard error."""
    gain: tuple[float, float] | None
    """What it earns more than the best hero before it, on the same deals, and the standard error; None if none was."""
    kept: bool

    def __str__(self) -> str:
        each = ", ".join(f"{mean:+.3f} against {name}" for name, (mean, _) in self.earned.items())
        if self.gain is None:
            return f"round {self.number}: {each} bb/hand; the first, kept"
        low, high = Estimate(*self.gain, n=1).ci95
        what = "kept" if self.kept else "not kept"
        return (
            f"round {self.number}: {each} bb/hand; {self.gain[0]:+.3f} ({low:+.3f} .. {high:+.3f}) on the best; {what}"
        )


def folder_of(hero: Path) -> Path:
    """Where the rounds of a hero are kept."""
    return hero.with_suffix(".improve")


def improve(
    hero: Path,
    plan: ImprovementPlan,
    rounds: int,
    *,
    patience: int = 2,
    workers: Workers = 1,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> Iterator[Round]:
    """Improve a hero round by round; rounds that were done before are given first, and not done again.

    Args:
        hero: The hero's file: where it exists it is where to begin, and it always holds the best so far.
        plan: What is done in every round.
        rounds: How many there are at most, those before included.
        patience: It ends by itself after so many rounds in a row that made nothing better.
        workers: Processes to use.
        progress: Is told what is done now and which share of the round is done.
    """
    folder = folder_of(hero)
    done = _begin(hero, folder, plan)
    yield from done
    while len(done) < rounds and not _stuck(done, patience):
        done.append(_round(folder, plan, done, workers, progress))
        _note(folder, done[-1])
        best = _best(folder, done)
        if best is not None and done[-1].kept:
            write_whole(hero, best.read_bytes())
        yield done[-1]


def _stuck(done: list[Round], patience: int) -> bool:
    return len(done) >= patience and not any(each.kept for each in done[-patience:])


def _begin(hero: Path, folder: Path, plan: ImprovementPlan) -> list[Round]:
    """The rounds that were done; a new folder begins with the hero, if there is one."""
    for name in plan.against:
        if name != SELF:
            reason = find_agent(name).unsupported_reason(rules(plan.game))
            if reason:
                raise UnreadableError(f"agent {name!r} cannot play here: {reason}")
    if not 0 < plan.explore <= 1:
        raise UnreadableError(f"explore must be above 0 and at most 1, got {plan.explore}: nothing new would be seen")
    file, made = folder / "plan.json", json.loads(json.dumps(asdict(plan)))  # tuples as the file gives them back
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if hero.exists():
            find_agent(str(hero))  # what is not a hero is said before anything is done
            shutil.copy(hero, folder / "start.mz")
        write_whole(file, json.dumps(made).encode())
        return []
    try:
        before = json.loads(file.read_text())
        kept = (folder / "rounds.jsonl").read_text().splitlines() if (folder / "rounds.jsonl").exists() else []
        done = [_read(json.loads(line)) for line in kept]
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise UnreadableError(f"{folder} cannot be continued: {error}; move it away to begin again") from None
    if {"game": GAME, "first": _BEGINNER, "attributes": [], **before} != made:
        raise UnreadableError(f"{folder} holds rounds of another plan ({before}); move it away to begin a new one")
    return done


def _read(data: dict[str, Any]) -> Round:
    earned = {str(name): (float(m), float(e)) for name, (m, e) in data["earned"].items()}
    gain = None if data["gain"] is None else (float(data["gain"][0]), float(data["gain"][1]))
    return Round(int(data["number"]), str(data["model"]), int(data["decisions"]), earned, gain, bool(data["kept"]))


def _note(folder: Path, each: Round) -> None:
    with (folder / "rounds.jsonl").open("a") as file:
        file.write(json.dumps(asdict(each)) + "\n")


def _heroes(folder: Path, done: list[Round]) -> list[Path]:
    """The hero it began with, if there was one, and those that were kept."""
    start = folder / "start.mz"
    return [*([start] if start.exists() else []), *(folder / each.model for each in done if each.kept)]


def _best(folder: Path, done: list[Round]) -> Path | None:
    heroes = _heroes(folder, done)
    return heroes[-1] if heroes else None


def _opponents(folder: Path, plan: ImprovementPlan, done: list[Round]) -> list[str]:
    """Those named; all heroes so far for `self`, and a beginner where there are none."""
    named = [name for name in plan.against if name != SELF]
    if SELF in plan.against:
        named += [str(path) for path in _heroes(folder, done)] or [plan.first]
    return list(dict.fromkeys(named))


def _tables(plan: ImprovementPlan, opponents: list[str]) -> dict[str, list[str]]:
    """Who sits at the tables with the hero, by a name for each: one opponent, or all in turn until seats are taken."""
    others = rules(plan.game).players - 1
    if others == 1:
        return {Path(name).name: [name] for name in opponents}
    made = {}
    for first in range(0, len(opponents), others):
        seated = [opponents[(first + k) % len(opponents)] for k in range(others)]
        counts = Counter(Path(name).name for name in seated)
        made[" + ".join(name if n == 1 else f"{name}*{n}" for name, n in counts.items())] = seated
    return made


def _round(
    folder: Path, plan: ImprovementPlan, done: list[Round], workers: Workers, progress: Callable[[str, float], None]
) -> Round:
    number = len(done) + 1
    opponents, best = _opponents(folder, plan, done), _best(folder, done)
    progress("playing", 0.0)
    player = find_agent(plan.first) if best is None else find_agent(str(best))
    _log(folder, plan, number, player, list(_tables(plan, opponents).values()))
    progress("learning", 0.3)
    model = folder / f"round-{number:02d}.mz"
    decisions = _learn(folder, plan, number, model, workers)
    progress("measuring", 0.7)
    earned, gain = _measure(plan, number, model, best, opponents)
    progress("done", 1.0)
    better = gain is None or gain.ci95[0] > 0
    names = {name: (each.mean, each.standard_error) for name, each in earned.items()}
    return Round(
        number, model.name, decisions, names, None if gain is None else (gain.mean, gain.standard_error), better
    )


def _log(folder: Path, plan: ImprovementPlan, number: int, player: Agent[Any], tables: list[list[str]]) -> None:
    """Log the hands of a round; what an interrupted round left is written anew."""
    for left in folder.glob(f"round-{number:02d}-*.log"):
        left.unlink()
    for k, seated in enumerate(tables):
        explorer = Explorer.of(player, plan.explore, "hero", POTS)
        others = [find_agent(name) for name in seated]
        for place, other in enumerate(others):
            other.name = f"opponent {k + 1 + place}"
        seed = plan.seed * 1_000_003 + number * 1009 + k
        to = folder / f"round-{number:02d}-{k + 1:02d}.log"
        generate(plan.game, [explorer, *others], max(1, plan.hands // len(tables)), to=to, seed=seed)


def _learn(folder: Path, plan: ImprovementPlan, number: int, model: Path, workers: Workers) -> int:
    """Learn from the hands of all rounds so far; gives how many decisions there were.

    Everything was explored, as much as the plan says, so that every action is believed.
    """
    from mazzo.holdem.learning import decisions_of
    from mazzo.holdem.learning.hero import Settings, learn_hero
    from mazzo.holdem.logs import read_hands

    logs = [path for k in range(1, number + 1) for path in sorted(folder.glob(f"round-{k:02d}-*.log"))]
    decisions = decisions_of(read_hands(logs), player="hero", reward="auto", attributes=plan.attributes or None)
    settings = Settings(
        attributes=decisions.attributes,
        regressor=plan.regressor,
        trees=plan.trees,
        leaves=plan.leaves,
        seed=plan.seed,
        reward="auto",
        caution="none",
    )
    learn_hero(decisions, settings, workers=workers).save(model)
    return len(decisions)


def _measure(
    plan: ImprovementPlan, number: int, model: Path, best: Path | None, opponents: list[str]
) -> tuple[dict[str, Estimate], Estimate | None]:
    """What the new hero earns against each, and how much more than the best one on the same deals."""
    seed = plan.seed * 1_000_003 + number * 1009 + 500
    earned, gains = {}, []
    for name, seated in _tables(plan, opponents).items():
        own = _won(plan, [str(model), *seated], seed)
        earned[name] = Moments.of(own).estimate()
        if best is not None:
            gains.append(own - _won(plan, [str(best), *seated], seed))
    return earned, Moments.of(np.mean(gains, axis=0)).estimate() if gains else None


def _won(plan: ImprovementPlan, names: list[str], seed: int) -> Floats:
    """What the first player wins, deal by deal; those who learn do so as they play."""
    match, agents = HoldemMatch(rules(plan.game)), [find_agent(name) for name in names]
    parts = (range(first, min(first + _PART, plan.deals)) for first in range(0, plan.deals, _PART))
    return np.concatenate([match.play(agents, part, seed)[0][:, 0] for part in parts])
