"""The page of the leagues is what its program makes of the results that are kept."""

from __future__ import annotations

import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_leagues.py"))


def test_the_page_is_made_from_what_is_kept(made: dict[str, Any]) -> None:
    assert made["page"](made["kept"]()) == (DOCS / "leagues.md").read_text()


def test_what_is_kept_is_of_commands_that_are_played_and_the_quick_form_plays_a_little_of_each(
    made: dict[str, Any],
) -> None:
    commands = list(made["commands"]())
    assert set(made["kept"]()) <= {shlex.join(words) for words in commands}
    for words in commands:
        length = int(made["shortened"](words)[words.index("--seed") - 1])
        assert 0 < length <= int(words[words.index("--seed") - 1]) // 20


def test_a_command_is_played_and_what_the_page_needs_is_kept(made: dict[str, Any]) -> None:
    result = made["play"](["match", "holdem-nolimit-2p", "fold", "call", "--hands", "4", "--seed", "1"])
    assert result["players"][0]["name"] == "fold"
    assert result["hands"] == 4
