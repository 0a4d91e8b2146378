"""Bodon (2000), 6.2 and 6.3.7: E_pos and E_neg by traversal, by network, by what was won, and by his own code."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mazzo.blackjack.rules import PRESETS
from mazzo.studies.row import Another, Measured, Printed, Row

__all__ = ["GLOBAL", "global_rows", "global_tasks", "winnings_error", "winnings_rows"]

Task = dict[str, Any]
Result = dict[str, Any]

_SIMULATED = 1e6 * 37.5
"""Rounds of the document's simulation: a million shoes of 35 to 40."""
_DEVIATION = 1.12
_TRAVERSED = {"positive": (0.004468, 1197), "negative": (-0.006973, 1199)}
_PLAYED = {"positive": (0.004735, 1191), "negative": (-0.006557, 1193)}


def global_tasks(full: bool) -> list[Task]:
    """The parts; quick: K to 12, little of it visited."""
    traversal = {"last": 40, "mass": 0.9, "exact": 20} if full else {"last": 10, "mass": 0.5, "exact": 2}
    return [
        {"figure": "6.3.7 together", "control": "linear", "seed": 1, **traversal},
        {"figure": "6.3.7 sorted", "shoes": 20_000 if full else 40, "exact": 200 if full else 10, "seed": 1},
        {
            "figure": "7 network",
            "points": 4000 if full else 200,
            "shoes": 4000 if full else 40,
            "exact": 120 if full else 10,
            "seed": 1,
        },
        {"figure": "8 appendix", "last": 40 if full else 20, "mass": 0.95, "seed": 1},
    ]


def _together(task: Task) -> Result:
    from mazzo.blackjack.documents.traversal_value import starts, together, values_after

    rules, cards = PRESETS["hungarian"], range(1, task["last"] + 1)
    weights = starts(rules, "rounds", cards, seed=task["seed"])
    wanted = [k for k in cards if weights.chances[k] > 0]
    options = {name: task[name] for name in ("mass", "exact", "control", "seed")}
    found = list(values_after(rules, wanted, **options))
    whole = together(found, weights)
    return {
        "positive": vars(whole.positive),
        "negative": vars(whole.negative),
        "visited": whole.mass,
        "left": [vars(part) for part in whole.left],
        "bias": list(whole.bias),
        "rounds": whole.rounds,
        "compositions": whole.compositions,
        "combinations": whole.combinations,
        "final": [found[-1].positive.mean, found[-1].negative.mean],
    }


def _sorted(task: Task) -> Result:
    from mazzo.blackjack.bets.estimate import shoe_figures

    rules, blocks = PRESETS["hungarian"], _blocks(task)
    return shoe_figures(rules, task["shoes"], task["exact"], task["seed"], control="plain", blocks=blocks).as_dict()


def _blocks(task: Task) -> int:
    """Parts that the error is estimated from."""
    return 40 if task["exact"] >= 40 else 10


def _network(task: Task) -> Result:
    from mazzo.blackjack.bets.estimate import shoe_figures
    from mazzo.blackjack.documents.neural import train_network

    rules = PRESETS["hungarian"]
    aside = min(task["exact"], 40)
    report = train_network(rules, task["points"], task["seed"], way="traversal", teacher="fast", held_out=aside)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "values.mz"
        report.network.save(path)
        options: dict[str, Any] = {"control": "network", "network": path, "blocks": _blocks(task)}
        found = shoe_figures(rules, task["shoes"], task["exact"], task["seed"], **options)
    errors = {"network": report.rmse_network, "infinite": report.rmse_infinite, "corrected": report.rmse_corrected}
    return {**found.as_dict(), "rmse": errors}


def _appendix(task: Task) -> Result:
    import numpy as np

    from mazzo.blackjack.bets.evaluators import evaluator_of
    from mazzo.blackjack.documents.appendix import appendix_sums
    from mazzo.blackjack.documents.traversal import THESIS_FILL

    rules = PRESETS["thesis"]
    values, rng_key = evaluator_of(rules, "infinite"), np.random.default_rng(task["seed"])
    fill = list(THESIS_FILL) + [k for k in range(1, 14) if k not in THESIS_FILL[13:]]  # the rest of the second round
    fill += [int(rank) for _ in range(2) for rank in 1 + rng_key.permutation(13)]
    sums: dict[str, list[float]] = {}
    for name, sign in (("printed", 1), ("turned", -1)):
        parts = [appendix_sums(rules, k, task["mass"], values, fill, sign) for k in range(1, task["last"] + 1)]
        sums[name] = [sum(part.positive for part in parts), sum(part.negative for part in parts)]
    return {"sums": sums}


GLOBAL: dict[str, Callable[[Task], Result]] = {
    "6.3.7 together": _together,
    "6.3.7 sorted": _sorted,
    "7 network": _network,
    "8 appendix": _appendix,
}
"""What does each part."""


