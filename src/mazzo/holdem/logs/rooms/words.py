"""What the words of rooms mean, language by language."""

from __future__ import annotations

__all__ = ["ENGLISH", "IGNORED", "PORTUGUESE", "kind_of_post"]

_MEANINGS = {
    "fold": "fold folds folded",
    "check": "check checks checked",
    "call": "call calls called",
    "bet": "bet bets",
    "raise": "raise raises raised re-raises reraises",
    "allin": "all-in allin all-in(raise) all-in(raise-timeout) all-in(call) all-in(bet)",
    "post": "post posts posted ante antes straddle straddles",
    "show": "show shows showed showdown shows:",
    "collect": "collected collects wins won win",
    "cashout": "cashed cashout",
    "look": (
        "is has goes small big hand return returns does doesn't did didn't was mucks mucked muck said says will leaves "
        "left joins joined sits sit stands adds requests re-joins rejoins timed times disconnected reconnected "
        "connected finished finishes re-buys rebuys brings ties chooses cannot can't wait waits stood removed seat "
        "table draw enter re-enter received tops takes card set re-enters (preselection) gets put you requested used "
        "uses ready re-posts lost loses lose discards stands"
    ),
}

ENGLISH: dict[str, str] = {word: meaning for meaning, words in _MEANINGS.items() for word in words.split()} | {
    "small blind": "post",
    "big blind": "post",
    "hand result": "collect",
    "hand result-side": "collect",
    "return uncalled": "return",
    "returns uncalled": "return",
    "is folded": "ignore",
    "goes all-in": "ignore",
    "is all": "allin",
    "ante chip": "post",
    "ante processed": "post",
}
"""The English of most rooms; `look` says that the second word decides."""

IGNORED = frozenset(_MEANINGS["look"].split()) - {"small", "big", "hand", "return", "returns"}
"""First words of lines that say nothing of the play."""

PORTUGUESE = ENGLISH | {
    "desiste": "fold", "passa": "check", "iguala": "call", "aposta": "bet", "aumenta": "raise", "coloca": "post",
    "mostra": "show", "recebeu": "collect", "ganhou": "collect",
}  # fmt: skip


def kind_of_post(text: str) -> str:
    """What was posted, by the words of the line."""
    if "ante" in text:
        return "ante"
    small, big = "small" in text or " sb" in text, "big" in text or " bb" in text
    if (small and big) or ("dead" in text and (big or "+" in text)) or "both" in text:
        return "both"
    if "straddle" in text:
        return "straddle"
    if "dead" in text or "missed" in text or " db" in text:
        return "dead"
    return "small" if small else "big" if big else "live"
