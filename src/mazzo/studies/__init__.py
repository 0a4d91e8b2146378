"""Studies: the experiments of the documents Mazzo is built on, run again, their figures beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from mazzo.registry import Registry

if TYPE_CHECKING:
    from mazzo.document import Chart
    from mazzo.studies.row import Row

__all__ = ["STUDIES", "Study"]


class Study(Protocol):
    """What a study's module has at its top level."""

    SUMMARY: str
    """One line: what is studied."""
    DOCUMENT: str
    """Author, title, year of the document."""

    NOT_REPRODUCED: str
    """One paragraph: what did not come out as in the document, and why, or that the reason is not known."""

    def tasks(self, full: bool) -> list[dict[str, Any]]:
        """Everything to be done, as JSON data, each with its "figure" (a short name to choose it by)."""

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        """Do one task; the result is JSON data and says which figure it belongs to. Tasks do not share state."""

    def rows(self, results: Sequence[dict[str, Any]]) -> list[Row]:
        """The text's figures beside ours, from whatever tasks are done."""

    def charts(self, results: Sequence[dict[str, Any]]) -> list[Chart]:
        """The figures worth drawing, from whatever tasks are done."""


STUDIES: Registry[Study] = Registry(
    "study", {name: f"mazzo.studies.{name}" for name in ("aceituno", "bodon", "kischka", "sassone", "vilella")}
)
"""Every study by name; its module is the `Study`."""
