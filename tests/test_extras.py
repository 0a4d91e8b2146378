"""`pip install mazzo` alone: equities, matches, hands and blackjack work; the rest says the line that installs it."""

from __future__ import annotations

import ast
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mazzo.errors import MazzoError
from mazzo.extras import EXTRAS, MissingPartError, missing_part, said_how_to_install

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_CORE_ONLY = """
import runpy, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
runpy.run_module("mazzo", run_name="__main__", alter_sys=True)
"""
LOG = "".join(f"STATE:{k}:crc/cc/cc/cc:AsKd|7h7c/8h2c3d/4s/5d:20|-20:first|second\n" for k in range(3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("core")
    (here / "hands.log").write_text(LOG)
    (here / "run.json").write_text(core_only("blackjack ev --method infinite --json", here).stdout)
    return here


def core_only(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of the program as it is where no extra is installed."""
    program = f"REFUSED = {set(EXTRAS)!r}\n{_CORE_ONLY}"
    command = [sys.executable, "-c", program, *shlex.split(line)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("--help", "tressette"),
        ("agents", "online"),
        ("equity AsKd --board 7h8h2c", "equity"),
        ("match holdem-limit-2p rich random --hands 200", "rich"),
        ("match holdem-nolimit-3p chart random call --hands 60", "chart"),
        ("match tressette greedy random --deals 2", "greedy"),
        ("hands hands.log --game holdem-limit-2p --stats", "first"),
        ("blackjack ev --method infinite", "-0.005117336"),
        ("blackjack hand 8,8 v 10", "split"),
        ("explain rich 'STATE:0:r:AsKd|7h7c' --game holdem-limit-2p", "equity"),
    ],
)
def test_the_core_alone_runs(line: str, printed: str, folder: Path) -> None:
    done = core_only(line, folder)
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("learn hands.log -o hero.mz", "learn"),
        ("clone hands.log --hero first -o first.mz", "learn"),
        ("serve --no-browser --port 0", "web"),
        ("report run.json", "reports"),
        ("demo", "learn"),
        ("tressette know 'me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d'", "tressette"),
        ("match tressette belief greedy --deals 1", "tressette"),
        ("search s.journal --trials 1", "search"),
        ("match holdem-limit-2p call random --hands 20 --cluster local", "cluster"),
    ],
)
def test_a_command_whose_part_is_missing_says_the_line_that_installs_it(line: str, extra: str, folder: Path) -> None:
    done = core_only(line, folder)
    assert done.returncode in (1, 2)
    assert f"pip install 'mazzo[{extra}]'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_the_error_of_a_missing_part_is_both_ours_and_an_import_error() -> None:
    with pytest.raises(MissingPartError) as caught, said_how_to_install():
        raise ModuleNotFoundError("No module named 'sklearn.tree'", name="sklearn.tree")
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, MazzoError)
    assert caught.value.name == "sklearn.tree"
    assert missing_part(caught.value) is caught.value


def test_what_is_missing_but_in_no_extra_stays_an_import_error() -> None:
    with pytest.raises(ModuleNotFoundError) as caught, said_how_to_install():
        raise ModuleNotFoundError("No module named 'sklearned'", name="sklearned")
    assert not isinstance(caught.value, MissingPartError)


def imported(tree: ast.Module) -> Iterator[str]:
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Import):
            yield from (name.name.partition(".")[0] for name in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            yield statement.module.partition(".")[0]


def distributions(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in requirements}


def test_every_package_that_mazzo_imports_is_in_the_core_or_in_an_extra() -> None:
    core, provided = distributions(PROJECT["dependencies"]), packages_distributions()
    used = {name for file in (ROOT / "src").rglob("*.py") for name in imported(ast.parse(file.read_text()))}
    others = used - {"mazzo", "llvmlite", *sys.stdlib_module_names, *EXTRAS}  # llvmlite is numba's own
    assert {name for name in others if not core & {*map(canonicalize_name, provided.get(name, []))}} == set()


def test_every_extra_that_is_named_exists_and_all_has_every_one_of_them() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(EXTRAS.values()) <= set(extras)
    (everything,) = extras["all"]
    assert Requirement(everything).extras == set(EXTRAS.values()) - {"torch"}  # hundreds of megabytes for one regressor
    assert any(Requirement(line).extras == {"all"} for line in extras["dev"])