def winnings_error(result: Result, name: str) -> float:
    """The standard error of the document's own figure: it stored what its rounds won, not what they are worth."""
    if result["figure"] not in ("6.3.7 shoes", "6.3.7 sorted", "7 network"):
        return 0.0
    share = result["favourable"]["mean"]
    return _DEVIATION * math.sqrt((share if name == "positive" else 1 - share) / _SIMULATED)


def _measured_row(what: str, found: dict[str, Any], text: float, where: Printed, why: str, error: float) -> Row:
    mean, own = found["mean"], found["standard_error"]
    return Row(what, f"{mean:.6f}", "", why, where, Measured(text, mean, own, error))


def winnings_rows(result: Result) -> list[Row]:
    """What rounds really won, by the sign of what they were held to be worth: the quantity of 6.2."""
    made = []
    for k, (name, (text, line)) in enumerate(_PLAYED.items()):
        why = f"{result['rounds']:,} rounds played; held favourable or not by the corrected infinite deck"
        printed = Printed(f"{text} (simulated)", "section 6.3.7", line)
        what = f"§6.2 won in rounds held {'favourable' if k == 0 else 'unfavourable'}, a round of all"
        made.append(_measured_row(what, result["won"][k], text, printed, why, winnings_error(result, name)))
    return made


def global_rows(result: Result) -> list[Row]:
    """Rows of one part."""
    rows: dict[str, Callable[[Result], list[Row]]] = {
        "6.3.7 together": _together_rows,
        "6.3.7 sorted": _sorted_rows,
        "7 network": _network_rows,
        "8 appendix": _appendix_rows,
    }
    return rows[result["figure"]](result)


def _together_rows(result: Result) -> list[Row]:
    made, last = [], result["last"]
    for k, (name, (text, line)) in enumerate(_TRAVERSED.items()):
        left = result["left"][k]
        why = (
            f"{100 * result['visited']:.1f} % visited in {result['compositions']:,} compositions; what is left, "
            f"sampled, adds {left['mean']:+.6f} ± {1.96 * left['standard_error']:.6f}; K weighed by the "
            f"{result['rounds']:.2f} rounds of a shoe that begin there; after {last} cards it is "
            f"{result['final'][k]:.6f}"
        )
        printed = Printed(f"{text} (K = 1..40)", "section 6.3.7", line)
        what = f"§6.3.7 E_{name[:3]}, traversal, K = 1..{last}"
        if last < 40:
            another: tuple[Another, str] = ("quantity", f"K to {last} only, in the quick form")
            made.append(Row(what, f"{result[name]['mean']:.6f}", "", why, printed, another=another))
        else:
            made.append(_measured_row(what, result[name], text, printed, why, 0.0))
    return made


def _sorted_rows(result: Result) -> list[Row]:
    made = []
    for k, (name, (text, line)) in enumerate(_PLAYED.items()):
        why = (
            f"worth of the rounds that the uncorrected infinite deck puts on that side; its values alone say "
            f"{result[name]['mean'] + list(result['guess_bias'].values())[k]:.6f}"
        )
        printed = Printed(f"{text} (simulated)", "section 6.3.7", line)
        what = f"§6.3.7 E_{name[:3]}, rounds sorted by the plain infinite deck"
        made.append(_measured_row(what, result["held"][k], text, printed, why, winnings_error(result, name)))
    return made


def _network_rows(result: Result) -> list[Row]:
    errors = result["rmse"]
    why = (
        f"trained on {result['points']:,} compositions drawn by the traversal; error {errors['network']:.6f} on exact "
        f"shoes, corrected infinite deck {errors['corrected']:.6f}, infinite deck {errors['infinite']:.6f}"
    )
    made = []
    for name in ("positive", "negative"):
        found = result[name]
        alone = found["mean"] + result["guess_bias"][name]
        interval = f"{found['ci95'][0]:.6f} .. {found['ci95'][1]:.6f}"
        what = f"§7 E_{name[:3]} with the network as evaluator, shoes played to the cut card"
        made.append(Row(what, f"{found['mean']:.6f} (the network alone {alone:.6f})", interval, why))
    return made


def _appendix_rows(result: Result) -> list[Row]:
    another: tuple[Another, str] = ("definition", "the appendix's code: every permutation valued as its base modifier")
    made, last = [], result["last"]
    for k, (name, (text, line)) in enumerate(_TRAVERSED.items()):
        as_printed, turned = (result["sums"][sign][k] / last for sign in ("printed", "turned"))
        why = "each sign reaches the size of one of the two figures, neither of both; the order of ranks is not known"
        printed = Printed(f"{text} (K = 1..40)", "section 6.3.7", line)
        what = f"§8 E_{name[:3]} as the appendix adds it up, mean of K = 1..{last}"
        ours = f"{as_printed:.6f} with its sign, {turned:.6f} with the sign of the text"
        made.append(Row(what, ours, "exact", why, printed, another=another))
    return made
