"""Logs of the competition: both forms, read, verified and written."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
import zstandard

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS, Hand
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.dealer.reference import ReferenceDeck
from mazzo.holdem.logs import Hands, Skipped, acpc_text, read_hands, rescaled
from mazzo.holdem.logs.formats.acpc import header_of, named_game, read_acpc
from mazzo.holdem.match import HoldemMatch
from mazzo.lockstep import play_out
from tests.data_files import DATA, MATCHES

OLD = "akuma|Bluechip|dpp:0:ccf/rrrc/rc/rrrrc:2cKs|Jd6h|9cJc/Kc6c2s/7d/9s:30|-2|-28"
NEW = "STATE:7:frc/rc/rc/rc:AdJd|6dQc|5cQs/As6s2c/Ah/8d:70|-70|0:Alice|Bob|Charlie"


def read(text: str | bytes, game: str | None = None) -> tuple[list[Hands], list[Skipped]]:
    data = text if isinstance(text, bytes) else text.encode()
    found, skipped = [], []
    for hands, bad in read_acpc(io.BytesIO(data), "log", PRESETS[game] if game else None):
        found += [] if hands is None else [hands]
        skipped += bad
    return found, skipped


def only(text: str, game: str | None = None) -> Hands:
    found, skipped = read(text, game)
    assert not skipped, skipped[0].reason
    return found[0]


def reason(text: str, game: str = "holdem-limit-3p") -> str:
    found, skipped = read(text, game)
    assert not any(len(hands) for hands in found)
    return skipped[0].reason


def test_the_old_sample_line_gives_its_printed_net_under_blinds_found_out_from_it() -> None:
    hands = only(OLD)
    assert hands.games[0].blinds == (1, 2, 0)
    assert hands.games[0].raise_sizes == (2, 2, 4, 4)
    assert hands.hand(0).payoffs == (30, -2, -28)
    assert not hands.unverified[0]


def test_the_old_sample_line_is_flagged_for_its_free_fold() -> None:
    assert only(OLD).free_fold[0]
    assert not only(NEW).free_fold[0]


def test_the_new_sample_line_gives_its_printed_net() -> None:
    hands = only(NEW)
    assert hands.hand(0).payoffs == (70, -70, 0)
    assert hands.names_of(0) == ["Alice", "Bob", "Charlie"]


def test_chips_are_rescaled_on_request() -> None:
    hands = rescaled(only(OLD), (5, 10))
    assert hands.net[0, :3].tolist() == [150, -10, -140]
    assert hands.hand(0).payoffs == (150, -10, -140)


def test_chips_of_a_no_limit_hand_are_rescaled_bet_by_bet() -> None:
    line = "STATE:0:cr300c/cc/cc/r600f:AsKs|2c2d/3c4c5d/9h/Jh:300|-300:a|b"
    hands = rescaled(only(line, "holdem-nolimit-2p"), (5, 10))
    assert acpc_text(hands).decode().split(":")[2] == "cr30c/cc/cc/r60f"


@pytest.mark.parametrize("name", MATCHES)
def test_writing_what_was_read_gives_the_same_bytes(name: str) -> None:
    path = DATA / f"acpc_{name}.log"
    written = b"".join(acpc_text(hands) for hands in read_hands(path))
    assert written.splitlines() == [line for line in path.read_bytes().splitlines() if line.startswith(b"STATE")]


@pytest.mark.parametrize("name", MATCHES)
def test_the_old_form_is_read_as_the_same_hands(name: str) -> None:
    (hands,) = read_hands(DATA / f"acpc_{name}.log")
    (again,), skipped = read(acpc_text(hands, old=True), hands.games[0].name)
    assert not skipped
    assert acpc_text(again) == acpc_text(hands)


@pytest.mark.parametrize("name", MATCHES)
def test_the_game_is_found_out_from_the_results_where_no_header_names_it(name: str) -> None:
    path = DATA / f"acpc_{name}.log"
    (named,) = read_hands(path)
    found, skipped = read(b"\n".join(path.read_bytes().splitlines()[4:]))
    assert not skipped
    assert found[0].games[0].blinds == named.games[0].blinds


@pytest.mark.parametrize("name", MATCHES)
def test_the_header_s_seed_gives_every_card_of_the_reference_dealer(name: str) -> None:
    assert check_reference_deal(DATA / f"acpc_{name}.log") > 40


@pytest.mark.parametrize("name", MATCHES)
def test_the_last_cards_of_a_whole_match_of_the_reference_dealer_come_from_its_seed_too(name: str) -> None:
    assert check_reference_deal(DATA / f"acpc_{name}_end.log") == 5


def check_reference_deal(path: Path) -> int:
    """Deal the whole match from the header's seed and compare the hands the file holds; gives how many it held."""
    header = header_of(path.read_text().splitlines()[0])
    assert header is not None
    (hands,) = read_hands(path)
    dealt = ReferenceDeck(hands.games[0], header.seed).deal(header.hands)[hands.number]
    known = hands.cards != 255
    assert (dealt[known] == hands.cards[known]).all()
    return len(hands)


def test_a_header_names_a_game_but_no_file_to_open(tmp_path: Path) -> None:
    (tmp_path / "secret.game").write_text(str(PRESETS["kuhn-3p"]))
    log = tmp_path / "logs" / "match.log"
    assert named_game("../secret.game", log) is None
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "mine.game").write_text(str(PRESETS["kuhn-3p"]))
    beside = named_game("/etc/mine.game", log)
    assert beside is not None
    assert beside.players == 3


SPLIT = "STATE:1339:rfrrc/crrc/rrc/crc:Qd9d|6hAd|3sAs/TsTh8d/4s/Jd:{}:Bob|Charlie|Alice"


