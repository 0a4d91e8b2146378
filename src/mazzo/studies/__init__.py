"""Studies: the experiments of the documents Mazzo is built on, run again, their figures beside ours."""

from __future__ import annotations

__all__ = ["STUDIES"]

STUDIES: dict[str, str] = {
    "vilella": "mazzo.studies.vilella",
}
"""Every study and where its module is; a module has SUMMARY, tasks(full), run(task) and table(results)."""
