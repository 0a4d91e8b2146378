"""Decks that are sealed before they are dealt: nobody can choose or foresee them, and anybody can check them.

A table of several people has a secret of 256 random bits. Deck n has a key of its own, HMAC-SHA256 of the secret and n:
one key says nothing of another. The key gives the order of the cards, and a salt for each place:

    order    Fisher-Yates, its numbers from HMAC-SHA256(key, "shuffle" and a counter), without bias
    salt k   the first 16 bytes of HMAC-SHA256(key, "salt" and k)
    leaf k   SHA-256(salt k and the card at place k, as text)
    seal     SHA-256(all leaves in order)

The seal is shown before the deal. Afterwards single cards can be opened by their salts, the others staying leaves, or
the whole deck by its key. Either way another card than the one sealed would give another seal.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from mazzo.errors import UnreadableError

__all__ = ["SECRET_BYTES", "SealedDeck", "SealedDecks", "opened_cards", "seed_of"]

SECRET_BYTES = 32
_SALT_BYTES = 16
_MOST_CARDS = 8 * 52
_HASH, _OPEN = re.compile(r"[0-9a-f]{64}"), re.compile(r"([0-9AJQKT]{1,2}[a-z]):([0-9a-f]{32})")


def _under(key: bytes, name: str, number: int) -> bytes:
    return hmac.digest(key, f"{name} {number}".encode(), "sha256")


def seed_of(secret: bytes) -> int:
    """What all other chance of a table comes from: the first button, agents' random numbers."""
    return int.from_bytes(_under(secret, "seed", 0)[:7])


class SealedDeck:
    """One deck in its order, with its key.

    Args:
        key: 32 bytes.
        fresh: The cards before the shuffle, as texts.
    """

    def __init__(self, key: bytes, fresh: Sequence[str]) -> None:
        self.key = key
        self.order = _shuffled(key, len(fresh))
        """For each place the number of the card in the fresh deck."""
        self.cards = tuple(fresh[number] for number in self.order)

    def salt(self, place: int) -> bytes:
        """What the card at a place is opened with."""
        return _under(self.key, "salt", place)[:_SALT_BYTES]

    @cached_property
    def leaves(self) -> tuple[bytes, ...]:
        """The hashes of the single cards."""
        return tuple(_leaf(self.salt(place), card) for place, card in enumerate(self.cards))

    @cached_property
    def seal(self) -> str:
        """The hash that is shown before the deal."""
        return _seal(self.leaves)

    def opened(self, places: Collection[int]) -> list[str]:
        """`As:salt` at these places, the leaf at all others."""
        return [
            f"{card}:{self.salt(place).hex()}" if place in places else self.leaves[place].hex()
            for place, card in enumerate(self.cards)
        ]


class SealedDecks:
    """All decks of a table, by number, from its secret."""

    def __init__(self, secret: bytes, fresh: Sequence[str]) -> None:
        if len(secret) != SECRET_BYTES:
            raise UnreadableError(f"a table's secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._secret, self.fresh = secret, tuple(fresh)
        self.deck = lru_cache(4)(self._deck)
        """Deck `number`, from 0."""

    def _deck(self, number: int) -> SealedDeck:
        return SealedDeck(_under(self._secret, "deck", number), self.fresh)


def opened_cards(proof: Mapping[str, Any], fresh: Sequence[str]) -> tuple[str, list[str | None]]:
    """The seal that a proof leads to, and the cards it opens by place, None where one stays hidden.

    A proof has either the `key` of the deck or `cards`, as `SealedDeck.opened` gives them. Raises UnreadableError for
    what is no proof, and for one that opens cards that are not in the fresh deck as often.
    """
    key, given = proof.get("key"), proof.get("cards")
    if isinstance(key, str) and _HASH.fullmatch(key):
        deck = SealedDeck(bytes.fromhex(key), fresh)
        return deck.seal, list(deck.cards)
    if key is not None:
        raise UnreadableError(f"a key has 64 hexadecimal digits, not {str(key)[:80]!r}")
    if not isinstance(given, list) or len(given) != len(fresh):
        raise UnreadableError(f"a proof has a key, or an entry for each of the {len(fresh)} cards")
    leaves: list[bytes] = []
    cards: list[str | None] = []
    for entry in map(str, given):
        found = _OPEN.fullmatch(entry)
        if found is None and not _HASH.fullmatch(entry):
            raise UnreadableError(f"an entry of a proof is a card with its salt or a hash, not {entry[:80]!r}")
        leaves.append(_leaf(bytes.fromhex(found[2]), found[1]) if found else bytes.fromhex(entry))
        cards.append(found[1] if found else None)
    left = list(fresh)
    for card in filter(None, cards):
        if card not in left:
            raise UnreadableError(f"the proof opens {card} more often than the deck has it")
        left.remove(card)
    return _seal(leaves), cards


def _leaf(salt: bytes, card: str) -> bytes:
    return hashlib.sha256(salt + card.encode()).digest()


def _seal(leaves: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(leaves)).hexdigest()


def _shuffled(key: bytes, size: int) -> tuple[int, ...]:
    """A permutation of 0..size-1, every one equally likely under a random key."""
    if not 1 <= size <= _MOST_CARDS:
        raise UnreadableError(f"a sealed deck has 1 to {_MOST_CARDS} cards, not {size}")
    order, words, counter = list(range(size)), list[int](), 0
    for last in range(size - 1, 0, -1):
        bound, word = last + 1, 2**64
        while word >= 2**64 - 2**64 % bound:  # the last, incomplete stretch would favour low numbers
            if not words:
                block = _under(key, "shuffle", counter)
                words, counter = [int.from_bytes(block[k : k + 8]) for k in range(0, 32, 8)], counter + 1
            word = words.pop(0)
        order[last], order[word % bound] = order[word % bound], order[last]
    return tuple(order)
