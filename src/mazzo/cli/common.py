"""What commands share: the usual options, JSON output, tables, and progress."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mazzo.version import __version__
from mazzo.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Group",
    "Listed",
    "Number",
    "as_json",
    "command",
    "has_effect_only",
    "note",
    "print_json",
    "print_table",
    "progress",
    "quiet",
    "seed",
    "workers",
]

_F = TypeVar("_F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
quiet = click.option("--quiet", is_flag=True, help="Print no progress and no notes.")
seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the random numbers: the same seed gives the same result.",
)


def _keep_cluster(context: click.Context, option: click.Parameter, address: str | None) -> None:
    context.meta[_CLUSTER] = address


def _cluster_or_number(context: click.Context, option: click.Parameter, number: int) -> Workers:
    address: str | None = context.meta.get(_CLUSTER)
    if address is None:
        return number
    if context.get_parameter_source("workers") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--workers and --cluster do not go together: a cluster has its own workers")
    return address


_CLUSTER = "mazzo.cluster"
_number = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    callback=_cluster_or_number,
    help="Processes to run at the same time.",
)
_address = click.option(
    "--cluster",
    metavar="ADDRESS",
    is_eager=True,  # read before --workers, whose place it takes
    expose_value=False,
    callback=_keep_cluster,
    help="Use the Dask cluster of this scheduler, or `local`.  [needs mazzo[cluster]]",
)


def workers(function: _F) -> _F:
    """The options `--workers` and `--cluster`; the command gets one argument `workers`: a number or an address."""
    return _number(_address(function))


class _Command(click.Command):
    """A command whose help begins with its examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._examples = examples

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples first, then usage and options."""
        _write_examples(self._examples, formatter)
        super().format_help(ctx, formatter)


class Group(click.Group):
    """A group whose help begins with examples: those given, else the first of each of its commands."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._examples = examples

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples first, then usage and commands."""
        _write_examples(self._examples or self._firsts(ctx), formatter)
        super().format_help(ctx, formatter)

    def _firsts(self, ctx: click.Context) -> list[str]:
        inner = [self.get_command(ctx, name) for name in self.list_commands(ctx)]
        return [line for one in inner if isinstance(one, _Command) for line in one._examples[:1]]


def _write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in examples))
        formatter.write_paragraph()


def command(*examples: str, name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command by its examples."""
    return click.command(name=name, cls=_Command, examples=examples)


class Listed(click.Option):
    """An option whose help names what there is: `{names}` in it. What is listed is asked for with the help only.

    Args:
        names: Gives the names, mostly those of a registry.
    """

    def __init__(self, *args: Any, names: Callable[[], Iterable[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names, self._template = names, self.help or ""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, with the names in it."""
        self.help = self._template.replace("{names}", ", ".join(self._names()))
        return super().get_help_record(ctx)


def has_effect_only(where: str, *names: str) -> None:
    """Refuse options that were given where they change nothing; `where` says where they do: `with --spread`."""
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in names and context.get_parameter_source(option.name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} has an effect only {where}: leave it out here")


def print_json(data: dict[str, Any]) -> None:
    """Data on stdout, with what kind of run it is, and the version and command line that made it."""
    kind = click.get_current_context().command_path.partition(" ")[2]
    made_by = {"kind": kind, "version": __version__, "command": ["mazzo", *sys.argv[1:]]}
    whole = {**data, **{key: made_by[key] for key in made_by if key not in data}}
    click.echo(json.dumps(_strict(whole), indent=2, allow_nan=False))


def _strict(data: Any) -> Any:
    """The data with null for numbers that JSON does not have (infinite, or not a number)."""
    if isinstance(data, dict):
        return {key: _strict(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_strict(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


class Number(click.FloatRange):
    """A finite number, if wanted within bounds: click itself takes nan and infinity anywhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def note(text: str, silent: bool = False) -> None:
    """A remark for the person at the terminal: on stderr, so that data stays clean."""
    if not silent:
        click.echo(text, err=True)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain aligned table: numbers to the right, words to the left."""
    lines = [list(header), *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    numeric = [all(_is_number(line[k]) for line in lines[1:]) for k in range(len(header))]
    for line in lines:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        click.echo("  ".join(cells).rstrip())


def _is_number(text: str) -> bool:
    return text.lstrip("+-")[:1].isdigit()


@contextmanager
def progress(what: str, total: float | None, silent: bool = False) -> Iterator[Callable[[float], None]]:
    """A progress bar with time left on stderr; yields a function that advances it. Silent where nobody looks."""
    if silent or not sys.stderr.isatty():
        yield lambda amount: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda amount: bar.advance(task, amount)
