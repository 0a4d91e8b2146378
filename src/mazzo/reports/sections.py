"""Report sections of runs that belong to no one game; a game's own are offered by its entry (`SECTIONS`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mazzo.arena.match import UNITS
from mazzo.confidence import INTERVAL, LEVEL
from mazzo.document import Chart, Figure, Grid, Run, Section, Series, between, command_of, signed
from mazzo.games import entries
from mazzo.registry import Registry
from mazzo.statistics import Z95

__all__ = ["SECTIONS", "curve_chart", "find_section", "known_kind"]

SECTIONS: Registry[Callable[[Run], Section]] = Registry(
    "kind of run",
    {
        "league": "mazzo.arena.league:section_of_run",
        "study run": "mazzo.studies.report:section_of_run",
        "study report": "mazzo.studies.report:section_of_run",
    },
)
"""By kind of run (the words of its command) what a report says of it."""


def find_section(kind: str) -> Callable[[Run], Section]:
    """What makes the section of a kind of run; one that lists its figures where nobody wrote another."""
    for registry in _registries():
        if kind in registry:
            return registry[kind]
    return _anything


def known_kind(words: Sequence[str]) -> str:
    """The longest kind of run that a command's words begin with; empty where there is none."""
    begins = [" ".join(words[:k]) for k in range(len(words), 0, -1)]
    return next((kind for kind in begins if any(kind in registry for registry in _registries())), "")


def _registries() -> list[Registry[Callable[[Run], Section]]]:
    return [SECTIONS, *(entry.SECTIONS for entry in entries() if hasattr(entry, "SECTIONS"))]


@SECTIONS.register("match")
def _match(run: Run) -> Section:
    players = run["players"]
    unit = next(k for k in players[0] if k in UNITS)
    first = players[0]
    others = ", ".join(p["name"] for p in players[1:])
    rows = [(p["name"], signed(p[unit]), between(p["ci95"])) for p in players]
    detail = f"{LEVEL} {between(first['ci95'])}, {run['hands']:,} hands, seed {run['seed']}"
    words = f"{run['hands']:,} hands of {run['game']}: {run['deals']:,} deals, each played in every seat."
    settled = first["ci95"][0] > 0 or first["ci95"][1] < 0
    who = f"{first['name']} {'wins' if first[unit] > 0 else 'loses'}"
    verdict = f"The interval leaves out zero: {who}." if settled else "The interval holds zero: nothing is settled."
    charts = [curve_chart(f"{first['name']} against {others}", UNITS[unit], run["curve"])] if run.get("curve") else []
    return Section(
        f"{first['name']} against {others}",
        [f"{words} {verdict}"],
        [Figure(signed(first[unit], 3), f"{first['name']}, {UNITS[unit]}", detail)],
        charts,
        [Grid(("agent", UNITS[unit], INTERVAL), rows)],
        commands=command_of(run),
    )


def curve_chart(title: str, unit: str, curve: Any) -> Chart:
    """The mean so far with its interval, as a match went on: hands, mean, low, high."""
    hands, mean, low, high = (list(column) for column in zip(*curve, strict=True))
    return Chart(
        f"{title} as the match went on",
        "hands played",
        unit,
        [Series("mean so far", hands, mean, low, high)],
        references=[("even", 0.0)],
        caption=f"The band is the {INTERVAL} at that moment.",
    )


@SECTIONS.register("explain")
def _explain(run: Run) -> Section:
    options = [(o["action"], _worth(o), _most(o["terms"])) for o in run["options"]]
    facts = [(name, value if isinstance(value, str) else f"{value:g}") for name, value in run["facts"].items()]
    return Section(
        f"Why {run['agent']} plays {run['action']} in {run['hand']}",
        [run["reason"][:1].upper() + run["reason"][1:] + "."],
        tables=[Grid(("play", "worth", "most of it from"), options), Grid(("what it saw", "value"), facts)],
        commands=command_of(run),
    )


def _worth(option: Run) -> str:
    if option["value"] is None:
        return "-"
    error = option["standard_error"]
    return f"{option['value']:+.3f}" + ("" if error is None else f" ± {Z95 * error:.3f}")


def _most(terms: Mapping[str, Any]) -> str:
    numbers = [(name, value) for name, value in terms.items() if isinstance(value, int | float)]
    largest = sorted(numbers, key=lambda term: -abs(term[1]))[:3]
    return ", ".join(f"{name} {value:+.2f}" for name, value in largest)


def _anything(run: Run) -> Section:
    """A run no section was written for: what it measured, as it stands."""
    rows = [(k, v) for k, v in run.items() if isinstance(v, str | int | float | bool) and k != "version"]
    title = " ".join(word for word in run["command"][:3] if not word.startswith("-"))
    return Section(title, tables=[Grid(("what", "value"), rows)], commands=command_of(run))
