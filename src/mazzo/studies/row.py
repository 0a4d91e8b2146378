"""A figure of a document beside ours, and the one rule that judges it.

A study gives numbers and says where the document prints its figure; it cannot give a verdict. `Row.verdict` is made by
`judge` alone, and `RULE` is that rule in words, printed on every page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from mazzo.confidence import LEVEL
from mazzo.statistics import Z95, student, wilson

__all__ = [
    "RULE",
    "Another",
    "Exact",
    "Measured",
    "Printed",
    "Rank",
    "Row",
    "Sign",
    "Test",
    "Verdict",
    "judge",
    "share_error",
]

Verdict = Literal["agrees", "differs", "undecided", "not comparable", "added", "not done"]
Another = Literal["player", "opponent", "quantity", "definition"]
"""What makes two figures incomparable: they are of another one of these."""

RULE = (
    "How verdicts are made, in this order. Not comparable: the figure is of another player, opponent, quantity or "
    "definition, which the row names. Exact quantities agree if ours, rounded or cut at the printed digits, is what is "
    f"printed, else they differ. Measured ones differ if they are more than {Z95:.2f} standard errors apart (the "
    "errors of both, where the document gives a number of trials; Student's factor where ours are few), agree if not "
    "and these errors allow at most a tenth of the figure (or the resolution that the row states), else they are "
    "undecided. A claim that one is better than another, or best of several, agrees if the difference has that sign "
    f"and its {LEVEL} interval excludes zero, differs if the interval lies on the other side, else it is undecided. "
    "Added: the document prints no such figure. Not done: the row says what is missing."
)


@dataclass(frozen=True)
class Printed:
    """What a document prints, and where."""

    words: str
    """The figure as the row shows it."""
    place: str
    """Table, figure, section or equation: "table 8"."""
    line: int
    """The line of the document's stored text."""
    page: int | None = None

    def __post_init__(self) -> None:
        if not self.words or not self.place or self.line < 1:
            raise ValueError(f"a printed figure needs words, a place and a line; got {self!r}")

    @property
    def where(self) -> str:
        """Place, page where it is known, line."""
        page = "" if self.page is None else f", p. {self.page}"
        return f"{self.place}{page}, line {self.line}"


@dataclass(frozen=True)
class Exact:
    """Quantities that are counted or computed on both sides; the document's as printed: "-0.0019634"."""

    printed: str | Sequence[str]
    ours: float | str | Sequence[float | str]

    def judge(self) -> tuple[Verdict, str]:
        """Equal at the printed digits or not."""
        printed = [self.printed] if isinstance(self.printed, str) else list(self.printed)
        ours = [self.ours] if isinstance(self.ours, str | int | float) else list(self.ours)
        wrong = [k for k, (a, b) in enumerate(zip(printed, ours, strict=True), 1) if not _equal(a, b)]
        if not wrong:
            return "agrees", ""
        return "differs", "" if len(printed) == 1 else f"{len(wrong)} of {len(printed)} figures differ"


def _equal(printed: str, ours: float | str) -> bool:
    if isinstance(ours, str):
        return printed == ours
    decimals = len(printed.partition(".")[2])
    value, unit = float(printed.replace(",", "")), 10.0**decimals
    rounded, cut = round(ours, decimals), math.trunc(round(ours * unit, 6)) / unit
    return math.isclose(value, rounded, abs_tol=1e-12) or math.isclose(value, cut, abs_tol=1e-12)


@dataclass(frozen=True)
class Measured:
    """A sampled quantity: both figures with their standard errors (0 where one is exact or gives no number)."""

    printed: float
    ours: float
    error: float
    printed_error: float = 0.0
    repetitions: int | None = None
    """Where our error is estimated from so few values (seeds), which widens it by Student's factor."""
    resolution: float | None = None
    """Half a width that decides, where the figure is near zero."""

    @property
    def half(self) -> float:
        """Half of our interval."""
        return _half(self.error, self.repetitions)

    def judge(self) -> tuple[Verdict, str]:
        """By the distance in standard errors, then by how wide the comparison is."""
        apart, allowed = abs(self.ours - self.printed), math.hypot(self.half, Z95 * self.printed_error)
        if apart > allowed:
            return "differs", f"{apart:.3g} apart, where chance allows {allowed:.3g}"
        enough = abs(self.printed) / 10 if self.resolution is None else self.resolution
        if allowed <= enough:
            return "agrees", f"{apart:.3g} apart, where chance allows {allowed:.3g}"
        return "undecided", f"{apart:.3g} apart, and chance allows {allowed:.3g}, which is more than {enough:.3g}"


@dataclass(frozen=True)
class Sign:
    """A claim that one thing is more than another: our difference, positive in the direction the document says."""

    difference: float
    error: float
    repetitions: int | None = None

    def judge(self) -> tuple[Verdict, str]:
        """By whether the interval of the difference excludes zero."""
        half = _half(self.error, self.repetitions)
        words = f"difference {self.difference:+.3g}" + (f" ± {half:.3g}" if half else "")
        if self.difference - half > 0:
            return "agrees", words
        return ("differs" if self.difference + half < 0 or not half else "undecided"), words


