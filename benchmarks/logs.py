"""A million limit hands in the competition's log format, read, replayed and verified; pokerkit reads some as PHH."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from benchmarks.ratio import Ratio, seconds
from mazzo.agent import create
from mazzo.holdem import PRESETS
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.logs import acpc_text, read_hands
from mazzo.holdem.logs.formats.phh_write import phh_text
from mazzo.holdem.match import HoldemMatch

__all__ = ["run"]

_HANDS, _THEIRS = 1_000_000, 300
_GAME = "holdem-limit-3p"


def _write_log(path: Path) -> None:
    match = HoldemMatch(PRESETS[_GAME])
    agents = [create("random", AGENTS) for _ in range(match.seats)]
    for number, agent in enumerate(agents):
        agent.name = f"random#{number + 1}"
    deals, chunk = -(-_HANDS // match.seats), 5000
    with path.open("w") as file:
        file.write(f"# name/game/hands/seed bench {_GAME} {_HANDS} 1\n")
        for first in range(0, deals, chunk):
            _, lines = match.play(agents, range(first, min(first + chunk, deals)), 1, log=True)
            file.write("\n".join(lines) + "\n")


def _read_all(path: Path) -> int:
    reader = read_hands(path)
    for _ in reader:
        pass
    assert reader.report.skips == reader.report.unverified == 0
    return reader.report.used


def run() -> list[Ratio]:
    import pokerkit

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "million.log"
        _write_log(log)
        some = next(iter(read_hands(log)))  # compiles, too
        start = time.process_time()
        hands = _read_all(log)
        ours = (time.process_time() - start) / hands * 1e6
    few = some[np.arange(_THEIRS)]
    text = phh_text(few)

    def pokerkit_job() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for history in pokerkit.HandHistory.loads_all(text):
                *_, state = history
                assert not state.status

    theirs = seconds(pokerkit_job, repeats=2) / _THEIRS * 1e6
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.phhs"
        path.write_text(phh_text(some))
        ours_of_phh = seconds(lambda: _read_all(path)) / len(some) * 1e6
    writing = seconds(lambda: acpc_text(some)) / len(some) * 1e6
    what = f"a limit hand of a log of {hands:,}: read, replayed, verified"
    return [
        Ratio(what, ours, "µs", "pokerkit, the same hands as PHH", theirs, 50, most=10),
        Ratio("the same, read from PHH by both", ours_of_phh, "µs", "pokerkit", theirs, 100),
        Ratio("a limit hand written to a log", writing, "µs"),
    ]
