"""Who stands for each player at a table."""

from __future__ import annotations

import numpy as np
import pytest

from mazzo.holdem import Hand, range_of
from mazzo.holdem.advising.models import SeenFigures, TableCompany, figures_of, harmless, stand_in
from mazzo.holdem.agents import find_agent
from mazzo.holdem.agents.typical import Typical
from mazzo.holdem.rules import find_game
from mazzo.testing import check_holdem_agent

_TIGHT = SeenFigures(hands=2000, played=240, raised=200, bets=300, checks=700, calls=100, faced=400, folded=260)
_LOOSE = SeenFigures(hands=2000, played=1100, raised=300, bets=300, checks=700, calls=500, faced=700, folded=150)


def _opened() -> Hand:
    hand = Hand("holdem-nolimit-6p", "AcKd Jc3d 7d2s 8s8c QhQs Td9d 4c3h9s Tc 4h")
    return hand.act("f").act("f").act("r250")


@pytest.mark.parametrize("game", ["holdem-limit-2p", "holdem-nolimit-6p", "holdem-nolimit-2p"])
def test_a_typical_player_is_an_agent_like_all_others(game: str) -> None:
    check_holdem_agent(lambda: find_agent("typical"), find_game(game), deals=8)


def test_a_tight_player_raises_with_fewer_hands_than_a_loose_one() -> None:
    hand = _opened()
    seen = hand.observe()
    company = TableCompany(tuple("ABCDEF"), (), (None, None, None, None, _TIGHT, None))
    other = TableCompany(tuple("ABCDEF"), (), (None, None, None, None, _LOOSE, None))
    tight, loose = (stand_in(k, 4, seen).chances(seen, 4) for k in (company, other))
    assert tight["AA"] > loose["AA"]
    assert tight["T7s"] < loose["T7s"]
    assert (tight.p > 0).all()  # a person is never sure not to have it


def test_amounts_of_people_tell_the_same_as_those_of_the_model() -> None:
    usual = find_agent("typical")
    small, large = (
        range_of(usual, Hand("holdem-nolimit-2p", seed=1).act(f"r{to}"), 1, any_raise=True).p for to in (220, 900)
    )
    assert np.allclose(small, large)


def test_figures_of_a_hand_are_what_was_done_in_it() -> None:
    hand = _opened()
    for action in ("f", "f", "c", "c", "r400", "c", "c", "c", "c", "c"):
        hand.act(action)
    assert hand.over
    found = figures_of(hand)
    opener, caller = found[4], found[1]
    assert (opener.hands, opener.played, opener.raised) == (1, 1, 1)
    assert (caller.played, caller.raised, caller.checks, caller.bets) == (1, 0, 3, 0)
    assert (opener.bets, caller.calls, caller.faced) == (1, 1, 1)
    assert found[2] == SeenFigures(hands=1)


def test_five_hands_do_not_make_a_portrait() -> None:
    maniac = find_agent(SeenFigures(hands=5, played=5, raised=5).agent(6))
    assert isinstance(maniac, Typical)
    assert maniac.played < 0.4


def test_an_agents_own_policy_is_used_named_and_switched_off_at_will() -> None:
    hand = Hand("holdem-nolimit-6p", seed=1).act("f").act("f").act("r350")
    company = TableCompany(tuple("ABCDEF"), ("", "", "", "", "chart", ""))
    own = stand_in(company, 4, hand.observe())
    assert own.own
    assert "E itself, chart" in own.words
    assert np.allclose(own.range(hand.observe(), 4), range_of("chart", hand, 4).p)
    other = stand_in(company, 4, hand.observe(), own=False)
    assert (other.own, other.kind) == (False, "usual")


def test_an_agent_that_does_not_play_so_gives_way_to_a_stand_in_and_it_is_said() -> None:
    hand = Hand("holdem-nolimit-2p", seed=1).act("r300")
    model = stand_in(TableCompany(("A", "B"), ("", "call")), 1, hand.observe())
    assert model.kind == "usual"
    assert "not used" in model.notes[0]


@pytest.mark.parametrize(
    "name",
    ["evil.py", "recorder:agent=call,to=/tmp", "clone:model=/etc/passwd", "hero.mz", "nobody", "chart:size=9" * 30],
)
def test_a_record_names_no_agent_that_reads_or_runs_anything(name: str) -> None:
    assert not harmless(name)
    assert TableCompany.read({"agents": [name, "chart"]}, ["A", "B"]).agents == ("", "chart")


def test_figures_of_a_record_are_counts_or_nothing() -> None:
    given = [{"hands": -1}, {"hands": True}, {"hands": "9"}, 7, {"hands": 10**12}]
    assert [SeenFigures.read(one) for one in given] == [None] * 5
    assert SeenFigures.read({"hands": 9, "played": 3}) == SeenFigures(hands=9, played=3)


def test_a_clone_among_the_users_own_stands_for_the_person_of_its_name(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pathlib import Path

    from mazzo.holdem.advising.models import clone_of

    folder = Path(str(tmp_path))
    monkeypatch.setattr("mazzo.holdem.advising.models.data_directory", lambda: folder)
    (folder / "clones").mkdir()
    (folder / "clones" / "Anna.mz").write_bytes(b"")
    assert clone_of("Anna") == folder / "clones" / "Anna.mz"
    assert clone_of("../Anna") is None
    assert clone_of("Bob") is None
    model = stand_in(TableCompany(("Anna", "B")), 0, Hand("holdem-nolimit-2p", seed=1).observe())
    assert model.kind == "usual"  # a file that is no clone
    assert "clone of Anna is not used" in model.notes[0]
