"""Run every benchmark on one core: `python -m benchmarks`, or only some: `python -m benchmarks showdown equity`.

A benchmark is a module here with a function `run()` that gives `Ratio`s. What falls short is listed at the end; that is
a finding, not an error.
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
    missed = []
    print("what | ours | peer | ratio | bar")
    for name in wanted:
        if name not in names:
            print(f"there is no benchmark {name!r}; there are: {', '.join(sorted(names))}", file=sys.stderr)
            return 2
        run = getattr(import_module(f"benchmarks.{name}"), "run", None)
        for ratio in run() if run else []:
            print(" | ".join(ratio.cells()), flush=True)
            missed += [] if ratio.reached else [ratio]
    if missed:
        print("\nfalls short:")
        for ratio in missed:
            print("  " + " | ".join(ratio.cells()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
