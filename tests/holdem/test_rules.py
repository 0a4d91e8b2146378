from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS, Hand, find_game, read_game
from mazzo.holdem.rules import parse_game, rules
from tests.data_files import DATA

LEDUC = str(PRESETS["leduc-2p"])


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_survives_its_own_text(name: str) -> None:
    assert parse_game(str(PRESETS[name]), name, name) == PRESETS[name]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_can_be_played_to_the_end(name: str) -> None:
    hand = Hand(PRESETS[name], seed=3)
    while not hand.over:
        hand.act("c")
    assert sum(hand.payoffs) == 0


def test_every_game_of_the_reference_dealer_is_read_from_its_file_and_played() -> None:
    paths = sorted((DATA / "games").glob("*.game"))
    assert len(paths) == 8
    for path in paths:
        game = read_game(path)
        assert parse_game(str(game), game.name, "again") == game
        hand = Hand(game, seed=1)
        while not hand.over:
            hand.act("c")
        assert sum(hand.payoffs) == 0


def test_presets_are_the_games_of_the_competition() -> None:
    game = find_game("holdem-limit-2p")
    assert (game.blinds, game.first, game.max_raises) == ((10, 5), (1, 0, 0, 0), (3, 4, 4, 4))
    assert find_game("holdem-nolimit-6p").stacks == (20000,) * 6
    assert {f"holdem-nolimit-{n}p" for n in range(2, 11)} <= set(PRESETS)


def test_small_decks_are_the_highest_ranks_and_suits() -> None:
    assert " ".join(map(str, find_game("leduc-2p").deck)) == "Qh Qs Kh Ks Ah As"
    assert " ".join(map(str, find_game("kuhn-3p").deck)) == "Js Qs Ks As"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("GAMEDEF\nlimit", "GAMEDEF\n", "no line limit or nolimit"),
        ("END GAMEDEF", "", "no line END GAMEDEF"),
        ("GAMEDEF\nlimit", "limit", "line 1: a game file begins with GAMEDEF"),
        ("blind = 1 1", "blind = 1 1 1", "blind has 3 entries where 2 are needed"),
        ("blind = 1 1", "blind = one", "line 5: blind takes whole numbers"),
        ("blind = 1 1", "blind = 0 0", "one at least is positive"),
        ("blind = 1 1", "blnid = 1 1", "did you mean 'blind'"),
        ("numRanks = 3", "numRanks = 14", "numRanks must be 1 to 13"),
        ("numRanks = 3", "numRanks = 3 4", "takes one number"),
        ("numRanks = 3", "numRanks = 1", "more cards than a deck"),
        ("numHoleCards = 1", "", "numholecards is missing"),
        ("numHoleCards = 1", "numHoleCards = 9", "at most 7"),
        ("numPlayers = 2", "numPlayers = 12", "where 12 are needed"),
        ("firstPlayer = 1 1", "firstPlayer = 1 3", "a player who does not exist"),
        ("raiseSize = 2 4", "raiseSize = 2", "raiseSize has 1 entries"),
    ],
)
def test_bad_game_files_are_named_with_line_and_reason(old: str, new: str, complaint: str) -> None:
    assert old in LEDUC
    with pytest.raises(UnreadableError, match=complaint):
        parse_game(LEDUC.replace(old, new, 1), "leduc", "leduc.game")


def test_unknown_games_and_missing_files_are_explained(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="did you mean 'holdem-limit-2p'"):
        find_game("holdem-limt-2p")
    with pytest.raises(UnreadableError, match="cannot read the game file"):
        find_game(str(tmp_path / "nothing.game"))
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableError, match="cannot read the game file"):
        find_game(str(tmp_path / "binary.game"))


@given(st.text())
def test_no_text_breaks_the_reader_of_games(text: str) -> None:
    for attempt in (text, f"GAMEDEF\nlimit\n{text}\nEND GAMEDEF"):
        try:
            parse_game(attempt, "fuzz", "fuzz")
        except UnreadableError:
            continue


def test_three_players_with_reverse_blinds_are_a_preset() -> None:
    game = rules("holdem-limit-3p-reverse")
    assert (game.blinds, game.first, game.players) == ((10, 5, 0), (2, 0, 0, 0), 3)
    assert game.raise_sizes == rules("holdem-limit-3p").raise_sizes
    text = "blind = 10 5 0\nfirstPlayer = 3 1 1 1"
    assert all(line in "\n".join(" ".join(k.split()) for k in str(game).splitlines()) for line in text.split("\n"))
