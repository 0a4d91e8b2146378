"""Run the commands that the pages show with their output, and compare: `make docs-check`, and quick ones in the tests.

A line `    $ mazzo ...` of a page is a command; the lines of the same block below it are what it prints. They must come
in this order; lines may be left out. Numbers are compared with a tolerance, and not at all where a line tells of time.
What stands below `<!-- slow -->` (up to `<!-- quick -->`) is run by `make docs-check` only. The commands of a page run
in one new folder, in order; it has links to the repository's `examples` and `tests`.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])

_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?")
_TOLERANCE = 1e-3
"""Relative: seeded results are the same on one machine; on others the last digits of floating point may differ."""
_OF_TIME = re.compile(r"\bsecond|\b\d[\d.]* m?s\b|fit s\b")


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it."""

    command: str
    output: tuple[str, ...]
    slow: bool


def sessions(page: Path) -> list[Shown]:
    """The commands of a page, in order, with what it says they print."""
    found: list[Shown] = []
    slow = False
    for block in re.split(r"\n(?=\S)|(?<=\n)\n(?=    \$ )", page.read_text()):
        if block.startswith("<!-- slow -->"):
            slow = True
        elif block.startswith("<!-- quick -->"):
            slow = False
        for part in re.split(r"^    \$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.splitlines()
            lines = tuple(line[4:].rstrip() for line in output if line.startswith("    ") and line.strip())
            found.append(Shown(command.strip(), lines, slow))
    return found


def run(shown: Shown, folder: Path) -> str:
    """What is wrong with a command: nothing (an empty text), how it failed, or the line that it did not print."""
    words = shlex.split(shown.command, comments=True)
    words[0:1] = [sys.executable, "-m", "mazzo"] if words[0] == "mazzo" else words[0:1]
    env = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{shown.command}: left with {done.returncode}: {done.stderr.strip()[-500:]}"
    printed = iter([line.rstrip() for line in (done.stdout + done.stderr).splitlines()])
    for expected in shown.output:
        if not any(alike(expected, line) for line in printed):
            return f"{shown.command}: did not print {expected!r}; it printed:\n{done.stdout}"
    return ""


def alike(expected: str, line: str) -> bool:
    """Whether two lines have the same words and, within the tolerance, the same numbers."""
    if " ".join(_NUMBER.sub("#", expected).split()) != " ".join(_NUMBER.sub("#", line).split()):
        return False
    if _OF_TIME.search(expected):
        return True
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(line), strict=True)
    return all(_close(_value(a), _value(b), a) for a, b in pairs)


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _close(a: float, b: float, shown: str) -> bool:
    digits = len(shown.partition(".")[2])
    return math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=1.01 * 10.0**-digits if digits else 0.0)


def check(page: Path, slow: bool) -> list[str]:
    """Run what a page shows, slow commands only if they are wanted; gives what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "tests"):
            (Path(folder) / name).symlink_to(ROOT / name)
        return [wrong for one in sessions(page) if slow or not one.slow if (wrong := run(one, Path(folder)))]


def main() -> int:
    """Check all pages, or those that are named."""
    pages = [Path(name).absolute() for name in sys.argv[1:]] or PAGES
    wrong = []
    for page in pages:
        shown = sessions(page)
        if shown:
            print(f"{page.relative_to(ROOT)}: {len(shown)} commands", flush=True)  # noqa: T201
            wrong += [f"{page.name}: {text}" for text in check(page, slow=True)]
    print("\n".join(wrong) or "every command prints what its page says")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
