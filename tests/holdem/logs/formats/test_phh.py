"""PHH in and out, with pokerkit as the judge."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pokerkit
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS
from mazzo.holdem.logs import Hands, acpc_text, read_hands
from mazzo.holdem.logs.formats import FORMATS
from mazzo.holdem.logs.formats.phh import read_phh
from mazzo.holdem.logs.formats.phh_write import phh_text
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


ONE_CHIP = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 1]
min_bet = 1
starting_stacks = [200, 200]
actions = ['d dh p1 2c2d', 'd dh p2 AsAh', 'p1 cc', 'p2 cc', 'd db 3c4c9d', 'p1 cbr 1', 'p2 cc', 'd db Js', 'p1 cc',
  'p2 cc', 'd db Qs', 'p1 cc', 'p2 cc', 'p1 sm 2c2d', 'p2 sm AsAh']
"""


def test_a_bet_of_one_chip_is_one_chip() -> None:
    assert read(ONE_CHIP).hand(0).payoffs == (-2, 2)


def test_a_bet_of_nothing_is_no_bet() -> None:
    assert reason(ONE_CHIP.replace("cbr 1", "cbr 0")) == ("wrong amounts", "0 is not the amount of a bet")


def test_the_last_chip_of_a_stack_can_be_bet_written_and_read_again(tmp_path: Path) -> None:
    log = tmp_path / "last_chip.log"
    log.write_text(
        "# name/game/hands/seed last_chip holdem-nolimit-2p 3000 7\n"
        "STATE:608:r10020r19999c/cr20000c//:Ks6h|Qc7c/9h3s8c/As/Qd:-20000|20000:Alice|Bob\n"
        "STATE:2528:cr7368r19555c/cr19895c/cr19999c/cr20000c:6sKc|7c5h/8s4h8d/4s/Kd:20000|-20000:Alice|Bob\n"
    )
    (hands,) = read_hands(log)
    assert len(hands) == 2
    assert acpc_text(read(phh_text(hands))) == acpc_text(hands)


STRADDLE = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 4]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 AsKs', 'd dh p2 2c2d', 'd dh p3 ????', 'p1 cc', 'p2 cc', 'p3 cc', 'd db 3c4c5d', 'p1 cbr 2', 'p2 f',
  'p3 f']
finishing_stacks = [208, 196, 196]
"""


def test_a_straddle_leaves_the_least_bet_as_it_is() -> None:
    hands = read(STRADDLE)
    assert acpc_text(hands).startswith(b"STATE:0:ccc/r6ff:")
    assert acpc_text(read(phh_text(hands))) == acpc_text(hands)


SHORT_BLIND = """variant = 'NT'
antes = [120, 120, 120, 120, 120]
blinds_or_straddles = [300, 600, 0, 0, 0]
min_bet = 600
starting_stacks = [1720, 480, 3720, 600, 13575]
actions = ['d dh p1 9sAc', 'd dh p2 6cKs', 'd dh p3 ????', 'd dh p4 5hQs', 'd dh p5 Qh3s', 'p3 f', 'p4 cc', 'p5 f',
  'p1 cc', 'd db 8h5c3d', 'd db 7d', 'd db 2s', 'p1 sm 9sAc', 'p2 sm 6cKs', 'p4 sm 5hQs']
finishing_stacks = [1120, 0, 3600, 1920, 13455]
"""


def test_a_short_big_blind_is_read_as_casinos_play_it_or_as_pokerkit_does() -> None:
    assert read(SHORT_BLIND).net[0, :5].tolist() == [-600, -480, -120, 1320, -120]
    as_posted = SHORT_BLIND.replace("[1120, 0, 3600, 1920, 13455]", "[1240, 0, 3600, 1800, 13455]")
    for board in ("8h5c3d", "7d", "2s"):  # both callers have chips left and check
        as_posted = as_posted.replace(f"{board}',", f"{board}', 'p1 cc', 'p4 cc',")
    assert read(as_posted).net[0, :5].tolist() == [-480, -480, -120, 1200, -120]
    again = read(phh_text(read(as_posted)))
    assert not again.games[0].whole_blind


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
        (("min_bet = 2", "min_bet = 0"), "not PHH", "min_bet"),
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


def test_a_poker_room_s_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "room.txt"
    path.write_text(STARS)
    (hands,) = read_hands(path)
    assert hands.names_of(0) == ["cid", "ann", "bob"]
    assert hands.net[0, :3].tolist() == [-5, -30, 32]  # less the rake


def test_a_poker_room_s_text_that_cannot_be_understood_is_named() -> None:
    text = STARS.replace("Seat 3: bob ($20.50 in chips)\n", "")
    ((_, skipped),) = FORMATS["pokerstars"].read(io.BytesIO(text.encode()), Path("x"), None)
    assert skipped[0].line == 1
