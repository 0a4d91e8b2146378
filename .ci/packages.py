"""Print the packages of an extra of `pyproject.toml`, without Mazzo itself: `python .ci/packages.py all`."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

EXTRAS = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]


def packages(extra: str) -> Iterator[str]:
    """Requirements, those of other extras that it names included."""
    for line in EXTRAS[extra]:
        if line.startswith("mazzo["):
            for other in line.removeprefix("mazzo[").removesuffix("]").split(","):
                yield from packages(other)
        else:
            yield line


if __name__ == "__main__":
    sys.stdout.write("\n".join(sorted(set(packages(sys.argv[1])))) + "\n")
