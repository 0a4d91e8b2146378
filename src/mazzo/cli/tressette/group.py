"""`mazzo tressette`: advice, what a seat knows, a round reviewed, the fitted policy, open hands solved."""

from __future__ import annotations

import click

from mazzo.cli.app import Lazy

__all__ = ["tressette"]


@click.command(
    cls=Lazy,
    commands_at={
        "advise": "mazzo.cli.tressette.advise:advise",
        "assist": "mazzo.cli.tressette.assist:assist",
        "fit": "mazzo.cli.tressette.fit:fit",
        "know": "mazzo.cli.tressette.know:know",
        "review": "mazzo.cli.tressette.review:review",
        "solve": "mazzo.cli.tressette.solve:solve",
    },
)
def tressette() -> None:
    """Reason about hidden cards, get advice, solve open hands."""
