"""Every snippet in the documentation and in docstrings runs and gives what it says."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest

from mazzo.cli.app import mazzo

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md"])
MODULES = ["mazzo.cards", "mazzo.holdem.hand", "mazzo.holdem.showdown", "mazzo.holdem.odds.isomorphism"]
MODULES += ["mazzo", "mazzo.holdem", "mazzo.blackjack", "mazzo.tressette", "mazzo.tressette.round"]


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


def commands_of(page: Path) -> list[str]:
    """The commands a page shows: lines of its indented and fenced blocks that begin with `mazzo`."""
    lines = re.findall(r"^(?:    |\$ |    \$ )(mazzo .*)$", page.read_text(), re.MULTILINE)
    return [re.split(r" (?:#|[|>]) ?", line)[0].strip() for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_a_page_can_be_typed(page: Path) -> None:
    for line in commands_of(page):
        command: click.Command = mazzo
        context, words = click.Context(mazzo, info_name="mazzo"), shlex.split(line)[1:]
        while isinstance(command, click.Group) and words:
            found = command.get_command(context, words[0])
            if found is None:  # a group may take other words than the names of its commands
                break
            command, words = found, words[1:]
        if "--help" not in words:
            command.make_context("mazzo", list(words))  # an unknown option or a missing argument raises
