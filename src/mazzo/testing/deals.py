"""What is asked of a game's `Hand` or `Round`: to be written and read, to act, to take back, to hide what is hidden."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import numpy as np

from mazzo.deal import Deal
from mazzo.errors import IllegalError
from mazzo.games import Entry
from mazzo.testing.common import LISTED, NEVER, first_difference, positions, some_legal

__all__ = ["check_deal"]

_TRIED = 8
"""Actions tried in a position, legal or not."""
_WAYS: Mapping[str, Callable[[Deal], Any]] = {
    "str": str,
    "repr": repr,
    "section": lambda deal: deal.section(),
    "legal": lambda deal: str(deal.legal),
}
"""How a deal shows itself."""


def check_deal(entry: Entry, rules: Any, seed: int, number: int) -> bool:
    """Play a deal at random and check each position; whether hidden cards could be dealt anew in any of them."""
    anew = False
    for deal, rng in positions(entry, rules, seed, number):
        _check_text(entry, deal)
        anew |= _check_hidden(deal, rng)
        if deal.over:
            _check_over(entry, deal)
            again = entry.deal(rules, seed, number)
            for action in deal.history:
                again.act(action)
            assert again.text() == deal.text(), f"the same seed and actions gave {again.text()} and {deal.text()}"
        else:
            _check_actions(deal, rng)
            _check_undo(deal, int(rng.choice(some_legal(deal, rng))))
    return anew


def _check_text(entry: Entry, deal: Deal) -> None:
    """What is written is read again: everything, or what the seat to act may see."""
    read, text, shown = type(deal).parse, deal.text(), str(deal)
    assert read(text) == deal, f"parse(text()) is another deal: {text}"
    assert read(text).text() == text, f"parse(text()) writes {read(text).text()} for {text}"
    assert read(shown) == deal.seen(), f"parse(str()) is not what the seat to act sees: {shown}"
    assert shown == deal.seen().text(), f"str is {shown}, but what is seen is {deal.seen().text()}"
    assert shown in repr(deal).replace("\\'", "'"), f"repr does not show {shown}: {deal!r}"
    assert entry.knows(text), f"the entry does not know its own text: {text}"
    assert entry.knows(shown), f"the entry does not know its own text: {shown}"
    assert entry.parse(text) == deal, f"the entry reads another deal than was written: {text}"


def _check_hidden(deal: Deal, rng: np.random.Generator) -> bool:
    """No seat sees a difference where what it may not know is dealt anew. Whether other cards were dealt."""
    anew = False
    for seat in range(len(deal.names)):
        other = deal.redealt(seat, int(rng.integers(2**31)))
        anew |= other.text() != deal.text()
        assert other.history == deal.history, f"`redealt` changed what was played in {deal.text()}"
        assert other.turn == deal.turn, f"`redealt` changed who is to act in {deal.text()}"
        where = f"seat {seat} sees what is hidden from it in {deal.text()}"
        assert other.seen(seat).text() == deal.seen(seat).text(), f"seen: {where}"
        if deal.turn == seat:
            for way, shows in _WAYS.items():
                assert shows(deal) == shows(other), f"{way}: {where}"
            wrong = first_difference(deal.observe(), other.observe())
            assert not wrong, f"{wrong} of the observation: {where}"
    return anew


def _check_over(entry: Entry, deal: Deal) -> None:
    assert deal.turn is None, f"it is over and seat {deal.turn} is to act: {deal.text()}"
    assert not len(deal.legal), f"it is over and there is something legal: {deal.legal!r}"
    total = sum(deal.payoffs)
    if getattr(entry, "ZERO_SUM", False):
        assert abs(total) < 1e-9, f"payoffs {deal.payoffs} are together {total}, not zero: {deal.text()}"
    for action in deal.history[-1:]:
        _check_refused(deal, action)
    _check_refused(deal, NEVER)


def _check_actions(deal: Deal, rng: np.random.Generator) -> None:
    """What is legal is what `why_not` has nothing against; an illegal action is refused and changes nothing."""
    legal = deal.legal
    assert len(legal), f"somebody is to act and nothing is legal: {deal.text()}"
    assert str(legal), f"what is legal prints as nothing: {deal.text()}"
    assert all(action in legal for action in islice(legal, LISTED)), f"{legal!r} does not hold what it lists"
    some = some_legal(deal, rng)
    others = [int(action) for action in rng.integers(min(some) - 3, 2 * max(4, *some), _TRIED)]
    for action in (*some[:_TRIED], NEVER, *others):
        reason = deal.why_not(action)
        assert (action in legal) == (not reason), f"action {action} is in {legal!r}, but why_not says {reason!r}"
        if reason:
            _check_refused(deal, action)
        else:
            text = deal.action_text(action)
            read = deal.read_action(text)
            assert (read in legal, deal.action_text(read)) == (True, text), f"{text!r} is read as action {read}"
    try:
        payoffs = deal.payoffs
    except IllegalError:
        return
    raise AssertionError(f"payoffs are {payoffs} while {deal.names[deal.turn or 0]} is still to act: {deal.text()}")


def _check_refused(deal: Deal, action: int) -> None:
    before = deal.text()
    try:
        deal.act(action)
    except IllegalError:
        assert deal.text() == before, f"action {action} was refused and changed {before} to {deal.text()}"
    else:
        raise AssertionError(f"action {action} is not legal and was carried out: {before}")


def _check_undo(deal: Deal, action: int) -> None:
    before, seen = copy.deepcopy(deal), deal.observe()
    assert deal.act(action) is deal, "act does not give the deal back"
    assert deal.history == (*before.history, action), f"action {action} is not in the history: {deal.text()}"
    assert deal != before, f"action {action} changed nothing: {before.text()}"
    deal.undo()
    assert deal == before, f"undo of {action} gave {deal.text()}, not {before.text()}"
    for what in ("text", "turn", "legal"):
        one, other = (str(d.text() if what == "text" else getattr(d, what)) for d in (deal, before))
        assert one == other, f"after undo of {action} {what} is {one}, not {other}"
    changed = first_difference(deal.observe(), seen)
    assert not changed, f"undo of {action} gave another {changed} of the observation in {before.text()}"
