import pytest

from tests.golden.playthrough import FOLDER, GAMES, play


@pytest.mark.parametrize("game", [*sorted(GAMES), "tressette"])
def test_hands_are_played_as_they_were(game: str) -> None:
    assert play(game) == (FOLDER / f"{game}.txt").read_text()
