"""Hands of poker rooms: each form and its traps, in hands written for this; what is wrong is named and ends nothing."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
from benchmarks.fuzz_rooms import mutated

from mazzo.holdem.logs import read_hands
from mazzo.holdem.logs.formats import FORMATS, LogFormat
from mazzo.holdem.logs.rooms.text import card, cards, cents, decoded
from mazzo.holdem.logs.write import write_hands
from mazzo.holdem.statistics.tally import tally
from tests.data_files import DATA

ROOMS = DATA / "rooms"
EXPECTED: dict[str, Any] = json.loads((ROOMS / "expected.json").read_text())
FILES = sorted(path for path in ROOMS.iterdir() if path.name != "expected.json")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_form_and_trap_is_read_as_a_person_reads_it(path: Path) -> None:
    expected = EXPECTED[path.name]
    reader = read_hands(path)
    found = []
    for hands in reader:
        assert hands.about is not None
        for row in range(len(hands)):
            about, players = hands.about[row], hands.names_of(row)
            net = [int(amount) for amount in hands.net[row, : len(players)]]
            kept = {"rake": about.rake, "currency": about.currency, "when": about.when, "tournament": about.tournament}
            found.append({"players": players, "net": net, "unit": int(hands.unit[row]), **kept})
        assert not hands.unverified.any()
    assert found == expected["hands"]
    assert dict(reader.report.reasons) == expected["skipped"]
    assert list(reader.report.formats) == [expected["format"]]


def test_what_is_collected_and_the_rake_come_to_what_was_put_in() -> None:
    for hands in read_hands(ROOMS):
        for row in range(len(hands)):
            players = len(hands.names_of(row))
            assert hands.about is not None
            assert hands.net[row, :players].sum() == -hands.about[row].rake


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        (("bob: posts small blind $0.05", "bob: posts small blind $0.04"), "accounts do not add up"),
        (("cid collected $1.39", "cid collected $1.49"), "accounts do not add up"),
        (("Uncalled bet ($0.50) returned to cid", "Uncalled bet ($0.40) returned to cid"), "return does not follow"),
        (("cid: calls $0.40", "cid: calls $0.30"), "amount does not follow"),
        (("cid: checks\nann: bets $0.40", "ann: bets $0.40"), "illegal betting"),
        (("[2c 7d Jh 3s] [9c]", "[2c 7d Jh 3s] [3s]"), "wrong cards"),
        (("Seat 2: bob ($12.50 in chips)\n", ""), "line not understood"),
    ],
)  # fmt: skip
def test_a_hand_that_does_not_add_up_is_never_used(changed: tuple[str, str], kind: str, tmp_path: Path) -> None:
    text = decoded((ROOMS / "pokerstars_bom.txt").read_bytes())
    before, after = changed
    assert before in text
    path = tmp_path / "changed.txt"
    path.write_text(text.replace(before, after).replace("[2c 7d Jh 3s 9c]", "[2c 7d Jh 3s 9c]"))
    reader = read_hands(path)
    assert list(reader) == []
    (skip,) = reader.report.skipped
    assert skip.line == 1
    assert skip.kind in (kind, "amount does not follow", "unknown player", "illegal betting", "accounts do not add up")


def test_the_showdown_is_checked(tmp_path: Path) -> None:
    text = (ROOMS / "pokerstars_antes_sidepot.txt").read_text()
    path = tmp_path / "swapped.txt"
    path.write_text(text.replace("bob collected 1200", "ann collected 1200"))
    reader = read_hands(path)
    assert list(reader) == []
    assert reader.report.reasons == {"result does not follow": 1}


def test_a_hand_won_while_the_other_mucks_counts_in_the_results() -> None:
    counted = tally(read_hands(ROOMS / "pokerstars_mucked_winner.txt"))
    assert counted.players["bob"].won_at_showdown == 1.0
    assert counted.players["ann"].won_at_showdown == 0.0
    assert counted.players["ann"].unknown == 0
    assert counted.players["bob"].win_rate.mean == pytest.approx(1.8)


def test_results_that_are_not_known_are_left_out_and_counted() -> None:
    (hands,) = read_hands(ROOMS / "pokerstars_mucked_winner.txt")
    hands.net[:] = np.nan
    player = tally([hands]).players["bob"]
    assert np.isnan(player.won_at_showdown)
    assert player.unknown == 1


def test_the_same_hand_in_two_files_is_counted_once_and_said(tmp_path: Path) -> None:
    data = (ROOMS / "pokerstars_bom.txt").read_bytes()
    (tmp_path / "a.txt").write_bytes(data)
    (tmp_path / "b.txt").write_bytes(data)
    reader = read_hands(tmp_path)
    assert sum(map(len, reader)) == 1
    assert reader.report.as_dict()["same_hand_again"] == 1
    assert str(tmp_path / "a.txt") in reader.report.skipped[0].reason


def test_folders_are_read_with_their_xml_csv_and_json() -> None:
    names = {Path(hands.source).suffix for hands in read_hands(ROOMS)}
    assert names == {".txt", ".xml", ".csv", ".ohh"}


def test_an_empty_file_is_no_hand(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"\xef\xbb\xbf\r\n")
    reader = read_hands(tmp_path)
    assert list(reader) == []
    told = reader.report.as_dict()
    assert (told["read"], told["files_without_hands"]) == (0, 1)


def test_one_bad_file_never_ends_a_run(tmp_path: Path) -> None:
    def fails(file: BinaryIO, path: Path, game: object) -> Any:
        raise ZeroDivisionError("a fault")

    (tmp_path / "a.txt").write_text("Faulty room\n")
    (tmp_path / "b.txt").write_bytes((ROOMS / "pokerstars_bom.txt").read_bytes())
    FORMATS.register("faulty")(LogFormat("faulty", (".txt",), lambda head: head.startswith(b"Faulty"), fails))
    try:
        reader = read_hands(tmp_path)
        assert sum(map(len, reader)) == 1
    finally:
        FORMATS.forget("faulty")
    assert reader.report.reasons == {"damaged file": 1}
    assert "ZeroDivisionError" in reader.report.skipped[0].reason


def test_counts_are_told_by_format() -> None:
    reader = read_hands(ROOMS)
    used = sum(map(len, reader))
    formats = reader.report.as_dict()["formats"]
    assert sum(count["used"] for count in formats.values()) == used == reader.report.verified
    assert formats["pokerstars"]["skipped"]["cash-out"] == 1
    assert formats["ipoker"] == {"files": 1, "read": 1, "used": 1, "verified": 1, "skipped": {}}


@pytest.mark.parametrize("name", ["pokerstars", "888poker", "partypoker", "ipoker", "merge", "pokernow", "thebiggame"])
def test_a_line_without_end_takes_no_longer_than_its_length(name: str) -> None:
    """Were the time the square of the length, this would take hours."""
    path = next(path for path in FILES if path.name.startswith(name))
    text = decoded(path.read_bytes())
    for piece in ("a: " * 300_000, "[" * 900_000, '<game gamecode="' * 3_000, "raises 1 to " * 80_000, "(" * 900_000):
        form = FORMATS[EXPECTED[path.name]["format"]]
        for data in (text.rstrip("\n") + piece, text.replace("\n", "\n" + piece + "\n", 3)):
            list(form.read(_as_file(data), path, None))


def _as_file(text: str) -> BinaryIO:
    return io.BytesIO(text.encode())


def test_no_mutation_of_any_room_s_text_crashes() -> None:
    """Every reader survives thousands of damaged files; what it still uses adds up."""
    chance = random.Random(20261118)
    texts = [path.read_bytes() for path in FILES]
    for _ in range(1500):
        at = chance.randrange(len(FILES))
        data = mutated(texts[at], chance, texts)
        form = FORMATS[EXPECTED[FILES[at].name]["format"]]
        for hands, _skipped in form.read(io.BytesIO(data), FILES[at], None):
            if hands is not None:
                assert not np.isnan(hands.net[:, 0]).any()


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,500", 150000), ("1 500", 150000), ("1.500", 150000), ("0,05", 5), ("$1,234.56", 123456), ("1.234,56", 123456),
     ("12", 1200), ("0.125", None), ("0.120", 12), ("1,192,480", 119248000), ("Rs. 2", 200), ("", None), ("x", None),
     ("-0,10", -10), ("1 192,48 $", 119248)],
)  # fmt: skip
def test_amounts_are_read_however_they_are_written(text: str, value: int | None) -> None:
    assert cents(text) == value


def test_cards_are_read_however_they_are_written() -> None:
    ten = 33
    assert {card(text) for text in ("Td", "10d", "D10", "dT", "10♦", "TD", "T of d", "10 of d")} == {ten}
    assert cards("4s, 8s - [Td]") == cards("4s8sTd") == (11, 27, ten)
    assert card("XX") == 255
    assert card("1d") is None


def test_room_hands_stay_as_they_are_in_parquet(tmp_path: Path) -> None:
    before = {
        (hands.source, int(line)): net
        for hands in read_hands(ROOMS)
        for line, net in zip(hands.line, hands.net, strict=True)
    }
    write_hands(read_hands(ROOMS), tmp_path / "rooms.parquet")
    reader = read_hands(tmp_path / "rooms.parquet")
    after = {
        (hands.source, int(line)): net for hands in reader for line, net in zip(hands.line, hands.net, strict=True)
    }
    assert reader.report.reasons == {}
    assert reader.report.unverified == 0
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[key], after[key], equal_nan=True) for key in before)


@pytest.mark.parametrize("seat", ["Infinity", "-1e999", "[]", "null", "{}", '"x"', "1e400", "9" * 400])
@pytest.mark.parametrize("name", ["thebiggame_two_boards.txt", "openhandhistory.ohh"])
def test_numbers_that_are_none_are_named(name: str, seat: str) -> None:
    text = (ROOMS / name).read_text()
    for field in ("Seat:1,Stack", "Dealer:1"):
        text = text.replace(field, field.replace("1", seat, 1))
    text = text.replace('"dealer_seat": 2', f'"dealer_seat": {seat}')
    ((hands, skipped),) = FORMATS[EXPECTED[name]["format"]].read(io.BytesIO(text.encode()), Path(name), None)
    assert hands is None or len(hands)
    assert hands is not None or skipped
