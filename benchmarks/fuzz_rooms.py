"""Damaged files of every room read again and again: `python -m benchmarks.fuzz_rooms 1000000 [FOLDER] [SEED]`.

Counts what no reader may do: raise anything. Prints the slowest reading for its length, too.
"""

from __future__ import annotations

import io
import random
import sys
import time
from pathlib import Path

from mazzo.holdem.logs import read_hands
from mazzo.holdem.logs.formats import LOOK, format_of

__all__ = ["main", "mutated"]

_OURS = Path(__file__).parent.parent / "tests" / "data" / "rooms"
_LARGEST = 1 << 16


def mutated(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """A text with some bytes, words or lines changed, left out, doubled or taken from another."""
    for _ in range(chance.randint(1, 4)):
        if not data:
            return data
        a, b = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        b = min(b, a + chance.choice((1, 4, 40, 400)))
        kind = chance.randrange(5)
        if kind == 0:
            data = data[:a] + data[b:]
        elif kind == 1:
            data = data[:b] + data[a:b] + data[b:]
        elif kind == 2:
            data = data[:a] + bytes(chance.randrange(256) for _ in range(b - a)) + data[b:]
        elif kind == 3:
            other = chance.choice(others)
            c = chance.randrange(len(other))
            data = data[:a] + other[c : c + b - a] + data[b:]
        else:
            lines = data.split(b"\n")
            chance.shuffle(lines) if chance.random() < 0.2 else lines.insert(
                chance.randrange(len(lines)), chance.choice(lines)
            )
            data = b"\n".join(lines)
    return data


def main(count: int, folder: Path, seed: int) -> int:
    """Read so many damaged files; gives how many readings raised an error."""
    chance = random.Random(seed)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "expected.json"]
    texts = [path.read_bytes()[:_LARGEST] for path in paths]
    list(read_hands(_OURS))  # compiles
    faults, used, slowest = 0, 0, (0.0, "")
    for number in range(count):
        at = chance.randrange(len(texts))
        data = mutated(texts[at], chance, texts)
        form = format_of(data[:LOOK])
        start = time.process_time()
        try:
            for hands, _ in form.read(io.BytesIO(data), paths[at], None) if form else ():
                used += 0 if hands is None else len(hands)
        except Exception as error:
            faults += 1
            print(f"{paths[at]}, mutation {number}: {type(error).__name__}: {error}", file=sys.stderr)
        per_byte = (time.process_time() - start) / max(1000, len(data))
        slowest = max(slowest, (per_byte, str(paths[at])))
    print(f"{count} mutations of {len(paths)} files, {faults} faults, {used} hands still used")
    print(f"slowest: {1e9 * slowest[0]:.0f} ns a byte, {slowest[1]}")
    return faults


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(
        main(int(given[0]), Path(given[1]) if len(given) > 1 else _OURS, int(given[2]) if len(given) > 2 else 1) > 0
    )
