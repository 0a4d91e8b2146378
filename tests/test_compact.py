"""What a table keeps of the past takes little memory and is what it was."""

from __future__ import annotations

import tracemalloc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mazzo.compact import LinesDone, PackedRecords
from mazzo.seated import NEXT
from mazzo.sitting import Sitting

TEXTS = st.text(max_size=12)
LINES = st.one_of(
    st.fixed_dictionaries({"a": TEXTS}),
    st.fixed_dictionaries({"a": TEXTS, "seat": st.integers(0, 9), "hand": st.integers(0, 99)}),
    st.fixed_dictionaries({"claim": st.integers(0, 9), "token": TEXTS, "name": TEXTS}),
)


@given(st.lists(LINES, max_size=20))
def test_lines_come_back_as_they_were_whatever_a_name_or_an_action_holds(lines: list[dict[str, Any]]) -> None:
    done = LinesDone()
    for line in lines:
        done.append(line)
    assert list(done) == lines


def test_only_the_last_records_are_kept_and_the_last_can_be_taken_back() -> None:
    records = PackedRecords(3)
    for number in range(5):
        records.append({"number": number, "name": "Zoë {n}"})
    assert [record["number"] for record in records] == [2, 3, 4]
    assert records[-1]["name"] == "Zoë {n}"
    assert [record["number"] for record in records[1:]] == [3, 4]
    records.drop_last()
    assert len(records) == 2


def test_a_long_game_takes_a_few_bytes_of_memory_an_action() -> None:
    sitting = Sitting("holdem", ["utility", "call", "random"], {}, 5)

    def play(actions: int) -> None:
        for _ in range(actions):
            sitting.act(NEXT) if sitting.game.seat is None else sitting.let_agent_act()
            sitting.game.forget_lines(50)

    play(50)
    tracemalloc.start()
    try:
        before = _own()
        play(950)
        assert _own() - before < 1000 * 8  # a list that grows is counted anew as a whole
    finally:
        tracemalloc.stop()


def _own() -> int:
    """Bytes that the table's account of what was done holds."""
    own = [tracemalloc.Filter(True, f"*/mazzo/{name}.py") for name in ("sitting", "compact", "journal")]
    return sum(block.size for block in tracemalloc.take_snapshot().filter_traces(own).traces)
