"""What a tressette table tells the people who sit at it."""

from __future__ import annotations

from fractions import Fraction
from unicodedata import numeric

from mazzo.tressette.seated import TressetteTable


def _read(points: str) -> Fraction:
    """`6⅓` as a number."""
    return sum(
        (Fraction(numeric(sign)).limit_denominator(3) for sign in points if not sign.isdigit()), Fraction()
    ) + int("".join(sign for sign in points if sign.isdigit()) or 0)


def test_points_of_a_round_are_said_in_thirds() -> None:
    table = TressetteTable(["greedy", "random", "greedy", "random"], {}, 5)
    seen: set[str] = set()
    while not table.view(None)["hand_over"]:
        said = dict(table.view(None)["facts"])["tressette.round"]
        ours, theirs = said.split("-")
        assert [_read(ours), _read(theirs)] == [Fraction(int(t), 3) for t in table.round.thirds]
        seen |= set(said)
        table.act(table.agent_action())
    assert seen & set("⅓⅔")
    assert "." not in seen
