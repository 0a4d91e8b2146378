"""The text of a room's file, whatever its encoding; amounts and cards, however they are written."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.logs.formats import UnusableHandError

__all__ = ["AMOUNT", "LONGEST_LINE", "card", "cards", "cents", "decoded", "sure_cents"]

LONGEST_LINE = 2000
"""Longer lines are nobody's action; they are cut, so that no pattern takes long over them."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 or Windows-1252, with or without a mark (or two), lines ended by newlines."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, errors="replace")
            if encoding == "utf-8" and "\ufffd" in text:
                text = _by_guess(data[len(mark) :])
            break
    else:
        text = _by_guess(data)
    while text.startswith(("\ufeff", "\u00ef\u00bb\u00bf")):
        text = text[3:] if text[0] == "\u00ef" else text[1:]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_guess(data: bytes) -> str:
    head = data[:4096]
    zeros = head[1::2].count(0), head[::2].count(0)
    if len(head) > 7 and max(zeros) > len(head) // 4:
        return data.decode("utf-16-le" if zeros[0] > zeros[1] else "utf-16-be", errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    return data.decode("cp1252", errors="replace")


AMOUNT = r"-?\d(?:[\d.,']|[\u00a0\u202f ](?=\d{3}(?!\d)))*"
"""A pattern for an amount without its currency; thousands may be divided by a point, a comma, a quote or a space."""

_SEPARATORS = re.compile(r"[.,]")


@lru_cache(1 << 14)
def cents(text: str) -> int | None:
    """An amount in hundredths: `1,500`, `1 500` and `1.500` are fifteen hundred, `0,05` five hundredths; else None."""
    word = "".join(ch for ch in text.replace("Rs.", "") if ch in "0123456789.,-")
    sign = -1 if word.startswith("-") else 1
    word = word.strip("-").rstrip(".,")
    if not word or "-" in word or len(word) > 20:
        return None
    marks = _SEPARATORS.findall(word)
    whole, point, part = _divided(word, marks)
    if len(part) > 2 and part.rstrip("0")[2:]:
        return None
    digits = re.sub(r"[.,]", "", whole)
    if not (digits or part) or (point and not part):
        return None
    value = int(digits or "0") * 100 + int((part + "00")[:2])
    return sign * value if value < 10**15 else None


def _divided(word: str, marks: list[str]) -> tuple[str, str, str]:
    """What stands before and after the decimal mark."""
    if not marks:
        return word, "", ""
    if len(set(marks)) > 1 or len(marks) == 1:
        whole, point, part = word.rpartition(marks[-1])
        if len(marks) > 1 or len(part) != 3 or not whole.strip("0"):
            return whole, point, part
    return word, "", ""


def sure_cents(text: str) -> int:
    """An amount in hundredths, or the hand cannot be used."""
    value = cents(text)
    if value is None:
        raise UnusableHandError("unreadable amount", f"{text.strip()!r} is not an amount in hundredths")
    return value


_RANKS = {rank: n for n, rank in enumerate("23456789TJQKA")} | {"1": 8, "0": 8}
_SUITS = {"c": 0, "d": 1, "h": 2, "s": 3, "\u2663": 0, "\u2666": 1, "\u2665": 2, "\u2660": 3}
_CARD = re.compile(
    r"(?P<r>10|[2-9TJQKAtjqka])(?: of )?(?P<s>[cdhsCDHS\u2660\u2663\u2665\u2666])"
    r"|(?P<s2>[cdhsCDHS])(?P<r2>10|[2-9TJQKAtjqka])"
    r"|(?P<hidden>[xX?*]{1,2})"
)


@lru_cache(1 << 12)
def card(text: str) -> int | None:
    """A card as a number: `Td`, `10d`, `d10`, `DT`, `T of d`; 255 where it is hidden, None if it is none."""
    found = _CARD.fullmatch(text.strip())
    if found is None:
        return None
    if found["hidden"]:
        return UNKNOWN
    rank, suit = found["r"] or found["r2"], found["s"] or found["s2"]
    return 4 * _RANKS[rank[0].upper()] + _SUITS[suit.lower()]


_BETWEEN = re.compile(r"[\s,\-\[\]]+")


@lru_cache(1 << 14)
def cards(text: str, between: str = "") -> tuple[int, ...]:
    """The cards of a list such as `4s 8s Td`, `4s, 8s` or `4s - 8s`; without anything between, two signs each."""
    words = [word for word in (text.split(between) if between else _BETWEEN.split(text)) if word.strip()]
    found: list[int] = []
    for word in words:
        one = card(word)
        if one is not None:
            found.append(one)
            continue
        pairs = [card(word[k : k + 2]) for k in range(0, len(word), 2)] if len(word) % 2 == 0 else [None]
        if None in pairs:
            raise UnusableHandError("wrong cards", f"{text.strip()!r} is not a list of cards")
        found += [p for p in pairs if p is not None]
    return tuple(found)
