"""A hand as players say it: amounts counted by street, who shows first, who may muck, who takes what.

The rules count a bet from the start of the hand; at a table it is counted from the start of the street. Journals,
logs and the actions of a browser keep the totals (`r300`); what people read and type are the amounts of this module.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any

from mazzo.cards import FRENCH, Card
from mazzo.holdem import columns as c
from mazzo.holdem.hand import Hand
from mazzo.holdem.notation import STREETS, line_text
from mazzo.holdem.rules import UNLIMITED
from mazzo.seated import Say

__all__ = [
    "acted",
    "before_street",
    "best_five",
    "did",
    "ended",
    "followed",
    "hand_view",
    "known_cards",
    "known_line",
    "made",
    "may_muck",
    "net_of",
    "opens",
    "pot_before",
    "showing_order",
    "street_bets",
    "taken",
    "uncalled",
]


def before_street(state: Any) -> int:
    """What whoever can still act had put in when this street began: a total less this is the amount of the street."""
    return int(state[c.BASE])


def opens(state: Any) -> bool:
    """Whether the player to act would bet, not raise: nobody has put anything in on this street."""
    return int(state[c.BET]) == int(state[c.BASE])


def street_bets(hand: Hand) -> tuple[int, ...]:
    """What each player has put in on this street; nothing once the hand is over."""
    if hand.over:
        return (0,) * hand.game.players
    return tuple(max(0, spent - before_street(hand._state)) for spent in hand.spent)


def pot_before(hand: Hand) -> int:
    """The pot without this street's bets; 0 once it was taken."""
    return 0 if hand.over else hand.pot - sum(street_bets(hand))


def uncalled(hand: Hand) -> tuple[int, int]:
    """Who gets back how much of a bet that nobody called, when the hand is over."""
    spent = hand.spent
    who = max(range(len(spent)), key=lambda p: spent[p])
    back = spent[who] - max(s for p, s in enumerate(spent) if p != who)
    return (who, back) if hand.over and not hand.folded[who] else (who, 0)


def net_of(hand: Hand) -> tuple[int, ...] | None:
    """What each player won or lost; None while that is open."""
    return hand.payoffs if hand.over and hand.decided else None


def taken(hand: Hand, net: Sequence[int]) -> tuple[int, ...]:
    """What each player takes out of the pot, from what he won or lost in all; an uncalled bet is no part of it."""
    who, back = uncalled(hand)
    put_in = (stack - behind for stack, behind in zip(hand.stacks, hand.behind, strict=True))
    return tuple(won + chips - back * (p == who) for p, (won, chips) in enumerate(zip(net, put_in, strict=True)))


# ---- showdown


def _last_betting(hand: Hand) -> tuple[int, list[tuple[int, int]]]:
    """The last street on which somebody acted, and its actions: who did what."""
    state, record = hand._state, hand._table.history[hand._row]
    count = int(state[c.COUNT])
    street = max((r for r in range(hand.street + 1) if int(state[c.ROUND_AT + r]) < count), default=0)
    entries = [int(entry) for entry in record[int(state[c.ROUND_AT + street]) : count]]
    return street, [(entry & c.ACTOR_MASK, entry >> c.ACTOR_BITS) for entry in entries]


def showing_order(hand: Hand) -> list[int]:
    """Who shows in which order: first who bet or raised last on the last street of betting, else its first player."""
    if not hand.shown_down:
        return []
    street, actions = _last_betting(hand)
    bettors = [p for p, action in actions if action >= c.RAISE]
    first, players = bettors[-1] if bettors else hand.game.first[street], hand.game.players
    return [p for p in ((first + k) % players for k in range(players)) if p in hand.shown_down]


