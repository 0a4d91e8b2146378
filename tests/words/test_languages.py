"""Every language has every sentence with the same places, and no page shows words that are not in the catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mazzo.agent import agent_class, safe_parameters
from mazzo.games import entries
from mazzo.words.texts import LANGUAGES, catalogue, preferred, speaking, text

WEB = Path(__file__).parents[2] / "src" / "mazzo" / "web"
OTHERS = sorted(set(LANGUAGES) - {"en"})


def places(words: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", words))


def missing(english: dict[str, str], other: dict[str, str]) -> list[str]:
    """What a language lacks: sentences, and places of sentences."""
    lacking = sorted(set(english) ^ set(other))
    return lacking + [key for key in english if key in other and places(english[key]) != places(other[key])]


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_there_with_its_places(language: str) -> None:
    assert missing(dict(catalogue("en")), dict(catalogue(language))) == []


def test_a_missing_sentence_and_a_missing_place_are_found() -> None:
    english = {"a": "{name} folds.", "b": "{n} {n:hand|hands}", "c": "Yes"}
    assert missing(english, {"a": "passa.", "b": "{n} {n:mano|mani}"}) == ["c", "a"]


def test_there_is_another_language() -> None:
    assert "it" in LANGUAGES
    with speaking("it"):
        assert text("holdem.raises_to", {"name": "Anna", "amount": 190}) == "Anna rilancia a 190."
    assert text("holdem.raises_to", {"name": "Anna", "amount": 190}) == "Anna raises to 190."


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("", "en"), ("it", "it"), ("it-CH,it;q=0.9,en;q=0.8", "it"), ("en-GB,en;q=0.9,it;q=0.8", "en"),
     ("de,it;q=0.5,en;q=0.7", "en"), ("fr;q=x,it;q=0", "en"), ("../../x", "en"), ("," * 9000, "en")],
)  # fmt: skip
def test_a_browser_is_spoken_to_in_the_language_it_prefers(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


NOT_WORDS = {"QQ+, AKs, A2s-A5s"}
"""What is written the same in every language."""


def words_in_template(source: str) -> list[str]:
    """Letters that a page shows without asking the catalogue for them."""
    source = re.sub(r"\{% block main_class %\}\w+\{% endblock %\}", "", source)
    shown = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", " ", source, flags=re.DOTALL)
    named = re.findall(r'(?:placeholder|title|aria-label|alt|label)="([^"]*)"', shown)
    rest = re.sub(r"<(script|kbd)\b[^>]*>.*?</\1>|<[^>]*>|&\w+;", " ", shown, flags=re.DOTALL)
    return [found for found in (*named, *rest.split()) if re.search(r"[A-Za-z]{2}", found) and found not in NOT_WORDS]


@pytest.mark.parametrize("path", sorted((WEB / "templates").glob("*.html")), ids=lambda p: p.name)
def test_a_page_shows_no_words_of_its_own(path: Path) -> None:
    assert words_in_template(path.read_text()) == []


def test_words_of_a_page_are_found() -> None:
    assert words_in_template('<p title="Sit down">{{ t("x") }} Hello</p>') == ["Sit down", "Hello"]


KEYS_OF_THE_KEYBOARD = r"Arrow\w+|Enter|Escape|Home|End|Content-Type|Space|Tab"


def words_in_script(source: str) -> list[str]:
    """Strings of a script that look like words for people: they begin with a capital, or have a full stop."""
    code = re.sub(r"(?m)//.*$", "", source)
    strings = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`', code)
    texts = [re.sub(r"\$\{[^}]*\}", "", a or b) for a, b in strings]
    return [
        s
        for s in texts
        if (re.match(r"[A-Z][a-z]{2,}", s) or re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}.*\.$", s))
        and not re.fullmatch(KEYS_OF_THE_KEYBOARD, s)
    ]


@pytest.mark.parametrize("path", sorted((WEB / "static" / "js").glob("*.js")), ids=lambda p: p.name)
def test_a_script_shows_no_words_of_its_own(path: Path) -> None:
    assert words_in_script(path.read_text()) == []


def test_words_of_a_script_are_found() -> None:
    assert words_in_script('node.append("Deal now"); t("x.y"); "panel coach"') == ["Deal now"]


@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.NAME)
def test_every_agent_that_can_be_seated_has_a_line_of_style(entry: object) -> None:
    agents = entry.AGENTS  # type: ignore[attr-defined]
    seated = [name for name in agents if safe_parameters(agent_class(name, agents)) is not None]
    assert [n for n in seated if f"style.{entry.NAME}.{n}" not in catalogue("en")] == []  # type: ignore[attr-defined]
