"""Reading a model back: the tree as text and to be drawn, rules in words, thresholds and what they may mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.document import Branch
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.models import StreetModel
from mazzo.holdem.cloning.models.rules import DecisionRules
from mazzo.holdem.cloning.models.tree import DecisionTree
from mazzo.holdem.cloning.ripper import AT_LEAST, EQUALS, Condition

__all__ = [
    "merged_conditions",
    "near_fraction",
    "plain_rules",
    "reasons",
    "thresholds",
    "tree_nodes",
    "tree_outline",
    "tree_text",
]

_INK = {"RAISE": "series2", "FOLD": "faint", "CALL": "series3"}


def near_fraction(value: float, tolerance: float = 0.01) -> str:
    """The simplest fraction near a threshold, or nothing: 0.3339 is near 1/3."""
    if not 0 < value < 1:
        return ""
    for below in range(2, 7):
        for above in range(1, below):
            if Fraction(above, below).denominator == below and abs(value - above / below) <= tolerance * value:
                return f"{above}/{below}"
    return ""


def _tree(model: StreetModel) -> DecisionTree:
    if not isinstance(model, DecisionTree):
        raise UnreadableError(f"this is a model of kind {model.kind!r}: only a tree can be drawn; use --model tree")
    return model


def _leaf_text(model: DecisionTree, node: int) -> str:
    """The answer at a node with its support: `CALL (42/3)` is 42 decisions, 3 of them other ones."""
    values, rows = model.arrays["values"][node], int(model.arrays["rows"][node])
    share = values / max(values.sum(), 1e-300)
    answer = int(values.argmax())
    wrong = round(rows * (1 - float(share[answer])))
    return f"{CLASSES[answer]} ({rows}{f'/{wrong}' if wrong else ''})"


def _merged(model: DecisionTree, node: int) -> bool:
    """Whether all leaves below a node give the same answer, so that reading on says nothing."""
    a = model.arrays
    if a["left"][node] < 0:
        return True
    return len({int(a["values"][leaf].argmax()) for leaf in _leaves(model, node)}) == 1


def _leaves(model: DecisionTree, node: int) -> Iterator[int]:
    a = model.arrays
    if a["left"][node] < 0:
        yield node
    else:
        yield from _leaves(model, int(a["left"][node]))
        yield from _leaves(model, int(a["right"][node]))


def tree_nodes(model: StreetModel, deepest: int = 99) -> dict[str, Any]:
    """The tree as nested data: a `question` with the branches `low` (yes) and `high` (no), or what a leaf `says`."""
    tree = _tree(model)
    a = tree.arrays

    def node(at: int, left: int) -> dict[str, Any]:
        if _merged(tree, at) or left == 0:
            return {"says": _leaf_text(tree, at)}
        question = tree.feature_text(int(a["feature"][at]), float(a["threshold"][at]), True)
        low, high = int(a["left"][at]), int(a["right"][at])
        return {"question": question, "low": node(low, left - 1), "high": node(high, left - 1)}

    return node(0, deepest)


def tree_outline(model: StreetModel, title: str = "", deepest: int = 99) -> Branch:
    """The tree as lines below lines, to be printed or drawn; branches of one answer are one end."""
    tree = _tree(model)
    a = tree.arrays

    def branch(node: int, depth: int, text: str) -> Branch:
        if _merged(tree, node) or depth >= deepest:
            answer = CLASSES[int(a["values"][node].argmax())]
            return Branch(text, _leaf_text(tree, node), _INK[answer])
        return Branch(text, below=[branch(child, depth + 1, conditions) for child, conditions in _turns(tree, node)])

    return branch(0, 0, title)


def _turns(model: DecisionTree, node: int) -> Iterator[tuple[int, str]]:
    """The two nodes below a node, each with what holds there."""
    a = model.arrays
    feature, threshold = int(a["feature"][node]), float(a["threshold"][node])
    yield int(a["left"][node]), model.feature_text(feature, threshold, True)
    yield int(a["right"][node]), model.feature_text(feature, threshold, False)


def tree_text(model: StreetModel, deepest: int = 99) -> str:
    """The tree as the text prints its trees; branches of one answer are one leaf."""

    def lines(branches: Sequence[Branch], depth: int) -> Iterator[str]:
        for branch in branches:
            yield f"{'| ' * depth}{branch}"
            yield from lines(branch.below, depth + 1)

    whole = tree_outline(model, deepest=deepest)
    return "\n".join(lines(whole.below, 0)) or str(whole)


def thresholds(model: StreetModel, least_share: float = 0.0) -> list[dict[str, Any]]:
    """Every cut of a number in a tree or in rules: attribute, threshold, decisions it was met by, a fraction near."""
    cuts: list[tuple[int, float, int]] = []  # column, threshold, decisions
    a = model.arrays
    if isinstance(model, DecisionTree):
        for node in np.flatnonzero(a["left"] >= 0).tolist():
            feature = int(a["feature"][node])
            if a["value"][feature] < 0 and not _merged(model, node) and a["rows"][node] >= least_share * a["rows"][0]:
                cuts.append((int(a["at"][feature]), float(a["threshold"][node]), int(a["rows"][node])))
    elif isinstance(model, DecisionRules):
        for number, (_, rule) in enumerate(model.rules()):
            support = int(a["support"][number].sum())
            cuts += [(k.column, k.value, support) for k in rule if k.kind != EQUALS]
    found = []
    for column, cut, decisions in sorted(cuts, key=lambda each: -each[2]):
        attribute = model.columns[column].attribute
        near = near_fraction(cut) if attribute.category == "ODDS_AND_OUTS" else ""  # 0.5 folds are not one half
        found.append({"attribute": attribute.name, "threshold": cut, "decisions": decisions, "near": near})
    return found


_Said = tuple[str, str, float | str]
"""A condition: the attribute, a comparison (<=, >, >=, =, !=), and the number or value."""


def _condition(model: StreetModel, k: Condition) -> _Said:
    column = model.columns[k.column]
    if k.kind == EQUALS:
        return column.name, "=", (column.values or ())[int(k.value)]
    return column.name, ">=" if k.kind == AT_LEAST else "<=", k.value


def merged_conditions(conditions: Sequence[_Said]) -> list[str]:
    """Conditions in words, those on one attribute taken together: `<= 1.16` and `<= 0.82` is `<= 0.82`."""
    by_name: dict[str, dict[str, list[Any]]] = {}
    for name, sign, value in conditions:
        by_name.setdefault(name, {}).setdefault(sign, []).append(value)
    return [_merged_text(name, signs) for name, signs in by_name.items()]


def _merged_text(name: str, signs: dict[str, list[Any]]) -> str:
    if "=" in signs:
        return f"{name} = {signs['='][0]}"
    if "!=" in signs:
        others = list(dict.fromkeys(signs["!="]))
        return f"{name} != {others[0]}" if len(others) == 1 else f"{name} is none of {', '.join(map(str, others))}"
    above = [(value, sign) for sign in (">", ">=") for value in signs.get(sign, ())]
    low = max(above, default=None)
    high = min(signs["<="]) if "<=" in signs else None
    if low is None:
        return f"{name} <= {high:.6g}"
    if high is None:
        return f"{name} {low[1]} {low[0]:.6g}"
    return f"{low[0]:.6g} {'<' if low[1] == '>' else '<='} {name} <= {high:.6g}"


def plain_rules(model: StreetModel) -> list[str]:
    """A tree or rules as sentences, those that decide most first (rules: in their order)."""
    if isinstance(model, DecisionRules):
        lines = []
        for number, (target, rule) in enumerate(model.rules()):
            support = model.arrays["support"][number]
            conditions = " and ".join(merged_conditions([_condition(model, k) for k in rule]))
            lines.append(f"if {conditions}: {CLASSES[target]} ({_support(support, target)})")
        default = int(model.arrays["default"][0])
        return [*lines, f"else: {CLASSES[default]} ({_support(model.arrays['support'][-1], default)})"]
    tree = _tree(model)
    lines_of: list[tuple[int, str]] = []

    def follow(node: int, conditions: list[_Said]) -> None:
        if _merged(tree, node):
            rows = int(tree.arrays["rows"][node])
            said = " and ".join(merged_conditions(conditions)) or "always"
            lines_of.append((rows, f"if {said}: {_leaf_text(tree, node)}"))
            return
        feature, cut = int(tree.arrays["feature"][node]), float(tree.arrays["threshold"][node])
        for side, below in (("left", True), ("right", False)):
            follow(int(tree.arrays[side][node]), [*conditions, tree.comparison(feature, cut, below)])

    follow(0, [])
    return [line for _, line in sorted(lines_of, key=lambda each: -each[0])]


def _support(counts: Floats, target: int) -> str:
    total = int(counts.sum())
    wrong = total - int(counts[target])
    return f"{total}/{wrong}" if wrong else str(total)


def reasons(
    model: StreetModel, x: Floats, reading: DecisionTree | None = None
) -> tuple[str, dict[str, float | int | str | None]]:
    """Why a model answers as it does for one row, and the facts that mattered; by its reading tree if both agree."""
    shares = model.predict_proba(x)[0]
    answer = CLASSES[int(shares.argmax())]
    facts = {c.name: _value(c, float(x[0, k])) for k, c in enumerate(model.columns)}
    if isinstance(model, DecisionTree):
        conditions, used, leaf = [], [], 0
        for node, feature, below in model.path(x):
            conditions.append(model.comparison(feature, float(model.arrays["threshold"][node]), below))
            used.append(model.columns[int(model.arrays["at"][feature])].name)
            leaf = int(model.arrays["left" if below else "right"][node])
        path = ", ".join(merged_conditions(conditions)) or "in every case"
        return f"the player would: {path}: {_leaf_text(model, leaf)}", {k: facts[k] for k in dict.fromkeys(used)}
    if isinstance(model, DecisionRules):
        for line, (_, rule) in zip(plain_rules(model), model.rules(), strict=False):
            if all(k.holds(x)[0] for k in rule):
                return f"rule: {line}", {
                    model.columns[k.column].name: facts[model.columns[k.column].name] for k in rule
                }
        return f"no rule fires: {answer}", {}
    if reading is not None:
        places = [[k.name for k in model.columns].index(k.name) for k in reading.columns]
        if int(reading.predict(x[:, places])[0]) == int(shares.argmax()):
            said, used_facts = reasons(reading, x[:, places])
            return f"its model ({model.kind}) gives {answer} {shares.max():.3f}; in short, {said}", used_facts
    keys = [c.name for c in model.columns if c.attribute.category == "ODDS_AND_OUTS"]
    return f"its model ({model.kind}) gives {answer} {shares.max():.3f}", {k: facts[k] for k in keys}


def _value(column: Any, value: float) -> float | str | None:
    if np.isnan(value):
        return None
    return column.values[int(value)] if column.nominal else round(value, 6)
