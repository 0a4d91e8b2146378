"""What a report says of Hold'em's runs: learning, clones and what they look at, tournaments."""

from __future__ import annotations

from mazzo.confidence import INTERVAL, LEVEL
from mazzo.document import Chart, Figure, Grid, Run, Section, Series, between, command_of, signed
from mazzo.holdem.tournament.charts import drift_chart

__all__ = ["clone", "learn", "read", "tournament"]


def learn(run: Run) -> Section:
    """What was learned from how much, and how the fit went on."""
    residuals = run["residuals"]
    chart = Chart(
        "Bellman residual after each iteration",
        "iteration",
        "root mean square, chips",
        [Series("residual", list(range(1, len(residuals) + 1)), residuals)],
        caption=f"{run['decisions']:,} decisions of {run['hands']:,} hands, seed {run['seed']}.",
    )
    figures = [Figure(f"{run['decisions']:,}", "decisions learned from", f"{run['hands']:,} hands")]
    if "estimate" in run:
        e = run["estimate"]
        detail = f"{LEVEL} {between(e['ci95'], 3)}; fitted Q evaluation"
        figures.append(Figure(signed(e["bb_per_hand"], 3), "big blinds per hand, estimated from the log alone", detail))
    settings = [(k, run[k]) for k in ("regressor", "trees", "cuts", "leaf", "iterations", "reward", "gamma", "seed")]
    return Section(
        f"Learning {run['model']}",
        [f"Fitted Q-iteration with the attributes {', '.join(run['attributes'])}."],
        figures,
        [chart],
        [Grid(("setting", "value"), [(k, v) for k, v in settings if v is not None])],
        commands=command_of(run),
    )


def tournament(run: Run) -> Section:
    """Who won how often; how thresholds drifted."""
    seats = run["seats"]
    rows = [
        (
            s["name"],
            s["wins"],
            f"{s['share']:.1%}",
            f"{s['ci95'][0]:.1%} to {s['ci95'][1]:.1%}",
            " ".join(map(str, s["places"])),
        )
        for s in seats
    ]
    tracks = [(s["name"], s["drift"]) for s in seats if s.get("drift")]
    caption = f"{run['tournaments']} tournaments, seed {run['seed']}."
    return Section(
        f"{run['tournaments']:,} tournaments of {len(seats)}",
        [f"{run['hands']:,} hands were played; {run['hand_limit_reached']} tournaments ended by the hand limit."],
        charts=[drift_chart(tracks, caption)] if tracks else [],
        tables=[Grid(("agent", "wins", "share", INTERVAL, "places 1, 2, ..."), rows)],
        commands=command_of(run),
    )


def clone(run: Run) -> Section:
    """How often a clone of each street is right."""
    rows = []
    for street, found in run["streets"].items():
        judged = found["validation"] or {}
        ends = judged.get("ci95")
        rows.append(
            (
                street.lower(),
                f"{found['decisions']:,}",
                f"{found['majority']:.1%}",
                f"{judged['accuracy']:.2%}" if judged else "-",
                f"{ends[0]:.2%} to {ends[1]:.2%}" if ends else "-",
            )
        )
    return Section(
        f"A clone of {run['hero']}",
        ["One model a street, learned from the hero's own decisions and judged on cards it has not seen."],
        tables=[
            Grid(
                ("street", "decisions", "commonest action", "right", INTERVAL),
                rows,
                "Cross-validated by card set.",
            )
        ],
        commands=command_of(run),
    )


def read(run: Run) -> Section:
    """The simple cuts a clone found, and its first tree."""
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
        tables=[Grid(("street", "attribute", "cut at", "decisions", "near"), rows)],
        quotes=[run["streets"][first]["tree"]],
        commands=command_of(run),
    )
