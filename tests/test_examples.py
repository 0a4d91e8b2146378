"""Every example runs as it stands."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted(Path(__file__).parents[1].glob("examples/*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
