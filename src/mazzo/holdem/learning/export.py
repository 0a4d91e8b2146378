"""The tab-separated numbers of Vilella (2011): state, action, next state and reward of every decision, in and out."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes.elementary import BIG_BLIND, LEARNING, capped_sequences
from mazzo.holdem.learning.decisions import Decisions

__all__ = ["as_exported", "is_export", "read_export", "write_export"]

_HEAD = "12\t12"
_ENDED = "\t".join(["123.456"] * len(LEARNING))
_STAGE, _RAISE_BEFORE, _TURN, _BET = 0, 3, 4, 7


def write_export(decisions: Decisions, path: Path, whole: bool = True) -> Path:
    """Write the decisions with the 11 attributes of learning, hand by hand: the big blind's, then the small blind's.

    PV is rounded to whole thousandths, as Vilella keeps it; with `whole=False` it is not. Gives the path.
    """
    kept = as_exported(decisions, whole)
    states, plain = kept.states.astype(np.float64), kept.states == np.rint(kept.states)
    columns = [_texts(states[:, k], bool(plain[:, k].all())) for k in range(len(LEARNING))]
    texts = ["\t".join(row) for row in zip(*columns, strict=True)]
    with path.open("w") as file:
        file.write(_HEAD + "\n")
        for row, after in enumerate(kept.next.tolist()):
            ahead = _ENDED if after < 0 else texts[after]
            file.write(f"{texts[row]}\t{kept.action[row]}\t{ahead}\t{_number(float(kept.reward[row]))}\n")
    return path


def _texts(column: Floats, whole: bool) -> list[str]:
    return [str(int(value)) for value in column] if whole else [_number(float(value)) for value in column]


def _number(value: float) -> str:
    """A number that is read back as it was."""
    return str(int(value)) if value == int(value) else repr(value)


def as_exported(decisions: Decisions, whole: bool = True) -> Decisions:
    """The decisions as a file of them says them: in its order, with its attributes, PV in whole thousandths.

    Such a file holds neither the hands in which a player had nothing to decide nor a digest of the log.
    """
    states = decisions.matrix(LEARNING).astype(np.float64)
    if whole:
        states = np.floor(states + 0.5)
    order = np.lexsort((np.arange(len(decisions)), decisions.position, decisions.hand))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    after = decisions.next[order]
    return replace(
        decisions,
        attributes=LEARNING,
        player=np.zeros(0, np.int64),  # the file names no players
        states=states[order].astype(np.float32),
        legal=decisions.legal[order],
        action=decisions.action[order],
        reward=decisions.reward[order],
        next=np.where(after < 0, -1, places[np.maximum(after, 0)]),
        hand=_hands_of(decisions.position[order], after < 0),
        position=decisions.position[order],
        blind=decisions.blind[order],
        idle=np.zeros(0),
        fingerprint="",
        rewarded="chips",
        p_value=None,
    )


def _hands_of(position: Ints, ended: NDArray[np.bool_]) -> Ints:
    """The number of each row's hand: a small blind's rows belong to the hand of a big blind's just before them."""
    begins = np.concatenate([[True], ended[:-1]]) if len(ended) else np.zeros(0, np.bool_)
    before = np.concatenate([[1], position[:-1]]) if len(position) else position
    new = begins & ((position == 0) | (before == 1))
    return np.asarray(np.cumsum(new) - 1)


def is_export(path: Path) -> bool:
    """Whether a file begins as such an export does."""
    try:
        with path.open("rb") as file:
            return file.readline(16).split() == _HEAD.encode().split()
    except OSError:
        return False


def read_export(path: Path) -> Decisions:
    """Read such a file. What a state allows follows from its betting, the blind from who acts."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"cannot read {path}: {error}") from None
    lines = text.splitlines()
    if not lines or lines[0].split() != _HEAD.split():
        raise UnreadableError(f"{path} is not an export of decisions: its first line is not 12, a tab, 12")
    table = _table(path, lines)
    states, ahead = table[:, :11], table[:, 12:23]
    ended = (ahead == 123.456).all(axis=1)
    _check_order(path, states, ahead, ended)
    position = states[:, _TURN].astype(np.int64)
    return Decisions(
        LEARNING,
        states.astype(np.float32),
        _legal(states),
        table[:, 11].astype(np.int64),
        table[:, 23].copy(),
        np.where(ended, -1, np.arange(1, len(table) + 1)),
        _hands_of(position, ended),
        position,
        np.where(position == 0, BIG_BLIND, BIG_BLIND / 2).astype(np.float64),
        np.zeros(0),
        hashlib.blake2b(text.encode(), digest_size=16).hexdigest(),
    )


def _table(path: Path, lines: list[str]) -> Floats:
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            values = [float(word) for word in line.split("\t")]
        except ValueError:
            values = []
        if len(values) != 24 or values[11] not in (0, 1, 2) or not np.isfinite(values).all():
            raise UnreadableError(
                f"{path}, line {number}: a decision is 24 numbers (11 of the state, the action 0-2, 11 of the next "
                f"state, the reward), not {line[:80]!r}"
            )
        if not 0 <= values[_STAGE] <= 3 or values[_TURN] not in (0, 1):
            raise UnreadableError(
                f"{path}, line {number}: the stage must be 0 to 3 and the turn 0 or 1, got {line[:80]!r}"
            )
        rows.append(values)
    return np.array(rows, np.float64).reshape(-1, 24)


def _check_order(path: Path, states: Floats, ahead: Floats, ended: NDArray[np.bool_]) -> None:
    """Each row that is not the last of its player's hand must be followed by the state that it names."""
    if len(ended) and not ended[-1]:
        raise UnreadableError(f"{path} ends within a hand: the last decision names a next one that is not there")
    wrong = np.flatnonzero(~ended[:-1] & (ahead[:-1] != states[1:]).any(axis=1))
    if len(wrong):
        raise UnreadableError(
            f"{path}, line {int(wrong[0]) + 2}: its next state is not the state of the next line; the rows of a "
            "player's hand stand together, the big blind's before the small blind's"
        )


def _legal(states: Floats) -> NDArray[np.bool_]:
    legal = np.ones((len(states), 3), np.bool_)
    stage = states[:, _STAGE].astype(np.int64).clip(0, 3)
    bet = np.take_along_axis(states, _BET + stage[:, None], 1)
    opening = (stage == 0) & (states[:, _BET] == 2)
    legal[:, 0] = (states[:, _RAISE_BEFORE] == 1) | opening
    for k in range(4):
        legal[stage == k, 2] = ~np.isin(bet[stage == k, 0], capped_sequences(k))
    return legal
