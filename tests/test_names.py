"""Names at a table: people keep theirs, agents are told apart by first names that follow from what they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mazzo.names import is_person, table_names

AGENTS = st.sampled_from(["utility", "utility:raise=.6", "call", "chart", "random"])
PEOPLE = st.sampled_from(["Anna", "Vera", "vera", "Zeno", "Sandro", "Ugo"]).map(lambda name: f"me:{name}")


@given(st.lists(AGENTS | PEOPLE, min_size=1, max_size=10))
def test_nobody_at_a_table_is_called_like_an_agent(seats: list[str]) -> None:
    names = table_names(seats)
    assert len(set(names)) == len(names)
    agents = [name.casefold() for name, seat in zip(names, seats, strict=True) if not is_person(seat)]
    people = [name.casefold() for name, seat in zip(names, seats, strict=True) if is_person(seat)]
    assert len(set(agents)) == len(agents)
    assert not set(agents) & set(people)


def test_four_agents_of_one_kind_have_four_names_and_always_the_same() -> None:
    names = table_names(["me:Anna", *["utility"] * 4])
    assert names[0] == "Anna"
    assert len(set(names)) == 5
    assert all(name.isalpha() for name in names)
    assert table_names(["me:Bruno", "utility"])[1] == names[1]
