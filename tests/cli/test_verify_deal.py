"""`mazzo verify-deal` says whether the deck dealt is the one that was sealed, at tables of all games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mazzo.cli.app import mazzo
from mazzo.seated import NEXT
from mazzo.sitting import Sitting

SECRET = bytes(range(32))
SEATS = {
    "holdem": ["me:Anna", "call", "me:Bruno"],
    "blackjack": ["me:Anna", "me:Bruno"],
    "tressette": ["me:Anna", "random", "me:Bruno", "random"],
}
OPTIONS: dict[str, dict[str, Any]] = {"holdem": {}, "blackjack": {"decks": "4"}, "tressette": {}}


def verify(*words: str) -> Result:
    return CliRunner().invoke(mazzo, ["verify-deal", *words])


def act(sitting: Sitting) -> None:
    game = sitting.game
    if game.seat is None:
        sitting.act(NEXT)
    elif sitting.agents_turn:
        sitting.let_agent_act()
    else:
        choices = game.view(game.seat)["choices"]
        action = next((c["action"] for c in choices if c["action"] in ("c", "stand", "leave", "play")), None)
        sitting.act(str(action or choices[0]["action"]))


def played(game: str) -> tuple[Sitting, str, int]:
    """A table whose first deck is over, the seal that was shown before, and the deck's number."""
    sitting = Sitting(game, SEATS[game], OPTIONS[game], SECRET)
    assert sitting.game.decks is not None
    assert sitting.proof(0, 0) is None
    seal = sitting.game.decks.deck(0).seal
    for _ in range(400):
        if 0 in sitting.opened.get(0, {}):
            return sitting, seal, 0
        act(sitting)
    raise AssertionError("no deck came to its end")


def saved(tmp_path: Path, sitting: Sitting, viewer: int) -> tuple[str, str]:
    proof, hands = tmp_path / "deal.json", tmp_path / "hands.jsonl"
    proof.write_text(json.dumps(sitting.proof(viewer, 0)))
    hands.write_text("".join(f"{json.dumps(record)}\n" for record in sitting.records[viewer]))
    return str(proof), str(hands)


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("viewer", [0, -1])
def test_an_honest_deal_is_equal_with_its_hands(tmp_path: Path, game: str, viewer: int) -> None:
    sitting, seal, _ = played(game)
    proof, hands = saved(tmp_path, sitting, sitting.people[viewer])
    done = verify(proof, "--seal", seal, "--hands", hands)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Equal: ")
    assert "saved hand" in done.output


@pytest.mark.parametrize("game", SEATS)
def test_another_deck_than_the_one_sealed_is_not_equal(tmp_path: Path, game: str) -> None:
    sitting, _, _ = played(game)
    assert sitting.game.decks is not None
    proof, _ = saved(tmp_path, sitting, 0)
    done = verify(proof, "--seal", sitting.game.decks.deck(1).seal)
    assert done.exit_code == 1
    assert done.output.startswith("NOT equal: ")


@pytest.mark.parametrize("game", SEATS)
def test_a_hand_with_another_card_is_not_equal(tmp_path: Path, game: str) -> None:
    sitting, seal, _ = played(game)
    proof, hands = saved(tmp_path, sitting, 0)
    record = sitting.records[0][0]
    if game == "holdem":
        head, cards = record["line"].rsplit(":", 1)
        own = next(k for k, card in enumerate(cards) if card in "23456789TJQKA")
        rank = next(r for r in "2345" if f"{r}{cards[own + 1]}" not in cards)
        record = {**record, "line": f"{head}:{cards[:own]}{rank}{cards[own + 1 :]}"}
    elif game == "blackjack":
        record = {**record, "cards": [(record["cards"][0] + 1) % 10, *record["cards"][1:]]}
    else:
        south, east, rest = record["round"].split("; ", 2)
        swapped = [part.partition(" ")[2] for part in (south, east)]
        record = {**record, "round": f"south {swapped[1]}; east {swapped[0]}; {rest.partition('; play')[0]}"}
    Path(hands).write_text(json.dumps(record) + "\n")
    done = verify(proof, "--seal", seal, "--hands", hands)
    assert done.exit_code == 1, done.output
    assert "at place" in done.output


def test_jacks_queens_and_kings_are_tens_in_saved_rounds(tmp_path: Path) -> None:
    sitting, seal, _ = played("blackjack")
    assert sitting.game.decks is not None
    drawn = sum(len(record["cards"]) for record in sitting.records[0])
    courts = [card for card in sitting.game.decks.deck(0).cards[:drawn] if card[0] in "JQK"]
    assert courts
    proof, hands = saved(tmp_path, sitting, 0)
    assert verify(proof, "--seal", seal, "--hands", hands).exit_code == 0


@pytest.mark.parametrize(("game", "more"), [("tressette", []), ("blackjack", ["--decks", "4"])])
def test_a_key_can_be_typed(game: str, more: list[str]) -> None:
    sitting, seal, _ = played(game)
    proof = sitting.proof(0, 0)
    assert proof is not None
    done = verify("--game", game, "--key", proof["key"], "--seal", seal.upper(), *more)
    assert done.exit_code == 0, done.output
    assert verify("--game", game, "--key", proof["key"][::-1], "--seal", seal, *more).exit_code == 1
    assert verify("--game", game, "--key", proof["key"], *more).exit_code == 2


def test_cards_that_were_not_shown_stay_hidden_until_the_game_is_over() -> None:
    sitting = Sitting("holdem", ["me:Anna", "me:Bruno"], {"mode": "tournament"}, SECRET)
    while sitting.game.seat is not None:
        sitting.act("f")
    mine, theirs, nobodys = (sitting.proof(viewer, 0) for viewer in (0, 1, None))
    assert mine is not None
    assert theirs is not None
    assert nobodys is not None
    opened = [[k for k, entry in enumerate(proof["cards"]) if ":" in entry] for proof in (mine, theirs, nobodys)]
    assert sorted([*opened[0], *opened[1]]) == [0, 1, 2, 3]
    assert opened[2] == []
    assert "key" not in mine
    for _ in range(3000):
        if sitting.game.over:
            break
        choices: list[dict[str, Any]] = (
            [] if sitting.game.seat is None else sitting.game.view(sitting.game.seat)["choices"]
        )
        raises = [c["amount"]["high"] for c in choices if "amount" in c]
        sitting.act(NEXT if sitting.game.seat is None else f"r{raises[0]}" if raises else "c")
    after = sitting.proof(0, 0)
    assert sitting.game.over
    assert after is not None
    assert (after["seal"], len(after["key"])) == (mine["seal"], 64)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 7}', "[" * 5000, '{"game": "chess", "key": "x"}',
                                  '{"game": "holdem", "deck": "french", "decks": 1000000000, "key": "0"}'])  # fmt: skip
def test_what_is_no_saved_deal_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deal.json"
    path.write_text(text)
    done = verify(str(path), "--seal", "0" * 64)
    assert done.exit_code != 0
    assert "Equal" not in done.output
