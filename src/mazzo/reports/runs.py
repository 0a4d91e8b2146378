"""From the files a person has (what commands printed with `--json`, what studies kept) to the sections of a report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mazzo.errors import UnreadableError
from mazzo.reports.chart import Chart, Series
from mazzo.reports.document import Figure, Section, Table

__all__ = ["SECTIONS", "Run", "curve_chart", "read_study", "section_of", "section_of_run"]

Run = Mapping[str, Any]

_UNITS = {"bb_per_hand": "big blinds a hand", "points_per_deal": "points a deal"}


def section_of(path: Path) -> Section:
    """What one file says."""
    if path.suffix == ".jsonl":
        from mazzo.studies.report import study_section

        work, results = read_study(path)
        return study_section(work["study"], work["full"], results)
    return section_of_run(_read_run(path), str(path))


def section_of_run(run: Run, where: str = "this run") -> Section:
    """What one run's data says."""
    words = [word for word in run["command"][1:] if not word.startswith("-")]
    for length in (2, 1):
        make = SECTIONS.get(" ".join(words[:length]))
        if make:
            try:
                return make(run)
            except (KeyError, TypeError, IndexError, ValueError) as wrong:
                raise UnreadableError(f"{where} is not a whole run of {words[0]}: {wrong!r} is missing") from None
    return _anything(run)


def _read_run(path: Path) -> Run:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise UnreadableError(f"cannot read {path}: {wrong.strerror}") from None
    except ValueError:
        raise UnreadableError(f"{path} is not JSON; a run is what a command prints with --json") from None
    if not isinstance(data, dict) or not _is_command(data.get("command")):
        raise UnreadableError(f"{path} is not a run of Mazzo: save what a command prints with --json, and name that")
    return data


def _is_command(words: Any) -> bool:
    return isinstance(words, list) and len(words) > 1 and all(isinstance(word, str) for word in words)


