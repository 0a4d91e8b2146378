"""The steps of the demo: commands, what each is for, and what to say when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mazzo.confidence import LEVEL
from mazzo.document import CardRow, Run

__all__ = ["CARDS", "Step", "steps"]

_GAME = "holdem-limit-2p"


def _cards(hole: str, board: str) -> tuple[CardRow, ...]:
    hand, table = (tuple(text[k : k + 2] for k in range(0, len(text), 2)) for text in (hole, board))
    return CardRow("the hero has", "french", hand), CardRow("on the table", "french", table)


CARDS = {
    "explain-flop": _cards("AsAh", "Ad7c2h"),
    "explain-river": _cards("9s8d", "Kd7c2hQc3s"),
    "hand": (CardRow("you", "french", ("8s", "8h")), CardRow("the dealer", "french", ("Td", None))),
}
"""The cards that a step is about, to be drawn."""

_DECISIONS = {"f": "folds", "c": "calls", "r": "raises"}


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
    cards: tuple[CardRow, ...] = ()
    """The cards it is about, to be drawn."""
    more: bool = False
    """Whether it needs packages beyond the core and scikit-learn, which may still be on their way."""

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
        Step("explain-flop", "a decision explained: three aces on the flop",
             ("explain", "hero.mz", "MATCHSTATE:0:0:rc/:AsAh|/Ad7c2h", "--json"), _reason,
             cards=CARDS["explain-flop"]),
        Step("explain-river", "another: nine high on the river, facing a bet",
             ("explain", "hero.mz", "MATCHSTATE:1:1:cc/cc/cc/r:|9s8d/Kd7c2h/Qc/3s", "--json"), _reason,
             cards=CARDS["explain-river"]),
        Step("rich-log", "hands of a player who follows a rule, logged", ("match", "holdem-limit-3p", "rich", "call",
             "random", "--hands", str(12_000 // n), "--seed", "1", "--log", "rich.log", "--json"), _result, "rich.log"),
        Step("clone", "the rule found out: a clone", ("clone", "rich.log", "--hero", "rich", "-o", "rich.mz", "--json"),
             _likeness, "rich.mz", more=True),
        Step("read", "the clone read back", ("read", "rich.mz", "--json"), _thresholds, more=True),
        Step("shoe", "a shoe of six decks, solved", ("blackjack", "ev", "--rules", "hungarian", "--json"),
             lambda run: f"{run['ev']:+.9f} of the bet a round, exact, in {run['seconds']:.2f} s"),
        Step("chart", "its strategy chart", ("blackjack", "chart", "--rules", "hungarian", "--json"),
             lambda run: f"worth {run['ev']:+.6f}"),
        Step("hand", "a hard hand of it", ("blackjack", "hand", "8,8", "v", "10", "--rules", "hungarian", "--json"),
             lambda run: f"best: {run['best']}", cards=CARDS["hand"]),
        *(Step(f"tressette-{a}", f"tressette, {a} against {b}", ("match", "tressette", a, b, "--deals",
               str(200 // n), "--seed", "1", "--json"), _result, more=True)
          for a, b in (("sampler:samples=8", "greedy"), ("decision-improved", "greedy"))),
        Step("tournaments", "50 tournaments of five bots that adapt", ("tournament", "--seats", "utility*5",
             "--count", str(50 // n), "--seed", "1", "--json"),
             lambda run: f"{run['hands']:,} hands; wins {' '.join(str(s['wins']) for s in run['seats'])}"),
    ]  # fmt: skip


def _result(run: Run) -> str:
    first = run["players"][0]
    unit = "bb_per_hand" if "bb_per_hand" in first else "points_per_deal"
    low, high = first["ci95"]
    return f"{first[unit]:+.3f} {unit.replace('_per_', ' a ')}, {LEVEL} {low:+.3f} to {high:+.3f}"


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
    action = str(run["action"])
    return f"it {_DECISIONS.get(action[:1], action)}: {run['reason']}"