@pytest.mark.parametrize("net", ["-5|2.5|2.5", "-5|3|2"])
def test_an_odd_chip_may_be_divided_or_go_to_the_first_winner(net: str) -> None:
    assert acpc_text(only(SPLIT.format(net), "holdem-limit-3p")).decode().strip() == SPLIT.format(net)


@pytest.mark.parametrize("net", ["-5|2|3", "-5|2.4|2.6", "-5|2.5|2.50001"])
def test_an_odd_chip_divided_otherwise_is_an_error(net: str) -> None:
    assert "does not follow" in reason(SPLIT.format(net))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "not the form of a hand"),
        (NEW.replace("STATE:7", "STATE:x"), "not the number of a hand"),
        (NEW.replace("frc/rc", "frrrrc/rc"), "3 bets and raises are the most"),
        (NEW.replace("frc/rc/rc/rc", "frc/rc/rc"), "ends before the hand is over"),
        (NEW.replace("frc/rc/rc/rc", "frc/rc/rc/rcc"), "the hand is over"),
        (NEW.replace("frc/rc/rc/rc", "frx/rc/rc/rc"), "is not a row of actions"),
        (NEW.replace("AdJd", "AdAd"), "duplicate"),
        (NEW.replace("6dQc", "AdQc"), "twice"),
        (NEW.replace("6dQc", "1dQc"), "cannot read a card"),
        (NEW.replace("/8d:", "/8d/9d:"), "no more than 3 boards"),
        (NEW.replace("70|-70|0", "70|-70"), "not the result of 3 players"),
        (NEW.replace("70|-70|0", "70|-69|-1"), "does not follow from cards and betting, which give 70|-70|0"),
        (NEW.replace("|Charlie", ""), "not the names of 3 players"),
    ],
)
def test_a_bad_line_is_named_with_a_true_reason(line: str, words: str) -> None:
    assert words in reason(line)


def test_bad_lines_are_counted_and_the_others_used() -> None:
    found, skipped = read(
        "\n".join(["# a comment", "", NEW, "rubbish", NEW.replace(":7:", ":8:"), "SCORE:1|2|3:a|b|c"])
    )
    assert [s.line for s in skipped] == [4]
    assert [int(n) for hands in found for n in hands.line] == [3, 5]


def test_strict_reading_stops_at_the_first_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    path.write_text(f"{NEW}\nrubbish\n")
    with pytest.raises(UnreadableError, match="line 2"):
        list(read_hands(path, strict=True))


def test_hidden_cards_leave_a_hand_unverified_where_they_decide_it() -> None:
    hands = only(NEW.replace("AdJd|6dQc", "|6dQc"), "holdem-limit-3p")
    assert hands.unverified[0]
    folded = only("STATE:0:ff:||:-5|5|0:a|b|c", "holdem-limit-3p")
    assert not folded.unverified[0]


def test_names_may_hold_colons() -> None:
    hands = only(NEW.replace("Alice|Bob", "random:fold=.2,call=.5|Bob"), "holdem-limit-3p")
    assert hands.names_of(0)[0] == "random:fold=.2,call=.5"


@pytest.mark.parametrize("packed", ["match.log.gz", "match.log.zst"])
def test_packed_logs_are_read_alike(tmp_path: Path, packed: str) -> None:
    plain = (DATA / "acpc_3p_limit.log").read_bytes()
    path = tmp_path / packed
    path.write_bytes(gzip.compress(plain) if packed.endswith(".gz") else zstandard.compress(plain))
    assert b"".join(acpc_text(h) for h in read_hands(path)) == b"".join(
        acpc_text(h) for h in read_hands(DATA / "acpc_3p_limit.log")
    )


def test_a_damaged_packed_log_is_named(tmp_path: Path) -> None:
    path = tmp_path / "match.log.gz"
    path.write_bytes(gzip.compress((DATA / "acpc_3p_limit.log").read_bytes())[:500])
    reader = read_hands(path)
    list(reader)
    assert reader.report.reasons["damaged file"] == 1


def test_an_endless_line_is_named_and_the_rest_is_read() -> None:
    found, skipped = read(b"x" * 5_000_000 + b"\n" + NEW.encode() + b"\n", "holdem-limit-3p")
    assert [s.line for s in skipped] == [1]
    assert [int(h.line[0]) for h in found if len(h)] == [2]


def test_the_batch_writer_says_what_a_hand_says() -> None:
    for name in ("holdem-limit-3p", "holdem-nolimit-6p", "leduc-2p"):
        match = HoldemMatch(PRESETS[name])
        table = match.table(range(50), 3)
        agents = [create("random", AGENTS) for _ in range(match.seats)]
        play_out(table, agents)
        for k, agent in enumerate(agents):
            agent.name = f"random#{k}"
        lines, first = match._lines(table, table.settle(), agents, 40), 40 * match.plays_per_deal
        for row in range(len(table)):
            names = [agents[k].name for k in table.seating[row]]
            assert lines[row] == Hand.of_row(table, row, first + row, names).line()


def test_deals_replayed_with_the_seats_rotated_are_one_card_set() -> None:
    match = HoldemMatch(PRESETS["holdem-limit-3p"])
    agents = [create("random", AGENTS) for _ in range(3)]
    _, lines = match.play(agents, range(20), 5, log=True)
    hands = only("\n".join(lines), "holdem-limit-3p")
    assert len(np.unique(hands.card_set)) == 20
    assert (hands.card_set[::3] == hands.card_set[2::3]).all()


def test_a_log_of_one_seed_is_one_card_set() -> None:
    (hands,) = read_hands(DATA / "acpc_3p_limit.log")
    assert len(np.unique(hands.card_set)) == 1
