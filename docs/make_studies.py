"""Run the studies in full and write their pages: `make studies` (`python docs/make_studies.py NAME...` for some).

Results are kept in docs/studies/NAME.jsonl: what is there is not done again, so this also only rewrites the pages.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mazzo.studies import STUDIES

FOLDER = Path(__file__).parent / "studies"


def main(names: list[str]) -> None:
    """Each study in turn, on two workers."""
    for name in names:
        results = str(FOLDER / f"{name}.jsonl")
        page = str(FOLDER / f"{name}.md")
        run = ["study", "run", name, "--full", "--workers", "2", "-o", results]
        for words in (run, ["study", "report", name, "--full", "-o", results, "--markdown", page]):
            subprocess.run([sys.executable, "-m", "mazzo", *words], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    main(sys.argv[1:] or sorted(STUDIES))
