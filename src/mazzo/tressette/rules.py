"""What can be set at tressette: how far a game goes, and what may be said at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from mazzo.document import Section, Shown, settings
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.files import preset_in
from mazzo.registry import read_parameters, split_name

__all__ = ["PRESETS", "TARGETS", "Rules", "read_rules", "rules"]

TARGETS = (21, 31, 41, 51)
"""The points a game may be played to."""


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

    def __post_init__(self) -> None:
        for field in fields(self):
            value, wanted = getattr(self, field.name), type(field.default)
            if type(value) is not wanted:
                what = "a whole number" if wanted is int else "true or false"
                raise UnreadableError(f"{field.name} of tressette's rules must be {what}, got {value!r}")
        if self.target not in TARGETS:
            raise UnreadableError(f"a game must be played to {', '.join(map(str, TARGETS))} points, got {self.target}")

    def section(self) -> Section:
        """Every rule and how it is set."""
        return settings("Rules of tressette", {field.name: getattr(self, field.name) for field in fields(self)})

    def __str__(self) -> str:
        changed = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        return ":".join(
            filter(None, ("tressette", ",".join(f"{key}={value}".lower() for key, value in changed.items())))
        )


PRESETS: Mapping[str, Rules] = {"tressette": Rules(), "tressette-talk": Rules(talk=True)}
"""The usual game, and the one with signals."""


def rules(given: Rules | str | None = None, **changes: Any) -> Rules:
    """Rules by name (`tressette`, `tressette-talk`), as text (`tressette:target=21`) or in a `.toml` file.

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