def may_muck(hand: Hand) -> tuple[int, ...]:
    """Who need not show at the showdown: in each of his pots a hand shown before beats his.

    Where the betting ended before the last street, everybody's cards lie open: nobody mucks.
    """
    if not hand.decided or not hand.shown_down or _last_betting(hand)[0] < hand.game.rounds - 1:
        return ()
    from mazzo.holdem.showdown import evaluate_one

    shown: dict[int, int] = {}
    mucked = []
    for p in showing_order(hand):
        value = evaluate_one([*hand.hole(p), *hand.board])
        mine = [pot.players for pot in hand.pots if p in pot.players]
        if all(any(shown.get(q, -1) > value for q in players) for players in mine):
            mucked.append(p)
        else:
            shown[p] = value
    return tuple(mucked)


# ---- sentences


def acted(hand: Hand, name: str, action: int) -> Say:
    """What the player to act is about to do, as a sentence."""
    state, p, legal = hand._state, hand.actor or 0, hand.legal
    if action == c.FOLD:
        return "holdem.folds", {"name": name}
    if action == c.CALL:
        all_in = legal.owed and legal.owed == hand.behind[p]
        key = "holdem.calls_allin" if all_in else "holdem.calls" if legal.owed else "holdem.checks"
        return key, {"name": name, "amount": legal.owed}
    total = legal.raises[0] if hand.game.limit and legal.raises else action
    all_in = total - hand.spent[p] == hand.behind[p]
    key = "holdem.allin" if all_in else "holdem.bets" if opens(state) else "holdem.raises_to"
    return key, {"name": name, "amount": total - before_street(state)}


def did(said: Say) -> Say:
    """What was done, without the name of who did it: `raises to 190`."""
    key, values = said
    return f"holdem.did.{key.removeprefix('holdem.')}", {"amount": values.get("amount", 0)}


def followed(
    hand: Hand, names: Sequence[str], street: int, mucked: Collection[int], net: Sequence[int] | None
) -> list[Say]:
    """What is said after an action taken on a street: a bet that comes back, new cards on the board, the end."""
    said: list[Say] = []
    who, back = uncalled(hand)
    if back:
        said.append(("holdem.uncalled", {"name": names[who], "amount": back}))
    for r in range(street + 1, hand.street + 1):
        cards = hand.board[: hand.game.board_seen(r)]
        if len(cards) == hand.game.board_seen(r) > hand.game.board_seen(r - 1):
            values = {"cards": " ".join(map(str, cards)), "pot": hand.pot - back}
            said.append((f"holdem.{STREETS[r]}", values))
    return [*said, *ended(hand, names, mucked, net)]


def ended(hand: Hand, names: Sequence[str], mucked: Collection[int], net: Sequence[int] | None) -> list[Say]:
    """Who shows what, the last to bet first, who mucks, and who takes how much; nothing while the hand is played."""
    said: list[Say] = []
    for p in showing_order(hand):
        if p in mucked or not hand.hole(p):
            said.append(("holdem.mucks", {"name": names[p]}))
        elif len(hand.board) == sum(hand.game.board_cards):
            said.append(("holdem.shows", {"name": names[p], **_shown(hand, p)}))
    if hand.over and net is not None:
        won = taken(hand, net)
        said += [("wins", {"name": name, "amount": amount}) for name, amount in zip(names, won, strict=True) if amount]
    return said


def _shown(hand: Hand, position: int) -> dict[str, Any]:
    cards = hand.hole(position)
    return {"cards": " ".join(map(str, cards)), "made": made([*cards, *hand.board])}


def made(cards: Sequence[Card], short: bool = False) -> Say:
    """The hand that cards make, in words: `pair of kings, ace nine four kickers`; shortly `pair of kings`."""
    from mazzo.holdem.showdown import evaluate_one, kind_and_ranks

    kind, ranks = kind_and_ranks(evaluate_one(cards))
    names: list[Say] = [(f"rank.french.{FRENCH.ranks[rank]}", {}) for rank in ranks]
    many: list[Say] = [(f"ranks.french.{FRENCH.ranks[rank]}", {}) for rank in ranks]
    alone = _LEADING[kind]
    if kind == len(_LEADING) - 1 and FRENCH.ranks[ranks[0]] == "A":
        return "made.royal", {}
    if not alone:
        key = f"made.{kind}.short" if short and len(ranks) > 1 else f"made.{kind}"
        return key, {"first": names[0], "ranks": _in_a_row(names)}
    kickers: Say | str = (f"made.kicker{'s' * (len(ranks) > alone + 1)}", {"ranks": _in_a_row(names[alone:])})
    if short or not names[alone:]:
        kickers = ""
    return f"made.{kind}", {"first": many[0], "second": many[1] if len(many) > 1 else "", "kickers": kickers}


