"""The notebooks in `examples` run from top to bottom, and are kept without outputs."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted(Path(__file__).parents[1].glob("examples/*.ipynb"))


def _cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text())["cells"]
    return cells


def _run(code: str, name: str, scope: dict[str, object]) -> object:
    """Run a cell as a notebook does: what its last line is worth is shown, so it is given back."""
    body = ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), scope)
    return eval(compile(ast.Expression(last.value), name, "eval"), scope) if isinstance(last, ast.Expr) else None


def test_there_is_a_notebook_for_each_game() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["blackjack", "holdem", "tressette"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for number, cell in enumerate(_cells(path)):
        if cell["cell_type"] == "code":
            shown = _run("".join(cell["source"]), f"{path.name}, cell {number}", scope)
            if hasattr(shown, "_repr_html_"):
                assert shown._repr_html_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    code = [cell for cell in _cells(path) if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    assert {cell["cell_type"] for cell in _cells(path)} == {"markdown", "code"}
