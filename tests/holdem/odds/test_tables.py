from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mazzo.cards import FRENCH
from mazzo.holdem.odds import equities, equity, prepare, store, tables_ready
from mazzo.holdem.odds.build import EquityTables, build, holes
from mazzo.holdem.odds.exact import COUNTS
from mazzo.holdem.odds.isomorphism import HOLE, HOLE_AND_FLOP
from mazzo.holdem.odds.store import read_tables, table_path, write_tables

UNDEALT = [-1] * 5


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory, and no tables that came with Mazzo."""
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "not there")
    return tmp_path


@pytest.fixture(scope="module")
def some_tables() -> EquityTables:
    """Of the right shape, quick to make, and different everywhere."""
    rng = np.random.default_rng(0)
    preflop = rng.integers(0, 1 << 40, (HOLE.size, COUNTS))
    return EquityTables(preflop, rng.integers(0, 1 << 32, (HOLE_AND_FLOP.size, 2)).astype(np.uint32))


def test_the_tables_that_come_with_mazzo_are_those_this_code_builds() -> None:
    done: list[float] = []
    built = build(done.append)
    shipped = read_tables(store.SHIPPED)
    assert shipped is not None
    assert (built.preflop == shipped.preflop).all()
    assert (built.flop == shipped.flop).all()
    assert sum(done) == pytest.approx(1)


def test_the_tables_that_come_with_mazzo_need_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "_kept", {})
    monkeypatch.setattr(store, "build", lambda progress: pytest.fail("built what was there"))
    assert tables_ready()
    assert prepare().flop.shape == (HOLE_AND_FLOP.size, 2)
    assert list(tmp_path.iterdir()) == []


def test_where_the_tables_that_come_with_mazzo_are_damaged_they_are_built(
    own_cache: Path, some_tables: EquityTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.SHIPPED.write_bytes(b"nonsense")
    monkeypatch.setattr(store, "build", lambda progress: some_tables)
    monkeypatch.setattr(store, "_kept", {})
    assert prepare() is some_tables


def test_before_the_flop_the_table_has_what_is_known() -> None:
    hands = [FRENCH.parse(text) for text in ("AsAh", "AhKh", "7h2c")]
    numerators, denominators = equities(hands, [UNDEALT] * 3, 1)
    assert np.round(numerators / denominators, 9).tolist() == [0.852037133, 0.670446323, 0.345836473]


@pytest.mark.parametrize("opponents", [1, 2])
def test_before_the_flop_the_table_agrees_with_counting_one_hand(opponents: int) -> None:
    for text in ("AsAh", "JhTh", "7h2c"):
        hand = FRENCH.parse(text)
        numerators, denominators = equities([hand], [UNDEALT], opponents)
        counted = equity(hand, (), opponents)
        assert (numerators[0], denominators[0]) == (counted.numerator, counted.denominator)


def test_on_the_flop_the_table_agrees_with_counting_one_hand() -> None:
    rng = np.random.default_rng(3)
    hands = np.argsort(rng.random((60, 52)), axis=1)[:, :5]
    suited = [FRENCH.parse(text) for text in ("AhKh2h7hTh", "2c3d4h5h6h", "AsAhAdAcKs", "9c9d2h7hTh")]
    every = [*hands.tolist(), *[[int(card) for card in hand] for hand in suited]]
    for opponents in (1, 2):
        numerators, denominators = equities([h[:2] for h in every], [[*h[2:], -1, -1] for h in every], opponents)
        for row, hand in enumerate(every):
            counted = equity(hand[:2], hand[2:], opponents)
            assert (numerators[row], denominators[row]) == (counted.numerator, counted.denominator)


@pytest.mark.parametrize("opponents", [1, 2])
def test_over_all_hands_the_average_is_an_equal_share(opponents: int) -> None:
    numerators, denominators = equities(holes(), [UNDEALT] * 1326, opponents)
    assert sum(numerators.tolist()) == Fraction(1326 * int(denominators[0]), opponents + 1)
    for text in ("2h7hTh", "AcAdAh", "2c7dTh", "9s8s2d"):
        flop = [int(card) for card in FRENCH.parse(text)]
        free = list(combinations([card for card in range(52) if card not in flop], 2))
        numerators, denominators = equities(free, [[*flop, -1, -1]] * len(free), opponents)
        assert sum(numerators.tolist()) == Fraction(len(free) * int(denominators[0]), opponents + 1)


def test_streets_may_be_mixed_in_a_batch() -> None:
    hand, board = FRENCH.parse("AhKh"), [int(card) for card in FRENCH.parse("2c7dTh3sQc")]
    boards = [[*board[:known], *[-1] * (5 - known)] for known in (5, 0, 4, 3)]
    numerators, denominators = equities([hand] * 4, boards, [1, 1, 2, 1])
    assert np.round(numerators / denominators, 6).tolist() == [0.392424, 0.670446, 0.249721, 0.564717]


def test_tables_survive_their_file(tmp_path: Path, some_tables: EquityTables) -> None:
    write_tables(tmp_path / "new" / "tables.bin", some_tables)
    found = read_tables(tmp_path / "new" / "tables.bin")
    assert found is not None
    assert (found.preflop == some_tables.preflop).all()
    assert (found.flop == some_tables.flop).all()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["tables.bin"]


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "flipped", "flipped late", "other version", "longer"])
def test_a_damaged_file_is_not_believed(tmp_path: Path, some_tables: EquityTables, damage: str) -> None:
    path = tmp_path / "tables.bin"
    write_tables(path, some_tables)
    whole = bytearray(path.read_bytes())
    if damage == "missing":
        path.unlink()
    elif damage == "other version":
        path.write_bytes(whole.replace(b"version 2", b"version 1", 1))
    elif damage == "longer":
        path.write_bytes(whole + b"\0")
    elif damage.startswith("flipped"):
        whole[-5 if damage == "flipped late" else 100] ^= 1
        path.write_bytes(whole)
    else:
        path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"")
    assert read_tables(path) is None


def test_a_damaged_file_is_built_again(
    own_cache: Path, some_tables: EquityTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[int] = []

    def build(progress: object) -> EquityTables:
        built.append(1)
        return some_tables

    monkeypatch.setattr(store, "build", build)
    monkeypatch.setattr(store, "_kept", {})
    assert not tables_ready()
    prepare()
    assert table_path().is_relative_to(own_cache)
    assert tables_ready()
    monkeypatch.setattr(store, "_kept", {})
    prepare()
    assert len(built) == 1
    table_path().write_bytes(b"nonsense")
    monkeypatch.setattr(store, "_kept", {})
    prepare()
    assert len(built) == 2
    assert read_tables(table_path()) is not None


def test_a_place_that_cannot_be_written_does_not_stop_the_work(
    own_cache: Path, some_tables: EquityTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_cache / "tables").write_text("a file where the directory should be")
    monkeypatch.setattr(store, "build", lambda progress: some_tables)
    monkeypatch.setattr(store, "_kept", {})
    assert prepare() is some_tables


def test_writers_at_the_same_time_leave_a_whole_file(tmp_path: Path, some_tables: EquityTables) -> None:
    path = tmp_path / "tables.bin"
    write_tables(path, some_tables)
    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write_tables, path, some_tables) for _ in range(4)]
        while not all(writer.done() for writer in writers):
            assert read_tables(path) is not None
    for writer in writers:
        writer.result()
    assert [entry.name for entry in tmp_path.iterdir()] == ["tables.bin"]
