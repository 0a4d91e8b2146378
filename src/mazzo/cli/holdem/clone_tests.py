"""Parts of `mazzo clone`: models chosen by themselves, clones judged on other logs, reliability drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import note, print_table, progress
from mazzo.cli.holdem.describe import open_logs
from mazzo.cli.holdem.street_models import StreetPlan
from mazzo.confidence import INTERVAL

__all__ = ["auto_in", "choose_plans", "judge_tests", "show_sizes", "show_tests", "write_reliability"]


def auto_in(plans: list[StreetPlan]) -> bool:
    """Whether some street's model is chosen by itself."""
    from mazzo.holdem.cloning.auto import AUTO

    return any(plan.kind == AUTO for plan in plans)


def choose_plans(
    logs: tuple[str, ...],
    data: list[Any],
    plans: list[StreetPlan],
    found: dict[str, Any],
    options: dict[str, Any],
    folds: int,
    seed: int,
    silent: bool,
) -> tuple[list[Any], list[StreetPlan], list[Any]]:
    """Decisions and plans with what `auto` chose in its place, and the choices."""
    from mazzo.holdem.cloning.auto import AUTO, choose_streets, chosen_models, few_anywhere
    from mazzo.holdem.cloning.tuning import STEPS

    wanted = [plan.kind == "auto" for plan in plans]
    if not any(wanted):
        return data, plans, [None] * len(plans)
    batches = list(open_logs(logs, options)) if found["read"] and few_anywhere(data, wanted) else None
    with progress("choosing models", STEPS * sum(wanted), silent) as advance:
        chosen = choose_streets(data, batches, found["hero"], wanted, folds=folds, seed=seed, progress=advance)
    rows, kinds, settings = chosen_models(data, chosen)
    made = [
        replace(plan, kind=kind, settings=own) if plan.kind == AUTO else plan
        for plan, kind, own in zip(plans, kinds, settings, strict=True)
    ]
    return rows, made, chosen


def judge_tests(
    made: Any, tests: tuple[str, ...], hero: str, options: dict[str, Any], silent: bool
) -> dict[str, dict[str, Any]]:
    """How well the clone predicts the hero's decisions in other logs; hands it was learned from are left out."""
    from mazzo.errors import UnreadableError
    from mazzo.holdem.cloning.judging import judge_on, learned_from

    reader, fresh, known = open_logs(tests, options), [], 0
    for hands in reader:
        seen = learned_from(made, hands)
        known += int(seen.sum())
        fresh.append(hands[~seen])
    note(f"test: {reader.report}", silent)
    if known:
        note(f"{known} hands of the test logs were learned from and are left out", silent)
    found = judge_on(made, [hands for hands in fresh if len(hands)], hero)
    if not found:
        raise UnreadableError(
            f"no decision of {hero!r} is in the test logs (with its cards known, in hands it was not learned from)"
        )
    return found


def show_tests(tested: Mapping[str, Mapping[str, Any]]) -> None:
    """Scores on other logs, street by street."""
    click.echo("\nOn the test logs")
    table = []
    for street, v in tested.items():
        low, high = (100 * k for k in v["ci95"])
        line = [
            street,
            v["decisions"],
            f"{100 * v['accuracy']:.2f}",
            f"{low:.2f} .. {high:.2f}",
            f"{v['log_loss']:.4f}",
        ]
        table.append([*line, "{:.4f} .. {:.4f}".format(*v["log_loss_ci95"]), f"{v['brier']:.4f}"])
    print_table(["street", "decisions", "accuracy %", INTERVAL, "log-loss", INTERVAL, "Brier"], table)


def show_sizes(made: Any) -> None:
    """How well the sizes of raises are predicted, where they vary."""
    from mazzo.holdem.attributes import STREETS

    table = []
    for street, size in zip(STREETS, made.sizes, strict=True):
        if size is not None:
            s = size.settings
            usual = " ".join(f"{amount:.2f}" for amount in size.amounts)
            line = [street, s["raises"], usual, f"{100 * s['accuracy']:.1f}", f"{100 * s['majority']:.1f}"]
            table.append([*line, f"{s['error']:.3f}", f"{s['error_without']:.3f}"])
    if table:
        click.echo("\nSizes of raises, in pots after the call (held-out)")
        head = ["street", "raises", "classes", "class %", "commonest %", "error", "error of the median"]
        print_table(head, table)


def write_reliability(path: Path, judged: Mapping[str, Any]) -> None:
    """Of each street, how often what was given a chance happened, as SVG."""
    from mazzo.document import Chart, Series
    from mazzo.errors import UnreadableError
    from mazzo.files import write_whole
    from mazzo.reports.draw import svg

    series = []
    for street, found in judged.items():
        parts = (found or {}).get("reliability", [])
        if parts:
            x, y = ([part[key] for part in parts] for key in ("chance", "happened"))
            low, high = ([part[key] for part in parts] for key in ("low", "high"))
            series.append(Series(street, x, y, low, high))
    if not series:
        raise UnreadableError("--reliability needs held-out decisions: cross-validate (--folds) or give --test")
    series.append(Series("calibrated", [0.0, 1.0], [0.0, 1.0]))
    caption = f"Held-out decisions, all actions, by tenths of the chance given; {INTERVAL}s (Wilson)."
    chart = Chart("Reliability", "chance given", "share that happened", series, caption=caption)
    write_whole(path, svg(chart, standalone=True))
