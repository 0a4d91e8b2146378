"""`mazzo tressette`: what a seat knows, the fitted policy, advice at a real table, open hands solved."""

from __future__ import annotations

import click

from mazzo.cli.app import Lazy

__all__ = ["tressette"]


@click.command(
    cls=Lazy,
    commands_at={
        "assist": "mazzo.cli.tressette.assist:assist",
        "fit": "mazzo.cli.tressette.fit:fit",
        "know": "mazzo.cli.tressette.know:know",
        "solve": "mazzo.cli.tressette.solve:solve",
    },
)
def tressette() -> None:
    """Reason about hidden cards, get advice, solve open hands."""
