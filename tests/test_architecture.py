"""Laws of the source: one meaning a name, one shape for every game, fewer and fewer exceptions, pages that are true."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "mazzo"
GAMES = ("holdem", "blackjack", "tressette")

OF_THE_SHAPE = {"Rules", "Table", "Round", "Observations", "Random"}
"""Names that every game may use for its own: one meaning, one a game."""

SHAPE = ("rules", "kernels", "table", "observation", "match", "seated", "replay", "entry")

STILL_IGNORED = {"Layers": 0, "A game is named": 0, "Inside a game": 0}
"""How many imports each contract still lets pass, the door's own not counted; numbers only ever go down."""

MOST_ARGUMENTS = 12
"""Of a kernel; beyond these they are gathered in named tuples."""


TABLES_IN_FUNCTIONS = {"src/mazzo/demo/steps.py": 1, "tests/blackjack/counting/test_counting.py": 1}
"""Places where a table that stands in a function keeps its rows; numbers only ever go down."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def public_classes() -> Iterator[tuple[str, Path]]:
    for path in modules():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path


def made_by(script: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(script, ROOT / "docs" / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_two_public_classes_of_one_name_mean_different_things() -> None:
    places: dict[str, list[str]] = {}
    for name, path in public_classes():
        places.setdefault(name, []).append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in OF_THE_SHAPE} == {}


def test_names_of_the_shape_are_used_once_a_game_and_nowhere_else() -> None:
    for name in OF_THE_SHAPE - {"Random"}:
        owners = [path.relative_to(SOURCE).parts[0] for found, path in public_classes() if found == name]
        assert len(owners) == len(set(owners)), (name, owners)
        assert set(owners) <= set(GAMES), (name, owners)


def test_every_game_has_the_files_of_the_shape() -> None:
    wanted = [f"{game}/{file}.py" for game in GAMES for file in SHAPE]
    wanted += ["holdem/hand.py", "blackjack/round.py", "tressette/round.py", *(f"{game}/agents" for game in GAMES)]
    assert [file for file in wanted if not (SOURCE / file).exists()] == []


COMPILED = {"kernel", "tight", "inlined", "helper", "tight_helper", "summing"}
"""The decorators of `mazzo.jit`."""


def test_the_decorators_that_compile_are_those_of_the_law_on_arguments() -> None:
    offered = {node.name for node in parsed(SOURCE / "jit.py").body if isinstance(node, ast.FunctionDef)}
    assert offered >= COMPILED
    named = {
        alias.name
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and node.module == "mazzo.jit"
        for alias in node.names
    }
    decorators = {
        re.split(r"[.(]", ast.unparse(decorator))[0]
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    }
    assert named & decorators == COMPILED


def kernels() -> Iterator[tuple[str, int]]:
    """Compiled functions, and how many arguments each takes."""
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef) and COMPILED & {
                re.split(r"[.(]", ast.unparse(decorator))[0] for decorator in node.decorator_list
            }:
                taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                yield f"{path.relative_to(SOURCE)}: {node.name}", len(taken)


def test_no_kernel_takes_more_than_twelve_arguments() -> None:
    found = dict(kernels())
    assert len(found) > 100
    assert {name: arguments for name, arguments in found.items() if arguments > MOST_ARGUMENTS} == {}


def exported(package: Path) -> dict[str, str]:
    """Names a package offers, and whence: its imports, and what it hands over when first asked for."""
    found: dict[str, str] = {}
    for node in ast.walk(parsed(package / "__init__.py")):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: node.module for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "lazy":
            offered = node.args[1]
            assert isinstance(offered, ast.Dict)
            pairs = zip(offered.keys, offered.values, strict=True)
            texts = [
                (k.value, v.value) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)
            ]
            found |= {key: value for key, value in texts if isinstance(key, str) and isinstance(value, str)}
    return found


def module_named(text: str) -> bool:
    """Whether a dotted name is a module or package of ours, and not a thing in one."""
    place = SOURCE.parent / Path(*text.replace(":", ".").split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def test_an_exported_name_is_never_that_of_a_module_beside_it() -> None:
    for init in SOURCE.rglob("__init__.py"):
        package = init.parent
        dotted = ".".join(package.relative_to(SOURCE.parent).parts)
        beside = {path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
        beside -= {"__init__"}  # also the name of every constructor
        for name, source in exported(package).items():
            is_module = source == dotted or module_named(source if source.endswith(name) else f"{source}.{name}")
            # `rules` is imported at once, before anything can import the module, so that the function stays
            assert name not in beside or is_module or name == "rules", f"{dotted}.{name} (from {source})"


@pytest.mark.parametrize("begins", sorted(STILL_IGNORED))
def test_imports_that_break_a_contract_only_get_fewer(begins: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (one,) = [contract for contract in contracts if contract["name"].startswith(begins)]
    ignored = [line for line in one.get("ignore_imports", []) if line != "mazzo -> mazzo.**"]
    assert len(ignored) <= STILL_IGNORED[begins], ignored


@pytest.mark.parametrize("name", ["layers", "game-layers"])
def test_the_drawing_of_the_layers_is_that_of_the_contracts(name: str) -> None:
    drawn = made_by("make_pictures").PICTURES[name]()
    assert (ROOT / "docs" / "images" / f"{name}.svg").read_text() == drawn, "run: make pages"


def test_the_page_on_observations_is_that_of_the_classes() -> None:
    made = made_by("make_observations")
    assert (ROOT / "docs" / "observations.md").read_text() == made.page(), "run: make pages"


UNDOCUMENTED = {"blackjack": {"rules", "upcard", "after_split", "rng_key"}}
"""Fields without a word of their own; names are only ever taken away."""


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_an_observation_says_what_it_is(game: str) -> None:
    bare = {name for name, _, text in made_by("make_observations").fields_of(game) if not text}
    assert bare <= UNDOCUMENTED.get(game, set())


PLACE = re.compile(r"`((?:src|tests|docs|examples|benchmarks)/[\w./-]+|[\w-]+\.(?:toml|md|cff|yml|yaml)|Makefile)`")
TWENTY = (
    "attribute", "raise cap", "blackjack rule", "count system", "room format", "regressor", "last-trick point",
    "declaration", "command", "card back", "language", "study", "game", "confidence level", "staking", "coach",
    "time limits", "equity storage", "report column", "cache directory",
)  # fmt: skip


def rows_of_where() -> dict[str, str]:
    lines = (ROOT / "docs" / "where.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {row[0]: " ".join(row[1:]) for row in rows}


def test_the_page_on_where_to_change_names_one_place_for_each_of_twenty() -> None:
    rows = rows_of_where()
    for what in TWENTY:
        assert len(PLACE.findall(rows[what].split("; see")[0])) == 1, (what, rows[what])


@pytest.mark.parametrize("page", ["docs/where.md", "docs/architecture.md", "CONTRIBUTING.md", "README.md"])
def test_every_path_a_page_names_exists(page: str) -> None:
    named = PLACE.findall((ROOT / page).read_text())
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_names_in_where_stand_in_the_file_named_beside_them() -> None:
    for what, text in rows_of_where().items():
        for path, name in re.findall(r"`([\w./-]+\.(?:py|json|toml))`: `(\w+)`", text):
            assert re.search(rf"\b{name}\b", (ROOT / path).read_text()), (what, path, name)


def table_lines(path: Path) -> set[int]:
    """The last lines of statements that may hold a table: a constant of a module or class, the cases of a test."""
    body = parsed(path).body
    nodes: list[ast.stmt | ast.expr] = [*body, *(n for k in body if isinstance(k, ast.ClassDef) for n in k.body)]
    kinds = (ast.Assign, ast.AnnAssign)
    found = {node.end_lineno or 0 for node in nodes if isinstance(node, kinds)}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= {d.end_lineno or 0 for d in node.decorator_list if "parametrize" in ast.unparse(d)}
    return found


def test_only_tables_are_kept_from_the_formatter() -> None:
    paths = [
        path for part in ("src", "tests", "benchmarks", "examples", "docs") for path in (ROOT / part).rglob("*.py")
    ]
    elsewhere: dict[str, int] = {}
    for path in paths:
        lines = [k for k, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# fmt: skip")]
        others = len(set(lines) - table_lines(path)) if lines else 0
        if others:
            elsewhere[path.relative_to(ROOT).as_posix()] = others
    assert elsewhere == TABLES_IN_FUNCTIONS


def texts_but_docstrings(path: Path) -> Iterator[ast.Constant]:
    tree = parsed(path)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in bare:
            yield node


def test_the_confidence_level_is_written_in_one_place() -> None:
    found = []
    for path in modules():
        if path == SOURCE / "confidence.py" or path.stem.startswith("bodon"):  # whose document visits 95 % of states
            continue
        for node in texts_but_docstrings(path):
            text = node.value
            named = isinstance(text, str) and re.search(r"\b95 ?(%|per cent)", text)
            if named or (isinstance(text, float) and 1.9599 < text < 1.9601) or text == 1.96:
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    for path in [*SOURCE.rglob("*.json"), *SOURCE.rglob("*.html"), *SOURCE.rglob("*.js")]:
        if re.search(r"\b95 ?%", path.read_text()):
            found.append(str(path.relative_to(SOURCE)))
    assert found == []
