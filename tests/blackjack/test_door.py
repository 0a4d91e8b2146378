"""`from mazzo import blackjack`: what a newcomer types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mazzo
from mazzo import blackjack as bj
from mazzo.document import Shown
from mazzo.errors import MazzoError, UnreadableError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_the_script_of_the_docs_runs_as_it_stands() -> None:
    done = subprocess.run([sys.executable, EXAMPLES / "blackjack.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "rules strip decks=8; deal 9,A v A,?" in done.stdout
    assert "1,000,000 rounds" in done.stdout


def test_no_exported_name_is_a_module_beside_it() -> None:
    folder = Path(bj.__file__).parent
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert modules & set(bj.__all__) == {"rules"}  # imported eagerly, so the function is what one gets
    for name in bj.__all__:
        assert getattr(bj, name) is not None
    assert callable(bj.rules)


def test_the_door_opens_without_numba() -> None:
    code = (
        "import sys; from mazzo import blackjack as bj; bj.rules('strip', decks=8); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_text_is_taken_wherever_rules_shoes_and_situations_are(tmp_path: Path) -> None:
    one = bj.analyse("strip", "6d-7,8,2")
    assert one.plays("8,8 v 10") == one.plays((7, 7), 9)
    assert one.best("T,6 v 10") == one.best((9, 5), 9)
    with pytest.raises(MazzoError, match="upcard"):
        one.plays((7, 7))
    with pytest.raises(MazzoError, match="twice"):
        one.plays("8,8 v 10", 9)
    assert bj.chart("strip").table == bj.chart(bj.rules()).table
    assert one.insurance("8,8") == one.insurance((7, 7))
    shoe = bj.Shoe.parse("6d-7,8,2")
    assert (
        bj.simulate("strip", rounds=99, shoe="6d-7,8,2").estimate == bj.simulate("strip", rounds=99, shoe=shoe).estimate
    )
    best = bj.chart("strip", "6d-7,8,2")
    (tmp_path / "best.txt").write_text(str(best.table))
    usual = bj.simulate("strip", rounds=99, shoe=shoe).estimate
    for strategy in (best, best.table, tmp_path / "best.txt", str(tmp_path / "best.txt")):
        assert bj.simulate("strip", strategy, rounds=99, shoe=shoe).estimate == usual
    with pytest.raises(MazzoError, match="cannot read the strategy none"):
        bj.simulate("strip", "none", rounds=99)
    basic = bj.agent("basic")
    assert bj.agent(basic) is basic
    table = bj.Table("strip", [1, 2], "6d-7,8,2")
    assert (table.rules, table.before) == (bj.rules("strip"), shoe)
    assert bj.count("hi-lo") in bj.counts()
    with pytest.raises(MazzoError, match="did you mean 'kelly'"):
        bj.stakes("kely")


def test_results_print_and_draw_themselves() -> None:
    found = bj.chart("strip")
    shown = [found, found.table, found.analysis, bj.simulate("strip", found.table, 1000), bj.count("ko")]
    shown += [bj.Round("strip", "8,8 v 10"), bj.agent("basic").explain(bj.Round("strip", "8,8 v 10").observe())]
    for one in shown:
        assert isinstance(one, Shown)
        assert str(one)
        assert "<" in (one._repr_html_() or "")
    assert mazzo.blackjack is bj


def test_a_shoe_is_made_from_text_or_counts() -> None:
    assert bj.Shoe("6d-7,8") == bj.Shoe.parse("6d-7,8") == bj.Shoe([24] * 6 + [23, 23, 24, 96])
    assert bj.Shoe(str(bj.Shoe("2d"))) == bj.Shoe.of_decks(2)
    with pytest.raises(UnreadableError, match="write 6d, or 6d-7,8,2"):
        bj.Shoe("six")
    with pytest.raises(UnreadableError, match="'3d', got 3"):
        bj.Shoe(3)  # type: ignore[arg-type]
