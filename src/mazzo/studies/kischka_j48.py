"""Weka's own J48 on the study's data, in a Java process of its own; nothing of it is part of Mazzo.

Weka is under the GPL and Mazzo is not: `pip install 'mazzo[weka]'` brings its jar with python-weka-wrapper3, the data
goes to it as ARFF, and what it prints is read. Where the jar or Java is missing, the parts say so; results stay with
the study.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import MazzoError
from mazzo.holdem.cloning.data import CLASSES, Rows

__all__ = ["FOLDS", "J48", "MISSING", "cross_validated", "j48", "sampled", "shared", "weka_jar"]

FOLDS = 7
MISSING = "Weka or Java is not there: pip install 'mazzo[weka]', and a Java runtime as `java`"
_SETTINGS = ("-C", "0.25", "-M", "2")
"""Those of section 6.1."""
_DRAWS = 10_000
"""Deals from which the Darmstadt framework samples an equity (section 3.5.2)."""
_RAISE, _FOLD, _CALL = (CLASSES.index(name) for name in ("RAISE", "FOLD", "CALL"))


class WekaError(MazzoError):
    """Weka did not do what it was asked to."""


class J48(NamedTuple):
    """One tree: what it was learned from, its size, and how often it is right."""

    trained: int
    size: int
    leaves: int
    right_trained: int
    """Decisions that it was learned from and gives back."""
    judged: int
    right: int


def weka_jar() -> Path | None:
    """The jar that python-weka-wrapper3 brings, if it is installed and there is a Java to run it."""
    spec = find_spec("weka")
    places = list(spec.submodule_search_locations or ()) if spec else []
    jars = [Path(place) / "lib" / "weka.jar" for place in places]
    found = next((jar for jar in jars if jar.is_file()), None)
    return found if shutil.which("java") else None


def j48(jar: Path, rows: Rows, train: NDArray[np.bool_], folder: Path) -> J48:
    """Learn from some rows and judge on the others."""
    import polars as pl

    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.stored import frame_of, write_frame

    whole = frame_of(rows)
    paths = []
    for name, chosen in (("train", train), ("test", ~train)):
        paths.append(folder / f"{name}.arff")
        write_frame(whole.filter(pl.Series(chosen)), paths[-1], STREETS[rows.street], whole)
    # Small runs: the client compiler and one collecting thread take a third of the time of the usual ones.
    java = [
        "java",
        "-Xmx2g",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
    ]
    words = [*java, "-cp", str(jar), "weka.classifiers.trees.J48", "-t", str(paths[0]), "-T", str(paths[1])]
    done = subprocess.run([*words, "-c", "last", *_SETTINGS], capture_output=True, text=True, check=False)
    return J48(int(train.sum()), *_read(done.stdout, done.stderr))


def _read(told: str, wrong: str) -> tuple[int, int, int, int, int]:
    """What Weka prints of a tree: nodes, leaves, right where learned, judged, right where judged."""
    leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", told)
    size = re.search(r"Size of the tree\s*:\s*(\d+)", told)
    right = re.findall(r"Correctly Classified Instances\s+(\d+)", told)
    total = re.findall(r"Total Number of Instances\s+(\d+)", told)
    if leaves is None or size is None or len(right) != 2 or len(total) != 2:
        raise WekaError(f"Weka gave no tree: {(wrong or told).strip()[-500:]}")
    return int(size[1]), int(leaves[1]), int(right[0]), int(total[1]), int(right[1])


def cross_validated(rows: Rows, seed: int) -> list[J48] | None:
    """Kischka's protocol: seven folds by card set, all others to learn from. None where Weka is missing."""
    from mazzo.holdem.cloning.validate import folds_of

    fold = folds_of(rows.group, FOLDS, seed)
    return _trees(rows, [fold != k for k in range(FOLDS)])


def shared(rows: Rows, share: float, seed: int) -> list[J48] | None:
    """Trees of a share of the data each, other card sets every time, judged on the rest."""
    rng = np.random.default_rng(seed)
    groups = np.unique(rows.group)
    chosen = [rng.permutation(groups)[: max(1, round(share * len(groups)))] for _ in range(FOLDS)]
    return _trees(rows, [np.isin(rows.group, some) for some in chosen])


def _trees(rows: Rows, parts: Sequence[NDArray[np.bool_]]) -> list[J48] | None:
    jar = weka_jar()
    if jar is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        return [j48(jar, rows, train, Path(folder)) for train in parts]


def sampled(rows: Rows, seed: int) -> Rows:
    """Decisions of `rich` as they would be with equities sampled from 10,000 deals, as in the Darmstadt framework.

    The bot samples, and who describes the decision samples again; but against one opponent the description comes from
    tables before the flop and counts all deals on the river (section 3.5.2). The situations are the exact player's.
    """
    rng = np.random.default_rng(seed)
    x = rows.x.copy()
    at = {column.name: k for k, column in enumerate(rows.columns)}
    active = x[:, at["ACTIVE_PLAYER_COUNT"]]
    counted = rows.street in (0, 3)
    equity = x[:, at["ALL_IN_EQUITY"]].copy()
    played = _drawn(rng, equity)
    x[:, at["ALL_IN_EQUITY"]] = np.where((active <= 2) & counted, equity, _drawn(rng, equity))
    if not counted:
        x[:, at["ALL_IN_EQUITY_2PLAYERS"]] = _drawn(rng, x[:, at["ALL_IN_EQUITY_2PLAYERS"]])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = x[:, at["POT_ODDS"]] / x[:, at["ALL_IN_EQUITY"]]
    x[:, at["POT_ODDS_TO_ALL_IN_EQUITY_RATIO"]] = np.where(np.isfinite(ratio), ratio, np.nan)
    return replace(rows, x=x, y=by_the_rule(rows, played))


def by_the_rule(rows: Rows, equity: NDArray[np.float64]) -> NDArray[np.int64]:
    """What TunedFixedRichieRich does with these equities (section 7.1); a raise beyond the cap is a call."""
    at = {column.name: rows.x[:, k] for k, column in enumerate(rows.columns)}
    owed, pot = at["CALL_AMOUNT"], at["POT_SIZE"]
    capped = at["MAX_BET_SIZE_THIS_STREET"] >= 4 * (10 if rows.street < 2 else 20)
    calls = (equity * pot > owed + 0.01) | (owed == 0)
    raises = equity * at["ACTIVE_PLAYER_COUNT"] > 1 + 1e-12
    return np.where(raises, np.where(capped, _CALL, _RAISE), np.where(calls, _CALL, _FOLD))


def _drawn(rng: np.random.Generator, equity: NDArray[np.float64]) -> NDArray[np.float64]:
    """An equity as so many sampled deals would show it."""
    known = np.nan_to_num(equity, nan=0.0)
    return np.where(np.isnan(equity), np.nan, rng.binomial(_DRAWS, np.clip(known, 0, 1)) / _DRAWS)


def as_result(trees: Sequence[J48] | None) -> dict[str, Any]:
    """The trees as plain data, or that Weka is missing."""
    if trees is None:
        return {"skipped": MISSING}
    return {"trees": [tree._asdict() for tree in trees]}
