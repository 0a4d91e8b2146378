"""`mazzo completion`: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mazzo.cli.common import command, note, quiet

__all__ = ["completion"]

_WHERE = {
    "bash": "~/.local/share/bash-completion/completions/mazzo",
    "zsh": "~/.zfunc/_mazzo",
    "fish": "~/.config/fish/completions/mazzo.fish",
}
_ALSO = {"zsh": " (with `fpath+=~/.zfunc; autoload -Uz compinit; compinit` in ~/.zshrc)"}


@command(*(f"mazzo completion {shell} > {path}" for shell, path in _WHERE.items()))
@click.argument("shell", type=click.Choice(list(_WHERE)))
@quiet
@click.pass_context
def completion(context: click.Context, shell: str, quiet: bool) -> None:
    """Print the script for tab completion in SHELL."""
    kind = get_completion_class(shell)
    assert kind is not None  # click knows all three
    click.echo(kind(context.find_root().command, {}, "mazzo", "_MAZZO_COMPLETE").source())
    path, also = _WHERE[shell], _ALSO.get(shell, "")
    note(f"save it and open a new shell: mazzo completion {shell} > {path}{also}", quiet)
