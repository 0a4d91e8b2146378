"""Two revisions at the same seeded work, through the command line: `make bench BASE=<revision>`.

`python -m benchmarks.against_revision BASE` runs the commands of `benchmarks.work` in turns with the source of BASE and
with the source as it stands here, and prints ratios of processor time with 95 % intervals, and whether both printed the
same. `--same-only BASE` only compares what they print: quick, for every step of a change that must not change results.
Module names may differ between the revisions; only the command line counts. Both run with the Python that runs this.
Leaves with 1 where an output differs or a command has become slower for certain.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import IO, Any

from benchmarks.work import INPUTS, WORK, Work
from mazzo.statistics import student

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".bench"
"""Sources of revisions and the kernels compiled from them, so that the next run is warm; `make clean` removes it."""

_VOLATILE = {"version", "command", "kind", "seconds", "elapsed", "time", "output", "per_second", "hands_per_second"}
_SLOWER = 1.05


@dataclass(frozen=True)
class Ran:
    """What one command printed, left behind and took."""

    seconds: float
    code: int
    out: str
    err: str
    files: dict[str, bytes]


@dataclass
class Revision:
    """A source of Mazzo, with a folder of its own in which its commands run."""

    name: str
    source: Path
    folder: Path
    cache: Path | None = None

    def run(self, work: Work) -> Ran:
        """Run one command here, its processor time taken with that of the processes it started."""
        environment = {**os.environ, "PYTHONPATH": str(self.source), "NO_COLOR": "1", "COLUMNS": "120"}
        if self.cache is not None:
            environment["MAZZO_CACHE"] = str(self.cache)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            call = [sys.executable, "-m", "mazzo", *work.words]
            process = subprocess.Popen(call, stdout=out, stderr=err, cwd=self.folder, env=environment)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            texts = [_text(file) for file in (out, err)]
        files = {name: data for place in work.writes for name, data in self._read(place)}
        return Ran(used.ru_utime + used.ru_stime, process.returncode, texts[0], texts[1], files)

    def _read(self, place: str) -> Iterator[tuple[str, bytes]]:
        path = self.folder / place
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                yield str(file.relative_to(self.folder)), file.read_bytes()


def checked_out(revision: str) -> tuple[str, Path]:
    """The source of a revision in a folder of its own, and the revision's short name.

    It is taken from git's archive: files then have the time of the commit, so that kernels compiled by an earlier run
    are still good, and git keeps no note of a work tree that one would have to remove.
    """
    call = ["git", "-C", str(ROOT), "rev-parse", "--verify", "--short", f"{revision}^{{commit}}"]
    found = subprocess.run(call, capture_output=True, text=True)
    if found.returncode:
        raise SystemExit(f"there is no revision {revision!r} here: {found.stderr.strip()}")
    name = found.stdout.strip()
    place = KEPT / name
    if not (place / "src" / "mazzo").is_dir():
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", name, "src"], capture_output=True, check=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(place, filter="data")
    return name, place / "src"


def difference(before: Any, after: Any, at: str = "") -> str:
    """Where `after` says something else than `before`, or "" where it does not; keys that are new are no difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() - _VOLATILE:
            if key not in after:
                return f"{at}{key} is missing"
            found = difference(before[key], after[key], f"{at}{key}.")
            if found:
                return found
        return ""
    if isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            return f"{at or 'list '}has {len(after)} items, had {len(before)}"
        each = (difference(b, a, f"{at}{k}.") for k, (b, a) in enumerate(zip(before, after, strict=True)))
        return next((found for found in each if found), "")
    same = before == after or (before != before and after != after)
    return "" if same else f"{at.rstrip('.') or 'output'}: {_short(before)} became {_short(after)}"


def compared(before: Ran, after: Ran) -> str:
    """How the result of a command differs between two revisions; "" where it is the same."""
    if before.code != after.code:
        last = (after.err.strip() or before.err.strip()).splitlines()[-1:]
        return f"left with {after.code}, before with {before.code}: {' '.join(last)}"
    try:
        found = difference(json.loads(before.out), json.loads(after.out))
    except json.JSONDecodeError:
        found = difference(before.out.splitlines(), after.out.splitlines(), "line ")
    if found:
        return found
    changed = [n for n in before.files.keys() | after.files.keys() if before.files.get(n) != after.files.get(n)]
    return f"file {min(changed)} differs" if changed else ""


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """The mean ratio (of logarithms) of pairs, and its 95 % interval by Student's t."""
    logs = [math.log(ratio) for ratio in ratios]
    centre = mean(logs)
    half = student(len(logs)) * stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    return math.exp(centre), math.exp(centre - half), math.exp(min(centre + half, 700.0))


