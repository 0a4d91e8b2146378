"""Names of a package that are imported when they are first used (PEP 562), so that importing it costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy"]


def lazy(package: str, at: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose names are elsewhere; `dir` shows the public ones only.

    Args:
        package: Its `__name__`.
        at: By name where it is: `"package.module:thing"`, or `"package.module"` for the module itself.
    """

    def find(name: str) -> Any:
        if name not in at:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, thing = at[name].partition(":")
        found = import_module(module)
        value = getattr(found, thing) if thing else found
        setattr(sys.modules[package], name, value)  # the next look-up does not come here
        return value

    def names() -> list[str]:
        here = vars(sys.modules[package])
        return sorted({*at, *here.get("__all__", ()), *(name for name in here if name.startswith("__"))})

    return find, names
