"""Models as trees for the lab: what they look at, where they split, what they say."""

from __future__ import annotations

from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.web.allowed import Allowed
from mazzo.web.games import TREE_COUNTS, TREES

__all__ = ["check_number", "model_tree", "models"]


def models(allowed: Allowed) -> list[dict[str, Any]]:
    """The model files of the server and what they are."""
    from mazzo.model_file import read_model

    out = []
    for name in allowed.models():
        path = allowed.folder / name
        try:
            model = read_model(path)
            counted = max(0, len(model.arrays.get("starts", ())) - 1)
            trees = TREE_COUNTS[model.agent](path) if model.agent in TREE_COUNTS else counted
            out.append({"name": name, "agent": model.agent, "trees": trees, "made_by": model.made_by})
        except MazzoError as error:
            out.append({"name": name, "problem": str(error)})
    return out


def model_tree(allowed: Allowed, name: str, tree: int, depth: int = 6) -> dict[str, Any]:
    """One tree of a model, down to a depth: what it looks at, where it turns, what it says."""
    from mazzo.model_file import read_model

    if name not in allowed.models():
        raise UnreadableError(f"there is no model {name[:60]!r} here")
    model = read_model(allowed.folder / name)
    if model.agent in TREES:
        shown = TREES[model.agent](allowed.folder / name, tree, depth)
    else:
        shown = _forest_tree(name, model, tree, depth)
    settings = {k: v for k, v in model.settings.items() if isinstance(v, str | int | float | bool)}
    return {"name": name, "agent": model.agent, "tree": tree, "settings": settings, **shown}


def check_number(name: str, tree: int, count: int) -> None:
    """Refuse a tree that is not there."""
    if not 0 <= tree < count:
        raise UnreadableError(
            f"{name} has trees 0 to {count - 1}, got {tree}" if count else f"{name} is not made of trees"
        )


def _forest_tree(name: str, model: Any, tree: int, depth: int) -> dict[str, Any]:
    from mazzo.learn.forest import Forest

    a = model.arrays
    needed = ("thresholds", "links", "values", "starts", "depths")
    if any(key not in a for key in needed):
        raise UnreadableError(f"{name} is not made of trees")
    names = [str(k) for k in model.settings.get("attributes", ())]
    inputs = max(len(names) + 1, int((a["links"] & 0xFF).max()) + 1)
    Forest(a["thresholds"], a["links"], a["values"], a["starts"], a["depths"], 0.0, 1.0, inputs).check()
    count = len(a["starts"]) - 1
    check_number(name, tree, count)
    names += ["action"] * (inputs - len(names))
    root = int(a["starts"][tree])

    def node(at: int, left: int) -> dict[str, Any]:
        link = int(a["links"][root + at])
        child, value = link >> 8, float(a["values"][root + at])
        if child == at:
            return {"value": value}
        out: dict[str, Any] = {"value": value, "input": names[link & 0xFF]}
        out["threshold"] = float(a["thresholds"][root + at])
        if left > 0:
            out["low"], out["high"] = node(child, left - 1), node(child + 1, left - 1)
        else:
            out["cut"] = True
        return out

    return {
        "trees": count,
        "nodes": int(a["starts"][tree + 1]) - root,
        "depth": int(a["depths"][tree]),
        "attributes": names,
        "root": node(0, depth),
    }
