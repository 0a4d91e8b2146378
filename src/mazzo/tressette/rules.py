"""What can be set at tressette: how far a game goes, what is declared, what wins it, what may be said at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from mazzo.document import Section, Shown, settings
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.files import preset_in
from mazzo.registry import read_parameters, split_name

__all__ = ["DECLARATIONS", "PRESETS", "SIGNALS", "TARGETS", "Rules", "read_rules", "rules"]

TARGETS = (21, 31, 41, 51)
"""The points a game may be played to."""
SIGNALS = ("", "busso", "striscio", "volo")
"""What a leader may say where talking is allowed, always true: busso and striscio, it holds more of the suit (busso
also asks the partner for its best card); volo, this was its last. An action is a card + 40 times the signal."""
DECLARATIONS = ("before", "after", "none")
"""When declarations are made: before the first lead, after the first trick, or never."""


@dataclass(frozen=True)
class Rules(Shown):
    """The rules of a game of tressette; its text (`tressette:target=21,talk=true`) is read by `rules`."""

    target: int = 31
    """The points a game is played to."""
    a_monte: bool = True
    """Whether a hand of at most three thirds may send the deal a monte (void it)."""
    named: bool = False
    """Whether a declared napoli names its suit."""
    talk: bool = False
    """Whether leaders may signal (busso, striscio, volo); else the game is muto."""
    signals: str = "busso+striscio+volo"
    """Which signals may be given where there is talking."""
    declarations: str = "before"
    """When declarations are made: `before` the first lead, `after` the first trick, or `none`."""
    coda: bool = False
    """Whether each card that continues a napoli (king, knight, jack, 7 ...) scores one more point (napoletana con la
    coda); how many there are is shown when the round is scored."""
    out_at_once: bool = False
    """Whether the game ends within a round, after the trick that brings a side to the target and ahead."""
    cappotto: bool = False
    """Whether a side that takes all ten tricks wins the game at once, and four stakes."""
    stramazzo: bool = False
    """Whether a side wins the game at once, and three stakes, if the other takes cards worth less than a point."""
    a_perdere: bool = False
    """Whether points are lost: the side that reaches the target first loses; taking all eleven gives them to the other
    side."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value, wanted = getattr(self, field.name), type(field.default)
            if type(value) is not wanted:
                what = {int: "a whole number", str: "a word"}.get(wanted, "true or false")
                raise UnreadableError(f"{field.name} of tressette's rules is {what}, not {value!r}")
        if self.target not in TARGETS:
            raise UnreadableError(f"a game is played to {', '.join(map(str, TARGETS))} points, not {self.target}")
        if self.declarations not in DECLARATIONS:
            raise UnreadableError(
                f"declarations must be one of {', '.join(DECLARATIONS)}, got {self.declarations!r}; "
                f"{did_you_mean(self.declarations, DECLARATIONS)}"
            )
        self._check_signals()
        if self.a_perdere and self.declarations != "none":
            raise UnreadableError(
                "a perdere nothing is declared: add declarations=none, or take the rules tressette-a-perdere"
            )
        if self.coda and self.declarations == "none":
            raise UnreadableError("coda scores what continues a declared napoli: with declarations=none there is none")
        if self.a_perdere and (self.cappotto or self.stramazzo):
            raise UnreadableError("a perdere has a cappotto of its own: leave out cappotto and stramazzo")

    def _check_signals(self) -> None:
        for word in self.may_be_said:
            if word not in SIGNALS[1:]:
                raise UnreadableError(
                    f"{word!r} in signals={self.signals} is no signal; {did_you_mean(word, SIGNALS[1:])}"
                )

    @property
    def may_be_said(self) -> tuple[str, ...]:
        """The signals that leaders may give where there is talking."""
        return tuple(self.signals.split("+"))

    def section(self) -> Section:
        """Every rule and how it is set."""
        return settings("Rules of tressette", {field.name: getattr(self, field.name) for field in fields(self)})

    def __str__(self) -> str:
        changed = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        return ":".join(
            filter(None, ("tressette", ",".join(f"{key}={value}".lower() for key, value in changed.items())))
        )


PRESETS: Mapping[str, Rules] = {
    "tressette": Rules(),
    "tressette-talk": Rules(talk=True),
    "tressette-after": Rules(declarations="after", named=True),
    "tressette-coda": Rules(declarations="after", named=True, coda=True),
    "tressette-none": Rules(declarations="none"),
    "tressette-stakes": Rules(
        target=21, declarations="after", named=True, out_at_once=True, cappotto=True, stramazzo=True
    ),
    "tressette-a-perdere": Rules(declarations="none", a_perdere=True, a_monte=False),
}
"""The usual game; with signals; declared after the first trick with suits named; the same with the coda; without
declarations; to 21 with cappotto and stramazzo, ending within a round; and the game in which points are lost."""


def rules(given: Rules | str | None = None, **changes: Any) -> Rules:
    """Rules by name (`tressette`, `tressette-after`), as text (`tressette:target=21`) or in a `.toml` file.

    Args:
        given: The name, the text or the path; without it the usual rules. Rules are taken as they are.
        **changes: Fields of `Rules` to be set otherwise.
    """
    unknown = set(changes) - {field.name for field in fields(Rules)}
    if unknown:
        raise UnreadableError(_no_rule(min(unknown)))
    return replace(given if isinstance(given, Rules) else _find(given or "tressette"), **changes)


def _find(text: str) -> Rules:
    if text.endswith(".toml"):
        return read_rules(Path(text))
    name, given = split_name(text, "rules")
    if name not in PRESETS:
        raise UnreadableError(f"there are no rules {name!r} and it is no .toml file; {did_you_mean(name, PRESETS)}")
    return replace(PRESETS[name], **read_parameters(Rules, given, f"the rules {name!r}"))


def read_rules(path: Path) -> Rules:
    """The rules in a TOML file: fields of `Rules`, and `preset` for those it does not set."""
    preset, data = preset_in(path, PRESETS, "tressette")
    return rules(PRESETS[preset], **data)


def _no_rule(name: str) -> str:
    return f"tressette's rules have no {name!r}; {did_you_mean(name, [field.name for field in fields(Rules)])}"