def read_study(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Which study a file of results belongs to, and what is in it so far; a last line cut short is left out."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        whole = [json.loads(line) for line in lines[:-1]]
        work = whole[0]["work"]
        if not (isinstance(work["study"], str) and isinstance(work["full"], bool)):
            raise ValueError
    except OSError as wrong:
        raise UnreadableError(f"cannot read {path}: {wrong.strerror}; run the study first") from None
    except (ValueError, LookupError, TypeError):
        raise UnreadableError(f"{path} is not a study's file of results; `mazzo study run NAME` makes one") from None
    return work, whole[1:]


def _command(run: Run) -> list[str]:
    return [shlex.join(run["command"])]


def _signed(value: float, digits: int = 4) -> str:
    return f"{value:+.{digits}f}"


def _between(ends: Any, digits: int = 4) -> str:
    return f"{ends[0]:+.{digits}f} to {ends[1]:+.{digits}f}"


def _match(run: Run) -> Section:
    players = run["players"]
    unit = next(k for k in players[0] if k in _UNITS)
    first = players[0]
    others = ", ".join(p["name"] for p in players[1:])
    rows = [(p["name"], _signed(p[unit]), _between(p["ci95"])) for p in players]
    detail = f"95 % {_between(first['ci95'])}, {run['hands']:,} hands, seed {run['seed']}"
    words = f"{run['hands']:,} hands of {run['game']}: {run['deals']:,} deals, each played in every seat."
    settled = first["ci95"][0] > 0 or first["ci95"][1] < 0
    who = f"{first['name']} {'wins' if first[unit] > 0 else 'loses'}"
    verdict = f"The interval leaves out zero: {who}." if settled else "The interval holds zero: nothing is settled."
    charts = [curve_chart(f"{first['name']} against {others}", _UNITS[unit], run["curve"])] if run.get("curve") else []
    return Section(
        f"{first['name']} against {others}",
        [f"{words} {verdict}"],
        [Figure(_signed(first[unit], 3), f"{first['name']}, {_UNITS[unit]}", detail)],
        charts,
        [Table(("agent", _UNITS[unit], "95 % interval"), rows)],
        commands=_command(run),
    )


def curve_chart(title: str, unit: str, curve: Any) -> Chart:
    """The mean so far with its interval, as a match went on: hands, mean, low, high."""
    hands, mean, low, high = (list(column) for column in zip(*curve, strict=True))
    return Chart(
        f"{title} as the match went on", "hands played", unit, [Series("mean so far", hands, mean, low, high)],
        references=[("even", 0.0)], caption="The band is the 95 % interval at that moment.",
    )  # fmt: skip


def _learn(run: Run) -> Section:
    residuals = run["residuals"]
    chart = Chart(
        "Bellman residual after each iteration", "iteration", "root mean square, chips",
        [Series("residual", list(range(1, len(residuals) + 1)), residuals)],
        caption=f"{run['decisions']:,} decisions of {run['hands']:,} hands, seed {run['seed']}.",
    )  # fmt: skip
    figures = [Figure(f"{run['decisions']:,}", "decisions learned from", f"{run['hands']:,} hands")]
    if "estimate" in run:
        e = run["estimate"]
        detail = f"95 % {_between(e['ci95'], 3)}; fitted Q evaluation"
        figures.append(Figure(_signed(e["bb_per_hand"], 3), "big blinds a hand, estimated from the log alone", detail))
    settings = [(k, run[k]) for k in ("regressor", "trees", "cuts", "leaf", "iterations", "reward", "gamma", "seed")]
    return Section(
        f"Learning {run['model']}",
        [f"Fitted Q-iteration with the attributes {', '.join(run['attributes'])}."],
        figures, [chart], [Table(("setting", "value"), [(k, v) for k, v in settings if v is not None])],
        commands=_command(run),
    )  # fmt: skip


def _tournament(run: Run) -> Section:
    from mazzo.holdem.tournament.charts import drift_chart

    seats = run["seats"]
    rows = [
        (s["name"], s["wins"], f"{s['share']:.1%}", f"{s['ci95'][0]:.1%} to {s['ci95'][1]:.1%}",
         " ".join(map(str, s["places"])))
        for s in seats
    ]  # fmt: skip
    tracks = [(s["name"], s["drift"]) for s in seats if s.get("drift")]
    caption = f"{run['tournaments']} tournaments, seed {run['seed']}."
    return Section(
        f"{run['tournaments']:,} tournaments of {len(seats)}",
        [f"{run['hands']:,} hands were played; {run['hand_limit_reached']} tournaments ended by the hand limit."],
        charts=[drift_chart(tracks, caption)] if tracks else [],
        tables=[Table(("agent", "wins", "share", "95 % interval", "places 1, 2, ..."), rows)],
        commands=_command(run),
    )


def _blackjack_value(run: Run) -> Section:
    exact = run["method"] == "exact"
    detail = "exact: every card that can come is counted" if exact else str(run["method"])
    return Section(
        f"What a shoe of {run['rules']['decks']} decks is worth",
        ["With the best play of every hand, for each unit bet, under these rules:"],
        [Figure(f"{100 * run['ev']:+.5f} %", "of the bet, a round", detail)],
        tables=[Table(("rule", "value"), list(run["rules"].items()))],
        commands=_command(run),
    )


def _blackjack_chart(run: Run) -> Section:
    from mazzo.blackjack.chart import chart_text
    from mazzo.blackjack.strategy import ROWS
    from mazzo.blackjack.strategy import Table as Strategy

    table = Strategy(tuple(run["rows"][row] for row in ROWS))
    return Section(
        "What to play",
        ["The best play by total and the dealer's card."],
        [Figure(f"{100 * run['ev']:+.5f} %", "of the bet, a round, by this chart", "exact for this chart")],
        quotes=[chart_text(table)], commands=_command(run),
    )  # fmt: skip


def _blackjack_hand(run: Run) -> Section:
    rows = [(p["play"], f"{p['ev']:+.6f}", f"{p['cost']:.6f}") for p in run["plays"]]
    return Section(
        f"{run['hand']} against {run['upcard']}",
        [f"The best play is to {run['best']}; beside the others, what they cost."],
        tables=[Table(("play", "worth", "costs"), rows, "Units of the bet; exact.")],
        commands=_command(run),
    )


def _explain(run: Run) -> Section:
    options = [(o["action"], _worth(o), _most(o["terms"])) for o in run["options"]]
    facts = [(name, value if isinstance(value, str) else f"{value:g}") for name, value in run["facts"].items()]
    return Section(
        f"Why {run['agent']} plays {run['action']} in {run['hand']}",
        [run["reason"][:1].upper() + run["reason"][1:] + "."],
        tables=[Table(("play", "worth", "most of it from"), options), Table(("what it saw", "value"), facts)],
        commands=_command(run),
    )  # fmt: skip


def _worth(option: Run) -> str:
    if option["value"] is None:
        return "-"
    error = option["standard_error"]
    return f"{option['value']:+.3f}" + ("" if error is None else f" ± {1.96 * error:.3f}")


def _most(terms: Mapping[str, Any]) -> str:
    numbers = [(name, value) for name, value in terms.items() if isinstance(value, int | float)]
    largest = sorted(numbers, key=lambda term: -abs(term[1]))[:3]
    return ", ".join(f"{name} {value:+.2f}" for name, value in largest)


def _clone(run: Run) -> Section:
    rows = []
    for street, found in run["streets"].items():
        judged = found["validation"] or {}
        ends = judged.get("ci95")
        rows.append((
            street.lower(), f"{found['decisions']:,}", f"{found['majority']:.1%}",
            f"{judged['accuracy']:.2%}" if judged else "-", f"{ends[0]:.2%} to {ends[1]:.2%}" if ends else "-",
        ))  # fmt: skip
    return Section(
        f"A clone of {run['hero']}",
        ["One model a street, learned from the hero's own decisions and judged on cards it has not seen."],
        tables=[Table(("street", "decisions", "commonest action", "right", "95 % interval"), rows,
                      "Cross-validated by card set.")],
        commands=_command(run),
    )  # fmt: skip


def _read(run: Run) -> Section:
    rows = [
        (street.lower(), t["attribute"], f"{t['threshold']:.4f}", f"{t['decisions']:,}", t["near"])
        for street, found in run["streets"].items()
        for t in found["thresholds"]
        if t["near"] and t["decisions"] >= found["decisions"] // 10
    ]
    first = next(iter(run["streets"]))
    return Section(
        f"What {run['hero']} looks at",
        ["Cuts near a simple fraction that a tenth of the decisions or more pass through; then the first tree whole."],
        tables=[Table(("street", "attribute", "cut at", "decisions", "near"), rows)],
        quotes=[run["streets"][first]["tree"]],
        commands=_command(run),
    )


def _study(run: Run) -> Section:
    from mazzo.studies.report import study_section

    return study_section(run["study"], run["full"], run["results"])


def _anything(run: Run) -> Section:
    """A run no section was written for: what it measured, as it stands."""
    rows = [(k, v) for k, v in run.items() if isinstance(v, str | int | float | bool) and k != "version"]
    title = " ".join(word for word in run["command"][:3] if not word.startswith("-"))
    return Section(title, tables=[Table(("what", "value"), rows)], commands=_command(run))


SECTIONS: dict[str, Callable[[Run], Section]] = {
    "match": _match,
    "learn": _learn,
    "read": _read,
    "tournament": _tournament,
    "blackjack ev": _blackjack_value,
    "blackjack chart": _blackjack_chart,
    "blackjack hand": _blackjack_hand,
    "clone": _clone,
    "explain": _explain,
    "study run": _study,
    "study report": _study,
}
"""The commands whose runs have a section of their own."""
