import json
import sys
from typing import Any

import pytest

from mazzo.cli.app import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["mazzo", "equity", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    assert isinstance(left.value.code, int)
    return left.value.code


def answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(monkeypatch, *arguments, "--json") == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_json_has_the_promised_keys(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(monkeypatch, capsys, "AsAh")
    assert round(data["equity"], 9) == 0.852037133
    assert data["exact"] is True
    assert data["standard_error"] == 0
    assert data["numerator"] / data["denominator"] == data["equity"]


def test_a_board_and_two_opponents_are_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = answer(monkeypatch, capsys, "AhKh", "--board", "2c 7d Th 3s", "--opponents", "2")
    assert round(data["equity"], 6) == 0.249721
    assert (data["hand"], data["board"], data["opponents"]) == ("AhKh", "2c7dTh3s", 2)


def test_more_samples_than_can_be_counted_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "AsKd", "--samples", "99999999999999999999") == 2
    assert "samples are 1 to 1,000,000,000,000" in capsys.readouterr().err


def test_more_opponents_are_sampled_with_a_standard_error_that_repeats(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("AhKh", "--opponents", "5", "--samples", "2000", "--seed", "3")
    data = answer(monkeypatch, capsys, *arguments)
    assert data["exact"] is False
    assert data["standard_error"] > 0
    assert data["numerator"] is None
    assert answer(monkeypatch, capsys, *arguments)["equity"] == data["equity"]


def test_a_range_is_taken(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(monkeypatch, capsys, "AhKh", "--against", "QQ+,AKs:0.5", "--board", "2c7dTh")
    assert data["exact"] is True
    assert 0 < data["equity"] < 1


def test_two_opponents_with_ranges_are_both_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ranges, board = ("QQ+", "AKs", "JJ"), ("--board", "7h8h2c")
    shares = []
    for hero in ranges:
        others = [word for other in ranges if other != hero for word in ("--against", other)]
        data = answer(monkeypatch, capsys, hero, *others, *board)
        assert (data["exact"], data["opponents"], data["against"]) == (True, 2, others[1::2])
        shares.append(data["equity"])
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert run(monkeypatch, "QQ+", "--against", "AKs", "--against", "JJ", *board) == 0
    assert "QQ+ on 7h8h2c against AKs and JJ" in capsys.readouterr().out
    three = ("--against", "AA", "--against", "KK", "--against", "JJ", "--samples", "1000")
    assert answer(monkeypatch, capsys, "QQ+", *three, *board)["exact"] is False


def test_every_next_card_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("AhKh", "--against", "QQ+", "--board", "7h8h2c3s", "--dead", "9h", "--runouts")
    spread = answer(monkeypatch, capsys, *words)["runouts"]
    assert len(spread["cards"]) == 52 - 7
    assert run(monkeypatch, *words) == 0
    assert "The next card" in capsys.readouterr().out
    assert run(monkeypatch, "AhKh", "--runouts") == 2


def test_text_says_what_was_asked_and_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "AhKh", "--board", "2c7dTh3sQc") == 0
    text = capsys.readouterr().out
    assert "AhKh on 2c7dTh3sQc against a random hand" in text
    assert "39.2424%" in text
    assert "high card, ace king queen ten seven" in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("AsKx",), "after the rank K comes a suit"),
        (("AsAs",), "duplicate card As"),
        (("As",), "a hand is two cards"),
        (("AsKdQd",), "a hand is two cards"),
        (("AsKd", "--board", "7h"), "a board has 0, 3, 4 or 5 cards"),
        (("AsKd", "--board", "7h8h"), "a board has 0, 3, 4 or 5 cards"),
        (("AsKd", "--board", "2c3c4c5c6c7c"), "a board has 0, 3, 4 or 5 cards"),
        (("AsKd", "--board", "As8h2c"), "As cannot be dealt twice"),
        (("AsKd", "--opponents", "10"), "1 to 9 opponents, not 10"),
        (("AsKd", "--opponents", "0"), "1 to 9 opponents, not 0"),
        (("AsKd", "--against", "AX"), "cannot read 'AX' in the range"),
        (("AsKd", "--against", "AsKh"), "every hand in the range 'AsKh' is blocked"),
        (("AsKd", "--against", "QQ", "--opponents", "2"), "--against is one opponent"),
        (("AsKd", "--samples", "1"), "--samples"),
        ((), "HAND"),
    ],
)
def test_wrong_usage_leaves_with_two_and_a_clear_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    assert run(monkeypatch, *arguments) == 2
    found = capsys.readouterr()
    assert complaint in found.err
    assert found.out == ""
