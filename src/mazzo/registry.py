"""Things found by name: agents, log formats, regressors, counts. A new one is registered beside its siblings.

A name may carry parameters, read by the thing's own type hints: `rich:margin=0.02`, `kelly:fraction=.5`.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from typing import Any, Generic, TypeVar, get_type_hints

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.extras import said_how_to_install

__all__ = ["Registry", "meanings", "parameters", "read_parameters", "split_name"]

T = TypeVar("T")
F = TypeVar("F")


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name.

    Args:
        what: What one of them is called in errors: `"agent"`.
        at: By name where it is, `"package.module:thing"`, or `"package.module"` if it is the module itself; imported
            when it is first asked for.
    """

    def __init__(self, what: str, at: Mapping[str, str] | None = None) -> None:
        self.what = what
        self._at = dict(at or {})
        self._found: dict[str, T] = {}

    def register(self, name: str, again: bool = False) -> Callable[[F], F]:
        """A decorator that gives what it decorates a name here; `again` replaces what had the name."""

        def keep(thing: F) -> F:
            if not again and name in self:
                raise ValueError(f"there are two {self.what}s called {name!r}")
            self._found[name] = thing  # type: ignore[assignment]  # what is registered is of the registry's kind
            return thing

        return keep

    def forget(self, name: str) -> None:
        """Take out what was registered under a name."""
        del self._found[name]

    def __getitem__(self, name: str) -> T:
        if name in self._found:
            return self._found[name]
        if name not in self._at:
            raise UnreadableError(f"there is no {self.what} {name!r}; {did_you_mean(name, self)}")
        module, _, thing = self._at[name].partition(":")
        with said_how_to_install():
            imported = import_module(module)
        found: T = getattr(imported, thing) if thing else imported  # type: ignore[assignment]
        self._found[name] = found
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._at or name in self._found

    def __iter__(self) -> Iterator[str]:
        yield from self._at
        yield from (name for name in self._found if name not in self._at)

    def __len__(self) -> int:
        return len(self._at.keys() | self._found.keys())

    def __or__(self, other: Registry[T]) -> Registry[T]:
        """The things of both, this one's order first."""
        both: Registry[T] = Registry(self.what, {**self._at, **other._at})
        both._found = {**self._found, **other._found}
        return both

    def make(self, text: str, **more: Any) -> Any:
        """The thing that `name:key=value,...` describes: it is called with the parameters, and with `more`."""
        base, given = split_name(text, self.what)
        thing = self[base]
        return thing(**read_parameters(thing, given, f"{self.what} {base!r}"), **more)  # type: ignore[operator]


def split_name(
    text: str, what: str = "agent", bare: Callable[[str], str | None] = lambda item: None
) -> tuple[str, dict[str, str]]:
    """`"utility:mu=.02,size=pot"` as `("utility", {"mu": ".02", "size": "pot"})`.

    Args:
        text: A name and its parameters.
        what: What the name is of, for errors.
        bare: Of a value without a name, the parameter it belongs to, or None.
    """
    base, _, rest = text.partition(":")
    given: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals and (known := bare(item)) is not None:
            key, equals, value = known, "=", item
        if not equals or not key.strip():
            raise UnreadableError(
                f"cannot read {item!r} in the {what} {text!r}: parameters are written name=value, separated by commas"
            )
        if key.strip() in given:
            raise UnreadableError(f"duplicate parameter {key.strip()!r} in the {what} {text!r}")
        given[key.strip()] = value.strip()
    return base.strip(), given


def parameters(thing: Any) -> dict[str, inspect.Parameter]:
    """The parameters a name may carry; a field `raise_` is written `raise`, a word Python keeps for itself."""
    return {key.rstrip("_"): p for key, p in inspect.signature(thing).parameters.items()}


@lru_cache(maxsize=256)
def meanings(thing: type) -> Mapping[str, str]:
    """What each parameter of a dataclass means: the sentence under its field, or under `Attributes:` of its class."""
    found: dict[str, str] = {}
    for cls in reversed(thing.__mro__):
        if is_dataclass(cls):
            listed = re.findall(r"^    (\w+): (.+(?:\n {5,}.+)*)", inspect.cleandoc(cls.__doc__ or ""), re.MULTILINE)
            found |= {name: " ".join(said.split()) for name, said in listed}
            found |= _under_fields(cls)
    return {name.rstrip("_"): said for name, said in found.items()}


def _under_fields(cls: type) -> dict[str, str]:
    """The sentences under the fields of a class, as its source has them."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    except (OSError, TypeError, SyntaxError):  # its source is not there
        return {}
    found: dict[str, str] = {}
    for field, under in pairwise(getattr(body, "body", ())):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(under, ast.Expr):
            said = under.value.value if isinstance(under.value, ast.Constant) else None
            if isinstance(said, str):
                found[field.target.id] = " ".join(said.split())
    return found


def read_parameters(thing: Any, given: Mapping[str, str], what: str) -> dict[str, Any]:
    """Parameters written as text, as the types that `thing` takes; `what` names it in errors."""
    known = parameters(thing)
    hints = get_type_hints(thing.__init__ if inspect.isclass(thing) else thing)
    values: dict[str, Any] = {}
    for key, text in given.items():
        if key not in known:
            raise UnreadableError(f"{what} has no parameter {key!r}; {did_you_mean(key, known)}")
        name = known[key].name
        values[name] = _convert(text, hints.get(name, str), f"parameter {key!r} of {what}")
    return values


def _convert(text: str, wanted: Any, what: str) -> Any:
    if wanted is bool:
        if text.lower() in ("true", "yes", "1"):
            return True
        if text.lower() in ("false", "no", "0"):
            return False
        raise UnreadableError(f"{what} must be true or false, got {text!r}")
    if wanted in (int, float):
        try:
            return wanted(text)
        except ValueError:
            kind = "a whole number" if wanted is int else "a number"
            raise UnreadableError(f"{what} must be {kind}, got {text!r}") from None
    return text
