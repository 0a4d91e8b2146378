"""Every command with --json prints one JSON object as the standard has it: no NaN, no Infinity.

Blackjack's commands are in tests/blackjack/test_cli.py. All JSON of the command line is printed by one function.
"""

from __future__ import annotations

import ast
import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import mazzo.cli.app as app
from tests.blackjack.test_cli import JSON_OF as BLACKJACK
from tests.blackjack.test_cli import strict

DATA = Path(__file__).parents[1] / "data"
STATE = "MATCHSTATE:1:0:cc/r:|Ac2h/8h4h2s"
RIVER = "--board KsKh7d4c2s --oop 7c7h,3c3d --ip QhQd,JsJd --pot 100 --stack 100 --bets 100% --raises a --quiet"
LINES = {
    "agents": "agents",
    "attributes": "attributes",
    "equity": "equity AsAh --board 2c7dTh",
    "explain": f"explain call {STATE}",
    "exploit": "exploit call --game kuhn-2p --quiet",
    "games": "games",
    "generate": "generate holdem-limit-2p call random --hands 20 -o made.log --quiet",
    "hands": "hands hands.log --quiet",
    "icm": "icm 5000 3000 2000 --prizes 50,30,20",
    "league": "league kuhn-2p call random --hands 40 --quiet",
    "match": "match kuhn-2p call call --hands 2 --quiet",
    "read": "read clone_tree.mz",
    "solve game": "solve game kuhn-2p --until 1e-2 --quiet",
    "solve methods": "solve methods",
    "solve spot": f"solve spot {RIVER} -o spot.mz",
    "solve show": "solve show spot.mz",
    "solve compare": "solve compare spot.mz spot.mz",
    "tressette solve": "tressette solve 'south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south'",
    "tressette know": "tressette know 'me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d'",
}
"""Commands with little to do; a later one may use what an earlier one wrote."""
BY_SOURCE = {
    "clone", "compare", "connect", "dealer", "describe", "improve", "learn", "rank", "review", "search",
    "solve push-fold", "study report", "study run", "tournament", "tressette advise", "tressette fit",
    "tressette review", "verify-deal",
}  # fmt: skip
"""Commands that take long, or a second program: that they print by the one function is read in their source."""


def commands(found: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if isinstance(found, click.Group):
        context = click.Context(found)
        for name in found.list_commands(context):
            one = found.get_command(context, name)
            assert one is not None
            yield from commands(one, (*words, name))
    elif any(option.name == "as_json" for option in found.params):
        yield " ".join(words), found


def test_every_command_with_json_is_tested() -> None:
    named = {name for name, _ in commands(app.mazzo)}
    assert named == {*LINES, *BY_SOURCE, *(f"blackjack {name}" for name in BLACKJACK)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("json")
    shutil.copy(DATA / "acpc_2p_limit.log", made / "hands.log")
    shutil.copy(DATA / "clone_tree.mz", made)
    return made


@pytest.mark.parametrize("name", LINES)
def test_json_is_strict(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shlex

    monkeypatch.chdir(folder)
    if name in ("solve show", "solve compare") and not Path("spot.mz").exists():
        CliRunner().invoke(app.mazzo, shlex.split(LINES["solve spot"]), catch_exceptions=False)
    result = CliRunner().invoke(app.mazzo, [*shlex.split(LINES[name]), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert strict(result.stdout)["version"]


def called(node: ast.AST) -> Iterator[str]:
    for found in ast.walk(node):
        if isinstance(found, ast.Call):
            yield found.func.id if isinstance(found.func, ast.Name) else getattr(found.func, "attr", "")


@pytest.mark.parametrize(("name", "found"), list(commands(app.mazzo)), ids=lambda x: x if isinstance(x, str) else "")
def test_a_command_prints_json_by_the_one_function(name: str, found: click.Command) -> None:
    assert found.callback is not None
    module = importlib.import_module(found.callback.__module__)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    functions = {node.name: set(called(node)) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    reached, more = {found.callback.__name__}, {found.callback.__name__}
    while more:
        more = {name for one in more for name in functions.get(one, ())} - reached
        reached |= more
    assert "print_json" in reached, name
    assert not {"dumps", "dump"} & reached, name
