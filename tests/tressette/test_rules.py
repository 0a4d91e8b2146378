from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.errors import UnreadableError
from mazzo.tressette.rules import PRESETS, TARGETS, Rules, rules


@given(st.builds(Rules, st.sampled_from(TARGETS), st.booleans(), st.booleans(), st.booleans()))
def test_the_text_of_rules_gives_them_again(made: Rules) -> None:
    assert rules(str(made)) == rules(made) == made


def test_rules_are_found_by_name_with_changes() -> None:
    assert rules() == rules("tressette") == Rules()
    assert rules("tressette-talk") == PRESETS["tressette-talk"] == Rules(talk=True)
    assert rules("tressette-talk:target=21", named=True) == Rules(target=21, named=True, talk=True)


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('preset = "tressette-talk"\ntarget = 41\na_monte = false\n')
    assert rules(str(path)) == Rules(target=41, a_monte=False, talk=True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("target = 30", "21, 31, 41, 51 points, got 30"),
        ("target = true", "target of tressette's rules must be a whole number, got True"),
        ("talk = 1", "talk of tressette's rules must be true or false, got 1"),
        ("tlak = true", "no 'tlak'; did you mean 'talk'"),
        ('preset = "tresette"', "did you mean 'tressette'"),
        ("talk =", "is not TOML"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_reason(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=complaint):
        rules(str(path))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tresette", "no rules 'tresette' and it is no .toml file; did you mean 'tressette'"),
        ("tressette:tlak=true", "no parameter 'tlak'; did you mean 'talk'"),
        ("tressette:talk=perhaps", "true or false, got 'perhaps'"),
        ("nowhere.toml", "cannot read the rules in nowhere.toml"),
    ],
)
def test_rules_that_are_not_there_are_refused_with_the_nearest(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError, match=complaint):
        rules(text)
