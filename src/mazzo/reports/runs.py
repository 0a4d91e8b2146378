"""From the files a person has (what commands printed with `--json`, what studies kept) to the sections of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mazzo.document import Run, Section
from mazzo.errors import UnreadableError
from mazzo.reports.sections import find_section, known_kind

__all__ = ["read_study", "section_of", "section_of_run"]


def section_of(path: Path) -> Section:
    """What one file says."""
    if path.suffix == ".jsonl":
        work, results = read_study(path)
        return find_section("study report")({**work, "results": results})
    return section_of_run(_read_run(path), str(path))


def section_of_run(run: Run, where: str = "this run") -> Section:
    """What one run's data says."""
    kind = _kind(run)
    try:
        return find_section(kind)(run)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise UnreadableError(f"{where} is not a whole run of {kind}: {error!r} is missing") from None


def _kind(run: Run) -> str:
    """What a run is; one of before 0.2 does not say it, and is known by the words of its command."""
    if isinstance(run.get("kind"), str):
        return str(run["kind"])
    words = [word for word in run["command"][1:] if not word.startswith("-")] or [""]
    return known_kind(words) or words[0]


def _read_run(path: Path) -> Run:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise UnreadableError(f"{path} is not JSON; a run is what a command prints with --json") from None
    if not isinstance(data, dict) or not _is_command(data.get("command")):
        raise UnreadableError(f"{path} is not a run of Mazzo: save what a command prints with --json, and name that")
    return data


def _is_command(words: Any) -> bool:
    return isinstance(words, list) and len(words) > 1 and all(isinstance(word, str) for word in words)


def read_study(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Which study a file of results belongs to, and what is in it so far; a last line cut short is left out."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        whole = [json.loads(line) for line in lines[:-1]]
        work = whole[0]["work"]
        if not (isinstance(work["study"], str) and isinstance(work["full"], bool)):
            raise ValueError
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}; run the study first") from None
    except (ValueError, LookupError, TypeError):
        raise UnreadableError(f"{path} is not a study's file of results; `mazzo study run NAME` makes one") from None
    return work, whole[1:]
