"""Commands on the pages that are shown with their output print that output."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_commands", ROOT / "docs" / "check_commands.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


checks = _load()
QUICK = [page for page in checks.PAGES if any(not one.slow for one in checks.sessions(page))]


@pytest.mark.parametrize("page", QUICK, ids=lambda page: page.name)
def test_quick_commands_of_a_page_print_what_it_shows(page: Path) -> None:
    assert checks.check(page, slow=False) == []


def test_pages_with_output_are_found() -> None:
    assert {"README.md", "tutorial.md"} <= {page.name for page in checks.PAGES if checks.sessions(page)}


def test_a_session_is_read_with_its_output_and_its_speed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Words.\n\n    $ mazzo a\n    one\n    two\n    $ mazzo b  # why\n\n"
        "More.\n\n<!-- slow -->\n\n    $ mazzo c\n    three\n"
    )
    found = checks.sessions(page)
    assert [(one.command, one.output, one.slow) for one in found] == [
        ("mazzo a", ("one", "two"), False),
        ("mazzo b  # why", (), False),
        ("mazzo c", ("three",), True),
    ]


def test_numbers_may_differ_a_little_and_words_not() -> None:
    assert checks.alike("rich  -0.1802  10,000 hands", "rich -0.1803 10000 hands")
    assert not checks.alike("rich  -0.1802", "rich -0.1902")
    assert not checks.alike("rich  -0.1802", "chart -0.1802")
    assert checks.alike("32,919 hands a second", "8 hands a second")


def test_a_command_that_fails_or_prints_something_else_is_named(tmp_path: Path) -> None:
    assert "left with 2" in checks.run(checks.Shown("mazzo equity AsAs", (), False), tmp_path)
    assert "did not print 'mazzo 9'" in checks.run(checks.Shown("mazzo --version", ("mazzo 9",), False), tmp_path)
