"""Attributes in a file of the user's, as the guide says it: one function, named on the command line."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.agent import check_safe, create
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.attributes import (
    REGISTRY,
    Situations,
    columns_of,
    describe,
    find,
    load_named,
    read_selection,
    situations_seen,
)
from mazzo.holdem.hand import Hand
from mazzo.holdem.rules import find_game
from mazzo.model_file import read_model, write_model
from tests.test_docs import ROOT

POT_ODDS = "examples/pot_odds.py:pot_odds"
LIMIT = find_game("holdem-limit-2p")


@pytest.fixture(autouse=True)
def _registry_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REGISTRY, "_found", dict(REGISTRY._found))


def forget() -> None:
    """As in another process, where nobody has named the file."""
    REGISTRY._found = {name: a for name, a in REGISTRY._found.items() if not a.file}


def run(line: str) -> str:
    result = CliRunner().invoke(mazzo, shlex.split(line), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def seen() -> Situations:
    return situations_seen(Hand.parse("STATE:0:cr:8sAs|Ac2h", LIMIT).observe())


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """The guide's section followed to the letter: each command in order, in a folder with the examples; its outputs."""
    section = re.search(r"^## An attribute\n(.*?)^## ", (ROOT / "docs/extend.md").read_text(), re.DOTALL | re.MULTILINE)
    assert section is not None
    folder = tmp_path_factory.mktemp("guide")
    shutil.copytree(ROOT / "examples", folder / "examples")
    before = dict(REGISTRY._found)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        outputs: dict[str, str] = {}
        for line in re.findall(r"^    mazzo (.*)$", section[1], re.MULTILINE):
            forget()
            outputs[line] = run(line)
        REGISTRY._found = before
        yield folder, outputs


def test_the_guide_followed_literally_lists_describes_learns_clones_plays_and_reads(
    guide: tuple[Path, dict[str, str]],
) -> None:
    folder, outputs = guide
    assert len(outputs) == 8
    assert "as a share of the pot it would make" in outputs[f"attributes --attributes {POT_ODDS}"]
    lines = (folder / "data/preflop.csv").read_text().splitlines()
    assert sorted(lines[0].split(",")[3:]) == ["CLASS_HERO_ACTION_TAKEN", "HAND_TYPE", "pot_odds"]
    assert read_model(folder / "hero.mz").settings["attributes"][-1] == "pot_odds"
    assert "pot_odds" in json.dumps(read_model(folder / "clone.mz").settings["streets"])


def test_the_guide_shows_the_example_as_it_is() -> None:
    page, example = (ROOT / "docs/extend.md").read_text(), (ROOT / "examples/pot_odds.py").read_text()
    for function in re.findall(r"^(?:@\S+\n)?def .*?(?=\n\n|\Z)", example, re.DOTALL | re.MULTILINE):
        assert function.strip() in page


@pytest.mark.parametrize("model", ["hero.mz", "clone.mz"])
def test_a_model_without_the_file_says_which_attribute_is_missing_and_how_to_name_it(
    guide: tuple[Path, dict[str, str]], model: str
) -> None:
    forget()
    with pytest.raises(UnreadableError, match=rf"'pot_odds' that is not known.*{model}:attributes=FILE.py:pot_odds"):
        create(str(guide[0] / model), AGENTS)


@pytest.mark.parametrize("model", ["hero.mz", "clone.mz"])
def test_a_path_in_a_model_file_is_never_run(guide: tuple[Path, dict[str, str]], tmp_path: Path, model: str) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(
        f"open({str(tmp_path / 'sprung')!r}, 'w')\ndef pot_odds(s):\n    'It is a trap.'\n    return s.owed\n"
    )
    found = read_model(guide[0] / model)
    text = json.dumps(found.settings).replace('"pot_odds"', json.dumps(f"{trap}:pot_odds"))
    write_model(tmp_path / model, type(found)(found.agent, json.loads(text), found.arrays))
    with pytest.raises(UnreadableError, match="not known"):
        create(str(tmp_path / model), AGENTS)
    (tmp_path / "chosen.txt").write_text(f"--attributes {trap}:pot_odds\n")
    with pytest.raises(UnreadableError, match="no attribute"):
        read_selection(tmp_path / "chosen.txt")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("name", ["hero:model=hero.mz", "clone:model=clone.mz", "online:model=hero.mz"])
