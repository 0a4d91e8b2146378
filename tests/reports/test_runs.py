from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.reports.runs import read_study, section_of
from mazzo.reports.sections import known_kind


def run(monkeypatch: pytest.MonkeyPatch, path: Path, *words: str) -> dict[str, Any]:
    monkeypatch.setattr(sys, "argv", ["mazzo", *words, "--json"])
    done = CliRunner().invoke(mazzo, [*words, "--json"], catch_exceptions=False)
    path.write_text(done.stdout)
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_a_match_becomes_a_section_with_its_interval_curve_and_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "match.json"
    data = run(monkeypatch, path, "match", "holdem-limit-2p", "raise", "fold", "--hands", "400")
    section = section_of(path)
    assert section.title == "raise against fold"
    assert section.figures[0].value == f"{data['players'][0]['bb_per_hand']:+.3f}"
    assert "400 hands, seed 0" in section.figures[0].detail
    assert section.charts[0].series[0].y[-1] == data["players"][0]["bb_per_hand"]
    assert section.commands == ["mazzo match holdem-limit-2p raise fold --hands 400 --json"]


def test_tournaments_become_a_section_with_the_drift_of_those_who_learn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "tournament.json"
    run(monkeypatch, path, "tournament", "--seats", "utility*2,patient", "--count", "5", "--chips", "300")
    section = section_of(path)
    assert [row[0] for row in section.tables[0].rows] == ["utility#1", "utility#2", "patient"]
    assert len(section.charts[0].series) == 4
    assert all(len(series.y) == 5 for series in section.charts[0].series)


def test_blackjack_becomes_values_a_chart_and_costs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    run(monkeypatch, path, "blackjack", "hand", "8,8", "v", "10")
    assert section_of(path).tables[0].rows[0][2] == "0.000000"
    run(monkeypatch, path, "blackjack", "ev", "--rules", "hungarian")
    assert section_of(path).figures[0].value == "-0.19986 %"
    run(monkeypatch, path, "blackjack", "chart")
    assert section_of(path).tables[0].head[0] == "hard totals"
    assert len(section_of(path).tables[0].inks) == 16


def test_a_run_without_a_section_of_its_own_is_shown_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "equity.json"
    data = run(monkeypatch, path, "equity", "AsKd", "--board", "7h8h2c")
    rows = section_of(path).tables[0].rows
    assert rows
    assert all(data[str(name)] == value for name, value in rows)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not json", "is not JSON"),
        ("[1, 2]", "is not a run of Mazzo"),
        ('{"command": "mazzo match"}', "is not a run of Mazzo"),
        ('{"command": ["mazzo", "match", "x"]}', "is not a whole run of match"),
    ],
)
def test_what_is_not_a_run_is_refused_with_what_would_be_right(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=said):
        section_of(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"none\.json"):
        section_of(tmp_path / "none.json")


def test_a_study_cut_short_is_read_up_to_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    header = json.dumps({"work": {"study": "aceituno", "full": False}})
    path.write_text(f'{header}\n{{"figure": "person"}}\n{{"figure": "per')
    work, results = read_study(path)
    assert work["study"] == "aceituno"
    assert results == [{"figure": "person"}]


def test_another_file_of_lines_is_not_a_study(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(UnreadableError, match="mazzo study run"):
        read_study(path)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["blackjack", "ev", "T6", "9"], "blackjack ev"),
        (["study", "report", "bodon"], "study report"),
        (["match", "holdem-limit-2p", "raise"], "match"),
        (["tressette", "solve"], ""),
    ],
)
def test_an_old_run_is_known_by_the_longest_kind_its_command_begins_with(words: list[str], kind: str) -> None:
    assert known_kind(words) == kind
