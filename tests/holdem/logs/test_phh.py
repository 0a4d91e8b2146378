"""PHH in and out, with pokerkit as the judge."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pokerkit
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS
from mazzo.holdem.logs import Hands, acpc_text, read_hands
from mazzo.holdem.logs.phh import read_phh, read_site
from mazzo.holdem.logs.phh_write import phh_text
from tests.data_files import DATA

HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 AsKs', 'd dh p2 2c2d', 'd dh p3 ????', 'p3 f', 'p1 cbr 6', 'p2 cc', 'd db 3c4c5d',
  'p1 cbr 10', 'p2 f']
players = ['a', 'b', 'c']
finishing_stacks = [206, 194, 200]
"""


def reason(text: str) -> tuple[str, str]:
    ((hands, skipped),) = read_phh(text.encode(), "x")
    assert hands is None or not len(hands)
    return skipped[0].kind, skipped[0].reason


def read(text: str) -> Hands:
    ((hands, skipped),) = read_phh(text.encode(), "x")
    assert not skipped, skipped[0].reason
    assert hands is not None
    return hands


def test_bets_counted_by_street_become_totals_of_the_hand() -> None:
    assert acpc_text(read(HAND)).decode() == "STATE:0:fr6c/r16f:AsKs|2c2d|/3c4c5d:6|-6|0:a|b|c\n"


def test_fractions_of_a_dollar_become_cents() -> None:
    hands = read(HAND.replace("cbr 6'", "cbr 6.50'").replace("206, 194", "206.50, 193.50"))
    assert hands.unit[0] == 100
    assert hands.net[0, :3].tolist() == [650, -650, 0]


def test_without_finishing_stacks_a_hand_is_unverified_and_its_net_follows() -> None:
    hands = read(HAND.replace("finishing_stacks = [206, 194, 200]\n", ""))
    assert hands.unverified[0]
    assert hands.net[0, :3].tolist() == [6, -6, 0]


def test_a_house_share_is_accepted_from_the_winner_alone() -> None:
    assert read(HAND.replace("206, 194", "205, 194")).unverified[0]
    assert reason(HAND.replace("206, 194", "206, 193"))[0] == "net does not follow"


def test_unlimited_stacks_and_late_posts_are_read() -> None:
    text = HAND.replace("[200, 200, 200]", "[inf, inf, inf]").replace("[1, 2, 0]", "[1, 2, -1]")
    text = text.replace("finishing_stacks = [206, 194, 200]\n", "")
    assert read(text).net[0, :3].tolist() == [7, -6, -1]


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (("'NT'", "'PO'"), "unsupported variant", "PO"),
        (("min_bet = 2", "min_bet = 4"), "unsupported variant", "min_bet"),
        (("'p3 f'", "'p2 f'"), "illegal betting", "p2 acts when it is p3's turn"),
        (("cbr 6'", "cbr 3'"), "illegal betting", "a raise is to 4 at least"),
        (("cbr 6'", "cbr x'"), "unreadable action", "without an amount"),
        (("'p3 f'", "'p3 sings'"), "unreadable action", "p3 sings"),
        ((", 'p2 f']", "]"), "unfinished hand", "p2 to act"),
        (("2c2d", "AsKs"), "wrong cards", "twice"),
        (("3c4c5d", "3c4c5d6d"), "wrong cards", "4 board cards"),
        (("[0, 0, 0]", "['x', 0, 0]"), "not PHH", "antes"),
        (("[1, 2, 0]", "[1, 2]"), "not PHH", "blinds_or_straddles"),
        (("variant =", "variant ="), "net does not follow", "6"),
    ],
)
def test_a_bad_hand_is_named_with_a_true_reason(change: tuple[str, str], kind: str, words: str) -> None:
    text = HAND.replace(*change)
    if kind == "net does not follow":
        text = text.replace("206, 194", "210, 190")
    found, why = reason(text)
    assert found == kind
    assert words in why


def test_a_damaged_hand_does_not_spoil_the_others() -> None:
    text = f"[1]\n{HAND}\n[2]\nvariant = \n\n[3]\n{HAND}"
    ((hands, skipped),) = read_phh(text.encode(), "x")
    assert hands is not None
    assert hands.line.tolist() == [1, 15]
    assert [s.line for s in skipped] == [12]


@pytest.mark.parametrize("name", ["pluribus.phhs", "handhq.phhs", "acpc_3p_limit.log", "acpc_6p_nolimit.log"])
def test_hands_written_as_phh_are_read_as_the_same_hands(name: str) -> None:
    for hands in read_hands(DATA / name):
        again = read(phh_text(hands))
        assert acpc_text(again) == acpc_text(hands)
        assert np.array_equal(again.net, hands.net, equal_nan=True)
        assert (again.unverified == hands.unverified).all()


@pytest.mark.parametrize("name", ["pluribus.phhs", "acpc_3p_limit.log", "acpc_2p_nolimit.log", "acpc_6p_nolimit.log"])
def test_pokerkit_accepts_our_phh_with_the_same_payoffs(name: str) -> None:
    (hands,) = read_hands(DATA / name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        histories = list(pokerkit.HandHistory.loads_all(phh_text(hands)))
        for row, history in enumerate(histories):
            *_, state = history
            assert not state.status
            unit = int(hands.unit[row])
            assert [p * unit for p in state.payoffs] == list(hands.hand(row).payoffs)
    assert len(histories) == len(hands) > 30


def test_leduc_cannot_be_written_as_phh() -> None:
    (hands,) = read_hands(DATA / "acpc_leduc.log")
    with pytest.raises(UnreadableError, match="not Texas"):
        phh_text(hands)
    assert PRESETS["leduc-2p"].ranks == 3


def test_other_variants_are_unsupported_and_no_error(tmp_path: Path) -> None:
    reader = read_hands(DATA / "wsop_F2L3D.phh", strict=True)
    assert list(reader) == []
    assert reader.report.reasons["unsupported variant"] == 1


STARS = """PokerStars Game #27738502010: Hold'em No Limit ($0.05/$0.10 USD) - 2009/05/02 2:31:58 ET
Table 'Wei III' 6-max Seat #3 is the button
Seat 1: ann ($10 in chips)
Seat 3: bob ($20.50 in chips)
Seat 5: cid ($12 in chips)
cid: posts small blind $0.05
ann: posts big blind $0.10
*** HOLE CARDS ***
bob: raises $0.20 to $0.30
cid: folds
ann: calls $0.20
*** FLOP *** [2c 7d Jh]
ann: checks
bob: bets $0.40
ann: folds
Uncalled bet ($0.40) returned to bob
bob collected $0.62 from pot
bob: doesn't show hand
*** SUMMARY ***
Total pot $0.65 | Rake $0.03
Board [2c 7d Jh]
Seat 1: ann (big blind) folded on the Flop
Seat 3: bob (button) collected ($0.62)
Seat 5: cid (small blind) folded before Flop (didn't bet)
"""


def test_a_poker_room_s_text_is_read_through_pokerkit(tmp_path: Path) -> None:
    path = tmp_path / "room.txt"
    path.write_text(STARS)
    (hands,) = read_hands(path)
    assert hands.names_of(0) == ["cid", "ann", "bob"]
    assert hands.net[0, :3].tolist() == [-5, -30, 35]


def test_a_poker_room_s_text_that_pokerkit_cannot_read_is_named() -> None:
    ((_, skipped),) = read_site(STARS.replace("Seat 3: bob ($20.50 in chips)\n", "").encode(), "x", "pokerstars")
    assert skipped[0].line == 1