def measure(base: Revision, now: Revision, work: Work, repeats: int) -> tuple[list[Ran], list[Ran]]:
    """Both revisions in turns, each turn begun by the other; the first run of each (compiling, disk) is left out."""
    runs: dict[str, list[Ran]] = {base.name: [], now.name: []}
    for turn in range(repeats + 1):
        for revision in (base, now) if turn % 2 else (now, base):
            runs[revision.name].append(revision.run(work))
    return runs[base.name][1:], runs[now.name][1:]


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def choose(text: str) -> list[Work]:
    """The work that holds a text, with the work before it whose files it reads."""
    chosen: list[Work] = []
    needed: set[str] = set()
    for work in reversed(WORK):
        if text in work.line or text in work.what or needed.intersection(work.made):
            chosen.insert(0, work)
            needed |= set(work.words) - set(work.made)
    return chosen


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _tell(*cells: str) -> None:
    print(" | ".join(cells), flush=True)


def compare_all(base: Revision, now: Revision, chosen: list[Work]) -> int:
    """Print for every command whether both print the same; gives how many do not."""
    different = 0
    _tell("command", "output")
    for work in chosen:
        found = compared(base.run(work), now.run(work))
        different += bool(found)
        _tell(f"mazzo {work.line}", found or "same")
    print(f"{len(chosen) - different} of {len(chosen)} the same", file=sys.stderr)
    return different


def measure_all(base: Revision, now: Revision, chosen: list[Work], repeats: int) -> int:
    """Print the table of ratios; gives how many commands print something else or are slower for certain."""
    bad = 0
    _tell("what", f"{base.name}, s", "now, s", "now/base", "95 % interval", "speed", "output")
    for work in chosen:
        if not work.what:  # later work may need what it leaves behind
            found = compared(base.run(work), now.run(work))
            bad += bool(found)
            if found:
                _tell(f"mazzo {work.line}", "", "", "", "", "", found)
            continue
        before, after = measure(base, now, work, repeats)
        ratio, low, high = interval([a.seconds / b.seconds for b, a in zip(before, after, strict=True)])
        found = compared(before[-1], after[-1])
        verdict = "slower" if low > _SLOWER else "faster" if high < 1 else "-"
        bad += bool(found) + (verdict == "slower")
        times = (f"{mean(run.seconds for run in runs):.2f}" for runs in (before, after))
        _tell(work.what, *times, f"{ratio:.3f}", f"{low:.3f}-{high:.3f}", verdict, found or "same")
    return bad


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against_revision", description=__doc__)
    parser.add_argument("base", help="a revision of this repository: a commit, a tag, a branch")
    parser.add_argument("--same-only", action="store_true", help="only compare outputs, each command run once")
    parser.add_argument("--repeats", type=int, default=5, help="counted turns, 2 to 10 (5)")
    parser.add_argument("--only", default="", help="only commands that hold this text, and those whose files they read")
    given = parser.parse_args()
    if not 2 <= given.repeats <= 10:
        parser.error(f"--repeats {given.repeats}: from 2 to 10")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    name, source = checked_out(given.base)
    chosen = choose(given.only)
    with tempfile.TemporaryDirectory(prefix="mazzo-bench-") as folder:
        base = Revision(name, source, Path(folder) / "base", KEPT / f"{name}-cache")
        now = Revision("now", ROOT / "src", Path(folder) / "now")
        for revision in (now, base):
            revision.folder.mkdir()
        for line in INPUTS:
            ran = now.run(Work(line))
            if ran.code:
                raise SystemExit(f"mazzo {line}\n{ran.err}")
        shutil.copytree(now.folder, base.folder, dirs_exist_ok=True)
        bad = compare_all(base, now, chosen) if given.same_only else measure_all(base, now, chosen, given.repeats)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
