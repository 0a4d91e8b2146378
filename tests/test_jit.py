import ast
import importlib
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import _nrt_python as memory
from numba.core.runtime import rtsys
from numpy.typing import NDArray

import mazzo
from mazzo import folders, inside_numba, jit
from mazzo.jit import Sources

MAZZO = Path(mazzo.__file__).parent
GAMES = ("blackjack", "holdem", "tressette")


def package(folder: Path, **files: str) -> Path:
    """A package `pack` of these files; two underscores in a name stand for a folder."""
    root = folder / "pack"
    for name, text in {"__init__": "", **files}.items():
        parts = [name] if name == "__init__" else name.split("__", 1)
        path = root.joinpath(*parts).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def seen(root: Path, file: str = "fast.py") -> set[str]:
    """What a file of the package depends on, without itself and without `mazzo.jit`."""
    found = Sources(root).closure(root / file) - {root / file, Path(jit.__file__)}
    return {path.relative_to(root).as_posix() for path in found}


def kernel_files() -> list[Path]:
    return [file for file in MAZZO.rglob("*.py") if "\n@kernel\n" in (t := file.read_text()) or "\n@tight\n" in t]


def test_a_constant_two_imports_away_changes_the_fingerprint(tmp_path: Path) -> None:
    root = package(
        tmp_path, fast="from pack.rules import LIMIT", rules="from pack.numbers import LIMIT", numbers="LIMIT = 1"
    )
    before = Sources(root).fingerprint(root / "fast.py")
    (root / "numbers.py").write_text("LIMIT = 2")
    assert Sources(root).fingerprint(root / "fast.py") != before


def test_an_unrelated_module_changes_nothing(tmp_path: Path) -> None:
    root = package(tmp_path, fast="from pack.numbers import LIMIT", numbers="LIMIT = 1", other="from pack import fast")
    before = Sources(root).fingerprint(root / "fast.py")
    (root / "other.py").write_text("pass")
    (root / "__init__.py").write_text("from pack import other")
    assert Sources(root).fingerprint(root / "fast.py") == before


def test_its_own_text_and_the_way_kernels_are_compiled_count(tmp_path: Path) -> None:
    root = package(tmp_path, fast="ONE = 1")
    before = Sources(root).fingerprint(root / "fast.py")
    assert Path(jit.__file__) in Sources(root).closure(root / "fast.py")
    (root / "fast.py").write_text("ONE = 2")
    assert Sources(root).fingerprint(root / "fast.py") != before


def test_copies_of_the_same_version_share_a_fingerprint(tmp_path: Path) -> None:
    first, second = (
        package(tmp_path / where, fast="from pack import numbers", numbers="LIMIT = 1") for where in ("one", "two")
    )
    assert Sources(first).fingerprint(first / "fast.py") == Sources(second).fingerprint(second / "fast.py")


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    root = package(
        tmp_path, fast="from pack import slow", slow="from pack import numbers", numbers="from pack import fast"
    )
    assert seen(root) == {"slow.py", "numbers.py"}


@pytest.mark.parametrize(
    "text",
    [
        "from pack.numbers import LIMIT",
        "from pack.numbers import *",
        "from pack import numbers as n  # the numbers",
        "from pack import other, numbers",
        "from pack import (  # (both)\n    other as o,  # this (one)\n    numbers,\n)",
        "from pack import other, \\\n    numbers",
        "from .numbers import LIMIT",
        "from . import numbers",
        "import pack.numbers",
        "import os, pack.numbers as n",
        '"""Words."""\r\n\r\nfrom pack.numbers import LIMIT\r\n',
    ],
)
def test_every_way_to_import_a_module_is_seen(tmp_path: Path, text: str) -> None:
    root = package(tmp_path, fast=text, numbers="LIMIT = 1", other="")
    assert "numbers.py" in seen(root)


def test_relative_imports_of_inner_packages_are_seen(tmp_path: Path) -> None:
    root = package(tmp_path, inner__fast="from .. import numbers\nfrom ..rules import ONE", numbers="", rules="")
    assert seen(root, "inner/fast.py") == {"numbers.py", "rules.py"}


def test_imports_that_no_kernel_can_have_frozen_are_not_followed(tmp_path: Path) -> None:
    text = "if TYPE_CHECKING:\n    from pack import other\n\ndef late():\n    from pack.other import ONE\n"
    assert seen(package(tmp_path, fast=text, other="ONE = 1")) == set()


