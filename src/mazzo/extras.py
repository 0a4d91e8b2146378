"""What Mazzo uses beyond its core, by the extra that installs it: `pip install 'mazzo[learn]'`.

`pip install mazzo` gives equities, matches, hands and blackjack. Whatever needs more imports it when it is used, and
where it is missing the error says the one line that installs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from mazzo.errors import MazzoError

__all__ = ["EXTRAS", "MissingPartError", "missing_part", "require", "said_how_to_install"]

EXTRAS = {
    "clingo": "tressette",
    "dask": "cluster",
    "distributed": "cluster",
    "fastapi": "web",
    "gymnasium": "gym",
    "jinja2": "reports",
    "matplotlib": "reports",
    "optuna": "search",
    "pettingzoo": "gym",
    "polars": "learn",
    "pyagrum": "tressette",
    "scipy": "learn",
    "sklearn": "learn",
    "starlette": "web",
    "threadpoolctl": "learn",
    "torch": "torch",
    "uvicorn": "web",
    "websockets": "web",
}
"""By package that is imported, the extra that brings it."""


class MissingPartError(ModuleNotFoundError, MazzoError):
    """A part of Mazzo that is used was not installed; the message is the line that installs it."""


def missing_part(error: ModuleNotFoundError) -> MissingPartError | None:
    """The error that says how to install what could not be imported; None if it is no package of an extra."""
    if isinstance(error, MissingPartError):
        return error
    package = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(package)
    if extra is None:
        return None
    return MissingPartError(
        f"this needs {package}, which is not installed: pip install 'mazzo[{extra}]'", name=error.name
    )


@contextmanager
def said_how_to_install() -> Iterator[None]:
    """What cannot be imported inside because its extra is not installed is raised as a `MissingPartError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = missing_part(error)
        if missing is None:
            raise
        raise missing from error


def require(*packages: str) -> None:
    """Say now what will be missing later; nothing is imported to find out."""
    for package in packages:
        if find_spec(package) is None:
            with said_how_to_install():
                raise ModuleNotFoundError(f"No module named {package!r}", name=package)
