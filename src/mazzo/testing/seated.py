"""What is asked of a game at a table of people, and of its replays: nothing hidden is shown, and it plays again."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.errors import MazzoError
from mazzo.games import Entry
from mazzo.names import person_name
from mazzo.seated import NEXT, SeatedGame

__all__ = ["check_replay", "check_seated"]

_HANDS, _ACTIONS = 2, 60


def check_seated(entry: Entry, seed: int) -> None:
    """Play a few hands among people, and among a person and agents; shown again they are the same."""
    seating = entry.seating()
    people = [f"me:Person{seat}" for seat in range(seating.most)]
    alone = [people[0], *["random"] * (seating.most - 1)]
    for seats, chance in ((people[: seating.least], seed), (people, seed.to_bytes(32)), (alone, seed)):
        game, rng = seating.open(seats, {}, chance), np.random.default_rng(seed)
        actions, records = _play(game, rng)
        assert records, f"no hand at a table of {len(seats)} came to an end in {len(actions)} actions"
        again = seating.open(seats, {}, chance)
        for action in actions:
            again.act(action)
        for viewer in (None, *range(len(seats))):
            one, other = _plain(game.view(viewer)), _plain(again.view(viewer))
            assert one == other, f"the same setting and actions gave {one} and {other}"
        assert game.log == again.log, "the same setting and actions were told otherwise"
        _check_file(entry, records)
        check_replay(entry, records[0])


def _play(game: SeatedGame, rng: np.random.Generator) -> tuple[list[str], list[dict[str, Any]]]:
    """Play at random, checking each moment; what was done, and the finished hands as each seat knows them."""
    actions: list[str] = []
    records: list[dict[str, Any]] = []
    while len(actions) < _ACTIONS and game.number <= _HANDS:
        _check_views(game, rng)
        if game.seat is None:
            known = [game.record(viewer) for viewer in range(len(game.seats))]
            records += [record for record in known if record is not None]
            if game.over:
                break
            action = NEXT
        elif person_name(game.seats[game.seat]) is None:
            action = game.agent_action()
        else:
            action = _choose(game.view(game.seat)["choices"], rng)
        _check_refusal(game)
        game.act(action)
        actions.append(action)
    return actions, records


def _choose(choices: Sequence[Mapping[str, Any]], rng: np.random.Generator) -> str:
    """One of the choices, as whoever shows them sends it back."""
    assert choices, "the person to act is offered nothing"
    choice = choices[int(rng.integers(len(choices)))]
    if "amount" in choice:
        return f"{choice['action']}{rng.integers(choice['amount']['low'], choice['amount']['high'] + 1)}"
    signals = ["", *choice.get("signals", ())]
    signal = signals[int(rng.integers(len(signals)))]
    return f"{choice['action']}:{signal}" if signal else str(choice["action"])


def _check_views(game: SeatedGame, rng: np.random.Generator) -> None:
    """No seat, and nobody who only looks on, sees a difference where what a seat may not know is dealt anew."""
    for viewer in range(len(game.seats)):
        other = game.redealt(viewer, int(rng.integers(2**31)))
        for who in (viewer, None):
            one, two = _plain(game.view(who)), _plain(other.view(who))
            assert one == two, f"{'somebody who looks on' if who is None else f'seat {who}'} sees hidden cards: {one}"
        assert _plain(game.record(viewer)) == _plain(other.record(viewer)), f"a record shows hidden cards to {viewer}"
        if game.seat == viewer:
            assert _sent(game) == _sent(other), f"the adviser of seat {viewer} is handed hidden cards"
        if game.seat not in (None, viewer):  # between hands a seat may show its cards or set its bet
            assert not game.view(viewer)["choices"], f"seat {viewer} is offered something and is not to act"


def _sent(game: SeatedGame) -> bytes:
    """The question of the seat to act as it is sent to another process; empty where there is none."""
    try:
        return pickle.dumps(game.question())
    except MazzoError:
        return b""


def _plain(view: Any) -> str:
    """A view as it would be sent: plain data only."""
    return json.dumps(view, sort_keys=True)


def _check_refusal(game: SeatedGame) -> None:
    before, said = [_plain(game.view(viewer)) for viewer in range(len(game.seats))], len(game.log)
    try:
        game.act("no such action")
    except MazzoError:
        after = [_plain(game.view(viewer)) for viewer in range(len(game.seats))]
        assert (after, len(game.log)) == (before, said), "an action was refused and changed the table"
    else:
        raise AssertionError("a table takes 'no such action' for an action")


def _check_file(entry: Entry, records: Sequence[Mapping[str, Any]]) -> None:
    """Records in a file of JSON lines are read again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.jsonl"
        path.write_text("".join(f"{json.dumps({'of': entry.NAME, **record})}\n" for record in records))
        read = [{k: v for k, v in record.items() if k != "of"} for record in entry.replays().read(path)]
    assert read == json.loads(json.dumps(records)), "records written to a file are not read as they were"


def check_replay(entry: Entry, record: Mapping[str, Any]) -> None:
    """A finished hand is shown moment by moment up to its end, and an adviser can be asked where cards are known."""
    frames = entry.replays().show(json.loads(json.dumps(record)))
    assert len(frames) > 1, f"a replay has {len(frames)} moments: {record}"
    assert frames[-1].action is None, "after the last moment of a replay something is still done"
    assert frames[-1].view["hand_over"], "a replay does not show the end of the hand"
    for frame in frames:
        _plain(frame.view)
        _plain(list(frame.said))
    asked = [frame for frame in frames if frame.question is not None]
    if asked and entry.seating().advisers:
        frame = asked[-1]
        assert frame.question is not None  # just looked at
        advice = frame.question(entry.seating().advisers[0], frame.action)
        assert advice.explanation.reason, "an adviser gives no reason"
    try:
        entry.replays().show({})
    except MazzoError:
        return
    raise AssertionError("an empty record is shown as a hand")