def test_nobody_in_a_browser_may_name_a_file(name: str) -> None:
    with pytest.raises(UnreadableError, match="cannot be chosen here"):
        check_safe(f"{name.partition(':')[0]}:attributes={POT_ODDS}", AGENTS[name.partition(":")[0]])


@pytest.mark.parametrize("model", ["hero.mz", "clone.mz"])
def test_workers_are_sent_the_attribute_with_the_player(guide: tuple[Path, dict[str, str]], model: str) -> None:
    agent = create(f"{guide[0] / model}:attributes={ROOT / POT_ODDS}", AGENTS)
    observation = Hand.parse("STATE:0:cr:8sAs|Ac2h", LIMIT).observe()
    wanted, packed = agent.decide(observation), cloudpickle.dumps(agent)
    forget()
    assert "pot_odds" not in REGISTRY
    assert (cloudpickle.loads(packed).decide(observation) == wanted).all()


def test_the_function_is_found_by_its_own_spelling_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert find("pot_odds").name == "POT_ODDS"
    assert load_named([POT_ODDS, "HAND_TYPE"]) == ("pot_odds", "HAND_TYPE")
    assert find("pot_odds").name == "pot_odds"
    s = seen()
    rows = describe(s, columns_of(["pot_odds", "POT_ODDS"], s.games))
    assert rows[0, 0] == rows[0, 1] == 1 / 4


def test_an_attribute_of_values_gives_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (name,) = load_named(["examples/pot_odds.py:price"])
    s = seen()
    (column,) = columns_of([name], s.games)
    assert (column.values or ())[int(column.of(s)[0])] == "cheap"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def other(s):\n    'Something.'\n    return s.owed\n", "defines no function 'mine'"),
        ("def mine(s):\n    return s.owed\n", "needs a docstring"),
        ("def mine(s:\n", "does not run: SyntaxError"),
        ("mine = 3\n", "defines no function 'mine'"),
    ],
)
def test_files_that_define_no_attribute_are_explained(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "some.py").write_text(text)
    with pytest.raises(UnreadableError, match=words):
        load_named([f"{tmp_path / 'some.py'}:mine"])


@pytest.mark.parametrize(
    ("gives", "words"),
    [
        ("s.hole", r"shape \(1, 2\)"),
        ("[str(k) for k in s.owed]", "one number a decision"),
        ("s.owned", "does not run: AttributeError"),
        ("3.0", r"shape \(\)"),
    ],
)
def test_functions_that_give_no_number_a_decision_are_explained(tmp_path: Path, gives: str, words: str) -> None:
    (tmp_path / "some.py").write_text(f"def mine(s):\n    'Something.'\n    return {gives}\n")
    load_named([f"{tmp_path / 'some.py'}:mine"])
    with pytest.raises(UnreadableError, match=words):
        REGISTRY["mine"].work(seen())


def test_a_file_that_was_changed_is_read_again_and_names_of_ours_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    for factor in (2, 3):
        file.write_text(f"def mine(s):\n    'Something.'\n    return {factor} * s.owed\n")
        load_named([f"{file}:mine"])
        assert (REGISTRY["mine"].work(seen()) == factor * np.array([10])).all()
    file.write_text("def pot(s):\n    'Something.'\n    return s.owed\n")
    with pytest.raises(UnreadableError, match="an attribute 'pot' already, of mazzo itself"):
        load_named([f"{file}:pot"])
    other = tmp_path / "other.py"
    other.write_text("def mine(s):\n    'Another.'\n    return s.owed\n")
    with pytest.raises(UnreadableError, match=r"already, of .*some.py"):
        load_named([f"{other}:mine"])
    with pytest.raises(UnreadableError, match=r"write FILE\.py:NAME"):
        load_named([str(file)])
