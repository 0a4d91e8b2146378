"""`mazzo verify-deal`: was the deck dealt that was sealed before the deal?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, print_json
from mazzo.errors import UnreadableError

__all__ = ["verify_deal"]

_MOST_BYTES = 2**20
_IN_A_LINE = 13


@command(
    "mazzo verify-deal deal-5f0c-3.json --seal 9c1f...",
    "mazzo verify-deal deal-5f0c-3.json --seal 9c1f... --hands holdem-5f0c.jsonl",
    "mazzo verify-deal --game tressette --key 77ab... --seal 9c1f...",
    "mazzo verify-deal --game blackjack --decks 6 --key 77ab... --seal 9c1f...",
    name="verify-deal",
)
@click.argument("proof", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--seal", metavar="HASH", help="The hash that the table showed before the deal.")
@click.option("--key", metavar="KEY", help="The key that was published afterwards, in place of PROOF.")
@click.option("--game", help="With --key: the game that was played.")
@click.option("--decks", type=click.IntRange(1, 8), default=1, show_default=True, help="With --key: decks in the shoe.")
@click.option(
    "--hands",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Hands saved from the table: their cards must be those of the deck.",
)
@as_json
def verify_deal(
    proof: Path | None,
    seal: str | None,
    key: str | None,
    game: str | None,
    decks: int,
    hands: Path | None,
    as_json: bool,
) -> None:
    """Check that a deal of the browser's table was not changed.

    The cards must be those that were sealed before the deal.
    PROOF is the file that the table's page saves when a deal may be told. Exit code 0: equal; 1: not equal.
    """
    from mazzo.sealed import opened_cards

    if (proof is None) == (key is None):
        raise click.UsageError("give the file that the page saved, or --key with --game")
    given = _read(proof) if proof is not None else _typed(key, game, decks)
    wanted = (seal or str(given.get("seal", ""))).strip().lower()
    if not wanted:
        raise click.UsageError("--seal is missing: the hash that the table showed before the deal")
    found, cards = opened_cards(given, _fresh(given))
    compared, wrong = (0, "") if hands is None else _compared(given, cards, hands)
    equal = found == wanted and not wrong
    if as_json:
        print_json({"equal": equal, "seal": wanted, "found": found, "cards": cards, "hands": compared, "wrong": wrong})
    else:
        _say(equal, wanted, found, cards, compared, wrong)
    if not equal:
        raise SystemExit(1)


def _say(equal: bool, wanted: str, found: str, cards: Sequence[str | None], compared: int, wrong: str) -> None:
    if found == wanted:
        told = sum(card is not None for card in cards)
        click.echo(f"Equal: {told} of {len(cards)} cards are told, and they are those sealed as {wanted}.")
    else:
        click.echo(f"NOT equal: these cards are sealed as {found}, but the table showed {wanted}.")
    if wrong:
        click.echo(f"NOT equal: {wrong}")
    elif compared:
        click.echo(
            f"{'Equal' if equal else 'But'}: {compared} saved {'hand has' if compared == 1 else 'hands have'} "
            "the cards of this deck."
        )
    shown = [card or "??" for card in cards]
    for at in range(0, len(shown), _IN_A_LINE):
        click.echo(f"{at + 1:>5}  {' '.join(shown[at : at + _IN_A_LINE])}")


def _read(path: Path) -> dict[str, Any]:
    """The proof in a file; UnreadableError for anything else."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnreadableError(f"{path} is too long for a deal")
        given = json.loads(path.read_bytes())
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UnreadableError(f"{path} is not a deal saved from a table: it is not JSON") from None
    if not isinstance(given, dict) or not isinstance(given.get("game"), str):
        raise UnreadableError(f"{path} is not a deal saved from a table: it names no game")
    return given


def _typed(key: str | None, game: str | None, decks: int) -> dict[str, Any]:
    from mazzo.games import find_entry

    if game is None:
        raise click.UsageError("--game is missing: what was played with this key")
    table = find_entry(game).seating().table
    return {"game": game, "deck": getattr(table, "deck", "french"), "decks": decks, "key": (key or "").strip().lower()}


def _fresh(given: Mapping[str, Any]) -> list[str]:
    """The cards before the shuffle."""
    from mazzo.cards import FRENCH, ITALIAN

    decks, found = given.get("decks", 1), {"french": FRENCH, "italian": ITALIAN}.get(str(given.get("deck")))
    if found is None or not isinstance(decks, int) or not 1 <= decks <= 8:
        raise UnreadableError("a deal names its deck (french or italian) and how many of them, 1 to 8")
    return list(map(str, found)) * decks


def _compared(given: Mapping[str, Any], cards: Sequence[str | None], path: Path) -> tuple[int, str]:
    """How many saved hands were dealt from this deck, and what is wrong with the first that was not."""
    from mazzo.games import find_entry

    replays = find_entry(str(given["game"])).replays()
    if replays.dealt is None:
        raise UnreadableError(f"hands of {given['game']} do not say where in a deck their cards lay")
    records = [r for r in replays.read(path) if "number" not in given or r.get("sealed_deck") == given["number"]]
    if not records:
        raise UnreadableError(f"no hand in {path} was dealt from deck {given.get('number')} of this table")
    for at, record in enumerate(records, 1):
        for place, possible in replays.dealt(record).items():
            card = cards[place] if place < len(cards) else None
            if card not in possible:
                known = "not told" if card is None else card
                return at, f"hand {at} has {'/'.join(sorted(possible))} at place {place + 1}, where {known} was sealed."
    return len(records), ""