@dataclass(frozen=True)
class Rank:
    """A claim that one is best of several: its lead over each other with the lead's standard error."""

    leads: tuple[tuple[float, float], ...]
    repetitions: int | None = None

    @classmethod
    def of_means(cls, best: str, means: Mapping[str, tuple[float, float]], repetitions: int | None = None) -> Rank:
        """From independent means with their standard errors."""
        value, error = means[best]
        others = [pair for name, pair in means.items() if name != best]
        return cls(tuple((value - v, math.hypot(error, e)) for v, e in others), repetitions)

    @classmethod
    def of_counts(cls, best: int, counts: Sequence[int]) -> Rank:
        """From how often each of several came first (a multinomial sample), in counts."""
        n, mine = sum(counts), counts[best]
        leads = []
        for k, other in enumerate(counts):
            if k != best:
                leads.append((float(mine - other), math.sqrt(mine + other - (mine - other) ** 2 / n)))
        return cls(tuple(leads))

    def judge(self) -> tuple[Verdict, str]:
        """Best by all intervals, worse than one by its interval (narrowed for so many looks), or undecided."""
        least, error = min(self.leads, key=lambda lead: lead[0] / lead[1] if lead[1] else math.copysign(9e9, lead[0]))
        words = f"lead over the nearest {least:+.3g}" + (f" ± {_half(error, self.repetitions):.3g}" if error else "")
        if least < 0:
            words = words.replace("lead over the nearest", "behind the best by")
        if all(lead - _half(e, self.repetitions) > 0 for lead, e in self.leads):
            return "agrees", words
        looks = len(self.leads)
        behind = any(lead + _half(e, self.repetitions, looks) < 0 for lead, e in self.leads)
        return ("differs" if behind else "undecided"), words


Test = Exact | Measured | Sign | Rank


def _half(error: float, repetitions: int | None, looks: int = 1) -> float:
    """Half of the interval of a standard error, for so many looks at once (Bonferroni)."""
    from statistics import NormalDist

    from mazzo.confidence import CONFIDENCE

    level = 1 - (1 - CONFIDENCE) / looks
    if repetitions is not None:
        return student(repetitions, level) * error
    return (Z95 if looks == 1 else NormalDist().inv_cdf((1 + level) / 2)) * error


def share_error(successes: float, n: int) -> float:
    """The standard error of a share, from Wilson's interval: not zero where all or none succeed."""
    low, high = wilson(round(successes), n)
    return (high - low) / (2 * Z95)


@dataclass(frozen=True)
class Row:
    """One figure of the document beside ours."""

    what: str
    ours: str
    interval: str = ""
    """Of ours, where it is sampled; a measured row shows it by itself."""
    why: str = ""
    printed: Printed | None = None
    test: Test | None = None
    """Ours against the document's, in numbers."""
    another: tuple[Another, str] | None = None
    """Why the two cannot be compared: of another what, and in what way."""
    undone: str = ""
    """What is missing, where nothing was done."""

    def __post_init__(self) -> None:
        if self.another is not None and (self.another[0] not in get_args(Another) or not self.another[1]):
            raise ValueError(f"{self.what}: say which of {get_args(Another)} is another, and how; got {self.another!r}")
        if self.printed is None and (self.test is not None or self.another is not None):
            raise ValueError(f"{self.what}: what is judged must say where the document prints it")
        if self.printed is not None and not self.undone and self.test is None and self.another is None:
            raise ValueError(f"{self.what}: a printed figure needs a test, or the reason why it cannot be compared")

    @property
    def kind(self) -> str:
        """Which part of the rule judges it."""
        if self.test is None or self.another is not None:
            return judge(self)[0]
        return type(self.test).__name__.lower()

    @property
    def text(self) -> str:
        """What the document prints."""
        return "" if self.printed is None else self.printed.words

    @property
    def where(self) -> str:
        """Where the document prints it."""
        return "" if self.printed is None else self.printed.where

    @property
    def verdict(self) -> Verdict:
        """By the one rule."""
        return judge(self)[0]

    def as_dict(self) -> dict[str, Any]:
        """For JSON and pages."""
        verdict, words = judge(self)
        interval = self.interval
        if not interval and isinstance(self.test, Measured) and self.test.half:
            interval = f"± {self.test.half:.3g}"
        why = "; ".join(part for part in (words, self.why) if part)
        return {
            "what": self.what,
            "text": self.text,
            "where": self.where,
            "ours": self.ours,
            "interval": interval,
            "verdict": verdict,
            "why": why,
            "kind": self.kind,
        }


def judge(row: Row) -> tuple[Verdict, str]:
    """The verdict on a row, and what it rests on."""
    if row.undone:
        return "not done", row.undone
    if row.printed is None:
        return "added", ""
    if row.another is not None:
        found = f"; ours: {row.test.judge()[1]}" if isinstance(row.test, Sign | Rank) else ""
        return "not comparable", f"another {row.another[0]}: {row.another[1]}{found}"
    assert row.test is not None
    return row.test.judge()