def test_a_package_counts_where_it_may_say_what_a_name_means(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        fast="from pack.inner import ONE",
        faster="from pack.inner import numbers",
        fastest="from pack.inner import two",
        inner____init__="from pack.inner.numbers import ONE\nfrom pack.inner.more import two",
        inner__numbers="ONE = 1",
        inner__more="two = 2",
        inner__two="",
    )
    assert seen(root, "fast.py") == {"inner/__init__.py", "inner/numbers.py", "inner/more.py"}
    assert seen(root, "faster.py") >= {"inner/numbers.py"}
    assert seen(root, "fastest.py") >= {"inner/two.py", "inner/more.py"}


def test_a_file_outside_the_package_depends_on_what_it_imports_of_it(tmp_path: Path) -> None:
    root = package(tmp_path, numbers="LIMIT = 1", other="")
    bot = tmp_path / "bot.py"
    bot.write_text("import json\nfrom pack.numbers import LIMIT")
    assert Sources(root).closure(bot) == {bot, root / "numbers.py", Path(jit.__file__)}


def test_kernels_depend_on_the_constants_they_freeze() -> None:
    sources = Sources(MAZZO)
    for file, constants in [
        ("holdem/kernels.py", "holdem/columns.py"),
        ("holdem/attributes/made.py", "holdem/attributes/values.py"),
        ("tressette/solver/search.py", "bits.py"),
    ]:
        assert MAZZO / constants in sources.closure(MAZZO / file)


def test_kernels_of_a_game_depend_on_no_other_game() -> None:
    sources = Sources(MAZZO)
    for file in kernel_files():
        games = {path.relative_to(MAZZO).parts[0] for path in sources.closure(file)} & {*GAMES}
        assert games <= {file.relative_to(MAZZO).parts[0]}, file


