import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mazzo.holdem.logs.lines import find_lines


@given(st.text("ab \r\n", max_size=40).map(str.encode))
def test_lines_are_those_between_line_feeds_without_blanks_and_returns_at_their_ends(text: bytes) -> None:
    found = find_lines(np.frombuffer(text, np.uint8))
    assert [text[start:end] for start, end in found.tolist()] == [line.rstrip(b"\r ") for line in text.split(b"\n")]
