"""Three-player hands to rows of all 113 attributes, equities exact: 20,000 decisions a second at least (50 µs each)."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.ratio import Ratio
from mazzo.agent import create
from mazzo.holdem import PRESETS
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.attributes import columns_of, describe, schema_names, situations_in
from mazzo.holdem.logs import read_hands
from mazzo.holdem.match import played_lines
from mazzo.holdem.odds.batch import forget

__all__ = ["run"]

_HANDS = 100_000


def _write_log(path: Path, hands: int) -> None:
    game = PRESETS["holdem-limit-3p"]
    agents = [create("rich", AGENTS) for _ in range(3)]
    with path.open("w") as file:
        file.write(f"# name/game/hands/seed bench {game.name} {hands} 5\n")
        for lines in played_lines(game, agents, hands, 5):
            file.writelines(line + "\n" for line in lines)


def _describe(path: Path) -> tuple[int, float]:
    """Decisions described, and the seconds of them that were spent on equities."""
    rows, equity = 0, 0.0
    for s in situations_in(read_hands(path), "rich#1"):
        start = time.process_time()
        _ = s.equities
        equity += time.process_time() - start
        rows += len(describe(s, columns_of(schema_names(), s.games)))
    return rows, equity


def run() -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "rich.log"
        _write_log(log, 300)
        _describe(log)  # compiles, and loads the tables
        _write_log(log, _HANDS)
        forget()
        start = time.process_time()
        rows, equity = _describe(log)
        seconds = time.process_time() - start
    what = f"a decision described by 113 attributes ({rows:,} decisions of {_HANDS:,} hands, reading included)"
    return [
        Ratio(what, seconds / rows * 1e6, "µs", most=50),
        Ratio("of which exact equities, nothing remembered before", equity / rows * 1e6, "µs"),
    ]
