"""The benchmark of many tables plays against a real server; what it measures is not judged here."""

from __future__ import annotations

from benchmarks.tables import run


def test_bots_play_on_while_coaches_are_asked_and_no_connection_is_lost() -> None:
    found = run(
        ["--tables", "3", "--coaches", "2", "--minutes", "0.1", "--stretch", "2", "--warm", "0", "--speed", "fast"]
    )
    assert found["moves_with_coaches"] > 0
    assert found["moves_without_coaches"] > 0
    assert found["answers_of_coaches"] > 0
    assert found["connections_lost"] == 0
