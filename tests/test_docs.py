"""Every snippet in the documentation and in docstrings runs and gives what it says."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md"])
MODULES = ["mazzo.cards", "mazzo.holdem.hand", "mazzo.holdem.showdown", "mazzo.holdem.equity.isomorphism"]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_on_a_page_runs(page: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    sessions = "\n".join(block for block in blocks if block.startswith(">>>"))
    found = doctest.DocTestParser().get_doctest(sessions, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner()
    assert runner.run(found).failed == 0
    scope: dict[str, object] = {}
    for block in blocks:
        if not block.startswith(">>>"):
            exec(compile(block, str(page), "exec"), scope)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target
