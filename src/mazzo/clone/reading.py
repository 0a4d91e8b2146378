"""Reading a model back: the tree as text and picture, rules in plain words, thresholds beside what they may mean."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.clone.data import CLASSES
from mazzo.clone.models import StreetModel, rules_in, walk
from mazzo.clone.ripper import AT_LEAST, EQUALS, Condition
from mazzo.errors import UnreadableError

__all__ = ["near_fraction", "plain_rules", "reasons", "thresholds", "tree_nodes", "tree_svg", "tree_text"]

Floats = NDArray[np.float64]


def near_fraction(value: float, tolerance: float = 0.01) -> str:
    """The simplest fraction near a threshold, or nothing: 0.3339 is near 1/3."""
    if not 0 < value < 1:
        return ""
    for below in range(2, 7):
        for above in range(1, below):
            if Fraction(above, below).denominator == below and abs(value - above / below) <= tolerance * value:
                return f"{above}/{below}"
    return ""


def _need_tree(model: StreetModel) -> None:
    if model.kind != "tree":
        raise UnreadableError(f"this is a model of kind {model.kind!r}: only a tree can be drawn; use --model tree")


def _leaf_text(model: StreetModel, node: int) -> str:
    """The answer at a node with its support: `CALL (42/3)` is 42 decisions, 3 of them other ones."""
    values, rows = model.arrays["values"][node], int(model.arrays["rows"][node])
    share = values / max(values.sum(), 1e-300)
    answer = int(values.argmax())
    wrong = round(rows * (1 - float(share[answer])))
    return f"{CLASSES[answer]} ({rows}{f'/{wrong}' if wrong else ''})"


def _merged(model: StreetModel, node: int) -> bool:
    """Whether all leaves below a node give the same answer, so that reading on says nothing."""
    a = model.arrays
    if a["left"][node] < 0:
        return True
    return len({int(a["values"][leaf].argmax()) for leaf in _leaves(model, node)}) == 1


def _leaves(model: StreetModel, node: int) -> Iterator[int]:
    a = model.arrays
    if a["left"][node] < 0:
        yield node
    else:
        yield from _leaves(model, int(a["left"][node]))
        yield from _leaves(model, int(a["right"][node]))


def tree_nodes(model: StreetModel, deepest: int = 99) -> dict[str, Any]:
    """The tree as nested data: a `question` with the branches `low` (yes) and `high` (no), or what a leaf `says`."""
    _need_tree(model)
    a = model.arrays

    def node(at: int, left: int) -> dict[str, Any]:
        if _merged(model, at) or left == 0:
            return {"says": _leaf_text(model, at)}
        question = model.feature_text(int(a["feature"][at]), float(a["threshold"][at]), True)
        low, high = int(a["left"][at]), int(a["right"][at])
        return {"question": question, "low": node(low, left - 1), "high": node(high, left - 1)}

    return node(0, deepest)


def tree_text(model: StreetModel, deepest: int = 99) -> str:
    """The tree as the text prints its trees; branches of one answer are one leaf."""
    _need_tree(model)
    lines: list[str] = []

    def write(node: int, depth: int) -> None:
        a = model.arrays
        for child, below in ((int(a["left"][node]), True), (int(a["right"][node]), False)):
            said = model.feature_text(int(a["feature"][node]), float(a["threshold"][node]), below)
            if _merged(model, child) or depth + 1 >= deepest:
                lines.append(f"{'| ' * depth}{said}: {_leaf_text(model, child)}")
            else:
                lines.append(f"{'| ' * depth}{said}")
                write(child, depth + 1)

    if _merged(model, 0):
        return _leaf_text(model, 0)
    write(0, 0)
    return "\n".join(lines)


def thresholds(model: StreetModel, least_share: float = 0.0) -> list[dict[str, Any]]:
    """Every cut of a number in a tree or in rules: attribute, threshold, decisions it was met by, a fraction near."""
    cuts: list[tuple[int, float, int]] = []  # column, threshold, decisions
    a = model.arrays
    if model.kind == "tree":
        for node in np.flatnonzero(a["left"] >= 0).tolist():
            feature = int(a["feature"][node])
            if a["value"][feature] < 0 and not _merged(model, node) and a["rows"][node] >= least_share * a["rows"][0]:
                cuts.append((int(a["at"][feature]), float(a["threshold"][node]), int(a["rows"][node])))
    elif model.kind == "rules":
        for number, (_, rule) in enumerate(rules_in(model)):
            support = int(a["support"][number].sum())
            cuts += [(k.column, k.value, support) for k in rule if k.kind != EQUALS]
    found = []
    for column, cut, decisions in sorted(cuts, key=lambda each: -each[2]):
        attribute = model.columns[column].attribute
        near = near_fraction(cut) if attribute.category == "ODDS_AND_OUTS" else ""  # 0.5 folds are not one half
        found.append({"attribute": attribute.name, "threshold": cut, "decisions": decisions, "near": near})
    return found


def _condition_text(model: StreetModel, k: Condition) -> str:
    column = model.columns[k.column]
    if k.kind == EQUALS:
        return f"{column.name} = {(column.values or ())[int(k.value)]}"
    return f"{column.name} {'>=' if k.kind == AT_LEAST else '<='} {k.value:.6g}"


def plain_rules(model: StreetModel) -> list[str]:
    """A tree or rules as sentences, those that decide most first (rules: in their order)."""
    if model.kind == "rules":
        lines = []
        for number, (target, rule) in enumerate(rules_in(model)):
            support = model.arrays["support"][number]
            said = " and ".join(_condition_text(model, k) for k in rule)
            lines.append(f"if {said}: {CLASSES[target]} ({_support(support, target)})")
        default = int(model.arrays["default"][0])
        return [*lines, f"else: {CLASSES[default]} ({_support(model.arrays['support'][-1], default)})"]
    _need_tree(model)
    lines_of: list[tuple[int, str]] = []

    def follow(node: int, said: list[str]) -> None:
        a = model.arrays
        if _merged(model, node):
            lines_of.append((int(a["rows"][node]), f"if {' and '.join(said) or 'always'}: {_leaf_text(model, node)}"))
            return
        for child, below in ((int(a["left"][node]), True), (int(a["right"][node]), False)):
            text = model.feature_text(int(a["feature"][node]), float(a["threshold"][node]), below)
            follow(child, [*said, text])

    follow(0, [])
    return [line for _, line in sorted(lines_of, key=lambda each: -each[0])]


def _support(counts: Floats, target: int) -> str:
    total = int(counts.sum())
    wrong = total - int(counts[target])
    return f"{total}/{wrong}" if wrong else str(total)


def reasons(model: StreetModel, x: Floats) -> tuple[str, dict[str, float | int | str | None]]:
    """Why a model answers as it does for one row, and the facts that mattered."""
    shares = model.shares(x)[0]
    answer = CLASSES[int(shares.argmax())]
    facts = {c.name: _value(c, float(x[0, k])) for k, c in enumerate(model.columns)}
    if model.kind == "tree":
        a, encoded = model.arrays, model.encoded(x).astype(np.float64)
        leaf, node, said, used = int(walk(a, encoded, 0)[0]), 0, [], []
        while node != leaf:
            feature = int(a["feature"][node])
            value = encoded[0, feature]
            left = bool(a["missing"][node]) if np.isnan(value) else bool(value <= a["threshold"][node])
            said.append(model.feature_text(feature, float(a["threshold"][node]), left))
            used.append(model.columns[int(a["at"][feature])].name)
            node = int(a["left" if left else "right"][node])
        path = ", ".join(said) or "in every case"
        return f"the player would: {path}: {_leaf_text(model, leaf)}", {k: facts[k] for k in dict.fromkeys(used)}
    if model.kind == "rules":
        for line, (_, rule) in zip(plain_rules(model), rules_in(model), strict=False):
            if all(k.holds(x)[0] for k in rule):
                return f"rule: {line}", {
                    model.columns[k.column].name: facts[model.columns[k.column].name] for k in rule
                }
        return f"no rule fires: {answer}", {}
    keys = [c.name for c in model.columns if c.attribute.category == "ODDS_AND_OUTS"]
    return f"its model ({model.kind}) gives {answer} {shares.max():.3f}", {k: facts[k] for k in keys}


def _value(column: Any, value: float) -> float | str | None:
    if np.isnan(value):
        return None
    return column.values[int(value)] if column.nominal else round(value, 6)


_GAP = 26
_COLOURS = {"RAISE": "#b3261e", "FOLD": "#5f6368", "CALL": "#1b6b3a"}


def tree_svg(model: StreetModel, title: str, deepest: int = 6) -> str:
    """The upper part of a tree as a picture: every node a line, indented by depth, joined to its parent."""
    _need_tree(model)
    rows: list[tuple[int, str, str, int]] = []  # depth, text, colour, row of the parent

    def place(node: int, depth: int, said: str, parent: int) -> None:
        a = model.arrays
        end = _merged(model, node) or depth >= deepest
        answer = CLASSES[int(a["values"][node].argmax())]
        text = f"{said}: {_leaf_text(model, node)}" if end else said
        rows.append((depth, text, _COLOURS[answer] if end else "#222", parent))
        mine = len(rows) - 1
        if not end:
            for child, below in ((int(a["left"][node]), True), (int(a["right"][node]), False)):
                said_next = model.feature_text(int(a["feature"][node]), float(a["threshold"][node]), below)
                place(child, depth + 1, said_next, mine)

    place(0, 0, title, -1)
    width = max(40 * depth + 8 * len(text) + 40 for depth, text, _, _ in rows)
    height = _GAP * len(rows) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="monospace" '
        f'font-size="13" role="img"><title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>'
    ]
    for number, (depth, text, colour, parent) in enumerate(rows):
        x, y = 20 + 40 * depth, 24 + _GAP * number
        if parent >= 0:
            up = 24 + _GAP * parent
            parts.append(f'<path d="M{x - 28} {up + 8}V{y - 4}H{x - 6}" fill="none" stroke="#999"/>')
        parts.append(f'<text x="{x}" y="{y}" fill="{colour}">{escape(text)}</text>')
    return "\n".join([*parts, "</svg>", ""])
