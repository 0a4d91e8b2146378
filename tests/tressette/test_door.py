"""What `mazzo.tressette` gives, and the example that uses it."""

import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from mazzo import tressette

EXAMPLE = Path(__file__).parents[2] / "examples" / "tressette.py"


def test_the_example_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE))
    printed = capsys.readouterr().out
    assert "avv1 declared napoli, bongioco 2 without s" in printed
    assert "south plays; thirds its side gets from here on:" in printed
    assert "decision against greedy" in printed


def test_every_name_is_there_and_only_rules_is_also_a_module() -> None:
    import mazzo.tressette.entry
    import mazzo.tressette.replay  # noqa: F401  (what has been imported must not hide a name)

    for name in tressette.__all__:
        assert not isinstance(getattr(tressette, name), ModuleType), name
        assert name == "rules" or find_spec(f"mazzo.tressette.{name}") is None, name


def test_the_door_imports_nothing_heavy() -> None:
    program = (
        "import sys; from mazzo import tressette; tressette.rules('tressette-talk'); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_table_takes_rules_as_text() -> None:
    assert tressette.Table.deal(1, range(2), rules="tressette-talk").rules == tressette.rules("tressette-talk")


def test_an_agent_is_given_back_as_it_is() -> None:
    greedy = tressette.agent("greedy")
    assert tressette.agent(greedy) is greedy


def test_what_is_known_and_a_game_have_a_readable_repr() -> None:
    r = tressette.Round(seed=1)
    assert repr(tressette.knowledge(r.observe())) == f"<Knowledge: {r.seen()}>"
    assert repr(tressette.Game()) == "<Game: A game to 31 points: 0 to 0 after 0 rounds>"