def top_level(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
        elif isinstance(statement, ast.Try):
            yield from top_level(statement.body + [each for handler in statement.handlers for each in handler.body])
        elif isinstance(statement, ast.If) and "TYPE_CHECKING" not in ast.unparse(statement.test):
            yield from top_level(statement.body + statement.orelse)


def test_the_pattern_finds_what_a_parser_finds(tmp_path: Path) -> None:
    sources = Sources(MAZZO)
    plain = tmp_path / "plain.py"
    for file in MAZZO.rglob("*.py"):
        imports = top_level(ast.parse(file.read_text()).body)
        plain.write_text("\n".join(map(ast.unparse, imports)))
        assert sources.closure(file) - {file} == Sources(MAZZO).closure(plain) - {file, plain}, file


def names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


def used_by_kernels(module: ModuleType) -> Iterator[object]:
    for each in vars(module).values():
        if isinstance(each, Dispatcher) and each.__module__ == module.__name__:
            yield from (vars(module).get(name) for name in names_in(each.py_func.__code__))


def test_all_helpers_and_modules_that_kernels_use_are_among_the_files() -> None:
    sources, crossing = Sources(MAZZO), 0
    for file in kernel_files():
        module = importlib.import_module(".".join(["mazzo", *file.relative_to(MAZZO).with_suffix("").parts]))
        files = set()
        for used in used_by_kernels(module):
            if isinstance(used, Dispatcher):
                files.add(Path(used.py_func.__code__.co_filename))
            elif isinstance(used, ModuleType) and used.__name__.startswith("mazzo."):
                files.add(Path(str(used.__file__)))
        assert files <= sources.closure(file), file
        crossing += len(files - {file})
    assert crossing > 20  # or this test has looked past them


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    jit._folder.cache_clear()
    jit._tidy.cache_clear()
    yield tmp_path / "kernels"
    jit._folder.cache_clear()
    jit._tidy.cache_clear()


def test_the_setting_of_numba_is_left_as_it_was(own_cache: Path) -> None:
    before = numba.config.CACHE_DIR
    jit.kernel(kernel_files)  # compiled only when called
    assert before == numba.config.CACHE_DIR
    assert len([*own_cache.glob(f"{__name__}/*")]) == 1


def test_a_cache_of_the_user_wins(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert jit._folder(__file__, __name__) is None
    assert not own_cache.exists()


def test_without_a_writable_cache_numba_chooses(own_cache: Path) -> None:
    own_cache.write_text("a file where the folder should be")
    assert jit._folder(__file__, __name__) is None


def test_old_folders_are_removed_unless_they_are_in_use(own_cache: Path) -> None:
    hours = 3600.0
    ages = {f"a/v{age}": age * hours for age in range(2, 8)}  # three of them stay
    ages |= {f"b/v{age}": age * hours / 10 for age in range(6)}  # all are in use
    ages |= {"c/v": 2400 * hours, "0123456789abcdef0123": 2 * hours, "0123456789abcdef4567": 0}
    for name, age in ages.items():
        (own_cache / name).mkdir(parents=True)
        os.utime(own_cache / name, (time.time() - age, time.time() - age))
    (own_cache / "notes.txt").write_text("not ours")
    assert jit._folder(__file__, "a.module") is not None
    left = {path.relative_to(own_cache).as_posix() for path in [*own_cache.glob("[abc]/*"), *own_cache.glob("0*")]}
    assert left == {"a/v2", "a/v3", "a/v4", *(f"b/v{age}" for age in range(6)), "0123456789abcdef4567"}


def run(folder: Path) -> tuple[str, set[Path]]:
    """What the kernel of a copy of our `jit` and a small package answers, and the compiled files there are then."""
    kept = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment = {**kept, "MAZZO_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", "import mazzo.fast, mazzo.other; print(mazzo.fast.limit(), mazzo.other.one())"]
    printed = subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True).stdout
    return printed.strip(), {*folder.glob("cache/kernels/*/*/*/*.nbc")}


def test_a_changed_constant_is_compiled_again_and_nothing_else(tmp_path: Path) -> None:
    decorated = "from mazzo.jit import kernel\n\n@kernel\ndef "
    root = package(
        tmp_path,
        jit=Path(jit.__file__).read_text(),
        folders=Path(folders.__file__).read_text(),
        inside_numba=Path(inside_numba.__file__).read_text(),
        numbers="LIMIT = 1",
        fast=f"from mazzo import numbers\n{decorated}limit():\n    return numbers.LIMIT\n",
        other=f"{decorated}one():\n    return 1\n",
    )
    root.rename(tmp_path / "mazzo")
    answer, compiled = run(tmp_path)
    assert (answer, len(compiled)) == ("1 1", 2)
    assert run(tmp_path) == (answer, compiled)
    (tmp_path / "mazzo" / "numbers.py").write_text("LIMIT = 2")
    answer, later = run(tmp_path)
    assert answer == "2 1"
    assert {path.name.split(".")[0] for path in later - compiled} == {"fast"}


@jit.helper
def doubled(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    return 2 * numbers


@jit.tight_helper
def add_up(numbers: NDArray[np.int64]) -> int:
    total = 0
    for number in numbers:
        total += third_of(number)
    return total


@jit.inlined
def third_of(number: int) -> int:
    if number % 3:
        raise ValueError("not a multiple of three")
    return number // 3


@jit.tight_helper
def itself(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    return numbers


def calls_all(numbers: NDArray[np.int64]) -> int:
    return add_up(doubled(numbers)) + add_up(numbers)


use_all: Any = numba.njit(calls_all)  # not kept between runs: it is compiled in each


def test_helpers_are_compiled_into_the_kernel_that_calls_them() -> None:
    assert use_all(np.arange(0, 30, 3)) == 3 * 45
    helpers: list[Any] = [doubled, add_up, third_of]
    for helper in helpers:
        assert len(helper.overloads) == 1


def test_what_a_helper_raises_passes_through_its_callers() -> None:
    with pytest.raises(ValueError, match="not a multiple of three"):
        use_all(np.array([3, 4]))


def test_helpers_can_be_called_from_python() -> None:
    assert doubled(np.array([1, 2])).tolist() == [2, 4]
    assert (add_up(np.array([3, 6])), third_of(9)) == (3, 3)


def test_arrays_that_helpers_give_are_freed() -> None:
    use_all(np.arange(0, 30, 3))  # compiles
    memory.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        use_all(np.arange(0, 30, 3))
        after = rtsys.get_allocation_stats()
    finally:
        memory.memsys_disable_stats()
    assert after.alloc > before.alloc
    assert after.alloc - before.alloc == after.free - before.free


def test_a_helper_that_counts_no_references_gives_no_array() -> None:
    # the kernel would give back a reference that nobody has counted
    with pytest.raises(TypeError, match="itself gives an array"):
        numba.njit(lambda numbers: itself(numbers)[0])(np.arange(3))


def test_a_helper_keeps_its_kind_when_it_is_sent_to_another_process() -> None:
    sent: Any = pickle.loads(pickle.dumps(add_up))
    assert type(sent) is type(add_up)
    assert sent(np.array([3, 6])) == 3


def small_package(folder: Path, body: str) -> dict[str, str]:
    """A copy of our `jit` with one kernel `slow` in `mazzo.fast`, and the environment to run it in."""
    kernel = f"from mazzo.jit import kernel\n\n@kernel\ndef slow(x):\n{body}"
    files = {
        name: Path(found.__file__ or "").read_text()
        for name, found in (("jit", jit), ("folders", folders), ("inside_numba", inside_numba))
    }
    package(folder, fast=kernel, **files).rename(folder / "mazzo")
    kept = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return {**kept, "MAZZO_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}


_SAY = "import mazzo.fast as f; f.slow(1); print(sum(f.slow.stats.cache_misses.values()))"
_HOLD = """
import fcntl, sys
file = open(sys.argv[1], "ab")
fcntl.flock(file.fileno(), fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


def test_of_processes_that_start_together_one_compiles_and_the_others_wait_for_it(tmp_path: Path) -> None:
    environment = small_package(tmp_path, "    return x + 1\n")
    command = [sys.executable, "-c", _SAY]
    started = [
        subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    compiled = [int(process.communicate(timeout=300)[0]) for process in started]
    assert sorted(compiled) == [0, 0, 0, 1]


def lock_file(folder: Path, environment: dict[str, str]) -> Path:
    """The lock of the kernel: what is compiled is thrown away, so that the next process needs it again."""
    subprocess.run([sys.executable, "-c", _SAY], env=environment, cwd=folder, check=True, timeout=300)
    (lock,) = folder.glob("cache/kernels/*/*/*/*.lock")
    for compiled in lock.parent.glob("*.nb?"):
        compiled.unlink()
    return lock


def test_a_lock_of_a_process_that_died_holds_nobody_up(tmp_path: Path) -> None:
    environment = small_package(tmp_path, "    return x + 1\n")
    lock = lock_file(tmp_path, environment)
    holder = subprocess.Popen([sys.executable, "-c", _HOLD, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"locked\n"
    holder.kill()
    holder.communicate(timeout=60)
    done = subprocess.run(
        [sys.executable, "-c", _SAY], env=environment, cwd=tmp_path, check=True, timeout=300, capture_output=True
    )
    assert done.stdout == b"1\n"


def test_a_process_that_keeps_a_lock_too_long_is_waited_for_no_longer(tmp_path: Path) -> None:
    environment = small_package(tmp_path, "    return x + 1\n")
    lock = lock_file(tmp_path, environment)
    with lock.open("ab") as file:
        assert jit._only_here(file)
        impatient = f"import mazzo.jit; mazzo.jit._PATIENCE = 0.2; {_SAY}"
        done = subprocess.run(
            [sys.executable, "-c", impatient],
            env=environment,
            cwd=tmp_path,
            check=True,
            timeout=300,
            capture_output=True,
        )
    assert done.stdout == b"1\n"


def test_a_kernel_that_cannot_be_compiled_leaves_no_lock_and_nothing_in_preparation(tmp_path: Path) -> None:
    environment = small_package(tmp_path, "    return x.no_such_thing\n")
    tried = """
import mazzo.fast as f, mazzo.jit as j
try:
    f.slow(1)
except Exception as error:
    print(type(error).__name__, j.being_prepared(), f.slow._cache._lock)
"""
    command = [sys.executable, "-c", tried]
    done = subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=300, capture_output=True)
    assert done.stdout == b"TypingError () None\n"


def test_a_cache_that_goes_while_a_kernel_is_compiled_costs_only_its_keeping(tmp_path: Path) -> None:
    environment = small_package(tmp_path, "    return x + 1\n")
    removed = f"""
import shutil, mazzo.fast as f, mazzo.jit as j
save = f.slow._cache._cache.save_overload
def late(*given):
    shutil.rmtree({str(tmp_path / "cache")!r})
    save(*given)
f.slow._cache._cache.save_overload = late
print(f.slow(1), f.slow(2))
"""
    command = [sys.executable, "-c", removed]
    done = subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=300, capture_output=True)
    assert done.stdout == b"2 3\n"


def test_generators_of_others_and_code_with_python_objects_still_compile() -> None:
    """They ask for what kernels never need, which is left out until somebody asks."""

    def counting(n: int) -> Iterator[int]:
        for k in range(n):
            yield k * n

    def listing(n: int) -> list[str]:
        found = []
        for k in range(n):
            found.append(str(k))
        return found

    assert list(numba.njit(counting)(4)) == [0, 4, 8, 12]
    assert numba.jit(forceobj=True, looplift=False)(listing)(3) == ["0", "1", "2"]
