"""Run every benchmark on one core: `python -m benchmarks`, or only some: `python -m benchmarks showdown equity`.

A benchmark is a module here with a function `run() -> list[Ratio]`. Leaves with 1 if a ratio misses its bar.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module

import benchmarks


def main() -> int:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__"]
    wanted = sys.argv[1:] or sorted(names)
    missed = 0
    print("what | ours | peer | ratio | bar")
    for name in wanted:
        if name not in names:
            print(f"there is no benchmark {name!r}; there are: {', '.join(sorted(names))}", file=sys.stderr)
            return 2
        run = getattr(import_module(f"benchmarks.{name}"), "run", None)
        for ratio in run() if run else []:
            print(" | ".join(ratio.cells()), flush=True)
            missed += not ratio.reached
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