_LEADING = (0, 1, 2, 1, 0, 0, 2, 1, 0)
"""By category, how many ranks name the hand; those after them are kickers. 0: it has none."""


def _in_a_row(names: Sequence[Say]) -> Say:
    return f"made.ranks.{len(names)}", dict(zip("abcde", names, strict=False))


def best_five(cards: Sequence[Card]) -> list[Card]:
    """The five of these cards that make the hand."""
    from mazzo.holdem.showdown import evaluate_one

    return list(max(combinations(cards, 5), key=evaluate_one)) if len(cards) > 5 else list(cards)


# ---- how it looks


def hand_view(
    hand: Hand, position: int, open_: bool, mucked: bool = False, net: Sequence[int] | None = None
) -> dict[str, Any]:
    """A player's place in a hand: chips, this street's bet, and the cards as far as they are open.

    Args:
        hand: The hand.
        position: Whose place.
        open_: His cards are seen, whether or not he shows them.
        mucked: He does not show them at the showdown.
        net: What each player won or lost, once that is known: then chips are what they are after the hand.
    """
    gone, shows = hand.folded[position], position in hand.shown_down and not mucked
    cards: Sequence[Card | None] = hand.hole(position) if open_ or shows else ()
    hidden = () if gone or mucked else (None,) * hand.game.hole_cards
    behind = hand.behind[position]
    status = "folded" if gone else "mucked" if mucked else "allin" if behind == 0 and not hand.over else ""
    out: dict[str, Any] = {
        "hands": [{"cards": [None if k is None else str(k) for k in cards or hidden]}],
        "chips": None if behind > UNLIMITED // 2 else behind,
        "bet": street_bets(hand)[position],
        "status": status,
        "position": position,
    }
    if cards and (position in hand.shown_down or not gone) and len(hand.board) >= 3 and len(cards) == 2:
        out["hands"][0]["label"] = made([*hand.hole(position), *hand.board], short=True)
    if net is not None:
        out["result"], out["taken"] = net[position], taken(hand, net)[position]
        if out["taken"] and shows and hand.hole(position) and len(hand.board) >= 3:
            out["best"] = [str(k) for k in best_five([*hand.hole(position), *hand.board])]
        if out["chips"] is not None:
            out["chips"] = hand.stacks[position] + net[position]
    return out


def known_line(hand: Hand, position: int | None, hidden: Collection[int] = (), shown: Collection[int] = ()) -> str:
    """A finished hand as a line with the cards that `known_cards` gives."""
    number = hand.number + 1  # as the table counts
    known = known_cards(hand, position, hidden, shown)
    return line_text(hand.game, hand._state, hand._table.history[hand._row], known, number)


def known_cards(
    hand: Hand, position: int | None, hidden: Collection[int] = (), shown: Collection[int] = ()
) -> list[int]:
    """The cards of a finished hand that one position (or nobody in particular) has seen, the others unknown.

    Args:
        hand: The hand.
        position: Whose own cards are known.
        hidden: Who did not show at the showdown.
        shown: Who showed without having to.
    """
    seen = -1 if position is None else position
    known, width = hand._known(seen), hand.game.hole_cards
    for p in range(hand.game.players):
        at = slice(p * width, (p + 1) * width)
        if p in shown:
            known[at] = hand._cards[at]
        elif p in hidden and p != position:
            known[at] = [c.UNKNOWN] * width
    return known
